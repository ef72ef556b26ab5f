// The parts of Univer used for a whole spreadsheet on Node, bundled into one CommonJS file before
// loading.
export { CommandType, ICommandService } from '@univerjs/core';
export { FUniver } from '@univerjs/core/facade';
export {
  BaseReferenceObject,
  FormulaDataModel,
  generateExecuteAstNodeData,
  IActiveDirtyManagerService,
  IDefinedNamesService,
  Interpreter,
  LexerTreeBuilder,
  RemoveDefinedNameMutation,
  SetArrayFormulaDataMutation,
  SetDefinedNameMutation,
  SetFormulaCalculationNotificationMutation,
  SetFormulaCalculationStartMutation,
  SetRangeValuesMutation,
  TriggerCalculationController,
  UniverSheetsNodeCorePreset,
} from '@univerjs/preset-sheets-node-core';
export { default as EN_US } from '@univerjs/preset-sheets-node-core/locales/en-US';
export * from './univer-formula-entry';
