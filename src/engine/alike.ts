// Products in a row that all end in one way that is no answer: none of them is believed before the service
// has answered for another product of the list. After five, or thirty that were not found, the rest waits.

import { type AlikeRow, NO_ROW } from '../cache/service-notes';
import { HOUR, MINUTE, SECOND } from '../failures/duration';
import { type Failure, fail, opensConnection, willPass } from '../failures/failure';
import { productKey, productOfKey } from '../product/asin';
import { type Answer, unanswered } from '../product/fields';
import type { Market } from '../product/market';
import { isProven } from '../service/reply-meaning';
import { type Batch, endWith, keep } from './batch';
import type { Engine } from './engine';
import { isSilence, type PendingRequest } from './pending-request';

/** How many products in a row have to end alike. Unknown ones are what any list has some of. */
const ALIKE_MAX = 5;
const NOT_FOUND_MAX = 30;

/** How long the rest waits for a person; then a few are asked again. */
const REST_MS = MINUTE;
/** Where it may pass, one is asked again by itself, after twice the time with each rest. */
const PASSING_MS = 20 * SECOND;
const PASSING_MS_MAX = HOUR;

/** How one product ended. */
export type Ended = readonly [key: string, failure: Failure];

/** Ends by itself. Figures in other units wait for a person. */
const passes = (failure: Failure): boolean => willPass(failure) && failure.kind !== 'other-units';

/** What two products have in common that ended alike. */
function wayOf([key, failure]: Ended): string {
  if (failure.kind === 'not-found') return `not-found ${productOfKey(key)?.market}`;
  return isSilence(failure) ? 'silence' : failure.kind;
}

const isNotFound = ({ way }: AlikeRow): boolean => way.startsWith('not-found');

const maxOf = (row: AlikeRow): number => (isNotFound(row) ? NOT_FOUND_MAX : ALIKE_MAX);

const lastOf = ({ ended }: AlikeRow): Ended | undefined => ended[ended.length - 1];

const isRowFull = (row: AlikeRow): boolean => row.ended.length >= maxOf(row);

/** The row after more products have ended, and what is believed because it ended otherwise. */
function extended(
  row: AlikeRow,
  more: readonly Ended[],
): { readonly row: AlikeRow; readonly believed: readonly Ended[] } {
  let { way, ended } = row;
  const believed: Ended[] = [];
  for (const end of more) {
    if (wayOf(end) !== way) {
      believed.push(...ended);
      ended = [];
    }
    way = wayOf(end);
    ended = [...ended.filter(([key]) => key !== end[0]), end];
  }
  return { row: { ...row, way, ended }, believed };
}

/** Whether it may pass: an answer before it says nothing of now. */
function isPassing(row: AlikeRow): boolean {
  const [, failure] = lastOf(row) ?? [];
  return failure !== undefined && passes(failure);
}

/** The row whose rest begins. */
function rested(row: AlikeRow, nowMs: number): AlikeRow {
  const waitMs = isPassing(row) ? Math.min(PASSING_MS * 2 ** row.rests, PASSING_MS_MAX) : REST_MS;
  return { ...row, rests: row.rests + 1, restUntilMs: nowMs + waitMs };
}

/** The market that a row of unknown products is about; undefined: any. */
const marketOf = (row: AlikeRow): Market | undefined =>
  isNotFound(row) ? productOfKey(lastOf(row)?.[0] ?? '')?.market : undefined;

/** Why the rest waits. */
function failureOf(row: AlikeRow, nowMs: number): Failure {
  const [key = '', of = fail({ kind: 'not-found' })] = lastOf(row) ?? [];
  // The Settings page says what to do about it, as for a single product.
  if (opensConnection(of.kind)) return of;
  const market = productOfKey(key)?.market;
  return fail({
    kind: 'alike',
    count: row.ended.length,
    of,
    ...(market !== undefined && { market }),
    ...(passes(of) && { waitMs: Math.max(0, row.restUntilMs - nowMs) }),
  });
}

/** Whether the service has answered for another product of the list, on this market or on any. */
function isAnswered({ answered, beganMs, engine, policy }: Batch, market?: Market): boolean {
  if (market === undefined ? answered.size > 0 : answered.has(market)) return true;
  return engine.cache.answeredMs(market) >= (policy.sinceMs ?? beganMs);
}

/** Whether endings are believed at once. A single product says nothing of others. */
const isSure = ({ policy, products }: Batch): boolean =>
  policy.goesOn === true || (products === 1 && policy.listLeft === undefined);

/** Whether an answer has come that the row says nothing against. */
const isRowOver = (batch: Batch): boolean =>
  isSure(batch) || (!isPassing(batch.row) && isAnswered(batch, marketOf(batch.row)));

/**
 * How many calls a wave may hold: an unproven service gets five, one that fails gets a single one, and a
 * row is not overshot.
 */
export function waveRoom(batch: Batch): number {
  const { row } = batch;
  if (isRowOver(batch)) return Number.POSITIVE_INFINITY;
  if (row.ended.length > 0 && !isRowFull(row)) return maxOf(row) - row.ended.length;
  if (isPassing(row)) return 1;
  const isUnproven = !isProven(batch.engine.address.standing(batch.beganMs));
  return row.rests > 0 || isUnproven ? ALIKE_MAX : Number.POSITIVE_INFINITY;
}

/** Takes what is not believed yet out of the answers of a wave. Returns it. */
export function holdBack(
  batch: Batch,
  final: Map<string, Answer>,
  ended: readonly Ended[],
): readonly Ended[] {
  if (isSure(batch)) return [];
  const isDoubtful = ([key, { kind }]: Ended) =>
    !isAnswered(batch, kind === 'not-found' ? productOfKey(key)?.market : undefined);
  for (const end of ended.filter(isDoubtful))
    if (final.delete(end[0])) batch.held.set(end[0], end[1]);
  return ended.filter((end) => isDoubtful(end) || passes(end[1]));
}

/** The service has answered, and the cache has just read the row: it ends. */
export function endRow(batch: Batch): void {
  const { cache } = batch.engine;
  batch.row = cache.row() ?? NO_ROW;
  if (batch.row.way === '' || !isAnswered(batch, marketOf(batch.row))) return;
  // What came before a rest is asked again.
  if (!isRowFull(batch.row)) believe(batch, batch.row.ended);
  cache.writeRow(null);
  batch.row = NO_ROW;
}

/** Adds what was held back to the row that all executions share. */
export function noteRow(batch: Batch, doubtful: readonly Ended[]): void {
  if (doubtful.length === 0) return;
  const { cache, platform } = batch.engine;
  const nowMs = platform.clock.nowMs();
  const before = cache.readRow() ?? batch.row;
  const isAskedAnew = isRowFull(before) && nowMs >= before.restUntilMs && !isPassing(before);
  const { row, believed } = extended(isAskedAnew ? { ...before, ended: [] } : before, doubtful);
  batch.row = isRowFull(row) ? rested(row, nowMs) : { ...row, restUntilMs: 0 };
  cache.writeRow(batch.row);
  believe(batch, believed);
}

/** They are as the service said, whoever asked for them. What may pass is asked again. */
function believe(batch: Batch, ended: readonly Ended[]): void {
  const sure = ended.filter(([key, failure]) => batch.held.delete(key) || !passes(failure));
  keep(batch, new Map(sure.map(([key, failure]) => [key, unanswered(failure)])));
}

/** How often an execution whose service has not answered yet looks at what others have met. */
const ROW_POLL_MS = 400;

/**
 * Where enough products have ended alike, the others wait: they get that for their answer. Returns
 * whether there were any.
 */
export function restAlike(batch: Batch, nowMs: number): boolean {
  if (isRowOver(batch)) return false;
  if (nowMs > batch.rowSeenMs + ROW_POLL_MS) {
    batch.row = batch.engine.cache.readRow() ?? NO_ROW;
    batch.rowSeenMs = nowMs;
  }
  const { row } = batch;
  const market = marketOf(row);
  if (!isResting(row, nowMs) || isRowOver(batch)) return false;
  const isLike = ({ product }: PendingRequest) => market === undefined || product.market === market;
  const resting = batch.open.filter(isLike);
  const failure = failureOf(row, nowMs);
  for (const request of resting) endWith(batch, request, failure);
  batch.open = batch.open.filter((request) => !isLike(request));
  batch.hasRested ||= resting.length > 0;
  return resting.length > 0;
}

/** A person wants the rest to be asked for now: a few are asked again at once. */
export function endRest({ cache }: Engine): void {
  const row = cache.readRow();
  if (row !== null) cache.writeRow({ ...row, restUntilMs: 0 });
}

const isResting = (row: AlikeRow, nowMs: number): boolean =>
  isRowFull(row) && nowMs < row.restUntilMs;

/** What ended in a row that goes on is not asked again. It waits for what the others say. */
export function takeHeld(batch: Batch): void {
  if (batch.policy.goesOn && batch.row.ended.length > 0) {
    believe(batch, batch.row.ended);
    batch.engine.cache.writeRow(null);
    batch.open = batch.open.filter(({ product }) => !batch.answers.has(productKey(product)));
  }
  if (isSure(batch)) return;
  const ended = new Map(batch.row.ended);
  const isEnded = ({ product }: PendingRequest) => ended.has(productKey(product));
  const others = batch.open.filter((request) => !isEnded(request));
  // Products that nobody has asked for yet tell more than a second try.
  batch.open = [...others, ...batch.open.filter(isEnded)];
  if (isRowFull(batch.row)) return;
  for (const { product } of batch.open) {
    const failure = ended.get(productKey(product));
    if (failure !== undefined && !passes(failure)) batch.held.set(productKey(product), failure);
  }
  batch.open = batch.open.filter(({ product }) => !batch.held.has(productKey(product)));
}

/**
 * Nothing is left to ask. If nothing else of the list is, what was held is believed; else it waits with
 * the rest.
 */
export function endHeld(batch: Batch): void {
  const { held, policy, row } = batch;
  if (held.size === 0) return;
  const nowMs = batch.engine.platform.clock.nowMs();
  const isRest = batch.hasRested || isResting(row, nowMs);
  const isWhole = (policy.listLeft ?? held.size) <= Math.max(held.size, row.ended.length);
  if (isWhole && !batch.hasRested) {
    believe(batch, [...held]);
    return;
  }
  const failure = isRest ? failureOf(row, nowMs) : fail({ kind: 'waiting' });
  for (const [key] of held) batch.answers.set(key, unanswered(failure));
}
