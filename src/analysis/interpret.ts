// Interprets the service's reply to one product: the answer it is, and what it means for everybody else.

import type { Reply } from '../api/reply';
import { refusedKey, type Stop } from '../quota/rate';
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

/** Where no time is named; then one call looks whether the plan was filled up. */
const STOP_MS = 6 * 3_600_000;

/** A wait that is shorter is the rate's, which is told along; no plan is filled up so soon. */
const PLAN_MS_MIN = 60_000;

/** When a service only says "too fast": long enough for most buckets to hold some calls again. */
const THROTTLED_MS = 5_000;

/** A service that names a time far off is asked again after this at the latest. */
const THROTTLED_MS_MAX = 3_600_000;

/** "Retry after 0 s" would be refused again at once. */
const THROTTLED_MS_MIN = 1_000;

/** Nobody can know when Google's day ends, so somebody looks once an hour. */
const GOOGLE_LOOK_MS = 3_600_000;

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
        stop: refusedKey(nowMs),
      };
    case 'out-of-plan': {
      const saidMs = reply.waitMs ?? STOP_MS;
      const waitMs = Math.max(PLAN_MS_MIN, Math.min(saidMs, STOP_MS));
      const failure = fail({ kind: 'plan-used-up', waitMs, ...id });
      return { kind: 'end', failure, stop: stop('plan-used-up', waitMs) };
    }
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
      return {
        kind: 'end',
        failure: fail({ kind: 'google-limit' }),
        stop: stop('google-limit', GOOGLE_LOOK_MS),
      };
    case 'google-busy':
      return { kind: 'again', failure: fail({ kind: 'google-busy', words: reply.words }) };
    case 'not-permitted':
      return { kind: 'end', failure: fail({ kind: 'not-permitted' }) };
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
  const waitMs = Math.max(0, (stop.goesOnMs ?? stop.untilMs) - nowMs);
  if (stop.reason === 'key-refused') return fail({ kind: 'key-refused' });
  return fail({ kind: stop.reason === 'throttled' ? 'waiting' : stop.reason, waitMs });
}
