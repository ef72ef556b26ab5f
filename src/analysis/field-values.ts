// What a formula shows of an analysis: the fields it names, their values, and what it says of other names.

import type { Analysis } from './analysis';
import { type Failure, fail } from './failure';
import { ALL_FIELDS, type FieldValue, fieldOfName, nameForm, timeOfName } from './fields';

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
  return trimmed.map((name) => fieldOfName(name) ?? timeOfName(name) ?? name);
}

function namesInText(text: string): readonly string[] {
  const names = text.split(/[,;\n]/).map((name) => name.trim());
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

/** The failure for a name no analysis has, with the nearest name that exists. */
export function unknownField(name: string, analyses: readonly Analysis[]): Failure {
  const names = new Set([
    ...ALL_FIELDS,
    ...analyses.flatMap((analysis) => analysis.extras.map(([n]) => n)),
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
