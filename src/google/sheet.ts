// A sheet: its cells, rows, columns and metadata. Every call is made a second time if Google fails;
// what is gone, protected or full is a value.

import { book, formatHere, isFull } from './book';
import { type Area, addressOf, areaOf, asContent, columnLetters, type SheetCell } from './cells';
import { beforeWrite } from './lease';
import { lineNotation, type Metadata, metadataOf } from './metadata';
import { serviceCall, serviceCallOr } from './service-call';

type GoogleSheet = GoogleAppsScript.Spreadsheet.Sheet;
type GoogleRange = GoogleAppsScript.Spreadsheet.Range;

export interface SheetSize {
  /** The last row and the last column with content; 0 in an empty sheet. */
  readonly lastRow: number;
  readonly lastColumn: number;
  readonly maxRows: number;
  readonly maxColumns: number;
}

/** A sheet that was just added. */
export const NEW_SHEET: SheetSize = { lastRow: 0, lastColumn: 0, maxRows: 1_000, maxColumns: 26 };

/** `gone`: the sheet, or rows or columns of the area, no longer exist. */
export type WriteOutcome = 'written' | 'protected' | 'gone';

/** `full`: the spreadsheet has no room for more cells. */
export type GrowthOutcome = WriteOutcome | 'full';

/**
 * A cell as Google names it, in any language, in a message about data validation. A piece of the
 * spreadsheet's id must not match.
 */
const CELL = /(?<![-\w])[A-Z]{1,3}[1-9]\d{0,6}(?![-\w])/;

/**
 * The cell that rejected a buffered write. Google may report it at the next call on any sheet, so
 * it is kept here.
 */
let rejected: string | null = null;

/** Gives adjacent columns their widths in pixels, with one call for neighbours of the same width. */
export function setWidths(sheet: GoogleSheet, first: number, widths: readonly number[]): void {
  widths.forEach((pixels, at) => {
    if (pixels === widths[at - 1]) return;
    const next = widths.findIndex((width, beyond) => beyond > at && width !== pixels);
    sheet.setColumnWidths(first + at, (next < 0 ? widths.length : next) - at, pixels);
  });
}

/** Every reading method answers null when the sheet or the area no longer exists. */
export class Sheet {
  readonly id: number;
  /** For this folder alone. */
  readonly googleSheet: GoogleSheet;

  constructor(googleSheet: GoogleSheet) {
    this.googleSheet = googleSheet;
    this.id = googleSheet.getSheetId();
  }

  name(): string | null {
    return this.read(() => this.googleSheet.getName());
  }

  frozenRows(): number | null {
    return this.read(() => this.googleSheet.getFrozenRows());
  }

  size(): SheetSize | null {
    return this.read(() => {
      const filled = this.googleSheet.getDataRange();
      return {
        lastRow: filled.getLastRow(),
        lastColumn: filled.getLastColumn(),
        maxRows: this.googleSheet.getMaxRows(),
        maxColumns: this.googleSheet.getMaxColumns(),
      };
    });
  }

  /** The last row with content. */
  lastRow(): number | null {
    return this.read(() => this.googleSheet.getLastRow());
  }

  /** The last column with content. */
  lastColumn(): number | null {
    return this.read(() => this.googleSheet.getLastColumn());
  }

  values(area: Area): readonly (readonly SheetCell[])[] | null {
    return this.read(() => this.range(area).getValues() as SheetCell[][], area);
  }

  /** The cells of whole columns, down to the last row of the sheet. */
  columns(first: number, count: number): readonly (readonly SheetCell[])[] | null {
    const notation = `${columnLetters(first)}:${columnLetters(first + count - 1)}`;
    const read = () => this.googleSheet.getRange(notation).getValues() as SheetCell[][];
    return this.read(read, areaOf(1, first, 1, count));
  }

  /** How cells show numbers: "0.0%". */
  formats(area: Area): readonly (readonly string[])[] | null {
    return this.read(() => this.range(area).getNumberFormats(), area);
  }

  /** '' for a cell without a formula of its own. */
  formulas(area: Area): readonly (readonly string[])[] | null {
    return this.read(() => this.range(area).getFormulas(), area);
  }

  /** The formulas of the area in R1C1 notation; '' for a cell without one. */
  formulasR1C1(area: Area): readonly (readonly string[])[] | null {
    const read = () => this.range(area).getFormulasR1C1();
    return this.read(read, area)?.map((row) => row.map((cell) => cell ?? '')) ?? null;
  }

  /**
   * Where cells lead, '' for nowhere: by =HYPERLINK("…") or by links behind their text. Several
   * addresses are separated by blanks.
   */
  links(area: Area): readonly (readonly string[])[] | null {
    return this.read(() => {
      const range = this.range(area);
      const texts = range.getRichTextValues();
      return range
        .getFormulas()
        .map((row, down) => row.map((formula, right) => linkOf(formula, texts[down]?.[right])));
    }, area);
  }

  /** The merged cells that overlap the area, each in its full extent. */
  merges(area: Area): readonly Area[] | null {
    return this.read(() => this.range(area).getMergedRanges().map(areaOfRange), area);
  }

  /** Whether this person may write in the area. If nothing is protected, its cells are not asked. */
  canEdit(area: Area): boolean {
    const read = () => !hasProtection(this.googleSheet) || this.range(area).canEdit();
    return this.read(read, area) ?? false;
  }

  /**
   * Texts are written as texts, even if they look like a number or a formula. A read that follows
   * sees what was written.
   */
  write(area: Area, cells: readonly (readonly SheetCell[])[]): WriteOutcome {
    rejected = null;
    const contents = cells.map((row) => row.map(asContent));
    return this.change(() => this.range(area).setValues(contents), area);
  }

  /** Gives each cell of the area its formula, which includes the "=". */
  writeFormulas(area: Area, formulas: readonly (readonly string[])[]): WriteOutcome {
    const texts = formulas.map((row) => [...row]);
    return this.change(() => this.range(area).setFormulas(texts), area);
  }

  /** Gives every cell of the area the same formula, in R1C1 notation, in one call. */
  writeR1C1(area: Area, formula: string): WriteOutcome {
    rejected = null;
    return this.change(() => this.range(area).setFormulaR1C1(formula), area);
  }

  /** Sets single cells, and looks whether data validation rejects one. */
  writeAt(cells: readonly { readonly at: string; readonly value: SheetCell }[]): WriteOutcome {
    rejected = null;
    const sheet = this.googleSheet;
    return this.changeNow(
      () => {
        for (const { at, value } of cells) sheet.getRange(at).setValue(asContent(value));
      },
      () => cells.every(({ at }) => sheet.getRange(at).canEdit()),
    );
  }

  /**
   * The cell ("B12") whose data validation rejected the last write. Sheets may report it only at
   * the next read, which then answers null.
   */
  rejected(): string | null {
    return rejected;
  }

  setFormats(area: Area, formats: readonly (readonly string[])[]): WriteOutcome {
    return this.change(() => {
      this.range(area).setNumberFormats(formats.map((row) => row.map(formatHere)));
    }, area);
  }

  /** Gives every cell of the area the same format. */
  setFormat(area: Area, format: string): WriteOutcome {
    return this.change(() => this.range(area).setNumberFormat(formatHere(format)), area);
  }

  alignLeft(area: Area): WriteOutcome {
    return this.change(() => this.range(area).setHorizontalAlignment('left'), area);
  }

  makeBold(area: Area): WriteOutcome {
    return this.change(() => this.range(area).setFontWeight('bold'), area);
  }

  /** What is noted under this key in this sheet, its rows and its columns. */
  metadata(key: string): readonly Metadata[] | null {
    return this.read(() => this.notedUnder(key).map(metadataOf));
  }

  addMetadata(key: string, { on, at, value }: Metadata): WriteOutcome {
    const sheet = this.googleSheet;
    return this.change(
      () => {
        const { PROJECT } = SpreadsheetApp.DeveloperMetadataVisibility;
        const target = on === 'sheet' ? sheet : sheet.getRange(lineNotation(on, at));
        target.addDeveloperMetadata(key, value, PROJECT);
      },
      on === 'sheet' ? undefined : on === 'column' ? areaOf(1, at) : areaOf(at, 1),
      // The call that failed may have added it, and a second one would stand beside it.
      () => this.notedUnder(key).some((metadata) => metadataOf(metadata).value === value),
    );
  }

  /** Removes the metadata of this key on the same row or column; with a value, only notes with it. */
  removeMetadata(
    key: string,
    { on, at, value }: Pick<Metadata, 'on' | 'at'> & Partial<Pick<Metadata, 'value'>>,
  ): WriteOutcome {
    return this.change(() => {
      for (const metadata of this.notedUnder(key)) {
        const tag = metadataOf(metadata);
        const isMeant = tag.on === on && tag.at === at;
        if (isMeant && (value === undefined || tag.value === value)) metadata.remove();
      }
    });
  }

  /** Inserts columns after what is the last column. */
  addColumns(afterColumn: number, count: number): GrowthOutcome {
    const insert = () => this.googleSheet.insertColumnsAfter(afterColumn, count);
    // The count saves a call between the caller's reading and this insertion, because columns
    // may move at any moment.
    return this.resize(false, around(afterColumn + 1), count, insert, afterColumn);
  }

  insertColumns(beforeColumn: number, count: number): GrowthOutcome {
    const insert = () => this.googleSheet.insertColumnsBefore(beforeColumn, count);
    return this.resize(false, around(beforeColumn), count, insert);
  }

  deleteColumns(firstColumn: number, count: number): GrowthOutcome {
    const remove = () => this.googleSheet.deleteColumns(firstColumn, count);
    return this.resize(false, [[firstColumn, count]], -count, remove);
  }

  addRowOnTop(): GrowthOutcome {
    return this.resize(true, around(1), 1, () => this.googleSheet.insertRowBefore(1));
  }

  /** Adds rows after what is the last row. */
  addRows(afterRow: number, count: number): GrowthOutcome {
    const insert = () => this.googleSheet.insertRowsAfter(afterRow, count);
    return this.resize(true, around(afterRow + 1), count, insert, afterRow);
  }

  insertRows(beforeRow: number, count: number): GrowthOutcome {
    const insert = () => this.googleSheet.insertRowsBefore(beforeRow, count);
    return this.resize(true, around(beforeRow), count, insert);
  }

  deleteRows(firstRow: number, count: number): GrowthOutcome {
    const remove = () => this.googleSheet.deleteRows(firstRow, count);
    return this.resize(true, [[firstRow, count]], -count, remove);
  }

  hideColumns(first: number, count: number): WriteOutcome {
    return this.change(() => this.googleSheet.hideColumns(first, count));
  }

  showColumns(first: number, count: number): WriteOutcome {
    return this.change(() => this.googleSheet.showColumns(first, count));
  }

  showRows(first: number, count: number): WriteOutcome {
    return this.change(() => this.googleSheet.showRows(first, count));
  }

  note(area: Area, text: string): WriteOutcome {
    return this.change(() => this.range(area).setNote(text));
  }

  /** Sheets asks people before they edit this sheet, and lets them. */
  warnBeforeEdits(description: string): WriteOutcome {
    return this.change(() =>
      this.googleSheet.protect().setDescription(description).setWarningOnly(true),
    );
  }

  /**
   * Gives new adjacent columns their widths in pixels and their headers the format of another
   * header. It also freezes the rows down to the header, unless the person has frozen rows already.
   * What Google refuses is left undone.
   *
   * @param like the column whose header is copied; null: the headers get the default format.
   */
  styleColumns(
    headerRow: number,
    firstColumn: number,
    widths: readonly number[],
    like: number | null,
  ): void {
    const sheet = this.googleSheet;
    serviceCallOr(undefined, () => {
      const headers = sheet.getRange(headerRow, firstColumn, 1, widths.length);
      const { PASTE_FORMAT } = SpreadsheetApp.CopyPasteType;
      if (like === null) headers.clearFormat();
      else sheet.getRange(headerRow, like).copyTo(headers, PASTE_FORMAT, false);
      setWidths(sheet, firstColumn, widths);
      if (like !== null && sheet.getFrozenRows() === 0) sheet.setFrozenRows(headerRow);
    });
  }

  /** Gives adjacent columns their widths in pixels. What Google refuses is left undone. */
  setWidths(first: number, widths: readonly number[]): void {
    serviceCallOr(undefined, () => setWidths(this.googleSheet, first, widths));
  }

  /** Keeps this row and those above it in view. What Google refuses is left undone. */
  freezeDownTo(row: number): void {
    serviceCallOr(undefined, () => this.googleSheet.setFrozenRows(row));
  }

  /** Brings the sheet into view, with what is selected in it. */
  show(): void {
    serviceCall(() => book().setActiveSheet(this.googleSheet));
  }

  /** Selects areas and scrolls to the first one, if all of them are still there. */
  select(areas: readonly Area[]): void {
    const [first, ...otherAddresses] = areas.map(addressOf);
    if (first === undefined) return;
    const sheet = this.googleSheet;
    serviceCall(
      () => {
        book().setActiveSheet(sheet);
        // Sheets makes the last area of the selection the active one and scrolls to it.
        sheet.getRangeList([...otherAddresses, first]).activate();
        return true;
      },
      (words) => (areas.some((area) => this.isGone(words, area)) ? false : undefined),
    );
  }

  /** Selects a cell, so that Sheets scrolls to it. What Google refuses is left undone. */
  scrollTo(row: number, column: number): void {
    serviceCallOr(undefined, () => {
      this.googleSheet.getRange(row, column).activate();
    });
  }

  /**
   * Makes a change that has reached the sheet when this returns.
   *
   * @param isOpen whether this person may change the cells in question.
   */
  changeNow(change: () => unknown, isOpen: () => boolean): WriteOutcome {
    beforeWrite();
    return serviceCall<WriteOutcome>(
      () => {
        change();
        SpreadsheetApp.flush();
        return 'written';
      },
      (words) => {
        if (!this.isThere()) return 'gone';
        return this.isRejected(words) || !isOpen() ? 'protected' : undefined;
      },
    );
  }

  private range({ row, column, rowCount, columnCount }: Area): GoogleRange {
    return this.googleSheet.getRange(row, column, rowCount, columnCount);
  }

  private read<T>(call: () => T, area?: Area): T | null {
    return serviceCall<T | null>(call, (words) => (this.isGone(words, area) ? null : undefined));
  }

  /**
   * @param area what is changed; left out: the sheet as a whole.
   * @param isDone whether a call that failed has done it all the same.
   */
  private change(
    change: () => unknown,
    area?: Area,
    isDone: () => boolean = () => false,
  ): WriteOutcome {
    beforeWrite();
    return serviceCall<WriteOutcome>(
      () => {
        change();
        return 'written';
      },
      (words) => {
        if (this.isGone(words, area)) return 'gone';
        if (isDone()) return 'written';
        return this.range(area ?? areaOf(1, 1)).canEdit() ? undefined : 'protected';
      },
    );
  }

  /**
   * Inserts or deletes rows or columns. Before a second try it measures the sheet, because the
   * first one may have succeeded.
   *
   * @param neighbours lines, of which this person must be allowed to edit at least one.
   * @param more how many lines there are afterwards; negative: fewer.
   * @param lineCount how many lines there are, if the caller has just read it.
   */
  private resize(
    isRows: boolean,
    neighbours: Lines,
    more: number,
    act: () => unknown,
    lineCount?: number,
  ): GrowthOutcome {
    const sheet = this.googleSheet;
    const length = () => (isRows ? sheet.getMaxRows() : sheet.getMaxColumns());
    const breadth = () => (isRows ? sheet.getMaxColumns() : sheet.getMaxRows());
    const before = lineCount ?? this.read(length);
    if (before === null) return 'gone';
    const isOpen = ([line, count]: Lines[number]) =>
      this.range(
        isRows ? areaOf(line, 1, count, breadth()) : areaOf(1, line, breadth(), count),
      ).canEdit();
    beforeWrite();
    return serviceCall<GrowthOutcome>(
      () => {
        act();
        return 'written';
      },
      (words) => {
        if (this.isGone(words)) return 'gone';
        const now = length();
        if (more > 0 ? now >= before + more : now <= before + more) return 'written';
        const present = neighbours.filter(([line, count]) => line > 0 && line + count - 1 <= now);
        if (present.length === 0) return 'gone';
        if (more > 0 && isFull(more * breadth())) return 'full';
        return present.some(isOpen) ? undefined : 'protected';
      },
    );
  }

  private notedUnder(key: string) {
    return this.googleSheet.createDeveloperMetadataFinder().withKey(key).find();
  }

  private isThere(): boolean {
    return (book()?.getSheetById(this.id) ?? null) !== null;
  }

  /** Whether Google's message names the cell that data validation protects. */
  private isRejected(words: string): boolean {
    const cell = CELL.exec(words)?.[0];
    if (cell !== undefined) rejected = cell;
    return cell !== undefined;
  }

  /**
   * Whether the sheet or part of the area no longer exists, or data validation rejected a buffered
   * write.
   */
  private isGone(words: string, area?: Area): boolean {
    if (!this.isThere() || this.isRejected(words)) return true;
    if (area === undefined) return false;
    const { row, column, rowCount, columnCount } = area;
    return (
      row + rowCount - 1 > this.googleSheet.getMaxRows() ||
      column + columnCount - 1 > this.googleSheet.getMaxColumns()
    );
  }
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

export function areaOfRange(range: GoogleRange): Area {
  return areaOf(range.getRow(), range.getColumn(), range.getNumRows(), range.getNumColumns());
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
