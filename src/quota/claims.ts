// Claims: what is being asked, by whom and until when; bookings; and requests of those who wait for the lock. Pure.

import { isLike, storedJson } from '../platform/ports';
import type { book, RateState, SlotRequest, Stop } from './rate';

/** By name of what is asked: the end of the lease and the execution that holds it. */
export type Claims = Readonly<Record<string, readonly [untilMs: number, owner: string]>>;

/** The record must fit into one cache value of 100 KB; the claims that end first make room. */
const CLAIMS_MAX = 1_500;

/** Those whose leases have not ended. */
export const livingIn = (claims: Claims, nowMs: number) =>
  Object.entries(claims).filter(([, [untilMs]]) => untilMs > nowMs);

/** The names of `mine` go together at `atMs`. */
export interface Slot {
  readonly atMs: number;
  readonly mine: readonly string[];
}

export type Booking =
  /** It is to be sent; `others` are being asked by someone else. */
  | ({ kind: 'go'; others: readonly string[] } & Slot)
  /** The next slot is past the deadline given; nothing was booked. */
  | { kind: 'late'; atMs: number; others: readonly string[] }
  /** The next slot is beyond the horizon given until `askAtMs`, or others are to book; nothing was booked. */
  | { kind: 'early'; askAtMs: number; others: readonly string[] }
  /** All are being asked by someone else, the first of them at `atMs`. */
  | { kind: 'claimed'; atMs: number; others: readonly string[] }
  | { kind: 'stopped'; stop: Stop }
  /** The lock was not had in time. */
  | { kind: 'busy' };

/** Splits names into those `owner` may ask now and those another execution is already asking. */
export function freeOf(claims: Claims, names: readonly string[], owner: string, nowMs: number) {
  const held = (name: string) => {
    const claim = claims[name];
    return claim !== undefined && claim[0] > nowMs && claim[1] !== owner;
  };
  return { free: names.filter((name) => !held(name)), held: names.filter(held) };
}

/** The earliest slot among claimed names, of claims whose leases are like `leaseMs`. */
function firstSlotMs(claims: Claims, names: readonly string[], leaseMs: number): number {
  return Math.min(...names.map((name) => (claims[name]?.[0] ?? 0) - leaseMs));
}

/**
 * Claims with `names` taken by `owner`. Ended leases are dropped, so the record stays as small as
 * the calls of one lease. A claim is kept after its answer came: whoever missed the answer by a
 * moment then finds the claim, and looks into the cache once more instead of asking again.
 */
export function withClaims(
  claims: Claims,
  names: readonly string[],
  owner: string,
  untilMs: number,
  nowMs: number,
): Claims {
  const living = livingIn(claims, nowMs)
    .sort(([, [a]], [, [b]]) => a - b)
    .slice(-CLAIMS_MAX + names.length);
  return Object.fromEntries([...living, ...names.map((name) => [name, [untilMs, owner]] as const)]);
}

/** Claims without those of `names` that `owner` holds. */
export function withoutClaims(claims: Claims, names: readonly string[], owner: string): Claims {
  return Object.fromEntries(
    Object.entries(claims).filter(([name, claim]) => claim[1] !== owner || !names.includes(name)),
  );
}

/** How many executions hold claims at present. */
export const ownersOf = (claims: Claims, nowMs: number): number =>
  new Set(livingIn(claims, nowMs).map(([, [, owner]]) => owner)).size;

/**
 * A formula that does not get the lock leaves this in the cache, and the next holder of the lock books
 * for all of them. Thirty formulas that queue for the lock get it one after the other, which takes
 * longer than the key's limit where stores are slow.
 */
export interface BookingRequest {
  readonly owner: string;
  readonly names: readonly string[];
  readonly atMs: number;
  /** No slot later than this. */
  readonly untilMs: number;
}

/** An execution takes one by chance, and leaves its request again where another has overwritten it. */
const REQUEST_PLACES = 64;

/** Shorter than a claim's lease: an execution finds what was booked for it for as long as it asks. */
export const REQUEST_MS = 10_000;

export const requestNamesOf = (fingerprint: string): readonly string[] =>
  Array.from({ length: REQUEST_PLACES }, (_, place) => `q:${fingerprint}:${place}`);

export function parseRequest(text: string | undefined): BookingRequest | undefined {
  const request = storedJson(text) as BookingRequest;
  const isWhole = isLike(request, { names: [], untilMs: 0 }) && Array.isArray(request.names);
  return isWhole ? request : undefined;
}

/** The state after a booking, and how many calls it is for: the holder's own, and those requested. */
interface Booked {
  readonly rate: RateState;
  readonly claims: Claims;
  readonly count: number;
}

export type Found =
  | {
      readonly kind: 'go';
      readonly atMs: number;
      readonly mine: readonly string[];
      readonly others: readonly string[];
    }
  | { readonly kind: 'claimed'; readonly atMs: number; readonly others: readonly string[] };

/** What the holder of the lock has booked for `owner`, or that others are asking all of it. */
export function foundIn(
  claims: Claims,
  names: readonly string[],
  owner: string,
  leaseMs: number,
  nowMs: number,
): Found | undefined {
  const { free, held: others } = freeOf(claims, names, owner, nowMs);
  if (free.length === 0)
    return { kind: 'claimed', atMs: firstSlotMs(claims, others, leaseMs), others };
  const slotOf = (name: string) => firstSlotMs(claims, [name], leaseMs);
  const own = free.filter((name) => claims[name]?.[1] === owner && slotOf(name) > nowMs);
  if (own.length === 0) return undefined;
  const atMs = Math.min(...own.map(slotOf));
  return { kind: 'go', atMs, mine: own.filter((name) => slotOf(name) === atMs), others };
}

type Book = (rate: RateState, request: SlotRequest) => ReturnType<typeof book>;

/** Books for the requests that others left as well. @param left calls that formulas may make today. */
export function withRequests(
  requests: readonly BookingRequest[],
  own: Booked,
  left: number,
  next: Book,
  leaseMs: number,
  nowMs: number,
): Booked {
  return requests.reduce((so, { owner, names, atMs, untilMs }) => {
    // A slot booked after the request answers it.
    const isOpen = (name: string) => firstSlotMs(so.claims, [name], leaseMs) < atMs;
    const open = freeOf(so.claims, names, owner, nowMs).free.filter(isOpen);
    const count = Math.min(open.length, left - so.count);
    if (count === 0 || nowMs > atMs + REQUEST_MS) return so;
    const { state: rate, slots } = next(so.rate, { count, deadlineMs: untilMs });
    if (slots.kind !== 'go') return so;
    const mine = open.slice(0, slots.count);
    const claims = withClaims(so.claims, mine, owner, slots.atMs + leaseMs, nowMs);
    return { rate, claims, count: so.count + mine.length };
  }, own);
}

export const requestsIn = (texts: Readonly<Record<string, string>>, names: readonly string[]) =>
  names.flatMap((place) => parseRequest(texts[place]) ?? []);
