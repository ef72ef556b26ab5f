// What a list's columns may be of an offer, and what a person says where titles leave it open. Pure, and
// without the reader of titles, so that the page has no copy of it.

import type { CostKey, QuantityReading, RateReading } from '../product/cost';

/** A column of a list with its header. */
export interface ListColumn {
  /** Columns count from 1. */
  readonly column: number;
  /** "C" */
  readonly letter: string;
  readonly title: string;
}

/** Columns that were chosen by the person or recognised by their titles. */
export type CostColumns = { readonly [Key in CostKey]?: ListColumn };

/** What a pack size does to a cost: nothing to a unit's, or units are sold together. */
export const PACK_USES = ['ignored', 'divides', 'multiplies'] as const;

export type PackUse = (typeof PACK_USES)[number];

/** The column that a person, or a decision, takes for the cost. */
export interface CostMeant {
  readonly column: ListColumn;
  /** What the pack size does; undefined: the titles say it, or there is none. */
  readonly pack?: PackUse | undefined;
  /** The column of pack sizes that this is about; undefined: the one that the titles say. */
  readonly packColumn?: ListColumn | undefined;
  /** Decisions read it: without a word on packs they read it as it stands. */
  readonly isInUse?: true;
}

/** What a person has said about other columns than the cost's; null: none of them. */
export type ColumnsMeant = { readonly [Key in CostKey]?: ListColumn | null };

/** What may be asked about. A column that may hold what was ordered, or a tax, is named as not used instead. */
export type AskedKey = Exclude<CostKey, 'ordered' | 'salesTax'>;

/** What only a person can say of a list before its rows are decided. */
export interface CostQuestion {
  readonly role: AskedKey;
  /** The columns that it may be, or that it is; none: the cost is a case's, and nothing says how many are in it. */
  readonly columns: readonly ListColumn[];
  /** The column is known, and what it counts, or what the first of its rates is, may be either of these. */
  readonly as?: readonly (RateReading | QuantityReading)[];
  readonly example?: number;
}

/** The answer that none of the columns is it, as the title of a column that there is not. */
export const NO_COLUMN = '';
