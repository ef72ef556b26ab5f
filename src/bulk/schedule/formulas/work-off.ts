// Works off what cells wait for, and wakes them: cells have 30 seconds, whoever calls this has minutes.

import { cellsEngine } from '../../../analysis/cells-engine';
import { cellText, type Failure, fail, isFailure } from '../../../analysis/failure';
import type { Market } from '../../../analysis/product';
import { stampText } from '../../../analysis/stamp';
import { type WaitingWork, workWaiting } from '../../../analysis/work-waiting';
import { cellReader } from './cell-reader';
import { type BookPlatform, findFormulas } from './find';
import { recalculateAll } from './recalculate';
import { resolver } from './resolve';
import { shows } from './shown';

/** Waking cells may go on for so long after the last call. */
const WAKE_MS = 20_000;

/** Formulas of one product show an error, or what is written round them in place of it. */
const ERROR_OR_BLANK = /^(#.*)?$/;

/**
 * Asks for what cells are waiting for, for at most `maxMs`, with the connection that cells use, and
 * makes the cells that wait recalculate. Calls begun by then are still read.
 */
export function workOffWaiting(platform: BookPlatform, maxMs: number): WaitingWork | Failure {
  const engine = cellsEngine(platform, platform.clock.nowMs() + maxMs);
  if (isFailure(engine)) return engine;
  const { defaultMarket } = engine.connection.settings;
  return workWaiting(engine, (keys) => wake(platform, new Set(keys), defaultMarket));
}

/** Whether there was time for all of them. */
function wake(
  { clock, spreadsheet }: BookPlatform,
  keys: ReadonlySet<string>,
  market: Market | undefined,
): boolean {
  const nowMs = clock.nowMs();
  const cellsIn = cellReader(spreadsheet);
  const productsOf = resolver(cellsIn, market);
  // For the key's limit, or for a service that is down.
  const [any = ''] = cellText(fail({ kind: 'waiting' })).split(' key');
  const waits = { first: ERROR_OR_BLANK, any };
  const waiting = findFormulas(spreadsheet).filter((cell) => {
    const named = [...productsOf(cell).products.keys()];
    return named.some((key) => keys.has(key)) && shows(cell, named.length, cellsIn, waits);
  });
  const stamp = stampText(nowMs);
  const { done, refused, hasMoved } = recalculateAll(clock, waiting, stamp, () => nowMs + WAKE_MS);
  return !hasMoved && done.length + refused.length === waiting.length;
}
