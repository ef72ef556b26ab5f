// One key in several documents: each gets its fair part, and together they keep the quota.

import { describe, expect, it } from '@jest/globals';
import { createRandom } from 'apps-script-host/random';
import * as fc from 'fast-check';
import { book, idleState, paceOf } from '../../src/quota/rate';
import { inTurn, joining, sharedPace } from '../../src/quota/share-key';
import { lawsOf, quotas, refusals } from './service-law';
import { type Call, run, type Script, type World } from './shared-key';

const NOW = 1_760_000_000_000;
const FIVE = { intervalMs: 200, burst: 8 };
const SEEDS = [1, 2, 3];

describe('the shared pace', () => {
  it.each([
    [0, 200, 8],
    [1, 200, 8],
    [2, 404, 3],
    [3, 606, 2],
    [6, 1_212, 1],
    [20, 4_040, 1],
  ])('for %i live documents is a call each %i ms, %i at once', (live, intervalMs, burst) => {
    expect(sharedPace(FIVE, live)).toEqual({ intervalMs, burst });
  });

  it('of all together is never faster, nor has more burst than a call for each needs', () => {
    fc.assert(
      fc.property(quotas, fc.integer({ min: 1, max: 40 }), (quota, live) => {
        const pace = paceOf(quota);
        const share = sharedPace(pace, live);
        expect(live / share.intervalMs).toBeLessThanOrEqual(1 / pace.intervalMs + 1e-12);
        expect(share.burst * live).toBeLessThanOrEqual(Math.max(pace.burst, live));
      }),
    );
  });
});

describe('a newcomer among others', () => {
  it('begins at the moment given, with one call and not with a burst', () => {
    const share = sharedPace(FIVE, 2);
    const state = joining(idleState(NOW), share, NOW + 5_000);
    const request = { count: 1, deadlineMs: NOW + 60_000 };
    const first = book(state, request, share, NOW);
    const second = book(first.state, request, share, NOW);
    expect(first.slots).toMatchObject({ kind: 'go', atMs: NOW + 5_000 + 404 - 404 });
    expect(second.slots).toMatchObject({ kind: 'go', atMs: NOW + 5_000 + 404 });
  });

  it('keeps a later booking and a stop', () => {
    const stop = { reason: 'throttled', untilMs: NOW + 9_000 } as const;
    const state = { tatMs: NOW + 60_000, stop };
    expect(joining(state, FIVE, NOW + 5_000)).toEqual(state);
  });
});

describe('turns', () => {
  it('are not taken while the burst has a call for each', () => {
    const state = idleState(NOW);
    expect(inTurn(state, { live: 6, rank: 2 }, FIVE, NOW)).toBe(state);
    expect(inTurn(state, { live: 1, rank: 0 }, { intervalMs: 1_300, burst: 1 }, NOW)).toBe(state);
  });

  it('keep documents an interval apart, whenever and however often each of them books', () => {
    const asks = fc.array(fc.tuple(fc.nat(19), fc.nat(3_000)), { minLength: 2, maxLength: 60 });
    fc.assert(
      fc.property(asks, fc.integer({ min: 7, max: 20 }), (all, live) => {
        const share = sharedPace(FIVE, live);
        const states = Array.from({ length: live }, () => idleState(NOW));
        const slotsMs: number[] = [];
        let nowMs = NOW;
        for (const [who, stepMs] of all) {
          nowMs += stepMs;
          const rank = who % live;
          const state = inTurn(states[rank] ?? idleState(NOW), { live, rank }, FIVE, nowMs);
          const booked = book(state, { count: 1, deadlineMs: nowMs + 1e9 }, share, nowMs);
          if (booked.slots.kind === 'go') slotsMs.push(booked.slots.atMs);
          states[rank] = booked.state;
        }
        slotsMs.sort((a, b) => a - b);
        slotsMs.slice(1).forEach((atMs, i) => {
          expect(atMs - (slotsMs[i] ?? 0)).toBeGreaterThanOrEqual(201);
        });
      }),
    );
  });
});

const ONE_A_SECOND = { calls: 1, perSeconds: 1, burst: 5 };
const FIVE_A_SECOND = { calls: 5, perSeconds: 1, burst: 10 };
const TWENTY_A_SECOND = { calls: 20, perSeconds: 1, burst: 40 };
const SIXTY_A_MINUTE = { calls: 60, perSeconds: 60 };
const ALL = [ONE_A_SECOND, FIVE_A_SECOND, TWENTY_A_SECOND, SIXTY_A_MINUTE];

type Quota = Parameters<typeof paceOf>[0];
type Circumstances = Omit<World, 'pace' | 'documents' | 'random' | 'lossRate'>;

function callsOf(
  quota: Quota,
  documents: readonly Script[],
  seed: number,
  lossRate: number,
  circumstances: Circumstances = {},
): readonly Call[] {
  const random = createRandom(seed);
  return run({ pace: paceOf(quota), documents, random, lossRate, ...circumstances });
}

/** The time all calls took, as a multiple of what the quota alone would take. */
function ratioOf(quota: Quota, calls: readonly Call[]): number {
  const tookMs = Math.max(...calls.map((call) => call.arrivesMs)) - NOW;
  return tookMs / ((calls.length * quota.perSeconds * 1_000) / quota.calls);
}

/** By the strictest of the ways in which a service may count this quota. */
function refusedOf(quota: Quota, calls: readonly Call[]): number {
  const arrivalsMs = calls.map((call) => call.arrivesMs);
  return Math.max(...lawsOf(quota).map((law) => refusals(law, arrivalsMs)));
}

/** Calls of one document in a stretch of time, as part of those of all. */
function partOf(document: number, calls: readonly Call[], fromMs: number, toMs: number): number {
  const inside = calls.filter(({ sentMs }) => sentMs >= fromMs && sentMs < toMs);
  return inside.filter((call) => call.document === document).length / inside.length;
}

/** Each has work for five minutes of the whole rate, or for a thousand calls. */
const joining60sApart = ({ calls, perSeconds }: Quota): readonly Script[] =>
  [0, 1, 2].map((i) => ({
    joinsAtMs: NOW + 60_000 * i,
    calls: Math.max(1_000, (300 * calls) / perSeconds),
  }));

describe('three documents that join 60 s apart', () => {
  it.each(ALL)('use all of $calls calls in $perSeconds s, and are never refused', (quota) => {
    for (const seed of SEEDS) {
      const calls = callsOf(quota, joining60sApart(quota), seed, 0);
      expect(ratioOf(quota, calls)).toBeLessThanOrEqual(1.05);
      expect(refusedOf(quota, calls)).toBe(0);
    }
  });

  it.each(ALL)('are hardly refused at $calls in $perSeconds s by a lossy cache', (quota) => {
    const all = SEEDS.map((seed) => callsOf(quota, joining60sApart(quota), seed, 0.01));
    for (const calls of all) expect(ratioOf(quota, calls)).toBeLessThanOrEqual(1.05);
    const refused = all.reduce((sum, calls) => sum + refusedOf(quota, calls), 0);
    expect(refused / all.flat().length).toBeLessThanOrEqual(0.005);
  });

  it.each([FIVE_A_SECOND, TWENTY_A_SECOND])(
    'have their fair parts of $calls a second within 10 s of joining',
    (quota) => {
      for (const seed of SEEDS) {
        const calls = callsOf(quota, joining60sApart(quota), seed, 0.01);
        for (const document of [0, 1])
          expect(partOf(document, calls, NOW + 70_000, NOW + 120_000)).toBeCloseTo(1 / 2, 1);
        for (const document of [0, 1, 2])
          expect(partOf(document, calls, NOW + 130_000, NOW + 170_000)).toBeCloseTo(1 / 3, 1);
      }
    },
  );
});

describe('a leaver', () => {
  const leaving = (saysGoodbye: boolean): readonly Script[] => [
    { joinsAtMs: NOW, calls: 900 },
    { joinsAtMs: NOW + 5_000, calls: 900, leavesAtMs: NOW + 60_000, saysGoodbye },
  ];
  const wholeRate = (calls: readonly Call[], fromMs: number) =>
    calls.filter(({ sentMs }) => sentMs >= fromMs && sentMs < fromMs + 20_000).length / 100;

  it('that falls silent leaves its part to the others within 16 s', () => {
    for (const seed of SEEDS) {
      const calls = callsOf(FIVE_A_SECOND, leaving(false), seed, 0);
      expect(wholeRate(calls, NOW + 30_000)).toBeGreaterThan(0.9);
      expect(wholeRate(calls, NOW + 76_000)).toBeGreaterThan(0.9);
      expect(refusedOf(FIVE_A_SECOND, calls)).toBe(0);
    }
  });

  it('that says goodbye leaves its part within 6 s', () => {
    for (const seed of SEEDS) {
      const calls = callsOf(FIVE_A_SECOND, leaving(true), seed, 0);
      expect(wholeRate(calls, NOW + 66_000)).toBeGreaterThan(0.9);
    }
  });
});

describe('twenty documents', () => {
  it.each(ALL)('that join within 10 s keep to $calls calls in $perSeconds s', (quota) => {
    const documents = Array.from({ length: 20 }, (_, i) => ({
      joinsAtMs: NOW + 500 * i,
      calls: 100,
    }));
    for (const seed of SEEDS) {
      const calls = callsOf(quota, documents, seed, 0);
      expect(calls).toHaveLength(2_000);
      expect(refusedOf(quota, calls) / calls.length).toBeLessThanOrEqual(0.005);
    }
  });
});

describe('a cache that forgets everything each minute', () => {
  const wipesAtMs = Array.from({ length: 15 }, (_, i) => NOW + 30_000 + 60_000 * i);
  const documents = [0, 1, 2].map((i) => ({ joinsAtMs: NOW + 10_000 * i, calls: 1_000 }));

  it.each(ALL)('costs nothing, nor a refusal, at $calls calls in $perSeconds s', (quota) => {
    for (const seed of SEEDS) {
      const calls = callsOf(quota, documents, seed, 0, { wipesAtMs });
      expect(refusedOf(quota, calls)).toBe(0);
      expect(ratioOf(quota, calls)).toBeLessThanOrEqual(1.1);
    }
  });

  it('with the state of every gate costs the pauses of newcomers', () => {
    for (const seed of SEEDS) {
      const calls = callsOf(FIVE_A_SECOND, documents, seed, 0, { wipesAtMs, wipesGates: true });
      expect(refusedOf(FIVE_A_SECOND, calls)).toBe(0);
      expect(ratioOf(FIVE_A_SECOND, calls)).toBeLessThanOrEqual(1.2);
    }
  });
});
