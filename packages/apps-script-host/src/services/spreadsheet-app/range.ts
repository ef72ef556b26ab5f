// Range: cells side by side, read and written by a script.

import type { PartOf } from '../../service';
import { isDate } from '../../sheet/date-serial';
import type { CellValue, Matrix, SortKey } from '../../sheet/model';
import { GENERAL_FORMAT } from '../../sheet/model';
import type { PasteType, Place } from './calls';
import { metadataMembers } from './features';
import type { Making, RangeHandle } from './making';
import { filled, fittingRows, placeOf } from './making';
import { markMembers } from './range-marks';
import { placeMembers } from './range-place';

type SortSpec = number | { readonly column: number; readonly ascending?: boolean };

/** What a script may put into a cell, whatever it is, as a cell can hold it. */
export function cellValue(value: unknown): CellValue {
  switch (typeof value) {
    case 'number':
      return Number.isFinite(value) ? value : '#NUM!';
    case 'boolean':
    case 'string':
      return value;
    case 'undefined':
      return '';
    default:
      if (isDate(value)) return Number.isNaN(value.getTime()) ? '#NUM!' : value;
      return value === null ? '' : String(value);
  }
}

function sortKey(spec: SortSpec): SortKey {
  if (typeof spec === 'number') return { column: spec, ascending: true };
  return { column: spec.column, ascending: spec.ascending ?? true };
}

export function rangeOf(making: Making, place: Place): object {
  const self: object = making.guard('Range', {
    ...placeMembers(making, place),
    ...reading(making, place),
    ...writing(making, place, () => self),
    ...markMembers(making, place, () => self),
    ...metadataMembers(making, { sheetId: place.sheetId, place }, () => self),
    createTextFinder: (text: string) => making.textFinder({ in: 'range', place }, String(text)),
  } satisfies PartOf<GoogleAppsScript.Spreadsheet.Range>);
  return self;
}

const [WHITE, BLACK] = ['#ffffff', '#000000'];

const orDefault = (colour: string) => (row: readonly string[]) => row.map((one) => one || colour);

/** Sheets has this format, not "General", for cells that nobody has given one. */
const AUTOMATIC_FORMAT = '0.###############';

function reading({ call }: Making, place: Place) {
  const { row, column, sheetId } = place;
  const first: Place = { sheetId, row, column, rowCount: 1, columnCount: 1 };
  const format = (text: string) => (text === GENERAL_FORMAT ? AUTOMATIC_FORMAT : text);
  const only = <Cell>(matrix: Matrix<Cell>, blank: Cell) => matrix[0]?.[0] ?? blank;
  return {
    getValue: () => only(call('spreadsheet.read.getValues', first), ''),
    getValues: () => call('spreadsheet.read.getValues', place),
    getDisplayValue: () => only(call('spreadsheet.read.getDisplayValues', first), ''),
    getDisplayValues: () => call('spreadsheet.read.getDisplayValues', place),
    getFormula: () => only(call('spreadsheet.read.getFormulas', first), ''),
    getFormulas: () => call('spreadsheet.read.getFormulas', place),
    getNumberFormat: () => format(only(call('spreadsheet.read.getNumberFormats', first), '')),
    getNumberFormats: () =>
      call('spreadsheet.read.getNumberFormats', place).map((row) => row.map(format)),
    getFontWeight: () => only(call('spreadsheet.read.getFontWeights', first), '') || 'normal',
    getFontWeights: () => call('spreadsheet.read.getFontWeights', place).map(orDefault('normal')),
    getBackground: () => only(call('spreadsheet.read.getBackgrounds', first), '') || WHITE,
    getBackgrounds: () => call('spreadsheet.read.getBackgrounds', place).map(orDefault(WHITE)),
    getFontColor: () => only(call('spreadsheet.read.getFontColors', first), '') || BLACK,
    getFontColors: () => call('spreadsheet.read.getFontColors', place).map(orDefault(BLACK)),
    isBlank: () => call('spreadsheet.read.isBlank', place),
  } satisfies PartOf<GoogleAppsScript.Spreadsheet.Range>;
}

function writing(making: Making, place: Place, self: () => object) {
  const { call } = making;
  const chain = (change: () => void) => {
    change();
    return self();
  };
  const painted = (colour: string | null) => filled(place, colour ?? '');
  const fitting = (method: string, rows: unknown): unknown[][] =>
    fittingRows(making, place, method, rows);
  const texts = (method: string, rows: unknown) =>
    fitting(method, rows).map((row) => row.map(String));
  /** null is the colour that a cell has by itself. */
  const paints = (method: string, rows: unknown) =>
    fitting(method, rows).map((row) => row.map((colour) => String(colour ?? '')));
  return {
    setValue: (value: unknown) =>
      chain(() => call('spreadsheet.write.setValue', place, filled(place, cellValue(value)))),
    setValues: (values: unknown[][]) => {
      const rows = fitting('setValues', values).map((row) => row.map(cellValue));
      return chain(() => call('spreadsheet.write.setValues', place, rows));
    },
    setFormula: (formula: string) =>
      chain(() => call('spreadsheet.write.setFormula', place, filled(place, String(formula)))),
    setFormulas: (formulas: string[][]) =>
      chain(() => call('spreadsheet.write.setFormulas', place, texts('setFormulas', formulas))),
    setNumberFormat: (format: string) =>
      chain(() => call('spreadsheet.write.setNumberFormat', place, filled(place, String(format)))),
    setNumberFormats: (formats: string[][]) =>
      chain(() =>
        call('spreadsheet.write.setNumberFormats', place, texts('setNumberFormats', formats)),
      ),
    setFontWeight: (weight: 'bold' | 'normal' | null) => {
      const text = weight === 'bold' ? 'bold' : '';
      return chain(() => call('spreadsheet.write.setFontWeight', place, filled(place, text)));
    },
    setFontWeights: (weights: unknown[][]) => {
      const rows = fitting('setFontWeights', weights).map((row) =>
        row.map((weight) => (weight === 'bold' ? 'bold' : '')),
      );
      return chain(() => call('spreadsheet.write.setFontWeight', place, rows));
    },
    setBackgrounds: (colours: unknown[][]) =>
      chain(() =>
        call('spreadsheet.write.setBackground', place, paints('setBackgrounds', colours)),
      ),
    setFontColors: (colours: unknown[][]) =>
      chain(() => call('spreadsheet.write.setFontColor', place, paints('setFontColors', colours))),
    setBackground: (colour: string | null) =>
      chain(() => call('spreadsheet.write.setBackground', place, painted(colour))),
    setFontColor: (colour: string | null) =>
      chain(() => call('spreadsheet.write.setFontColor', place, painted(colour))),
    /** copyTo(destination), and (destination, type, transposed). */
    copyTo: (to: RangeHandle, type?: object, isTransposed = false) => {
      if (isTransposed) throw new Error('Cells turned on their side are not emulated');
      const { pasteTypes } = making;
      const what = Object.entries(pasteTypes).find(([, one]) => one === type)?.[0];
      call('spreadsheet.write.copyTo', place, placeOf(to), (what ?? 'PASTE_NORMAL') as PasteType);
    },
    clear: (...options: unknown[]) => {
      if (options.length > 0) throw new Error('Range.clear with options is not emulated');
      return chain(() => call('spreadsheet.write.clear', place));
    },
    clearContent: () => chain(() => call('spreadsheet.write.clearContent', place)),
    clearFormat: () => chain(() => call('spreadsheet.write.clearFormat', place)),
    sort: (specs: SortSpec | readonly SortSpec[]) => {
      const keys = (Array.isArray(specs) ? specs : [specs]).map(sortKey);
      return chain(() => call('spreadsheet.write.sort', place, keys));
    },
    activate: () => chain(() => call('spreadsheet.write.setActiveRange', place)),
  };
}
