// One wave of calls: products out, interpretations in, nothing remembered.

import { analyzeRequest } from '../api/endpoint';
import { readReply } from '../api/reply';
import { wireMarket } from '../connection/connection';
import type { Engine } from './engine';
import { type Interpretation, interpret } from './interpret';
import type { Product } from './product';

/**
 * Sends all products at once and reads each answer, in order. Slots are the caller's to have. What
 * the answers say of the quota goes to the gate.
 */
export function call(
  engine: Engine,
  products: readonly Product[],
  timeoutMs: number,
): readonly Interpretation[] {
  const { connection, gate, platform } = engine;
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
  return products.map((product, i) =>
    interpret(replies[i] ?? { kind: 'unreachable' }, product, connection.settings, nowMs),
  );
}
