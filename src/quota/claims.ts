// Claims: which products are being asked, by which execution and until when; bookings; and booking
// requests of executions that wait for the lock. Pure.

import * as z from 'zod/mini';
import { type Fits, lazySchema } from '../platform/lazy-schema';
import { storedAs } from '../platform/stored-record';
import type { book, RateState, SlotRequest, Stop } from './rate';

/** By claim name: the end of the lease and the execution that holds it. */
export const claimsSchema = lazySchema(() =>
  z.record(z.string(), z.tuple([z.number(), z.string()])),
);

export type Claims = Fits<typeof claimsSchema>;

/** The record must fit into one cache value of 100 KB. The claims that end first are dropped. */
const CLAIMS_MAX = 1_500;

/** The claims whose leases have not ended. */
export const livingIn = (claims: Claims, nowMs: number) =>
  Object.entries(claims).filter(([, [untilMs]]) => untilMs > nowMs);

/** The names of `mine` are sent together at `atMs`. */
export interface Slot {
  readonly atMs: number;
  readonly mine: readonly string[];
}

export type Booking =
  /** The calls of `mine` are to be sent; others are asking for `others`. */
  | ({ kind: 'go'; others: readonly string[] } & Slot)
  /** The next slot is after the deadline. Nothing was booked. */
  | { kind: 'late'; atMs: number; others: readonly string[] }
  /** Nothing was booked: ask again at `askAtMs`, when the horizon or a request brings a slot. */
  | { kind: 'early'; askAtMs: number; others: readonly string[] }
  /** Others are asking for everything; the first answer follows the slot at `atMs`. */
  | { kind: 'claimed'; atMs: number; others: readonly string[] }
  | { kind: 'stopped'; stop: Stop }
  /** The lock was not free in time. */
  | { kind: 'busy' };

/** Splits names into those that `owner` may ask now and those that another execution is asking. */
export function freeOf(claims: Claims, names: readonly string[], owner: string, nowMs: number) {
  const held = (name: string) => {
    const claim = claims[name];
    return claim !== undefined && claim[0] > nowMs && claim[1] !== owner;
  };
  return { free: names.filter((name) => !held(name)), held: names.filter(held) };
}

/** The earliest slot among claimed names, whose leases last `leaseMs` from their slots. */
function firstSlotMs(claims: Claims, names: readonly string[], leaseMs: number): number {
  return Math.min(...names.map((name) => (claims[name]?.[0] ?? 0) - leaseMs));
}

/**
 * Claims `names` for `owner`. Ended leases are dropped, so the record stays as small as the calls
 * of one lease. A claim remains after its answer came: an execution that missed the answer by a
 * moment finds the claim and looks into the cache again, where it would otherwise ask once more.
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

/** The claims without those of `names` that `owner` holds. */
export function withoutClaims(claims: Claims, names: readonly string[], owner: string): Claims {
  return Object.fromEntries(
    Object.entries(claims).filter(([name, claim]) => claim[1] !== owner || !names.includes(name)),
  );
}

/** How many executions hold claims at present. */
export const ownersOf = (claims: Claims, nowMs: number): number =>
  new Set(livingIn(claims, nowMs).map(([, [, owner]]) => owner)).size;

/**
 * A request that a formula leaves in the cache if it does not get the lock. The next holder of the
 * lock books for all of them. Thirty formulas that wait for the lock one after the other would take
 * longer than the key's limit requires if stores are slow.
 */
const bookingRequestSchema = lazySchema(() =>
  z.object({
    owner: z.string(),
    names: z.array(z.string()),
    atMs: z.number(),
    /** No slot may be later than this, ms since 1970. */
    untilMs: z.number(),
  }),
);

export type BookingRequest = Fits<typeof bookingRequestSchema>;

/**
 * The number of places for requests. An execution takes a random one, and leaves its request again
 * if another execution has overwritten it.
 */
const REQUEST_PLACES = 64;

/** Shorter than a claim's lease, so that an execution finds its booking for as long as it asks. */
export const REQUEST_MS = 10_000;

export const requestNamesOf = (fingerprint: string): readonly string[] =>
  Array.from({ length: REQUEST_PLACES }, (_, place) => `q:${fingerprint}:${place}`);

export const parseRequest = (text: string | undefined): BookingRequest | undefined =>
  storedAs(text, bookingRequestSchema()) ?? undefined;

/**
 * The state after a booking, and the number of calls in it: the holder's own and those requested.
 */
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

/**
 * What the holder of the lock has booked for `owner`, or that other executions are asking for
 * everything; undefined if neither.
 */
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

/**
 * Also books for the requests of others. @param left the calls that formulas may still make today.
 */
export function withRequests(
  requests: readonly BookingRequest[],
  own: Booked,
  left: number,
  next: Book,
  leaseMs: number,
  nowMs: number,
): Booked {
  return requests.reduce((so, { owner, names, atMs, untilMs }) => {
    // A slot that was booked after the request has fulfilled it.
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
