// One wave of calls: products out, interpretations in, nothing remembered.

import { analyzeRequest } from '../api/endpoint';
import { readReply } from '../api/reply';
import { wireMarket } from '../connection/connection';
import type { Engine } from './engine';
import { type Interpretation, interpret } from './interpret';
import type { Product } from './product';

/** Sends all products at once and reads each answer, in order. Slots are the caller's to have. */
export function call(
  engine: Engine,
  products: readonly Product[],
  timeoutMs: number,
): readonly Interpretation[] {
  const { connection, platform } = engine;
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
  return products.map((product, i) => {
    const reply = readReply(outcomes[i] ?? { kind: 'unreachable' }, connection.apiKey, nowMs);
    return interpret(reply, product, connection.settings, nowMs);
  });
}
