// Writes cells and compares what was there: puts back what a write met in the wrong place.

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
  /** Of the first write that was refused, else `written`. */
  readonly outcome: WriteOutcome;
  /** What was seen last after it; null: rows or columns of it are gone. */
  readonly after: View | null;
  /** Columns were not where they had been: nothing of what was written stands there. */
  readonly hasShifted: boolean;
  /** Where something may have been overwritten that could not be put back, "C5:H9"; '' if nothing. */
  readonly lost: string;
  /** The cell that turned down its value; nothing else is written then either. */
  readonly rejected: string | null;
}

/** What is to be known of the sheet for a write. */
export interface Place {
  readonly sheet: Sheet;
  readonly headerRow: number;
  /** The last column whose header counts. */
  readonly reach: number;
  readonly area: Area;
  /** So many columns around the area are looked at. */
  readonly margin: number;
  readonly size: SheetSize;
  /** Whether columns are where they were. */
  readonly isSame: (after: View) => boolean;
}

/**
 * Google has no write that fits only if nothing changed, none by name instead of place, and for the
 * scope of this add-on none by metadata. So a column that comes, goes or moves between the look and
 * the write, some 150 ms, leads it into neighbouring cells. The headers are read in the call that
 * brings the write to the sheet, hence as the write met them. Where they have moved, all that was
 * written is replaced by what stood there before, in the columns that their titles name. Where more
 * than columns moved, a title does not tell or a formula was hit, the cells are named instead. A last
 * look compares every cell with what was meant for it: where one differs, all that was written is named.
 *
 * What nobody tells of: a script that is cut off before it has put things back (some 300 ms after such
 * a write), or to which Google refuses each of several looks by then; and formats.
 */
export function compareAndWrite(place: Place, before: View, writes: readonly Write[]): Written {
  const { sheet } = place;
  const done: Area[] = [];
  /** Where Google fails in passing it is made again, if nothing has moved since the look before it. */
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
  // One write is all or nothing; of several some may be there.
  const isInPlace = after !== null && place.isSame(after) && (rejected === null || !writes[1]);
  if (done.length === 0 || isInPlace)
    return { outcome, after, hasShifted: false, lost: '', rejected };
  if (after === null) {
    // Rows or columns go all the time, and nobody has seen where it arrived; or the sheet is gone.
    const lost = sheet.name() === null ? '' : notationOf(done);
    return { outcome, after, hasShifted: false, lost, rejected };
  }
  return { outcome, rejected, hasShifted: true, ...putRight(place, before, done, after) };
}

/** Lets everything stand again as it stood before `areas` were written, by column. */
function putRight(
  place: Place,
  seen: View,
  areas: readonly Area[],
  after: View,
): Pick<Written, 'after' | 'lost'> {
  const { sheet, headerRow } = place;
  const isWritten = (row: number, column: number) =>
    areas.some((area) => isWithin(area, row, column));
  // Headers that were only remembered may have moved before the block was read.
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
    // What could not be put back is named by itself.
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
        // A number in the format of a date reads as one until it has its own format again.
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

/** What Google refuses while cells are put back is told with the cells: it must not hide that they moved. */
function unlessRefused<T>(act: () => T, instead: T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof Refused) return instead;
    throw error;
  }
}

/** Whether what stands beside the written cells in their rows is what stood there. */
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
        // What a formula shows may follow what was written.
        if (row === headerRow || isWritten(row, to) || formulaAt(before.block, row, from) !== '')
          return true;
        return cellKey(valueAt(after.block, row, to)) === cellKey(valueAt(before.block, row, from));
      }),
    )
  );
}

/** What the cells of one column held; null: that cannot be told. */
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
  // It came in blank, unless it is one of those that are not known again: blank as well, all is blank.
  const known = [...origins.values()];
  const isBlank = (column: number) =>
    isSeen(column)
      ? contentsOf(column).every(({ value, formula }) => value === '' && formula === '')
      : top.every((row) => (row[column - 1] ?? '') === '');
  const others = (top[0] ?? []).map((_, at) => at + 1).filter((column) => !known.includes(column));
  return others.every(isBlank) ? rowsOf(area).map(() => ({ value: '', formula: '' })) : null;
}

/** A date that was written gives its cell a format for dates, which stays when a number is put back. */
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

/** The rectangle around all of them, "C5:H9"; '' for none. */
export function notationOf(areas: readonly Area[]): string {
  const [rows, columns] = [areas.flatMap(rowsOf), areas.flatMap(columnsOf)];
  if (areas.length === 0) return '';
  const cell = (at: (...places: number[]) => number) => columnLetters(at(...columns)) + at(...rows);
  return `${cell(Math.min)}:${cell(Math.max)}`;
}

const LOOKS_MAX = 3;

/**
 * The same part of the sheet again, as far as it is still there; null: it is not. Where Google fails in
 * passing it is looked at again: nobody else knows what the write has met.
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
 * Gives first cells back what they are to hold: what was written for them, else what stood there.
 * Merged cells are asked for only if one that was written reads empty.
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

/** What was written to cells of a merged one behind its first. */
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

/** null: nobody looked there before. */
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

/** Rows may move while they get their format; more often than this they hardly will. */
const TRIES_MAX = 5;

/**
 * Shows them as numbers again.
 *
 * @param again the block as it is by now; null: its columns are elsewhere.
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
