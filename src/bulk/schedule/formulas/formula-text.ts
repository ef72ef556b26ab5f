// Calls inside the text of a formula: where they stand, what their arguments are. Pure.

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

export type Separator = ',' | ';';

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
