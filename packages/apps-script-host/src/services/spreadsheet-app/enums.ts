// Lists the names of SpreadsheetApp's enums that both halves know, in Google's order.

export const BORDER_STYLES = [
  ...(['DOTTED', 'DASHED', 'SOLID', 'SOLID_MEDIUM', 'SOLID_THICK', 'DOUBLE'] as const),
] as const;

export const WRAP_STRATEGIES = ['WRAP', 'OVERFLOW', 'CLIP'] as const;

export const TEXT_DIRECTIONS = ['LEFT_TO_RIGHT', 'RIGHT_TO_LEFT'] as const;

export const VALIDATION_CRITERIA = [
  ...([
    'DATE_AFTER',
    'DATE_BEFORE',
    'DATE_BETWEEN',
    'DATE_EQUAL_TO',
    'DATE_IS_VALID_DATE',
  ] as const),
  ...(['DATE_NOT_BETWEEN', 'DATE_ON_OR_AFTER', 'DATE_ON_OR_BEFORE', 'NUMBER_BETWEEN'] as const),
  ...(['NUMBER_EQUAL_TO', 'NUMBER_GREATER_THAN', 'NUMBER_GREATER_THAN_OR_EQUAL_TO'] as const),
  ...(['NUMBER_LESS_THAN', 'NUMBER_LESS_THAN_OR_EQUAL_TO', 'NUMBER_NOT_BETWEEN'] as const),
  ...(['NUMBER_NOT_EQUAL_TO', 'TEXT_CONTAINS', 'TEXT_DOES_NOT_CONTAIN', 'TEXT_EQUAL_TO'] as const),
  ...(['TEXT_IS_VALID_EMAIL', 'TEXT_IS_VALID_URL', 'VALUE_IN_LIST', 'VALUE_IN_RANGE'] as const),
  ...(['CUSTOM_FORMULA', 'CHECKBOX'] as const),
] as const;
export type ValidationCriteria = (typeof VALIDATION_CRITERIA)[number];

export const THEME_COLOURS = [
  ...(['UNSUPPORTED', 'TEXT', 'BACKGROUND', 'ACCENT1', 'ACCENT2', 'ACCENT3'] as const),
  ...(['ACCENT4', 'ACCENT5', 'ACCENT6', 'HYPERLINK'] as const),
] as const;

export const SHEET_TYPES = ['GRID', 'OBJECT', 'DATASOURCE'] as const;
export type SheetType = (typeof SHEET_TYPES)[number];

export const DIRECTIONS = ['UP', 'DOWN', 'PREVIOUS', 'NEXT'] as const;
export type Direction = (typeof DIRECTIONS)[number];

export const DIMENSIONS = ['COLUMNS', 'ROWS'] as const;
export type Dimension = (typeof DIMENSIONS)[number];

export const TOGGLE_POSITIONS = ['BEFORE', 'AFTER'] as const;
export type TogglePosition = (typeof TOGGLE_POSITIONS)[number];

export const INTERPOLATION_TYPES = ['NUMBER', 'PERCENT', 'PERCENTILE', 'MIN', 'MAX'] as const;
export type InterpolationType = (typeof INTERPOLATION_TYPES)[number];

export const FILL_SERIES = ['DEFAULT_SERIES', 'ALTERNATE_SERIES'] as const;
export type FillSeries = (typeof FILL_SERIES)[number];

export const TEXT_DELIMITERS = ['COMMA', 'SEMICOLON', 'PERIOD', 'SPACE'] as const;
export type TextDelimiter = (typeof TEXT_DELIMITERS)[number];
