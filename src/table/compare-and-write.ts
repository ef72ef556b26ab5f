// Writes cells, compares the result with what was there, and restores what a write hit in the wrong
// place.

import {
  type Area,
  type CellContent,
  columnLetters,
  isBusy,
  Refused,
  type Sheet,
  type SheetCell,
  type SheetSize,
  type WriteOutcome,
} from '../platform/ports';
import { isField } from '../product/fields';
import type { Layout } from './columns';
import { AUTOMATIC } from './output-columns';
import type { RowRule } from './row';
import { isDate } from './row';
import {
  areStill,
  type Block,
  cellKey,
  columnOrigins,
  columnsOf,
  formulaAt,
  frameAround,
  isWithin,
  type Origins,
  rowsOf,
  rowsOfBlock,
  type View,
  valueAt,
  viewAfter,
} from './snapshot';

export interface Write {
  readonly area: Area;
  readonly cells: readonly (readonly SheetCell[])[];
}

export interface Written {
  /** The outcome of the first refused write, else `written`. */
  readonly outcome: WriteOutcome;
  /** What was read last after the writes; null: some of its rows or columns no longer exist. */
  readonly after: View | null;
  /** Columns had moved, so nothing that was written remains. */
  readonly hasShifted: boolean;
  /**
   * The cells that may have been overwritten and could not be restored, "C5:H9"; '' if there are
   * none.
   */
  readonly lost: string;
  /** The cell that rejected its value. Nothing else of that write was written either. */
  readonly rejected: string | null;
}

/** What a write needs to know about the sheet. */
export interface Place {
  readonly sheet: Sheet;
  readonly headerRow: number;
  /** The last column whose header matters. */
  readonly reach: number;
  readonly area: Area;
  /** How many columns around the area are read as well. */
  readonly margin: number;
  readonly size: SheetSize;
  /** Whether the columns are where they were. */
  readonly isSame: (after: View) => boolean;
}

/**
 * Google offers no write that applies only if nothing has changed and none by name instead of
 * position; writing by metadata is not available in this add-on's scope. A column that is inserted,
 * deleted or moved between the reading and the write (about 150 ms) therefore leads the write into
 * neighbouring cells.
 *
 * The headers are read in the call that makes Google carry out the write, so they are as the write
 * met them. If they have moved, everything that was written is replaced by what was there before,
 * in the columns that their titles identify. If more than columns moved, a title is ambiguous or a
 * formula was hit, the cells are reported instead. A last reading compares every cell with its
 * intended content; if one differs, all written cells are reported.
 *
 * Nothing is reported about formats, nor if the script is cut off before it has restored cells
 * (about 300 ms after such a write), nor if Google refuses every one of several readings.
 */
export function compareAndWrite(place: Place, before: View, writes: readonly Write[]): Written {
  const { sheet } = place;
  const done: Area[] = [];
  /** Repeats a write that failed temporarily if nothing has moved since the reading before it. */
  const write = ({ area, cells }: Write): WriteOutcome => {
    const first = sheet.write(area, cells, true);
    const now = first === 'unsure' ? look(place) : null;
    const areas = [...done, area];
    const isStill =
      now !== null && place.isSame(now) && areRowsStill(before, now, place.headerRow, areas);
    return isStill ? sheet.write(area, cells, true) : first;
  };
  let outcome: WriteOutcome = 'written';
  for (const { area, cells } of writes) {
    outcome = write({ area, cells });
    if (outcome === 'written' || outcome === 'unsure') done.push(area);
    if (outcome !== 'written') break;
  }
  const after = look(place);
  const rejected = sheet.rejected();
  // One write is carried out completely or not at all; of several, some may have been carried out.
  const isInPlace = after !== null && place.isSame(after) && (rejected === null || !writes[1]);
  if (done.length === 0 || isInPlace)
    return { outcome, after, hasShifted: false, lost: '', rejected };
  if (after === null) {
    // Rows or columns may be deleted at any time, and nobody has seen where the write arrived; or
    // the sheet was deleted.
    const lost = sheet.name() === null ? '' : notationOf(done);
    return { outcome, after, hasShifted: false, lost, rejected };
  }
  return { outcome, rejected, hasShifted: true, ...putRight(place, before, done, after) };
}

/** Restores the cells of `areas`, column by column, to their content before the write. */
function putRight(
  place: Place,
  seen: View,
  areas: readonly Area[],
  after: View,
): Pick<Written, 'after' | 'lost'> {
  const { sheet, headerRow } = place;
  const isWritten = (row: number, column: number) =>
    areas.some((area) => isWithin(area, row, column));
  // Remembered headers may be out of date: columns may have moved before the block was read.
  const later = areas.some(({ row }) => row === headerRow) ? [] : [{ ...seen, top: after.top }];
  const before =
    [seen, ...later].find((view) => areRowsStill(view, after, headerRow, areas)) ?? null;
  const origins = before === null ? new Map() : columnOrigins(before, after, headerRow, isWritten);
  const columns = areas.flatMap((area) =>
    columnsOf(area).map((column) => ({ ...area, column, columnCount: 1 })),
  );
  const known = columns.map((area) => ({
    area,
    contents: before && contentsBefore(before, after, headerRow, origins, area),
  }));
  const lost = known.filter(({ area, contents }) => {
    if (contents === null) return true;
    const cells = contents.map(({ value }) => [{ value, formula: '' }]);
    const outcome = unlessRefused(() => sheet.putBack(area, cells), 'unsure');
    const hadFormulas = contents.some(({ formula }) => formula !== '');
    return outcome === 'protected' || outcome === 'unsure' || hadFormulas;
  });
  const now = unlessRefused(() => look(place), null);
  const meant = (row: number, column: number) => {
    const put = known.find(({ area }) => isWithin(area, row, column));
    if (put === undefined) return row === headerRow ? null : valueAt(after.block, row, column);
    // Cells that could not be restored are reported separately.
    return lost.includes(put) ? null : (put.contents?.[row - put.area.row]?.value ?? null);
  };
  const hadFormula = (row: number, column: number) =>
    before !== null && formulaAt(before.block, row, origins.get(column) ?? 0) !== '';
  const isRight =
    now !== null &&
    areStill(after, now, headerRow, isWritten) &&
    areas.flatMap(rowsOf).every((row) =>
      columnsOf(after.block.area).every((column) => {
        const cell = meant(row, column);
        const there = valueAt(now.block, row, column);
        // A number in a cell with a date format reads as a date until the cell's own format is
        // restored.
        const isDated = isWritten(row, column) && typeof cell === 'number' && isDate(there);
        return (
          cell === null || isDated || hadFormula(row, column) || cellKey(cell) === cellKey(there)
        );
      }),
    );
  if (before !== null && isRight)
    unlessRefused(() => undate(sheet, before, now, origins, columns), undefined);
  return { after: now, lost: notationOf(isRight ? lost.map(({ area }) => area) : areas) };
}

/**
 * If Google refuses while cells are being restored, the cells are reported. The refusal must not
 * hide that columns moved.
 */
function unlessRefused<T>(act: () => T, instead: T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof Refused) return instead;
    throw error;
  }
}

/** Whether the cells beside the written ones, in the same rows, are unchanged. */
function areRowsStill(before: View, after: View, headerRow: number, areas: readonly Area[]) {
  const isWritten = (row: number, column: number) =>
    areas.some((area) => isWithin(area, row, column));
  const origins = [...columnOrigins(before, after, headerRow, isWritten)];
  const { area } = before.block;
  const known = origins.filter(([, from]) => isWithin(area, area.row, from));
  const isKnown = known.length > 0;
  return (
    isKnown &&
    areas.flatMap(rowsOf).every((row) =>
      known.every(([to, from]) => {
        // The result of a formula may depend on what was written.
        if (row === headerRow || isWritten(row, to) || formulaAt(before.block, row, from) !== '')
          return true;
        return cellKey(valueAt(after.block, row, to)) === cellKey(valueAt(before.block, row, from));
      }),
    )
  );
}

/** The former content of one column's cells; null: it cannot be determined. */
function contentsBefore(
  { block, top }: View,
  after: View,
  headerRow: number,
  origins: Origins,
  area: Area,
): readonly CellContent[] | null {
  const contentsOf = (column: number) =>
    rowsOf(area).map((row) => ({
      value: valueAt(block, row, column),
      formula: formulaAt(block, row, column),
    }));
  const from = origins.get(area.column);
  const isSeen = (column: number) => isWithin(block.area, block.area.row, column);
  if (from !== undefined) return isSeen(from) ? contentsOf(from) : null;
  const title = after.top[headerRow - 1]?.[area.column - 1] ?? '';
  if (area.row !== headerRow && title !== '') return null;
  // The column was either inserted, and is blank, or is one that was not recognised. If all
  // unrecognised columns are blank, it is blank in both cases.
  const known = [...origins.values()];
  const isBlank = (column: number) =>
    isSeen(column)
      ? contentsOf(column).every(({ value, formula }) => value === '' && formula === '')
      : top.every((row) => (row[column - 1] ?? '') === '');
  const others = (top[0] ?? []).map((_, at) => at + 1).filter((column) => !known.includes(column));
  return others.every(isBlank) ? rowsOf(area).map(() => ({ value: '', formula: '' })) : null;
}

/** A written date gives its cell a date format, which would remain when a number is restored. */
function undate(
  sheet: Sheet,
  before: View,
  now: View,
  origins: Origins,
  columns: readonly Area[],
): void {
  for (const area of columns) {
    const isDated = rowsOf(area).map((row) => {
      const was = valueAt(before.block, row, origins.get(area.column) ?? 0);
      return typeof was === 'number' && isDate(valueAt(now.block, row, area.column));
    });
    const formats = isDated.includes(true) && sheet.formats(area);
    if (formats)
      sheet.setFormats(
        area,
        formats.map(([format = AUTOMATIC], down) => [isDated[down] ? AUTOMATIC : format]),
      );
  }
}

/** The rectangle around all areas, "C5:H9"; '' for none. */
export function notationOf(areas: readonly Area[]): string {
  const [rows, columns] = [areas.flatMap(rowsOf), areas.flatMap(columnsOf)];
  if (areas.length === 0) return '';
  const cell = (at: (...places: number[]) => number) => columnLetters(at(...columns)) + at(...rows);
  return `${cell(Math.min)}:${cell(Math.max)}`;
}

const LOOKS_MAX = 3;

/**
 * Reads the same part of the sheet again as far as it still exists; null: it does not. Temporary
 * failures are retried, because nothing else shows where the write arrived.
 */
function look({ sheet, area, headerRow, reach, margin, size }: Place): View | null {
  let now: SheetSize | null = size;
  for (let tries = 1; tries <= LOOKS_MAX && now !== null; tries += 1) {
    try {
      const view = viewAfter(sheet, frameAround(area, headerRow, reach, margin, now));
      if (view !== null) return view;
      now = sheet.size();
    } catch (error) {
      if (!isBusy(error) || tries === LOOKS_MAX) throw error;
    }
  }
  return null;
}

/**
 * Restores the first cell of merged cells: its content is what was written for it, else what was
 * there before. Merges are read only if a written cell reads as empty.
 */
export function giveBackMerged(
  sheet: Sheet,
  before: Block,
  after: Block,
  writes: readonly Write[],
): void {
  const isSwallowed = ({ area, cells }: Write) =>
    rowsOf(area).some((row, down) =>
      columnsOf(area).some(
        (column, right) => cells[down]?.[right] !== '' && valueAt(after, row, column) === '',
      ),
    );
  if (!writes.some(isSwallowed)) return;
  for (const merge of sheet.merges(after.area) ?? []) {
    const put = putInto(merge, writes);
    const there = cellKey(valueAt(after, merge.row, merge.column));
    if (!put.some((cell) => cellKey(cell) === there)) continue;
    const content = contentBefore(before, merge, writes);
    if (content !== null) sheet.putBack({ ...merge, rowCount: 1, columnCount: 1 }, [[content]]);
  }
}

/** What was written into a merged area apart from its first cell. */
function putInto(merge: Area, writes: readonly Write[]): readonly SheetCell[] {
  return writes.flatMap(({ area, cells }) =>
    cells.flatMap((line, down) =>
      line.filter((_, right) => {
        const [row, column] = [area.row + down, area.column + right];
        const isFirst = row === merge.row && column === merge.column;
        return isWithin(merge, row, column) && !isFirst;
      }),
    ),
  );
}

/** null: the cell was not read before. */
function contentBefore(
  before: Block,
  { row, column }: Area,
  writes: readonly Write[],
): CellContent | null {
  const own = writes.find(({ area }) => isWithin(area, row, column));
  if (own !== undefined) {
    const value = own.cells[row - own.area.row]?.[column - own.area.column] ?? '';
    return { value, formula: '' };
  }
  if (!isWithin(before.area, row, column)) return null;
  return { value: valueAt(before, row, column), formula: formulaAt(before, row, column) };
}

/** Rows may move while formats are set, but rarely more often than this. */
const TRIES_MAX = 5;

/**
 * Shows figures as numbers that an earlier date format turned into dates.
 *
 * @param again reads the block again; null: its columns are elsewhere.
 */
export function undateFigures(
  sheet: Sheet,
  seen: Block,
  layout: Layout,
  rule: RowRule,
  again: () => Block | null,
): void {
  let block: Block | null = seen;
  for (let tries = 0; block !== null && tries < TRIES_MAX; tries += 1) {
    const dated = datedFigures(block, layout, rule);
    if (dated.length === 0) return;
    for (const cell of dated) sheet.setFormats(cell, [[AUTOMATIC]]);
    block = again();
  }
}

function datedFigures(block: Block, layout: Layout, rule: RowRule): readonly Area[] {
  const figures = layout.columns.filter(({ key }) => isField(key));
  return rowsOfBlock(block, layout, rule)
    .filter(({ status }) => status.kind === 'ok')
    .flatMap(({ row }) =>
      figures
        .filter(({ column }) => isDate(valueAt(block, row, column)))
        .map(({ column }) => ({ row, column, rowCount: 1, columnCount: 1 })),
    );
}
