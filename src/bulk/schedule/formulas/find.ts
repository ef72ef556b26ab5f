// The formulas of a spreadsheet that ask the service, wherever they stand.

import { stampedMs } from '../../../analysis/stamp';
import type { Platform } from '../../../platform/ports';
import type { Sheet, SheetSize, Spreadsheet } from '../../../platform/sheet-ports';
import type { Call } from './formula-text';
import { askingCalls, stampOf } from './refresh-argument';

export type BookPlatform = Platform & { readonly spreadsheet: Spreadsheet };

export interface FormulaSheet {
  readonly sheet: Sheet;
  readonly size: SheetSize;
}

/** A cell whose formula has calls of ours; rows and columns count from 1. */
export interface FormulaCell {
  readonly on: FormulaSheet;
  readonly row: number;
  readonly column: number;
  readonly formula: string;
  /** Those that are free to carry a stamp; none: every refresh argument is the user's own. */
  readonly calls: readonly Call[];
}

/** Sheet by sheet, row by row. A few calls for each sheet. */
export function findFormulas(spreadsheet: Spreadsheet): readonly FormulaCell[] {
  return spreadsheet.sheets().flatMap((sheet) => {
    const size = sheet.size();
    if (size === null || size.lastRow === 0) return [];
    const { lastRow: rowCount, lastColumn: columnCount } = size;
    const formulas = sheet.formulas({ row: 1, column: 1, rowCount, columnCount }) ?? [];
    const on = { sheet, size };
    return formulas.flatMap((texts, down) =>
      texts.flatMap((formula, right) => {
        const calls = formula === '' ? [] : askingCalls(formula);
        if (calls.length === 0) return [];
        const free = calls.filter((call) => stampOf(call) !== null);
        return [{ on, row: down + 1, column: right + 1, formula, calls: free }];
      }),
    );
  });
}

/** When the stamp was set that all of its calls carry, or the oldest of them; never: minus infinity. */
export const cellStampedMs = ({ calls }: Pick<FormulaCell, 'calls'>): number =>
  Math.min(...calls.map((call) => stampedMs(stampOf(call) ?? '')));
