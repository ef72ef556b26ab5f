// Claims: which products are being asked right now, by whom, so that nobody asks the same one twice. Pure.

/** By name of what is asked: the end of the lease and the execution that holds it. */
export type Claims = Readonly<Record<string, readonly [untilMs: number, owner: string]>>;

/** The record must fit into one cache value of 100 KB; the claims that end first make room. */
const CLAIMS_MAX = 1_500;

/** Splits names into those `owner` may ask now and those another execution is already asking. */
export function freeOf(claims: Claims, names: readonly string[], owner: string, nowMs: number) {
  const held = (name: string) => {
    const claim = claims[name];
    return claim !== undefined && claim[0] > nowMs && claim[1] !== owner;
  };
  return { free: names.filter((name) => !held(name)), held: names.filter(held) };
}

/** The earliest slot among claimed names, of claims whose leases are like `leaseMs`. */
export function firstSlotMs(claims: Claims, names: readonly string[], leaseMs: number): number {
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
  const living = Object.entries(claims)
    .filter(([, [until]]) => until > nowMs)
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
export function ownersOf(claims: Claims, nowMs: number): number {
  const living = Object.values(claims).filter(([untilMs]) => untilMs > nowMs);
  return new Set(living.map(([, owner]) => owner)).size;
}
