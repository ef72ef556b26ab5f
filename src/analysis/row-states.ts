// What a row of the Analysis tab becomes: wanted, answered, unreadable, no longer wanted. Pure.

import {
  type Failure,
  failureStatus,
  lasts,
  OK_STATUS,
  SEVERAL_PRODUCTS_STATUS,
  WAITING_STATUS,
} from '../failures/failure';
import type { Analysis, Answer, Extra } from '../product/analysis';
import type { Product } from '../product/asin';
import { figuresBy } from '../product/fields';
import type { AnalysisRow } from './analysis-row';

const NO_FIGURES = figuresBy(() => null);

/** The tab keeps times in whole seconds. */
export const wholeSeconds = (ms: number): number => Math.floor(ms / 1_000) * 1_000;

/** A row that knows nothing yet. */
const newRow = (key: string): AnalysisRow => ({
  key,
  asin: '',
  market: '',
  status: '',
  figures: NO_FIGURES,
  analyzedMs: null,
  triedMs: null,
  wantedMs: null,
  changed: '',
  alsoSent: '',
});

const isOf = (row: AnalysisRow | null, { asin, market }: Product): row is AnalysisRow =>
  row !== null && row.asin === asin && row.market === market;

/** The row of a product that nothing else is known of; null: it is there. */
export const nameRow = (
  before: AnalysisRow | null,
  key: string,
  product: Product,
): AnalysisRow | null => (isOf(before, product) ? null : { ...newRow(key), ...product });

/** The row waits to be asked. Figures of another product, which a person has typed over, go. */
export function wantRow(
  before: AnalysisRow | null,
  key: string,
  product: Product,
  nowMs: number,
): AnalysisRow {
  const row = isOf(before, product) ? before : newRow(key);
  return {
    ...row,
    ...product,
    key,
    status: row.analyzedMs === null ? WAITING_STATUS : row.status,
    wantedMs: wholeSeconds(nowMs),
  };
}

/** The row waits no longer, and nothing was answered. */
export function unwantRow(before: AnalysisRow): AnalysisRow | null {
  if (before.wantedMs === null) return null;
  const status = before.status === WAITING_STATUS ? '' : before.status;
  return { ...before, status, wantedMs: null };
}

/**
 * The row of a product cell that cannot be read; null: it is as it should be. What a person typed
 * under *ASIN* stays, unless the text is that of several products.
 */
export function unreadableRow(
  before: AnalysisRow | null,
  key: string,
  market: string,
  failure: Failure,
): AnalysisRow | null {
  const status = failureStatus(failure);
  const isSame =
    before?.status === status && before.market === market && before.analyzedMs === null;
  if (isSame && before.wantedMs === null) return null;
  const asin = status === SEVERAL_PRODUCTS_STATUS ? '' : (before?.asin ?? '');
  return { ...newRow(key), asin, market, status };
}

/** The most characters of further fields that a row shows. */
const ALSO_SENT_CHARS_MAX = 500;

/** @return "sales_rank: 1200; brand: Acme" */
const alsoSentText = (extras: readonly Extra[]): string =>
  extras
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => `${name}: ${value}`)
    .join('; ')
    .slice(0, ALSO_SENT_CHARS_MAX);

/**
 * The row with an answer for its product.
 *
 * @param atMs when a failure was given; an analysis knows its own time.
 */
export function answeredRow(before: AnalysisRow, answer: Answer, atMs: number): AnalysisRow {
  return answer.ok
    ? analyzedRow(before, answer.analysis)
    : failedRow(before, answer.failure, wholeSeconds(atMs));
}

function analyzedRow(before: AnalysisRow, { figures, extras, fetchedAtMs }: Analysis): AnalysisRow {
  const analyzedMs = wholeSeconds(fetchedAtMs);
  // Somebody else has written a later answer meanwhile.
  if (before.analyzedMs !== null && before.analyzedMs > analyzedMs)
    return { ...before, wantedMs: null };
  return {
    ...before,
    status: OK_STATUS,
    figures,
    analyzedMs,
    triedMs: analyzedMs,
    wantedMs: null,
    alsoSent: alsoSentText(extras),
  };
}

/** What lasts takes the figures along; what passes leaves them with the word beside them. */
function failedRow(before: AnalysisRow, failure: Failure, triedMs: number): AnalysisRow {
  const failed = { status: failureStatus(failure), triedMs, wantedMs: null };
  return lasts(failure.kind)
    ? { ...before, ...failed, figures: NO_FIGURES, analyzedMs: null, alsoSent: '' }
    : { ...before, ...failed };
}
