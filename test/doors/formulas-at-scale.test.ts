// A large sheet of formulas, refreshed over several hours: the calls are those of its stale products.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { createCatalogue } from '../../playground/api/catalogue';
import { createState, handle } from '../../playground/api/handle';
import { arrivalsOf, refusalsOf } from '../../playground/api/state';
import { createSandboxedInternet, withState } from '../../playground/host/internet/sandboxed';
import { argumentsOf } from '../../playground/host/recalculation';
import { createPlainGrid } from '../../playground/host/sheet/plain-grid';
import { BUILT } from '../build-once';
import { createInlineHost } from '../simulation/inline-host';
import { SANDBOX } from './bulk-list';
import { codeWithRefresh, REFRESH, type Report } from './formulas-list';
import { BASE_URL, documentOf } from './world';

const HOUR = 3_600_000;
const [CELLS, PRODUCTS, STALE] = [10_000, 3_000, 1_000];
const FAST = { apiKey: 'demo-key-20-per-second', quota: { calls: 20, perSeconds: 1, burst: 40 } };

const { asins } = createCatalogue(SANDBOX.seed, SANDBOX.productsPerMarket);
const CATALOGUE = [
  ...[...asins.US].map((asin) => [asin, 'US'] as const),
  ...[...asins.UK].map((asin) => [asin, 'UK'] as const),
].slice(0, PRODUCTS);

it('10,000 formula cells over 3,000 products, of which 1,000 are stale', () => {
  const grid = createPlainGrid({ maxRows: CELLS + 10 });
  const sheetId = grid.sheets()[0]?.id ?? 0;
  const rows = Array.from({ length: CELLS }, (_, i) => [
    ...(CATALOGUE[i % PRODUCTS] ?? []),
    { formula: `=ANALYZE(A${i + 2},B${i + 2},"as_of")` },
  ]);
  grid.write(sheetId, 1, 1, [['ASIN', 'Market', 'As of'], ...rows]);
  const { service, state } = withState(handle, createState(SANDBOX));
  const built = (name: string) => readFileSync(join(BUILT, name), 'utf8');
  const host = createInlineHost({
    dist: {
      code: codeWithRefresh(),
      html: { Sidebar: built('Sidebar.html') },
      manifest: built('appsscript.json'),
    },
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
  const calls = () => arrivalsOf(state()).length;

  /** Hour by hour, until nothing is left. */
  function refresh(stamp: string, notBeforeMs: number, callsMax: number | null = null): Report {
    for (let firing = 0; firing < 12; firing += 1) {
      const untilMs = host.nowMs() + 285_000;
      const report = run(REFRESH, { stamp, notBeforeMs, callsMax, untilMs }) as Report;
      if (report.left === 0 || callsMax !== null) return report;
      host.wait(HOUR);
    }
    throw new Error('It does not end.');
  }

  run('rpc', 'connection.save', { baseUrl: BASE_URL, ...FAST, sharing: 'spreadsheet' });
  refresh('2026-01-05 10:00', 0, STALE);
  expect(calls()).toBe(STALE);
  host.wait(20 * HOUR);
  refresh('2026-01-05 10:00', 0);
  expect(calls()).toBe(PRODUCTS);
  host.wait(12 * HOUR);
  const notBeforeMs = host.nowMs() - 24 * HOUR;
  expect(refresh('2026-01-06 18:00', notBeforeMs).left).toBe(0);
  expect(calls()).toBe(PRODUCTS + STALE);

  const isNew = (shown: unknown) => (shown as Date).getTime() >= notBeforeMs;
  const [asinCells, markets] = [0, 1].map((part) => CATALOGUE.map((one) => [one[part]]));
  const everything = run('ANALYZE', asinCells, markets, 'as_of') as unknown[][];
  expect(everything).toHaveLength(PRODUCTS);
  expect(everything.flat().every(isNew)).toBe(true);
  const area = { row: 2, column: 3, rowCount: CELLS, columnCount: 1 };
  const formulas = grid.formulas(sheetId, area).flat();
  expect(formulas.filter((formula) => !formula.includes('"refreshed 2026-01-06 18:00"'))).toEqual(
    [],
  );
  for (const formula of formulas.filter((_, i) => i % 97 === 0)) {
    const args = argumentsOf(grid, sheetId, formula);
    expect(isNew(run('ANALYZE', ...args))).toBe(true);
  }
  expect(calls()).toBe(PRODUCTS + STALE);
  expect(refusalsOf(state())).toBe(0);
});
