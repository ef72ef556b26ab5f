// Two runs over one list, for one market after the other: what is still to come of them. Pure.

import { PRODUCT_TITLE, STATUS_TITLE } from '../../../product/fields';
import type { Market } from '../../../product/market';
import type { Choice } from '../../../runs/run';
import type { RpcFailure } from '../../api/failure-view';
import type { BulkInspection, BulkPreflight, BulkStatus } from '../../api/runs';
import { isObject } from '../ui/page';

/** What is chosen for both, as a market is. */
export const BOTH = 'both';

/** In the order in which they are run. */
export const [FIRST, SECOND] = ['US', 'UK'] as const satisfies readonly Market[];

/** The run that follows another one, as it was previewed. */
export interface SecondRun {
  readonly choice: Choice;
  readonly preflight: BulkPreflight;
}

/** What the end of the second run tells of the first one. */
type Outcome = Pick<BulkStatus, 'answered' | 'cached' | 'failed' | 'calls'>;

export interface Pair {
  readonly firstRun: string;
  /** null: it has not begun. */
  readonly secondRun: string | null;
  readonly second: Choice;
  /** Of the column of products: it may have moved by the time the second run begins. */
  readonly productTitle: string;
  readonly secondMs: number | null;
  /** Of the first run, once it has ended. */
  readonly first: { readonly choice: Choice; readonly outcome: Outcome | null };
  /** Why the second run could not be started; it waits for a press, then. */
  readonly failure: RpcFailure | null;
}

/** Rows that mean the same once the first run has ended: a selection may be another one by then. */
export const isForBoth = (kind: Choice['rows']['kind']): boolean =>
  kind !== 'selection' && kind !== 'visible';

/** The choice for the first of both. */
export const forBoth = (choice: Choice): Choice => {
  const { apart: _, ...rest } = choice;
  return {
    ...rest,
    market: { kind: 'one', market: FIRST },
    rows: isForBoth(choice.rows.kind) ? choice.rows : { kind: 'all' },
  };
};

export const forSecond = (choice: Choice): Choice => ({
  ...forBoth(choice),
  market: { kind: 'one', market: SECOND },
});

/** Of columns without a market in their titles a sheet has one set at most: they may be either's. */
export const hasPlainColumns = ({ columns }: BulkInspection): boolean =>
  columns.some(({ title }) => title === STATUS_TITLE);

export const productTitleOf = ({ columns }: BulkInspection, choice: Choice): string =>
  choice.headerRow === 0
    ? PRODUCT_TITLE
    : (columns.find(({ column }) => column === choice.productColumn)?.title ?? '');

/**
 * Where the second run finds its list, as the first one left it; null: nobody can tell.
 *
 * @param titles of the columns now, in the row of the header.
 */
export function secondChoice({ second, productTitle }: Pair, titles: readonly string[]) {
  const headerRow = Math.max(1, second.headerRow);
  const places = titles.flatMap((title, at) => (title === productTitle ? [at + 1] : []));
  const isThere = places.includes(second.productColumn);
  const [only] = productTitle !== '' && places.length === 1 ? places : [];
  const productColumn = isThere ? second.productColumn : only;
  return productColumn === undefined ? null : { ...second, headerRow, productColumn };
}

/** The first run is over as it should be, and the second one has not begun. */
export const isSecondDue = (pair: Pair | null, status: BulkStatus): pair is Pair =>
  pair?.secondRun === null && status.runId === pair.firstRun && status.state === 'finished';

/** What is left of a pair once this run is on view; null: nothing. */
export function pairBeside(pair: Pair | null, status: BulkStatus): Pair | null {
  if (pair === null || status.runId === pair.secondRun) return pair;
  // Whoever stops the first one wants neither.
  return status.runId === pair.firstRun && status.state !== 'stopped' ? pair : null;
}

export const outcomeOf = ({ answered, cached, failed, calls }: BulkStatus): Outcome => ({
  ...{ answered, cached, failed, calls },
});

export function pairFrom(kept: unknown): Pair | null {
  const isPair =
    isObject(kept) &&
    typeof Reflect.get(kept, 'firstRun') === 'string' &&
    typeof Reflect.get(kept, 'second') === 'object';
  return isPair ? (kept as Pair) : null;
}
