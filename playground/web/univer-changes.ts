// Translates Univer's mutations into changes of a sheet, whether a page, a script or a formula made
// them.
import type { ICommandInfo, IRange } from '@univerjs/core';
import type { Rectangle, SheetChange } from 'apps-script-host/sheet/model';

interface CellParams {
  readonly subUnitId: string;
  readonly cellValue?: Readonly<Record<number, Readonly<Record<number, unknown>>>>;
}

interface RangeParams {
  readonly subUnitId: string;
  readonly range: IRange;
}

const SHEETS = [
  'sheet.mutation.insert-sheet',
  'sheet.mutation.remove-sheet',
  'sheet.mutation.set-worksheet-name',
];

const MARKS = [
  'sheet.mutation.set-row-hidden',
  'sheet.mutation.set-row-visible',
  'sheet.mutation.add-worksheet-merge',
  'sheet.mutation.remove-worksheet-merge',
];

export function toChange(
  { id, params }: Readonly<ICommandInfo>,
  sheetIdOf: (subUnitId: string) => number,
): SheetChange | null {
  if (SHEETS.includes(id)) return { kind: 'sheets' };
  if (MARKS.includes(id)) {
    return { kind: 'marks', sheetId: sheetIdOf((params as RangeParams).subUnitId) };
  }
  if (id === 'sheet.mutation.set-range-values') {
    const { subUnitId, cellValue } = params as CellParams;
    const rectangle = around(cellValue ?? {});
    return rectangle && { kind: 'cells', sheetId: sheetIdOf(subUnitId), rectangle };
  }
  const spans = {
    'sheet.mutation.insert-row': ['rowsInserted', 'Row'],
    'sheet.mutation.remove-rows': ['rowsDeleted', 'Row'],
    'sheet.mutation.insert-col': ['columnsInserted', 'Column'],
    'sheet.mutation.remove-col': ['columnsDeleted', 'Column'],
  } as const;
  const span = spans[id as keyof typeof spans];
  if (span === undefined) return null;
  const [kind, along] = span;
  const { subUnitId, range } = params as RangeParams;
  const first = range[`start${along}`] + 1;
  return { kind, sheetId: sheetIdOf(subUnitId), first, count: range[`end${along}`] + 2 - first };
}

/** The smallest rectangle with all cells of a sparse matrix. null: there are none. */
function around(cells: NonNullable<CellParams['cellValue']>): Rectangle | null {
  const rows = Object.keys(cells).map(Number);
  const columns = Object.values(cells).flatMap((row) => Object.keys(row ?? {}).map(Number));
  if (columns.length === 0) return null;
  const [top, bottom] = extent(rows);
  const [left, right] = extent(columns);
  return {
    row: top + 1,
    column: left + 1,
    rowCount: bottom - top + 1,
    columnCount: right - left + 1,
  };
}

function extent(numbers: readonly number[]): readonly [number, number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const number of numbers) {
    low = Math.min(low, number);
    high = Math.max(high, number);
  }
  return [low, high];
}
