// A new sheet for deals, by the way one buys: headers, a dropdown and first rows. Pure.

import { columnLetters } from '../google/cells';
import type { NewTab } from '../google/new-tab';
import { sampleAsin, USUAL_ASIN } from '../product/asin';
import { MONEY, PERCENT } from '../product/cell-formats';
import { DEFAULT_FIELDS, type Field } from '../product/fields';
import { DEFAULT_MARKET, MARKETS } from '../product/market';
import { HEADER_STYLE } from './rules-tab';

export const SHEET_KINDS = ['wholesale', 'arbitrage'] as const;

export type SheetKind = (typeof SHEET_KINDS)[number];

/** A column of the buyer's own, with its value in the first row for a given cost of a unit. */
interface OwnColumn {
  readonly title: string;
  readonly width: number;
  readonly format: string;
  readonly first: (unitCost: number) => string | number;
}

const COUNT = '0';
const AS_TYPED = '';

const own = (title: string, format: string, first: OwnColumn['first'], width = 80): OwnColumn => ({
  title,
  format,
  first,
  width,
});

/** Units in the pack of the first row. */
const PACK = 12;

const SHEETS: Readonly<
  Record<SheetKind, { readonly name: string; readonly columns: readonly OwnColumn[] }>
> = {
  wholesale: {
    name: 'Wholesale',
    columns: [
      own('Pack cost', MONEY, (unitCost) => unitCost * PACK),
      own('Pack size', COUNT, () => PACK),
      own('Quantity', COUNT, () => 2),
      own('Discount', PERCENT, () => ''),
    ],
  },
  arbitrage: {
    name: 'Arbitrage',
    columns: [
      own('Store', AS_TYPED, () => 'Store or link', 160),
      own('Cost', MONEY, (unitCost) => unitCost),
      own('Quantity', COUNT, () => 5),
      own('Discount', PERCENT, () => ''),
      own('Shipping', MONEY, () => ''),
    ],
  },
};

/** "Cost, pack size, quantity, discount" */
export function ownTitles(kind: SheetKind): string {
  const titles = SHEETS[kind].columns.map(({ title }) => title).join(', ');
  return titles.charAt(0) + titles.slice(1).toLowerCase();
}

/** Includes the sell price, which decisions would otherwise have to derive. */
export const SHEET_FIGURES: readonly Field[] = [...DEFAULT_FIELDS, 'sell_price'];

interface FirstRow {
  readonly asin: string;
  readonly name: string;
  readonly unitCost: number;
}

/** With the default rules these are a Buy, a Maybe and a Skip. */
const SAMPLE_ROWS: readonly FirstRow[] = [
  { asin: sampleAsin(1), name: 'Sample that passes', unitCost: 11.5 },
  { asin: sampleAsin(10), name: 'Sample that needs approval', unitCost: 27.5 },
  { asin: sampleAsin(7), name: 'Sample at a loss', unitCost: 14.5 },
];

export const SAMPLE_PRODUCTS: readonly string[] = SAMPLE_ROWS.map(({ asin }) => asin);

const USUAL_ROWS: readonly FirstRow[] = [
  { asin: USUAL_ASIN, name: 'Put your products here', unitCost: 10 },
];

/** A new tab of Google's has this many rows. */
const LAST_ROW = 1_000;
const FIRST_ROW = 2;

/** Where the list is in the new sheet. */
export const SHEET_PLACE = { headerRow: 1, productColumn: 1, marketColumn: 3 } as const;

const WIDTHS = { asin: 120, name: 220, market: 70 };

/** @param hasSamples whether the rows are samples, which are answered without a key. */
export function newDealSheet(kind: SheetKind, hasSamples: boolean): NewTab {
  const { name: title, columns } = SHEETS[kind];
  const titles = ['ASIN', 'Product', 'Market', ...columns.map((one) => one.title)];
  const rows = hasSamples ? SAMPLE_ROWS : USUAL_ROWS;
  const cells = rows.map(({ asin, name, unitCost }) => [
    ...[asin, name, DEFAULT_MARKET],
    ...columns.map(({ first }) => first(unitCost)),
  ]);
  const letterOf = (one: string) => columnLetters(titles.indexOf(one) + 1);
  return {
    ...{ title, frozenRows: 1, isShown: true, cells: [titles, ...cells] },
    styles: [
      { at: `A1:${columnLetters(titles.length)}1`, ...HEADER_STYLE },
      { at: below(columnLetters(SHEET_PLACE.marketColumn)), choices: MARKETS },
      ...columns.flatMap(({ title: one, format }) =>
        format === AS_TYPED ? [] : [{ at: below(letterOf(one)), format }],
      ),
    ],
    widths: [WIDTHS.asin, WIDTHS.name, WIDTHS.market, ...columns.map(({ width }) => width)],
  };
}

const below = (letter: string) => `${letter}${FIRST_ROW}:${letter}${LAST_ROW}`;
