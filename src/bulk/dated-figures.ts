// Figures that are shown as dates, because a row's time was written to their cells before columns moved.

import { FIELD_TITLES } from '../analysis/figure-words';
import type { Area, Sheet } from '../platform/sheet-ports';
import { rowsOfBlock } from './block';
import { AUTOMATIC } from './number-formats';
import type { Layout } from './our-columns';
import type { MarketRule } from './rows';
import { type Block, isDate, valueAt } from './view';

/** Shows them as numbers again. Of rows that move meanwhile, those that are left are met another time. */
export function undateFigures(sheet: Sheet, seen: Block, layout: Layout, rule: MarketRule): void {
  for (const cell of datedFigures(seen, layout, rule)) sheet.setFormats(cell, [[AUTOMATIC]]);
}

function datedFigures(block: Block, layout: Layout, rule: MarketRule): readonly Area[] {
  const figures = layout.columns.filter(({ key }) => key in FIELD_TITLES);
  return rowsOfBlock(block, layout, rule)
    .filter(({ status }) => status.kind === 'ok')
    .flatMap(({ row }) =>
      figures
        .filter(({ column }) => isDate(valueAt(block, row, column)))
        .map(({ column }) => ({ row, column, rowCount: 1, columnCount: 1 })),
    );
}
