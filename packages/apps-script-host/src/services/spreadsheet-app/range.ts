// Range: a rectangle of cells that a script reads and writes.

import { say } from '../../messages';
import type { PartOf } from '../../service';
import { isDate } from '../../sheet/date-serial';
import type { CellValue, Matrix, SortKey } from '../../sheet/model';
import { GENERAL_FORMAT } from '../../sheet/model';
import { applied, bandingsIn } from './banding';
import type { PasteType, Place } from './calls';
import { imageFormula } from './cell-image';
import { colourOf } from './colours';
import { metadataMembers } from './features';
import { groupMembers } from './groups';
import { lookMembers } from './looks';
import type { Making, RangeHandle, SheetHandle } from './making';
import { filled, fittingRows, placeOf, wrongParameters } from './making';
import { markMembers } from './range-marks';
import { moveMembers } from './range-moves';
import { placeMembers } from './range-place';
import { styleMembers } from './text-style';

type SortSpec = number | { readonly column: number; readonly ascending?: boolean };

/** Converts whatever a script puts into a cell to what a cell can hold. */
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
      return value === null ? '' : (imageFormula(value) ?? String(value));
  }
}

export interface ClearOptions {
  readonly contentsOnly?: boolean | undefined;
  readonly formatOnly?: boolean | undefined;
  readonly commentsOnly?: boolean | undefined;
  readonly validationsOnly?: boolean | undefined;
  readonly skipFilteredRows?: boolean | undefined;
}

/**
 * Reference of Range.clear: clears contents and formats, or what the options name. Notes are called
 * comments there.
 */
export function clearPlace({ call }: Making, place: Place, options: ClearOptions): void {
  const { contentsOnly, formatOnly, commentsOnly, validationsOnly, skipFilteredRows } = options;
  if (skipFilteredRows) throw new Error('Clearing without filtered rows is not emulated');
  if (!contentsOnly && !formatOnly && !commentsOnly && !validationsOnly) {
    call('spreadsheet.write.clear', place);
    return;
  }
  if (contentsOnly) call('spreadsheet.write.clearContent', place);
  if (formatOnly) call('spreadsheet.write.clearFormat', place);
  if (commentsOnly) call('spreadsheet.write.setNote', place, filled(place, ''));
  if (validationsOnly) call('spreadsheet.write.setDataValidation', place, null);
}

function sortKey(spec: SortSpec): SortKey {
  if (typeof spec === 'number') return { column: spec, ascending: true };
  return { column: spec.column, ascending: spec.ascending ?? true };
}

export function rangeOf(making: Making, place: Place): object {
  const self: object = making.guard(
    'Range',
    // Most ranges are made for a single call, which is usually a read or a write, so the other
    // members are made on demand.
    reading(making, place),
    () => writing(making, place, () => self) satisfies PartOf<GoogleAppsScript.Spreadsheet.Range>,
    () => placeMembers(making, place),
    () =>
      ({
        ...markMembers(making, place, () => self),
        ...lookMembers(making, place, () => self),
        ...styleMembers(making, place, () => self),
        ...moveMembers(making, place, () => self),
        ...groupMembers(making, place, () => self),
        getBandings: () => bandingsIn(making, place),
        applyRowBanding: (...args: unknown[]) =>
          applied(making, self as RangeHandle, 'row', args) as GoogleAppsScript.Spreadsheet.Banding,
        applyColumnBanding: (...args: unknown[]) =>
          applied(
            making,
            self as RangeHandle,
            'column',
            args,
          ) as GoogleAppsScript.Spreadsheet.Banding,
        ...metadataMembers(making, { sheetId: place.sheetId, place }, () => self),
        createTextFinder: (text: string) => making.textFinder({ in: 'range', place }, String(text)),
      }) satisfies PartOf<GoogleAppsScript.Spreadsheet.Range>,
  );
  bookOf.set(self, making.bookId);
  return self;
}

const [WHITE, BLACK] = ['#ffffff', '#000000'];

const orDefault = (colour: string) => (row: readonly string[]) => row.map((one) => one || colour);

/** Sheets has this format, instead of "General", for cells without a chosen format. */
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
    /** Reference of Range.getFormulaR1C1: null if there is no formula. */
    getFormulaR1C1: () => only(call('spreadsheet.read.getFormulasR1C1', first), '') || null,
    getFormulasR1C1: () =>
      call('spreadsheet.read.getFormulasR1C1', place).map((row) => row.map((text) => text || null)),
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

/** Arguments: (gridId or sheet, column, columnEnd, row, rowEnd). */
function spanOf([sheet, column, columnEnd, row, rowEnd]: readonly unknown[]): Place {
  const sheetId = typeof sheet === 'number' ? sheet : (sheet as SheetHandle).getSheetId();
  return {
    sheetId,
    row: Number(row),
    column: Number(column),
    rowCount: Number(rowEnd) - Number(row) + 1,
    columnCount: Number(columnEnd) - Number(column) + 1,
  };
}

/**
 * Reference of Range.removeDuplicates: deletes rows "that contain values that are duplicates of
 * values in any previous row", moves up the rows below and returns the remaining range. Texts that
 * differ only in case, formatting or formulas are the same.
 */
function removeDuplicates(making: Making, place: Place, columns?: readonly number[]): object {
  const { call, range } = making;
  const values = call('spreadsheet.read.getValues', place);
  const seen = new Set<string>();
  const wanted = columns?.map((column) => column - place.column);
  const kept = values.flatMap((row, down) => {
    const compared = wanted ? wanted.map((at) => row[at]) : row;
    const key = JSON.stringify(
      compared.map((value) => (typeof value === 'string' ? value.toLowerCase() : value)),
    );
    if (seen.has(key)) return [];
    seen.add(key);
    return [down];
  });
  kept.forEach((from, to) => {
    if (from === to) return;
    const line = { ...place, rowCount: 1 };
    const [source, target] = [from, to].map((at) => ({ ...line, row: place.row + at }));
    if (source && target) call('spreadsheet.write.copyTo', source, target, 'PASTE_NORMAL', false);
  });
  const left = { ...place, rowCount: kept.length };
  if (kept.length < place.rowCount) {
    const gone = { row: place.row + kept.length, rowCount: place.rowCount - kept.length };
    call('spreadsheet.write.clear', { ...place, ...gone });
  }
  return range(left);
}

/** null empties the cell. */
const formulaText = (formula: unknown): string => (formula === null ? '' : String(formula));

/** An empty text and "general" in any case are the automatic format. */
const formatText = (format: unknown): string =>
  /^(?:general)?$/i.test(String(format ?? '')) ? GENERAL_FORMAT : String(format);

/** In which spreadsheet a range lies. null: in the script's own. */
const bookOf = new WeakMap<object, string | null>();

const isRange = (value: unknown): value is RangeHandle =>
  typeof value === 'object' && value !== null && String(value) === 'Range';

/** Arguments: (destination), (destination, options) or (destination, type, transposed). */
function pasted(making: Making, args: readonly unknown[]) {
  const [to, how, isTransposed = false] = args;
  const wrong = () => wrongParameters(making, 'Range.copyTo', args);
  if (!isRange(to) || typeof isTransposed !== 'boolean') throw wrong();
  if (bookOf.get(to) !== making.bookId) throw making.exception(say('range-elsewhere'));
  const type = Object.entries(making.pasteTypes).find(([, one]) => one === how)?.[0];
  if (how === undefined || type !== undefined)
    return { to: placeOf(to), what: (type ?? 'PASTE_NORMAL') as PasteType, isTransposed };
  const { contentsOnly, formatOnly, ...others } = (how ?? {}) as ClearOptions;
  // Google accepts unknown and contradictory options. A script that has them means something else.
  const isClear = typeof how === 'object' && how !== null && Object.keys(others).length === 0;
  if (!isClear || (contentsOnly && formatOnly)) throw wrong();
  const what = contentsOnly ? 'PASTE_VALUES' : formatOnly ? 'PASTE_FORMAT' : 'PASTE_NORMAL';
  return { to: placeOf(to), what: what as PasteType, isTransposed };
}

function writing(making: Making, place: Place, self: () => object) {
  const { call } = making;
  const chain = (change: () => void) => {
    change();
    return self();
  };
  const painted = (colour: unknown) => filled(place, colourOf(colour));
  const fitting = (method: string, rows: unknown): unknown[][] =>
    fittingRows(making, place, method, rows);
  const texts = (method: string, rows: unknown, text: (cell: unknown) => string) =>
    fitting(method, rows).map((row) => row.map(text));
  /** null restores the cell's default colour. */
  const paints = (method: string, rows: unknown) =>
    fitting(method, rows).map((row) => row.map(colourOf));
  return {
    setValue: (value: unknown) =>
      chain(() => call('spreadsheet.write.setValue', place, filled(place, cellValue(value)))),
    setValues: (values: unknown[][]) => {
      const rows = fitting('setValues', values).map((row) => row.map(cellValue));
      return chain(() => call('spreadsheet.write.setValues', place, rows));
    },
    setFormula: (formula: string | null) =>
      chain(() => call('spreadsheet.write.setFormula', place, filled(place, formulaText(formula)))),
    setFormulas: (formulas: string[][]) =>
      chain(() =>
        call('spreadsheet.write.setFormulas', place, texts('setFormulas', formulas, formulaText)),
      ),
    setFormulaR1C1: (formula: string) =>
      chain(() =>
        call('spreadsheet.write.setFormulaR1C1', place, filled(place, formulaText(formula))),
      ),
    setFormulasR1C1: (formulas: string[][]) =>
      chain(() =>
        call(
          'spreadsheet.write.setFormulasR1C1',
          place,
          texts('setFormulasR1C1', formulas, formulaText),
        ),
      ),
    setNumberFormat: (format: string) =>
      chain(() =>
        call('spreadsheet.write.setNumberFormat', place, filled(place, formatText(format))),
      ),
    setNumberFormats: (formats: string[][]) =>
      chain(() =>
        call(
          'spreadsheet.write.setNumberFormats',
          place,
          texts('setNumberFormats', formats, formatText),
        ),
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
    copyTo: (...args: readonly unknown[]) => {
      const { to, what, isTransposed } = pasted(making, args);
      call('spreadsheet.write.copyTo', place, to, what, isTransposed);
    },
    clear: (options: ClearOptions = {}) => chain(() => clearPlace(making, place, options)),
    clearContent: () => chain(() => call('spreadsheet.write.clearContent', place)),
    clearFormat: () => chain(() => call('spreadsheet.write.clearFormat', place)),
    sort: (specs: SortSpec | readonly SortSpec[]) => {
      const keys = (Array.isArray(specs) ? specs : [specs]).map(sortKey);
      return chain(() => call('spreadsheet.write.sort', place, keys));
    },
    activate: () => chain(() => call('spreadsheet.write.setActiveRange', place)),
    /**
     * The host has no current cell separate from the selection, so a cell within the selection
     * replaces it.
     */
    activateAsCurrentCell: () =>
      chain(() => {
        if (place.rowCount * place.columnCount > 1)
          throw new Error('Range.activateAsCurrentCell takes a single cell.');
        call('spreadsheet.write.setActiveRange', place);
      }),
    /**
     * Reference of Range.trimWhitespace: removes spaces around texts, and more than one space
     * within. Formulas stay unchanged.
     */
    trimWhitespace: () =>
      chain(() => {
        const formulas = call('spreadsheet.read.getFormulas', place);
        call('spreadsheet.read.getValues', place).forEach((row, down) => {
          row.forEach((value, right) => {
            if (typeof value !== 'string' || formulas[down]?.[right]) return;
            const trimmed = value.replace(/\s+/g, ' ').trim();
            const cell = { ...place, row: place.row + down, column: place.column + right };
            const one = { ...cell, rowCount: 1, columnCount: 1 };
            // Even what begins with "=" stays a text.
            if (trimmed !== value) call('spreadsheet.write.setValue', one, [[`'${trimmed}`]]);
          });
        });
      }),
    removeDuplicates: (columns?: readonly number[]) => removeDuplicates(making, place, columns),
    copyFormatToRange: (...where: readonly unknown[]) =>
      call('spreadsheet.write.copyTo', place, spanOf(where), 'PASTE_FORMAT', false),
    copyValuesToRange: (...where: readonly unknown[]) =>
      call('spreadsheet.write.copyTo', place, spanOf(where), 'PASTE_VALUES', false),
  };
}
