// Work on a list beside formulas, which Sheets lets go first, and beside other work on the spreadsheet. Each
// case is told twice with the same seed, alone and in this company: its ratio is that of the two times.

import { refusalsOf } from '../../playground/api/state';
import type { RpcReply } from '../../src/sidebar/api/define-api';
import type { RpcClient } from '../../src/sidebar/page/ui/rpc-client';
import type { BenchCase } from '../bulk/bulk-cases';
import type { AddOn } from '../bundles';
import { type Figures, p95 } from '../figures';
import { asked, passed, runJob } from '../page-job';
import { LAWS } from './laws';
import { createListWorld, select } from './list-world';

type World = Awaited<ReturnType<typeof createListWorld>>;

/** What else happens in the spreadsheet. */
interface Company {
  /** Formulas, each over so many products that the list does not have. */
  readonly cells?: { readonly count: number; readonly everyMs: number; readonly products: number };
  /** Products in a second list, on which somebody else or the clock works. */
  readonly theirs?: number;
  /** Begins at the click. What it promises is waited for before cells are judged. */
  readonly begin?: (world: World) => Promise<unknown>;
  /** Before the click. */
  readonly prepare?: (world: World) => Promise<void>;
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

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;

/** The longest of the runs takes ten minutes. */
const MS_MAX = 3_600_000;

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

/** @param isAlone leaves the company out, in a spreadsheet that was prepared for it. */
async function told(
  bundles: AddOn,
  seed: number,
  {
    work,
    company,
    isAlone,
  }: { readonly work: Work; readonly company: Company; readonly isAlone: boolean },
) {
  const { cells = { count: 0, everyMs: 0, products: 1 }, theirs = 0 } = company;
  const inCells = isAlone ? 0 : cells.count * cells.products;
  const list = { law: LAWS.base, key: 'burst', rows: work.rows, cells: inCells, theirs } as const;
  const world = await createListWorld(bundles, seed, list);
  const { host, sandbox } = world;
  await company.prepare?.(world);
  const timed = await work.prepare(world);
  const { watched, longestMs } = watchRecords(world);
  const clickMs = host.nowMs();
  const started = isAlone ? [] : cellsOf(world, cells, clickMs);
  const other = isAlone ? undefined : company.begin?.(world);
  const errors = await passed(host, timed(watched));
  const tookMs = host.nowMs() - clickMs;
  await passed(host, Promise.resolve(other));
  await host.run();
  const ends = await Promise.all(started);
  await host.stop();
  return {
    ...{ tookMs, errors },
    cells: ends,
    keptOut: world.keptOut(),
    recordMs: longestMs(),
    refused: refusalsOf(sandbox.state()),
  };
}

/** A formula over one product, or over a range of several. */
const cellsOf = (
  { host, inCells }: World,
  { count, everyMs, products }: NonNullable<Company['cells']>,
  clickMs: number,
) =>
  Array.from({ length: count }, (_, at) => {
    const own = inCells.slice(at * products, (at + 1) * products);
    const argument = products === 1 ? own[0] : own.map((asin) => [asin]);
    const args = [argument, 'US', 'profit'];
    return host.start({ functionName: 'ANALYZE', args, door: 'cell' }, clickMs + at * everyMs);
  });

async function tellBeside(
  bundles: AddOn,
  seed: number,
  work: Work,
  company: Company,
): Promise<Figures> {
  const alone = await told(bundles, seed, { work, company, isAlone: true });
  const beside = await told(bundles, seed, { work, company, isAlone: false });
  const tookMs = beside.cells.map(({ startedMs, endedMs }) => endedMs - startedMs);
  const isLate = (ok: boolean, at: number) => !ok || (tookMs[at] ?? 0) > CELL_MS;
  return {
    ratio: beside.tookMs / alone.tookMs,
    aloneSeconds: alone.tookMs / 1_000,
    ...(beside.recordMs > 0 && { recordSeconds: beside.recordMs / 1_000 }),
    keptOut: beside.keptOut,
    refused: beside.refused,
    ...(tookMs.length > 0 && { p95Ms: p95(tookMs) }),
    waiting: beside.cells.filter(({ ok }, at) => isLate(ok, at)).length,
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

/** Ten seconds after the click: the run has started, and records its first answers. */
const later = (host: World['host']) =>
  new Promise<void>((wake) => host.at(host.nowMs() + 10 * SECOND_MS, wake));

/** The second list, and the page of the colleague who has it. */
function otherList({ theirs }: World) {
  if (theirs === null) throw new Error('There is no other list.');
  return theirs;
}

/** A colleague who wants to analyze another list, with a key of their own: it waits until this run is over. */
const colleague: Company = {
  theirs: 300,
  begin: async (world) => {
    const { rpc, choice } = otherList(world);
    do {
      await later(world.host);
      select(world.grid, choice.sheetId);
    } while (!(await rpc('jobs.start', choice)).ok);
  },
};

/** A firing of the clock that is due, over another list and with the same key. */
const schedule: Company = {
  theirs: 100,
  prepare: async (world) => {
    const { host, rpc } = world;
    const { choice } = otherList(world);
    const { status } = await asked(host, rpc, 'jobs.start', choice);
    await asked(host, rpc, 'jobs.setState', { jobId: status.jobId, state: 'stopped' });
    const task = {
      kind: 'list',
      sheetId: choice.sheetId,
      listId: status.listId,
      rows: 'all',
    } as const;
    const settings = {
      recurrence: { kind: 'hourly' },
      ...{ maxAgeHours: 20, callsPerHour: null, quiet: null, rules: [], task },
    } as const;
    await asked(host, rpc, 'schedule.save', { id: 's1', settings });
    await host.run(Math.ceil(host.nowMs() / HOUR_MS) * HOUR_MS + SECOND_MS);
  },
  begin: ({ host }) =>
    host.start(
      { functionName: 'onSchedule', args: [], door: 'clock' },
      host.nowMs() + 10 * SECOND_MS,
    ),
};

/** A button that a colleague presses while the run is under way. */
const press = (act: (world: World, page: RpcClient) => Promise<unknown>): Company => ({
  theirs: 1,
  begin: async (world) => {
    await later(world.host);
    return act(world, otherList(world).rpc);
  },
});

const decide = press(async ({ choice }, page) =>
  granted(
    await page('deals.decide', {
      list: { sheetId: choice.sheetId, listId: '1' },
      ...{ market: null, cost: null },
    }),
  ),
);

const fillIn = press(async ({ grid }, page) => {
  select(grid, 0);
  return granted(await page('list.fillInNewRows', {}));
});

/** Formulas over single products. */
const typed = (count: number, everyMs: number): Company => ({
  cells: { count, everyMs, products: 1 },
});

/** It needs the add-on alone. */
type BesideCase = BenchCase & {
  readonly tell: (bundles: AddOn, seed: number) => ReturnType<BenchCase['tell']>;
};

const beside = (name: string, work: Work, company: Company): BesideCase => ({
  name,
  ideal: { ratio: 1, keptOut: 0, refused: 0, waiting: 0, errors: 0 },
  tell: async (bundles, seed) => ({ [name]: await tellBeside(bundles, seed, work, company) }),
});

export const BESIDE_CASES: readonly BesideCase[] = [
  beside('run-300-beside-cells', runOver(300), typed(60, CELL_EACH_MS)),
  beside('run-3000-beside-cells', runOver(3_000), typed(200, CELL_EACH_MS)),
  beside('run-300-beside-ranges', runOver(300), {
    cells: { count: 6, everyMs: 10 * SECOND_MS, products: 10 },
  }),
  beside('run-300-beside-run', runOver(300), colleague),
  beside('run-300-beside-schedule', runOver(300), schedule),
  beside('run-300-beside-decide', runOver(300), decide),
  beside('run-300-beside-fill', runOver(300), fillIn),
  beside('decide-1000-beside-cells', decideOn(1_000), typed(20, CELL_EACH_MS)),
  beside('decide-1000-beside-column', decideOn(1_000), typed(20, 0)),
  beside('start-20k-beside-cells', startOf(20_000), typed(10, CELL_EACH_MS)),
];
