// What the table makes of a body, for tests that have no need of a product.

import type { HttpOutcome } from '../../src/google/platform';
import type { Standing } from '../../src/service/reply-meaning';
import { type Reply, receive, replyOf } from '../../src/service/response';

/** The reply to a key, from an address of which this is known. */
export const readReply = (
  outcome: HttpOutcome,
  apiKey: string,
  nowMs: number,
  standing: Standing = 'new',
): Reply => replyOf(receive(outcome, apiKey, {}, nowMs), () => standing);

/** What it means, by the name in the table. */
export const meansOf = (reply: Reply): string =>
  reply.kind === 'problem' ? reply.means : reply.kind;
