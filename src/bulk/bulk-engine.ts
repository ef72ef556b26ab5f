// The engine as a run uses it: its limits, and looks between two waves and into long sleeps.

import type { Answer } from '../analysis/answer';
import { createEngine, type Engine } from '../analysis/engine';
import { type Failure, isFailure, willPass } from '../analysis/failure';
import { connectionIn } from '../analysis/stored-connection';
import { connectionStore } from '../connection/connection-store';
import type { Platform } from '../platform/ports';
import type { Booking } from '../quota/gate';
import { HORIZON_MS } from '../quota/rate';

/** Nobody looks at a single row of a run, so a slow service gets its time. */
const CALL_TIMEOUT_MS = 30_000;

/** After the last slot a wave may still be under way, and its answers are still written. */
const LAST_ANSWERS_MS = CALL_TIMEOUT_MS + 5_000;

/** A sleep is looked into so often: a wish to pause is kept within a second or two. */
const NAP_MS = 1_000;
/** Looking into a sleep takes time; shortly before its end it would be overslept. */
const LOOK_MS = 400;

/** A key that rests beyond the end of a slice may be given another limit meanwhile: look so often. */
const REST_LOOK_MS = 15_000;

export interface Watch {
  /** Before each booking, so between two waves. Throws to end the slice. */
  readonly betweenWaves: (bulk: BulkEngine) => void;
  /** When the call that was booked, or refused its slot, is due; null where it is not known. */
  readonly booked: (dueMs: number | null) => void;
  /** No call is due in this slice, though the key is good. Throws to end the slice; else it waits. */
  readonly beyond: (booking: Booking) => void;
  /** While waiting for a slot or a retry. Throws to end the slice. */
  readonly asleep: (untilMs: number) => void;
  /** Answers as they come, by product key. */
  readonly onAnswers: (answers: ReadonlyMap<string, Answer>) => void;
  readonly onCalls: (count: number) => void;
  /** How many calls may be made yet, at least one. */
  readonly callsLeft: () => number;
}

export interface BulkEngine {
  readonly engine: Engine;
  /** Puts what was answered since into the cache that all doors share. */
  readonly keep: () => void;
  /** How many answers wait for that. */
  readonly unkept: () => number;
}

function dueOf(booking: Booking): number | null {
  switch (booking.kind) {
    case 'go':
    case 'late':
      return booking.atMs;
    case 'early':
      return booking.askAtMs;
    case 'stopped':
      return booking.stop.untilMs;
    default:
      return null;
  }
}

/** It would be asked for in vain again and again. */
const isBeyond = (booking: Booking): boolean =>
  booking.kind === 'late' || (booking.kind === 'stopped' && booking.stop.reason === 'throttled');

/** The connection that the person at the keyboard, or whose trigger it is, uses. */
export function openEngine(platform: Platform, untilMs: number): Engine | Failure {
  const stored = connectionStore({
    ...platform,
    loopbackAllowed: __LOOPBACK_ALLOWED__,
  }).forPerson();
  const connection = connectionIn(stored);
  if (isFailure(connection)) return connection;
  return createEngine(platform, connection, {
    bookUntilMs: untilMs,
    horizonMs: HORIZON_MS,
    endMs: untilMs + LAST_ANSWERS_MS,
    callTimeoutMs: CALL_TIMEOUT_MS,
    listsWaiting: false,
  });
}

export function bulkEngine(
  platform: Platform,
  untilMs: number,
  watch: Watch,
): BulkEngine | Failure {
  const { clock, http } = platform;
  const counting: Platform = {
    ...platform,
    http: {
      sendAll(requests) {
        watch.onCalls(requests.length);
        return http.sendAll(requests);
      },
    },
  };
  const opened = openEngine(counting, untilMs);
  if (isFailure(opened)) return opened;
  const { cache, gate } = opened;
  let unkept = new Map<string, Answer>();
  const engine: Engine = {
    ...opened,
    platform: { ...opened.platform, clock: { nowMs: clock.nowMs, sleep } },
    gate: {
      ...gate,
      book(names, ...reach) {
        for (;;) {
          watch.betweenWaves(self);
          const booking = gate.book(names.slice(0, watch.callsLeft()), ...reach);
          const dueMs = dueOf(booking);
          watch.booked(dueMs);
          const leftMs = untilMs - clock.nowMs();
          if (dueMs === null || !isBeyond(booking) || leftMs <= 0) return booking;
          watch.beyond(booking);
          sleep(Math.min(leftMs, REST_LOOK_MS));
        }
      },
    },
    cache: {
      ...cache,
      // A problem that passes is no answer to a run: whoever tries again wants it asked again.
      find(keys, wish, nowMs) {
        const there = [...cache.find(keys, wish, nowMs)];
        const { notBeforeMs = 0 } = wish;
        const isFit = (answer: Answer) =>
          answer.ok ? answer.analysis.fetchedAtMs >= notBeforeMs : !willPass(answer.failure);
        const found = new Map(there.filter(([, answer]) => isFit(answer)));
        watch.onAnswers(found);
        return found;
      },
      // Each product of a wave is in two of many buckets: kept together, they cost far fewer calls.
      keep(answers) {
        for (const [key, answer] of answers) unkept.set(key, answer);
        watch.onAnswers(answers);
      },
    },
  };

  function sleep(durationMs: number): void {
    const endMs = clock.nowMs() + durationMs;
    for (let leftMs = durationMs; leftMs > NAP_MS + LOOK_MS; leftMs = endMs - clock.nowMs()) {
      clock.sleep(NAP_MS);
      watch.asleep(endMs);
    }
    clock.sleep(endMs - clock.nowMs());
  }

  const self: BulkEngine = {
    engine,
    unkept: () => unkept.size,
    keep() {
      if (unkept.size === 0) return;
      const answers = unkept;
      unkept = new Map();
      cache.keep(answers, {}, clock.nowMs());
    },
  };
  return self;
}
