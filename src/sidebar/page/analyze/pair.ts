// Two jobs over one list, one market after the other, and what remains of them. Pure.

import type { Market } from '../../../product/market';
import type { RpcFailure } from '../../api/failure-view';
import type { Choice, JobPreview, JobStatus, ListInView } from '../../api/jobs';
import { isObject } from '../ui/page';
import { withProducts } from './choice';

/** The value of "both markets" in the choice of a market. */
export const BOTH = 'both';

/** The markets in the order of their jobs. */
export const FIRST = 'US' satisfies Market;
export const SECOND = 'UK' satisfies Market;

/** The second job as it was previewed. */
export interface SecondJob {
  readonly choice: Choice;
  readonly preview: JobPreview;
}

/** The result of the first job, shown at the end of the second. */
type Outcome = Pick<JobStatus, 'answered' | 'cached' | 'failed' | 'calls'>;

export interface Pair {
  readonly firstJob: string;
  /** null: the second job has not begun. */
  readonly secondJob: string | null;
  readonly second: Choice;
  readonly secondMs: number | null;
  /** The first job, with its result once it has ended. */
  readonly first: { readonly choice: Choice; readonly outcome: Outcome | null };
  /** Why the second job could not be started; then a person has to start it. */
  readonly failure: RpcFailure | null;
}

/**
 * Kinds of selections that mean the same rows after the first job. What a person has selected or
 * filtered may have changed by then.
 */
export const isForBoth = (kind: Choice['rows']['kind']): boolean =>
  kind !== 'selection' && kind !== 'visible';

/** The choice for the first of both jobs. */
export const forBoth = (choice: Choice): Choice => ({
  ...choice,
  market: { kind: 'one', market: FIRST },
  rows: isForBoth(choice.rows.kind) ? choice.rows : { kind: 'all' },
});

export const forSecond = (choice: Choice): Choice => ({
  ...forBoth(choice),
  market: { kind: 'one', market: SECOND },
});

/**
 * The choice for the second job. The first one has marked the list, so a look at its sheet finds it
 * wherever its columns are by now; null: the sheet has no such list any more.
 *
 * @param look null: another sheet is in view.
 */
export function secondChoice({ second }: Pair, look: ListInView | null): Choice | null {
  // The first job adds a header row to a list without one.
  const headerRow = Math.max(1, second.headerRow);
  if (look === null) return { ...second, headerRow };
  if (look.choice === null) return null;
  const { productColumn, headerRow: foundRow } = look.choice;
  return { ...withProducts(look, second, productColumn), headerRow: foundRow };
}

/** Whether the first job is done and the second one has not begun. */
export const isSecondDue = (pair: Pair | null, status: JobStatus): pair is Pair =>
  pair?.secondJob === null && status.jobId === pair.firstJob && status.state === 'done';

/** What remains of a pair while this job is shown; null: nothing. */
export function pairBeside(pair: Pair | null, status: JobStatus): Pair | null {
  if (pair === null || status.jobId === pair.secondJob) return pair;
  // A person who stops the first job wants neither.
  return status.jobId === pair.firstJob && status.state !== 'stopped' ? pair : null;
}

export const outcomeOf = ({ answered, cached, failed, calls }: JobStatus): Outcome => ({
  answered,
  cached,
  failed,
  calls,
});

export function pairFrom(kept: unknown): Pair | null {
  const isPair =
    isObject(kept) &&
    typeof Reflect.get(kept, 'firstJob') === 'string' &&
    typeof Reflect.get(kept, 'second') === 'object';
  return isPair ? (kept as Pair) : null;
}
