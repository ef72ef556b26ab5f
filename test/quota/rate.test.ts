// The gate's mathematics: no schedule ever breaks a quota, and none wastes much of it.

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import {
  book,
  HORIZON_MS,
  horizonOf,
  idleState,
  lostState,
  paceOf,
  type RateState,
  refusedKey,
  spacedPace,
  stopped,
} from '../../src/quota/rate';
import { sharedPace } from '../../src/quota/share-key';
import { bookAll, lawsOf, quotas, refusals, windows, wishes } from './service-law';

const NOW = 1_760_000_000_000;
const FIVE = { calls: 5, perSeconds: 1, burst: 10 };
const FAR = NOW + 10 * 3_600_000;

describe('the pace', () => {
  it('keeps the average of a bucket, and of its burst what jitter leaves', () => {
    // 5 a second in 300 ms of jitter is 1.5 calls: two of the ten are kept back.
    expect(paceOf(FIVE)).toEqual({ intervalMs: 200, burst: 8 });
    // 20 a second in 300 ms is 6 calls.
    expect(paceOf({ calls: 20, perSeconds: 1, burst: 40 })).toEqual({ intervalMs: 50, burst: 34 });
    // A slow key still keeps one back, as the wave before may have taken its time.
    expect(paceOf({ calls: 1, perSeconds: 1, burst: 5 })).toEqual({ intervalMs: 1_000, burst: 4 });
  });

  it('keeps the whole jitter between calls where no two may come at once', () => {
    expect(paceOf({ calls: 60, perSeconds: 60, burst: 1 })).toEqual({
      intervalMs: 1_300,
      burst: 1,
    });
  });

  it('sends what a window of a second allows at once, and the next when window and jitter are over', () => {
    const pace = { intervalMs: 260, burst: 5, isWhole: true };
    expect(paceOf({ calls: 5, perSeconds: 1 })).toEqual(pace);
  });

  it.each([
    ['60 a minute go two at a time', 60, 60, 2, 60_300 / 60],
    ['300 a minute ten at a time', 300, 60, 10, 60_300 / 300],
    ['50 in 7 s ten at a time, as 12 would leave two of them unused', 50, 7, 10, 7_300 / 50],
    ['of 7 in a second all', 7, 1, 7, 1_300 / 7],
    ['10 a minute one by one', 10, 60, 1, 60_300 / 10],
    ['of 60 a second no more than Google sends at once', 60, 1, 20, 1_300 / 60],
  ])(
    'spreads the calls of a window over the window and the jitter: %s',
    (_, calls, perSeconds, burst, intervalMs) => {
      const pace = paceOf({ calls, perSeconds });
      expect(pace.burst).toBe(burst);
      expect(pace.intervalMs).toBeCloseTo(intervalMs, 6);
    },
  );

  it('leaves unused no more than a fiftieth of what can be vouched for', () => {
    const windows = fc.record({
      calls: fc.integer({ min: 1, max: 5_000 }),
      perSeconds: fc.constantFrom(1, 2, 5, 10, 60, 3_600),
    });
    fc.assert(
      fc.property(windows, (quota) => {
        const pace = paceOf(quota);
        const bestMs = (quota.perSeconds * 1_000 + 300) / quota.calls;
        expect(pace.intervalMs).toBeGreaterThanOrEqual(bestMs - 1e-6);
        expect(pace.intervalMs).toBeLessThanOrEqual(bestMs / 0.98 + 1e-6);
        expect(pace.burst).toBeLessThanOrEqual(20);
      }),
    );
  });

  it('uses more than half of a fast key with a small burst', () => {
    // 75 ms apart, at most 1 + 300 / 75 = 5 calls can arrive at the same moment: all of the burst.
    const { intervalMs, burst } = paceOf({ calls: 20, perSeconds: 1, burst: 5 });
    expect({ intervalMs, burst }).toEqual({ intervalMs: 75, burst: 1 });
  });
});

describe('a pace, by what the operator granted', () => {
  it.each([
    ['one call at a time', { calls: 5, perSeconds: 1, burst: 1 }, 500, 1],
    ['a burst that jitter uses up', { calls: 5, perSeconds: 1, burst: 2 }, 300, 1],
    ['a burst of a slow key', { calls: 1, perSeconds: 2, burst: 2 }, 2_000, 1],
    ['calls as far apart as jitter', { calls: 10, perSeconds: 3, burst: 10 }, 300, 9],
    ['calls a little closer', { calls: 10, perSeconds: 2.9, burst: 10 }, 290, 8],
    ['more than one wave holds', { calls: 1_000, perSeconds: 1, burst: 1_000 }, 1, 100],
  ])('keeps a bucket with room for jitter: %s', (_what, quota, intervalMs, burst) => {
    expect(paceOf(quota)).toEqual({ intervalMs: expect.closeTo(intervalMs), burst });
  });

  it.each([
    ['all at once', { calls: 5, perSeconds: 1 }, undefined, 1_300 / 5, 5],
    ['in waves of two seconds', { calls: 300, perSeconds: 60 }, undefined, 60_300 / 300, 10],
    ['in two waves where it is longer than one', { calls: 8, perSeconds: 2.5 }, undefined, 350, 4],
    [
      'in waves as large as Google sends',
      { calls: 900, perSeconds: 2 },
      undefined,
      2_300 / 900,
      20,
    ],
    [
      'a fiftieth unused for larger waves',
      { calls: 50, perSeconds: 14 },
      undefined,
      14_300 / 49,
      7,
    ],
    [
      'one by one where waves would waste more',
      { calls: 7, perSeconds: 3 },
      undefined,
      3_300 / 7,
      1,
    ],
    ['a single call', { calls: 1, perSeconds: 1 }, undefined, 1_300, 1],
    ['a try of two at once', { calls: 100, perSeconds: 10 }, 2, 103, 2],
    ['a try that wastes a little', { calls: 10, perSeconds: 2 }, 3, 2_300 / 9, 3],
    ['as many at once as there are: no try', { calls: 7, perSeconds: 3 }, 3, 3_300 / 7, 1],
  ] as const)('keeps any window: %s', (_what, quota, together, intervalMs, burst) => {
    const whole = burst > 1 ? { isWhole: true } : {};
    expect(paceOf(quota, together)).toEqual({
      ...{ intervalMs: expect.closeTo(intervalMs), burst },
      ...whole,
    });
  });

  it('where calls are to go one by one has room for the jitter of each', () => {
    expect(spacedPace({ calls: 5, perSeconds: 1 })).toEqual({ intervalMs: 500, burst: 1 });
    expect(spacedPace({ calls: 30, perSeconds: 60 })).toEqual({ intervalMs: 2_300, burst: 1 });
  });

  it('books as far ahead as a wave of it takes, and as its caller looks', () => {
    expect(horizonOf({ intervalMs: 200, burst: 8 }, 2_000)).toBe(2_000);
    expect(horizonOf({ intervalMs: 1_000, burst: 8 }, 2_000)).toBe(8_000);
    expect(horizonOf({ intervalMs: 1_000, burst: 8 })).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('a wave that is booked as a whole', () => {
  const pace = paceOf({ calls: 5, perSeconds: 1 });
  const wish = (count: number) => ({ count, deadlineMs: FAR });
  const first = (count: number) => book(idleState(NOW), wish(count), pace, NOW).state;
  const go = (state: RateState, count: number, nowMs = NOW, own = pace) =>
    book(state, wish(count), own, nowMs).slots;

  it('takes nobody along once it is full', () => {
    expect(go(first(5), 1)).toEqual({ kind: 'go', atMs: NOW + 120 + 1_300, count: 1 });
  });

  it('takes no more along than it has room for', () => {
    expect(go(first(2), 5)).toEqual({ kind: 'go', atMs: NOW + 120, count: 3 });
  });

  it('is over when the next one could go', () => {
    expect(go(first(2), 5, NOW + 1_299)).toMatchObject({ atMs: NOW + 1_419, count: 3 });
    expect(go(first(2), 5, NOW + 1_300)).toMatchObject({ atMs: NOW + 1_420, count: 5 });
  });

  it('takes nobody along after the service said stop', () => {
    const state = stopped(first(2), { reason: 'throttled', untilMs: NOW + 5_000 });
    // One call is in the bucket then, and the wave wants five.
    expect(go(state, 1, NOW + 200)).toMatchObject({ atMs: NOW + 5_000 + 4 * 260, count: 1 });
  });

  it('takes nobody along where waves have another size by then, and both fit into a window', () => {
    const smaller = paceOf({ calls: 5, perSeconds: 1 }, 2);
    expect(smaller.burst).toBe(2);
    const afterMs = (5 + 2 - 1) * smaller.intervalMs;
    expect(go(first(2), 1, NOW, smaller)).toMatchObject({ atMs: NOW + 120 + afterMs });
    const alone = book(idleState(NOW), wish(1), spacedPace({ calls: 5, perSeconds: 1 }), NOW);
    expect(go(alone.state, 5)).toMatchObject({ atMs: NOW + 120 + 5 * 260, count: 5 });
  });

  it('is not waited for by who calls one by one: the average is', () => {
    const alone = { intervalMs: 500, burst: 1 };
    expect(go(first(2), 3, NOW, alone)).toMatchObject({ atMs: NOW + 120 + 1_300, count: 1 });
  });
});

describe('a slot of who has slow stores', () => {
  it('is no sooner than they say', () => {
    const wish = { count: 1, deadlineMs: FAR, leadMs: 400 };
    expect(book(idleState(NOW), wish, paceOf(FIVE), NOW).slots).toMatchObject({ atMs: NOW + 400 });
  });

  it('is none where a stop leaves them no time before their deadline', () => {
    const state = stopped(idleState(NOW), { reason: 'throttled', untilMs: NOW + 1_000 });
    const kind = (deadlineMs: number, leadMs?: number) =>
      book(state, { count: 1, deadlineMs, ...(leadMs && { leadMs }) }, paceOf(FIVE), NOW).slots
        .kind;
    expect([kind(NOW + 1_119), kind(NOW + 1_120)]).toEqual(['stopped', 'go']);
    expect([kind(NOW + 1_399, 400), kind(NOW + 1_400, 400)]).toEqual(['stopped', 'go']);
  });
});

describe('a stop that says when calls go on', () => {
  const pace = paceOf(FIVE);
  const goesOnMs = NOW + 3_600_000;
  const stop = { reason: 'google-limit', untilMs: NOW, goesOnMs } as const;
  const state = stopped(idleState(NOW), stop);
  const wish = { count: 8, deadlineMs: FAR };

  it('lets one call have a look now and then, and nobody else meanwhile', () => {
    const look = book(state, wish, pace, NOW + 10);
    expect(look.slots).toEqual({ kind: 'go', atMs: NOW + 130, count: 1 });
    expect(look.state.stop).toEqual({ ...stop, untilMs: NOW + 130 + 30_000 });
    expect(book(look.state, wish, pace, NOW + 20).slots.kind).toBe('stopped');
    expect(book(look.state, wish, pace, NOW + 30_130).slots).toMatchObject({ count: 1 });
  });

  it('is over then', () => {
    const after = book(state, wish, pace, goesOnMs);
    expect(after.slots).toEqual({ kind: 'go', atMs: goesOnMs + 120, count: 8 });
    expect(after.state.stop).toBeUndefined();
  });
});

describe('bookings', () => {
  it('never exceed the quota, whoever books when, and however long calls take to arrive', () => {
    fc.assert(
      fc.property(quotas, wishes, (quota, all) => {
        const { arrivalsMs } = bookAll(idleState(NOW), all, paceOf(quota), NOW);
        for (const law of lawsOf(quota)) expect(refusals(law, arrivalsMs)).toBe(0);
      }),
      { numRuns: 500 },
    );
  });

  it('never put more than the calls of a window into any, though waves grow, shrink and are shared', () => {
    // What is known to go together, and how many spreadsheets share the key, at each booking.
    const turns = fc.array(
      fc.tuple(wishes, fc.constantFrom(1, 2, 4, 8, 20), fc.constantFrom(1, 1, 1, 2)),
      {
        minLength: 1,
        maxLength: 6,
      },
    );
    fc.assert(
      fc.property(windows, turns, (quota, all) => {
        let at = { state: idleState(NOW), nowMs: NOW };
        const arrivalsMs: number[] = [];
        for (const [some, together, live] of all) {
          const booked = bookAll(
            at.state,
            some,
            sharedPace(paceOf(quota, together), live),
            at.nowMs,
          );
          arrivalsMs.push(...booked.arrivalsMs);
          at = booked;
        }
        for (const law of lawsOf(quota)) expect(refusals(law, arrivalsMs)).toBe(0);
      }),
      { numRuns: 10_000 },
    );
  });

  it('that are kept apart break neither the window nor a bucket of one', () => {
    fc.assert(
      fc.property(windows, wishes, (quota, all) => {
        const { arrivalsMs } = bookAll(idleState(NOW), all, spacedPace(quota), NOW);
        for (const law of [...lawsOf(quota), ...lawsOf({ ...quota, burst: 1 })])
          expect(refusals(law, arrivalsMs)).toBe(0);
      }),
      { numRuns: 1_000 },
    );
  });

  it('of a wave that is not full take those along that come later, and the next wave waits for them', () => {
    const pace = paceOf({ calls: 5, perSeconds: 1 });
    const request = { count: 2, deadlineMs: FAR };
    const first = book(idleState(NOW), request, pace, NOW);
    expect(first.slots).toEqual({ kind: 'go', atMs: NOW + 120, count: 2 });
    const beside = book(first.state, request, pace, NOW);
    expect(beside.slots).toEqual({ kind: 'go', atMs: NOW + 120, count: 2 });
    const behind = book(beside.state, request, pace, NOW + 500);
    expect(behind.slots).toEqual({ kind: 'go', atMs: NOW + 620, count: 1 });
    const next = book(behind.state, request, pace, NOW + 500);
    expect(next.slots).toEqual({ kind: 'go', atMs: NOW + 620 + 1_300, count: 2 });
  });

  it('use the whole average: 100 calls at 5 a second take less than 20 s', () => {
    const pace = paceOf(FIVE);
    let state = idleState(NOW);
    let lastMs = 0;
    for (let i = 0; i < 100; i++) {
      const booked = book(state, { count: 1, deadlineMs: FAR }, pace, NOW);
      state = booked.state;
      if (booked.slots.kind === 'go') lastMs = booked.slots.atMs;
    }
    // 120 ms to put the state back, 8 at once, then 92 calls 200 ms apart.
    expect(lastMs - NOW).toBe(120 + 92 * 200);
  });

  it('send a first wave at once, and the next when its last call is due', () => {
    const pace = paceOf(FIVE);
    const first = book(idleState(NOW), { count: 8, deadlineMs: FAR }, pace, NOW);
    expect(first.slots).toEqual({ kind: 'go', atMs: NOW + 120, count: 8 });
    const second = book(first.state, { count: 8, deadlineMs: FAR }, pace, NOW);
    expect(second.slots).toEqual({ kind: 'go', atMs: NOW + 120 + 1_600, count: 8 });
  });

  it('are cut to one wave, and are for one call at least', () => {
    const counts = [0, 1, 8, 9, 5_000].map((count) => {
      const { slots } = book(idleState(NOW), { count, deadlineMs: FAR }, paceOf(FIVE), NOW);
      return slots.kind === 'go' ? slots.count : undefined;
    });
    expect(counts).toEqual([1, 1, 8, 8, 8]);
  });

  it('past the deadline leave the state as it is, and say when a slot would be', () => {
    const state: RateState = { tatMs: NOW + 30_000 };
    const booked = book(state, { count: 1, deadlineMs: NOW + 25_000 }, paceOf(FIVE), NOW);
    // 30,000 + 200 for the call - 8 * 200 of burst.
    expect(booked).toEqual({ state, slots: { kind: 'late', atMs: NOW + 28_600 } });
  });

  it('past the deadline never change anything, and inside it never lie past it', () => {
    fc.assert(
      fc.property(
        quotas,
        fc.integer({ min: -60_000, max: 60_000 }),
        fc.integer({ min: -1_000, max: 60_000 }),
        fc.integer({ min: 1, max: 60 }),
        (quota, aheadMs, waitMs, count) => {
          const state: RateState = { tatMs: NOW + aheadMs };
          const deadlineMs = NOW + waitMs;
          const booked = book(state, { count, deadlineMs }, paceOf(quota), NOW);
          if (booked.slots.kind === 'stopped') throw new Error('Nobody stopped.');
          const isLate = booked.slots.atMs > deadlineMs;
          expect(booked.slots.kind).toBe(isLate ? 'late' : 'go');
          if (isLate) expect(booked.state).toBe(state);
          else expect(booked.slots.atMs).toBeGreaterThan(NOW);
        },
      ),
    );
  });
});

describe('lost state', () => {
  it('waits as long as others may hold bookings, at least the horizon', () => {
    // 30 executions with a slot each, 200 ms apart; then 7 more intervals until the bucket is empty.
    expect(lostState(paceOf(FIVE), NOW, 30).tatMs - NOW).toBeGreaterThanOrEqual(7 * 200 + 6_000);
    const fast = lostState({ intervalMs: 1, burst: 1 }, NOW, 30);
    expect(fast.tatMs - NOW).toBeGreaterThanOrEqual(HORIZON_MS);
  });

  it.each([
    ['all executions may hold a slot', { intervalMs: 200, burst: 8 }, 30, 1_600 + 6_000],
    ['nobody else may', { intervalMs: 200, burst: 8 }, 1, 1_600 + 2_000],
    ['a wave may be booked that takes longer', { intervalMs: 1_000, burst: 5 }, 1, 5_000 + 5_000],
    ['a few may hold one', { intervalMs: 500, burst: 2 }, 7, 1_000 + 3_500],
    ['the key is slow: six seconds', { intervalMs: 60_000, burst: 2 }, 30, 120_000 + 6_000],
  ])('is an empty bucket and a pause: %s', (_why, pace, executions, aheadMs) => {
    expect(lostState(pace, NOW, executions)).toEqual({ tatMs: NOW + aheadMs });
  });

  it('never allows more than the quota, though others hold bookings up to its pause', () => {
    fc.assert(
      fc.property(quotas, wishes, wishes, (quota, before, after) => {
        const pace = paceOf(quota);
        const lostMs = NOW + before.reduce((sum, { stepMs }) => sum + Math.max(0, stepMs), 0);
        const lost = lostState(pace, lostMs, 30);
        // 30 executions with a slot each; never less than 2 s, never more than 6 s.
        const pauseEndMs = lostMs + Math.min(6_000, Math.max(2_000, 30 * pace.intervalMs));
        const forward = before.map((wish) => ({ ...wish, stepMs: Math.max(0, wish.stepMs) }));
        const held = bookAll(idleState(NOW), forward, pace, NOW, pauseEndMs);
        const anew = bookAll(lost, after, pace, lostMs);
        const arrivalsMs = [...held.arrivalsMs, ...anew.arrivalsMs];
        for (const law of lawsOf(quota)) expect(refusals(law, arrivalsMs)).toBe(0);
      }),
      { numRuns: 1_000 },
    );
  });

  it('counts as an empty bucket: the first slots after the pause come one by one', () => {
    const pace = paceOf(FIVE);
    const first = book(lostState(pace, NOW, 30), { count: 1, deadlineMs: FAR }, pace, NOW);
    const second = book(first.state, { count: 1, deadlineMs: FAR }, pace, NOW);
    if (first.slots.kind !== 'go' || second.slots.kind !== 'go') throw new Error('Not booked.');
    expect(first.slots.atMs).toBeGreaterThanOrEqual(NOW + 6_000);
    expect(second.slots.atMs - first.slots.atMs).toBe(200);
  });
});

describe('a stop', () => {
  const pace = paceOf(FIVE);
  const throttled = { reason: 'throttled', untilMs: NOW + 10_000 } as const;
  const refused = { reason: 'key-refused', untilMs: NOW + 6 * 3_600_000 } as const;

  it('holds for everybody until it ends', () => {
    const state = stopped(idleState(NOW), refused);
    for (const atMs of [NOW, NOW + 3_600_000, refused.untilMs - 1]) {
      const booked = book(state, { count: 1, deadlineMs: FAR }, pace, atMs);
      expect(booked).toEqual({ state, slots: { kind: 'stopped', stop: refused } });
    }
    const later = book(state, { count: 1, deadlineMs: FAR }, pace, refused.untilMs);
    expect(later.slots.kind).toBe('go');
    expect(later.state.stop).toBeUndefined();
  });

  it('for speed is waited out by those who have the time, and told to the others', () => {
    const state = stopped(idleState(NOW), throttled);
    const patient = book(state, { count: 1, deadlineMs: NOW + 25_000 }, pace, NOW);
    expect(patient.slots).toEqual({ kind: 'go', atMs: NOW + 10_000, count: 1 });
    const hasty = book(state, { count: 1, deadlineMs: NOW + 5_000 }, pace, NOW);
    expect(hasty).toEqual({ state, slots: { kind: 'stopped', stop: throttled } });
  });

  it('for speed still holds for others after one has booked a slot behind it', () => {
    const state = stopped(idleState(NOW), throttled);
    const first = book(state, { count: 1, deadlineMs: NOW + 25_000 }, pace, NOW);
    const second = book(first.state, { count: 1, deadlineMs: NOW + 25_000 }, pace, NOW + 1);
    expect(second.slots).toEqual({ kind: 'go', atMs: NOW + 10_200, count: 1 });
  });

  it('never lets a slot before its end, and leaves an empty bucket behind', () => {
    fc.assert(
      fc.property(quotas, wishes, fc.nat(60_000), (quota, all, forMs) => {
        const own = paceOf(quota);
        const stop = { reason: 'throttled', untilMs: NOW + forMs } as const;
        const { arrivalsMs } = bookAll(stopped(idleState(NOW), stop), all, own, NOW);
        expect(arrivalsMs.every((atMs) => atMs >= stop.untilMs)).toBe(true);
        const emptied = arrivalsMs.filter((atMs) => atMs < stop.untilMs + own.intervalMs);
        // Only what drips in: one call at the end of the stop, the next an interval later.
        expect(emptied.length).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('gives way to no shorter one', () => {
    const longFirst = stopped(stopped(idleState(NOW), refused), throttled);
    const longLast = stopped(stopped(idleState(NOW), throttled), refused);
    expect(longFirst.stop).toEqual(refused);
    expect(longLast.stop).toEqual(refused);
  });

  it('of two that end together is the one that came last', () => {
    const same = { reason: 'plan-used-up', untilMs: throttled.untilMs } as const;
    expect(stopped(stopped(idleState(NOW), throttled), same).stop).toEqual(same);
  });

  it('of a refused key outlasts every key', () => {
    const stop = refusedKey(NOW);
    expect(stop.reason).toBe('key-refused');
    expect(stop.untilMs - NOW).toBeGreaterThan(9 * 365 * 24 * 3_600_000);
  });

  it('that was not for speed leaves no empty bucket behind', () => {
    const state = stopped(idleState(NOW), { reason: 'plan-used-up', untilMs: NOW + 1_000 });
    const wish = { count: 8, deadlineMs: FAR };
    expect(book(state, wish, pace, NOW + 1_000).slots).toEqual({
      ...{ kind: 'go', atMs: NOW + 1_120, count: 8 },
    });
  });

  it('moves no booking, so that a stop which a person ends leaves nothing behind', () => {
    const both = stopped(stopped(idleState(NOW), throttled), refused);
    expect(both.tatMs).toBe(NOW);
  });
});
