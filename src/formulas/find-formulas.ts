// Finds the add-on's formulas in the spreadsheet, the products they ask for, and what they show.

import { FAILURE_PREFIX, isFailure } from '../failures/failure';
import type { Platform, Sheet, SheetCell, SheetSize, Spreadsheet } from '../platform/ports';
import { isBlank, type Product, productKey } from '../product/asin';
import type { Market } from '../product/market';
import { besideEach, isWanted, productOf, readQuestions, stampedMs } from './arguments';
import {
  areaOf,
  askingCalls,
  type Call,
  callsIn,
  literalText,
  type Reference,
  readReference,
  stampOf,
} from './parse-formula';

export type BookPlatform = Platform & { readonly spreadsheet: Spreadsheet };

export interface FormulaSheet {
  readonly sheet: Sheet;
  readonly size: SheetSize;
}

/** A cell whose formula calls our functions; rows and columns count from 1. */
export interface FormulaCell {
  readonly on: FormulaSheet;
  readonly row: number;
  readonly column: number;
  readonly formula: string;
  /** The calls that may carry a stamp; none if every refresh argument is the user's own. */
  readonly calls: readonly Call[];
}

/** Finds them sheet by sheet and row by row, with a few calls to Google for each sheet. */
export function findFormulas(spreadsheet: Spreadsheet): readonly FormulaCell[] {
  return spreadsheet.sheets().flatMap((sheet) => {
    const size = sheet.size();
    if (size === null || size.lastRow === 0) return [];
    const { lastRow: rowCount, lastColumn: columnCount } = size;
    const formulas = sheet.formulas({ row: 1, column: 1, rowCount, columnCount }) ?? [];
    const on = { sheet, size };
    return formulas.flatMap((texts, down) =>
      texts.flatMap((formula, right) => {
        const calls = formula === '' ? [] : askingCalls(formula);
        if (calls.length === 0) return [];
        const free = calls.filter((call) => stampOf(call) !== null);
        return [{ on, row: down + 1, column: right + 1, formula, calls: free }];
      }),
    );
  });
}

/** The oldest stamp among its calls, ms since 1970; minus infinity if a call has none. */
export const cellStampedMs = ({ calls }: Pick<FormulaCell, 'calls'>): number =>
  Math.min(...calls.map((call) => stampedMs(stampOf(call) ?? '')));

/** A read takes about 0.1 s whatever its size, and 10,000 cells take about as much again. */
const CELLS_PER_READ = 20_000;

/** Whole columns of a large sheet; reading more would take longer than it is worth. */
const RANGE_CELLS_MAX = 100_000;

/** Stands for an argument that only Sheets can calculate, or that is too large to read. */
const UNKNOWN = Symbol('unknown');

/** The value of a reference in a formula on a sheet, or `UNKNOWN`. */
export type CellReader = (reference: Reference, own: FormulaSheet) => unknown;

/**
 * Reads references as a custom function receives them: a single cell is its value, several cells
 * are rows.
 */
export function cellReader(spreadsheet: Spreadsheet): CellReader {
  const readers = new Map<number, ReturnType<typeof readerOf>>();
  let byName: ReadonlyMap<string, FormulaSheet> | undefined;

  function sheetOf(name: string): FormulaSheet | undefined {
    byName ??= new Map(
      spreadsheet.sheets().flatMap((sheet) => {
        const size = sheet.size();
        return size === null ? [] : [[String(sheet.name()).toLowerCase(), { sheet, size }]];
      }),
    );
    return byName.get(name.toLowerCase());
  }

  return (reference, own) => {
    const on = reference.sheetName === null ? own : sheetOf(reference.sheetName);
    const area = on && areaOf(reference, on.size);
    if (on === undefined || area === undefined || area === null) return UNKNOWN;
    const { row, column, rowCount, columnCount } = area;
    if (rowCount * columnCount > RANGE_CELLS_MAX) return UNKNOWN;
    const cellAt = readers.get(on.sheet.id) ?? readerOf(on);
    readers.set(on.sheet.id, cellAt);
    if (rowCount * columnCount === 1) return cellAt(row, column);
    return Array.from({ length: rowCount }, (_, down) =>
      Array.from({ length: columnCount }, (_, right) => cellAt(row + down, column + right)),
    );
  };
}

/** Reads adjacent columns together, as many as make one read worth its time. */
function readerOf({ sheet, size }: FormulaSheet): (row: number, column: number) => SheetCell {
  const { lastRow: rowCount, lastColumn } = size;
  const together = Math.max(1, Math.floor(CELLS_PER_READ / Math.max(1, rowCount)));
  const groups = new Map<number, ReturnType<Sheet['values']>>();
  return (row, column) => {
    if (column > lastColumn) return '';
    const first = column - ((column - 1) % together);
    const columnCount = Math.min(together, lastColumn - first + 1);
    const known =
      groups.get(first) ?? sheet.values({ row: 1, column: first, rowCount, columnCount }) ?? [];
    groups.set(first, known);
    return known[row - 1]?.[column - first] ?? '';
  };
}

/**
 * A call whose argument may be used in its place: the other functions clean their text themselves.
 */
const CLEANED = /^ANALYZE_ASIN\s*\((.*)\)$/is;

/** The third argument of this function holds prices; a row without one stays blank. */
const WITH_PRICES = 'ANALYZE_WHAT_IF';

export interface Resolved {
  /** By product key. */
  readonly products: ReadonlyMap<string, Product>;
  /** Set if only Sheets can calculate some argument, so the cell may ask for further products. */
  readonly isPartial: boolean;
}

/** @param cellsIn reads the references in the order in which they are needed. */
export function resolver(
  cellsIn: CellReader,
  defaultMarket: Market | undefined,
): (cell: FormulaCell) => Resolved {
  function argument(text: string, on: FormulaSheet): unknown {
    if (text === '') return undefined;
    const literal = literalText(text);
    if (literal !== undefined) return literal;
    if (/^\d+$/.test(text)) return Number(text);
    const reference = readReference(text);
    if (reference !== null) return cellsIn(reference, on);
    const [, inner] = CLEANED.exec(text) ?? [];
    return inner === undefined ? UNKNOWN : argument(inner.trim(), on);
  }

  function productsOf({ name, args }: Call, on: FormulaSheet): readonly Product[] | null {
    const asin = argument(args[0]?.text ?? '', on);
    const market = argument(args[1]?.text ?? '', on);
    if (asin === UNKNOWN || market === UNKNOWN) return null;
    const questions = readQuestions(asin, market);
    if (isFailure(questions)) return [];
    const prices = name === WITH_PRICES ? argument(args[2]?.text ?? '', on) : UNKNOWN;
    const each = prices === UNKNOWN ? [] : besideEach(prices, questions.length, '');
    // A row without a price is not asked for, and a range of prices with another height is refused
    // as a whole.
    const wanted = questions.filter(
      (_, row) => !isFailure(each) && !(row in each && isBlank(each[row])),
    );
    return wanted.filter(isWanted).map((one) => productOf(one, defaultMarket));
  }

  return ({ on, calls }) => {
    const each = calls.map((call) => productsOf(call, on));
    const products = each.flatMap((some) => some ?? []);
    return {
      products: new Map(products.map((product) => [productKey(product), product])),
      isPartial: each.includes(null),
    };
  };
}

interface Signs {
  /** What the cell with the formula shows. */
  readonly first: RegExp;
  /**
   * How the text of any of its cells may begin: a list shows failures in the rows of their
   * products.
   */
  readonly any: string;
}

/** What cells without figures show, for a list and for a single cell. */
export const NO_FIGURES: Signs = { first: /^(#|Loading)/, any: FAILURE_PREFIX };
const NO_FIGURES_OR_BLANK: Signs = { ...NO_FIGURES, first: /^(#.*|Loading.*)?$/s };

/**
 * Whether a cell shows no figures, including a text that IFERROR shows in place of an error. @param
 * rows as below.
 */
export function lacksFigures(cell: FormulaCell, rows: number, cellsIn: CellReader): boolean {
  const { row, column } = cell;
  const shown = String(cellsIn({ sheetName: null, from: { row, column }, to: null }, cell.on));
  const isInstead = callsIn(cell.formula).some(({ name, args: [, instead] }) => {
    const text = instead?.text ?? '';
    return /^IF(ERROR|NA)$/.test(name) && (literalText(text) ?? text) === shown;
  });
  return isInstead || shows(cell, rows, cellsIn, NO_FIGURES_OR_BLANK);
}

/** @param rows the number of products in the formula. */
export function shows(
  { on, row, column }: FormulaCell,
  rows: number,
  cellsIn: CellReader,
  { first, any }: Signs,
): boolean {
  const to = { row: row + Math.max(1, rows) - 1, column };
  const shown = [cellsIn({ sheetName: null, from: { row, column }, to }, on)].flat(2).map(String);
  return first.test(shown[0] ?? '') || shown.some((one) => one.startsWith(any));
}
