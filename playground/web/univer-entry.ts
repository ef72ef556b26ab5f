// What the playground uses of Univer on Node; bundled into one CommonJS file before it is loaded.
export {
  CellValueType,
  CommandType,
  ICommandService,
  LocaleType,
  LogLevel,
  Univer,
  UniverInstanceType,
} from '@univerjs/core';
export { FUniver } from '@univerjs/core/facade';
export {
  ArrayValueObject,
  AstTreeBuilder,
  BaseFunction,
  BooleanValueObject,
  ErrorType,
  ErrorValueObject,
  FORMULA_REF_TO_ARRAY_CACHE,
  FormulaDataModel,
  generateExecuteAstNodeData,
  IActiveDirtyManagerService,
  IFormulaCurrentConfigService,
  IFormulaRuntimeService,
  IFunctionService,
  Interpreter,
  Lexer,
  NullValueObject,
  NumberValueObject,
  SetArrayFormulaDataMutation,
  SetFormulaCalculationNotificationMutation,
  SetFormulaCalculationStartMutation,
  SetRangeValuesMutation,
  StringValueObject,
  TriggerCalculationController,
  UniverFormulaEnginePlugin,
  UniverSheetsNodeCorePreset,
} from '@univerjs/preset-sheets-node-core';
export { default as EN_US } from '@univerjs/preset-sheets-node-core/locales/en-US';
