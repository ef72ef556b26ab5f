// Cells: a thousand formulas at once, thirty at a time, alone and beside a bulk run.

import type { Execution, Outcome } from 'apps-script-host/host';
import type { Figures } from '../figures';
import type { Law } from '../laws/laws';
import { check, connect, createWorld, type World } from '../world';
import { addOnSlice } from './bulk';
import { runJob } from './job';
import {
  cellsOverran,
  durationsP95,
  isWaiting,
  mark,
  ratioOf,
  slicesOverran,
  storeCallsPerCell,
  trafficSince,
} from './measure';
import { peerSetup } from './peers';
import { type BucketQuota, bucketOf, declared } from './quotas';
import { FLAWLESS, PEERS, type Scenario, type Telling } from './scenario';

const CELLS = 1_000;

type Formula = Pick<Execution, 'functionName' | 'args'>;

/**
 * Starts all formulas at the same moment, as a recalculation does; the host runs thirty at a time.
 */
export function startCells(
  { host }: World,
  formulas: readonly Formula[],
  atMs: number,
): Promise<readonly Outcome[]> {
  return Promise.all(formulas.map((formula) => host.start({ ...formula, door: 'cell' }, atMs)));
}

export function profitOf(asin: string): Formula {
  return { functionName: 'ANALYZE', args: [asin, 'US', 'profit'] };
}

/** How long one call by the open sidebar works on the waiting list. */
const DRAIN_MS = 300_000;
const DRAINS_MAX = 6;

/** The sidebar works off the waiting list until it is empty or makes no more progress. */
async function drain({ host }: World): Promise<void> {
  for (let call = 0; call < DRAINS_MAX; call += 1) {
    const args = ['waiting.work', { maxMs: DRAIN_MS }];
    const worked = host.start({ functionName: 'rpc', args, door: 'sidebar' });
    await host.run();
    const { value } = await worked;
    const reply = value as { readonly value?: { readonly settled: number; readonly left: number } };
    const { settled = 0, left = 0 } = reply.value ?? {};
    if (left === 0 || settled === 0) return;
  }
}

export async function tellCells(
  quota: BucketQuota,
  telling: Telling,
  { count = CELLS, law = {} }: { readonly count?: number; readonly law?: Law } = {},
): Promise<Figures> {
  const { bundles, seed, strategy } = telling;
  const code = strategy === 'addOn' ? 'code' : 'peers';
  const world = createWorld({ bundles, code, seed, quota, law });
  const [documentId = ''] = world.documentIds;
  if (strategy === 'addOn') {
    await connect(world, documentId, declared(quota));
    await check(world, documentId);
  }
  const formulas = world.asins.slice(0, count).map((asin) => {
    if (strategy === 'addOn') return profitOf(asin);
    return { functionName: 'peerCell', args: [asin, peerSetup(strategy, quota)] };
  });
  const before = mark(world);
  const started = startCells(world, formulas, before.nowMs);
  await world.host.run();
  const first = await started;
  const perCell = storeCallsPerCell(before, world, count);
  const told = formulas.filter((_, i) => isWaiting(first[i] as Outcome));
  const later = await afterDrain(world, told);
  const all = [...first.filter((outcome) => !isWaiting(outcome)), ...later];
  const answered = all.filter(({ ok }) => ok).length;
  await world.host.stop();
  const lastMs = Math.max(...all.map(({ endedMs }) => endedMs));
  return {
    ratio: ratioOf(lastMs - before.nowMs, answered, quota.calls),
    ...trafficSince(before, world),
    storeCallsPerCell: perCell,
    p95Ms: durationsP95(first),
    waiting: told.length,
    overran: cellsOverran([...first, ...later]),
    errors: count - answered,
  };
}

/** Cells that had to wait are recalculated once the list has been worked off. */
async function afterDrain(world: World, told: readonly Formula[]): Promise<readonly Outcome[]> {
  if (told.length === 0) return [];
  await drain(world);
  const again = startCells(world, told, world.host.nowMs());
  await world.host.run();
  return again;
}

const MIXED_ROWS = 3_000;
const MIXED_CELLS = 500;
const CELLS_AFTER_MS = 30_000;

/** The cells of the mixed case, with or without a bulk run beside them. */
async function mixedWorld({ bundles, seed }: Telling, rows: number) {
  const quota = bucketOf(5);
  const world = createWorld({ bundles, code: 'withBulk', seed, quota });
  const [documentId = ''] = world.documentIds;
  await connect(world, documentId, declared(quota));
  const before = mark(world);
  const startMs = before.nowMs;
  const asins = world.asins.slice(0, rows);
  const job = runJob(world, { asins, workers: 1, documentId, startMs, slice: addOnSlice });
  const formulas = world.asins.slice(MIXED_ROWS, MIXED_ROWS + MIXED_CELLS).map(profitOf);
  const started = startCells(world, formulas, startMs + CELLS_AFTER_MS);
  const [done, cells] = await Promise.all([job, started, world.host.run()]);
  await world.host.stop();
  return { world, before, job: done, cells };
}

async function tellMixed(telling: Telling): Promise<Figures> {
  const alone = await mixedWorld(telling, 0);
  const { world, before, job, cells } = await mixedWorld(telling, MIXED_ROWS);
  const lastMs = Math.max(job.endMs, ...cells.map(({ endedMs }) => endedMs));
  const answered = job.answered + cells.filter(({ ok }) => ok).length;
  return {
    ratio: ratioOf(lastMs - before.nowMs, answered, 5),
    ...trafficSince(before, world),
    p95Ms: durationsP95(cells),
    p95AloneMs: durationsP95(alone.cells),
    overran: cellsOverran(cells) + slicesOverran(job.outcomes),
    errors: MIXED_ROWS + MIXED_CELLS - answered,
  };
}

function scenario(callsPerSecond: number, strategies: Scenario['strategies']): Scenario {
  const name = `cells-${callsPerSecond}ps`;
  const tell = async (telling: Telling) => ({
    [name]: await tellCells(bucketOf(callsPerSecond), telling),
  });
  const ideal = { [name]: { ...FLAWLESS, calls: CELLS } };
  return { cases: [name], strategies, ideal, tell };
}

export const CELL_SCENARIOS: readonly Scenario[] = [
  scenario(1, ['addOn', ...PEERS]),
  scenario(2, ['addOn', ...PEERS]),
  scenario(5, ['addOn', ...PEERS]),
  scenario(8, ['addOn', ...PEERS]),
  {
    cases: ['mixed-5ps'],
    strategies: ['addOn'],
    ideal: { 'mixed-5ps': { ...FLAWLESS, calls: MIXED_ROWS + MIXED_CELLS } },
    tell: async (telling) => ({ 'mixed-5ps': await tellMixed(telling) }),
  },
];
