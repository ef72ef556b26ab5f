// What a reply means: by the table alone, and to a product.

import type { ConnectionSettings } from '../../src/connection/connection';
import type { HttpOutcome } from '../../src/google/platform';
import type { Product } from '../../src/product/asin';
import { replyMeaning, type Standing } from '../../src/service/reply-meaning';
import { interpret, type Received, receive } from '../../src/service/response';

/** By its name in the table, from an address of which this is known. */
export const meansOf = (received: Received, standing: Standing = 'new'): string =>
  received.kind === 'response' ? replyMeaning(received, standing) : received.kind;

/** What follows for a product. */
export const readReply = (
  outcome: HttpOutcome,
  apiKey: string,
  product: Product,
  nowMs: number,
  settings: ConnectionSettings = {},
  standing: Standing = 'new',
) => interpret(receive(outcome, apiKey, settings), standing, product, settings, nowMs);
