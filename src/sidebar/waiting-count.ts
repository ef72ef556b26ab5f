// How many products cells are waiting for, as the sidebar tells it.

import { waitingList } from '../analysis/waiting-list';
import type { ConnectionStore } from '../connection/connection-store';
import type { Platform } from '../platform/ports';

/** For the connection that cells use. */
export function countWaiting({ cache, lock }: Platform, store: ConnectionStore): number {
  const stored = store.forCells();
  if (stored.kind !== 'connection') return 0;
  const list = waitingList(cache, lock, stored.connection.fingerprint).read();
  return list.reduce((sum, { products }) => sum + products.length, 0);
}
