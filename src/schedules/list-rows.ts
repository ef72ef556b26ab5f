// The rows of a marked list, and what its other columns say about them: stars, skips and verdicts.

import { areaOf, type SheetCell } from '../google/cells';
import type { Sheet } from '../google/sheet';
import { formulaColumn, type MarkedList, markedLists } from '../list/marked-list';
import { type KnownRows, type ListRow, productOf, readRows, shownOf } from '../list/rows';
import { isBlank, productKey } from '../product/asin';
import { nameForm } from '../product/fields';
import { type Verdicts, verdictIn } from './changes';

/** The rows of a list, once for each market that its columns show; null: they are gone. */
export function rowsOf(list: MarkedList, known: KnownRows): readonly ListRow[] | null {
  const all: ListRow[] = [];
  for (const { market } of list.groups) {
    const rows = readRows({ ...list, market }, known);
    if (rows === null) return null;
    all.push(...rows);
  }
  return all;
}

/** Row numbers. */
export interface RowNotes {
  readonly starred: ReadonlySet<number>;
  /** Rows that somebody has marked to be left out always. */
  readonly skipped: ReadonlySet<number>;
}

const STAR_TITLES = ['star', 'starred', '★', '⭐'];
const SKIP_TITLES = ['skip'];

/** Costs a call for the headers, and one for each column that there is. */
export function readNotes(list: MarkedList): RowNotes {
  const { sheet, headerRow } = list;
  const columnCount = sheet.size()?.lastColumn ?? 0;
  const header = areaOf(headerRow, 1, 1, columnCount);
  const titles = (columnCount > 0 && sheet.values(header)?.[0]) || [];
  const rowsMarked = (names: readonly string[]) => {
    const at = titles.findIndex((title) => names.includes(nameForm(String(title))));
    const cells = at < 0 ? [] : cellsBelow(list, at + 1);
    return new Set(cells.flatMap((cell, down) => (isMarked(cell) ? [headerRow + 1 + down] : [])));
  };
  return { starred: rowsMarked(STAR_TITLES), skipped: rowsMarked(SKIP_TITLES) };
}

/** The value of an unticked checkbox is no mark. */
const isMarked = (cell: SheetCell): boolean => !isBlank(cell) && cell !== false && cell !== 'FALSE';

function cellsBelow({ sheet, headerRow }: MarkedList, column: number): readonly SheetCell[] {
  const rowCount = (sheet.size()?.lastRow ?? 0) - headerRow;
  if (rowCount <= 0) return [];
  const area = areaOf(headerRow + 1, column, rowCount);
  return (sheet.values(area) ?? []).map(([cell = '']) => cell);
}

/**
 * What a list says of each product now, by its columns *Verdict* and *Why*. It says nothing if it has
 * no decisions, or if rows move while it is read.
 */
export function readVerdicts(sheet: Sheet, listId: string, known: KnownRows): Verdicts {
  const list = markedLists(sheet).find(({ id }) => id === listId);
  const rows = list === undefined ? null : rowsOf(list, known);
  if (list === undefined || rows === null) return new Map();
  const verdicts = verdictsBeside(list, rows);
  if (verdicts.size === 0) return verdicts;
  const products = cellsBelow(list, list.productColumn);
  const isThere = ({ row, shown }: ListRow) =>
    shownOf(products[row - list.headerRow - 1]) === shown;
  return rows.every(isThere) ? verdicts : new Map();
}

function verdictsBeside(list: MarkedList, rows: readonly ListRow[]): Verdicts {
  const verdicts = new Map<string, readonly string[]>();
  for (const { market } of list.groups) {
    const column = formulaColumn(list, 'verdict', market);
    if (column === undefined) continue;
    const why = formulaColumn(list, 'why', market);
    const words = cellsBelow(list, column);
    const reasons = why === undefined ? [] : cellsBelow(list, why);
    for (const row of rows) {
      const product = productOf(row);
      if (product === null || (market !== 'column' && product.market !== market)) continue;
      const at = row.row - list.headerRow - 1;
      const verdict = verdictIn(String(words[at] ?? ''), String(reasons[at] ?? ''));
      const key = productKey(product);
      verdicts.set(key, [...(verdicts.get(key) ?? []), verdict]);
    }
  }
  return verdicts;
}
