// One wave of calls: products out, interpretations in, nothing remembered.

import { analyzeRequest } from '../api/endpoint';
import { type Reply, readReply } from '../api/reply';
import { readingOf, wireMarket } from '../connection/connection';
import { ofKnownAddress } from './address-note';
import { newsIn, toldBy } from './calibration';
import type { Engine } from './engine';
import { type Interpretation, interpret } from './interpret';
import type { Product } from './product';

/**
 * Sends all products at once and reads each answer, in order. Slots are the caller's to have. What
 * the answers say of the quota goes to the gate, and what they tell of the service is noted.
 */
export function call(
  engine: Engine,
  products: readonly Product[],
  timeoutMs: number,
): readonly Interpretation[] {
  const { connection, gate, platform, sightings } = engine;
  const requests = products.map((product) =>
    analyzeRequest(
      connection,
      product.asin,
      wireMarket(connection, product.market),
      Math.floor(timeoutMs / 1_000),
    ),
  );
  const outcomes = platform.http.sendAll(requests);
  const nowMs = platform.clock.nowMs();
  const replies = products.map((_, i) =>
    readReply(outcomes[i] ?? { kind: 'unreachable' }, connection.apiKey, nowMs),
  );
  // Answers of one wave say the same of the quota; what they say of its rest, the last knows best.
  const signals = replies.flatMap((reply) => reply.signal ?? []);
  const latest = signals[signals.length - 1];
  if (latest !== undefined) gate.hear(latest);
  const reading = readingOf(connection);
  const interpreted = (product: Product, reply: Reply) => interpret(reply, product, reading, nowMs);
  const isAnalysis = (reply: Reply | undefined, i: number) => {
    const product = products[i];
    if (product === undefined || reply?.kind !== 'answer') return false;
    const read = interpreted(product, reply);
    return read.kind === 'answer' && read.answer.ok;
  };
  const hasAnswered = () => replies.some(isAnalysis) || engine.address.hasAnswered();
  return products.map((product, i) => {
    const reply = ofKnownAddress(replies[i] ?? { kind: 'unreachable' }, hasAnswered);
    const read = interpreted(product, reply);
    if (reply.kind === 'answer' && read.kind === 'answer' && read.answer.ok) {
      const told = toldBy(reply.json, read.answer.analysis, reading, product.market);
      sightings.note(product.asin, newsIn(told, reading));
    }
    return read;
  });
}
