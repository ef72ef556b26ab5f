// Makes cells recalculate by setting the stamp in their formulas, and loses nothing while rows move.

import type { Clock } from '../../../platform/ports';
import type { Sheet, SheetSize } from '../../../platform/sheet-ports';
import type { Deadline } from './deadline';
import type { FormulaCell, FormulaSheet } from './find';
import { type PutBack, putBacks, type Snapshot } from './moved-cells';
import { areaAround, batchesOf } from './rectangles';
import { freeCalls, stampOf, withStamp } from './refresh-argument';

/** One batch makes so many cells recalculate; Sheets works out some thirty at a time. */
const CELLS_PER_BATCH = 600;

/** The next cells may go when no more than this are left of the last. */
const LOADING_MAX = 60;
const LOOK_EACH_MS = 2_000;
const LOADING = /^Loading/;

/** A snapshot of a long sheet is as wide as the cells it is about and what stands left of them. */
const SNAPSHOT_COLUMNS_MAX = 26;

/** Cells further apart are not written together: one snapshot has to show them all. */
const BAND_COLUMNS = 20;

/** What is pushed out by new rows and columns is still seen so far away. */
const MARGIN = 5;

/** A batch and its looks take about so long. */
const BATCH_MS = 8_000;

export interface Recalculation {
  readonly done: readonly FormulaCell[];
  /** Protected: this person may not write there. */
  readonly refused: readonly FormulaCell[];
  /** Cells are not where they were found: they have to be looked for again. */
  readonly hasMoved: boolean;
}

/** The cells come sheet by sheet and row by row, and their formulas are as they were found. */
export function recalculateAll(
  clock: Clock,
  cells: readonly FormulaCell[],
  stamp: string,
  untilMs: Deadline,
): Recalculation {
  const bandOf = ({ on, column }: FormulaCell) =>
    `${on.sheet.id} ${Math.floor(column / BAND_COLUMNS)}`;
  const each = [...new Set(cells.map(bandOf))].map((band) => {
    const own = cells.filter((cell) => bandOf(cell) === band);
    return recalculate(clock, own, stamp, untilMs);
  });
  return {
    done: each.flatMap(({ done }) => done),
    refused: each.flatMap(({ refused }) => refused),
    hasMoved: each.some(({ hasMoved }) => hasMoved),
  };
}

function recalculate(
  clock: Clock,
  cells: readonly FormulaCell[],
  stamp: string,
  untilMs: Deadline,
): Recalculation {
  const done: FormulaCell[] = [];
  const refused: FormulaCell[] = [];
  let loading: readonly FormulaCell[] = [];
  const end = (hasMoved: boolean) => ({ done, refused, hasMoved });
  for (const batch of batchesOf(cells, CELLS_PER_BATCH)) {
    waitFor(clock, loading, untilMs);
    if (clock.nowMs() + BATCH_MS > untilMs()) return end(false);
    const wanted = batch.flatMap(({ rows }) => rows.flat());
    const locked = lockedOf(wanted);
    refused.push(...locked);
    const open = wanted.filter((cell) => !locked.includes(cell));
    const [first] = open;
    if (first === undefined) continue;
    const before = snapshot(first.on, open);
    if (before === null || !open.every((cell) => formulaIn(before, cell) === cell.formula))
      return end(true);
    for (const { area, rows } of batchesOf(open, CELLS_PER_BATCH).flat()) {
      const texts = rows.map((row) => row.map((cell) => withStamp(cell.formula, stamp)));
      // What was written so far of the batch is found with its stamp by the next look.
      if (first.on.sheet.writeFormulas(area, texts) !== 'written') return end(true);
    }
    const after = snapshot(first.on, open);
    if (after === null) return end(true);
    const back = putBacks(before, after, open);
    if (back !== null) {
      restore(first.on.sheet, after, back);
      return end(true);
    }
    done.push(...open.filter((cell) => carriesStamp(formulaIn(after, cell), stamp)));
    loading = open;
  }
  return end(false);
}

function formulaIn({ column, formulas }: Snapshot, cell: FormulaCell): string {
  return formulas[cell.row - 1]?.[cell.column - column] ?? '';
}

function carriesStamp(formula: string, stamp: string): boolean {
  const calls = freeCalls(formula);
  return calls.length > 0 && calls.every((call) => stampOf(call) === stamp);
}

/** What the cells and those round them hold, over all rows; null: the sheet is gone. */
function snapshot({ sheet, size }: FormulaSheet, cells: readonly FormulaCell[]): Snapshot | null {
  const last = Math.max(...cells.map((cell) => cell.column));
  const column = Math.max(1, last - SNAPSHOT_COLUMNS_MAX + 1);
  const read = (of: SheetSize | null): Snapshot | null => {
    if (of === null) return null;
    const { lastRow, maxRows, maxColumns } = of;
    const rowCount = Math.min(lastRow + MARGIN, maxRows);
    const columnCount = Math.min(last + MARGIN, maxColumns) - column + 1;
    const area = { row: 1, column, rowCount, columnCount };
    const [values, formulas] = [sheet.values(area), sheet.formulas(area)];
    return values === null || formulas === null ? null : { column, values, formulas };
  };
  return read(size) ?? read(sheet.size());
}

/** The protected ones, looked for by halves: where first, middle and last are, all are. */
function lockedOf(cells: readonly FormulaCell[]): readonly FormulaCell[] {
  const [first] = cells;
  if (first === undefined || first.on.sheet.canEdit(areaAround(cells))) return [];
  const half = Math.floor(cells.length / 2);
  const isLocked = (at: number) => lockedOf(cells.slice(at, at + 1)).length > 0;
  if (half === 0 || [0, half, cells.length - 1].every(isLocked)) return cells;
  return [...lockedOf(cells.slice(0, half)), ...lockedOf(cells.slice(half))];
}

/** Most formulas that moved are the same in their new row, and stay. */
function restore(sheet: Sheet, after: Snapshot, back: readonly PutBack[]): void {
  const plain = (formula: string) => withStamp(formula, '');
  for (const { row, column, content } of back) {
    const area = { row, column, rowCount: 1, columnCount: 1 };
    const there = after.formulas[row - 1]?.[column - after.column] ?? '';
    if (!('formula' in content)) sheet.write(area, [[content.value]]);
    else if (plain(there) !== plain(content.formula))
      sheet.writeFormulas(area, [[content.formula]]);
  }
}

/** Until most of them have been worked out: others want to be, and people want to work. */
function waitFor(clock: Clock, cells: readonly FormulaCell[], untilMs: Deadline): void {
  const [first] = cells;
  if (first === undefined) return;
  const area = areaAround(cells);
  while (clock.nowMs() + LOOK_EACH_MS < untilMs()) {
    const values = first.on.sheet.values(area) ?? [];
    const isLoading = ({ row, column }: FormulaCell) =>
      LOADING.test(String(values[row - area.row]?.[column - area.column] ?? ''));
    if (cells.filter(isLoading).length <= LOADING_MAX) return;
    clock.sleep(LOOK_EACH_MS);
  }
}
