// The laws of the quotas: never one call too many in any window, never one too few for the patient.
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { type Admission, admit, type Level, type Quota } from '../../../playground/api/limits';

const calls = fc.integer({ min: 1, max: 40 });
const perSeconds = fc.constantFrom(1, 2, 7, 60);
const bucket = fc.record({
  kind: fc.constant('bucket' as const),
  calls,
  perSeconds,
  burst: fc.integer({ min: 1, max: 50 }),
});
const calendar = fc.record({ kind: fc.constant('calendar' as const), calls, perSeconds });
const sliding = fc.record({ kind: fc.constant('sliding' as const), calls, perSeconds });

/** Moments of arrival, in order: crowds, trickles and pauses. */
const moments = fc
  .array(fc.oneof(fc.constant(0), fc.integer({ max: 50, min: 0 }), fc.nat(90_000)), {
    minLength: 1,
    maxLength: 200,
  })
  .map((gaps) => {
    let atMs = 1_700_000_000_000;
    return gaps.map((gapMs) => {
      atMs += gapMs;
      return atMs;
    });
  });

function admissions(quota: Quota, atMs: readonly number[]): readonly Admission[] {
  let level: Level | undefined;
  return atMs.map((nowMs) => {
    const admission = admit(quota, level, nowMs);
    level = admission.level;
    return admission;
  });
}

function admittedTimes(quota: Quota, atMs: readonly number[]): readonly number[] {
  const given = admissions(quota, atMs);
  return atMs.filter((_, index) => given[index]?.admitted);
}

/** Tests every stretch between two admitted calls, the shortest windows that hold them. */
function everyStretch(
  times: readonly number[],
  test: (count: number, lengthMs: number) => void,
): void {
  for (let from = 0; from < times.length; from += 1) {
    for (let to = from; to < times.length; to += 1) {
      test(to - from + 1, (times[to] as number) - (times[from] as number));
    }
  }
}

describe('a bucket', () => {
  it('never admits more than its burst and what dripped in, in any window', () => {
    fc.assert(
      fc.property(bucket, moments, (quota, atMs) => {
        const perMs = quota.calls / (quota.perSeconds * 1000);
        everyStretch(admittedTimes(quota, atMs), (count, lengthMs) => {
          expect(count).toBeLessThanOrEqual(quota.burst + perMs * lengthMs + 1e-3);
        });
      }),
    );
  });

  it('admits its whole burst at once, and not one more', () => {
    fc.assert(
      fc.property(bucket, (quota) => {
        const atOnce = Array<number>(quota.burst + 5).fill(0);
        expect(admittedTimes(quota, atOnce)).toHaveLength(quota.burst);
      }),
    );
  });

  it('never refuses calls that come exactly at its rate', () => {
    fc.assert(
      fc.property(bucket, (quota) => {
        const everyMs = (quota.perSeconds * 1000) / quota.calls;
        const steady = Array.from({ length: 2000 }, (_, index) => index * everyMs);
        expect(admittedTimes({ ...quota, burst: 1 }, steady)).toHaveLength(2000);
      }),
      { numRuns: 20 },
    );
  });

  it('loses and gains nothing when the clock steps back', () => {
    const quota: Quota = { kind: 'bucket', calls: 1, perSeconds: 1, burst: 2 };
    expect(admissions(quota, [5000, 4000, 5000, 4000, 6000]).map((one) => one.admitted)).toEqual([
      true,
      true,
      false,
      false,
      true,
    ]);
  });

  it('keeps what is left when its rate changes midway', () => {
    const slow: Quota = { kind: 'bucket', calls: 1, perSeconds: 1, burst: 1 };
    const first = admit(slow, undefined, 0);
    const fast: Quota = { ...slow, calls: 10 };
    expect(admit(fast, first.level, 50).admitted).toBe(false);
    expect(admit(fast, first.level, 100).admitted).toBe(true);
  });
});

describe('a calendar window', () => {
  it('never admits more than its calls between two strokes of the clock', () => {
    fc.assert(
      fc.property(calendar, moments, (quota, atMs) => {
        const perPeriod = new Map<number, number>();
        for (const timeMs of admittedTimes(quota, atMs)) {
          const period = Math.floor(timeMs / (quota.perSeconds * 1000));
          perPeriod.set(period, (perPeriod.get(period) ?? 0) + 1);
        }
        expect(Math.max(...perPeriod.values())).toBeLessThanOrEqual(quota.calls);
      }),
    );
  });

  it('lets twice its calls through round a stroke, as such windows do', () => {
    const quota: Quota = { kind: 'calendar', calls: 3, perSeconds: 60 };
    const atMs = [59_997, 59_998, 59_999, 59_999, 60_000, 60_001, 60_002, 60_003];
    expect(admittedTimes(quota, atMs)).toHaveLength(6);
  });
});

it('a sliding window never admits more than its calls in any stretch of its length', () => {
  fc.assert(
    fc.property(sliding, moments, (quota, atMs) => {
      everyStretch(admittedTimes(quota, atMs), (count, lengthMs) => {
        if (lengthMs < quota.perSeconds * 1000) expect(count).toBeLessThanOrEqual(quota.calls);
      });
    }),
  );
});

describe('every kind of limit', () => {
  const anyQuota = fc.oneof(bucket, calendar, sliding);

  it('admits whoever waits as long as it says, and nobody a millisecond sooner', () => {
    fc.assert(
      fc.property(anyQuota, moments, (quota, atMs) => {
        const last = admissions(quota, atMs).at(-1) as Admission;
        const nowMs = (atMs.at(-1) as number) + last.waitMs;
        // The clock is a float of thirteen digits before the point: leave it its rounding.
        expect(admit(quota, last.level, nowMs + 0.01).admitted).toBe(true);
        if (last.waitMs > 1) expect(admit(quota, last.level, nowMs - 1).admitted).toBe(false);
      }),
    );
  });

  it('admits as many more at once as it says are left', () => {
    fc.assert(
      fc.property(anyQuota, moments, (quota, atMs) => {
        const last = admissions(quota, atMs).at(-1) as Admission;
        const nowMs = atMs.at(-1) as number;
        let level = last.level;
        let more = 0;
        for (;;) {
          const next = admit(quota, level, nowMs);
          if (!next.admitted) break;
          level = next.level;
          more += 1;
        }
        expect(more).toBe(last.remaining);
      }),
    );
  });

  it('is as good as new after its reset', () => {
    fc.assert(
      fc.property(anyQuota, moments, (quota, atMs) => {
        const last = admissions(quota, atMs).at(-1) as Admission;
        const fresh = admit(quota, last.level, (atMs.at(-1) as number) + last.resetMs + 0.01);
        expect(fresh.remaining).toBe(last.most - 1);
      }),
    );
  });

  it('starts afresh when the kind of limit changes', () => {
    const used = admit({ kind: 'calendar', calls: 1, perSeconds: 60 }, undefined, 0);
    expect(admit({ kind: 'sliding', calls: 1, perSeconds: 60 }, used.level, 0).admitted).toBe(true);
  });
});
