// The status column: what stands in it, and what a run reads from it. It is the run's memory. Pure.

import { cellText, type Failure } from '../failures/failure';
import type { SheetCell } from '../platform/ports';
import { type Product, productOfKey } from '../product/asin';
import { isFigureTitle } from './output-columns';

/**
 * A row's status names the product that its figures belong to. So whatever moved, and whenever a run
 * was cut off, a row whose figures are not its own can be told from one whose figures are.
 */
export type RowStatus =
  | { readonly kind: 'none' }
  /** Wants an analysis from this run; `before` is what stood there when it was marked. */
  | { readonly kind: 'queued'; readonly jobId: string; readonly before: string }
  | { readonly kind: 'ok'; readonly product: Product }
  /** `product` is null where the row named none, `triedMs` where nobody noted the time. */
  | {
      readonly kind: 'failed';
      readonly failure: string;
      readonly product: Product | null;
      readonly triedMs: number | null;
    }
  /** Somebody else's text. */
  | { readonly kind: 'foreign' };

/**
 * "Queued (k3f9), before: OK B000000000 US": a mark carries what stood there, so wherever its row goes
 * and whenever a script is cut off, a run that does not get to the row leaves it as it was.
 */
export const queuedText = (jobId: string, before = ''): string =>
  `Queued (${jobId})${before === '' ? '' : `, before: ${before}`}`;

export const okText = ({ asin, market }: Product): string => `OK ${asin} ${market}`;

/** Where a product was tried, with the time in UTC: figures have a column for theirs. */
export function failedText(failure: Failure, product: Product | null, triedMs: number): string {
  const at = new Date(triedMs).toISOString().slice(0, 16).replace('T', ' ');
  const about = product === null ? '' : ` ${product.asin} ${product.market} ${at}`;
  return `${cellText(failure)} [${failure.kind}${about}]`;
}

const KEPT = /(?:^|, )kept: ([\w, ]+)$/;

/** Figures of the row that are somebody's own, by the titles we give them. */
export function keptIn(text: string): readonly string[] {
  const titles = KEPT.exec(text)?.[1]?.split(', ') ?? [];
  return titles.every(isFigureTitle) ? titles : [];
}

/** "OK B000000000 US, kept: Profit": the next run could not tell such figures from its own. */
export function withKept(text: string, titles: readonly string[]): string {
  if (titles.length === 0) return text;
  return `${text}${text === '' ? '' : ', '}kept: ${titles.join(', ')}`;
}

export const withoutKept = (text: string): string =>
  keptIn(text).length === 0 ? text : text.replace(KEPT, '');

const QUEUED = /^Queued \(([0-9a-z]+)\)(?:, before: ([\s\S]+))?$/;
const OK = /^OK ([0-9A-Z]{10}) (US|UK)$/;
const FAILED =
  /^Not analyzed: [\s\S]*\[([a-z-]+)(?: ([0-9A-Z]{10}) (US|UK))?(?: (\d{4}-\d\d-\d\d) (\d\d:\d\d))?\]$/;

export function readStatus(cell: SheetCell | undefined): RowStatus {
  const text = withoutKept(String(cell ?? '').trim());
  if (text === '') return { kind: 'none' };
  const [, jobId, before = ''] = QUEUED.exec(text) ?? [];
  if (jobId !== undefined) return { kind: 'queued', jobId, before };
  const ok = OK.exec(text);
  const okProduct = ok && productOfKey(`${ok[1]}|${ok[2]}`);
  if (okProduct) return { kind: 'ok', product: okProduct };
  const [, failure, asin, market, day, clock] = FAILED.exec(text) ?? [];
  if (failure === undefined) return { kind: 'foreign' };
  // The end of the minute that is named: nothing is to be tried too early.
  const tried = Date.parse(`${day}T${clock}:59.999Z`);
  const triedMs = Number.isNaN(tried) ? null : tried;
  return { kind: 'failed', failure, product: productOfKey(`${asin}|${market}`), triedMs };
}

/** What a row says of itself without the mark of a run. */
export const unmarked = (status: RowStatus): RowStatus =>
  status.kind === 'queued' ? readStatus(status.before) : status;
