// Defines the functions that Sheets calculates differently from Univer's engine or has in addition.

import type { BaseFunction, BaseValueObject } from '@univerjs/preset-sheets-node-core';
import type { FormulaUniver } from '../univer-bundle';
import type { Plain } from './key-index';
import { isDateFormat } from './number-format';

/** What a formula may read besides cells. */
export interface Surroundings {
  /** The current moment as sheets keep it, in the spreadsheet's time zone. */
  readonly nowSerial: () => number;
  /** The price that GOOGLEFINANCE returns for a symbol. null: #N/A. */
  readonly quote: (symbol: string) => number | null;
  /**
   * Called when a SPARKLINE has been calculated. A cell shows it if its formula's result is this
   * very `value`, so nothing is shown if an IF takes another branch. Left out: sparklines are not
   * drawn.
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

/** Sheets has no fixed limit, but Univer requires one. */
const MOST_ARGUMENTS = 255;

/**
 * Replaces and adds functions of one engine, and reads `surroundings` at each call. Source for
 * ARRAYFORMULA, SORT, SPLIT, SPARKLINE and GOOGLEFINANCE: Google's function list
 * (support.google.com/docs/table/25273). As in Excel, and observed in Sheets: numbers come before
 * texts and texts before truth values, a text in a condition is #VALUE!, and no text equals a
 * number.
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
    ...['MULTIPLY', 'DIVIDED', 'CONCATENATE'].map(scalars),
    ...['PLUS', 'MINUS'].map((name) => dated(univer, name, original(name))),
    compareFunction(univer),
    make('REGEXMATCH', (text, pattern) => regexMatch(univer, text as Value, pattern as Value), 2),
    make('REGEXEXTRACT', (text, pattern) => regexPart(univer, text as Value, pattern as Value), 2),
    make(
      'REGEXREPLACE',
      (text, pattern, instead) =>
        regexReplaced(univer, text as Value, pattern as Value, instead as Value),
      3,
    ),
    ifFunction(univer, original('IF')),
    make('ARRAYFORMULA', (value) => value as Value, 1),
    make('SPLIT', splitInSheets(univer), 2),
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

/** A date and a number make a date; two dates make a number of days, or are added as numbers. */
function dated(univer: FormulaUniver, name: string, calculate: Calculate): BaseFunction {
  const dateFormatOf = (value: Value): string | null => {
    const format = value.isArray() ? '' : value.getPattern();
    return format && isDateFormat(format) ? format : null;
  };
  return functionOf(
    univer,
    name,
    (left, right) => {
      const [one, other] = [single(univer, left as Value), single(univer, right as Value)];
      const found = calculate(one, other);
      const [first, second] = [dateFormatOf(one), dateFormatOf(other)];
      const format = first ?? (name === 'PLUS' ? second : null);
      const isDate = format !== null && (first === null) !== (second === null) && found.isNumber();
      return isDate ? univer.NumberValueObject.create(Number(found.getValue()), format) : found;
    },
    2,
  );
}

export function functionOf(
  univer: FormulaUniver,
  name: string,
  calculate: Calculate,
  least: number,
): BaseFunction {
  // A class, because Univer accepts nothing else.
  class SheetsFunction extends univer.BaseFunction {
    override minParams = least;
    override maxParams = MOST_ARGUMENTS;
    override calculate(...values: Value[]) {
      return calculate(...values);
    }
  }
  return new SheetsFunction(name);
}

/**
 * The value of an array with a single cell. Univer's operators are ten times slower on arrays,
 * however small.
 */
export function single(univer: FormulaUniver, value: Value): Value {
  if (!value.isArray()) return value;
  const rows = value.getArrayValue();
  const isOne = rows.length === 1 && rows[0]?.length === 1;
  return isOne ? (rows[0]?.[0] ?? univer.NullValueObject.create()) : value;
}

export function plain(value: Value): Plain {
  return value.isNull() ? null : (value.getValue() as Plain);
}

/**
 * Orders numbers before texts before truth values. A blank counts as an empty value of the other
 * side's kind.
 */
export function order(one: Plain, other: Plain): number {
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
    /** Univer's operator node calls this before each comparison. */
    setCompareType(operator: string): void {
      this.operator = operator;
    }
    override calculate(one: Value, other: Value) {
      return each(univer, one, other, (left, right) => compared(left, right, this.operator));
    }
  }
  return new Compare('COMPARE');
}

/** Calculates cell by cell. A single row, column or value is applied to all. */
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

/** Pattern syntax that RE2 lacks. Sheets uses RE2. */
const NOT_IN_RE2 = /\(\?(?:[=!]|<[=!])|\\[1-9u]/;

/** RE2 knows classes of characters by category and by script: `\\p{Lu}`, `\\p{Greek}`. */
const OF_CLASS = /\\p\{\^?(\w+)(=?)/gi;

function isInRe2(source: string): boolean {
  return (
    !NOT_IN_RE2.test(source) &&
    [...source.matchAll(OF_CLASS)].every(
      ([, name = '', isNamed]) => isNamed === '' && (/^[A-Z][a-z]?$/.test(name) || isScript(name)),
    )
  );
}

function isScript(name: string): boolean {
  try {
    return new RegExp(`\\p{Script=${name}}`, 'u').source !== '';
  } catch {
    return false;
  }
}

/** Univer's own function does not accept a range. A number is not a text and gives #VALUE!. */
const regexMatch = (univer: FormulaUniver, text: Value, pattern: Value): Value =>
  byPattern(univer, text, pattern, (found) => univer.BooleanValueObject.create(found !== null));

/**
 * The first group or, without groups, the whole match. Several groups fill a cell each, which is
 * emulated for a single text.
 */
const regexPart = (univer: FormulaUniver, text: Value, pattern: Value): Value =>
  byPattern(univer, text, pattern, (found) => {
    if (found === null) return univer.ErrorValueObject.create(univer.ErrorType.NA);
    const [all, ...groups] = found;
    // An array of one cell costs more than all else here.
    if (groups.length < 2)
      return univer.StringValueObject.create(groups[0] ?? (groups.length > 0 ? '' : all));
    if ([text, pattern].some((one) => single(univer, one).isArray()))
      return univer.ErrorValueObject.create(univer.ErrorType.VALUE);
    const parts = groups.map((part) => univer.StringValueObject.create(part ?? ''));
    return arrayOf(univer, [parts]);
  });

/** Every match, replaced. A number is not a text and gives #VALUE!. */
function regexReplaced(univer: FormulaUniver, text: Value, pattern: Value, instead: Value): Value {
  const replacement = plain(single(univer, instead)) ?? '';
  return withPattern(univer, text, pattern, (cell, regex) =>
    typeof replacement === 'string'
      ? univer.StringValueObject.create(cell.replace(new RegExp(regex, 'gu'), replacement))
      : univer.ErrorValueObject.create(univer.ErrorType.VALUE),
  );
}

const byPattern = (
  univer: FormulaUniver,
  text: Value,
  pattern: Value,
  outcomeOf: (found: RegExpExecArray | null) => Value,
): Value => withPattern(univer, text, pattern, (cell, regex) => outcomeOf(regex.exec(cell)));

function withPattern(
  univer: FormulaUniver,
  text: Value,
  pattern: Value,
  outcomeOf: (cell: string, regex: RegExp) => Value,
): Value {
  return each(univer, text, pattern, (one, other) => {
    if (one.isError()) return one;
    if (other.isError()) return other;
    const [cell, source] = [plain(one) ?? '', plain(other) ?? ''];
    if (typeof cell !== 'string' || typeof source !== 'string')
      return univer.ErrorValueObject.create(univer.ErrorType.VALUE);
    const regex = regexOf(source);
    if (regex === null) return univer.ErrorValueObject.create(univer.ErrorType.REF);
    return outcomeOf(cell, regex);
  });
}

/** A column of formulas has one pattern for all of its rows. */
const regexes = new Map<string, RegExp | null>();

const REGEXES_MAX = 1_000;

/** null: the pattern is not valid. */
function regexOf(source: string): RegExp | null {
  const known = regexes.get(source);
  if (known !== undefined) return known;
  const regex = isInRe2(source) ? compiled(source) : null;
  if (regexes.size >= REGEXES_MAX) regexes.clear();
  regexes.set(source, regex);
  return regex;
}

function compiled(source: string): RegExp | null {
  try {
    return new RegExp(ofJavaScript(source), 'u');
  } catch {
    return null;
  }
}

/** RE2's `\\pL`, `\\p{Greek}` and `\\x{200B}` as JavaScript has them. */
const ofJavaScript = (source: string): string =>
  source.replace(
    /\\(?:p(?:([A-Z])|\{(\w{3,})\})|(x)(?=\{)|[\s\S])/g,
    (written, category?: string, script?: string, code?: string) => {
      if (code !== undefined) return '\\u';
      if (script !== undefined) return `\\p{Script=${script}}`;
      return category === undefined ? written : `\\p{${category}}`;
    },
  );

/** A text other than TRUE or FALSE is not a valid condition. */
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

export const rowsOf = (value: Value): Value[][] =>
  value.isArray() ? (value.getArrayValue() as Value[][]) : [[value]];

export function arrayOf(univer: FormulaUniver, rows: Value[][]): Value {
  return new univer.ArrayValueObject({
    calculateValueList: rows,
    rowCount: rows.length,
    columnCount: rows[0]?.length ?? 0,
    ...{ unitId: '', sheetId: '', row: 0, column: 0 },
  });
}

/**
 * SPLIT(text, delimiter, split_by_each, remove_empty_text): the pieces of a text beside each other,
 * of a column row by row. A piece that reads as a number is one.
 */
function splitInSheets(univer: FormulaUniver): Calculate {
  const isSo = (value: Value | undefined) =>
    value === undefined || Boolean(single(univer, value).getValue());
  const cellOf = (piece: string): Value =>
    piece.trim() !== '' && Number.isFinite(Number(piece))
      ? univer.NumberValueObject.create(Number(piece))
      : univer.StringValueObject.create(piece);
  return (texts, delimiter, byEach, removeEmpty) => {
    const sign = String(plain(single(univer, delimiter as Value)) ?? '');
    const signs = isSo(byEach) ? [...sign] : [sign];
    const pieces = rowsOf(texts as Value).map(([text]): Value[] => {
      if (text === undefined || text.isNull() || text.isError()) return text ? [text] : [];
      const parts = signs.reduce(
        (all, one) => all.flatMap((part) => part.split(one)),
        [String(plain(text))],
      );
      return parts.filter((part) => part !== '' || !isSo(removeEmpty)).map(cellOf);
    });
    const width = Math.max(1, ...pieces.map((row) => row.length));
    const blank = () => univer.NullValueObject.create();
    return arrayOf(
      univer,
      pieces.map((row) => [...row, ...Array.from({ length: width - row.length }, blank)]),
    );
  };
}

/**
 * SORT(range, column, is_ascending, …): a column is its number within the range, or a column of the
 * same number of rows beside it. Blanks go last in either direction, and equal rows stay in their
 * order.
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
 * FILTER(range, condition, …): each condition is a column with as many rows as the range, or a row
 * with as many columns. A value that is neither a truth value nor a number is not a match. An empty
 * result is #N/A.
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

/** As listed on Google's page of the function (support.google.com/docs/answer/3093289). */
const SPARKLINE_OPTIONS = [
  ...['charttype', 'xmin', 'xmax', 'ymin', 'ymax', 'color', 'empty', 'nan', 'rtl', 'linewidth'],
  ...['lowcolor', 'highcolor', 'firstcolor', 'lastcolor', 'negcolor', 'axis', 'axiscolor'],
  ...['max', 'color1', 'color2'],
];

/** Google draws no more than "a few hundred points" of a line. */
const SPARKLINE_POINTS_MAX = 500;

/**
 * Draws a picture. Formulas and scripts read an empty text. Google's page does not say what happens
 * with an unknown option or with data without a number. It is an error here, so that nothing can
 * depend on it.
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
      // With two columns or two rows, the first holds the positions along the line and the second
      // the values.
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
