// What Sheets works out otherwise than Univer's engine, or has beside it.

import type { BaseFunction, BaseValueObject } from '@univerjs/preset-sheets-node-core';
import type { FormulaUniver } from '../univer-bundle';

/** What a formula may ask besides cells. */
export interface Surroundings {
  /** The moment as sheets keep it, in the spreadsheet's time zone. */
  readonly nowSerial: () => number;
  /** What GOOGLEFINANCE knows of a symbol; null: #N/A. */
  readonly quote: (symbol: string) => number | null;
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
    ifFunction(univer, original('IF')),
    make('ARRAYFORMULA', (value) => value as Value, 1),
    make('SORT', sortInSheets(univer, original('SORT')), 1),
    make('NOW', () =>
      univer.NumberValueObject.create(surroundings().nowSerial(), 'm/d/yyyy h:mm:ss'),
    ),
    make('TODAY', () =>
      univer.NumberValueObject.create(Math.floor(surroundings().nowSerial()), 'm/d/yyyy'),
    ),
    // A picture: scripts read an empty text.
    make('SPARKLINE', () => univer.StringValueObject.create(''), 1),
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
  return new univer.ArrayValueObject({
    calculateValueList: Array.from({ length: rowCount }, (_row, down) =>
      Array.from({ length: columnCount }, (_cell, across) =>
        calculate(at(first, down, across), at(second, down, across)),
      ),
    ),
    rowCount,
    columnCount,
    unitId: '',
    sheetId: '',
    row: 0,
    column: 0,
  });
}

/** What RE2 does not know, in which Sheets reads patterns. */
const NOT_IN_RE2 = /\(\?(?:[=!]|<[=!])|\\[1-9]/;

/** Univer's takes no range. A number is no text: #VALUE!. */
function regexMatch(univer: FormulaUniver, text: Value, pattern: Value): Value {
  return each(univer, text, pattern, (one, other) => {
    if (one.isError()) return one;
    if (other.isError()) return other;
    const [cell, source] = [plain(one) ?? '', plain(other) ?? ''];
    if (typeof cell !== 'string' || typeof source !== 'string')
      return univer.ErrorValueObject.create(univer.ErrorType.VALUE);
    if (NOT_IN_RE2.test(source)) return univer.ErrorValueObject.create(univer.ErrorType.REF);
    return univer.BooleanValueObject.create(new RegExp(source, 'u').test(cell));
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

/** SORT(range, column, is_ascending): Excel's third argument is 1 or -1. */
function sortInSheets(univer: FormulaUniver, original: Calculate): Calculate {
  return (range, column, isAscending, ...more) => {
    if (more.length > 0) throw new Error('SORT by several columns is not emulated');
    if (!column || !isAscending) return original(range as Value, ...(column ? [column] : []));
    const direction = single(univer, isAscending).getValue() ? 1 : -1;
    return original(range as Value, column, univer.NumberValueObject.create(direction));
  };
}
