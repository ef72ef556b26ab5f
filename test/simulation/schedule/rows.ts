// The list as a person sees it in the sheet: each row with its product, figures and status.

import { createDateSerial } from 'apps-script-host/sheet/date-serial';
import type { CellValue } from 'apps-script-host/sheet/model';
import type { PlainGrid } from 'apps-script-host/sheet/plain-grid';
import { saidIn } from '../../table/status-cells';

const FIGURES = ['Profit', 'ROI', 'Fees', 'Eligible', 'Rank drops 30d'];

export type SeenStatus =
  | { readonly kind: 'none' }
  | { readonly kind: 'ok'; readonly asin: string }
  | { readonly kind: 'failed'; readonly failure: string }
  | { readonly kind: 'queued' }
  | { readonly kind: 'strange'; readonly text: string };

export interface SeenRow {
  readonly row: number;
  /** '' if there is no product. */
  readonly asin: string;
  readonly note: CellValue;
  readonly remark: CellValue;
  readonly isStarred: boolean;
  readonly status: SeenStatus;
  /** "Analyzed at" in ms since 1970. */
  readonly atMs: number | null;
  /** By header; '' for an empty cell. */
  readonly figures: Readonly<Record<string, CellValue>>;
}

export function seenRows(grid: PlainGrid, sheetId: number): readonly SeenRow[] {
  const { lastRow, lastColumn } = grid.size(sheetId);
  const area = { row: 1, column: 1, rowCount: lastRow, columnCount: lastColumn };
  const [header = [], ...cells] = grid.values(sheetId, area);
  const places = new Map(header.map((title, at) => [String(title), at]));
  return cells.map((row, down): SeenRow => {
    const cell = (title: string) => row[places.get(title) ?? -1] ?? '';
    const shown = cell('Analyzed at');
    // If rows are sorted while formats are written, a time may appear as a number.
    const at = typeof shown === 'number' ? createDateSerial(grid.timeZone()).toDate(shown) : shown;
    return {
      row: down + 2,
      asin: String(cell('ASIN')),
      note: cell('Note'),
      remark: cell('Remark'),
      isStarred: cell('Star') !== '',
      status: statusOf(saidIn(cell('Analysis status'))),
      atMs: at instanceof Date ? at.getTime() : null,
      figures: Object.fromEntries(FIGURES.map((title) => [title, cell(title)])),
    };
  });
}

function statusOf(text: string): SeenStatus {
  if (text === '') return { kind: 'none' };
  if (text.startsWith('Queued')) return { kind: 'queued' };
  const asin = /^OK ([0-9A-Z]{10}) US$/.exec(text)?.[1];
  if (asin !== undefined) return { kind: 'ok', asin };
  const failure = /^\[([a-z-]+)[^\]]*\]$/.exec(text)?.[1];
  return failure === undefined ? { kind: 'strange', text } : { kind: 'failed', failure };
}

export const isQueued = ({ status }: SeenRow): boolean => status.kind === 'queued';

/** One line of the change log. */
export interface LogLine {
  readonly atMs: number;
  readonly asin: string;
  /** The title of the figure. */
  readonly title: string;
  readonly before: CellValue;
  readonly after: CellValue;
}

/** The change log from the top; it is created with the first change. */
export function seenLog(grid: PlainGrid): readonly LogLine[] {
  const sheet = grid.sheets().find(({ name }) => name === 'Analysis changes');
  if (sheet === undefined) return [];
  const rowCount = grid.size(sheet.id).lastRow - 1;
  if (rowCount < 1) return [];
  const cells = grid.values(sheet.id, { row: 2, column: 1, rowCount, columnCount: 6 });
  // A run that was cut off leaves empty rows at the top until the next one writes.
  const lines = cells.filter((row) => row.some((cell) => cell !== ''));
  return lines.map(([when, asin, , title, before = '', after = '']) => ({
    atMs: when instanceof Date ? when.getTime() : 0,
    ...{ asin: String(asin), title: String(title), before, after },
  }));
}

/** This many lines identify where the log began before. */
const ENOUGH = 50;

/** The lines added at the top; the oldest lines disappear at the end. */
export function newLines(
  before: readonly LogLine[],
  after: readonly LogLine[],
): readonly LogLine[] {
  const text = (lines: readonly LogLine[], from: number, count: number) =>
    JSON.stringify(lines.slice(from, from + count));
  const isRest = (at: number) => {
    const count = Math.min(ENOUGH, before.length, after.length - at);
    return text(before, 0, count) === text(after, at, count);
  };
  let count = Math.max(0, after.length - before.length);
  while (!isRest(count)) count += 1;
  return after.slice(0, count);
}
