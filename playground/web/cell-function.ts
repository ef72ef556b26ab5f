// Defines custom functions for Univer's engine. A call returns at once, if only with "Loading…".
import type { BaseFunction } from '@univerjs/preset-sheets-node-core';
import type { UniverEngine } from 'apps-script-host/univer-bundle';
import { readArguments, type Variant } from './cell-arguments';
import { type CellAnswer, type CellCall, type CellPlace, LOADING } from './cell-call';
import { toCell } from './cell-result';

export type AnswerCell = (call: CellCall, place: CellPlace) => CellAnswer;

/** Sheets has no fixed limit, but Univer requires one. */
const MOST_ARGUMENTS = 255;

export function cellFunction(
  univer: UniverEngine,
  functionName: string,
  answer: AnswerCell,
): BaseFunction {
  // A class, because Univer accepts nothing else.
  class CellFunction extends univer.BaseFunction {
    /**
     * References are required, because only they distinguish a blank cell from an omitted argument.
     */
    override needsReferenceObject = true;
    override minParams = 0;
    override maxParams = MOST_ARGUMENTS;

    override calculate(...variants: Variant[]) {
      const place = { sheetId: this.subUnitId ?? '', row: this.row, column: this.column };
      const read = readArguments(variants);
      if (read.kind === 'error') return read.error;
      if (read.kind === 'pending') return univer.StringValueObject.create(LOADING);
      const answered = answer({ functionName, args: read.args }, place);
      switch (answered.kind) {
        case 'pending':
          return univer.StringValueObject.create(LOADING);
        case 'failure':
          return univer.ErrorValueObject.create(univer.ErrorType.ERROR, answered.message);
        case 'value':
          return toCell(univer, answered.value, place);
      }
    }
  }
  return new CellFunction(functionName);
}
