// The rows that a choice covers, as the sheet and the Analysis tab are now.

import { type AnalysisTab, existingAnalysisTab } from '../analysis/analysis-tab';
import { type Failure, isFailure, runProblem } from '../failures/failure';
import type { Clock } from '../google/platform';
import type { Sheet, SheetSize } from '../google/sheet';
import { sheetById } from '../google/spreadsheet';
import type { Market } from '../product/market';
import { type Choice, groupMarketOf, placeOf } from './choice';
import { chosenRows, type KnownRows, type ListRow, productOf, readRows } from './rows';

export interface ChosenList {
  readonly sheet: Sheet;
  readonly size: SheetSize;
  /** null: there is none yet. */
  readonly tab: AnalysisTab | null;
  /** Every row of the tab. */
  readonly known: KnownRows;
  /** The rows of the choice. At least one of them has a product, or may get one. */
  readonly rows: readonly ListRow[];
}

/** @param defaultMarket the market of rows that should name one and do not. */
export function readChosenList(
  clock: Clock,
  choice: Choice,
  defaultMarket: Market,
): ChosenList | Failure {
  const sheet = sheetById(choice.sheetId);
  const size = sheet?.size();
  if (!sheet || !size) return runProblem('sheet-gone');
  const tab = existingAnalysisTab(clock);
  if (isFailure(tab)) return tab;
  const known = tab === null ? new Map() : tab.read();
  if (isFailure(known)) return known;
  const place = { ...placeOf(choice), market: groupMarketOf(choice), defaultMarket };
  const all = readRows(sheet, size, place, known);
  if (all === null) return runProblem('sheet-gone');
  const rows = chosenRows(sheet, all, choice.rows, clock.nowMs());
  if (isFailure(rows)) return rows;
  if (rows.some(mayHaveProduct)) return { sheet, size, tab, known, rows };
  const why = all.some(mayHaveProduct) ? NONE_SUCH[choice.rows.kind] : undefined;
  return why === undefined ? runProblem('no-rows') : runProblem('no-matching-rows', why);
}

/** A person can name the product of a barcode in the tab, where the job shows it. */
export const mayHaveProduct = (row: ListRow): boolean => {
  const { content } = row;
  const isBarcode =
    content.kind === 'unreadable' &&
    content.failure.kind === 'bad-asin' &&
    content.failure.why === 'barcode';
  return isBarcode || productOf(row) !== null;
};

/** Why a list with products has none for this selection. */
const NONE_SUCH: Partial<Record<Choice['rows']['kind'], string>> = {
  empty: 'every row has its figures',
  failed: 'no row failed before',
  older: 'no row was analyzed so long ago',
};
