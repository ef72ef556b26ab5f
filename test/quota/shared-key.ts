// Documents that share one key, in virtual time: a gate for each, a lossy cache between them.

import type { Random } from 'apps-script-host/random';
import { book, HORIZON_MS, lostState, type Pace, type RateState } from '../../src/quota/rate';
import {
  beat,
  beatNames,
  goodbye,
  inTurn,
  joining,
  needsBeat,
  type Participant,
  sharedPace,
} from '../../src/quota/share-key';

const FINGERPRINT = 'f00d';

/** How soon a document at work asks again when no slot is near. */
const ASK_AGAIN_MS = 1_000;

/** Between two bookings of one document: lock, read, write and unlock. */
const BOOKING_MS = 100;

export interface Script {
  readonly joinsAtMs: number;
  /** Calls it has to make; it stops when they are made. */
  readonly calls: number;
  /** It stops then, whatever is left. */
  readonly leavesAtMs?: number;
  readonly saysGoodbye?: boolean;
}

export interface World {
  readonly pace: Pace;
  readonly documents: readonly Script[];
  readonly random: Random;
  /** Of values written, how many are gone at once; of values read, how many are not found. */
  readonly lossRate: number;
  /** At these times the cache forgets everything. */
  readonly wipesAtMs?: readonly number[];
  /** With the cache, the state of every gate is gone as well. */
  readonly wipesGates?: boolean;
}

export interface Call {
  readonly document: number;
  readonly sentMs: number;
  readonly arrivesMs: number;
}

interface Document {
  readonly script: Script;
  readonly index: number;
  state: RateState | undefined;
  record: Participant | null;
  left: number;
}

type Act = (nowMs: number) => void;

/** Virtual time: acts in the order of their times, and of their booking where times are equal. */
function timeline() {
  const queue: { atMs: number; act: Act }[] = [];
  return {
    at(atMs: number, act: Act): void {
      let place = queue.length;
      while (place > 0 && (queue[place - 1]?.atMs ?? 0) > atMs) place -= 1;
      queue.splice(place, 0, { atMs: Math.ceil(atMs), act });
    },
    run(): void {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) next.act(next.atMs);
    },
  };
}

function lossyCache(random: Random, lossRate: number) {
  const values = new Map<string, string>();
  return {
    clear: () => values.clear(),
    put(name: string, value: string): void {
      if (random.chance(lossRate)) values.delete(name);
      else values.set(name, value);
    },
    getAll(names: readonly string[]): Record<string, string> {
      const found = names.filter((name) => values.has(name) && !random.chance(lossRate));
      return Object.fromEntries(found.map((name) => [name, values.get(name) ?? '']));
    },
  };
}

/** Runs until every document is done; calls are in the order of sending. */
export function run(world: World): readonly Call[] {
  const { random } = world;
  const time = timeline();
  const cache = lossyCache(random, world.lossRate);
  const calls: Call[] = [];
  const documents = world.documents.map(
    (script, index): Document => ({
      ...{ script, index, state: undefined, record: null, left: script.calls },
    }),
  );
  const afterStore = (nowMs: number, act: Act) => time.at(nowMs + random.between(20, 50), act);

  function ask(document: Document, nowMs: number): void {
    if (document.left <= 0) return;
    if (nowMs >= (document.script.leavesAtMs ?? Number.POSITIVE_INFINITY)) leave(document, nowMs);
    else if (needsBeat(document.record, nowMs)) beatFirst(document, nowMs);
    else bookWave(document, nowMs);
  }

  function leave({ script, record }: Document, nowMs: number): void {
    if (script.saysGoodbye !== true || record === null) return;
    const { name, value } = goodbye(record, FINGERPRINT, nowMs);
    afterStore(nowMs, () => cache.put(name, value));
  }

  function beatFirst(document: Document, nowMs: number): void {
    const { intervalMs } = world.pace;
    const me = { id: `doc${document.index}`, fingerprint: FINGERPRINT, intervalMs };
    afterStore(nowMs, (readMs) => {
      const read = cache.getAll(beatNames(FINGERPRINT));
      const { record, write, firstSlotNotBeforeMs } = beat(
        ...([document.record, read, me, readMs, random.next()] as const),
      );
      afterStore(readMs, (writtenMs) => {
        cache.put(write.name, write.value);
        document.record = record;
        const pace = sharedPace(world.pace, record.live);
        document.state ??= lostState(pace, writtenMs, 30);
        if (firstSlotNotBeforeMs !== undefined)
          document.state = joining(document.state, pace, firstSlotNotBeforeMs);
        bookWave(document, writtenMs);
      });
    });
  }

  function bookWave(document: Document, nowMs: number): void {
    const { live, rank } = document.record ?? { live: 1, rank: 0 };
    const pace = sharedPace(world.pace, live);
    const state = document.state ?? lostState(pace, nowMs, 30);
    const request = { count: document.left, deadlineMs: nowMs + HORIZON_MS };
    const booked = book(inTurn(state, { live, rank }, world.pace, nowMs), request, pace, nowMs);
    const { slots } = booked;
    if (slots.kind !== 'go') {
      time.at(nowMs + ASK_AGAIN_MS, (laterMs) => ask(document, laterMs));
      return;
    }
    document.state = booked.state;
    document.left -= slots.count;
    time.at(slots.atMs, (sentMs) => send(document.index, slots.count, sentMs));
    // Two executions take turns: while one waits for answers, the other books.
    time.at(Math.max(slots.atMs, nowMs + BOOKING_MS), (nextMs) => ask(document, nextMs));
  }

  function send(document: number, count: number, sentMs: number): void {
    for (let i = 0; i < count; i++) {
      const jitterMs = random.chance(0.01) ? random.between(90, 300) : random.between(20, 90);
      calls.push({ document, sentMs, arrivesMs: sentMs + jitterMs });
    }
  }

  function wipe(): void {
    cache.clear();
    if (world.wipesGates !== true) return;
    for (const document of documents) Object.assign(document, { state: undefined, record: null });
  }

  for (const document of documents)
    time.at(document.script.joinsAtMs, (nowMs) => ask(document, nowMs));
  for (const wipeMs of world.wipesAtMs ?? []) time.at(wipeMs, wipe);
  time.run();
  return calls;
}
