// Defines functions that Sheets has and Univer's engine does not, and gives others the arguments that
// Sheets lets one leave out.

import type {
  BaseFunction,
  BaseReferenceObject,
  BaseValueObject,
} from '@univerjs/preset-sheets-node-core';
import type { FormulaUniver } from '../univer-bundle';
import { columnNumber } from './a1-notation';
import { wallClock } from './date-serial';
import type { Plain } from './key-index';
import { arrayOf, functionOf, plain, rowsOf, single } from './native-functions';
import { isDateFormat } from './number-format';
import { queried } from './query';

export interface FormulaTexts {
  /** The formula of a cell of the sheet with this id, or ''. */
  readonly formulaAt: (sheetId: string, row: number, column: number) => string;
  /** In the order of the tabs. */
  readonly sheets: () => readonly { readonly id: number | string }[];
}

type Value = BaseValueObject;
type Calculate = (...values: Value[]) => Value;
type Compare = BaseFunction & { readonly setCompareType: (operator: string) => void };

/**
 * Excel's functions that Sheets lacks, as far as people know Google's list of functions
 * (support.google.com/docs/table/25273). It was not read for this. Left in, a formula would work here
 * alone.
 */
export const NOT_IN_SHEETS = [
  ...['AGGREGATE', 'AREAS', 'ARRAYTOTEXT', 'BAHTTEXT', 'BESSELI', 'BESSELJ', 'BESSELK', 'BESSELY'],
  ...['BINOM.DIST.RANGE', 'CUBE', 'DBCS', 'DROP', 'EXPAND', 'NUMBERSTRING', 'NUMBERVALUE'],
  ...['ODDFPRICE', 'ODDFYIELD', 'ODDLPRICE', 'ODDLYIELD', 'ROUNDBANK', 'SORTBY', 'TAKE'],
  ...['TEXTAFTER', 'TEXTBEFORE', 'TEXTSPLIT', 'VALUETOTEXT'],
];

/**
 * Functions whose last argument may be left out: `ROUND(value, [places])`
 * (support.google.com/docs/answer/3093440), `CEILING(value, [factor])` (…/3093471), `IFERROR(value,
 * [value_if_error])` (…/3093304), and those of the same form. null: blank.
 */
const DEFAULTS: Readonly<Record<string, number | null>> = {
  ROUND: 0,
  ROUNDUP: 0,
  ROUNDDOWN: 0,
  CEILING: 1,
  FLOOR: 1,
  IFERROR: null,
};

/** Functions for operators, by the name that the engine has for each. */
const OPERATORS: Readonly<Record<string, string>> = {
  ADD: 'PLUS',
  MULTIPLY: 'MULTIPLY',
  DIVIDE: 'DIVIDED',
  POW: 'POWER',
};

const COMPARISONS: Readonly<Record<string, string>> = {
  EQ: '=',
  NE: '<>',
  LT: '<',
  LTE: '<=',
  GT: '>',
  GTE: '>=',
};

/** What a date's result is shown as, where the engine returns a plain number. */
const DATED = ['EOMONTH', 'WORKDAY', 'WORKDAY.INTL'];
const DAY_FORMAT = 'm/d/yyyy';

/**
 * The greatest number that these arguments may be, by their places. Beyond it the engine would fill
 * the memory before it answers. In Sheets such a list has no room, either.
 */
const LARGEST: Readonly<Record<string, readonly [place: number, most: number]>> = {
  MUNIT: [0, 1_000],
  REPT: [1, 50_000],
  WRAPCOLS: [1, 100_000],
  WRAPROWS: [1, 100_000],
};

export function googleFunctions(
  univer: FormulaUniver,
  existing: (name: string) => BaseFunction | undefined,
  texts: () => FormulaTexts,
): BaseFunction[] {
  const original = (name: string): BaseFunction => {
    const known = existing(name);
    if (!known) throw new Error(`Univer's engine has no ${name}.`);
    return known;
  };
  const make = (name: string, calculate: Calculate, least = 1) =>
    functionOf(univer, name, calculate, least);
  const like = (name: string): Calculate => {
    const before = original(name);
    return (...values) => before.calculate(...values) as Value;
  };
  const value = (one: Plain): Value => cellValue(univer, one);
  const [minus, divided, dollar] = [like('MINUS'), like('DIVIDED'), like('DOLLAR')];
  const [plus, sort, compare] = [like('PLUS'), like('SORT'), original('COMPARE')];
  const wrong = () => univer.ErrorValueObject.create(univer.ErrorType.VALUE);
  const noRoom = () => univer.ErrorValueObject.create(univer.ErrorType.REF);
  const number = (name: string, calculate: (one: Value) => Value) =>
    make(name, (given) => {
      const one = single(univer, given as Value);
      return one.isArray() ? one.mapValue((each) => calculate(each)) : calculate(one);
    });
  return [
    ...Object.entries(DEFAULTS).map(([name, last]) => {
      const before = like(name);
      return make(name, (given, ...rest) => before(given as Value, rest[0] ?? value(last)));
    }),
    ...Object.entries(OPERATORS).map(([name, operator]) => make(name, like(operator), 2)),
    ...Object.entries(COMPARISONS).map(([name, operator]) =>
      make(
        name,
        (one, other) => {
          (compare as Compare).setCompareType(operator);
          return compare.calculate(one as Value, other as Value) as Value;
        },
        2,
      ),
    ),
    ...DATED.map((name) => {
      const before = like(name);
      return make(
        name,
        (...values) => {
          const found = single(univer, before(...values));
          return found.isNumber()
            ? univer.NumberValueObject.create(Number(found.getValue()), DAY_FORMAT)
            : found;
        },
        2,
      );
    }),
    ...Object.entries(LARGEST).map(([name, [place, most]]) => {
      const before = like(name);
      const isTooLarge = (cell: Value) => Number(plain(cell)) > most;
      return make(
        name,
        (...values) => {
          const sizes = values[place] === undefined ? [] : rowsOf(values[place]).flat();
          return sizes.some((cell) => cell && isTooLarge(cell)) ? noRoom() : before(...values);
        },
        place + 1,
      );
    }),
    make('UMINUS', (one) => minus(value(0), one as Value)),
    make('UPLUS', (one) => one as Value),
    make('UNARY_PERCENT', (one) => divided(one as Value, value(100))),
    number('TO_PURE_NUMBER', withoutFormat(univer)),
    number('TO_PERCENT', withoutFormat(univer)),
    number('TO_DOLLARS', withoutFormat(univer)),
    number('TO_TEXT', (one) =>
      one.isError() || one.isString() ? one : univer.StringValueObject.create(textOf(one)),
    ),
    // A picture is no text: what the cell shows has no letters.
    make('IMAGE', () => univer.StringValueObject.create('')),
    make('ISO.CEILING', like('CEILING.PRECISE')),
    make(
      'EDATE',
      (...values) => {
        // A text may be a date, as in Sheets' own sums.
        const [start, months] = values.map((one) => plus(single(univer, one), value(0)));
        return edate(univer, start as Value, months as Value);
      },
      2,
    ),
    make('JOIN', (delimiter, ...lists) => joined(univer, delimiter as Value, lists), 2),
    make('COUNTUNIQUE', (...values) => value(uniqueIn(values).size)),
    make('SORTN', (range, ...rest) => sortn(univer, sort, range as Value, rest)),
    make(
      'MAKEARRAY',
      (rows, columns, lambda) => {
        const [height, width] = [rows, columns].map((one) => countOf(univer, one as Value));
        if (height === undefined || width === undefined) return wrong();
        if (height * width > MADE_MAX) return noRoom();
        if (!(lambda as Value).isLambda()) return wrong();
        const run = lambda as unknown as { execute: (...args: Value[]) => Value };
        return arrayOf(
          univer,
          numbersTo(height).map((down) =>
            numbersTo(width).map((right) => single(univer, run.execute(value(down), value(right)))),
          ),
        );
      },
      3,
    ),
    // The engine leaves a blank where the bracket of a negative amount would stand.
    make('DOLLAR', (...values) => {
      const found = dollar(...values);
      return found.isString() ? value(String(found.getValue()).trim()) : found;
    }),
    queryFunction(univer),
    sheetFunction(univer, texts),
    ...textFunctions(univer, texts),
  ];
}

/** The most cells that one formula makes here, each by a function of its own. */
const MADE_MAX = 1_000_000;

function countOf(univer: FormulaUniver, given: Value): number | undefined {
  const count = Math.floor(Number(plain(single(univer, given))));
  return count >= 1 ? count : undefined;
}

const numbersTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

function cellValue(univer: FormulaUniver, one: Plain): Value {
  if (one === null) return univer.NullValueObject.create();
  if (typeof one === 'number') return univer.NumberValueObject.create(one);
  if (typeof one === 'boolean') return univer.BooleanValueObject.create(one);
  return univer.StringValueObject.create(one);
}

const withoutFormat = (univer: FormulaUniver) => (one: Value) =>
  one.isNumber() ? univer.NumberValueObject.create(Number(one.getValue())) : one;

function textOf(one: Value): string {
  const told = plain(one);
  if (typeof told === 'boolean') return told ? 'TRUE' : 'FALSE';
  if (typeof told !== 'number') return told ?? '';
  const format = one.getPattern();
  if (!format || !isDateFormat(format)) return String(told);
  const day = wallClock(told);
  return `${day.getUTCMonth() + 1}/${day.getUTCDate()}/${day.getUTCFullYear()}`;
}

/** A month's last day stands for a day that it does not have: 31 January and a month is 28 February. */
function edate(univer: FormulaUniver, start: Value, months: Value): Value {
  const [from, by] = [single(univer, start), single(univer, months)];
  if (from.isError()) return from;
  if (by.isError()) return by;
  const [serial, count] = [Number(plain(from) ?? 0), Number(plain(by) ?? 0)];
  if (from.isArray() || by.isArray() || Number.isNaN(serial) || Number.isNaN(count))
    return univer.ErrorValueObject.create(univer.ErrorType.VALUE);
  const day = wallClock(Math.floor(serial));
  const [year, month] = [day.getUTCFullYear(), day.getUTCMonth() + Math.trunc(count)];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const moved = Date.UTC(year, month, Math.min(day.getUTCDate(), lastDay));
  const found = Math.floor(serial) + (moved - day.getTime()) / 86_400_000;
  return Number.isFinite(found)
    ? univer.NumberValueObject.create(found, DAY_FORMAT)
    : univer.ErrorValueObject.create(univer.ErrorType.NUM);
}

function joined(univer: FormulaUniver, delimiter: Value, lists: readonly Value[]): Value {
  const cells = lists.flatMap((list) => rowsOf(list).flat());
  const bad = cells.find((cell) => cell?.isError());
  if (bad) return bad;
  const between = String(plain(single(univer, delimiter)) ?? '');
  return univer.StringValueObject.create(cells.map(textOf).join(between));
}

function uniqueIn(values: readonly Value[]): ReadonlySet<string> {
  const cells = values.flatMap((one) => rowsOf(one).flat());
  const told = cells.map(plain).filter((one) => one !== null && one !== '');
  return new Set(told.map((one) => `${typeof one} ${String(one)}`));
}

/**
 * SORTN(range, [n], [ties], [column, ascending] …): the first rows in order. Ties 0: so many rows at
 * most, 2: without repeated rows. The modes 1 and 3 are not emulated.
 */
function sortn(
  univer: FormulaUniver,
  sort: Calculate,
  range: Value,
  [count, ties, ...by]: readonly Value[],
): Value {
  const told = (one: Value | undefined, ifOmitted: number) =>
    one === undefined ? ifOmitted : Number(plain(single(univer, one)) ?? ifOmitted);
  const [most, mode] = [told(count, 1), told(ties, 0)];
  if (!(most >= 0) || (mode !== 0 && mode !== 2))
    return univer.ErrorValueObject.create(univer.ErrorType.VALUE);
  const sorted = sort(range, ...by);
  if (sorted.isError()) return sorted;
  const seen = new Set<string>();
  const rows = rowsOf(sorted).filter((row) => {
    const key = JSON.stringify(row.map(plain));
    const isNew = !seen.has(key);
    seen.add(key);
    return mode === 0 || isNew;
  });
  return arrayOf(univer, rows.slice(0, Math.floor(most)));
}

/** QUERY(data, query, [headers]). A column of a range has its letter's name, too. */
function queryFunction(univer: FormulaUniver): BaseFunction {
  class Query extends univer.BaseFunction {
    override minParams = 2;
    override maxParams = 3;
    override needsReferenceObject = true;
    override calculate(given: Value, query: Value, headers?: Value) {
      if (given.isError()) return given;
      const reference = given.isReferenceObject()
        ? (given as unknown as BaseReferenceObject)
        : null;
      const data = reference ? reference.toArrayValueObject(false) : given;
      const rows = rowsOf(data as Value).map((row) =>
        row.map((cell) => (!cell || cell.isNull() || cell.isError() ? null : plain(cell))),
      );
      const first = reference?.getRangePosition().startColumn;
      const columnOf = (name: string) =>
        first !== undefined && /^[A-Z]{1,3}$/.test(name) ? columnNumber(name) - 1 - first : null;
      const text = String(plain(readValue(univer, query)) ?? '');
      const heads = headers === undefined ? -1 : Number(plain(readValue(univer, headers)) ?? -1);
      const found = queried({ rows, columnOf }, text, heads);
      if (found === null) return univer.ErrorValueObject.create(univer.ErrorType.VALUE);
      if (found.length === 0) return univer.ErrorValueObject.create(univer.ErrorType.NA);
      return arrayOf(
        univer,
        found.map((row) => row.map((cell) => cellValue(univer, cell))),
      );
    }
  }
  return new Query('QUERY');
}

const readValue = (univer: FormulaUniver, given: Value): Value =>
  single(
    univer,
    given.isReferenceObject()
      ? (given as unknown as BaseReferenceObject).toArrayValueObject(false)
      : given,
  );

/**
 * SHEET([reference]): the number of the tab that is referred to, or of the formula's own. The engine
 * counts from 0.
 */
function sheetFunction(univer: FormulaUniver, texts: () => FormulaTexts): BaseFunction {
  class OfSheet extends univer.BaseFunction {
    override minParams = 0;
    override maxParams = 1;
    override needsReferenceObject = true;
    override calculate(given?: Value) {
      if (given?.isError()) return given;
      if (given && !given.isReferenceObject())
        return univer.ErrorValueObject.create(univer.ErrorType.NA);
      const reference = given as unknown as BaseReferenceObject | undefined;
      if (reference?.getForcedSheetName() && !reference.getForcedSheetId())
        return univer.ErrorValueObject.create(univer.ErrorType.REF);
      const id = reference ? reference.getSheetId() : this.subUnitId;
      const place = texts()
        .sheets()
        .findIndex((one) => String(one.id) === id);
      return univer.NumberValueObject.create(place + 1);
    }
  }
  return new OfSheet('SHEET');
}

/** ISFORMULA and FORMULATEXT. Both take a cell. */
function textFunctions(univer: FormulaUniver, texts: () => FormulaTexts): BaseFunction[] {
  const make = (name: string, found: (text: string) => Value) => {
    class OfReference extends univer.BaseFunction {
      override minParams = 1;
      override maxParams = 1;
      override needsReferenceObject = true;
      override calculate(given: Value) {
        if (!given.isReferenceObject()) return univer.ErrorValueObject.create(univer.ErrorType.NA);
        const reference = given as unknown as BaseReferenceObject;
        const { startRow, startColumn } = reference.getRangePosition();
        return found(texts().formulaAt(reference.getSheetId(), startRow + 1, startColumn + 1));
      }
    }
    return new OfReference(name);
  };
  return [
    make('ISFORMULA', (text) => univer.BooleanValueObject.create(text !== '')),
    make('FORMULATEXT', (text) =>
      text === ''
        ? univer.ErrorValueObject.create(univer.ErrorType.NA)
        : univer.StringValueObject.create(text),
    ),
  ];
}
