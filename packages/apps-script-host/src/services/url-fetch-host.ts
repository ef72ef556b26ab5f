// UrlFetchApp's host half: limits, the daily quota, sending in parallel, and Google's errors.

import { createDailyQuota } from '../daily-quota';
import type { Answer, ExchangeEnd, Fault } from '../internet/exchange';
import { exchange } from '../internet/exchange';
import type { InternetRequest } from '../internet/internet';
import { reached } from '../limits';
import type { Message, MessageKind } from '../messages';
import { say } from '../messages';
import type { Random } from '../random';
import type { Caller, HostHalf, Later, World } from '../service';
import { later, ServiceException } from '../service';
import type { FetchCalls, FetchRequest, FetchResponse } from './url-fetch';

/** "Quotas for Google services" and the reference of UrlFetchApp. */
const URL_LENGTH_MAX = 2_082;
const HEADERS_MAX = 100;
const HEADERS_BYTES_MAX = 8 * 1024;
const BODY_BYTES_MAX = 50 * 1024 * 1024;

/** The time-out of a request if `timeoutSeconds` has no effect. */
const FIXED_TIMEOUT_SECONDS = 60;

/** How many requests of one fetchAll run at once, as users estimate it. */
const IN_FLIGHT_MAX = 20;

/**
 * The error for too many calls suggests pauses of a second. Google does not say how long the
 * counted period is.
 */
const SHORT_TIME_MS = 10_000;

/** How many characters of an answer the exception for an HTTP error quotes. */
const QUOTED_MAX = 500;

/** The methods that the reference of UrlFetchApp lists. Scripts write them in any case. */
const METHODS = ['GET', 'DELETE', 'PATCH', 'POST', 'PUT'];

/**
 * Google sets these headers itself and refuses a script's own. It also refuses the values null and
 * undefined. Users report "Header:Host", "Header:Content-Length" and, where a stored key is
 * missing, "Header:null".
 */
const OWN_HEADERS = ['host', 'content-length'];
const NO_VALUES = ['null', 'undefined'];

const USER_AGENT = 'Mozilla/5.0 (compatible; Google-Apps-Script; beanserver)';

const FAULT_MESSAGE: Readonly<Record<Fault, MessageKind>> = {
  dns: 'dns-error',
  unavailable: 'address-unavailable',
  timeout: 'timeout',
};

export interface FetchStore {
  /** Requests counted today against a user. */
  readonly requestsToday: (userEmail: string) => number;
}

function bodyOf({ payload }: FetchRequest): Uint8Array {
  if (payload?.kind === 'text') return Buffer.from(payload.text, 'utf8');
  if (payload?.kind === 'bytes') return Buffer.from(payload.binary, 'latin1');
  return Buffer.from(new URLSearchParams(payload?.fields ?? {}).toString(), 'utf8');
}

function contentTypeOf({ contentType, payload }: FetchRequest): string | null {
  if (contentType !== null || payload === null) return contentType;
  const own = payload.kind === 'bytes' ? payload.contentType : null;
  return own ?? 'application/x-www-form-urlencoded';
}

function headersOf(request: FetchRequest): Record<string, string> {
  const given = Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]);
  const headers: Record<string, string> = Object.fromEntries(given);
  const contentType = contentTypeOf(request);
  if (contentType !== null) headers['content-type'] ??= contentType;
  if (request.contentType !== null) headers['content-type'] = request.contentType;
  return { ...headers, 'user-agent': USER_AGENT };
}

/** An address without a scheme counts as http, as in a browser's address bar. */
function addressOf(url: string): string {
  const address = /^[a-z][a-z\d+.-]*:(?!\d)/i.test(url) ? url : `http://${url}`;
  if (URL.canParse(address) && /^https?:\/\/[^/]/i.test(address)) return address;
  throw new ServiceException(say('invalid-argument', url));
}

function checkAttributes({ method, headers }: FetchRequest): void {
  const refuse = (attribute: string) => {
    throw new ServiceException(say('invalid-attribute', attribute));
  };
  if (method !== null && !METHODS.includes(method)) refuse('method');
  for (const [name, value] of Object.entries(headers)) {
    if (OWN_HEADERS.includes(name.toLowerCase())) refuse(`Header:${name}`);
    if (NO_VALUES.includes(value)) refuse(`Header:${value}`);
  }
}

/** The request that goes out. Throws the exception that Apps Script throws before sending. */
function prepared(request: FetchRequest): InternetRequest {
  if (request.url.length > URL_LENGTH_MAX) {
    throw new ServiceException(say('limit-exceeded', 'URLFetch URL Length'), {
      name: 'characters of an address',
      value: URL_LENGTH_MAX,
    });
  }
  const url = addressOf(request.url);
  checkAttributes(request);
  const headers = headersOf(request);
  const headersBytes = Buffer.byteLength(Object.entries(request.headers).flat().join(''));
  if (Object.keys(request.headers).length > HEADERS_MAX || headersBytes > HEADERS_BYTES_MAX) {
    throw new ServiceException(say('limit-exceeded', 'URLFetch header Size'), {
      name: 'bytes of headers',
      value: HEADERS_BYTES_MAX,
    });
  }
  const body = bodyOf(request);
  if (body.length > BODY_BYTES_MAX) {
    throw new ServiceException(say('limit-exceeded', 'URLFetch POST Size'), {
      name: 'bytes of a request',
      value: BODY_BYTES_MAX,
    });
  }
  const method = request.method ?? (request.payload ? 'POST' : 'GET');
  return { url, method, headers, body, timeoutMs: request.timeoutSeconds * 1_000 };
}

function responseOf({ status, headers, body }: Answer): FetchResponse {
  const buffer = Buffer.from(body);
  const text = buffer.toString('utf8');
  const isText = Buffer.from(text, 'utf8').equals(buffer);
  return { status, headers, text, binary: isText ? null : buffer.toString('latin1') };
}

/** The response to one request, or the message of the exception that it causes. */
function judged(request: FetchRequest, end: ExchangeEnd): FetchResponse | Message {
  if (end.kind === 'failed') {
    const hint = end.hint === undefined ? '' : ` (${end.hint})`;
    return say(FAULT_MESSAGE[end.fault], request.url + hint);
  }
  if (end.answer.body.length > BODY_BYTES_MAX) {
    return say('limit-exceeded', 'URLFetch Response Size');
  }
  const response = responseOf(end.answer);
  if (response.status < 400 || request.muteHttpExceptions) return response;
  const { origin } = new URL(addressOf(request.url));
  const quoted = response.text.slice(0, QUOTED_MAX);
  return say('http-error', origin, response.status, quoted);
}

function isMessage(result: FetchResponse | Message): result is Message {
  return Array.isArray(result);
}

/** An address without its query, which may carry something that must not appear in a trace. */
function shownUrl(url: string): string {
  return url.split(/[?#]/, 1)[0] ?? '';
}

interface Outgoing {
  readonly request: FetchRequest;
  readonly prepared: InternetRequest;
}

/** Sends one request after Google's sending delay. The returned function cancels it. */
function sendOne(
  { scheduler, internet, latency, record }: World,
  random: Random,
  caller: Caller,
  { request, prepared }: Outgoing,
  done: (result: FetchResponse | Message) => void,
): () => void {
  const url = shownUrl(prepared.url);
  let callOff = scheduler.at(scheduler.nowMs() + latency.sendMs(random), () => {
    record(caller, 'http', `${prepared.method} ${url}`);
    const { followRedirects } = request;
    callOff = exchange(prepared, {
      scheduler,
      internet,
      followRedirects,
      done: (end) => {
        record(caller, 'http', `${end.kind === 'failed' ? end.fault : end.answer.status} ${url}`);
        done(judged(request, end));
      },
    });
  });
  return () => callOff();
}

/** Waits for all requests. Then the first failure fails the whole batch. */
function sendAll(
  send: (outgoing: Outgoing, done: (result: FetchResponse | Message) => void) => () => void,
  batch: readonly Outgoing[],
): Later<readonly FetchResponse[]> {
  return later((settle) => {
    const results: (FetchResponse | Message)[] = [];
    const callsOff: (() => void)[] = [];
    let started = 0;
    let finished = 0;
    const finish = () => {
      const failed = results.find(isMessage);
      if (failed !== undefined) settle.exception(failed);
      else settle.value(results.flatMap((result) => (isMessage(result) ? [] : [result])));
    };
    const startNext = () => {
      const place = started;
      const outgoing = batch[place];
      if (!outgoing) return;
      started += 1;
      callsOff[place] = send(outgoing, (result) => {
        results[place] = result;
        finished += 1;
        if (finished === batch.length) finish();
        else startNext();
      });
    };
    if (batch.length === 0) finish();
    for (let slot = 0; slot < IN_FLIGHT_MAX; slot += 1) startNext();
    return () => {
      for (const callOff of callsOff) callOff();
    };
  });
}

export function createUrlFetchHost(world: World): {
  readonly half: HostHalf<FetchCalls>;
  readonly store: FetchStore;
} {
  const random = world.random('urlFetch');
  const quota = createDailyQuota(world.scheduler.nowMs, world.limits.urlFetchPerDay);
  const crowd = createCrowd(world.scheduler.nowMs, world.limits.urlFetchInShortTime);
  const fixed = world.unknowns.timeoutsAreKept ? {} : { timeoutSeconds: FIXED_TIMEOUT_SECONDS };
  const fetchAll = (caller: Caller, requests: readonly FetchRequest[]) => {
    const timed = requests.map((request) => ({ ...request, ...fixed }));
    const batch = timed.map((request) => ({ request, prepared: prepared(request) }));
    if (!quota.allows(caller.userEmail, requests.length)) {
      throw new ServiceException(
        say('day-spent', 'urlfetch'),
        reached(world.limits, 'urlFetchPerDay'),
      );
    }
    if (!crowd.allows(caller.userEmail, requests.length)) {
      throw new ServiceException(
        say('hurried', 'urlfetch'),
        reached(world.limits, 'urlFetchInShortTime'),
      );
    }
    quota.count(caller.userEmail, requests.length);
    return sendAll((outgoing, done) => sendOne(world, random, caller, outgoing, done), batch);
  };
  const half: HostHalf<FetchCalls> = {
    operations: {
      'urlFetch.fetch': (caller, request) => first(fetchAll(caller, [request])),
      'urlFetch.fetchAll': fetchAll,
    },
    permission: (operation) => ({
      callName: operation.replace('urlFetch.', 'UrlFetchApp.'),
      modes: ['CUSTOM_FUNCTION', 'FULL'],
      anyScope: ['https://www.googleapis.com/auth/script.external_request'],
    }),
    shown: (_operation, [requests]) => (Array.isArray(requests) ? `${requests.length}` : '1'),
  };
  return { half, store: { requestsToday: quota.used } };
}

/** Counts what a user's scripts sent in the last seconds. Each request of a batch counts. */
function createCrowd(nowMs: () => number, most: number) {
  const recent = new Map<string, { readonly atMs: number; readonly count: number }[]>();
  return {
    /** Counts the requests if there is room for all of them. */
    allows(userEmail: string, count: number): boolean {
      const now = nowMs();
      const sent = (recent.get(userEmail) ?? []).filter(({ atMs }) => atMs > now - SHORT_TIME_MS);
      const isAllowed = sent.reduce((sum, each) => sum + each.count, count) <= most;
      recent.set(userEmail, isAllowed ? [...sent, { atMs: now, count }] : sent);
      return isAllowed;
    },
  };
}

/** The one response of a batch of one. */
function first(batch: Later<readonly FetchResponse[]>): Later<FetchResponse> {
  return later((settle) =>
    batch.begin({
      exception: settle.exception,
      value: ([response]) => {
        if (response) settle.value(response);
      },
    }),
  );
}
