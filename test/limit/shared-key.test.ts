// A key that others use as well, and a service that wants calls apart: what the refusals cost, and how
// much of the key is used.

import { describe, expect, it } from '@jest/globals';
import type { SandboxKey } from '../../playground/api/keys';
import { arrivalsOf } from '../../playground/api/state';
import { createWorld } from '../doors/world';
import { playShared } from './shared-key-world';

const SEEDS = 3;
const FOR_MS = 300_000;
const DOCUMENTS = 3;

/** As many asks as the open page has in flight. */
const ASKS = 3;

const FIVE = { calls: 5, perSeconds: 1 };
const SIXTY = { calls: 60, perSeconds: 60 };

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

describe.each([
  {
    law: 'a bucket of 5 a second, 10 at once',
    counted: { kind: 'bucket', ...FIVE, burst: 10 } as const,
    stated: { ...FIVE, burst: 10 },
  },
  {
    law: 'a fixed window of 60 a minute',
    counted: { kind: 'calendar', ...SIXTY } as const,
    stated: SIXTY,
  },
  {
    law: 'a sliding window of 5 a second',
    counted: { kind: 'sliding', ...FIVE } as const,
    stated: FIVE,
  },
])('three spreadsheets under $law', ({ counted, stated }) => {
  it('meet few refusals, use most of the key, and share it', () => {
    const played = Array.from({ length: SEEDS }, (_, i) =>
      playShared({
        ...{ seed: i + 1, documents: DOCUMENTS, asks: ASKS, forMs: FOR_MS },
        ...{ counted, stated },
      }),
    );
    const granted = (stated.calls * FOR_MS) / (1_000 * stated.perSeconds);
    const sums = played.map(({ answered }) => answered.reduce((sum, count) => sum + count, 0));
    const refusedShare = played.map(({ refused }, i) => refused / (refused + (sums[i] ?? 0)));
    const shares = played.map(({ answered }) => (Math.min(...answered) * DOCUMENTS) / granted);
    expect(median(refusedShare)).toBeLessThanOrEqual(0.03);
    expect(median(sums.map((sum) => sum / granted))).toBeGreaterThanOrEqual(0.85);
    expect(median(shares)).toBeGreaterThanOrEqual(0.6);
  });
});

// One call in a hundred takes a slow way, and the next one then comes too soon behind it.
describe.each([
  { spacing: 0.3, quota: { calls: 10, perSeconds: 3 }, most: 10, used: 0.6 },
  { spacing: 0.5, quota: { calls: 2, perSeconds: 1 }, most: 5, used: 0.7 },
  { spacing: 1, quota: SIXTY, most: 5, used: 0.8 },
  { spacing: 2, quota: { calls: 30, perSeconds: 60 }, most: 5, used: 0.9 },
])('a service that wants calls $spacing s apart', ({ spacing, quota, most, used }) => {
  it(`refuses at most ${most} in five minutes, and answers most of what it allows`, () => {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const { refused, answered } = playShared({
        ...{ seed, documents: 1, asks: ASKS, forMs: FOR_MS },
        ...{ counted: { kind: 'bucket', ...quota, burst: 1 }, stated: quota },
      });
      expect(refused).toBeLessThanOrEqual(most);
      expect(answered[0]).toBeGreaterThanOrEqual((used * FOR_MS) / (1_000 * spacing));
    }
  });
});

describe('a service that wants calls a second apart', () => {
  it('answers 20 of 24 possible products of a formula over 75', async () => {
    const keys: SandboxKey[] = [
      { name: 'a-key', what: 'calls apart', quota: { kind: 'bucket', ...SIXTY, burst: 1 } },
    ];
    const answered = [];
    for (const seed of [1, 2, 3]) {
      const world = createWorld({
        sandbox: { seed, keys, productsPerMarket: 75 },
        host: { seed },
      });
      await world.connect({ apiKey: 'a-key', quota: SIXTY });
      const before = arrivalsOf(world.service()).length;
      const asins = [...world.service().catalogue.asins.US].slice(-75);
      const range = asins.map((asin) => [asin]);
      const outcome = await world.show('ANALYZE', range, 'US', 'profit');
      expect(outcome.endedMs - outcome.startedMs).toBeLessThan(30_000);
      const calls = arrivalsOf(world.service()).slice(before);
      answered.push(calls.filter(({ outcome: ended }) => ended === 'answered').length);
      await world.stop();
    }
    expect(median(answered)).toBeGreaterThanOrEqual(20);
  });
});
