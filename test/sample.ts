// How much of a long enumeration a test takes: a sample drawn by a seed that is printed, or all of it in `npm run test:all`.
import { createRandom, seedFrom } from 'apps-script-host/random';

/** Set for all workers by jest.config.cjs. */
const SEED = process.env.SAMPLE_SEED ?? '1';
const IS_WHOLE = process.env.SAMPLE === 'whole';
const IS_SWEPT_WHOLE = process.env.SWEEPS === 'whole';

/**
 * So many of the items, in their order: others with each seed, the same ones with the same seed.
 *
 * @param name tells this enumeration from others of the same length.
 */
export function sampleOf<Item>(name: string, items: readonly Item[], count: number): Item[] {
  if (IS_WHOLE || items.length <= count) return [...items];
  const random = createRandom(seedFrom(SEED, name));
  const drawn = new Set<number>();
  while (drawn.size < count) drawn.add(random.integer(0, items.length - 1));
  return items.filter((_, at) => drawn.has(at));
}

/** How much of a long test is done: all of it in `npm run test:all`. */
export const sampleSize = (whole: number, sample: number): number => (IS_WHOLE ? whole : sample);

/** How many rounds of a random sweep; whole by `npm run sweeps` alone. Both are drawn from the same seeds. */
export const sweepSize = (whole: number, sample: number): number =>
  IS_SWEPT_WHOLE ? whole : sample;
