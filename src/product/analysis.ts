// An analysis, the values of its fields as formulas show them, and the answer it makes.

import { type Failure, fail } from '../failures/failure';
import {
  ALL_FIELDS,
  decisionOfName,
  type FieldValue,
  type Figures,
  fieldOfName,
  KNOWN_NAMES,
  nameForm,
  timeOfName,
} from './fields';

/** A field the service sent that this product has no word for, under the service's own name. */
export type Extra = readonly [name: string, value: string | number | boolean | null];

export type RoiUnit = 'fraction' | 'percent';
export type MoneyUnit = 'units' | 'hundredths';

export interface Analysis {
  /** Money in the market's currency, unrounded; null where the service gave nothing. */
  readonly figures: Figures;
  /** Pairs and not an object, so that a field called `__proto__` is only a name. */
  readonly extras: readonly Extra[];
  /** The unit of ROI where it is settled: by the connection, or by a "%" that was sent. Else as sent. */
  readonly roiUnit?: RoiUnit;
  /** An invented one: never kept, never beside real ones, never written by a run. */
  readonly isSample?: true;
  readonly fetchedAtMs: number;
}

/** Whether whoever sees these fields sees how old they are. */
export function showAge(names: readonly string[]): boolean {
  return names.some((name) => timeOfName(name) !== undefined);
}

/**
 * The names in a `fields` argument, [] when nothing is named. A blank header cell is a blank column;
 * in a text with commas, nothing between two of them or after the last names nothing.
 */
export function readFieldNames(cells: readonly unknown[]): readonly string[] {
  const trimmed =
    cells.length === 1
      ? namesInText(String(cells[0] ?? ''))
      : cells.map((cell) => String(cell ?? '').trim());
  if (trimmed.every((name) => name === '')) return [];
  if (trimmed.length === 1 && trimmed[0]?.toLowerCase() === 'all') return ALL_FIELDS;
  return trimmed.map((given) => {
    const name = given.slice(0, NAME_CHARS_MAX);
    return fieldOfName(name) ?? timeOfName(name) ?? decisionOfName(name) ?? name;
  });
}

/** More than a formula may show; the rest of an essay is not read. */
const NAMES_MAX = 1_000;

/** No field has a longer one, and a cell holds no more than 50,000 characters. */
const NAME_CHARS_MAX = 100;

function namesInText(text: string): readonly string[] {
  const names = text.split(/[,;\n]/, NAMES_MAX).map((name) => name.trim());
  return names.filter((name) => name !== '');
}

const DAY_MS = 86_400_000;

/** The value of one field; undefined where this analysis has no such field at all. */
export function fieldValue(
  analysis: Analysis,
  name: string,
  nowMs: number,
): FieldValue | undefined {
  if (name === '') return null;
  const time = timeOfName(name);
  if (time === 'age') return Math.max(0, nowMs - analysis.fetchedAtMs) / DAY_MS;
  if (time === 'as_of') return new Date(analysis.fetchedAtMs);
  const field = fieldOfName(name);
  if (field !== undefined) return analysis.figures[field];
  const form = nameForm(name);
  return analysis.extras.find(([extra]) => nameForm(extra) === form)?.[1];
}

/** Analyses whose names are compared with a slip; those of the others are nearly always the same. */
const NAMED_MAX = 20;

/** The failure for a name no analysis has, with the nearest name that exists. */
export function unknownField(name: string, analyses: readonly Analysis[]): Failure {
  const names = new Set([
    ...KNOWN_NAMES,
    ...analyses.slice(0, NAMED_MAX).flatMap((analysis) => analysis.extras.map(([n]) => n)),
  ]);
  const nearest = nearestName(name, [...names]);
  return fail({ kind: 'bad-field', input: name.slice(0, 40), ...(nearest ? { nearest } : {}) });
}

/** The name with the fewest typing slips, if it is near enough to have been meant. */
function nearestName(name: string, names: readonly string[]): string | undefined {
  const form = nameForm(name).slice(0, 40);
  const distances = names.map((one) => ({ one, slips: editDistance(form, nameForm(one)) }));
  const best = distances.sort((a, b) => a.slips - b.slips)[0];
  return best !== undefined && best.slips <= Math.max(2, form.length / 3) ? best.one : undefined;
}

/** Levenshtein distance: insertions, deletions and replacements of single characters. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

export type Answer =
  | { readonly ok: true; readonly analysis: Analysis }
  | {
      readonly ok: false;
      readonly failure: Failure;
      /** What the service said last, where the failure will pass. */
      readonly last?: Analysis;
    };

export const answered = (analysis: Analysis): Answer => ({ ok: true, analysis });
export const unanswered = (failure: Failure): Answer => ({ ok: false, failure });

/** What a caller demands of an answer that is already there. */
export interface Freshness {
  /** Nothing fetched before this moment will do. */
  readonly notBeforeMs?: number;
  /** Any text; an answer asked under another one will not do. */
  readonly tag?: string;
}
