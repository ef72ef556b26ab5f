// What one of several who use a key may send of its stated limit after refusals, of which each knows only
// its own. Pure.

import type { StatedPace } from './pace';

/** Calls that go one by one keep this much more than the stated distance: their ways differ by less. */
const APART_MS = 80;

/** After a refusal the rate stays just under what was refused; those who share leave a tenth unused. */
const JUST_UNDER = 0.95;
const SHARED_USE = 0.9;

/** Why calls are sent one by one: the service wants them apart, or others share its window. */
export const SINGLES = ['apart', 'shared'] as const;

type Single = (typeof SINGLES)[number];

/** What may be sent of a stated limit. */
export interface Bounds {
  /** Calls a second: as stated, the most that are sent, and the most after a refusal. */
  readonly granted: number;
  readonly most: number;
  readonly steady: number;
  readonly wave: number;
  /** Of a window that others share: the time after which a call does not count any more, s. */
  readonly sharedSeconds?: number;
}

export function boundsOf(
  { perSecond, granted, wave, windowMs }: StatedPace,
  single: Single | undefined,
): Bounds {
  if (single === undefined)
    return { granted, most: perSecond, steady: JUST_UNDER * perSecond, wave };
  const most = Math.min(perSecond, 1_000 / (1_000 / granted + APART_MS));
  const sharedSeconds = (windowMs + APART_MS) / 1_000;
  return { granted, most, steady: most, wave: 1, ...(single === 'shared' && { sharedSeconds }) };
}

/** A sum of fractions is no call less. */
const ROUNDING = 1e-6;

/**
 * A whole number of calls in each window, for one of several who share one. Calls at equal distances are
 * then never more than that in any window, wherever it begins: who together have five calls a second are
 * not refused, though they know nothing of each other. At 1.5 a second one has two in every other window.
 */
export function inWhole(sharers: number, perSecond: number, { sharedSeconds }: Bounds): number {
  if (sharedSeconds === undefined || sharers === 1) return perSecond;
  const calls = Math.floor(perSecond * sharedSeconds + ROUNDING);
  return calls === 0 ? perSecond : calls / sharedSeconds;
}

/** Calls a second of one of `sharers`. */
export function shareOf(sharers: number, bounds: Bounds): number {
  const { granted, steady } = bounds;
  if (sharers === 1) return steady;
  return inWhole(sharers, Math.min(steady, (SHARED_USE * granted) / sharers), bounds);
}

/** A few waves show whether a rate is refused again, where waves are small a few calls more. */
export const callsOf = (waves: number, { wave }: Bounds): number => waves * (1 + wave);

/** The rate has grown back from its half after these. */
const REGAINED_WAVES = 2;

/** The calls that a key grants while a share grows to twice the key's whole rate. */
const DOUBLED_CALLS = 1_000;

/**
 * Of a window who has less than this share tries sooner for a call more, who has twice as much four times
 * as late, so that shares become equal.
 */
const EQUAL_SHARE = 0.33;

/**
 * The rate after a refusal, as TCP CUBIC has it. It is halved, soon grows back to the share, stays near
 * it for some time, and then grows ever faster: somebody may have gone. With a key of 5 calls a second,
 * a share of an eighth becomes a third in less than two minutes.
 */
export function regrown(sharers: number, bounds: Bounds, usedMs: number): number {
  const share = shareOf(sharers, bounds);
  // Those who share take less at once, so half of it shows nothing.
  const least = sharers === 1 ? share / 2 : share;
  const regainedMs = (1_000 * callsOf(REGAINED_WAVES, bounds)) / share;
  if (usedMs < regainedMs) return share - (share - least) * (1 - usedMs / regainedMs) ** 3;
  const doubledMs = (1_000 * DOUBLED_CALLS) / bounds.granted;
  const isOfWindow = sharers > 1 && bounds.sharedSeconds !== undefined;
  const slower = isOfWindow ? (share / (EQUAL_SHARE * bounds.granted)) ** 2 : 1;
  const grown = (usedMs - regainedMs) / (slower * doubledMs);
  return share + (2 * bounds.granted - share) * grown ** 3;
}
