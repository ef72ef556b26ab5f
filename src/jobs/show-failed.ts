// Selects the rows of a job's list that failed in some ways, wherever they are now.

import { analysisRows } from '../analysis/analysis-tab';
import { type Failure, isFailure, runProblem } from '../failures/failure';
import { statusWords } from '../failures/status';
import type { Platform } from '../google/platform';
import { markedList } from '../list/marked-list';
import { readRows } from '../list/rows';
import { showRows } from '../list/show-rows';
import { jobStore } from './job';

/** @param kinds of failures. Returns how many rows are selected. */
export function showFailed(
  platform: Platform,
  jobId: string,
  kinds: readonly string[],
): number | Failure {
  const job = jobStore(platform).read();
  if (job?.id !== jobId) return runProblem('run-ended');
  const list = markedList(job);
  const group = list?.groups.find(({ market }) => market === job.market);
  if (!list || !group) return runProblem('sheet-gone');
  const known = analysisRows(platform.clock);
  if (isFailure(known)) return known;
  const rows = readRows({ ...list, market: group.market }, known) ?? [];
  const words = kinds.flatMap(statusWords);
  const failed = rows.filter((row) => row.known !== undefined && words.includes(row.known.status));
  return showRows(
    list.sheet,
    failed.map(({ row }) => row),
  );
}
