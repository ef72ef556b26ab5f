// Runs custom functions in a plain grid: each cell whose formula has changed starts an execution,
// as in Google Sheets.

import {
  argumentsOf,
  customCalls,
  hasAllCells,
  hasPlainArguments,
  readCall,
  sheetIdOf,
} from './custom-calls';
import type { Host, Outcome } from './host-contract';
import { parseAddress } from './sheet/a1-notation';
import { type AnswerRows, createAnswers } from './sheet/answers';
import { featuresOf } from './sheet/book-features';
import { createDateSerial, isDate, isDateSerial } from './sheet/date-serial';
import { createFormulaEngine, type FormulaEngine } from './sheet/formula-engine';
import { referenceTexts } from './sheet/formula-references';
import { inEnglish } from './sheet/formula-separators';
import { createKeyIndexes } from './sheet/key-index';
import type { CellValue, Rectangle } from './sheet/model';
import { withNames } from './sheet/named-cells';
import { isDateFormat } from './sheet/number-format';
import type { PlainGrid } from './sheet/plain-grid';
import { meet } from './sheet/rectangle';
import { refersToVolatile } from './sheet/volatile-cells';

/** What a cell shows until its function has answered, in Sheets' own words. */
const LOADING = 'Loading...';
const FAILED = '#ERROR!';
/** What Google shows where a reference is to no sheet, or to cells beyond its end. */
const NO_CELLS = '#REF!';

export { argumentsOf };

export interface Recalculation {
  /** Number of executions by cells so far. */
  readonly executions: () => number;
  /** Recalculates every cell, as opening the file may. */
  readonly all: () => void;
}

interface Area {
  readonly sheetId: number;
  readonly rectangle: Rectangle;
}

interface FormulaPlace {
  readonly sheetId: number;
  readonly row: number;
  readonly column: number;
  readonly formula: string;
}

/** A call that a formula waits for. Equal calls of a formula run once. */
interface WaitingCall {
  readonly key: string;
  readonly functionName: string;
  readonly args: readonly unknown[];
}

/** A formula's result, or the calls that it waits for. */
type Progress = { readonly rows: AnswerRows } | { readonly calls: readonly WaitingCall[] };

type AnswersByCall = ReadonlyMap<string, AnswerRows | null>;

/**
 * Runs the custom functions of formulas: their arguments may be anything that a formula can hold,
 * and they may stand within Sheets' own functions. A cell that only moves is not recalculated, but a
 * call that was under way is repeated in the new place. Cells that exist at the start count as
 * already calculated.
 */
export function recalculating(
  host: Pick<Host, 'start'>,
  grid: PlainGrid,
  isCustom: (functionName: string) => boolean,
): Recalculation {
  const known = new Map<string, string>();
  const running = new Map<string, object>();
  const answers = createAnswers(grid);
  const progressOf = createProgress(grid, isCustom);
  const references = createReferences(grid);
  let executions = 0;
  let isShowing = false;
  const nameOf = (sheetId: number, row: number, column: number) => `${sheetId} ${row} ${column}`;

  function show(put: () => void): void {
    isShowing = true;
    put();
    isShowing = false;
  }

  /**
   * Writing a call's answer triggers no recalculation, but what it changes elsewhere does: cells
   * that a list leaves, and native formulas. Those are collected here.
   */
  let meanwhile: Area[] = [];
  function showing(own: Area | null, put: () => void): void {
    meanwhile = [];
    show(put);
    const isOwn = ({ sheetId, rectangle }: Area) =>
      own?.sheetId === sheetId && meet(own.rectangle, rectangle);
    const others = meanwhile.filter((area) => !isOwn(area));
    const cause = own ? nameOf(own.sheetId, own.rectangle.row, own.rectangle.column) : undefined;
    for (const area of new Map(others.map((one) => [JSON.stringify(one), one])).values())
      ripple(area, cause);
  }

  const showAnswer = ({ sheetId, row, column }: FormulaPlace, rows: AnswerRows) => {
    const rectangle = { row, column, rowCount: rows.length, columnCount: rows[0]?.length ?? 1 };
    showing({ sheetId, rectangle }, () => answers.put(sheetId, row, column, rows));
  };

  /**
   * Recalculates cells whose formulas refer to the changed area. The cell that caused the change is
   * skipped, which would otherwise never end.
   */
  function ripple(area: Area, cause?: string): void {
    for (const { id } of grid.sheets())
      look(id, (row, column, formula) => {
        if (nameOf(id, row, column) === cause) return;
        if (references.meet(id, formula, area)) begin(id, row, column, formula);
      });
  }

  function begin(sheetId: number, row: number, column: number, formula: string): void {
    if (customCalls(formula, isCustom).length === 0) return;
    const place = { sheetId, row, column, formula };
    const name = nameOf(sheetId, row, column);
    const ticket = {};
    running.set(name, ticket);
    const answered = new Map<string, AnswerRows | null>();
    const goOn = () => {
      const progress = progressOf(place, answered);
      if ('rows' in progress) {
        running.delete(name);
        showAnswer(place, progress.rows);
        return;
      }
      let left = progress.calls.length;
      for (const { key, functionName, args } of progress.calls) {
        executions += 1;
        void host
          .start({ functionName, args, door: 'cell', cell: { sheetId, row, column } })
          .then((outcome) => {
            answered.set(key, rowsOf(outcome));
            left -= 1;
            if (left === 0 && running.get(name) === ticket) goOn();
          });
      }
    };
    show(() => grid.setComputed(sheetId, row, column, LOADING));
    goOn();
  }

  function look(sheetId: number, visit: (row: number, column: number, formula: string) => void) {
    const { lastRow: rowCount, lastColumn: columnCount } = grid.size(sheetId);
    if (rowCount === 0) return;
    const formulas = grid.formulas(sheetId, { row: 1, column: 1, rowCount, columnCount });
    formulas.forEach((texts, down) => {
      texts.forEach((formula, right) => {
        if (formula !== '') visit(down + 1, right + 1, formula);
      });
    });
  }

  function remember(begins: (formula: string, shown: unknown) => boolean): void {
    known.clear();
    running.clear();
    references.forget();
    for (const { id } of grid.sheets()) {
      showing(null, () => answers.follow(id));
      look(id, (row, column, formula) => {
        known.set(nameOf(id, row, column), formula);
        const cell = { row, column, rowCount: 1, columnCount: 1 };
        if (begins(formula, grid.values(id, cell)[0]?.[0])) begin(id, row, column, formula);
      });
    }
  }

  grid.onChange((change) => {
    if (change.kind === 'marks') return;
    if (isShowing) {
      if (change.kind === 'cells') meanwhile.push(change);
      return;
    }
    if (change.kind !== 'cells') {
      remember((_, shown) => shown === LOADING);
      return;
    }
    const { sheetId } = change;
    const gone = [...known.keys()].filter((name) => name.startsWith(`${sheetId} `));
    const left = new Set(gone);
    look(sheetId, (row, column, formula) => {
      const name = nameOf(sheetId, row, column);
      left.delete(name);
      const isWritten = meet(change.rectangle, { row, column, rowCount: 1, columnCount: 1 });
      if (formula === known.get(name) && !isWritten) return;
      known.set(name, formula);
      running.delete(name);
      begin(sheetId, row, column, formula);
    });
    for (const name of left) {
      known.delete(name);
      running.delete(name);
    }
    showing(null, () => answers.follow(sheetId));
    ripple(change);
  });
  featuresOf(grid).onNames(() => {
    const isChanged = references.changed();
    for (const { id } of grid.sheets())
      look(id, (row, column, formula) => {
        if (isChanged(formula)) begin(id, row, column, formula);
      });
  });
  remember(() => false);
  return { executions: () => executions, all: () => remember(() => true) };
}

/** Text in a cell has a limit, which Google states for all contents. */
const CHARACTERS_MAX = 50_000;

function cellOf(value: unknown): CellValue {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return Number.isFinite(value) ? value : '#NUM!';
  if (typeof value === 'string') return value.length > CHARACTERS_MAX ? FAILED : value;
  if (typeof value === 'boolean' || isDate(value)) return value;
  return FAILED;
}

/** The cells of a function's answer. null: it has failed. */
function rowsOf({ ok, value }: Outcome): AnswerRows | null {
  if (!ok) return null;
  const rows = Array.isArray(value) ? value.map((cells) => [cells].flat()) : [[value]];
  const width = Math.max(0, ...rows.map((cells) => cells.length));
  if (width === 0) return null;
  return rows.map((cells) => Array.from({ length: width }, (_, at) => cellOf(cells[at])));
}

/** Works formulas out as far as the answers of their custom functions are there. */
function createProgress(grid: PlainGrid, isCustom: (functionName: string) => boolean) {
  const { toDate, toSerial } = createDateSerial(grid.timeZone());
  let answered: AnswersByCall = new Map();
  let calls = new Map<string, WaitingCall>();
  let refused: ReadonlySet<string> = new Set();
  const keyOf = (functionName: string, args: readonly unknown[]) =>
    JSON.stringify([functionName, args.map((arg) => (arg === undefined ? null : [arg]))]);
  const ask = (functionName: string, args: readonly unknown[]): AnswerRows | null | undefined => {
    const key = keyOf(functionName, args);
    if (answered.has(key)) return answered.get(key);
    calls.set(key, { key, functionName, args });
    return undefined;
  };
  const indexes = createKeyIndexes(grid.readCell);
  // Loading the engine takes longer than a formula that is a single call is worth.
  let loaded: FormulaEngine | null = null;
  const engine = () => {
    loaded ??= createFormulaEngine({
      sheets: () => grid.sheets().map((tab) => ({ ...tab, ...grid.size(tab.id) })),
      nowSerial: () => {
        // What refers to the time is refused, whatever the time is.
        if (refused.size > 0) return 0;
        throw new Error('The time beside a custom function is not emulated.');
      },
      quote: () => null,
      read: grid.readCell,
      formulaAt: (sheetId, row, column) =>
        grid.formulas(Number(sheetId), { row, column, rowCount: 1, columnCount: 1 })[0]?.[0] ?? '',
      indexes,
      sawCells: () => {},
      sawKey: () => {},
      custom: {
        has: isCustom,
        toDate,
        values: ({ sheetId, ...rectangle }) => grid.values(sheetId, rectangle),
        call: (functionName, args) => {
          if (refused.has(functionName)) return [[FAILED]];
          const rows = ask(functionName, args);
          if (rows === undefined) return null;
          if (rows === null) return [[FAILED]];
          return rows.map((row) => row.map((value) => (isDate(value) ? toSerial(value) : value)));
        },
      },
    });
    return loaded;
  };
  return (place: FormulaPlace, known: AnswersByCall): Progress => {
    const { sheetId, formula } = place;
    answered = known;
    calls = new Map();
    refused = new Set(
      customCalls(formula, isCustom)
        .filter(({ inside }) => refersToVolatile(grid, sheetId, inside))
        .map(({ functionName }) => functionName),
    );
    const call = readCall(formula);
    if (call && isCustom(call.functionName) && hasPlainArguments(grid, call)) {
      if (!hasAllCells(grid, sheetId, call)) return { rows: [[call.instead ?? NO_CELLS]] };
      const failed = [[call.instead ?? FAILED]];
      if (refused.has(call.functionName)) return { rows: failed };
      const rows = ask(call.functionName, argumentsOf(grid, sheetId, formula));
      return rows === undefined ? { calls: [...calls.values()] } : { rows: rows ?? failed };
    }
    const english = inEnglish(withNames(grid, formula), grid.locale());
    if (english === null) return { rows: [[FAILED]] };
    indexes.forget();
    try {
      const { rows, format } = engine().read(english, place).evaluate(place);
      if (calls.size > 0) return { calls: [...calls.values()] };
      const isDated = format !== undefined && isDateFormat(format);
      return {
        rows: rows.map((row) =>
          row.map((value) =>
            isDated && typeof value === 'number' && isDateSerial(value)
              ? toDate(value)
              : (value ?? ''),
          ),
        ),
      };
    } catch {
      return { rows: [[FAILED]] };
    }
  };
}

/** The cells that formulas refer to, by address or by name. */
function createReferences(grid: PlainGrid) {
  const resolved = new Map<string, string>();
  const textOf = (formula: string): string => {
    const before = resolved.get(formula);
    if (before !== undefined) return before;
    const text = withNames(grid, formula);
    resolved.set(formula, text);
    return text;
  };
  return {
    /** Whether the formula refers to a cell of the area. */
    meet: (ownSheetId: number, formula: string, { sheetId, rectangle }: Area): boolean =>
      referenceTexts(textOf(formula)).some((text) => {
        const address = parseAddress(text);
        if (!address || sheetIdOf(grid, address.sheetName, ownSheetId) !== sheetId) return false;
        return meet(address.within(grid.size(sheetId)), rectangle);
      }),
    /** Returns a test for whether the names in a formula have come to mean other cells. */
    changed: () => {
      const before = new Map(resolved);
      resolved.clear();
      return (formula: string) => (before.get(formula) ?? formula) !== textOf(formula);
    },
    forget: () => resolved.clear(),
  };
}
