// Parses the text of a formula: calls of custom functions, their arguments, references, and the
// refresh stamp.

import { type Area, columnNumber, type SheetSize } from '../platform/ports';
import { isStampText } from './arguments';

export interface Argument {
  readonly text: string;
  /** Its start and end in the formula, including surrounding blanks. */
  readonly from: number;
  readonly to: number;
}

export interface Call {
  /** In upper case. */
  readonly name: string;
  readonly args: readonly Argument[];
  /** The separator of its arguments; null: it has at most one argument. */
  readonly separator: Separator | null;
  /** The position of its closing parenthesis. */
  readonly close: number;
}

type Separator = ',' | ';';

/**
 * Texts, quoted sheet names, names (with the parenthesis of a call), numbers, brackets and
 * separators. A single quotation mark at the end matches one that is never closed.
 */
const TOKEN =
  /"(?:[^"]|"")*"|'(?:[^']|'')*'|([\p{L}_$][\p{L}\p{N}_.$]*)(\s*\()?|\p{N}[\p{L}\p{N}_.]*|[(){}[\],;"']/gu;

const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '{': '}', '[': ']' };

interface Frame {
  /** null: brackets that are not those of a call. */
  readonly name: string | null;
  readonly closer: string;
  readonly from: number;
  readonly marks: { readonly at: number; readonly separator: Separator }[];
}

/** All calls in the formula, inner ones first; none if the text is not a valid formula. */
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

/** Where semicolons separate arguments, a comma is a decimal separator. */
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
  /** null: the formula's own sheet. */
  readonly sheetName: string | null;
  /** A null row or column means the first or the last one. */
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

/** Reads a reference; null for anything else. */
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

/** The cells of a reference in a sheet of this size; null: the sheet has none of them. */
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

/** The position of the refresh argument, from 0. Functions that make no calls have none. */
const REFRESH_AT: Readonly<Record<string, number>> = {
  ANALYZE: 3,
  ANALYZE_MAX_BUY: 3,
  ANALYZE_WHAT_IF: 4,
};

/** Semicolons work in every locale; commas only where they are not decimal separators. */
const SAFE_SEPARATOR: Separator = ';';

/** The calls in a formula of our functions that ask the service for products. */
export function askingCalls(formula: string): readonly Call[] {
  if (!/analyze/i.test(formula)) return [];
  return callsIn(formula).filter(({ name }) => REFRESH_AT[name] !== undefined);
}

/** Those of our calls that may carry a stamp. */
export const freeCalls = (formula: string): readonly Call[] =>
  askingCalls(formula).filter((call) => stampOf(call) !== null);

/** The content of a text literal; undefined for anything else. */
export function literalText(argument: string): string | undefined {
  const [, inner] = /^"((?:[^"]|"")*)"$/.exec(argument) ?? [];
  return inner?.replace(/""/g, '"');
}

/** The stamp of a call; '' if it has none yet, null if the argument is the user's own. */
export function stampOf({ name, args }: Call): string | null {
  const { text = '' } = args[REFRESH_AT[name] ?? 0] ?? {};
  if (text === '') return '';
  const literal = literalText(text);
  return isStampText(literal) ? (literal ?? null) : null;
}

/**
 * The separator used elsewhere in the formula. A comma between two digits may be a decimal
 * separator, so it does not count.
 */
function separatorOf(formula: string): Separator {
  const all = callsIn(formula);
  const hasCommas = ({ args }: Call) =>
    args.some(({ from }, at) => at > 0 && !/^\d,\d/.test(formula.slice(from - 2)));
  const isSure = all.every(({ separator }) => separator !== ';') && all.some(hasCommas);
  return isSure ? ',' : SAFE_SEPARATOR;
}

/**
 * Writes a stamp into each call of the formula that may carry one. A formula may have thousands of
 * calls, so its separator is determined once and the text is assembled once.
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
