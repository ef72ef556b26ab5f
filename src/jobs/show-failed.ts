// Selects the rows of a job's list that failed in some ways, wherever they are now.

import { analysisRows } from '../analysis/analysis-tab';
import { type Failure, isFailure, runProblem } from '../failures/failure';
import { statusWords } from '../failures/status';
import type { Platform } from '../google/platform';
import { readRows } from '../list/rows';
import { showRows } from '../list/show-rows';
import { taggedList } from '../list/tagged-list';
import { jobStore } from './job';

/** @param kinds of failures. Returns how many rows are selected. */
export function showFailed(
  platform: Platform,
  jobId: string,
  kinds: readonly string[],
): number | Failure {
  const job = jobStore(platform).read();
  if (job?.id !== jobId) return runProblem('run-ended');
  const list = taggedList(job);
  const block = list?.blocks.find(({ market }) => market === job.market);
  if (!list || !block) return runProblem('sheet-gone');
  const tabRows = analysisRows(platform.clock);
  if (isFailure(tabRows)) return tabRows;
  const rows = readRows({ ...list, market: block.market }, tabRows) ?? [];
  const words = kinds.flatMap(statusWords);
  const failed = rows.filter(
    (row) => row.tabRow !== undefined && words.includes(row.tabRow.status),
  );
  return showRows(
    list.sheet,
    failed.map(({ row }) => row),
  );
}
