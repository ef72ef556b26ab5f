// The named figures of an analysis: which there are, what they are called elsewhere, how one is picked.

import type { Analysis } from './analysis';
import { type Failure, fail } from './failure';

/** The figures this product has a word for, in the order in which "all" shows them. */
export const FIELDS = [
  'profit',
  'roi',
  'fees',
  'eligible',
  'rank_drops_30d',
  'buy_price',
  'sell_price',
] as const;

export type Field = (typeof FIELDS)[number];

/**
 * What every analysis tells of itself: how old it is, in days as sheets count time, and when it was
 * fetched. A formula that asks for either gets the last good figures when there are no newer ones.
 */
const TIMES = ['age', 'as_of'] as const;

/** What "all" shows. */
export const ALL_FIELDS: readonly string[] = [...FIELDS, ...TIMES];

/** What a formula shows when it names no fields: the figures the service's contract names. */
export const DEFAULT_FIELDS: readonly string[] = FIELDS.slice(0, 5);

/**
 * Exact other names, in the form `nameForm` gives. Prefixes are not enough: `buyBoxPrice` begins
 * with "buy" and is what the product sells at.
 */
const ALIASES: Readonly<Record<Field, readonly string[]>> = {
  profit: ['netprofit'],
  roi: ['returnoninvestment', 'roi%', 'roipercent', 'roipct'],
  fees: ['totalfees', 'fee', 'allfees'],
  eligible: ['eligibility', 'cansell', 'sellable', 'eligibletosell'],
  rank_drops_30d: [
    'rankdrops30',
    'rankdrops(30d)',
    'rankdrops',
    'drops30d',
    'drops30',
    'drops',
    'salesrankdrops30',
    'salesrankdrops30d',
  ],
  buy_price: [
    ...['buy', 'cost', 'costprice', 'cogs', 'cog', 'productcost', 'sourceprice'],
    ...['purchaseprice', 'buycost'],
  ],
  sell_price: [
    ...['sell', 'sellingprice', 'saleprice', 'price', 'buyboxprice', 'bbprice', 'amazonprice'],
    ...['buybox', 'currentprice'],
  ],
};

/** Names compare without case, spaces, dashes and underscores: `buyPrice` is `buy_price`. */
export function nameForm(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, '');
}

/** A field and how sure its name is of it: 0 for the field's own name, more for each next alias. */
export interface Meaning {
  readonly field: Field;
  readonly rank: number;
}

const MEANINGS: ReadonlyMap<string, Meaning> = new Map(
  FIELDS.flatMap((field) =>
    [nameForm(field), ...ALIASES[field]].map((form, rank) => [form, { field, rank }] as const),
  ),
);

export function meaningOf(name: string): Meaning | undefined {
  return MEANINGS.get(nameForm(name));
}

/** The figure that a name stands for, exactly or by an alias; undefined for names we do not know. */
export function fieldOfName(name: string): Field | undefined {
  return meaningOf(name)?.field;
}

function timeOfName(name: string): (typeof TIMES)[number] | undefined {
  return TIMES.find((time) => nameForm(time) === nameForm(name));
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
  return trimmed.map((name) => fieldOfName(name) ?? timeOfName(name) ?? name);
}

function namesInText(text: string): readonly string[] {
  const names = text.split(/[,;\n]/).map((name) => name.trim());
  return names.filter((name) => name !== '');
}

export type FieldValue = string | number | boolean | Date | null;

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
