// How much of a long random sweep a test takes: a sample of each of its parts, or by `npm run sweeps` all of it.

const IS_WHOLE = process.env.SWEEPS === 'whole';

/** Both are drawn from the same seeds: what the sample finds, the whole finds too. */
export const sweepSize = (whole: number, sample: number): number => (IS_WHOLE ? whole : sample);
