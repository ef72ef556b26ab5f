// States of a list that is analyzed, from the list in the sheet to the end of a job.
import type { Page } from 'playwright-core';
import type { JobStatus, ListInView } from '../../src/sidebar/api/jobs';
import {
  EMPTY_LOOK,
  FINISHED,
  LOOK,
  LOOK_WITHOUT_PRODUCTS,
  NO_PRODUCT,
  NO_ROWS,
  NOW_MS,
  PREVIEW,
  RUNNING,
  WITH_BARCODES,
} from './analyze-replies';
import { connected } from './connection-replies';
import { begins, never, type Script, says } from './scripted-page';
import { press, type SidebarState, shows, titled } from './sidebar-state';

/** A list of 412 rows, and a job over it that never ends. */
export const listed: Script = {
  ...connected,
  'list.look': () => says(LOOK),
  'jobs.preview': () => says(PREVIEW),
  'jobs.start': () => begins(RUNNING),
  'jobs.status': () => says(RUNNING),
  'jobs.setState': () => begins(RUNNING),
  'jobs.ask': never,
  'jobs.record': () => says(RUNNING),
  'jobs.showFailed': () => says({ rows: 3 }),
  'list.showRows': () => says({ rows: 12 }),
  'list.fillInNewRows': () => says({ filled: 14, kept: 0 }),
  'list.copyAsValues': () => says({ sheetId: 9, name: 'Wholesale March (values)' }),
  'list.showColumns': () => says({ rows: 400 }),
  'list.bringBackTab': () => says({ products: 371, missing: 0 }),
};

/** The same with a list of another kind in the sheet. */
const listedAs = (change: Partial<ListInView>): Script => ({
  ...listed,
  'list.look': () => says({ ...LOOK, ...change }),
});

/** The page as it opens while this job exists. */
export function withJob(change: Partial<JobStatus>): Script {
  const job = { ...RUNNING, ...change };
  return { ...listedAs({ job }), 'jobs.status': () => says(job) };
}

/** Another list in view than the one that is analyzed. */
const BESIDE_JOB = { sheet: { id: 8, name: 'Clearance' } };

const BESIDE: readonly SidebarState[] = [
  {
    name: 'beside',
    title: 'Another list is analyzed meanwhile',
    script: withJob(BESIDE_JOB),
    act: (page) => shows(page, 'Starts after “Clearance”'),
  },
  {
    name: 'queued',
    title: 'The list follows another one',
    script: withJob({
      ...BESIDE_JOB,
      next: [{ sheetId: LOOK.sheet.id, market: 'US', isMine: true }],
    }),
    act: (page) => shows(page, 'You can close the sidebar meanwhile.'),
  },
];

const CHOOSING: readonly SidebarState[] = [
  {
    name: 'ready',
    title: 'Ready, with what a run costs',
    script: listed,
    act: (page) => shows(page, '371 products on Amazon US'),
  },
  {
    name: 'figures',
    title: 'Which figures are shown',
    script: listed,
    act: async (page) => {
      await page.getByText('Figures', { exact: true }).click();
      await page.getByRole('checkbox', { name: 'Sell price' }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'new-rows',
    title: 'Rows that were added since',
    script: listedAs({ newRows: 14 }),
    act: (page) => shows(page, 'Fill in 14 new rows'),
  },
  {
    name: 'filled-in',
    title: 'New rows filled in',
    script: listedAs({ newRows: 14 }),
    act: async (page) => {
      await press(page, 'Fill in 14 new rows');
      await shows(page, '14 rows filled in.');
    },
  },
  {
    name: 'list-acts',
    title: 'What else can be done with the list',
    script: listed,
    act: async (page) => {
      await page.getByText('More for this list').click();
      await shows(page, 'Insert a column of clean ASINs');
    },
  },
  {
    name: 'tab-gone',
    title: 'The tab Analysis was deleted',
    script: listedAs({ isTabGone: true }),
    act: (page) => shows(page, 'The tab “Analysis” was deleted'),
  },
  {
    name: 'empty-sheet',
    title: 'The sheet is empty',
    script: { ...listed, 'list.look': () => says(EMPTY_LOOK) },
    act: (page) => shows(page, 'This sheet is empty.'),
  },
  {
    name: 'no-products',
    title: 'No column of products',
    script: { ...listed, 'list.look': () => says(LOOK_WITHOUT_PRODUCTS) },
    act: (page) => shows(page, 'No column of products was found.'),
  },
];

const COUNTED: readonly SidebarState[] = [
  {
    name: 'counting',
    title: 'Rows and calls are counted',
    script: { ...listed, 'jobs.preview': never },
    act: (page) => shows(page, 'Counting rows and calls'),
  },
  {
    name: 'unreadable',
    title: 'Rows that cannot be read',
    script: listed,
    act: async (page) => {
      await press(page, 'Show: 12 can’t be read');
      await shows(page, '12 rows selected');
    },
  },
];

const COUNTED_OTHERWISE: readonly SidebarState[] = [
  {
    name: 'barcodes',
    title: 'Barcodes whose products nobody knows',
    script: { ...listed, 'jobs.preview': () => says(WITH_BARCODES) },
    act: (page) => shows(page, '2 are barcodes.'),
  },
  {
    name: 'up-to-date',
    title: 'Nothing to be asked for',
    script: {
      ...listed,
      'jobs.preview': () => says({ ...PREVIEW, calls: 0, fresh: 371, expectedMs: 0, added: [] }),
    },
    act: (page) => shows(page, 'No calls needed: all up to date'),
  },
  {
    name: 'none-readable',
    title: 'No product can be read',
    script: {
      ...listed,
      'jobs.preview': () =>
        says({
          ...PREVIEW,
          ...{ products: 0, fresh: 0, calls: 0, problem: NO_PRODUCT, repaired: NO_ROWS },
          ...{ duplicates: NO_ROWS, unreadable: { ...PREVIEW.unreadable, count: 412 } },
        }),
    },
    act: (page) => shows(page, NO_PRODUCT.message),
  },
  {
    name: 'second-market',
    title: 'A second market',
    script: {
      ...listed,
      'jobs.preview': () =>
        says({
          ...PREVIEW,
          added: ['Profit (UK)', 'ROI (UK)', 'Analysis status (UK)', 'Analyzed at (UK)'],
        }),
    },
    act: async (page) => {
      await page.getByLabel('Market').selectOption('UK');
      await shows(page, '371 products on Amazon UK');
    },
  },
];

const OF_UK = { market: { kind: 'one', market: 'UK' } };

/** What follows the job of a list for both markets. */
const UK_NEXT = [{ sheetId: LOOK.sheet.id, market: 'UK', isMine: true }] as const;

/** A list for both markets. The first job is done with its first record, the second never ends. */
export function bothMarkets(first: Partial<JobStatus> = {}): Script {
  let isSecond = false;
  const running: JobStatus = { ...RUNNING, next: UK_NEXT };
  const done: JobStatus = { ...FINISHED, ...first, next: UK_NEXT };
  const second: JobStatus = { ...RUNNING, jobId: 'second', answered: 41, failed: 0, failures: [] };
  const isUk = (sent: unknown) => JSON.stringify(sent).includes(JSON.stringify(OF_UK).slice(1, -1));
  return {
    ...listed,
    'jobs.preview': (sent) =>
      says({
        ...PREVIEW,
        added: ['ROI', 'Analyzed at'].map((one) => (isUk(sent) ? `${one} (UK)` : one)),
      }),
    'jobs.start': () => begins(RUNNING, []),
    'jobs.queueNext': () => begins(running),
    'jobs.beginNext': () => {
      isSecond = true;
      return says({ status: second, queue: [], choice: { ...LOOK.choice, ...OF_UK } });
    },
    'jobs.record': () => says(isSecond ? second : done),
    'jobs.status': () => says(isSecond ? second : running),
  };
}

export async function chooseBoth(page: Page): Promise<void> {
  await page.getByLabel('Market').selectOption('US and UK');
  await shows(page, '371 products on Amazon US and UK');
}

const BOTH: readonly SidebarState[] = [
  {
    name: 'both',
    title: 'US and UK, before the runs',
    script: bothMarkets(),
    act: async (page) => {
      await chooseBoth(page);
      await shows(page, 'US: 301 calls');
    },
  },
  {
    name: 'both-running',
    title: 'US is under way, UK follows',
    script: { ...bothMarkets(), 'jobs.record': never },
    act: async (page) => {
      await chooseBoth(page);
      await press(page, 'Analyze 371');
      await shows(page, 'then UK');
    },
  },
  {
    name: 'both-second',
    title: 'US is done, UK is under way',
    script: bothMarkets(),
    act: async (page) => {
      await chooseBoth(page);
      await press(page, 'Analyze 371');
      await shows(page, 'US is done, now UK');
    },
  },
];

const UNDER_WAY: readonly SidebarState[] = [
  {
    name: 'running',
    title: 'Running',
    script: withJob({ isWorkedOn: false }),
    act: async (page) => {
      await page.getByRole('button', { name: 'Pause' }).waitFor();
      await shows(page, '4 min left');
    },
  },
  {
    name: 'waiting',
    title: 'Waiting for the key’s limit',
    script: {
      ...withJob({ isWorkedOn: false, expectedMs: null }),
      'jobs.setState': () => begins({ ...RUNNING, expectedMs: null }),
      'jobs.ask': () =>
        says({
          answers: [],
          left: ['US B07FZ8S74R'],
          calls: 0,
          servedMs: 0,
          waitedMs: 4_000,
          nextCallAtMs: NOW_MS + 95_000,
        }),
    },
    act: (page) => shows(page, 'Next call at'),
  },
  {
    name: 'pausing',
    title: 'Pausing',
    script: { ...listed, 'jobs.setState': never },
    act: async (page) => {
      await start(page);
      await press(page, 'Pause');
      await page.getByRole('button', { name: 'Pausing' }).waitFor();
    },
  },
  {
    name: 'paused',
    title: 'Paused',
    script: withJob({ state: 'paused' }),
    act: (page) => titled(page, 'Paused at 187 of 371'),
  },
  {
    name: 'elsewhere',
    title: 'Another window works on it',
    script: withJob({}),
    act: async (page) => {
      await page.getByRole('button', { name: 'Continue here' }).waitFor();
    },
  },
  {
    name: 'somebody-else',
    title: 'Somebody else’s run',
    script: withJob({ isMine: false }),
    act: (page) => shows(page, 'by someone else'),
  },
  {
    name: 'abandoned',
    title: 'Somebody else’s run, which nobody works on',
    script: withJob({ isMine: false, isWorkedOn: false }),
    act: (page) => titled(page, 'Paused at 187 of 371'),
  },
  {
    name: 'stopping',
    title: 'Stopping',
    script: { ...withJob({}), 'jobs.setState': never },
    act: async (page) => {
      await press(page, 'Stop');
      await page.getByRole('button', { name: 'Stopping' }).waitFor();
    },
  },
];

const start = (page: Page): Promise<void> => press(page, 'Analyze 371');

const OVER: readonly SidebarState[] = [
  {
    name: 'stopped',
    title: 'Stopped',
    script: { ...withJob({}), 'jobs.setState': () => begins({ ...RUNNING, state: 'stopped' }) },
    act: async (page) => {
      await press(page, 'Stop');
      await titled(page, 'Stopped at 187 of 371');
    },
  },
  {
    name: 'finished',
    title: 'Finished',
    script: { ...listed, 'jobs.start': () => begins(FINISHED) },
    act: async (page) => {
      await start(page);
      await titled(page, 'Done in 6 min 12 s');
    },
  },
  {
    name: 'finished-barcodes',
    title: 'Finished, with barcodes',
    script: {
      ...listed,
      'jobs.preview': () => says(WITH_BARCODES),
      'jobs.start': () => begins({ ...FINISHED, failed: 0, failures: [] }),
    },
    act: async (page) => {
      await start(page);
      await shows(page, '2 are barcodes: type their ASINs');
    },
  },
];

export const ANALYZE_STATES: readonly SidebarState[] = [
  ...CHOOSING,
  ...BESIDE,
  ...COUNTED,
  ...COUNTED_OTHERWISE,
  ...BOTH,
  ...UNDER_WAY,
  ...OVER,
];
