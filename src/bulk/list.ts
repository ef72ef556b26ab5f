// The list in the sheet: read as a whole, and written block by block with a look before and after.

import { type Failure, fail } from '../analysis/failure';
import type { Area, Sheet, SheetSize } from '../platform/sheet-ports';
import { arrivalOf, blockArea, type Result } from './block';
import { type Write, type Written, writeCarefully } from './careful-write';
import { undateFigures } from './dated-figures';
import type { Cells } from './find-columns';
import type { List, Reading } from './list-contract';
import { giveBackMerged } from './merged-cells';
import {
  type ColumnKey,
  columnOf,
  HEADER_DRIFT_ROWS,
  isRenamed,
  isSame,
  type Layout,
  located,
} from './our-columns';
import { runProblem } from './problem';
import { readRows } from './read-rows';
import { readStatus } from './row-status';
import { identityOf, isMisplaced, type MarketRule, type Row, shownOf } from './rows';
import { type Block, formulaAt, frameAround, rowsOf, type View, valueAt, viewBefore } from './view';
import { planWrites, type WritePlan } from './write-plan';
import { gone, NOTHING_WRITTEN, overwritten, refusedOf, type WriteReport } from './write-report';

/** Columns may have come in: so many further right a header is still seen in the same look. */
const COLUMN_DRIFT = 6;

/** A sheet that moves under every reading is read as it is: writing looks again. */
const READS_MAX = 5;

/** So many columns around results are looked at: what moves into them can be put back. */
const AROUND_RESULTS = 12;

/** Marks are written by the thousand: every column of this costs some 10 ms a thousand rows. */
const AROUND_STATUS = 3;

const reachOf = ({ columns }: Layout) => Math.max(...columns.map(({ column }) => column));

const NO_SIZE: SheetSize = { lastRow: 0, lastColumn: 0, maxRows: 0, maxColumns: 0 };

/** @param measured the sheet's size a moment ago, where it is known. */
export function list(
  sheet: Sheet,
  first: Layout,
  rule: MarketRule,
  jobId: string,
  measured: SheetSize | null = null,
): List {
  let layout = first;
  let size = measured;
  /** The headers as they were seen last. */
  let lastTop: Cells | null = null;
  /** Products whose mark this execution emptied by mistake, because rows moved under its writing. */
  const erased = new Set<string>();

  /** Finds the columns again, wherever they are by now. */
  function locate(): Failure | null {
    let now = lookFor(COLUMN_DRIFT);
    // What seems to be renamed or gone may have been cut and pasted anywhere.
    if (typeof now === 'string' || (now !== null && isRenamed(layout, now))) {
      size = null;
      now = lookFor(Number.POSITIVE_INFINITY);
    }
    if (now === null) return runProblem('sheet-gone');
    if (typeof now === 'string') return gone(now);
    layout = now;
    return null;
  }

  function lookFor(drift: number): Layout | string | null {
    const top = readTop(drift);
    return top === null ? null : located(layout, top);
  }

  function readTop(drift: number) {
    for (const isFresh of [false, true]) {
      if (isFresh || size === null) size = sheet.size();
      if (size === null) return null;
      const width = reachOf(layout) + drift;
      const rowCount = Math.min(layout.headerRow + HEADER_DRIFT_ROWS, size.maxRows);
      const columnCount = Math.min(width, size.maxColumns);
      const top = sheet.values({ row: 1, column: 1, rowCount, columnCount });
      if (top !== null) lastTop = top;
      if (top !== null) return top;
    }
    return null;
  }

  /** Columns are read one after the other: only if nothing moved meanwhile do they belong together. */
  function read({ locksMerged, isMeasured }: Reading = {}): readonly Row[] | Failure {
    for (let tries = 1; ; tries += 1) {
      if (tries > 1 || isMeasured !== true) size = null;
      const problem = locate();
      if (problem !== null) return problem;
      const before = layout;
      const height = size as SheetSize | null;
      const columnFor = (key: ColumnKey) => columnOf(before, key);
      const rows =
        height && readRows(sheet, height, before.headerRow, columnFor, rule, locksMerged);
      if (rows !== null && (tries > READS_MAX || isStill(rows))) return rows;
      if (tries > 2 * READS_MAX) return runProblem('restless', 'the list');
    }
  }

  /** Whether products and columns are where they were before the last reading. */
  function isStill(rows: readonly Row[]): boolean {
    const before = layout;
    if (rows.length === 0) return true;
    const area = { row: before.headerRow + 1, column: columnOf(before, 'product') ?? 1 };
    const again = sheet.values({ ...area, rowCount: rows.length, columnCount: 1 });
    const isSameList = again?.every(([cell], at) => shownOf(cell) === rows[at]?.shown) ?? false;
    return isSameList && locate() === null && isSame(before, layout);
  }

  function write(results: ReadonlyMap<number, Result>): WriteReport {
    const numbers = [...results.keys()];
    const area = blockArea(layout, Math.min(...numbers), Math.max(...numbers));
    const before = lookBefore(area, AROUND_RESULTS, lastTop);
    if (before === null) return { ...NOTHING_WRITTEN, hasMoved: true };
    const now = located(layout, before.top);
    if (typeof now === 'string' || isRenamed(layout, now) || !isSame(layout, now))
      return { ...NOTHING_WRITTEN, hasMoved: true };
    const plan = planWrites(before.block, layout, rule, isOpen, results);
    if (plan.writes.length === 0) return { ...NOTHING_WRITTEN, hasMoved: plan.missed.length > 0 };
    const written = place(area, AROUND_RESULTS, before, plan.writes);
    const { outcome, after, hasShifted, lost, rejected } = written;
    if (lost !== '')
      return { ...NOTHING_WRITTEN, hasMoved: true, needsMending: true, problem: overwritten(lost) };
    if (rejected !== null) return { ...NOTHING_WRITTEN, hasMoved: false, rejected };
    const problem = outcome === 'protected' ? { problem: fail({ kind: 'protected' }) } : {};
    if (outcome !== 'written' || hasShifted || after === null)
      return { ...NOTHING_WRITTEN, hasMoved: true, needsMending: true, ...problem };
    giveBackMerged(sheet, before.block, after.block, plan.writes);
    return lookBack(before.block, after.block, area, plan, results);
  }

  function lookBefore(area: Area, margin: number, known: Cells | null): View | null {
    size ??= sheet.size();
    if (size === null) return null;
    const frame = frameAround(area, layout.headerRow, reachOf(layout), margin, size);
    return viewBefore(sheet, frame, known);
  }

  function place(area: Area, margin: number, before: View, writes: readonly Write[]): Written {
    const [{ headerRow }, reach] = [layout, reachOf(layout)];
    // Where the header went down or up, rows have moved, which looking back tells.
    const isStill = ({ top }: View) => {
      const now = located(layout, top);
      return typeof now !== 'string' && isSame({ ...layout, headerRow: now.headerRow }, now);
    };
    const measured = size ?? NO_SIZE;
    const where = { sheet, headerRow, reach, area, margin, size: measured };
    const written = writeCarefully({ ...where, isSame: isStill }, before, writes);
    lastTop = written.hasShifted ? null : (written.after?.top ?? null);
    return written;
  }

  function writeStatus(
    firstRow: number,
    texts: readonly string[],
    seen: readonly string[],
  ): Failure | null {
    const column = columnOf(layout, 'status') ?? 1;
    const area = { row: firstRow, column, rowCount: texts.length, columnCount: 1 };
    const before = lookBefore(area, AROUND_STATUS, null);
    const now = before && located(layout, before.top);
    if (before === null || now === null || typeof now === 'string') return null;
    const isFree = (row: number) =>
      String(valueAt(before.block, row, column)) === seen[row - firstRow] &&
      readStatus(valueAt(before.block, row, column)).kind !== 'foreign' &&
      formulaAt(before.block, row, column) === '';
    if (!isSame(layout, now) || !rowsOf(area).every(isFree)) return null;
    const writes = [{ area, cells: texts.map((text) => [text]) }];
    const { outcome, lost, rejected } = place(area, AROUND_STATUS, before, writes);
    if (rejected !== null) return runProblem('rejected', rejected);
    if (outcome === 'protected') return fail({ kind: 'protected' });
    return lost === '' ? null : overwritten(lost);
  }

  /** The instant between reading and writing is nobody's: what it did is seen now. */
  function lookBack(
    before: Block,
    back: Block,
    area: Area,
    plan: WritePlan,
    results: ReadonlyMap<number, Result>,
  ): WriteReport {
    const arrival = arrivalOf(back, before, layout, rule, plan.rows, results);
    const { failed } = arrival;
    for (const identity of arrival.erased) erased.add(identity);
    undateFigures(sheet, back, layout, rule, () => {
      const view = lookBefore(area, AROUND_RESULTS, null);
      const now = view && located(layout, view.top);
      return view !== null && now !== null && typeof now !== 'string' && isSame(layout, now)
        ? view.block
        : null;
    });
    const refused = refusedOf(failed, back, before);
    const needsMending = failed.length > refused.length || arrival.hasStrays;
    return {
      placed: plan.rows.filter((row) => !failed.includes(row)),
      hasMoved: plan.missed.length > 0 || needsMending,
      needsMending,
      refused,
      kept: plan.kept,
    };
  }

  function isOpen(row: Row): boolean {
    if (row.isLocked) return false;
    const { status } = row;
    if (status.kind === 'none') return erased.has(identityOf(row));
    return (status.kind === 'queued' && status.jobId === jobId) || isMisplaced(row);
  }

  return { layout: () => layout, read, isStill, write, writeStatus, isOpen };
}
