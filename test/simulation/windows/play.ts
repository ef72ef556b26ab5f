// Plays a law on the real gate: callers book, wait and send as executions do, each by its own
// clock, and the lock orders them.

import { createRandom, type Random, seedFrom } from 'apps-script-host/random';
import { admit, type Level } from '../../../playground/api/limits';
import type { Cache, Lock } from '../../../src/google/platform';
import { type Booking, type Gate, gate } from '../../../src/limit/gate';
import { type Caller, drawLaw, nameOfLaw, type WindowLaw } from './law';

const START_MS = Date.UTC(2026, 0, 5, 9);

/** The doors' values: how long they book, how far ahead, and how long a call may take. */
const CELL = { bookMs: 24_000, leaseMs: 14_000 };
const RUN = { bookMs: 300_000, horizonMs: 2_000, leaseMs: 31_000 };

/** A slot that is reached later than this is dropped, as in `engine/ask.ts`. */
const LATE_MS = 200;

/** With a longer wait a caller looks again this long before the slot, as in `engine/ask.ts`. */
const LONG_WAIT_MS = 500;
const LOOK_MS = 150;

const HOLD_MS = 3_000;
const TAIL_SHARE = 0.02;

interface Played {
  readonly sent: number;
  readonly refused: number;
  readonly dropped: number;
}

/**
 * Plays laws from a seed on; returns those in which a window held more than was granted.
 *
 * @param share the share of the stated quota that the service really grants.
 */
export function sweepLaws(seed: number, runs: number, share = 1) {
  let [sent, dropped] = [0, 0];
  const broken: string[] = [];
  for (let one = seed; one < seed + runs; one += 1) {
    const law = drawLaw(one);
    const played = playLaw(law, one, share);
    sent += played.sent;
    dropped += played.dropped;
    if (played.refused > 0) broken.push(`law ${one}: ${played.refused} refused; ${nameOfLaw(law)}`);
  }
  return { sent, dropped, broken };
}

interface Machine {
  nowMs: number;
  readonly cache: Cache;
  readonly lock: Lock;
  readonly random: Random;
}

function playLaw(law: WindowLaw, seed: number, share: number): Played {
  const machine = createMachine(law, createRandom(seedFrom(seed, 'machine')));
  const arrivalsMs: number[] = [];
  const counts = { dropped: 0 };
  if (!law.startsUnknown)
    gateFor(machine, law, { kind: 'run', atMs: 0, calls: 0, skewMs: 0 }, 's').reopen();
  const steps = law.callers.map((caller, at) =>
    stepsOf(machine, law, caller, `caller-${at}`, arrivalsMs, counts),
  );
  runAll(machine, steps);
  return { sent: arrivalsMs.length, refused: refusedOf(law, arrivalsMs, share), ...counts };
}

/** A caller's next step and its time; null: the caller has ended. */
interface Step {
  readonly atMs: number;
  readonly go: () => Step | null;
}

/** Always takes the earliest step. A step takes time, in which others wait for the lock. */
function runAll(machine: Machine, first: readonly Step[]): void {
  const open = [...first];
  while (open.length > 0) {
    let at = 0;
    for (let i = 1; i < open.length; i += 1)
      if ((open[i]?.atMs ?? 0) < (open[at]?.atMs ?? 0)) at = i;
    const step = open[at] as Step;
    machine.nowMs = step.atMs;
    const next = step.go();
    if (next === null) open.splice(at, 1);
    else open[at] = { ...next, atMs: Math.max(next.atMs, machine.nowMs) };
  }
}

function createMachine({ store, failures, losses }: WindowLaw, random: Random): Machine {
  let freeAtMs = 0;
  const left = [...losses].map((afterMs) => START_MS + afterMs).sort((a, b) => a - b);
  const values = new Map<string, string>();
  const take = () => {
    const tailMs = random.chance(TAIL_SHARE) ? store.tailMs : 0;
    machine.nowMs += random.integer(store.lowMs, store.highMs) + tailMs;
    while ((left[0] ?? Number.POSITIVE_INFINITY) <= machine.nowMs) {
      left.shift();
      values.clear();
    }
  };
  const cache: Cache = {
    getAll(names) {
      take();
      const found = names.flatMap((name) => {
        const value = values.get(name);
        return value === undefined ? [] : [[name, value] as const];
      });
      return Object.fromEntries(found);
    },
    putAll(added) {
      take();
      if (random.chance(failures / 100)) return false;
      for (const [name, value] of Object.entries(added)) values.set(name, value);
      return true;
    },
  };
  const lock: Lock = {
    run(waitMs, body) {
      const endMs = machine.nowMs + waitMs;
      if (random.chance(failures / 100) || freeAtMs > endMs) {
        machine.nowMs = endMs;
        return { held: false };
      }
      machine.nowMs = Math.max(machine.nowMs, freeAtMs) + random.integer(store.lowMs, store.highMs);
      const value = body();
      machine.nowMs += random.integer(store.lowMs, store.highMs);
      freeAtMs = machine.nowMs;
      return { held: true, value };
    },
  };
  const machine: Machine = { nowMs: START_MS, cache, lock, random };
  return machine;
}

function gateFor(
  machine: Machine,
  { quota }: WindowLaw,
  { kind, skewMs }: Caller,
  owner: string,
): Gate {
  const { cache, lock } = machine;
  return gate({
    ...{ cache, lock, quota, owner, fingerprint: 'key' },
    clock: { nowMs: () => Math.floor(machine.nowMs + skewMs), sleep: () => undefined },
    leaseMs: kind === 'run' ? RUN.leaseMs : CELL.leaseMs,
    ...(kind !== 'run' && { cellsPerDay: null }),
  });
}

function stepsOf(
  machine: Machine,
  law: WindowLaw,
  caller: Caller,
  owner: string,
  arrivalsMs: number[],
  counts: { dropped: number },
): Step {
  const { random } = machine;
  const { bookMs } = caller.kind === 'run' ? RUN : CELL;
  const horizonMs = caller.kind === 'run' ? RUN.horizonMs : undefined;
  const own = gateFor(machine, law, caller, owner);
  const trueMs = (clockMs: number) => Math.ceil(clockMs) - caller.skewMs;
  const beginMs = START_MS + caller.atMs;
  const deadlineMs = beginMs + bookMs + caller.skewMs;
  let open = Array.from({ length: caller.calls }, (_, i) => `${owner}-${i}`);
  const later = (atMs: number): Step | null =>
    atMs + caller.skewMs > deadlineMs ? null : { atMs, go: book };

  function book(): Step | null {
    if (open.length === 0) return null;
    const booking = own.book(open.slice(0, own.waveMax), deadlineMs, horizonMs);
    if (booking.kind === 'again' && booking.atMs <= deadlineMs)
      return later(Math.max(machine.nowMs + 1, trueMs(booking.atMs)));
    if (booking.kind === 'go') return waiting(booking);
    if (booking.kind === 'stopped') return null;
    return later(machine.nowMs + HOLD_MS + random.integer(0, 2_000));
  }

  /**
   * Before a distant slot, and once shortly before it, an execution checks whether it is still
   * valid.
   */
  function waiting(booking: Extract<Booking, { kind: 'go' }>): Step {
    const { atMs } = booking;
    const slot: Step = { atMs: trueMs(atMs), go: () => send(booking) };
    if (slot.atMs - machine.nowMs <= LONG_WAIT_MS) return slot;
    const look = () => (own.isOpen(booking) ? slot : book());
    return { atMs: slot.atMs - Math.max(LOOK_MS, 2 * own.readMs()), go: look };
  }

  function send({ atMs, mine }: Extract<Booking, { kind: 'go' }>): Step | null {
    const lateMs = machine.nowMs - trueMs(atMs);
    if (lateMs > LATE_MS) {
      counts.dropped += mine.length;
      return { atMs: machine.nowMs, go: book };
    }
    // A late start and a slow way together do not exceed the law's jitter.
    const wayMs = () => random.integer(0, Math.max(0, law.jitterMs - lateMs));
    for (const _ of mine) arrivalsMs.push(machine.nowMs + wayMs());
    open = open.filter((name) => !mine.includes(name));
    return { atMs: machine.nowMs + law.jitterMs + law.latencyMs, go: book };
  }

  return { atMs: beginMs, go: book };
}

function refusedOf({ counted }: WindowLaw, arrivalsMs: readonly number[], share: number): number {
  const kept = { ...counted, perSeconds: counted.perSeconds / share };
  let level: Level | undefined;
  let refused = 0;
  for (const atMs of [...arrivalsMs].sort((a, b) => a - b)) {
    const admission = admit(kept, level, atMs);
    level = admission.level;
    if (!admission.admitted) refused += 1;
  }
  return refused;
}
