// What a service says of its own quota, and how carefully it is believed. Pure.

import { type Pace, paceOf } from './rate';

/** What one answer says of the quota, as far as it does. */
export interface Signal {
  /** So many calls in `perSeconds`; without it, a limit whose window is not known. */
  readonly calls?: number;
  readonly perSeconds?: number;
  /** Of which so many may come at once. */
  readonly burst?: number;
  /** Calls left at present, and the time until they are as many as ever. */
  readonly remaining?: number;
  readonly resetMs?: number;
}

export interface Told {
  readonly calls: number;
  readonly perSeconds: number;
  readonly burst?: number;
  /** A bucket that fills in the time said, or a window of that length? Both are said alike. */
  readonly as: 'bucket' | 'window';
  /** Calls per second that resets have shown, where they are more: seconds are said rounded up. */
  readonly shown?: number;
}

/** What is slower than once a day or faster than this was misread. */
const PER_SECOND_MIN = 1 / 86_400;
const PER_SECOND_MAX = 10_000;

/** A window this long costs next to nothing to keep, even if it is a bucket after all. */
const WINDOW_SECONDS_MIN = 10;

/** A rate without a word on bursts is kept a little under, in waves of so many seconds. */
const RATE_ALONE = 0.97;
const WAVE_SECONDS = 0.8;

/** What jitter may bring into a window from its outside. */
const JITTER_SECONDS = 0.3;

/** No more than this part of a window comes at once. */
const WINDOW_PART = 0.2;

export function toldBy({ calls, perSeconds, burst }: Signal): Told | undefined {
  if (calls === undefined || perSeconds === undefined) return undefined;
  const perSecond = calls / perSeconds;
  if (!(calls >= PER_SECOND_MIN && perSeconds >= 1 / PER_SECOND_MAX)) return undefined;
  if (!(perSecond >= PER_SECOND_MIN && perSecond <= PER_SECOND_MAX)) return undefined;
  if (burst === undefined) return { calls, perSeconds, as: 'bucket' };
  return { calls, perSeconds, burst, as: perSeconds < WINDOW_SECONDS_MIN ? 'bucket' : 'window' };
}

export function isSame(one: Told | undefined, other: Told): boolean {
  return (
    one?.calls === other.calls && one.perSeconds === other.perSeconds && one.burst === other.burst
  );
}

/**
 * A bucket of `burst` that has `remaining` calls and is full again after `resetMs` refills at no
 * less than what is missing in that time. Whole seconds hide that: 1.25 of them are said as 2.
 */
export function refined(told: Told, { remaining, resetMs }: Signal): Told {
  const { calls, perSeconds, burst, shown } = told;
  if (told.as !== 'bucket' || burst === undefined || perSeconds <= 1) return told;
  if (remaining === undefined || resetMs === undefined || resetMs < 1_000) return told;
  const atLeast = ((burst - remaining - 1) * 1_000) / resetMs;
  const atMost = calls / (perSeconds - 1);
  const better = Math.min(atLeast, atMost);
  return better > (shown ?? calls / perSeconds) ? { ...told, shown: better } : told;
}

/** After a refusal the same words are read more carefully; undefined when no way is left. */
export function doubting(told: Told): Told | undefined {
  const { shown, ...said } = told;
  if (shown !== undefined) return said;
  return told.as === 'bucket' && told.burst !== undefined ? { ...said, as: 'window' } : undefined;
}

export function toldPace({ calls, perSeconds, burst, as, shown }: Told): Pace {
  const perSecond = shown ?? calls / perSeconds;
  const wave = Math.max(1, Math.round(perSecond * WAVE_SECONDS));
  if (burst === undefined) return { intervalMs: 1_000 / (RATE_ALONE * perSecond), burst: wave };
  if (as === 'bucket') return paceOf({ calls: perSecond, perSeconds: 1, burst });
  const fits = Math.max(1, Math.min(wave, Math.floor(calls * WINDOW_PART)));
  // One by one, only jitter brings a call more into a window; in waves, a whole one may come.
  const spread = fits === 1 ? calls : calls - fits;
  return { intervalMs: ((perSeconds + JITTER_SECONDS) * 1_000) / spread, burst: fits };
}
