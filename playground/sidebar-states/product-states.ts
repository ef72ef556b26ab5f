// States of the List page for the selected row, with invented replies.

import type { Page } from 'playwright-core';
import type { Offer } from '../../src/deal/offers';
import type { ShownList } from '../../src/deal/shown-list';
import { fail, runProblem } from '../../src/failures/failure';
import { whyOfStatus } from '../../src/failures/status';
import { described } from '../../src/sidebar/api/failure-view';
import { FINISHED, NOW_MS, RUNNING } from './analyze-replies';
import { listed } from './analyze-states';
import { firstRun } from './connection-replies';
import { offerOf, reads, rulesOf } from './deals-states';
import { begins, never, refuses, type Script, says } from './scripted-page';
import { press, type SidebarState, shows, titled } from './sidebar-state';

const HOUR_MS = 3_600_000;
const _DAY_MS = 24 * HOUR_MS;

const NAMES = ['Stacking cups', 'Bamboo cutting board', 'Night light', 'Cable clips, pack of 20'];
type Own = Partial<Offer['figures']> & { readonly cost?: number };

function rowOf(at: number, { cost = 6 + ((at * 7) % 23) / 2, ...own }: Own = {}): Offer {
  const [fees, sell] = [7.2, 15 + ((at * 13) % 31)];
  const profit = sell - fees - 9;
  const figures = {
    ...{ profit, roi: profit / 9, fees, sell_price: sell },
    ...{ eligible: true, rank_drops_30d: 12 + at, ...own },
  };
  const cells = { name: NAMES[at % NAMES.length] ?? '', cost, pack: 1, quantity: 6 };
  return { ...offerOf(at, cells, figures), fetchedAtMs: NOW_MS - 3 * HOUR_MS };
}

/** A row that the Analysis tab has no figures for. */
function bareRow(at: number, failure: string | null = null): Offer {
  const { figures } = offerOf(at, {});
  return { ...rowOf(at), figures, fetchedAtMs: null, failure };
}

/** The list, in which one row is replaced. */
const listWith = (changed: Offer): Pick<ShownList, 'offers'> => ({
  offers: Array.from({ length: 57 }, (_, at) => (at === 8 ? changed : rowOf(at))),
});

const LIST_LOOK = { rules: rulesOf('Default') };

const SELECTED = [10, 10] as const;

export const productScript = (
  changed: Offer = rowOf(8),
  selected: readonly [number, number] | null = SELECTED,
): Script => ({
  ...listed,
  'deals.look': () => reads(LIST_LOOK, { ...listWith(changed), selected }),
  'list.showRows': () => says({ rows: 1 }),
});

/** The script with another reply to the card than to the list. */
const cardsAs = (card: NonNullable<Script['deals.look']>): Script => ({
  ...productScript(),
  'deals.look': (payload) =>
    (payload as { readonly shows: string }).shows === 'offers' ? card(payload) : reads(LIST_LOOK),
});

export const toProduct = async (page: Page): Promise<void> => {
  await press(page, 'Selected row');
  await shows(page, 'Open product page');
};

const SCRIPT = productScript();
const started = (reply: Script): Script => ({
  ...SCRIPT,
  'jobs.start': () => begins({ ...RUNNING, rows: 1 }),
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
    name: 'product-skip',
    title: 'A product that is not to buy, with the reasons',
    script: productScript(rowOf(8, { eligible: false, cost: 16, rank_drops_30d: 2 })),
    act: async (page) => {
      await toProduct(page);
      await shows(page, 'Not eligible');
    },
  },
  {
    name: 'product-refreshing',
    title: 'One product is asked anew',
    script: started({ 'jobs.ask': never }),
    act: async (page) => {
      await toProduct(page);
      await press(page, 'Refresh this');
      await page.getByRole('button', { name: 'Stop' }).waitFor();
    },
  },
  {
    name: 'product-refreshed',
    title: 'It was asked anew',
    script: started({ 'jobs.start': () => begins({ ...FINISHED, rows: 1 }) }),
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
      'jobs.start': () =>
        refuses(
          described(
            runProblem(
              'run-in-progress',
              'you have a run over 412 rows of "Wholesale March", started about 4 min ago',
            ),
          ),
        ),
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
    script: productScript(bareRow(8)),
    act: async (page) => {
      await toProduct(page);
      await shows(page, 'Not analyzed yet');
    },
  },
  {
    name: 'product-failed',
    title: 'A row whose last try failed',
    script: productScript(bareRow(8, whyOfStatus('Not found', rowOf(8).product))),
    act: async (page) => {
      await toProduct(page);
      await shows(page, 'is not sold on Amazon');
    },
  },
  {
    name: 'product-unreadable',
    title: 'A row whose cell is no product',
    script: productScript({
      ...{ ...bareRow(8), shown: 'SKU-1187', product: null },
      problem: '"SKU-1187" is not an ASIN. An ASIN has 10 letters and digits.',
    }),
    act: async (page) => {
      await press(page, 'Selected row');
      await shows(page, 'is not an ASIN');
    },
  },
  {
    name: 'product-linked-title',
    title: 'A row whose title is only linked to a product',
    script: productScript({
      ...{ ...bareRow(8), name: '', shown: 'See the offer', product: null },
      problem: described(fail({ kind: 'bad-asin', input: 'See the offer', why: 'linked-text' }))
        .message,
    }),
    act: async (page) => {
      await press(page, 'Selected row');
      await shows(page, 'formulas cannot read its link');
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
        reads({ ...LIST_LOOK, columns: [] }, { ...listWith(rowOf(8)), selected: SELECTED }),
    },
    act: async (page) => {
      await toProduct(page);
      await shows(page, 'To get a verdict');
    },
  },
  {
    name: 'product-samples',
    title: 'A product without a key',
    script: { ...productScript(bareRow(8)), ...firstRun },
    act: async (page) => {
      await page.getByRole('tab', { name: 'List' }).click();
      await toProduct(page);
      await shows(page, 'Connect a key');
    },
  },
  {
    name: 'product-loading',
    title: 'Before the sheet is read',
    script: cardsAs(never),
    act: async (page) => {
      await press(page, 'Selected row');
      await page.getByRole('button', { name: 'Loading' }).waitFor();
    },
  },
  {
    name: 'product-unreached',
    title: 'The sheet cannot be read',
    script: cardsAs(() => refuses({ kind: 'google-busy', message: 'Google had a problem.' })),
    act: async (page) => {
      await press(page, 'Selected row');
      await shows(page, 'Google had a problem.');
    },
  },
];
