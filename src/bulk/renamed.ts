// Figures of ours under a header that somebody renamed between two runs: known by what stands below it.

import type { Engine } from '../analysis/engine';
import type { Field } from '../analysis/fields';
import { productKey } from '../analysis/product';
import type { SheetPlatform } from '../platform/sheet-ports';
import type { Choice } from './choice';
import { ownColumns, readSample } from './look';
import { titleOf } from './our-columns';
import { readStatus } from './row-status';

/** So many rows of one list tell enough. */
const ROWS_MAX = 50;

/** Beside so many different figures one cell may be another by now: somebody wrote over it. */
const SAME_TO_OTHER = 4;

/**
 * The choice with the titles of such columns. Only figures that the service last gave for the very
 * products of their rows tell: whatever else stands in our columns' midst may be somebody's own.
 */
export function withRenamed(
  { spreadsheet }: SheetPlatform,
  { lastGood }: Engine,
  choice: Choice,
): Choice {
  const sheet = spreadsheet.sheet(choice.sheetId);
  const cells = sheet === null ? [] : readSample(sheet);
  const { existing, added } = ownColumns(cells, choice);
  const missing = choice.fields.filter((field) => added.some(({ key }) => key === field));
  const status = existing.find(({ key }) => key === 'status');
  if (missing.length === 0 || status === undefined) return choice;
  const rows = cells.slice(choice.headerRow, choice.headerRow + ROWS_MAX);
  const keys = rows.map((row) => {
    const read = readStatus(row[status.column - 1]);
    return read.kind === 'ok' ? productKey(read.product) : '';
  });
  const known = lastGood.find(keys);
  const tells = (field: Field, at: number) => {
    const same = new Set<unknown>();
    let others = 0;
    for (const [down, row] of rows.entries()) {
      const [figure, cell] = [known.get(keys[down] ?? '')?.figures[field] ?? '', row[at] ?? ''];
      if (figure !== '' && figure === cell) same.add(cell);
      else if (figure !== '' && cell !== '') others += 1;
    }
    return same.size > 1 + SAME_TO_OTHER * others;
  };
  const own = existing.map(({ column }) => column);
  // Copies that somebody keeps stand elsewhere.
  const isAmong = (column: number) =>
    column >= Math.min(...own) - added.length && column < Math.max(...own);
  const titles = (cells[choice.headerRow - 1] ?? []).map(titleOf);
  const renamed = missing.flatMap((key) => {
    const isOurs = (title: string, at: number) =>
      title !== '' && titles.indexOf(title) === at && isAmong(at + 1) && tells(key, at);
    const title = titles.find(isOurs);
    return title === undefined ? [] : [{ key, title }];
  });
  return { ...choice, renamed };
}
