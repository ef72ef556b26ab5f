// Figures of ours under a header that somebody renamed between two runs: known by what stands below it.

import type { Engine } from '../analysis/engine';
import { type Field, fieldOfName } from '../analysis/fields';
import { type Product, productKey } from '../analysis/product';
import type { SheetCell, SheetPlatform } from '../platform/sheet-ports';
import type { Choice } from './choice';
import type { Cells } from './find-columns';
import { type OwnColumns, ownColumns, readSample } from './look';
import { readStatus } from './row-status';
import { cellKey } from './view';

/** So many rows of one list tell enough. */
const ROWS_MAX = 50;

/** Of so many cells one may be another by now: somebody wrote over it. */
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
  const columns = ownColumns(cells, choice);
  const missing = choice.fields.filter((field) => columns.added.some(({ key }) => key === field));
  const places = missing.length === 0 ? [] : placesAmong(columns, cells, choice);
  const rows = places.length === 0 ? [] : analyzedRows(columns, cells, choice);
  if (rows.length === 0) return choice;
  const known = lastGood.find(rows.map(({ product }) => productKey(product)));
  const tells = (field: Field, column: number) => {
    const pairs = rows.flatMap(({ product, line }): [SheetCell, SheetCell][] => {
      const figure = known.get(productKey(product))?.figures[field] ?? '';
      const cell = line[column - 1] ?? '';
      return figure === '' || cell === '' ? [] : [[figure, cell]];
    });
    const same = pairs.filter(([figure, cell]) => cellKey(figure) === cellKey(cell));
    const kinds = new Set(same.map(([figure]) => cellKey(figure))).size;
    return kinds > 1 && same.length >= SAME_TO_OTHER * (pairs.length - same.length);
  };
  const titles = cells[choice.headerRow - 1] ?? [];
  const renamed = missing.flatMap((field) => {
    const column = places.find((place) => tells(field, place));
    return column === undefined ? [] : [{ key: field, title: String(titles[column - 1]).trim() }];
  });
  return { ...choice, renamed };
}

/** Columns with a title that is no figure's, among ours or right before them: nobody's copies. */
function placesAmong({ existing, added }: OwnColumns, cells: Cells, choice: Choice) {
  const own = existing.map(({ column }) => column);
  const { market, productColumn } = choice;
  const taken = [productColumn, market.kind === 'column' ? market.column : 0, ...own];
  const titles = (cells[choice.headerRow - 1] ?? []).map((cell) => String(cell).trim());
  const isPlace = (title: string, column: number) =>
    title !== '' &&
    fieldOfName(title) === undefined &&
    titles.indexOf(title) === titles.lastIndexOf(title) &&
    !taken.includes(column) &&
    column >= Math.min(...own) - added.length &&
    column < Math.max(...own);
  return titles.flatMap((title, at) => (isPlace(title, at + 1) ? [at + 1] : []));
}

/** Those whose figures are those of their product, by their status. */
function analyzedRows({ existing }: OwnColumns, cells: Cells, { headerRow }: Choice) {
  const status = existing.find(({ key }) => key === 'status')?.column ?? 0;
  const rows = cells
    .slice(headerRow)
    .flatMap((line): { product: Product; line: Cells[number] }[] => {
      const read = readStatus(line[status - 1]);
      return read.kind === 'ok' ? [{ product: read.product, line }] : [];
    });
  return rows.slice(0, ROWS_MAX);
}
