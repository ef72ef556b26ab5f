// Shows a person the rows of products that a rule has marked since they last looked.

import { analysisRows } from '../analysis/analysis-tab';
import { type Failure, isFailure } from '../failures/failure';
import type { Platform } from '../google/platform';
import { allSheets } from '../google/spreadsheet';
import { markedLists } from '../list/marked-list';
import { showRows } from '../list/show-rows';
import { productKey } from '../product/asin';
import { readLog } from './change-log';
import { productsMarked, seenMs } from './digest';
import { rowsOf } from './list-rows';
import { identityHere } from './schedule-store';

/**
 * Selects the rows on the sheet whose lists have most of them, and returns their number.
 *
 * @param rule the rule's words.
 */
export function showMarked(platform: Platform, rule: string): number | Failure {
  const sinceMs = seenMs(platform, identityHere(platform));
  const news = readLog().filter(({ atMs }) => atMs > sinceMs);
  const marked = productsMarked(news, rule);
  const known = analysisRows(platform.clock);
  if (isFailure(known)) return known;
  const found = allSheets().map((sheet) => {
    const rows = markedLists(sheet).flatMap((list) => rowsOf(list, known) ?? []);
    const isMarked = ({ content }: (typeof rows)[number]) =>
      content.kind === 'product' && marked.has(productKey(content.product));
    return { sheet, rows: rows.filter(isMarked).map(({ row }) => row) };
  });
  const [most] = found.sort((one, other) => other.rows.length - one.rows.length);
  return most === undefined || most.rows.length === 0 ? 0 : showRows(most.sheet, most.rows);
}
