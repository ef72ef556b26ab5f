// Reads, writes and sorts the cells of a Univer spreadsheet for scripts.
import type { ICellData } from '@univerjs/core';
import { lookIn, withLook } from 'apps-script-host/sheet/cell-looks';
import { moveDown } from 'apps-script-host/sheet/formula-references';
import { NotInThisModel } from 'apps-script-host/sheet/marks';
import type {
  CellContent,
  Matrix,
  Rectangle,
  SheetModel,
  SortKey,
} from 'apps-script-host/sheet/model';
import { checkInside, checkOrder } from 'apps-script-host/sheet/rectangle';
import { sortedOrder } from 'apps-script-host/sheet/sort-order';
import { NOTE, noteIn } from './cell-note';
import { dates } from './sheet-dates';
import { createCellConversion } from './univer-cells';
import { type CellSeen, createUniverReader } from './univer-reader';
import type { UniverSheets } from './univer-sheets';
import type { UniverWorkbook } from './univer-workbook';

export type UniverGrid = Pick<
  SheetModel,
  | 'size'
  | 'values'
  | 'displayValues'
  | 'formulas'
  | 'numberFormats'
  | 'fontWeights'
  | 'colours'
  | 'looks'
  | 'notes'
  | 'write'
  | 'setNumberFormats'
  | 'setFontWeights'
  | 'setColours'
  | 'setLooks'
  | 'setNotes'
  | 'clearContents'
  | 'sort'
  | 'arrange'
>;

export function createUniverGrid(opened: UniverWorkbook, sheets: UniverSheets): UniverGrid {
  const { univer, commands, workbook } = opened;
  const conversion = createCellConversion(univer, dates);
  const { read, size } = createUniverReader(opened, sheets);

  /** Parts of a cell that are left out stay unchanged. */
  const put = (sheetId: number, row: number, column: number, cells: Matrix<ICellData>): void => {
    const subUnitId = sheets.sheet(sheetId).getSheetId();
    const cellValue = sparse(
      cells.map((line) => sparse(line, column - 1)),
      row - 1,
    );
    const params = { unitId: workbook.getId(), subUnitId, cellValue };
    commands.syncExecuteCommand(univer.SetRangeValuesMutation.id, params);
  };
  /**
   * Writes a formula again with what is put beside it. Otherwise Univer removes what the formula had
   * filled beside it.
   */
  const putBeside = (
    sheetId: number,
    row: number,
    column: number,
    parts: Matrix<Pick<ICellData, 's' | 'custom'>>,
  ): void => {
    const place = over(row, column, parts);
    checkInside(place, size(sheetId));
    const own = read(sheetId, place, ({ formula }) => formula);
    const cells = parts.map((line, down) =>
      line.map((part, right): ICellData => {
        const f = own[down]?.[right] ?? '';
        return { ...part, ...(f === '' ? {} : { f }) };
      }),
    );
    put(sheetId, row, column, cells);
  };
  const putStyles = (
    sheetId: number,
    row: number,
    column: number,
    styles: Matrix<ICellData['s']>,
  ): void =>
    putBeside(
      sheetId,
      row,
      column,
      styles.map((line) => line.map((s) => ({ s }))),
    );
  const arrange = (sheetId: number, rectangle: Rectangle, order: readonly number[]): void => {
    const seen = read(sheetId, rectangle, (one) => ({ own: one.own, formula: one.formula }));
    checkOrder(order, rectangle.rowCount);
    const arranged = order.map((from, to) =>
      (seen[from] ?? []).map((one) => moved(one, to - from)),
    );
    put(sheetId, rectangle.row, rectangle.column, arranged);
  };
  return {
    size,
    values: (sheetId, rectangle) =>
      read(sheetId, rectangle, ({ cell, format }) => conversion.value(cell, format)),
    displayValues: (sheetId, rectangle) =>
      read(sheetId, rectangle, ({ cell, format }) => conversion.display(cell, format)),
    formulas: (sheetId, rectangle) => read(sheetId, rectangle, ({ formula }) => formula),
    numberFormats: (sheetId, rectangle) => read(sheetId, rectangle, ({ format }) => format),
    write: (sheetId, row, column, contents) => {
      const formats = read(sheetId, over(row, column, contents), ({ format }) => format);
      const toCell = (content: CellContent, down: number, right: number): ICellData =>
        conversion.toCell(content, formats[down]?.[right] ?? '');
      const cells = contents.map((line, down) =>
        line.map((content, right) => toCell(content, down, right)),
      );
      put(sheetId, row, column, cells);
    },
    setNumberFormats: (sheetId, row, column, formats) => {
      const styles = formats.map((line) => line.map((pattern) => ({ n: { pattern } })));
      putStyles(sheetId, row, column, styles);
    },
    fontWeights: (sheetId, rectangle) =>
      read(sheetId, rectangle, ({ isBold }) => (isBold ? 'bold' : '')),
    setFontWeights: (sheetId, row, column, weights) => {
      const styles = weights.map((line) =>
        line.map((weight) => ({ bl: Number(weight === 'bold') })),
      );
      putStyles(sheetId, row, column, styles);
    },
    colours: (sheetId, rectangle, of) =>
      read(sheetId, rectangle, ({ style }) => style?.[COLOURS[of]]?.rgb ?? ''),
    setColours: (sheetId, row, column, of, colours) => {
      const styles = colours.map((line) =>
        line.map((rgb) => ({ [COLOURS[of]]: rgb === '' ? null : { rgb } })),
      );
      putStyles(sheetId, row, column, styles);
    },
    looks: (sheetId, rectangle) =>
      read(sheetId, rectangle, ({ style }) =>
        withLook('', 'horizontal', ALIGNED[style?.ht ?? 0] ?? ''),
      ),
    setLooks: (sheetId, row, column, looks) => {
      checkInside(over(row, column, looks), size(sheetId));
      const isOther = (look: string) =>
        withLook(look, 'horizontal', '') !== '' || !ALIGNED.includes(lookIn(look, 'horizontal'));
      if (looks.some((line) => line.some(isOther)))
        throw new NotInThisModel('Wrapping, fonts and borders are not in this model.');
      const styles = looks.map((line) =>
        line.map((look) => ({ ht: ALIGNED.indexOf(lookIn(look, 'horizontal')) })),
      );
      putStyles(sheetId, row, column, styles);
    },
    notes: (sheetId, rectangle) => read(sheetId, rectangle, ({ own }) => noteIn(own)),
    setNotes: (sheetId, row, column, notes) => {
      const customs = notes.map((line) =>
        line.map((note) => ({ custom: note === '' ? null : { [NOTE]: note } })),
      );
      putBeside(sheetId, row, column, customs);
    },
    clearContents: (sheetId, rectangle) => {
      const blank = read(sheetId, rectangle, () => conversion.toCell('', ''));
      put(sheetId, rectangle.row, rectangle.column, blank);
    },
    sort: (sheetId, rectangle, keys) => {
      const values = read(sheetId, rectangle, ({ own }) => conversion.plain(own));
      const rules = keys.map((key) => ({
        place: placeIn(rectangle, key),
        ascending: key.ascending,
      }));
      arrange(sheetId, rectangle, sortedOrder(values, rules));
    },
    arrange,
  };
}

/** By Univer's number of a cell's alignment: how scripts name it, '' for none that was chosen. */
const ALIGNED: readonly string[] = ['', 'left', 'center', 'right'];

/** Univer's names for the colours of a cell. */
const COLOURS = { background: 'bg', text: 'cl' } as const;

/** The whole cell as it is `rows` rows further down. */
function moved({ own, formula }: Pick<CellSeen, 'own' | 'formula'>, rows: number): ICellData {
  const content = formula
    ? { f: moveDown(formula, rows), v: null, t: null }
    : { f: null, v: own?.v ?? null, t: own?.t ?? null };
  const { p = null, s = null, custom = null } = own ?? {};
  return { ...content, si: null, p, s, custom };
}

/** Indexes rows and cells by their numbers, as Univer requires. */
function sparse<Item>(items: readonly Item[], first: number): Readonly<Record<number, Item>> {
  return Object.fromEntries(items.map((item, at) => [first + at, item]));
}

function over(row: number, column: number, matrix: Matrix<unknown>): Rectangle {
  const columnCount = matrix[0]?.length ?? 0;
  if (matrix.some((line) => line.length !== columnCount)) {
    throw new RangeError('Rows of unequal length are no rectangle.');
  }
  return { row, column, rowCount: matrix.length, columnCount };
}

/** A sort column counted from 0 in the rectangle, which must contain it. */
function placeIn({ column, columnCount }: Rectangle, key: SortKey): number {
  const place = key.column - column;
  if (place >= 0 && place < columnCount) return place;
  throw new RangeError(`Column ${key.column} is not among those that are sorted.`);
}
