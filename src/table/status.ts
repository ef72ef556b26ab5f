// The status column: what its cells contain and what a run reads from them. It is the run's memory.
// Pure.

import { type Failure, isStatusWord, statusWord } from '../failures/failure';
import type { SheetCell } from '../platform/ports';
import { type Product, productOfKey } from '../product/asin';
import { isFigureTitle } from './output-columns';

/**
 * A row's status names the product that its figures belong to. Whatever moved, and whenever a run
 * was cut off, this shows whether a row's figures are its own.
 */
export type RowStatus =
  | { readonly kind: 'none' }
  /**
   * The row waits for an analysis by this run; `before` is the status it had when it was marked.
   */
  | { readonly kind: 'queued'; readonly runId: string; readonly before: string }
  | { readonly kind: 'ok'; readonly product: Product }
  /** `product` is null if the row named none, `triedMs` if the time was not recorded. */
  | {
      readonly kind: 'failed';
      readonly failure: string;
      readonly product: Product | null;
      readonly triedMs: number | null;
    }
  /** A person's own text. */
  | { readonly kind: 'foreign' };

/**
 * A cell shows a word ("OK", "Not found", "Waiting"), followed in invisible characters by what a
 * run has to remember: "OK B000000000 US", "[not-found B000000000 US 2026-01-05 06:40]", "Queued
 * (k3f9), before: OK B000000000 US". Earlier versions wrote this visibly.
 */
const cellOf = (said: string): string => wordOf(said) + hidden(said);

const OK_WORD = 'OK';
const WAITING_WORD = 'Waiting';

function wordOf(said: string): string {
  if (said.startsWith('[')) return statusWord(said.slice(1, -1).replace(/ .*/, ''));
  return said.startsWith(OK_WORD) ? OK_WORD : WAITING_WORD;
}

/**
 * U+200B to U+200E have no width. Each is a base-four digit, and four of them encode an ASCII
 * character.
 */
const ZERO = 0x200b;
const HIDDEN = /[\u200b-\u200e]*$/;

const hidden = (text: string): string =>
  text.replace(/./g, (one) => {
    const digits = [6, 4, 2, 0].map((bits) => (one.charCodeAt(0) >> bits) & 3);
    return String.fromCharCode(...digits.map((digit) => ZERO + digit));
  });

const revealed = (digits: string): string =>
  digits.replace(/.{4}/g, (four) => {
    let code = 0;
    for (let at = 0; at < 4; at += 1) code = 4 * code + four.charCodeAt(at) - ZERO;
    return String.fromCharCode(code);
  });

/** The hidden content of a cell; '' if one of our words has lost it. */
function saidBy(text: string): string {
  const word = text.replace(HIDDEN, '');
  if (word === OK_WORD || word === WAITING_WORD || isStatusWord(word))
    return revealed(text.slice(word.length));
  return text.replace(OPEN_FAILURE, '[');
}

/** A mark contains the former status, so that a run that does not reach the row can restore it. */
export function queuedText(runId: string, before = ''): string {
  const said = saidBy(before);
  return cellOf(`Queued (${runId})${said && `, before: ${said}`}`);
}

export const okText = ({ asin, market }: Product): string => cellOf(`${OK_WORD} ${asin} ${market}`);

/**
 * The status of a failed row, with the product and the time of the try in UTC. Figures need no time
 * here, because they have a column for it.
 */
export function failedText(failure: Failure, product: Product | null, triedMs: number): string {
  const at = new Date(triedMs).toISOString().slice(0, 16).replace('T', ' ');
  const about = product === null ? '' : ` ${product.asin} ${product.market} ${at}`;
  return cellOf(`[${failure.kind}${about}]`);
}

const KEPT = /(?:^|, )kept: ([\w, ]+)$/;

/** The row's figures that a person has replaced, by our titles. */
export function keptIn(text: string): readonly string[] {
  const titles = KEPT.exec(text)?.[1]?.split(', ') ?? [];
  return titles.every(isFigureTitle) ? titles : [];
}

/**
 * "OK B000000000 US, kept: Profit". Without this the next run could not distinguish such figures
 * from its own.
 */
export function withKept(text: string, titles: readonly string[]): string {
  if (titles.length === 0) return text;
  return `${text}${text === '' ? '' : ', '}kept: ${titles.join(', ')}`;
}

export const withoutKept = (text: string): string =>
  keptIn(text).length === 0 ? text : text.replace(KEPT, '');

const OPEN_FAILURE = /Not analyzed: [\s\S]*\[/;
const QUEUED = /^Queued \(([0-9a-z]+)\)(?:, before: (.+))?$/;
const OK = /^OK ([0-9A-Z]{10}) (US|UK)$/;
const FAILED = /^\[([a-z-]+)(?: ([0-9A-Z]{10}) (US|UK))?(?: (\d{4}-\d\d-\d\d) (\d\d:\d\d))?\]$/;

export function readStatus(cell: SheetCell | undefined): RowStatus {
  const text = saidBy(withoutKept(String(cell ?? '').trim()));
  if (text === '') return { kind: 'none' };
  const [, runId, before] = QUEUED.exec(text) ?? [];
  if (runId !== undefined) return { kind: 'queued', runId, before: before ? cellOf(before) : '' };
  const ok = OK.exec(text);
  const okProduct = ok && productOfKey(`${ok[1]}|${ok[2]}`);
  if (okProduct) return { kind: 'ok', product: okProduct };
  const [, failure, asin, market, day, clock] = FAILED.exec(text) ?? [];
  if (failure === undefined) return { kind: 'foreign' };
  // The end of that minute, so that nothing is tried again too early.
  const tried = Date.parse(`${day}T${clock}:59.999Z`);
  const triedMs = Number.isNaN(tried) ? null : tried;
  return { kind: 'failed', failure, product: productOfKey(`${asin}|${market}`), triedMs };
}

/** The status of a row without a run's mark. */
export const unmarked = (status: RowStatus): RowStatus =>
  status.kind === 'queued' ? readStatus(status.before) : status;
