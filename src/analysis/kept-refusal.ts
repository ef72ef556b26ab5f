// A refused key, remembered in the spreadsheet's own store: no call is made with it until it changes.

import type { Store } from '../platform/ports';
import type { KeptRefusal } from '../quota/gate-memory';

const NAME = 'refused';

/** Read only where the cache forgot the gate's state, and written once for each refusal. */
export function keptRefusal(store: Store, fingerprint: string): KeptRefusal {
  return {
    isKept: () => store.read(NAME) === fingerprint,
    keep: () => void store.writeAll({ [NAME]: fingerprint }),
    forget() {
      if (store.read(NAME) === fingerprint) store.remove(NAME);
    },
  };
}
