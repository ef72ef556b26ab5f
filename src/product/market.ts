// The table of markets: what each one is, and how typed text is recognised as one.

import { type Failure, fail } from '../failures/failure';
import { visibleText } from './cell-text';

interface MarketRow {
  /** The host of Amazon's shop. */
  readonly host: string;
  readonly currency: 'USD' | 'GBP';
  readonly sign: string;
  /** Keepa's number for it in links. */
  readonly keepa: number;
  /**
   * Every accepted name without points and spaces, in lower case. The ids are those of Amazon's
   * selling-partner API.
   */
  readonly spellings: readonly string[];
}

const TABLE = {
  US: {
    host: 'amazon.com',
    currency: 'USD',
    sign: '$',
    keepa: 1,
    spellings: ['us', 'usa', 'unitedstates', 'unitedstatesofamerica', 'com', 'atvpdkikx0der'],
  },
  UK: {
    host: 'amazon.co.uk',
    currency: 'GBP',
    sign: '£',
    keepa: 2,
    spellings: ['uk', 'gb', 'gbr', 'unitedkingdom', 'greatbritain', 'couk', 'a1f83g8c2aro7p'],
  },
} as const satisfies Readonly<Record<string, MarketRow>>;

export type Currency = MarketRow['currency'];

export type Market = keyof typeof TABLE;

export const MARKETS = Object.keys(TABLE) as [Market, ...Market[]];

/** The market of formulas that name none, unless a setting says otherwise. */
export const DEFAULT_MARKET: Market = 'US';

export const marketRow = (market: Market): MarketRow => TABLE[market];

export const isMarket = (text: unknown): text is Market => MARKETS.some((one) => one === text);

export const otherMarkets = (market: Market): readonly Market[] =>
  MARKETS.filter((one) => one !== market);

/** The name of a market in requests to the service. The contract names only `US`; a setting says that of the UK. */
export const wireNameOf = (market: Market, settings: { readonly ukMarket?: string }): string =>
  (market === 'UK' ? settings.ukMarket : undefined) ?? market;

const BETWEEN = '[\\s._-]*';
const BESIDE = '(the|amazon|amz|marketplace|market|store|site)';

/**
 * A pattern for the lower-case text of a cell that names the market: "us", "u.s.a.",
 * "amazon us", "amazonuk", "united states (amazon.com)". Only a host has a path behind it: "US/UK"
 * names no market.
 */
function marketPattern(market: Market): string {
  const { host, spellings } = marketRow(market);
  const names = spellings.map((name) => [...name].join(BETWEEN)).join('|');
  const name = `(${BESIDE}${BETWEEN})*${BETWEEN}(${names})${BETWEEN}(${BESIDE}${BETWEEN})*`;
  const shop = `(https?://)?((www|m|smile)\\.)?${host.replace(/\./g, '\\.')}(/.*)?`;
  return `^(${name}|${shop})\\s*(\\((${name}|${shop})\\))?$`;
}

const PATTERNS = MARKETS.map((market) => ({ market, pattern: new RegExp(marketPattern(market)) }));

/** A longer text names no market. */
const NAME_CHARS_MAX = 500;

/**
 * The market that `input` names, or a `bad-market` failure. For a blank input the caller uses its
 * default.
 */
export function readMarket(input: unknown): Market | Failure {
  const text = visibleText(input);
  const name = text.length > NAME_CHARS_MAX ? '' : text.toLowerCase();
  const named = PATTERNS.find(({ pattern }) => pattern.test(name));
  return named?.market ?? fail({ kind: 'bad-market', input: text.slice(0, 40) });
}

/** The market of an Amazon host; null for every other host, including Amazon in other countries. */
export function marketOfHost(host: string): Market | null {
  const shop = host.toLowerCase().replace(/^.*\.(?=amazon\.)/, '');
  return MARKETS.find((market) => marketRow(market).host === shop) ?? null;
}

/**
 * Signs, codes and names of currencies, once those of the market are taken out. What is left of
 * "C$" and "kr" is a letter or two.
 */
const OTHER_MONEY = /\p{Sc}|\b[A-Z]{3}\b|^\p{L}{1,2}$|EURO/u;

/** Whether an amount or the name of a currency, in upper case, is of another currency than the market's. */
export function isOtherMoney(word: string, market: Market): boolean {
  const { sign, currency } = marketRow(market);
  const rest = word.replace(new RegExp(`${currency}|(US)?[${sign}]`, 'g'), '');
  return OTHER_MONEY.test(rest) || (market === 'US' ? /POUND|STERLING/ : /DOLLAR/).test(rest);
}
