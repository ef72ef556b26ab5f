// Runs custom functions in a plain grid: each cell whose formula has changed starts an execution,
// as in Google Sheets.

import type { Host } from './host-contract';
import { parseAddress } from './sheet/a1-notation';
import type { CellValue, Rectangle, SheetModel } from './sheet/model';
import type { PlainGrid } from './sheet/plain-grid';
import { meet } from './sheet/rectangle';
import { refersToVolatile } from './sheet/volatile-cells';

/** What a cell shows until its function has answered, in Sheets' own words. */
const LOADING = 'Loading...';
const FAILED = '#ERROR!';

export interface Recalculation {
  /** Number of executions by cells so far. */
  readonly executions: () => number;
  /** Recalculates every cell, as opening the file may. */
  readonly all: () => void;
}

/**
 * Handles formulas with a single call, `=NAME(…)` or `=IFERROR(NAME(…),"x")`, whose arguments are
 * texts, numbers and references, also references to cells with native formulas. A cell that only
 * moves is not recalculated, but a call that was under way is repeated in the new place. Cells that
 * exist at the start count as already calculated.
 */
export function recalculating(
  host: Pick<Host, 'start'>,
  grid: PlainGrid,
  isCustom: (functionName: string) => boolean,
): Recalculation {
  const known = new Map<string, string>();
  const running = new Map<string, object>();
  let executions = 0;
  let isShowing = false;
  const nameOf = (sheetId: number, row: number, column: number) => `${sheetId} ${row} ${column}`;

  function show(put: () => void): void {
    isShowing = true;
    put();
    isShowing = false;
  }

  /**
   * Writing a call's answer triggers no recalculation, but changes that native formulas derive from
   * it do. Those are collected here.
   */
  let meanwhile: Area[] = [];
  function showAnswer(sheetId: number, row: number, column: number, value: unknown): void {
    meanwhile = [];
    show(() => spill(grid, sheetId, row, column, value));
    const filled = filledBy(row, column, value);
    const isOwn = (area: Area) => area.sheetId === sheetId && meet(filled, area.rectangle);
    const others = meanwhile.filter((area) => !isOwn(area));
    for (const area of new Map(others.map((one) => [JSON.stringify(one), one])).values())
      ripple(area, nameOf(sheetId, row, column));
  }

  /**
   * Recalculates cells whose formulas refer to the changed area. The cell that caused the change is
   * skipped, which would otherwise never end.
   */
  function ripple({ sheetId, rectangle }: Area, cause?: string): void {
    for (const { id } of grid.sheets())
      look(id, (row, column, formula) => {
        const isNamed = names(grid, id, formula, sheetId, rectangle);
        if (isNamed && nameOf(id, row, column) !== cause) begin(id, row, column, formula);
      });
  }

  function begin(sheetId: number, row: number, column: number, formula: string): void {
    const call = readCall(formula);
    if (call === null || !isCustom(call.functionName)) return;
    const { functionName } = call;
    const name = nameOf(sheetId, row, column);
    const ticket = {};
    running.set(name, ticket);
    if (refersToVolatile(grid, sheetId, call.args.join(','))) {
      running.delete(name);
      show(() => spill(grid, sheetId, row, column, call.instead ?? FAILED));
      return;
    }
    executions += 1;
    const args = argumentsOf(grid, sheetId, formula);
    show(() => grid.setComputed(sheetId, row, column, LOADING));
    void host.start({ functionName, args, door: 'cell' }).then((outcome) => {
      if (running.get(name) !== ticket) return;
      running.delete(name);
      const shown = outcome.ok ? outcome.value : (call.instead ?? FAILED);
      showAnswer(sheetId, row, column, shown);
    });
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
    for (const { id } of grid.sheets())
      look(id, (row, column, formula) => {
        known.set(nameOf(id, row, column), formula);
        const cell = { row, column, rowCount: 1, columnCount: 1 };
        if (begins(formula, grid.values(id, cell)[0]?.[0])) begin(id, row, column, formula);
      });
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
      if (formula === known.get(name)) return;
      known.set(name, formula);
      running.delete(name);
      begin(sheetId, row, column, formula);
    });
    for (const name of left) {
      known.delete(name);
      running.delete(name);
    }
    ripple(change);
  });
  remember(() => false);
  return { executions: () => executions, all: () => remember(() => true) };
}

interface Area {
  readonly sheetId: number;
  readonly rectangle: Rectangle;
}

/** What a formula calls: a function by its name in capitals, with the texts of its arguments. */
interface Call {
  readonly functionName: string;
  readonly args: readonly string[];
  /** What IFERROR shows in place of an error. */
  readonly instead?: string;
}

const CALL = /^=?\s*([A-Za-z_]\w*)\s*\(([\s\S]*)\)\s*$/;

export function readCall(formula: string): Call | null {
  const [, name, inside = ''] = CALL.exec(formula) ?? [];
  if (name === undefined) return null;
  const args = inside.trim() === '' ? [] : split(inside);
  if (name.toUpperCase() !== 'IFERROR') return { functionName: name.toUpperCase(), args };
  const inner = readCall(args[0] ?? '');
  return inner && { ...inner, instead: String(literalOf(args[1] ?? '""')) };
}

/** Splits at commas and semicolons outside texts, sheet names and brackets. */
function split(inside: string): readonly string[] {
  const args = [''];
  let depth = 0;
  for (const [part] of inside.matchAll(/"(?:[^"]|"")*"|'(?:[^']|'')*'|[\s\S]/g)) {
    if ('([{'.includes(part)) depth += 1;
    if (')]}'.includes(part)) depth -= 1;
    if (depth === 0 && (part === ',' || part === ';')) args.push('');
    else args[args.length - 1] += part;
  }
  return args.map((arg) => arg.trim());
}

function literalOf(text: string): unknown {
  const [, inner] = /^"((?:[^"]|"")*)"$/.exec(text) ?? [];
  if (inner !== undefined) return inner.replaceAll('""', '"');
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
}

/** The current arguments of a cell's custom function. */
export function argumentsOf(
  grid: SheetModel,
  sheetId: number,
  formula: string,
): readonly unknown[] {
  return (readCall(formula)?.args ?? []).map((text) => argumentOf(grid, sheetId, text));
}

function argumentOf(grid: SheetModel, ownSheetId: number, text: string): unknown {
  const literal = literalOf(text);
  const address = literal === undefined && text !== '' ? parseAddress(text) : null;
  if (address === null) return literal;
  const sheetId = sheetIdOf(grid, address.sheetName, ownSheetId);
  if (sheetId === undefined) return '#REF!';
  const rows = grid.values(sheetId, address.within(grid.size(sheetId)));
  return rows.length === 1 && rows[0]?.length === 1 ? rows[0][0] : rows;
}

/** Whether one of the formula's arguments refers to a cell of the rectangle. */
function names(
  grid: SheetModel,
  ownSheetId: number,
  formula: string,
  sheetId: number,
  rectangle: Rectangle,
): boolean {
  return (readCall(formula)?.args ?? []).some((text) => {
    const address = literalOf(text) === undefined && text !== '' ? parseAddress(text) : null;
    if (address === null || sheetIdOf(grid, address.sheetName, ownSheetId) !== sheetId)
      return false;
    return overlap(address.within(grid.size(sheetId)), rectangle);
  });
}

function overlap(one: Rectangle, other: Rectangle): boolean {
  const meets = (from: number, count: number, otherFrom: number, otherCount: number) =>
    from < otherFrom + otherCount && otherFrom < from + count;
  return (
    meets(one.row, one.rowCount, other.row, other.rowCount) &&
    meets(one.column, one.columnCount, other.column, other.columnCount)
  );
}

function sheetIdOf(grid: SheetModel, name: string | null, ownSheetId: number): number | undefined {
  const isNamed = (tab: { readonly name: string }) =>
    tab.name.toLowerCase() === name?.toLowerCase();
  return name === null ? ownSheetId : grid.sheets().find(isNamed)?.id;
}

/**
 * The cells that an answer fills: its own cell, or for a list also the cells to the right and
 * below.
 */
function filledBy(row: number, column: number, value: unknown): Rectangle {
  const rows = Array.isArray(value) ? value.map((cells) => [cells].flat().length) : [1];
  return { row, column, rowCount: Math.max(1, rows.length), columnCount: Math.max(1, ...rows) };
}

function spill(grid: PlainGrid, sheetId: number, row: number, column: number, value: unknown) {
  const rows = Array.isArray(value) ? value.map((cells) => [cells].flat()) : [[value]];
  rows.forEach((cells: readonly unknown[], down) => {
    cells.forEach((cell, right) => {
      grid.setComputed(sheetId, row + down, column + right, (cell ?? '') as CellValue);
    });
  });
}
