// Which products of a list are due, in what order. Pure.

import type { AnalysisRow } from '../analysis/analysis-row';
import { isFailureStatus, OK_STATUS, statusLasts } from '../failures/failure';
import type { ListRow } from '../list/rows';
import { productKey } from '../product/asin';
import type { ListTask } from './schedule';

/**
 * How soon a failure that may pass is tried again: at the next firing, which may come a little
 * early.
 */
const TRY_AGAIN_MS = 30 * 60_000;

/**
 * A product that fails for this long is left until the schedule's next occurrence, so that it does
 * not hold the others up.
 */
const TRY_FOR_MS = 24 * 3_600_000;

export interface DueRule extends Pick<ListTask, 'rows' | 'order'> {
  readonly nowMs: number;
  /** When the current occurrence began, ms since 1970. */
  readonly sinceMs: number;
  readonly maxAgeMs: number;
  /** Figures that were fetched before this came with another key or were read in another way. */
  readonly scopeSinceMs: number;
  /** Row numbers with a star, and those that are never refreshed. */
  readonly starred: ReadonlySet<number>;
  readonly skipped: ReadonlySet<number>;
}

export interface Due {
  /** The keys of the products that are due, the most urgent first. */
  readonly products: readonly string[];
  /** How many have just failed and are tried again at the next firing. */
  readonly soon: number;
}

/** A product that is due. It is as old as its oldest row and starred if one of its rows is. */
interface Candidate {
  readonly product: string;
  /** When it was answered or tried; -Infinity: never. */
  readonly atMs: number;
  readonly isStarred: boolean;
}

/** Of a product in several rows, the row that was answered the longest ago counts. */
export function dueProducts(rows: readonly ListRow[], rule: DueRule): Due {
  const due = new Map<string, Candidate>();
  const soon = new Set<string>();
  for (const { row, content, known } of rows) {
    if (content.kind !== 'product' || !isMeant(row, known, rule)) continue;
    const product = productKey(content.product);
    const turn = turnOf(known, rule);
    if (turn === 'soon') soon.add(product);
    if (turn !== 'now') continue;
    const other = due.get(product);
    due.set(product, {
      product,
      atMs: Math.min(settledMs(known) ?? Number.NEGATIVE_INFINITY, other?.atMs ?? Infinity),
      isStarred: rule.starred.has(row) || other?.isStarred === true,
    });
  }
  const byAge = (a: Candidate, b: Candidate) => (a.atMs === b.atMs ? 0 : a.atMs - b.atMs);
  const byStar = (a: Candidate, b: Candidate) => Number(b.isStarred) - Number(a.isStarred);
  const [first, then] = rule.order === 'starred' ? [byStar, byAge] : [byAge, byStar];
  const products = [...due.values()].sort((a, b) => first(a, b) || then(a, b));
  return {
    products: products.map(({ product }) => product),
    soon: [...soon].filter((product) => !due.has(product)).length,
  };
}

function isMeant(row: number, known: AnalysisRow | undefined, rule: DueRule): boolean {
  if (rule.skipped.has(row)) return false;
  if (rule.rows === 'failed') return isFailureStatus(known?.status ?? '');
  return rule.rows === 'all' || rule.starred.has(row);
}

function turnOf(known: AnalysisRow | undefined, rule: DueRule): 'now' | 'soon' | null {
  const atMs = settledMs(known);
  if (known === undefined || atMs === null || atMs < rule.sinceMs - rule.maxAgeMs) return 'now';
  if (known.status === OK_STATUS) return atMs < rule.scopeSinceMs ? 'now' : null;
  if (statusLasts(known.status) || rule.nowMs - rule.sinceMs >= TRY_FOR_MS) return null;
  return rule.nowMs - atMs >= TRY_AGAIN_MS ? 'now' : 'soon';
}

/** When a row was answered, or was tried and failed, ms since 1970; null: neither. */
function settledMs(known: AnalysisRow | undefined): number | null {
  if (known?.status === OK_STATUS) return known.analyzedMs;
  return isFailureStatus(known?.status ?? '') ? (known?.triedMs ?? null) : null;
}

/** The most products that one firing takes, even if many of them cost nothing. */
const PRODUCTS_MAX = 20_000;

/**
 * The due products that there are calls for, and those that cost none.
 *
 * @param isFree whether a product has an answer that is recent enough.
 */
export function affordable(
  due: readonly string[],
  callsMax: number,
  isFree: (product: string) => boolean,
): ReadonlySet<string> {
  const taken = new Set<string>();
  let calls = 0;
  for (const product of due.slice(0, PRODUCTS_MAX)) {
    if (!isFree(product)) calls += 1;
    if (isFree(product) || calls <= callsMax) taken.add(product);
  }
  return taken;
}
