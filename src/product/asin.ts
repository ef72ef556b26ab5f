// Reads a product's ASIN from codes, ISBNs and links.

import { type Failure, fail } from '../failures/failure';
import type { AsinProblem } from '../failures/problems';
import { visibleText } from './cell-text';
import { isMarket, MARKETS, type Market, marketOfHost, marketRow } from './market';

export interface Product {
  readonly asin: string;
  readonly market: Market;
}

/** A product that has been sold for years, used for checks and examples. */
export const USUAL_ASIN = 'B07FZ8S74R';

/**
 * The ASIN of a sample. It shows what it is wherever its row is copied, and Amazon issues no such
 * code.
 */
export const sampleAsin = (number: number): string => `B0SAMPLE${String(number).padStart(2, '0')}`;

/**
 * The product as text, e.g. `B000000000|US`. It is unique for each product and safe in any cache
 * name.
 */
export function productKey(product: Product): string {
  return `${product.asin}|${product.market}`;
}

/** The product that a key names; null for a text that is no key. */
export function productOfKey(key: string): Product | null {
  const [, asin, market] = /^([0-9A-Z]{10})\|(\w+)$/.exec(key) ?? [];
  return asin !== undefined && isMarket(market) ? { asin, market } : null;
}

/** Whether ten characters (digits, the last may be X) are a valid ISBN-10. */
export function isIsbn10(text: string): boolean {
  return /^\d{9}[\dX]$/.test(text) && text.charAt(9) === isbn10CheckDigit(text.slice(0, 9));
}

/** Whether the last digit is a correct check digit, as in every EAN, UPC and ISBN-13. */
function isGtin(digits: string): boolean {
  const sum = [...digits]
    .reverse()
    .reduce((total, digit, i) => total + Number(digit) * (i % 2 ? 3 : 1), 0);
  return sum % 10 === 0;
}

/** The ISBN-10 of an ISBN-13; null for the 979 range, which has no ISBN-10. */
export function isbn10Of(isbn13: string): string | null {
  if (!isbn13.startsWith('978')) return null;
  const body = isbn13.slice(3, 12);
  return body + isbn10CheckDigit(body);
}

/** Nine digits have the weights 10 down to 2; the check digit makes the sum divisible by 11. */
function isbn10CheckDigit(body: string): string {
  const sum = [...body].reduce((total, digit, i) => total + Number(digit) * (10 - i), 0);
  const check = (11 - (sum % 11)) % 11;
  return check === 10 ? 'X' : String(check);
}

export interface AsinReading {
  readonly asin: string;
  /**
   * How the ASIN was found if the cell does not hold it plainly; a bulk run shows this. `unsure`:
   * the text has ten characters but may as well be a stock number, a phone number or the like.
   */
  readonly repair: 'leading-zeros' | 'isbn-13' | 'link' | 'unsure' | null;
  /** The market that a link leads to. */
  readonly market: Market | null;
}

/** The longest piece of the input that is shown back to its author. */
const SHOWN_CHARS = 40;

/** An ASIN that is no ISBN: a B, then digits and letters with at least one digit. */
const PLAIN_CODE = /^B(?=.*\d)[0-9A-Z]{9}$/;

/** The forms in actual use. */
const USUAL_CODE = /^B(0|T0)[0-9A-Z]{7,8}$/;
export const isUsual = (code: string): boolean => code.length === 10 && USUAL_CODE.test(code);

const ERROR_CELL = /^#(N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!|ERROR!)/;

/**
 * The ASIN in one cell's value, or a `bad-asin` failure. Pure; callers skip blank inputs
 * themselves.
 */
export function readAsin(input: unknown): AsinReading | Failure {
  // This covers nearly every cell. The code below gives the same result after compiling a dozen
  // patterns.
  if (typeof input === 'string' && isUsual(input)) return plain(input);
  const text = visibleText(input).replace(/^'/, '');
  if (ERROR_CELL.test(text)) return bad(text, 'error-cell');
  if (/^loading(\.\.\.|…)$/i.test(text)) return bad(text, 'loading-cell');
  const reading = /[/]|^www\.|^amazon\./i.test(text) ? readLink(text) : readCode(text);
  if ('kind' in reading && namesTwo(text)) return bad(text, 'two-products');
  // A barcode with two leading zeros that was stored as a number also has ten digits.
  const isDoubtful = typeof input === 'number' && 'asin' in reading && isGtin(text);
  return isDoubtful && reading.repair === null ? { ...reading, repair: 'unsure' } : reading;
}

/** "B000000001 / B000000002" */
const namesTwo = (text: string): boolean =>
  new Set(
    text
      .toUpperCase()
      .split(/[^0-9A-Z]+/)
      .filter(isUsual),
  ).size > 1;

/**
 * The ASIN that should replace the cell's content; null if the cell already holds it or names no
 * product.
 */
export function cleaned(cell: unknown): AsinReading | null {
  const reading = readAsin(cell);
  return 'asin' in reading && reading.asin !== cell ? reading : null;
}

/** Whether a cell shows nothing and counts as blank: nothing is asked or displayed for it. */
export function isBlank(input: unknown): boolean {
  return !/^[!-~]/.test(String(input ?? '')) && visibleText(input) === '';
}

function bad(input: string, why: AsinProblem): Failure {
  return fail({ kind: 'bad-asin', input: input.slice(0, SHOWN_CHARS), why });
}

const plain = (asin: string, repair: AsinReading['repair'] = null): AsinReading => ({
  asin,
  repair,
  market: null,
});

const LABEL = /^(asin|isbn(-1[03])?|(ean|upc|gtin)(-\w\w?)?|barcode)(\s*[:#=]\s*|\s+)/i;
const BETWEEN = /[\s\-\u2010-\u2015]/g;

/**
 * The code without what people and exports put around it: quotes, brackets, bullets, a label, ".0".
 */
const numberOf = (text: string) =>
  text
    .replace(/^["'“”‘’«([<{*•]+|["'“”‘’»)\]>}*,;.]+$/g, '')
    .replace(LABEL, '')
    .replace(/^(\d+)\.0$/, '$1');

/** A longer text is no code, and searching it for quotes at its end would take seconds. */
const CODE_CHARS_MAX = 1_000;

function readCode(text: string): AsinReading | Failure {
  if (text.length > CODE_CHARS_MAX) return bad(text, 'shape');
  const number = numberOf(text);
  if (hasLostDigits(number)) return bad(text, 'lost-digits');
  const code = number.replace(BETWEEN, '').toUpperCase();
  const isNegative = /^[-\u2010-\u2015\u2212]/.test(text);
  if (/^\d+$/.test(code)) return isNegative ? bad(text, 'shape') : readDigits(code, number, text);
  if (isIsbn10(code)) return plain(code);
  if (/^\d{9}X$/.test(code)) return bad(text, 'check-digit');
  if (isUsual(code)) return plain(code);
  // An address such as "12 Dock Road" and a word such as "Warehouse1" are no codes.
  if (/^[0-9A-Z]{10}$/.test(number) && /\d/.test(number)) return plain(number, 'unsure');
  return bad(text, 'shape');
}

/** "9.78014E+12", as programs write long numbers in narrow columns. */
const SHORTENED = /^(\d)(?:[.,](\d+))?E\+?(\d{1,2})$/i;

/** Programs keep this many digits of a number that they shorten. */
const DIGITS_KEPT = 6;

/**
 * Whether a code went through a program that shortens long numbers: 9.78014E+12 comes back as
 * 9780140000000, and one in ten of those is the number of another book. Of real codes, one in
 * 100,000 ends like that.
 */
function hasLostDigits(number: string): boolean {
  const [, first, more = '', exponent] = SHORTENED.exec(number) ?? [];
  if (first !== undefined) return more.length < Number(exponent);
  const digits = number.replace(/0+$/, '').length;
  const isShortened = number.length - digits >= DIGITS_KEPT || digits <= DIGITS_KEPT;
  return /^[1-9]\d{10,13}$/.test(number) ? isShortened : /^[1-9]\d*0{6}$/.test(number);
}

/** Groups: country, publisher, title, check digit. */
const ISBN_GROUPS = /^\d{1,5}\D\d{1,7}\D\d{1,7}\D\d$/;

/**
 * Reads a text of digits. A sheet stores `0306406152` as the number 306406152, so 7 to 9 digits may
 * have lost zeros. One in eleven random numbers passes the check digit as well, so the caller
 * always learns of the repair.
 */
function readDigits(digits: string, number: string, text: string): AsinReading | Failure {
  // A number that a person typed in groups was not produced by a sheet, so it has lost no zeros.
  const isWhole = digits === number;
  if (digits.length >= 7 && digits.length <= 9) {
    const padded = digits.padStart(10, '0');
    if (isWhole && isIsbn10(padded)) return plain(padded, 'leading-zeros');
    if (digits.length === 8) return bad(text, isGtin(digits) ? 'barcode' : 'check-digit');
    return bad(text, isWhole ? 'check-digit' : 'shape');
  }
  if (digits.length === 10) {
    if (!isIsbn10(digits)) return bad(text, 'check-digit');
    return plain(digits, isWhole || ISBN_GROUPS.test(number) ? null : 'unsure');
  }
  if (digits.length === 13 && /^97[89]/.test(digits)) {
    if (!isGtin(digits)) return bad(text, 'check-digit');
    const isbn10 = isbn10Of(digits);
    return isbn10 === null ? bad(text, 'no-isbn-10') : plain(isbn10, 'isbn-13');
  }
  // A UPC that was stored as a number has lost one zero.
  if (![11, 12, 13, 14].includes(digits.length)) return bad(text, 'shape');
  return bad(text, isGtin(digits) ? 'barcode' : 'check-digit');
}

/** Whether the cell holds nothing but a barcode: an EAN or UPC with a correct check digit. */
export function isBarcode(cell: unknown): boolean {
  const reading = readAsin(cell);
  return 'why' in reading && reading.why === 'barcode';
}

/** The longest possible host name (RFC 1035); searching a longer text would take seconds. */
const HOST_CHARS_MAX = 253;

const SHORT_LINK_HOSTS = ['a.co', 'amzn.to', 'amzn.eu', 'amzn.com', 'amzn.asia'];

/**
 * Path parts that precede the ASIN in links to products, with at most one part of text in between.
 */
const LINK_TOKEN = /^(dp|product|d|offer-listing|o|obidos|asin|product-reviews)$/i;

/** Keepa's links have the market's number in front: `#!product/1-B000000000`, `iframe_addon.html#1-0-B000000000`. */
const KEEPA =
  /^(?:www\.)?keepa\.com\/(?:#(?:!|%21)\w+\/|iframe_addon\.html#)(\d+)-(?:0-)?([0-9A-Z]{10})(?![0-9A-Z])/i;

/** What ends a link in a sentence, in brackets or within another link. */
const LINK_ENDS = /https?:\/\/|[\s"'<>()[\]{}|“”]+/i;

/** Escaped signs of a link that is part of another link, possibly escaped twice. */
const ESCAPED = /%(?:25)*(2F|3A|3F|3D|26)/gi;

/** Brackets within a link, as in `?search[term]=B000000000`. */
const BRACKETED = /[[\]](?==)|\[(?=\w{0,60}\]=)(?<=[?&]\w{1,60}\[)/g;

/** "a.co" */
const HOST_CHARS_MIN = 4;

/** "/d/B000000000" */
const PATH_CHARS_MIN = 13;

/**
 * Whether a piece of a text can be a link or a part of one that names an ASIN. Hardly any of the
 * thousands of words in a long text can, and reading them all would take 40 ms.
 */
const canBeLink = (piece: string): boolean =>
  piece.includes('.')
    ? piece.length >= HOST_CHARS_MIN
    : piece.length >= PATH_CHARS_MIN && /[/?&]/.test(piece);

function readLink(text: string): AsinReading | Failure {
  const whole = text
    .replace(ESCAPED, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(BRACKETED, '_');
  const readings = whole
    .split(LINK_ENDS)
    .filter(canBeLink)
    .map((address) => readAddress(address, text));
  const found = readings.filter((reading) => 'asin' in reading);
  const [first] = found;
  if (first && found.every(({ asin }) => asin === first.asin)) return first;
  const isTold = (reading: AsinReading | Failure) =>
    'why' in reading && reading.why !== 'link-without-asin';
  const told = found.length === 0 ? readings.find(isTold) : undefined;
  // "N/A" and the like have a slash and are no links.
  return told ?? bad(text, /\.|\/\/|\w{10}/.test(text) ? 'link-without-asin' : 'shape');
}

function readAddress(address: string, text: string): AsinReading | Failure {
  const host = (address.split(/[/?#:]/, 1)[0] ?? '').toLowerCase();
  if (host.length > HOST_CHARS_MAX) return bad(text, 'link-without-asin');
  if (SHORT_LINK_HOSTS.includes(host.replace(/^www\./, ''))) return bad(text, 'short-link');
  const [keepa, domain, code] = KEEPA.exec(address) ?? [];
  const market =
    keepa === undefined
      ? marketOfHost(host)
      : (MARKETS.find((candidate) => String(marketRow(candidate).keepa) === domain) ?? null);
  const isShop = keepa !== undefined || /(^|\.)amazon\.[a-z.]+$/.test(host);
  if (isShop && market === null) return bad(text, 'other-market');
  const asin = code?.toUpperCase() ?? asinInPath(address) ?? asinAsValue(address);
  return asin === null ? bad(text, 'link-without-asin') : { asin, repair: 'link', market };
}

/**
 * The ASIN in a link's path. A known part must precede it, since any ten characters after a slash
 * could be a word.
 */
function asinInPath(address: string): string | null {
  const asked = address.slice(address.search(/[?&]|$/));
  const named = /(?:\basin=|\/(?:dp|product)\/)([0-9A-Z]{10})(?![0-9A-Z])/i.exec(asked)?.[1];
  const parts = (address.split(/[?#]/, 1)[0] ?? '').split('/').slice(1);
  const [found] = parts.flatMap((part, at) =>
    LINK_TOKEN.test(part) ? (nextAsin(parts, at) ?? []) : [],
  );
  return found ?? named?.toUpperCase() ?? null;
}

/** What separates the values in an address. */
const SEPARATORS = /[/?#&=;,!:|]+/;

/**
 * The one usual ASIN that is a whole value in a link of any tool: `/gp/aod/B000000000`,
 * `?search=B000000000`, `#!offers/1-B000000000`.
 */
function asinAsValue(address: string): string | null {
  const [host = '', ...values] = address.split(SEPARATORS);
  if (!host.includes('.')) return null;
  const codes = values.map((value) => value.replace(/^\d{1,2}-/, '').toUpperCase()).filter(isUsual);
  const [first = null] = codes;
  return codes.every((code) => code === first) ? first : null;
}

/**
 * The ASIN in the two parts after a token. The later one is preferred, because the earlier one may
 * be text about the product, like "bluetooth5".
 */
function nextAsin(parts: readonly string[], tokenAt: number): string | null {
  for (const part of parts.slice(tokenAt + 1, tokenAt + 3).reverse()) {
    const code = (part.split('&', 1)[0] ?? '').toUpperCase();
    if (PLAIN_CODE.test(code) || isIsbn10(code)) return code;
  }
  return null;
}
