// Interprets the service's reply to one product: the answer it is, and what it means for everybody else.

import type { Reply } from '../api/reply';
import type { Stop } from '../quota/rate';
import { type Answer, answered, unanswered } from './answer';
import { type Failure, fail, isFailure } from './failure';
import type { Product } from './product';
import { type ReaderSettings, readAnalysis } from './schema';

export type Interpretation =
  | { readonly kind: 'answer'; readonly answer: Answer }
  /** Ask again, not before `waitMs` have passed; with `stop`, nobody calls before it ends. */
  | {
      readonly kind: 'again';
      readonly failure: Failure;
      readonly stop?: Stop;
      readonly waitMs?: number;
    }
  /** The whole wave was lost with one bad request: ask again in smaller waves. */
  | { readonly kind: 'split' }
  /** No further call can succeed: everything unanswered gets this failure. */
  | { readonly kind: 'end'; readonly failure: Failure; readonly stop?: Stop };

/** Until somebody changes the connection; the cache does not remember longer than this anyway. */
const STOP_MS = 6 * 3_600_000;

/** When a service only says "too fast": long enough for most buckets to hold some calls again. */
const THROTTLED_MS = 5_000;

/** A service that names a time far off is asked again after this at the latest. */
const THROTTLED_MS_MAX = 3_600_000;

/** "Retry after 0 s" would be refused again at once. */
const THROTTLED_MS_MIN = 1_000;

export function interpret(
  reply: Reply,
  product: Product,
  settings: ReaderSettings,
  nowMs: number,
): Interpretation {
  const id = reply.requestId === undefined ? {} : { requestId: reply.requestId };
  const stop = (reason: Stop['reason'], forMs: number) => ({ reason, untilMs: nowMs + forMs });
  switch (reply.kind) {
    case 'answer': {
      const analysis = readAnalysis(reply.json, product.asin, settings, nowMs);
      const failed = isFailure(analysis);
      return final(failed ? unanswered({ ...analysis, ...id }) : answered(analysis));
    }
    case 'unauthorised':
      return {
        kind: 'end',
        failure: fail({ kind: 'key-refused', ...id }),
        stop: stop('key-refused', STOP_MS),
      };
    case 'out-of-plan':
      return {
        kind: 'end',
        failure: fail({ kind: 'plan-used-up', excerpt: reply.excerpt }),
        stop: stop('plan-used-up', Math.min(reply.waitMs ?? STOP_MS, STOP_MS)),
      };
    case 'throttled': {
      const saidMs = reply.waitMs ?? THROTTLED_MS;
      const waitMs = Math.max(THROTTLED_MS_MIN, Math.min(saidMs, THROTTLED_MS_MAX));
      const failure = fail({ kind: 'waiting', waitMs });
      return { kind: 'again', failure, stop: stop('throttled', waitMs) };
    }
    case 'failing':
      return {
        kind: 'again',
        failure: fail({ kind: 'service-busy', status: reply.status, ...id }),
        ...(reply.waitMs === undefined ? {} : { waitMs: reply.waitMs }),
      };
    case 'unreachable':
      return { kind: 'again', failure: fail({ kind: 'unreachable' }) };
    case 'daily-limit':
      return { kind: 'end', failure: fail({ kind: 'google-limit' }) };
    case 'lost-with-wave':
      return { kind: 'split' };
    case 'not-found':
      return final(unanswered(fail({ kind: 'not-found' })));
    case 'rejected':
      return final(unanswered(fail({ kind: 'rejected', excerpt: reply.excerpt, ...id })));
    case 'elsewhere':
      return final(unanswered(fail({ kind: 'wrong-address', status: reply.status })));
    case 'unreadable':
      return final(unanswered(fail({ kind: 'not-understood', what: reply.what, ...id })));
    case 'timed-out':
      return final(unanswered(fail({ kind: 'timed-out' })));
  }
}

function final(answer: Answer): Interpretation {
  return { kind: 'answer', answer };
}

/** The failure of a product that may not be asked because the key is stopped. */
export function failureOfStop(stop: Stop, nowMs: number): Failure {
  if (stop.reason === 'throttled')
    return fail({ kind: 'waiting', waitMs: Math.max(0, stop.untilMs - nowMs) });
  return fail({ kind: stop.reason });
}
