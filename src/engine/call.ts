// Calls to the service: the only place that sends them, and reads what each reply says.

import { type Failure, fail } from '../failures/failure';
import type { Product } from '../product/asin';
import type { Standing } from '../service/reply-meaning';
import { analyzeRequest } from '../service/request';
import {
  failureOfStop,
  type Interpretation,
  interpret,
  type Received,
  type Reply,
  receive,
  replyOf,
} from '../service/response';
import { type Engine, sleepUntil } from './engine';

/** What a call asks: a product, and its market as the service writes it. */
export interface Question {
  readonly product: Product;
  readonly wire: string;
}

/** A reply as it came, and what it says. */
export interface Exchange {
  readonly product: Product;
  readonly reply: Reply;
  readonly read: Interpretation;
}

/**
 * Sends all questions at once and reads each reply, in order. Slots are the caller's to have. What
 * the replies say of the quota goes to the gate.
 */
export function call(
  { connection, gate, platform, address }: Engine,
  questions: readonly Question[],
  timeoutMs: number,
): readonly Exchange[] {
  const timeoutSeconds = Math.floor(timeoutMs / 1_000);
  const outcomes = platform.http.sendAll(
    questions.map(({ product, wire }) =>
      analyzeRequest(connection, product.asin, wire, timeoutSeconds),
    ),
  );
  const nowMs = platform.clock.nowMs();
  const replies = questions.map((_, i) =>
    receive(outcomes[i] ?? { kind: 'unreachable' }, connection.apiKey, connection.settings, nowMs),
  );
  // Replies of one wave say the same of the quota; what they say of its rest, the last knows best.
  const signals = replies.flatMap((one) =>
    one.kind === 'response' ? (one.facts.signal ?? []) : [],
  );
  const latest = signals[signals.length - 1];
  if (latest !== undefined) gate.hear(latest);
  const read = (received: Received, product: Product, standing: () => Standing): Exchange => {
    const reply = replyOf(received, standing);
    return { product, reply, read: interpret(reply, product, connection.settings, nowMs) };
  };
  const isAnalysis = (one: Exchange) => one.read.kind === 'answer' && one.read.answer.ok;
  const readAll = (standing: () => Standing) =>
    questions.map(({ product }, i) =>
      read(replies[i] ?? { kind: 'unreachable' }, product, standing),
    );
  // An analysis in the wave says of the others where they come from.
  const besideOne = readAll(() => 'recent');
  if (!besideOne.some(isAnalysis)) return readAll(() => address.standing(nowMs));
  address.hear(nowMs);
  return besideOne;
}

/**
 * Makes one call, without a look into the cache and without a retry, for callers that need the reply
 * itself. Every execution is told of a stop that it runs into.
 */
export function callOnce(
  engine: Engine,
  question: Question,
): (Exchange & { readonly latencyMs: number }) | Failure {
  const { gate, limits, platform } = engine;
  const { clock } = platform;
  // The claim has a unique name, because no other execution makes this call.
  const claim = [`check ${platform.random.next()}`];
  const booking = gate.book(claim, limits.bookUntilMs, Number.POSITIVE_INFINITY);
  if (booking.kind === 'stopped') return failureOfStop(booking.stop, clock.nowMs());
  if (booking.kind !== 'go') return fail({ kind: 'waiting' });
  sleepUntil(engine, booking.atMs);
  const sentMs = clock.nowMs();
  const [exchange] = call(engine, [question], limits.callTimeoutMs);
  if (exchange === undefined) return fail({ kind: 'unreachable' });
  const latencyMs = clock.nowMs() - sentMs;
  const { read } = exchange;
  if ('stop' in read && read.stop !== undefined)
    gate.stop(read.stop, claim, read.kind === 'again' ? 1 : 0);
  return { ...exchange, latencyMs };
}
