// What a person chose for a run: which list, which of its rows, and what is written beside them.

import type { Field } from '../analysis/fields';
import type { Market } from '../analysis/product';

export type RowWish =
  | { readonly kind: 'all' }
  | { readonly kind: 'selection' }
  | { readonly kind: 'visible' }
  | { readonly kind: 'empty' }
  | {
      readonly kind: 'failed';
      readonly kinds?: readonly string[] | undefined;
      /** Of a retry: what failed earlier is no part of it. */
      readonly sinceMs?: number | undefined;
    }
  | { readonly kind: 'older'; readonly days: number };

/** What a run is to do, as a person chose it. */
export interface Choice {
  readonly sheetId: number;
  readonly headerRow: number;
  readonly productColumn: number;
  readonly market:
    | { readonly kind: 'column'; readonly column: number }
    | { readonly kind: 'one'; readonly market: Market };
  readonly rows: RowWish;
  readonly fields: readonly Field[];
  /**
   * Whether a market gets columns of its own, or replaces the figures of another one that stand there.
   * Left out: its own, where those are all another's.
   */
  readonly apart?: boolean;
  /** Rules mark rows: there is to be a column for it. */
  readonly marksChanges?: boolean;
}

/** A choice but for the column of products. */
export type ChoiceByHand = Omit<Choice, 'productColumn'>;
