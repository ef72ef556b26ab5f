// Names the cache, properties or lock that a script asks for: the script's, one user's or one
// document's.

import type { Caller } from './service';

export type StoreScope = 'script' | 'user' | 'document';

/** "script", "user/<email>" or "document/<id>". */
export function storeName(caller: Caller, scope: StoreScope): string {
  if (scope === 'script') return 'script';
  if (scope === 'user') return `user/${caller.userStoreEmail}`;
  return `document/${caller.document?.id}${caller.isApart ? ' of cells' : ''}`;
}
