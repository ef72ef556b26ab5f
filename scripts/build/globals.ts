// Every name that Sheets may call: people's formulas, triggers and menus hold on to them.

/** Shown in the autocompletion of cells, hence each with a JSDoc that says @customfunction. */
export const CUSTOM_FUNCTIONS: readonly string[] = [
  'ANALYZE',
  'ANALYZE_ASIN',
  'ANALYZE_FIELDS',
  'ANALYZE_MAX_BUY',
  'ANALYZE_WHAT_IF',
];

/** Called by Sheets, by the clock, by the menu and by the sidebar's page. */
export const HANDLERS: readonly string[] = [
  'enableFunctions',
  'newDealSheet',
  'onInstall',
  'onOpen',
  'onSchedule',
  'openSidebar',
  'rpc',
  'runDiagnostics',
];

/** The one variable beside the functions: the bundle's exports. Every function repeats the name. */
export const NAMESPACE = 'AddOn';
