// The changes between two analyses, the rules that they meet, and the mark in the row. Pure.

import * as z from 'zod/mini';
import { type Fits, lazySchema } from '../platform/lazy-schema';
import type { SheetCell } from '../platform/ports';
import { FIELDS, type Field, type FieldValue, fieldKind } from '../product/fields';
import { MARK } from '../table/output-columns';
import { dayWords, MONTHS, type ZoneOffset } from './recurrence';

const figureSchema = lazySchema(() => z.union([z.number(), z.string(), z.boolean(), z.null()]));

/** One change, which becomes a line of the change log. */
export const changeSchema = lazySchema(() =>
  z.object({ field: z.literal(FIELDS), before: figureSchema(), after: figureSchema() }),
);

export type Change = Fits<typeof changeSchema>;

/** The figures of one product at one time, by field. Fields that are not compared are left out. */
export type FieldValues = Readonly<Partial<Record<Field, Fits<typeof figureSchema>>>>;

/** Far above any price, rank or ROI. */
const BOUND_MAX = 1e9;

/** Money is in the market's currency; ROI is a fraction as in a sheet. */
export const boundSchema = lazySchema(() =>
  z.number().check(z.minimum(-BOUND_MAX), z.maximum(BOUND_MAX)),
);

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
const noiseOf = (field: Field) => (fieldKind(field) === 'ratio' ? 0.0005 : 0.005);

/**
 * The fields whose figures differ, in the order of the fields. A figure that was unknown before is
 * no change.
 */
export function changesBetween(before: FieldValues, after: FieldValues): readonly Change[] {
  return FIELDS.flatMap((field) => {
    const [old = null, now = null] = [before[field], after[field]];
    if (old === null || isSame(field, old, now)) return [];
    return [{ field, before: old, after: now }];
  });
}

function isSame(field: Field, old: FieldValue, now: FieldValue): boolean {
  if (typeof old !== 'number' || typeof now !== 'number') return old === now;
  return Math.abs(old - now) < noiseOf(field);
}

/**
 * The rules that these changes meet. A rule that was met earlier is not met again by a later
 * change.
 */
export function crossedRules(
  rules: readonly ChangeRule[],
  changes: readonly Change[],
): readonly ChangeRule[] {
  return rules.filter((rule) => changes.some((change) => crosses(rule, change)));
}

function crosses(rule: ChangeRule, { field, before, after }: Change): boolean {
  if (!('field' in rule)) {
    // Decisions depend on more than one figure and are handled elsewhere.
    if (rule.kind === 'became-buy' || field !== 'eligible' || after === null) return false;
    // They differ, so only one of them is true.
    return (rule.kind === 'became-eligible' ? after : before) === true;
  }
  if (rule.field !== field || typeof before !== 'number' || typeof after !== 'number') return false;
  if (rule.kind === 'doubled') return before > 0 && after >= 2 * before;
  const sign = rule.kind === 'rose-over' ? 1 : -1;
  // A step of rounding over the bound was no change, so it was not told when it happened.
  return sign * (before - rule.bound) < noiseOf(field) && sign * (after - rule.bound) > 0;
}

const BETWEEN_RULES = '; ';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** "21 Nov 06:04" in the spreadsheet's time zone. */
export function momentText(atMs: number, zone: ZoneOffset): string {
  const local = new Date(atMs + zone(atMs));
  const clock = local.toISOString().slice(11, 16);
  return `${dayWords(local)} ${clock}`;
}

/** "No longer eligible; ROI fell under 20% · 21 Nov 06:04" */
export function markText(words: readonly string[], atMs: number, zone: ZoneOffset): string {
  return `${words.join(BETWEEN_RULES)} · ${momentText(atMs, zone)}`;
}

/** Whether the row was marked by a rule with these words at that moment or later. */
export function marksSince(
  cell: SheetCell | undefined,
  words: string,
  sinceMs: number,
  nowMs: number,
  zone: ZoneOffset,
): boolean {
  const [, rules = '', day, month = '', hours, minutes] = MARK.exec(String(cell ?? '')) ?? [];
  if (!rules.split(BETWEEN_RULES).includes(words)) return false;
  const now = nowMs + zone(nowMs);
  const inYear = (year: number) =>
    Date.UTC(year, MONTHS.indexOf(month), Number(day), Number(hours), Number(minutes));
  const year = new Date(now).getUTCFullYear();
  // A mark has no year, so a date in the future means last year.
  const local = inYear(year) > now + DAY_MS ? inYear(year - 1) : inYear(year);
  return local + MINUTE_MS > sinceMs + zone(sinceMs);
}
