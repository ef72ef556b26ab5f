// How a rate that nobody told climbs, falls at a refusal, and is held just under what was measured. Pure.

/** A key nobody knows starts at one call a second. */
const RATE_FIRST = 1;
/** Faster than this a script cannot send anyway; slower, a refusal's own wait does the spacing. */
const RATE_MAX = 50;
const RATE_MIN = 1 / 60;

/**
 * A wave is what so many seconds bring: small beside any burst that a service may allow. Where an
 * execution alone cannot use the rate with such waves, they widen, as long as the service lets them.
 */
const WAVE_SECONDS_FIRST = 0.8;
/** Smaller while the rate doubles, as the last of these waves is mostly refused. */
const WAVE_SECONDS_DOUBLING = 0.5;
const WAVE_SECONDS_MAX = 1.6;
const WAVE_WIDER = 1.25;

/**
 * Until the first refusal the rate doubles each two seconds, seen at the booking next to them; then
 * it falls, and climbs slowly to the second.
 */
const DOUBLING_MS = 1_700;
const CLIMBING_MS = 3_000;
const CLIMB = 1.06;
const FALL = 0.55;

/** Of the measured rate so much is used. */
const HOLD = 0.97;
/**
 * Then a little more is tried: after half a minute at first, less often each time it fails, but a
 * quota that grew is not left unused for longer than five minutes.
 */
const PROBE_FIRST = 0.02;
const PROBE_MAX = 0.2;
const PROBE_MS_FIRST = 30_000;
const PROBE_MS_MAX = 300_000;
/** Tries that succeed grow, and follow each other faster: the quota may have grown. */
const PROBE_GROWS = 1.3;
const PROBE_FASTER = 1.5;
const PROBE_MS_MIN = 4_000;
/** Gone so far beyond what was measured, that has to be measured again. */
const GROWN = 1.25;
const GROWN_FALL = 0.75;
/** A try that failed may have been too much for a while, so the ones before it did not hold. */
const TRIES_LOST = 2;
const GROWN_TRIES_LOST = 4;

/** Calls slower than this share of the rate show nothing about it. */
const DRIVEN = 0.4;
/** Below this share, seen for so long, the size of the waves is what holds the calls up. */
const DRIVEN_WELL = 0.92;
const WIDENING_MS = 6_000;

/** A bucket is taken to hold what so many seconds bring, as most do. */
const BUCKET_SECONDS = 2;

/** An estimate on fewer calls, or on less time, is chance. */
const CALLS_MIN = 12;
const ESTIMATE_MS_MIN = 8_000;
/** Refused again so soon after it was measured, the quota has fallen. */
const SOON_MS = 15_000;
/** Then it is not taken to have fallen by less than this at first. */
const SOON_FALL = 0.9;

/** Of a small window no more than this is kept back. */
const WINDOW_SPARE = 0.2;

/** Calls since a moment. */
export interface Count {
  readonly sinceMs: number;
  readonly calls: number;
}

export interface Growth {
  /** Without a refusal yet; climbing to the second; or just under what was measured. */
  readonly phase: 'doubling' | 'climbing' | 'holding';
  /** Calls per second at present, and the seconds that one wave is worth. */
  readonly rate: number;
  readonly waveSeconds: number;
  readonly waveSecondsMax: number;
  /** Calls per second that the service was seen to allow. */
  readonly measured: number;
  /** The window that the service counts in, where a refusal showed one. */
  readonly windowMs: number;
  readonly probeMs: number;
  /** How often in a row the rate was raised above what was measured. */
  readonly raises: number;
  /** Since the rate was last changed, or calls began again. */
  readonly step: Count;
  /** Since the bucket was last empty, or as if it had been. */
  readonly segment: Count;
}

export function firstGrowth(nowMs: number): Growth {
  return {
    phase: 'doubling',
    rate: RATE_FIRST,
    waveSeconds: WAVE_SECONDS_DOUBLING,
    waveSecondsMax: WAVE_SECONDS_MAX,
    measured: 0,
    windowMs: 0,
    probeMs: PROBE_MS_FIRST,
    raises: 0,
    ...begun(nowMs, 0),
  };
}

/** Counting begins anew, with what the bucket has saved up in `restMs`. */
export function begun(nowMs: number, restMs: number): Pick<Growth, 'step' | 'segment'> {
  const savedMs = Math.min(restMs, BUCKET_SECONDS * 1_000);
  return {
    step: { sinceMs: nowMs, calls: 0 },
    segment: { sinceMs: nowMs - savedMs, calls: 0 },
  };
}

export function waveOf({ rate, waveSeconds }: Pick<Growth, 'rate' | 'waveSeconds'>): number {
  return Math.max(1, Math.round(rate * waveSeconds));
}

/** `count` calls more. */
export function counted(state: Growth, count: number): Growth {
  const { step, segment } = state;
  return {
    ...state,
    step: { ...step, calls: step.calls + count },
    segment: { ...segment, calls: segment.calls + count },
  };
}

/** The rate after what was accepted: raised when it was used and time has come. */
export function grown(state: Growth, roomPerSecond: number, nowMs: number): Growth {
  const elapsedMs = nowMs - state.step.sinceMs;
  const share = (state.step.calls * 1_000) / (state.rate * elapsedMs);
  const anew = { ...state, step: { sinceMs: nowMs, calls: 0 } };
  if (elapsedMs >= WIDENING_MS && share >= DRIVEN && share < DRIVEN_WELL) {
    const waveSeconds = Math.max(
      state.waveSeconds * WAVE_WIDER,
      (waveOf(state) + 0.5) / state.rate,
    );
    if (state.phase === 'holding' && waveSeconds <= state.waveSecondsMax)
      return { ...anew, waveSeconds };
  }
  if (elapsedMs < stepMs(state)) return state;
  return share >= DRIVEN ? raised(anew, roomPerSecond) : anew;
}

function stepMs({ phase, probeMs, raises, windowMs }: Growth): number {
  if (phase === 'doubling') return DOUBLING_MS;
  if (phase === 'climbing') return CLIMBING_MS;
  // In a window that is not full yet, everything succeeds.
  const dueMs = raises === 0 ? probeMs : PROBE_MS_FIRST / PROBE_FASTER ** raises;
  return Math.max(PROBE_MS_MIN, 2 * windowMs, dueMs);
}

function raised(state: Growth, roomPerSecond: number): Growth {
  const { phase, rate, raises } = state;
  if (phase === 'holding')
    return { ...state, rate: bounded(rate * raiseOf(raises)), raises: raises + 1 };
  const isFree = phase === 'doubling' && rate * 2 <= roomPerSecond;
  return { ...state, rate: bounded(rate * (isFree ? 2 : CLIMB)) };
}

/** What the rate is multiplied by when so many tries in a row have succeeded. */
function raiseOf(raises: number): number {
  return 1 + Math.min(PROBE_MAX, PROBE_FIRST * PROBE_GROWS ** raises);
}

/** The rate that so many tries in a row lead to from the one that is held. */
function triedRate(measured: number, tries: number): number {
  let rate = HOLD * measured;
  for (let raises = 0; raises < tries; raises++) rate *= raiseOf(raises);
  return rate;
}

function bounded(rate: number): number {
  return Math.min(RATE_MAX, Math.max(RATE_MIN, rate));
}

function held(state: Growth, measured: number): Growth {
  const sane = bounded(measured);
  return { ...state, phase: 'holding', measured: sane, rate: bounded(HOLD * sane), raises: 0 };
}

/** Climbing slowly from a rate, with all that was measured forgotten. */
export function climbing(state: Growth, rate: number): Growth {
  return {
    ...state,
    phase: 'climbing',
    rate: bounded(rate),
    waveSeconds: WAVE_SECONDS_FIRST,
    waveSecondsMax: WAVE_SECONDS_MAX,
    measured: 0,
    windowMs: 0,
    probeMs: PROBE_MS_FIRST,
    raises: 0,
  };
}

/** The rate after a refusal; the bucket is empty now, and was when the segment began. */
export function fallen(state: Growth, nowMs: number): Growth {
  const { phase, rate, raises, measured, segment } = state;
  const elapsedMs = Math.max(1, nowMs - segment.sinceMs);
  const average = (segment.calls * 1_000) / elapsedMs;
  if (phase === 'doubling') return climbing(state, rate * FALL);
  const estimate = Math.min(rate, average);
  const isKnown = segment.calls >= CALLS_MIN && elapsedMs >= ESTIMATE_MS_MIN;
  const down = rate * Math.min(SOON_FALL, Math.max(FALL, average / rate));
  if (phase === 'climbing')
    return isKnown ? held(state, Math.max(measured, estimate)) : climbing(state, down);
  if (raises > 0) {
    if (rate > measured * GROWN) {
      const floor = Math.max(measured, triedRate(measured, raises - GROWN_TRIES_LOST));
      const { waveSeconds, waveSecondsMax } = state;
      const wave = { waveSeconds, waveSecondsMax };
      return { ...climbing(state, rate * GROWN_FALL), ...wave, measured: floor };
    }
    const known = Math.max(measured, triedRate(measured, raises - TRIES_LOST));
    return { ...held(state, known), probeMs: Math.min(PROBE_MS_MAX, 2 * state.probeMs) };
  }
  if (elapsedMs < SOON_MS) return climbing(state, down);
  if (average >= DRIVEN_WELL * rate || state.waveSeconds === WAVE_SECONDS_FIRST)
    return held(state, Math.min(estimate, measured * HOLD));
  const waveSeconds = Math.max(WAVE_SECONDS_FIRST, state.waveSeconds / WAVE_WIDER);
  return { ...state, waveSeconds, waveSecondsMax: waveSeconds };
}

/**
 * The rate of a window that granted so many calls until its end: one wave less, spread over it.
 * Few calls may be what others left of a window; the next one, seen from its beginning, decides.
 */
export function windowed(state: Growth, granted: Count, endMs: number): Growth {
  const windowMs = Math.max(1_000, endMs - granted.sinceMs);
  if (granted.calls < CALLS_MIN && state.windowMs === 0)
    return { ...climbing(state, Math.min(state.rate, RATE_FIRST)), windowMs };
  const average = (granted.calls * 1_000) / windowMs;
  const wave = waveOf({ rate: average, waveSeconds: WAVE_SECONDS_FIRST });
  const kept = granted.calls - Math.min(wave, granted.calls * WINDOW_SPARE);
  const measured = bounded((kept * 1_000) / windowMs);
  return { ...climbing(state, measured), phase: 'holding', measured, windowMs };
}

/** What a person is shown: what was measured, once it was. */
export function knownRate(state: Growth): { readonly perSecond: number; readonly sure: boolean } {
  return state.phase === 'holding'
    ? { perSecond: state.measured, sure: true }
    : { perSecond: state.rate, sure: false };
}
