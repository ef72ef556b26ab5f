// The spreadsheet port on SpreadsheetApp, with its sheets.

import {
  type Area,
  columnLetters,
  type FreeSheet,
  type GrowthOutcome,
  type Metadata,
  NEW_SHEET,
  type Sheet,
  type SheetCell,
  type Spreadsheet,
  type WriteOutcome,
} from '../ports';
import { serviceCall, serviceCallOr } from './service-call';

type GoogleSheet = GoogleAppsScript.Spreadsheet.Sheet;

/**
 * A cell as Google names it, in any language, in a message about data validation. A piece of the
 * spreadsheet's id must not match.
 */
export const CELL = /(?<![-\w])[A-Z]{1,3}[1-9]\d{0,6}(?![-\w])/;

/** Google's limit of cells for a whole spreadsheet. */
const CELLS_MAX = 10_000_000;

/** Google's limit for the text of a cell. Longer texts are cut. */
const TEXT_CHARS_MAX = 50_000;

/**
 * A text that begins with letters stays a text unless it is TRUE or FALSE or may be read as a date
 * by its month or weekday.
 */
const PLAIN_TEXT = /^(?!true|false|[a-z]{3}[a-z]* \d|[a-z]+day)[a-z]/i;

/**
 * The cell that rejected a buffered write. Google may report it at the next call on any sheet, so
 * it is kept here.
 */
let rejected: string | null = null;

/** null where a script runs without a spreadsheet, which the published types do not say. */
export const book = () => SpreadsheetApp.getActiveSpreadsheet();

/** The cell behind a name may have been deleted, which the published types do not say. */
const namedBy = (names: RegExp, told: 'getValue' | 'getRow') =>
  serviceCall(() =>
    Object.fromEntries(
      (book()?.getNamedRanges() ?? [])
        .filter((named) => names.test(named.getName()))
        .map((named) => [
          named.getName(),
          (named.getRange() as GoogleAppsScript.Spreadsheet.Range | null)?.[told](),
        ])
        .filter(([, cell]) => cell !== undefined),
    ),
  );

const found = (sheet: GoogleSheet | null | undefined) =>
  sheet ? sheetOf(sheet, sheet.getSheetId()) : null;

const named = (title: string): Sheet | null =>
  serviceCall(() => found(book().getSheetByName(title)));

export function appsScriptSpreadsheet(): Spreadsheet {
  return {
    place: () =>
      serviceCall(() => {
        const here = book();
        return here === null ? null : { id: here.getId(), timeZone: here.getSpreadsheetTimeZone() };
      }),
    // A clock trigger may run without an active spreadsheet.
    sheet: (sheetId) => serviceCall(() => found(book()?.getSheetById(sheetId))),
    sheets: () =>
      serviceCall(() =>
        (book()?.getSheets() ?? []).map((sheet) => sheetOf(sheet, sheet.getSheetId())),
      ),
    withMetadata: (key) =>
      serviceCall(() => {
        const { SHEET } = SpreadsheetApp.DeveloperMetadataLocationType;
        const noted = book()
          ?.createDeveloperMetadataFinder()
          .withKey(key)
          .withLocationType(SHEET)
          .find();
        const ids = (noted ?? []).map((one) => one.getLocation().getSheet()?.getSheetId());
        const sheets = book()?.getSheets() ?? [];
        return sheets
          .filter((sheet) => ids.includes(sheet.getSheetId()))
          .map((sheet) => sheetOf(sheet, sheet.getSheetId()));
      }),
    named,
    add(title) {
      const onView = serviceCall(() => book().getActiveSheet());
      const added = insertSheet(title);
      if (typeof added === 'string') return added;
      return serviceCall(() => {
        book().setActiveSheet(onView);
        return sheetOf(added, added.getSheetId());
      });
    },
    active: () =>
      serviceCall(() => {
        const sheet = book().getActiveSheet();
        return sheetOf(sheet, sheet.getSheetId());
      }),
    namedPlace: (name) =>
      serviceCall(() => {
        const range = book()?.getRangeByName(name) ?? null;
        const sheet = range && found(range.getSheet());
        return range && sheet && { sheet, area: areaOf(range) };
      }),
    nameCell: (name, sheetId, { row, column }) =>
      serviceCall(() => {
        const sheet = book().getSheetById(sheetId);
        if (sheet !== null) book().setNamedRange(name, sheet.getRange(row, column));
      }),
    namedCells: (names) => namedBy(names, 'getValue'),
    namedRows: (names) => namedBy(names, 'getRow'),
    selected: () => serviceCall(() => (book().getActiveRangeList()?.getRanges() ?? []).map(areaOf)),
    select(sheetId, areas) {
      const sheet = serviceCall(() => book().getSheetById(sheetId));
      if (sheet === null || areas.length === 0) return false;
      // Sheets makes the last area of the selection the active one and scrolls to it.
      const [first, ...others] = areas.map(notation);
      return serviceCall(
        () => {
          book().setActiveSheet(sheet);
          sheet.getRangeList([...others, ...(first === undefined ? [] : [first])]).activate();
          return true;
        },
        (words) => (areas.some((area) => isGone(sheet, sheetId, words, area)) ? false : undefined),
      );
    },
  };
}

/**
 * Adds a sheet behind all others. Its title gets a number if another sheet has the same title;
 * Sheets ignores case when it compares titles.
 */
export function insertSheet(title: string): GoogleSheet | 'protected' | 'full' {
  const freeName = () => {
    const taken = book()
      .getSheets()
      .map((sheet) => sheet.getName().toLowerCase());
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? title : `${title} ${number}`;
      if (!taken.includes(name.toLowerCase())) return name;
    }
  };
  let name = serviceCall(freeName);
  return serviceCall<GoogleSheet | 'protected' | 'full'>(
    () => book().insertSheet(name, book().getNumSheets()),
    () => {
      const there = book().getSheetByName(name);
      // Either the failed call made the sheet after all, or somebody else has made one of the same
      // name.
      if (there?.getLastRow() === 0) return there;
      name = freeName();
      if (isFull(NEW_SHEET.maxRows * NEW_SHEET.maxColumns)) return 'full';
      const isOpen = (sheet: GoogleSheet) => sheet.getRange(1, 1).canEdit();
      return book().getSheets().some(isOpen) ? undefined : 'protected';
    },
  );
}

/** Whether this many more cells would exceed the spreadsheet's limit. */
function isFull(more: number): boolean {
  const cells = (sheet: GoogleSheet) => sheet.getMaxRows() * sheet.getMaxColumns();
  return (
    book()
      .getSheets()
      .reduce((sum, sheet) => sum + cells(sheet), more) > CELLS_MAX
  );
}

function hasProtection(sheet: GoogleSheet): boolean {
  const { RANGE, SHEET } = SpreadsheetApp.ProtectionType;
  return [SHEET, RANGE].some((type) => sheet.getProtections(type).length > 0);
}

/** `=HYPERLINK("https://…"; "Blue mug")`; an address that is put together is not known here. */
const HYPERLINK = /^=\s*HYPERLINK\(\s*"([^"]+)"\s*[,;)]/i;

function linkOf(
  formula: string,
  text: GoogleAppsScript.Spreadsheet.RichTextValue | null | undefined,
): string {
  const [, address] = HYPERLINK.exec(formula) ?? [];
  if (address !== undefined || !text) return address ?? '';
  // The whole text has no link if parts of it have different ones.
  const whole = text.getLinkUrl();
  const parts = whole === null ? text.getRuns().map((run) => run.getLinkUrl()) : [whole];
  return parts.filter(Boolean).join(' ');
}

function areaOf(range: GoogleAppsScript.Spreadsheet.Range): Area {
  return {
    row: range.getRow(),
    column: range.getColumn(),
    rowCount: range.getNumRows(),
    columnCount: range.getNumColumns(),
  };
}

/** "A5:C9" */
function notation({ row, column, rowCount, columnCount }: Area): string {
  return `${columnLetters(column)}${row}:${columnLetters(column + columnCount - 1)}${row + rowCount - 1}`;
}

/** "C:C" for column 3, "7:7" for row 7. */
function lineNotation(on: Metadata['on'], at: number): string {
  const line = on === 'column' ? columnLetters(at) : String(at);
  return `${line}:${line}`;
}

function metadataOf(noted: GoogleAppsScript.Spreadsheet.DeveloperMetadata): Metadata {
  const place = noted.getLocation();
  const value = noted.getValue() ?? '';
  const [column, row] = [place.getColumn(), place.getRow()];
  if (column) return { on: 'column', at: column.getColumn(), value };
  return row ? { on: 'row', at: row.getRow(), value } : { on: 'sheet', at: 0, value };
}

/**
 * Groups of rows or of columns, each as its first line and its length. At least one group must be
 * editable.
 */
type Lines = readonly (readonly [number, number])[];

/** The lines on both sides of an insertion. */
const around = (line: number): Lines => [
  [line - 1, 1],
  [line, 1],
];

/**
 * Whether the sheet or part of the area no longer exists, or data validation rejected a buffered
 * write.
 */
function isGone(sheet: GoogleSheet, id: number, words: string, area?: Area): boolean {
  if (book()?.getSheetById(id) == null) return true;
  const cell = CELL.exec(words)?.[0];
  if (cell !== undefined) rejected = cell;
  if (cell !== undefined || area === undefined) return cell !== undefined;
  const { row, column, rowCount, columnCount } = area;
  return (
    row + rowCount - 1 > sheet.getMaxRows() || column + columnCount - 1 > sheet.getMaxColumns()
  );
}

function sheetOf(sheet: GoogleSheet, id: number): Sheet {
  type Range = GoogleAppsScript.Spreadsheet.Range;
  const rangeOf = ({ row, column, rowCount, columnCount }: Area) =>
    sheet.getRange(row, column, rowCount, columnCount);
  const orGone = <T>(look: () => T, area?: Area): T | null =>
    serviceCall<T | null>(look, (words) => (isGone(sheet, id, words, area) ? null : undefined));
  const read = <T>(area: Area, look: (range: Range) => T) =>
    orGone(() => look(rangeOf(area)), area);
  const written = (area: Area, write: (range: Range) => unknown): WriteOutcome =>
    serviceCall<WriteOutcome>(
      () => {
        write(rangeOf(area));
        return 'written';
      },
      (words) => {
        if (isGone(sheet, id, words, area)) return 'gone';
        return rangeOf(area).canEdit() ? undefined : 'protected';
      },
    );

  /** Changes the sheet as a whole. @param isDone whether a call that failed has done it all the same. */
  const changed = (change: () => unknown, isDone = () => false): WriteOutcome =>
    serviceCall<WriteOutcome>(
      () => {
        change();
        return 'written';
      },
      (words) => {
        if (isGone(sheet, id, words)) return 'gone';
        if (isDone()) return 'written';
        return sheet.getRange(1, 1).canEdit() ? undefined : 'protected';
      },
    );

  const notedUnder = (key: string) => sheet.createDeveloperMetadataFinder().withKey(key).find();

  /**
   * Inserts or deletes rows or columns. Before a second try it measures the sheet, because the
   * first one may have succeeded.
   */
  function resized(
    isRows: boolean,
    beside: Lines,
    more: number,
    act: () => unknown,
    known?: number,
  ): GrowthOutcome {
    const [length, breadth] = isRows
      ? [() => sheet.getMaxRows(), () => sheet.getMaxColumns()]
      : [() => sheet.getMaxColumns(), () => sheet.getMaxRows()];
    const before = known ?? orGone(length);
    if (before === null) return 'gone';
    const isOpen = ([line, count]: readonly [number, number]) =>
      (isRows
        ? sheet.getRange(line, 1, count, breadth())
        : sheet.getRange(1, line, breadth(), count)
      ).canEdit();
    return serviceCall<GrowthOutcome>(
      () => {
        act();
        return 'written';
      },
      (words) => {
        if (isGone(sheet, id, words)) return 'gone';
        const now = length();
        if (more > 0 ? now >= before + more : now <= before + more) return 'written';
        const there = beside.filter(([line, count]) => line > 0 && line + count - 1 <= now);
        if (there.length === 0) return 'gone';
        if (more > 0 && isFull(more * breadth())) return 'full';
        return there.some(isOpen) ? undefined : 'protected';
      },
    );
  }

  return {
    id,
    name: () => orGone(() => sheet.getName()),
    named,
    size: () =>
      orGone(() => {
        const filled = sheet.getDataRange();
        return {
          lastRow: filled.getLastRow(),
          lastColumn: filled.getLastColumn(),
          maxRows: sheet.getMaxRows(),
          maxColumns: sheet.getMaxColumns(),
        };
      }),
    values: (area) => read(area, (range) => range.getValues() as SheetCell[][]),
    columns: (first, count) =>
      orGone(
        () => {
          const notation = `${columnLetters(first)}:${columnLetters(first + count - 1)}`;
          return sheet.getRange(notation).getValues() as SheetCell[][];
        },
        { row: 1, column: first, rowCount: 1, columnCount: count },
      ),
    formulas: (area) => read(area, (range) => range.getFormulas()),
    links: (area) =>
      read(area, (range) => {
        const texts = range.getRichTextValues();
        return range
          .getFormulas()
          .map((row, down) => row.map((formula, right) => linkOf(formula, texts[down]?.[right])));
      }),
    merges: (area) => read(area, (range) => range.getMergedRanges().map(areaOf)),
    write(area, cells) {
      rejected = null;
      const contents = cells.map((row) => row.map(asContent));
      return written(area, (range) => range.setValues(contents));
    },
    writeR1C1(area, formula) {
      rejected = null;
      return written(area, (range) => range.setFormulaR1C1(formula));
    },
    formulasR1C1: (area) =>
      read(area, (range) => range.getFormulasR1C1().map((row) => row.map((one) => one ?? ''))),
    metadata: (key) => orGone(() => notedUnder(key).map(metadataOf)),
    addMetadata: (key, { on, at, value }) =>
      changed(
        () => {
          const { PROJECT } = SpreadsheetApp.DeveloperMetadataVisibility;
          const place = on === 'sheet' ? sheet : sheet.getRange(lineNotation(on, at));
          place.addDeveloperMetadata(key, value, PROJECT);
        },
        // The call that failed may have added it, and a second one would stand beside it.
        () => notedUnder(key).some((one) => metadataOf(one).value === value),
      ),
    removeMetadata: (key, { on, at, value }) =>
      changed(() => {
        for (const one of notedUnder(key)) {
          const there = metadataOf(one);
          const isMeant = there.on === on && there.at === at;
          if (isMeant && (value === undefined || there.value === value)) one.remove();
        }
      }),
    hideColumns: (first, count) => changed(() => sheet.hideColumns(first, count)),
    showColumns: (first, count) => changed(() => sheet.showColumns(first, count)),
    warnBeforeEdits: (description) =>
      changed(() => sheet.protect().setDescription(description).setWarningOnly(true)),
    rejected: () => rejected,
    formats: (area) => read(area, (range) => range.getNumberFormats()),
    writeFormulas: (area, formulas) =>
      written(area, (range) => range.setFormulas(formulas.map((row) => [...row]))),
    // If the sheet has no protection, its cells need not be asked.
    canEdit: (area) => read(area, (range) => !hasProtection(sheet) || range.canEdit()) ?? false,
    setFormats: (area, formats) =>
      written(area, (range) => range.setNumberFormats(formats.map((row) => [...row]))),
    setFormat: (area, format) => written(area, (range) => range.setNumberFormat(format)),
    keepValues: (area) =>
      written(area, (range) =>
        range.copyTo(range, SpreadsheetApp.CopyPasteType.PASTE_VALUES, false),
      ),
    addColumns: (after, count) =>
      // The known count saves a call between the caller's reading and this insertion, because
      // columns may move at any moment.
      resized(false, around(after + 1), count, () => sheet.insertColumnsAfter(after, count), after),
    addRowOnTop: () => resized(true, around(1), 1, () => sheet.insertRowBefore(1)),
    addRows: (after, count) =>
      resized(true, around(after + 1), count, () => sheet.insertRowsAfter(after, count), after),
    insertRows: (before, count) =>
      resized(true, around(before), count, () => sheet.insertRowsBefore(before, count)),
    deleteRows: (first, count) =>
      resized(true, [[first, count]], -count, () => sheet.deleteRows(first, count)),
    dress(row, first, widths, like) {
      // A header without our format is not a failure.
      serviceCallOr(undefined, () => {
        const headers = sheet.getRange(row, first, 1, widths.length);
        const { PASTE_FORMAT } = SpreadsheetApp.CopyPasteType;
        if (like === null) headers.clearFormat();
        else sheet.getRange(row, like).copyTo(headers, PASTE_FORMAT, false);
        widths.forEach((pixels, at) => {
          if (pixels === widths[at - 1]) return;
          const other = widths.findIndex((one, beyond) => beyond > at && one !== pixels);
          sheet.setColumnWidths(first + at, (other < 0 ? widths.length : other) - at, pixels);
        });
        if (like !== null && sheet.getFrozenRows() === 0) sheet.setFrozenRows(row);
      });
    },
    freezeDownTo: (row) => {
      serviceCallOr(undefined, () => sheet.setFrozenRows(row));
    },
    makeBold: (area) => written(area, (range) => range.setFontWeight('bold')),
    visibleRows(rows) {
      const isFiltered = serviceCall(() => sheet.getFilter() !== null);
      return rows.filter((row) =>
        serviceCall(
          () => !sheet.isRowHiddenByUser(row) && !(isFiltered && sheet.isRowHiddenByFilter(row)),
        ),
      );
    },
  };
}

/**
 * Sheets parses a text as if it were typed. An apostrophe, which Sheets does not keep, stops it
 * from becoming a formula, a number or a date.
 */
export function asContent(cell: SheetCell): SheetCell {
  return typeof cell === 'string' ? asText(cell.slice(0, TEXT_CHARS_MAX)) : cell;
}

const asText = (text: string) => (text === '' || PLAIN_TEXT.test(text) ? text : `'${text}`);

export function appsScriptFreeSheet(): FreeSheet {
  return {
    fill(title, rows, { headRows, formats }) {
      const columns = Math.max(...rows.map((row) => row.length));
      const active = serviceCall(() => {
        const sheet = book().getActiveSheet();
        // The empty sheet may have fewer rows or columns than the content needs.
        const hasRoom = sheet.getMaxRows() >= rows.length && sheet.getMaxColumns() >= columns;
        return hasRoom && sheet.getLastRow() === 0 ? sheet : null;
      });
      const sheet = active ?? insertSheet(title);
      if (typeof sheet === 'string') return sheet;
      const cells = rows.map((row) => [...row, ...Array<string>(columns - row.length).fill('')]);
      const place = () => sheet.getRange(1, 1, cells.length, columns);
      try {
        return serviceCall<ReturnType<FreeSheet['fill']>>(
          () => {
            const range = place();
            range.setValues(cells);
            const figures = rows.slice(headRows).map(() => [...formats]);
            sheet
              .getRange(headRows + 1, 2, figures.length, formats.length)
              .setNumberFormats(figures);
            sheet.getRange(headRows, 1, 1, columns).setFontWeight('bold');
            sheet.setFrozenRows(headRows);
            // Google may report a refusal only when it carries out buffered writes, which without a
            // flush is after the script has ended.
            SpreadsheetApp.flush();
            return { sheet: sheet.getName(), range: range.getA1Notation(), isNew: active === null };
          },
          () => (place().canEdit() ? undefined : 'protected'),
        );
      } catch (error) {
        // Cleaning up means that a second try does not leave a second sheet behind.
        serviceCallOr<unknown>(undefined, () =>
          active === null ? book().deleteSheet(sheet) : place().clearContent(),
        );
        throw error;
      }
    },
  };
}
