// Plans the writes of results: the content of each row, in few rectangles. Pure.

import type { Area, SheetCell } from '../platform/ports';
import type { Answer } from '../product/analysis';
import { isBlank } from '../product/asin';
import { type ColumnKey, type KnownColumn, type Layout, plainTitle, sideBySide } from './columns';
import type { Write } from './compare-and-write';
import { OUTPUT_KEYS, outputColumn } from './output-columns';
import { identityOf, isMisplaced, productOf, type Row, type RowRule } from './row';
import { type Block, formulaAt, type Result, rowsOfBlock, valueAt } from './snapshot';
import { failedText, keptIn, okText, withKept } from './status';

/**
 * The cells of a row for an answer. A failure empties the figures, because those of an earlier run
 * might belong to another product by now. If it comes with the product's last analysis, those
 * figures are written with their own date.
 *
 * @param news the text for the row's mark; left out if there is none.
 */
export function resultOf(row: Row, answer: Answer, nowMs: number, news?: string): Result {
  const outcome = {
    ...{ news, nowMs, statusText: statusTextOf(row, answer, nowMs) },
    analysis: answer.ok ? answer.analysis : undefined,
  };
  const cells = OUTPUT_KEYS.flatMap((key): [ColumnKey, SheetCell][] => {
    const value = outputColumn(key)?.value(outcome);
    return value === undefined ? [] : [[key, value]];
  });
  return { identity: identityOf(row), cells: new Map(cells) };
}

function statusTextOf(row: Row, answer: Answer, nowMs: number): string {
  const product = productOf(row);
  if (!answer.ok) return failedText(answer.failure, product, nowMs);
  return product === null ? '' : okText(product);
}

/** Empties a row that has figures but no product. */
export function emptied(row: Row): Result {
  return { identity: identityOf(row), cells: new Map(OUTPUT_KEYS.map((key) => [key, ''])) };
}

export interface WritePlan {
  readonly writes: readonly Write[];
  /** Rows whose result is part of the writes. */
  readonly rows: readonly number[];
  /** Rows that have changed, so that their results have to be placed elsewhere. */
  readonly missed: readonly number[];
  /** The number of cells with a person's own content, which stay. */
  readonly kept: number;
}

/** Up to this many rows between two results are rewritten unchanged, to make one write of two. */
const BRIDGE_ROWS_MAX = 8;

export function planWrites(
  block: Block,
  layout: Layout,
  rule: RowRule,
  isOpen: (row: Row) => boolean,
  results: ReadonlyMap<number, Result>,
): WritePlan {
  const rows = rowsOfBlock(block, layout, rule);
  const groups = columnGroups(layout);
  const fits = (row: Row) => results.get(row.row)?.identity === identityOf(row) && isOpen(row);
  const placed = new Set(rows.filter(fits).map(({ row }) => row));
  let kept = 0;
  const lines = rows.map((row): Line | null => {
    const result = placed.has(row.row) ? results.get(row.row) : undefined;
    if (result === undefined) return asItIs(row, groups, block);
    const line = newLine(row, groups, result, block);
    kept += line.flat().filter((cell) => cell === null).length;
    return line;
  });
  return {
    writes: writesOf(lines, groups, placed, block.area.row),
    rows: [...placed],
    missed: [...results.keys()].filter((row) => !placed.has(row)),
    kept,
  };
}

type Group = readonly KnownColumn[];

/** Groups of adjacent output columns. The status comes last, because it marks a row as done. */
function columnGroups({ columns }: Layout): readonly Group[] {
  const own = columns.filter(({ key }) => key !== 'product' && key !== 'market');
  const groups = sideBySide(own);
  const hasStatus = (group: Group) => group.some(({ key }) => key === 'status');
  return [...groups.filter((group) => !hasStatus(group)), ...groups.filter(hasStatus)];
}

/** The new content of a row, group by group; null: the cell is not touched. */
type Line = readonly (readonly (SheetCell | null)[])[];

/**
 * A row that is rewritten unchanged, in all groups or in none. If it lands in another row, only a
 * status with a product in it reveals that.
 */
function asItIs(row: Row, groups: readonly Group[], block: Block): Line | null {
  // A cell that reads as empty may be part of a merged one, which would lose its content.
  const isPlain = ({ column }: KnownColumn) =>
    formulaAt(block, row.row, column) === '' && valueAt(block, row.row, column) !== '';
  const isBridge = row.status.kind === 'ok' && row.atMs !== null && groups.flat().every(isPlain);
  if (!isBridge) return null;
  return groups.map((group) => group.map(({ column }) => valueAt(block, row.row, column)));
}

function newLine(row: Row, groups: readonly Group[], { cells }: Result, block: Block): Line {
  const thereAt = (column: number) => valueAt(block, row.row, column);
  const isFormula = ({ column }: KnownColumn) => formulaAt(block, row.row, column) !== '';
  // If an earlier write was cut off in the middle, the cell may already hold its new content.
  const isKept = ({ key, column }: KnownColumn) =>
    thereAt(column) !== cells.get(key) && isForeign(row, key, thereAt(column));
  // What has to be remembered in the status; the next run recognises everything else, such as texts
  // among figures and rows without a time.
  const isToRemember = (known: KnownColumn) => {
    const { whose, isLikeOurs } = outputColumn(known.key) ?? {};
    return (
      whose === 'figure' &&
      isKept(known) &&
      !isFormula(known) &&
      isLikeOurs?.(thereAt(known.column)) === true
    );
  };
  const kept = cells.get('at') ? groups.flat().filter(isToRemember) : [];
  // These cells are rewritten unchanged, because leaving them out would split the row's write.
  const wordsThatStay = ({ key, column }: KnownColumn) =>
    isMisplaced(row) && !isForeign(row, key, thereAt(column)) ? '' : thereAt(column);
  const newCell = (known: KnownColumn) => {
    const { key } = known;
    const news = cells.get(key);
    if (key === 'status') return withKept(String(news ?? ''), kept.map(titleOf));
    if (isFormula(known)) return null;
    if (news === undefined && outputColumn(key)?.whose === 'words') return wordsThatStay(known);
    return isKept(known) ? null : (news ?? '');
  };
  return groups.map((group) => group.map(newCell));
}

const titleOf = ({ key }: KnownColumn) => plainTitle(key);

/**
 * Whether content belongs to a person: in rows without a time everything does, otherwise what no
 * run writes or what a run has kept. What it kept in another product's row says nothing here.
 */
function isForeign(row: Row, key: ColumnKey, there: SheetCell): boolean {
  const column = outputColumn(key);
  if (there === '' || column === undefined || column.whose === 'run') return false;
  if (column.whose === 'words') return !isBlank(there) && !column.isLikeOurs(there);
  const kept = isMisplaced(row) ? [] : keptIn(row.statusText);
  return row.atMs === null || !column.isLikeOurs(there) || kept.includes(column.title);
}

/** Rows that are written together. */
interface Run {
  readonly row: number;
  readonly lines: Line[];
  /** The number of rows up to the last one with a result. */
  filled: number;
}

/**
 * Ranges of rows, the same in all groups, from one with a result to another. Rows with gaps are
 * written separately.
 */
function writesOf(
  lines: readonly (Line | null)[],
  groups: readonly Group[],
  placed: ReadonlySet<number>,
  firstRow: number,
): readonly Write[] {
  const runs: Run[] = [];
  let open: Run | null = null;
  lines.forEach((line, down) => {
    const row = firstRow + down;
    const isWhole = line !== null && !line.flat().includes(null);
    if (!isWhole) open = null;
    if (line === null || (open === null && !placed.has(row))) return;
    const run: Run = open ?? { row, lines: [], filled: 0 };
    if (open === null) runs.push(run);
    run.lines.push(line);
    if (placed.has(row)) run.filled = run.lines.length;
    const isOver = !isWhole || run.lines.length - run.filled > BRIDGE_ROWS_MAX;
    open = isOver ? null : run;
  });
  return groups.flatMap((group, at) => runs.flatMap((run) => rectangles(group, at, run)));
}

/** A row with gaps is written in pieces; there are few such rows. */
function rectangles(group: Group, at: number, { row, lines, filled }: Run): readonly Write[] {
  const column = group[0]?.column ?? 1;
  const cells = lines.slice(0, filled).map((line) => line[at] ?? []);
  if (cells.every((line): line is readonly SheetCell[] => !line.includes(null)))
    return [{ area: { row, column, rowCount: filled, columnCount: group.length }, cells }];
  return cells.flatMap((line, down) => piecesOf(line, { row: row + down, column }));
}

function piecesOf(
  line: readonly (SheetCell | null)[],
  { row, column }: Pick<Area, 'row' | 'column'>,
): readonly Write[] {
  const isStart = (cell: SheetCell | null, at: number) =>
    cell !== null && (line[at - 1] ?? null) === null;
  const starts = line.flatMap((cell, at) => (isStart(cell, at) ? [at] : []));
  return starts.map((start) => {
    const end = line.indexOf(null, start);
    const piece = line.slice(start, end < 0 ? line.length : end);
    const cells = piece.flatMap((cell) => (cell === null ? [] : [cell]));
    const area = { row, column: column + start, rowCount: 1, columnCount: cells.length };
    return { area, cells: [cells] };
  });
}
