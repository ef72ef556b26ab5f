// A list in a sheet: reading, locating, writing, verifying and marking it.

import { type Failure, fail, isFailure, runProblem } from '../failures/failure';
import type { Area, Sheet, SheetCell, SheetSize } from '../platform/ports';
import { productReader } from './barcodes';
import {
  type Cells,
  type ColumnKey,
  columnOf,
  HEADER_DRIFT_ROWS,
  isRenamed,
  isSame,
  type Layout,
  located,
  sideBySide,
} from './columns';
import {
  compareAndWrite,
  giveBackMerged,
  notationOf,
  undateFigures,
  type Write,
  type Written,
} from './compare-and-write';
import { OUTPUT_KEYS, outputColumn } from './output-columns';
import {
  identityOf,
  isMisplaced,
  type MarketRule,
  type Row,
  type RowRule,
  readRow,
  shownOf,
} from './row';
import {
  arrivalOf,
  type Block,
  blockArea,
  columnsOf,
  formulaAt,
  frameAround,
  type Result,
  rowsOf,
  rowsOfBlock,
  type View,
  valueAt,
  viewBefore,
} from './snapshot';
import { keptIn, queuedText, readStatus, withKept, withoutKept } from './status';
import { planWrites, type WritePlan } from './write-plan';

interface WriteReport {
  /** Rows that now hold their result. */
  readonly placed: readonly number[];
  /** Rows or columns had moved, so what is known about their places is out of date. */
  readonly hasMoved: boolean;
  /** Rows moved during the write, so some may hold another row's content. */
  readonly needsMending: boolean;
  /** Rows that had not moved but rejected their values. */
  readonly refused: readonly number[];
  readonly kept: number;
  readonly problem?: Failure;
  /** The cell that rejected its value, "B12"; nothing was written. */
  readonly rejected?: string;
}

const NOTHING_WRITTEN = { placed: [], refused: [], kept: 0, needsMending: false };

/**
 * Output columns that are not adjacent take several writes. If rows move between these, figures end
 * up beside another product without a status that shows it, so the cells are reported instead.
 */
const isSplit = ({ columns }: Layout): boolean =>
  sideBySide(columns.filter(({ key }) => outputColumn(key) !== undefined)).length > 1;

const gone = (title: string) => runProblem('columns-gone', title);

const overwritten = (cells: string) => runProblem('overwritten', cells);

/** Among rows without their result, those that did not change at all: they reject values. */
function refusedOf(rows: readonly number[], back: Block, before: Block): readonly number[] {
  const text = (block: Block, row: number) =>
    columnsOf(before.area)
      .map((column) => String(valueAt(block, row, column)))
      .join('\u0001');
  return rows.filter((row) => text(back, row) === text(before, row));
}

export interface List {
  /**
   * Whether this run may write the row: it is marked for an analysis, or holds another product's
   * figures.
   */
  isOpen(row: Row): boolean;
  layout(): Layout;
  /** All rows below the header. */
  read(options?: Reading): readonly Row[] | Failure;
  /**
   * Whether the products of rows that were read a moment ago, and all columns, are still in place.
   */
  isStill(rows: readonly Row[]): boolean;
  /** Writes results by row number into the rows that still hold the same products. */
  write(results: ReadonlyMap<number, Result>): WriteReport;
  /**
   * Writes texts into the status column, from a row on, unless its cells no longer hold what was
   * seen. Rows may move during the write, which a new reading shows.
   *
   * @param planned the whole list as read a moment ago. Nothing is written unless its products are
   * still in place. If the list is short enough to be part of the readings around the write, its
   * rows after the write are returned.
   */
  writeStatus(
    firstRow: number,
    texts: readonly string[],
    seen: readonly string[],
    planned: readonly Row[],
  ): Failure | readonly Row[] | null;
}

interface Reading {
  /** Whether to look for merged cells. */
  readonly locksMerged?: boolean;
  /**
   * Whether to use the size that was measured last; the last of any rows added since are then not
   * read.
   */
  readonly isMeasured?: boolean;
}

/**
 * Rows may have been added since the sheet was measured, so this many more are read if they exist.
 */
const MORE_ROWS = 20;

/**
 * All rows below the header; null if rows were deleted during the reading. A column that does not
 * exist yet reads as empty.
 *
 * @param locksMerged whether to look for merged cells, which matters while rows are being chosen.
 */
export function readRows(
  sheet: Sheet,
  { lastRow, maxRows }: SheetSize,
  headerRow: number,
  columnFor: (key: ColumnKey) => number | undefined,
  rule: MarketRule,
  locksMerged = false,
): readonly Row[] | null {
  const rowCount = Math.min(lastRow + MORE_ROWS, maxRows) - headerRow;
  if (lastRow <= headerRow) return [];
  let isWhole = true;
  const on = <T>(
    key: ColumnKey,
    look: (area: Area) => readonly (readonly T[])[] | null,
    columnCount = 1,
  ) => {
    const column = columnFor(key);
    if (column === undefined || !isWhole) return [];
    const cells = look({ row: headerRow + 1, column, rowCount, columnCount });
    isWhole = cells !== null;
    return cells ?? [];
  };
  const values = (key: ColumnKey, columnCount = 1) => on<SheetCell>(key, sheet.values, columnCount);
  const [products, markets] = [values('product'), values('market')];
  // These two columns are adjacent unless somebody has moved one.
  const isPair = columnFor('at') === (columnFor('status') ?? 0) + 1;
  const statuses = values('status', isPair ? 2 : 1);
  const moments = isPair ? statuses.map((cells) => cells.slice(1)) : values('at');
  const formulas = on('status', sheet.formulas);
  if (!isWhole) return null;
  const columns = !locksMerged ? [] : OUTPUT_KEYS.flatMap((key) => columnFor(key) ?? []);
  const merged = mergedRows(sheet, { row: headerRow + 1, rowCount }, columns);
  const read = productReader(sheet, columnFor('product') ?? 1, headerRow);
  const lock = (row: Row) =>
    merged.has(row.row) ? { ...row, isLocked: true, isMerged: true } : row;
  return products.map(([product], down) => {
    const [market, status, at] = [markets[down]?.[0], statuses[down]?.[0], moments[down]?.[0]];
    const statusFormula = formulas[down]?.[0];
    const cells = { product, market, status, at, statusFormula };
    return lock(readRow(headerRow + 1 + down, cells, { ...rule, read }));
  });
}

/**
 * Columns may have been inserted; a header that moved right by up to this many is found in the same
 * reading.
 */
const COLUMN_DRIFT = 6;

/** If a sheet keeps moving during readings, this reading is accepted, and writing checks again. */
const READS_MAX = 5;

/**
 * The number of columns read around results, so that content that moves into them can be restored.
 */
const AROUND_RESULTS = 12;

/**
 * Marks are written by the thousand, and each further column costs about 10 ms for a thousand rows.
 */
const AROUND_STATUS = 3;

const reachOf = ({ columns }: Layout) => Math.max(...columns.map(({ column }) => column));

const NO_SIZE: SheetSize = { lastRow: 0, lastColumn: 0, maxRows: 0, maxColumns: 0 };

/** @param measured the sheet's size as measured a moment ago, if known. */
export function list(
  sheet: Sheet,
  first: Layout,
  market: MarketRule,
  runId: string,
  measured: SheetSize | null = null,
): List {
  let layout = first;
  let size = measured;
  /** The rule for the rows of the last block that was read. */
  let rule: RowRule = market;
  /** The headers as last read. */
  let lastTop: Cells | null = null;
  /** Products whose mark this execution erased by mistake, because rows moved during a write. */
  const erased = new Set<string>();

  /** Finds the columns again, wherever they are now. */
  function locate(): Failure | null {
    let now = lookFor(COLUMN_DRIFT);
    // A column that seems renamed or deleted may have been cut and pasted anywhere.
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

  /** Reads columns one after the other. They belong together only if nothing moved meanwhile. */
  function read({ locksMerged, isMeasured }: Reading = {}): readonly Row[] | Failure {
    for (let tries = 1; ; tries += 1) {
      if (tries > 1 || isMeasured !== true) size = null;
      const problem = locate();
      if (problem !== null) return problem;
      const before = layout;
      const height = size as SheetSize | null;
      const columnFor = (key: ColumnKey) => columnOf(before, key);
      const rows =
        height && readRows(sheet, height, before.headerRow, columnFor, market, locksMerged);
      if (rows !== null && (tries > READS_MAX || isStill(rows))) return rows;
      if (tries > 2 * READS_MAX) return runProblem('sheet-busy', 'the list');
    }
  }

  /** Whether products and columns are where the last reading found them. */
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
    if (after !== null && isSplit(layout) && !haveSameProducts(before.block, after.block))
      return {
        ...{ ...NOTHING_WRITTEN, hasMoved: true, needsMending: true },
        problem: overwritten(notationOf([area])),
      };
    const problem = outcome === 'protected' ? { problem: fail({ kind: 'protected' }) } : {};
    if (outcome !== 'written' || hasShifted || after === null)
      return { ...NOTHING_WRITTEN, hasMoved: true, needsMending: true, ...problem };
    giveBackMerged(sheet, before.block, after.block, plan.writes);
    return lookBack(before.block, after.block, area, plan, results);
  }

  /** Whether the rows kept their products between the first write and the last. */
  function haveSameProducts(before: Block, after: Block): boolean {
    const [was, now] = [before, after].map((block) =>
      rowsOfBlock(block, layout, rule).map(identityOf),
    );
    return String(was) === String(now);
  }

  /** Links are read again, because rows may have moved since. */
  function freshRule(): RowRule {
    return {
      ...market,
      read: productReader(sheet, columnOf(layout, 'product') ?? 1, layout.headerRow),
    };
  }

  function lookBefore(area: Area, margin: number, known: Cells | null): View | null {
    size ??= sheet.size();
    if (size === null) return null;
    rule = freshRule();
    const frame = frameAround(area, layout.headerRow, reachOf(layout), margin, size);
    return viewBefore(sheet, frame, known);
  }

  function place(area: Area, margin: number, before: View, writes: readonly Write[]): Written {
    const [{ headerRow }, reach] = [layout, reachOf(layout)];
    // If the header moved up or down, rows have moved, which the reading after the write shows.
    const isStill = ({ top }: View) => {
      const now = located(layout, top);
      return typeof now !== 'string' && isSame({ ...layout, headerRow: now.headerRow }, now);
    };
    const measured = size ?? NO_SIZE;
    const where = { sheet, headerRow, reach, area, margin, size: measured };
    const written = compareAndWrite({ ...where, isSame: isStill }, before, writes);
    lastTop = written.hasShifted ? null : (written.after?.top ?? null);
    return written;
  }

  function writeStatus(
    firstRow: number,
    texts: readonly string[],
    seen: readonly string[],
    planned: readonly Row[],
  ): Failure | readonly Row[] | null {
    const column = columnOf(layout, 'status') ?? 1;
    const area = { row: firstRow, column, rowCount: texts.length, columnCount: 1 };
    const [first] = planned;
    const looked = first ? blockArea(layout, first.row, first.row + planned.length - 1) : area;
    const margin = first ? 0 : AROUND_STATUS;
    const before = lookBefore(looked, margin, null);
    const now = before && located(layout, before.top);
    if (before === null || now === null || typeof now === 'string') return null;
    if (!areAsPlanned(before, planned)) return null;
    const isFree = (row: number) =>
      String(valueAt(before.block, row, column)) === seen[row - firstRow] &&
      readStatus(valueAt(before.block, row, column)).kind !== 'foreign' &&
      formulaAt(before.block, row, column) === '';
    if (!isSame(layout, now) || !rowsOf(area).every(isFree)) return null;
    const writes = [{ area, cells: texts.map((text) => [text]) }];
    const { outcome, after, hasShifted, lost, rejected } = place(looked, margin, before, writes);
    if (rejected !== null) return runProblem('rejected', rejected);
    if (outcome === 'protected') return fail({ kind: 'protected' });
    if (lost !== '') return overwritten(lost);
    if (!first || after === null || hasShifted || outcome !== 'written') return null;
    const block = { ...after.block, formulas: before.block.formulas };
    // Merges stay, and they are already known for these rows if the rows are the same.
    const merged = new Set(planned.filter(({ isMerged }) => isMerged).map(({ row }) => row));
    if (!areAsPlanned(after, planned)) return null;
    return rowsOfBlock(block, layout, rule)
      .filter(({ row }) => row >= first.row)
      .map((row) => (merged.has(row.row) ? { ...row, isLocked: true, isMerged: true } : row));
  }

  /** Whether the products are where they were when the list was read. */
  function areAsPlanned({ block }: View, planned: readonly Row[]): boolean {
    const rows = rowsOfBlock(block, layout, rule);
    const there = new Map(rows.map((row) => [row.row, identityOf(row)]));
    return planned.every((row) => there.get(row.row) === identityOf(row));
  }

  /**
   * Examines the rows after a write, since anything may have happened between the reading and the
   * write.
   */
  function lookBack(
    before: Block,
    back: Block,
    area: Area,
    plan: WritePlan,
    results: ReadonlyMap<number, Result>,
  ): WriteReport {
    rule = freshRule();
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
    return (status.kind === 'queued' && status.runId === runId) || isMisplaced(row);
  }

  return { layout: () => layout, read, isStill, write, writeStatus, isOpen };
}

/** The number of rows in one write of marks. */
const MARKS_AT_ONCE = 10_000;

/**
 * Up to this many rows, the readings around a write of marks cover the whole list, which is cheaper
 * than reading it separately.
 */
const LOOKED_ROWS_MAX = 2_000;

/** Up to this many rows between two marked ones are rewritten unchanged. */
const BRIDGE_ROWS_MAX = 500;

/** Rows may move while they are being marked, but rarely more often than this. */
const ROUNDS_MAX = 16;

/** A chosen row: its place and its content when it was chosen. */
export interface ChosenRow {
  readonly row: number;
  readonly identity: string;
}

/** The number of marked rows, and all rows as they were then. */
export interface Marked {
  readonly count: number;
  readonly seen: readonly Row[];
}

/**
 * Marks the chosen rows wherever they are now, and no others; other rows get their former status
 * back. Rows with the same content are interchangeable, but the chosen ones come first.
 *
 * @param planned all rows as read a moment ago; if they are still in place, they are not read again
 * before marking.
 * @param isOurs checked before each write: another start may have taken over this one and its rows.
 * Then nothing more is written and the result is 'run-ended'.
 */
export function markRows(
  list: List,
  runId: string,
  chosen: readonly ChosenRow[],
  planned: readonly Row[] = [],
  isOurs = () => true,
): Marked | Failure {
  // For rows that are still in place it is known whether cells are merged. Rows that moved, or that
  // did not take their mark, have to be checked.
  let locksMerged = false;
  const isShort = planned.length > 0 && planned.length <= LOOKED_ROWS_MAX;
  /** All rows as they were after the last write. */
  let after: readonly Row[] = [];
  /** By product, the statuses of its rows before anything was marked. */
  let said: Said | null = null;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const known = round > 0 ? after : isShort || list.isStill(planned) ? planned : [];
    after = [];
    const rows = known.length > 0 ? known : list.read({ locksMerged, isMeasured: round > 0 });
    if (isFailure(rows)) return rows;
    if (!locksMerged && !areInPlace(rows, chosen)) {
      locksMerged = true;
      continue;
    }
    locksMerged ||= round > 0;
    said ??= textsOf(rows);
    const before = said;
    const wanted = wantedRows(rows, chosen);
    const wrong = rows.filter(
      (row) =>
        !row.isLocked &&
        (isWrong(row, wanted.has(row.row), runId) || ownText(row, before) !== unmarkedText(row)),
    );
    if (wrong.length === 0) return { count: wanted.size, seen: rows };
    if (!isOurs()) return runProblem('run-ended');
    const text = (row: Row) => {
      const own = ownText(row, before);
      if (!wanted.has(row.row)) return own;
      return withKept(queuedText(runId, withoutKept(own)), keptIn(own));
    };
    const parts = segments(rows, wrong, text);
    for (const { first, texts, seen } of parts) {
      const isFirst = isShort && known === planned && first === parts[0]?.first;
      const outcome = list.writeStatus(first, texts, seen, isFirst ? planned : []);
      if (isFailure(outcome)) return outcome;
      // Rows have moved, so nothing more is written before they are read again.
      if (isFirst && outcome === null) break;
      if (parts.length === 1) after = outcome ?? [];
    }
  }
  return runProblem('sheet-busy', 'the rows of this run');
}

/** The status of a row without a run's mark. */
function unmarkedText({ status, statusText }: Row): string {
  return status.kind === 'queued' ? withKept(status.before, keptIn(statusText)) : statusText.trim();
}

type Said = ReadonlyMap<string, readonly string[]>;

function textsOf(rows: readonly Row[]): Said {
  const said = new Map<string, string[]>();
  for (const row of rows) {
    const texts = said.get(identityOf(row)) ?? [];
    said.set(identityOf(row), texts);
    texts.push(unmarkedText(row));
  }
  return said;
}

/**
 * The status of a row apart from marks. If rows move during a write, a mark lands on the wrong row
 * and carries another product's status; the row's own status is then taken from the earlier
 * reading, where a row in which somebody typed another product has another one's, too. If it is
 * unknown which row of its product this is, it has none: that of another row would vouch for figures
 * that are not this product's.
 */
function ownText(row: Row, said: Said): string {
  const text = unmarkedText(row);
  const isOwn = row.status.kind !== 'queued' || !isMisplaced({ ...row, status: readStatus(text) });
  const texts = isOwn ? [text] : (said.get(identityOf(row)) ?? []);
  const [first = ''] = texts;
  return texts.includes(text) ? text : texts.every((one) => one === first) ? first : '';
}

function areInPlace(rows: readonly Row[], chosen: readonly ChosenRow[]): boolean {
  const there = new Map(rows.map((row) => [row.row, row]));
  return chosen.every(({ row, identity }) => {
    const now = there.get(row);
    return now !== undefined && identityOf(now) === identity;
  });
}

/** There is only one run at a time, so another run's mark was left by a start that was cut off. */
function isWrong({ status }: Row, isWanted: boolean, runId: string): boolean {
  if (status.kind !== 'queued') return isWanted;
  return !isWanted || status.runId !== runId;
}

function wantedRows(rows: readonly Row[], chosen: readonly ChosenRow[]): ReadonlySet<number> {
  const wanted = new Set<number>();
  const there = new Map(rows.filter(({ isLocked }) => !isLocked).map((row) => [row.row, row]));
  const moved = new Map<string, number>();
  for (const { row, identity } of chosen) {
    const now = there.get(row);
    if (now !== undefined && identityOf(now) === identity) wanted.add(row);
    else moved.set(identity, (moved.get(identity) ?? 0) + 1);
  }
  if (moved.size === 0) return wanted;
  for (const row of there.values()) {
    const count = moved.get(identityOf(row)) ?? 0;
    if (count === 0 || wanted.has(row.row)) continue;
    wanted.add(row.row);
    moved.set(identityOf(row), count - 1);
  }
  return wanted;
}

/**
 * Ranges of rows for one write each: rows to change, and short stretches between them that are
 * rewritten unchanged.
 */
function segments(rows: readonly Row[], changed: readonly Row[], text: (row: Row) => string) {
  const isChanged = new Set(changed.map(({ row }) => row));
  const found: { first: number; texts: string[]; seen: string[] }[] = [];
  let run: { first: number; texts: string[]; seen: string[]; used: number } | null = null;
  const close = () => {
    if (run === null) return;
    const { first, texts, seen, used } = run;
    found.push({ first, texts: texts.slice(0, used), seen: seen.slice(0, used) });
    run = null;
  };
  for (const row of rows) {
    const wants = isChanged.has(row.row);
    if (row.isLocked || (run === null && !wants)) {
      close();
      continue;
    }
    run ??= { first: row.row, texts: [], seen: [], used: 0 };
    run.seen.push(row.statusText);
    run.texts.push(wants ? text(row) : row.statusText);
    if (wants) run.used = run.texts.length;
    const isLong = run.texts.length - run.used > BRIDGE_ROWS_MAX;
    if (isLong || run.texts.length >= MARKS_AT_ONCE) close();
  }
  close();
  return found;
}

/**
 * Rows in which cells of a run are merged, so that a value written there would land elsewhere. A
 * merge with a foreign cell begins to the left of a group of columns, so only the first column of
 * each group is checked, and the status column, without which a row is never done.
 *
 * @param columns the run's columns, starting with the status.
 */
function mergedRows(
  sheet: Sheet,
  rows: Pick<Area, 'row' | 'rowCount'>,
  columns: readonly number[],
): ReadonlySet<number> {
  const asked = columns.filter((column, at) => at === 0 || !columns.includes(column - 1));
  const merges = asked.flatMap((column) => sheet.merges({ ...rows, column, columnCount: 1 }) ?? []);
  return new Set(
    merges.flatMap(({ row, rowCount }) => Array.from({ length: rowCount }, (_, at) => row + at)),
  );
}
