// HTTP of Apps Script.

import type { Http, HttpOutcome, HttpRequest } from '../ports';
import { refusalOf } from './refusal';

/** `timeoutSeconds` is newer than the published types. */
interface RequestOptions extends GoogleAppsScript.URL_Fetch.URLFetchRequestOptions {
  readonly timeoutSeconds: number;
}

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

function sendOne(request: HttpRequest): HttpOutcome {
  const { url, ...options } = fetchRequest(request);
  try {
    return outcomeOf(UrlFetchApp.fetch(url, options));
  } catch (error) {
    return outcomeOfThrown(error);
  }
}

/** One request that cannot be sent loses the answers of the whole wave, whatever their state. */
function sendWave(requests: readonly HttpRequest[]): readonly HttpOutcome[] {
  try {
    return UrlFetchApp.fetchAll(requests.map(fetchRequest)).map(outcomeOf);
  } catch (error) {
    const outcome = outcomeOfThrown(error);
    const isOfAll = outcome.kind === 'daily-limit' || outcome.kind === 'not-permitted';
    const lost: HttpOutcome = isOfAll ? outcome : { kind: 'lost-with-wave' };
    return requests.map(() => lost);
  }
}

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
  const headers = Object.entries(response.getAllHeaders()).map(
    ([name, value]) =>
      [name.toLowerCase(), String(Array.isArray(value) ? value[0] : value)] as const,
  );
  return {
    kind: 'response',
    status: response.getResponseCode(),
    headers: Object.fromEntries(headers),
    body: response.getContentText(),
  };
}

/** The message may quote the address, so it is only looked at, never passed on. */
function outcomeOfThrown(error: unknown): HttpOutcome {
  const message = error instanceof Error ? error.message : String(error);
  if (/for one day: urlfetch/i.test(message)) return { kind: 'daily-limit' };
  if (refusalOf(error) === 'not-permitted') return { kind: 'not-permitted' };
  return /time(d)?.?out/i.test(message) ? { kind: 'timed-out' } : { kind: 'unreachable' };
}
