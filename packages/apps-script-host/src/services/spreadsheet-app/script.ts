// SpreadsheetApp's script half: the service itself, from which a script gets all other objects.

import type { PartOf, ScriptHalf } from '../../service';
import { BANDING_THEMES } from './banding';
import type { BookFacts, SpreadsheetCalls } from './calls';
import { createCellImages } from './cell-image';
import { CHART_TYPES } from './chart';
import { createColors } from './color';
import { BOOLEAN_CRITERIA, relativeDates } from './criteria';
import {
  BORDER_STYLES,
  DIMENSIONS,
  DIRECTIONS,
  FILL_SERIES,
  INTERPOLATION_TYPES,
  SHEET_TYPES,
  TEXT_DELIMITERS,
  TEXT_DIRECTIONS,
  TOGGLE_POSITIONS,
  VALIDATION_CRITERIA,
  WRAP_STRATEGIES,
} from './enums';
import { METADATA_LOCATIONS, METADATA_VISIBILITIES } from './features';
import { formatRuleBuilder } from './format-rules';
import type { Making } from './making';
import { rangeOf } from './range';
import { filterCriteriaBuilder } from './range-marks';
import { richTextBuilder } from './rich-text';
import { sheetOf } from './sheet';
import { active, spreadsheetOf } from './spreadsheet';
import { textFinderOf } from './text-finder';
import { styleBuilder } from './text-style';
import { browserOf, uiOf } from './ui';
import { validationBuilder } from './validation';

export const spreadsheetAppScript: ScriptHalf<SpreadsheetCalls> = (realm) => {
  const { call, guard, enumeration } = realm;
  const protectionTypes = enumeration<Making['protectionTypes']>('ProtectionType', [
    'RANGE',
    'SHEET',
  ]);
  const booleanCriteria = enumeration<Making['booleanCriteria']>(
    'BooleanCriteria',
    BOOLEAN_CRITERIA,
  );
  const metadataVisibilities = enumeration<Making['metadataVisibilities']>(
    'DeveloperMetadataVisibility',
    METADATA_VISIBILITIES,
  );
  const metadataLocations = enumeration<Making['metadataLocations']>(
    'DeveloperMetadataLocationType',
    METADATA_LOCATIONS,
  );
  const pasteTypes = enumeration<Making['pasteTypes']>('CopyPasteType', [
    ...(['PASTE_NORMAL', 'PASTE_FORMULA', 'PASTE_FORMAT', 'PASTE_VALUES'] as const),
  ]);
  const looks = {
    AutoFillSeries: enumeration<Making['fillSeries']>('AutoFillSeries', FILL_SERIES),
    TextToColumnsDelimiter: enumeration<Making['textDelimiters']>(
      'TextToColumnsDelimiter',
      TEXT_DELIMITERS,
    ),
    BorderStyle: enumeration<Making['wrapStrategies']>('BorderStyle', BORDER_STYLES),
    DataValidationCriteria: enumeration<Making['validationCriteria']>(
      'DataValidationCriteria',
      VALIDATION_CRITERIA,
    ),
    Dimension: enumeration<Making['dimensions']>('Dimension', DIMENSIONS),
    Direction: enumeration<Making['directions']>('Direction', DIRECTIONS),
    TextDirection: enumeration<Making['textDirections']>('TextDirection', TEXT_DIRECTIONS),
    GroupControlTogglePosition: enumeration<Making['togglePositions']>(
      'GroupControlTogglePosition',
      TOGGLE_POSITIONS,
    ),
    InterpolationType: enumeration<Making['interpolationTypes']>(
      'InterpolationType',
      INTERPOLATION_TYPES,
    ),
    WrapStrategy: enumeration<Making['wrapStrategies']>('WrapStrategy', WRAP_STRATEGIES),
  };
  const sortOrders = enumeration<Making['sortOrders']>('SortOrder', ['ASCENDING', 'DESCENDING']);
  const relative = relativeDates(realm);
  const sheetTypes = enumeration<Making['sheetTypes']>('SheetType', SHEET_TYPES);
  const { color, newColor, ColorType, ThemeColorType } = createColors(realm);
  const shared = {
    ...realm,
    validationCriteria: looks.DataValidationCriteria,
    dimensions: looks.Dimension,
    directions: looks.Direction,
    textDirections: looks.TextDirection,
    wrapStrategies: looks.WrapStrategy,
    pasteTypes,
    interpolationTypes: looks.InterpolationType,
    togglePositions: looks.GroupControlTogglePosition,
    fillSeries: looks.AutoFillSeries,
    textDelimiters: looks.TextToColumnsDelimiter,
    protectionTypes,
    booleanCriteria,
    metadataVisibilities,
    metadataLocations,
    color,
    sortOrders,
    sheetTypes,
    relativeDates: relative,
  };
  const makingOf = (bookId: string | null, own: Making['call']): Making => {
    const self: Making = {
      ...shared,
      call: own,
      bookId,
      elsewhere: (id) =>
        makingOf(id, (name, ...args) => call(`${name}@${id}` as typeof name, ...args)),
      spreadsheet: (facts) =>
        facts.isElsewhere
          ? spreadsheetOf(self.elsewhere(facts.id), facts)
          : spreadsheetOf(self, facts),
      sheet: (sheetId) => sheetOf(self, sheetId),
      range: (place) => rangeOf(self, place),
      textFinder: (scope, text) => textFinderOf(self, scope, text),
    };
    return self;
  };
  const making = makingOf(null, call);
  const orNull = (facts: BookFacts | null) => facts && making.spreadsheet(facts);
  const { getRange, getActiveCell, ...onView } = active(making);
  return {
    SpreadsheetApp: guard('SpreadsheetApp', {
      getActive: () => orNull(call('spreadsheet.getActiveSpreadsheet')),
      getActiveSpreadsheet: () => orNull(call('spreadsheet.getActiveSpreadsheet')),
      openById: (id: string) => making.spreadsheet(call('spreadsheet.openById', String(id))),
      openByUrl: (url: string) => making.spreadsheet(call('spreadsheet.openByUrl', String(url))),
      create: (name: string, rows = 0, columns = 0) =>
        making.spreadsheet(call('spreadsheet.create', String(name), rows, columns)),
      flush: () => call('spreadsheet.flush'),
      newDataValidation: () => validationBuilder(making),
      newConditionalFormatRule: () => formatRuleBuilder(making),
      newColor,
      newRichTextValue: () => richTextBuilder(making),
      newTextStyle: () => styleBuilder(making),
      ColorType,
      ThemeColorType,
      BandingTheme: enumeration<Record<(typeof BANDING_THEMES)[number], object>>(
        'BandingTheme',
        BANDING_THEMES,
      ),
      RelativeDate: relative,
      SheetType: sheetTypes,
      // The published types do not have it.
      ...{ SortOrder: sortOrders },
      ...createCellImages(realm as never),
      newFilterCriteria: () => filterCriteriaBuilder(making),
      ...looks,
      ProtectionType: protectionTypes,
      CopyPasteType: pasteTypes,
      BooleanCriteria: booleanCriteria,
      DeveloperMetadataVisibility: metadataVisibilities,
      DeveloperMetadataLocationType: metadataLocations,
      getUi: () => {
        call('spreadsheet.getUi');
        return uiOf(making);
      },
      ...onView,
    } satisfies PartOf<GoogleAppsScript.Spreadsheet.SpreadsheetApp>),
    Browser: browserOf(making),
    Charts: guard('Charts', {
      ChartType: enumeration<typeof GoogleAppsScript.Charts.ChartType>('ChartType', CHART_TYPES),
    } satisfies PartOf<GoogleAppsScript.Charts.Charts>),
  };
};
