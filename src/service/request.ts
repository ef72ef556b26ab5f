// The request of the contract, and the removal of its key from everything that comes back.

import type { HttpRequest } from '../google/platform';

/** The parts of a connection that a request needs. */
export interface Access {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey: string;
}

/**
 * `POST {base_url}/v1/analyze`: analyzes one product.
 *
 * @param market the wire value, which the contract fixes only for the US.
 */
export function analyzeRequest(
  access: Access,
  asin: string,
  market: string,
  timeoutSeconds: number,
): HttpRequest {
  return {
    url: `${access.baseUrl}/v1/analyze`,
    headers: { Authorization: `Bearer ${access.apiKey}`, Accept: 'application/json' },
    form: { asin, market },
    timeoutSeconds,
  };
}

/** A shorter key could be an ordinary word of an answer. */
const KEY_CHARS_MIN = 8;

/** Deeper than any answer. It keeps a recursive walk from exhausting the stack. */
const DEPTH_MAX = 32;

/** Replaces the key in texts. */
export const HIDDEN = '…';

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Base64 without an incomplete last character. A key is ASCII, so each character is one byte. */
function base64(text: string): string {
  const bits = [...text]
    .map((letter) => letter.charCodeAt(0).toString(2).padStart(8, '0'))
    .join('');
  return (bits.match(/.{6}/g) ?? []).map((six) => BASE64[Number.parseInt(six, 2)]).join('');
}

/**
 * The base64 forms of the key. They depend on the offset at which the key begins, and characters
 * that also encode the preceding text are left out.
 */
function base64Forms(apiKey: string): readonly string[] {
  const encodings = ['', ' ', '  '].map((before) =>
    base64(before + apiKey).slice(Math.ceil((before.length * 8) / 6)),
  );
  return encodings.flatMap((form) => [form, form.replace(/\+/g, '-').replace(/\//g, '_')]);
}

/** The pattern of the latest key, because an execution reads many answers with the same one. */
let latest: { readonly apiKey: string; readonly pattern: RegExp } | undefined;

/** A pattern that finds the key in any notation and any case; undefined for a short key. */
function keyPattern(apiKey: string): RegExp | undefined {
  if (apiKey.length < KEY_CHARS_MIN) return undefined;
  if (latest?.apiKey !== apiKey) latest = { apiKey, pattern: makePattern(apiKey) };
  return latest.pattern;
}

/**
 * Matches the key as it is and as base64. For a long key the second half is enough, because some
 * services show that half in place of the whole key.
 */
function makePattern(apiKey: string): RegExp {
  const half = apiKey.length >> 1;
  const first = written(apiKey.slice(0, half));
  const second = written(apiKey.slice(half));
  const whole = apiKey.length - half < KEY_CHARS_MIN ? first + second : `(?:${first})?${second}`;
  return new RegExp([whole, ...base64Forms(apiKey).map(written)].join('|'), 'gi');
}

/**
 * A pattern for a text in which each sign may be written as itself or escaped as in JSON, URLs and
 * HTML. Repeated escaping is bounded, so that even a body of nothing but backslashes is searched
 * quickly.
 */
function written(text: string): string {
  return text.replace(/[^0-9a-z]/gi, (sign) => {
    const code = sign.charCodeAt(0);
    const hex = code.toString(16).padStart(2, '0');
    const entity = `#0{0,4}${code}|#x0{0,4}${hex}|[a-z]{2,8}`;
    const slash = '\\\\{0,4}';
    return `(?:${slash}(?:\\x${hex}|u00${hex})|%(?:25){0,3}${hex}|&(?:amp;){0,3}(?:${entity});?)`;
  });
}

/** A text without the key. A short key is found only in its exact form. */
export function textWithoutKey(text: string, apiKey: string): string {
  const pattern = keyPattern(apiKey);
  if (pattern !== undefined) return text.replace(pattern, HIDDEN);
  return apiKey === '' ? text : text.split(apiKey).join(HIDDEN);
}

/**
 * JSON without the key, including member names, and without anything nested too deeply to be part
 * of an answer.
 */
export function jsonWithoutKey(json: unknown, apiKey: string): unknown {
  const pattern = keyPattern(apiKey);
  const clean = (text: string) => (pattern === undefined ? text : text.replace(pattern, HIDDEN));
  const walk = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') return clean(value);
    if (typeof value === 'number') return clean(String(value)) === String(value) ? value : null;
    if (typeof value !== 'object' || value === null) return value;
    if (depth === 0) return null;
    if (Array.isArray(value)) return value.map((item) => walk(item, depth - 1));
    const members = Object.entries(value);
    return Object.fromEntries(
      members.map(([name, member]) => [clean(name), walk(member, depth - 1)]),
    );
  };
  return walk(json, DEPTH_MAX);
}
