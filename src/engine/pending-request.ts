// A product that is still to be asked: in which wave it may go, when it is tried again, and how often.

import { type Failure, fail, isRetryable, REFUSED_STATUS } from '../failures/failure';
import type { Product } from '../product/asin';

export interface PendingRequest {
  readonly product: Product;
  /** The number of this try; earlier tries failed temporarily. */
  readonly attempt: number;
  readonly readyAtMs: number;
  /**
   * Set if it was lost with a wave, which one of the wave's products may have broken: it goes alone.
   * How often the service has been silent to it alone.
   */
  readonly silent?: number;
  /** The latest failure, which becomes the answer if time runs out. */
  readonly last?: Failure;
  /** When the service first answered so that the product may be unknown, or the service down. */
  readonly doubtedMs?: number;
}

/** The most tries of a call that fails temporarily. */
const ATTEMPTS_MAX = 3;

/** The most tries of a product alone that was lost with a wave; one that breaks the connection again gets one. */
const SILENT_MAX = 3;
const BREAKING_MAX = 1;

/**
 * The wait before the first retry, doubled for the next and multiplied by a random factor from one
 * to two.
 */
const RETRY_BASE_MS = 500;

/** @param silent see `PendingRequest`; a product that is known to be silent gets one try. */
export function pendingRequest(product: Product, silent?: number): PendingRequest {
  return {
    product,
    attempt: 1,
    readyAtMs: 0,
    ...(silent !== undefined && { silent: Math.min(silent, SILENT_MAX - 1) }),
  };
}

const isAlone = ({ silent }: PendingRequest): boolean => silent !== undefined;

/** Whether the service had a hiccup that is soon over, and a further try is left. */
export const isRetry = ({ attempt, last }: PendingRequest): boolean =>
  attempt > 1 && last !== undefined && last.kind !== 'waiting' && !isSilence(last);

/** The longest wait before a retry that the service has not named. */
const RETRY_MS_MAX = 2 * RETRY_BASE_MS * 2 ** (ATTEMPTS_MAX - 2);

/**
 * The requests that can be sent together now, in one wave of at most `waveSize` calls. What was lost
 * with a wave goes alone, after all others and their retries: its silence may take all the time that is left.
 *
 * @param isSilent the service has said nothing since a wave was lost: the next call is a single one,
 * so that an outage costs no wave after the other. It is for the first in turn, whatever became of it:
 * two silent products would else be asked for ever, before the one that gets an answer.
 */
export function nextWave(
  open: readonly PendingRequest[],
  waveSize: number,
  nowMs: number,
  isSilent = false,
): readonly PendingRequest[] {
  const ready = open.filter((request) => request.readyAtMs <= nowMs);
  const together = ready.filter((request) => !isAlone(request));
  if (isSilent) return ready.slice(0, 1);
  if (together.length > 0) return together.slice(0, waveSize);
  // None of the others is ready now.
  const isRetrySoon = (request: PendingRequest) =>
    !isAlone(request) && request.readyAtMs <= nowMs + RETRY_MS_MAX;
  return open.some(isRetrySoon) ? [] : ready.slice(0, 1);
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
  if (request.silent !== undefined && isSilence(failure))
    return silentAgain(request, request.silent + 1, failure, nowMs);
  if (!isRetryable(failure) || request.attempt >= ATTEMPTS_MAX) return undefined;
  const backoffMs = RETRY_BASE_MS * 2 ** (request.attempt - 1) * (1 + chance);
  const namedMs = ('waitMs' in failure && failure.waitMs) || 0;
  const readyAtMs = nowMs + Math.max(backoffMs, namedMs);
  return { ...request, attempt: request.attempt + 1, readyAtMs, last: failure };
}

/** The same after the key was refused for this product beside the answers of others. */
export function refusedBeside(
  request: PendingRequest,
  nowMs: number,
  chance: number,
): PendingRequest | undefined {
  const busy = fail({ kind: 'service-busy', status: REFUSED_STATUS });
  return retried(request, busy, nowMs, chance);
}

/** Whether it was. */
export const wasRefusedBeside = ({ last }: PendingRequest): boolean =>
  last?.kind === 'service-busy' && last.status === REFUSED_STATUS;

/** The service said nothing at all. */
export const isSilence = ({ kind }: Failure): boolean =>
  kind === 'timed-out' || kind === 'unreachable';

function silentAgain(
  request: PendingRequest,
  silent: number,
  failure: Failure,
  nowMs: number,
): PendingRequest | undefined {
  if (silent >= (failure.kind === 'unreachable' ? BREAKING_MAX : SILENT_MAX)) return undefined;
  return { ...request, silent, readyAtMs: nowMs + RETRY_BASE_MS, last: failure };
}

/** The request after the wave was lost that it was part of. */
export function lostWithWave(request: PendingRequest): PendingRequest {
  return { ...request, silent: request.silent ?? 0 };
}
