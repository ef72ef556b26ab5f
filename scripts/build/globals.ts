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

/** What `--self-test` adds: probes of what nobody but Google's own machines can tell. */
const PROBE_FUNCTIONS: readonly string[] = ['PROBE'];
const PROBE_HANDLERS: readonly string[] = [
  ...['probePage', 'removeProbes', 'runProbes', 'showProbes', 'watchClock'],
];

/** The names of one build: the usual ones, and the probes where it is for them. */
export function globalsOf(isSelfTest: boolean) {
  return {
    customFunctions: isSelfTest ? [...CUSTOM_FUNCTIONS, ...PROBE_FUNCTIONS] : CUSTOM_FUNCTIONS,
    handlers: isSelfTest ? [...HANDLERS, ...PROBE_HANDLERS] : HANDLERS,
  };
}

/** The one variable beside the functions: the bundle's exports. Every function repeats the name. */
export const NAMESPACE = 'AddOn';
