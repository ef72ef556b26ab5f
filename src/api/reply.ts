// Reads what came back over HTTP into a reply: an answer's JSON, or what went wrong, in the service's terms.

import type { HttpOutcome } from '../platform/ports';
import { errorWords, excerptOf, isHtml, isWordsAlone } from './error-body';
import { planWaitMs, type RateSignal, rateSignal, retryAfterMs } from './rate-signals';
import { HIDDEN, jsonWithoutKey, textWithoutKey } from './without-key';

export type Reply = ({ readonly kind: 'answer'; readonly json: unknown } | Problem) & Aside;

/** What any answer may say besides. */
interface Aside {
  readonly requestId?: string;
  /** What it tells of the key's quota. */
  readonly signal?: RateSignal;
}

export type Problem =
  | { readonly kind: 'unauthorised' }
  | { readonly kind: 'out-of-plan'; readonly excerpt: string; readonly waitMs?: number }
  | { readonly kind: 'not-found' }
  | { readonly kind: 'rejected'; readonly excerpt: string }
  | { readonly kind: 'throttled'; readonly waitMs?: number }
  | { readonly kind: 'failing'; readonly status: number; readonly waitMs?: number }
  /** Something answers there, but not this service: a web page, a redirect, another path. */
  | { readonly kind: 'elsewhere'; readonly status: number }
  | { readonly kind: 'unreadable'; readonly what: string }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'lost-with-wave' }
  | { readonly kind: 'daily-limit' }
  | { readonly kind: 'not-permitted' }
  | { readonly kind: 'google-busy'; readonly words: string };

/** No analysis is longer than this by far; a longer body is not parsed at all. */
const BODY_CHARS_MAX = 256 * 1024;

/**
 * Words decide where statuses overlap: services say "out of plan" with 402, but also with 403 and
 * 429. They are matched in plain form, so that a code says as much as a sentence.
 */
const PLAN_WORDS =
  /\b(credits?|plan|subscription|payment|billing|monthly|insufficient (funds|tokens)|upgrade)\b/i;
/** Where a status is for anything that is wrong with a question, only words without a doubt count. */
const SPENT_WORDS =
  /\b((insufficient|not enough|no( more)?|out of|exhausted) (\w+ )?(credits|funds|tokens)|plan limit)\b/i;
/** A key may do no more of them, which is said with the status of a refused one. */
const ALLOWANCE_WORDS = /\b(quota|(usage|daily|weekly|monthly) limit)\b/i;
const THROTTLE_WORDS = /\b(rate ?limit\w*|too many requests|throttl\w*|slow down)\b/i;
const KEY_WORDS =
  /\b(api ?key|token|unauthori[sz]ed|unauthenticated|credentials?|authentication)\b/i;
const MISSING_WORDS = /\b(not found|unknown (asin|product)|no (such )?(asin|product)|no data)\b/i;
/** A web server that does not know the path says so in these words, where it sends no page. */
const NO_PATH_WORDS = /\b(page|path|route|endpoint|url) not found\b/i;

/**
 * The reply in an HTTP outcome. Status first, then the words of the body, as statuses overlap.
 *
 * @param apiKey only to keep it out of everything that may be shown.
 */
export function readReply(outcome: HttpOutcome, apiKey: string, nowMs: number): Reply {
  if (outcome.kind === 'google-busy')
    return { ...outcome, words: textWithoutKey(outcome.words, apiKey) };
  if (outcome.kind !== 'response') return { kind: outcome.kind };
  const { status, headers, body } = outcome;
  const json = body.length > BODY_CHARS_MAX ? undefined : parseJson(body, apiKey);
  const requestId = requestIdOf(headers, json, apiKey);
  const said = readSaid(outcome, json, apiKey, nowMs);
  const reply =
    status >= 200 && status < 300 ? readSuccess(body, json, said) : readError(outcome, json, said);
  const signal = rateSignal(headers, json, nowMs);
  return {
    ...reply,
    ...(requestId === undefined ? {} : { requestId }),
    ...(signal === undefined ? {} : { signal }),
  };
}

type HttpResponse = Extract<HttpOutcome, { kind: 'response' }>;

/** What an answer other than an analysis says. */
interface Said {
  /** In plain form: separators of codes are blanks. */
  readonly words: string;
  readonly excerpt: string;
  readonly wait: { readonly waitMs?: number };
  /** Until a used-up plan begins anew. */
  readonly planWait: { readonly waitMs?: number };
  /** The same without hints of limits: only what the service asks for outright. */
  readonly explicitWait: { readonly waitMs?: number };
}

function readSaid(
  { headers, body }: HttpResponse,
  json: unknown,
  apiKey: string,
  nowMs: number,
): Said {
  const words = errorWords(json, body.length > BODY_CHARS_MAX ? '' : body);
  const retryAfter = headers['retry-after'];
  const explicit = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
  return {
    words: plainForm(words),
    excerpt: excerptOf(words, apiKey),
    wait: waitOf(retryAfterMs(headers, json, nowMs)),
    planWait: waitOf(planWaitMs(headers, json, nowMs)),
    explicitWait: waitOf(retryAfterMs(explicit, undefined, nowMs)),
  };
}

const waitOf = (waitMs: number | undefined) => (waitMs === undefined ? {} : { waitMs });

/** `invalid_api_key`, `invalid-api-key` and `InvalidApiKey` are all "invalid api key". */
function plainForm(words: string): string {
  return words.replace(/[_-]+/g, ' ').replace(/([a-z])([A-Z])/g, '$1 $2');
}

function readSuccess(body: string, json: unknown, said: Said): Reply {
  if (body.length > BODY_CHARS_MAX) return { kind: 'unreadable', what: 'it is too long' };
  if (isHtml(body)) return { kind: 'elsewhere', status: 200 };
  if (json === undefined) return { kind: 'unreadable', what: 'it is not JSON' };
  return saysNo(json) ? byWords(said) : { kind: 'answer', json };
}

/** Ways to write it that are in use. */
const NOT: readonly unknown[] = [false, 'false', 'False'];

/** `{success: false}`, `{error: …}` and words alone come with status 200 from some services. */
function saysNo(json: unknown): boolean {
  if (typeof json !== 'object' || json === null) return false;
  const members = new Map(Object.entries(json));
  const isError = ['error', 'errors'].some((name) => saysSomething(members.get(name)));
  const isNot = ['success', 'ok'].some((name) => NOT.includes(members.get(name)));
  return isError || isNot || isWordsAlone(json);
}

/** `errors: []` and `error: 0` say that there is none. */
function saysSomething(error: unknown): boolean {
  return typeof error === 'object' && error !== null
    ? Object.keys(error).length > 0
    : Boolean(error);
}

function byWords({ words, excerpt, wait, planWait }: Said): Problem {
  if (THROTTLE_WORDS.test(words)) return { kind: 'throttled', ...wait };
  if (PLAN_WORDS.test(words)) return { kind: 'out-of-plan', excerpt, ...planWait };
  if (MISSING_WORDS.test(words)) return { kind: 'not-found' };
  return KEY_WORDS.test(words) ? { kind: 'unauthorised' } : { kind: 'rejected', excerpt };
}

function readError({ status, body }: HttpResponse, json: unknown, said: Said): Problem {
  const { words, excerpt, wait, planWait } = said;
  const isSpeed = THROTTLE_WORDS.test(words);
  if (status === 402) return { kind: 'out-of-plan', excerpt, ...planWait };
  if (status === 401) return { kind: 'unauthorised' };
  if (status === 403 || status === 429) {
    const isSpent = PLAN_WORDS.test(words) || (status === 403 && ALLOWANCE_WORDS.test(words));
    if (!isSpeed && isSpent) return { kind: 'out-of-plan', excerpt, ...planWait };
    return status === 403 && !isSpeed ? { kind: 'unauthorised' } : { kind: 'throttled', ...wait };
  }
  if (status === 503 && isSpeed && wait.waitMs !== undefined) return { kind: 'throttled', ...wait };
  if (status >= 500) return { kind: 'failing', status, ...said.explicitWait };
  if (status === 408) return { kind: 'timed-out' };
  if (status < 400 || status === 405 || status === 410) return { kind: 'elsewhere', status };
  if (status === 404) {
    // A service that knows its path answers in words; a web server, with a page or nothing.
    const isPage = json === undefined && (isHtml(body) || body.trim() === '');
    return isPage || NO_PATH_WORDS.test(words)
      ? { kind: 'elsewhere', status }
      : { kind: 'not-found' };
  }
  if (SPENT_WORDS.test(words)) return { kind: 'out-of-plan', excerpt, ...planWait };
  return MISSING_WORDS.test(words) ? { kind: 'not-found' } : { kind: 'rejected', excerpt };
}

function parseJson(body: string, apiKey: string): unknown {
  try {
    // Some services put a byte order mark before their JSON, which is not part of it.
    return jsonWithoutKey(JSON.parse(body.replace(/^\uFEFF/, '')), apiKey);
  } catch {
    return undefined;
  }
}

const REQUEST_ID_HEADERS = ['x-request-id', 'x-amzn-requestid', 'request-id', 'x-correlation-id'];

/** No name of a call that we know is longer. */
const REQUEST_ID_CHARS_MAX = 80;

/**
 * The name under which the service's operator finds this call again. It is shown and passed on, so
 * one that has the key in it, as it came or as it would be shown, is left out.
 */
function requestIdOf(
  headers: Readonly<Record<string, string>>,
  json: unknown,
  apiKey: string,
): string | undefined {
  const header = REQUEST_ID_HEADERS.map((name) => headers[name]).find((id) => id !== undefined);
  const inBody =
    typeof json === 'object' && json !== null
      ? new Map(Object.entries(json)).get('request_id')
      : undefined;
  const id = header ?? (typeof inBody === 'string' ? inBody : undefined);
  if (id === undefined || id.includes(HIDDEN)) return undefined;
  const [shown, shownKey] = [cleanId(id), cleanId(apiKey)];
  const betrays = (text: string, key: string) => textWithoutKey(text, key) !== text;
  if (shown === '' || betrays(id, apiKey) || betrays(shown, shownKey)) return undefined;
  return shown.slice(0, REQUEST_ID_CHARS_MAX);
}

function cleanId(text: string): string {
  return text.replace(/[^\w.:-]/g, '');
}
