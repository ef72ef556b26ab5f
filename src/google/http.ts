// Requests to the web: one, or a wave of them at once.

import { busy, type CallRefusal, isHurried, refusalIn, serviceCall } from './service-call';

export interface HttpRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as `application/x-www-form-urlencoded` in a POST. */
  readonly form: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
}

/** The result of one request. Header names are lower case. */
export type HttpOutcome =
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'timed-out' }
  /** The whole wave was lost because one of its requests failed; Google does not say which one. */
  | { readonly kind: 'lost-with-wave' }
  /** Google's daily allowance of calls is used up. */
  | { readonly kind: 'daily-limit' }
  /** The person has not allowed the add-on to call external services. */
  | { readonly kind: 'not-permitted' }
  /**
   * Google did not make the call, or lost its answer. `words` is Google's message in the person's
   * language.
   */
  | { readonly kind: 'google-busy'; readonly words: string };

/** The published types do not know `timeoutSeconds` yet. */
interface RequestOptions extends GoogleAppsScript.URL_Fetch.URLFetchRequestOptions {
  readonly timeoutSeconds: number;
}

/** Milliseconds that count as a whole second of a timeout, because two clocks differ a little. */
const NEARLY_MS = 900;

type FetchRequest = RequestOptions & { readonly url: string };

/** Sends a wave of requests at once. The outcomes come in the order of the requests. */
export function sendAll(requests: readonly HttpRequest[]): readonly HttpOutcome[] {
  const [only] = requests;
  if (only === undefined) return [];
  return requests.length === 1 ? [sendOne(only)] : sendWave(requests);
}

/**
 * Sends one request and never repeats it: only the engine can judge whether a failed call cost
 * something.
 */
function sendOne(request: HttpRequest): HttpOutcome {
  const { url, ...options } = fetchRequest(request);
  const startMs = Date.now();
  return serviceCall(
    () => outcomeOf(UrlFetchApp.fetch(url, options)),
    (words) => outcomeOfThrown(words, request, Date.now() - startMs),
  );
}

/**
 * Sends several requests at once. If one of them cannot be sent, the answers of the whole wave are
 * lost, even of requests that arrived.
 */
function sendWave(requests: readonly HttpRequest[]): readonly HttpOutcome[] {
  return serviceCall(
    () => UrlFetchApp.fetchAll(requests.map(fetchRequest)).map(outcomeOf),
    (words) => {
      const own = withoutAddresses(words, requests);
      // When Google complains of too many calls in a short time, no request has left.
      const refusal = refusalIn(own) ?? (isHurried(own) ? busy(own) : undefined);
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
    // UrlFetchApp sends an object as form fields with a form-encoded content type.
    payload: { ...request.form },
    headers: { ...request.headers },
    muteHttpExceptions: true,
    // A redirect would carry the key to another address.
    followRedirects: false,
    timeoutSeconds: request.timeoutSeconds,
  };
}

function outcomeOf(response: GoogleAppsScript.URL_Fetch.HTTPResponse): HttpOutcome {
  // Google returns several headers of one name as an array, and HTTP writes them as one header
  // joined by commas (RFC 9110 §5.3).
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
 * Google quotes the address in its message about a network fault, in every language. A timeout is
 * recognised by the time that passed.
 */
function outcomeOfThrown(words: string, request: HttpRequest, tookMs: number): HttpOutcome {
  const refusal = refusalIn(withoutAddresses(words, [request]));
  if (refusal !== undefined) return ofAll(refusal);
  if (tookMs >= request.timeoutSeconds * NEARLY_MS) return { kind: 'timed-out' };
  return words.includes(request.url) ? { kind: 'unreachable' } : ofAll(busy(words));
}

/** Removes the addresses before a message is searched, because an address may contain any word. */
function withoutAddresses(words: string, requests: readonly HttpRequest[]): string {
  return requests.reduce((rest, { url }) => rest.split(url).join(''), words);
}
