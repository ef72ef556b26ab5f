// HTTP of Apps Script.

import type { CallRefusal, Http, HttpOutcome, HttpRequest } from '../ports';
import { busy, HURRIED, refusalIn, serviceCall } from './service-call';

/** `timeoutSeconds` is newer than the published types. */
interface RequestOptions extends GoogleAppsScript.URL_Fetch.URLFetchRequestOptions {
  readonly timeoutSeconds: number;
}

/** Of a second: clocks differ a little. */
const NEARLY_MS = 900;

type FetchRequest = RequestOptions & { readonly url: string };

export function appsScriptHttp(): Http {
  return {
    sendAll(requests) {
      const [only] = requests;
      if (only === undefined) return [];
      return requests.length === 1 ? [sendOne(only)] : sendWave(requests);
    },
  };
}

/** Never made again here: whether a call that failed has cost something, only the engine can weigh. */
function sendOne(request: HttpRequest): HttpOutcome {
  const { url, ...options } = fetchRequest(request);
  const startMs = Date.now();
  return serviceCall(
    () => outcomeOf(UrlFetchApp.fetch(url, options)),
    (words) => outcomeOfThrown(words, request, Date.now() - startMs),
  );
}

/** One request that cannot be sent loses the answers of the whole wave, whatever their state. */
function sendWave(requests: readonly HttpRequest[]): readonly HttpOutcome[] {
  return serviceCall(
    () => UrlFetchApp.fetchAll(requests.map(fetchRequest)).map(outcomeOf),
    (words) => {
      const own = withoutAddresses(words, requests);
      // Of too many in a short time none has left.
      const refusal = refusalIn(own) ?? (HURRIED.test(own) ? busy(own) : undefined);
      const lost = refusal === undefined ? ({ kind: 'lost-with-wave' } as const) : ofAll(refusal);
      return requests.map(() => lost);
    },
  );
}

const ofAll = (refusal: CallRefusal): HttpOutcome =>
  refusal.kind === 'google-limit' ? { kind: 'daily-limit' } : refusal;

function fetchRequest(request: HttpRequest): FetchRequest {
  return {
    url: request.url,
    method: 'post',
    // An object becomes form fields; the content type is then form-encoded.
    payload: { ...request.form },
    headers: { ...request.headers },
    muteHttpExceptions: true,
    // A redirect would carry the key to wherever it points.
    followRedirects: false,
    timeoutSeconds: request.timeoutSeconds,
  };
}

function outcomeOf(response: GoogleAppsScript.URL_Fetch.HTTPResponse): HttpOutcome {
  // Of several of one name Google makes an array, which HTTP writes as one with commas (RFC 9110 §5.3).
  const headers = Object.entries(response.getAllHeaders()).map(
    ([name, value]) => [name.toLowerCase(), String(value)] as const,
  );
  return {
    kind: 'response',
    status: response.getResponseCode(),
    headers: Object.fromEntries(headers),
    body: response.getContentText(),
  };
}

/**
 * What went wrong on the way to an address is told with that address, in any language; that it took
 * too long, the clock tells.
 */
function outcomeOfThrown(words: string, request: HttpRequest, tookMs: number): HttpOutcome {
  const refusal = refusalIn(withoutAddresses(words, [request]));
  if (refusal !== undefined) return ofAll(refusal);
  if (tookMs >= request.timeoutSeconds * NEARLY_MS) return { kind: 'timed-out' };
  return words.includes(request.url) ? { kind: 'unreachable' } : ofAll(busy(words));
}

/** Somebody's address may hold any word. */
function withoutAddresses(words: string, requests: readonly HttpRequest[]): string {
  return requests.reduce((rest, { url }) => rest.split(url).join(''), words);
}
