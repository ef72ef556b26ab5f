// The request by the contract, and taking its key out of whatever comes back.

import type { HttpRequest } from '../platform/ports';

/** What a request needs of the connection. */
export interface Access {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey: string;
}

/**
 * `POST {base_url}/v1/analyze`: analyzes one product.
 *
 * @param market the wire value, which the contract fixes for the US only.
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

/** Shorter ones are words that answers are made of. */
const KEY_CHARS_MIN = 8;

/** Deeper than any answer goes; what walks through one must not run out of stack. */
const DEPTH_MAX = 32;

/** What stands in the key's place. */
export const HIDDEN = '…';

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Six bits at a time, without an end that is not full. A key is ASCII, so a character is a byte. */
function base64(text: string): string {
  const bits = [...text].map((one) => one.charCodeAt(0).toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{6}/g) ?? []).map((six) => BASE64[Number.parseInt(six, 2)]).join('');
}

/** In base64 a text looks different by where it begins; its first characters are not its alone. */
function base64Forms(apiKey: string): readonly string[] {
  const places = ['', ' ', '  '].map((before) =>
    base64(before + apiKey).slice(Math.ceil((before.length * 8) / 6)),
  );
  return places.flatMap((form) => [form, form.replace(/\+/g, '-').replace(/\//g, '_')]);
}

/** Of the last key: an execution reads many answers with one. */
let latest: { readonly apiKey: string; readonly pattern: RegExp } | undefined;

/** Finds the key however it is written, in capitals or not. */
function keyPattern(apiKey: string): RegExp | undefined {
  if (apiKey.length < KEY_CHARS_MIN) return undefined;
  if (latest?.apiKey !== apiKey) latest = { apiKey, pattern: makePattern(apiKey) };
  return latest.pattern;
}

/** As it is and as base64; its second half, too, with which services mark a key, where it is long. */
function makePattern(apiKey: string): RegExp {
  const half = apiKey.length >> 1;
  const [first, second] = [written(apiKey.slice(0, half)), written(apiKey.slice(half))];
  const whole = apiKey.length - half < KEY_CHARS_MIN ? first + second : `(?:${first})?${second}`;
  return new RegExp([whole, ...base64Forms(apiKey).map(written)].join('|'), 'gi');
}

/**
 * A pattern of a text in which each sign may be as it is or as in JSON, addresses and HTML. How
 * often it was written so is bounded: a body of backslashes alone is read at once.
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

/** Text without the key; a short one is found only as it is. */
export function textWithoutKey(text: string, apiKey: string): string {
  const pattern = keyPattern(apiKey);
  if (pattern !== undefined) return text.replace(pattern, HIDDEN);
  return apiKey === '' ? text : text.split(apiKey).join(HIDDEN);
}

/** JSON without the key, in names too, and without what lies too deep to be part of an answer. */
export function jsonWithoutKey(json: unknown, apiKey: string): unknown {
  const pattern = keyPattern(apiKey);
  const clean = (text: string) => (pattern === undefined ? text : text.replace(pattern, HIDDEN));
  const walk = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') return clean(value);
    if (typeof value === 'number') return clean(String(value)) === String(value) ? value : null;
    if (typeof value !== 'object' || value === null) return value;
    if (depth === 0) return null;
    if (Array.isArray(value)) return value.map((one) => walk(one, depth - 1));
    const members = Object.entries(value);
    return Object.fromEntries(members.map(([name, one]) => [clean(name), walk(one, depth - 1)]));
  };
  return walk(json, DEPTH_MAX);
}
