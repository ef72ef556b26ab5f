// Learning, event by event: what counts as evidence, what a refusal changes, and what is believed.

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import {
  describeLearned,
  firstLearned,
  type Learned,
  learn,
  learnedPace,
} from '../../src/quota/learn-rate';

const NOW = 1_760_000_000_000;

const rateOf = (state: Learned) => 1_000 / learnedPace(state).intervalMs;

/** Every call that the pace allows is made and accepted, in waves, for so long. */
function driven(state: Learned, fromMs: number, forMs: number): Learned {
  let learned = state;
  let nowMs = fromMs;
  while (nowMs < fromMs + forMs) {
    const { burst, intervalMs } = learnedPace(learned);
    learned = learn(learned, { kind: 'accepted', count: burst }, nowMs);
    nowMs += burst * intervalMs;
  }
  return learned;
}

/** Calls made at a steady speed, whatever the pace would allow. */
function steady(state: Learned, fromMs: number, forMs: number, everyMs: number): Learned {
  let learned = state;
  for (let nowMs = fromMs; nowMs < fromMs + forMs; nowMs += everyMs)
    learned = learn(learned, { kind: 'accepted', count: 1 }, nowMs);
  return learned;
}

const refused = (state: Learned, nowMs: number, waitMs = 1_000) =>
  learn(state, { kind: 'refused', waitMs }, nowMs);

/** Refused twice while 5 a second were accepted between: measured and held. */
function holdingFive(): { readonly state: Learned; readonly nowMs: number } {
  const first = refused(driven(firstLearned(), NOW, 6_100), NOW + 6_100);
  const between = steady(first, NOW + 7_200, 19_900, 200);
  const nowMs = NOW + 26_100 + 1_000;
  return { state: refused(between, nowMs), nowMs: nowMs + 1_000 };
}

describe('a key nobody knows', () => {
  it('starts at one call a second, one at a time', () => {
    expect(learnedPace(firstLearned())).toEqual({ intervalMs: 1_000, burst: 1 });
  });

  it('goes twice as fast after each two seconds of calls, up to 50 a second', () => {
    const rates = [1, 2.5, 5, 7.5, 30].map((seconds) =>
      rateOf(driven(firstLearned(), NOW, seconds * 1_000)),
    );
    expect(rates).toEqual([1, 2, 4, 8, 50]);
  });

  it('never goes faster for time that passes without calls', () => {
    const idle = learn(firstLearned(), { kind: 'accepted', count: 1 }, NOW);
    const later = learn(idle, { kind: 'accepted', count: 1 }, NOW + 3_600_000);
    expect(rateOf(later)).toBe(1);
  });

  it('never goes faster than calls that come now and then show', () => {
    expect(rateOf(steady(firstLearned(), NOW, 3_600_000, 4_000))).toBe(1);
    // Two a second are a good part of two or four, but not of eight.
    expect(rateOf(steady(firstLearned(), NOW, 3_600_000, 500))).toBeLessThanOrEqual(8);
  });

  it('learns nothing from a refusal of its first call, for others may have used the key', () => {
    expect(rateOf(refused(firstLearned(), NOW, 40_000))).toBe(1);
  });
});

describe('a first refusal', () => {
  it('brings the rate down to 0.55, from where it climbs by 6 % each three seconds', () => {
    const fast = driven(firstLearned(), NOW, 7_500);
    const slower = refused(fast, NOW + 7_500);
    expect(rateOf(slower)).toBeCloseTo(0.55 * rateOf(fast));
    const climbed = driven(slower, NOW + 8_500, 4_000);
    expect(rateOf(climbed)).toBeCloseTo(0.55 * 1.06 * rateOf(fast));
  });

  it('counts once, however many calls on their way are refused with it', () => {
    const once = refused(driven(firstLearned(), NOW, 7_500), NOW + 7_500);
    const again = [100, 400, 900].reduce((state, ms) => refused(state, NOW + 7_500 + ms), once);
    expect(rateOf(again)).toBe(rateOf(once));
  });

  it('counts once, also where calls of others were booked between it and the last of them', () => {
    const once = refused(driven(firstLearned(), NOW, 7_500), NOW + 7_500);
    const others = learn(once, { kind: 'accepted', count: 2 }, NOW + 7_600);
    expect(rateOf(refused(others, NOW + 7_900))).toBe(rateOf(once));
  });
});

describe('the rate between two refusals', () => {
  it('is measured, and 0.97 of it held', () => {
    const { state } = holdingFive();
    expect(rateOf(state)).toBeGreaterThan(0.97 * 4.5);
    expect(rateOf(state)).toBeLessThan(0.97 * 5.2);
    expect(describeLearned(state).sure).toBe(true);
  });

  it('leaves out the calls that were counted and then refused', () => {
    const counted = driven(firstLearned(), NOW, 7_500);
    const first = learn(counted, { kind: 'refused', waitMs: 1_000, count: 2 }, NOW + 7_500);
    const booked = steady(first, NOW + 8_600, 20_000, 200);
    const took = (count: number) =>
      rateOf(learn(booked, { kind: 'refused', waitMs: 1_000, count }, NOW + 28_600));
    expect(took(50)).toBeCloseTo(took(0) / 2, 1);
  });

  it('is tried to be raised by 2 % after 30 s, and faster when that succeeds', () => {
    const { state, nowMs } = holdingFive();
    const held = rateOf(state);
    expect(rateOf(driven(state, nowMs, 29_000))).toBe(held);
    expect(rateOf(driven(state, nowMs, 32_000))).toBeCloseTo(1.02 * held);
    expect(rateOf(driven(state, nowMs, 180_000))).toBeGreaterThan(3 * held);
  });

  it('is tried less and less often when that fails, down to every five minutes', () => {
    let { state, nowMs } = holdingFive();
    const waitsMs: number[] = [];
    for (let i = 0; i < 7; i++) {
      const [held, fromMs] = [rateOf(state), nowMs];
      while (rateOf(state) === held) {
        state = driven(state, nowMs, 1_000);
        nowMs += 1_000;
      }
      waitsMs.push(nowMs - fromMs);
      state = refused(state, nowMs);
      nowMs += 1_000;
    }
    const expectedMs = [30, 60, 120, 240, 300, 300, 300].map((seconds) => seconds * 1_000);
    waitsMs.forEach((waitMs, i) => {
      expect(Math.abs(waitMs - (expectedMs[i] ?? 0))).toBeLessThan(3_000);
    });
  });

  it('is given up when refusals go on at once: the quota has fallen', () => {
    const { state, nowMs } = holdingFive();
    const soon = refused(driven(state, nowMs, 3_000), nowMs + 5_000);
    expect(rateOf(soon)).toBeLessThan(0.91 * rateOf(state));
    expect(describeLearned(soon).sure).toBe(false);
  });

  it('outlives one refusal just after another: the bucket was emptier than thought', () => {
    const { state, nowMs } = holdingFive();
    const echo = refused(steady(state, nowMs + 1_000, 1_000, 200), nowMs + 2_500);
    expect(rateOf(echo)).toBe(rateOf(state));
    const more = steady(echo, nowMs + 3_500, 1_000, 200);
    expect(rateOf(refused(more, nowMs + 5_000))).toBeLessThan(rateOf(state));
  });

  it('survives a rest: nights without calls are no evidence', () => {
    const { state, nowMs } = holdingFive();
    const morning = steady(state, nowMs + 10 * 3_600_000, 10_000, 250);
    const known = refused(morning, nowMs + 10 * 3_600_000 + 20_000);
    expect(rateOf(known)).toBeGreaterThan(0.5 * rateOf(state));
  });
});

describe('a refusal for much longer than a call takes', () => {
  it('is that of a window: its calls are spread over it', () => {
    const spent = steady(firstLearned(), NOW, 6_000, 100);
    const state = refused(spent, NOW + 6_000, 54_000);
    // 60 calls in 60 s; the bucket that a rest may have filled counts for two seconds more.
    expect(rateOf(state)).toBeGreaterThan(0.9);
    expect(rateOf(state)).toBeLessThan(1);
    expect(describeLearned(state)).toEqual({ calls: 58, perSeconds: 60, sure: true });
  });

  it('after few calls may be that of others: the next window decides', () => {
    const state = refused(steady(firstLearned(), NOW, 3_000, 1_000), NOW + 6_000, 54_000);
    expect(rateOf(state)).toBe(1);
    expect(describeLearned(state).sure).toBe(false);
  });

  it('shows in refusals that go on without one accepted, though they do not say so', () => {
    let state = steady(firstLearned(), NOW, 6_000, 100);
    for (let s = 6; s < 60; s += 6) state = refused(state, NOW + s * 1_000, 5_000);
    state = steady(state, NOW + 62_000, 3_000, 1_000);
    expect(rateOf(state)).toBeGreaterThan(0.85);
    expect(rateOf(state)).toBeLessThan(1);
  });
});

const signals = fc.record(
  {
    calls: fc.double({ min: 0, max: 1e6 }),
    perSeconds: fc.double({ min: 0, max: 1e6 }),
    burst: fc.nat(),
    remaining: fc.nat(),
    resetMs: fc.nat(),
  },
  { requiredKeys: [] },
);
const events = fc.array(
  fc.record({
    stepMs: fc.oneof(fc.integer({ min: -2_000, max: 5_000 }), fc.nat(4 * 3_600_000)),
    event: fc.oneof(
      { weight: 6, arbitrary: fc.nat(100).map((count) => ({ kind: 'accepted', count }) as const) },
      {
        weight: 2,
        arbitrary: fc
          .record({ waitMs: fc.nat(3_600_000), count: fc.nat(50) }, { requiredKeys: [] })
          .map((refusal) => ({ kind: 'refused', ...refusal }) as const),
      },
      { weight: 1, arbitrary: signals.map((signal) => ({ kind: 'signal', signal }) as const) },
    ),
  }),
  { maxLength: 80 },
);

describe('whatever happens', () => {
  it('the pace stays usable, and the state small and plain', () => {
    fc.assert(
      fc.property(events, (all) => {
        let state = firstLearned();
        let nowMs = NOW;
        for (const { stepMs, event } of all) {
          nowMs += stepMs;
          state = learn(state, event, nowMs);
          expect(JSON.parse(JSON.stringify(state))).toEqual(state);
          const { intervalMs, burst } = learnedPace(state);
          expect(intervalMs > 0 && Number.isFinite(intervalMs)).toBe(true);
          expect(Number.isInteger(burst) && burst >= 1).toBe(true);
          const isSane = rateOf(state) <= 50.1 && intervalMs <= 60_100;
          expect(isSane || state.told !== undefined).toBe(true);
        }
        expect(JSON.stringify(state).length).toBeLessThan(1_200);
      }),
      { numRuns: 500 },
    );
  });

  it('a refusal never makes calls faster, unless it shows a window or a told quota wrong', () => {
    fc.assert(
      fc.property(events, (all) => {
        let state = firstLearned();
        let nowMs = NOW;
        for (const { stepMs, event } of all) {
          nowMs += Math.max(0, stepMs);
          if (event.kind === 'signal') continue;
          const before = rateOf(state);
          state = learn(state, event, nowMs);
          if (event.kind === 'refused') expect(rateOf(state)).toBeLessThanOrEqual(before * 1.0001);
        }
      }),
      { numRuns: 500 },
    );
  });
});
