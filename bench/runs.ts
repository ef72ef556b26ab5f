// All scenarios with every strategy and seed, measured on as many threads as there are cores.

import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Bundles } from './bundles';
import type { Figures } from './figures';
import { GATE } from './gate/gate-table';
import type { Strategy } from './gate/scenario';

/** One measurement of a scenario: its place in the table, the strategy and the seed. */
export interface Run {
  readonly scenario: number;
  readonly strategy: Strategy;
  readonly seed: number;
}

export interface RunResult {
  readonly run: Run;
  /** By the name of the case. */
  readonly figures: Readonly<Record<string, Figures>>;
}

/** What a thread sends back: figures, or the stack of an error. */
export type ThreadReply = { readonly figures: RunResult['figures'] } | { readonly problem: string };

/** Each host has threads of its own, so more than a few at once only cost memory. */
const THREADS_MAX = 4;

/** A host and its scripts often wait for each other; one more run fills these gaps. */
const THREADS_BESIDE_CORES = 1;

/** Peers only show the order of magnitude, which is not worth half of the computing time. */
export const PEER_SEEDS_MAX = 3;

/** The runs of the named cases, or of all cases. */
export function plan(seeds: number, only: readonly string[]): readonly Run[] {
  const isWanted = (cases: readonly string[]) =>
    only.length === 0 || cases.some((name) => only.includes(name));
  return GATE.flatMap(({ cases, strategies }, scenario) =>
    isWanted(cases)
      ? strategies.flatMap((strategy) =>
          Array.from({ length: seedsOf(strategy, seeds) }, (_, i) => ({
            scenario,
            strategy,
            seed: i + 1,
          })),
        )
      : [],
  );
}

function seedsOf(strategy: Strategy, seeds: number): number {
  return strategy === 'addOn' ? seeds : Math.min(seeds, PEER_SEEDS_MAX);
}

/** Results in the order of the runs, whichever thread was faster. */
export async function tellAll(
  runs: readonly Run[],
  bundles: Bundles,
  onDone: (run: Run) => void,
): Promise<readonly RunResult[]> {
  const results: RunResult[] = [];
  let next = 0;
  const work = async () => {
    const thread = new Worker(join(__dirname, 'run-thread.cjs'), { workerData: bundles });
    try {
      for (let place = next++; place < runs.length; place = next++) {
        const run = runs[place];
        if (run === undefined) break;
        const reply = await ask(thread, run);
        if ('problem' in reply) throw new Error(`${JSON.stringify(run)}: ${reply.problem}`);
        results[place] = { run, figures: reply.figures };
        onDone(run);
      }
    } finally {
      await thread.terminate();
    }
  };
  const cores = availableParallelism() + THREADS_BESIDE_CORES;
  const threads = Math.min(THREADS_MAX, cores, runs.length);
  await Promise.all(Array.from({ length: threads }, work));
  return results;
}

function ask(thread: Worker, run: Run): Promise<ThreadReply> {
  return new Promise((resolve, reject) => {
    thread.once('error', reject);
    thread.once('message', (reply: ThreadReply) => {
      thread.off('error', reject);
      resolve(reply);
    });
    thread.postMessage(run);
  });
}
