// The products to buy, as a tab and as a file.

import { type Failure, isFailure, runProblem } from '../failures/failure';
import { columnLetters, stretches } from '../google/cells';
import type { NewTab, TabCell } from '../google/new-tab';
import type { Platform } from '../google/platform';
import { filteredOut } from '../google/presentation';
import type { Sheet } from '../google/sheet';
import { sheetById, sheetsTagged, zoneHere } from '../google/spreadsheet';
import { moneyIn, PERCENT } from '../product/cell-formats';
import { paidCost } from '../product/cost';
import { PRODUCT_TITLE } from '../product/fields';
import { MARKETS, type Market } from '../product/market';
import { CHECK_QUANTITY } from '../product/typed-cost';
import { addTab, METADATA_KEY, tagTab } from '../sheet/own-tab';
import { type DealList, decisionColumn, type ListSelection, openList } from './list';
import { offersOf, type ReadTab } from './offer-rows';
import { type Buy, buysOf, type Offer, ordersOf, packOf } from './offers';
import { keyOf, productLink } from './product-card';
import { HEADER_STYLE } from './rules-tab';

/** Each with its width in pixels. */
const COLUMNS = {
  ...{ ASIN: 110, Product: 260, Market: 70, Quantity: 80, Pack: 60, Units: 60 },
  ...{ Cost: 80, Total: 90, 'Unit cost': 80, Supplier: 120, Date: 90, 'Item no.': 90 },
  ...{ Barcode: 120, 'Max buy': 80, 'My profit': 80, 'My ROI': 80, Link: 260 },
} as const;

type Title = keyof typeof COLUMNS;

const SHOPPING_TITLES = Object.keys(COLUMNS) as Title[];

const FIRST_ROW = 2;

/** "H2:H9" under this title; one cell without `last`. */
const cellsUnder = (title: Title, first: number, last = first): string => {
  const letter = columnLetters(SHOPPING_TITLES.indexOf(title) + 1);
  return `${letter}${first}:${letter}${last}`;
};

type Line<Day> = readonly (string | number | Day)[];

function lineOf<Day>(buy: Buy, day: Day): Line<Day> {
  const { product, name, quantity, costs, supplier, itemNumber, barcode } = buy;
  const { asin, market } = product;
  const pack = packOf(buy);
  const paid = paidCost(costs) ?? '';
  const units = quantity === null ? '' : quantity * pack;
  const total = paid === '' || quantity === null ? '' : Math.round(paid * quantity * 100) / 100;
  const bought = quantity ?? CHECK_QUANTITY;
  const ofUnit = paid === '' ? '' : Math.round((paid / pack) * 10_000) / 10_000;
  const amounts = [bought, pack, units, paid, total, ofUnit];
  const worth = [buy.maxBuy ?? '', buy.myProfit ?? '', buy.myRoi ?? ''];
  const from = [supplier, day, itemNumber, barcode];
  return [asin, name, market, ...amounts, ...from, ...worth, productLink(product)];
}

/** By currency and supplier, the best return first. */
const inOrder = (buys: readonly Buy[]): readonly Buy[] =>
  [...buys].sort(
    (a, b) =>
      a.paidIn.localeCompare(b.paidIn) ||
      a.supplier.localeCompare(b.supplier) ||
      (b.myRoi ?? 0) - (a.myRoi ?? 0),
  );

/** Tells the lines of a list apart: two offers for one product differ in their cost. "B0XKT7M4QN|US 24" */
export const lineKey = (offer: Pick<Offer, 'product' | 'costs'>): string =>
  `${keyOf(offer)} ${paidCost(offer.costs)}`;

export interface ShoppingList {
  /** null: there is nothing to buy. */
  readonly tab: string | null;
  /** Whether the tab was made just now; one with the same lines is opened as people left it. */
  readonly isNew: boolean;
  /** How many products pass, and how many of them are bought. */
  readonly passing: number;
  readonly buys: number;
  /** How many are left out, because a person's filter hides them. */
  readonly hidden: number;
  readonly csv: string;
  /** The key of each line. */
  readonly lines: readonly string[];
}

export function makeShoppingList(
  { clock, hasher }: Pick<Platform, 'clock' | 'hasher'>,
  selection: ListSelection,
  readTab: ReadTab,
): ShoppingList | Failure {
  const deal = openList(selection);
  if (isFailure(deal)) return deal;
  if (deal === null) return runProblem('look-again', PRODUCT_TITLE);
  const offers = offersOf(deal, readTab);
  if (isFailure(offers)) return offers;
  const passing = buysOf(offers);
  // Without a column of suppliers, the profile in use says whose costs these are.
  const { profile, profiles = [] } = deal.view.rules ?? {};
  const inUse = profiles.length > 1 ? (profile ?? '') : '';
  const orders = ordersOf(offers);
  // Who shows one supplier's rows alone orders from this one; that only Buys are shown changes nothing.
  const rows = orders.map(({ row }) => row);
  const hidden = filteredOut(deal.list.sheet, rows, decisionColumn(deal, 'verdict'));
  const buys = inOrder(
    orders
      .filter(({ row }) => !hidden.has(row))
      .map((buy) => ({ ...buy, supplier: buy.supplier || inUse })),
  );
  const nowMs = clock.nowMs();
  const day = new Date(nowMs + zoneHere()(nowMs)).toISOString().slice(0, 10);
  const tag = `${tagOf(deal.view)} ${hasher.sha256Hex(shoppingCsv(buys, ''))}`;
  const opened = buys.length === 0 ? NO_TAB : openTab(buys, tag, new Date(nowMs));
  if (isFailure(opened)) return opened;
  const counts = { passing: passing.length, buys: buys.length, hidden: hidden.size };
  return { ...opened, ...counts, csv: shoppingCsv(buys, day), lines: buys.map(lineKey) };
}

type Opened = Pick<ShoppingList, 'tab' | 'isNew'>;

const NO_TAB: Opened = { tab: null, isNew: false };

/** Brings the tab with these lines into view. @param tag says which lines, and of which list. */
function openTab(buys: readonly Buy[], tag: string, day: Date): Opened | Failure {
  const [former] = sheetsTagged(METADATA_KEY, tag);
  former?.show();
  if (former !== undefined) return { tab: former.name() ?? '', isNew: false };
  const made = addTab(shoppingTab(buys, day));
  if (isFailure(made)) return made;
  tagTab(made, tag);
  return { tab: made.name, isNew: true };
}

const tagOf = ({ sheet, listId }: Pick<DealList['view'], 'sheet' | 'listId'>): string =>
  `shopping-list ${sheet.id} ${listId}`;

/** The sheet of the list that a shopping list was made of. */
export interface ShoppedList {
  readonly id: number;
  readonly name: string;
}

/** null: this sheet is no shopping list, or what it was made of is gone. */
export function shoppedList(sheet: Sheet): ShoppedList | null {
  for (const { on, value } of sheet.metadata(METADATA_KEY) ?? []) {
    const [, id] = (on === 'sheet' && /^shopping-list (\d+) /.exec(value)) || [];
    const list = id === undefined ? null : sheetById(Number(id));
    if (list !== null) return { id: list.id, name: list.name() ?? '' };
  }
  return null;
}

/** The first and last rows of lines of one market, one below another. */
const runsBy = (buys: readonly Buy[], marketOf: (buy: Buy) => Market) =>
  MARKETS.flatMap((market) => {
    const rows = buys.flatMap((buy, at) => (marketOf(buy) === market ? [FIRST_ROW + at] : []));
    return stretches(rows, (row) => row).map(
      (run) => [market, run[0], run[0] + run.length - 1] as const,
    );
  });

/** Lines are in the order of their currencies, so each has one run. */
const runsByCurrency = (buys: readonly Buy[]) => runsBy(buys, ({ paidIn }) => paidIn);

/** What is paid in each currency, below the lines. */
const totalsOf = (buys: readonly Buy[]): readonly (readonly TabCell[])[] =>
  runsByCurrency(buys).map(([, first, last]) =>
    SHOPPING_TITLES.map((title): TabCell => {
      if (title === 'Product') return 'Total';
      return title === 'Total' ? { formula: `=SUM(${cellsUnder(title, first, last)})` } : '';
    }),
  );

/** An earlier shopping list keeps what people noted in it: the new tab is added beside it. */
function shoppingTab(buys: readonly Buy[], day: Date): NewTab {
  const end = FIRST_ROW + buys.length;
  const paid = ['Cost', 'Total', 'Unit cost', 'Max buy'] as const;
  return {
    title: 'Shopping list',
    cells: [SHOPPING_TITLES, ...buys.map((buy) => lineOf(buy, day)), ...totalsOf(buys)],
    styles: [
      { at: `A1:${columnLetters(SHOPPING_TITLES.length)}1`, ...HEADER_STYLE },
      ...runsByCurrency(buys).flatMap(([market, first, last], at) => [
        ...paid.map((title) => ({ at: cellsUnder(title, first, last), format: moneyIn(market) })),
        { at: cellsUnder('Total', end + at), format: moneyIn(market) },
      ]),
      ...runsBy(buys, ({ product }) => product.market).map(([market, first, last]) => ({
        at: cellsUnder('My profit', first, last),
        format: moneyIn(market),
      })),
      { at: cellsUnder('My ROI', FIRST_ROW, end - 1), format: PERCENT },
    ],
    widths: Object.values(COLUMNS),
    frozenRows: 1,
    isShown: true,
  };
}

/** Beginnings that other spreadsheet programs would read as a formula. */
const RISKY = /^[=+\-@\t\r]/;

/** Texts that they would read as a number, such as the ISBN 0306406152, which would lose its zero. */
const NUMERIC = /^\s*[\d.,]*\d[\d.,]*(e[+-]?\d+)?\s*$/i;

/** A text as one that other programs leave as it is: `="0306406152"`, `'=IMAGE(A2)`. */
function guarded(text: string): string {
  if (NUMERIC.test(text)) return `="${text}"`;
  return RISKY.test(text) ? `'${text}` : text;
}

function csvCell(cell: string | number): string {
  const text = typeof cell === 'string' ? guarded(cell) : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** RFC 4180, with decimal points in every locale. @param day in ISO form, which other programs read as a date. */
export const shoppingCsv = (buys: readonly Buy[], day: string): string =>
  [SHOPPING_TITLES, ...buys.map((buy) => lineOf(buy, day))]
    .map((line) => `${line.map(csvCell).join(',')}\r\n`)
    .join('');
