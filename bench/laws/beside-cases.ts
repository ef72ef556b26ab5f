// Work on a list while a person types single formulas, which Sheets lets go first. Each case is told
// twice with the same seed, alone and beside the cells: its ratio is that of the two times.

import { refusalsOf } from '../../playground/api/state';
import type { RpcReply } from '../../src/sidebar/api/define-api';
import type { RpcClient } from '../../src/sidebar/page/ui/rpc-client';
import type { BenchCase } from '../bulk/bulk-cases';
import type { Bundles } from '../bundles';
import { type Figures, p95 } from '../figures';
import { asked, passed, runJob } from '../page-job';
import { LAWS } from './laws';
import { createListWorld } from './list-world';

type World = Awaited<ReturnType<typeof createListWorld>>;

/** Each has a product that the list does not have. */
interface Cells {
  readonly count: number;
  readonly everyMs: number;
}

/** What is done with the list: it is prepared, and the rest is timed. */
interface Work {
  readonly rows: number;
  prepare(world: World): Promise<Timed>;
}

/** Returns how many products have no answer. */
type Timed = (rpc: RpcClient) => Promise<number>;

/** A person who has typed one formula waits no longer than this. */
const CELL_MS = 15_000;

/** Somebody types formulas without a break; a column of them that is filled down begins at once. */
const CELL_EACH_MS = 3_000;

/** The longest of the runs takes ten minutes. */
const MS_MAX = 3_600_000;

const startCell = ({ host }: World, asin: string, atMs: number) =>
  host.start({ functionName: 'ANALYZE', args: [asin, 'US', 'profit'], door: 'cell' }, atMs);

/** Notes how long the longest record takes. */
function watchRecords({ host, rpc }: World) {
  let longestMs = 0;
  const watched: RpcClient = async (method, payload) => {
    const beganMs = host.nowMs();
    const reply = await rpc(method, payload);
    if (method === 'jobs.record') longestMs = Math.max(longestMs, host.nowMs() - beganMs);
    return reply;
  };
  return { watched, longestMs: () => longestMs };
}

async function told(bundles: Bundles, seed: number, work: Work, { count, everyMs }: Cells) {
  const list = { law: LAWS.base, key: 'burst', rows: work.rows, cells: count } as const;
  const world = await createListWorld(bundles, seed, list);
  const { host, inCells, sandbox } = world;
  const timed = await work.prepare(world);
  const { watched, longestMs } = watchRecords(world);
  const clickMs = host.nowMs();
  const started = inCells.map((asin, at) => startCell(world, asin, clickMs + at * everyMs));
  const errors = await passed(host, timed(watched));
  const tookMs = host.nowMs() - clickMs;
  await host.run();
  const cells = await Promise.all(started);
  await host.stop();
  const keptOut = world.keptOut();
  return {
    tookMs,
    errors,
    cells,
    keptOut,
    recordMs: longestMs(),
    refused: refusalsOf(sandbox.state()),
  };
}

async function tellBeside(
  bundles: Bundles,
  seed: number,
  work: Work,
  cells: Cells,
): Promise<Figures> {
  const alone = await told(bundles, seed, work, { ...cells, count: 0 });
  const beside = await told(bundles, seed, work, cells);
  const tookMs = beside.cells.map(({ startedMs, endedMs }) => endedMs - startedMs);
  return {
    ratio: beside.tookMs / alone.tookMs,
    aloneSeconds: alone.tookMs / 1_000,
    ...(beside.recordMs > 0 && { recordSeconds: beside.recordMs / 1_000 }),
    keptOut: beside.keptOut,
    refused: beside.refused,
    p95Ms: p95(tookMs),
    waiting: beside.cells.filter(({ ok }, at) => !ok || (tookMs[at] ?? 0) > CELL_MS).length,
    errors: beside.errors,
  };
}

/** A run from the click on Start until the page says that it is done. */
const runOver = (rows: number): Work => ({
  rows,
  async prepare({ host, rpc, choice }) {
    const counted = await asked(host, rpc, 'jobs.preview', choice);
    return async (watched) => {
      const { status } = await runJob(host, watched, choice, counted, MS_MAX);
      return rows - status.answered;
    };
  },
});

const granted = <Value>(reply: RpcReply<Value>): Value => {
  if (!reply.ok) throw new Error(reply.failure.message);
  return reply.value;
};

/** The start of a run alone. */
const startOf = (rows: number): Work => ({
  rows,
  prepare:
    async ({ choice }) =>
    async (rpc) => {
      const { queue } = granted(await rpc('jobs.start', choice));
      return rows - queue.length;
    },
});

/** *Add decisions* to a list that has its figures' columns. */
const decideOn = (rows: number): Work => ({
  rows,
  async prepare({ host, rpc, choice }) {
    const { status } = await asked(host, rpc, 'jobs.start', choice);
    await asked(host, rpc, 'jobs.setState', { jobId: status.jobId, state: 'stopped' });
    const list = { sheetId: choice.sheetId, listId: status.listId };
    return async (watched) => {
      granted(await watched('deals.decide', { list, market: null, cost: null }));
      return 0;
    };
  },
});

const beside = (name: string, work: Work, cells: Cells): BenchCase => ({
  name,
  ideal: { ratio: 1, keptOut: 0, refused: 0, waiting: 0, errors: 0 },
  tell: async (bundles, seed) => ({ [name]: await tellBeside(bundles, seed, work, cells) }),
});

export const BESIDE_CASES: readonly BenchCase[] = [
  beside('run-300-beside-cells', runOver(300), { count: 60, everyMs: CELL_EACH_MS }),
  beside('run-3000-beside-cells', runOver(3_000), { count: 200, everyMs: CELL_EACH_MS }),
  beside('decide-1000-beside-cells', decideOn(1_000), { count: 20, everyMs: CELL_EACH_MS }),
  beside('decide-1000-beside-column', decideOn(1_000), { count: 20, everyMs: 0 }),
  beside('start-20k-beside-cells', startOf(20_000), { count: 10, everyMs: CELL_EACH_MS }),
];
