// The conditions under which a key is used: what the service grants and how it counts, how slow and
// forgetful Google is, and who calls.

import { createRandom, type Random, seedFrom } from 'apps-script-host/random';
import type { Quota as ServiceQuota } from '../../../playground/api/limits';
import type { Quota } from '../../../src/limit/pace';

/** A caller: a formula, a range, or a worker of a run. */
export interface Caller {
  readonly kind: 'cell' | 'range' | 'run';
  readonly atMs: number;
  readonly calls: number;
  /** How far the clock of its machine is ahead, in ms. */
  readonly skewMs: number;
}

export interface WindowLaw {
  readonly quota: Quota;
  /** If no burst is stated, the service may count either way. */
  readonly counted: ServiceQuota;
  readonly latencyMs: number;
  /** How much longer than the shortest time a call may take on its way. */
  readonly jitterMs: number;
  /** The duration of a cache call. */
  readonly store: { readonly lowMs: number; readonly highMs: number; readonly tailMs: number };
  /** How many locks in a hundred are refused, and as many writes to the cache. */
  readonly failures: number;
  /** When the cache forgets everything. */
  readonly losses: readonly number[];
  /** The key was used before, at times that are no longer known. */
  readonly startsUnknown: boolean;
  readonly callers: readonly Caller[];
}

/** Callers begin within this time. */
const MEET_MS = 90_000;

/** How far ahead runs and cells book. */
const BOOKED_AHEAD_MS = 300_000;
const CELLS_AHEAD_MS = 24_000;

/**
 * The gate's allowance for the way, less the last millisecond of a clock that counts whole ones.
 */
const WAY_MS = 299;

const CALLS = [1, 2, 3, 5, 8, 10, 20, 60, 100];
const PERIODS = [1, 2, 5, 10, 60];

export function drawLaw(seed: number): WindowLaw {
  const random = createRandom(seedFrom(seed, 'law'));
  const [calls, perSeconds] = [random.pick(CALLS), random.pick(PERIODS)];
  const burst = random.chance(0.5) ? random.integer(1, 40) : undefined;
  const counted = burst === undefined ? random.pick(['sliding', 'calendar'] as const) : 'bucket';
  const skewMs = 0;
  const slow = random.pick([1, 1, 4, 12]);
  const hasLosses = random.chance(0.3);
  const callers = drawCallers(random, skewMs);
  return {
    quota: { calls, perSeconds, ...(burst !== undefined && { burst }) },
    counted: { kind: counted, calls, perSeconds, burst: burst ?? 0 } as ServiceQuota,
    latencyMs: random.pick([30, 80, 400, 1_500, 4_000]),
    jitterMs: random.integer(0, WAY_MS - skewMs),
    store: { lowMs: 20 * slow, highMs: 50 * slow, tailMs: random.pick([0, 200, 900]) },
    failures: random.pick([0, 0, 3, 20]),
    losses: hasLosses ? drawLosses(random, (1_000 * perSeconds * (burst ?? 1)) / calls) : [],
    startsUnknown: random.chance(0.3),
    callers,
  };
}

/**
 * Each loss is repaired before the next. Otherwise, after the second one, no execution would know a
 * slot that was booked before the first.
 *
 * @param waveMs how far ahead a wave may be booked.
 */
function drawLosses(random: Random, waveMs: number): readonly number[] {
  const apartMs = Math.min(BOOKED_AHEAD_MS, Math.max(CELLS_AHEAD_MS, waveMs));
  const firstMs = random.integer(0, MEET_MS);
  return Array.from({ length: random.integer(1, 3) }, (_, at) => firstMs + at * apartMs);
}

function drawCallers(random: Random, skewMs: number): readonly Caller[] {
  const caller = (kind: Caller['kind'], atMs: number): Caller => ({
    ...{ kind, atMs },
    calls: kind === 'cell' ? 1 : random.integer(2, kind === 'range' ? 40 : 250),
    skewMs: random.integer(0, skewMs),
  });
  const some = Array.from({ length: random.integer(1, 6) }, () =>
    caller(random.pick(['cell', 'range', 'run', 'run']), random.integer(0, MEET_MS)),
  );
  const crowdMs = random.integer(0, MEET_MS);
  const crowd = random.chance(0.4) ? random.integer(5, 30) : 0;
  return [
    ...some,
    ...Array.from({ length: crowd }, () => caller('cell', crowdMs + random.integer(0, 2_000))),
  ];
}

/** "60 calls a 10 s, sliding; ...": describes a law that was broken. */
export const nameOfLaw = ({ quota, counted, callers, losses, ...law }: WindowLaw): string =>
  [
    `${quota.calls} calls in ${quota.perSeconds} s, ${counted.kind} ${quota.burst ?? ''}`,
    `service ${law.latencyMs} ms, way ${law.jitterMs} ms`,
    `stores ${law.store.lowMs} to ${law.store.highMs} ms, now and then ${law.store.tailMs} more`,
    `${law.failures} % of locks and writes fail, ${losses.length} losses`,
    `${callers.length} callers`,
  ].join('; ');
