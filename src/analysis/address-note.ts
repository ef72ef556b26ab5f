// Whether the analysis service is known to be at an address: then 404 there is about a product, whatever its body.

import type { Reply } from '../api/reply';
import { addressMark, type Connection } from '../connection/connection';
import type { Store } from '../platform/ports';

export interface AddressNote {
  /** To be stored by the way when analyses are. */
  readonly note: Readonly<Record<string, string>>;
  /** An analysis came from there. One property call at most, where no check has told it. */
  hasAnswered(): boolean;
}

const NAME = 'answered';

export function addressNote(documentStore: Store, connection: Connection): AddressNote {
  const mark = addressMark(connection);
  let isKnown: boolean | undefined = connection.answered;
  return {
    note: { [NAME]: mark },
    hasAnswered() {
      isKnown ??= documentStore.read(NAME) === mark;
      return isKnown;
    },
  };
}

/** Before it is known, a web page or nothing says that the service is elsewhere. */
export function ofKnownAddress(reply: Reply, hasAnswered: () => boolean): Reply {
  if (reply.kind !== 'elsewhere' || reply.status !== 404 || !hasAnswered()) return reply;
  const { status: _, ...aside } = reply;
  return { ...aside, kind: 'not-found' };
}
