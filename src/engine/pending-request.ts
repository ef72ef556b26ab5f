// A product that is still to be asked: in which wave it may go, when it is tried again, and how often.

import { type Failure, isRetryable } from '../failures/failure';
import type { Product } from '../product/asin';

export interface PendingRequest {
  readonly product: Product;
  /** The number of this try; earlier tries failed temporarily. */
  readonly attempt: number;
  readonly readyAtMs: number;
  /** The largest wave that this request may be part of; reduced after a wave was lost. */
  readonly waveMax: number;
  /** The latest failure, which becomes the answer if time runs out. */
  readonly last?: Failure;
  /** When the service first answered so that the product may be unknown, or the service down. */
  readonly doubtedMs?: number;
}

/** The most tries of a call that fails temporarily. */
const ATTEMPTS_MAX = 3;

/**
 * The wait before the first retry, doubled for the next and multiplied by a random factor from one
 * to two.
 */
const RETRY_BASE_MS = 500;

export function pendingRequest(product: Product): PendingRequest {
  return { product, attempt: 1, readyAtMs: 0, waveMax: Number.POSITIVE_INFINITY };
}

/** The requests that can be sent together now, in one wave of at most `waveSize` calls. */
export function nextWave(
  open: readonly PendingRequest[],
  waveSize: number,
  nowMs: number,
): readonly PendingRequest[] {
  const ready = open.filter((request) => request.readyAtMs <= nowMs);
  const size = Math.min(waveSize, ready[0]?.waveMax ?? 0);
  const wave = ready.slice(0, size);
  const alone = wave.findIndex((request) => request.waveMax < wave.length);
  return alone > 0 ? wave.slice(0, alone) : wave;
}

/**
 * The request for another try, not before the time that the failure names; undefined if no try is
 * left. A throttled request may be tried any number of times: the gate decides when it goes, and
 * the door's deadline ends it.
 *
 * @param chance a random number from 0 to 1, so that requests that failed together do not return
 * together.
 */
export function retried(
  request: PendingRequest,
  failure: Failure,
  nowMs: number,
  chance: number,
): PendingRequest | undefined {
  if (failure.kind === 'waiting') return { ...request, last: failure };
  if (!isRetryable(failure) || request.attempt >= ATTEMPTS_MAX) return undefined;
  const backoffMs = RETRY_BASE_MS * 2 ** (request.attempt - 1) * (1 + chance);
  const namedMs = ('waitMs' in failure && failure.waitMs) || 0;
  const readyAtMs = nowMs + Math.max(backoffMs, namedMs);
  return { ...request, attempt: request.attempt + 1, readyAtMs, last: failure };
}

/**
 * Halves the size of waves after one was lost, again and again, until the request that broke it is
 * found.
 */
export function halved(request: PendingRequest, waveLength: number): PendingRequest {
  return { ...request, waveMax: Math.max(1, Math.floor(waveLength / 2)) };
}
