// Executions that send wave after wave: they leave room for newcomers, and hardly ever ask in vain.

import { describe, expect, it } from '@jest/globals';
import type { Lock } from '../../src/platform/ports';
import { type Gate, gate } from '../../src/quota/gate';
import { HORIZON_MS, type Quota } from '../../src/quota/rate';
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
