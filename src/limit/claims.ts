// Claims say which execution is asking for which product right now, so that nobody asks twice. Pure.

import * as z from 'zod/mini';
import { type Fits, lazySchema } from '../schema/stored-record';

/** By claim name: the end of the lease and the execution that holds it. */
export const claimsSchema = lazySchema(() =>
  z.record(z.string(), z.tuple([z.number(), z.string()])),
);

export type Claims = Fits<typeof claimsSchema>;

/** The record must fit into one cache value of 100 KB. The claims that end first are dropped. */
const CLAIMS_MAX = 1_500;

/** Splits names into those that `owner` may ask now and those that another execution is asking. */
export function freeOf(claims: Claims, names: readonly string[], owner: string, nowMs: number) {
  const isHeld = (name: string) => {
    const claim = claims[name];
    return claim !== undefined && claim[0] > nowMs && claim[1] !== owner;
  };
  return { free: names.filter((name) => !isHeld(name)), others: names.filter(isHeld) };
}

/** The earliest slot among claimed names, whose leases last `leaseMs` from their slots. */
export function firstSlotMs(claims: Claims, names: readonly string[], leaseMs: number): number {
  return Math.min(...names.map((name) => (claims[name]?.[0] ?? 0) - leaseMs));
}

/**
 * Claims `names` for `owner`. A claim remains after its answer came: an execution that missed the
 * answer by a moment finds the claim and looks into the cache again, where it would otherwise ask
 * once more.
 */
export function withClaims(
  claims: Claims,
  names: readonly string[],
  owner: string,
  untilMs: number,
  nowMs: number,
): Claims {
  const living = Object.entries(claims)
    .filter(([, [endMs]]) => endMs > nowMs)
    .sort(([, [a]], [, [b]]) => a - b)
    .slice(-CLAIMS_MAX + names.length);
  return Object.fromEntries([...living, ...names.map((name) => [name, [untilMs, owner]] as const)]);
}

/** The claims without what `owner` holds of `names`. */
export function withoutClaims(claims: Claims, names: readonly string[], owner: string): Claims {
  return Object.fromEntries(
    Object.entries(claims).filter(([name, claim]) => claim[1] !== owner || !names.includes(name)),
  );
}
