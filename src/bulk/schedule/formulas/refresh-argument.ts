// The refresh argument of our calls in a formula: whose it is, and the formula with a stamp in it. Pure.

import { isStampText } from '../../../analysis/stamp';
import { type Call, callsIn, type Separator } from './formula-text';

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

/** The formula with the stamp in each of its calls that is free to carry one. */
export function withStamp(formula: string, stamp: string): string {
  const edits = freeCalls(formula)
    .map((call) => {
      const at = REFRESH_AT[call.name] ?? 0;
      const there = call.args[at];
      if (there !== undefined) return { from: there.from, to: there.to, text: `"${stamp}"` };
      const separator = call.separator ?? separatorOf(formula);
      const gap = separator.repeat(at + 1 - Math.max(1, call.args.length));
      return { from: call.close, to: call.close, text: `${gap}"${stamp}"` };
    })
    .sort((one, other) => other.from - one.from);
  return edits.reduce(
    (text, { from, to, text: put }) => text.slice(0, from) + put + text.slice(to),
    formula,
  );
}
