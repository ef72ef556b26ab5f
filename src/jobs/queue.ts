// The queue of a job: the products of the rows in the Analysis tab that wait to be asked.

import type { AnalysisRow, AnalysisTab } from '../analysis/analysis-tab';
import { unwantRow } from '../analysis/row-states';
import { type Failure, isFailure } from '../failures/failure';
import { productOfKey } from '../product/asin';

/** Product keys, in the order of the tab's rows. */
export function wantedProducts(tab: AnalysisTab): readonly string[] | Failure {
  const rows = waitingRows(tab);
  if (isFailure(rows)) return rows;
  const keys = rows.map(({ asin, market }) => `${asin}|${market}`);
  return [...new Set(keys)].filter((key) => productOfKey(key) !== null);
}

/** Empties the queue: no row waits any more. */
export function clearQueue(tab: AnalysisTab): Failure | null {
  const rows = waitingRows(tab);
  if (isFailure(rows)) return rows;
  if (rows.length === 0) return null;
  const cleared = tab.record(
    rows.map(({ key }) => [{ key }, (before) => before && unwantRow(before)]),
  );
  return isFailure(cleared) ? cleared : null;
}

function waitingRows(tab: AnalysisTab): readonly AnalysisRow[] | Failure {
  const rows = tab.read();
  return isFailure(rows) ? rows : [...rows.values()].filter(({ wantedMs }) => wantedMs !== null);
}
