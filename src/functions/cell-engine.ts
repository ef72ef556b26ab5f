// The engine as a cell gets it: the connection that formulas use, and the limits of a 30-second cell.

import { createEngine, type Engine } from '../analysis/engine';
import { type Failure, isFailure } from '../analysis/failure';
import { connectionIn } from '../analysis/stored-connection';
import { ownerNote } from '../connection/cells-owner';
import { connectionStore } from '../connection/connection-store';
import type { Platform } from '../platform/ports';

/**
 * Sheets ends a cell after 30 s. Slots are taken for 24 s at most, and every call has ended at 27.5 s:
 * the rest is for starting up, which counts, and for keeping the answer or the place in the queue.
 */
const BOOK_MS = 24_000;
const END_MS = 27_500;

/** Long enough for a slow service, short enough that one hanging call leaves time for another. */
const CALL_TIMEOUT_MS = 12_000;

export function cellEngine(platform: Platform): Engine | Failure {
  const startMs = platform.clock.nowMs();
  const store = connectionStore({ ...platform, loopbackAllowed: __LOOPBACK_ALLOWED__ });
  const connection = connectionIn(store.forCells());
  if (isFailure(connection)) return connection;
  const limits = {
    bookUntilMs: startMs + BOOK_MS,
    endMs: startMs + END_MS,
    callTimeoutMs: CALL_TIMEOUT_MS,
    cellsPerDay: connection.cellsPerDay ?? null,
    listsWaiting: true,
  };
  const isShared = store.sharedKind() === 'connection';
  return createEngine(platform, connection, limits, isShared ? {} : ownerNote(connection));
}
