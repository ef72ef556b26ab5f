// Defines how the objects of a script's half make each other: a range knows its sheet, and a sheet
// its ranges.

import { say } from '../../messages';
import type { Realm } from '../../service';
import { typeNames } from '../parameters';
import type {
  BookFacts,
  MetadataFacts,
  PasteType,
  Place,
  ProtectionFacts,
  SearchScope,
  SpreadsheetCalls,
} from './calls';
import type { ColourFacts } from './color';
import type { RelativeDates } from './criteria';
import type {
  Dimension,
  Direction,
  FillSeries,
  InterpolationType,
  SheetType,
  TextDelimiter,
  TogglePosition,
  ValidationCriteria,
} from './enums';

export interface Making extends Realm<SpreadsheetCalls> {
  /** The other spreadsheet whose objects these are. null: they are those of the script's own. */
  readonly bookId: string | null;
  readonly elsewhere: (bookId: string) => Making;
  readonly spreadsheet: (facts: BookFacts) => object;
  readonly sheet: (sheetId: number) => object;
  readonly range: (place: Place) => object;
  readonly relativeDates: RelativeDates;
  readonly sheetTypes: Readonly<Record<SheetType, object>>;
  readonly sortOrders: Readonly<Record<'ASCENDING' | 'DESCENDING', object>>;
  readonly color: (facts: ColourFacts) => object;
  readonly textFinder: (scope: SearchScope, text: string) => object;
  /** ProtectionType.RANGE and .SHEET. */
  readonly protectionTypes: Readonly<Record<ProtectionFacts['kind'], object>>;
  readonly validationCriteria: Readonly<Record<ValidationCriteria, object>>;
  readonly wrapStrategies: Readonly<Record<string, object>>;
  readonly textDirections: Readonly<Record<string, object>>;
  readonly directions: Readonly<Record<Direction, object>>;
  readonly dimensions: Readonly<Record<Dimension, object>>;
  readonly interpolationTypes: Readonly<Record<InterpolationType, object>>;
  readonly togglePositions: Readonly<Record<TogglePosition, object>>;
  readonly fillSeries: Readonly<Record<FillSeries, object>>;
  readonly textDelimiters: Readonly<Record<TextDelimiter, object>>;
  readonly pasteTypes: Readonly<Record<PasteType, object>>;
  readonly booleanCriteria: Readonly<Record<string, object>>;
  readonly metadataVisibilities: Readonly<Record<MetadataFacts['visibility'], object>>;
  readonly metadataLocations: Readonly<Record<MetadataFacts['location'], object>>;
}

/** A range or sheet that a script passes back. Scripts may pass anything else as well. */
export interface SheetHandle {
  readonly getSheetId: () => number;
}

export interface RangeHandle {
  readonly getGridId: () => number;
  readonly getRow: () => number;
  readonly getColumn: () => number;
  readonly getNumRows: () => number;
  readonly getNumColumns: () => number;
}

export function placeOf(range: RangeHandle): Place {
  return {
    sheetId: range.getGridId(),
    row: range.getRow(),
    column: range.getColumn(),
    rowCount: range.getNumRows(),
    columnCount: range.getNumColumns(),
  };
}

export function wrongParameters(
  { exception }: Pick<Making, 'exception'>,
  method: string,
  args: readonly unknown[],
): Error {
  return exception(say('wrong-parameters', typeNames(args), `SpreadsheetApp.${method}`));
}

/** Returns the rows unchanged if they have the range's shape. Throws Google's exception if not. */
export function fittingRows(
  making: Pick<Making, 'exception'>,
  { rowCount, columnCount }: Place,
  method: string,
  rows: unknown,
): unknown[][] {
  const isMatrix = Array.isArray(rows) && rows.every(Array.isArray);
  if (!isMatrix) throw wrongParameters(making, `Range.${method}`, [rows]);
  const misfit = (things: 'rows' | 'columns', found: number, expected: number) =>
    making.exception(say(`misfit-${things}`, found, expected));
  if (rows.length !== rowCount) throw misfit('rows', rows.length, rowCount);
  const ragged = rows.find((row) => row.length !== columnCount);
  if (ragged) throw misfit('columns', ragged.length, columnCount);
  return rows;
}

/** One value for every cell of a range. */
export function filled<Cell>({ rowCount, columnCount }: Place, cell: Cell): Cell[][] {
  return Array.from({ length: rowCount }, () => new Array<Cell>(columnCount).fill(cell));
}
