// Delays other scripts' spreadsheet calls while custom functions compute.

import type { Caller, Operations } from '../../service';
import { answerWith, later } from '../../service';
import type { SpreadsheetCalls } from './calls';

type SpreadsheetOperations = Operations<SpreadsheetCalls>;
type AnyOperation = (caller: Caller, ...args: readonly unknown[]) => unknown;

interface Waiting {
  /** The cell executions that ran when the call came. Later ones do not delay it. */
  readonly cells: Set<number>;
  readonly goOn: () => void;
}

/** Whether Sheets makes this call of a script wait while cells compute. */
export const waitsForCells = (operation: string): boolean =>
  /^spreadsheet\.(read|write)\./.test(operation);

/**
 * As measured in a report: with a cell that took 20 s, getName answered after 17 s and values could
 * be read and written only then, while getActiveSheet and getSheetId answered at once.
 */
export function createCellsFirst() {
  const running = new Map<number, string>();
  const waiting = new Set<Waiting>();
  const cellsOf = (documentId: string) =>
    new Set([...running].filter(([, id]) => id === documentId).map(([executionId]) => executionId));
  const wrapped = (name: string, run: AnyOperation): AnyOperation => {
    if (!waitsForCells(name)) return run;
    return (caller, ...args) => {
      const cells = cellsOf(caller.document?.id ?? '');
      if (caller.door === 'cell' || cells.size === 0) return run(caller, ...args);
      return later<unknown>((settle) => {
        let callOff = () => {
          waiting.delete(one);
        };
        const one: Waiting = {
          cells,
          goOn: () => {
            waiting.delete(one);
            callOff = answerWith(settle, () => run(caller, ...args));
          },
        };
        waiting.add(one);
        return () => callOff();
      });
    };
  };
  return {
    over: (operations: SpreadsheetOperations): SpreadsheetOperations =>
      Object.fromEntries(
        Object.entries(operations).map(([name, run]) => [name, wrapped(name, run as AnyOperation)]),
      ) as SpreadsheetOperations,
    started: ({ executionId, door, document }: Caller) => {
      if (door === 'cell' && document) running.set(executionId, document.id);
    },
    ended: ({ executionId }: Caller) => {
      if (!running.delete(executionId)) return;
      for (const one of [...waiting]) {
        one.cells.delete(executionId);
        if (one.cells.size === 0) one.goOn();
      }
    },
  };
}
