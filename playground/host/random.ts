// Seeded random numbers: the same seed and stream name give the same numbers on every machine.

export interface Random {
  /** At least 0, below 1. */
  readonly next: () => number;
  /** A whole number, both ends included. */
  readonly integer: (lowest: number, highest: number) => number;
}

/** FNV-1a over UTF-16 code units: turns a seed and a stream's name into 32 bits. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let place = 0; place < text.length; place += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193);
  }
  return hash >>> 0;
}

/** Mulberry32: 32 bits of state, good enough for latencies and for a script's Math.random. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    integer: (lowest, highest) => lowest + Math.floor(next() * (highest - lowest + 1)),
  };
}

export function createStream(seed: number, stream: string): Random {
  return createRandom(hashText(`${seed}/${stream}`));
}
