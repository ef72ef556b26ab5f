// Google's day: what is counted, what is allowed, and what a refusal teaches.

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import {
  allowancesOf,
  dayEndMs,
  type GoogleDay,
  parseGoogleDay,
  withRefusal,
  withUse,
} from '../../src/quota/google-limits';

const NOW = 1_760_000_000_000;
const DAY = 86_400_000;

const dayOf = (calls: number): GoogleDay => withUse(undefined, { calls }, NOW);

describe('a day', () => {
  it('begins with its first call and ends 24 hours later', () => {
    expect(dayEndMs(dayOf(1))).toBe(NOW + DAY);
    const later = withUse(dayOf(1), { calls: 2, propertyCalls: 3 }, NOW + DAY - 1);
    expect(later).toEqual({ sinceMs: NOW, calls: 3, propertyCalls: 3 });
    expect(withUse(later, { calls: 2 }, NOW + DAY)).toEqual({
      sinceMs: NOW + DAY,
      calls: 2,
      propertyCalls: 0,
    });
  });

  it('that lies ahead was counted by a wrong clock', () => {
    expect(withUse(dayOf(5), { calls: 1 }, NOW - 1).calls).toBe(1);
  });

  it('never counts more or less than was done in it', () => {
    const uses = fc.array(fc.tuple(fc.nat(50), fc.nat(DAY / 4)), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(uses, (drawn) => {
        let day: GoogleDay | undefined;
        let nowMs = NOW;
        const done: (readonly [number, number])[] = [];
        for (const [calls, waitMs] of drawn) {
          nowMs += waitMs;
          day = withUse(day, { calls }, nowMs);
          done.push([nowMs, calls]);
        }
        const since = day?.sinceMs ?? 0;
        const inDay = done.filter(([atMs]) => atMs >= since);
        expect(day?.calls).toBe(inDay.reduce((sum, [, calls]) => sum + calls, 0));
        expect(nowMs - since).toBeLessThan(DAY);
      }),
    );
  });

  it('survives being stored, and text that is none counts as none', () => {
    const day = dayOf(20_001);
    expect(parseGoogleDay(JSON.stringify(day))).toEqual(day);
    for (const text of [null, undefined, '', 'null', '5', '{}', '{"sinceMs":"x"}', '{'])
      expect(parseGoogleDay(text)).toBeUndefined();
  });
});

describe('what is allowed', () => {
  it('is near its end from four fifths on', () => {
    expect(allowancesOf(dayOf(15_999), NOW).calls.isNear).toBe(false);
    expect(allowancesOf(dayOf(16_000), NOW).calls).toEqual({
      usedToday: 16_000,
      perDay: 20_000,
      isNear: true,
    });
    const properties = withUse(undefined, { propertyCalls: 40_000 }, NOW);
    expect(allowancesOf(properties, NOW).propertyCalls).toEqual({
      usedToday: 40_000,
      perDay: 50_000,
      isNear: true,
    });
  });

  it('is all of it again on the next day, and before anything was done', () => {
    expect(allowancesOf(dayOf(19_000), NOW + DAY).calls.usedToday).toBe(0);
    expect(allowancesOf(undefined, NOW).calls).toEqual({
      usedToday: 0,
      perDay: 20_000,
      isNear: false,
    });
  });

  it('is the larger once the smaller was passed, on later days too', () => {
    const large = dayOf(20_001);
    expect(allowancesOf(large, NOW)).toMatchObject({
      calls: { usedToday: 20_001, perDay: 100_000, isNear: false },
      propertyCalls: { perDay: 500_000 },
    });
    expect(allowancesOf(withUse(large, { calls: 1 }, NOW + DAY), NOW + DAY).calls.perDay).toBe(
      100_000,
    );
  });

  it('is the smaller after a refusal that the larger cannot explain', () => {
    expect(allowancesOf(withRefusal(dayOf(20_400), NOW), NOW).calls.perDay).toBe(20_000);
    expect(allowancesOf(withRefusal(dayOf(99_000), NOW), NOW).calls.perDay).toBe(100_000);
    expect(withRefusal(undefined, NOW).sinceMs).toBe(NOW);
  });
});
