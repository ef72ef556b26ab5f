// Provides seeded random numbers for everything that must be reproducible.

/** A stream of numbers that depends only on its seed. */
export interface Random {
  /** At least 0, less than 1. */
  next(): number;
  /** At least `low`, less than `high`. */
  between(low: number, high: number): number;
  /** A whole number from `low` to `high`, both included. */
  integer(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /**
   * Half of the values lie below `median`. `sigma` is the standard deviation of their logarithm.
   */
  logNormal(median: number, sigma: number): number;
}

const TWO_TO_32 = 4294967296;

export function createRandom(seed: number): Random {
  const next = mulberry32(seed);
  const integer = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    integer,
    between: (low, high) => low + next() * (high - low),
    chance: (probability) => next() < probability,
    pick: (items) => {
      if (items.length === 0) throw new RangeError('Cannot pick from an empty list.');
      return items[integer(0, items.length - 1)] as (typeof items)[number];
    },
    logNormal: (median, sigma) => median * Math.exp(sigma * normal(next)),
  };
}

/** Combines several parts into one seed, so that each consumer has a stream of its own. */
export function seedFrom(...parts: readonly (string | number)[]): number {
  const text = parts.join('\u0000');
  // FNV-1a: offset basis and prime of its 32-bit form.
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

/**
 * The public-domain generator mulberry32: 32 bits of state, fast, uniform enough for simulations.
 */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / TWO_TO_32;
  };
}

/** The Box-Muller transform, from two uniform numbers to a normal one. */
function normal(next: () => number): number {
  const radius = Math.sqrt(-2 * Math.log(1 - next()));
  return radius * Math.cos(2 * Math.PI * next());
}
