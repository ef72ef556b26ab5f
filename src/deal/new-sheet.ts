// A new sheet for deals, by the way one buys: headers, a dropdown, first rows and decisions. Pure.

import type { NewTab } from '../platform/new-tab';
import { columnLetters } from '../platform/ports';
import { sampleAsin, USUAL_ASIN } from '../product/asin';
import { DEAL_TITLES, formulaAt } from '../product/deal-formulas';
import { DEFAULT_FIELDS, type Field, fieldKind } from '../product/fields';
import { DEFAULT_MARKET, MARKETS } from '../product/market';
import { plainTitle } from '../table/columns';
import {
  MOMENT,
  MONEY,
  moneyIn,
  outputColumn,
  PERCENT,
  WIDTH_AS_NEW,
} from '../table/output-columns';
import { costColumnsOf, decisionsFor, MARKS } from './decision-plan';
import { HEADER_STYLE } from './rules-tab';

export const SHEET_KINDS = ['wholesale', 'arbitrage', 'restock'] as const;

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
  restock: {
    name: 'Restock',
    columns: [
      own('In stock', COUNT, () => 4),
      own('Cost', MONEY, (unitCost) => unitCost),
      own('Quantity', COUNT, () => 20),
      own('Skip', AS_TYPED, () => '', 60),
    ],
  },
};

/** "Cost, pack size, quantity, discount" */
export function ownTitles(kind: SheetKind): string {
  const titles = SHEETS[kind].columns.map(({ title }) => title).join(', ');
  return titles.charAt(0) + titles.slice(1).toLowerCase();
}

/** Includes the sell price, which decisions would otherwise have to derive. */
const FIGURES: readonly Field[] = [...DEFAULT_FIELDS, 'sell_price'];

/**
 * The columns that a run fills, and the fields of a formula. The time comes last; the rules need
 * the age of the figures.
 */
const FILLED = [...FIGURES, 'at'] as const;
const FIELDS_SHOWN = [...FIGURES, 'as_of'].join(', ');

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

const USUAL_ROWS: readonly FirstRow[] = [
  { asin: USUAL_ASIN, name: 'Put your products here', unitCost: 10 },
];

/** A new tab of Google's has this many rows. */
const LAST_ROW = 1_000;
const FIRST_ROW = 2;
const MARKET_COLUMN = 3;

const WIDTHS = { asin: 120, name: 220, market: 70 };

/**
 * The tab for `deals.tab`. The tab of the rules must already exist.
 *
 * @param hasSamples whether the rows are samples with formulas; else there is one row, for a run.
 */
export function newDealSheet(kind: SheetKind, hasSamples: boolean): NewTab {
  const { name: title, columns: ownColumns } = SHEETS[kind];
  const listed = ['ASIN', 'Product', 'Market', ...ownColumns.map((one) => one.title)];
  const columns = [...listed, ...FILLED.map(plainTitle), plainTitle('status')].map((one, at) => ({
    ...{ title: one, column: at + 1, letter: columnLetters(at + 1) },
  }));
  const figures = FILLED.flatMap((key, at) => {
    const column = columns[listed.length + at];
    return column === undefined ? [] : [{ ...column, key }];
  });
  const look = { columns, figures, beside: [] };
  const decided = decisionsFor(look, costColumnsOf(look)).columns;
  const titles = [...columns.map((one) => one.title), ...decided.map((one) => one.title)];
  const rows = hasSamples ? SAMPLE_ROWS : USUAL_ROWS;
  const letterOf = (one: string) => columnLetters(titles.indexOf(one) + 1);
  const cells = rows.map(({ asin, name, unitCost }) => {
    const filled = [asin, name, DEFAULT_MARKET, ...ownColumns.map(({ first }) => first(unitCost))];
    return [...filled, ...Array<string>(titles.length - filled.length).fill('')];
  });
  return {
    ...{ title, names: [], frozenRows: 1, isShown: true, cells: [titles, ...cells] },
    formulas: rows.flatMap((_, at) => {
      const row = FIRST_ROW + at;
      const decisions = decided.map((one) => ({
        at: `${letterOf(one.title)}${row}`,
        formula: formulaAt(row, one.formula, (name) =>
          Number(name) > 0 ? columnLetters(Number(name)) : letterOf(name),
        ),
      }));
      return hasSamples ? [answered(figures[0]?.letter ?? '', row), ...decisions] : decisions;
    }),
    styles: [
      { at: `A1:${columnLetters(titles.length)}1`, ...HEADER_STYLE },
      { at: below(columnLetters(MARKET_COLUMN)), choices: MARKETS },
      ...ownColumns.flatMap(({ title: one, format }) =>
        format === AS_TYPED ? [] : [{ at: below(letterOf(one)), format }],
      ),
      ...formats(rows.length, [
        ...FIGURES.map((field) => [letterOf(plainTitle(field)), fieldKind(field)] as const),
        [letterOf(plainTitle('at')), 'moment'],
        ...decided.map(({ title: one, kind: shown }) => [letterOf(one), shown] as const),
      ]),
    ],
    widths: [
      ...[WIDTHS.asin, WIDTHS.name, WIDTHS.market, ...ownColumns.map(({ width }) => width)],
      ...[...FILLED, 'status'].map((key) => outputColumn(key)?.width ?? WIDTH_AS_NEW),
      ...decided.map(({ width }) => width),
    ],
    marked: {
      ...{ column: titles.indexOf(DEAL_TITLES.verdict) + 1, firstRow: FIRST_ROW, marks: MARKS },
    },
  };
}

const below = (letter: string) => `${letter}${FIRST_ROW}:${letter}${LAST_ROW}`;

/** The formula for the figures of the row's product; they fill the cells from this one on. */
const answered = (letter: string, row: number) => ({
  at: `${letter}${row}`,
  formula: `=ANALYZE(A${row};${columnLetters(MARKET_COLUMN)}${row};"${FIELDS_SHOWN}")`,
});

/** Formats of the first rows only, because a run gives other rows the formats of their markets. */
function formats(
  rowCount: number,
  columns: readonly (readonly [letter: string, kind: string])[],
): NewTab['styles'] {
  return columns.flatMap(([letter, kind]) => {
    const format = { money: moneyIn(DEFAULT_MARKET), ratio: PERCENT, moment: MOMENT }[kind];
    const at = `${letter}${FIRST_ROW}:${letter}${FIRST_ROW + rowCount - 1}`;
    return format === undefined ? [] : [{ at, format }];
  });
}
