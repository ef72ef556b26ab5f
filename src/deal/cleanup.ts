// The column of products cleaned up: cells are changed where they still hold what was seen.

import { type Failure, fail, isFailure, runProblem } from '../failures/failure';
import type { Area, Sheet, SheetPlatform } from '../platform/ports';
import { compareAndWrite } from '../table/compare-and-write';
import { AUTOMATIC } from '../table/output-columns';
import {
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
import type { Change, Kept } from './cleanup-plan';
import { findList, type ListPlace } from './list';

/** So many columns beside it tell whether a row is still the same. */
const AROUND = 3;

/** Of a protected column so many cells are asked about one by one; the rest counts as closed. */
const QUESTIONS_MAX = 100;

/** By row: where what was seen stood, else where nothing else can be meant. */
function placesOf(view: View, area: Area, changes: readonly Change[]) {
  const rows = rowsOf(area);
  const keys = rows.map((row) => cellKey(valueAt(view.block, row, area.column)));
  const isHere = ({ row, seen }: Change) => keys[row - area.row] === cellKey(seen);
  const places = new Map(changes.filter(isHere).map((one) => [one.row, one]));
  const moved = changes.filter((one) => !isHere(one));
  const free = rows.filter((row) => !places.has(row));
  for (const one of moved) {
    const key = cellKey(one.seen);
    const there = free.filter((row) => keys[row - area.row] === key);
    const same = moved.filter(({ seen }) => cellKey(seen) === key);
    if (there.length === same.length) places.set(there[same.indexOf(one)] ?? 0, one);
  }
  return [...places].sort(([a], [b]) => a - b);
}

/**
 * Whether, after a write, all else is as it was: the titles, and what stands beside the cells as far
 * as no formula can have changed it. Rows that move in that very moment take along what was to go.
 */
function isStill(before: View, now: View, headerRow: number, area: Area, gone: readonly Area[]) {
  const { area: all, formulas } = before.block;
  const titles = (view: View) => String(view.top[headerRow - 1]);
  const key = (view: View, row: number, at: number) => cellKey(valueAt(view.block, row, at));
  const rows = gone.flatMap(rowsOf);
  // What a formula fills stands in its own column, and to the right.
  const isFree = (_: number, at: number) =>
    formulas.every((line) => line.slice(0, at + 1).every((formula) => formula === ''));
  const beside = columnsOf(all)
    .filter(isFree)
    .filter((at) => at !== area.column);
  const seen = new Set(rows.map((row) => key(before, row, area.column)));
  const left = (view: View) =>
    rowsOf(area).filter((row) => seen.has(key(view, row, area.column))).length;
  return (
    titles(before) === titles(now) &&
    rows.every((row) => beside.every((at) => key(before, row, at) === key(now, row, at))) &&
    [0, rows.length].includes(left(before) - left(now))
  );
}

/**
 * Answers the changes that take back what it did, for the same verb. In a cell that is text already
 * the apostrophe of a text would stay, and a number would become text: so it is automatic first.
 *
 * @param isTrial nothing is written: it is only said what would be left alone.
 */
export function cleanUp(
  platform: SheetPlatform,
  place: ListPlace,
  changes: readonly Change[],
  isTrial: boolean,
) {
  const found = findList(platform, place, []);
  if (isFailure(found)) return found;
  const { sheet, size, headerRow, now } = found;
  if (found.rows.length === 0) return runProblem('no-rows');
  const column = now.get(place.productColumn) ?? 1;
  const area = { row: headerRow + 1, column, rowCount: size.lastRow - headerRow, columnCount: 1 };
  const formats = sheet.formats(area);
  const merges = sheet.merges(area);
  const view = viewBefore(sheet, frameAround(area, headerRow, column, AROUND, size));
  if (!formats || !merges || !view) return runProblem('restless', 'the list');
  let questions = sheet.canEdit(area) ? Number.NaN : 0;
  const whyKept = (row: number): Kept['why'] | null => {
    if (formulaAt(view.block, row, column) !== '') return 'formula';
    if (merges.some((merge) => isWithin(merge, row, column))) return 'merged';
    questions += 1;
    const cell = { ...area, row, rowCount: 1 };
    return questions > QUESTIONS_MAX || (questions > 0 && !sheet.canEdit(cell))
      ? 'protected'
      : null;
  };
  const kept: Kept[] = [];
  const open = placesOf(view, area, changes).filter(([row, { row: before }]) => {
    const why = whyKept(row);
    if (why !== null) kept.push({ row: before, why });
    return why === null;
  });
  const none: Written = { undo: [] };
  const done =
    isTrial || open.length === 0
      ? none
      : write(sheet, { headerRow, area, size, view, formats }, open);
  return { kept, ...done };
}

interface Column {
  readonly headerRow: number;
  readonly area: Area;
  readonly size: Parameters<typeof frameAround>[4];
  readonly view: View;
  readonly formats: readonly (readonly string[])[];
}

interface Written {
  readonly undo: readonly Change[];
  readonly problem?: Failure;
}

type Place = readonly [row: number, change: Change];

function write(
  sheet: Sheet,
  { headerRow, area, size, view, formats }: Column,
  places: readonly Place[],
): Written {
  const runs: Place[][] = [];
  for (const one of places) {
    const last = runs[runs.length - 1];
    if (last?.[last.length - 1]?.[0] === one[0] - 1) last.push(one);
    else runs.push([one]);
  }
  const areaOf = (run: readonly Place[]) => ({
    ...{ ...area, row: run[0]?.[0] ?? 1, rowCount: run.length },
  });
  const format = (formatOf: (place: Place) => string) => {
    for (const run of runs)
      sheet.setFormats(
        areaOf(run),
        run.map((one) => [formatOf(one)]),
      );
  };
  const formatAt = ([row]: Place) => formats[row - area.row]?.[0] ?? AUTOMATIC;
  const { column } = area;
  const isSame = (after: View) => isStill(view, after, headerRow, area, runs.map(areaOf));
  format(() => AUTOMATIC);
  const { after, outcome, hasShifted, lost, rejected } = compareAndWrite(
    { sheet, headerRow, reach: column, area, margin: AROUND, size, isSame },
    view,
    runs.map((run) => ({ area: areaOf(run), cells: run.map(([, { put }]) => [put]) })),
  );
  const isDone = ([row, { put }]: Place) =>
    after !== null && !hasShifted && cellKey(valueAt(after.block, row, column)) === cellKey(put);
  if (!hasShifted) format((one) => (isDone(one) ? one[1].format : formatAt(one)));
  const undo = places
    .filter(isDone)
    .map((one) => ({ row: one[0], seen: one[1].put, put: one[1].seen, format: formatAt(one) }));
  if (rejected !== null || lost !== '')
    return {
      undo,
      problem:
        lost === '' ? runProblem('rejected', rejected ?? '') : runProblem('overwritten', lost),
    };
  return outcome === 'protected' ? { undo, problem: fail({ kind: 'protected' }) } : { undo };
}
