// Calls to the service: the only place that sends them, and reads what each reply says.

import { readingOf } from '../connection/connection';
import { type Failure, fail } from '../failures/failure';
import type { Product } from '../product/asin';
import { analyzeRequest } from '../service/request';
import {
  failureOfStop,
  type Interpretation,
  interpret,
  type Reply,
  readReply,
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

/** Before it is known, a web page or nothing says that the service is elsewhere. */
function ofKnownAddress(reply: Reply, hasAnswered: () => boolean): Reply {
  if (reply.kind !== 'elsewhere' || reply.status !== 404 || !hasAnswered()) return reply;
  const { status: _, ...aside } = reply;
  return { ...aside, kind: 'not-found' };
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
    readReply(outcomes[i] ?? { kind: 'unreachable' }, connection.apiKey, nowMs),
  );
  // Replies of one wave say the same of the quota; what they say of its rest, the last knows best.
  const signals = replies.flatMap((reply) => reply.signal ?? []);
  const latest = signals[signals.length - 1];
  if (latest !== undefined) gate.hear(latest);
  const reading = readingOf(connection);
  const readAs = (product: Product, reply: Reply) => interpret(reply, product, reading, nowMs);
  const isAnalysis = ({ product }: Question, i: number) => {
    const reply = replies[i];
    if (reply?.kind !== 'answer') return false;
    const read = readAs(product, reply);
    return read.kind === 'answer' && read.answer.ok;
  };
  const hasAnswered = () => questions.some(isAnalysis) || address.hasAnswered();
  return questions.map(({ product }, i) => {
    const reply = ofKnownAddress(replies[i] ?? { kind: 'unreachable' }, hasAnswered);
    return { product, reply, read: readAs(product, reply) };
  });
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
