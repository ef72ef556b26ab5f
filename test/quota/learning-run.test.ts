// Learning at work: whole runs against a service that counts strictly and whose quota was never given.

import { describe, expect, it } from '@jest/globals';
import type { Quota } from '../../playground/api/limits';
import { amazonRate, rateLimitTriple, xEpochSeconds } from '../../playground/api/rate-signals';
import { describeLearned } from '../../src/quota/learn-rate';
import { type Finish, median, type Run, runLoop, START_MS } from './learning-loop';

const SEEDS = [11, 28, 45, 62, 79, 96, 113];
const CALLS = 10_000;

/** All seeds of one run, of two executions that both learn from every refusal. */
function runs(run: Partial<Run> & Pick<Run, 'quotaAt'>): readonly Finish[] {
  const usual = { calls: CALLS, workers: 2, saysWait: true, counted: 'when-booked' } as const;
  return SEEDS.map((seed) => runLoop({ ...usual, ...run, seed }));
}

const bucket = (calls: number, burst: number) => (): Quota => ({
  kind: 'bucket',
  calls,
  perSeconds: 1,
  burst,
});

const ratioOf = (finishes: readonly Finish[], idealMs: number) =>
  median(finishes.map(({ tookMs }) => tookMs / idealMs));
const refusedOf = (finishes: readonly Finish[]) => median(finishes.map(({ refused }) => refused));

const idealMs = (perSecond: number, calls = CALLS) => (calls * 1_000) / perSecond;

/** 0.6 % of all calls. */
const REFUSED_MAX = 60;

describe.each(['when-booked', 'once-accepted'] as const)('calls counted %s', (counted) => {
  it.each([
    ['5 a second, 10 at once', 5, 10],
    ['20 a second, 40 at once', 20, 40],
  ])('%s: learned within 6 % and 0.6 % refused', (_, perSecond, burst) => {
    const finishes = runs({ quotaAt: bucket(perSecond, burst), counted });
    expect(ratioOf(finishes, idealMs(perSecond))).toBeLessThanOrEqual(1.06);
    expect(refusedOf(finishes)).toBeLessThanOrEqual(REFUSED_MAX);
  });

  it('a quota that falls from 5 to 2 and rises to 8 is followed within 15 %', () => {
    const stageMs = 600_000;
    const quotaAt = (sinceMs: number) =>
      bucket(sinceMs < stageMs ? 5 : sinceMs < 2 * stageMs ? 2 : 8, 10)();
    const finishes = runs({ quotaAt, counted });
    const calls = CALLS - (5 + 2) * 600;
    expect(ratioOf(finishes, 2 * stageMs + idealMs(8, calls))).toBeLessThanOrEqual(1.15);
    expect(refusedOf(finishes)).toBeLessThanOrEqual(REFUSED_MAX);
  });

  it.each([
    ['calendar', 20_000, 1.05],
    ['sliding', 0, 1.12],
  ] as const)('60 a minute in %s windows: few refusals', (kind, lateMs, ratio) => {
    const quota: Quota = { kind, calls: 60, perSeconds: 60 };
    // A calendar minute is met in its middle, where it seems to be shorter than it is.
    const startMs = START_MS + lateMs;
    const finishes = runs({ quotaAt: () => quota, counted, calls: 2_000, startMs });
    expect(ratioOf(finishes, idealMs(1, 2_000))).toBeLessThanOrEqual(ratio);
    expect(refusedOf(finishes)).toBeLessThanOrEqual(REFUSED_MAX);
  });
});

describe('a single execution', () => {
  it('learns 5 a second as well, with waves as wide as it needs', () => {
    const finishes = runs({ quotaAt: bucket(5, 10), workers: 1 });
    expect(ratioOf(finishes, idealMs(5))).toBeLessThanOrEqual(1.06);
    expect(refusedOf(finishes)).toBeLessThanOrEqual(REFUSED_MAX);
  });
});

describe('refusals that do not say for how long', () => {
  it('are learned from too', () => {
    const finishes = runs({ quotaAt: bucket(5, 10), saysWait: false });
    expect(ratioOf(finishes, idealMs(5))).toBeLessThanOrEqual(1.06);
    expect(refusedOf(finishes)).toBeLessThanOrEqual(REFUSED_MAX);
  });
});

describe('headers that say the quota', () => {
  it.each([
    ['5 a second, 10 at once', rateLimitTriple, bucket(5, 10), 5, 1.01],
    ['20 a second, 40 at once', rateLimitTriple, bucket(20, 40), 20, 1.01],
    ['the rate alone', amazonRate, bucket(20, 40), 20, 1.06],
    [
      '60 a calendar minute',
      rateLimitTriple,
      (): Quota => ({ kind: 'calendar', calls: 60, perSeconds: 60 }),
      1,
      1.02,
    ],
    [
      '60 in any minute',
      rateLimitTriple,
      (): Quota => ({ kind: 'sliding', calls: 60, perSeconds: 60 }),
      1,
      1.02,
    ],
  ])('are kept without a refusal: %s', (_, signals, quotaAt, perSecond, ratio) => {
    const calls = perSecond * 1_000;
    const finishes = runs({ quotaAt, signals, calls });
    expect(ratioOf(finishes, idealMs(perSecond, calls))).toBeLessThanOrEqual(ratio);
    expect(Math.max(...finishes.map(({ refused }) => refused))).toBe(0);
  });

  it('without a window slow the search down: a minute is not spent at once', () => {
    const quota: Quota = { kind: 'calendar', calls: 60, perSeconds: 60 };
    const run = { quotaAt: () => quota, calls: 300 };
    const told = refusedOf(runs({ ...run, signals: xEpochSeconds }));
    expect(told).toBeLessThanOrEqual(refusedOf(runs(run)));
  });
});

describe('what a person is shown after a run', () => {
  it('is the quota, within 8 %', () => {
    for (const { learned } of runs({ quotaAt: bucket(5, 10) })) {
      const { calls, perSeconds } = describeLearned(learned);
      expect(calls / perSeconds).toBeGreaterThan(5 * 0.92);
      expect(calls / perSeconds).toBeLessThan(5 * 1.08);
    }
  });
});

describe('a run', () => {
  it('comes out the same twice', () => {
    const run = { quotaAt: bucket(5, 10), calls: 1_000 };
    expect(runs(run)).toEqual(runs(run));
  });
});
