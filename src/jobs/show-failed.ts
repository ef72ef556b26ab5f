// Selects the rows of a job's list that failed in some ways, wherever they are now.

import { analysisRows } from '../analysis/analysis-tab';
import { type Failure, isFailure, runProblem, statusWords } from '../failures/failure';
import type { Platform } from '../google/platform';
import { sheetById } from '../google/spreadsheet';
import { markedLists } from '../list/marked-list';
import { readRows } from '../list/rows';
import { showRows } from '../list/show-rows';
import { jobStore } from './job-store';

/** @param kinds of failures. Returns how many rows are selected. */
export function showFailed(
  platform: Platform,
  jobId: string,
  kinds: readonly string[],
): number | Failure {
  const job = jobStore(platform).read();
  if (job?.id !== jobId) return runProblem('run-ended');
  const sheet = sheetById(job.sheetId);
  const list = sheet && markedLists(sheet).find(({ id }) => id === job.listId);
  const group = list?.groups.find(({ market }) => market === job.market);
  if (!sheet || !list || !group) return runProblem('sheet-gone');
  const known = analysisRows(platform.clock);
  if (isFailure(known)) return known;
  const rows = readRows({ ...list, market: group.market }, known) ?? [];
  const words = kinds.flatMap(statusWords);
  const failed = rows.filter((row) => row.known !== undefined && words.includes(row.known.status));
  return showRows(
    sheet,
    failed.map(({ row }) => row),
  );
}
