// Executions that send wave after wave: they leave room for newcomers, and hardly ever ask in vain.

import { describe, expect, it } from '@jest/globals';
import type { Lock } from '../../src/platform/ports';
import { type Gate, gate } from '../../src/quota/gate';
import {
  askAgainMs,
  type BookingBackOff,
  backOffAfter,
  HORIZON_MS,
  NO_BACK_OFF,
  type Quota,
} from '../../src/quota/rate';
import { memoryCache } from '../memory-store';

const NOW = 1_760_000_000_000;
const FIVE: Quota = { calls: 5, perSeconds: 1, burst: 10 };
const ONE: Quota = { calls: 1, perSeconds: 1, burst: 5 };
const FAR = NOW + 10 * 3_600_000;

/** From a slot to the next booking: the answers of the wave, and their way into the cache. */
const WAVE_MS = 500;

interface Worker {
  readonly gate: Gate;
  readyMs: number;
  readonly untilMs: number;
}

interface Report {
  readonly slotsMs: readonly number[];
  readonly inVain: number;
  /** How long a cell waits that asks a moment after each booking. */
  readonly cellWaitsMs: readonly number[];
}

/** Workers take turns in the order of time, each for so long. */
function work(quota: Quota, lastingMs: readonly number[], horizonMs: number | undefined): Report {
  const cache = memoryCache();
  const commonCache = memoryCache();
  const lock: Lock = { run: (_waitMs, body) => ({ held: true, value: body() }) };
  let nowMs = NOW;
  let inVain = 0;
  const slotsMs: number[] = [];
  const cellWaitsMs: number[] = [];
  const join = (owner: string) =>
    gate({
      ...{ cache, commonCache, lock, quota, owner, fingerprint: 'f1', leaseMs: 14_000 },
      clock: { nowMs: () => nowMs, sleep: () => undefined },
      random: { next: () => 0.5 },
    });
  join('saver').reopen();
  const workers = lastingMs.map(
    (forMs, i): Worker => ({ gate: join(`w${i}`), readyMs: NOW, untilMs: NOW + forMs }),
  );
  for (let turn = 0; ; turn += 1) {
    const busy = workers.filter(({ readyMs, untilMs }) => readyMs < untilMs);
    const [first] = busy.sort((a, b) => a.readyMs - b.readyMs);
    if (first === undefined) break;
    nowMs = first.readyMs;
    const names = Array.from({ length: first.gate.waveMax }, (_, i) => `p${turn}-${i}`);
    const before = cache.calls();
    const booking = first.gate.book(names, FAR, horizonMs);
    if (booking.kind === 'go') {
      slotsMs.push(booking.atMs);
      first.readyMs = booking.atMs + WAVE_MS;
      const held = new Map(cache.values);
      const cell = join(`cell${turn}`).book([`c${turn}`], FAR);
      if (cell.kind === 'go') cellWaitsMs.push(cell.atMs - nowMs);
      // The cell only asked how long it would take.
      for (const [name, value] of held) cache.values.set(name, value);
    } else if (booking.kind === 'early') {
      if (cache.calls() > before) inVain += 1;
      first.readyMs = Math.ceil(booking.askAtMs);
    } else throw new Error(`A worker was told ${booking.kind}.`);
  }
  return { slotsMs, inVain, cellWaitsMs };
}

const MINUTES_MS = 600_000;

describe.each([
  ['5 a second', FIVE, 1_600],
  ['1 a second', ONE, 4_000],
] as const)('workers of a key of %s', (_, quota, waveMs) => {
  it.each([
    [1, 0],
    [2, 0],
    // Two at a time hold all that the horizon allows, so the third asks once for each wave.
    [3, 1.1],
  ])('%i of them use all of it, and ask in vain %d times a wave', (count, inVainPerWave) => {
    const lastingMs = Array.from({ length: count }, () => MINUTES_MS);
    const { slotsMs, inVain } = work(quota, lastingMs, HORIZON_MS);
    expect(slotsMs.length).toBeGreaterThanOrEqual(Math.floor(MINUTES_MS / waveMs));
    expect(inVain).toBeLessThanOrEqual(10 + inVainPerWave * slotsMs.length);
  });

  it('hold no more in advance than a newcomer can wait for', () => {
    const lastingMs = [MINUTES_MS, MINUTES_MS, MINUTES_MS];
    const intervalMs = (quota.perSeconds * 1_000) / quota.calls;
    const bounded = work(quota, lastingMs, HORIZON_MS);
    expect(Math.max(...bounded.cellWaitsMs)).toBeLessThanOrEqual(
      Math.max(HORIZON_MS, waveMs) + intervalMs,
    );
    const unbounded = work(quota, lastingMs, undefined);
    expect(Math.max(...unbounded.cellWaitsMs)).toBeGreaterThan(HORIZON_MS + waveMs);
  });

  it('lose next to nothing when the others end before them', () => {
    const { slotsMs } = work(quota, [MINUTES_MS, 100_000, 100_000], HORIZON_MS);
    expect(slotsMs.length).toBeGreaterThanOrEqual(Math.floor(MINUTES_MS / waveMs) - 2);
  });
});

describe('what an execution knows of its turn', () => {
  const known: BookingBackOff = { slotMs: NOW, restMs: 700 };
  const early = (askAtMs: number) =>
    backOffAfter(known, { kind: 'early', atMs: askAtMs + HORIZON_MS, askAtMs }, HORIZON_MS);
  const go = (atMs: number) => backOffAfter(known, { kind: 'go', atMs, count: 1 }, HORIZON_MS);

  it('is nothing before its first booking, so it asks at once, and again behind its slot', () => {
    expect(askAgainMs(NO_BACK_OFF)).toBe(Number.NEGATIVE_INFINITY);
    const first = backOffAfter(NO_BACK_OFF, { kind: 'go', atMs: NOW, count: 1 }, HORIZON_MS);
    expect(askAgainMs(first)).toBe(NOW);
    expect(askAgainMs(known)).toBe(NOW + 700);
  });

  it('grows where it asked too early, but a crowd that passes is not waited for', () => {
    expect(askAgainMs(early(NOW + 900))).toBe(NOW + 900);
    expect(askAgainMs(early(NOW + 2 * HORIZON_MS))).toBe(NOW + 2 * HORIZON_MS);
    expect(askAgainMs(early(NOW + 2 * HORIZON_MS + 1))).toBe(NOW);
  });

  it('shrinks where it could have asked before, and never grows by a slot', () => {
    expect(go(NOW + HORIZON_MS + 300)).toEqual({ slotMs: NOW + HORIZON_MS + 300, restMs: 300 });
    expect(go(NOW + HORIZON_MS + 900)).toMatchObject({ restMs: 700 });
    expect(go(NOW + 100)).toMatchObject({ restMs: 0 });
  });

  it('stays where there was no slot for other reasons', () => {
    expect(backOffAfter(known, { kind: 'late', atMs: NOW + 9_000 }, HORIZON_MS)).toEqual(known);
    const stop = { reason: 'throttled', untilMs: NOW + 9_000 } as const;
    expect(backOffAfter(known, { kind: 'stopped', stop }, HORIZON_MS)).toEqual(known);
  });
});
