// What a person does in a list and in the Analysis tab, drawn from a seed: everything that moves, copies or
// types over cells.

import type { Random } from 'apps-script-host/random';
import { columnLetters } from 'apps-script-host/sheet/a1-notation';
import type { Act } from 'apps-script-host/sheet/acts';
import type { CellContent, Rectangle } from 'apps-script-host/sheet/model';
import type { PlainGrid } from 'apps-script-host/sheet/plain-grid';
import { HIDDEN_COLUMNS } from '../../../src/analysis/analysis-row';
import { tabIn } from '../seen';
import { NOT_OK } from './checker';
import { isHiddenRole, LIST, type ListView, listView, OTHER, tabColumns } from './view';

/** What an act is drawn from. */
interface Scene {
  readonly grid: PlainGrid;
  readonly random: Random;
  readonly view: ListView;
  /** Products that people type and paste, some of them never analyzed. */
  readonly products: readonly string[];
}

/** null: it cannot be done as the sheet is now. */
type Kind = (scene: Scene) => Act | null;

const cells = (row: number, column: number, rowCount = 1, columnCount = 1): Rectangle => ({
  ...{ row, column, rowCount, columnCount },
});

const anyRow = ({ random, view }: Scene) =>
  random.integer(view.headerRow + 1, Math.max(view.headerRow + 1, view.lastRow));

/** Seldom the row of titles. */
const anyRowOrTitles = (scene: Scene) =>
  scene.random.chance(0.1) ? Math.max(1, scene.view.headerRow) : anyRow(scene);

function anyColumn({ random, view }: Scene): number {
  const bound = [...view.columns.values()];
  return random.chance(0.6) && bound.length > 0
    ? random.pick(bound)
    : random.integer(1, Math.max(1, view.lastColumn));
}

/** More often a column of a person's own that formulas read. */
function readColumn(scene: Scene): number {
  const { columns, marketColumn } = scene.view;
  const read = [columns.get('product'), columns.get('cost'), marketColumn].filter(
    (column) => typeof column === 'number',
  );
  return scene.random.chance(0.6) && read.length > 0 ? scene.random.pick(read) : anyColumn(scene);
}

const edit = (
  row: number,
  column: number,
  contents: readonly (readonly CellContent[])[],
  sheetId = LIST,
): Act => ({ do: 'edit', sheetId, row, column, contents });

const cutCells: Kind = (scene) => {
  const { random } = scene;
  const from = cells(anyRowOrTitles(scene), readColumn(scene), random.integer(1, 2));
  const row = random.chance(0.5) ? anyRow(scene) : from.row;
  const column = random.chance(0.6) ? from.column : anyColumn(scene);
  return { do: 'cutPaste', sheetId: LIST, from, row, column };
};

const dragBlock: Kind = (scene) => {
  const { random } = scene;
  const from = cells(
    ...([anyRow(scene), anyColumn(scene), random.integer(1, 4), random.integer(1, 4)] as const),
  );
  const column = random.chance(0.5) ? from.column : anyColumn(scene);
  return { do: 'cutPaste', sheetId: LIST, from, row: anyRow(scene), column };
};

const cutToOtherSheet: Kind = (scene) => {
  const { random, view } = scene;
  const row = random.chance(0.3) ? Math.max(1, view.headerRow) : anyRow(scene);
  const column = random.chance(0.5) ? 1 : readColumn(scene);
  const from = cells(row, column, random.integer(1, 6), random.integer(1, 4));
  return { do: 'cutPaste', sheetId: LIST, from, toSheetId: OTHER, row, column };
};

const shiftCells =
  (way: 'insertCells' | 'deleteCells', axis: 'row' | 'column'): Kind =>
  (scene) => {
    const { random } = scene;
    const width = random.chance(0.3) ? random.integer(1, 4) : 1;
    const rectangle = cells(
      ...([anyRowOrTitles(scene), readColumn(scene), random.integer(1, 2), width] as const),
    );
    return { do: way, sheetId: LIST, rectangle, axis };
  };

const changeRows =
  (way: 'insertRows' | 'deleteRows'): Kind =>
  (scene) => ({
    ...({ do: way, sheetId: LIST, first: anyRow(scene) } as const),
    count: scene.random.integer(1, 2),
  });

const changeColumns =
  (way: 'insertColumns' | 'deleteColumns'): Kind =>
  ({ random, view }) => ({
    ...({ do: way, sheetId: LIST, count: 1 } as const),
    first: random.integer(1, Math.max(1, view.lastColumn)),
  });

function moveLine(
  way: 'moveRows' | 'moveColumns',
  sheetId: number,
  first: number,
  before: number,
): Act | null {
  if (before === first || before === first + 1) return null;
  return { do: way, sheetId, first, count: 1, before };
}

const moveColumns: Kind = ({ random, view: { lastColumn } }) =>
  moveLine('moveColumns', LIST, random.integer(1, lastColumn), random.integer(1, lastColumn + 1));

const moveRows: Kind = (scene) => moveLine('moveRows', LIST, anyRow(scene), anyRow(scene));

const sort: Kind = (scene) => {
  const { random, view } = scene;
  const isWhole = random.chance(0.7);
  const column = isWhole ? 1 : anyColumn(scene);
  const columnCount = isWhole ? view.lastColumn : random.integer(1, 3);
  const rowCount = Math.max(1, view.lastRow - view.headerRow);
  return {
    ...({ do: 'sort', sheetId: LIST } as const),
    rectangle: cells(view.headerRow + 1, column, rowCount, columnCount),
    keys: [{ column, ascending: random.chance(0.5) }],
  };
};

const copyBlock: Kind = (scene) => {
  const { random, view } = scene;
  const row = random.chance(0.2) ? Math.max(1, view.headerRow) : anyRow(scene);
  const column = random.integer(1, view.lastColumn);
  const from = cells(row, column, random.integer(1, 5), random.integer(1, 12));
  const to = { row: anyRow(scene), column: random.integer(1, view.lastColumn) };
  return { do: 'copyPaste', sheetId: LIST, from, ...to };
};

const copyToOtherSheet: Kind = (scene) => {
  const { random, view } = scene;
  const row = random.chance(0.6) ? Math.max(1, view.headerRow) : anyRow(scene);
  const column = random.integer(1, 4);
  const width = Math.max(1, view.lastColumn - column + 1);
  const from = cells(row, column, random.integer(2, 9), width);
  const place = {
    row: random.chance(0.5) ? row : random.integer(1, 6),
    column: random.chance(0.5) ? column : Math.max(1, column - random.integer(1, 2)),
  };
  return { do: 'copyPaste', sheetId: LIST, from, toSheetId: OTHER, ...place };
};

/** Types numbers beside what was copied into the other sheet. */
const typeBesideCopy: Kind = ({ grid, random }) => {
  const numbers = Array.from({ length: 5 }, () => [random.integer(1, 14)]);
  const column = random.integer(1, grid.size(OTHER).lastColumn + 3);
  return edit(random.integer(1, 9), column, numbers, OTHER);
};

/** Ctrl+Shift+V of a block in the list, often in its own rows or columns, or on itself. */
const pasteValues: Kind = (scene) => {
  const { random, view } = scene;
  const row = random.chance(0.1) ? Math.max(1, view.headerRow) : anyRow(scene);
  const column = random.chance(0.4) ? readColumn(scene) : random.integer(1, view.lastColumn);
  const width = random.chance(0.5) ? random.integer(1, 3) : random.integer(1, view.lastColumn);
  const from = cells(row, column, random.integer(1, 6), width);
  return {
    ...({ do: 'pasteValues', sheetId: LIST, from } as const),
    row: random.chance(0.4) ? row : anyRow(scene),
    column: random.chance(0.7) ? column : random.integer(1, view.lastColumn),
  };
};

/** From the list into the other sheet, or back. */
const pasteValuesAcross: Kind = (scene) => {
  const { random, view } = scene;
  const [sheetId, toSheetId] = random.chance(0.5) ? [LIST, OTHER] : [OTHER, LIST];
  const from = cells(
    random.chance(0.5) ? Math.max(1, view.headerRow) : anyRow(scene),
    ...([anyColumn(scene), random.integer(1, 9), random.integer(1, view.lastColumn)] as const),
  );
  const column = random.chance(0.6) ? from.column : anyColumn(scene);
  return { do: 'pasteValues', sheetId, from, toSheetId, row: anyRow(scene), column };
};

/** The title of a product that leads to another, or changes where it leads under the same text. */
const linkProduct: Kind = (scene) => {
  const { grid, random, view, products } = scene;
  const column = view.columns.get('product');
  if (column === undefined) return null;
  const row = anyRow(scene);
  const url = `https://www.amazon.com/dp/${random.pick(products)}`;
  const [[text = ''] = []] = grid.values(LIST, cells(row, column));
  if (random.chance(0.4)) return { do: 'link', sheetId: LIST, rectangle: cells(row, column), url };
  const title = text === '' || random.chance(0.3) ? 'Blue mug' : text;
  return edit(row, column, [[{ formula: `=HYPERLINK("${url}";"${title}")` }]]);
};

/** A note that adds the quantities of this row and another, or one that buys above a figure. */
const typeFormula: Kind = (scene) => {
  const { random, view } = scene;
  const row = anyRow(scene);
  const figure = view.columns.get(random.pick(['profit', 'sell_price', 'rank_drops_30d']));
  const other = random.chance(0.5) ? row + 1 : anyRow(scene);
  const bought = figure && `=IF(${columnLetters(figure)}${row}>3;"BUY";"")`;
  const formula = random.chance(0.5) && bought ? bought : `=E${row}+E${other}`;
  return edit(row, 1, [[{ formula }]]);
};

const fillDown: Kind = (scene) => {
  const from = cells(anyRow(scene), anyColumn(scene));
  return { do: 'copyPaste', sheetId: LIST, from, row: from.row + 1, column: from.column };
};

const TEXTS = ['Note', 'Title', 'Brand'];
const TITLES = [...TEXTS, 'Cost', 'Prep', 'Qty', 'Pack', 'RRP', 'Market', 'Fees', 'Rank', 'Stock'];

function shuffled<Item>(random: Random, items: readonly Item[]): readonly Item[] {
  const drawn = items.map((item) => ({ item, at: random.next() }));
  return drawn.sort((one, other) => one.at - other.at).map(({ item }) => item);
}

/** Pastes another list over this one, with its own columns in its own order. */
const pasteList: Kind = (scene) => {
  const { random, view, products } = scene;
  const some = shuffled(random, TITLES).slice(0, random.integer(2, 10));
  const titles = shuffled(random, ['ASIN', ...some]);
  const cellOf = (title: string) => {
    if (title === 'ASIN') return random.pick(products);
    if (title === 'Market') return random.pick(['US', 'UK']);
    return TEXTS.includes(title) ? `${title} ${random.integer(1, 9)}` : random.integer(1, 30);
  };
  const rows = Array.from({ length: random.integer(3, 16) }, () => titles.map(cellOf));
  const row = random.chance(0.9) ? Math.max(1, view.headerRow) : anyRow(scene);
  return edit(row, 1, [titles, ...rows]);
};

/** Types over a title, alone or with what belongs under the new one. */
const typeTitle: Kind = (scene) => {
  const { random, view } = scene;
  const title = random.pick(['Pack', 'Qty', 'Cost', 'Fees', 'Brand', 'Stock']);
  const count = random.chance(0.5) ? 0 : Math.max(1, view.lastRow - view.headerRow - 2);
  const numbers = Array.from({ length: count }, () => [random.integer(1, 12)]);
  return edit(Math.max(1, view.headerRow), anyColumn(scene), [[title], ...numbers]);
};

const typeInto =
  (role: (scene: Scene) => string, what: (scene: Scene) => CellContent): Kind =>
  (scene) => {
    const column = scene.view.columns.get(role(scene));
    return column === undefined ? null : edit(anyRow(scene), column, [[what(scene)]]);
  };

const number = ({ random }: Scene) => random.integer(1, 30);
const typeProduct = typeInto(
  () => 'product',
  ({ random, products }) => (random.chance(0.2) ? '' : random.pick(products)),
);
const typeCost = typeInto(
  () => 'cost',
  (scene) => (scene.random.chance(0.2) ? '' : number(scene)),
);
const typeFigure = typeInto(
  ({ random }) => random.pick(['fees', 'sell_price', 'profit', 'verdict', 'myProfit']),
  number,
);
const typeStatus = typeInto(
  () => 'status',
  ({ random }) => random.pick([...NOT_OK, '']),
);
const undo: Kind = () => ({ do: 'undo' });

const copySheet: Kind = ({ grid }) =>
  grid.sheets().length > 6 ? null : { do: 'copySheet', sheetId: LIST };

/** The Analysis tab, with the number of a column in it. */
interface TabScene extends Scene {
  readonly tab: number;
  readonly row: () => number;
  readonly lastRow: number;
  readonly columns: ReadonlyMap<string, number>;
}

const inTab =
  (kind: (scene: TabScene) => Act | null): Kind =>
  (scene) => {
    const tab = tabIn(scene.grid);
    const columns = tabColumns(scene.grid);
    if (tab === null || columns.size === 0) return null;
    const { lastRow } = scene.grid.size(tab);
    if (lastRow < 4) return null;
    const row = () => scene.random.integer(2, lastRow);
    return kind({ ...scene, tab, row, lastRow, columns });
  };

const widthOf = ({ columns }: TabScene) => Math.max(...columns.values());

const shiftTab = (roles: (scene: TabScene) => readonly string[]): Kind =>
  inTab((scene) => {
    const { random, tab, row } = scene;
    const column = scene.columns.get(random.pick(roles(scene)));
    if (column === undefined) return null;
    const way = random.pick(['insertCells', 'deleteCells'] as const);
    return { do: way, sheetId: tab, rectangle: cells(row(), column), axis: 'row' };
  });

const shiftTabKeys = shiftTab(() => ['record', 'key', 'asin', 'market']);
const FIGURES = ['fees', 'profit', 'sell_price', 'eligible'] as const;
const shiftTabFigures = shiftTab(() => FIGURES);

const cutTabKey = inTab(({ random, tab, row, columns }) => {
  const column = columns.get(random.pick(['key', 'asin'])) ?? 1;
  return { do: 'cutPaste', sheetId: tab, from: cells(row(), column), row: row(), column };
});

const typeTabKey = inTab(({ random, tab, row, columns, products }) => {
  const role = random.pick(['key', 'asin', 'market']);
  const product = random.pick(products);
  const market = random.pick(['US', 'UK']);
  const text = { key: `${product}|${market}`, asin: product, market }[role] ?? '';
  return edit(row(), columns.get(role) ?? 1, [[text]], tab);
});

/** Values of rows of the tab over others, or into the list: whole rows, or some columns of them. */
const pasteTabValues = inTab((scene) => {
  const { random, tab, row } = scene;
  const width = widthOf(scene);
  const bound = random.integer(1, width);
  const [first, last] = random.pick([
    [1, width],
    [1, bound],
    [bound, width],
    [bound, bound],
  ] as const);
  const from = cells(row(), first, random.integer(1, 2), last - first + 1);
  const place = random.chance(0.2)
    ? { toSheetId: LIST, row: anyRow(scene), column: anyColumn(scene) }
    : { row: row(), column: first };
  return { do: 'pasteValues', sheetId: tab, from, ...place };
});

const pasteTabFigures = inTab(({ random, tab, row, columns }) => {
  const column = columns.get(random.pick(FIGURES));
  if (column === undefined) return null;
  return { do: 'pasteValues', sheetId: tab, from: cells(row(), column), row: row(), column };
});

/** All columns, as its filter sorts them, or those that a person has selected from the first on. */
const sortTab = inTab((scene) => {
  const { random, tab, lastRow } = scene;
  const width = random.chance(0.5) ? widthOf(scene) : random.integer(1, widthOf(scene));
  const keys = [{ column: random.integer(1, width), ascending: random.chance(0.5) }];
  return { do: 'sort', sheetId: tab, rectangle: cells(2, 1, lastRow - 1, width), keys };
});

const changeTabRows = inTab(({ random, tab, row }) => ({
  ...({ do: random.pick(['insertRows', 'deleteRows'] as const), sheetId: tab } as const),
  ...{ first: row(), count: 1 },
}));

const cutTabRow = inTab((scene) => {
  const from = cells(scene.row(), 1, 1, widthOf(scene));
  return { do: 'cutPaste', sheetId: scene.tab, from, row: scene.lastRow + 1, column: 1 };
});

const copyTabRow = inTab((scene) => {
  const from = cells(scene.row(), 1, 1, widthOf(scene));
  return { do: 'copyPaste', sheetId: scene.tab, from, row: scene.lastRow + 1, column: 1 };
});

const moveTabColumn = inTab((scene) => {
  const width = widthOf(scene);
  const { random, tab } = scene;
  return moveLine('moveColumns', tab, random.integer(1, width), random.integer(1, width + 1));
});

const changeTabColumns = inTab((scene) => ({
  ...({ do: scene.random.pick(['insertColumns', 'deleteColumns'] as const) } as const),
  ...{ sheetId: scene.tab, first: scene.random.integer(1, widthOf(scene)), count: 1 },
}));

const renameTab = inTab(({ random, tab }) => ({
  ...{ do: 'renameSheet', sheetId: tab, name: `Tab ${random.integer(1, 99)}'s` },
}));

const typeTabTitle = inTab((scene) => {
  const title = scene.random.pick(['Fees', 'Profit', 'Mine']);
  return edit(1, scene.random.integer(1, widthOf(scene)), [[title]], scene.tab);
});

export const KINDS = {
  ...{ cutCells, dragBlock, cutToOtherSheet, moveRows, moveColumns, sort, undo, copySheet },
  deleteCellsUp: shiftCells('deleteCells', 'row'),
  deleteCellsLeft: shiftCells('deleteCells', 'column'),
  insertCellsDown: shiftCells('insertCells', 'row'),
  insertCellsRight: shiftCells('insertCells', 'column'),
  insertRows: changeRows('insertRows'),
  deleteRows: changeRows('deleteRows'),
  insertColumns: changeColumns('insertColumns'),
  deleteColumns: changeColumns('deleteColumns'),
  ...{ copyBlock, copyToOtherSheet, typeBesideCopy, fillDown, pasteList, typeTitle },
  ...{
    typeProduct,
    typeCost,
    typeFigure,
    typeStatus,
    pasteValues,
    pasteValuesAcross,
    linkProduct,
    typeFormula,
  },
  ...{ shiftTabKeys, shiftTabFigures, cutTabKey, typeTabKey, sortTab, changeTabRows, cutTabRow },
  ...{
    copyTabRow,
    pasteTabValues,
    pasteTabFigures,
    moveTabColumn,
    changeTabColumns,
    renameTab,
    typeTabTitle,
  },
} satisfies Readonly<Record<string, Kind>>;

export type KindName = keyof typeof KINDS;

/** An act, and whether it reaches where nobody can see what happens: into hidden columns. */
export interface Drawn {
  readonly kind: KindName;
  readonly act: Act;
  readonly isHidden: boolean;
}

/** null: what was drawn cannot be done as the sheet is now. */
export function drawAct(
  grid: PlainGrid,
  random: Random,
  products: readonly string[],
): Drawn | null {
  const kind = random.pick(Object.keys(KINDS) as KindName[]);
  const view = listView(grid, LIST);
  if (view.lastColumn < 1) return null;
  const act = KINDS[kind]({ grid, random, view, products });
  if (act === null || !isInside(grid, act)) return null;
  return { kind, act, isHidden: isInHidden(act, view) || isInHiddenOfTab(grid, act) };
}

/** The cells that a person has selected or aimed at. */
function touched(act: Act): readonly (Rectangle & { readonly sheetId: number })[] {
  if ('from' in act) {
    const { sheetId, from, toSheetId = sheetId, row, column } = act;
    return [
      { ...from, sheetId },
      { ...from, sheetId: toSheetId, row, column },
    ];
  }
  if (act.do === 'edit') {
    const { sheetId, row, column, contents } = act;
    return [{ sheetId, ...cells(row, column, contents.length, contents[0]?.length ?? 1) }];
  }
  if ('rectangle' in act && act.rectangle) return [{ sheetId: act.sheetId, ...act.rectangle }];
  return [];
}

function isInside(grid: PlainGrid, act: Act): boolean {
  const ids = grid.sheets().map(({ id }) => id);
  if (act.do === 'deleteRows' || act.do === 'deleteColumns') {
    const { maxRows, maxColumns } = grid.size(act.sheetId);
    return act.first + act.count <= (act.do === 'deleteRows' ? maxRows : maxColumns);
  }
  return touched(act).every(({ sheetId, row, column, rowCount, columnCount }) => {
    if (!ids.includes(sheetId)) return false;
    const { maxRows, maxColumns } = grid.size(sheetId);
    return row + rowCount - 1 <= maxRows && column + columnCount - 1 <= maxColumns;
  });
}

function isInHidden(act: Act, { sheetId: list, columns, lastColumn }: ListView): boolean {
  const hidden = [...columns].filter(([role]) => isHiddenRole(role)).map(([, column]) => column);
  return touched(act).some(({ sheetId, column, columnCount }) => {
    const isWhole = column === 1 && columnCount >= lastColumn;
    const holds = (one: number) => one >= column && one < column + columnCount;
    return sheetId === list && !isWhole && hidden.some(holds);
  });
}

/** Whether it is of hidden columns of the Analysis tab alone. */
function isInHiddenOfTab(grid: PlainGrid, act: Act): boolean {
  const columns = tabColumns(grid);
  const hidden = HIDDEN_COLUMNS.map((column) => columns.get(column));
  const areas = touched(act);
  return (
    areas.length > 0 &&
    areas.every(
      ({ sheetId, column, columnCount }) =>
        sheetId === tabIn(grid) && columnCount === 1 && hidden.includes(column),
    )
  );
}
