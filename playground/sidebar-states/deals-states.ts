// States of the Deals page, from an analyzed list to a shopping list, with invented replies.

import type { Page } from 'playwright-core';
import { costColumnsOf } from '../../src/deal/decision-plan';
import type {
  ListCell,
  ListColumn,
  ListInspection,
  ListRow,
  ReadList,
  ReadRules,
  RowKey,
} from '../../src/deal/list';
import { newRulesTab, RULES } from '../../src/deal/rules-tab';
import { runProblem } from '../../src/failures/failure';
import { DEAL_COLUMNS, DEAL_TITLES } from '../../src/product/deal-formulas';
import { described, type RpcFailure } from '../../src/sidebar/api/failure-view';
import { FINISHED, LOOK, PROTECTED } from './analyze-replies';
import { listed } from './analyze-states';
import { connected, firstRun } from './connection-replies';
import { begins, never, refuses, type Script, says } from './scripted-page';
import { press, type SidebarState, shows, titled } from './sidebar-state';

const column = (at: number, title: string): ListColumn => ({
  ...{ column: at, letter: String.fromCharCode(64 + at), title },
});

const FIGURES = [
  { ...column(6, 'Profit'), key: 'profit' },
  { ...column(7, 'ROI'), key: 'roi' },
  { ...column(8, 'Fees'), key: 'fees' },
  { ...column(9, 'Sell price'), key: 'sell_price' },
] as const;

/** The person's own columns, without that of products. */
const OWN: readonly ListColumn[] = [
  column(1, 'Title'),
  ...['Pack cost', 'Pack size', 'Qty'].map((title, at) => column(3 + at, title)),
];

const DECISIONS: ListInspection['decisions'] = Object.fromEntries(
  DEAL_COLUMNS.map((key, at) => [key, column(10 + at, DEAL_TITLES[key])]),
);

const LIST: ListInspection = {
  ...{ sheet: LOOK.sheet, listId: '1', rows: 57, columns: OWN, figures: FIGURES },
  ...{ headerRow: 1, productColumn: 2, marketColumn: null, market: 'US', markets: ['US'] },
  ...{ decisions: {}, costsInUse: null, roiScale: 1, rules: null },
};

/** The reply to a look. @param own what differs from the list that nobody has decided on. */
export function reads(
  own: Partial<ListInspection>,
  { keys, rows }: Pick<ReadList, 'keys' | 'rows'> = { keys: [], rows: [] },
  selected: ReadList['selected'] = null,
) {
  const look = { ...LIST, ...own };
  const costs = costColumnsOf(look);
  return says({ look, costs, keys, rows, selected, example: [] } satisfies ReadList);
}

/** The rules tab as created, with a supplier's profile added. */
export function rulesTab(profile: string): ReadRules {
  const { cells, names } = newRulesTab(1);
  const shown = cells.map((row, at): readonly ListCell[] => {
    const line: ListCell[] = row.map((cell) => (cell === '' ? null : cell));
    if (at === 0) line[1] = profile;
    if (at === 2) line[3] = 'Northwind';
    if (at > 2) line[3] = at === 4 ? 0.25 : (line[2] ?? null);
    if (at > 2 && at < 3 + RULES.length) line[1] = line[profile === 'Northwind' ? 3 : 2] ?? null;
    return line;
  });
  const rows = Object.fromEntries(names.map(({ name, at }) => [name, Number(at.slice(1))]));
  return { sheetId: 9, name: 'Deal rules', cells: shown, rows };
}

const REASONS = ['ROI under 30%', 'Profit under 3', 'Not eligible', 'Rank drops under 5'];

const KEYS: readonly RowKey[] = [
  ...(['landedCost', 'myProfit', 'myRoi', 'maxBuy', 'verdict', 'why'] as const),
  ...(['cost', 'quantity', 'pack', 'name'] as const),
];

/** 57 rows: 14 pass and six nearly pass. */
const ROWS: readonly ListRow[] = Array.from({ length: 57 }, (_, at) => {
  const verdict = at < 14 ? 'Buy' : at < 20 ? 'Maybe' : at < 54 ? 'Skip' : 'No verdict';
  const why = at < 14 ? '' : at < 54 ? (REASONS[at % 4] ?? '') : 'No cost';
  const isKnown = at < 54;
  const cost = 11.2 + (at % 7);
  const cells: readonly ListCell[] = [
    ...[isKnown ? cost / 4 : 'No cost', isKnown ? 4.1 + (at % 5) : '', isKnown ? 0.42 : '', 12],
    ...[verdict, why, isKnown ? cost : null, 1 + (at % 3), 4, `Product ${at + 1}`],
  ];
  const asin = `B0DEAL${1000 + at}`;
  return { row: at + 2, shown: asin, product: { asin, market: 'US' }, cells };
});

/** One offer with figures, as the page reads it to show what answers about VAT make. */
const UK_OFFER: Pick<ReadList, 'keys' | 'rows'> = {
  keys: ['cost', 'pack'],
  rows: [
    {
      ...{ row: 2, shown: 'B0DEAL2000', product: { asin: 'B0DEAL2000', market: 'UK' } },
      cells: [24, 4],
      known: {
        ...{ status: 'OK', analyzedMs: 0 },
        figures: {
          ...{ profit: 9, roi: 1.5, fees: 4.2, eligible: true, rank_drops_30d: 40 },
          ...{ buy_price: 6, sell_price: 24 },
        },
      },
    },
  ],
};

const undecided: Script = { ...connected, 'deals.look': () => reads({}) };

const isDecided = (profile = 'Northwind'): Partial<ListInspection> => ({
  ...{ decisions: DECISIONS, rules: rulesTab(profile) },
  costsInUse: costColumnsOf(LIST),
});

/** The same list with the figures and decisions of the UK beside those of the US. */
function ofBoth(own: Partial<ListInspection>, rate: ListCell, currency: ListCell): Script {
  const tab = rulesTab('Northwind');
  const cells = tab.cells.map(([label = null, value = null, ...rest]) => {
    const told = { 'GBP to USD': rate, 'My costs are in': currency }[String(label)];
    return [label, told === undefined ? value : told, ...rest];
  });
  const look = { ...own, markets: ['US', 'UK'] as const, rules: { ...tab, cells } };
  return { ...connected, 'deals.look': () => reads(look, { keys: KEYS, rows: ROWS }) };
}

const decided: Script = {
  ...undecided,
  'deals.look': () => reads(isDecided(), { keys: KEYS, rows: ROWS }),
  'deals.filter': () => says(null),
  'deals.sort': () => says(null),
  'deals.set': () => says(null),
  'deals.tab': () => says({ sheetId: 12, name: 'Shopping list' }),
};

const noList = (hasProducts: boolean) => says({ look: null, hasProducts });

/** There is no list until a sheet has been created. */
function madeSheet(connection: Script): Script {
  let isMade = false;
  return {
    ...decided,
    ...connection,
    'demo.start': () => says({ connected: false, demo: true }),
    'deals.look': () =>
      isMade ? reads(isDecided(), { keys: KEYS, rows: ROWS.slice(12, 15) }) : noList(false),
    'deals.newSheet': (payload) => {
      isMade = true;
      const { kind } = payload as { readonly kind: string };
      return says({ sheetId: 12, name: kind.charAt(0).toUpperCase() + kind.slice(1) });
    },
  };
}

/** A job over the list that is done as soon as it starts. */
const ran = (deals: Script): Script => ({
  ...listed,
  'jobs.start': () => begins(FINISHED),
  'jobs.status': () => says(FINISHED),
  ...deals,
});

async function runToItsEnd(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Analyze' }).click();
  await press(page, 'Preview');
  await press(page, 'Start 301 calls');
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
    script: ofBoth(isDecided(), 1.2712, 'GBP'),
    act: (page) => shows(page, '1 GBP = 1.2712 USD'),
  },
  {
    name: 'vat-asked',
    title: 'UK, and nobody has said how VAT counts',
    script: {
      ...connected,
      'deals.look': () =>
        reads({ market: 'UK', markets: ['UK'], rules: rulesTab('Default') }, UK_OFFER),
    },
    act: async (page) => {
      await shows(page, 'Choose your VAT scheme');
      await page.getByText('Choose your VAT scheme').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'both-no-rate',
    title: 'US and UK, without a rate and a currency of costs',
    script: ofBoth({}, '#N/A', null),
    act: (page) => shows(page, 'No exchange rate.'),
  },
  {
    name: 'no-cost',
    title: 'No column of costs',
    script: {
      ...undecided,
      'deals.look': () => reads({ columns: OWN.filter(({ title }) => title !== 'Pack cost') }),
    },
    act: (page) => titled(page, 'Which column is your cost?'),
  },
  {
    name: 'no-figures',
    title: 'Not analyzed yet',
    script: { ...undecided, 'deals.look': () => noList(true) },
    act: (page) => titled(page, 'Analyze this list first'),
  },
  {
    name: 'no-list',
    title: 'A sheet without a list',
    script: { ...undecided, 'deals.look': () => noList(false) },
    act: (page) => titled(page, 'No list on this sheet'),
  },
  {
    name: 'new-sheet',
    title: 'A new deal sheet, with a key',
    script: madeSheet(connected),
    act: async (page) => {
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
      await page.getByRole('tab', { name: 'Deals' }).click();
      await press(page, 'Make deal sheet');
      await shows(page, 'shows three samples');
    },
  },
  {
    name: 'new-sheet-refused',
    title: 'A new deal sheet that cannot be made',
    script: { ...madeSheet(connected), 'deals.newSheet': () => refuses(PROTECTED) },
    act: async (page) => {
      await press(page, 'Make deal sheet');
      await shows(page, PROTECTED.message);
    },
  },
  {
    name: 'run-end-undecided',
    title: 'The end of a run, on the Analyze page',
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
      await page.getByRole('button', { name: 'Open Deals' }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'run-end-refused',
    title: 'Decisions asked for at the end of a run, in vain',
    script: ran({
      ...undecided,
      'deals.look': () => reads({ rules: rulesTab('Default') }),
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
      await page.getByRole('button', { name: 'Open Deals' }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'deciding',
    title: 'Decisions are added',
    script: { ...undecided, 'deals.tab': never },
    act: async (page) => {
      await press(page, 'Add decisions');
      await page.getByRole('button', { name: 'Adding' }).waitFor();
    },
  },
  {
    name: 'moved',
    title: 'A column moved meanwhile',
    script: {
      ...undecided,
      'deals.look': () => reads({ rules: rulesTab('Default') }),
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
    act: (page) => titled(page, '14 of 57 pass'),
  },
  {
    name: 'rules',
    title: 'Rules of a supplier',
    script: decided,
    act: async (page) => {
      await titled(page, '14 of 57 pass');
      await page.getByText('Rules', { exact: true }).click();
      await page.getByLabel('Profile', { exact: true }).waitFor();
    },
  },
  {
    name: 'rule-refused',
    title: 'A rule that is no number',
    script: decided,
    act: async (page) => {
      await titled(page, '14 of 57 pass');
      await page.getByText('Rules', { exact: true }).click();
      await page.locator('#deals-minProfit').fill('abc');
      await page.keyboard.press('Tab');
      await shows(page, 'Use a number, or leave it blank.');
    },
  },
  {
    name: 'lost-profile',
    title: 'A profile that was renamed',
    script: {
      ...decided,
      'deals.look': () => reads(isDecided('Northern'), { keys: KEYS, rows: ROWS }),
    },
    act: async (page) => {
      await page.getByText('Rules', { exact: true }).click();
      await shows(page, 'The profile in use is gone or was renamed.');
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
    title: 'A shopping list',
    script: decided,
    act: async (page) => {
      await press(page, 'Make shopping list');
      await shows(page, 'Download it as CSV');
    },
  },
  {
    name: 'summary',
    title: 'A summary tab',
    script: {
      ...decided,
      'deals.tab': () => says({ sheetId: 13, name: 'Summary' }),
    },
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
