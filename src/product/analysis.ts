// An analysis, the values of its fields as formulas show them, and the answer that carries it.

import { DAY } from '../failures/duration';
import { type Failure, fail } from '../failures/failure';
import { visibleText } from './cell-text';
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

/** A field that the service sent and this product has no name for, under the service's own name. */
export type Extra = readonly [name: string, value: string | number | boolean | null];

export interface Analysis {
  /**
   * Figures with money in the market's currency, unrounded; null where the service gave no value.
   */
  readonly figures: Figures;
  /** Pairs instead of an object, so that a field named `__proto__` is only a name. */
  readonly extras: readonly Extra[];
  /** Set if ROI is known to be one, from the connection or the answer; else ROI is as sent. */
  readonly roiUnit?: 'fraction';
  /** An invented analysis: never stored, never mixed with real ones, never written by a run. */
  readonly isSample?: true;
  readonly fetchedAtMs: number;
}

/**
 * The names in a `fields` argument; [] if nothing is named. A blank header cell is a blank column,
 * but in a text with commas, empty parts and an empty end name nothing.
 */
export function readFieldNames(cells: readonly unknown[]): readonly string[] {
  const trimmed = cells.length === 1 ? namesInText(visibleText(cells[0])) : cells.map(visibleText);
  if (trimmed.every((name) => name === '')) return [];
  return trimmed.flatMap((given) => {
    const name = given.slice(0, NAME_CHARS_MAX);
    if (name.toLowerCase() === 'all') return ALL_FIELDS;
    return fieldOfName(name) ?? timeOfName(name) ?? decisionOfName(name) ?? name;
  });
}

/** More names than any formula shows; the rest of a very long text is not read. */
const NAMES_MAX = 1_000;

/** Longer than any field's name; a cell may hold 50,000 characters. */
const NAME_CHARS_MAX = 100;

function namesInText(text: string): readonly string[] {
  const names = text.split(/[,;\n]/, NAMES_MAX).map(visibleText);
  return names.filter((name) => name !== '');
}

/** The value of one field; undefined if this analysis has no such field. */
export function fieldValue(
  analysis: Analysis,
  name: string,
  nowMs: number,
): FieldValue | undefined {
  if (name === '') return null;
  const time = timeOfName(name);
  if (time === 'age') return Math.max(0, nowMs - analysis.fetchedAtMs) / DAY;
  if (time === 'as_of') return new Date(analysis.fetchedAtMs);
  const field = fieldOfName(name);
  if (field !== undefined) return analysis.figures[field];
  const form = nameForm(name);
  return analysis.extras.find(([extra]) => nameForm(extra) === form)?.[1];
}

/**
 * How many analyses are searched for similar names; further ones nearly always have the same names.
 */
const NAMED_MAX = 20;

/** The failure for a name that no analysis has, with the most similar existing name. */
export function unknownField(name: string, analyses: readonly Analysis[]): Failure {
  const names = new Set([
    ...KNOWN_NAMES,
    ...analyses.slice(0, NAMED_MAX).flatMap((analysis) => analysis.extras.map(([n]) => n)),
  ]);
  const nearest = nearestName(name, [...names]);
  return fail({ kind: 'bad-field', input: name.slice(0, 40), ...(nearest ? { nearest } : {}) });
}

/** The name with the fewest typing errors, if few enough that it may have been meant. */
function nearestName(name: string, names: readonly string[]): string | undefined {
  const form = nameForm(name).slice(0, 40);
  const distances = names.map((one) => ({ one, slips: editDistance(form, nameForm(one)) }));
  const best = distances.sort((a, b) => a.slips - b.slips)[0];
  return best !== undefined && best.slips <= Math.max(2, form.length / 3) ? best.one : undefined;
}

/** Levenshtein distance: the number of inserted, deleted and replaced characters. */
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
  | { readonly ok: false; readonly failure: Failure };

export const answered = (analysis: Analysis): Answer => ({ ok: true, analysis });
export const unanswered = (failure: Failure): Answer => ({ ok: false, failure });

/** A caller's requirements for an answer that already exists. */
export interface Freshness {
  /** The answer must have been fetched at or after this moment, ms since 1970. */
  readonly notBeforeMs?: number;
  /** Any text; the answer must have been asked for with the same text. */
  readonly tag?: string;
}
