// States of a list with decisions, from an analyzed list to a shopping list, with invented replies.

import type { Page } from 'playwright-core';
import type { ListView } from '../../src/deal/list';
import { type Offer, offerIn, summaryOf } from '../../src/deal/offers';
import type { DealRules } from '../../src/deal/rules';
import type { ShownList } from '../../src/deal/shown-list';
import { runProblem } from '../../src/failures/failure';
import type { CostColumns, ListColumn } from '../../src/list/cost-choice';
import { costsToChoose, offerColumns } from '../../src/list/offer-columns';
import { USUAL } from '../../src/product/deal-rules';
import { figuresBy, PRODUCT_TITLE } from '../../src/product/fields';
import type { Market } from '../../src/product/market';
import type { CostTerms } from '../../src/product/offer-costs';
import { described, type RpcFailure } from '../../src/sidebar/api/failure-view';
import { EMPTY_LOOK, FINISHED, LOOK, PREVIEW, PROTECTED } from './analyze-replies';
import { listed } from './analyze-states';
import { connected, firstRun } from './connection-replies';
import { begins, never, refuses, type Script, says } from './scripted-page';
import { press, type SidebarState, shows, titled } from './sidebar-state';

const column = (at: number, title: string): ListColumn => ({
  ...{ column: at, letter: String.fromCharCode(64 + at), title },
});

/** The person's own columns, without that of products. */
const OWN: readonly ListColumn[] = [
  column(1, 'Title'),
  ...['Pack cost', 'Pack size', 'Order qty'].map((title, at) => column(3 + at, title)),
];

const NO_LIST = says({ look: null });

/** A supplier's rules beside the usual ones. */
export const rulesOf = (profile: string): DealRules => {
  const profiles = [
    { name: 'Default', values: USUAL },
    { name: 'Northwind', values: { ...USUAL, minRoi: 0.25 } },
  ];
  const inUse = profiles.find(({ name }) => name === profile)?.values ?? USUAL;
  return { profile, profiles, inUse, rates: {}, currency: null };
};

const LIST: ListView = {
  ...{ sheet: LOOK.sheet, listId: '1', columns: OWN, isOfBoth: false, rules: null },
  ...{ headerRow: 1, productColumn: 2, marketColumn: null, market: 'US', markets: ['US'] },
  fields: ['profit', 'roi', 'fees', 'sell_price'],
};

const TERMS: CostTerms = {
  ...{ inUse: USUAL, currency: undefined, rate: 1 },
  ...{ side: null, caseSize: null, included: [], discountAs: null, ratesOf: null },
};

/** The reply to a look. @param own what differs from the list that nobody has decided on. */
export function reads(own: Partial<ListView> = {}, more: Partial<ShownList> = {}) {
  const look = { ...LIST, ...own };
  const list = { ...look, products: PRODUCT_TITLE };
  const { costs, packUse, unused, questions, ...read } = offerColumns(list);
  const { rules, isOfBoth } = look;
  const money = isOfBoth
    ? { currency: rules?.currency ?? null, rate: rules?.rates.GBP ?? null }
    : {};
  const terms = { ...TERMS, ...read, ...money, inUse: rules?.inUse ?? USUAL };
  const shown: ShownList = {
    ...{ look, costs, packUse, unused, terms, open: questions, choices: costsToChoose(list) },
    ...{ changed: null, summary: null, offers: [], selected: null },
    samples: more.summary === undefined ? samplesOf(terms, costs, look.markets) : [],
    ...more,
  };
  return says(shown);
}

/** An offer by the cells of its row. */
export function offerOf(
  at: number,
  cells: Readonly<Record<string, string | number>>,
  figures: Partial<Offer['figures']> = {},
  market: Market = 'US',
  terms: CostTerms = TERMS,
): Offer {
  const asin = `B0DEAL${1000 + at}`;
  const content = { kind: 'product', product: { asin, market }, repair: null } as const;
  const row = { row: at + 2, shown: asin, key: '', content, tabRow: undefined };
  const offer = offerIn(row, (key) => cells[key], terms, true);
  return { ...offer, figures: { ...figuresBy(() => null), ...figures } };
}

/** Two products of the list, by its columns. */
function samplesOf(
  terms: CostTerms,
  columns: CostColumns,
  markets: ListView['markets'],
): ShownList['samples'] {
  const market = markets.includes('UK') ? 'UK' : 'US';
  return ['Stoneware mug', 'Bamboo cutting board'].map((name, at) => {
    const row = [name, '', 48 + at, 12, 2 + at];
    const own = Object.entries(columns).map(([key, { column: of }]) => [key, row[of - 1] ?? '']);
    const figures = { fees: 11.64, sell_price: 32.99 - at, eligible: true, rank_drops_30d: 40 };
    const cells = { name, ...(Object.fromEntries(own) as Record<string, string | number>) };
    return { offer: offerOf(at + 3, cells, figures, market, terms), cells: row };
  });
}

const REASONS = ['ROI under 30%', 'Profit under $3', 'Not eligible', 'Rank drops under 5'];

/** 57 rows: 14 pass and six nearly pass. */
const OFFERS: readonly Offer[] = Array.from({ length: 57 }, (_, at) => {
  const verdict = at < 14 ? 'Buy' : at < 20 ? 'Maybe' : at < 54 ? 'Skip' : 'No verdict';
  const why = at < 14 ? '' : at < 54 ? (REASONS[at % 4] ?? '') : 'No cost';
  const cost = 11.2 + (at % 7);
  const known = { landedCost: cost / 4, myProfit: 4.1 + (at % 5), cost };
  const own = { verdict, why, quantity: 1 + (at % 3), pack: 4 };
  return offerOf(at, at < 54 ? { ...own, ...known } : own);
});

const SUMMARY = summaryOf(OFFERS);

const undecided: Script = {
  ...{ ...listed, 'deals.look': () => reads(), 'deals.rules': () => says(null) },
};

const isDecided = (profile = 'Northwind'): Partial<ListView> => ({ rules: rulesOf(profile) });

/** The same list with the figures and decisions of the UK beside those of the US. */
const ofBoth = (
  { rates, currency }: Pick<DealRules, 'rates' | 'currency'>,
  summary: ShownList['summary'],
): Script => {
  const rules = { ...rulesOf('Northwind'), rates, currency };
  const look = { markets: ['US', 'UK'] as const, isOfBoth: true, rules };
  return { ...listed, 'deals.look': () => reads(look, summary === null ? {} : { summary }) };
};

const decided: Script = {
  ...undecided,
  'deals.look': () => reads(isDecided(), { summary: SUMMARY }),
  'deals.filter': () => says(null),
  'deals.sort': () => says(null),
  'deals.rules': () => says(null),
  'deals.shop': () =>
    says({ tab: 'Shopping list', isNew: true, passing: 14, buys: 14, csv: 'ASIN\r\n', lines: [] }),
  'deals.summarize': () => says({ sheetId: 13, name: 'Summary' }),
};

/** There is no list until a sheet has been created. */
function madeSheet(connection: Script): Script {
  let isMade = false;
  const rows = connection === firstRun ? OFFERS.slice(12, 15) : [];
  return {
    ...decided,
    ...connection,
    'list.look': () =>
      says(isMade ? { ...LOOK, sheet: { id: 12, name: 'Arbitrage' }, listRows: 0 } : EMPTY_LOOK),
    'demo.start': () => says({ connected: false, demo: true }),
    'deals.look': () => (isMade ? reads(isDecided(), { summary: summaryOf(rows) }) : NO_LIST),
    'deals.newSheet': (payload) => {
      isMade = true;
      const { kind } = payload as { readonly kind: string };
      return says({ sheetId: 12, name: kind.charAt(0).toUpperCase() + kind.slice(1) });
    },
  };
}

/** The list until its shopping list is in view. */
function shops(): Script {
  let isMade = false;
  const tab = { sheet: { id: 14, name: 'Shopping list' }, shoppedFrom: LOOK.sheet };
  return {
    ...decided,
    'list.look': () => says(isMade ? { ...LOOK, ...tab } : LOOK),
    'deals.look': () => (isMade ? NO_LIST : reads(isDecided(), { summary: SUMMARY })),
    'deals.shop': (payload) => {
      isMade = true;
      return decided['deals.shop']?.(payload) ?? never();
    },
  };
}

/** A job over the list that is done as soon as it starts. */
function ran(deals: Script): Script {
  let isOver = false;
  return {
    ...listed,
    'jobs.status': () => says(FINISHED),
    ...deals,
    'jobs.start': () => {
      isOver = true;
      return begins(FINISHED);
    },
    'deals.look': (payload) => (isOver ? (deals['deals.look']?.(payload) ?? NO_LIST) : NO_LIST),
  };
}

async function runToItsEnd(page: Page): Promise<void> {
  await press(page, 'Analyze 371');
  await titled(page, 'Done in');
}

const MOVED: RpcFailure = {
  kind: 'run',
  message: '"Cost" is no longer where it was in this sheet.',
  action: 'Look again.',
};

export const DEALS_STATES: readonly SidebarState[] = [
  {
    name: 'undecided',
    title: 'Figures, and a column of costs',
    script: undecided,
    act: (page) => titled(page, 'Decide with your own costs'),
  },
  {
    name: 'both',
    title: 'US and UK, decided on',
    script: ofBoth({ rates: { GBP: 1.2712 }, currency: 'GBP' }, SUMMARY),
    act: (page) => shows(page, '1 GBP = 1.2712 USD'),
  },
  {
    name: 'vat-asked',
    title: 'UK, and nobody has said how VAT counts',
    script: {
      ...undecided,
      'deals.look': () => reads({ market: 'UK', markets: ['UK'], rules: rulesOf('Default') }),
    },
    act: async (page) => {
      await shows(page, 'How do you pay VAT?');
    },
  },
  {
    name: 'no-flat-rate',
    title: 'UK, at a flat rate that nobody has typed',
    script: {
      ...listed,
      'deals.look': () => {
        const rules = rulesOf('Default');
        const inUse = { ...rules.inUse, ukScheme: 'Flat rate' };
        return reads({ market: 'UK', markets: ['UK'], rules: { ...rules, inUse } });
      },
    },
    act: (page) => shows(page, 'What is your flat rate?'),
  },
  {
    name: 'both-no-rate',
    title: 'US and UK, without a rate and a currency of costs',
    script: ofBoth({ rates: {}, currency: null }, null),
    act: (page) => shows(page, 'No exchange rate.'),
  },
  {
    name: 'no-cost',
    title: 'No column of costs',
    script: {
      ...undecided,
      'deals.look': () => reads({ columns: OWN.filter(({ title }) => title !== 'Pack cost') }),
    },
    act: async (page) => {
      await press(page, 'Choose your cost');
      await titled(page, 'Which column is your cost?');
    },
  },
  {
    name: 'no-list',
    title: 'A new deal sheet, where there is no list',
    script: madeSheet(connected),
    act: async (page) => {
      await press(page, 'New deal sheet');
      await titled(page, 'New deal sheet');
    },
  },
  {
    name: 'new-sheet',
    title: 'A new deal sheet, with a key',
    script: madeSheet(connected),
    act: async (page) => {
      await press(page, 'New deal sheet');
      await page.getByLabel('Kind').selectOption('arbitrage');
      await press(page, 'Make deal sheet');
      await shows(page, '“Arbitrage” is ready.');
    },
  },
  {
    name: 'new-sheet-samples',
    title: 'A new deal sheet, without a key',
    script: madeSheet(firstRun),
    act: async (page) => {
      await page.getByRole('tab', { name: 'List' }).click();
      await press(page, 'New deal sheet');
      await press(page, 'Make deal sheet');
      await shows(page, 'shows a dozen samples');
    },
  },
  {
    name: 'new-sheet-refused',
    title: 'A new deal sheet that cannot be made',
    script: { ...madeSheet(connected), 'deals.newSheet': () => refuses(PROTECTED) },
    act: async (page) => {
      await press(page, 'New deal sheet');
      await press(page, 'Make deal sheet');
      await shows(page, PROTECTED.message);
    },
  },
  {
    name: 'run-end-undecided',
    title: 'The end of a run',
    script: ran(undecided),
    act: async (page) => {
      await runToItsEnd(page);
      await page.getByRole('button', { name: 'Add decisions' }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'run-end',
    title: 'The end of a run over a list with decisions',
    script: ran(decided),
    act: async (page) => {
      await runToItsEnd(page);
      await page.getByRole('heading', { name: '14 of 57 to buy' }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'run-end-refused',
    title: 'Decisions asked for at the end of a run, in vain',
    script: ran({
      ...undecided,
      'deals.look': () => reads({ rules: rulesOf('Default') }),
      'deals.decide': () => refuses(PROTECTED),
    }),
    act: async (page) => {
      await runToItsEnd(page);
      await press(page, 'Add decisions');
      await shows(page, PROTECTED.message);
    },
  },
  {
    name: 'run-end-no-cost',
    title: 'The end of a run over a list without costs',
    script: ran({
      ...undecided,
      'deals.look': () => reads({ columns: OWN.filter(({ title }) => title !== 'Pack cost') }),
    }),
    act: async (page) => {
      await runToItsEnd(page);
      await page.getByRole('button', { name: 'choose yours' }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'deciding',
    title: 'Decisions are added',
    script: {
      ...undecided,
      'deals.decide': (part) =>
        (part as { readonly until: string }).until === 'formulas' ? never() : says(null),
    },
    act: async (page) => {
      await press(page, 'Add decisions');
      await shows(page, 'Writing decisions');
    },
  },
  {
    name: 'moved',
    title: 'A column moved meanwhile',
    script: {
      ...undecided,
      'deals.look': () => reads({ rules: rulesOf('Default') }),
      'deals.decide': () => refuses(MOVED),
    },
    act: async (page) => {
      await press(page, 'Add decisions');
      await shows(page, MOVED.message);
    },
  },
  {
    name: 'decided',
    title: 'What the list comes to',
    script: decided,
    act: (page) => titled(page, '14 of 57 to buy'),
  },
  {
    name: 'new-rows',
    title: 'Rows that were added to a decided list',
    script: {
      ...decided,
      'list.look': () => says({ ...LOOK, newRows: 14 }),
      'jobs.preview': () => says({ ...PREVIEW, products: 14, calls: 12, expectedMs: 12_000 }),
    },
    act: async (page) => {
      await shows(page, '14 new rows');
      await page.getByRole('button', { name: 'Analyze 14' }).waitFor();
    },
  },
  {
    name: 'rules',
    title: 'Rules of a supplier',
    script: decided,
    act: async (page) => {
      await titled(page, '14 of 57 to buy');
      await page.getByText('Rules', { exact: true }).click();
      await page.getByLabel('Supplier', { exact: true }).waitFor();
    },
  },
  {
    name: 'rule-refused',
    title: 'A rule that is no number',
    script: decided,
    act: async (page) => {
      await titled(page, '14 of 57 to buy');
      await page.getByText('Rules', { exact: true }).click();
      await page.locator('#deals-minProfit').fill('abc');
      await page.keyboard.press('Tab');
      await shows(page, 'Use a number, or leave it blank.');
    },
  },
  {
    name: 'lost-profile',
    title: 'A supplier that was renamed',
    script: {
      ...decided,
      'deals.look': () => reads(isDecided('Northern'), { summary: SUMMARY }),
    },
    act: async (page) => {
      await page.getByText('Rules', { exact: true }).click();
      await shows(page, 'The supplier in use is gone or was renamed.');
    },
  },
  {
    name: 'filtered',
    title: 'Only buys on view',
    script: decided,
    act: async (page) => {
      await press(page, 'Show only buys');
      await shows(page, 'Only buys are shown.');
    },
  },
  {
    name: 'sorted',
    title: 'The best first',
    script: decided,
    act: async (page) => {
      await press(page, 'Sort by ROI');
      await shows(page, 'Sorted by My ROI, best first.');
    },
  },
  {
    name: 'sort-refused',
    title: 'A heading between products is not moved',
    script: {
      ...decided,
      'deals.sort': () =>
        refuses(described(runProblem('not-sortable', 'row 12 ("Kitchen") is no product'))),
    },
    act: async (page) => {
      await press(page, 'Sort by ROI');
      await shows(page, 'so nothing was sorted');
    },
  },
  {
    name: 'shopping',
    title: 'A shopping list in its tab, and the way back to the list',
    script: shops(),
    act: async (page) => {
      await press(page, 'Make shopping list');
      await titled(page, 'Shopping list');
      await shows(page, 'Download it as CSV');
    },
  },
  {
    name: 'summary',
    title: 'A summary tab',
    script: decided,
    act: async (page) => {
      await press(page, 'Make summary tab');
      await shows(page, 'The tab “Summary” has charts of this list');
    },
  },
  {
    name: 'removing',
    title: 'Whether to remove decisions',
    script: decided,
    act: async (page) => {
      await press(page, 'Remove decisions');
      await page.getByRole('button', { name: 'Keep them' }).waitFor();
    },
  },
];
