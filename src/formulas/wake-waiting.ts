// Works off the waiting list and recalculates the cells that waited.

import * as z from 'zod/mini';
import { analyze } from '../engine/analyze';
import { cellsEngine, type Engine } from '../engine/engine';
import { waitingList } from '../engine/waiting-list';
import { cellText, type Failure, fail, isFailure } from '../failures/failure';
import { lazySchema } from '../platform/lazy-schema';
import { productKey } from '../product/asin';
import type { Market } from '../product/market';
import { HORIZON_MS } from '../quota/rate';
import { stampText } from './arguments';
import { type BookPlatform, cellReader, findFormulas, resolver, shows } from './find-formulas';
import { recalculateAll } from './recalculate';

/**
 * A call from the page may run for six minutes, and calls that began by this time still have to be
 * read and stored.
 */
const WORK_MS_MAX = 300_000;

/** How long a call from the page works. */
export const workMsSchema = lazySchema(() => z.int().check(z.minimum(1), z.maximum(WORK_MS_MAX)));

interface WaitingWork {
  /** Products that now have an answer, or a failure that waiting does not change. */
  readonly settled: number;
  /** Products still on the list. */
  readonly left: number;
}

/**
 * Asks for the products on the list. It ends by the engine's limits; products that could not be
 * asked stay on the list.
 *
 * @param wake recalculates the cells that wait for these products, given by key. Returns false if
 * some cells were not reached; their products then stay on the list and come from the cache next
 * time.
 */
function workWaiting(engine: Engine, wake: (keys: readonly string[]) => boolean): WaitingWork {
  const list = waitingList(engine.platform.cache, engine.lock, engine.connection.fingerprint);
  const listed = list.read();
  if (listed.length === 0) return { settled: 0, left: 0 };
  const groups = listed.map(({ wish, products }) => {
    const answers = analyze(engine, products, { ...wish, horizonMs: HORIZON_MS });
    const keys = products.map(productKey);
    const done = keys.filter((key) => {
      const answer = answers.get(key);
      return answer !== undefined && (answer.ok || answer.failure.kind !== 'waiting');
    });
    return { wish, done, left: keys.length - done.length };
  });
  const settled = groups.reduce((sum, { done }) => sum + done.length, 0);
  const left = groups.reduce((sum, group) => sum + group.left, 0);
  if (settled > 0 && left === 0) engine.gate.leave();
  if (settled === 0) return { settled, left };
  if (!wake(groups.flatMap(({ done }) => done))) return { settled: 0, left: settled + left };
  for (const { wish, done } of groups) if (done.length > 0) list.remove(done, wish);
  return { settled, left };
}

/** How long after the last call cells may still be recalculated. */
const WAKE_MS = 20_000;

/**
 * A formula of one product shows an error, or nothing where a function around it hides the error.
 */
const ERROR_OR_BLANK = /^(#.*)?$/;

/**
 * Asks for the products that cells wait for, for at most `maxMs`, with the connection that cells
 * use, and recalculates the waiting cells. Calls that begin by then still get their answers.
 */
export function workOffWaiting(platform: BookPlatform, maxMs: number): WaitingWork | Failure {
  const engine = cellsEngine(platform, platform.clock.nowMs() + maxMs);
  if (isFailure(engine)) return engine;
  const { defaultMarket } = engine.connection.settings;
  return workWaiting(engine, (keys) => wake(platform, new Set(keys), defaultMarket));
}

/** Recalculates the waiting cells; returns whether there was time for all of them. */
function wake(
  { clock, spreadsheet }: BookPlatform,
  keys: ReadonlySet<string>,
  market: Market | undefined,
): boolean {
  const nowMs = clock.nowMs();
  const cellsIn = cellReader(spreadsheet);
  const productsOf = resolver(cellsIn, market);
  // The common beginning of the texts for waiting, be it for the key's limit or for a service that
  // is down.
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
