// Learning at its bounds: from when on something counts as told, as idle, as evidence, as another quota.

import { describe, expect, it } from '@jest/globals';
import {
  describeLearned,
  firstLearned,
  isAdvertisedOver,
  type Learned,
  learn,
  learnedPace,
  type Signal,
} from '../../src/quota/learn-rate';

const NOW = 1_760_000_000_000;
const DAY_SECONDS = 86_400;

const rateOf = (state: Learned) => 1_000 / learnedPace(state).intervalMs;
const tell = (state: Learned, signal: Signal, nowMs = NOW) =>
  learn(state, { kind: 'signal', signal }, nowMs);
const accept = (state: Learned, count: number, nowMs: number) =>
  learn(state, { kind: 'accepted', count }, nowMs);
const refuse = (state: Learned, waitMs = 1_000, nowMs = NOW) =>
  learn(state, { kind: 'refused', waitMs }, nowMs);

/** Just under ten a second that were measured, in waves of ten; nothing counted yet. */
const TEN: Learned = {
  ...firstLearned(),
  ...{ rate: 10, measured: 10, phase: 'holding', waveSeconds: 1, lastMs: NOW },
  ...{ step: { sinceMs: NOW, calls: 0 }, segment: { sinceMs: NOW, calls: 0 } },
};
const climbing: Learned = { ...TEN, phase: 'climbing', measured: 0 };

/** With so many calls granted from so long ago until now. */
const granted = (state: Learned, calls: number, agoMs: number): Learned => ({
  ...state,
  segment: { sinceMs: NOW - agoMs, calls },
});

describe('a limit that is told', () => {
  const UNKNOWN = firstLearned();

  it.each<[string, Signal]>([
    ['calls without a time', { calls: 5, burst: 5 }],
    ['a time without calls', { perSeconds: 5, burst: 5 }],
    ['what is left', { remaining: 3, resetMs: 2_000 }],
    ['hardly a call in hardly a time', { calls: 1e-6, perSeconds: 1e-4 }],
    ['a call in no time', { calls: 1e-3, perSeconds: 9e-5 }],
    ['no number', { calls: Number.NaN, perSeconds: 1 }],
  ])('is none: %s', (_what, signal) => {
    expect(tell(UNKNOWN, signal)).toBe(UNKNOWN);
  });

  it.each<[string, Signal, string]>([
    ['a call a day', { calls: 1, perSeconds: DAY_SECONDS }, 'bucket'],
    ['a part of a call', { calls: 1 / DAY_SECONDS, perSeconds: 1 }, 'bucket'],
    ['ten thousand a second', { calls: 1, perSeconds: 1e-4 }, 'bucket'],
    ['a burst in less than ten seconds', { calls: 5, perSeconds: 9.9, burst: 5 }, 'bucket'],
    ['a burst in ten', { calls: 5, perSeconds: 10, burst: 5 }, 'window'],
  ])('is one: %s', (_what, { calls, perSeconds, ...burst }, as) => {
    expect(tell(UNKNOWN, { calls, perSeconds, ...burst } as Signal).told).toEqual({
      ...{ calls, perSeconds, ...burst, as },
      untilMs: NOW + 6 * 3_600_000,
    });
  });

  it('is another one with another burst', () => {
    const ten = tell(UNKNOWN, { calls: 10, perSeconds: 2, burst: 10 });
    expect(learnedPace(tell(ten, { calls: 10, perSeconds: 2, burst: 20 })).burst).toBe(18);
  });

  it('is over from the moment on that it was to end', () => {
    const told = tell(UNKNOWN, { calls: 10, perSeconds: 2 });
    expect(isAdvertisedOver(told, NOW + 6 * 3_600_000 - 1)).toBe(false);
    expect(isAdvertisedOver(told, NOW + 6 * 3_600_000)).toBe(true);
    expect(isAdvertisedOver(UNKNOWN, NOW * 2)).toBe(false);
  });

  it('keeps what was counted as it is while calls are accepted', () => {
    const told = tell(TEN, { calls: 10, perSeconds: 2 });
    expect(accept(told, 50, NOW + 60_000)).toEqual({ ...told, lastMs: NOW + 60_000 });
  });
});

describe('a reset that comes sooner than was told', () => {
  const shownBy = (signal: Signal, resetMs: number | undefined, remaining: number | null = 0) => {
    const told = tell(firstLearned(), signal);
    const more = { ...(resetMs && { resetMs }), ...(remaining !== null && { remaining }) };
    const after = tell(told, { ...signal, ...more });
    return after === told ? 'as told' : rateOf(after);
  };
  const TWO_SECONDS = { calls: 10, perSeconds: 2, burst: 10 };

  it('shows a faster bucket', () => {
    expect(shownBy(TWO_SECONDS, 1_000)).toBeCloseTo(9);
    expect(shownBy(TWO_SECONDS, 1_000, 2)).toBeCloseTo(7);
  });

  it('shows no more than seconds that were rounded up can hide', () => {
    expect(shownBy({ calls: 12, perSeconds: 3, burst: 20 }, 1_000)).toBeCloseTo(6);
  });

  it.each<[string, Signal, number | undefined, number | null]>([
    ['a window', { calls: 60, perSeconds: 60, burst: 60 }, 1_000, 0],
    ['no burst', { calls: 10, perSeconds: 2 }, 1_000, 0],
    ['a second, which hides nothing', { calls: 5, perSeconds: 1, burst: 10 }, 1_000, 0],
    ['less than a second, which may be none', TWO_SECONDS, 999, 0],
    ['no reset', TWO_SECONDS, undefined, 0],
    ['nothing of what is left', TWO_SECONDS, 1_000, null],
    ['as much as was told', TWO_SECONDS, 1_000, 4],
  ])('shows nothing: %s', (_what, signal, resetMs, remaining) => {
    expect(shownBy(signal, resetMs, remaining)).toBe('as told');
  });

  it('is what a person is shown, as the service’s word', () => {
    const told = tell(tell(firstLearned(), TWO_SECONDS), {
      ...{ ...TWO_SECONDS, remaining: 2, resetMs: 1_000 },
    });
    expect(describeLearned(told)).toEqual({
      ...{ calls: 7, perSeconds: 1, sure: true, toldUntilMs: NOW + 6 * 3_600_000 },
    });
  });

  it('is doubted first when calls are refused, then the bucket, then all of it', () => {
    const shown = tell(tell(firstLearned(), TWO_SECONDS), {
      ...{ ...TWO_SECONDS, remaining: 2, resetMs: 1_000 },
    });
    const plain = refuse(shown);
    expect(rateOf(plain)).toBeCloseTo(5);
    expect(plain.told).not.toHaveProperty('shown');
    const window = refuse(plain, 1_000, NOW + 10_000);
    expect(window.told).toMatchObject({ as: 'window', burst: 10 });
    const alone = refuse(window, 1_000, NOW + 20_000);
    expect(alone.told).toBeUndefined();
    expect(rateOf(alone)).toBeCloseTo(0.85 * 5);
  });

  it('of a rate without a burst is doubted at once when calls are refused', () => {
    const alone = refuse(tell(firstLearned(), { calls: 5, perSeconds: 1 }));
    expect(alone.told).toBeUndefined();
    expect(rateOf(alone)).toBeCloseTo(0.85 * 5);
  });
});

describe('calls that are accepted', () => {
  it('are heard of in whatever order: the latest moment stays', () => {
    const later = accept(TEN, 1, NOW + 2_000);
    expect(accept(later, 1, NOW + 1_000).lastMs).toBe(NOW + 2_000);
  });

  it('begin anew after five seconds of rest beside two waves', () => {
    // A wave of ten at ten a second takes a second.
    expect(accept(TEN, 1, NOW + 7_000).step).toEqual({ sinceMs: NOW, calls: 1 });
    expect(accept(TEN, 1, NOW + 7_001)).toMatchObject({
      step: { sinceMs: NOW + 7_001, calls: 0 },
      segment: { sinceMs: NOW + 5_001, calls: 1 },
    });
    const slow = { ...TEN, rate: 0.5 };
    expect(accept(slow, 1, NOW + 9_000).step.sinceMs).toBe(NOW);
    expect(accept(slow, 1, NOW + 9_001).step.sinceMs).toBe(NOW + 9_001);
  });
});

/** At a moment after a step began, with so many calls in it. */
const counted = (state: Learned, calls: number, elapsedMs: number) =>
  accept(
    { ...state, lastMs: NOW + elapsedMs, step: { sinceMs: NOW, calls: 0 } },
    calls,
    NOW + elapsedMs,
  );

describe('waves that cannot use a rate', () => {
  it.each([
    ['they used half of it', TEN, 30, 6_000, 1.25],
    ['they used two fifths', TEN, 24, 6_000, 1.25],
    ['they used less, so nobody wanted more', TEN, 23, 6_000, 1],
    ['they used nearly all', TEN, 91, 10_000, 1.25],
    ['they used as much as can be wished', TEN, 92, 10_000, 1],
    ['for a moment', TEN, 30, 5_999, 1],
    ['they are as wide as waves are', { ...TEN, waveSeconds: 1.6 }, 30, 6_000, 1.6],
    ['they are nearly so', { ...TEN, waveSeconds: 1.5 }, 30, 6_000, 1.875],
    ['the rate is not measured yet', climbing, 30, 6_000, 1],
    ['no refusal has come yet', { ...TEN, phase: 'doubling' }, 30, 6_000, 1],
  ] as const)(
    'are widened where it was measured: %s',
    (_when, state, calls, elapsedMs, seconds) => {
      expect(counted(state, calls, elapsedMs).waveSeconds).toBe(seconds);
    },
  );
});

describe('a rate that is used', () => {
  const slow = (phase: Learned['phase']): Learned => ({ ...TEN, rate: 1, phase });

  it.each([
    ['doubles', slow('doubling'), 2, 1_700, 2],
    ['not before its time', slow('doubling'), 2, 1_699, 1],
    ['climbs', slow('climbing'), 3, 3_000, 1.06],
    ['not before its time', slow('climbing'), 3, 2_999, 1],
    ['climbs where two fifths of it were used', slow('climbing'), 2, 5_000, 1.06],
    ['and not where less was', slow('climbing'), 1, 5_000, 1],
    ['is tried to be raised after half a minute', TEN, 300, 30_000, 10.2],
    ['not before', TEN, 300, 29_999, 10],
    ['sooner and more once it was raised', { ...TEN, raises: 1 }, 200, 20_000, 10.26],
    ['not before', { ...TEN, raises: 1 }, 200, 19_999, 10],
    ['each four seconds at most', { ...TEN, raises: 6 }, 40, 4_000, 10 * (1 + 0.02 * 1.3 ** 6)],
    ['not before', { ...TEN, raises: 6 }, 40, 3_999, 10],
    ['by a fifth at most', { ...TEN, raises: 20 }, 40, 4_000, 12],
    ['never beyond what a script can send', { ...TEN, rate: 49 }, 1_470, 30_000, 49.98],
    ['so never', { ...TEN, rate: 50 }, 1_500, 30_000, 50],
  ] as const)('%s', (_how, state, calls, elapsedMs, rate) => {
    expect(counted(state, calls, elapsedMs).rate).toBeCloseTo(rate, 6);
  });

  it('begins a step anew where it was not', () => {
    expect(counted(slow('climbing'), 1, 5_000).step).toEqual({ sinceMs: NOW + 5_000, calls: 0 });
  });
});

describe('after a refusal', () => {
  it.each([
    ['a bucket fills while it is waited for', 1_000, NOW],
    ['for two seconds at most', 3_000, NOW + 1_000],
    ['five may be a bucket', 5_000, NOW + 3_000],
    ['more is a window, which begins empty', 5_001, NOW + 5_001],
  ])('what is granted is counted from when calls go on: %s', (_how, waitMs, sinceMs) => {
    const state = refuse(climbing, waitMs);
    expect(state.segment).toEqual({ sinceMs, calls: 0 });
    expect(state.step).toEqual({ sinceMs: NOW + waitMs, calls: 0 });
    expect(state.lastMs).toBe(NOW + waitMs);
  });

  it('others are an echo of it for 1.2 s after calls go on', () => {
    const state = granted(refuse(granted(climbing, 6, 1_000)), 6, 1_000);
    expect(state.echoUntilMs).toBe(NOW + 2_200);
    expect(refuse(state, 1_000, NOW + 2_200).rate).toBe(state.rate);
    expect(refuse(state, 1_000, NOW + 2_201).rate).toBeLessThan(state.rate);
  });

  it('of two waves after a stop is taken for an echo of that, once, and of a measured rate alone', () => {
    expect(refuse(granted(TEN, 20, 2_000))).toMatchObject({ rate: 10, echoed: true });
    expect(refuse(granted(TEN, 21, 2_000))).not.toHaveProperty('echoed');
    expect(refuse(granted({ ...TEN, echoed: true }, 20, 2_000)).rate).toBeLessThan(10);
    expect(refuse(granted(climbing, 20, 3_000)).rate).toBeLessThan(10);
  });
});

describe('a rate that was refused', () => {
  const told = ({ rate, phase, measured, waveSeconds, probeMs }: Learned) => ({
    ...{ rate: Number(rate.toFixed(6)), phase, measured, waveSeconds, probeMs },
  });
  const echoed: Learned = { ...TEN, echoed: true };
  const raised: Learned = { ...TEN, raises: 1, rate: 11 };

  it.each<[string, Learned, Partial<Learned>]>([
    [
      'before the first refusal it falls to 55 %, and climbs',
      granted({ ...TEN, rate: 8, phase: 'doubling' }, 30, 9_000),
      { rate: 4.4, phase: 'climbing' },
    ],
    ['it falls as far as was granted', granted(climbing, 6, 1_000), { rate: 6, phase: 'climbing' }],
    ['by a tenth at least', granted(climbing, 10, 1_000), { rate: 9, phase: 'climbing' }],
    ['to 55 % at most', granted(climbing, 3, 1_000), { rate: 5.5, phase: 'climbing' }],
    ['eleven calls are chance', granted(climbing, 11, 8_000), { rate: 5.5, phase: 'climbing' }],
    ['so are less than 8 s', granted(climbing, 60, 7_999), { rate: 7.500938, phase: 'climbing' }],
    ['twelve in 8 s are measured', granted(climbing, 12, 8_000), { rate: 1.455, measured: 1.5 }],
    ['no more than the rate is', granted(climbing, 200, 8_000), { rate: 9.7, measured: 10 }],
    [
      'soon after it was measured it climbs anew',
      granted(echoed, 60, 14_999),
      { phase: 'climbing' },
    ],
    ['later it is held as it is', granted(echoed, 60, 15_000), { rate: 9.7, phase: 'holding' }],
    [
      'where waves were widened they were too wide, and the rate was not wrong',
      granted({ ...echoed, waveSeconds: 1.25 }, 60, 15_000),
      { rate: 9.7, measured: 10, waveSeconds: 0.8 },
    ],
    [
      'and where they were not, it was',
      granted({ ...echoed, waveSeconds: 0.8 }, 60, 15_000),
      { rate: 9.409, measured: 9.7, waveSeconds: 0.8 },
    ],
    [
      'a try that failed soon is no other quota, and the next comes later',
      granted({ ...raised, echoed: true }, 60, 6_000),
      { rate: 9.8164, phase: 'holding', probeMs: 60_000 },
    ],
    [
      'tries wait for five minutes at most',
      granted({ ...raised, echoed: true, probeMs: 200_000 }, 60, 6_000),
      { probeMs: 300_000 },
    ],
    [
      'a quarter beyond what was measured is still a try',
      granted({ ...raised, echoed: true, rate: 12.5 }, 60, 6_000),
      { rate: 11.155, phase: 'holding' },
    ],
    [
      'further it has to be measured again',
      granted({ ...raised, echoed: true, rate: 13 }, 60, 6_000),
      { rate: 9.75, phase: 'climbing', measured: 10 },
    ],
    [
      'what was granted in a try is believed where it is more',
      granted({ ...raised, echoed: true }, 105, 10_000),
      { measured: 10.5 },
    ],
  ])('%s', (_how, state, lower) => {
    expect(told(refuse(state))).toMatchObject(lower);
  });

  it.each([
    [
      'twelve calls in 8 s are its rate',
      12,
      2_000,
      { rate: 1.455, phase: 'holding', measured: 1.5 },
    ],
    ['eleven are chance', 11, 2_000, { rate: 1, phase: 'climbing', measured: 0 }],
    ['so is less time', 12, 1_999, { rate: 1, phase: 'climbing' }],
  ] as const)('by a window is counted to its end: %s', (_how, calls, agoMs, lower) => {
    expect(told(refuse(granted(climbing, calls, agoMs), 6_000))).toMatchObject(lower);
  });

  it('after five seconds of waiting is no window’s yet', () => {
    expect(told(refuse(granted(climbing, 12, 3_001), 5_000))).toMatchObject({ rate: 5.5 });
  });
});

describe('what a person is shown', () => {
  it('is the measured rate, or a guess that says so', () => {
    expect(describeLearned({ ...TEN, rate: 9.7 })).toEqual({
      calls: 10,
      perSeconds: 1,
      sure: true,
    });
    expect(describeLearned(climbing)).toEqual({ calls: 10, perSeconds: 1, sure: false });
    expect(describeLearned({ ...climbing, rate: 0.5 })).toMatchObject({
      calls: 30,
      perSeconds: 60,
    });
  });
});
