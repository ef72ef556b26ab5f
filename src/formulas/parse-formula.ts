// Parses the text of a formula: calls of functions, their arguments, references to cells, and the
// refresh argument.

import { columnNumber } from '../google/cells';
import { REFRESH_NAME } from '../sheet/refresh-cell';

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
  /** null: brackets of no call. */
  readonly name: string | null;
  readonly closer: string;
  readonly from: number;
  readonly signs: { readonly at: number; readonly separator: Separator }[];
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
    else if (text === ',' || text === ';') frame?.signs.push({ at, separator: text });
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
  signs: [],
});

/** Where semicolons separate arguments, a comma is a decimal separator. */
function callOf(formula: string, { from, signs }: Frame, name: string, close: number): Call {
  const separator = (signs.find((sign) => sign.separator === ';') ?? signs[0])?.separator ?? null;
  const parts = signs.filter((sign) => sign.separator === separator).map(({ at }) => at);
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

/** The values of a reference, cut from all values of its sheet from A1 on. */
export function valuesOf<Cell>(
  { from, to }: Reference,
  values: readonly (readonly Cell[])[],
): readonly (readonly Cell[])[] {
  const end = to ?? from;
  const [top, bottom] = ordered(from.row ?? 1, end.row ?? values.length);
  const [left, right] = ordered(from.column ?? 1, end.column ?? values[0]?.length ?? 1);
  return values.slice(top - 1, bottom).map((row) => row.slice(left - 1, right));
}

const ordered = (a: number, b: number): readonly [number, number] => (a <= b ? [a, b] : [b, a]);

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

/** The content of a text literal; undefined for anything else. */
export function literalText(argument: string): string | undefined {
  const [, inner] = /^"((?:[^"]|"")*)"$/.exec(argument) ?? [];
  return inner?.replace(/""/g, '"');
}

/** What a call names as its refresh argument: nothing, the cell of the Analysis tab, or its user's own. */
export function refreshOf({ name, args }: Call): 'none' | 'cell' | 'own' {
  const { text = '' } = args[REFRESH_AT[name] ?? 0] ?? {};
  if (text === '') return 'none';
  return text.toUpperCase() === REFRESH_NAME ? 'cell' : 'own';
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
 * Names the refresh cell in each call of the formula that has no refresh argument. A formula may have
 * thousands of calls, so its text is put together once.
 */
export function withRefresh(formula: string): string {
  const elsewhere = separatorOf(formula);
  const edits = askingCalls(formula)
    .filter((call) => refreshOf(call) === 'none')
    .map((call) => {
      const at = REFRESH_AT[call.name] ?? 0;
      const argument = call.args[at];
      if (argument !== undefined)
        return { from: argument.from, to: argument.to, text: REFRESH_NAME };
      const gap = (call.separator ?? elsewhere).repeat(at + 1 - Math.max(1, call.args.length));
      return { from: call.close, to: call.close, text: gap + REFRESH_NAME };
    })
    .sort((a, b) => a.from - b.from);
  const parts = edits.map(
    ({ from, text }, at) => formula.slice(edits[at - 1]?.to ?? 0, from) + text,
  );
  return parts.join('') + formula.slice(edits[edits.length - 1]?.to ?? 0);
}
