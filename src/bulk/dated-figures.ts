// Figures that are shown as dates, because a row's time was written to their cells before columns moved.

import { isField } from '../analysis/fields';
import type { Area, Sheet } from '../platform/sheet-ports';
import { rowsOfBlock } from './block';
import { AUTOMATIC } from './number-formats';
import type { Layout } from './our-columns';
import type { MarketRule } from './rows';
import { type Block, isDate, valueAt } from './view';

/** Rows may move while they get their format; more often than this they hardly will. */
const TRIES_MAX = 5;

/**
 * Shows them as numbers again.
 *
 * @param again the block as it is by now; null: its columns are elsewhere.
 */
export function undateFigures(
  sheet: Sheet,
  seen: Block,
  layout: Layout,
  rule: MarketRule,
  again: () => Block | null,
): void {
  let block: Block | null = seen;
  for (let tries = 0; block !== null && tries < TRIES_MAX; tries += 1) {
    const dated = datedFigures(block, layout, rule);
    if (dated.length === 0) return;
    for (const cell of dated) sheet.setFormats(cell, [[AUTOMATIC]]);
    block = again();
  }
}

function datedFigures(block: Block, layout: Layout, rule: MarketRule): readonly Area[] {
  const figures = layout.columns.filter(({ key }) => isField(key));
  return rowsOfBlock(block, layout, rule)
    .filter(({ status }) => status.kind === 'ok')
    .flatMap(({ row }) =>
      figures
        .filter(({ column }) => isDate(valueAt(block, row, column)))
        .map(({ column }) => ({ row, column, rowCount: 1, columnCount: 1 })),
    );
}
