// Makes cells recalculate by rewriting their formulas in batches, and repairs formulas if rows
// moved during a write.

import {
  type Area,
  type Clock,
  columnLetters,
  columnNumber,
  type Sheet,
  type SheetCell,
  type SheetSize,
} from '../platform/ports';
import type { FormulaCell, FormulaSheet } from './find-formulas';
import { freeCalls, readReference, stampOf, withStamp } from './parse-formula';

/** The time after which nothing new is begun. It may change, so it is asked for each time. */
export type Deadline = () => number;

interface CellPlace {
  readonly row: number;
  readonly column: number;
}

export interface Rectangle<Cell extends CellPlace> {
  readonly area: Area;
  readonly rows: readonly (readonly Cell[])[];
}

/** Each write takes some time whatever its size, so a batch has at most this many. */
const RECTANGLES_PER_BATCH = 40;

/** The smallest area that contains the cells, of which there is at least one. */
function areaAround(cells: readonly CellPlace[]): Area {
  const [rows, columns] = [cells.map((cell) => cell.row), cells.map((cell) => cell.column)];
  const [row, column] = [Math.min(...rows), Math.min(...columns)];
  const [rowCount, columnCount] = [Math.max(...rows) - row + 1, Math.max(...columns) - column + 1];
  return { row, column, rowCount, columnCount };
}

/**
 * Groups cells, which come row by row, into batches of at most this many cells and a few rectangles
 * each.
 */
function batchesOf<Cell extends CellPlace>(
  cells: readonly Cell[],
  cellsMax: number,
): readonly (readonly Rectangle<Cell>[])[] {
  const batches: Rectangle<Cell>[][] = [];
  let room = 0;
  for (const rectangle of rectanglesOf(cells, cellsMax)) {
    const size = rectangle.area.rowCount * rectangle.area.columnCount;
    const batch = batches[batches.length - 1];
    if (batch === undefined || size > room || batch.length >= RECTANGLES_PER_BATCH) {
      batches.push([rectangle]);
      room = cellsMax - size;
    } else {
      batch.push(rectangle);
      room -= size;
    }
  }
  return batches;
}

/** Joins adjacent cells of a row, and equal stretches of consecutive rows, into rectangles. */
function rectanglesOf<Cell extends CellPlace>(
  cells: readonly Cell[],
  cellsMax: number,
): readonly Rectangle<Cell>[] {
  const all: Cell[][][] = [];
  const growing = new Map<string, Cell[][]>();
  for (const stretch of stretchesOf(cells)) {
    const key = `${stretch[0]?.column} ${stretch.length}`;
    const rows = growing.get(key);
    const next = (rows?.[0]?.[0]?.row ?? 0) + (rows?.length ?? 0);
    const hasRoom = ((rows?.length ?? 0) + 1) * stretch.length <= cellsMax;
    if (rows !== undefined && next === stretch[0]?.row && hasRoom) rows.push(stretch);
    else {
      const begun = [stretch];
      growing.set(key, begun);
      all.push(begun);
    }
  }
  return all.map((rows) => ({ area: areaAround(rows.flat()), rows }));
}

function stretchesOf<Cell extends CellPlace>(cells: readonly Cell[]): readonly Cell[][] {
  const stretches: Cell[][] = [];
  for (const cell of cells) {
    const stretch = stretches[stretches.length - 1];
    const last = stretch?.[stretch.length - 1];
    if (last?.row === cell.row && last.column === cell.column - 1) stretch?.push(cell);
    else stretches.push([cell]);
  }
  return stretches;
}

/**
 * The content of a part of a sheet at one moment: all rows from the first, and columns from
 * `column`.
 */
interface Snapshot {
  readonly column: number;
  readonly values: readonly (readonly SheetCell[])[];
  /** '' for a cell without a formula. */
  readonly formulas: readonly (readonly string[])[];
}

interface SnapshotPlace {
  readonly row: number;
  readonly column: number;
}

/** A written cell and what it must hold instead. Rows and columns count from 1. */
interface PutBack extends SnapshotPlace {
  readonly value: SheetCell;
  /** '' for none. */
  readonly formula: string;
}

/** What formulas show in place of figures. It changes without anybody moving cells. */
const OF_FORMULAS = /^(Not analyzed: |Loading|#)/;

/**
 * The texts that people have typed, '' for all other cells. Rows and columns are recognised by
 * them.
 */
function textsOf({ values, formulas }: Snapshot): readonly (readonly string[])[] {
  return values.map((cells, down) =>
    cells.map((cell, right) => {
      const isOwn = typeof cell === 'string' && (formulas[down]?.[right] ?? '') === '';
      return isOwn && !OF_FORMULAS.test(cell) ? cell : '';
    }),
  );
}

type Texts = ReturnType<typeof textsOf>;

const marksOf = (lines: Texts, isLeftOut: (at: number) => boolean): readonly string[] =>
  lines.map((line) =>
    line
      .filter((_, at) => !isLeftOut(at))
      .join('\n')
      .trim(),
  );

const turned = (lines: Texts): Texts =>
  (lines[0] ?? []).map((_, at) => lines.map((line) => line[at] ?? ''));

interface Moves {
  /** For each present row or column, its former index, both from 0; null: it is new. */
  readonly origins: readonly (number | null)[];
  /** The reverse: the present index by the former one. */
  readonly now: ReadonlyMap<number | null, number>;
  readonly isInOrder: boolean;
}

/** null: nothing has moved. */
function movesOf(before: readonly string[], after: readonly string[]): Moves | null {
  if (before.every((mark, at) => mark === after[at])) return null;
  const places = new Map<string, number[]>();
  before.forEach((mark, at) => {
    if (mark !== '') places.set(mark, [...(places.get(mark) ?? []), at]);
  });
  const origins = after.map((mark) => places.get(mark)?.shift() ?? null);
  const taken = new Set(origins);
  // Rows or columns without texts are assumed to have moved with their neighbours.
  origins.forEach((known, at) => {
    if (known !== null) return;
    const above = at === 0 ? -1 : (origins[at - 1] ?? at - 1);
    const origin = [above + 1, at].find((one) => one < before.length && !taken.has(one)) ?? null;
    origins[at] = origin;
    taken.add(origin);
  });
  if (origins.every((origin, at) => origin === at)) return null;
  const known = origins.filter((origin): origin is number => origin !== null);
  const isInOrder = known.every((origin, at) => origin >= (known[at - 1] ?? 0));
  return { origins, now: new Map(origins.map((origin, at) => [origin, at])), isInOrder };
}

/** What each written cell must hold now; null: nothing has moved. */
function putBacks(
  before: Snapshot,
  after: Snapshot,
  cells: readonly FormulaCell[],
): readonly PutBack[] | null {
  const first = before.column;
  const [was, is] = [textsOf(before), textsOf(after)];
  const rows = new Set(cells.map(({ row }) => row - 1));
  const columns = new Set(cells.map(({ column }) => column - first));
  const isTitled = was.some((line, down) => !rows.has(down) && line.some((text) => text !== ''));
  const isWritten = (down: number) => isTitled && rows.has(down);
  const across = movesOf(marksOf(turned(was), isWritten), marksOf(turned(is), isWritten));
  const isColumn = (right: number) => columns.has(right);
  const down = across === null ? movesOf(marksOf(was, isColumn), marksOf(is, isColumn)) : null;
  if (across === null && down === null) return null;
  const own = cells[0]?.on.sheet.name();
  return cells.flatMap(({ row, column }): readonly PutBack[] => {
    const fromRow = originOf(down, row - 1);
    const fromColumn = originOf(across, column - first);
    if (fromRow === row - 1 && fromColumn === column - first) return [];
    const formula = before.formulas[fromRow]?.[fromColumn] ?? '';
    const value = before.values[fromRow]?.[fromColumn] ?? '';
    const follow = (there: SnapshotPlace, isFixed: boolean): SnapshotPlace => {
      const toColumn = (across?.now.get(there.column - first) ?? there.column - first) + first;
      // Sorting moves a reference to the formula's own row along with it; after other moves,
      // references follow their cells.
      const sorted = isFixed ? there.row : there.row + row - 1 - fromRow;
      const moved = (down?.now.get(there.row - 1) ?? there.row - 1) + 1;
      return { row: down === null || down.isInOrder ? moved : sorted, column: toColumn };
    };
    return [{ row, column, value, formula: movedFormula(formula, follow, own) }];
  });
}

/** -1: the row or column is new. */
function originOf(moves: Moves | null, at: number): number {
  return moves ? (moves.origins[at] ?? -1) : at;
}

/** Matches texts, references that name a sheet, and other references. */
const TOKEN =
  /"(?:[^"]|"")*"|(?:'(?:[^']|'')*'|[\p{L}_][\p{L}\p{N}_.]*)![$\p{L}\p{N}:]+|(?<![\p{L}\p{N}_.$])(\$?)([A-Z]{1,3})(\$?)([1-9]\d*)(?![\p{L}\p{N}_.(!])/giu;

function movedFormula(
  formula: string,
  follow: (there: SnapshotPlace, isFixed: boolean) => SnapshotPlace,
  /** The name of its sheet. */
  own: string | null | undefined,
): string {
  return formula.replace(TOKEN, (text, dollar = '', letters?: string, fixed = '', row = '') => {
    if (letters === undefined)
      return readReference(text)?.sheetName === own
        ? text.replace(/[^!]+$/, (there) => movedFormula(there, follow, own))
        : text;
    const to = follow({ row: Number(row), column: columnNumber(letters) }, fixed !== '');
    return dollar + columnLetters(to.column) + fixed + to.row;
  });
}

/** The number of cells in a batch; Sheets calculates about thirty at a time. */
const CELLS_PER_BATCH = 600;

/** The next batch starts when at most this many cells of the last one are still loading. */
const LOADING_MAX = 60;
const LOOK_EACH_MS = 2_000;
const LOADING = /^Loading/;

/** The most columns in a snapshot: the cells themselves and columns to their left. */
const SNAPSHOT_COLUMNS_MAX = 26;

/**
 * Cells are written together only within a band of this many columns, because one snapshot must
 * cover them.
 */
const BAND_COLUMNS = 20;

/**
 * Extra rows and columns in a snapshot, so that cells pushed down or right by insertions are still
 * seen.
 */
const MARGIN = 5;

/** The usual time of a batch with its snapshots. */
const BATCH_MS = 8_000;

export interface Recalculation {
  readonly done: readonly FormulaCell[];
  /** Protected cells, which this person may not edit. */
  readonly refused: readonly FormulaCell[];
  /** Cells are no longer where they were found, so the formulas must be searched for again. */
  readonly hasMoved: boolean;
}

/** The cells come sheet by sheet and row by row, with the formulas they had when found. */
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
      // The part of the batch that was written is recognised by its stamp at the next search.
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

/**
 * The content of the cells and their surroundings over all rows; null: the sheet no longer exists.
 */
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

/**
 * The protected cells, found by halving. If the first, middle and last cell are protected, all are
 * assumed to be.
 */
function lockedOf(cells: readonly FormulaCell[]): readonly FormulaCell[] {
  const [first] = cells;
  if (first === undefined || first.on.sheet.canEdit(areaAround(cells))) return [];
  const half = Math.floor(cells.length / 2);
  const isLocked = (at: number) => lockedOf(cells.slice(at, at + 1)).length > 0;
  if (half === 0 || [0, half, cells.length - 1].every(isLocked)) return cells;
  return [...lockedOf(cells.slice(0, half)), ...lockedOf(cells.slice(half))];
}

/**
 * Writes back contents. Most formulas that moved are identical in their new row apart from the
 * stamp, and stay.
 */
function restore(sheet: Sheet, after: Snapshot, back: readonly PutBack[]): void {
  const plain = (formula: string) => withStamp(formula, '');
  for (const { row, column, value, formula } of back) {
    const area = { row, column, rowCount: 1, columnCount: 1 };
    const there = after.formulas[row - 1]?.[column - after.column] ?? '';
    if (formula === '') sheet.write(area, [[value]]);
    else if (plain(there) !== plain(formula)) sheet.writeFormulas(area, [[formula]]);
  }
}

/**
 * Waits until most of the cells have been calculated, so that other formulas and people are not
 * held up.
 */
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
