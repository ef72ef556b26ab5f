// States of the Deals page for the selected row, with invented replies.

import type { Page } from 'playwright-core';
import type { ListCell, ListInspection, ListRow } from '../../src/deal/list';
import { FINISHED, LOOK, NOW_MS, RUNNING } from './analyze-replies';
import { connected, firstRun } from './connection-replies';
import { column, LIST, look, rulesTab } from './deals-states';
import { never, refuses, type Script, says } from './scripted-page';
import { press, type SidebarState, shows, titled } from './sidebar-state';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const COLUMNS = [
  ...LIST.slice(0, 5),
  ...['Profit', 'ROI', 'Fees', 'Sell price', 'Eligible', 'Rank drops 30d'].map((title, at) =>
    column(6 + at, title),
  ),
  column(12, 'Analysis status'),
  column(13, 'Analyzed at'),
];

const KEYS = ['profit', 'roi', 'fees', 'sell_price', 'eligible', 'rank_drops_30d', 'status', 'at'];

const LIST_LOOK: ListInspection = {
  ...look(COLUMNS, rulesTab('Default')),
  figures: COLUMNS.slice(5).map((one, at) => ({ ...one, key: KEYS[at] ?? '' }) as never),
};

const NAMES = ['Stacking cups', 'Bamboo cutting board', 'Night light', 'Cable clips, pack of 20'];

type OwnCells = Readonly<Record<string, ListCell>>;

/** A row with its cells keyed by their titles. */
interface TitledRow extends Omit<ListRow, 'cells'> {
  readonly own: OwnCells;
}

function rowOf(at: number, cells: OwnCells = {}): TitledRow {
  const asin = `B0DEAL${1000 + at}`;
  const cost = 6 + ((at * 7) % 23) / 2;
  const [fees, sell] = [7.2, 15 + ((at * 13) % 31)];
  const own: OwnCells = {
    ...{
      Title: NAMES[at % NAMES.length] ?? '',
      ASIN: asin,
      'Pack cost': cost,
      'Pack size': 1,
      Qty: 6,
    },
    ...{ Profit: sell - fees - 9, ROI: (sell - fees - 9) / 9, Fees: fees, 'Sell price': sell },
    ...{ Eligible: true, 'Rank drops 30d': 12 + at, 'Analysis status': 'OK' },
    'Analyzed at': new Date(NOW_MS - 3 * HOUR_MS).toISOString(),
    ...cells,
  };
  return { row: at + 2, product: { asin, market: 'US' }, own };
}

const BLANK = Object.fromEntries(COLUMNS.slice(5).map(({ title }) => [title, null]));

/** The list with the requested columns, in which one row is replaced. */
const listWith = (changed: TitledRow, payload: unknown): readonly ListRow[] => {
  const { columns } = payload as { readonly columns: readonly number[] };
  return Array.from({ length: 57 }, (_, at) => {
    const { own, ...row } = at === 8 ? changed : rowOf(at);
    return { ...row, cells: columns.map((one) => own[COLUMNS[one - 1]?.title ?? ''] ?? null) };
  });
};

const SELECTED = [10, 10] as const;

const CHANGES = [
  { atMs: NOW_MS - 2 * DAY_MS, figure: 'ROI', before: 0.61, after: 0.78 },
  { atMs: NOW_MS - 6 * DAY_MS, figure: 'ROI', before: 0.49, after: 0.61 },
  { atMs: NOW_MS - 9 * DAY_MS, figure: 'ROI', before: 0.66, after: 0.49 },
];

export const productScript = (
  changed: TitledRow = rowOf(8),
  selected: readonly [number, number] | null = SELECTED,
): Script => ({
  ...connected,
  'bulk.look': () => says({ ...LOOK, choice: LOOK.choice && { ...LOOK.choice, productColumn: 2 } }),
  'deals.look': () => says(LIST_LOOK),
  'deals.rows': (payload) => says({ rows: listWith(changed, payload), selected }),
  'deals.history': () => says(CHANGES),
  'bulk.show': () => says({ shown: 1 }),
});

export const toProduct = async (page: Page): Promise<void> => {
  await press(page, 'Selected row');
  await shows(page, 'Open product page');
};

const SCRIPT = productScript();
const started = (reply: Script): Script => ({
  ...SCRIPT,
  'bulk.start': () => says({ ...RUNNING, rows: 1 }),
  ...reply,
});

export const PRODUCT_STATES: readonly SidebarState[] = [
  { name: 'product', title: 'The selected row', script: SCRIPT, act: toProduct },
  {
    name: 'product-what-if',
    title: 'Other prices, without a call',
    script: SCRIPT,
    act: async (page) => {
      await toProduct(page);
      await page.getByLabel('I pay $, exact').fill('14.5');
      await page.keyboard.press('Tab');
      await shows(page, 'Back to the list’s prices');
      await page.getByRole('heading', { name: 'What if' }).evaluate((one) => one.scrollIntoView());
    },
  },
  {
    name: 'product-history',
    title: 'Where it stands, and what it was before',
    script: SCRIPT,
    act: async (page) => {
      await toProduct(page);
      await page
        .getByRole('heading', { name: 'Among the others' })
        .evaluate((one) => one.scrollIntoView());
    },
  },
  {
    name: 'product-skip',
    title: 'A product that is not to buy, with the reasons',
    script: productScript(rowOf(8, { Eligible: false, Cost: 16, 'Rank drops 30d': 2 })),
    act: async (page) => {
      await toProduct(page);
      await shows(page, 'Not eligible');
    },
  },
  {
    name: 'product-refreshing',
    title: 'One product is asked anew',
    script: started({ 'bulk.run': never }),
    act: async (page) => {
      await toProduct(page);
      await press(page, 'Refresh this');
      await page.getByRole('button', { name: 'Stop' }).waitFor();
    },
  },
  {
    name: 'product-refreshed',
    title: 'It was asked anew',
    script: started({
      'bulk.run': () => says({ status: { ...FINISHED, rows: 1 }, againInMs: null }),
    }),
    act: async (page) => {
      await toProduct(page);
      await press(page, 'Refresh this');
      await shows(page, 'Figures are up to date.');
    },
  },
  {
    name: 'product-refused',
    title: 'It cannot be refreshed while another run is under way',
    script: {
      ...SCRIPT,
      'bulk.start': () =>
        refuses({
          kind: 'run',
          why: 'run-in-progress',
          what: 'you have a run over 412 rows of "Wholesale March", started about 4 min ago',
          message: '',
        }),
    },
    act: async (page) => {
      await toProduct(page);
      await press(page, 'Refresh this');
      await shows(page, 'You have a run over 412 rows');
    },
  },
  {
    name: 'product-unanalyzed',
    title: 'A row without figures',
    script: productScript(rowOf(8, BLANK)),
    act: async (page) => {
      await toProduct(page);
      await shows(page, 'Not analyzed yet');
    },
  },
  {
    name: 'product-failed',
    title: 'A row whose last try failed',
    script: productScript(
      rowOf(8, { ...BLANK, 'Analysis status': `[not-found B0DEAL1008 US 2026-03-16 11:20]` }),
    ),
    act: async (page) => {
      await toProduct(page);
      await shows(page, 'not found');
    },
  },
  {
    name: 'product-unreadable',
    title: 'A row whose cell is no product',
    script: productScript({ ...rowOf(8, { ...BLANK, ASIN: 'SKU-1187' }), product: null }),
    act: async (page) => {
      await press(page, 'Selected row');
      await shows(page, 'is not an ASIN');
    },
  },
  {
    name: 'product-no-row',
    title: 'Nothing of the list is selected',
    script: productScript(rowOf(8), [90, 90]),
    act: async (page) => {
      await press(page, 'Selected row');
      await titled(page, 'No product in this row');
    },
  },
  {
    name: 'product-no-cost',
    title: 'A product without a column of costs',
    script: {
      ...SCRIPT,
      'deals.look': () =>
        says({
          ...LIST_LOOK,
          columns: LIST_LOOK.columns.map((one) =>
            one.title === 'Pack cost' ? { ...one, title: 'Notes' } : one,
          ),
        }),
    },
    act: async (page) => {
      await toProduct(page);
      await shows(page, 'To get a verdict');
    },
  },
  {
    name: 'product-samples',
    title: 'A product without a key',
    script: { ...productScript(rowOf(8, BLANK)), ...firstRun },
    act: async (page) => {
      await page.getByRole('tab', { name: 'Deals' }).click();
      await toProduct(page);
      await shows(page, 'Connect a key');
    },
  },
  {
    name: 'product-loading',
    title: 'Before the sheet is read',
    script: { ...SCRIPT, 'deals.rows': never },
    act: async (page) => {
      await press(page, 'Selected row');
      await page.getByRole('button', { name: 'Loading' }).waitFor();
    },
  },
  {
    name: 'product-unreached',
    title: 'The sheet cannot be read',
    script: {
      ...SCRIPT,
      'deals.rows': () => refuses({ kind: 'google-busy', message: 'Google had a problem.' }),
    },
    act: async (page) => {
      await press(page, 'Selected row');
      await shows(page, 'Google had a problem.');
    },
  },
];
