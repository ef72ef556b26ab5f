// The service's reply, classified by status and words, and what it means for a product.

import { type Failure, fail, isFailure } from '../failures/failure';
import type { HttpOutcome } from '../platform/ports';
import { type Answer, answered, unanswered } from '../product/analysis';
import type { Product } from '../product/asin';
import { refusedKey, type Stop } from '../quota/rate';
import { type ReaderSettings, readAnalysis } from './parse-analysis';
import { memberIn, planWaitMs, type RateSignal, rateSignal, retryAfterMs } from './rate-headers';
import { HIDDEN, jsonWithoutKey, textWithoutKey } from './request';

/** Enough to recognise a problem, short enough for a cell. */
const EXCERPT_CHARS = 120;

/** Enough to classify a problem; a body may be a hundred times as long. */
const WORDS_CHARS_MAX = 2_000;

/** How deep words are searched for in an error body: `{errors: [{detail: …}]}` is three levels. */
const DEPTH_MAX = 4;

/** Members that carry messages, best first, in every error shape known from real services. */
const WORD_MEMBERS = [
  ...['message', 'detail', 'details', 'title', 'error_description', 'errorMsg', 'msg', 'reason'],
  ...['error', 'errors', 'code', 'type'],
];

/** Members that may accompany a message and add nothing to it. */
const BESIDE_WORDS = ['status', 'statuscode', 'success', 'ok', 'request_id', 'requestid'];

/**
 * Whether a body holds messages and nothing else. Such a body is no analysis, whatever its status
 * says.
 */
function isWordsAlone(json: unknown): boolean {
  const names = Object.entries(Object(json)).flatMap(([name, value]) =>
    value === null ? [] : [name],
  );
  const known = [...WORD_MEMBERS, ...BESIDE_WORDS].map((name) => name.toLowerCase());
  return (
    names.some((name) => WORD_MEMBERS.includes(name)) &&
    names.every((name) => known.includes(name.toLowerCase()))
  );
}

/**
 * All text in the body that may say what is wrong, best first. It is cut between two words, because
 * half a word could be the beginning of the key, which would not be recognised as such.
 */
export function errorWords(json: unknown, text: string): string {
  const words = json === undefined ? [isHtml(text) ? '' : text] : wordsIn(json, DEPTH_MAX);
  const all = words.join(' ').replace(/\s+/g, ' ').trim();
  return all.length > WORDS_CHARS_MAX ? all.slice(0, WORDS_CHARS_MAX).replace(/\S*$/, '') : all;
}

function wordsIn(value: unknown, depth: number): readonly string[] {
  if (typeof value === 'string') return [value];
  if (depth === 0) return [];
  if (Array.isArray(value)) return value.slice(0, 5).flatMap((one) => wordsIn(one, depth - 1));
  const members = new Map<string, unknown>(Object.entries(Object(value)));
  const known = WORD_MEMBERS.filter((name) => members.has(name));
  if (known.length > 0) return known.flatMap((name) => wordsIn(members.get(name), depth - 1));
  return depth === DEPTH_MAX
    ? []
    : [...members.values()].slice(0, 5).flatMap((one) => wordsIn(one, depth - 1));
}

export function isHtml(text: string): boolean {
  return /^\s*(<!doctype|<html|<head|<body|<\?xml)/i.test(text);
}

/** The beginning of the message, safe to show: no key, no markup, no control characters. */
export function excerptOf(words: string, apiKey: string): string {
  const shown = textWithoutKey(words, apiKey)
    .replace(/Bearer\s+\S+/gi, 'Bearer …')
    .replace(/<[^>]*>/g, ' ')
    .replace(/[^\P{C}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return shown.length > EXCERPT_CHARS ? `${shown.slice(0, EXCERPT_CHARS - 1)}…` : shown;
}

export type Reply = ({ readonly kind: 'answer'; readonly json: unknown } | Problem) & Aside;

/** What any answer may carry in addition. */
interface Aside {
  readonly requestId?: string;
  /** What the answer says about the key's quota. */
  readonly signal?: RateSignal;
}

export type Problem =
  | { readonly kind: 'unauthorised' }
  | { readonly kind: 'out-of-plan'; readonly excerpt: string; readonly waitMs?: number }
  | { readonly kind: 'not-found' }
  | { readonly kind: 'rejected'; readonly excerpt: string }
  | { readonly kind: 'throttled'; readonly waitMs?: number }
  | { readonly kind: 'failing'; readonly status: number; readonly waitMs?: number }
  /**
   * Something answers at the address, but not this service: a web page, a redirect or another path.
   */
  | { readonly kind: 'elsewhere'; readonly status: number }
  | { readonly kind: 'unreadable'; readonly what: string }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'lost-with-wave' }
  | { readonly kind: 'daily-limit' }
  | { readonly kind: 'not-permitted' }
  | { readonly kind: 'google-busy'; readonly words: string };

/** No analysis comes near this length; a longer body is not parsed. */
const BODY_CHARS_MAX = 256 * 1024;

/**
 * Words decide where statuses overlap: services report a used-up plan with 402, but also with 403
 * and 429. Words are matched in plain form, so that an error code says as much as a sentence.
 */
const PLAN_WORDS =
  /\b(credits?|plan|subscription|payment|billing|monthly|insufficient (funds|tokens)|upgrade)\b/i;
/** Only unmistakable words count with a status that may mean anything wrong with a request. */
const SPENT_WORDS =
  /\b((insufficient|not enough|no( more)?|out of|exhausted) (\w+ )?(credits|funds|tokens)|plan limit)\b/i;
/**
 * Words for a key without calls left, which some services report with the status of a refused key.
 */
const ALLOWANCE_WORDS = /\b(quota|(usage|daily|weekly|monthly) limit)\b/i;
const THROTTLE_WORDS = /\b(rate ?limit\w*|too many requests|throttl\w*|slow down)\b/i;
const KEY_WORDS =
  /\b(api ?key|(?<!unexpected )token|unauthori[sz]ed|unauthenticated|credentials?|authentication)\b/i;
const MISSING_WORDS = /\b(not found|unknown (asin|product)|no (such )?(asin|product)|no data)\b/i;
/**
 * A web server or gateway that does not know the path uses these words if it sends no page: "Cannot
 * POST /v1/analyze", "no Route matched".
 */
const NO_PATH_WORDS = /\b((page|path|route|endpoint|url) not found|no route|v1\/analyze)\b/i;

/**
 * Reads the reply from an HTTP outcome: the status decides first, and the body's words where
 * statuses overlap.
 *
 * @param apiKey used only to keep the key out of everything that may be shown.
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
    ...(requestId && { requestId }),
    ...(signal && { signal }),
  };
}

type HttpResponse = Extract<HttpOutcome, { kind: 'response' }>;

/** What an answer that is no analysis says. */
interface Said {
  /** In plain form: separators in codes are replaced by blanks. */
  readonly words: string;
  readonly excerpt: string;
  readonly wait: { readonly waitMs?: number };
  /** The wait until a used-up plan renews. */
  readonly planWait: { readonly waitMs?: number };
  /** The wait without hints from limits: only what the service asks for explicitly. */
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

/**
 * Turns `invalid_api_key`, `invalid-api-key` and `InvalidApiKey` into "invalid api key". "No credits
 * were charged" is taken out, because it comforts and says nothing about the plan.
 */
function plainForm(words: string): string {
  const plain = words.replace(/[_-]+/g, ' ').replace(/([a-z])([A-Z])/g, '$1 $2');
  return plain.replace(/\b(no )?credits? (\w+ ){0,3}(charg|deduct)ed\b/gi, '');
}

function readSuccess(body: string, json: unknown, said: Said): Reply {
  if (body.length > BODY_CHARS_MAX) return { kind: 'unreadable', what: 'it is too long' };
  if (isHtml(body)) return { kind: 'elsewhere', status: 200 };
  if (json === undefined) return { kind: 'unreadable', what: 'it is not JSON' };
  if (saysNo(json)) return byWords(said);
  return asinsIn(body) === asinsIn(JSON.stringify(json))
    ? { kind: 'answer', json }
    : { kind: 'unreadable', what: 'it names its product twice' };
}

/**
 * The number of "asin" members in the text. Parsed JSON keeps only the last of two members with the
 * same name.
 */
const asinsIn = (text: string) => text.match(/"asin"\s*:/gi)?.length;

/** The notations of "false" that services use. */
const NOT: readonly unknown[] = [false, 'false', 'False', 0];

/**
 * Whether a reply with status 200 reports an error: some services send `{success: false}`, `{error:
 * …}` or a message alone.
 */
function saysNo(json: unknown): boolean {
  const isError = ['error', 'errors'].some((name) => saysSomething(memberIn(json, name)));
  const isNot = ['success', 'ok'].some((name) => NOT.includes(memberIn(json, name)));
  return isError || isNot || isWordsAlone(json);
}

/** `errors: []` and `error: 0` mean that there is no error. */
function saysSomething(error: unknown): boolean {
  return typeof error === 'object' ? Object.keys(Object(error)).length > 0 : Boolean(error);
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
    // A service that knows its path answers in words; a web server answers with a page or with
    // nothing.
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
    // Some services put a byte order mark before their JSON, which `JSON.parse` rejects.
    return jsonWithoutKey(JSON.parse(body.replace(/^\uFEFF/, '')), apiKey);
  } catch {
    return undefined;
  }
}

const REQUEST_ID_HEADERS = ['x-request-id', 'x-amzn-requestid', 'request-id', 'x-correlation-id'];

/** Longer than any known request id. */
const REQUEST_ID_CHARS_MAX = 80;

/**
 * The id by which the service's operator finds this call. It is shown and passed on, so an id that
 * contains the key, as sent or as shown, is left out.
 */
function requestIdOf(
  headers: Readonly<Record<string, string>>,
  json: unknown,
  apiKey: string,
): string | undefined {
  const header = REQUEST_ID_HEADERS.map((name) => headers[name]).find((id) => id !== undefined);
  const inBody = memberIn(json, 'request_id');
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

export type Interpretation =
  | { readonly kind: 'answer'; readonly answer: Answer }
  /**
   * Ask again once the failure's `waitMs` have passed. With `stop`, no execution calls before it ends.
   */
  | { readonly kind: 'again'; readonly failure: Failure; readonly stop?: Stop }
  /** The whole wave was lost because of one bad request: ask again in smaller waves. */
  | { readonly kind: 'split' }
  /** No further call can succeed: everything still unanswered gets this failure. */
  | { readonly kind: 'end'; readonly failure: Failure; readonly stop?: Stop };

/**
 * How long a used-up plan is left alone if the service names no time. Then one call tests whether
 * it was renewed.
 */
const STOP_MS = 6 * 3_600_000;

/**
 * No plan renews sooner; a shorter wait belongs to a rate limit that the answer mentions as well.
 */
const PLAN_MS_MIN = 60_000;

/**
 * The wait if a service says only "too fast": long enough for most buckets to hold some calls
 * again.
 */
const THROTTLED_MS = 5_000;

/**
 * The longest wait that a service can impose on everything or on one product. A service that names
 * a day, or the year 9999, mostly repeats a proxy's default.
 */
const NAMED_MS_MAX = 3_600_000;

/** After "retry after 0 s" an immediate call would be refused again. */
const THROTTLED_MS_MIN = 1_000;

/** Google does not say when its day ends, so one call tests it every hour. */
const GOOGLE_LOOK_MS = 3_600_000;

export function interpret(
  reply: Reply,
  product: Product,
  settings: ReaderSettings,
  nowMs: number,
): Interpretation {
  const id = reply.requestId && { requestId: reply.requestId };
  const stop = (reason: Stop['reason'], forMs: number) => ({ reason, untilMs: nowMs + forMs });
  switch (reply.kind) {
    case 'answer': {
      const analysis = readAnalysis(reply.json, product, settings, nowMs);
      const failed = isFailure(analysis);
      return final(failed ? unanswered({ ...analysis, ...id }) : answered(analysis));
    }
    case 'unauthorised': {
      const failure = fail({ kind: 'key-refused', ...id });
      return { kind: 'end', failure, stop: refusedKey(nowMs) };
    }
    case 'out-of-plan': {
      const saidMs = reply.waitMs ?? STOP_MS;
      const waitMs = Math.max(PLAN_MS_MIN, Math.min(saidMs, STOP_MS));
      const failure = fail({ kind: 'plan-used-up', waitMs, ...id });
      return { kind: 'end', failure, stop: stop('plan-used-up', waitMs) };
    }
    case 'throttled': {
      const saidMs = reply.waitMs ?? THROTTLED_MS;
      const waitMs = Math.max(THROTTLED_MS_MIN, Math.min(saidMs, NAMED_MS_MAX));
      const failure = fail({ kind: 'waiting', waitMs });
      return { kind: 'again', failure, stop: stop('throttled', waitMs) };
    }
    case 'failing': {
      const { status, waitMs } = reply;
      const named = waitMs === undefined ? {} : { waitMs: Math.min(waitMs, NAMED_MS_MAX) };
      return { kind: 'again', failure: fail({ kind: 'service-busy', status, ...named, ...id }) };
    }
    case 'unreachable':
      return { kind: 'again', failure: fail({ kind: 'unreachable' }) };
    case 'daily-limit': {
      const failure = fail({ kind: 'google-limit' });
      return { kind: 'end', failure, stop: stop('google-limit', GOOGLE_LOOK_MS) };
    }
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

/** The failure of a product that may not be asked because calls with this key are stopped. */
export function failureOfStop(stop: Stop, nowMs: number): Failure {
  const waitMs = Math.max(0, (stop.goesOnMs ?? stop.untilMs) - nowMs);
  if (stop.reason === 'key-refused' || stop.reason === 'copied') return fail({ kind: stop.reason });
  if (stop.reason !== 'throttled') return fail({ kind: stop.reason, waitMs });
  return fail({ kind: 'waiting', waitMs, ...(stop.status && { status: stop.status }) });
}
