// The list as somebody sees it who looks at the sheet: each row with its product, figures and status.

import type { CellValue } from '../../../playground/host/sheet/model';
import type { PlainGrid } from '../../../playground/host/sheet/plain-grid';

const FIGURES = ['Profit', 'ROI', 'Fees', 'Eligible', 'Rank drops 30d'];

export type SeenStatus =
  | { readonly kind: 'none' }
  | { readonly kind: 'ok'; readonly asin: string }
  | { readonly kind: 'failed'; readonly failure: string }
  | { readonly kind: 'queued' }
  | { readonly kind: 'strange'; readonly text: string };

export interface SeenRow {
  readonly row: number;
  /** '' where there is no product. */
  readonly asin: string;
  readonly note: CellValue;
  readonly remark: CellValue;
  readonly isStarred: boolean;
  readonly status: SeenStatus;
  /** "Analyzed at", ms since 1970. */
  readonly atMs: number | null;
  /** By header; '' where nothing stands. */
  readonly figures: Readonly<Record<string, CellValue>>;
}

export interface SeenList {
  readonly titles: readonly string[];
  readonly rows: readonly SeenRow[];
  /** The whole table as it stands. */
  readonly cells: readonly (readonly CellValue[])[];
}

export function seenList(grid: PlainGrid, sheetId: number): SeenList {
  const { lastRow, lastColumn } = grid.size(sheetId);
  const area = { row: 1, column: 1, rowCount: lastRow, columnCount: lastColumn };
  const [header = [], ...cells] = grid.values(sheetId, area);
  const titles = header.map(String);
  const places = new Map(titles.map((title, at) => [title, at]));
  const rows = cells.map((row, down): SeenRow => {
    const cell = (title: string) => row[places.get(title) ?? -1] ?? '';
    const at = cell('Analyzed at');
    return {
      row: down + 2,
      asin: String(cell('ASIN')),
      note: cell('Note'),
      remark: cell('Remark'),
      isStarred: cell('Star') !== '',
      status: statusOf(String(cell('Analysis status'))),
      atMs: at instanceof Date ? at.getTime() : null,
      figures: Object.fromEntries(FIGURES.map((title) => [title, cell(title)])),
    };
  });
  return { titles, rows, cells };
}

function statusOf(text: string): SeenStatus {
  if (text === '') return { kind: 'none' };
  if (text.startsWith('Queued')) return { kind: 'queued' };
  const asin = /^OK ([0-9A-Z]{10}) US$/.exec(text)?.[1];
  if (asin !== undefined) return { kind: 'ok', asin };
  const failure = /^Not analyzed: .*\[([a-z-]+)[^\]]*\]$/s.exec(text)?.[1];
  return failure === undefined ? { kind: 'strange', text } : { kind: 'failed', failure };
}

export const NOTHING_SEEN: SeenList = { titles: [], rows: [], cells: [] };

export const isQueued = ({ status }: SeenRow): boolean => status.kind === 'queued';
