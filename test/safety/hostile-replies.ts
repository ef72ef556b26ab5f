// What a service could send to do harm or by mistake: seeded replies of every bad kind we know.

import type { Random } from 'apps-script-host/random';
import type { Market } from '../../src/product/market';

export interface HostileReply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** It says that it is about another product, market or currency than was asked for. */
  readonly lies?: true;
}

/** Has signs that are written in another way in addresses, in JSON, in HTML and in base64. */
export const SECRET = 'demo-key-a/b+c=d*e;f:g-4f2a';

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** In base64 a text looks different behind 0, 1 or 2 others; more repeat these. */
const BEFORE = ['', ':', 'k:'];

const SIGN = /[^\w-]/g;
const hexOf = (sign: string) => sign.charCodeAt(0).toString(16).padStart(2, '0');
const LAST_HALF = SECRET.slice(-Math.ceil(SECRET.length / 2));

/** What a service may say back, by the form of it. */
export const ECHOES: Readonly<Record<string, string>> = {
  plain: SECRET,
  'in an address': encodeURIComponent(SECRET),
  'in an address, to RFC 3986': SECRET.replace(SIGN, (sign) => `%${hexOf(sign)}`),
  'in an address in an address': encodeURIComponent(encodeURIComponent(SECRET)),
  'in JSON, with slashes': SECRET.replace('/', '\\/'),
  'in JSON, by number': SECRET.replace(SIGN, (sign) => `\\u00${hexOf(sign)}`),
  'in JSON in JSON': SECRET.replace(SIGN, (sign) => `\\\\u00${hexOf(sign)}`),
  'in HTML, by number': SECRET.replace(SIGN, (sign) => `&#${sign.charCodeAt(0)};`),
  'in HTML, in hex': SECRET.replace(SIGN, (sign) => `&#x${hexOf(sign).toUpperCase()};`),
  'in HTML, by name': SECRET.replace('/', '&sol;').replace('+', '&plus;').replace('=', '&equals;'),
  'its last half': `****${LAST_HALF}`,
  'its last half in an address': encodeURIComponent(LAST_HALF),
  ...Object.fromEntries(
    BEFORE.map((before) => [`base64 behind "${before}"`, base64(before + SECRET)]),
  ),
  'base64 in an address': encodeURIComponent(base64(SECRET)),
};
const FORMS = Object.values(ECHOES);

/** Of base64, the characters that are made of the key alone: each stands for six bits. */
const CODES = BEFORE.map((before) => {
  const [from, to] = [before.length, before.length + SECRET.length];
  return base64(before + SECRET).slice(Math.ceil((from * 8) / 6), Math.floor((to * 8) / 6));
}).map((sign) => sign.toLowerCase());

/** A text with its signs as they are, however often they were written in another way. */
function plainly(text: string): string {
  const sign = (_: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16));
  const plain = text
    .replace(/\\+u00([0-9a-f]{2})/g, sign)
    .replace(/%([0-9a-f]{2})/g, sign)
    .replace(/&#x([0-9a-f]+);/g, sign)
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replace(/&sol;/g, '/')
    .replace(/&plus;/g, '+')
    .replace(/&equals;/g, '=')
    .replace(/\\+\//g, '/');
  return plain === text ? text : plainly(plain);
}

/** How many forms of the key are in a text, in capitals or not. */
export function secretsIn(text: string): number {
  const lower = text.toLowerCase();
  const codes = CODES.filter((code) => lower.includes(code)).length;
  // Every other form ends with these four, which the page may show.
  return lower.includes('4f2a') && plainly(lower).includes(LAST_HALF) ? codes + 1 : codes;
}

const FORMULAS = ['=IMPORTXML("https://thief.example","//a")', '+1+1', '-1+1', '@SUM(A1)', '=1+1'];
const MARKUP = ['<script>alert(1)</script>', '<img src=x onerror=alert(1)>', '</textarea><b>'];
const ODD_TEXT = [
  ...['', ' ', '\u0000', '\u202E', '\uD800', '\uFEFF', '…', "'", '"', '\\', '\n', '😀'],
  ...['NaN', 'Infinity', '1e999', '-0', '12,5', '1,234.5', '%', '85 %', '$', '£1', 'n/a', '0x10'],
  ...['true', 'yes', 'needs_approval', 'gated', 'unknown', 'null', 'undefined', '[object Object]'],
  ...['rate limit exceeded', 'invalid api key', 'upgrade your plan', 'not found', 'javascript:x'],
];
const NUMBERS = [0, -0, -1, 1e13, 1e308, -1e308, 5e-324, 9007199254740991, 0.1, 25, 1150, -0.4123];

const KNOWN_NAMES = [
  ...['asin', 'profit', 'netProfit', 'roi', 'ROI%', 'fees', 'total_fees', 'eligible', 'can_sell'],
  ...['restrictions', 'rank_drops_30d', 'drops30', 'buy_price', 'cost', 'sell_price', 'price'],
  ...['data', 'result', 'prices', 'error', 'errors', 'message', 'success', 'ok', 'request_id'],
  ...['retry_after', 'tokensLeft', 'refillRate', 'total', 'code', 'detail', 'currency', 'market'],
];
const ODD_NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '', '0'];

const STATUSES = [
  ...[201, 202, 204, 206, 299, 300, 301, 302, 303, 304, 307, 308, 400, 401, 402, 403, 404, 405],
  ...[406, 408, 409, 410, 413, 415, 418, 422, 423, 429, 451, 499, 500, 501, 502, 503, 504, 599],
  ...[0, 100, 199, 600, 999],
];
const TYPES = ['application/json', 'text/html', 'text/plain; charset=utf-16', 'image/png', '', ';'];
const RATE_HEADERS = [
  ...['retry-after', 'ratelimit', 'ratelimit-policy', 'ratelimit-limit', 'ratelimit-remaining'],
  ...['ratelimit-reset', 'x-ratelimit-limit', 'x-ratelimit-reset', 'x-amzn-ratelimit-limit'],
  ...['x-request-id', 'x-amzn-requestid', '__proto__', 'location', 'www-authenticate'],
];
const RATE_VALUES = [
  ...['0', '-1', '1e999', 'NaN', '', ' ', '99999999999999999999', 'Thu, 99 Foo 2026', '5;w=0'],
  ...['"a";q=5;w=1', 'limit=10, remaining=-4, reset=1', '"a";r=0;t=1e400', ';;;,,,', '1.5', '3'],
];

/** An explicit text, the key in one of its forms, or something long. */
function text(random: Random): string {
  const draw = random.next();
  if (draw < 0.15) return `${random.pick(ODD_TEXT)}${random.pick(FORMS)}`;
  if (draw < 0.3) return random.pick(FORMULAS);
  if (draw < 0.4) return random.pick(MARKUP);
  if (draw < 0.45) return random.pick(['9', 'a', '<', '[', ' ', '\u0000']).repeat(1_500);
  return random.pick(ODD_TEXT);
}

function name(random: Random): string {
  const draw = random.next();
  if (draw < 0.7) return random.pick(KNOWN_NAMES);
  return draw < 0.9 ? random.pick(ODD_NAMES) : text(random).slice(0, 80);
}

function value(random: Random, depth: number): unknown {
  const draw = random.next();
  if (draw < 0.45) return text(random);
  if (draw < 0.65) return random.pick(NUMBERS);
  if (draw < 0.75 || depth === 0) return random.pick([null, true, false]);
  const size = random.integer(0, 3);
  if (draw < 0.85) return Array.from({ length: size }, () => value(random, depth - 1));
  return members(random, size, depth - 1);
}

/** `fromEntries` and `stringify` both treat `__proto__` as the name that it is here. */
function members(random: Random, size: number, depth: number): object {
  return Object.fromEntries(
    Array.from({ length: size }, () => [name(random), value(random, depth)]),
  );
}

/** A good answer of which some parts are not. */
function nearlyGood(random: Random, asin: string): object {
  const good = { asin, profit: 9.85, roi: 0.8565, fees: 11.65, eligible: true, rank_drops_30d: 12 };
  const parts = Object.entries({ ...good, buy_price: 11.5, sell_price: 33 });
  const spoilt = parts.map(([own, figure]) => [
    own,
    random.chance(0.08) ? value(random, 2) : figure,
  ]);
  return { ...Object.fromEntries(spoilt), ...members(random, random.integer(0, 5), 2) };
}

const OTHER_ASIN = 'B0THERTH1NG';

/** An answer that would do, but for what it says it is about. */
function lie(random: Random, asin: string, market: Market): string {
  const other = OTHER_ASIN.slice(0, 10);
  const foreign = market === 'US' ? 'GBP' : 'USD';
  const sign = market === 'US' ? '£' : '$';
  const said: object = random.pick([
    { asin: other },
    { asin: [other] },
    { asin: [asin, other] },
    { asin: { value: other } },
    { asin: 306_406_152 },
    { ASIN: other },
    { asin: null, data: { asin: other } },
    { asin, product: { asin: other } },
    { asin, item: { Asin: other } },
    { data: { product: { asin: other } } },
    { product: other },
    { item_id: other },
    { request: { params: { asin: other } } },
    { market: 'DE' },
    { marketplace: 'amazon.de' },
    { market: market === 'US' ? 'GB' : 'us' },
    { market: market === 'US' ? 'en-GB' : 'en-US' },
    { query: { marketplace_code: market === 'US' ? 'Amazon UK' : 'Amazon US' } },
    { currency: foreign },
    { data: { currencyCode: foreign.toLowerCase() } },
    { profit: `${sign}9.85` },
    { fees: { referral: `${foreign} 2.50` } },
    { fees: { total: 2.5, currency: foreign } },
    { currencySymbol: sign },
    { currency: market === 'US' ? 'British pounds' : 'US dollars' },
  ]);
  const rest = JSON.stringify({ ...nearlyGood(random, asin), ...said });
  return random.chance(0.9) ? rest : `{"asin":"${other}",${JSON.stringify({ asin }).slice(1)}`;
}

/** JSON that no program writes: broken off, with a wrong letter, or with numbers that are none. */
function damaged(random: Random, json: string): string {
  const at = random.integer(0, json.length);
  const draw = random.next();
  if (draw < 0.3) return json.slice(0, at);
  if (draw < 0.5)
    return json.slice(0, at) + random.pick(['"', '}', ',', '\u0000']) + json.slice(at);
  if (draw < 0.6) return `\uFEFF${json}`;
  const odd = random.pick(['1e999', '-1e999', 'NaN', 'Infinity', '01', '1.', '0x1F', 'undefined']);
  return json.replace(/-?\d+(\.\d+)?/, odd);
}

function bodyOf(random: Random, asin: string): string {
  const draw = random.next();
  if (draw < 0.5) return JSON.stringify(nearlyGood(random, asin));
  if (draw < 0.6) return damaged(random, JSON.stringify(nearlyGood(random, asin)));
  if (draw < 0.7) return JSON.stringify(members(random, 4, 3));
  if (draw < 0.78) return JSON.stringify({ error: value(random, 3), message: text(random) });
  if (draw < 0.86) return JSON.stringify(value(random, 3));
  if (draw < 0.9) return `<!doctype html><p>${text(random)}</p>`;
  if (draw < 0.93) return nested(random);
  return random.pick([...ODD_TEXT, ...FORMULAS, ...FORMS, '{}', '[]', 'null', '""', '0']);
}

function nested(random: Random): string {
  const depth = random.integer(30, 400);
  const [open, close] = random.pick([['[', ']'] as const, ['{"fees":', '}'] as const]);
  const deep = open.repeat(depth) + (open === '[' ? '' : '1') + close.repeat(depth);
  return `{"profit":1,"${random.pick(KNOWN_NAMES)}":${deep}}`;
}

function headersOf(random: Random): Readonly<Record<string, string>> {
  const type = ['content-type', random.pick(TYPES)];
  const others = Array.from({ length: random.integer(0, 3) }, () => [
    random.pick(RATE_HEADERS),
    random.chance(0.2) ? random.pick(FORMS) : random.pick(RATE_VALUES),
  ]);
  return Object.fromEntries([type, ...others]);
}

export function hostileReply(random: Random, asin: string, market: Market = 'US'): HostileReply {
  const status = random.chance(0.7) ? 200 : random.pick(STATUSES);
  if (random.chance(0.1))
    return { status, headers: headersOf(random), body: lie(random, asin, market), lies: true };
  return { status, headers: headersOf(random), body: bodyOf(random, asin) };
}
