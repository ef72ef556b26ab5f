// Cells that were merged with ours while a run works: what was written goes into their first cell.

import type { Area, CellContent, Sheet, SheetCell } from '../platform/sheet-ports';
import type { Write } from './careful-write';
import { type Block, cellKey, columnsOf, formulaAt, isWithin, rowsOf, valueAt } from './view';

/**
 * Gives first cells back what they are to hold: what was written for them, else what stood there.
 * Merged cells are asked for only if one that was written reads empty.
 */
export function giveBackMerged(
  sheet: Sheet,
  before: Block,
  after: Block,
  writes: readonly Write[],
): void {
  const isSwallowed = ({ area, cells }: Write) =>
    rowsOf(area).some((row, down) =>
      columnsOf(area).some(
        (column, right) => cells[down]?.[right] !== '' && valueAt(after, row, column) === '',
      ),
    );
  if (!writes.some(isSwallowed)) return;
  for (const merge of sheet.merges(after.area) ?? []) {
    const put = putInto(merge, writes);
    const there = cellKey(valueAt(after, merge.row, merge.column));
    if (!put.some((cell) => cellKey(cell) === there)) continue;
    const content = contentBefore(before, merge, writes);
    if (content !== null) sheet.putBack({ ...merge, rowCount: 1, columnCount: 1 }, [[content]]);
  }
}

/** What was written to cells of a merged one behind its first. */
function putInto(merge: Area, writes: readonly Write[]): readonly SheetCell[] {
  return writes.flatMap(({ area, cells }) =>
    cells.flatMap((line, down) =>
      line.filter((_, right) => {
        const [row, column] = [area.row + down, area.column + right];
        const isFirst = row === merge.row && column === merge.column;
        return isWithin(merge, row, column) && !isFirst;
      }),
    ),
  );
}

/** null: nobody looked there before. */
function contentBefore(
  before: Block,
  { row, column }: Area,
  writes: readonly Write[],
): CellContent | null {
  const own = writes.find(({ area }) => isWithin(area, row, column));
  if (own !== undefined) {
    const value = own.cells[row - own.area.row]?.[column - own.area.column] ?? '';
    return { value, formula: '' };
  }
  if (!isWithin(before.area, row, column)) return null;
  return { value: valueAt(before, row, column), formula: formulaAt(before, row, column) };
}
