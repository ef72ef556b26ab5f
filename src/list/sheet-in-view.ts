// The active sheet as it is in view: its columns, its list as it is tagged or else as it is found, and what
// of it needs attention.

import { isTabGone } from '../analysis/analysis-tab';
import { isFailure } from '../failures/failure';
import { areaOf, columnLetters, type SheetCell } from '../google/cells';
import type { Sheet, SheetSize } from '../google/sheet';
import { activeSheet, selectedAreas } from '../google/spreadsheet';
import { cleaned, isBarcode, isBlank, readAsin } from '../product/asin';
import { titleOf } from '../product/cell-text';
import { DEFAULT_FIELDS, FIELDS, type Field, fieldTitle } from '../product/fields';
import type { Market } from '../product/market';
import { isAtItsProducts } from './bound-titles';
import type { Choice, ChoiceByHand } from './choice';
import type { ListColumn } from './cost-choice';
import { hasCosts, marketOfCosts } from './cost-columns';
import { type Cells, type FoundColumns, findColumns, type NotFound } from './find-columns';
import { otherTitlesRow } from './list-end';
import { countMovedRows } from './our-cells';
import { rowsIn } from './rows';
import { isOurTag, type MarketBlock, readTags, type TaggedList, taggedLists } from './tagged-list';

/** The number of rows that are read. */
const SAMPLE_ROWS = 200;

/** Columns to the right of the first ones are read in fewer rows; they may belong to a list. */
const SAMPLE_COLUMNS = 100;
const SAMPLE_TITLE_ROWS = 20;

/** Cells of costs whose formats are read. */
const FORMAT_ROWS = 20;

export interface SheetInView {
  readonly sheet: { readonly id: number; readonly name: string };
  /** Columns with content; empty for an empty sheet. */
  readonly columns: readonly ListColumn[];
  /** Whether one of them holds costs, be it clear or not what they are for. */
  readonly hasCosts: boolean;
  /** The figures that can be shown, with their present column; null: a column is added. */
  readonly fields: readonly {
    readonly name: Field;
    readonly title: string;
    readonly column: ListColumn | null;
    readonly chosen: boolean;
  }[];
  /**
   * The number of rows with content in the product column; without a product column, of rows below
   * the header.
   */
  readonly listRows: number;
  /** The number of them that are selected. */
  readonly selectedRows: number;
  /**
   * The number of cells in the product column that hold more than the ASIN, hold it as a number, or
   * hold a barcode.
   */
  readonly toClean: number;
  /** The list as tagged in the sheet, else as found; null: there is no product column. */
  readonly choice: Choice | null;
  /** The market that the products' links or the costs name, if it is not the usual one. */
  readonly namedMarket?: { readonly market: Market; readonly by: 'links' | 'costs' };
  /** Set if no product column was found: the rest of the choice for one that a person picks. */
  readonly byHand?: ChoiceByHand;
  readonly nearest?: ListColumn & NotFound['nearest'];
  /** Rows with a product whose formulas are missing. */
  readonly newRows: number;
  /** Rows with a product that show nothing, because cells were moved. */
  readonly movedRows: number;
  /** Whether the list's figures are nowhere, because the tab Analysis was deleted. */
  readonly isTabGone: boolean;
}

/** @param fallback the market of a list that names none. */
export function sheetInView(fallback: Market): SheetInView {
  const sheet = activeSheet();
  const size = sheet.size() ?? { lastRow: 0, lastColumn: 0, maxRows: 0, maxColumns: 0 };
  const cells = sample(sheet, size);
  const [list = null] = taggedLists(sheet);
  const moved =
    list === null || isAtItsProducts(list) ? null : productsElsewhere(sheet, cells, list);
  const found = list === null ? findList(sheet, cells) : moved;
  const basis = found ?? list;
  const headerRow = basis?.headerRow ?? 0;
  const titles = (cells[headerRow - 1] ?? []).map(titleOf);
  const columnAt = (column: number): ListColumn => ({
    column,
    letter: columnLetters(column),
    title: titles[column - 1] ?? '',
  });
  const filled = columnsIn(cells).filter((column) =>
    cells.some((row) => !isBlank(row[column - 1])),
  );
  const productColumn = basis !== null && 'productColumn' in basis ? basis.productColumn : null;
  const lastRow = filled.length === 0 ? 0 : size.lastRow;
  const below = { row: headerRow + 1, rowCount: Math.max(0, lastRow - headerRow), columnCount: 1 };
  const products =
    productColumn === null || below.rowCount === 0
      ? null
      : productsBelow(sheet, cells, { ...below, column: productColumn });
  const isFilled = (row: number) => products === null || !isBlank(products[row - below.row]);
  const selected = [...rowsIn(selectedAreas(), below.row, lastRow)];
  const block = list?.blocks[0];
  const own = {
    columns: filled.map((column) => ({
      ...columnAt(column),
      values: cells.slice(headerRow).map((row) => row[column - 1] ?? ''),
    })),
  };
  const formatRows = Math.min(FORMAT_ROWS, cells.length - headerRow);
  const formatsOf = ({ column }: ListColumn) =>
    formatRows < 1 ? [] : (sheet.formats(areaOf(headerRow + 1, column, formatRows))?.flat() ?? []);
  const { linked, isOfEach } = marketsOfLinks(products ?? []);
  const named = linked ?? (list === null ? marketOfCosts(own, formatsOf) : null);
  const byLinks = list === null && isOfEach ? productColumn : null;
  const marketColumn = (basis !== null && 'marketColumn' in basis && basis.marketColumn) || byLinks;
  const byHand = restOfChoice(sheet, headerRow, marketColumn, block, named ?? fallback, titles);
  return {
    sheet: { id: sheet.id, name: sheet.name() ?? '' },
    columns: filled.map(columnAt),
    hasCosts: hasCosts(own),
    fields: FIELDS.map((name) => {
      const column = block?.columns.get(name);
      return {
        name,
        title: fieldTitle(name),
        column: column === undefined ? null : columnAt(column),
        chosen: basis !== null && byHand.fields.includes(name),
      };
    }),
    listRows: products?.filter((cell) => !isBlank(cell)).length ?? below.rowCount,
    selectedRows: selected.filter(isFilled).length,
    toClean: products?.filter((cell) => cleaned(cell) !== null || isBarcode(cell)).length ?? 0,
    choice: productColumn === null ? null : { ...byHand, ...titled(productColumn, titles) },
    ...(named !== null &&
      named !== fallback &&
      byHand.market.kind === 'one' && {
        namedMarket: { market: named, by: linked ? 'links' : 'costs' },
      }),
    ...(productColumn === null && found !== null && { byHand }),
    ...(found !== null &&
      'nearest' in found && { nearest: { ...found.nearest, ...columnAt(found.nearest.column) } }),
    isTabGone: block !== undefined && isTabGone(),
    movedRows: list === null || moved !== null ? 0 : countMovedRows(list),
    newRows:
      list === null || products === null || moved !== null
        ? 0
        : countNewRows(list, below, products),
  };
}

const titled = (productColumn: number, titles: readonly string[]) => {
  const productTitle = titles[productColumn - 1];
  return { productColumn, ...(productTitle && { productTitle }) };
};

/** The one market that links among these products lead to, or whether each leads to its own. */
function marketsOfLinks(products: readonly SheetCell[]) {
  const ofEach = products
    .filter((cell) => !isBlank(cell))
    .map((cell) => {
      const reading = typeof cell === 'string' && cell.includes('/') ? readAsin(cell) : null;
      return reading === null || isFailure(reading) ? null : reading.market;
    });
  const markets = new Set(ofEach.flatMap((market) => market ?? []));
  const [only = null] = markets;
  const isOne = markets.size === 1;
  return { linked: isOne ? only : null, isOfEach: markets.size > 1 && !ofEach.includes(null) };
}

const columnsIn = (cells: Cells): readonly number[] =>
  Array.from({ length: Math.max(0, ...cells.map((row) => row.length)) }, (_, at) => at + 1);

/** What a job does unless a person decides otherwise, apart from the product column. */
function restOfChoice(
  sheet: Sheet,
  headerRow: number,
  marketColumn: number | null,
  block: MarketBlock | undefined,
  fallback: Market,
  titles: readonly string[],
): ChoiceByHand {
  const title = titles[(marketColumn ?? 0) - 1];
  const market = block === undefined || block.market === 'column' ? fallback : block.market;
  const isOne = block === undefined ? marketColumn === null : block.market !== 'column';
  return {
    sheetId: sheet.id,
    headerRow,
    market:
      isOne || marketColumn === null
        ? { kind: 'one', market }
        : { kind: 'column', column: marketColumn, ...(title && { title }) },
    rows: { kind: 'all' },
    fields:
      block === undefined ? DEFAULT_FIELDS : FIELDS.filter((field) => block.columns.has(field)),
  };
}

/** The columns of a list, by what cells show, else by where they lead. */
function findList(sheet: Sheet, cells: Cells): ReturnType<typeof findColumns> {
  const shown = findColumns(cells);
  if (shown === null || 'productColumn' in shown) return shown;
  const columnCount = Math.min(SAMPLE_COLUMNS, ...cells.map((row) => row.length));
  const links = sheet.links(areaOf(1, 1, cells.length, columnCount)) ?? [];
  if (links.every((row) => row.every((link) => link === ''))) return shown;
  const linked = findColumns(
    cells.map((row, down) => row.map((cell, right) => links[down]?.[right] || cell)),
  );
  return linked !== null && 'productColumn' in linked ? linked : shown;
}

/** Where another column has the products by now, as in a list that was pasted over this one; null: none. */
function productsElsewhere(sheet: Sheet, cells: Cells, list: TaggedList): FoundColumns | null {
  const ours = new Set((readTags(sheet) ?? []).filter(isOurTag).map(({ at }) => at));
  const theirs = cells.map((row) => row.map((cell, at) => (ours.has(at + 1) ? '' : cell)));
  const found = findList(sheet, theirs);
  // The list's own titles stand in one row, which is not another list's.
  const isOther = found?.headerRow === list.headerRow && 'productColumn' in found;
  return isOther && found.productColumn !== list.productColumn ? found : null;
}

function sample(sheet: Sheet, { lastRow, lastColumn }: SheetSize): Cells {
  if (lastRow === 0 || lastColumn === 0) return [];
  const rowCount = Math.min(lastRow, SAMPLE_ROWS);
  const columnCount = Math.min(lastColumn, SAMPLE_COLUMNS);
  const cells = sheet.values(areaOf(1, 1, rowCount, columnCount)) ?? [];
  if (lastColumn === columnCount || cells.length === 0) return cells;
  const titleRows = Math.min(rowCount, SAMPLE_TITLE_ROWS);
  const titles = sheet.values(areaOf(1, columnCount + 1, titleRows, lastColumn - columnCount));
  return cells.map((row, at) => [...row, ...(titles?.[at] ?? [])]);
}

interface Below {
  readonly row: number;
  readonly rowCount: number;
}

/** The cells of the product column, out of the sample if it has all of them. */
function productsBelow(
  sheet: Sheet,
  cells: Cells,
  area: Below & { readonly column: number; readonly columnCount: number },
): readonly SheetCell[] | null {
  const { row, rowCount, column } = area;
  if (row + rowCount - 1 <= cells.length && column <= SAMPLE_COLUMNS)
    return cells.slice(row - 1, row - 1 + rowCount).map((line) => line[column - 1] ?? '');
  return sheet.values(area)?.map(([cell = '']) => cell) ?? null;
}

/** The rows with a product and without a formula in the first block's helper. */
function countNewRows(
  list: TaggedList,
  { row, rowCount }: Below,
  products: readonly SheetCell[],
): number {
  const helper = list.blocks[0]?.columns.get('helper');
  if (helper === undefined) return 0;
  const formulas = list.sheet.formulasR1C1(areaOf(row, helper, rowCount)) ?? [];
  const end = otherTitlesRow(list, products) ?? row + rowCount;
  const isNew = (cell: SheetCell, at: number) => !isBlank(cell) && !formulas[at]?.[0];
  return products.slice(0, end - row).filter(isNew).length;
}
