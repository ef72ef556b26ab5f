// What people do in a list and in the Analysis tab while the add-on is at work, drawn from a seed.

import type { Random } from 'apps-script-host/random';
import type { Act } from 'apps-script-host/sheet/acts';
import { featuresOf } from 'apps-script-host/sheet/book-features';
import type { CellContent, Rectangle } from 'apps-script-host/sheet/model';
import type { PlainGrid } from 'apps-script-host/sheet/plain-grid';
import { TAB_COLUMNS } from '../../src/analysis/analysis-row';
import { LIST, rowOf } from './book';
import { tabIn } from './seen';
import { ASINS } from './service';

/** Products that are typed in; some of them are in the list already. */
const OTHERS = ASINS.slice(0, 400);

/** How people write a product. */
export const SPELLINGS: readonly ((asin: string) => string)[] = [
  (asin) => asin,
  (asin) => asin,
  (asin) => asin.toLowerCase(),
  (asin) => ` ${asin}`,
  (asin) => `https://www.amazon.com/dp/${asin}`,
];

/** Numbers that people type over figures are told from figures by their size. */
const TYPED_FROM = 9_000_000;
export const isTyped = (value: unknown): boolean =>
  (typeof value === 'number' && value >= TYPED_FROM) || value === 'my word';

/** Neither lists nor the tab grow without end. */
const WIDTH_MAX = 22;
const ROWS_MIN = 4;

type Acts = readonly Act[];
type Kind = (grid: PlainGrid, random: Random) => Acts;

function areaOf(grid: PlainGrid, sheetId: number): Rectangle | null {
  const { lastRow, lastColumn } = grid.size(sheetId);
  if (lastRow < 3) return null;
  return { row: 2, column: 1, rowCount: lastRow - 1, columnCount: lastColumn };
}

const anyRow = (grid: PlainGrid, random: Random, sheetId: number) =>
  random.integer(2, Math.max(2, grid.size(sheetId).lastRow));

const anyColumn = (grid: PlainGrid, random: Random, sheetId: number) =>
  random.integer(1, Math.max(1, grid.size(sheetId).lastColumn));

const titlesOf = (grid: PlainGrid, sheetId: number): readonly string[] => {
  const columnCount = Math.max(1, grid.size(sheetId).lastColumn);
  return (grid.values(sheetId, { row: 1, column: 1, rowCount: 1, columnCount })[0] ?? []).map(
    String,
  );
};

/** Columns with the add-on's mark. */
const markedColumns = (grid: PlainGrid, sheetId: number, mark = /./): readonly number[] =>
  featuresOf(grid)
    .metadata()
    .filter((one) => one.sheetId === sheetId && one.axis === 'column')
    .filter(({ value }) => mark.test(value ?? ''))
    .map(({ rectangle }) => rectangle?.column ?? 0);

/** What can be done to any table. */
const sort =
  (at: (grid: PlainGrid) => number | null): Kind =>
  (grid, random) => {
    const sheetId = at(grid);
    const rectangle = sheetId === null ? null : areaOf(grid, sheetId);
    if (sheetId === null || rectangle === null) return [];
    const column = random.integer(1, rectangle.columnCount);
    return [{ do: 'sort', sheetId, rectangle, keys: [{ column, ascending: random.chance(0.5) }] }];
  };

const insertRows =
  (at: (grid: PlainGrid) => number | null): Kind =>
  (grid, random) => {
    const sheetId = at(grid);
    if (sheetId === null) return [];
    const first = anyRow(grid, random, sheetId);
    return [{ do: 'insertRows', sheetId, first, count: random.integer(1, 3) }];
  };

const deleteRow =
  (at: (grid: PlainGrid) => number | null): Kind =>
  (grid, random) => {
    const sheetId = at(grid);
    if (sheetId === null || grid.size(sheetId).lastRow < ROWS_MIN) return [];
    return [{ do: 'deleteRows', sheetId, first: anyRow(grid, random, sheetId), count: 1 }];
  };

/** Drags rows elsewhere, where Sheets lets their formulas follow. */
const moveRows: Kind = (grid, random) => {
  const first = anyRow(grid, random, LIST);
  const before = random.integer(2, grid.size(LIST).lastRow + 1);
  if (before === first || before === first + 1) return [];
  return [{ do: 'moveRows', sheetId: LIST, first, count: 1, before }];
};

/** Cuts a row out and pastes it below the last. */
const cutPaste =
  (at: (grid: PlainGrid) => number | null): Kind =>
  (grid, random) => {
    const sheetId = at(grid);
    if (sheetId === null) return [];
    const { lastRow, lastColumn, maxRows } = grid.size(sheetId);
    const row = anyRow(grid, random, sheetId);
    if (lastRow + 1 > maxRows || row >= lastRow) return [];
    const from = { row, column: 1, rowCount: 1, columnCount: lastColumn };
    return [{ do: 'cutPaste', sheetId, from, row: lastRow + 1, column: 1 }];
  };

const renameHeader =
  (at: (grid: PlainGrid) => number | null): Kind =>
  (grid, random) => {
    const sheetId = at(grid);
    if (sheetId === null) return [];
    const column = anyColumn(grid, random, sheetId);
    const contents = [[`Title ${random.integer(100, 999)}`]];
    return [{ do: 'edit', sheetId, row: 1, column, contents }];
  };

const renameTab =
  (at: (grid: PlainGrid) => number | null): Kind =>
  (grid, random) => {
    const sheetId = at(grid);
    if (sheetId === null) return [];
    return [{ do: 'renameSheet', sheetId, name: `Tab ${random.integer(1, 9_999)}'s` }];
  };

const hideOrFilter =
  (at: (grid: PlainGrid) => number | null): Kind =>
  (grid, random) => {
    const sheetId = at(grid);
    if (sheetId === null) return [];
    return [{ do: 'hideRows', sheetId, first: anyRow(grid, random, sheetId), count: 1 }];
  };

const edit = (
  sheetId: number,
  row: number,
  column: number,
  contents: readonly (readonly CellContent[])[],
): Acts => [{ do: 'edit', sheetId, row, column, contents }];

const inList = (): number => LIST;

/** The product's column by now; 0: it is gone. */
function productColumn(grid: PlainGrid): number {
  const [marked] = markedColumns(grid, LIST, /"role":"product"/);
  return marked ?? titlesOf(grid, LIST).indexOf('ASIN') + 1;
}

/** Types products over others, one or several below each other, with their notes. */
const pasteProducts: Kind = (grid, random) => {
  const column = productColumn(grid);
  if (column < 2) return [];
  const row = anyRow(grid, random, LIST);
  const count = Math.min(random.pick([1, 1, 1, 5]), grid.size(LIST).maxRows - row + 1);
  const contents = Array.from({ length: count }, () =>
    rowOf(random.pick(SPELLINGS)(random.pick(OTHERS))).slice(0, 2),
  );
  return edit(LIST, row, column - 1, contents);
};

/** Empties a product's cell, or types what is none. */
const spoilProduct: Kind = (grid, random) => {
  const column = productColumn(grid);
  if (column === 0) return [];
  return edit(LIST, anyRow(grid, random, LIST), column, [
    [random.pick(['', 'see the mail', '4006381333931', 'B0'])],
  ]);
};

const skip: Kind = (grid, random) => {
  const column = titlesOf(grid, LIST).indexOf('Skip') + 1;
  if (column === 0) return [];
  return edit(LIST, anyRow(grid, random, LIST), column, [[random.pick(['x', ''])]]);
};

/** Types or pastes over whatever is in the columns of the add-on, or empties a cell of them. */
const typeOverFigures: Kind = (grid, random) => {
  const columns = markedColumns(grid, LIST, /"role":"(?!product|helper)/);
  if (columns.length === 0) return [];
  const row = anyRow(grid, random, LIST);
  const count = Math.min(random.pick([1, 1, 3]), grid.size(LIST).maxRows - row + 1);
  const what = random.chance(0.3) ? '' : TYPED_FROM + random.integer(1, 99_999);
  return edit(
    LIST,
    row,
    random.pick(columns),
    Array.from({ length: count }, () => [what]),
  );
};

/** Inserts a column, drags one elsewhere, or deletes one of the add-on's. */
const changeColumns: Kind = (grid, random) => {
  const first = anyColumn(grid, random, LIST);
  const { lastColumn, maxColumns } = grid.size(LIST);
  const draw = random.next();
  if (draw < 0.4)
    return lastColumn >= WIDTH_MAX || maxColumns > 2 * WIDTH_MAX
      ? []
      : [{ do: 'insertColumns', sheetId: LIST, first, count: 1 }];
  if (draw < 0.7) {
    const before = random.integer(1, lastColumn + 1);
    if (before === first || before === first + 1) return [];
    return [{ do: 'moveColumns', sheetId: LIST, first, count: 1, before }];
  }
  const ours = markedColumns(grid, LIST, /"role":"(?!product)/);
  return ours.length === 0
    ? []
    : [{ do: 'deleteColumns', sheetId: LIST, first: random.pick(ours), count: 1 }];
};

const copyTab: Kind = (grid) =>
  grid.sheets().length > 4 ? [] : [{ do: 'copySheet', sheetId: LIST }];

/** Types over a figure or a status in the Analysis tab, as its warning allows. */
const typeInTab: Kind = (grid, random) => {
  const sheetId = tabIn(grid);
  if (sheetId === null) return [];
  const titles = titlesOf(grid, sheetId);
  const title = random.pick(['Profit', 'Fees', 'Buy price', 'Status']);
  const column = titles.indexOf(title) + 1;
  if (column === 0) return [];
  const what = title === 'Status' ? 'my word' : TYPED_FROM + random.integer(1, 99_999);
  return edit(sheetId, anyRow(grid, random, sheetId), column, [[what]]);
};

/** Copies a row of the tab below its last. */
const copyTabRow: Kind = (grid, random) => {
  const sheetId = tabIn(grid);
  if (sheetId === null) return [];
  const { lastRow, lastColumn, maxRows } = grid.size(sheetId);
  if (lastRow < 2 || lastRow >= maxRows) return [];
  const from = {
    row: anyRow(grid, random, sheetId),
    column: 1,
    rowCount: 1,
    columnCount: lastColumn,
  };
  return edit(sheetId, lastRow + 1, 1, grid.values(sheetId, from));
};

const moveTabColumn: Kind = (grid, random) => {
  const sheetId = tabIn(grid);
  if (sheetId === null) return [];
  const columns = markedColumns(grid, sheetId);
  if (columns.length < 2) return [];
  const [first, before] = [random.pick(columns), random.pick(columns)];
  if (before === first || before === first + 1) return [];
  return [{ do: 'moveColumns', sheetId, first, count: 1, before }];
};

/** A column of a person's own beside those of the tab, or, seldom, among them. */
const insertTabColumn: Kind = (grid, random) => {
  const sheetId = tabIn(grid);
  if (sheetId === null || grid.size(sheetId).maxColumns > 40) return [];
  const columns = markedColumns(grid, sheetId);
  if (columns.length === 0) return [];
  const first = random.chance(0.8) ? Math.max(...columns) + 1 : random.pick(columns);
  return [{ do: 'insertColumns', sheetId, first, count: 1 }];
};

const deleteTabColumn: Kind = (grid, random) => {
  const sheetId = tabIn(grid);
  const columns = sheetId === null ? [] : markedColumns(grid, sheetId);
  return sheetId === null || columns.length === 0
    ? []
    : [{ do: 'deleteColumns', sheetId, first: random.pick(columns), count: 1 }];
};

const deleteTab: Kind = (grid) => {
  const sheetId = tabIn(grid);
  return sheetId === null ? [] : [{ do: 'deleteSheet', sheetId }];
};

const undo: Kind = () => [{ do: 'undo' }];

/** Often enough to matter, by how often people do it. */
const OFTEN: readonly Kind[] = [
  ...[sort(inList), insertRows(inList), deleteRow(inList), moveRows],
  ...[pasteProducts, pasteProducts, spoilProduct, typeOverFigures, undo, hideOrFilter(inList)],
  ...[sort(tabIn), sort(tabIn), insertRows(tabIn), deleteRow(tabIn), cutPaste(tabIn)],
  ...[typeInTab, copyTabRow, hideOrFilter(tabIn)],
];
const SELDOM: readonly Kind[] = [
  ...[renameHeader(inList), renameTab(inList), changeColumns, changeColumns, copyTab],
  ...[renameHeader(tabIn), renameTab(tabIn), moveTabColumn, insertTabColumn],
  ...[deleteTabColumn, deleteTab],
];
const SELDOM_SHARE = 0.15;

/** What somebody does next; nothing if it cannot be done at this moment. */
export const nextActs = (grid: PlainGrid, random: Random): Acts =>
  random.pick(random.chance(SELDOM_SHARE) ? SELDOM : OFTEN)(grid, random);

/** What changes no figure and takes nothing away that was paid for: for months of schedules. */
const GENTLE: readonly Kind[] = [
  ...[sort(inList), insertRows(inList), deleteRow(inList), moveRows, pasteProducts],
  ...[pasteProducts, skip, sort(tabIn), insertRows(tabIn), cutPaste(tabIn), hideOrFilter(inList)],
];

export const gentleActs = (grid: PlainGrid, random: Random): Acts =>
  random.pick(GENTLE)(grid, random);

/**
 * Moves columns of a person's own out of the tab's, as the add-on asks for. Where a column was inserted at
 * the moment at which its neighbours were marked, two may have one mark; the left one is the add-on's.
 */
export function clearTab(grid: PlainGrid): Acts {
  const sheetId = tabIn(grid);
  if (sheetId === null) return [];
  const ours = TAB_COLUMNS.flatMap((column) => {
    const marked = markedColumns(grid, sheetId, new RegExp(`^${column}$`));
    return marked.length === 0 ? [] : [Math.min(...marked)];
  });
  const [first, last] = [Math.min(...ours), Math.max(...ours)];
  const between = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  const foreign = between.find((column) => !ours.includes(column));
  if (foreign === undefined) return [];
  return [{ do: 'deleteColumns', sheetId, first: foreign, count: 1 }];
}
