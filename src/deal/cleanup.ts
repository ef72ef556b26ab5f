// Cleans up the product column: changes cells that still hold what was seen.

import * as z from 'zod/mini';
import { type Failure, fail, isFailure, runProblem } from '../failures/failure';
import { type Fits, lazySchema } from '../platform/lazy-schema';
import { columnLetters, type Sheet, type SheetPlatform, type SheetSize } from '../platform/ports';
import { cellSchema, cellTextSchema, rowSchema } from '../platform/sheet-schemas';
import { compareAndWrite } from '../table/compare-and-write';
import { AUTOMATIC, TEXT } from '../table/output-columns';
import { stretchesOf } from '../table/row';
import {
  areStill,
  cellKey,
  columnsOf,
  formulaAt,
  frameAround,
  isWithin,
  rowsOf,
  type View,
  valueAt,
  viewBefore,
} from '../table/snapshot';
import { findList, type ListPlace } from './list';

/**
 * The number of columns read on either side. They show whether a row is still the same one and
 * which formula fills it.
 */
const AROUND = 10;

/** Gives a cell the format that Sheets calls automatic. Reading that format returns AUTOMATIC. */
const GENERAL = 'General';

/**
 * Formulas that fill cells below or to the right. Typing over one of those cells breaks all of it.
 */
const FILLS = /^=\s*(IF\w+\()?(ARRAY|UNIQUE|SORT|QUERY|FILTER|IMPORT|SPLIT|TRANSPOSE|{)/i;

/** A cell's present content, its new content, and the number format for the new content. */
export const changeSchema = lazySchema(() =>
  z.strictObject({
    row: rowSchema(),
    seen: cellSchema(),
    put: cellSchema(),
    format: cellTextSchema(),
  }),
);

export type Change = Fits<typeof changeSchema>;

interface Column {
  readonly sheet: Sheet;
  readonly size: SheetSize;
  readonly headerRow: number;
  /** From the header to the row below the list, where the last row would be after an insertion. */
  readonly area: ReturnType<typeof areaOf>;
  readonly view: View;
  readonly formats: readonly (readonly string[])[];
}

interface Written {
  /** The changes that undo these ones. */
  readonly undo: readonly Change[];
  readonly problem?: Failure;
}

function areaOf(column: number, headerRow: number, { lastRow, maxRows }: SheetSize) {
  const row = Math.max(1, headerRow);
  return { row, column, rowCount: Math.min(lastRow + 1, maxRows) - row + 1, columnCount: 1 };
}

/** @param isTrial nothing is written; the result only says which cells would be left alone. */
export function cleanUp(
  platform: SheetPlatform,
  place: ListPlace,
  changes: readonly Change[],
  isTrial: boolean,
) {
  const found = findList(platform, place, []);
  if (isFailure(found)) return found;
  const { sheet, size, headerRow, now, rows } = found;
  if (rows.length === 0) return runProblem('no-rows');
  const area = areaOf(now.get(place.productColumn) ?? 1, headerRow, size);
  const { column } = area;
  if (!sheet.canEdit({ ...area, row: headerRow + 1, rowCount: size.lastRow - headerRow }))
    return fail<Failure>({ kind: 'protected' });
  const formats = sheet.formats(area);
  const view = viewBefore(sheet, frameAround(area, headerRow, column, AROUND, size));
  if (!formats || !view) return runProblem('sheet-busy', 'the list');
  const { block } = view;
  const filled = block.formulas.findIndex((line) =>
    line.slice(0, column - block.area.column + 1).some((formula) => FILLS.test(formula)),
  );
  const isFormula = ({ row }: Change) =>
    formulaAt(block, row, column) !== '' || (filled >= 0 && row >= block.area.row + filled);
  const there = changes.filter(
    ({ row, seen }) =>
      isWithin(area, row, column) && cellKey(valueAt(block, row, column)) === cellKey(seen),
  );
  const open = there.filter((one) => !isFormula(one));
  const none: Written = { undo: [] };
  const done = isTrial ? none : write({ sheet, size, headerRow, area, view, formats }, open);
  if (done.problem && done.undo.length === 0) return done.problem;
  return { formulas: there.filter(isFormula).map(({ row }) => row), ...done };
}

function write(
  { sheet, size, headerRow, area, view, formats }: Column,
  open: readonly Change[],
): Written {
  const { column, row: top } = area;
  const places = [...open].sort((a, b) => a.row - b.row);
  const keyAt = ({ block }: View, row: number) => cellKey(valueAt(block, row, column));
  const cellsOf = (stretch: readonly Change[]) => ({
    ...area,
    row: stretch[0]?.row ?? top,
    rowCount: stretch.length,
  });
  const formatAt = ({ row }: Change) => {
    const format = formats[row - top]?.[0] ?? AUTOMATIC;
    return format === AUTOMATIC ? GENERAL : format;
  };
  const format = (some: readonly Change[], formatOf: (change: Change) => string) => {
    for (const stretch of stretchesOf(some))
      sheet.setFormats(
        cellsOf(stretch),
        stretch.map((one) => [formatOf(one)]),
      );
  };
  // In a cell with text format a number would become text, and a text would show its leading
  // apostrophe.
  const texts = places.filter((one) => formatAt(one) === TEXT);
  format(texts, () => GENERAL);
  const isSame = (after: View) => isStill(view, after, area, new Set(open.map(({ row }) => row)));
  const { after, outcome, hasShifted, lost, rejected } = compareAndWrite(
    { sheet, headerRow, reach: column, area, margin: AROUND, size, isSame },
    view,
    stretchesOf(places).map((stretch) => ({
      area: cellsOf(stretch),
      cells: stretch.map(({ put }) => [put]),
    })),
  );
  const isDone = ({ row, put }: Change) =>
    after !== null && !hasShifted && keyAt(after, row) === cellKey(put);
  if (!hasShifted) format(places, (one) => (isDone(one) ? one.format : formatAt(one)));
  const done = places.filter(isDone);
  const undo = done.map((one) => ({
    row: one.row,
    seen: one.put,
    put: one.seen,
    format: formatAt(one),
  }));
  // A column that moved was restored. Only the cells beside it show whether rows moved.
  const isBack =
    after !== null &&
    (!hasShifted || !areStill(view, after, headerRow) || isStill(view, after, area, new Set()));
  const missed = lost || (isBack ? '' : columnLetters(column));
  if (missed !== '') return { undo, problem: runProblem('overwritten', missed) };
  if (rejected !== null) return { undo, problem: runProblem('rejected', rejected) };
  if (outcome === 'written' || done.length === places.length) return { undo };
  const isProtected = outcome === 'protected';
  const problem = fail(
    isProtected ? { kind: 'protected' } : { kind: 'google-busy', words: 'setValues' },
  );
  return { undo, problem };
}

/**
 * Whether every cell other than those written is unchanged. Cells with formulas, and cells to their
 * right that such a formula may fill, are not compared.
 */
function isStill(
  { block }: View,
  now: View,
  area: Column['area'],
  written: ReadonlySet<number>,
): boolean {
  const { column } = area;
  const first = block.area.column;
  const isFree = (at: number) =>
    block.formulas.every((line) => line.slice(column + 1 - first, at + 1 - first).join('') === '');
  const columns = columnsOf(block.area).filter(isFree);
  return rowsOf(area).every((row) =>
    columns.every(
      (at) =>
        (at === column && written.has(row)) ||
        formulaAt(block, row, at) !== '' ||
        cellKey(valueAt(now.block, row, at)) === cellKey(valueAt(block, row, at)),
    ),
  );
}
