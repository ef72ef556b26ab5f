// XMATCH, XLOOKUP and INDEX as Sheets calculates them, over indexes that make a search in a long
// column as cheap as in a short one.

import type {
  BaseFunction,
  BaseReferenceObject,
  BaseValueObject,
} from '@univerjs/preset-sheets-node-core';
import type { FormulaUniver } from '../univer-bundle';
import { isDateSerial } from './date-serial';
import type { CustomFunctions } from './formula-engine';
import type { Area, KeyIndex, KeyIndexes, Plain } from './key-index';
import { isErrorText, keyOf } from './key-index';
import { arrayOf, order, single } from './native-functions';
import { isDateFormat } from './number-format';

/** What a lookup reads, and who is told on which cells its result depends. */
export interface LookupCells {
  /** null: blank. A date is its serial number. Rows and columns count from 1. */
  readonly read: (sheetId: number, row: number, column: number) => Plain;
  readonly indexes: KeyIndexes;
  readonly sawCells: (area: Area) => void;
  /** The result depends on where this key is, and on nothing else in the index. */
  readonly sawKey: (index: KeyIndex, key: string) => void;
}

type Value = BaseValueObject;
type Argument = BaseValueObject | BaseReferenceObject | undefined;

/** Cells in rows and columns: a sheet's, or those of an array that a formula made. */
interface Cells {
  readonly rowCount: number;
  readonly columnCount: number;
  /** null: an array that a formula made. */
  readonly area: Area | null;
  readonly at: (down: number, right: number) => Plain;
}

/** Ends a lookup with an error in its cell. */
class Fault extends Error {
  constructor(readonly text: string) {
    super(text);
  }
}

const faults = new Map<string, Fault>();

/** One for each text: most lookups of a long list find nothing, and noting the stack is slow. */
function faultOf(text: string): Fault {
  const fault = faults.get(text) ?? new Fault(text);
  faults.set(text, fault);
  return fault;
}

/**
 * Sources: XLOOKUP (support.google.com/docs/answer/12405947), XMATCH (…/12406049), INDEX
 * (…/3098242). The package's README lists what they leave open.
 */
export function lookupFunctions(univer: FormulaUniver, source: () => LookupCells): BaseFunction[] {
  const cellValue = valuesOf(univer);
  const read = (argument: Argument): Cells => cellsOf(univer, source(), argument);
  const block = (cells: Cells, rows: Span, columns: Span): Value => {
    const { area } = cells;
    if (area)
      source().sawCells({
        sheetId: area.sheetId,
        row: area.row + rows.first,
        column: area.column + columns.first,
        rowCount: rows.count,
        columnCount: columns.count,
      });
    if (rows.count * columns.count === 1) return cellValue(cells.at(rows.first, columns.first));
    return arrayOf(
      univer,
      numbers(rows).map((down) =>
        numbers(columns).map((right) => cellValue(cells.at(down, right))),
      ),
    );
  };
  const everything = (cells: Cells): Value =>
    block(cells, all(cells.rowCount), all(cells.columnCount));
  /** The function for one key, or for each of an array of keys. */
  const forEachKey = (argument: Argument, found: (key: Plain) => Value): Value => {
    const keys = read(argument);
    if (keys.rowCount * keys.columnCount === 1) return found(withoutError(keys.at(0, 0)));
    const each = (key: Plain): Value => {
      const value = single(
        univer,
        orFault(cellValue, () => found(withoutError(key))),
      );
      return value.isArray() ? cellValue('#VALUE!') : value;
    };
    const columns = numbers(all(keys.columnCount));
    return arrayOf(
      univer,
      numbers(all(keys.rowCount)).map((down) => columns.map((right) => each(keys.at(down, right)))),
    );
  };
  const make = (
    name: string,
    [least, most]: readonly [number, number],
    calculate: (...args: Argument[]) => Value,
  ) => {
    class Lookup extends univer.BaseFunction {
      override minParams = least;
      override maxParams = most;
      override needsReferenceObject = true;
      override calculate(...args: Value[]) {
        return orFault(cellValue, () => calculate(...args));
      }
    }
    return new Lookup(name);
  };
  return [
    make('XMATCH', [2, 4], (keys, line, mode, direction) => {
      const searched = read(line);
      const how = howOf(read, mode, direction);
      return forEachKey(keys, (key) => {
        const found = search(source(), searched, key, how);
        return cellValue(found === null ? '#N/A' : found + 1);
      });
    }),
    make('XLOOKUP', [3, 6], (keys, line, result, missing, mode, direction) => {
      const [searched, results] = [read(line), read(result)];
      const how = howOf(read, mode, direction);
      const isRow = searched.rowCount === 1 && searched.columnCount > 1;
      const length = isRow ? results.columnCount : results.rowCount;
      if (length !== searched.rowCount * searched.columnCount) throw faultOf('#VALUE!');
      return forEachKey(keys, (key) => {
        const found = search(source(), searched, key, how);
        if (found === null)
          return isOmitted(missing) ? cellValue('#N/A') : everything(read(missing));
        const at = { first: found, count: 1 };
        return isRow
          ? block(results, all(results.rowCount), at)
          : block(results, at, all(results.columnCount));
      });
    }),
    make('INDEX', [1, 3], (range, row, column) => {
      const within = read(range);
      // In a single row, a single number is the column's.
      const isAlong = within.rowCount === 1 && within.columnCount > 1 && column === undefined;
      const [down, right] = isAlong ? [undefined, row] : [row, column];
      const rows = spanOf(numberOf(read, down, 0), within.rowCount);
      return block(within, rows, spanOf(numberOf(read, right, 0), within.columnCount));
    }),
  ];
}

/**
 * A custom function within a formula of Sheets' own functions. An argument that is an error is the
 * result, and the function is not called.
 */
export function customFunction(
  univer: FormulaUniver,
  name: string,
  source: () => LookupCells,
  custom: () => CustomFunctions | undefined,
): BaseFunction {
  const cellValue = valuesOf(univer);
  class Custom extends univer.BaseFunction {
    override minParams = 0;
    override maxParams = 255;
    override needsReferenceObject = true;
    override calculate(...args: Value[]) {
      return orFault(cellValue, () => {
        const functions = custom();
        if (!functions) throw faultOf('#NAME?');
        const given = args.map((argument) => {
          if (isOmitted(argument)) return undefined;
          const { area, rowCount, columnCount, at } = cellsOf(univer, source(), argument);
          const rows = area
            ? functions.values(area)
            : numbers(all(rowCount)).map((down) =>
                numbers(all(columnCount)).map((right) => at(down, right) ?? ''),
              );
          if (rowCount * columnCount !== 1) return rows;
          if (area) return rows[0]?.[0];
          const plain = withoutError(at(0, 0) ?? '');
          const isDated =
            typeof plain === 'number' &&
            isDateSerial(plain) &&
            isDateFormat(single(univer, argument).getPattern());
          return isDated ? functions.toDate(plain) : plain;
        });
        const answer = functions.call(name, given);
        if (answer === null) throw faultOf('#N/A');
        const values = answer.map((row) => row.map(cellValue));
        return single(univer, arrayOf(univer, values));
      });
    }
  }
  return new Custom(name);
}

interface Span {
  /** From 0. */
  readonly first: number;
  readonly count: number;
}

const all = (count: number): Span => ({ first: 0, count });

const numbers = ({ first, count }: Span) => Array.from({ length: count }, (_, at) => first + at);

/** What INDEX takes of so many rows or columns. 0: all of them. */
function spanOf(number: number, count: number): Span {
  const whole = Math.trunc(number);
  if (whole < 0) throw faultOf('#VALUE!');
  if (whole > count) throw faultOf('#REF!');
  return whole === 0 ? all(count) : { first: whole - 1, count: 1 };
}

function orFault(cellValue: (plain: Plain) => Value, calculate: () => Value): Value {
  try {
    return calculate();
  } catch (fault) {
    if (fault instanceof Fault) return cellValue(fault.text);
    throw fault;
  }
}

function withoutError(plain: Plain): Plain {
  if (isErrorText(plain)) throw faultOf(String(plain));
  return plain;
}

function valuesOf(univer: FormulaUniver) {
  return (plain: Plain): Value => {
    if (plain === null) return univer.NullValueObject.create();
    if (typeof plain === 'number') return univer.NumberValueObject.create(plain);
    if (typeof plain === 'boolean') return univer.BooleanValueObject.create(plain);
    const isError = isErrorText(plain);
    return isError
      ? univer.ErrorValueObject.create(plain as never)
      : univer.StringValueObject.create(plain);
  };
}

/** An argument that is left out between two commas. A blank cell is a reference, and not left out. */
function isOmitted(argument: Argument): boolean {
  if (argument === undefined) return true;
  return !argument.isReferenceObject() && (argument as Value).isNull();
}

function cellsOf(univer: FormulaUniver, source: LookupCells, argument: Argument): Cells {
  if (argument === undefined) throw faultOf('#N/A');
  if (!argument.isReferenceObject()) return cellsOfValue(univer, argument as Value);
  const reference = argument as BaseReferenceObject;
  if (reference.getForcedSheetName() !== '' && !reference.getForcedSheetId())
    throw faultOf('#REF!');
  const { startRow, endRow, startColumn, endColumn } = reference.getRangePosition();
  const sheetId = Number(reference.getSheetId());
  const [row, column] = [startRow + 1, startColumn + 1];
  const [rowCount, columnCount] = [endRow - startRow + 1, endColumn - startColumn + 1];
  if (row < 1 || column < 1 || rowCount < 1 || columnCount < 1) throw faultOf('#REF!');
  return {
    rowCount,
    columnCount,
    area: { sheetId, row, column, rowCount, columnCount },
    at: (down, right) => source.read(sheetId, row + down, column + right),
  };
}

function cellsOfValue(univer: FormulaUniver, argument: Value): Cells {
  const value = single(univer, argument);
  if (value.isError()) throw faultOf(plainOf(value) as string);
  const rows = value.isArray() ? (value.getArrayValue() as (Value | null)[][]) : [[value]];
  return {
    rowCount: rows.length,
    columnCount: rows[0]?.length ?? 0,
    area: null,
    at: (down, right) => plainOf(rows[down]?.[right] ?? null),
  };
}

function plainOf(value: Value | null): Plain {
  if (value === null || value.isNull()) return null;
  if (value.isError())
    return (value as unknown as { readonly getErrorType: () => string }).getErrorType();
  return value.getValue() as Plain;
}

type ReadCells = (argument: Argument) => Cells;

function numberOf(read: ReadCells, argument: Argument, ifOmitted: number): number {
  if (isOmitted(argument)) return ifOmitted;
  const { rowCount, columnCount, at } = read(argument);
  const plain = withoutError(at(0, 0));
  const number = plain === '' ? Number.NaN : Number(plain ?? 0);
  if (rowCount * columnCount !== 1 || Number.isNaN(number)) throw faultOf('#VALUE!');
  return number;
}

interface How {
  readonly mode: number;
  readonly direction: number;
}

/** Exact, next smaller, next larger or by wildcards; from the first, from the last or by halves. */
function howOf(read: ReadCells, mode: Argument, direction: Argument): How {
  const how = { mode: numberOf(read, mode, 0), direction: numberOf(read, direction, 1) };
  const isKnown = [0, -1, 1, 2].includes(how.mode) && [1, -1, 2, -2].includes(how.direction);
  const isWildByHalves = how.mode === 2 && Math.abs(how.direction) === 2;
  if (!isKnown || isWildByHalves) throw faultOf('#VALUE!');
  return how;
}

/** The place of a key in a row or column, from 0. null: it is not there. */
function search(source: LookupCells, line: Cells, key: Plain, how: How): number | null {
  const { rowCount, columnCount, area, at } = line;
  if (rowCount !== 1 && columnCount !== 1) throw faultOf('#VALUE!');
  const wanted = keyOf(key);
  if (wanted === null) return null;
  const { mode, direction } = how;
  if (area && mode === 0 && Math.abs(direction) === 1) {
    const index = source.indexes.over(area);
    source.sawKey(index, wanted);
    return index.find(wanted, direction === 1 ? 'first' : 'last');
  }
  if (area) source.sawCells(area);
  const cells = Array.from({ length: rowCount * columnCount }, (_, place) =>
    columnCount === 1 ? at(place, 0) : at(0, place),
  );
  if (Math.abs(direction) === 2) return byHalves(cells, key, how);
  const places = [...cells.keys()];
  if (direction === -1) places.reverse();
  const isMatch = matching(key, mode);
  const exact = places.find((place) => isMatch(cells[place] ?? null));
  if (exact !== undefined) return exact;
  return mode === 1 || mode === -1 ? next(cells, places, key, mode) : null;
}

function matching(key: Plain, mode: number): (cell: Plain) => boolean {
  const wanted = keyOf(key);
  if (mode !== 2 || typeof key !== 'string') return (cell) => keyOf(cell) === wanted;
  // "*" is any text, "?" any character, and "~" before either takes it literally.
  const source = key.replace(/~[*?~]|[*?]|[\s\S]/g, (part) => {
    if (part === '*') return '[\\s\\S]*';
    if (part === '?') return '[\\s\\S]';
    return (part.length > 1 ? part.slice(1) : part).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  const pattern = new RegExp(`^${source}$`, 'i');
  return (cell) => typeof cell === 'string' && !isErrorText(cell) && pattern.test(cell);
}

/** The cell of the key's kind that is nearest to it, below (-1) or above (1). */
function next(
  cells: readonly Plain[],
  places: readonly number[],
  key: Plain,
  mode: 1 | -1,
): number | null {
  let best: number | null = null;
  for (const place of places) {
    const cell = cells[place] ?? null;
    if (!isOfKind(cell, key) || order(cell, key) !== mode) continue;
    if (best === null || order(cell, cells[best] ?? null) === -mode) best = place;
  }
  return best;
}

const isOfKind = (cell: Plain, key: Plain) => typeof cell === typeof key && keyOf(cell) !== null;

/** In cells that are in order, as the mode 2 (ascending) or -2 promises. */
function byHalves(cells: readonly Plain[], key: Plain, { mode, direction }: How): number | null {
  const end = cells.findLastIndex((cell) => cell !== null) + 1;
  const isAscending = direction === 2;
  let [low, high] = [0, end];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const found = order(cells[middle] ?? null, key);
    if (isAscending ? found < 0 : found > 0) low = middle + 1;
    else high = middle;
  }
  const isThere = (place: number) => place >= 0 && place < end;
  const cellAt = (place: number) => cells[place] ?? null;
  if (isThere(low) && keyOf(cellAt(low)) === keyOf(key)) return low;
  if (mode === 0) return null;
  // `low` is the first cell beyond the key, and the one before it lies on the other side.
  const nearest = (mode === 1) === isAscending ? low : low - 1;
  return isThere(nearest) && isOfKind(cellAt(nearest), key) ? nearest : null;
}
