// Univer's formula engine alone, bundled into one CommonJS file before loading.
export { CellValueType, LocaleType, LogLevel, Univer, UniverInstanceType } from '@univerjs/core';
export {
  ArrayValueObject,
  AstTreeBuilder,
  BaseFunction,
  BooleanValueObject,
  CELL_INVERTED_INDEX_CACHE,
  ErrorType,
  ErrorValueObject,
  FORMULA_REF_TO_ARRAY_CACHE,
  IFormulaCurrentConfigService,
  IFormulaRuntimeService,
  IFunctionService,
  Lexer,
  NullValueObject,
  NumberValueObject,
  StringValueObject,
  UniverFormulaEnginePlugin,
} from '@univerjs/preset-sheets-node-core';
