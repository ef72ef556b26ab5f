// A service that is down: how it is recognised by products in a row that got no proper answer, how long it
// is left alone, and what becomes of these products.

import { setbacksOver } from '../cache/service-notes';
import { type Failure, fail, lasts } from '../failures/failure';
import type { Stop } from '../limit/stop';
import { productKey } from '../product/asin';
import { type Answer, unanswered } from '../product/fields';
import type { Interpretation } from '../service/response';
import type { Batch } from './batch';
import { type PendingRequest, wasRefusedBeside } from './pending-request';

/**
 * Once the service counts as down, no execution sends for the time that it names, within these
 * bounds, because the failed products may merely be unusual. Without a time, for the shortest first.
 */
const DOWN_MS_MIN = 10_000;
const DOWN_MS_MAX = 300_000;
/**
 * The most time spent waiting for a service that is down, so that other work and later times get
 * their turn.
 */
export const DOWN_WAIT_MS = 60_000;

/** A product is believed to be unknown if the service has said so for this long, ms. */
const DOUBT_MS_MAX = 600_000;

/** An analysis, or what is certainly about the product. */
export const isProper = (read: Interpretation): boolean =>
  read.kind === 'answer' &&
  (read.answer.ok || (read.heldAfter === undefined && lasts(read.answer.failure.kind)));

/**
 * Whether a reply may mean that the service is down. That a product is unknown does not, if the
 * service has answered properly since it first said so, or says nothing else for a long time.
 */
export function isSetback(
  batch: Batch,
  { doubtedMs }: PendingRequest,
  read: Interpretation,
): boolean {
  if (read.kind === 'refused') return true;
  if (!('heldAfter' in read)) return false;
  if (read.kind === 'again') return true;
  const nowMs = batch.engine.platform.clock.nowMs();
  const { keys, sinceMs } = batch.setbacks;
  if (keys.length > 0 && nowMs - sinceMs > DOUBT_MS_MAX) return false;
  return batch.answeredMs < (doubtedMs ?? nowMs);
}

/** So few products, the last of a list, are taken for odd ones after that time. */
const ODD_MAX = 10;

/**
 * What is in front of the service turns a product away, with no word for it. That is the product's matter
 * if the service has answered for others since it first did so, or if nothing else is left. Where others
 * have ended so, answers beside it are enough.
 */
export function ofProduct(
  batch: Batch,
  { doubtedMs }: PendingRequest,
  read: Interpretation,
): Interpretation {
  if (read.kind !== 'again' || read.rejected === undefined || doubtedMs === undefined) return read;
  const { answers, policy, products, setbacks } = batch;
  const { keys, sinceMs } = setbacks;
  const left = (policy.listLeft ?? products) - answers.size;
  const isLong = batch.engine.platform.clock.nowMs() - sinceMs > DOUBT_MS_MAX;
  const isRest = isLong && left <= Math.min(keys.length, ODD_MAX);
  const isAnswered = batch.answeredMs > doubtedMs;
  const isBeside = batch.answeredMs === doubtedMs && hasEndedSo(batch, read.rejected);
  if (!isAnswered && !isBeside && !isRest) return read;
  const answer = unanswered(read.rejected);
  return { kind: 'answer', answer, ...(read.heldAfter && { heldAfter: read.heldAfter }) };
}

/** Whether another product was turned away in the same words, and that was its matter. */
const hasEndedSo = ({ answers }: Batch, rejected: Failure): boolean =>
  [...answers.values()].some(
    (answer) =>
      !answer.ok &&
      answer.failure.kind === 'rejected' &&
      wordsOf(answer.failure) === wordsOf(rejected),
  );

/** What the service said of a product that it rejected. */
const wordsOf = (failure: Failure): string | undefined =>
  failure.kind === 'rejected' ? failure.excerpt : undefined;

/**
 * The stop after a wave in which the key was refused and nothing was answered. undefined: it was
 * answered, or the refusal is a matter of the products.
 */
export function stopAfterRefusal(
  { engine: { gate } }: Batch,
  wave: readonly PendingRequest[],
  read: readonly Interpretation[],
): Stop | undefined {
  const refused = wave.filter(
    (request, i) => read[i]?.kind === 'refused' && !wasRefusedBeside(request),
  );
  if (
    refused.length === 0 ||
    read.some((reading) => reading.kind === 'answer' && reading.answer.ok)
  )
    return undefined;
  return gate.refuse(refused.map(({ product }) => productKey(product)));
}

/**
 * A stop for every execution if the service has no proper answer whatever it is asked. One product,
 * or a few, may be the reason themselves.
 */
export function downOf(
  batch: Batch,
  wave: readonly PendingRequest[],
  read: readonly Interpretation[],
  nowMs: number,
): Stop | undefined {
  if (read.some(isProper)) {
    batch.hasNewSetbacks ||= batch.setbacks.keys.length > 0;
    batch.setbacks = setbacksOver(batch.setbacks);
    batch.waitedMs = 0;
    batch.answeredMs = nowMs;
    return undefined;
  }
  const back = wave.flatMap((request, i) => {
    const reading = read[i];
    if (reading === undefined || !isSetback(batch, request, reading)) return [];
    return [{ key: productKey(request.product), one: reading }];
  });
  // What ends everything is more than a hold-up.
  if (back.length === 0 || read.some((reading) => reading.kind === 'end')) return undefined;
  const { keys, sinceMs } = batch.setbacks;
  const all = [...new Set([...keys, ...back.map(({ key }) => key)])];
  batch.setbacks = {
    ...batch.setbacks,
    ...{ sinceMs: keys.length > 0 ? sinceMs : nowMs, keys: all },
  };
  batch.hasNewSetbacks = true;
  const isDown = (reading: Interpretation) =>
    'heldAfter' in reading && all.length >= (reading.heldAfter ?? 0);
  const stops = back.flatMap(({ one: reading }) => (isDown(reading) ? stopOf(reading, nowMs) : []));
  return longest(stops);
}

function stopOf(read: Interpretation, nowMs: number): Stop {
  const failure = read.kind === 'again' ? read.failure : undefined;
  const namedMs = failure && 'waitMs' in failure ? failure.waitMs : undefined;
  const status = failure && 'status' in failure ? failure.status : undefined;
  const untilMs = nowMs + Math.max(DOWN_MS_MIN, Math.min(namedMs ?? 0, DOWN_MS_MAX));
  return {
    reason: 'throttled',
    untilMs,
    status: status ?? UNKNOWN_STATUS,
    ...(namedMs === undefined && { grows: true }),
  };
}

/** The status of products that may be unknown. */
const UNKNOWN_STATUS = 404;

/**
 * The service was down when it said that products are unknown: they are asked again, after those
 * that nobody has asked yet. What it said to other executions is forgotten.
 */
export function askAnew(batch: Batch, wave: readonly PendingRequest[], nowMs: number): void {
  const doubted = batch.doubted.map((request) => ({ ...request, doubtedMs: nowMs }));
  const own = [...doubted, ...wave].map(({ product }) => productKey(product));
  const foreign = batch.setbacks.keys.filter((key) => !own.includes(key));
  batch.engine.cache.setBack(batch.setbacks, foreign, nowMs);
  batch.hasNewSetbacks = false;
  batch.open = [...batch.open, ...doubted, ...wave];
  batch.doubted = [];
}

/** The doubted products, which are unknown after all. */
export function believed(batch: Batch): ReadonlyMap<string, Answer> {
  const answers = batch.doubted.map(
    ({ product }) =>
      [productKey(product), unanswered(fail({ kind: 'not-found', isBare: true }))] as const,
  );
  batch.doubted = [];
  return new Map(answers);
}

export const longest = (stops: readonly Stop[]): Stop | undefined =>
  [...stops].sort((a, b) => b.untilMs - a.untilMs)[0];
