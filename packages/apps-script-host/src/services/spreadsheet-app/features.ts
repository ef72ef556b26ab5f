// Named ranges, developer metadata, hidden columns and tabs, as a script sees them.

import type { PartOf } from '../../service';
import type { MetadataFacts, MetadataPlace, MetadataScope, Place } from './calls';
import { formatRuleFacts, formatRuleOf } from './format-rules';
import type { Making, RangeHandle, SheetHandle } from './making';
import { placeOf } from './making';

export const METADATA_VISIBILITIES: readonly MetadataFacts['visibility'][] = [
  'DOCUMENT',
  'PROJECT',
];
export const METADATA_LOCATIONS = ['COLUMN', 'ROW', 'SHEET', 'SPREADSHEET'] as const;

export function sheetFeatures(making: Making, sheetId: number, self: () => object) {
  const { call } = making;
  const set = (rules: readonly object[]) =>
    call('spreadsheet.write.setConditionalFormatRules', sheetId, rules.map(formatRuleFacts));
  const chain = (change: () => void) => {
    change();
    return self();
  };
  const column = (target: RangeHandle) => placeOf(target);
  return {
    getConditionalFormatRules: () =>
      call('spreadsheet.read.getConditionalFormatRules', sheetId).map((facts) =>
        formatRuleOf(making, facts),
      ),
    setConditionalFormatRules: (rules: object[]) => set(rules),
    clearConditionalFormatRules: () => set([]),
    hideColumns: (first: number, count = 1) =>
      call('spreadsheet.write.hideColumns', sheetId, first, count),
    showColumns: (first: number, count = 1) =>
      call('spreadsheet.write.showColumns', sheetId, first, count),
    hideColumn: (target: RangeHandle) => {
      const { column: first, columnCount } = column(target);
      call('spreadsheet.write.hideColumns', sheetId, first, columnCount);
    },
    isColumnHiddenByUser: (at: number) =>
      call('spreadsheet.read.isColumnHiddenByUser', sheetId, at),
    getTabColor: () => call('spreadsheet.read.getTabColor', sheetId),
    setTabColor: (color: string | null) =>
      chain(() => call('spreadsheet.write.setTabColor', sheetId, color)),
    isSheetHidden: () => call('spreadsheet.read.isSheetHidden', sheetId),
    hideSheet: () => chain(() => call('spreadsheet.write.hideSheet', sheetId)),
    showSheet: () => chain(() => call('spreadsheet.write.showSheet', sheetId)),
    ...metadataMembers(making, { sheetId, place: null }, self),
  } satisfies PartOf<GoogleAppsScript.Spreadsheet.Sheet>;
}

/** developers.google.com/apps-script/reference/spreadsheet/named-range */
export function namedRanges(making: Making) {
  const { call, range } = making;
  const all = () => call('spreadsheet.read.getNamedRanges');
  return {
    setNamedRange: (name: string, target: RangeHandle) =>
      call('spreadsheet.write.setNamedRange', String(name), placeOf(target)),
    removeNamedRange: (name: string) => call('spreadsheet.write.removeNamedRange', String(name)),
    getRangeByName: (name: string) => {
      const found = all().find((each) => each.name.toLowerCase() === String(name).toLowerCase());
      return found?.place ? range(found.place) : null;
    },
    getNamedRanges: () => namedRangesOf(making, null),
  };
}

/** The named ranges of one sheet. null: of all sheets. */
export function namedRangesOf({ call, guard, range }: Making, sheetId: number | null): object[] {
  return call('spreadsheet.read.getNamedRanges')
    .filter(({ place }) => sheetId === null || place?.sheetId === sheetId)
    .map((given) => {
      let { name, place } = given;
      const self: object = guard('NamedRange', {
        getName: () => name,
        getRange: () => (place ? range(place) : null),
        remove: () => call('spreadsheet.write.removeNamedRange', name),
        setName: (next: string) => {
          call('spreadsheet.write.renameNamedRange', name, String(next));
          name = String(next);
          return self;
        },
        setRange: (target: RangeHandle) => {
          place = placeOf(target);
          call('spreadsheet.write.setNamedRange', name, place);
          return self;
        },
      } satisfies PartOf<GoogleAppsScript.Spreadsheet.NamedRange>);
      return self;
    });
}

/**
 * developers.google.com/apps-script/reference/spreadsheet/developer-metadata. Metadata stays with
 * its row or column when others are inserted or deleted. Google does not say that a sort moves it,
 * so here it does not.
 */
export function metadataMembers(
  making: Making,
  where: { readonly sheetId: number | null; readonly place: Place | null },
  self: () => object,
) {
  const { call } = making;
  const exact = (): MetadataPlace => ({ ...where });
  return {
    addDeveloperMetadata: (key: string, ...more: readonly unknown[]) => {
      const value = more.find((each) => typeof each === 'string') ?? null;
      call('spreadsheet.write.addDeveloperMetadata', exact(), {
        key: String(key),
        value: value as string | null,
        visibility: visibilityOf(more.find((each) => typeof each === 'object' && each)),
      });
      return self();
    },
    getDeveloperMetadata: () =>
      call('spreadsheet.read.getDeveloperMetadata', exact(), 'exact', {}).map((facts) =>
        metadataOf(making, facts),
      ),
    createDeveloperMetadataFinder: () => finder(making, exact()),
  };
}

function finder(making: Making, where: MetadataPlace): object {
  const { call, guard } = making;
  const wanted: {
    key?: string;
    value?: string;
    id?: number;
    visibility?: string;
    location?: string;
  } = {};
  const change = (part: typeof wanted) => {
    Object.assign(wanted, part);
    return self;
  };
  let how: MetadataScope = 'within';
  const self: object = guard('DeveloperMetadataFinder', {
    onIntersectingLocations: () => {
      how = 'intersecting';
      return self;
    },
    withKey: (key: string) => change({ key: String(key) }),
    withValue: (value: string) => change({ value: String(value) }),
    withId: (id: number) => change({ id }),
    withVisibility: (visibility: unknown) => change({ visibility: String(visibility) }),
    withLocationType: (location: unknown) => change({ location: String(location) }),
    find: () =>
      call('spreadsheet.read.getDeveloperMetadata', where, how, { ...wanted }).map((facts) =>
        metadataOf(making, facts),
      ),
  } satisfies PartOf<GoogleAppsScript.Spreadsheet.DeveloperMetadataFinder>);
  return self;
}

function visibilityOf(visibility: unknown): MetadataFacts['visibility'] {
  return String(visibility) === 'PROJECT' ? 'PROJECT' : 'DOCUMENT';
}

function metadataOf(making: Making, given: MetadataFacts): object {
  const { call, guard, metadataLocations, metadataVisibilities, range, sheet, spreadsheet } =
    making;
  let facts = given;
  const { id } = facts;
  const change = (part: Partial<Pick<MetadataFacts, 'key' | 'value' | 'visibility'>>) => {
    call('spreadsheet.write.setDeveloperMetadata', id, part);
    facts = { ...facts, ...part };
    return self;
  };
  const move = (to: MetadataPlace) => {
    call('spreadsheet.write.moveDeveloperMetadata', id, to);
    const everywhere = { sheetId: null, place: null };
    [facts = given] = call('spreadsheet.read.getDeveloperMetadata', everywhere, 'within', { id });
    return self;
  };
  const moveToLine = (target: RangeHandle) => {
    const place = placeOf(target);
    return move({ sheetId: place.sheetId, place });
  };
  const self: object = guard('DeveloperMetadata', {
    getId: () => id,
    getKey: () => facts.key,
    getValue: () => facts.value,
    getVisibility: () => metadataVisibilities[facts.visibility],
    setValue: (next: string) => change({ value: String(next) }),
    setKey: (next: string) => change({ key: String(next) }),
    setVisibility: (next: unknown) => change({ visibility: visibilityOf(next) }),
    moveToColumn: moveToLine,
    moveToRow: moveToLine,
    moveToSheet: (to: SheetHandle) => move({ sheetId: to.getSheetId(), place: null }),
    moveToSpreadsheet: () => move({ sheetId: null, place: null }),
    remove: () => call('spreadsheet.write.removeDeveloperMetadata', id),
    getLocation: () => {
      const { location, place, sheetId } = facts;
      return guard('DeveloperMetadataLocation', {
        getLocationType: () => metadataLocations[location],
        getColumn: () =>
          location === 'COLUMN' && place ? range({ ...place, open: ['startRow', 'endRow'] }) : null,
        getRow: () =>
          location === 'ROW' && place
            ? range({ ...place, open: ['startColumn', 'endColumn'] })
            : null,
        getSheet: () => (sheetId === null || place ? null : sheet(sheetId)),
        getSpreadsheet: () => {
          const book = location === 'SPREADSHEET' && call('spreadsheet.getActiveSpreadsheet');
          return book ? spreadsheet(book) : null;
        },
      });
    },
  });
  return self;
}
