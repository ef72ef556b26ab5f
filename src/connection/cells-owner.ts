// Whose key the cells of a spreadsheet use where none is shared: its owner's, and only a cell can tell whose that is.

import type { Store } from '../platform/ports';
import type { Connection } from './connection';

/** In the spreadsheet's own store. */
const NAME = 'cells-owner';

const markOf = ({ owner, fingerprint }: Connection): string => owner ?? fingerprint;

/** What a cell notes by the way when answers are stored. */
export const ownerNote = (connection: Connection): Readonly<Record<string, string>> => ({
  [NAME]: markOf(connection),
});

/** False: cells were seen to use somebody else's. One property call. */
export function mayBeOwner(documentStore: Store, connection: Connection): boolean {
  const known = documentStore.read(NAME);
  return known === null || known === markOf(connection);
}

/** Whether a cell has told yet. One property call. */
export const isOwnerKnown = (documentStore: Store): boolean => documentStore.read(NAME) !== null;

/** Whoever connects anew has another mark: the next cell that asks tells again. */
export const forgetOwner = (documentStore: Store): void => documentStore.remove(NAME);
