// A key that others use as well, and a service that wants calls apart: what the refusals cost, and how
// much of the key is used. Spreadsheets with one key know nothing of each other: each has a gate of its own.

import { describe, expect, it } from '@jest/globals';
import { createRandom, type Random, seedFrom } from 'apps-script-host/random';
import type { SandboxKey } from '../../playground/api/keys';
import { admit, type Level, type Quota as ServiceQuota } from '../../playground/api/limits';
import { arrivalsOf } from '../../playground/api/state';
import type { Lock } from '../../src/google/platform';
import { type BookedSlot, type Gate, gate, HORIZON_MS } from '../../src/limit/gate';
import type { Quota } from '../../src/limit/pace';
import { createWorld } from '../doors/world';
import { NOW } from '../engine/asking-world';
import { memoryCache } from '../memory-store';

interface SharedKey {
  readonly seed: number;
  readonly documents: number;
  /** Asks that each spreadsheet has in flight, as the open page has. */
  readonly asks: number;
  readonly forMs: number;
  /** How the service counts, and what is stated of it. */
  readonly counted: ServiceQuota;
  readonly stated: Quota;
}

interface Shared {
  readonly refused: number;
  /** In the order of the spreadsheets. */
  readonly answered: readonly number[];
}

/** A call to a store, and the way to the service: as the emulated host has them. */
const storeMs = (random: Random) => random.integer(20, 50);
const wayMs = (random: Random) =>
  random.chance(0.01) ? random.integer(90, 300) : random.integer(20, 90);
const answerMs = (random: Random) => Math.round(random.logNormal(250, 0.35));

/** The engine's own times, as in `engine/ask.ts`. */
const LOOK_MS = 150;
const LONG_WAIT_MS = 500;
const LATE_MS = 200;
const LEASE_MS = 31_000;

/** Uses the key as fast as the gates let it, and gives what the service refused and answered. */
function playShared(world: SharedKey): Shared {
  const random = createRandom(seedFrom(world.seed, 'shared key'));
  // A minute of the clock begins anywhere in it.
  const startMs = NOW + random.integer(0, 60_000);
  const endMs = startMs + world.forMs;
  const steps: { atMs: number; go: () => void }[] = [];
  const at = (atMs: number, go: () => void) => steps.push({ atMs, go });
  const answered = Array.from({ length: world.documents }, () => 0);
  let refused = 0;
  let nowMs = startMs;
  let level: Level | undefined;

  /** Arrives now; gives the time that the service names, if it refuses the call. */
  function arrive(document: number): number | undefined {
    const admission = admit(world.counted, level, nowMs);
    level = admission.level;
    if (admission.admitted) answered[document] = (answered[document] ?? 0) + 1;
    else refused += 1;
    return admission.admitted ? undefined : 1_000 * Math.ceil(admission.waitMs / 1_000);
  }

  function openDocument(document: number): void {
    const take = () => {
      nowMs += storeMs(random);
    };
    const cache = memoryCache(take);
    let freeAtMs = 0;
    const lock: Lock = {
      run(waitMs, body) {
        if (freeAtMs > nowMs + waitMs) return { held: false };
        nowMs = Math.max(nowMs, freeAtMs);
        take();
        const value = body();
        take();
        freeAtMs = nowMs;
        return { held: true, value };
      },
    };
    const clock = { nowMs: () => nowMs, sleep: () => undefined };
    const open = (owner: string) =>
      gate({
        ...{ cache, lock, clock, owner, fingerprint: 'key', quota: world.stated },
        leaseMs: LEASE_MS,
        answeredMs: () => nowMs,
      });
    at(startMs, () => open('saver').reopen());
    for (let i = 0; i < world.asks; i += 1) {
      const own = open(`ask-${i}`);
      at(startMs + 1_000 + random.integer(0, 1_000), () => book(own, i, 0));
    }

    function book(own: Gate, ask: number, first: number): void {
      if (nowMs >= endMs) return;
      const names = Array.from({ length: own.waveMax }, (_, i) => `${ask}-${first + i}`);
      const booking = own.book(names, nowMs + 300_000, HORIZON_MS);
      const again = () => book(own, ask, first);
      if (booking.kind === 'go') wait(own, booking, ask, first);
      else if (booking.kind === 'again') at(Math.min(booking.atMs, nowMs + 4_000), again);
      else at(nowMs + 3_000, again);
    }

    function wait(own: Gate, slot: BookedSlot, ask: number, first: number): void {
      const again = () => book(own, ask, first);
      if (slot.atMs - nowMs <= LONG_WAIT_MS) {
        at(slot.atMs, () => (nowMs > slot.atMs + LATE_MS ? again() : send(own, slot, ask, first)));
        return;
      }
      at(Math.min(nowMs + 4_000, slot.atMs - Math.max(LOOK_MS, 2 * own.readMs())), () => {
        if (own.isOpen(slot)) wait(own, slot, ask, first);
        else again();
      });
    }

    function send(own: Gate, { mine }: BookedSlot, ask: number, first: number): void {
      let [open, refused, waitMs] = [mine.length, 0, 0];
      for (const _ of mine)
        at(nowMs + wayMs(random), () => {
          const namedMs = arrive(document);
          if (namedMs !== undefined) {
            refused += 1;
            waitMs = Math.max(waitMs, namedMs);
          }
          at(nowMs + answerMs(random), () => {
            open -= 1;
            if (open > 0) return;
            if (refused > 0)
              own.stop(
                { reason: 'throttled', untilMs: nowMs + Math.max(1_000, waitMs) },
                mine,
                refused,
              );
            book(own, ask, first + mine.length);
          });
        });
    }
  }

  for (let document = 0; document < world.documents; document += 1) openDocument(document);
  for (;;) {
    const next = steps.reduce<number>(
      (best, { atMs }, i) => (best < 0 || atMs < (steps[best]?.atMs ?? 0) ? i : best),
      -1,
    );
    const [step] = next < 0 ? [] : steps.splice(next, 1);
    if (step === undefined || step.atMs > endMs) break;
    nowMs = step.atMs;
    step.go();
  }
  return { refused, answered };
}

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
