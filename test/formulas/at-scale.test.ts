// A large sheet of formulas, refreshed over several hours: the calls are those of its stale products.

import { expect, it } from '@jest/globals';
import { createInlineHost } from 'apps-script-host/inline/inline-host';
import { createSandboxedInternet, withState } from 'apps-script-host/internet/sandboxed';
import { argumentsOf } from 'apps-script-host/recalculation';
import { createPlainGrid } from 'apps-script-host/sheet/plain-grid';
import { createCatalogue } from '../../playground/api/catalogue';
import { createState, handle } from '../../playground/api/handle';
import { arrivalsOf, refusalsOf } from '../../playground/api/state';
import { stampedMs } from '../../src/formulas/arguments';
import { BUILT, distIn } from '../build-once';
import { SANDBOX } from '../doors/bulk-list';
import { codeWithRefresh, REFRESH, type Report } from '../doors/formulas-list';
import { BASE_URL, documentOf } from '../doors/world';

const HOUR = 3_600_000;
const [CELLS, PRODUCTS, STALE] = [10_000, 3_000, 1_000];
const FAST = { apiKey: 'demo-key-20-per-second', quota: { calls: 20, perSeconds: 1, burst: 40 } };

const { asins } = createCatalogue(SANDBOX.seed, SANDBOX.productsPerMarket);
const CATALOGUE = [
  ...[...asins.US].map((asin) => [asin, 'US'] as const),
  ...[...asins.UK].map((asin) => [asin, 'UK'] as const),
].slice(0, PRODUCTS);

/** A sheet with these rows below its header, each with a formula over its product, and who refreshes it. */
function worldOf(rows: readonly (readonly [asin: string, market: string])[]) {
  const grid = createPlainGrid({ maxRows: rows.length + 10 });
  const sheetId = grid.sheets()[0]?.id ?? 0;
  const cells = rows.map((row, i) => [
    ...row,
    { formula: `=ANALYZE(A${i + 2},B${i + 2},"as_of")` },
  ]);
  grid.write(sheetId, 1, 1, [['ASIN', 'Market', 'As of'], ...cells]);
  const { service, state } = withState(handle, createState(SANDBOX));
  const host = createInlineHost({
    dist: { ...distIn(BUILT), code: codeWithRefresh() },
    seed: 1,
    internet: createSandboxedInternet({ [new URL(BASE_URL).host]: service }),
    documents: [{ ...documentOf('sheet-1'), model: grid }],
  });
  const run = (functionName: string, ...args: readonly unknown[]): unknown => {
    const door = functionName === 'ANALYZE' ? 'cell' : 'sidebar';
    const end = host.call({ functionName, args, door });
    if (end.ended !== 'returned') throw new Error(`${functionName} ${end.ended}`);
    return end.value;
  };
  run('rpc', 'connection.save', { baseUrl: BASE_URL, ...FAST, sharing: 'spreadsheet' });
  const area = { row: 2, column: 3, rowCount: rows.length, columnCount: 1 };
  return {
    ...{ host, grid, sheetId, run, state },
    calls: () => arrivalsOf(state()).length,
    formulas: () => grid.formulas(sheetId, area).flat(),
    firing: (notBeforeMs: number, callsMax: number | null = null) => {
      const sinceMs = host.nowMs();
      const wish = { notBeforeMs, sinceMs, callsMax, untilMs: sinceMs + 285_000 };
      return run(REFRESH, wish) as Report;
    },
  };
}

const stampIn = (formula: string) => stampedMs(/"(refreshed [^"]+)"/.exec(formula)?.[1] ?? '');

it('10,000 formula cells over 3,000 products, of which 1,000 are stale', () => {
  const rows = Array.from(
    { length: CELLS },
    (_, i) => CATALOGUE[i % PRODUCTS] ?? (['', ''] as const),
  );
  const { host, grid, sheetId, run, state, calls, formulas, firing } = worldOf(rows);

  /** Hour by hour, until nothing is left. */
  function refresh(notBeforeMs: number): void {
    for (let hour = 0; hour < 12; hour += 1) {
      if (firing(notBeforeMs).left === 0) return;
      host.wait(HOUR);
    }
    throw new Error('It does not end.');
  }

  firing(0, STALE);
  expect(calls()).toBe(STALE);
  host.wait(20 * HOUR);
  refresh(0);
  expect(calls()).toBe(PRODUCTS);
  host.wait(12 * HOUR);
  const notBeforeMs = host.nowMs() - 24 * HOUR;
  const sinceMs = host.nowMs();
  refresh(notBeforeMs);
  expect(calls()).toBe(PRODUCTS + STALE);

  const stamps = formulas().map(stampIn);
  expect(stamps.every(Number.isFinite)).toBe(true);
  // What is up to date is left alone.
  const recalculated = stamps.flatMap((atMs, i) => (atMs >= sinceMs ? [i] : []));
  const products = [...new Set(recalculated.map((i) => i % PRODUCTS))];
  expect(products).toHaveLength(STALE);
  expect(rows.filter((_, i) => products.includes(i % PRODUCTS))).toHaveLength(recalculated.length);
  const isNew = (shown: unknown) => (shown as Date).getTime() >= sinceMs;
  const [asinCells, markets] = [0, 1].map((part) => products.map((i) => [CATALOGUE[i]?.[part]]));
  const everything = run('ANALYZE', asinCells, markets, 'as_of') as unknown[][];
  expect(everything.flat().filter(isNew)).toHaveLength(STALE);
  for (const i of recalculated.filter((_, at) => at % 97 === 0)) {
    const args = argumentsOf(grid, sheetId, formulas()[i] ?? '');
    expect(isNew(run('ANALYZE', ...args))).toBe(true);
  }
  expect(calls()).toBe(PRODUCTS + STALE);
  expect(refusalsOf(state())).toBe(0);
});

it("20,000 formula cells of one product leave half of Google's day to people", () => {
  const [one] = CATALOGUE;
  const rows = Array.from({ length: 2 * CELLS }, () => one ?? (['', ''] as const));
  const { host, calls, formulas, firing } = worldOf(rows);
  const sinceMs = host.nowMs();
  const [room, left] = [12_500, 7_500];
  const goesOnMs = expect.any(Number);
  expect(firing(sinceMs)).toMatchObject({ refreshed: room, left, goesOnMs });
  host.wait(HOUR);
  expect(firing(sinceMs)).toMatchObject({ refreshed: 0, left, goesOnMs });
  expect(calls()).toBe(1);
  host.wait(24 * HOUR);
  // The cache has forgotten the answer, and the new one is for all cells, but first for those that
  // wait for theirs.
  expect(firing(sinceMs)).toMatchObject({ refreshed: room, left, goesOnMs });
  expect(calls()).toBe(2);
  expect(formulas().map(stampIn).every(Number.isFinite)).toBe(true);
});
