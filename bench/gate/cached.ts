// What the result cache saves: three formulas for each product, a recalculation, a reopened sheet.

import type { Outcome } from 'apps-script-host/host';
import type { Figures } from '../figures';
import { connect, createWorld, type World } from '../world';
import { addOnSlice } from './bulk';
import { startCells } from './cells';
import { runJob } from './job';
import {
  cellsOverran,
  durationsP95,
  type Mark,
  mark,
  ratioOf,
  storeCallsPerCell,
  trafficSince,
} from './measure';
import { bucketOf, declared } from './quotas';
import { FLAWLESS, type Scenario, type Telling } from './scenario';

const PRODUCTS = 1_000;
const FIELDS = ['profit', 'roi', 'fees'];

/** The share of products answered without a call of their own, in percent. */
function hitRate(before: Mark, world: World, asked: number): number {
  return 100 * (1 - (world.service().arrived - before.calls) / asked);
}

function cellFigures(before: Mark, world: World, cells: readonly Outcome[]): Figures {
  return {
    ...trafficSince(before, world),
    storeCallsPerCell: storeCallsPerCell(before, world, cells.length),
    hitRate: hitRate(before, world, cells.length),
    p95Ms: durationsP95(cells),
    overran: cellsOverran(cells),
    errors: cells.filter(({ ok }) => !ok).length,
  };
}

/** Formulas of one product are adjacent, so that they are calculated at the same time. */
async function tellThreeFormulas({ bundles, seed }: Telling) {
  const quota = bucketOf(5);
  const world = createWorld({ bundles, code: 'code', seed, quota });
  const [documentId = ''] = world.documentIds;
  await connect(world, documentId, declared(quota));
  const formulas = world.asins
    .slice(0, PRODUCTS)
    .flatMap((asin) =>
      FIELDS.map((field) => ({ functionName: 'ANALYZE', args: [asin, 'US', field] })),
    );
  const calculate = async () => {
    const before = mark(world);
    const started = startCells(world, formulas, before.nowMs);
    await world.host.run();
    return { before, cells: await started };
  };
  const first = await calculate();
  const lastMs = Math.max(...first.cells.map(({ endedMs }) => endedMs));
  const three = {
    ratio: ratioOf(lastMs - first.before.nowMs, PRODUCTS, quota.calls),
    ...cellFigures(first.before, world, first.cells),
  };
  const again = await calculate();
  const recalculated = cellFigures(again.before, world, again.cells);
  await world.host.stop();
  return { 'three-formulas': three, recalculated };
}

const CACHED_PRODUCTS = 20_000;
const ROWS_IN_FORMULA = 2_500;
const CLOSED_MS = 5 * 3_600_000;

/**
 * Filling the cache is not measured, so quota and service are fast enough to do it in a few waves.
 */
const FAST = { calls: 1_000, perSeconds: 1, burst: 1_000 };
const FAST_SERVICE = { medianMs: 20, sigma: 0 };

/** A sheet of 20,000 products is filled, closed for hours, and recalculated. */
async function tellReopen({ bundles, seed }: Telling): Promise<Figures> {
  const law = { service: FAST_SERVICE };
  const world = createWorld({ bundles, code: 'withBulk', seed, quota: null, law });
  const { asins, host } = world;
  const [documentId = ''] = world.documentIds;
  await connect(world, documentId, FAST);
  const startMs = host.nowMs();
  const filled = runJob(world, { asins, workers: 1, documentId, startMs, slice: addOnSlice });
  await Promise.all([filled, host.run()]);
  await host.run(host.nowMs() + CLOSED_MS);
  const before = mark(world);
  const formulas = Array.from({ length: CACHED_PRODUCTS / ROWS_IN_FORMULA }, (_, i) => {
    const rows = asins.slice(i * ROWS_IN_FORMULA, (i + 1) * ROWS_IN_FORMULA);
    return { functionName: 'ANALYZE', args: [rows.map((asin) => [asin]), 'US', 'profit'] };
  });
  const started = startCells(world, formulas, before.nowMs);
  await host.run();
  const cells = await started;
  await host.stop();
  return {
    ...cellFigures(before, world, cells),
    hitRate: hitRate(before, world, CACHED_PRODUCTS),
  };
}

const ALL_HITS = { calls: 0, refused: 0, hitRate: 100, overran: 0, errors: 0 };

export const CACHED: readonly Scenario[] = [
  {
    cases: ['three-formulas', 'recalculated'],
    strategies: ['addOn'],
    ideal: {
      'three-formulas': { ...FLAWLESS, calls: PRODUCTS, hitRate: 100 * (1 - 1 / FIELDS.length) },
      recalculated: ALL_HITS,
    },
    tell: tellThreeFormulas,
  },
  {
    cases: ['reopen-20k'],
    strategies: ['addOn'],
    ideal: { 'reopen-20k': ALL_HITS },
    tell: async (telling) => ({ 'reopen-20k': await tellReopen(telling) }),
  },
];
