// A bulk run in the world: each worker runs slice after slice over its share of the list.

import type { Execution, Outcome } from 'apps-script-host/host';
import { GAP_MS, type SliceReport } from '../slice';
import type { World } from '../world';

/** Workers take chunks of this many rows in turn. */
const CHUNK_ROWS = 40;

/** A run that makes no progress in this many slices is given up. */
const IDLE_SLICES_MAX = 5;

export interface Job {
  readonly asins: readonly string[];
  readonly workers: number;
  readonly documentId: string;
  readonly startMs: number;
  /** The execution that works on these rows for one slice. */
  readonly slice: (asins: readonly string[]) => Pick<Execution, 'functionName' | 'args'>;
}

export interface JobReport {
  readonly endMs: number;
  readonly answered: number;
  readonly lost: number;
  readonly outcomes: readonly Outcome[];
}

export async function runJob(world: World, job: Job): Promise<JobReport> {
  const shares = Array.from({ length: job.workers }, (_, worker) =>
    job.asins.filter((_, row) => Math.floor(row / CHUNK_ROWS) % job.workers === worker),
  );
  const reports = await Promise.all(shares.map((share) => runChain(world, job, share)));
  const answered = reports.reduce((sum, report) => sum + report.answered, 0);
  return {
    endMs: Math.max(...reports.map(({ endMs }) => endMs)),
    answered,
    lost: job.asins.length - answered,
    outcomes: reports.flatMap(({ outcomes }) => outcomes),
  };
}

async function runChain(world: World, job: Job, share: readonly string[]) {
  const outcomes: Outcome[] = [];
  let left = share;
  let answered = 0;
  let idleSlices = 0;
  let atMs = job.startMs;
  while (left.length > 0 && idleSlices < IDLE_SLICES_MAX) {
    const { documentId } = job;
    const execution = { ...job.slice(left), door: 'sidebar', documentId } as const;
    const outcome = await world.host.start(execution, atMs);
    outcomes.push(outcome);
    if (!outcome.ok) throw new Error(`A slice ended: ${outcome.ended} ${outcome.error?.message}`);
    const report = outcome.value as SliceReport;
    left = [...report.again, ...left.slice(report.taken)];
    answered += report.answered;
    idleSlices = report.answered > 0 ? 0 : idleSlices + 1;
    atMs = outcome.endedMs + GAP_MS;
  }
  return { endMs: outcomes.at(-1)?.endedMs ?? job.startMs, answered, outcomes };
}
