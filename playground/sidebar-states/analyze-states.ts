// States of the Analyze page, from the list in the sheet to the end of a run.
import type { Page } from 'playwright-core';
import type { ListRow } from '../../src/deal/list';
import type { Payload } from '../../src/sidebar/api/methods';
import type { BulkStatus } from '../../src/sidebar/api/runs';
import {
  BARCODE_ROWS,
  EMPTY_LOOK,
  FINISHED,
  LIST_LOOK,
  LOOK,
  LOOK_WITHOUT_PRODUCTS,
  NO_PRODUCT,
  NO_ROWS,
  NOW_MS,
  PAST_RUNS,
  PREFLIGHT,
  RUNNING,
  UNTIDY_ROWS,
  WITH_BARCODES,
} from './analyze-replies';
import { connected } from './connection-replies';
import { begins, never, type Script, says } from './scripted-page';
import { press, type SidebarState, shows, titled } from './sidebar-state';

/** A list of 412 rows, and a run over it that never ends. */
export const listed: Script = {
  ...connected,
  'bulk.look': () => says(LOOK),
  'bulk.preflight': () => says(PREFLIGHT),
  'bulk.startRun': () => begins(RUNNING),
  'bulk.status': () => says(RUNNING),
  'bulk.run': never,
  'bulk.show': () => says({ shown: 12 }),
  'bulk.history': () => says({ runs: PAST_RUNS }),
};

/** A column of products that keeps the last written values. */
function untidy(): Script {
  let rows: readonly ListRow[] = UNTIDY_ROWS;
  return {
    ...listed,
    'bulk.look': () => says({ ...LOOK, toClean: 6 }),
    'deals.look': () => says(LIST_LOOK),
    'deals.rows': () => says({ rows }),
    'deals.cleanUp': (sent) => {
      const { changes, isTrial }: Payload<'deals.cleanUp'> = Object(sent);
      const formulas = changes.flatMap(({ row }) => (row === 60 ? [row] : []));
      if (isTrial) return says({ undo: [], formulas });
      const cells = new Map(changes.map(({ row, put }) => [row, [put]]));
      rows = rows.map((one) => ({ ...one, cells: cells.get(one.row) ?? one.cells }));
      const undo = changes.map(({ row, seen, put }) => ({
        row,
        seen: put,
        put: seen,
        format: '@',
      }));
      return says({ undo, formulas });
    },
  };
}

async function tidy(page: Page): Promise<void> {
  await press(page, 'Clean up this column');
  await titled(page, '5 cells to clean up');
}

/** A list with barcodes, for which there is no tab yet. */
export const withBarcodes: Script = {
  ...listed,
  'bulk.preflight': () => says(WITH_BARCODES),
  'deals.look': () => says(LIST_LOOK),
  'deals.rows': () => says({ rows: BARCODE_ROWS }),
  'deals.barcodes': () => says(null),
  'deals.tab': () => says({ sheetId: 8, name: 'Barcodes' }),
  'deals.set': () => says(null),
};

/** The page as it opens while this run exists. */
export function withRun(change: Partial<BulkStatus>): Script {
  const run = { ...RUNNING, ...change };
  return {
    ...listed,
    'bulk.look': () => says({ ...LOOK, run }),
    'bulk.status': () => says(run),
  };
}

async function check(page: Page): Promise<void> {
  await press(page, 'Preview');
  await titled(page, '412 rows');
}

const CHOOSING: readonly SidebarState[] = [
  {
    name: 'ready',
    title: 'Ready',
    script: listed,
    act: (page) => titled(page, 'Wholesale March'),
  },
  {
    name: 'figures',
    title: 'Which figures are written',
    script: listed,
    act: async (page) => {
      await press(page, 'Edit what is written');
      await page.getByRole('checkbox', { name: 'Sell price' }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'past-runs',
    title: 'Past runs',
    script: listed,
    act: async (page) => {
      await press(page, 'Past runs');
      await page.getByText('by someone else').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'untidy',
    title: 'Something to clean up',
    script: untidy(),
    act: (page) => shows(page, 'Clean up this column'),
  },
  { name: 'cleanup', title: 'What is to be cleaned up', script: untidy(), act: tidy },
  {
    name: 'cleaned-up',
    title: 'Cleaned up',
    script: untidy(),
    act: async (page) => {
      await tidy(page);
      await press(page, 'Clean up 4 cells');
      await shows(page, 'Undo the last cleanup');
      await shows(page, '4 cells cleaned up.');
    },
  },
  {
    name: 'put-back',
    title: 'A cleanup taken back',
    script: untidy(),
    act: async (page) => {
      await tidy(page);
      await page.getByRole('checkbox', { name: '975124838' }).uncheck();
      await press(page, 'Clean up 3 cells');
      await press(page, 'Undo the last cleanup (3 cells)');
      await shows(page, '3 cells put back as before.');
      await titled(page, '5 cells to clean up');
    },
  },
  {
    name: 'empty-sheet',
    title: 'The sheet is empty',
    script: { ...listed, 'bulk.look': () => says(EMPTY_LOOK) },
    act: (page) => shows(page, 'This sheet is empty.'),
  },
  {
    name: 'no-products',
    title: 'No column of products',
    script: { ...listed, 'bulk.look': () => says(LOOK_WITHOUT_PRODUCTS) },
    act: (page) => shows(page, 'No column of products was found.'),
  },
];

const CHECKED: readonly SidebarState[] = [
  { name: 'check', title: 'Before the run', script: listed, act: check },
  {
    name: 'unreadable',
    title: 'Rows that cannot be read',
    script: listed,
    act: async (page) => {
      await check(page);
      await press(page, 'Show: 12 can’t be read');
      await shows(page, '12 rows selected');
    },
  },
];

const BARCODES: readonly SidebarState[] = [
  {
    name: 'barcodes',
    title: 'Barcodes whose products nobody knows',
    script: withBarcodes,
    act: async (page) => {
      await check(page);
      await shows(page, 'List 2 barcodes to fill in');
    },
  },
  {
    name: 'barcodes-listed',
    title: 'Barcodes in their tab',
    script: withBarcodes,
    act: async (page) => {
      await check(page);
      await press(page, 'List 2 barcodes to fill in');
      await shows(page, '2 barcodes added to the tab “Barcodes”.');
    },
  },
];

const CHECKED_OTHERWISE: readonly SidebarState[] = [
  {
    name: 'up-to-date',
    title: 'Nothing to be asked for',
    script: {
      ...listed,
      'bulk.preflight': () =>
        says({ ...PREFLIGHT, calls: 0, fresh: 371, expectedMs: 0, added: [] }),
    },
    act: check,
  },
  {
    name: 'none-readable',
    title: 'No product can be read',
    script: {
      ...listed,
      'bulk.preflight': () =>
        says({
          ...PREFLIGHT,
          ...{ products: 0, fresh: 0, calls: 0, problem: NO_PRODUCT, repaired: NO_ROWS },
          ...{ duplicates: NO_ROWS, unreadable: { ...PREFLIGHT.unreadable, count: 412 } },
        }),
    },
    act: check,
  },
  {
    name: 'own-columns',
    title: 'A second market',
    script: {
      ...listed,
      'bulk.preflight': () =>
        says({
          ...PREFLIGHT,
          areApart: true,
          added: ['Profit (UK)', 'ROI (UK)', 'Analysis status (UK)', 'Analyzed at (UK)'],
        }),
    },
    act: async (page) => {
      await page.getByLabel('Market').selectOption('UK');
      await check(page);
    },
  },
  {
    name: 'replaced',
    title: 'Figures of another market are replaced',
    script: {
      ...listed,
      'bulk.preflight': () => says({ ...PREFLIGHT, replaced: 120, again: 48, added: [] }),
    },
    act: async (page) => {
      await page.getByLabel('Market').selectOption('UK');
      await check(page);
    },
  },
];

const OF_UK = { market: { kind: 'one', market: 'UK' } };

/** A list for both markets. The first run is done at its next call, the second never ends. */
export function bothMarkets(first: Partial<BulkStatus> = {}): Script {
  let started = 0;
  const done: BulkStatus = { ...FINISHED, runId: RUNNING.runId, ...first };
  const isUk = (sent: unknown) => JSON.stringify(sent).includes(JSON.stringify(OF_UK).slice(1, -1));
  return {
    ...listed,
    'bulk.preflight': (sent) =>
      says({
        ...PREFLIGHT,
        areApart: true,
        added: ['ROI', 'Analyzed at'].map((one) => `${one} (${isUk(sent) ? 'UK' : 'US'})`),
      }),
    'deals.look': () => says(LIST_LOOK),
    // This reply distinguishes the script from one of the Deals page.
    'deals.barcodes': () => says(null),
    'bulk.startRun': () => {
      started += 1;
      return begins(started === 1 ? RUNNING : { ...RUNNING, runId: 'second', answered: 41 });
    },
    'bulk.run': () => (started === 1 ? says({ status: done, againInMs: null }) : never()),
    'bulk.status': () => says(started === 1 ? RUNNING : { ...RUNNING, runId: 'second' }),
  };
}

export async function chooseBoth(page: Page): Promise<void> {
  await page.getByLabel('Market').selectOption('US and UK');
  await check(page);
}

const BOTH: readonly SidebarState[] = [
  {
    name: 'both',
    title: 'US and UK, before the runs',
    script: bothMarkets(),
    act: async (page) => {
      await chooseBoth(page);
      await shows(page, 'US first, then UK');
    },
  },
  {
    name: 'both-running',
    title: 'US is under way, UK follows',
    script: { ...bothMarkets(), 'bulk.run': never },
    act: async (page) => {
      await chooseBoth(page);
      await press(page, 'Start 602 calls');
      await shows(page, 'US, then UK');
    },
  },
  {
    name: 'both-stop',
    title: 'Stopping both is asked first',
    script: { ...bothMarkets(), 'bulk.run': never },
    act: async (page) => {
      await chooseBoth(page);
      await press(page, 'Start 602 calls');
      await press(page, 'Stop');
      await shows(page, 'UK is not started then.');
    },
  },
  {
    name: 'both-second',
    title: 'US is done, UK is under way',
    script: bothMarkets(),
    act: async (page) => {
      await chooseBoth(page);
      await press(page, 'Start 602 calls');
      await shows(page, 'US is done, now UK');
    },
  },
  {
    name: 'both-held',
    title: 'UK could not be started',
    script: {
      ...bothMarkets(),
      'deals.look': () => says({ ...LIST_LOOK, titles: ['Nothing', 'of', 'this'] }),
    },
    act: async (page) => {
      await chooseBoth(page);
      await press(page, 'Start 602 calls');
      await page.getByRole('button', { name: 'Start UK' }).waitFor();
    },
  },
];

const GONE = [
  { asin: 'B0CHY5K2ZQ', market: 'US' },
  { asin: 'B07XJ8C8F5', market: 'UK' },
] as const;

const RUN: readonly SidebarState[] = [
  {
    name: 'running',
    title: 'Running',
    script: withRun({}),
    act: (page) => shows(page, 'Now: rows 201–240'),
  },
  {
    name: 'waiting',
    title: 'Waiting for the key’s limit',
    script: withRun({
      rowsPerMinute: null,
      expectedMs: null,
      currentRows: null,
      nextCallAtMs: NOW_MS + 95_000,
    }),
    act: (page) => shows(page, 'Next call at'),
  },
  {
    name: 'pausing',
    title: 'Pausing',
    script: { ...withRun({}), 'bulk.pause': never },
    act: async (page) => {
      await press(page, 'Pause');
      await page.getByRole('button', { name: 'Pausing' }).waitFor();
    },
  },
  {
    name: 'paused',
    title: 'Paused',
    script: withRun({ state: 'paused' }),
    act: (page) => titled(page, 'Paused at 207 of 412'),
  },
  {
    name: 'reopened',
    title: 'Closed and opened again',
    script: withRun({ state: 'interrupted', currentRows: null }),
    act: (page) => titled(page, 'Run paused at 207 of 412'),
  },
  {
    name: 'stop',
    title: 'Stopping is asked first',
    script: withRun({}),
    act: async (page) => {
      await press(page, 'Stop');
      await shows(page, 'Figures already written stay.');
    },
  },
  {
    name: 'stopping',
    title: 'Stopping',
    script: { ...withRun({}), 'bulk.stop': never },
    act: async (page) => {
      await press(page, 'Stop');
      await press(page, 'Stop the run');
      await page.getByRole('button', { name: 'Stopping' }).waitFor();
    },
  },
  {
    name: 'stopped',
    title: 'Stopped',
    script: {
      ...withRun({}),
      'bulk.stop': () => says({ ...RUNNING, state: 'stopped', currentRows: null }),
    },
    act: async (page) => {
      await press(page, 'Stop');
      await press(page, 'Stop the run');
      await titled(page, 'Stopped at 207 of 412');
    },
  },
  {
    name: 'not-placed',
    title: 'Rows that are gone from the sheet',
    script: withRun({ notPlaced: { count: 2, products: GONE } }),
    act: async (page) => {
      await press(page, 'Show: 2 rows were deleted, or their status was changed');
      await shows(page, 'B0CHY5K2ZQ US');
    },
  },
  {
    name: 'somebody-else',
    title: 'Somebody else’s run',
    script: withRun({ isMine: false }),
    act: (page) => shows(page, 'by someone else'),
  },
  {
    name: 'finished',
    title: 'Finished',
    script: {
      ...listed,
      'bulk.startRun': () => begins(FINISHED),
      'bulk.status': () => says(FINISHED),
    },
    act: async (page) => {
      await check(page);
      await press(page, 'Start 301 calls');
      await titled(page, 'Done in 6 min 12 s');
    },
  },
];

export const ANALYZE_STATES: readonly SidebarState[] = [
  ...CHOOSING,
  ...CHECKED,
  ...BARCODES,
  ...CHECKED_OTHERWISE,
  ...BOTH,
  ...RUN,
];
