// The products to buy, as a new tab each time and as a file.

import { type Failure, isFailure, runProblem } from '../failures/failure';
import type { NewTab, TabCell } from '../google/new-tab';
import { zoneHere } from '../google/spreadsheet';
import { productKey } from '../product/asin';
import { moneyIn, PERCENT } from '../product/cell-formats';
import { paidCost } from '../product/cost';
import { PRODUCT_TITLE } from '../product/fields';
import { MARKETS, type Market } from '../product/market';
import { CHECK_QUANTITY } from '../product/typed-cost';
import { addTab } from '../sheet/own-tab';
import { type ListSelection, offersOf, openList, type ReadTab } from './list';
import { type Buy, buysOf, ordersOf, packOf } from './offers';
import { productLink } from './product-card';
import { HEADER_STYLE } from './rules-tab';

const TITLES = [
  ...['ASIN', 'Product', 'Market', 'Quantity', 'Pack', 'Units', 'Cost', 'Total', 'Unit cost'],
  ...['Supplier', 'Date', 'Item no.', 'Barcode', 'Max buy', 'My profit', 'My ROI', 'Link'],
];

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
    (one, other) =>
      one.paidIn.localeCompare(other.paidIn) ||
      one.supplier.localeCompare(other.supplier) ||
      (other.myRoi ?? 0) - (one.myRoi ?? 0),
  );

/** What a line is known by while its list stands: another offer for the same product has another cost. */
export const lineKey = ({ product, costs }: Pick<Buy, 'product' | 'costs'>): string =>
  `${productKey(product)} ${paidCost(costs)}`;

export interface ShoppingList {
  /** null: there is nothing to buy. */
  readonly tab: string | null;
  /** How many products pass, and how many of them are bought. */
  readonly passing: number;
  readonly buys: number;
  readonly csv: string;
  /** The key of each line. */
  readonly lines: readonly string[];
}

export function makeShoppingList(
  selection: ListSelection,
  readTab: ReadTab,
  nowMs: number,
): ShoppingList | Failure {
  const deal = openList(selection);
  if (isFailure(deal)) return deal;
  if (deal === null) return runProblem('look-again', PRODUCT_TITLE);
  const offers = offersOf(deal, readTab);
  if (isFailure(offers)) return offers;
  const passing = buysOf(offers);
  // Without a column of suppliers, the profile in use says whose costs these are.
  const { profile, profiles = [] } = deal.look.rules ?? {};
  const inUse = profiles.length > 1 ? (profile ?? '') : '';
  const buys = inOrder(
    ordersOf(offers).map((buy) => ({ ...buy, supplier: buy.supplier || inUse })),
  );
  const day = new Date(nowMs + zoneHere()(nowMs)).toISOString().slice(0, 10);
  const made = buys.length === 0 ? null : addTab(shoppingTab(buys, new Date(nowMs)));
  if (isFailure(made)) return made;
  const counts = { passing: passing.length, buys: buys.length };
  const lines = buys.map(lineKey);
  return { tab: made?.name ?? null, ...counts, csv: shoppingCsv(buys, day), lines };
}

/** What is paid in each currency, below the lines. */
const totalsOf = (buys: readonly Buy[]): readonly (readonly TabCell[])[] =>
  MARKETS.flatMap((market) => {
    const rows = buys.flatMap(({ paidIn }, at) => (paidIn === market ? [at + 2] : []));
    const formula = `=SUM(H${rows[0]}:H${rows[rows.length - 1]})`;
    return rows.length === 0 ? [] : [['', 'Total', ...Array(5).fill(''), { formula }]];
  });

/** An earlier shopping list keeps what people noted in it: the new tab is added beside it. */
const shoppingTab = (buys: readonly Buy[], day: Date): NewTab => ({
  title: 'Shopping list',
  cells: [TITLES, ...buys.map((buy) => lineOf(buy, day)), ...totalsOf(buys)],
  styles: [
    { at: 'A1:Q1', ...HEADER_STYLE },
    ...amounts(buys, 'G', 'I', ({ paidIn }) => paidIn),
    ...amounts(buys, 'N', 'N', ({ paidIn }) => paidIn),
    ...amounts(buys, 'O', 'O', ({ product }) => product.market),
    { at: `P2:P${buys.length + 1}`, format: PERCENT },
  ],
  widths: [110, 260, 70, 80, 60, 60, 80, 90, 80, 120, 90, 90, 120, 80, 80, 80, 260],
  frozenRows: 1,
});

/** The format of these columns in each row. */
const amounts = (
  buys: readonly Buy[],
  first: string,
  last: string,
  moneyOf: (buy: Buy) => Market,
) =>
  together(
    buys.map((buy, at) => ({
      at: `${first}${at + 2}:${last}${at + 2}`,
      format: moneyIn(moneyOf(buy)),
    })),
  );

/** Joins consecutive rows of the same format. */
function together(styles: readonly { readonly at: string; readonly format: string }[]) {
  const joined: { at: string; format: string }[] = [];
  for (const { at, format } of styles) {
    const last = joined[joined.length - 1];
    if (last?.format === format) last.at = `${last.at.split(':')[0]}:${at.split(':')[1]}`;
    else joined.push({ at, format });
  }
  return joined;
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
  [TITLES, ...buys.map((buy) => lineOf(buy, day))]
    .map((line) => `${line.map(csvCell).join(',')}\r\n`)
    .join('');
