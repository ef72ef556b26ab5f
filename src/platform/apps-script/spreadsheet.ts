// Sheets of Apps Script: cells by id of their sheet, with what other people do meanwhile as values.

import { columnLetters } from '../column-letters';
import type {
  Area,
  CellContent,
  GrowthOutcome,
  Sheet,
  SheetCell,
  Spreadsheet,
  WriteOutcome,
} from '../sheet-ports';

type GoogleSheet = GoogleAppsScript.Spreadsheet.Sheet;

/** How Sheets says that somebody else may edit this, and that it is no longer there. */
const PROTECTED = /protected|not have permission|can.t edit/i;
const GONE = /not found|outside the dimensions|out of bounds|does not exist|was deleted/i;
const REJECTED = /cell ([A-Z]+\d+) violates the data validation/i;
const FULL = /above the limit/i;
const TAKEN = /already exists/i;

/** Far below the 50,000 characters of a cell: longer texts are of no use to anybody. */
const TEXT_CHARS_MAX = 1_000;

/** What begins with letters is a text, unless it is a truth value or names a month or a day. */
const PLAIN_TEXT = /^(?!true|false|[a-z]{3}[a-z]* \d|[a-z]+day)[a-z]/i;

/** Of what waited to be written: whatever Google does next with any sheet may tell. */
let rejected: string | null = null;

export function appsScriptSpreadsheet(): Spreadsheet {
  const book = () => SpreadsheetApp.getActiveSpreadsheet();
  return {
    place() {
      const here = book();
      return here === null ? null : { id: here.getId(), timeZone: here.getSpreadsheetTimeZone() };
    },
    sheet(sheetId) {
      // By the clock there may be no spreadsheet at hand.
      const found = book()?.getSheetById(sheetId);
      return found ? sheetOf(found, sheetId) : null;
    },
    sheets: () => (book()?.getSheets() ?? []).map((sheet) => sheetOf(sheet, sheet.getSheetId())),
    named(title) {
      const found = book().getSheetByName(title);
      return found && sheetOf(found, found.getSheetId());
    },
    add(title) {
      const onView = book().getActiveSheet();
      const added = insert(book(), title);
      if (typeof added === 'string') return added;
      book().setActiveSheet(onView);
      return sheetOf(added, added.getSheetId());
    },
    active() {
      const sheet = book().getActiveSheet();
      return sheetOf(sheet, sheet.getSheetId());
    },
    selected() {
      return (book().getActiveRangeList()?.getRanges() ?? []).map(areaOf);
    },
    select(sheetId, areas) {
      const sheet = book().getSheetById(sheetId);
      if (sheet === null || areas.length === 0) return false;
      // The last one becomes the active one, and that is where Sheets scrolls to.
      const [first, ...others] = areas.map(notation);
      const selected = orGone(() => {
        book().setActiveSheet(sheet);
        sheet.getRangeList([...others, ...(first === undefined ? [] : [first])]).activate();
        return true;
      });
      return selected ?? false;
    },
  };
}

/** Names that differ in their case alone are the same to Sheets, so it is asked by trying. */
function insert(
  book: GoogleAppsScript.Spreadsheet.Spreadsheet,
  title: string,
): GoogleSheet | 'protected' | 'full' {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? title : `${title} ${number}`;
    try {
      return book.insertSheet(name, book.getNumSheets());
    } catch (error) {
      const text = String(error);
      if (TAKEN.test(text)) continue;
      if (FULL.test(text)) return 'full';
      if (PROTECTED.test(text)) return 'protected';
      throw error;
    }
  }
}

function hasProtection(sheet: GoogleSheet): boolean {
  const { RANGE, SHEET } = SpreadsheetApp.ProtectionType;
  return [SHEET, RANGE].some((type) => sheet.getProtections(type).length > 0);
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

function sheetOf(sheet: GoogleSheet, id: number): Sheet {
  const rangeOf = ({ row, column, rowCount, columnCount }: Area) =>
    sheet.getRange(row, column, rowCount, columnCount);
  return {
    id,
    name: () => orGone(() => sheet.getName()),
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
    values: (area) => orGone(() => rangeOf(area).getValues() as SheetCell[][]),
    formulas: (area) => orGone(() => rangeOf(area).getFormulas()),
    merges: (area) => orGone(() => rangeOf(area).getMergedRanges().map(areaOf)),
    write(area, cells) {
      rejected = null;
      return outcomeOf(() => rangeOf(area).setValues(cells.map((row) => row.map(asContent))));
    },
    rejected: () => rejected,
    putBack: (area, cells) =>
      outcomeOf(() => rangeOf(area).setValues(cells.map((row) => row.map(asBefore)))),
    formats: (area) => orGone(() => rangeOf(area).getNumberFormats()),
    writeFormulas: (area, formulas) =>
      outcomeOf(() => rangeOf(area).setFormulas(formulas.map((row) => [...row]))),
    // Of a sheet without protection nothing has to be asked cell by cell.
    canEdit: (area) => orGone(() => !hasProtection(sheet) || rangeOf(area).canEdit()) ?? false,
    setFormats: (area, formats) =>
      outcomeOf(() => rangeOf(area).setNumberFormats(formats.map((row) => [...row]))),
    addColumns: (afterColumn, count) =>
      growthOf(() => sheet.insertColumnsAfter(afterColumn, count)),
    addRowOnTop: () => growthOf(() => sheet.insertRowBefore(1)),
    insertRows: (beforeRow, count) => growthOf(() => sheet.insertRowsBefore(beforeRow, count)),
    deleteRows: (firstRow, count) => outcomeOf(() => sheet.deleteRows(firstRow, count)),
    freezeRows: (count) => outcomeOf(() => sheet.setFrozenRows(count)),
    visibleRows(rows) {
      const isFiltered = sheet.getFilter() !== null;
      return rows.filter(
        (row) => !sheet.isRowHiddenByUser(row) && !(isFiltered && sheet.isRowHiddenByFilter(row)),
      );
    },
  };
}

/**
 * Texts are read as if somebody typed them: an apostrophe, which is not kept, stops them from
 * becoming a formula, a number or a date.
 */
function asContent(cell: SheetCell): SheetCell {
  return typeof cell === 'string' ? asText(cell.slice(0, TEXT_CHARS_MAX)) : cell;
}

const asText = (text: string) => (text === '' || PLAIN_TEXT.test(text) ? text : `'${text}`);

function asBefore({ value, formula }: CellContent): SheetCell {
  if (formula !== '') return formula;
  return typeof value === 'string' ? asText(value) : value;
}

function orGone<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (isGone(String(error))) return null;
    throw error;
  }
}

/** The area, or what was to be written before. */
function isGone(text: string): boolean {
  rejected = REJECTED.exec(text)?.[1] ?? rejected;
  return GONE.test(text) || REJECTED.test(text);
}

function outcomeOf(write: () => unknown): WriteOutcome {
  try {
    write();
    return 'written';
  } catch (error) {
    const text = String(error);
    if (PROTECTED.test(text)) return 'protected';
    if (isGone(text)) return 'gone';
    throw error;
  }
}

function growthOf(grow: () => unknown): GrowthOutcome {
  try {
    return outcomeOf(grow);
  } catch (error) {
    if (FULL.test(String(error))) return 'full';
    throw error;
  }
}
