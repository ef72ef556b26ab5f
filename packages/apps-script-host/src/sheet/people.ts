// Performs what people do in a spreadsheet, and undoes it as Ctrl+Z would.

import { type Act, covered } from './acts';
import { featuresOf } from './book-features';
import { copyCells, copySheet, pasteCells } from './cell-copy';
import { cutCells, deleteCells, insertCells, linesMissing } from './cell-moves';
import { createDateSerial, isDate } from './date-serial';
import { moveDown } from './formula-references';
import { movedLine } from './line-move';
import { NotInThisModel } from './marks';
import type { Rectangle, SheetModel, SortKey } from './model';
import type { PlainGrid } from './plain-grid';
import { type Sortable, sortedOrder } from './sort-order';
import { type WrittenFormula, writtenFormulas } from './written-formulas';

type Undo = () => void;

/** The people of one spreadsheet, who share one list of acts to undo. */
export function createPeople(model: SheetModel): (act: Act) => void {
  const undos: Undo[] = [];
  return (act) => {
    if (act.do === 'undo') {
      undos.pop()?.();
      return;
    }
    const undo = perform(model, act);
    if (undo) undos.push(undo);
  };
}

type DoneAct = Exclude<Act, { do: 'undo' }>;

/** Performs an act. null: it cannot be undone. */
function perform(model: SheetModel, act: DoneAct): Undo | null {
  switch (act.do) {
    case 'edit':
      return restoring(model, act.sheetId, covered(act), () =>
        model.write(act.sheetId, act.row, act.column, act.contents),
      );
    case 'sort':
      return sort(model, act.sheetId, act.rectangle, act.keys);
    case 'cutPaste':
      return cutPaste(model, act);
    case 'copyPaste':
      return copyPaste(model, act);
    case 'pasteValues':
      return pasteValues(model, act);
    case 'insertCells':
    case 'deleteCells':
      return shiftCells(model, act);
    case 'format':
      return restoring(model, act.sheetId, act.rectangle, () => format(model, act));
    case 'link':
      return restoring(model, act.sheetId, act.rectangle, () => link(model, act));
    case 'insertRows':
      model.insertRows(act.sheetId, act.first, act.count);
      return () => model.deleteRows(act.sheetId, act.first, act.count);
    case 'insertColumns':
      model.insertColumns(act.sheetId, act.first, act.count);
      return () => model.deleteColumns(act.sheetId, act.first, act.count);
    case 'deleteRows':
    case 'deleteColumns':
      return remove(model, act);
    case 'moveRows':
    case 'moveColumns':
      return moveLines(model, act);
    case 'renameSheet': {
      const name = model.sheets().find(({ id }) => id === act.sheetId)?.name ?? '';
      model.renameSheet(act.sheetId, act.name);
      return () => model.renameSheet(act.sheetId, name);
    }
    case 'deleteSheet':
      model.deleteSheet(act.sheetId);
      return null;
    case 'copySheet':
      duplicate(model, act.sheetId, model.sheets().findIndex(({ id }) => id === act.sheetId) + 2);
      return null;
    case 'select': {
      const { do: _, ...selection } = act;
      model.select(selection);
      return null;
    }
    default:
      return mark(model, act);
  }
}

/** The first that is free in the spreadsheet to which the sheet is copied. */
export function nameOfCopy(from: SheetModel, sheetId: number, to: SheetModel): string {
  const names = new Set(to.sheets().map(({ name }) => name));
  const first = `Copy of ${from.sheets().find(({ id }) => id === sheetId)?.name ?? ''}`;
  let name = first;
  for (let count = 1; names.has(name); count += 1) name = `${first} ${count}`;
  return name;
}

/**
 * Copies cells and formats into a new tab, with the first free name, as Sheets does. Developer metadata is copied, too, which
 * Google's pages do not say: a script must expect two sheets with its mark.
 */
export function duplicate(model: SheetModel, sheetId: number, position: number): number {
  const into = model.addSheet(nameOfCopy(model, sheetId, model), position);
  copySheet(model, model, sheetId, into);
  const features = featuresOf(model);
  const copied = features.metadata().filter((each) => each.sheetId === sheetId);
  const made = copied.map((each) => ({ ...each, id: features.nextId(), sheetId: into }));
  features.setMetadata([...features.metadata(), ...made]);
  return into;
}

type MarkAct = Extract<
  DoneAct,
  { do: 'hideRows' | 'showRows' | 'filter' | 'protect' | 'merge' | 'breakApart' }
>;

function mark(model: SheetModel, act: MarkAct): Undo {
  const { sheetId } = act;
  switch (act.do) {
    case 'hideRows':
    case 'showRows': {
      const { first, count } = act;
      const hidden = hiddenAmong(model, sheetId, first, count);
      model[act.do](sheetId, first, count);
      return () => {
        model.showRows(sheetId, first, count);
        for (const row of hidden) model.hideRows(sheetId, row, 1);
      };
    }
    case 'filter': {
      const before = model.filter(sheetId);
      model.setFilter(sheetId, act.filter);
      return () => model.setFilter(sheetId, before);
    }
    case 'protect': {
      const { do: _, ...protection } = act;
      const id = model.protect(protection);
      return () => model.unprotect(sheetId, id);
    }
    case 'merge': {
      const undo = restoring(model, sheetId, act.rectangle, () =>
        model.merge(sheetId, act.rectangle),
      );
      return () => {
        model.breakApart(sheetId, act.rectangle);
        undo();
      };
    }
    case 'breakApart': {
      const before = model.merges(sheetId);
      model.breakApart(sheetId, act.rectangle);
      const ended = before.filter((each) => !model.merges(sheetId).includes(each));
      return () => {
        for (const each of ended) model.merge(sheetId, each);
      };
    }
  }
}

/** Changes cells. The undo restores their previous contents. */
function restoring(
  model: SheetModel,
  sheetId: number,
  rectangle: Rectangle,
  change: () => void,
): Undo {
  const before = copyCells(model, sheetId, rectangle);
  change();
  return () => pasteCells(model, sheetId, rectangle, before);
}

/** Puts dates and numbers into one order, for which the time zone does not matter. */
const days = createDateSerial('Etc/UTC');

function sort(
  model: SheetModel,
  sheetId: number,
  rectangle: Rectangle,
  keys: readonly SortKey[],
): Undo {
  const rows = model
    .values(sheetId, rectangle)
    .map((cells) => cells.map((cell): Sortable => (isDate(cell) ? days.toSerial(cell) : cell)));
  const rules = keys.map(({ column, ascending }) => ({
    place: column - rectangle.column,
    ascending,
  }));
  const order = sortedOrder(rows, rules);
  const back: number[] = [];
  order.forEach((from, to) => {
    back[from] = to;
  });
  model.arrange(sheetId, rectangle, order);
  return () => model.arrange(sheetId, rectangle, back);
}

function format(model: SheetModel, act: Extract<Act, { do: 'format' }>): void {
  const { sheetId, rectangle, numberFormat, background } = act;
  const { row, column, rowCount, columnCount } = rectangle;
  const all = (text: string) =>
    Array.from({ length: rowCount }, () => new Array<string>(columnCount).fill(text));
  if (numberFormat !== undefined) model.setNumberFormats(sheetId, row, column, all(numberFormat));
  if (background !== undefined)
    model.setColours(sheetId, row, column, 'background', all(background));
}

function link(model: SheetModel, { sheetId, rectangle, url }: Extract<Act, { do: 'link' }>): void {
  const values = model.values(sheetId, rectangle);
  // A number or a blank has no text that could be a link.
  const links = values.map((cells) =>
    cells.map((one) => (one && typeof one === 'string' ? url : '')),
  );
  model.setLinks(sheetId, rectangle.row, rectangle.column, links);
}

type Paste = Extract<Act, { do: 'cutPaste' | 'copyPaste' | 'pasteValues' }>;

const targetOf = ({ sheetId, from, toSheetId = sheetId, row, column }: Paste) => ({
  ...from,
  ...{ sheetId: toSheetId, row, column },
});

function cutPaste(model: SheetModel, act: Paste): Undo {
  const from = { sheetId: act.sheetId, ...act.from };
  const to = targetOf(act);
  const cut = copyCells(model, from.sheetId, from);
  const covered = copyCells(model, to.sheetId, to);
  const mend = rememberFormulas(model);
  cutCells(model, from, to);
  return () => {
    cutCells(model, to, from);
    pasteCells(model, to.sheetId, to, covered);
    pasteCells(model, from.sheetId, from, cut);
    mend();
  };
}

function copyPaste(model: SheetModel, act: Paste): Undo {
  const to = targetOf(act);
  const copied = copyCells(model, act.sheetId, act.from);
  const [down, right] = [to.row - act.from.row, to.column - act.from.column];
  const contents = copied.contents.map((cells) =>
    cells.map((cell) =>
      typeof cell === 'object' && 'formula' in cell
        ? { formula: moveDown(cell.formula, down, right) }
        : cell,
    ),
  );
  return restoring(model, to.sheetId, to, () =>
    pasteCells(model, to.sheetId, to, { ...copied, contents }),
  );
}

function pasteValues(model: SheetModel, act: Paste): Undo {
  const to = targetOf(act);
  const values = model.values(act.sheetId, act.from);
  const contents = values.map((cells) => cells.map((one) => (isDate(one) ? new Date(one) : one)));
  return restoring(model, to.sheetId, to, () =>
    model.write(to.sheetId, to.row, to.column, contents),
  );
}

function shiftCells(
  model: SheetModel,
  { do: way, sheetId, rectangle, axis }: Extract<Act, { do: 'insertCells' | 'deleteCells' }>,
): Undo {
  const area = { sheetId, ...rectangle };
  const lost = copyCells(model, sheetId, rectangle);
  const mend = rememberFormulas(model);
  if (way === 'deleteCells') deleteCells(model, area, axis);
  else {
    const count = linesMissing(model, area, axis);
    const { maxRows, maxColumns } = model.size(sheetId);
    if (count > 0 && axis === 'row') model.insertRows(sheetId, maxRows + 1, count);
    if (count > 0 && axis === 'column') model.insertColumns(sheetId, maxColumns + 1, count);
    insertCells(model, area, axis);
  }
  return () => {
    if (way === 'insertCells') deleteCells(model, area, axis);
    else {
      insertCells(model, area, axis);
      pasteCells(model, sheetId, rectangle, lost);
    }
    mend();
  };
}

/**
 * Developer metadata of the deleted rows or columns comes back. What else lay over them, such as
 * protection, does not.
 */
function remove(
  model: SheetModel,
  act: Extract<Act, { do: 'deleteRows' | 'deleteColumns' }>,
): Undo {
  const { sheetId, first, count } = act;
  const isRows = act.do === 'deleteRows';
  const { lastRow, lastColumn } = model.size(sheetId);
  const lines = isRows
    ? { row: first, column: 1, rowCount: count, columnCount: Math.max(lastColumn, 1) }
    : { row: 1, column: first, rowCount: Math.max(lastRow, 1), columnCount: count };
  const gone = copyCells(model, sheetId, lines);
  const hidden = isRows ? hiddenAmong(model, sheetId, first, count) : [];
  const mend = rememberFormulas(model);
  const features = featuresOf(model);
  const before = features.metadata();
  if (isRows) model.deleteRows(sheetId, first, count);
  else model.deleteColumns(sheetId, first, count);
  const left = new Set(features.metadata().map(({ id }) => id));
  const lost = before.filter(({ id }) => !left.has(id));
  return () => {
    if (isRows) model.insertRows(sheetId, first, count);
    else model.insertColumns(sheetId, first, count);
    pasteCells(model, sheetId, lines, gone);
    for (const row of hidden) model.hideRows(sheetId, row, 1);
    features.setMetadata([...features.metadata(), ...lost]);
    mend();
  };
}

function moveLines(model: SheetModel, act: Extract<Act, { do: 'moveRows' | 'moveColumns' }>): Undo {
  const { do: way, sheetId, first, count, before } = act;
  if (!('moveRows' in model)) throw new NotInThisModel('Moving rows and columns');
  const grid = model as PlainGrid;
  grid[way](sheetId, first, count, before);
  const place = movedLine(act, first);
  return () => grid[way](sheetId, place, count, before <= first ? first + count : first);
}

function hiddenAmong(model: SheetModel, sheetId: number, first: number, count: number): number[] {
  const rows = Array.from({ length: count }, (_, down) => first + down);
  return rows.filter((row) => model.isRowHidden(sheetId, row, 'user'));
}

/** Restores formulas whose references were lost. What was written over them since then stays. */
function rememberFormulas(model: SheetModel): Undo {
  const before = writtenFormulas(model);
  return () => {
    const now = new Map(writtenFormulas(model).map((one) => [placeOf(one), one.formula]));
    for (const one of before) {
      const { sheetId, row, column, formula } = one;
      const held = now.get(placeOf(one));
      if (held !== undefined && held !== formula)
        model.write(sheetId, row, column, [[{ formula }]]);
    }
  };
}

const placeOf = ({ sheetId, row, column }: WrittenFormula) => `${sheetId} ${row} ${column}`;
