// The table of markets: what each one is, the tax of its sellers, and how typed text is recognised as
// one.

import { type Failure, fail } from '../failures/failure';
import { visibleText } from './cell-text';

interface CurrencyRow {
  readonly currency: string;
  readonly sign: string;
  /** How the sign of an amount is written, as a pattern for sheets as well. */
  readonly signs: string;
  /** Its names in upper case, as a pattern. */
  readonly names: string;
}

const USD = { currency: 'USD', sign: '$', signs: 'USD|US\\$|\\$', names: 'DOLLAR' } as const;
const GBP = { currency: 'GBP', sign: '£', signs: 'GBP|£', names: 'POUND|STERLING' } as const;

/** Ways to account for VAT. */
export type VatScheme = 'Not registered' | 'Standard' | 'Flat rate';

interface VatRate {
  readonly rate: number;
  /** How lists write it, as a pattern in upper case: the codes of suppliers and of accounting programs. */
  readonly codes: string;
}

/** In prices, costs and fees; what of it counts follows from the seller's scheme, which a person says. */
interface Vat {
  readonly kind: 'VAT';
  readonly schemes: readonly VatScheme[];
  /** What products bear, by their kind. A new profile has the first. */
  readonly rates: readonly [VatRate, ...VatRate[]];
  /** What services bear, as Amazon's fees, in percent: a formula that works everywhere has no decimals. */
  readonly feesPercent: number;
}

/** On costs alone, and by default none. */
interface SalesTax {
  readonly kind: 'sales tax';
}

interface MarketRow extends CurrencyRow {
  /** Its name within a sentence. */
  readonly named: string;
  /** The host of Amazon's shop. */
  readonly host: string;
  /** What a seller owes. */
  readonly tax: Vat | SalesTax;
  /** Keepa's number for it in links. */
  readonly keepa: number;
  /**
   * Every accepted name without points and spaces, in lower case. The ids are those of Amazon's
   * selling-partner API.
   */
  readonly spellings: readonly string[];
  /** The setting with the service's name for it; left out: the service calls it as we do. */
  readonly wireSetting?: 'ukMarket';
}

const TABLE = {
  US: {
    named: 'the US',
    host: 'amazon.com',
    ...USD,
    tax: { kind: 'sales tax' },
    keepa: 1,
    spellings: ['us', 'usa', 'unitedstates', 'unitedstatesofamerica', 'com', 'atvpdkikx0der'],
  },
  UK: {
    named: 'the UK',
    host: 'amazon.co.uk',
    ...GBP,
    tax: {
      kind: 'VAT',
      schemes: ['Not registered', 'Standard', 'Flat rate'],
      rates: [
        { rate: 0.2, codes: 'S|SR|STD|STANDARD(?: RATED?)?|T1' },
        { rate: 0.05, codes: 'R|RR|REDUCED(?: RATED?)?|T5' },
        { rate: 0, codes: 'Z|ZR|ZERO(?: RATED?)?|NIL|E|EXEMPT|NO VAT|T0|T2' },
      ],
      feesPercent: 20,
    },
    keepa: 2,
    spellings: ['uk', 'gb', 'gbr', 'unitedkingdom', 'greatbritain', 'couk', 'a1f83g8c2aro7p'],
    wireSetting: 'ukMarket',
  },
} as const satisfies Readonly<Record<string, MarketRow>>;

export type Market = keyof typeof TABLE;

export const MARKETS = Object.keys(TABLE) as [Market, ...Market[]];

export type Currency = (typeof TABLE)[Market]['currency'];

export const CURRENCIES = [...new Set(MARKETS.map((market) => TABLE[market].currency))];

/** How amounts name their currency, as a pattern: "USD|GBP" */
export const CURRENCY_WORDS = CURRENCIES.join('|');

/** Rates of exchange are into this currency. */
export const BASE_CURRENCY = 'USD' satisfies Currency;

export type OtherCurrency = Exclude<Currency, typeof BASE_CURRENCY>;

export const OTHER_CURRENCIES = CURRENCIES.filter(
  (currency): currency is OtherCurrency => currency !== BASE_CURRENCY,
);

export type VatMarket = {
  [One in Market]: (typeof TABLE)[One]['tax'] extends Vat ? One : never;
}[Market];

export const hasVat = (market: Market): market is VatMarket => TABLE[market].tax.kind === 'VAT';

export const VAT_MARKETS = MARKETS.filter(hasVat);

export const vatOn = (market: VatMarket): Vat => TABLE[market].tax;

/** The market of formulas that name none, unless a setting says otherwise. */
export const DEFAULT_MARKET: Market = 'US';

export const marketRow = (market: Market): MarketRow & { readonly currency: Currency } =>
  TABLE[market];

/** The first market with this currency. */
export const marketOfMoney = (currency: Currency): Market =>
  MARKETS.find((market) => TABLE[market].currency === currency) as Market;

export const isMarket = (text: unknown): text is Market =>
  MARKETS.some((market) => market === text);

export const otherMarkets = (market: Market): readonly Market[] =>
  MARKETS.filter((candidate) => candidate !== market);

export type WireSetting = NonNullable<MarketRow['wireSetting']>;

/** The name of a market in requests to the service. The contract names only `US`. */
export function wireNameOf(
  market: Market,
  settings: { readonly [Name in WireSetting]?: string },
): string {
  const { wireSetting } = marketRow(market);
  return (wireSetting && settings[wireSetting]) ?? market;
}

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
const OTHER_MONEY = /\p{Sc}|\b[A-Z]{3}\b|^\p{L}{1,2}$/u;

/** Also of a currency that no market has. */
const MONEY_NAMES = [...new Set([...MARKETS.map((market) => marketRow(market).names), 'EURO'])];

/** Whether an amount or the name of a currency, in upper case, is of another currency than the market's. */
export function isOtherMoney(word: string, market: Market): boolean {
  const { signs, names } = marketRow(market);
  const rest = word.replace(new RegExp(signs, 'g'), '');
  const otherNames = MONEY_NAMES.filter((candidate) => candidate !== names).join('|');
  return OTHER_MONEY.test(rest) || new RegExp(otherNames).test(rest);
}
