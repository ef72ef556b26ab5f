// Moves cells, fills others from them, and splits their texts, on behalf of a script.

import { say } from '../../messages';
import type { Random } from '../../random';
import type { Caller, Operations } from '../../service';
import { ServiceException } from '../../service';
import {
  cutCells,
  cutMerges,
  deleteCells,
  insertCells,
  linesMissing,
  tailOf,
} from '../../sheet/cell-moves';
import { type Axis, moveDown } from '../../sheet/formula-references';
import type { CellContent, Rectangle, SheetModel } from '../../sheet/model';
import { isWithin } from '../../sheet/rectangle';
import { copies, placeIn, seriesOf } from '../../sheet/series';
import type { MoveCalls, Place } from './calls';
import type { Dimension, FillSeries } from './enums';
import { checkGrowth, checkPlace, modelOf } from './host-book';
import { onOwnCells, type TypeIn } from './host-cells';
import { copyTo } from './host-copy';
import { checkUnmerged, writeInto } from './host-merges';
import { checkEditable } from './host-protection';

export function moveOperations(typeIn: TypeIn, random: Random): Operations<MoveCalls> {
  return { ...ofBlocks(), ...ofFilling(), ...ofTexts(typeIn), ...ofChance(random) };
}

const AXIS_OF = { ROWS: 'row', COLUMNS: 'column' } as const;

function ofBlocks() {
  return {
    'spreadsheet.write.moveTo': (caller: Caller, from: Place, to: Place) => {
      const model = modelOf(caller);
      const there = { ...from, sheetId: to.sheetId, row: to.row, column: to.column };
      for (const place of [from, there]) {
        checkPlace(model, place);
        checkEditable(caller, model, place);
        const isObstacle = (merge: Rectangle) => place === from || !isWithin(merge, from);
        if (cutMerges(model, place).some(isObstacle))
          throw new ServiceException(say('merge-partial'));
      }
      cutCells(model, from, there);
    },
    'spreadsheet.write.insertCells': (caller: Caller, place: Place, along: Dimension) => {
      const [model, axis] = [modelOf(caller), AXIS_OF[along]];
      checkShift(caller, model, place, axis);
      grow(model, place.sheetId, axis, linesMissing(model, place, axis));
      insertCells(model, place, axis);
    },
    'spreadsheet.write.deleteCells': (caller: Caller, place: Place, along: Dimension) => {
      const [model, axis] = [modelOf(caller), AXIS_OF[along]];
      checkShift(caller, model, place, axis);
      deleteCells(model, place, axis);
    },
  } satisfies Partial<Operations<MoveCalls>>;
}

/** Every cell behind the inserted or deleted ones moves, so each must be free to. */
function checkShift(caller: Caller, model: SheetModel, place: Place, axis: Axis): void {
  checkPlace(model, place);
  const shifted = tailOf(model, place, axis);
  checkEditable(caller, model, shifted);
  if (cutMerges(model, shifted).length > 0) throw new ServiceException(say('merge-partial'));
}

/** What inserted cells push over the edge gets lines of its own, which no page of Google's says. */
function grow(model: SheetModel, sheetId: number, axis: Axis, count: number): void {
  if (count === 0) return;
  const { maxRows, maxColumns } = model.size(sheetId);
  checkGrowth(model, count * (axis === 'row' ? maxColumns : maxRows));
  if (axis === 'row') model.insertRows(sheetId, maxRows + 1, count);
  else model.insertColumns(sheetId, maxColumns + 1, count);
}

function ofFilling() {
  const fill = (caller: Caller, from: Place, to: Place, how: FillSeries) => {
    const model = modelOf(caller);
    for (const place of [from, to]) checkPlace(model, place);
    checkEditable(caller, model, to);
    checkUnmerged(model, to);
    autoFill(model, from, to, how);
  };
  return {
    'spreadsheet.write.autoFill': fill,
    /** Reference: new values "only extend as far as this adjacent data". */
    'spreadsheet.write.autoFillToNeighbor': (caller: Caller, from: Place, how: FillSeries) => {
      const model = modelOf(caller);
      checkPlace(model, from);
      const { lastRow } = model.size(from.sheetId);
      const rowCount = Math.max(lastRow - from.row + 1, from.rowCount);
      const filledBeside = (column: number): number => {
        if (column < 1 || column > model.size(from.sheetId).maxColumns) return 0;
        const beside = { row: from.row, column, rowCount, columnCount: 1 };
        const values = model.values(from.sheetId, beside).flat();
        const end = values.indexOf('');
        return end < 0 ? values.length : end;
      };
      const sides = [from.column - 1, from.column + from.columnCount];
      const count = sides.map(filledBeside).find((each) => each > from.rowCount);
      if (count !== undefined) fill(caller, from, { ...from, rowCount: count }, how);
    },
  } satisfies Partial<Operations<MoveCalls>>;
}

function autoFill(model: SheetModel, from: Place, to: Place, how: FillSeries): void {
  if (from.sheetId !== to.sheetId || !isWithin(from, to))
    throw new ServiceException('AutoFill destination range must contain the source range.');
  const isTaller = to.rowCount > from.rowCount;
  const ends = [
    to.row < from.row,
    to.column < from.column,
    to.row + to.rowCount > from.row + from.rowCount,
    to.column + to.columnCount > from.column + from.columnCount,
  ];
  if (ends.filter(Boolean).length > 1)
    throw new ServiceException(
      'AutoFill destination range must extend the source range in only one direction.',
    );
  const { sheetId } = from;
  const before = isTaller ? from.row - to.row : from.column - to.column;
  const [known, count] = isTaller
    ? [from.rowCount, to.rowCount]
    : [from.columnCount, to.columnCount];
  const lines = Array.from({ length: isTaller ? from.columnCount : from.rowCount }, (_, line) => {
    const cut = (place: Place): Place =>
      isTaller
        ? { ...place, column: place.column + line, columnCount: 1 }
        : { ...place, row: place.row + line, rowCount: 1 };
    const source = cut(from);
    return { source, target: cut(to), contentAt: lineContents(model, source, isTaller, how) };
  });
  for (const { source, target, contentAt } of lines) {
    const cellAt = (n: number): Place => ({
      sheetId,
      row: source.row + (isTaller ? n : 0),
      column: source.column + (isTaller ? 0 : n),
      rowCount: 1,
      columnCount: 1,
    });
    for (let n = -before; n < count - before; n += 1) {
      if (n >= 0 && n < known) continue;
      copyTo(model, cellAt(placeIn(known, n)), cellAt(n), 'PASTE_FORMAT', false);
    }
    const contents = Array.from({ length: count }, (_, at) => contentAt(at - before));
    writeInto(model, target, isTaller ? contents.map((each) => [each]) : [contents]);
  }
}

/** What stands in the n-th cell of a row or column, with formulas moved along. */
function lineContents(
  model: SheetModel,
  source: Place,
  isDown: boolean,
  how: FillSeries,
): (n: number) => CellContent {
  const formulas = model.formulas(source.sheetId, source).flat();
  const values = model.values(source.sheetId, source).flat();
  const isFormula = formulas.some((text) => text !== '');
  if (isFormula && formulas.includes(''))
    throw new ServiceException('AutoFill of formulas beside other contents is not emulated');
  if (isFormula)
    return (n) => {
      const at = placeIn(formulas.length, n);
      const by = n - at;
      return { formula: moveDown(formulas[at] ?? '', isDown ? by : 0, isDown ? 0 : by) };
    };
  const series = how === 'ALTERNATE_SERIES' ? copies(values) : seriesOf(values, model.timeZone());
  if (series === null) throw new ServiceException('AutoFill of such a series is not emulated');
  return series;
}

/** In the order in which they are tried where several divide equally many places. */
const DELIMITERS = [',', ';', '.', ' '] as const;

function ofTexts(typeIn: TypeIn) {
  return {
    /** Splits what a column's cells show. The parts are typed into the cells beside. */
    'spreadsheet.write.splitTextToColumns': onOwnCells((model, place, given: string | null) => {
      if (place.columnCount !== 1)
        throw new ServiceException('Splitting the texts of several columns is not emulated');
      const texts = model.displayValues(place.sheetId, place).flat();
      const count = (delimiter: string) =>
        texts.reduce((sum, text) => sum + text.split(delimiter).length - 1, 0);
      const most = Math.max(...DELIMITERS.map(count));
      const delimiter = given ?? DELIMITERS.find((each) => count(each) === most) ?? ',';
      const lines = texts.map((text, down) => {
        const parts = text.split(delimiter);
        const row = { ...place, row: place.row + down, rowCount: 1, columnCount: parts.length };
        checkPlace(model, row);
        return { row, parts };
      });
      for (const { row, parts } of lines) if (parts.length > 1) typeIn(model, row, [parts]);
    }),
  } satisfies Partial<Operations<MoveCalls>>;
}

function ofChance(random: Random) {
  return {
    'spreadsheet.write.randomize': onOwnCells((model, place) => {
      checkUnmerged(model, place);
      const order = Array.from({ length: place.rowCount }, (_, at) => at);
      for (let last = order.length - 1; last > 0; last -= 1) {
        const at = random.integer(0, last);
        [order[last], order[at]] = [order[at] ?? at, order[last] ?? last];
      }
      model.arrange(place.sheetId, place, order);
    }),
  } satisfies Partial<Operations<MoveCalls>>;
}
