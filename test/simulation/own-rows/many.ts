// Thousands of worlds of people, in threads: the engine of formulas keeps each that it has parsed, a megabyte a
// world, which ends with its thread.

import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Seen } from './worlds';

const THREAD = join(__dirname, 'seeds-thread.cjs');

/** Worlds of one thread. */
const AT_ONCE = 250;

/** Plays these seeds, as many threads at a time as there are cores. */
export async function playMany(
  seeds: readonly number[],
  onWorld: (at: number) => void,
): Promise<Seen> {
  const chunks = Array.from({ length: Math.ceil(seeds.length / AT_ONCE) }, (_, at) =>
    seeds.slice(at * AT_ONCE, (at + 1) * AT_ONCE),
  );
  const seen: Seen[] = [];
  const open = chunks.entries();
  let worlds = 0;
  const goOn = async () => {
    // They share the chunks: each goes on with the next that nobody has taken.
    for (const [at, chunk] of open)
      seen[at] = await inThread(chunk, () => {
        worlds += 1;
        onWorld(worlds);
      });
  };
  await Promise.all(Array.from({ length: availableParallelism() }, goOn));
  return seen.reduce(both, NONE);
}

const inThread = (seeds: readonly number[], onWorld: () => void): Promise<Seen> =>
  new Promise((resolve, reject) => {
    const thread = new Worker(THREAD, { workerData: seeds });
    thread.on('message', (told: Seen | 'world') => {
      if (told === 'world') onWorld();
      else resolve(told);
    });
    thread.on('error', reject);
    thread.on('exit', () => reject(new Error('A thread has ended early.')));
  });

const NONE: Seen = {
  ...{ worlds: 0, states: { open: 0, hidden: 0 } },
  wrong: { open: [], hidden: [] },
};

const both = (one: Seen, other: Seen): Seen => ({
  worlds: one.worlds + other.worlds,
  states: {
    open: one.states.open + other.states.open,
    hidden: one.states.hidden + other.states.hidden,
  },
  wrong: {
    open: [...one.wrong.open, ...other.wrong.open],
    hidden: [...one.wrong.hidden, ...other.wrong.hidden],
  },
});
