// How the tests of the gate judge a schedule: calls on their way to a service that counts strictly.

import * as fc from 'fast-check';
import { admit, type Level, type Quota as ServiceQuota } from '../../playground/api/limits';
import { book, type Pace, type Quota, type RateState } from '../../src/quota/rate';

/**
 * The longest a call may be on its way, beyond the shortest. The gate allows for 300 ms; the last of
 * them is lost on a clock that counts whole milliseconds.
 */
const JITTER_MS = 299;

/** One execution asks for slots, some time after the one before it. */
export interface Wish {
  readonly stepMs: number;
  readonly count: number;
  readonly waitMs: number;
  /** How long each call of the wave is on its way. */
  readonly jittersMs: readonly number[];
}

const jitter = fc.oneof(fc.constantFrom(0, JITTER_MS), fc.nat(JITTER_MS));

/** The clock mostly stands still or creeps, sometimes leaps, and sometimes steps back. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: fc.nat(400) },
  { weight: 1, arbitrary: fc.integer({ min: 1_000, max: 20_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: -2_000, max: -1 }) },
);

export const wishes = fc.array(
  fc.record({
    stepMs: step,
    count: fc.integer({ min: 1, max: 60 }),
    waitMs: fc.constantFrom(0, 500, 3_000, 25_000, 300_000),
    jittersMs: fc.array(jitter, { minLength: 1, maxLength: 12 }),
  }),
  { minLength: 1, maxLength: 60 },
);

export interface Booked {
  readonly state: RateState;
  readonly nowMs: number;
  readonly arrivalsMs: readonly number[];
}

/** Books every wish in turn; calls leave at their slot, on a clock of whole milliseconds. */
export function bookAll(
  start: RateState,
  all: readonly Wish[],
  pace: Pace,
  fromMs: number,
  lastSlotMs = Number.POSITIVE_INFINITY,
): Booked {
  let state = start;
  let nowMs = fromMs;
  const arrivalsMs: number[] = [];
  for (const { stepMs, count, waitMs, jittersMs } of all) {
    nowMs += stepMs;
    const deadlineMs = Math.min(nowMs + waitMs, lastSlotMs);
    const booked = book(state, { count, deadlineMs }, pace, nowMs);
    state = JSON.parse(JSON.stringify(booked.state)) as RateState;
    const { slots } = booked;
    if (slots.kind !== 'go') continue;
    const sentMs = Math.ceil(slots.atMs);
    for (let i = 0; i < slots.count; i++)
      arrivalsMs.push(sentMs + (jittersMs[i % jittersMs.length] ?? 0));
  }
  return { state, nowMs, arrivalsMs };
}

/** How many of the calls the service refuses. */
export function refusals(quota: ServiceQuota, arrivalsMs: readonly number[]): number {
  let level: Level | undefined;
  let refused = 0;
  for (const atMs of [...arrivalsMs].sort((a, b) => a - b)) {
    const admission = admit(quota, level, atMs);
    level = admission.level;
    if (!admission.admitted) refused += 1;
  }
  return refused;
}

/** Every way a service may count what this quota says. */
export function lawsOf({ calls, perSeconds, burst }: Quota): readonly ServiceQuota[] {
  if (burst !== undefined) return [{ kind: 'bucket', calls, perSeconds, burst }];
  return [
    { kind: 'sliding', calls, perSeconds },
    { kind: 'calendar', calls, perSeconds },
  ];
}

/** Without a burst, so the service may count any window. */
export const windows: fc.Arbitrary<Quota> = fc.record({
  calls: fc.integer({ min: 1, max: 60 }),
  perSeconds: fc.constantFrom(1, 2, 7, 60),
});

export const quotas: fc.Arbitrary<Quota> = fc.oneof(
  fc.record({
    calls: fc.integer({ min: 1, max: 60 }),
    perSeconds: fc.constantFrom(1, 2, 7, 60),
    burst: fc.integer({ min: 1, max: 50 }),
  }),
  windows,
);
