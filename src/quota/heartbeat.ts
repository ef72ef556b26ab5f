// Heartbeats: what documents with one key leave for each other in a cache they all see. Pure.

/** So many values hold all heartbeats of a key: few enough to be read in one call. */
const SLOTS = 16;

/** A document is live for so long after the beat it promised: two more at the usual pace. */
const GRACE_MS = 8_000;

/** No clock is ahead by more: a beat from later on is damaged, and would never end. */
const CLOCK_SKEW_MS = 2_000;

/** Nobody promises to look later, however slow the key. */
export const PROMISE_MS_MAX = 600_000;

const BEAT = /^([a-z0-9]{1,16})@(\d{13})\+(\d{1,6})$/;

/**
 * "I am here, and look again within this time." A promise of 0 says goodbye.
 * It says nothing about the key, its owner or the sheet.
 */
export interface Heartbeat {
  readonly id: string;
  readonly atMs: number;
  readonly promiseMs: number;
}

/** Names of the values that hold the heartbeats of one key. */
export function beatNames(fingerprint: string): readonly string[] {
  return Array.from({ length: SLOTS }, (_, slot) => beatName(fingerprint, slot));
}

export function beatName(fingerprint: string, slot: number): string {
  return `h:${fingerprint}:${slot}`;
}

/** When the others stop counting this document. */
export function liveUntilMs({ atMs, promiseMs }: Heartbeat): number {
  return atMs + promiseMs + Math.max(promiseMs, GRACE_MS);
}

export function isLive(beat: Heartbeat, nowMs: number): boolean {
  return beat.promiseMs > 0 && nowMs < liveUntilMs(beat);
}

/** True for a time that no clock running right can have written. */
export function isFromTheFuture(atMs: number, nowMs: number): boolean {
  return atMs > nowMs + CLOCK_SKEW_MS;
}

/** Of each document the last beat; of two at the same moment the one that says goodbye. */
export function latest(beats: readonly Heartbeat[]): readonly Heartbeat[] {
  const byId = new Map<string, Heartbeat>();
  for (const beat of beats) {
    const known = byId.get(beat.id);
    const isLater = known === undefined || beat.atMs > known.atMs;
    if (isLater || (beat.atMs === known.atMs && beat.promiseMs === 0)) byId.set(beat.id, beat);
  }
  return [...byId.values()];
}

/** Anything in a value that is no beat is passed over: the cache is open to the whole script. */
export function parseBeats(text: string | undefined, nowMs: number): readonly Heartbeat[] {
  return (text ?? '').split(' ').flatMap((word) => {
    const [, id, at, promise] = BEAT.exec(word) ?? [];
    if (id === undefined) return [];
    const beat = { id, atMs: Number(at), promiseMs: Number(promise) };
    const isSound = !isFromTheFuture(beat.atMs, nowMs) && beat.promiseMs <= PROMISE_MS_MAX;
    return isSound ? [beat] : [];
  });
}

export function beatsText(beats: readonly Heartbeat[]): string {
  return beats.map(({ id, atMs, promiseMs }) => `${id}@${atMs}+${promiseMs}`).join(' ');
}
