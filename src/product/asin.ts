// A product by its ASIN, read from codes, ISBNs and links.

import { type Failure, fail } from '../failures/failure';
import type { AsinProblem } from '../failures/failure-text';
import { isMarket, MARKETS, type Market, marketOfHost, marketRow } from './market';

export interface Product {
  readonly asin: string;
  readonly market: Market;
}

/** A product that has long been sold: what a check asks for, and what an example shows. */
export const USUAL_ASIN = 'B07FZ8S74R';

/** A sample says what it is, wherever its row is copied to; Amazon gives out no such code. */
export const sampleAsin = (number: number): string => `B0SAMPLE${String(number).padStart(2, '0')}`;

/** The product as text, e.g. `B000000000|US`. Unique per product and safe in any cache name. */
export function productKey(product: Product): string {
  return `${product.asin}|${product.market}`;
}

/** The product that a key names, or null for text that is no key. */
export function productOfKey(key: string): Product | null {
  const [, asin, market] = /^([0-9A-Z]{10})\|(\w+)$/.exec(key) ?? [];
  return asin !== undefined && isMarket(market) ? { asin, market } : null;
}

/** Whether ten characters (digits, the last may be X) are a valid ISBN-10. */
export function isIsbn10(text: string): boolean {
  return /^\d{9}[\dX]$/.test(text) && text.charAt(9) === isbn10CheckDigit(text.slice(0, 9));
}

/** Whether the last of these digits checks the others, as in every EAN, UPC and ISBN-13. */
export function isGtin(digits: string): boolean {
  const sum = [...digits]
    .reverse()
    .reduce((total, digit, i) => total + Number(digit) * (i % 2 ? 3 : 1), 0);
  return sum % 10 === 0;
}

/** The ISBN-10 of an ISBN-13; null for the 979 range, which has none. */
export function isbn10Of(isbn13: string): string | null {
  if (!isbn13.startsWith('978')) return null;
  const body = isbn13.slice(3, 12);
  return body + isbn10CheckDigit(body);
}

/** Weights 10 down to 2 over nine digits; the check digit makes the sum divisible by 11. */
function isbn10CheckDigit(body: string): string {
  const sum = [...body].reduce((total, digit, i) => total + Number(digit) * (10 - i), 0);
  const check = (11 - (sum % 11)) % 11;
  return check === 10 ? 'X' : String(check);
}

export interface AsinReading {
  readonly asin: string;
  /**
   * Where the ASIN did not stand in the cell as such: how it was found.
   * `unsure`: it has ten characters, and may as well be a stock number, a phone number or the like.
   * A bulk run shows it. `barcode`: the spreadsheet's own tab says so.
   */
  readonly repair: 'leading-zeros' | 'isbn-13' | 'link' | 'unsure' | 'barcode' | null;
  /** The market a link leads to. */
  readonly market: Market | null;
}

/** Longest piece of the input that is shown back to its author. */
const SHOWN_CHARS = 40;

/** What is no book's: a B, and digits or letters of which one is a digit. */
const PLAIN_CODE = /^B(?=.*\d)[0-9A-Z]{9}$/;

/** Those that are in use. */
const USUAL_CODE = /^B(0|T0)[0-9A-Z]{7,8}$/;
const isUsual = (code: string) => code.length === 10 && USUAL_CODE.test(code);

const ERROR_CELL = /^#(N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NUM!|NULL!|ERROR!)/;

/**
 * The ASIN in one cell's value, or a `bad-asin` failure. Pure; a blank input is the caller's to skip.
 */
export function readAsin(input: unknown): AsinReading | Failure {
  // Nearly every cell: what follows says the same, after a dozen patterns that are compiled anew.
  if (typeof input === 'string' && isUsual(input)) return plain(input);
  const text = visibleText(input).replace(/^'/, '');
  if (ERROR_CELL.test(text)) return bad(text, 'error-cell');
  if (/^loading(\.\.\.|…)$/i.test(text)) return bad(text, 'loading-cell');
  const reading = /[/]|^www\.|^amazon\./i.test(text) ? readLink(text) : readCode(text);
  // A barcode with two zeros in front is a number of ten digits, too.
  const isDoubtful = typeof input === 'number' && 'asin' in reading && isGtin(text);
  return isDoubtful && reading.repair === null ? { ...reading, repair: 'unsure' } : reading;
}

/** What is to stand in the cell instead, as text; null: it does already, or is no product. */
export function cleaned(cell: unknown): AsinReading | null {
  const reading = readAsin(cell);
  return 'asin' in reading && reading.asin !== cell ? reading : null;
}

/** Whether a cell counts as blank, as nothing can be seen in it: nothing is asked or shown for it. */
export function isBlank(input: unknown): boolean {
  return !/^[!-~]/.test(String(input ?? '')) && visibleText(input) === '';
}

/** The text without blanks around it and without characters of no width, which come with pasting. */
function visibleText(input: unknown): string {
  return String(input ?? '')
    .replace(/[\u200B-\u200F\u202A-\u202E\u2060\uFEFF]/g, '')
    .normalize('NFKC')
    .trim();
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

/** The code without what people and exports put around it: quotes, brackets, bullets, its name, ".0". */
const numberOf = (text: string) =>
  text
    .replace(/^["'“”‘’«([<{*•]+|["'“”‘’»)\]>}*,;.]+$/g, '')
    .replace(LABEL, '')
    .replace(/^(\d+)\.0$/, '$1');

/** Longer texts are no code; what looks for quotes at their end would take seconds. */
const CODE_CHARS_MAX = 1_000;

function readCode(text: string): AsinReading | Failure {
  if (text.length > CODE_CHARS_MAX) return bad(text, 'shape');
  const number = numberOf(text);
  const code = number.replace(BETWEEN, '').toUpperCase();
  const isNegative = /^[-\u2010-\u2015\u2212]/.test(text);
  if (/^\d+$/.test(code)) return isNegative ? bad(text, 'shape') : readDigits(code, number, text);
  if (isIsbn10(code)) return plain(code);
  if (/^\d{9}X$/.test(code)) return bad(text, 'check-digit');
  if (isUsual(code)) return plain(code);
  if (/^[0-9A-Z]{10}$/.test(code) && /\d/.test(code)) return plain(code, 'unsure');
  return bad(text, 'shape');
}

/** Country, publisher, title and check digit. */
const ISBN_GROUPS = /^\d{1,5}\D\d{1,7}\D\d{1,7}\D\d$/;

/**
 * A sheet keeps `0306406152` as the number 306406152, so 7 to 9 digits may have lost zeros. One in
 * eleven random numbers passes the check digit too: the repair is always told to the caller.
 */
function readDigits(digits: string, number: string, text: string): AsinReading | Failure {
  // What people have put in groups is no number that a sheet has made.
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
  // Of an UPC that was kept as a number, one zero is lost.
  if (![11, 12, 13, 14].includes(digits.length)) return bad(text, 'shape');
  return bad(text, isGtin(digits) ? 'barcode' : 'check-digit');
}

/**
 * What an EAN or UPC in a cell is known by, whatever zeros stand in front of it or were lost there;
 * null: there is none, or its check digit does not fit.
 */
export function gtinOf(cell: unknown): string | null {
  const text = visibleText(cell);
  if (text.length > GTIN_CHARS_MAX) return null;
  const number = numberOf(text);
  const digits = number.replace(BETWEEN, '');
  return /^\d/.test(number) && /^\d{8,14}$/.test(digits) && isGtin(digits)
    ? digits.replace(/^0+/, '')
    : null;
}

/** Whether it is nothing but a barcode: an EAN or UPC whose check digit fits. */
export function isBarcode(cell: unknown): boolean {
  const reading = readAsin(cell);
  return 'why' in reading && reading.why === 'barcode';
}

/** With its name in front, and in groups. */
const GTIN_CHARS_MAX = 40;

/** The longest name a host can have (RFC 1035); a longer one would be looked through for seconds. */
const HOST_CHARS_MAX = 253;

const SHORT_LINK_HOSTS = ['a.co', 'amzn.to', 'amzn.eu', 'amzn.com', 'amzn.asia'];

/** Path parts after which a product page names its ASIN, at once or after one part of text. */
const LINK_TOKENS = new Set(['dp', 'product', 'd', 'offer-listing', 'o', 'obidos', 'asin']);
const REVIEW_TOKEN = 'product-reviews';

/** Where a link ends, be it in a sentence, in brackets or within another link. */
const LINK_ENDS = /https?:\/\/|[\s"'<>()[\]{}|“”]+/i;

/** What a link within another one is written with. */
const ESCAPED = /%(2F|3A|3F|3D|26)/gi;

function readLink(text: string): AsinReading | Failure {
  const whole = text.replace(ESCAPED, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  const readings = whole
    .split(LINK_ENDS)
    .filter(Boolean)
    .map((one) => readAddress(one, text));
  const found = readings.filter((one) => 'asin' in one);
  const [first] = found;
  if (first && found.every(({ asin }) => asin === first.asin)) return first;
  const isTold = (one: AsinReading | Failure) => 'why' in one && one.why !== 'link-without-asin';
  const told = found.length === 0 ? readings.find(isTold) : undefined;
  return told ?? bad(text, 'link-without-asin');
}

function readAddress(address: string, text: string): AsinReading | Failure {
  const host = (address.split(/[/?#]/)[0] ?? '').toLowerCase();
  if (host.length > HOST_CHARS_MAX) return bad(text, 'link-without-asin');
  if (SHORT_LINK_HOSTS.includes(host.replace(/^www\./, ''))) return bad(text, 'short-link');
  const keepa = /^(?:www\.)?keepa\.com\/#!product\/(\d+)-([0-9A-Z]{10})(?![0-9A-Z])/i.exec(address);
  if (keepa) return fromKeepa(text, keepa[1] ?? '', keepa[2] ?? '');
  const isAmazon = /(^|\.)amazon\.[a-z.]+$/.test(host);
  const market = marketOfHost(host.replace(/^.*\.(?=amazon\.)/, ''));
  if (isAmazon && market === null) return bad(text, 'other-market');
  const asin = asinInPath(address);
  return asin === null ? bad(text, 'link-without-asin') : { asin, repair: 'link', market };
}

function fromKeepa(text: string, domain: string, code: string): AsinReading | Failure {
  const market = MARKETS.find((one) => String(marketRow(one).keepa) === domain);
  if (market === undefined) return bad(text, 'other-market');
  return { asin: code.toUpperCase(), repair: 'link', market };
}

/** A bare "ten characters after a slash" would take words for ASINs, so a known part must precede. */
function asinInPath(address: string): string | null {
  const asked = address.slice(address.search(/[?&]|$/));
  const named = /(?:\basin=|\/(?:dp|product)\/)([0-9A-Z]{10})(?![0-9A-Z])/i.exec(asked)?.[1];
  const parts = (address.split(/[?#]/)[0] ?? '').split('/').slice(1);
  const at = parts.findIndex((part, i) => isLinkToken(part) && nextAsin(parts, i) !== null);
  const found = at < 0 ? (named ?? null) : nextAsin(parts, at);
  return found === null ? null : found.toUpperCase();
}

function isLinkToken(part: string): boolean {
  const token = part.toLowerCase();
  return LINK_TOKENS.has(token) || token === REVIEW_TOKEN;
}

/** Of two parts the later one: the one before it is a text about the product, like "bluetooth5". */
function nextAsin(parts: readonly string[], tokenAt: number): string | null {
  for (const part of parts.slice(tokenAt + 1, tokenAt + 3).reverse()) {
    const code = (part.split('&')[0] ?? '').toUpperCase();
    if (PLAIN_CODE.test(code)) return code;
    if (isIsbn10(code)) return code;
  }
  return null;
}
