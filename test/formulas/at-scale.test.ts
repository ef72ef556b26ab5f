// A large sheet of formulas: each call of a refresh ends in its time, and no cell asks by itself.

import { expect, it } from '@jest/globals';
import { createInlineHost } from 'apps-script-host/inline/inline-host';
import { createSandboxedInternet, withState } from 'apps-script-host/internet/sandboxed';
import { featuresOf } from 'apps-script-host/sheet/book-features';
import { createPlainGrid } from 'apps-script-host/sheet/plain-grid';
import { createCatalogue } from '../../playground/api/catalogue';
import { createState, handle } from '../../playground/api/handle';
import { arrivalsOf, refusalsOf } from '../../playground/api/state';
import { BUILT, distIn } from '../build-once';
import { SANDBOX } from '../doors/bulk-list';
import { BASE_URL, documentOf } from '../doors/world';

const HOUR = 3_600_000;
const [CELLS, PRODUCTS] = [20_000, 3_000];
const FAST = { apiKey: 'demo-key-20-per-second', quota: { calls: 20, perSeconds: 1, burst: 40 } };

const { asins } = createCatalogue(SANDBOX.seed, SANDBOX.productsPerMarket);
const CATALOGUE = [
  ...[...asins.US].map((asin) => [asin, 'US'] as const),
  ...[...asins.UK].map((asin) => [asin, 'UK'] as const),
].slice(0, PRODUCTS);

it('20,000 formula cells over 3,000 products', () => {
  const rows = Array.from({ length: CELLS }, (_, i) => CATALOGUE[i % PRODUCTS] ?? ['', '']);
  const grid = createPlainGrid({ maxRows: CELLS + 10 });
  const sheetId = grid.sheets()[0]?.id ?? 0;
  const cells = rows.map((row, i) => [
    ...row,
    { formula: `=ANALYZE(A${i + 2},B${i + 2},"as_of",ANALYZE_REFRESH)` },
  ]);
  grid.write(sheetId, 1, 1, [['ASIN', 'Market', 'As of'], ...cells]);
  const { service, state } = withState(handle, createState(SANDBOX));
  const host = createInlineHost({
    dist: distIn(BUILT),
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
  const times: number[] = [];
  const refresh = (): void => {
    for (let turn = 0; turn < 20; turn += 1) {
      const startMs = host.nowMs();
      const wish = { maxMs: 30_000, onlyFailed: false };
      const { value } = run('rpc', 'formulas.refresh', wish) as {
        value: { left: number; refreshed: number };
      };
      times.push(host.nowMs() - startMs);
      if (value.left > 0) continue;
      expect(value.refreshed).toBe(CELLS);
      return;
    }
    throw new Error('It does not end.');
  };
  /** The cells calculate, a sample of them. */
  const answers = () => {
    const [cell] = featuresOf(grid).names();
    const refreshed = cell?.rectangle && grid.values(cell.sheetId, cell.rectangle)[0]?.[0];
    expect(refreshed).toBeInstanceOf(Date);
    return CATALOGUE.filter((_, at) => at % 97 === 0).map((product) =>
      Number(run('ANALYZE', ...product, 'as_of', refreshed)),
    );
  };

  run('rpc', 'connection.save', { baseUrl: BASE_URL, ...FAST, sharing: 'spreadsheet' });
  for (const round of [1, 2, 3]) {
    const startMs = host.nowMs();
    refresh();
    expect(calls()).toBe(round * PRODUCTS);
    expect(answers().every((atMs) => atMs >= startMs)).toBe(true);
    expect(calls()).toBe(round * PRODUCTS);
    host.wait(7 * HOUR);
  }
  expect(refusalsOf(state())).toBe(0);
  const seconds = (ms: number) => Math.round(ms / 100) / 10;
  const longest = seconds(Math.max(...times));
  const eachRefresh = seconds(times.reduce((sum, ms) => sum + ms, 0) / 3);
  process.stdout.write(`${JSON.stringify({ calls: times.length, longest, eachRefresh })}\n`);
  // A call of 30 s may end with a call to the service, and sheets take time to read.
  expect(Math.max(...times)).toBeLessThan(60_000);
});
