// The engine on behalf of formulas, for a door that has more time than a cell.

import { mayBeOwner } from '../connection/cells-owner';
import { type Connection, isDemo } from '../connection/connection';
import { connectionStore } from '../connection/connection-store';
import type { Platform } from '../platform/ports';
import { HORIZON_MS } from '../quota/rate';
import { createEngine, type Engine } from './engine';
import { type Failure, fail, isFailure } from './failure';
import { connectionIn } from './stored-connection';

/** Nobody waits for a single cell, so a slow service gets its time. */
const CALL_TIMEOUT_MS = 30_000;

/** Works with the connection that cells use; calls begun by `untilMs` are still read. */
export function cellsEngine(platform: Platform, untilMs: number): Engine | Failure {
  const connection = connectionIn(storeOf(platform).forCells());
  return isFailure(connection) ? connection : engineOf(platform, connection, untilMs);
}

/**
 * The same, refused where it is not what cells use: without a shared connection that is the owner's,
 * which nobody else's clock can read, and no cell would find what is asked for.
 */
export function warmingEngine(platform: Platform, untilMs: number): Engine | Failure {
  const store = storeOf(platform);
  const connection = connectionIn(store.forCells());
  if (isFailure(connection)) return connection;
  const isOwners = store.sharedKind() !== 'connection' && !isDemo(connection);
  if (isOwners && !mayBeOwner(platform.documentStore, connection))
    return fail({ kind: 'schedule', why: 'other-key', what: '' });
  return engineOf(platform, connection, untilMs);
}

const storeOf = (platform: Platform) =>
  connectionStore({ ...platform, loopbackAllowed: __LOOPBACK_ALLOWED__ });

function engineOf(platform: Platform, connection: Connection, untilMs: number): Engine {
  return createEngine(platform, connection, {
    bookUntilMs: untilMs,
    horizonMs: HORIZON_MS,
    endMs: untilMs + CALL_TIMEOUT_MS,
    callTimeoutMs: CALL_TIMEOUT_MS,
    // Formulas asked for these, whoever's door it is.
    cellsPerDay: connection.cellsPerDay ?? null,
    listsWaiting: false,
  });
}
