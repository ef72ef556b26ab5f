// Named ranges, conditional formats, developer metadata, hidden columns and tabs, as a script sees
// them.

import { say } from '../../messages';
import type { PartOf } from '../../service';
import type { FormatRuleFacts, MetadataFacts, MetadataPlace, MetadataScope, Place } from './calls';
import { colourFacts } from './color';
import { colourOf } from './colours';
import type { Making, RangeHandle, SheetHandle } from './making';
import { placeOf, wrongParameters } from './making';

type GoogleSheets = typeof GoogleAppsScript.Spreadsheet;

/** The members of BooleanCriteria with which a rule can be made here. */
export const BOOLEAN_CRITERIA: readonly (keyof GoogleSheets['BooleanCriteria'] & string)[] = [
  ...(['CELL_EMPTY', 'CELL_NOT_EMPTY', 'CUSTOM_FORMULA', 'DATE_AFTER', 'DATE_BEFORE'] as const),
  ...(['DATE_EQUAL_TO', 'NUMBER_BETWEEN', 'NUMBER_EQUAL_TO', 'NUMBER_GREATER_THAN'] as const),
  ...(['NUMBER_GREATER_THAN_OR_EQUAL_TO', 'NUMBER_LESS_THAN'] as const),
  ...(['NUMBER_LESS_THAN_OR_EQUAL_TO', 'NUMBER_NOT_BETWEEN', 'NUMBER_NOT_EQUAL_TO'] as const),
  ...(['TEXT_CONTAINS', 'TEXT_DOES_NOT_CONTAIN', 'TEXT_ENDS_WITH', 'TEXT_EQUAL_TO'] as const),
  ...(['TEXT_STARTS_WITH', 'DATE_AFTER_RELATIVE', 'DATE_BEFORE_RELATIVE'] as const),
  ...(['DATE_EQUAL_TO_RELATIVE'] as const),
];

/** Criteria by dates come in two forms: for a date, and for a day that moves. */
const RELATIVE_DATES = [
  ...(['TODAY', 'TOMORROW', 'YESTERDAY', 'PAST_WEEK', 'PAST_MONTH', 'PAST_YEAR'] as const),
] as const;

export type RelativeDates = Readonly<Record<(typeof RELATIVE_DATES)[number], object>>;

export const relativeDates = ({ enumeration }: Pick<Making, 'enumeration'>): RelativeDates =>
  enumeration<RelativeDates>('RelativeDate', RELATIVE_DATES);

export const METADATA_VISIBILITIES: readonly MetadataFacts['visibility'][] = [
  'DOCUMENT',
  'PROJECT',
];
export const METADATA_LOCATIONS = ['COLUMN', 'ROW', 'SHEET', 'SPREADSHEET'] as const;

const NO_RULE: FormatRuleFacts = { places: [], criteria: null, values: [], format: {} };

/** developers.google.com/apps-script/reference/spreadsheet/conditional-format-rule-builder */
export function formatRuleBuilder(making: Making, from: FormatRuleFacts = NO_RULE): object {
  let facts = from;
  const { exception, guard, range } = making;
  const change = (part: Partial<FormatRuleFacts>) => {
    facts = { ...facts, ...part };
    return self;
  };
  const when = (criteria: string, ...values: readonly unknown[]) => change({ criteria, values });
  const look = (name: string) => (value: unknown) =>
    change({ format: { ...facts.format, [name]: value } });
  const paint = (name: string) => (object: unknown) =>
    look(name)(colourFacts(object)?.code ?? null);
  const whenDate = (criteria: string) => (date: unknown) => {
    const day = RELATIVE_DATES.find((each) => making.relativeDates[each] === date);
    return day === undefined ? when(criteria, date) : when(`${criteria}_RELATIVE`, day);
  };
  const self: object = guard('ConditionalFormatRuleBuilder', {
    whenFormulaSatisfied: (formula: string) => when('CUSTOM_FORMULA', String(formula)),
    whenTextEqualTo: (text: string) => when('TEXT_EQUAL_TO', String(text)),
    whenTextContains: (text: string) => when('TEXT_CONTAINS', String(text)),
    whenTextStartsWith: (text: string) => when('TEXT_STARTS_WITH', String(text)),
    whenNumberLessThan: (number: number) => when('NUMBER_LESS_THAN', number),
    whenNumberGreaterThan: (number: number) => when('NUMBER_GREATER_THAN', number),
    whenNumberEqualTo: (number: number) => when('NUMBER_EQUAL_TO', number),
    whenTextEndsWith: (text: string) => when('TEXT_ENDS_WITH', String(text)),
    whenTextDoesNotContain: (text: string) => when('TEXT_DOES_NOT_CONTAIN', String(text)),
    whenNumberLessThanOrEqualTo: (number: number) => when('NUMBER_LESS_THAN_OR_EQUAL_TO', number),
    whenNumberGreaterThanOrEqualTo: (number: number) =>
      when('NUMBER_GREATER_THAN_OR_EQUAL_TO', number),
    whenNumberNotEqualTo: (number: number) => when('NUMBER_NOT_EQUAL_TO', number),
    whenNumberBetween: (start: number, end: number) => when('NUMBER_BETWEEN', start, end),
    whenNumberNotBetween: (start: number, end: number) => when('NUMBER_NOT_BETWEEN', start, end),
    whenDateAfter: whenDate('DATE_AFTER'),
    whenDateBefore: whenDate('DATE_BEFORE'),
    whenDateEqualTo: whenDate('DATE_EQUAL_TO'),
    withCriteria: (criteria: unknown, args: unknown[]) => {
      const name = BOOLEAN_CRITERIA.find((each) => making.booleanCriteria[each] === criteria);
      if (name === undefined)
        throw wrongParameters(making, 'ConditionalFormatRuleBuilder.withCriteria', [
          criteria,
          args,
        ]);
      if (!name.endsWith('_RELATIVE')) return when(name, ...args);
      return whenDate(name.replace('_RELATIVE', ''))(args[0]);
    },
    // The published types lack these two.
    ...{ setBackgroundObject: paint('background'), setFontColorObject: paint('fontColor') },
    whenCellEmpty: () => when('CELL_EMPTY'),
    whenCellNotEmpty: () => when('CELL_NOT_EMPTY'),
    setBackground: look('background'),
    setFontColor: look('fontColor'),
    setBold: look('bold'),
    setItalic: look('italic'),
    setStrikethrough: look('strikethrough'),
    setUnderline: look('underline'),
    setRanges: (ranges: RangeHandle[]) => change({ places: ranges.map(placeOf) }),
    getRanges: () => facts.places.map(range),
    copy: () => formatRuleBuilder(making, facts),
    build: () => {
      if (facts.places.length === 0 || facts.criteria === null)
        throw exception(say('rule-incomplete'));
      return formatRuleOf(making, facts);
    },
  } satisfies PartOf<GoogleAppsScript.Spreadsheet.ConditionalFormatRuleBuilder>);
  return self;
}

const describedRules = new WeakMap<object, FormatRuleFacts>();

function formatRuleOf(making: Making, facts: FormatRuleFacts): object {
  const { booleanCriteria, guard, range } = making;
  const { criteria, values, format } = facts;
  const flag = (name: string) => () => format[name] ?? null;
  const colour = (name: string) => () => {
    const code = format[name] ?? null;
    return code === null ? null : making.color({ code: colourOf(code), theme: null });
  };
  const rule = guard('ConditionalFormatRule', {
    getRanges: () => facts.places.map(range),
    getGradientCondition: () => null,
    getBooleanCondition: () =>
      criteria === null
        ? null
        : guard('BooleanCondition', {
            getCriteriaType: () => booleanCriteria[criteria] ?? null,
            getCriteriaValues: () =>
              criteria.endsWith('_RELATIVE')
                ? values.map((day) => making.relativeDates[day as keyof RelativeDates])
                : [...values],
            // The published types lack these two.
            ...{
              getBackgroundObject: colour('background'),
              getFontColorObject: colour('fontColor'),
            },
            getBackground: flag('background') as () => string,
            getFontColor: flag('fontColor') as () => string,
            getBold: flag('bold') as () => boolean,
            getItalic: flag('italic') as () => boolean,
            getStrikethrough: flag('strikethrough') as () => boolean,
            getUnderline: flag('underline') as () => boolean,
          } satisfies PartOf<GoogleAppsScript.Spreadsheet.BooleanCondition>),
    copy: () => formatRuleBuilder(making, facts),
  } satisfies PartOf<GoogleAppsScript.Spreadsheet.ConditionalFormatRule>);
  describedRules.set(rule, facts);
  return rule;
}

export function sheetFeatures(making: Making, sheetId: number, self: () => object) {
  const { call } = making;
  const set = (rules: readonly object[]) =>
    call(
      'spreadsheet.write.setConditionalFormatRules',
      sheetId,
      rules.map((rule) => {
        const facts = describedRules.get(rule);
        if (!facts)
          throw new Error('A sheet takes rules that were built, or that it was asked for.');
        return facts;
      }),
    );
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
