// Which rows of a list are due, in which order, and how many of them can be refreshed now. Pure.

import { lasts } from '../../analysis/failure';
import { unmarked } from '../row-status';
import { identityOf, isMisplaced, type Row } from '../rows';
import type { ListTask } from './schedule';

/** A problem that passes is tried again at the next firing, which may come a little early. */
const TRY_AGAIN_MS = 30 * 60_000;

/** A product that failed for so long while others did not is left until the schedule comes round again. */
const TRY_FOR_MS = 24 * 3_600_000;

export interface DueRule extends Pick<ListTask, 'rows' | 'order'> {
  readonly nowMs: number;
  /** When the schedule came round. */
  readonly sinceMs: number;
  readonly maxAgeMs: number;
  /** Nothing at all was answered the last time: it is the service, and no product is to blame. */
  readonly isDown: boolean;
  readonly isStarred: (row: number) => boolean;
}

/** The rows to be refreshed, the most urgent first. */
export function dueRows(rows: readonly Row[], rule: DueRule): readonly Row[] {
  const due = rows.filter((row) => isMeant(row, rule) && turnOf(row, rule) === 'now');
  const ages = new Map(due.map((row) => [row.row, settledMs(row) ?? Number.NEGATIVE_INFINITY]));
  const age = ({ row }: Row) => ages.get(row) ?? 0;
  const star = ({ row }: Row) => (rule.isStarred(row) ? 0 : 1);
  const stalest = (a: Row, b: Row) => (age(a) === age(b) ? 0 : age(a) - age(b));
  const starred = (a: Row, b: Row) => star(a) - star(b);
  const [first, then] = rule.order === 'starred' ? [starred, stalest] : [stalest, starred];
  return [...due].sort((a, b) => first(a, b) || then(a, b) || a.row - b.row);
}

/** How many rows failed a moment ago and have their next try at the next firing. */
export const dueSoon = (rows: readonly Row[], rule: DueRule): number =>
  rows.filter((row) => isMeant(row, rule) && turnOf(row, rule) === 'soon').length;

function isMeant(row: Row, { rows, isStarred }: DueRule): boolean {
  if (row.isLocked || row.content.kind === 'blank') return false;
  if (rows === 'failed') return unmarked(row.status).kind === 'failed';
  return rows === 'all' || isStarred(row.row);
}

function turnOf(row: Row, { nowMs, sinceMs, maxAgeMs, isDown }: DueRule): 'now' | 'soon' | null {
  const atMs = settledMs(row);
  if (atMs === null) return 'now';
  // What cannot be read is told already, and changes only with the cell.
  if (row.content.kind === 'unreadable') return null;
  if (atMs < sinceMs - maxAgeMs) return 'now';
  if (row.status.kind !== 'failed' || lasts(row.status.failure)) return null;
  if (!isDown && nowMs - sinceMs >= TRY_FOR_MS) return null;
  return nowMs - atMs >= TRY_AGAIN_MS ? 'now' : 'soon';
}

/** When the product that stands there now was answered or tried; null: not that anybody knows. */
function settledMs(row: Row): number | null {
  const { status, content, atMs } = row;
  if (isMisplaced(row)) return null;
  if (status.kind === 'ok') return atMs;
  if (status.kind !== 'failed') return null;
  const isOther = status.product === null && content.kind === 'product';
  if (content.kind === 'unreadable') return status.triedMs ?? 0;
  return isOther ? null : status.triedMs;
}

/**
 * As many rows as there are calls for, with all others of the same products.
 *
 * @param isFree whether a product has an answer that is new enough.
 */
export function affordable(
  due: readonly Row[],
  callsMax: number,
  isFree: (key: string) => boolean,
): readonly Row[] {
  const paid = new Set<string>();
  return due.filter((row) => {
    const key = identityOf(row);
    if (row.content.kind !== 'product' || paid.has(key) || isFree(key)) return true;
    if (paid.size >= callsMax) return false;
    paid.add(key);
    return true;
  });
}
