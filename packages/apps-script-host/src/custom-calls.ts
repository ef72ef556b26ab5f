// Reads the calls of custom functions in formulas, and their arguments.

import { type Address, parseAddress } from './sheet/a1-notation';
import type { SheetModel } from './sheet/model';
import { withNames } from './sheet/named-cells';

/** What a formula calls: a function by its name in capitals, with the texts of its arguments. */
export interface Call {
  readonly functionName: string;
  readonly args: readonly string[];
  /** What IFERROR shows in place of an error. */
  readonly instead?: string;
}

const CALL = /^=?\s*([A-Za-z_]\w*)\s*\(([\s\S]*)\)\s*$/;

/** A formula that is a single call, also within IFERROR. null: it is not. */
export function readCall(formula: string): Call | null {
  const [, name, inside = ''] = CALL.exec(formula) ?? [];
  if (name === undefined || !isClosed(inside)) return null;
  const args = inside.trim() === '' ? [] : split(inside);
  if (name.toUpperCase() !== 'IFERROR') return { functionName: name.toUpperCase(), args };
  const inner = readCall(args[0] ?? '');
  const instead = literalOf(args[1] ?? '""');
  return inner && instead !== undefined ? { ...inner, instead: String(instead) } : null;
}

const PART = /"(?:[^"]|"")*"|'(?:[^']|'')*'|[\s\S]/g;

/** Whether the brackets close each other, so that the text before and after them belongs to one call. */
function isClosed(inside: string): boolean {
  let depth = 0;
  for (const [part] of inside.matchAll(PART)) {
    if ('([{'.includes(part)) depth += 1;
    if (')]}'.includes(part)) depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** Splits at commas and semicolons outside texts, sheet names and brackets. */
function split(inside: string): readonly string[] {
  const args = [''];
  let depth = 0;
  for (const [part] of inside.matchAll(PART)) {
    if ('([{'.includes(part)) depth += 1;
    if (')]}'.includes(part)) depth -= 1;
    if (depth === 0 && (part === ',' || part === ';')) args.push('');
    else args[args.length - 1] += part;
  }
  return args.map((arg) => arg.trim());
}

/** A custom function anywhere in a formula, with the text between its brackets. */
export interface InnerCall {
  readonly functionName: string;
  readonly inside: string;
}

/** The calls of custom functions in a formula, also those within other functions. */
export function customCalls(
  formula: string,
  isCustom: (functionName: string) => boolean,
): readonly InnerCall[] {
  const blanked = formula.replace(/"(?:[^"]|"")*"|'(?:[^']|'')*'/g, (text) =>
    '_'.repeat(text.length),
  );
  return [...blanked.matchAll(/([A-Za-z_]\w*)\s*\(/g)].flatMap((match) => {
    const functionName = (match[1] ?? '').toUpperCase();
    if (!isCustom(functionName)) return [];
    const start = match.index + match[0].length;
    let depth = 1;
    let end = start;
    while (end < blanked.length && depth > 0) {
      if (blanked[end] === '(') depth += 1;
      if (blanked[end] === ')') depth -= 1;
      end += 1;
    }
    return [{ functionName, inside: formula.slice(start, depth === 0 ? end - 1 : end) }];
  });
}

/** A text, number, percentage or truth value. undefined: none of these. */
function literalOf(text: string): string | number | boolean | undefined {
  const [, inner] = /^"((?:[^"]|"")*)"$/.exec(text) ?? [];
  if (inner !== undefined) return inner.replaceAll('""', '"');
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  if (/^[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?%?$/i.test(text))
    return text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text);
  return undefined;
}

/** Whether each argument is blank, a constant, a reference or a name of cells. */
export function hasPlainArguments(grid: SheetModel, { args }: Call): boolean {
  return args.every(
    (text) =>
      text === '' || literalOf(text) !== undefined || parseAddress(withNames(grid, text)) !== null,
  );
}

/** Whether all references are to cells that there are. The arguments must be plain. */
export function hasAllCells(grid: SheetModel, ownSheetId: number, { args }: Call): boolean {
  return args.every((text) => {
    const address = literalOf(text) === undefined ? parseAddress(withNames(grid, text)) : null;
    return address === null || areaOf(grid, ownSheetId, address) !== null;
  });
}

/** null: the sheet or the cells do not exist. */
function areaOf(grid: SheetModel, ownSheetId: number, { sheetName, within }: Address) {
  const sheetId = sheetIdOf(grid, sheetName, ownSheetId);
  if (sheetId === undefined) return null;
  const size = grid.size(sheetId);
  const rectangle = within(size);
  const { row, column, rowCount, columnCount } = rectangle;
  const isInside =
    row + rowCount - 1 <= size.maxRows && column + columnCount - 1 <= size.maxColumns;
  return isInside ? { sheetId, rectangle } : null;
}

/** The current arguments of a cell's custom function. They must be plain. */
export function argumentsOf(
  grid: SheetModel,
  sheetId: number,
  formula: string,
): readonly unknown[] {
  return (readCall(formula)?.args ?? []).map((text) => argumentOf(grid, sheetId, text));
}

function argumentOf(grid: SheetModel, ownSheetId: number, text: string): unknown {
  const literal = literalOf(text);
  if (literal !== undefined || text === '') return literal;
  const address = parseAddress(withNames(grid, text));
  if (address === null) throw new RangeError(`The argument ${text} is not emulated here.`);
  const area = areaOf(grid, ownSheetId, address);
  if (area === null) return '#REF!';
  const rows = grid.values(area.sheetId, area.rectangle);
  return rows.length === 1 && rows[0]?.length === 1 ? rows[0][0] : rows;
}

export function sheetIdOf(
  grid: SheetModel,
  name: string | null,
  ownSheetId: number,
): number | undefined {
  const isNamed = (tab: { readonly name: string }) =>
    tab.name.toLowerCase() === name?.toLowerCase();
  return name === null ? ownSheetId : grid.sheets().find(isNamed)?.id;
}
