// How spreadsheets share a key: heartbeats, and the share of each. Pure.

import * as z from 'zod/mini';
import { type Fits, lazySchema } from '../platform/lazy-schema';
import { HORIZON_MS, type Pace, type RateState } from './rate';

/** The number of values that hold all heartbeats of a key, few enough to read in one call. */
const SLOTS = 16;

/**
 * How long after its promised next beat a document counts as live: two more beats at the usual
 * pace.
 */
const GRACE_MS = 8_000;

/** No clock is ahead by more. A beat further in the future is damaged and would never expire. */
const CLOCK_SKEW_MS = 2_000;

/** The longest time that a document promises until its next beat, however slow the key. */
const PROMISE_MS_MAX = 600_000;

const BEAT = /^([a-z0-9]{1,16})@(\d{13})\+(\d{1,6})$/;

/**
 * Says that a document uses the key and looks again within this time; a promise of 0 is a goodbye.
 * It reveals nothing about the key, its owner or the sheet.
 */
interface Heartbeat {
  readonly id: string;
  readonly atMs: number;
  readonly promiseMs: number;
}

/** The names of the values with the heartbeats of one key. */
export function beatNames(fingerprint: string): readonly string[] {
  return Array.from({ length: SLOTS }, (_, slot) => beatName(fingerprint, slot));
}

function beatName(fingerprint: string, slot: number): string {
  return `h:${fingerprint}:${slot}`;
}

/** When the others stop counting this document. */
function liveUntilMs({ atMs, promiseMs }: Heartbeat): number {
  return atMs + promiseMs + Math.max(promiseMs, GRACE_MS);
}

function isLive(beat: Heartbeat, nowMs: number): boolean {
  return beat.promiseMs > 0 && nowMs < liveUntilMs(beat);
}

/** Whether no correct clock can have written this time. */
function isFromTheFuture(atMs: number, nowMs: number): boolean {
  return atMs > nowMs + CLOCK_SKEW_MS;
}

/** The latest beat of each document; of two at the same moment, the goodbye. */
function latest(beats: readonly Heartbeat[]): readonly Heartbeat[] {
  const byId = new Map<string, Heartbeat>();
  for (const beat of beats) {
    const known = byId.get(beat.id);
    const isLater = known === undefined || beat.atMs > known.atMs;
    if (isLater || (beat.atMs === known.atMs && beat.promiseMs === 0)) byId.set(beat.id, beat);
  }
  return [...byId.values()];
}

/**
 * Parses the beats in a value. Anything else is skipped, because the whole script can write to the
 * cache.
 */
function parseBeats(text: string | undefined, nowMs: number): readonly Heartbeat[] {
  return (text ?? '').split(' ').flatMap((word) => {
    const [, id, at, promise] = BEAT.exec(word) ?? [];
    if (id === undefined) return [];
    const beat = { id, atMs: Number(at), promiseMs: Number(promise) };
    const isSound = !isFromTheFuture(beat.atMs, nowMs) && beat.promiseMs <= PROMISE_MS_MAX;
    return isSound ? [beat] : [];
  });
}

function beatsText(beats: readonly Heartbeat[]): string {
  return beats.map(({ id, atMs, promiseMs }) => `${id}@${atMs}+${promiseMs}`).join(' ');
}

/** The time between two beats of a document that shares the key. */
const BEAT_MS = 4_000;

/**
 * A document alone beats more rarely, because two cache calls for each beat cost more than they
 * save. A slow key has few calls to spread them over, so it beats every ten calls, but a newcomer
 * never waits much longer than 10 s.
 */
const LONE_BEAT_MS = 6_000;
const LONE_BEAT_CALLS = 10;
const LONE_BEAT_MS_MAX = 10_000;

/**
 * A newcomer looks again soon, and then more and more rarely: another may have joined or taken its
 * slot at the same moment, or a beat may have been lost.
 */
const SECOND_LOOK_MS = 1_000;

/** Covers a read and a write under way and the difference between the clocks of two machines. */
const SETTLE_MS = 600;

/** The most documents in one slot. More than 16 * 8 with one key are left to the service's 429. */
const BEATS_PER_SLOT_MAX = 8;

/**
 * Calls of the common burst that no document gets, for waves that are booked while another one
 * joins.
 */
const BURST_RESERVE = 2;

/** The share of a call's time that stays free, so that an occasional extra call is compensated. */
const SLACK = 0.01;

/** A turn nearer than this is over before its call could be sent. */
const TURN_LEAD_MS = 150;

/** A document's part in a key's rate, stored in the state that its executions share. */
export const participantSchema = lazySchema(() =>
  z.object({
    id: z.string(),
    slot: z.number(),
    joinedAtMs: z.number(),
    beatAtMs: z.number(),
    nextBeatMs: z.number(),
    /** When the others stop counting this document, ms since 1970. */
    liveUntilMs: z.number(),
    /** How many documents share the key, including this one. */
    live: z.number(),
    /** How many of them precede this document, in an order that is the same for all. */
    rank: z.number(),
    /** The others' beats when last read. A value that the cache lost is not a goodbye. */
    others: z.string(),
  }),
);

export type Participant = Fits<typeof participantSchema>;

/** A value for the cache. It expires soon, because all users of the script share the cache. */
export interface BeatWrite {
  readonly name: string;
  readonly value: string;
  readonly ttlSeconds: number;
}

export interface BeatOutcome {
  readonly record: Participant;
  readonly write: BeatWrite;
  /** For a newcomer: until then the others may still send at their former pace. */
  readonly firstSlotNotBeforeMs?: number;
}

/** Whether the next booking has to read and write heartbeats first. */
export function needsBeat(record: Participant | null, nowMs: number): boolean {
  return record === null || nowMs >= record.nextBeatMs || isFromTheFuture(record.beatAtMs, nowMs);
}

/**
 * One beat: reads who else is there and makes the value that tells them of this document.
 *
 * `record` is null for a document that joins for the first time or has lost its state; `me.id` (up
 * to 16 lower-case letters and digits) then names it. `me.intervalMs` is the interval of the whole
 * pace. A document that paused until the others stopped counting it joins again.
 */
export function beat(
  record: Participant | null,
  read: Readonly<Record<string, string>>,
  me: { readonly id: string; readonly fingerprint: string; readonly intervalMs: number },
  nowMs: number,
  chance: number,
): BeatOutcome {
  const id = record?.id ?? me.id;
  const member = record !== null && isCounted(record, nowMs) ? record : null;
  const joinedAtMs = member?.joinedAtMs ?? nowMs;
  const isOther = (one: Heartbeat) => one.id !== id && isLive(one, nowMs);
  const slots = beatNames(me.fingerprint).map((name) => parseBeats(read[name], nowMs));
  const remembered = parseBeats(record?.others, nowMs);
  const known = latest([...remembered, ...slots.flat()]).filter(isOther);
  const taken = slots.map((beats) => latest(beats).filter(isOther));
  const slot = slotFor(member, id, taken, chance);

  const live = 1 + known.length;
  const { lookMs, promiseMs } = looks(live, me.intervalMs, nowMs - joinedAtMs);
  const mine: Heartbeat = { id, atMs: nowMs, promiseMs };
  return {
    record: {
      ...{ id, slot, joinedAtMs, beatAtMs: nowMs, liveUntilMs: liveUntilMs(mine), live },
      nextBeatMs: Math.min(nowMs + lookMs, ...known.map(liveUntilMs)),
      rank: known.filter((one) => one.id < id).length,
      others: beatsText(known),
    },
    write: writeOf(me.fingerprint, slot, [mine, ...(taken[slot] ?? [])], liveUntilMs(mine) - nowMs),
    ...(member === null && live > 1 ? { firstSlotNotBeforeMs: startMs(known, nowMs) } : {}),
  };
}

/** The value that says goodbye, so that the others need not wait for this document's silence. */
export function goodbye(record: Participant, fingerprint: string, nowMs: number): BeatWrite {
  const last: Heartbeat = { id: record.id, atMs: nowMs, promiseMs: 0 };
  const forMs = Math.max(SECOND_LOOK_MS, record.liveUntilMs - nowMs);
  return writeOf(fingerprint, record.slot, [last], forMs);
}

/**
 * One document's share of a pace. Together the documents keep its average, and its burst as far as
 * it goes. Waves that are paid for as a whole cannot be divided, so calls then go one by one.
 */
export function sharedPace(pace: Pace, live: number): Pace {
  if (live <= 1) return pace;
  const burst = Math.max(1, Math.floor(spareOf(pace) / live));
  return { intervalMs: pace.intervalMs * live * (1 + SLACK), burst };
}

/** The number of simultaneous calls that can be divided among documents. */
function spareOf({ burst, isWhole }: Pace): number {
  return isWhole ? 0 : burst - BURST_RESERVE;
}

/** The state of a newcomer: an empty bucket, and no slot before the others know of it. */
export function joining(state: RateState, share: Pace, notBeforeMs: number): RateState {
  const emptyMs = notBeforeMs + (share.burst - 1) * share.intervalMs;
  return { ...state, tatMs: Math.max(state.tatMs, emptyMs) };
}

/**
 * The state for booking if there are more documents than simultaneous calls: the documents then
 * take turns by the clock in the order of their ranks. Otherwise the state is unchanged.
 */
export function inTurn(
  state: RateState,
  record: Pick<Participant, 'live' | 'rank'>,
  pace: Pace,
  nowMs: number,
): RateState {
  const { live, rank } = record;
  if (live <= 1 || live <= spareOf(pace)) return state;
  const roundMs = sharedPace(pace, live).intervalMs;
  const turnMs = (rank * roundMs) / live;
  const earliestMs = Math.max(state.tatMs, nowMs + TURN_LEAD_MS);
  // A booking's own next turn has passed; half a millisecond of rounding must not cost a whole
  // round.
  const rounds = Math.ceil((earliestMs - turnMs - 0.5) / roundMs);
  return { ...state, tatMs: turnMs + rounds * roundMs };
}

/** Whether the others still count a document whose next beat is not written yet. */
function isCounted(record: Participant, nowMs: number): boolean {
  return nowMs < record.liveUntilMs - SETTLE_MS && !isFromTheFuture(record.beatAtMs, nowMs);
}

/** When to look again and what to promise. Bookings are an interval apart, so looks may be late. */
function looks(live: number, intervalMs: number, memberForMs: number) {
  const loneMs = Math.max(LONE_BEAT_MS, Math.min(LONE_BEAT_CALLS * intervalMs, LONE_BEAT_MS_MAX));
  const shareMs = live * intervalMs;
  // A document looks at least as often as it calls, or it would be forgotten between two calls.
  const mostMs = Math.min(PROMISE_MS_MAX, Math.max(live > 1 ? BEAT_MS : loneMs, shareMs));
  const lateMs = Math.min(shareMs, mostMs / 2);
  const lookMs = Math.min(mostMs - lateMs, Math.max(SECOND_LOOK_MS, memberForMs));
  return { lookMs, promiseMs: Math.round(lookMs + lateMs) };
}

/** By then every document has looked and has sent what it booked just before. */
function startMs(known: readonly Heartbeat[], nowMs: number): number {
  const looked = known.map((one) => one.atMs + one.promiseMs);
  return Math.max(nowMs, ...looked) + HORIZON_MS + SETTLE_MS;
}

/**
 * The present slot, or a random one of the emptiest. If two documents chose the same, the one later
 * in the alphabet moves if there is an empty slot; otherwise they share it.
 */
function slotFor(
  member: Participant | null,
  id: string,
  taken: readonly (readonly Heartbeat[])[],
  chance: number,
): number {
  const fewest = Math.min(...taken.map((beats) => beats.length));
  if (member !== null) {
    const yields = (taken[member.slot] ?? []).some((one) => one.id < id);
    if (!yields || fewest > 0) return member.slot;
  }
  const emptiest = taken.flatMap((beats, slot) => (beats.length === fewest ? [slot] : []));
  return emptiest[Math.floor(chance * emptiest.length)] ?? 0;
}

function writeOf(
  fingerprint: string,
  slot: number,
  beats: readonly Heartbeat[],
  forMs: number,
): BeatWrite {
  return {
    name: beatName(fingerprint, slot),
    value: beatsText(beats.slice(0, BEATS_PER_SLOT_MAX)),
    ttlSeconds: Math.ceil(forMs / 1_000),
  };
}
