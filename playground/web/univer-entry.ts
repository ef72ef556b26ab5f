// What the playground uses of Univer on Node; bundled into one CommonJS file before it is loaded.
export {
  CellValueType,
  CommandType,
  ICommandService,
  LocaleType,
  LogLevel,
  Univer,
} from '@univerjs/core';
export { FUniver } from '@univerjs/core/facade';
export {
  ArrayValueObject,
  BaseFunction,
  BooleanValueObject,
  ErrorType,
  ErrorValueObject,
  FormulaDataModel,
  IActiveDirtyManagerService,
  IFunctionService,
  NullValueObject,
  NumberValueObject,
  SetArrayFormulaDataMutation,
  SetFormulaCalculationNotificationMutation,
  SetFormulaCalculationStartMutation,
  SetRangeValuesMutation,
  StringValueObject,
  TriggerCalculationController,
  UniverSheetsNodeCorePreset,
} from '@univerjs/preset-sheets-node-core';
export { default as EN_US } from '@univerjs/preset-sheets-node-core/locales/en-US';
