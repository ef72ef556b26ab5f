// Writing between two looks: if columns moved in the instant between them, what was hit is put back.

import type { Area, Sheet, SheetCell, SheetSize, WriteOutcome } from '../platform/sheet-ports';
import { type Amends, amendsFor, NO_DEBTS, putBacks } from './amends';
import { AUTOMATIC } from './number-formats';
import { frameAround, isDate, isWithin, type Margin, rowsOf, type View, viewAfter } from './view';
import { datedBack } from './whereabouts';

export interface Write {
  readonly area: Area;
  readonly cells: readonly (readonly SheetCell[])[];
}

export interface Written {
  /** Of the first write that was refused, else `written`. */
  readonly outcome: WriteOutcome;
  /** What was seen last after it; null: rows or columns of it are gone. */
  readonly after: View | null;
  /** Columns were not where they had been: everything was put back as it stood before. */
  readonly hasShifted: boolean;
  /** Not all could be put back. */
  readonly isLost: boolean;
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
  readonly margin: Margin;
  readonly size: SheetSize;
  /** Whether columns and headers are where they were. */
  readonly isSame: (after: View) => boolean;
  /** Rows in which something was overwritten that nobody had seen; whether it was only the run's. */
  readonly onStrangers: (amends: Amends) => boolean;
}

/** People may move columns while things are put back; more often than this they hardly will. */
const ROUNDS_MAX = 40;

/** What is under way when rows move has to be put back again, so little is under way at a time. */
const PUTS_AT_ONCE = 8;

/**
 * Google has no write that fits only if nothing changed, none by name instead of place, and for the
 * scope of this add-on none by metadata. So a column that comes, goes or moves between the look and
 * the write, some 150 ms, leads it into neighbouring cells. The headers are read in the call that
 * brings the write to the sheet, hence as the write met them. Where they have moved, all that was
 * written is replaced by what stood in those cells before, wherever they had been.
 *
 * What remains: a script that is cut off before it has put things back (some 300 ms after such a
 * write); in a long list, columns and rows that move within the same instant, when rows come in that
 * had not been read; formats and links of parts of a text; references of formulas to other rows.
 */
export function writeCarefully(place: Place, before: View, writes: readonly Write[]): Written {
  const { sheet } = place;
  const done: Area[] = [];
  let outcome: WriteOutcome = 'written';
  for (const { area, cells } of writes) {
    outcome = sheet.write(area, cells);
    if (outcome !== 'written') break;
    done.push(area);
  }
  const after = look(place, false);
  const rejected = sheet.rejected();
  // One write is all or nothing; of several some may be there.
  const isInPlace = after !== null && place.isSame(after) && (rejected === null || !writes[1]);
  if (after === null || done.length === 0 || isInPlace)
    return { outcome, after, hasShifted: false, isLost: false, rejected };
  const isWritten = (row: number, column: number) => done.some((one) => isWithin(one, row, column));
  const seen = datedBack(before, after, place.headerRow, isWritten);
  const dated = rejected === null ? datedColumns(writes) : [];
  return { outcome, rejected, hasShifted: true, ...putRight(place, seen, done, after, dated) };
}

/** Lets everything stand again as it stood before `areas` were written. */
function putRight(
  place: Place,
  before: View,
  areas: readonly Area[],
  after: View,
  dated: readonly number[],
): Pick<Written, 'after' | 'isLost'> {
  let amends = amendsFor(before, NO_DEBTS, areas, after, place.headerRow);
  let datedNow = dated;
  let isWhole = true;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    if (amends.strangers.length > 0 && !place.onStrangers(amends)) isWhole = false;
    // At first all that was written is off; later, what was under way when rows moved.
    const puts = putBacks(amends).slice(0, round === 0 ? undefined : PUTS_AT_ONCE);
    if (puts.length === 0) {
      undate(place, amends, areas.flatMap(rowsOf), datedNow);
      return { after: amends.view, isLost: !isWhole };
    }
    for (const { area, cells } of puts) {
      if (place.sheet.putBack(area, cells) === 'protected') isWhole = false;
    }
    const hasFormulas = puts.some(({ cells }) =>
      cells.flat().some(({ formula }) => formula !== ''),
    );
    const next = look(place, hasFormulas);
    if (next === null) return { after: null, isLost: true };
    const written = puts.map(({ area }) => area);
    amends = amendsFor(amends.view, amends.debts, written, next, amends.headerRow);
    const origins = [...amends.columns];
    datedNow = origins.flatMap(([to, from]) => (datedNow.includes(from) ? [to] : []));
  }
  return { after: amends.view, isLost: true };
}

function datedColumns(writes: readonly Write[]): readonly number[] {
  const columns = writes.flatMap(({ area, cells }) =>
    cells.flatMap((row) => row.flatMap((cell, at) => (isDate(cell) ? [area.column + at] : []))),
  );
  return [...new Set(columns)];
}

/**
 * A date gives its cell a format for dates: in its place goes that of the next row above. Last,
 * when all stands where it stood: a cell that is shown otherwise would not be known again.
 *
 * @param hit rows that dates were written to, in these columns.
 */
function undate(
  place: Place,
  { debts, view }: Amends,
  hit: readonly number[],
  columns: readonly number[],
): void {
  const shown = [...debts].flatMap(([row, cells]) =>
    [...cells.keys()].map((column) => ({ row, column })),
  );
  for (const column of new Set([...columns, ...shown.map((one) => one.column)])) {
    const dated = shown.filter((one) => one.column === column).map(({ row }) => row);
    undateColumn(
      place,
      view,
      column,
      new Set([...dated, ...(columns.includes(column) ? hit : [])]),
    );
  }
}

/** In one call, rows between as they are: people are at work meanwhile. */
function undateColumn(
  { sheet, headerRow }: Place,
  { block }: View,
  column: number,
  rows: ReadonlySet<number>,
): void {
  const { row: first, rowCount } = block.area;
  const formats = sheet.formats({ row: first, column, rowCount, columnCount: 1 });
  if (formats === null) return;
  const [firstRow, lastRow] = [Math.min(...rows), Math.max(...rows)];
  const area = { row: firstRow, column, rowCount: lastRow - firstRow + 1, columnCount: 1 };
  const isTheirs = (down: number) => first + down > headerRow && !rows.has(first + down);
  let beside = formats.find((_, down) => isTheirs(down))?.[0] ?? AUTOMATIC;
  const lines = formats.map(([format = AUTOMATIC], down) => {
    if (isTheirs(down)) beside = format;
    return [first + down > headerRow ? beside : format];
  });
  sheet.setFormats(area, lines.slice(firstRow - first, lastRow - first + 1));
}

/** The same part of the sheet again, as far as it is still there. */
function look(place: Place, withFormulas: boolean): View | null {
  const { sheet, area, headerRow, reach, margin } = place;
  let size: SheetSize | null = place.size;
  for (let tries = 0; tries < 3 && size !== null; tries += 1) {
    const frame = frameAround(area, headerRow, reach, margin, size);
    const view = viewAfter(sheet, frame);
    const formulas = withFormulas && view !== null ? sheet.formulas(frame.area) : [];
    if (view !== null && formulas !== null) return { ...view, block: { ...view.block, formulas } };
    size = sheet.size();
  }
  return null;
}
