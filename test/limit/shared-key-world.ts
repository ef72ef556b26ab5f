// Several spreadsheets with one key, which know nothing of each other: each has a gate of its own, and
// the service counts strictly.

import { createRandom, type Random, seedFrom } from 'apps-script-host/random';
import { admit, type Level, type Quota as ServiceQuota } from '../../playground/api/limits';
import type { Lock } from '../../src/google/platform';
import { type BookedSlot, type Gate, gate, HORIZON_MS } from '../../src/limit/gate';
import type { Quota } from '../../src/limit/pace';
import { NOW } from '../engine/asking-world';
import { memoryCache } from '../memory-store';

export interface SharedKey {
  readonly seed: number;
  readonly documents: number;
  /** Asks that each spreadsheet has in flight, as the open page has. */
  readonly asks: number;
  readonly forMs: number;
  /** How the service counts, and what is stated of it. */
  readonly counted: ServiceQuota;
  readonly stated: Quota;
  /** How much later than the one before each spreadsheet begins. */
  readonly apartMs?: number;
}

export interface Shared {
  readonly refused: number;
  /** In the order of the spreadsheets. */
  readonly answered: readonly number[];
  readonly refusedAtMs: readonly number[];
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
export function playShared(world: SharedKey): Shared {
  const random = createRandom(seedFrom(world.seed, 'shared key'));
  // A minute of the clock begins anywhere in it.
  const startMs = NOW + random.integer(0, 60_000);
  const endMs = startMs + world.forMs;
  const steps: { atMs: number; go: () => void }[] = [];
  const at = (atMs: number, go: () => void) => steps.push({ atMs, go });
  const answered = Array.from({ length: world.documents }, () => 0);
  const refusedAtMs: number[] = [];
  let nowMs = startMs;
  let level: Level | undefined;

  /** Arrives now; gives the time that the service names, if it refuses the call. */
  function arrive(document: number): number | undefined {
    const admission = admit(world.counted, level, nowMs);
    level = admission.level;
    if (admission.admitted) answered[document] = (answered[document] ?? 0) + 1;
    else refusedAtMs.push(nowMs - startMs);
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
    const beginMs = startMs + document * (world.apartMs ?? 0);
    at(beginMs, () => open('saver').reopen());
    for (let i = 0; i < world.asks; i += 1) {
      const own = open(`ask-${i}`);
      at(beginMs + 1_000 + random.integer(0, 1_000), () => book(own, i, 0));
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
      at(Math.min(nowMs + 4_000, slot.atMs - Math.max(LOOK_MS, 2 * own.lookMs())), () => {
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
  return { refused: refusedAtMs.length, answered, refusedAtMs };
}
