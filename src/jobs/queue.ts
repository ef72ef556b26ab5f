// The queue of a job: the products of the rows in the Analysis tab that wait to be asked.

import { unwantRow } from '../analysis/analysis-row';
import type { AnalysisTab } from '../analysis/analysis-tab';
import { type Failure, isFailure, isFailureStatus, kindOfStatus } from '../failures/failure';
import { productOfKey } from '../product/asin';
import { addCounts, type Job, type JobCounts, NO_COUNTS } from './job';

/** What the tab says of a job. */
export interface Queue {
  /** Keys of products that wait, in the order of the tab's rows. */
  readonly products: readonly string[];
  /** Of rows that were answered after the job was last touched. */
  readonly uncounted: JobCounts;
}

/** The kind of a failure whose status is that of several kinds. */
const UNKNOWN_KIND = 'timed-out';

/** Google may cut off a record between writing its rows and counting them, so they are counted here. */
export function readQueue(tab: AnalysisTab, { touchedMs }: Job): Queue | Failure {
  const rows = tab.read();
  if (isFailure(rows)) return rows;
  const wanted = new Set<string>();
  const answered = new Map<string, string>();
  for (const { asin, market, status, wantedMs, triedMs } of rows.values()) {
    const product = `${asin}|${market}`;
    if (wantedMs !== null && productOfKey(product) !== null) wanted.add(product);
    else if (triedMs !== null && triedMs > touchedMs) answered.set(product, status);
  }
  let uncounted = NO_COUNTS;
  for (const status of answered.values())
    uncounted = addCounts(
      uncounted,
      isFailureStatus(status)
        ? { ...NO_COUNTS, failures: { [kindOfStatus(status) ?? UNKNOWN_KIND]: 1 } }
        : { ...NO_COUNTS, answered: 1 },
    );
  return { products: [...wanted], uncounted };
}

/** Empties the queue: no row waits any more. */
export function clearQueue(tab: AnalysisTab): Failure | null {
  const rows = tab.read();
  if (isFailure(rows)) return rows;
  const waiting = [...rows.values()].filter(({ wantedMs }) => wantedMs !== null);
  if (waiting.length === 0) return null;
  const cleared = tab.record(
    waiting.map(({ key }) => [{ key }, (before) => before && unwantRow(before)]),
  );
  return isFailure(cleared) ? cleared : null;
}
