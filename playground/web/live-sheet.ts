// A spreadsheet whose custom functions are executions of a script, whether pending, done or failed.

import type { IWorkbookData } from '@univerjs/core';
import { refersToVolatile, VOLATILE_REFUSED } from 'apps-script-host/sheet/volatile-cells';
import type { CellAnswer, CellCall, CellOutcome, CellPlace } from './cell-call';
import { createCellMemo } from './cell-memo';
import type { CellMessage } from './protocol';
import { createUniverModel, type UniverModel } from './univer-model';
import { openUniverWorkbook, type UniverWorkbook } from './univer-workbook';

export interface LiveSheet {
  readonly workbook: UniverWorkbook;
  /** The same sheet as scripts see it. */
  readonly model: UniverModel;
  /** The messages of the cells that currently show an error. */
  readonly messages: () => readonly CellMessage[];
  /** Calls the listener after each calculation. */
  readonly onCalculated: (listener: () => void) => void;
  /** Number of custom function calls that have not been answered yet. */
  readonly pendingCount: () => number;
  /** Resolves when every custom function has answered and every cell shows its answer. */
  readonly settled: () => Promise<void>;
  /** Makes failed calls again, as reopening the file does. */
  readonly reopen: () => void;
  readonly dispose: () => void;
}

export interface LiveSheetOptions {
  readonly data: Partial<IWorkbookData> & { readonly id: string };
  readonly functionNames: readonly string[];
  /** Runs a custom function. Never rejects. */
  readonly execute: (call: CellCall) => Promise<CellOutcome>;
  /** The clock of NOW(). Defaults to the machine's clock. */
  readonly nowMs?: () => number;
}

/** Changes that move cells, after which the cell of a message is no longer known. */
const MOVES_CELLS = /^sheet\.mutation\.(insert|remove|move|reorder)/;

const BLOCKED = 'Array result was not expanded because it would overwrite data in another cell.';

export function openLiveSheet(options: LiveSheetOptions): LiveSheet {
  const failed = createFailedCells();
  const listeners: (() => void)[] = [];
  const memo = createCellMemo({
    execute: options.execute,
    onAnswered: (places) => workbook.calculation.mark(places),
  });
  const answer = (call: CellCall, place: CellPlace): CellAnswer => {
    const answered: CellAnswer = isRefused(place)
      ? { kind: 'failure', message: VOLATILE_REFUSED }
      : memo.answer(call, place);
    if (answered.kind === 'failure') failed.add(place, answered.message);
    return answered;
  };
  const workbook = openUniverWorkbook({
    data: options.data,
    functionNames: options.functionNames,
    answer,
    ...(options.nowMs && { nowMs: options.nowMs }),
  });
  const { calculation, commands } = workbook;
  const model = createUniverModel(workbook);
  function isRefused({ sheetId, row, column }: CellPlace): boolean {
    const id = model.sheetIdOf(sheetId);
    const cell = { row: row + 1, column: column + 1, rowCount: 1, columnCount: 1 };
    return refersToVolatile(model, id, model.formulas(id, cell)[0]?.[0] ?? '');
  }

  calculation.onDone(() => {
    for (const listener of listeners) listener();
  });
  commands.onCommandExecuted(({ id }) => {
    if (!MOVES_CELLS.test(id)) return;
    failed.clear();
    calculation.markAll();
  });
  return {
    workbook,
    model,
    messages: () => messagesIn(workbook, failed.messageAt),
    onCalculated: (listener) => listeners.push(listener),
    pendingCount: memo.pendingCount,
    settled: async () => {
      await calculation.settled();
      while (memo.pendingCount() > 0 || calculation.isRunning()) {
        if (!calculation.isRunning()) await memo.nextAnswer();
        await calculation.settled();
      }
    },
    reopen: () => {
      memo.forgetFailures();
      calculation.markAll();
    },
    dispose: workbook.dispose,
  };
}

/**
 * The last failure of each cell's calls. Whether it shows depends on the formula around the call.
 */
function createFailedCells() {
  const failed = new Map<string, string>();
  const keyOf = ({ sheetId, row, column }: CellPlace) => `${sheetId} ${row} ${column}`;
  return {
    add: (place: CellPlace, message: string) => failed.set(keyOf(place), message),
    clear: () => failed.clear(),
    messageAt: (place: CellPlace) => failed.get(keyOf(place)) ?? null,
  };
}

function messagesIn(
  { univer, workbook }: UniverWorkbook,
  messageAt: (place: CellPlace) => string | null,
): readonly CellMessage[] {
  const { ErrorType } = univer;
  return workbook.getSheets().flatMap((sheet) => {
    const sheetId = sheet.getSheetId();
    const found: CellMessage[] = [];
    sheet
      .getSheet()
      .getCellMatrix()
      .forValue((row, column, cell) => {
        if (!cell?.f) return;
        const place = { sheetId, row, column };
        const message = cell.v === ErrorType.ERROR ? messageAt(place) : null;
        if (message !== null) found.push({ ...place, message });
        else if (cell.v === ErrorType.SPILL) found.push({ ...place, message: BLOCKED });
      });
    return found;
  });
}
