// The rows of a list that our columns have formulas in: filled in, cleared, counted.

import type { AnalysisTab } from '../analysis/analysis-tab';
import { type Failure, isFailure, runProblem } from '../failures/failure';
import { type Area, areaOf } from '../google/cells';
import type { Sheet } from '../google/sheet';
import { isBlank } from '../product/asin';
import { PRODUCT_TITLE } from '../product/fields';
import {
  clearFormulas,
  type Filled,
  type FormulaColumn,
  type FormulaRows,
  fillFormulas,
} from '../sheet/filled-formulas';
import { isSameLayout } from '../sheet/tagged-columns';
import type { TitleCell } from './bound-titles';
import { otherTitlesRow } from './list-end';
import { movesIn, ourColumns, type TabReferences } from './row-formulas';
import { type FoundTag, listOf, readTags, type TaggedList } from './tagged-list';

/**
 * Fills the formulas of all our columns in where a row down to the last product lacks them, and where
 * the list and the tab are by then. Formulas that name another column of the tab than was meant would
 * show other figures, so they are written again if its columns moved meanwhile.
 */
export function fillInNewRows(tab: AnalysisTab, list: TaggedList): Filled | Failure {
  let current: TaggedList | Failure = list;
  let named = tab;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    if (isFailure(current)) return current;
    const filled = fillOnce(current, ourColumns(current, named));
    if (isFailure(filled)) return filled;
    const tabNow = filled === 'moved' || filled.filled > 0 ? named.again() : named;
    if (isFailure(tabNow)) return tabNow;
    if (filled !== 'moved' && isSameTab(named, tabNow)) return filled;
    named = tabNow;
    current = listNow(list);
  }
  return runProblem('sheet-busy', 'the columns');
}

/**
 * Clears formulas of ours. The tags stay, because formulas are known by those of the columns that
 * they read.
 *
 * @returns the cells that people have typed into, by their column.
 */
export function clearColumns(
  list: TaggedList,
  columns: readonly FormulaColumn[],
): ReadonlyMap<number, number> | Failure {
  const rows = rowsOf(list);
  if (rows === null) return runProblem('sheet-gone');
  return clearFormulas(list.sheet, rows, columns, () => isStill(list));
}

/** Columns may move while their cells are read, but rarely more often than this. */
export const TRIES_MAX = 5;

/** Fills in once more if columns of the tab moved as formulas that name them were written. */
export function followTab(tab: AnalysisTab, list: TaggedList): void {
  const tabNow = tab.again();
  if (!isFailure(tabNow) && !isSameTab(tab, tabNow)) fillInNewRows(tabNow, list);
}

const isSameTab = (a: TabReferences, b: TabReferences): boolean =>
  a.name === b.name && isSameLayout(a.layout, b.layout);

/** The list where it is by now. */
function listNow({ sheet, id }: TaggedList): TaggedList | Failure {
  const tags = tagsNow(sheet);
  if (isFailure(tags)) return tags;
  return listOf(sheet, tags, id) ?? runProblem('look-again', PRODUCT_TITLE);
}

/** The tags of a sheet, or what data validation has refused before: Sheets tells it at a read. */
function tagsNow(sheet: Sheet): readonly FoundTag[] | Failure {
  const tags = readTags(sheet);
  if (tags !== null) return tags;
  const cell = sheet.rejected();
  return cell === null ? runProblem('sheet-gone') : runProblem('rejected', cell);
}

const isSameLocation = (a: TaggedList, b: TaggedList): boolean =>
  JSON.stringify(locationIn(a)) === JSON.stringify(locationIn(b));

const locationIn = (list: TaggedList) => [
  ...[list.headerRow, list.productColumn, list.marketColumn],
  ...list.blocks.map(({ market, columns }) => [market, ...[...columns].sort()]),
  ...list.costs,
  ...list.formulas.map(({ tag, at }) => [tag.role, tag.market, at]),
];

/** Whether the columns are where they were. */
function isStill(list: TaggedList): boolean | Failure {
  const now = listNow(list);
  return isFailure(now) ? now : isSameLocation(list, now);
}

/** A title or several, side by side, that go into a list together with its formulas. */
export interface Heads {
  readonly area: Area;
  readonly texts: readonly string[];
}

interface Filling {
  /** Titles that are written first. */
  readonly heads?: readonly Heads[];
  /** Title cells that are no plain titles, written with them. */
  readonly guards?: readonly TitleCell[];
  /** The last row with content, if it was measured a moment ago. */
  readonly lastRow?: number;
  /** Whether this is the second pass, over what clearing formulas below the last product has left. */
  readonly isLast?: boolean;
}

/**
 * Fills formulas in down to the last product.
 *
 * @returns `moved`: nothing was written, because the columns are elsewhere by now.
 */
export function fillOnce(
  list: TaggedList,
  columns: readonly FormulaColumn[],
  { heads = [], guards = [], lastRow, isLast = false }: Filling = {},
): Filled | 'moved' | Failure {
  const rows = rowsOf(list, lastRow);
  if (rows === null) return runProblem('sheet-gone');
  const titles = [
    ...heads.map(({ area, texts }) => ({ area, is: texts })),
    ...guards.map(({ column, text = '', formula }) => ({
      area: areaOf(list.headerRow, column),
      is: formula === undefined ? [text] : { formula },
    })),
  ];
  const once = fillFormulas(list.sheet, rows, columns, titles, () => isStill(list));
  if (once === 'moved' || isFailure(once)) return once;
  const { hasCleared, ...filled } = once;
  if (!hasCleared || isLast) return filled;
  const again = fillOnce(list, columns, { isLast: true });
  if (again === 'moved' || isFailure(again)) return again;
  return { ...again, filled: filled.filled + again.filled };
}

/** The rows of a list down to the last one with a product, and which have one, to the sheet's end; null: the sheet is gone. */
export function rowsOf(
  { sheet, headerRow, productColumn }: TaggedList,
  lastRow = sheet.lastRow(),
): FormulaRows | null {
  if (lastRow === null) return null;
  const first = headerRow + 1;
  if (lastRow < first) return { first, count: 0, isFilled: [] };
  const cells = sheet.values(areaOf(first, productColumn, lastRow - headerRow));
  if (cells === null) return null;
  const end = otherTitlesRow(
    { sheet, headerRow },
    cells.map(([cell = '']) => cell),
  );
  const isOwn = (at: number) => end === null || first + at < end;
  const isFilled = cells.map(([cell], at) => isOwn(at) && !isBlank(cell));
  return { first, count: isFilled.lastIndexOf(true) + 1, isFilled };
}

/** How many rows with a product show nothing, because cells that their formulas name were moved. */
export function countMovedRows(list: TaggedList): number {
  const rows = rowsOf(list);
  if (rows === null || rows.count === 0) return 0;
  const moved = new Set<number>();
  for (const { column, isMoved } of movesIn(list)) {
    const formulas = list.sheet.formulasR1C1(areaOf(rows.first, column, rows.count)) ?? [];
    for (const [at, [formula = '']] of formulas.entries())
      if (rows.isFilled[at] && isMoved(formula)) moved.add(at);
  }
  return moved.size;
}
