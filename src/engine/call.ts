// The calls of the service, which are sent nowhere else, and the waits for them, which end with their door.

import { type Failure, fail } from '../failures/failure';
import type { Signal } from '../limit/limit';
import type { Product } from '../product/asin';
import { wireNameOf } from '../product/market';
import { rateSignal } from '../service/rate-headers';
import type { Standing } from '../service/reply-meaning';
import { analyzeRequest } from '../service/request';
import {
  failureOfStop,
  type Interpretation,
  interpret,
  type Received,
  receive,
} from '../service/response';
import type { Engine } from './engine';

/**
 * A wait is interrupted this often, so that a command to pause is obeyed within a second or two.
 */
const NAP_MS = 1_000;
/** An interruption takes time, so none begins this close to the end of a wait. */
const ASLEEP_CALL_MS = 400;

/**
 * Sleeps until `atMs`, but not beyond the door's last slot or `lastMs`. Everything that waits for
 * the service, the key's limit or other executions waits here, so that no wait outlives its door.
 *
 * @param asleep is called about once a second during the wait, with the time at which it ends.
 */
export function sleepUntil(
  { limits, platform: { clock } }: Pick<Engine, 'limits' | 'platform'>,
  atMs: number,
  lastMs = limits.bookUntilMs + 1,
  asleep?: (untilMs: number) => void,
): void {
  const endMs = Math.min(atMs, lastMs);
  const leftMs = () => endMs - clock.nowMs();
  while (asleep !== undefined && leftMs() > NAP_MS + ASLEEP_CALL_MS) {
    clock.sleep(NAP_MS);
    asleep(endMs);
  }
  clock.sleep(Math.max(0, leftMs()));
}

/** What came back, and what it says. */
export interface Exchange {
  readonly received: Received;
  readonly read: Interpretation;
}

/** A wave that came back. */
export interface Exchanges {
  /** In the order of the products. */
  readonly all: readonly Exchange[];
  readonly tookMs: number;
  /** What the replies say of the quota, for the gate. What is paid for is stored before that. */
  readonly signal: Signal | undefined;
}

/** Asks for all products at once and reads each reply. Slots are the caller's to have. */
export function call(
  { connection, platform, address }: Engine,
  products: readonly Product[],
  timeoutMs: number,
): Exchanges {
  const { apiKey, settings } = connection;
  const timeoutSeconds = Math.floor(timeoutMs / 1_000);
  const sentMs = platform.clock.nowMs();
  const outcomes = platform.http.sendAll(
    products.map(({ asin, market }) =>
      analyzeRequest(connection, asin, wireNameOf(market, settings), timeoutSeconds),
    ),
  );
  const nowMs = platform.clock.nowMs();
  const replies = products.map((product, i) => ({
    product,
    received: receive(outcomes[i] ?? { kind: 'unreachable' }, apiKey, settings),
  }));
  // Replies of one wave say the same of the quota; what they say of its rest, the last knows best.
  const signals = replies.flatMap(({ received: reply }) =>
    reply.kind === 'response' ? (rateSignal(reply.headers, reply.json, nowMs) ?? []) : [],
  );
  const exchanges = { tookMs: nowMs - sentMs, signal: signals[signals.length - 1] };
  const isAnalysis = (exchange: Exchange) =>
    exchange.read.kind === 'answer' && exchange.read.answer.ok;
  const readAll = (standing: Standing): readonly Exchange[] =>
    replies.map(({ product, received }) => ({
      received,
      read: interpret(received, standing, product, settings, nowMs),
    }));
  // An analysis in the wave says of the others where they come from.
  const asRecent = readAll('recent');
  if (!asRecent.some(isAnalysis)) return { ...exchanges, all: readAll(address.standing(nowMs)) };
  address.hear(nowMs);
  return { ...exchanges, all: asRecent };
}

/**
 * Makes one call, without a look into the cache and without a retry, for callers that need the reply
 * itself. Every execution is told of a stop that it runs into.
 */
export function callOnce(
  engine: Engine,
  product: Product,
): (Exchange & { readonly latencyMs: number }) | Failure {
  const { gate, limits, platform } = engine;
  const { clock } = platform;
  // The claim has a unique name, because no other execution makes this call.
  const claim = [`check ${platform.random.next()}`];
  const booking = gate.book(claim, limits.bookUntilMs, Number.POSITIVE_INFINITY);
  if (booking.kind === 'stopped') return failureOfStop(booking.stop, clock.nowMs());
  if (booking.kind !== 'go') return fail({ kind: 'waiting' });
  sleepUntil(engine, booking.atMs);
  const { all, signal, tookMs: latencyMs } = call(engine, [product], limits.callTimeoutMs);
  const [exchange] = all;
  if (exchange === undefined) return fail({ kind: 'unreachable' });
  gate.heard(exchange.read.kind === 'answer' && exchange.read.answer.ok);
  if (signal !== undefined) gate.hear(signal);
  const { read } = exchange;
  if ('stop' in read && read.stop !== undefined)
    gate.stop(read.stop, claim, read.kind === 'again' ? 1 : 0);
  return { ...exchange, latencyMs };
}
