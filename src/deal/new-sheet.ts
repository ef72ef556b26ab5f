// A new sheet for deals, by the way one buys: headers, a dropdown and first rows. Pure.

import { SAMPLE_LIST } from '../engine/samples';
import { columnLetters } from '../google/cells';
import type { NewTab } from '../google/new-tab';
import { USUAL_ASIN } from '../product/asin';
import { COUNT, MONEY, PERCENT } from '../product/cell-formats';
import { DEFAULT_FIELDS, type Field } from '../product/fields';
import { DEFAULT_MARKET, MARKETS } from '../product/market';
import { HEADER_STYLE } from './rules-tab';

/** A column of the buyer's own. */
interface OwnColumn {
  readonly title: string;
  readonly width?: number;
  /** The number format; left out: as typed. */
  readonly format?: string;
  /** Its value in the first rows for a given cost of a unit; left out: blank. */
  readonly first?: (unitCost: number) => string | number;
}

/** Units in the pack of the first rows. */
const PACK = 12;

const COLUMNS = {
  wholesale: [
    { title: 'Pack cost', format: MONEY, first: (unitCost) => unitCost * PACK },
    { title: 'Pack size', format: COUNT, first: () => PACK },
    { title: 'Packs to buy', width: 100, format: COUNT, first: () => 2 },
    { title: 'Discount', format: PERCENT },
  ],
  arbitrage: [
    { title: 'Store', width: 160, first: () => 'Store or link' },
    { title: 'Cost', format: MONEY, first: (unitCost) => unitCost },
    { title: 'Quantity', format: COUNT, first: () => 5 },
    { title: 'Discount', format: PERCENT },
    { title: 'Shipping', format: MONEY },
  ],
} as const satisfies Readonly<Record<string, readonly OwnColumn[]>>;

export type SheetKind = keyof typeof COLUMNS;

export const SHEET_KINDS = Object.keys(COLUMNS) as [SheetKind, ...SheetKind[]];

/** "Wholesale" */
export const kindTitle = (kind: SheetKind): string => kind.charAt(0).toUpperCase() + kind.slice(1);

/** "Pack cost, pack size, quantity, discount" */
export function ownTitles(kind: SheetKind): string {
  const titles = COLUMNS[kind].map(({ title }) => title).join(', ');
  return titles.charAt(0) + titles.slice(1).toLowerCase();
}

/** Includes the sell price, which decisions would otherwise have to derive. */
export const SHEET_FIGURES: readonly Field[] = [...DEFAULT_FIELDS, 'sell_price'];

/** A first row: its product, its name and what a unit costs. */
type FirstRow = readonly [asin: string, name: string, unitCost: number];

const sampleRows = () =>
  SAMPLE_LIST.map(({ asin, name, buyPrice }): FirstRow => [asin, `Sample: ${name}`, buyPrice]);

const USUAL_ROWS: readonly FirstRow[] = [[USUAL_ASIN, 'Put your products here', 10]];

/** Where the list is in the new sheet. */
export const SHEET_PLACE = { headerRow: 1, productColumn: 1, marketColumn: 3 } as const;

/** Down to the last row of a new tab of Google's. */
const below = (column: number) => `${columnLetters(column)}2:${columnLetters(column)}1000`;

/** @param hasSamples whether the rows are samples, which are answered without a key. */
export function newDealTab(kind: SheetKind, hasSamples: boolean): NewTab {
  const own: readonly OwnColumn[] = COLUMNS[kind];
  const titles = ['ASIN', 'Product', 'Market', ...own.map(({ title }) => title)];
  const rows = (hasSamples ? sampleRows() : USUAL_ROWS).map(([asin, name, unitCost]) => [
    ...[asin, name, DEFAULT_MARKET],
    ...own.map(({ first }) => first?.(unitCost) ?? ''),
  ]);
  return {
    title: hasSamples ? 'Samples' : kindTitle(kind),
    frozenRows: 1,
    isShown: true,
    cells: [titles, ...rows],
    styles: [
      { at: `A1:${columnLetters(titles.length)}1`, ...HEADER_STYLE },
      { at: below(SHEET_PLACE.marketColumn), choices: MARKETS },
      ...own.flatMap(({ format }, at) =>
        format === undefined ? [] : [{ at: below(titles.length - own.length + 1 + at), format }],
      ),
    ],
    widths: [120, 220, 70, ...own.map(({ width = 80 }) => width)],
  };
}
