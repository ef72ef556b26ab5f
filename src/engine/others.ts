// Products that another execution is asking for: when its answers are looked for, and when they are asked
// for here after all.

import { productKey } from '../product/asin';
import { type Batch, bookUntilMs, findAnswers, lastPollMs, namedIn } from './batch';

/** The longest time that a waiting execution lets pass before it looks at what others have done. */
export const POLL_EACH_MS_MAX = 4_000;

/** The usual time from a slot until its answer is in the cache. */
const ANSWER_MS = 550;

/**
 * How often the answers of other executions are looked for once they are due, and after how many
 * polls their claims are tested.
 */
const POLL_MS = 400;
const POLLS_PER_CLAIM_CHECK = 7;

/** Moves requests with these claim names to those that another execution handles. */
export function leaveToOthers(batch: Batch, names: readonly string[]): void {
  const taken = namedIn(batch, batch.open, names);
  batch.foreign = [...batch.foreign, ...taken];
  batch.open = batch.open.filter((request) => !taken.includes(request));
}

/**
 * The first answer from others follows its slot at `slotMs`, so there is no need to look much
 * earlier.
 */
export function expectOthers(batch: Batch, slotMs: number): void {
  batch.dueMs = slotMs + ANSWER_MS;
  batch.pollAtMs = nextPollMs(batch, 0);
}

/**
 * The next poll comes after a few seconds even if the answer is due later, because the other
 * execution may have been refused.
 */
function nextPollMs(batch: Batch, restMs: number): number {
  const nowMs = batch.engine.platform.clock.nowMs();
  const dueInMs = Math.min(batch.dueMs - nowMs, POLL_EACH_MS_MAX);
  return Math.min(nowMs + Math.max(restMs, dueInMs), lastPollMs(batch));
}

/** Looks for the answers of others. Every few polls it tries to claim their requests for itself. */
export function pollOthers(batch: Batch): void {
  const nowMs = batch.engine.platform.clock.nowMs();
  const found = findAnswers(batch, batch.foreign);
  batch.foreign = batch.foreign.filter((request) => !found.has(productKey(request.product)));
  batch.polls += 1;
  batch.pollAtMs = nextPollMs(batch, POLL_MS);
  const { gate } = batch.engine;
  // A refusal is not cached as an answer, so others may have met one before their answers are due.
  const isStopped = nowMs < batch.dueMs && gate.stopped() !== undefined;
  const isTurn = isStopped || batch.polls % POLLS_PER_CLAIM_CHECK === 0;
  if (!isTurn || nowMs > bookUntilMs(batch)) return;
  batch.open = [...batch.open, ...batch.foreign];
  batch.foreign = [];
}
