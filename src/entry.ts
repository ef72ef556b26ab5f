// Every global function that Sheets may call.

export { ANALYZE } from './functions/analyze';
export { ANALYZE_ASIN } from './functions/analyze-asin';
export { ANALYZE_FIELDS } from './functions/analyze-fields';
export { ANALYZE_MAX_BUY } from './functions/analyze-max-buy';
export { ANALYZE_WHAT_IF } from './functions/analyze-what-if';
export { rpc } from './sidebar/api/rpc';
export {
  enableFunctions,
  newDealSheet,
  onInstall,
  onOpen,
  openSidebar,
  runDiagnostics,
} from './sidebar/menu';
export { onSchedule } from './triggers/on-schedule';
