// The spreadsheet as a person sees it: lists through their formulas, the Analysis tab, and the log.

import { featuresOf } from 'apps-script-host/sheet/book-features';
import { createDateSerial, isDate } from 'apps-script-host/sheet/date-serial';
import type { CellValue } from 'apps-script-host/sheet/model';
import type { PlainGrid } from 'apps-script-host/sheet/plain-grid';
import { TAB_COLUMNS, type TabColumn } from '../../src/analysis/analysis-row';
import { FIELDS, fieldTitle } from '../../src/product/fields';
import { isOurs } from './keeper';

/** The key of the add-on's developer metadata. */
const METADATA = 'product-analysis';

/** A row of a list on one market. */
export interface SeenRow {
  readonly row: number;
  /** The product cell's text; '' if there is none. */
  readonly text: string;
  /** "B0XKT7M4QN|US"; '' if the cell names no product or no market. */
  readonly product: string;
  readonly status: string;
  /** "Analyzed at" in ms since 1970. */
  readonly atMs: number | null;
  /** By title; only those that formulas show. '' for a blank cell. */
  readonly figures: Readonly<Record<string, CellValue>>;
  /** Columns of the add-on in which somebody has typed over the formula, or emptied its cell. */
  readonly typed: readonly string[];
  readonly blank: readonly string[];
  /** By title of the row's own columns. */
  readonly own: Readonly<Record<string, CellValue>>;
}

interface Mark {
  readonly list?: string;
  readonly role?: string;
  readonly market?: string;
}

/** What a person reads in a product cell: an ASIN in any case, alone or in a link. */
const asinIn = (text: string) =>
  /(?:^|\/DP\/)([0-9A-Z]{10})$/.exec(text.trim().toUpperCase())?.[1] ?? '';

const marketIn = (text: string) => /^(US|UK)$/.exec(text.trim().toUpperCase())?.[1] ?? '';

/** The rows of all lists in a sheet, through the formulas that show them. */
export function seenRows(grid: PlainGrid, sheetId: number): readonly SeenRow[] {
  const marks = marksIn(grid, sheetId);
  const products = marks.filter(({ role }) => role === 'product');
  return products.flatMap(({ list, column }) => {
    const own = marks.filter((mark) => mark.list === list && mark.column !== column);
    const markets = new Set(own.flatMap(({ market }) => market ?? []));
    const marketColumn = own.find(({ role }) => role === 'market')?.column ?? null;
    return [...markets].flatMap((market) => {
      // A start that was refused because the market column was renamed has left columns of none.
      if (market === 'column' && marketColumn === null) return [];
      const columns = own.filter((mark) => mark.market === market);
      return rowsOf(grid, sheetId, { column, market, marketColumn, columns });
    });
  });
}

type Placed = Mark & { readonly column: number };

function marksIn(grid: PlainGrid, sheetId: number): readonly Placed[] {
  return (
    featuresOf(grid)
      .metadata()
      .filter((one) => one.key === METADATA && one.sheetId === sheetId && one.axis === 'column')
      // Columns of the Analysis tab have their plain name.
      .filter(({ value }) => value?.startsWith('{'))
      .map(({ value, rectangle }) => ({
        ...(JSON.parse(value ?? '{}') as Mark),
        column: rectangle?.column ?? 0,
      }))
  );
}

interface GroupPlace {
  readonly column: number;
  readonly market: string;
  readonly marketColumn: number | null;
  readonly columns: readonly Placed[];
}

const TITLES: ReadonlyMap<string, string> = new Map(
  FIELDS.map((field) => [field, fieldTitle(field)]),
);

function rowsOf(grid: PlainGrid, sheetId: number, place: GroupPlace): readonly SeenRow[] {
  const { lastRow, lastColumn } = grid.size(sheetId);
  if (lastRow < 2) return [];
  const area = { row: 1, column: 1, rowCount: lastRow, columnCount: lastColumn };
  const formulas = grid.formulas(sheetId, area);
  const [titles = [], ...rows] = grid.values(sheetId, area);
  return rows.map((cells, down) => {
    const isLookup = (column: number) => isOurs(formulas[down + 1]?.[column - 1] ?? '');
    const shown = (role: TabColumn) => {
      const at = place.columns.find((one) => one.role === role)?.column ?? 0;
      return isLookup(at) ? (cells[at - 1] ?? '') : '';
    };
    const others = (isBlank: boolean) =>
      place.columns
        .filter(({ column }) => !isLookup(column) && ((cells[column - 1] ?? '') === '') === isBlank)
        .map(({ role = '' }) => role);
    const text = String(cells[place.column - 1] ?? '');
    const asin = asinIn(text);
    const said =
      place.marketColumn === null ? place.market : String(cells[place.marketColumn - 1] ?? '');
    const market = marketIn(said === '' || said === 'column' ? 'US' : said);
    return {
      row: down + 2,
      text,
      product: asin === '' || market === '' ? '' : `${asin}|${market}`,
      status: String(shown('status')),
      atMs: momentOf(grid, shown('analyzed_at')),
      figures: Object.fromEntries(
        place.columns.flatMap(({ role = '', column }) => {
          const title = TITLES.get(role);
          return title === undefined || !isLookup(column) ? [] : [[title, cells[column - 1] ?? '']];
        }),
      ),
      ...{ typed: others(false), blank: others(true) },
      own: Object.fromEntries(titles.map((title, at) => [String(title), cells[at] ?? ''])),
    };
  });
}

const momentOf = (grid: PlainGrid, shown: CellValue): number | null => {
  const date = typeof shown === 'number' ? createDateSerial(grid.timeZone()).toDate(shown) : shown;
  return isDate(date) ? date.getTime() : null;
};

/** The Analysis tab's sheet; null: there is none. */
export function tabIn(grid: PlainGrid): number | null {
  const marked = featuresOf(grid)
    .metadata()
    .find((one) => one.key === METADATA && one.value === 'analysis' && one.rectangle === null);
  return marked?.sheetId ?? null;
}

/** A row of the Analysis tab, by column. */
export type TabRow = Readonly<Record<TabColumn, CellValue>>;

/** The rows of the Analysis tab, from the top. */
export function tabRows(grid: PlainGrid): readonly TabRow[] {
  const sheetId = tabIn(grid);
  if (sheetId === null) return [];
  const { lastRow, lastColumn } = grid.size(sheetId);
  if (lastRow < 2) return [];
  const columns = new Map(
    featuresOf(grid)
      .metadata()
      .filter((one) => one.key === METADATA && one.sheetId === sheetId && one.axis === 'column')
      .map(({ value, rectangle }) => [value ?? '', rectangle?.column ?? 0]),
  );
  const area = { row: 2, column: 1, rowCount: lastRow - 1, columnCount: lastColumn };
  return grid
    .values(sheetId, area)
    .map((cells) =>
      Object.fromEntries(
        TAB_COLUMNS.map((column) => [column, cells[(columns.get(column) ?? 0) - 1] ?? '']),
      ),
    ) as unknown as readonly TabRow[];
}

/** The text of a cell; a record of the Analysis tab without its moments, which differ from run to run. */
export const withoutMoments = (text: string): string =>
  text.replace(/¦(analyzed_at|analyzed|tried|wanted)=[^¦]+/g, '¦$1=a moment');

/** One line of the change log. */
export interface LogLine {
  readonly atMs: number;
  readonly product: string;
  /** The title of the figure. */
  readonly title: string;
  readonly before: CellValue;
  readonly after: CellValue;
}

/** The change log from the top, which the first change creates. */
export function seenLog(grid: PlainGrid): readonly LogLine[] {
  // Where Google failed as it was made, a tab of its name without lines may stand beside it.
  const sheet = grid
    .sheets()
    .find(({ id, name }) => name.startsWith('Analysis changes') && grid.size(id).lastRow > 1);
  const rowCount = sheet === undefined ? 0 : grid.size(sheet.id).lastRow - 1;
  if (sheet === undefined || rowCount < 1) return [];
  const cells = grid.values(sheet.id, { row: 2, column: 1, rowCount, columnCount: 6 });
  return cells
    .filter((row) => row.some((cell) => cell !== ''))
    .map(([when, asin, market, title, before = '', after = '']) => ({
      atMs: isDate(when ?? '') ? (when as Date).getTime() : 0,
      product: `${asin}|${market}`,
      ...{ title: String(title), before, after },
    }));
}
