// Reads from an answer when the service may be called again and what it says about the key's quota.

import { asideIn } from './find-analysis';

/** Members that name the moment at which a plan renews: a date or a number of seconds. */
const BODY_RESET_MEMBERS = /^(resets?|renews)(_at|At)$|^((next|quota)_)?reset$/;

/** No plan renews within this time; a nearer moment is the reset of a rate limit. */
const PLAN_WAIT_MS_MIN = 60_000;

type Headers = Readonly<Record<string, string>>;

/**
 * How long to wait before the next call, in ms; undefined if the answer does not say. `Retry-After`
 * decides where it is present (RFC 9110 §10.2.3: seconds or an HTTP date).
 */
export function retryAfterMs(headers: Headers, json: unknown, nowMs: number): number | undefined {
  const explicit = waitOfRetryAfter(headers['retry-after'], nowMs);
  if (explicit !== undefined) return explicit;
  const rate = numberOf(headers['x-amzn-ratelimit-limit']);
  const perCallMs = rate !== undefined && rate > 0 ? 1_000 / rate : undefined;
  return resetOf(headers, nowMs) ?? waitInBody(json) ?? perCallMs;
}

/**
 * How long a used-up plan stays used up, in ms; undefined if the answer names no time that suits a
 * plan.
 */
export function planWaitMs(headers: Headers, json: unknown, nowMs: number): number | undefined {
  const explicit = waitOfRetryAfter(headers['retry-after'], nowMs);
  if (explicit !== undefined) return Math.max(explicit, PLAN_WAIT_MS_MIN);
  const bodies = [json, memberIn(json, 'error')];
  const named = bodies.flatMap((body) =>
    Object.entries(Object(body)).flatMap(([name, value]) =>
      BODY_RESET_MEMBERS.test(name) ? [value] : [],
    ),
  );
  const waits = [...named.map((value) => waitOfMoment(value, nowMs)), resetOf(headers, nowMs)];
  return waits.find((wait) => wait !== undefined && wait >= PLAN_WAIT_MS_MIN);
}

function waitOfMoment(value: unknown, nowMs: number): number | undefined {
  if (typeof value === 'number') return waitOfReset(String(value), nowMs);
  if (typeof value !== 'string') return undefined;
  return waitOfReset(value, nowMs) ?? waitUntil(value, nowMs);
}

/** The time until all calls of the limit are available again, in ms. */
function resetOf(headers: Headers, nowMs: number): number | undefined {
  return firstOf(
    waitOfReset(headers['x-ratelimit-reset-after'], nowMs),
    waitOfReset(headers['ratelimit-reset'], nowMs),
    waitOfReset(tightest(headers.ratelimit).reset, nowMs),
    waitOfReset(headers['x-ratelimit-reset'], nowMs),
  );
}

interface Left {
  readonly remaining: string | undefined;
  readonly reset: string | undefined;
}

/**
 * The limit with the least left of several in one `RateLimit` header: `"a";r=4;t=1, "b";r=0;t=9`.
 * An earlier draft wrote one limit as a list of three: `limit=10, remaining=4, reset=1`.
 */
function tightest(header = ''): Left {
  const limits = (/\breset=/.test(header) ? [header] : header.split(',')).map((text) => ({
    remaining: /(?:^|[;,\s])(?:r|remaining)=(\d+)/.exec(text)?.[1],
    reset: /(?:^|[;,\s])(?:t|reset)=(\d+)/.exec(text)?.[1],
  }));
  const left = (limit: Left) => numberOf(limit.remaining) ?? Number.POSITIVE_INFINITY;
  return limits.reduce((least, one) => (left(one) < left(least) ? one : least));
}

/** A date contains one of these; words and bare numbers, which `Date.parse` may accept, do not. */
const TIME_OR_DAY = /\d:\d\d|\d{4}-\d\d/;

/**
 * The wait in `Retry-After`. Proxies append their own value after a comma, so the longest one
 * counts.
 */
function waitOfRetryAfter(value = '', nowMs: number): number | undefined {
  const waits = value.split(',').flatMap((part) => {
    const seconds = numberOf(part);
    if (seconds !== undefined) return [Math.max(0, seconds * 1_000)];
    return TIME_OR_DAY.test(part) ? (waitUntil(part, nowMs) ?? []) : [];
  });
  return waits.length === 0 ? undefined : Math.max(...waits);
}

function waitUntil(date: string, nowMs: number): number | undefined {
  const atMs = Date.parse(date);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}

/**
 * A reset above 1e12 is an epoch in ms, above 1e9 an epoch in seconds, and otherwise seconds from
 * now.
 */
function waitOfReset(value: string | undefined, nowMs: number): number | undefined {
  const number = Number(value);
  if (value === undefined || value.trim() === '' || !Number.isFinite(number)) return undefined;
  if (number > 1e12) return Math.max(0, number - nowMs);
  return number > 1e9 ? Math.max(0, number * 1_000 - nowMs) : Math.max(0, number * 1_000);
}

/** In Keepa's style a body says in how many milliseconds its bucket refills. */
function waitInBody(json: unknown): number | undefined {
  const {
    refillIn,
    retry_after_ms,
    retryAfterMs: afterMs,
    retry_after,
    retryAfter,
  } = asideIn(json);
  const isWait = (value: number | undefined): value is number => value !== undefined && value >= 0;
  const waitMs = [refillIn, retry_after_ms, afterMs].find(isWait);
  const seconds = [retry_after, retryAfter].find(isWait);
  return waitMs ?? (seconds === undefined ? undefined : seconds * 1_000);
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
  const remaining = firstOf(
    numberOf(headers['ratelimit-remaining']),
    numberOf(tightest(headers.ratelimit).remaining),
    numberOf(headers['x-ratelimit-remaining']),
    asideIn(json).tokensLeft,
  );
  const resetMs = resetOf(headers, nowMs);
  const signal: RateSignal = {
    ...quota,
    ...(remaining === undefined ? {} : { remaining: Math.max(0, remaining) }),
    ...(resetMs === undefined ? {} : { resetMs }),
  };
  return Object.keys(signal).length === 0 ? undefined : signal;
}

/** Any of these headers may carry policies: the drafts differ, and services mix them. */
const POLICY_HEADERS = ['ratelimit-policy', 'ratelimit-limit', 'x-ratelimit-policy'];
const POLICY_HEADERS_OLD = ['x-ratelimit-limit', 'ratelimit'];

/**
 * One policy: `100;w=60`, `"name";q=100;w=60` or `limit=100;w=60`, possibly with more parameters.
 */
const POLICY = /^(?:"[^"]*"\s*;.*?\bq=|limit=|q=)?(\d+)\b/;

/** Of several policies, the slowest sets the rate. The burst is limited by every one of them. */
function policyOf(headers: Headers): RateSignal | undefined {
  const policies = [...POLICY_HEADERS, ...POLICY_HEADERS_OLD].flatMap((name) =>
    (headers[name] ?? '').split(',').flatMap((text) => readPolicy(text.trim())),
  );
  const slowest = policies.reduce<Policy | undefined>(
    (slow, one) =>
      slow === undefined || one.calls / one.perSeconds < slow.calls / slow.perSeconds ? one : slow,
    undefined,
  );
  if (slowest === undefined) return undefined;
  return { ...slowest, burst: Math.min(...policies.map(({ calls }) => calls)) };
}

interface Policy {
  readonly calls: number;
  readonly perSeconds: number;
}

function readPolicy(text: string): readonly Policy[] {
  // Other policies count bytes and the like; a policy without a unit counts requests.
  const unit = /;\s*qu="?([\w-]+)/.exec(text)?.[1];
  if (unit !== undefined && unit !== 'requests') return [];
  const calls = numberOf(POLICY.exec(text)?.[1]);
  const perSeconds = numberOf(/;\s*w=(\d+)/.exec(text)?.[1]);
  if (calls === undefined || perSeconds === undefined) return [];
  return calls > 0 && perSeconds > 0 ? [{ calls, perSeconds }] : [];
}

/**
 * A rate without a policy: Amazon states calls per second, Keepa tokens per minute; one token
 * counts as one call.
 */
function rateAlone(headers: Headers, json: unknown): RateSignal | undefined {
  const perSecond = numberOf(headers['x-amzn-ratelimit-limit']);
  if (perSecond !== undefined && perSecond > 0) return { calls: perSecond, perSeconds: 1 };
  const perMinute = asideIn(json).refillRate;
  if (perMinute !== undefined && perMinute > 0) return { calls: perMinute, perSeconds: 60 };
  return undefined;
}

function limitAlone(headers: Headers): RateSignal | undefined {
  const limit = firstOf(
    numberOf(headers['ratelimit-limit']),
    numberOf(/(?:^|[,\s])limit=(\d+)/.exec(headers.ratelimit ?? '')?.[1]),
    numberOf(headers['x-ratelimit-limit']),
  );
  return limit !== undefined && limit > 0 ? { calls: limit } : undefined;
}

function firstOf(...values: readonly (number | undefined)[]): number | undefined {
  return values.find((value) => value !== undefined);
}

function numberOf(text: string | undefined): number | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}

/** An own member of an object; undefined for anything else. */
export function memberIn(json: unknown, name: string): unknown {
  return new Map<string, unknown>(Object.entries(Object(json))).get(name);
}
