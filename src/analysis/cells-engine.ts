// The engine on behalf of formulas, for a door that has more time than a cell.

import { connectionStore } from '../connection/connection-store';
import type { Platform } from '../platform/ports';
import { HORIZON_MS } from '../quota/rate';
import { createEngine, type Engine } from './engine';
import { type Failure, isFailure } from './failure';
import { connectionIn } from './stored-connection';

/** Nobody waits for a single cell, so a slow service gets its time. */
const CALL_TIMEOUT_MS = 30_000;

/** Works with the connection that cells use; calls begun by `untilMs` are still read. */
export function cellsEngine(platform: Platform, untilMs: number): Engine | Failure {
  const store = connectionStore({ ...platform, loopbackAllowed: __LOOPBACK_ALLOWED__ });
  const connection = connectionIn(store.forCells());
  if (isFailure(connection)) return connection;
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
