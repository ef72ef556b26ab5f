// The spreadsheet that is open: its sheets, named cells and selection, its name and its time zone.

import { book, isFull } from './book';
import type { Area } from './cells';
import { beforeWrite } from './lease';
import { serviceCall } from './service-call';
import { areaOfRange, NEW_SHEET, Sheet } from './sheet';

type GoogleSheet = GoogleAppsScript.Spreadsheet.Sheet;

const sheetOf = (found: GoogleSheet | null | undefined) => (found ? new Sheet(found) : null);

/** null: a clock trigger may run without an active spreadsheet. */
export const spreadsheetHere = (): { readonly id: string; readonly timeZone: string } | null =>
  serviceCall(() => {
    const here = book();
    return here === null ? null : { id: here.getId(), timeZone: here.getSpreadsheetTimeZone() };
  });

/** null: no sheet has this id. */
export const sheetById = (id: number): Sheet | null =>
  serviceCall(() => sheetOf(book()?.getSheetById(id)));

/** null: no sheet has this title. */
export const sheetNamed = (title: string): Sheet | null =>
  serviceCall(() => sheetOf(book().getSheetByName(title)));

/** All sheets in the order of their tabs; empty where no spreadsheet is active. */
export const allSheets = (): readonly Sheet[] =>
  serviceCall(() => (book()?.getSheets() ?? []).map((sheet) => new Sheet(sheet)));

/** The sheets that this metadata is on, in the order of their tabs. */
export const sheetsTagged = (key: string, value: string): readonly Sheet[] =>
  serviceCall(() => {
    const { SHEET } = SpreadsheetApp.DeveloperMetadataLocationType;
    const metadata = book()
      ?.createDeveloperMetadataFinder()
      .withKey(key)
      .withValue(value)
      .withLocationType(SHEET)
      .find();
    const ids = (metadata ?? []).map((tag) => tag.getLocation().getSheet()?.getSheetId());
    if (ids.length === 0) return [];
    return book()
      .getSheets()
      .filter((sheet) => ids.includes(sheet.getSheetId()))
      .map((sheet) => new Sheet(sheet));
  });

/** The active sheet, which is the one that a person means. */
export const activeSheet = (): Sheet => serviceCall(() => new Sheet(book().getActiveSheet()));

/** The selected areas of the active sheet. */
export const selectedAreas = (): readonly Area[] =>
  serviceCall(() => (book().getActiveRangeList()?.getRanges() ?? []).map(areaOfRange));

/**
 * Adds a sheet behind all others. Its title gets a number if another sheet has the same title. The
 * active sheet stays active.
 */
export function addSheet(title: string): Sheet | 'protected' | 'full' {
  const onView = serviceCall(() => book().getActiveSheet());
  const added = insertSheet(title);
  if (typeof added === 'string') return added;
  return serviceCall(() => {
    book().setActiveSheet(onView);
    return new Sheet(added);
  });
}

/** The title, with a number if another sheet has it; Sheets ignores case when it compares titles. */
export function freeName(title: string): string {
  const taken = book()
    .getSheets()
    .map((sheet) => sheet.getName().toLowerCase());
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? title : `${title} ${number}`;
    if (!taken.includes(name.toLowerCase())) return name;
  }
}

/** Adds a sheet behind all others. Its title gets a number if another sheet has the same title. */
export function insertSheet(title: string): GoogleSheet | 'protected' | 'full' {
  let name = serviceCall(() => freeName(title));
  beforeWrite();
  return serviceCall<GoogleSheet | 'protected' | 'full'>(
    () => book().insertSheet(name, book().getNumSheets()),
    () => {
      const named = book().getSheetByName(name);
      // Either the failed call made the sheet after all, or somebody else has made one of the same
      // name.
      if (named?.getLastRow() === 0) return named;
      name = freeName(title);
      if (isFull(NEW_SHEET.maxRows * NEW_SHEET.maxColumns)) return 'full';
      const isOpen = (sheet: GoogleSheet) => sheet.getRange(1, 1).canEdit();
      return book().getSheets().some(isOpen) ? undefined : 'protected';
    },
  );
}

/** Time zones and languages, for diagnostics. */
export const localesHere = () =>
  serviceCall(() => ({
    timeZone: book().getSpreadsheetTimeZone(),
    locale: book().getSpreadsheetLocale(),
    scriptTimeZone: Session.getScriptTimeZone(),
    userLocale: Session.getActiveUserLocale(),
  }));

/** Where the cells of this name are by now; null: there are none. */
export const namedCell = (name: string): { readonly sheet: Sheet; readonly area: Area } | null =>
  serviceCall(() => {
    const range = book()?.getRangeByName(name) ?? null;
    return range && { sheet: new Sheet(range.getSheet()), area: areaOfRange(range) };
  });

/** Gives a cell this name, which no other cell has then. */
export function nameCell(name: string, sheet: Sheet, { row, column }: Area): void {
  beforeWrite();
  serviceCall(() => {
    const target = book().getSheetById(sheet.id);
    if (target !== null) book().setNamedRange(name, target.getRange(row, column));
  });
}

/** A cell that has a name. */
export interface NamedCell {
  readonly row: number;
  readonly sheetId: number;
}

/** Each named cell whose name matches, by name. Names of deleted cells are left out. */
export const namedCells = (names: RegExp): Readonly<Record<string, NamedCell>> =>
  serviceCall(() => {
    const found: Record<string, NamedCell> = {};
    for (const named of book()?.getNamedRanges() ?? []) {
      if (!names.test(named.getName())) continue;
      // The cell behind a name may have been deleted, which the published types do not say.
      const range = named.getRange() as GoogleAppsScript.Spreadsheet.Range | null;
      if (range)
        found[named.getName()] = { row: range.getRow(), sheetId: range.getSheet().getSheetId() };
    }
    return found;
  });

const MINUTE_MS = 60_000;

/** Clocks change only at multiples of this. */
const QUARTER_MS = 15 * MINUTE_MS;

/**
 * How far local time is ahead of UTC at a moment, ms.
 *
 * @param timeZone such as "America/New_York".
 */
export function zoneOf(timeZone: string): (atMs: number) => number {
  const offsets = new Map<number, number>();
  return (atMs) => {
    const quarter = Math.floor(atMs / QUARTER_MS);
    const offsetMs = offsets.get(quarter) ?? offsetAt(timeZone, quarter * QUARTER_MS);
    offsets.set(quarter, offsetMs);
    return offsetMs;
  };
}

/** The same for the spreadsheet's own zone. */
export const zoneHere = () => zoneOf(spreadsheetHere()?.timeZone ?? 'Etc/UTC');

/** The spreadsheet's locale, such as "en-GB". */
export const localeHere = (): string => localesHere().locale.replace('_', '-');

function offsetAt(timeZone: string, atMs: number): number {
  // `shown` looks like "-0330".
  const shown = serviceCall(() => Utilities.formatDate(new Date(atMs), timeZone, 'Z'));
  const [, sign, hours, minutes] = /^([+-])(\d\d)(\d\d)$/.exec(shown) ?? [];
  const ahead = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * MINUTE_MS;
  return sign === '-' ? -ahead : ahead;
}
