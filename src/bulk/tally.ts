// What a slice has done so far, counted as its rows are written.

import type { Answer } from '../analysis/answer';
import type { Product } from '../analysis/product';
import { type Counters, NO_COUNTS, sum } from './job';
import { identityOf, type Row } from './rows';

export interface Tally {
  read(): Counters;
  /** Rows found in their places with this answer in them; `isCached`: it was there before the run. */
  placed(row: Row, answer: Answer, isCached: boolean): void;
  add(more: Partial<Counters>): void;
  lost(products: readonly Product[]): void;
}

export function tally(before: Counters): Tally {
  let counters = before;
  const asked = new Set<string>();
  const add = (more: Partial<Counters>) => {
    counters = sum(counters, { ...NO_COUNTS, ...more });
  };
  return {
    read: () => counters,
    add,
    placed(row, answer, isCached) {
      if (!answer.ok) {
        add({ failures: { [answer.failure.kind]: 1 } });
        return;
      }
      const key = identityOf(row);
      const isFree = isCached || asked.has(key);
      asked.add(key);
      add(isFree ? { cached: 1 } : { answered: 1 });
    },
    lost: (products) => add({ lost: products, lostCount: products.length }),
  };
}
