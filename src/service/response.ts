// The service's reply: what it holds, what that means by the table, and what follows for a product.

import type { ConnectionSettings } from '../connection/connection';
import { DAY, MINUTE } from '../failures/duration';
import { type Failure, fail, isFailure } from '../failures/failure';
import type { HttpOutcome } from '../google/platform';
import { refusedKey, type Stop } from '../limit/stop';
import type { Product } from '../product/asin';
import { type Answer, answered, fieldOfName, nameForm, unanswered } from '../product/fields';
import {
  asideIn,
  type FoundAnalysis,
  findAnalysis,
  opened,
  PRODUCT_NAMES,
  parseJson,
  repeatedNames,
} from './find-analysis';
import { readAnalysis, readFields } from './parse-analysis';
import { type Headers, memberIn, namedWaitMs, planWaitMs, retryAfterMs } from './rate-headers';
import {
  type BodyKind,
  errorWords,
  excerptOf,
  HELD_AFTER,
  isHtml,
  isProven,
  isWordMember,
  type ReplyFacts,
  type ReplyMeaning,
  replyMeaning,
  type Standing,
  type Topic,
  topicsOf,
  waitInWords,
} from './reply-meaning';
import { HIDDEN, jsonWithoutKey, textWithoutKey } from './request';

/** No analysis comes near this length; a longer body is not parsed. */
const BODY_CHARS_MAX = 256 * 1024;

/** What the service answered, without the key, before it is known what it means. */
export interface Response extends ReplyFacts {
  readonly kind: 'response';
  readonly headers: Headers;
  /** undefined if the body is not JSON. */
  readonly json: unknown;
  readonly found: FoundAnalysis;
  /** Why its JSON cannot be trusted: it gives something twice. */
  readonly twice?: string;
  readonly excerpt: string;
  /** How long its words say to wait. */
  readonly toldMs?: number;
  readonly requestId?: string;
}

export type Received = Response | Exclude<HttpOutcome, { readonly kind: 'response' }>;

/**
 * What came back, without the key.
 *
 * @param apiKey used only to keep the key out of everything that may be shown.
 */
export function receive(
  outcome: HttpOutcome,
  apiKey: string,
  settings: ConnectionSettings,
): Received {
  if (outcome.kind === 'google-busy')
    return { ...outcome, words: textWithoutKey(outcome.words, apiKey) };
  if (outcome.kind !== 'response') return { kind: outcome.kind };
  const { headers } = outcome;
  const isLong = outcome.body.length > BODY_CHARS_MAX;
  const text = isLong ? '' : outcome.body;
  const parsed = parseJson(text);
  const json = parsed === undefined ? undefined : jsonWithoutKey(parsed, apiKey);
  const inner = core(json);
  const found = findAnalysis(json, settings);
  const read = json === undefined ? kindOfText(text) : kindOf(inner, found, settings);
  const body = isLong ? 'too long' : read;
  const words = errorWords(inner, text);
  const isRefusal = body === 'refusal' && outcome.status >= 200 && outcome.status < 300;
  const requestId = requestIdOf(headers, json, apiKey);
  const twice = json === undefined ? undefined : repeatedIn(text);
  const status = (isRefusal ? statusIn(inner) : undefined) ?? outcome.status;
  const toldMs = waitInWords(words);
  return {
    kind: 'response',
    status,
    headers,
    body,
    topics: new Set([...topicsOf(words, status, body), ...topicsOfMembers(inner)]),
    json,
    found,
    ...(twice !== undefined && { twice }),
    excerpt: body === 'page' ? '' : excerptOf(words, apiKey),
    ...(toldMs !== undefined && { toldMs }),
    ...(requestId && { requestId }),
  };
}

function kindOfText(text: string): BodyKind {
  if (text.trim() === '') return 'empty';
  return isHtml(text) ? 'page' : 'text';
}

/** @param inner as in `core`. */
function kindOf(
  inner: unknown,
  { analyses, sent }: FoundAnalysis,
  settings: ConnectionSettings,
): BodyKind {
  if (saysNo(inner)) return 'refusal';
  if (analyses === 'several') return 'several analyses';
  if (analyses === 'none') {
    if (hasError(inner)) return 'refusal';
    if (isNothing(inner)) return 'nothing';
    return isWordsAlone(inner) ? 'refusal' : 'other JSON';
  }
  const figures: readonly unknown[] = Object.values(readFields(sent, settings).figures);
  // Beside figures an error is a warning; beside nothing but zeros and blanks it is the message.
  if (figures.some((figure) => !EMPTY_FIGURES.includes(figure))) return 'analysis';
  if (hasError(inner)) return 'refusal';
  return isPending(inner) ? 'other JSON' : 'analysis';
}

/** Figures that say nothing where an error stands beside them. */
const EMPTY_FIGURES: readonly unknown[] = [null, 0, false];

/** What is inside of a list of one, or of a wrapper with nothing else in it. */
function core(json: unknown, levels = 3): unknown {
  if (levels === 0) return json;
  const value = opened(json);
  if (Array.isArray(value)) return value.length === 1 ? core(value[0], levels - 1) : value;
  const [only, another] = Object.entries(Object(value));
  if (only === undefined || another !== undefined || isWordMember(only[0])) return value;
  const inner = opened(only[1]);
  return typeof inner === 'object' && inner !== null ? core(inner, levels - 1) : value;
}

/** The notations of "false" that services use. */
const NOT: readonly unknown[] = [false, 'false', 'False', 0];

/** Whether it takes back whatever else it says: `{success: false}`, `{status: "error"}`. */
function saysNo(json: unknown): boolean {
  const { success, ok, status } = asideIn(json);
  return NOT.includes(success) || NOT.includes(ok) || /^(error|fail(ed|ure)?)$/i.test(`${status}`);
}

const NO_ERROR = /^(none|null|false|no|0)$/i;

/** `errors: []` and `error: 0` mean that there is no error. */
function hasError(json: unknown): boolean {
  const { error, errors } = asideIn(json);
  return [error, errors].some((value) => {
    if (typeof value === 'string') return value !== '' && !NO_ERROR.test(value);
    return typeof value === 'object' ? Object.keys(Object(value)).length > 0 : Boolean(value);
  });
}

const PENDING = /^(pending|processing|queued|in[ _-]?progress|running|started|scheduled|waiting)$/i;

const isPending = (json: unknown): boolean => {
  const { status, state } = asideIn(json);
  return [status, state].some((word) => PENDING.test(`${word}`));
};

/** What members say, whatever the words: a state of pending, and which product it is about. */
function topicsOfMembers(inner: unknown): readonly Topic[] {
  const isProduct = Object.keys(Object(inner)).some((name) => PRODUCT_NAMES.test(nameForm(name)));
  return [
    ...(isPending(inner) ? ['pending' as const] : []),
    ...(isProduct ? ['product' as const] : []),
  ];
}

/** Members that may accompany a message or nothing, and add nothing to it, as `nameForm` has them. */
const BESIDE_WORDS = [
  ...['status', 'statuscode', 'success', 'ok', 'requestid', 'asin', 'productasin', 'market'],
  ...['marketplace', 'timestamp', 'time', 'path', 'instance', 'traceid', 'correlationid', 'meta'],
  ...['count', 'total', 'page', 'pages', 'limit', 'offset', 'next', 'previous', 'version'],
  ...['data', 'result'],
];

/** Words that say that all is well. */
const FINE = /^(success(ful(ly)?)?|ok(ay)?|done|none|true|0|200)$/i;

/** Whether a value is empty, or an object of such values and of what may accompany them. */
function isNothing(value: unknown): boolean {
  if (value === null || value === '') return true;
  if (Array.isArray(value)) return value.every(isNothing);
  if (typeof value !== 'object') return false;
  const members = Object.entries(Object(value));
  const isBeside = ([name, member]: readonly [string, unknown]) =>
    typeof member !== 'object' &&
    (BESIDE_WORDS.includes(nameForm(name)) || (isWordMember(name) && FINE.test(`${member}`)));
  const otherMembers = members.filter((entry) => !isBeside(entry));
  return (
    otherMembers.every(([, member]) => isNothing(member)) &&
    (otherMembers.length > 0 || members.length === 0)
  );
}

/**
 * Whether a body holds messages and nothing else. Such a body is no analysis, whatever its status
 * says.
 */
function isWordsAlone(json: unknown): boolean {
  const members = Object.entries(Object(json)).filter(([, value]) => !isNothing(value));
  const isBeside = (name: string) => BESIDE_WORDS.includes(nameForm(name));
  return (
    members.some(([name]) => isWordMember(name)) &&
    members.every(([name]) => isWordMember(name) || isBeside(name))
  );
}

/** The status that a refusal with a status of success names in its body. */
function statusIn(inner: unknown): number | undefined {
  const isStatus = (value: unknown) =>
    Number.isInteger(value) && Number(value) >= 400 && Number(value) < 600;
  const named = [inner, memberIn(inner, 'error')].flatMap((object) => {
    const { statusCode, status, code } = asideIn(object);
    return [statusCode, status, code].map((value) => Number(value ?? undefined));
  });
  return named.find(isStatus);
}

/** What a text gives twice in one object, if it matters which of the two counts. */
function repeatedIn(text: string): string | undefined {
  const names = repeatedNames(text);
  if (names.some((name) => PRODUCT_NAMES.test(nameForm(name)))) return 'it names its product twice';
  const field = names.map(fieldOfName).find((candidate) => candidate !== undefined);
  return field === undefined ? undefined : `it gives ${field} twice`;
}

const REQUEST_ID_HEADERS = ['x-request-id', 'x-amzn-requestid', 'request-id', 'x-correlation-id'];

/** Longer than any known request id. */
const REQUEST_ID_CHARS_MAX = 80;

/**
 * The id by which the service's operator finds this call. It is shown and passed on, so an id that
 * contains the key, as sent or as shown, is left out.
 */
function requestIdOf(headers: Headers, json: unknown, apiKey: string): string | undefined {
  const header = REQUEST_ID_HEADERS.map((name) => headers[name]).find((id) => id !== undefined);
  const id = header ?? asideIn(json).request_id;
  if (id === undefined || id.includes(HIDDEN)) return undefined;
  const shown = cleanId(id);
  const shownKey = cleanId(apiKey);
  const betrays = (text: string, key: string) => textWithoutKey(text, key) !== text;
  if (shown === '' || betrays(id, apiKey) || betrays(shown, shownKey)) return undefined;
  return shown.slice(0, REQUEST_ID_CHARS_MAX);
}

function cleanId(text: string): string {
  return text.replace(/[^\w.:-]/g, '');
}

/** What may be no matter of this product alone. */
interface Setback {
  /** How many products in a row have to get this until it counts as the service's problem. */
  readonly heldAfter?: number;
}

export type Interpretation =
  | ({ readonly kind: 'answer'; readonly answer: Answer } & Setback & { readonly status?: number })
  /**
   * Ask again once the failure's `waitMs` have passed. With `stop`, no execution calls before it ends.
   * `rejected`: what it is if it turns out to be this product's matter.
   */
  | ({
      readonly kind: 'again';
      readonly failure: Failure;
      readonly stop?: Stop;
      readonly rejected?: Failure;
    } & Setback)
  /** The key, which has answered before, was refused: `rejected` if that is this product's matter. */
  | { readonly kind: 'refused'; readonly failure: Failure; readonly rejected: Failure }
  /** The whole wave was lost because of one bad request: ask for each product alone. */
  | { readonly kind: 'lost' }
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

/** A month; a service that names the year 9999 mostly repeats a proxy's default. */
const PLAN_MS_MAX = 31 * DAY;

/** A limit that ends within this time is one of speed, whatever it is called. */
const SPEED_MS_MAX = 10 * MINUTE;

/**
 * The wait if a service says only "too fast": long enough for most buckets to hold some calls
 * again.
 */
const THROTTLED_MS = 5_000;

/**
 * The longest wait that a service can impose on everything or on one product. A limit with a longer
 * one is the plan's.
 */
const NAMED_MS_MAX = 3_600_000;

/** After "retry after 0 s" an immediate call would be refused again. Each further pause is longer. */
const THROTTLED_MS_MIN = 1_000;

/** Google does not say when its day ends, so one call tests it every hour. */
const GOOGLE_LOOK_MS = 3_600_000;

/** Why an answer of this kind is not understood. */
const ODD_BODIES: { readonly [Kind in BodyKind]?: string } = {
  'several analyses': 'it holds more than one analysis',
  'too long': 'it is too long',
  text: 'it is not JSON',
  empty: 'it is not JSON',
};

export function interpret(
  received: Received,
  standing: Standing,
  product: Product,
  settings: ConnectionSettings,
  nowMs: number,
): Interpretation {
  switch (received.kind) {
    case 'response': {
      const means = replyMeaning(received, standing);
      if (means === 'answer') return interpretAnswer(received, product, settings, nowMs);
      if (means === 'unauthorised' && isProven(standing)) return interpretRefusal(received);
      return interpretProblem(received, means, nowMs);
    }
    case 'unreachable':
      return { kind: 'again', failure: fail({ kind: 'unreachable' }) };
    case 'daily-limit': {
      const failure = fail({ kind: 'google-limit' });
      const stop = { reason: 'google-limit', untilMs: nowMs + GOOGLE_LOOK_MS } as const;
      return { kind: 'end', failure, stop };
    }
    case 'google-busy':
      return { kind: 'again', failure: fail({ kind: 'google-busy', words: received.words }) };
    case 'not-permitted':
      return { kind: 'end', failure: fail({ kind: 'not-permitted' }) };
    case 'lost-with-wave':
      return { kind: 'lost' };
    case 'timed-out':
      return final(fail({ kind: 'timed-out' }));
  }
}

function interpretAnswer(
  { found, twice, requestId }: Response,
  product: Product,
  settings: ConnectionSettings,
  nowMs: number,
): Interpretation {
  const id = requestId && { requestId };
  if (twice !== undefined) return final(fail({ kind: 'not-understood', what: twice, ...id }));
  const read = readAnalysis(found, product, settings, nowMs);
  return isFailure(read) ? final({ ...read, ...id }) : { kind: 'answer', answer: answered(read) };
}

/** One reply is no proof against a key that has answered before. */
function interpretRefusal({ excerpt, requestId }: Response): Interpretation {
  const id = requestId && { requestId };
  const rejected = fail({ kind: 'rejected', excerpt, ...id });
  return { kind: 'refused', failure: fail({ kind: 'key-refused', ...id }), rejected };
}

function interpretProblem(
  response: Response,
  means: Exclude<ReplyMeaning, 'answer'>,
  nowMs: number,
): Interpretation {
  const { status, headers, excerpt, requestId } = response;
  const id = requestId && { requestId };
  switch (means) {
    case 'not-understood': {
      const what = ODD_BODIES[response.body] ?? 'it holds no analysis';
      return final(fail({ kind: 'not-understood', what, ...id }));
    }
    case 'not-found':
      return final(fail({ kind: 'not-found' }));
    case 'perhaps-not-found':
      return {
        ...final(fail({ kind: 'not-found', isBare: true })),
        heldAfter: HELD_AFTER[means],
        status,
      };
    case 'rejected':
      return final(fail({ kind: 'rejected', excerpt, ...id }));
    case 'elsewhere':
      return final(fail({ kind: 'wrong-address', status }));
    case 'timed-out':
      return final(fail({ kind: 'timed-out' }));
    case 'unauthorised':
      return {
        kind: 'end',
        failure: fail({ kind: 'key-refused', ...id }),
        stop: refusedKey(nowMs),
      };
    case 'request-form':
      return { kind: 'end', failure: fail({ kind: 'request-form', excerpt, ...id }) };
    case 'out-of-plan':
    case 'throttled':
      return interpretLimit(response, means, nowMs);
    case 'not-ready':
      return {
        kind: 'again',
        failure: fail({ kind: 'not-ready', ...pauseFrom(headers, nowMs), ...id }),
      };
    case 'failing':
    case 'obstacle': {
      const named = pauseFrom(headers, nowMs);
      const failure = fail({ kind: 'service-busy', status, ...named, ...id });
      // A problem with one product is not tried by the others, if no time is named.
      const isHeld = means === 'obstacle' || 'waitMs' in named;
      return {
        ...{ kind: 'again', failure },
        ...(isHeld && { heldAfter: HELD_AFTER[means] }),
        ...(means === 'obstacle' && { rejected: fail({ kind: 'rejected', excerpt, ...id }) }),
      };
    }
  }
}

/** A limit of speed or of the plan; the time that the service names decides where its words do not. */
function interpretLimit(
  { status, headers, json, toldMs, requestId }: Response,
  means: 'out-of-plan' | 'throttled',
  nowMs: number,
): Interpretation {
  const sensible = (ms?: number) => (ms !== undefined && ms <= PLAN_MS_MAX ? ms : undefined);
  const soonMs = sensible(namedWaitMs(headers, nowMs) ?? toldMs);
  const speedMs = soonMs ?? sensible(retryAfterMs(headers, json, nowMs));
  const isLong = means === 'throttled' && (speedMs ?? 0) > NAMED_MS_MAX;
  const isShort = means === 'out-of-plan' && status !== 402 && (soonMs ?? DAY) <= SPEED_MS_MAX;
  if (isShort || (means === 'throttled' && !isLong)) return interpretThrottled(speedMs, nowMs);
  const planMs = isLong ? speedMs : (sensible(planWaitMs(headers, json, nowMs)) ?? toldMs);
  const waitMs = Math.max(PLAN_MS_MIN, sensible(planMs) ?? STOP_MS);
  const failure = fail({ kind: 'plan-used-up', waitMs, ...(requestId && { requestId }) });
  return { kind: 'end', failure, stop: { reason: 'plan-used-up', untilMs: nowMs + waitMs } };
}

/** @param namedMs what the service names; undefined if it names nothing. */
function interpretThrottled(namedMs: number | undefined, nowMs: number): Interpretation {
  const waitMs = Math.max(THROTTLED_MS_MIN, Math.min(namedMs ?? THROTTLED_MS, NAMED_MS_MAX));
  // Without a time that helps, the next pause is longer than this one.
  const grows = (namedMs ?? 0) < THROTTLED_MS_MIN && { grows: true as const };
  const stop = { reason: 'throttled', untilMs: nowMs + waitMs, ...grows } as const;
  return { kind: 'again', failure: fail({ kind: 'waiting', waitMs }), stop };
}

/** The time that the service itself names, without hints from its limits. */
function pauseFrom(headers: Headers, nowMs: number): { readonly waitMs?: number } {
  const waitMs = namedWaitMs(headers, nowMs);
  return waitMs === undefined ? {} : { waitMs: Math.min(waitMs, NAMED_MS_MAX) };
}

function final(failure: Failure) {
  return { kind: 'answer', answer: unanswered(failure) } as const;
}

/** The failure of a product that may not be asked because calls with this key are stopped. */
export function failureOfStop(stop: Stop, nowMs: number): Failure {
  const waitMs = Math.max(0, stop.untilMs - nowMs);
  if (stop.reason === 'key-refused' || stop.reason === 'copied') return fail({ kind: stop.reason });
  // One call an hour tries; nobody knows when Google's day is over.
  if (stop.reason === 'google-limit') return fail({ kind: stop.reason });
  if (stop.reason !== 'throttled') return fail({ kind: stop.reason, waitMs });
  return fail({ kind: 'waiting', waitMs, ...(stop.status && { status: stop.status }) });
}
