// Reads, writes, sorts and searches cells on behalf of a script.

import { say } from '../../messages';
import type { Caller, Operations, World } from '../../service';
import { ServiceException } from '../../service';
import { moveDown } from '../../sheet/formula-references';
import { withCommas } from '../../sheet/formula-separators';
import type { CellValue, ColourOf, Matrix, SheetModel, SortKey } from '../../sheet/model';
import { GENERAL_FORMAT } from '../../sheet/model';
import { fromR1C1, toR1C1 } from '../../sheet/r1c1';
import type { CellCalls, PasteType, Place, Search, SearchScope, ValidationFacts } from './calls';
import { checkLengths, checkPlace, modelOf } from './host-book';
import { copyTo } from './host-copy';
import { checkUnmerged, writeInto } from './host-merges';
import { checkEditable } from './host-protection';
import {
  areChecked,
  checkValid,
  removeCheckboxes,
  setChecked,
  setValidation,
  validationsIn,
} from './host-validation';
import type { InputRules } from './input';
import { readInput } from './input';
import { findIn, replaceIn } from './search';

/** Puts values into cells as if they had been typed in. */
export type TypeIn = (model: SheetModel, place: Place, values: Matrix<CellValue>) => void;

export function createTypeIn({ scheduler }: Pick<World, 'scheduler'>): TypeIn {
  return (model, place, values) => {
    checkLengths(values);
    const year = new Date(scheduler.nowMs()).getUTCFullYear();
    const rules: InputRules = { locale: model.locale(), year };
    const { sheetId, row, column } = place;
    const formats = model.numberFormats(sheetId, place);
    let hasNewFormat = false;
    const contents = values.map((cells, down) =>
      cells.map((value, right) => {
        if (typeof value !== 'string') return value;
        const formatRow = formats[down] ?? [];
        const input = readInput(value, formatRow[right] ?? GENERAL_FORMAT, rules);
        if (input.format !== undefined && formatRow[right] === GENERAL_FORMAT) {
          formatRow[right] = input.format;
          hasNewFormat = true;
        }
        return input.content;
      }),
    );
    if (model.dropdowns(sheetId).length > 0) checkValid(model, place, contents);
    if (hasNewFormat) model.setNumberFormats(sheetId, row, column, formats);
    writeInto(model, place, contents);
  };
}

type CellOperations = Operations<CellCalls>;

export function cellOperations(typeIn: TypeIn): CellOperations {
  return { ...readings(), ...writings(typeIn), ...searching(typeIn) };
}

/** Makes an operation that reads the cells of a script's range. */
export function onCells<Args extends readonly unknown[], Result>(
  act: (model: SheetModel, place: Place, ...args: Args) => Result,
) {
  return (caller: Caller, place: Place, ...args: Args): Result => {
    const model = modelOf(caller);
    checkPlace(model, place);
    return act(model, place, ...args);
  };
}

/** Makes an operation that changes the cells of a script's range. */
export function onOwnCells<Args extends readonly unknown[], Result>(
  act: (model: SheetModel, place: Place, ...args: Args) => Result,
) {
  return (caller: Caller, place: Place, ...args: Args): Result => {
    const model = modelOf(caller);
    checkPlace(model, place);
    checkEditable(caller, model, place);
    return act(model, place, ...args);
  };
}

/** The formulas of a place, each rewritten for its own cell. */
const eachInPlace = (
  { row, column }: Place,
  formulas: Matrix<string>,
  rewrite: typeof toR1C1,
): string[][] =>
  formulas.map((cells, down) =>
    cells.map((formula, right) => rewrite(formula, { row: row + down, column: column + right })),
  );

function readings() {
  return {
    'spreadsheet.read.getValues': onCells((model, place) => model.values(place.sheetId, place)),
    'spreadsheet.read.getDisplayValues': onCells((model, place) =>
      model.displayValues(place.sheetId, place),
    ),
    'spreadsheet.read.getFormulas': onCells((model, place) => model.formulas(place.sheetId, place)),
    'spreadsheet.read.getFormulasR1C1': onCells((model, place) =>
      eachInPlace(place, model.formulas(place.sheetId, place), toR1C1),
    ),
    'spreadsheet.read.getNumberFormats': onCells((model, place) =>
      model.numberFormats(place.sheetId, place),
    ),
    'spreadsheet.read.getFontWeights': onCells((model, place) =>
      model.fontWeights(place.sheetId, place),
    ),
    'spreadsheet.read.getBackgrounds': onCells((model, place) =>
      model.colours(place.sheetId, place, 'background'),
    ),
    'spreadsheet.read.getFontColors': onCells((model, place) =>
      model.colours(place.sheetId, place, 'text'),
    ),
    'spreadsheet.read.getDataValidations': onCells(validationsIn),
    'spreadsheet.read.isChecked': onCells(areChecked),
    'spreadsheet.read.isBlank': onCells((model, place) => {
      const isEmpty = (cell: CellValue) => cell === '';
      return (
        model.values(place.sheetId, place).every((row) => row.every(isEmpty)) &&
        model.formulas(place.sheetId, place).every((row) => row.every(isEmpty))
      );
    }),
  } satisfies Partial<CellOperations>;
}

/**
 * Sheets adds the "=" that a script forgot. It shows commas between arguments, except in locales
 * with a decimal comma. An empty text empties the cell.
 */
function asShown(formula: string, locale: string): string {
  if (formula === '') return '';
  const whole = formula.startsWith('=') ? formula : `=${formula}`;
  return locale.startsWith('en_') ? withCommas(whole) : whole;
}

/** One formula for many cells is filled down and across. */
const filledRow = (row: readonly string[], down: number) =>
  row.map((formula, right) => moveDown(formula, down, right));

function clearFormats(model: SheetModel, place: Place): void {
  const { sheetId, row, column, rowCount, columnCount } = place;
  const all = (text: string) =>
    Array.from({ length: rowCount }, () => new Array<string>(columnCount).fill(text));
  model.setNumberFormats(sheetId, row, column, all(GENERAL_FORMAT));
  model.setFontWeights(sheetId, row, column, all(''));
  for (const what of ['background', 'text'] as const)
    model.setColours(sheetId, row, column, what, all(''));
  model.setLooks(sheetId, row, column, all(''));
}

function checkSortKeys(place: Place, keys: readonly SortKey[]): void {
  const last = place.column + place.columnCount - 1;
  if (keys.every(({ column }) => column >= place.column && column <= last)) return;
  throw new ServiceException(say('sort-outside'));
}

function writings(typeIn: TypeIn) {
  const setValues = onOwnCells(typeIn);
  const putFormulas = (model: SheetModel, place: Place, formulas: Matrix<string>) => {
    const texts = formulas.map((row) => row.map((text) => asShown(text, model.locale())));
    checkLengths(texts);
    const contents = texts.map((row) => row.map((text) => (text === '' ? '' : { formula: text })));
    writeInto(model, place, contents);
  };
  const setFormulas = onOwnCells(putFormulas);
  const setFormulasR1C1 = onOwnCells((model, place, formulas: Matrix<string>) =>
    putFormulas(model, place, eachInPlace(place, formulas, fromR1C1)),
  );
  const setNumberFormats = onOwnCells((model, place, formats: Matrix<string>) =>
    model.setNumberFormats(place.sheetId, place.row, place.column, formats),
  );
  const setColours = (of: ColourOf) =>
    onOwnCells((model, place, colours: Matrix<string>) =>
      model.setColours(place.sheetId, place.row, place.column, of, colours),
    );
  return {
    'spreadsheet.write.setValue': setValues,
    'spreadsheet.write.setValues': setValues,
    'spreadsheet.write.setFormula': onOwnCells((model, place, formulas: Matrix<string>) =>
      putFormulas(model, place, formulas.map(filledRow)),
    ),
    'spreadsheet.write.setFormulas': setFormulas,
    'spreadsheet.write.setFormulaR1C1': setFormulasR1C1,
    'spreadsheet.write.setFormulasR1C1': setFormulasR1C1,
    'spreadsheet.write.setNumberFormat': setNumberFormats,
    'spreadsheet.write.setNumberFormats': setNumberFormats,
    'spreadsheet.write.setFontWeight': onOwnCells((model, place, weights: Matrix<string>) =>
      model.setFontWeights(place.sheetId, place.row, place.column, weights),
    ),
    'spreadsheet.write.setBackground': setColours('background'),
    'spreadsheet.write.setFontColor': setColours('text'),
    'spreadsheet.write.copyTo': (
      caller: Caller,
      from: Place,
      to: Place,
      what: PasteType,
      isTransposed: boolean,
    ) => {
      const model = modelOf(caller);
      for (const place of [from, to]) checkPlace(model, place);
      checkEditable(caller, model, to);
      copyTo(model, from, to, what, isTransposed);
    },
    'spreadsheet.write.setDataValidation': onOwnCells(setValidation),
    'spreadsheet.write.setDataValidations': onOwnCells(
      (model, place, rules: Matrix<ValidationFacts | null>) =>
        rules.forEach((row, down) => {
          row.forEach((facts, right) => {
            const { sheetId, row: first, column } = place;
            const cell = { sheetId, row: first + down, column: column + right };
            setValidation(model, { ...cell, rowCount: 1, columnCount: 1 }, facts);
          });
        }),
    ),
    'spreadsheet.write.check': onOwnCells(setChecked),
    'spreadsheet.write.removeCheckboxes': onOwnCells(removeCheckboxes),
    'spreadsheet.write.clearContent': onOwnCells((model, place) =>
      model.clearContents(place.sheetId, place),
    ),
    'spreadsheet.write.clearFormat': onOwnCells(clearFormats),
    'spreadsheet.write.clear': onOwnCells((model, place) => {
      model.clearContents(place.sheetId, place);
      clearFormats(model, place);
    }),
    'spreadsheet.write.sort': onOwnCells((model, place, keys: readonly SortKey[]) => {
      checkSortKeys(place, keys);
      checkUnmerged(model, place);
      model.sort(place.sheetId, place, keys);
    }),
  } satisfies Partial<CellOperations>;
}

/** The used cells that a search covers. */
function searchedPlaces(model: SheetModel, scope: SearchScope): Place[] {
  if (scope.in === 'range') {
    checkPlace(model, scope.place);
    return [scope.place];
  }
  const sheetIds = scope.in === 'sheet' ? [scope.sheetId] : model.sheets().map(({ id }) => id);
  return sheetIds.flatMap((sheetId) => {
    const { lastRow, lastColumn } = model.size(sheetId);
    if (lastRow === 0) return [];
    return [{ sheetId, row: 1, column: 1, rowCount: lastRow, columnCount: lastColumn }];
  });
}

function cellsToSearch(model: SheetModel, place: Place) {
  return {
    shown: model.displayValues(place.sheetId, place),
    formulas: model.formulas(place.sheetId, place),
  };
}

function searching(typeIn: TypeIn) {
  const cellOf = (place: Place, down: number, right: number): Place => {
    const { sheetId, row, column } = place;
    return { sheetId, row: row + down, column: column + right, rowCount: 1, columnCount: 1 };
  };
  return {
    'spreadsheet.read.findAll': (caller, scope, search) => {
      const model = modelOf(caller);
      return searchedPlaces(model, scope).flatMap((place) =>
        findIn(cellsToSearch(model, place), search).map(({ down, right }) =>
          cellOf(place, down, right),
        ),
      );
    },
    'spreadsheet.write.replaceAllWith': (
      caller: Caller,
      scope: SearchScope,
      search: Search,
      replacement: string,
    ) => {
      const model = modelOf(caller);
      let total = 0;
      for (const place of searchedPlaces(model, scope)) {
        const { count, replaced } = replaceIn(cellsToSearch(model, place), search, replacement);
        for (const { down, right, text } of replaced) {
          const cell = cellOf(place, down, right);
          checkEditable(caller, model, cell);
          typeIn(model, cell, [[text]]);
        }
        total += count;
      }
      return total;
    },
  } satisfies Partial<CellOperations>;
}
