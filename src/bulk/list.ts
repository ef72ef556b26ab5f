// The list in the sheet: read as a whole, and written block by block with a look before and after.

import { type Failure, fail } from '../analysis/failure';
import type { Area, Sheet, SheetCell, SheetSize } from '../platform/sheet-ports';
import { arrivalOf, type Block, blockArea, planWrites, type Result, type WritePlan } from './block';
import { type ColumnKey, columnOf, HEADER_DRIFT_ROWS, type Layout, located } from './our-columns';
import { readRows } from './read-rows';
import { identityOf, isMisplaced, type MarketRule, type Row, shownOf } from './rows';

/** Columns may have come in: so many further right a header is still seen in the same look. */
const COLUMN_DRIFT = 6;

export interface WriteReport {
  /** Rows that hold their result now. */
  readonly placed: readonly number[];
  /** Rows were not where they had been, or columns: what is known of their places is out of date. */
  readonly hasMoved: boolean;
  /** Rows moved under the very writing: some may hold what belongs to others now. */
  readonly needsMending: boolean;
  /** Rows that were still themselves but took no values. */
  readonly refused: readonly number[];
  readonly kept: number;
  readonly problem?: Failure;
}

export interface List {
  /** Whether this run may write the row: it wants an analysis, or holds another product's. */
  isOpen(row: Row): boolean;
  layout(): Layout;
  /** All rows below the header. */
  read(locksMerged?: boolean): readonly Row[] | Failure;
  /** Puts results into their rows, by row number, as far as those still hold the same products. */
  write(results: ReadonlyMap<number, Result>): WriteReport;
}

/** A sheet that moves under every reading is read as it is: writing looks again. */
const READS_MAX = 5;

const NOTHING_WRITTEN = { placed: [], refused: [], kept: 0, needsMending: false };

export function list(sheet: Sheet, first: Layout, rule: MarketRule, jobId: string): List {
  let layout = first;
  let size: SheetSize | null = null;
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
    if (now === null) return fail({ kind: 'run', why: 'sheet-gone', what: '' });
    if (typeof now === 'string') return fail({ kind: 'run', why: 'columns-gone', what: now });
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
      const width = Math.max(...layout.columns.map(({ column }) => column)) + drift;
      const rowCount = Math.min(layout.headerRow + HEADER_DRIFT_ROWS, size.maxRows);
      const columnCount = Math.min(width, size.maxColumns);
      const top = sheet.values({ row: 1, column: 1, rowCount, columnCount });
      if (top !== null) return top;
    }
    return null;
  }

  /** Columns are read one after the other: only if nothing moved meanwhile do they belong together. */
  function read(locksMerged = false): readonly Row[] | Failure {
    for (let tries = 1; ; tries += 1) {
      size = null;
      const problem = locate();
      if (problem !== null) return problem;
      const before = layout;
      const measured = size as SheetSize | null;
      const columnFor = (key: ColumnKey) => columnOf(before, key);
      const rows =
        measured && readRows(sheet, measured, before.headerRow, columnFor, rule, locksMerged);
      if (rows !== null && (tries > READS_MAX || isStill(rows))) return rows;
      if (tries > 2 * READS_MAX) return fail({ kind: 'run', why: 'restless', what: 'the list' });
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

  function readBlock(area: Area): Block | null {
    const values = sheet.values(area);
    const formulas = values === null ? null : sheet.formulas(area);
    return values === null || formulas === null ? null : { area, values, formulas };
  }

  function write(results: ReadonlyMap<number, Result>): WriteReport {
    const before = layout;
    const problem = locate();
    if (problem !== null) return { ...NOTHING_WRITTEN, hasMoved: false, problem };
    const numbers = [...results.keys()];
    const area = blockArea(layout, Math.min(...numbers), Math.max(...numbers));
    const block = isSame(before, layout) ? readBlock(area) : null;
    if (block === null) return { ...NOTHING_WRITTEN, hasMoved: true };
    const plan = planWrites(block, layout, rule, isOpen, results);
    for (const { area: place, cells } of plan.writes) {
      const outcome = sheet.write(place, cells);
      if (outcome === 'written') continue;
      const refusal = outcome === 'protected' ? { problem: fail({ kind: 'protected' }) } : {};
      return { ...NOTHING_WRITTEN, hasMoved: true, needsMending: true, ...refusal };
    }
    if (plan.rows.length === 0) return { ...NOTHING_WRITTEN, hasMoved: plan.missed.length > 0 };
    return lookBack(block, plan, results);
  }

  /** The instant between reading and writing is nobody's: what it did is seen now. */
  function lookBack(
    block: Block,
    plan: WritePlan,
    results: ReadonlyMap<number, Result>,
  ): WriteReport {
    const values = sheet.values(block.area);
    if (values === null) return { ...NOTHING_WRITTEN, hasMoved: true, needsMending: true };
    const back: Block = { area: block.area, values, formulas: [] };
    const arrival = arrivalOf(back, block, layout, rule, plan.rows, results);
    const { failed } = arrival;
    for (const identity of arrival.erased) erased.add(identity);
    const refused = refusedOf(failed, back, block);
    const needsMending = failed.length > refused.length || arrival.hasStrays;
    return {
      placed: plan.rows.filter((row) => !failed.includes(row)),
      hasMoved: plan.missed.length > 0 || needsMending,
      needsMending,
      refused,
      kept: plan.kept,
    };
  }

  /** Of the rows whose result is not there, those of which nothing changed: they take no values. */
  function refusedOf(rows: readonly number[], back: Block, block: Block): readonly number[] {
    const text = (line: readonly SheetCell[] | undefined) =>
      (line ?? []).map(String).join('\u0001');
    return rows.filter((row) => {
      const down = row - block.area.row;
      return text(back.values[down]) === text(block.values[down]);
    });
  }

  function isOpen(row: Row): boolean {
    if (row.isLocked) return false;
    const { status } = row;
    if (status.kind === 'none') return erased.has(identityOf(row));
    return (status.kind === 'queued' && status.jobId === jobId) || isMisplaced(row);
  }

  return { layout: () => layout, read, write, isOpen };
}

function isSame(one: Layout, other: Layout): boolean {
  return (
    one.headerRow === other.headerRow &&
    one.columns.every(({ key, column }) => columnOf(other, key) === column)
  );
}

const isRenamed = (before: Layout, { columns }: Layout): boolean =>
  columns.some(({ title }, at) => title !== before.columns[at]?.title);
