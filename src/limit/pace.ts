// How calls are sent under a stated limit: how many together, and how far apart. Pure.

/** What the operator grants: calls in a period, of which `burst` may come at once. */
export interface Quota {
  readonly calls: number;
  readonly perSeconds: number;
  /** Given: the service keeps a bucket of this size. Left out: it may count any window. */
  readonly burst?: number;
}

/** How calls are sent: waves of at most `wave`, and `perSecond` on average. */
export interface Pace {
  readonly perSecond: number;
  readonly wave: number;
  /** For buckets: the time of all that may go at once, ms; a smaller wave goes by the rest early. */
  readonly atOnceMs: number;
  /** For windows: a wave takes the time of a full one, and later calls may join it. */
  readonly isWhole: boolean;
}

/** The pace of a stated limit. */
export interface StatedPace extends Pace {
  /** Calls a second as stated. The pace uses a little less. */
  readonly granted: number;
  /** The length of a window, ms; 0 for a bucket. */
  readonly windowMs: number;
}

/**
 * How much closer two calls may get on their way: sending takes 20 to 90 ms, and in one of a hundred
 * cases up to 300 ms.
 */
export const JITTER_MS = 300;

/** A stated rate is used a little below its value. */
const MARGIN = 0.995;

/** Google sends this many calls of a batch at once. */
export const WINDOW_WAVE_MAX = 20;
const BUCKET_WAVE_MAX = 50;

/** A wave holds no more than the calls of this time, unless the whole period is shorter. */
const WAVE_SECONDS = 2;

/** The share of a window's calls that waves of equal size must be able to use. */
const USED_MIN = 0.9;

/** The pace of a stated limit: "10 per minute", "5 per second, 10 at once". */
export function paceOf({ calls, perSeconds, burst }: Quota): StatedPace {
  return burst === undefined
    ? windowPace(calls, perSeconds, WINDOW_WAVE_MAX)
    : bucketPace(calls / perSeconds, burst);
}

/** Half a bucket at once; the other half is for calls that get closer, and for those that are late. */
export function bucketPace(granted: number, burst: number): StatedPace {
  const wave = Math.max(1, Math.min(BUCKET_WAVE_MAX, Math.floor(burst / 2)));
  const stated = MARGIN * granted;
  const perSecond =
    burst - wave < 1
      ? 1_000 / (1_000 / stated + JITTER_MS)
      : Math.min(stated, (1_000 * (burst - wave)) / JITTER_MS);
  const atOnceMs = (1_000 * burst) / perSecond - JITTER_MS;
  return { perSecond, wave, atOnceMs: Math.max(0, atOnceMs), isWhole: false, granted, windowMs: 0 };
}

/** Equal waves at equal distances, as many as a window holds: 5 per second are 5 each 1.3 s. */
export function windowPace(calls: number, perSeconds: number, waveMax: number): StatedPace {
  const waves = Math.max(1, Math.ceil(perSeconds / WAVE_SECONDS));
  let wave = Math.max(1, Math.min(waveMax, Math.floor(calls / waves)));
  while (wave * Math.floor(calls / wave) < USED_MIN * calls) wave -= 1;
  const used = wave * Math.floor(calls / wave);
  const windowMs = 1_000 * perSeconds;
  const perSecond = (1_000 * used) / (windowMs + JITTER_MS);
  return { perSecond, wave, atOnceMs: 0, isWhole: true, granted: calls / perSeconds, windowMs };
}
