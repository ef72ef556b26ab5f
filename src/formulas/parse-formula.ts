// Reads the text of a formula: calls of custom functions, their arguments, references, the refresh stamp.

import type { Area, SheetSize } from '../platform/ports';
import { isStampText } from './arguments';

export interface Argument {
  readonly text: string;
  /** Where it begins and ends in the formula, blanks around it included. */
  readonly from: number;
  readonly to: number;
}

export interface Call {
  /** In capitals. */
  readonly name: string;
  readonly args: readonly Argument[];
  /** What stands between the arguments; null: there is one at most. */
  readonly separator: Separator | null;
  /** Where its closing parenthesis stands. */
  readonly close: number;
}

type Separator = ',' | ';';

/**
 * Texts, sheet names in quotation marks, names (with the parenthesis of a call), numbers, and what
 * opens, parts and closes. A quotation mark that nothing closes is the last of its kind.
 */
const TOKEN =
  /"(?:[^"]|"")*"|'(?:[^']|'')*'|([\p{L}_$][\p{L}\p{N}_.$]*)(\s*\()?|\p{N}[\p{L}\p{N}_.]*|[(){}[\],;"']/gu;

const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '{': '}', '[': ']' };

interface Frame {
  /** null: brackets that are no call. */
  readonly name: string | null;
  readonly closer: string;
  readonly from: number;
  readonly marks: { readonly at: number; readonly separator: Separator }[];
}

/** Every call in the formula, the inner ones first; none in a text that is no formula. */
export function callsIn(formula: string): readonly Call[] {
  const frames: Frame[] = [];
  const calls: Call[] = [];
  for (const token of formula.matchAll(TOKEN)) {
    const [text, name, parenthesis] = token;
    const at = token.index ?? 0;
    if (name !== undefined) {
      if (parenthesis !== undefined) frames.push(frameOf(name, ')', at + text.length));
      continue;
    }
    if (text === '"' || text === "'") return [];
    const closer = CLOSERS[text];
    const frame = frames[frames.length - 1];
    if (closer !== undefined) frames.push(frameOf(null, closer, at + 1));
    else if (text === ',' || text === ';') frame?.marks.push({ at, separator: text });
    else if (frame !== undefined && text === frame.closer) {
      frames.pop();
      if (frame.name !== null) calls.push(callOf(formula, frame, frame.name, at));
    } else if (text.length === 1 && ')}]'.includes(text)) return [];
  }
  return frames.length > 0 ? [] : calls;
}

const frameOf = (name: string | null, closer: string, from: number): Frame => ({
  name,
  closer,
  from,
  marks: [],
});

/** Where semicolons part arguments, a comma is that of a decimal number. */
function callOf(formula: string, { from, marks }: Frame, name: string, close: number): Call {
  const separator = (marks.find((mark) => mark.separator === ';') ?? marks[0])?.separator ?? null;
  const parts = marks.filter((mark) => mark.separator === separator).map(({ at }) => at);
  const begins = [from, ...parts.map((at) => at + 1)];
  const ends = [...parts, close];
  const args = begins.map((begin, i) => {
    const to = ends[i] ?? close;
    return { text: formula.slice(begin, to).trim(), from: begin, to };
  });
  const isEmpty = args.length === 1 && args[0]?.text === '';
  return { name: name.toUpperCase(), args: isEmpty ? [] : args, separator, close };
}

export interface Reference {
  /** null: the sheet of the formula. */
  readonly sheetName: string | null;
  /** null: from the first or to the last there is. */
  readonly from: Corner;
  /** null: a single cell. */
  readonly to: Corner | null;
}

interface Corner {
  readonly row: number | null;
  readonly column: number | null;
}

const CORNER = String.raw`(?:\$?([A-Za-z]{1,3}))?(?:\$?([1-9]\d*))?`;
const REFERENCE = new RegExp(
  String.raw`^(?:('(?:[^']|'')+'|[\p{L}_][\p{L}\p{N}_.]*)!)?${CORNER}(?:(:)${CORNER})?$`,
  'u',
);

/** null for anything that is not a reference to cells. */
export function readReference(text: string): Reference | null {
  const [whole, name = null, letters, digits, colon, toLetters, toDigits] =
    REFERENCE.exec(text) ?? [];
  if (whole === undefined) return null;
  const from = cornerOf(letters, digits);
  const isCell = from.row !== null && from.column !== null;
  if (colon === undefined ? !isCell : !(letters ?? digits) || !(toLetters ?? toDigits)) return null;
  const sheetName = name?.startsWith("'") ? name.slice(1, -1).replace(/''/g, "'") : name;
  return { sheetName, from, to: colon === undefined ? null : cornerOf(toLetters, toDigits) };
}

const cornerOf = (letters: string | undefined, digits: string | undefined): Corner => ({
  row: digits === undefined ? null : Number(digits),
  column: letters === undefined ? null : columnNumber(letters),
});

export function columnNumber(letters: string): number {
  return [...letters.toUpperCase()].reduce((sum, one) => sum * 26 + one.charCodeAt(0) - 64, 0);
}

/** The cells in a sheet of this size; null: it has no such cells. */
export function areaOf({ from, to }: Reference, { maxRows, maxColumns }: SheetSize): Area | null {
  const end = to ?? from;
  const [top, bottom] = ordered(from.row ?? 1, end.row ?? maxRows);
  const [left, right] = ordered(from.column ?? 1, end.column ?? maxColumns);
  if (top > maxRows || left > maxColumns) return null;
  const rowCount = Math.min(bottom, maxRows) - top + 1;
  return { row: top, column: left, rowCount, columnCount: Math.min(right, maxColumns) - left + 1 };
}

const ordered = (one: number, other: number): readonly [number, number] =>
  one <= other ? [one, other] : [other, one];

/** Which argument is the refresh, counted from 0. Functions that make no calls have none. */
const REFRESH_AT: Readonly<Record<string, number>> = {
  ANALYZE: 3,
  ANALYZE_MAX_BUY: 3,
  ANALYZE_WHAT_IF: 4,
};

/** Semicolons are understood in every language, commas where they are no decimal signs. */
const SAFE_SEPARATOR: Separator = ';';

/** Our calls in a formula that ask the service for products. */
export function askingCalls(formula: string): readonly Call[] {
  if (!/analyze/i.test(formula)) return [];
  return callsIn(formula).filter(({ name }) => REFRESH_AT[name] !== undefined);
}

/** Those of our calls that may carry a stamp. */
export const freeCalls = (formula: string): readonly Call[] =>
  askingCalls(formula).filter((call) => stampOf(call) !== null);

/** The text of a literal, or undefined for anything else. */
export function literalText(argument: string): string | undefined {
  const [, inner] = /^"((?:[^"]|"")*)"$/.exec(argument) ?? [];
  return inner?.replace(/""/g, '"');
}

/** The stamp that a call carries; '' for none yet, null where the argument is the user's own. */
export function stampOf({ name, args }: Call): string | null {
  const { text = '' } = args[REFRESH_AT[name] ?? 0] ?? {};
  if (text === '') return '';
  const literal = literalText(text);
  return isStampText(literal) ? (literal ?? null) : null;
}

/** What parts arguments elsewhere in the formula; a comma between two digits may be a decimal sign. */
function separatorOf(formula: string): Separator {
  const all = callsIn(formula);
  const hasCommas = ({ args }: Call) =>
    args.some(({ from }, at) => at > 0 && !/^\d,\d/.test(formula.slice(from - 2)));
  const isSure = all.every(({ separator }) => separator !== ';') && all.some(hasCommas);
  return isSure ? ',' : SAFE_SEPARATOR;
}

/**
 * The formula with the stamp in each of its calls that is free to carry one. A formula may hold
 * thousands of them, so it is read for its separator once, and put together once.
 */
export function withStamp(formula: string, stamp: string): string {
  let elsewhere: Separator | undefined;
  const edits = freeCalls(formula)
    .map((call) => {
      const at = REFRESH_AT[call.name] ?? 0;
      const there = call.args[at];
      if (there !== undefined) return { from: there.from, to: there.to, text: `"${stamp}"` };
      if (call.separator === null) elsewhere ??= separatorOf(formula);
      const separator = call.separator ?? elsewhere ?? SAFE_SEPARATOR;
      const gap = separator.repeat(at + 1 - Math.max(1, call.args.length));
      return { from: call.close, to: call.close, text: `${gap}"${stamp}"` };
    })
    .sort((one, other) => one.from - other.from);
  const parts = edits.map(
    ({ from, text }, at) => formula.slice(edits[at - 1]?.to ?? 0, from) + text,
  );
  return parts.join('') + formula.slice(edits[edits.length - 1]?.to ?? 0);
}
