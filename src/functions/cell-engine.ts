// The engine as a cell gets it: the connection that formulas use, and the limits of a 30-second cell.

import { createEngine, type Engine } from '../analysis/engine';
import { type Failure, fail } from '../analysis/failure';
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
  const stored = connectionStore({ ...platform, loopbackAllowed: __LOOPBACK_ALLOWED__ }).forCells();
  if (stored.kind === 'none') return fail({ kind: 'no-connection' });
  if (stored.kind === 'unreadable') return fail({ kind: 'settings-unreadable' });
  return createEngine(platform, stored.connection, {
    bookUntilMs: startMs + BOOK_MS,
    endMs: startMs + END_MS,
    callTimeoutMs: CALL_TIMEOUT_MS,
    listsWaiting: true,
  });
}
