// Reads what came back over HTTP into a reply: an answer's JSON, or what went wrong, in the service's terms.

import type { HttpOutcome } from '../platform/ports';
import { errorWords, excerptOf, isHtml } from './error-body';
import { retryAfterMs } from './rate-signals';

export type Reply =
  | { readonly kind: 'answer'; readonly json: unknown; readonly requestId?: string }
  | (Problem & { readonly requestId?: string });

export type Problem =
  | { readonly kind: 'unauthorised' }
  | { readonly kind: 'out-of-plan'; readonly excerpt: string; readonly waitMs?: number }
  | { readonly kind: 'not-found' }
  | { readonly kind: 'rejected'; readonly excerpt: string }
  | { readonly kind: 'throttled'; readonly waitMs?: number }
  | { readonly kind: 'failing'; readonly status: number }
  /** Something answers there, but not this service: a web page, a redirect, another path. */
  | { readonly kind: 'elsewhere'; readonly status: number }
  | { readonly kind: 'unreadable'; readonly what: string }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'lost-with-wave' }
  | { readonly kind: 'daily-limit' };

/** No analysis is longer than this by far; a longer body is not parsed at all. */
const BODY_CHARS_MAX = 256 * 1024;

/** Services say "out of plan" with 402, but also with 403 and 429: then the words decide. */
const PLAN_WORDS =
  /\b(credits?|plan|subscription|payment|billing|monthly|insufficient (funds|tokens)|upgrade)\b/i;
const THROTTLE_WORDS = /\b(rate.?limit|too many requests|throttl\w*|slow down)\b/i;
const KEY_WORDS =
  /\b(api.?key|token|unauthori[sz]ed|unauthenticated|credentials?|authentication)\b/i;
const MISSING_WORDS = /\b(not found|unknown (asin|product)|no such (asin|product)|no data)\b/i;

/**
 * The reply in an HTTP outcome. Status first, then the words of the body, as statuses overlap.
 *
 * @param apiKey only to keep it out of every excerpt.
 */
export function readReply(outcome: HttpOutcome, apiKey: string, nowMs: number): Reply {
  if (outcome.kind !== 'response') return { kind: outcome.kind };
  const { status, headers, body } = outcome;
  const json = body.length > BODY_CHARS_MAX ? undefined : parseJson(body);
  const requestId = requestIdOf(headers, json);
  const reply =
    status >= 200 && status < 300
      ? readSuccess(body, json, apiKey)
      : readError(outcome, json, apiKey, nowMs);
  return requestId === undefined ? reply : { ...reply, requestId };
}

type HttpResponse = Extract<HttpOutcome, { kind: 'response' }>;

function readSuccess(body: string, json: unknown, apiKey: string): Reply {
  if (body.length > BODY_CHARS_MAX) return { kind: 'unreadable', what: 'it is too long' };
  if (isHtml(body)) return { kind: 'elsewhere', status: 200 };
  if (json === undefined) return { kind: 'unreadable', what: 'it is not JSON' };
  return saysNo(json) ? byWords(json, body, apiKey) : { kind: 'answer', json };
}

/** `{success: false}` and `{error: …}` come with status 200 from some services. */
function saysNo(json: unknown): boolean {
  if (typeof json !== 'object' || json === null) return false;
  const members = new Map(Object.entries(json));
  const error = members.get('error') ?? members.get('errors');
  const isError = error !== undefined && error !== null && error !== false && error !== '';
  return members.get('success') === false || members.get('ok') === false || isError;
}

function byWords(json: unknown, body: string, apiKey: string): Problem {
  const words = errorWords(json, body);
  const excerpt = excerptOf(words, apiKey);
  if (THROTTLE_WORDS.test(words)) return { kind: 'throttled' };
  if (PLAN_WORDS.test(words)) return { kind: 'out-of-plan', excerpt };
  if (MISSING_WORDS.test(words)) return { kind: 'not-found' };
  return KEY_WORDS.test(words) ? { kind: 'unauthorised' } : { kind: 'rejected', excerpt };
}

function readError(response: HttpResponse, json: unknown, apiKey: string, nowMs: number): Problem {
  const { status, headers, body } = response;
  const words = errorWords(json, body.slice(0, BODY_CHARS_MAX));
  const excerpt = excerptOf(words, apiKey);
  const waitMs = retryAfterMs(headers, json, nowMs);
  const wait = waitMs === undefined ? {} : { waitMs };
  const isPlan = PLAN_WORDS.test(words) && !THROTTLE_WORDS.test(words);
  if (status === 402) return { kind: 'out-of-plan', excerpt, ...wait };
  if (status === 401) return { kind: 'unauthorised' };
  if (status === 403 || status === 429) {
    if (isPlan) return { kind: 'out-of-plan', excerpt, ...wait };
    return status === 403 ? { kind: 'unauthorised' } : { kind: 'throttled', ...wait };
  }
  if (status === 503 && waitMs !== undefined && THROTTLE_WORDS.test(words))
    return { kind: 'throttled', waitMs };
  if (status >= 500) return { kind: 'failing', status };
  if (status === 408) return { kind: 'timed-out' };
  if (status < 400 || status === 405 || status === 410) return { kind: 'elsewhere', status };
  // A service that knows its path answers 404 in its own format; a web server, with a page.
  if (status === 404)
    return json === undefined ? { kind: 'elsewhere', status } : { kind: 'not-found' };
  return MISSING_WORDS.test(words) ? { kind: 'not-found' } : { kind: 'rejected', excerpt };
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

const REQUEST_ID_HEADERS = ['x-request-id', 'x-amzn-requestid', 'request-id', 'x-correlation-id'];

/** The name under which the service's operator finds this call again. */
function requestIdOf(headers: Readonly<Record<string, string>>, json: unknown): string | undefined {
  const header = REQUEST_ID_HEADERS.map((name) => headers[name]).find((id) => id !== undefined);
  const inBody =
    typeof json === 'object' && json !== null
      ? new Map(Object.entries(json)).get('request_id')
      : undefined;
  const id = header ?? (typeof inBody === 'string' ? inBody : undefined);
  return id?.replace(/[^\w.:-]/g, '').slice(0, 80);
}
