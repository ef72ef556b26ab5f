// What changed in rows of the Analysis tab, and the rules that the changes meet. Pure.

import * as z from 'zod/mini';
import type { RecordedRow } from '../analysis/analysis-row';
import {
  FIELDS,
  type Field,
  type Figures,
  fieldKind,
  fieldTitle,
  ruleWords,
} from '../product/fields';
import { type Fits, lazySchema } from '../schema/stored-record';
import { momentWords, type ZoneOffset } from './recurrence';

type Figure = Figures[Field];

/** One figure of a product before and after. */
export interface Change {
  readonly field: Field;
  readonly before: Figure;
  readonly after: Figure;
}

/** Far above any price, rank or ROI. */
const BOUND_MAX = 1e9;

/** Money is in the market's currency; ROI is a fraction as in a sheet. */
const boundSchema = lazySchema(() => z.number().check(z.minimum(-BOUND_MAX), z.maximum(BOUND_MAX)));

/** A kind of change that marks a row. */
export const changeRuleSchema = lazySchema(() => {
  const field = z.literal(FIELDS);
  return z.union([
    z.strictObject({ kind: z.literal(['no-longer-eligible', 'became-eligible', 'became-buy']) }),
    z.strictObject({ kind: z.literal(['fell-under', 'rose-over']), field, bound: boundSchema() }),
    z.strictObject({ kind: z.literal('doubled'), field }),
  ]);
});

export type ChangeRule = Fits<typeof changeRuleSchema>;

/**
 * Smaller differences come from rounding and not from the market. A fraction such as ROI changes in
 * smaller steps than money.
 */
const noiseOf = (field: Field): number => (fieldKind(field) === 'ratio' ? 0.0005 : 0.005);

/**
 * The figures of a row that differ, in the order of the fields. A figure that was unknown before is
 * no change, and neither is one that a failure has cleared.
 *
 * @param sinceMs figures that were fetched before this were obtained with another key or read in
 *     another way, so they are not compared.
 */
export function changesIn(row: RecordedRow, sinceMs: number): readonly Change[] {
  const { before, after } = row;
  if (before === null || !isComparable(row, sinceMs)) return [];
  return FIELDS.flatMap((field) => {
    const [old, now] = [before.figures[field], after.figures[field]];
    return old === null || isSame(field, old, now) ? [] : [{ field, before: old, after: now }];
  });
}

function isComparable({ before, after }: RecordedRow, sinceMs: number): boolean {
  if (before === null || before.analyzedMs === null || after.analyzedMs === null) return false;
  return before.analyzedMs >= sinceMs;
}

function isSame(field: Field, old: Figure, now: Figure): boolean {
  if (typeof old !== 'number' || typeof now !== 'number') return old === now;
  return Math.abs(old - now) < noiseOf(field);
}

/** A rule that was met earlier is not met again by a later change. */
function meets(rule: ChangeRule, { field, before, after }: Change): boolean {
  if (!('field' in rule)) {
    // A verdict depends on the seller's own costs, which the list has.
    if (rule.kind === 'became-buy' || field !== 'eligible' || after === null) return false;
    // They differ, so only one of them is true.
    return (rule.kind === 'became-eligible' ? after : before) === true;
  }
  if (rule.field !== field || typeof before !== 'number' || typeof after !== 'number') return false;
  if (rule.kind === 'doubled') return before > 0 && after >= 2 * before;
  const sign = rule.kind === 'rose-over' ? 1 : -1;
  // A step of rounding over the bound was no change, so it met no rule when it happened.
  return sign * (before - rule.bound) < noiseOf(field) && sign * (after - rule.bound) > 0;
}

const BETWEEN_RULES = '; ';

/** "No longer eligible; ROI fell under 20%" */
const rulesText = (words: readonly string[]): string => words.join(BETWEEN_RULES);

/** The rules that a text of the log names. */
export const rulesIn = (text: string): readonly string[] =>
  text === '' ? [] : text.split(BETWEEN_RULES);

/** The text for a row that met these rules. "No longer eligible; ROI fell under 20% · 21 Nov, 6:04" */
export const markText = (words: readonly string[], atMs: number, zone: ZoneOffset): string =>
  `${rulesText(words)} · ${momentWords(atMs, zone)}`;

/** The words of the rules that some changes meet, in the order of the rules. */
const wordsOf = (rules: readonly ChangeRule[], changes: readonly Change[]): readonly string[] =>
  rules
    .filter((rule) => changes.some((change) => meets(rule, change)))
    .map((rule) => ruleWords(rule));

export const wordsMet = (
  rules: readonly ChangeRule[],
  row: RecordedRow,
  sinceMs: number,
): readonly string[] => wordsOf(rules, changesIn(row, sinceMs));

/** A line of the change log. */
export interface LogLine {
  readonly atMs: number;
  readonly asin: string;
  readonly market: string;
  /** The title of what changed: "ROI", "Verdict". */
  readonly figure: string;
  readonly before: string | number | boolean;
  /** '' if there is none any more. */
  readonly after: string | number | boolean;
  /** The words of the rules that the change meets; '' for none. */
  readonly marked: string;
}

/**
 * The lines for rows as they were written, in the order of the fields. A product that several rows
 * have, each in its own spelling, gets each line once.
 */
export function logLines(
  rows: readonly RecordedRow[],
  rules: readonly ChangeRule[],
  sinceMs: number,
  atMs: number,
): readonly LogLine[] {
  const lines = new Map<string, LogLine>();
  for (const row of rows) {
    const { asin, market } = row.after;
    for (const change of changesIn(row, sinceMs)) {
      const { field, before, after } = change;
      lines.set(`${asin}|${market}|${field}`, {
        atMs,
        asin,
        market,
        figure: fieldTitle(field),
        before: before ?? '',
        after: after ?? '',
        marked: rulesText(wordsOf(rules, [change])),
      });
    }
  }
  return [...lines.values()];
}

/** The column of a list that says what to do with a product. */
const VERDICT_TITLE = 'Verdict';
const BUY = 'Buy';
export const BECAME_BUY = 'became-buy';

/** Reasons that do not stand against buying: the figures were only old, or there is a note. */
const NO_MATTER = /^(Figures older than .* days?|Sell price estimated|Check units and cost)$/;

/**
 * What a list says of a row, by its columns *Verdict* and *Why*. A product that is no Buy only
 * because its figures are old counts as one: age alone is no news.
 */
export function verdictIn(verdict: string, why: string): string {
  const isOnlyOld = verdict === 'Maybe' && why.split('; ').every((one) => NO_MATTER.test(one));
  return isOnlyOld ? BUY : verdict;
}

/** What a list says of each product (`productKey`), in each of its rows. */
export type Verdicts = ReadonlyMap<string, readonly string[]>;

/** The lines for known products that a list calls a Buy now and did not before. */
export function becameBuy(
  rows: readonly RecordedRow[],
  before: Verdicts,
  now: Verdicts,
  sinceMs: number,
  atMs: number,
): readonly LogLine[] {
  const lines = new Map<string, LogLine>();
  for (const row of rows) {
    const { asin, market } = row.after;
    const product = `${asin}|${market}`;
    const [was = [], is = []] = [before.get(product), now.get(product)];
    if (!isComparable(row, sinceMs) || was.length === 0) continue;
    if (!is.includes(BUY) || was.includes(BUY)) continue;
    lines.set(product, {
      atMs,
      asin,
      market,
      figure: VERDICT_TITLE,
      before: was[0] ?? '',
      after: BUY,
      marked: ruleWords({ kind: BECAME_BUY }),
    });
  }
  return [...lines.values()];
}
