// The sidebar works off the waiting list while it is open: cells have 30 seconds, it has minutes.

import { createEngine } from '../analysis/engine';
import { type Failure, isFailure } from '../analysis/failure';
import { connectionIn } from '../analysis/stored-connection';
import { waitingList } from '../analysis/waiting-list';
import { type WaitingWork, workWaiting } from '../analysis/work-waiting';
import { answersScope } from '../connection/connection';
import { type ConnectionStore, connectionStore } from '../connection/connection-store';
import type { Platform } from '../platform/ports';
import { HORIZON_MS } from '../quota/rate';

/** A person is there and may look on, so a slow service gets its time. */
const CALL_TIMEOUT_MS = 30_000;

/**
 * Asks for what cells are waiting for, for at most `maxMs`, with the connection that cells use. Calls
 * begun by then are still read.
 */
export function workOffWaiting(platform: Platform, maxMs: number): WaitingWork | Failure {
  const store = connectionStore({ ...platform, loopbackAllowed: __LOOPBACK_ALLOWED__ });
  const stored = store.forCells();
  const connection = connectionIn(stored);
  if (isFailure(connection)) return connection;
  const untilMs = platform.clock.nowMs() + maxMs;
  const limits = {
    bookUntilMs: untilMs,
    horizonMs: HORIZON_MS,
    endMs: untilMs + CALL_TIMEOUT_MS,
    callTimeoutMs: CALL_TIMEOUT_MS,
    // Formulas asked for these, whoever's sidebar is open.
    cellsPerDay: connection.cellsPerDay ?? null,
    listsWaiting: false,
  };
  return workWaiting(createEngine(platform, connection, limits));
}

/** How many products wait, for the connection that cells use. */
export function countWaiting({ cache, lock }: Platform, store: ConnectionStore): number {
  const stored = store.forCells();
  if (stored.kind !== 'connection') return 0;
  const list = waitingList(cache, lock, answersScope(stored.connection)).read();
  return list.reduce((sum, { products }) => sum + products.length, 0);
}
