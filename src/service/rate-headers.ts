// Reads from an answer when the service may be called again and what it says about the key's quota.

import { asideIn } from './find-analysis';

/** Members that name the moment at which a plan renews: a date or a number of seconds. */
const BODY_RESET_MEMBERS = /^(resets?|renews)(_at|At)$|^((next|quota)_)?reset$/;

/** No plan renews within this time; a nearer moment is the reset of a rate limit. */
const PLAN_WAIT_MS_MIN = 60_000;

/** The headers of an answer, by their names in lower case. */
export type Headers = Readonly<Record<string, string>>;

/**
 * How long to wait before the next call, in ms; undefined if the answer does not say. `Retry-After`
 * decides where it is present (RFC 9110 §10.2.3: seconds or an HTTP date).
 */
export function retryAfterMs(headers: Headers, json: unknown, nowMs: number): number | undefined {
  const rate = rateAlone(headers, json);
  return (
    namedWaitMs(headers, nowMs) ??
    resetMsOf(headers, nowMs) ??
    waitInBody(json) ??
    (rate && (1_000 * rate.perSeconds) / rate.calls)
  );
}

/**
 * How long a used-up plan stays used up, in ms; undefined if the answer names no time that suits a
 * plan.
 */
export function planWaitMs(headers: Headers, json: unknown, nowMs: number): number | undefined {
  const explicit = namedWaitMs(headers, nowMs);
  if (explicit !== undefined) return Math.max(explicit, PLAN_WAIT_MS_MIN);
  const members = [json, memberIn(json, 'error')].flatMap((body) => Object.entries(Object(body)));
  const named = members.filter(([name]) => BODY_RESET_MEMBERS.test(name));
  const waits = [...named.map(([, value]) => untilMoment(value, nowMs)), resetMsOf(headers, nowMs)];
  return waits.find((wait) => wait !== undefined && wait >= PLAN_WAIT_MS_MIN);
}

function untilMoment(value: unknown, nowMs: number): number | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  return untilReset(numberOf(String(value)), nowMs) ?? untilDate(String(value), nowMs);
}

/** A date contains one of these; words and bare numbers, which `Date.parse` may accept, do not. */
const TIME_OR_DAY = /\d:\d\d|\d{4}-\d\d/;

function untilDate(date: string, nowMs: number): number | undefined {
  const atMs = TIME_OR_DAY.test(date) ? Date.parse(date) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}

/**
 * A reset above 1e12 is an epoch in ms, above 1e9 an epoch in seconds, and otherwise seconds from
 * now.
 */
function untilReset(reset: number | undefined, nowMs: number): number | undefined {
  if (reset === undefined) return undefined;
  if (reset > 1e12) return Math.max(0, reset - nowMs);
  return Math.max(0, reset * 1_000 - (reset > 1e9 ? nowMs : 0));
}

/**
 * The wait in `Retry-After`. Proxies append their own value after a comma, so the longest one
 * counts.
 */
export function namedWaitMs(headers: Headers, nowMs: number): number | undefined {
  const waits = (headers['retry-after'] ?? '').split(',').flatMap((part) => {
    const seconds = numberOf(part);
    return (seconds === undefined ? untilDate(part, nowMs) : Math.max(0, seconds * 1_000)) ?? [];
  });
  return waits.length === 0 ? undefined : Math.max(...waits);
}

/** In Keepa's style a body says in how many milliseconds its bucket refills. */
function waitInBody(json: unknown): number | undefined {
  const said = asideIn(json);
  const seconds = [said.retry_after, said.retryAfter].map((value) => value && value * 1_000);
  const waits = [said.refillIn, said.retry_after_ms, said.retryAfterMs, ...seconds];
  return waits.find((wait) => wait !== undefined && wait >= 0);
}

/** What one answer says about the key's quota; members it does not mention are left out. */
export interface RateSignal {
  /**
   * The number of calls in `perSeconds`. Without `perSeconds` it is a limit whose window is
   * unknown.
   */
  readonly calls?: number;
  readonly perSeconds?: number;
  /** How many of them may come at once; left out if only a rate is stated. */
  readonly burst?: number;
  /** The calls left at present, and the time until all are available again. */
  readonly remaining?: number;
  readonly resetMs?: number;
}

/**
 * What headers and body say about the quota; undefined if nothing. A limit without a window is not
 * turned into a rate: its reset may belong to a window half over or a bucket half full.
 */
export function rateSignal(headers: Headers, json: unknown, nowMs: number): RateSignal | undefined {
  const quota = policyOf(headers) ?? rateAlone(headers, json) ?? limitAlone(headers);
  const remaining =
    numberOf(headers['ratelimit-remaining']) ??
    tightest(headers.ratelimit)?.remaining ??
    numberOf(headers['x-ratelimit-remaining']) ??
    asideIn(json).tokensLeft;
  const resetMs = resetMsOf(headers, nowMs);
  const signal: RateSignal = {
    ...quota,
    ...(remaining === undefined ? {} : { remaining: Math.max(0, remaining) }),
    ...(resetMs === undefined ? {} : { resetMs }),
  };
  return Object.keys(signal).length === 0 ? undefined : signal;
}

/** One limit as a header writes it. What it leaves out is undefined. */
interface Limit {
  readonly calls: number | undefined;
  readonly perSeconds: number | undefined;
  readonly remaining: number | undefined;
  /** As in `untilReset`. */
  readonly reset: number | undefined;
}

/**
 * The limits in a header: `100;w=60`, `"day";q=100;w=60`, `"a";r=4;t=1, "b";r=0;t=9`, or, in an
 * earlier draft, one as a list of three: `limit=10, remaining=4, reset=1`.
 */
function limitsIn(header = ''): readonly Limit[] {
  const texts = /\breset=/.test(header) ? [header] : header.split(',');
  // Some limits count bytes and the like; one without a unit counts requests.
  const ofRequests = texts.filter((text) => !/;\s*qu=(?!"?requests(?![\w-]))/.test(text));
  return ofRequests.map((text) => {
    const plain = text.replace(/"[^"]*"/g, '');
    const after = (names: string) =>
      numberOf(new RegExp(`(?:^|[;,\\s])(?:${names})=(\\d+)`).exec(plain)?.[1]);
    return {
      calls: numberOf(/^\s*(\d+(?:\.\d+)?)\s*(?:;|$)/.exec(plain)?.[1]) ?? after('q|limit'),
      perSeconds: after('w'),
      remaining: after('r|remaining'),
      reset: after('t|reset'),
    };
  });
}

/** The one with the least left; undefined: the header has none. */
function tightest(header: string | undefined): Limit | undefined {
  const left = ({ remaining = Number.MAX_VALUE }: Limit) => remaining;
  return [...limitsIn(header)].sort((a, b) => left(a) - left(b))[0];
}

/** The time until all calls of the limit are available again, in ms. */
function resetMsOf(headers: Headers, nowMs: number): number | undefined {
  const reset =
    numberOf(headers['x-ratelimit-reset-after']) ??
    numberOf(headers['ratelimit-reset']) ??
    tightest(headers.ratelimit)?.reset ??
    numberOf(headers['x-ratelimit-reset']);
  return untilReset(reset, nowMs);
}

/** Any of these headers may carry a limit: the drafts differ, and services mix them. */
const LIMIT_HEADERS = ['ratelimit-limit', 'ratelimit', 'x-ratelimit-limit'];
const POLICY_HEADERS = ['ratelimit-policy', 'x-ratelimit-policy', ...LIMIT_HEADERS];

/** So many calls in so many seconds. */
interface HeaderRate {
  readonly calls: number;
  readonly perSeconds: number;
}

/** Of several policies, the slowest sets the rate. The burst is limited by every one of them. */
function policyOf(headers: Headers): RateSignal | undefined {
  const limits = POLICY_HEADERS.flatMap((name) => limitsIn(headers[name]));
  const policies = limits.flatMap(({ calls = 0, perSeconds = 0 }) =>
    calls > 0 && perSeconds > 0 ? [{ calls, perSeconds }] : [],
  );
  const burst = Math.min(...policies.map(({ calls }) => calls));
  const perSecond = ({ calls, perSeconds }: HeaderRate) => calls / perSeconds;
  const [slowest] = policies.sort((a, b) => perSecond(a) - perSecond(b));
  return slowest && { ...slowest, burst };
}

/**
 * A rate without a policy: Amazon states calls per second, Keepa tokens per minute; one token
 * counts as one call.
 */
function rateAlone(headers: Headers, json: unknown): HeaderRate | undefined {
  const perSecond = numberOf(headers['x-amzn-ratelimit-limit']) ?? 0;
  if (perSecond > 0) return { calls: perSecond, perSeconds: 1 };
  const { refillRate = 0 } = asideIn(json);
  return refillRate > 0 ? { calls: refillRate, perSeconds: 60 } : undefined;
}

function limitAlone(headers: Headers): RateSignal | undefined {
  const limits = LIMIT_HEADERS.map((name) => limitsIn(headers[name])[0]?.calls);
  const calls = limits.find((value) => value !== undefined);
  return calls !== undefined && calls > 0 ? { calls } : undefined;
}

function numberOf(text: string | undefined): number | undefined {
  const number = text === undefined || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : undefined;
}

/** An own member of an object; undefined for anything else. */
export function memberIn(json: unknown, name: string): unknown {
  return new Map<string, unknown>(Object.entries(Object(json))).get(name);
}
