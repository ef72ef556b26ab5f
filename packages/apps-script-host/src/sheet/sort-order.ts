// The order in which Sheets sorts rows: numbers, texts, truth values, and blanks always last.

import type { Matrix } from './model';

/** A value to sort by. Dates are serial numbers. */
export type Sortable = string | number | boolean;

export interface SortRule {
  /** The column's place in the sorted rows, counted from 0. */
  readonly place: number;
  readonly ascending: boolean;
}

/** Sheets ignores case but not accents. */
const collator = new Intl.Collator('en', { sensitivity: 'accent' });

function rank(value: Sortable): number {
  if (value === '') return 3;
  if (typeof value === 'number') return 0;
  return typeof value === 'string' ? 1 : 2;
}

function compare(one: Sortable, other: Sortable, ascending: boolean): number {
  const ranks = [rank(one), rank(other)] as const;
  if (ranks.includes(3)) return ranks[0] - ranks[1];
  const direction = ascending ? 1 : -1;
  if (ranks[0] !== ranks[1]) return direction * (ranks[0] - ranks[1]);
  if (typeof one === 'string') return direction * collator.compare(one, String(other));
  return direction * (Number(one) - Number(other));
}

/** The n-th number of the result is the old place of the n-th row. */
export function sortedOrder(rows: Matrix<Sortable>, rules: readonly SortRule[]): number[] {
  const byRules = (one: number, other: number) => {
    for (const { place, ascending } of rules) {
      const order = compare(rows[one]?.[place] ?? '', rows[other]?.[place] ?? '', ascending);
      if (order !== 0) return order;
    }
    return 0;
  };
  return rows.map((_row, place) => place).sort(byRules);
}
