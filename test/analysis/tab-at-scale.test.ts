// 20,000 keys in the Analysis tab: what reading and writing them takes in the emulated host's time.
import { expect, it } from '@jest/globals';
import { TAB_COLUMNS, tabTitle } from '../../src/analysis/analysis-row';
import { figuresBy } from '../../src/product/fields';
import { ASINS, listWorld, runAll } from '../doors/bulk-list';
import type { DataChange } from '../sheet/sheet-script';
import { createSheetWorld } from '../sheet/sheet-world';

const KEYS = 20_000;
const AT = Date.UTC(2026, 0, 5, 9);
const FIGURES = figuresBy((field) => (field === 'eligible' ? true : 1.25));
const asinOf = (at: number) => `B${String(at).padStart(9, '0')}`;

const wanted = (at: number): DataChange => ({
  meant: { key: `${asinOf(at)}|US` },
  becomes: { asin: asinOf(at), market: 'US', status: 'Waiting', wantedMs: AT },
});

const answered = (at: number): DataChange => ({
  meant: { product: `${asinOf(at)}|US` },
  becomes: {
    ...{ status: 'OK', figures: FIGURES, analyzedMs: AT, triedMs: AT, wantedMs: null },
  },
});

it('are written, read and changed in bounded time', () => {
  const world = createSheetWorld();
  const seconds = (work: () => unknown) => {
    const beginMs = world.host.nowMs();
    work();
    return Number(((world.host.nowMs() - beginMs) / 1_000).toFixed(1));
  };
  const all = Array.from({ length: KEYS }, (_, at) => at);
  const together = all.slice(10_000, 10_050);
  const scattered = all.filter((at) => at % 400 === 7);
  const figures = {
    open: seconds(() => world.call('open')),
    first: seconds(() => world.record(...all.map(wanted))),
    together: seconds(() => world.record(...together.map(answered))),
    scattered: seconds(() => world.record(...scattered.map(answered))),
    read: seconds(() => world.read()),
    tidy: seconds(() => world.call('tidy')),
  };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
  expect(world.read().size).toBe(KEYS);
  expect(figures.first).toBeLessThan(30);
  expect(figures.together).toBeLessThan(5);
  expect(figures.scattered).toBeLessThan(15);
  expect(figures.read).toBeLessThan(8);
});

it('above 50,000 rows loses none that a list names', async () => {
  const LISTED = 8;
  const job = await listWorld(ASINS.slice(0, LISTED));
  await runAll(job);
  const { grid } = job.sheet;
  const tabId = grid.sheets().find(({ name }) => name === 'Analysis')?.id ?? -1;
  const titles = TAB_COLUMNS.map(tabTitle);
  const later = new Date(job.host.nowMs() + 60_000);
  const others = Array.from({ length: 50_000 }, (_, at) =>
    titles.map((title) => {
      if (/^Key/.test(title)) return `${asinOf(at)}|US`;
      if (title === 'ASIN') return asinOf(at);
      if (title === 'Market') return 'US';
      if (title === 'Status') return 'OK';
      return /^(Analyzed|Tried) at$/.test(title) ? later : '';
    }),
  );
  grid.insertRows(tabId, LISTED + 2, others.length);
  grid.write(tabId, LISTED + 2, 1, others);
  await job.wait(120_000);
  await runAll(job, { rows: { kind: 'product', product: `${ASINS[0]}|US` } });
  const keys = job.tab().map((row) => row.Key);
  expect(keys).toHaveLength(50_000);
  expect(keys).toEqual(expect.arrayContaining(ASINS.slice(0, LISTED).map((asin) => `${asin}|US`)));
  await job.stop();
}, 120_000);
