// Errands: products on their way to an answer, and which of them go together in the next wave. Pure.

import { type Failure, isRetryable } from './failure';
import type { Product } from './product';

export interface Errand {
  readonly product: Product;
  /** Counts the calls that failed for a passing reason, this one included. */
  readonly attempt: number;
  readonly readyAtMs: number;
  /** The largest wave it may go in; smaller after a wave was lost. */
  readonly waveMax: number;
  /** What it failed with last; shown if time runs out. */
  readonly last?: Failure;
}

/** A call that failed for a passing reason is made again until it was made so often. */
const ATTEMPTS_MAX = 3;

/** The first retry waits about so long, the next twice that; times a random part of one to two. */
const RETRY_BASE_MS = 500;

export function newErrand(product: Product): Errand {
  return { product, attempt: 1, readyAtMs: 0, waveMax: Number.POSITIVE_INFINITY };
}

/** The errands that can go now, together, in one wave of at most `waveSize` calls. */
export function nextWave(
  open: readonly Errand[],
  waveSize: number,
  nowMs: number,
): readonly Errand[] {
  const ready = open.filter((errand) => errand.readyAtMs <= nowMs);
  const size = Math.min(waveSize, ready[0]?.waveMax ?? 0);
  const wave = ready.slice(0, size);
  const alone = wave.findIndex((errand) => errand.waveMax < wave.length);
  return alone > 0 ? wave.slice(0, alone) : wave;
}

/**
 * The errand for another try, not before the time that the failure names, or undefined when it has had
 * its tries. A throttled one has no number of tries: the gate says when it may go, and the door's
 * deadline ends it.
 *
 * @param chance from 0 to 1, so that errands that failed together do not come back together.
 */
export function retried(
  errand: Errand,
  failure: Failure,
  nowMs: number,
  chance: number,
): Errand | undefined {
  if (failure.kind === 'waiting') return { ...errand, last: failure };
  if (!isRetryable(failure) || errand.attempt >= ATTEMPTS_MAX) return undefined;
  const backoffMs = RETRY_BASE_MS * 2 ** (errand.attempt - 1) * (1 + chance);
  const namedMs = ('waitMs' in failure && failure.waitMs) || 0;
  const readyAtMs = nowMs + Math.max(backoffMs, namedMs);
  return { ...errand, attempt: errand.attempt + 1, readyAtMs, last: failure };
}

/** After a wave was lost, the same errands in waves of half its size find the one that broke it. */
export function halved(errand: Errand, waveLength: number): Errand {
  return { ...errand, waveMax: Math.max(1, Math.floor(waveLength / 2)) };
}
