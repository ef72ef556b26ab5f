// Asks for the products that cells could not ask for in time, and shows them.

import { analyze } from '../engine/analyze';
import { openEngine } from '../engine/doors';
import { waitingList } from '../engine/waiting-list';
import { type Failure, isFailure } from '../failures/failure';
import type { Platform } from '../google/platform';
import { HORIZON_MS } from '../limit/gate';
import { productKey } from '../product/asin';
import type { Answer } from '../product/fields';
import { refreshFormulas } from './refresh';

export interface WaitingWork {
  /** Products that now have an answer, or a failure that waiting does not change. */
  readonly settled: number;
  /** Products still on the list. */
  readonly left: number;
  /**
   * Whether formulas show them. They do not where that would ask again for products of others, whose
   * answers the cache has forgotten.
   */
  readonly isShown: boolean;
}

const isSettled = (answer: Answer | undefined): boolean =>
  answer !== undefined && (answer.ok || answer.failure.kind !== 'waiting');

/**
 * Works for at most `maxMs`, with the connection that cells use. Calls that begin by then still get
 * their answers; what could not be asked stays on the list.
 */
export function workOffWaiting(platform: Platform, maxMs: number): WaitingWork | Failure {
  const untilMs = platform.clock.nowMs() + maxMs;
  const engine = openEngine(platform, 'waiting', untilMs);
  if (isFailure(engine)) return engine;
  const list = waitingList(platform.cache, engine.connection.fingerprint);
  let settled = 0;
  let left = 0;
  for (const { wish, products } of list.read()) {
    const answers = analyze(engine, products, { ...wish, horizonMs: HORIZON_MS });
    const done = products.map(productKey).filter((key) => isSettled(answers.get(key)));
    if (done.length > 0) list.remove(done, wish);
    settled += done.length;
    left += products.length - done.length;
  }
  return { settled, left, isShown: settled > 0 && left === 0 && showAnswers(platform, untilMs) };
}

/** Makes formulas calculate again, if nothing has to be asked for that. */
function showAnswers(platform: Platform, untilMs: number): boolean {
  const report = refreshFormulas(platform, {
    when: 'always',
    notBeforeMs: 0,
    callsMax: 0,
    untilMs: () => untilMs,
  });
  return !isFailure(report) && report.refreshed + report.failed > 0;
}
