// Spreadsheet: the document, as a script sees it.

import type { PartOf } from '../../service';
import { bandingOf } from './banding';
import type { BookFacts, Place } from './calls';
import { metadataMembers, namedRanges } from './features';
import { eachRange, sheetOnView } from './forwards';
import type { Making, RangeHandle, SheetHandle } from './making';
import { placeOf } from './making';
import { protectionsOf } from './protection';

export function spreadsheetOf(making: Making, { id, name }: BookFacts): object {
  const { call } = making;
  const usual = {
    getId: () => id,
    getName: () => name,
    getUrl: () => `https://docs.google.com/spreadsheets/d/${id}/edit`,
    getSpreadsheetLocale: () => call('spreadsheet.read.getSpreadsheetLocale'),
    getSpreadsheetTimeZone: () => call('spreadsheet.read.getSpreadsheetTimeZone'),
    getOwner: () => userOf(making, call('spreadsheet.read.getOwner')),
    getEditors: () => call('spreadsheet.read.getEditors').map((email) => userOf(making, email)),
    getProtections: (type: unknown) => protectionsOf(making, null, type),
    toast: (message: string, title = '') => {
      call('spreadsheet.toast', String(message), String(title));
    },
    addMenu: (caption: string, items: readonly (MenuItem | null)[]) =>
      addMenu(making, String(caption), items),
    updateMenu: (caption: string, items: readonly (MenuItem | null)[]) =>
      addMenu(making, String(caption), items),
    createTextFinder: (text: string) => making.textFinder({ in: 'spreadsheet' }, String(text)),
    ...tabs(making),
  } satisfies PartOf<GoogleAppsScript.Spreadsheet.Spreadsheet>;
  const self: object = making.guard(
    'Spreadsheet',
    usual,
    () => active(making),
    () =>
      ({
        ...sheetOnView(making),
        ...namedRanges(making),
        getFormUrl: () => null as unknown as string,
        getBandings: () =>
          call('spreadsheet.getSheets').flatMap((sheetId) =>
            call('spreadsheet.read.getBandings', sheetId).map(
              (facts) => bandingOf(making, facts) as GoogleAppsScript.Spreadsheet.Banding,
            ),
          ),
        ...metadataMembers(making, { sheetId: null, place: null }, () => self),
      }) satisfies PartOf<GoogleAppsScript.Spreadsheet.Spreadsheet>,
  );
  return self;
}

/** An entry of a menu in the older form, in which null is a separator. */
interface MenuItem {
  readonly name: string;
  readonly functionName: string;
}

function addMenu({ call }: Making, caption: string, items: readonly (MenuItem | null)[]): void {
  call('spreadsheet.addMenu', {
    caption,
    addOn: false,
    items: items.map((item) =>
      item === null
        ? { kind: 'separator' }
        : { kind: 'item', caption: item.name, functionName: item.functionName },
    ),
  });
}

function userOf({ guard }: Making, email: string): object {
  return guard('User', { getEmail: () => email } satisfies PartOf<GoogleAppsScript.Base.User>);
}

function tabs(making: Making) {
  const { call, sheet } = making;
  return {
    getSheets: () => call('spreadsheet.getSheets').map(sheet),
    getNumSheets: () => call('spreadsheet.getSheets').length,
    getSheetById: (sheetId: number) =>
      call('spreadsheet.getSheets').includes(sheetId) ? sheet(sheetId) : null,
    getSheetByName: (name: string) => {
      const sheetId = call('spreadsheet.getSheetByName', String(name));
      return sheetId === null ? null : sheet(sheetId);
    },
    /** Forms: insertSheet(), (name), (index) or (name, index). The index counts from 0. */
    insertSheet: (...args: readonly unknown[]) => {
      const name = args.find((arg) => typeof arg === 'string') ?? null;
      const index = args.find((arg) => typeof arg === 'number') ?? null;
      const position = index === null ? null : Number(index) + 1;
      return sheet(call('spreadsheet.write.insertSheet', name && String(name), position));
    },
    duplicateActiveSheet: () => {
      const { sheetId } = call('spreadsheet.getActiveRange');
      const made = call('spreadsheet.write.duplicateActiveSheet', sheetId);
      call('spreadsheet.write.setActiveSheet', made);
      return sheet(made);
    },
    deleteActiveSheet: () => {
      call('spreadsheet.write.deleteSheet', call('spreadsheet.getActiveRange').sheetId);
      return sheet(call('spreadsheet.getActiveRange').sheetId);
    },
    renameActiveSheet: (name: string) =>
      call('spreadsheet.write.setName', call('spreadsheet.getActiveRange').sheetId, String(name)),
    deleteSheet: (target: SheetHandle) => {
      call('spreadsheet.write.deleteSheet', target.getSheetId());
    },
  } satisfies PartOf<GoogleAppsScript.Spreadsheet.Spreadsheet>;
}

/**
 * The first cell of the selection. Google has a separate current cell, which is nearly always the
 * same.
 */
export function activeCell({ call, range }: Making): object {
  return range({ ...call('spreadsheet.getActiveRange'), rowCount: 1, columnCount: 1 });
}

/** What is in view. SpreadsheetApp has the same members. */
export function active(making: Making) {
  const { call, sheet, range } = making;
  const select = (target: RangeHandle) => {
    call('spreadsheet.write.setActiveRange', placeOf(target));
    return range(placeOf(target));
  };
  return {
    getActiveSheet: () => sheet(call('spreadsheet.getActiveRange').sheetId),
    getActiveRange: () => range(call('spreadsheet.getActiveRange')),
    getActiveCell: () => activeCell(making),
    getCurrentCell: () => activeCell(making),
    setActiveSheet: (target: SheetHandle) => {
      call('spreadsheet.write.setActiveSheet', target.getSheetId());
      return sheet(target.getSheetId());
    },
    getActiveRangeList: () => rangeListOf(making, call('spreadsheet.getActiveRangeList')),
    setActiveRange: select,
    setCurrentCell: select,
    setActiveRangeList: (list: RangeListHandle) => {
      call('spreadsheet.write.setActiveRangeList', list.getRanges().map(placeOf));
      return list;
    },
    getSelection: () => selectionOf(making),
    getRange: (notation: string) =>
      range(call('spreadsheet.getRangeByNotation', null, String(notation))),
  } satisfies PartOf<GoogleAppsScript.Spreadsheet.Spreadsheet>;
}

export interface RangeListHandle {
  readonly getRanges: () => RangeHandle[];
}

/** developers.google.com/apps-script/reference/spreadsheet/selection */
export function selectionOf(making: Making): object {
  const { call, guard, range, sheet } = making;
  return guard('Selection', {
    getActiveRange: () => range(call('spreadsheet.getActiveRange')),
    getActiveRangeList: () => rangeListOf(making, call('spreadsheet.getActiveRangeList')),
    getActiveSheet: () => sheet(call('spreadsheet.getActiveRange').sheetId),
    getCurrentCell: () => activeCell(making),
  } satisfies PartOf<GoogleAppsScript.Spreadsheet.Selection>);
}

export function rangeListOf(making: Making, places: readonly Place[]): object {
  const { call, guard, range } = making;
  const self: object = guard('RangeList', {
    getRanges: () => places.map(range),
    ...eachRange(making, places, () => self),
    activate: () => {
      call('spreadsheet.write.setActiveRangeList', places);
      return self;
    },
  } satisfies PartOf<GoogleAppsScript.Spreadsheet.RangeList>);
  return self;
}
