// The mathematics of the limit, judged by services that count strictly.

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { admit, type Level, type Quota as ServiceQuota } from '../../playground/api/limits';
import {
  advertisedBy,
  believeAdvertised,
  bookSlot,
  describeRate,
  idleRate,
  isKnownAdvertised,
  paceNow,
  type Rate,
  type RefusedWave,
  raiseRate,
  slowRate,
} from '../../src/limit/limit';
import { JITTER_MS, paceOf, type Quota } from '../../src/limit/pace';

const NOW = 1_760_000_000_000;
const LAWS = 10_000;

/** A clock counts whole milliseconds, so the last one of what the gate allows for is lost. */
const WAY_MS = JITTER_MS - 1;

const way = fc.oneof(fc.constantFrom(0, WAY_MS), fc.nat(WAY_MS));

/** An execution books some time after the one before it; the clock mostly stands still. */
const wish = fc.record({
  stepMs: fc.oneof(
    { weight: 4, arbitrary: fc.constant(0) },
    { weight: 4, arbitrary: fc.nat(400) },
    { weight: 1, arbitrary: fc.nat(20_000) },
  ),
  count: fc.integer({ min: 1, max: 60 }),
  waysMs: fc.array(way, { minLength: 1, maxLength: 12 }),
});

const period = fc.constantFrom(1, 2, 5, 7, 10, 60, 3_600);
const calls = fc.integer({ min: 1, max: 100 });
const window = fc.record({ calls, perSeconds: period });
const bucket = fc.record({ calls, perSeconds: period, burst: fc.integer({ min: 1, max: 100 }) });

/** Every way in which a service may count what a quota says. */
function waysToCount({ calls: most, perSeconds, burst }: Quota): readonly ServiceQuota[] {
  if (burst !== undefined) return [{ kind: 'bucket', calls: most, perSeconds, burst }];
  return [
    { kind: 'sliding', calls: most, perSeconds },
    { kind: 'calendar', calls: most, perSeconds },
  ];
}

function refusedBy(service: ServiceQuota, arrivalsMs: readonly number[]): number {
  let level: Level | undefined;
  let refused = 0;
  for (const atMs of [...arrivalsMs].sort((a, b) => a - b)) {
    const admission = admit(service, level, atMs);
    level = admission.level;
    if (!admission.admitted) refused += 1;
  }
  return refused;
}

it('a law is never broken, whoever books how much and when', () => {
  fc.assert(
    fc.property(
      fc.oneof(window, bucket),
      fc.array(wish, { minLength: 1, maxLength: 40 }),
      (quota: Quota, wishes) => {
        let rate = idleRate(NOW);
        let nowMs = NOW;
        const arrivalsMs: number[] = [];
        for (const { stepMs, count, waysMs } of wishes) {
          nowMs += stepMs;
          rate = raiseRate(rate, quota, nowMs);
          const request = { count, earliestMs: nowMs + 150 };
          const { slot, rate: next } = bookSlot(rate, paceNow(rate, quota, nowMs), request);
          rate = JSON.parse(JSON.stringify(next)) as Rate;
          for (let i = 0; i < slot.count; i += 1)
            arrivalsMs.push(slot.atMs + (waysMs[i % waysMs.length] ?? 0));
        }
        for (const service of waysToCount(quota)) expect(refusedBy(service, arrivalsMs)).toBe(0);
      },
    ),
    { numRuns: LAWS },
  );
});

/** Books until `count` calls have slots; how long they take, ms. */
function timeOf(quota: Quota | null, count: number, from = idleRate(NOW)): number {
  let rate = from;
  let atMs = NOW;
  for (let left = count; left > 0; ) {
    const booked = bookSlot(rate, paceNow(rate, quota, NOW), { count: left, earliestMs: NOW });
    rate = booked.rate;
    atMs = booked.slot.atMs;
    left -= booked.slot.count;
  }
  return atMs - NOW;
}

describe('a stated limit', () => {
  it.each([
    [{ calls: 5, perSeconds: 1, burst: 10 }, 5, 1.01],
    [{ calls: 20, perSeconds: 1, burst: 40 }, 20, 1.01],
    [{ calls: 5, perSeconds: 1 }, 5, 1.31],
    [{ calls: 60, perSeconds: 60 }, 1, 1.01],
    [{ calls: 1, perSeconds: 1, burst: 1 }, 1, 1.31],
  ])('of %j is used nearly to the full', (quota, perSecond, ratio) => {
    const idealMs = (1_000 * 600) / perSecond;
    expect(timeOf(quota, 600)).toBeLessThanOrEqual(ratio * idealMs);
  });

  it('sends half a bucket at once, and all calls of a short window', () => {
    expect(paceOf({ calls: 5, perSeconds: 1, burst: 10 }).wave).toBe(5);
    expect(paceOf({ calls: 5, perSeconds: 1 }).wave).toBe(5);
    expect(paceOf({ calls: 60, perSeconds: 60 }).wave).toBe(2);
  });

  it('takes single calls into a wave that has not gone yet', () => {
    const quota = { calls: 5, perSeconds: 1 };
    const pace = paceOf(quota);
    const one = { count: 1, earliestMs: NOW };
    const first = bookSlot(idleRate(NOW), pace, one);
    const second = bookSlot(first.rate, pace, one);
    expect(second.slot.atMs).toBe(first.slot.atMs);
    const late = bookSlot(second.rate, pace, { count: 1, earliestMs: NOW + 1 });
    expect(late.slot.atMs).toBe(NOW + 1_300);
  });
});

const SECOND = 1_000;

/** The rate after `untilMs` of bookings without a pause. */
function driven(rate: Rate, quota: Quota | null, fromMs: number, untilMs: number): Rate {
  let next = rate;
  for (let nowMs = fromMs; nowMs <= untilMs; nowMs += 100)
    next = raiseRate({ ...next, dueMs: nowMs }, quota, nowMs);
  return next;
}

/** A wave of five of which none was taken, or so many. */
const refusedUntil = (untilMs: number, taken = 0): RefusedWave => {
  return { untilMs, sent: 5, refused: 5 - taken };
};

const perSecondOf = (rate: Rate, quota: Quota | null = null, nowMs = NOW) =>
  paceNow(rate, quota, nowMs).perSecond;

describe('a limit that nobody stated', () => {
  it('is used twice as fast every two seconds until a refusal', () => {
    const rate = driven(idleRate(NOW), null, NOW, NOW + 6 * SECOND);
    expect(perSecondOf(rate)).toBe(8);
    const slower = slowRate(rate, null, refusedUntil(NOW + 7 * SECOND), NOW + 6 * SECOND);
    expect(perSecondOf(slower)).toBeCloseTo(4.8);
    const later = driven(slower, null, NOW + 7 * SECOND, NOW + 27 * SECOND);
    expect(perSecondOf(later)).toBeCloseTo(4.8 * 1.04);
    const again = slowRate(later, null, refusedUntil(NOW + 31 * SECOND), NOW + 30 * SECOND);
    expect(perSecondOf(again)).toBeCloseTo(4.8 * 1.04 * 0.9);
  });

  it('stays as it is while nobody calls', () => {
    const rate = raiseRate(idleRate(NOW), null, NOW + 60 * SECOND);
    expect(perSecondOf(rate)).toBe(1);
    const used = driven(idleRate(NOW), null, NOW, NOW + SECOND);
    expect(perSecondOf(raiseRate(used, null, NOW + 60 * SECOND))).toBe(1);
  });

  it('is lowered once by the refusals of one wave', () => {
    const rate = driven(idleRate(NOW), null, NOW, NOW + 6 * SECOND);
    const atMs = NOW + 6 * SECOND;
    const once = slowRate(rate, null, refusedUntil(atMs + SECOND), atMs);
    expect(perSecondOf(slowRate(once, null, refusedUntil(atMs + SECOND), atMs + 500))).toBe(
      perSecondOf(once),
    );
  });

  it('is shown per minute if it is slow, and as sure once it was refused', () => {
    expect(describeRate(idleRate(NOW), NOW)).toEqual({ calls: 1, perSeconds: 1, sure: false });
    const slow = { ...idleRate(NOW), perSecond: 0.5, refusedMs: NOW };
    expect(describeRate(slow, NOW)).toEqual({ calls: 30, perSeconds: 60, sure: true });
  });
});

describe('a refusal of what was stated', () => {
  it('makes calls of a window go one by one, soon nearly as fast as before', () => {
    const quota = { calls: 5, perSeconds: 1 };
    const first = slowRate(idleRate(NOW), quota, refusedUntil(NOW + SECOND), NOW);
    expect(paceNow(first, quota, NOW)).toMatchObject({ wave: 1, isWhole: false });
    const apart = 1_000 / (200 + 80);
    expect(perSecondOf(first, quota)).toBeCloseTo(apart / 2);
    expect(perSecondOf(driven(first, quota, NOW, NOW + 3 * SECOND), quota)).toBeCloseTo(apart);
  });

  const BUCKET = { calls: 5, perSeconds: 1, burst: 10 };
  const FULL = perSecondOf(idleRate(NOW), BUCKET);

  it('halves a bucket, which soon grows back to just under it and slowly beyond', () => {
    const slower = slowRate(idleRate(NOW), BUCKET, refusedUntil(NOW + SECOND), NOW);
    const portion = (seconds: number) =>
      perSecondOf(driven(slower, BUCKET, NOW, NOW + seconds * SECOND), BUCKET) / FULL;
    expect(portion(0)).toBeCloseTo(0.475);
    expect(portion(3)).toBeCloseTo(0.95);
    expect(portion(20)).toBeLessThan(0.955);
    expect(portion(300)).toBe(1);
  });

  it('again soon is from others, who get their share of rate and bucket', () => {
    const first = slowRate(idleRate(NOW), BUCKET, refusedUntil(NOW + SECOND), NOW);
    const used = driven(first, BUCKET, NOW, NOW + 4 * SECOND);
    const second = slowRate(used, BUCKET, refusedUntil(NOW + 5 * SECOND), NOW + 4 * SECOND);
    expect(perSecondOf(second, BUCKET)).toBeCloseTo((0.9 * 5) / 2);
    expect(paceNow(second, BUCKET, NOW).wave).toBe(2);
    const again = driven(second, BUCKET, NOW + 4 * SECOND, NOW + 8 * SECOND);
    const third = slowRate(again, BUCKET, refusedUntil(NOW + 9 * SECOND), NOW + 8 * SECOND);
    expect(perSecondOf(third, BUCKET)).toBeCloseTo((0.9 * 5) / 3);
  });

  it('after a calm time leaves the share as it is, and a grown one at its size', () => {
    const shared = { ...idleRate(NOW), refusedMs: NOW - 60 * SECOND, sharers: 6 };
    const calm = driven(shared, BUCKET, NOW, NOW + 60 * SECOND);
    const same = slowRate(calm, BUCKET, refusedUntil(NOW + 61 * SECOND), NOW + 60 * SECOND);
    expect(same.sharers).toBe(6);
    const grown = driven(shared, BUCKET, NOW, NOW + 130 * SECOND);
    const larger = slowRate(grown, BUCKET, refusedUntil(NOW + 131 * SECOND), NOW + 130 * SECOND);
    expect(larger.sharers).toBeLessThan(4);
  });

  it('of a long window that is used up early tells how many share it', () => {
    const quota = { calls: 60, perSeconds: 60 };
    const untilMs = NOW + 40 * SECOND;
    expect(slowRate(idleRate(NOW), quota, refusedUntil(untilMs), NOW)).toMatchObject({
      sharers: 3,
      single: 'shared',
    });
  });

  describe('of a second whose five calls several share', () => {
    const quota = { calls: 5, perSeconds: 1 };
    /** Calls in each second, which counts for 80 ms longer. */
    const callsAfter = (sharers: number, seconds: number) =>
      1.08 * perSecondOf(driven(sharedBy(sharers), quota, NOW, NOW + seconds * SECOND), quota);
    const sharedBy = (sharers: number): Rate => {
      return { ...idleRate(NOW), refusedMs: NOW, setMs: NOW, single: 'shared', sharers };
    };

    it('gives each of them a whole number of calls, and more to who has one before who has two', () => {
      expect([2, 3].map((sharers) => callsAfter(sharers, 20))).toEqual(
        [2, 1].map((calls) => expect.closeTo(calls)),
      );
      expect([2, 3].map((sharers) => callsAfter(sharers, 38))).toEqual(
        [2, 2].map((calls) => expect.closeTo(calls)),
      );
      expect(callsAfter(2, 140)).toBeCloseTo(3);
    });

    it('is not taken for a service that wants calls apart, which takes the first of a wave', () => {
      const callsOf = (wave: RefusedWave) => {
        const rate = slowRate({ ...idleRate(NOW), sharers: 2 }, quota, wave, NOW);
        return 1.08 * perSecondOf(driven(rate, quota, NOW, NOW + 20 * SECOND), quota);
      };
      const untilMs = NOW + SECOND;
      expect(callsOf(refusedUntil(untilMs))).toBeCloseTo(1);
      expect(callsOf(refusedUntil(untilMs, 2))).toBeCloseTo(1);
      expect(callsOf(refusedUntil(untilMs, 1))).toBeGreaterThan(1.5);
      expect(callsOf({ untilMs, sent: 1, refused: 1 })).toBeGreaterThan(1.5);
    });

    it('takes back the one call more, and leaves a share that is refused once', () => {
      const refusedAfter = (sharers: number, seconds: number) => {
        const atMs = NOW + seconds * SECOND;
        const rate = driven(sharedBy(sharers), quota, NOW, atMs);
        const next = slowRate(rate, quota, refusedUntil(atMs + SECOND), atMs);
        expect(next.resumesMs).toBeGreaterThan(atMs + SECOND);
        return 1.08 * perSecondOf(next, quota);
      };
      expect(refusedAfter(3, 38)).toBeCloseTo(1);
      expect(refusedAfter(2, 38)).toBeCloseTo(2);
    });
  });

  it('is remembered for hours in which nobody calls', () => {
    const shared = { ...idleRate(NOW), refusedMs: NOW, sharers: 3 };
    const later = raiseRate(shared, BUCKET, NOW + 5 * 3_600 * SECOND);
    expect(perSecondOf(later, BUCKET)).toBeCloseTo((0.9 * 5) / 3);
  });

  it('leaves a bucket that holds one call at the time that it names', () => {
    const quota = { calls: 5, perSeconds: 1, burst: 10 };
    const untilMs = NOW + 5 * SECOND;
    const rate = slowRate(idleRate(NOW), quota, refusedUntil(untilMs), NOW);
    const request = { count: 5, earliestMs: untilMs };
    const { slot } = bookSlot(rate, paceNow(rate, quota, NOW), request);
    expect(slot.atMs).toBeGreaterThanOrEqual(untilMs + 800);
  });
});

describe('a limit that the service states', () => {
  const advertised = advertisedBy({ calls: 60, perSeconds: 60, burst: 60 }, NOW);

  it('is used instead of what was found out, for six hours', () => {
    if (advertised === undefined) throw new Error('It states a limit.');
    const rate = believeAdvertised(
      { ...idleRate(NOW), perSecond: 40, single: 'apart' },
      advertised,
      NOW,
    );
    expect(perSecondOf(rate)).toBeCloseTo(60 / 60.3);
    expect(describeRate(rate, NOW)).toMatchObject({ calls: 60, perSeconds: 60, sure: true });
    expect(perSecondOf(rate, null, NOW + 6 * 3_600_000)).toBe(1);
  });

  it('and that is over leaves nothing of its use', () => {
    if (advertised === undefined) throw new Error('It states a limit.');
    const stated = believeAdvertised(idleRate(NOW), advertised, NOW);
    const refused = slowRate(
      driven(stated, null, NOW, NOW + SECOND),
      null,
      refusedUntil(NOW + SECOND),
      NOW,
    );
    const overMs = NOW + 6 * 3_600_000;
    const used = driven(refused, null, NOW, NOW + 60 * SECOND);
    const over = raiseRate({ ...used, dueMs: overMs }, null, overMs);
    expect(perSecondOf(over, null, overMs)).toBe(1);
  });

  it('is none where it is misread', () => {
    expect(advertisedBy({ calls: 1, perSeconds: 86_400 * 365 }, NOW)).toBeUndefined();
    expect(advertisedBy({ calls: 1e9, perSeconds: 1 }, NOW)).toBeUndefined();
    expect(advertisedBy({ calls: 5 }, NOW)).toBeUndefined();
  });

  it('is the same when it is stated again', () => {
    if (advertised === undefined) throw new Error('It states a limit.');
    const isKnown = (other: object, nowMs = NOW) =>
      isKnownAdvertised(advertised, { ...advertised, ...other }, nowMs);
    expect(isKnown({ untilMs: NOW })).toBe(true);
    expect(isKnown({ calls: 50 })).toBe(false);
    expect(isKnown({}, advertised.untilMs)).toBe(false);
  });

  it('is a rate alone where no burst is named', () => {
    const alone = advertisedBy({ calls: 5, perSeconds: 1 }, NOW);
    if (alone === undefined) throw new Error('It states a limit.');
    const rate = believeAdvertised(idleRate(NOW), alone, NOW);
    expect(paceNow(rate, null, NOW)).toMatchObject({ wave: 4, isWhole: false });
  });
});
