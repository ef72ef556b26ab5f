// What changed between two analyses, which rules that crosses, and the mark in the row. Pure.

import type { SheetCell } from '../platform/ports';
import { FIELDS, type Field, type FieldValue, fieldKind } from '../product/fields';
import { MARK } from '../table/output-columns';
import { dayWords, MONTHS, type ZoneOffset } from './recurrence';

/** One line of the change log. */
export interface Change {
  readonly field: Field;
  readonly before: FieldValue;
  readonly after: FieldValue;
}

/** What one product had and has, by field; fields that were not asked for are left out. */
export type FieldValues = Readonly<Partial<Record<Field, FieldValue>>>;

/** A change that marks a row. Money is in the market's currency, ROI a fraction as in a sheet. */
export type ChangeRule =
  | { readonly kind: 'no-longer-eligible' | 'became-eligible' | 'became-buy' }
  | { readonly kind: 'fell-under'; readonly field: Field; readonly bound: number }
  | { readonly kind: 'rose-over'; readonly field: Field; readonly bound: number }
  | { readonly kind: 'doubled'; readonly field: Field };

/** Figures that differ by less came out of other roundings, not of another market. */
const NOISE = 0.005;

/** The fields whose figures differ, in the order of the fields. What was not known before is no news. */
export function changesBetween(before: FieldValues, after: FieldValues): readonly Change[] {
  return FIELDS.flatMap((field) => {
    const [old = null, now = null] = [before[field], after[field]];
    if (old === null || isSame(field, old, now)) return [];
    return [{ field, before: old, after: now }];
  });
}

function isSame(field: Field, old: FieldValue, now: FieldValue): boolean {
  if (typeof old !== 'number' || typeof now !== 'number') return old === now;
  // A fraction such as ROI moves in smaller steps than money does.
  const noise = fieldKind(field) === 'ratio' ? NOISE / 10 : NOISE;
  return Math.abs(old - now) < noise;
}

/** The rules that a product's changes crossed just now; one that was crossed long ago is not again. */
export function crossedRules(
  rules: readonly ChangeRule[],
  changes: readonly Change[],
): readonly ChangeRule[] {
  return rules.filter((rule) => changes.some((change) => crosses(rule, change)));
}

function crosses(rule: ChangeRule, { field, before, after }: Change): boolean {
  if (!('field' in rule)) {
    // What is decided takes more than one figure.
    if (rule.kind === 'became-buy' || field !== 'eligible' || after === null) return false;
    return rule.kind === 'became-eligible'
      ? before !== true && after === true
      : before === true && after !== true;
  }
  if (rule.field !== field || typeof before !== 'number' || typeof after !== 'number') return false;
  if (rule.kind === 'fell-under') return before >= rule.bound && after < rule.bound;
  if (rule.kind === 'rose-over') return before <= rule.bound && after > rule.bound;
  return before > 0 && after >= 2 * before;
}

const BETWEEN_RULES = '; ';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** "21 Nov 06:04", in the spreadsheet's time. */
export function momentText(atMs: number, zone: ZoneOffset): string {
  const local = new Date(atMs + zone(atMs));
  const clock = local.toISOString().slice(11, 16);
  return `${dayWords(local)} ${clock}`;
}

/** "No longer eligible; ROI fell under 20% · 21 Nov 06:04" */
export function markText(words: readonly string[], atMs: number, zone: ZoneOffset): string {
  return `${words.join(BETWEEN_RULES)} · ${momentText(atMs, zone)}`;
}

/** Whether a rule of these words marked the row at that moment or later. */
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
  // A mark has no year: one of the days to come was made last year.
  const local = inYear(year) > now + DAY_MS ? inYear(year - 1) : inYear(year);
  return local + MINUTE_MS > sinceMs + zone(sinceMs);
}
