// UrlFetchApp's script half: turns options into plain requests and replies into response objects.

import type { SignedBytes } from '../realm/bytes';
import { binaryOfText, fromBinary, textOfBinary, toBinary } from '../realm/bytes';
import type { PartOf, ScriptHalf } from '../service';
import { createBlob } from './blob';

/** A request as it crosses to the host. */
export interface FetchRequest {
  readonly url: string;
  /** null: not specified. */
  readonly method: string | null;
  readonly contentType: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: FetchPayload | null;
  readonly muteHttpExceptions: boolean;
  readonly followRedirects: boolean;
  readonly timeoutSeconds: number;
}

export type FetchPayload =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'form'; readonly fields: Readonly<Record<string, string>> }
  /** One character per byte. */
  | { readonly kind: 'bytes'; readonly binary: string; readonly contentType: string | null };

export interface FetchResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly text: string;
  /** The bytes, one character each. null: the text alone restores them. */
  readonly binary: string | null;
}

export interface FetchCalls {
  'urlFetch.fetch': (request: FetchRequest) => FetchResponse;
  'urlFetch.fetchAll': (requests: readonly FetchRequest[]) => readonly FetchResponse[];
}

/** The reference lists this option since 2026, but the published types do not have it yet. */
interface FetchOptions extends GoogleAppsScript.URL_Fetch.URLFetchRequestOptions {
  readonly timeoutSeconds?: number;
}

const TIMEOUT_DEFAULT_SECONDS = 360;

type ResponseObject = Pick<
  GoogleAppsScript.URL_Fetch.HTTPResponse,
  'getAllHeaders' | 'getBlob' | 'getContent' | 'getContentText' | 'getHeaders' | 'getResponseCode'
>;

type UrlFetchObject = {
  fetch: (url: string, options?: FetchOptions | null) => ResponseObject;
  fetchAll: (requests: (string | (FetchOptions & { url: string }))[]) => ResponseObject[];
  getRequest: GoogleAppsScript.URL_Fetch.UrlFetchApp['getRequest'];
};

function isBlob(value: object): value is GoogleAppsScript.Base.Blob {
  return 'getBytes' in value;
}

function payloadOf(payload: unknown): FetchPayload | null {
  if (payload === undefined || payload === null) return null;
  if (typeof payload !== 'object') return { kind: 'text', text: String(payload) };
  if (Array.isArray(payload)) {
    return { kind: 'bytes', binary: toBinary(payload), contentType: null };
  }
  if (isBlob(payload)) {
    const binary = toBinary(payload.getBytes());
    return { kind: 'bytes', binary, contentType: payload.getContentType() };
  }
  const fields = Object.entries(payload).map(([name, value]) => [name, String(value)]);
  return { kind: 'form', fields: Object.fromEntries(fields) };
}

/**
 * Options that are null count as left out, because real scripts pass on what they were not given.
 */
function requestOf(url: string, given: FetchOptions | null = null): FetchRequest {
  const options = given ?? {};
  const headers = Object.entries(options.headers ?? {}).map(([name, value]) => [
    name,
    String(value),
  ]);
  return {
    url: String(url),
    method: options.method === undefined ? null : String(options.method).toUpperCase(),
    contentType: options.contentType ?? null,
    headers: Object.fromEntries(headers),
    payload: payloadOf(options.payload),
    muteHttpExceptions: options.muteHttpExceptions ?? false,
    followRedirects: options.followRedirects ?? true,
    timeoutSeconds: options.timeoutSeconds ?? TIMEOUT_DEFAULT_SECONDS,
  };
}

export const urlFetchScript: ScriptHalf<FetchCalls> = ({ call, guard }) => {
  const responseOf = (url: string, response: FetchResponse): ResponseObject => {
    const { status, headers, text, binary } = response;
    const bytes = (): SignedBytes => fromBinary(binary ?? binaryOfText(text));
    const contentText = (charset?: string) => {
      const isUtf8 = charset === undefined || /^utf-?8$/i.test(charset);
      return isUtf8 ? text : textOfBinary(binary ?? binaryOfText(text));
    };
    const single = Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : (value.at(-1) ?? ''),
    ]);
    return guard('HTTPResponse', {
      getResponseCode: () => status,
      getContentText: contentText,
      getContent: () => [...bytes()],
      getHeaders: () => Object.fromEntries(single),
      getAllHeaders: () => ({ ...headers }),
      getBlob: () => {
        const type = single.find(([name]) => /^content-type$/i.test(String(name)))?.[1];
        const [contentType] = String(type ?? '').split(';');
        const file = url.split(/[?#]/)[0]?.split('/').at(-1) || 'response';
        return createBlob(guard, binary ?? binaryOfText(text), contentType || null, file);
      },
    });
  };
  const UrlFetchApp: UrlFetchObject = guard('UrlFetchApp', {
    fetch: (url: string, options?: FetchOptions | null) =>
      responseOf(String(url), call('urlFetch.fetch', requestOf(url, options))),
    fetchAll: (requests: (string | (FetchOptions & { url: string }))[]) => {
      const plain = requests.map((request) =>
        typeof request === 'string' ? requestOf(request) : requestOf(request.url, request),
      );
      return call('urlFetch.fetchAll', plain).map((response, at) =>
        responseOf(plain[at]?.url ?? '', response),
      );
    },
    /** The reference names the members that are always there. */
    getRequest: (url: string, options: FetchOptions = {}) => {
      const method = String(options.method ?? 'get').toLowerCase() as 'get';
      const hasBody = !['get', 'delete'].includes(method);
      const contentType =
        options.contentType ?? (hasBody ? 'application/x-www-form-urlencoded' : undefined);
      return {
        ...options,
        url,
        method,
        headers: { ...options.headers },
        payload: options.payload ?? '',
        ...(contentType && { contentType }),
      };
    },
  } satisfies PartOf<GoogleAppsScript.URL_Fetch.UrlFetchApp>);
  return { UrlFetchApp };
};
