// Two runs over one list, one market after the other, and what remains of them. Pure.

import { PRODUCT_TITLE, STATUS_TITLE } from '../../../product/fields';
import type { Market } from '../../../product/market';
import type { Choice } from '../../../runs/run';
import type { RpcFailure } from '../../api/failure-view';
import type { BulkInspection, BulkPreflight, BulkStatus } from '../../api/runs';
import { isObject } from '../ui/page';

/** The value of "both markets" in the choice of a market. */
export const BOTH = 'both';

/** The markets in the order of their runs. */
export const [FIRST, SECOND] = ['US', 'UK'] as const satisfies readonly Market[];

/** The second run as it was previewed. */
export interface SecondRun {
  readonly choice: Choice;
  readonly preflight: BulkPreflight;
}

/** The result of the first run, shown at the end of the second. */
type Outcome = Pick<BulkStatus, 'answered' | 'cached' | 'failed' | 'calls'>;

export interface Pair {
  readonly firstRun: string;
  /** null: the second run has not begun. */
  readonly secondRun: string | null;
  readonly second: Choice;
  /** The title of the product column, which may have moved by the time the second run begins. */
  readonly productTitle: string;
  readonly secondMs: number | null;
  /** The first run, with its result once it has ended. */
  readonly first: { readonly choice: Choice; readonly outcome: Outcome | null };
  /** Why the second run could not be started; then a person has to start it. */
  readonly failure: RpcFailure | null;
}

/**
 * Kinds of selections that mean the same rows after the first run. What a person has selected or
 * filtered may have changed by then.
 */
export const isForBoth = (kind: Choice['rows']['kind']): boolean =>
  kind !== 'selection' && kind !== 'visible';

/** The choice for the first of both runs. */
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

/**
 * Whether the sheet has columns without a market in their titles. There is at most one such set,
 * and it may belong to either market.
 */
export const hasPlainColumns = ({ columns }: BulkInspection): boolean =>
  columns.some(({ title }) => title === STATUS_TITLE);

export const productTitleOf = ({ columns }: BulkInspection, choice: Choice): string =>
  choice.headerRow === 0
    ? PRODUCT_TITLE
    : (columns.find(({ column }) => column === choice.productColumn)?.title ?? '');

/**
 * The choice for the second run, adjusted to the list as the first run left it; null: the list
 * cannot be identified.
 *
 * @param titles the present titles of the header row.
 */
export function secondChoice({ second, productTitle }: Pair, titles: readonly string[]) {
  const headerRow = Math.max(1, second.headerRow);
  const places = titles.flatMap((title, at) => (title === productTitle ? [at + 1] : []));
  const isThere = places.includes(second.productColumn);
  const [only] = productTitle !== '' && places.length === 1 ? places : [];
  const productColumn = isThere ? second.productColumn : only;
  return productColumn === undefined ? null : { ...second, headerRow, productColumn };
}

/** Whether the first run has finished and the second one has not begun. */
export const isSecondDue = (pair: Pair | null, status: BulkStatus): pair is Pair =>
  pair?.secondRun === null && status.runId === pair.firstRun && status.state === 'finished';

/** What remains of a pair while this run is shown; null: nothing. */
export function pairBeside(pair: Pair | null, status: BulkStatus): Pair | null {
  if (pair === null || status.runId === pair.secondRun) return pair;
  // A person who stops the first run wants neither.
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
