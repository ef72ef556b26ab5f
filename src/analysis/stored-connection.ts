// The connection that a store holds, or why there is none to work with.

import type { Connection, StoredConnection } from '../connection/connection';
import { type Failure, fail } from './failure';

export function connectionIn(stored: StoredConnection): Connection | Failure {
  if (stored.kind === 'connection') return stored.connection;
  if (stored.kind === 'none') return fail({ kind: 'no-connection' });
  return fail({ kind: stored.isNewer ? 'settings-unreadable' : 'settings-damaged' });
}
