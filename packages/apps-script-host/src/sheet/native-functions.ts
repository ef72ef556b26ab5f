// What Sheets works out otherwise than Univer's engine, or has beside it.

import type { BaseFunction, BaseValueObject } from '@univerjs/preset-sheets-node-core';
import type { FormulaUniver } from '../univer-bundle';

/** What a formula may ask besides cells. */
export interface Surroundings {
  /** The moment as sheets keep it, in the spreadsheet's time zone. */
  readonly nowSerial: () => number;
  /** What GOOGLEFINANCE knows of a symbol; null: #N/A. */
  readonly quote: (symbol: string) => number | null;
  /**
   * A SPARKLINE was worked out; a cell shows it whose formula comes to this very value, and none where
   * an IF takes another one. Left out: nobody looks.
   */
  readonly draw?: (sparkline: Sparkline, value: object) => void;
}

/** What a SPARKLINE shows in its cell. */
export interface Sparkline {
  readonly type: (typeof SPARKLINE_TYPES)[number];
  readonly points: readonly number[];
}

type Value = BaseValueObject;
type Calculate = (...values: Value[]) => Value;

/** Sheets has no fixed limit; Univer wants one. */
const MOST_ARGUMENTS = 255;

/**
 * Replaces and adds functions of one engine; `surroundings` is asked at each call. Sources: Google's
 * function list (support.google.com/docs/table/25273) for ARRAYFORMULA, SORT, SPARKLINE and
 * GOOGLEFINANCE. That numbers come before texts and texts before truth values, that a text in a
 * condition is #VALUE!, and that no text equals a number is as in Excel, and seen in Sheets.
 */
export function sheetsFunctions(
  univer: FormulaUniver,
  existing: (name: string) => BaseFunction | undefined,
  surroundings: () => Surroundings,
): BaseFunction[] {
  const make = (name: string, calculate: Calculate, least = 0) =>
    functionOf(univer, name, calculate, least);
  const original = (name: string): Calculate => {
    const known = existing(name);
    if (!known) throw new Error(`Univer's engine has no ${name}.`);
    return (...values) => known.calculate(...values) as Value;
  };
  const scalars = (name: string) => {
    const calculate = original(name);
    return make(name, (...values) => calculate(...values.map((each) => single(univer, each))), 2);
  };
  const number = (value: number) => univer.NumberValueObject.create(value);
  return [
    ...['PLUS', 'MINUS', 'MULTIPLY', 'DIVIDED', 'CONCATENATE'].map(scalars),
    compareFunction(univer),
    make('REGEXMATCH', (text, pattern) => regexMatch(univer, text as Value, pattern as Value), 2),
    make('REGEXEXTRACT', (text, pattern) => regexPart(univer, text as Value, pattern as Value), 2),
    ifFunction(univer, original('IF')),
    make('ARRAYFORMULA', (value) => value as Value, 1),
    make('SORT', sortInSheets(univer), 1),
    make('FILTER', filterInSheets(univer), 2),
    make('NOW', () =>
      univer.NumberValueObject.create(surroundings().nowSerial(), 'm/d/yyyy h:mm:ss'),
    ),
    make('TODAY', () =>
      univer.NumberValueObject.create(Math.floor(surroundings().nowSerial()), 'm/d/yyyy'),
    ),
    sparkline(univer, surroundings),
    make(
      'GOOGLEFINANCE',
      (symbol) => {
        const quote = surroundings().quote(String(single(univer, symbol as Value).getValue()));
        return quote === null ? univer.ErrorValueObject.create(univer.ErrorType.NA) : number(quote);
      },
      1,
    ),
  ];
}

function functionOf(univer: FormulaUniver, name: string, calculate: Calculate, least: number) {
  // A class because Univer takes nothing else.
  class SheetsFunction extends univer.BaseFunction {
    override minParams = least;
    override maxParams = MOST_ARGUMENTS;
    override calculate(...values: Value[]) {
      return calculate(...values);
    }
  }
  return new SheetsFunction(name);
}

/** The value of a lone cell: operators of Univer's are ten times slower on arrays, however small. */
export function single(univer: FormulaUniver, value: Value): Value {
  if (!value.isArray()) return value;
  const rows = value.getArrayValue();
  const isOne = rows.length === 1 && rows[0]?.length === 1;
  return isOne ? (rows[0]?.[0] ?? univer.NullValueObject.create()) : value;
}

type Plain = string | number | boolean | null;

function plain(value: Value): Plain {
  return value.isNull() ? null : (value.getValue() as Plain);
}

/** Numbers, then texts, then truth values; a blank is what it is compared with, empty. */
function order(one: Plain, other: Plain): number {
  const [a, b] = [asLike(one, other), asLike(other, one)];
  const ranks = ['number', 'string', 'boolean'];
  const difference = ranks.indexOf(typeof a) - ranks.indexOf(typeof b);
  if (difference !== 0) return difference;
  const [left, right] =
    typeof a === 'string' ? [a.toLowerCase(), String(b).toLowerCase()] : [Number(a), Number(b)];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function asLike(value: Plain, other: Plain): string | number | boolean {
  if (value !== null) return value;
  if (typeof other === 'string') return '';
  return typeof other === 'boolean' ? false : 0;
}

const HOLDS: Readonly<Record<string, (difference: number) => boolean>> = {
  '=': (difference) => difference === 0,
  '<>': (difference) => difference !== 0,
  '<': (difference) => difference < 0,
  '<=': (difference) => difference <= 0,
  '>': (difference) => difference > 0,
  '>=': (difference) => difference >= 0,
};

function compareFunction(univer: FormulaUniver): BaseFunction {
  const compared = (one: Value, other: Value, operator: string): Value => {
    if (one.isError()) return one;
    if (other.isError()) return other;
    const holds = HOLDS[operator]?.(order(plain(one), plain(other))) ?? false;
    return univer.BooleanValueObject.create(holds);
  };
  class Compare extends univer.BaseFunction {
    override minParams = 2;
    override maxParams = 2;
    private operator = '=';
    /** Univer's operator node says so before each call. */
    setCompareType(operator: string): void {
      this.operator = operator;
    }
    override calculate(one: Value, other: Value) {
      return each(univer, one, other, (left, right) => compared(left, right, this.operator));
    }
  }
  return new Compare('COMPARE');
}

/** Cell by cell; one row or column, or a lone value, serves for all. */
function each(
  univer: FormulaUniver,
  one: Value,
  other: Value,
  calculate: (one: Value, other: Value) => Value,
): Value {
  const [left, right] = [single(univer, one), single(univer, other)];
  if (!left.isArray() && !right.isArray()) return calculate(left, right);
  const sides = [left, right].map((value) =>
    value.isArray() ? value.getArrayValue() : [[value]],
  ) as [Value[][], Value[][]];
  const rowCount = Math.max(...sides.map((rows) => rows.length));
  const columnCount = Math.max(...sides.map((rows) => rows[0]?.length ?? 0));
  const at = (rows: Value[][], down: number, across: number): Value => {
    const row = rows.length === 1 ? rows[0] : rows[down];
    if (row === undefined || (row.length > 1 && across >= row.length))
      return univer.ErrorValueObject.create(univer.ErrorType.NA);
    return row[row.length === 1 ? 0 : across] ?? univer.NullValueObject.create();
  };
  const [first, second] = sides;
  return arrayOf(
    univer,
    Array.from({ length: rowCount }, (_row, down) =>
      Array.from({ length: columnCount }, (_cell, across) =>
        calculate(at(first, down, across), at(second, down, across)),
      ),
    ),
  );
}

/** What RE2 does not know, in which Sheets reads patterns. */
const NOT_IN_RE2 = /\(\?(?:[=!]|<[=!])|\\[1-9]/;

/** Univer's takes no range. A number is no text: #VALUE!. */
const regexMatch = (univer: FormulaUniver, text: Value, pattern: Value): Value =>
  byPattern(univer, text, pattern, (found) => univer.BooleanValueObject.create(found !== null));

/** The first group, else all that fits; several groups fill cells, which is not emulated. */
const regexPart = (univer: FormulaUniver, text: Value, pattern: Value): Value =>
  byPattern(univer, text, pattern, (found) => {
    if (found === null) return univer.ErrorValueObject.create(univer.ErrorType.NA);
    if (found.length > 2) throw new Error('REGEXEXTRACT with several groups is not emulated');
    return univer.StringValueObject.create(found[1] ?? found[0]);
  });

function byPattern(
  univer: FormulaUniver,
  text: Value,
  pattern: Value,
  outcomeOf: (found: RegExpExecArray | null) => Value,
): Value {
  return each(univer, text, pattern, (one, other) => {
    if (one.isError()) return one;
    if (other.isError()) return other;
    const [cell, source] = [plain(one) ?? '', plain(other) ?? ''];
    if (typeof cell !== 'string' || typeof source !== 'string')
      return univer.ErrorValueObject.create(univer.ErrorType.VALUE);
    if (NOT_IN_RE2.test(source)) return univer.ErrorValueObject.create(univer.ErrorType.REF);
    return outcomeOf(new RegExp(source, 'u').exec(cell));
  });
}

/** A text that says neither TRUE nor FALSE is no condition. */
function ifFunction(univer: FormulaUniver, original: Calculate): BaseFunction {
  return functionOf(
    univer,
    'IF',
    (condition, ...rest) => {
      const value = single(univer, condition as Value);
      if (!value.isString()) return original(value, ...rest);
      const word = String(value.getValue()).toUpperCase();
      if (word !== 'TRUE' && word !== 'FALSE')
        return univer.ErrorValueObject.create(univer.ErrorType.VALUE);
      return original(univer.BooleanValueObject.create(word === 'TRUE'), ...rest);
    },
    2,
  );
}

const rowsOf = (value: Value): Value[][] =>
  value.isArray() ? (value.getArrayValue() as Value[][]) : [[value]];

function arrayOf(univer: FormulaUniver, rows: Value[][]): Value {
  return new univer.ArrayValueObject({
    calculateValueList: rows,
    rowCount: rows.length,
    columnCount: rows[0]?.length ?? 0,
    ...{ unitId: '', sheetId: '', row: 0, column: 0 },
  });
}

/**
 * SORT(range, column, is_ascending, …): a column is a number within the range, or a column beside it of
 * as many rows. Blanks go last either way, and equals stay in their order.
 */
function sortInSheets(univer: FormulaUniver): Calculate {
  const wrong = () => univer.ErrorValueObject.create(univer.ErrorType.VALUE);
  return (range, ...by) => {
    if (!range || range.isError()) return range ?? wrong();
    const rows = rowsOf(range);
    const keys: { readonly cells: readonly Value[]; readonly isAscending: boolean }[] = [];
    for (let at = 0; at < Math.max(by.length, 1); at += 2) {
      const column = single(univer, by[at] ?? univer.NumberValueObject.create(1));
      if (column.isError()) return column;
      const direction = by[at + 1];
      const isAscending = direction === undefined || Boolean(single(univer, direction).getValue());
      const index = Number(column.isArray() ? 0 : column.getValue());
      const beside = rows.length === 1 && !column.isArray() && by[at]?.isArray();
      const cells =
        column.isArray() || beside
          ? rowsOf(column).map(([cell]) => cell)
          : rows.map((row) => row[index - 1]);
      if (cells.length !== rows.length || cells.some((cell) => cell === undefined)) return wrong();
      keys.push({ cells: cells as Value[], isAscending });
    }
    const inOrder = rows.map((_, at) => at);
    inOrder.sort((one, other) => {
      for (const { cells, isAscending } of keys) {
        const found = orderOf(cells[one] as Value, cells[other] as Value, isAscending);
        if (found !== 0) return found;
      }
      return one - other;
    });
    return arrayOf(
      univer,
      inOrder.map((at) => rows[at] ?? []),
    );
  };
}

/**
 * FILTER(range, condition, …): each condition is a column of as many rows, or a row of as many columns;
 * what is no truth value and no number is no match. Nothing left is #N/A.
 */
function filterInSheets(univer: FormulaUniver): Calculate {
  const missing = () => univer.ErrorValueObject.create(univer.ErrorType.NA);
  return (range, ...conditions) => {
    if (!range || range.isError()) return range ?? missing();
    const rows = rowsOf(range);
    const keeps = conditions.map((one) => rowsOf(one));
    const error =
      keeps.flat().length === 1 ? keeps.flat(2).find((one) => one?.isError()) : undefined;
    if (error) return error;
    const holds = (cell: Value | undefined) =>
      cell !== undefined &&
      !cell.isNull() &&
      !cell.isString() &&
      Boolean(cell.getValue()) &&
      !cell.isError();
    const isByRow = keeps.every(
      (keep) => keep.length === rows.length && keep.every((row) => row.length === 1),
    );
    const isByColumn = keeps.every(
      (keep) => keep.length === 1 && keep[0]?.length === rows[0]?.length,
    );
    if (!isByRow && !isByColumn) return missing();
    const left = isByRow
      ? rows.filter((_row, at) => keeps.every((keep) => holds(keep[at]?.[0])))
      : rows.map((row) => row.filter((_cell, at) => keeps.every((keep) => holds(keep[0]?.[at]))));
    return left.length === 0 || left[0]?.length === 0 ? missing() : arrayOf(univer, left);
  };
}

function orderOf(one: Value, other: Value, isAscending: boolean): number {
  if (one.isNull() || other.isNull()) return Number(one.isNull()) - Number(other.isNull());
  const found = order(plain(one), plain(other));
  return isAscending ? found : -found;
}

const SPARKLINE_TYPES = ['line', 'bar', 'column', 'winloss'] as const;

/** As Google's page of the function has them (support.google.com/docs/answer/3093289). */
const SPARKLINE_OPTIONS = [
  ...['charttype', 'xmin', 'xmax', 'ymin', 'ymax', 'color', 'empty', 'nan', 'rtl', 'linewidth'],
  ...['lowcolor', 'highcolor', 'firstcolor', 'lastcolor', 'negcolor', 'axis', 'axiscolor'],
  ...['max', 'color1', 'color2'],
];

/** "A few hundred points" is all that Google draws of a line. */
const SPARKLINE_POINTS_MAX = 500;

/**
 * A picture: formulas and scripts read an empty text. What Google makes of an unknown option and of
 * data without a number is not on its page: an error here, so that nobody counts on anything else.
 */
function sparkline(univer: FormulaUniver, surroundings: () => Surroundings): BaseFunction {
  const wrong = () => univer.ErrorValueObject.create(univer.ErrorType.NA);
  class Drawn extends univer.BaseFunction {
    override minParams = 1;
    override maxParams = 2;
    override calculate(data: Value, options?: Value) {
      const cells = rowsOf(data);
      const bad = [...cells, ...(options ? rowsOf(options) : [])]
        .flat()
        .find((one) => one.isError());
      if (bad) return bad;
      const told = (options ? rowsOf(options) : []).map((row) => row.map(plain));
      const isKnown = ([name]: Plain[]) =>
        typeof name === 'string' && SPARKLINE_OPTIONS.includes(name.toLowerCase());
      if (told.some((row) => row.length !== 2 || !isKnown(row))) return wrong();
      const said = told.find(([name]) => String(name).toLowerCase() === 'charttype')?.[1] ?? 'line';
      const type = SPARKLINE_TYPES.find((one) => one === String(said).toLowerCase());
      // Of two columns, or two rows, the first is where along the line the second stands.
      const width = cells[0]?.length ?? 0;
      const isBeside = cells.length > 1 && width === 2;
      const isBelow = cells.length === 2 && width > 2;
      const drawn = isBeside ? cells.map((row) => row.slice(1)) : cells.slice(isBelow ? 1 : 0);
      const points = drawn
        .flat()
        .map(plain)
        .filter((one): one is number => typeof one === 'number');
      if (!type || points.length === 0 || points.length > SPARKLINE_POINTS_MAX) return wrong();
      const value = new univer.StringValueObject('');
      surroundings().draw?.({ type, points }, value);
      return value;
    }
  }
  return new Drawn('SPARKLINE');
}
