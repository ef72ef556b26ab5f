// One block of rows: where it is, what stands in it, and whether results arrived in it. Pure.

import type { Area, SheetCell } from '../platform/sheet-ports';
import { type ColumnKey, columnOf, type Layout } from './our-columns';
import { withoutKept } from './row-status';
import { identityOf, isMisplaced, type MarketRule, type Row, readRow } from './rows';
import type { Block } from './view';

/** What is to stand in a row, and for which product. */
export interface Result {
  readonly identity: string;
  readonly cells: ReadonlyMap<ColumnKey, SheetCell>;
}

/** From the first column of the layout to the last. */
export function blockArea({ columns }: Layout, firstRow: number, lastRow: number): Area {
  const places = columns.map(({ column }) => column);
  const [first, last] = [Math.min(...places), Math.max(...places)];
  const rowCount = lastRow - firstRow + 1;
  return { row: firstRow, column: first, rowCount, columnCount: last - first + 1 };
}

export function rowsOfBlock(block: Block, layout: Layout, rule: MarketRule): readonly Row[] {
  const at = (key: ColumnKey) => (columnOf(layout, key) ?? 0) - block.area.column;
  return block.values.map((cells, down) =>
    readRow(
      block.area.row + down,
      {
        product: cells[at('product')],
        market: cells[at('market')],
        status: cells[at('status')],
        statusFormula: block.formulas[down]?.[at('status')],
        at: cells[at('at')],
      },
      rule,
    ),
  );
}

export interface Arrival {
  /** Rows that do not hold what was written: they moved, or took nothing. */
  readonly failed: readonly number[];
  /** What stands in rows whose mark was emptied although it was meant for another row. */
  readonly erased: readonly string[];
  /** A row that was only written back as it was has moved away, and another holds its figures now. */
  readonly hasStrays: boolean;
}

export function arrivalOf(
  back: Block,
  before: Block,
  layout: Layout,
  rule: MarketRule,
  written: readonly number[],
  results: ReadonlyMap<number, Result>,
): Arrival {
  const rows = new Map(rowsOfBlock(back, layout, rule).map((row) => [row.row, row]));
  const isThere = (number: number) => {
    const [row, result] = [rows.get(number), results.get(number)];
    if (row === undefined || result === undefined || identityOf(row) !== result.identity)
      return false;
    return withoutKept(row.statusText.trim()) === String(result.cells.get('status') ?? '').trim();
  };
  const failed = written.filter((number) => !isThere(number));
  const erased = failed.flatMap((number) => {
    const row = rows.get(number);
    const isEmptied = (results.get(number)?.cells.get('status') ?? '') === '';
    return row?.status.kind === 'none' && isEmptied ? [identityOf(row)] : [];
  });
  const rowsBefore = new Map(rowsOfBlock(before, layout, rule).map((row) => [row.row, row]));
  const hasStrays = [...rows.values()].some((row) => {
    const one = rowsBefore.get(row.row);
    const isSame = one?.statusText === row.statusText && identityOf(one) === identityOf(row);
    return isMisplaced(row) && !isSame;
  });
  return { failed, erased, hasStrays };
}
