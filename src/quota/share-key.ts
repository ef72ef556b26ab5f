// How spreadsheets share a key: heartbeats, and what each may use. Pure.

import { HORIZON_MS, type Pace, type RateState } from './rate';

/** So many values hold all heartbeats of a key: few enough to be read in one call. */
const SLOTS = 16;

/** A document is live for so long after the beat it promised: two more at the usual pace. */
const GRACE_MS = 8_000;

/** No clock is ahead by more: a beat from later on is damaged, and would never end. */
const CLOCK_SKEW_MS = 2_000;

/** Nobody promises to look later, however slow the key. */
const PROMISE_MS_MAX = 600_000;

const BEAT = /^([a-z0-9]{1,16})@(\d{13})\+(\d{1,6})$/;

/**
 * "I am here, and look again within this time." A promise of 0 says goodbye.
 * It says nothing about the key, its owner or the sheet.
 */
interface Heartbeat {
  readonly id: string;
  readonly atMs: number;
  readonly promiseMs: number;
}

/** Names of the values that hold the heartbeats of one key. */
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

/** True for a time that no clock running right can have written. */
function isFromTheFuture(atMs: number, nowMs: number): boolean {
  return atMs > nowMs + CLOCK_SKEW_MS;
}

/** Of each document the last beat; of two at the same moment the one that says goodbye. */
function latest(beats: readonly Heartbeat[]): readonly Heartbeat[] {
  const byId = new Map<string, Heartbeat>();
  for (const beat of beats) {
    const known = byId.get(beat.id);
    const isLater = known === undefined || beat.atMs > known.atMs;
    if (isLater || (beat.atMs === known.atMs && beat.promiseMs === 0)) byId.set(beat.id, beat);
  }
  return [...byId.values()];
}

/** Anything in a value that is no beat is passed over: the cache is open to the whole script. */
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

/** Between two beats of a document that has company. */
const BEAT_MS = 4_000;

/**
 * Alone, beats are dearer than what they save: two cache calls each. A slow key has few calls to
 * spread them over, so it beats every ten calls, but a newcomer never waits much longer than 10 s.
 */
const LONE_BEAT_MS = 6_000;
const LONE_BEAT_CALLS = 10;
const LONE_BEAT_MS_MAX = 10_000;

/**
 * A newcomer looks again soon, then ever more rarely: another may have joined, or have taken its
 * slot, at the same moment, or a beat may have been lost.
 */
const SECOND_LOOK_MS = 1_000;

/** A read and a write under way, and what the clocks of two machines differ by. */
const SETTLE_MS = 600;

/** Of documents in one slot. More than 16 * 8 with one key are left to the service's 429. */
const BEATS_PER_SLOT_MAX = 8;

/** Calls of the common burst that are nobody's, for waves booked while somebody joined. */
const BURST_RESERVE = 2;

/** Part of a call's time that is left free, so that a call too many is made up for. */
const SLACK = 0.01;

/** A turn nearer than this is over before its call could go out. */
const TURN_LEAD_MS = 150;

/** What a document keeps about its part in a key's rate, in the state its executions share. */
export interface Participant {
  readonly id: string;
  readonly slot: number;
  readonly joinedAtMs: number;
  readonly beatAtMs: number;
  readonly nextBeatMs: number;
  /** When the others stop counting this document. */
  readonly liveUntilMs: number;
  /** How many share the key, this document included. */
  readonly live: number;
  /** How many of them come before this document, in an order that is the same for all. */
  readonly rank: number;
  /** The beats of the others when last read: a value that the cache lost is not a goodbye. */
  readonly others: string;
}

/** A value for the cache. It ends soon by itself: all users of the script share the cache. */
export interface BeatWrite {
  readonly name: string;
  readonly value: string;
  readonly ttlSeconds: number;
}

export interface BeatOutcome {
  readonly record: Participant;
  readonly write: BeatWrite;
  /** For a newcomer among others: until then they may send at the pace they had without it. */
  readonly firstSlotNotBeforeMs?: number;
}

/** Whether the next booking has to read and write heartbeats first. */
export function needsBeat(record: Participant | null, nowMs: number): boolean {
  return record === null || nowMs >= record.nextBeatMs || isFromTheFuture(record.beatAtMs, nowMs);
}

/**
 * One beat: who else is there, and the value that tells them of this document.
 *
 * `record` is null for a document that takes part for the first time or has lost its state; `me.id`
 * (small letters and digits, 16 at most) then names it. `me.intervalMs` is that of the whole pace.
 * One that paused until the others gave it up joins anew.
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
 * One document's part of a pace: together they keep its average, and its burst while it lasts. Waves
 * that are paid for as a whole have no part that could be given away: calls go one by one then.
 */
export function sharedPace(pace: Pace, live: number): Pace {
  if (live <= 1) return pace;
  const burst = Math.max(1, Math.floor(spareOf(pace) / live));
  return { intervalMs: pace.intervalMs * live * (1 + SLACK), burst };
}

/** Calls of several documents that may come at once. */
function spareOf({ burst, isWhole }: Pace): number {
  return isWhole ? 0 : burst - BURST_RESERVE;
}

/** The state of a newcomer among others: an empty bucket, and no slot before they know of it. */
export function joining(state: RateState, share: Pace, notBeforeMs: number): RateState {
  const emptyMs = notBeforeMs + (share.burst - 1) * share.intervalMs;
  return { ...state, tatMs: Math.max(state.tatMs, emptyMs) };
}

/**
 * The state from which to book when there are more documents than calls that may come at once:
 * then they take turns by the clock, in the order of their ranks. Otherwise the state as it is.
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
  // A booking leaves its next turn behind, to the fraction: half a millisecond is not a round.
  const rounds = Math.ceil((earliestMs - turnMs - 0.5) / roundMs);
  return { ...state, tatMs: turnMs + rounds * roundMs };
}

/** Whether the others still count a document whose beat is not written yet. */
function isCounted(record: Participant, nowMs: number): boolean {
  return nowMs < record.liveUntilMs - SETTLE_MS && !isFromTheFuture(record.beatAtMs, nowMs);
}

/** When to look again, and what to promise: bookings are an interval apart, so looks come late. */
function looks(live: number, intervalMs: number, memberForMs: number) {
  const loneMs = Math.max(LONE_BEAT_MS, Math.min(LONE_BEAT_CALLS * intervalMs, LONE_BEAT_MS_MAX));
  const shareMs = live * intervalMs;
  // Nobody is slower to look than to call, or it would be forgotten between two calls.
  const mostMs = Math.min(PROMISE_MS_MAX, Math.max(live > 1 ? BEAT_MS : loneMs, shareMs));
  const lateMs = Math.min(shareMs, mostMs / 2);
  const lookMs = Math.min(mostMs - lateMs, Math.max(SECOND_LOOK_MS, memberForMs));
  return { lookMs, promiseMs: Math.round(lookMs + lateMs) };
}

/** Everybody has looked by then, and has sent what was booked just before. */
function startMs(known: readonly Heartbeat[], nowMs: number): number {
  const looked = known.map((one) => one.atMs + one.promiseMs);
  return Math.max(nowMs, ...looked) + HORIZON_MS + SETTLE_MS;
}

/**
 * The slot in use, or one of the emptiest by chance. Of two that chose the same one, the later in
 * the alphabet moves, as long as there is an empty one; without one they share it.
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
