// The markets: the one table of what each is, and how one is read from what people type.

import { type Failure, fail } from '../failures/failure';

interface MarketRow {
  /** Of Amazon's shop. */
  readonly host: string;
  readonly currency: 'USD' | 'GBP';
  readonly sign: string;
  /** Keepa's number, as in its links. */
  readonly keepa: number;
  /** Every accepted spelling, lower case. The ids are those of Amazon's selling-partner interface. */
  readonly spellings: readonly string[];
  /** What peers of the service call it, the likeliest first. The contract names `US` alone. */
  readonly wireNames: readonly [string, ...string[]];
  /** The setting that says what this service calls it; a check finds it out. */
  readonly setting?: 'ukMarket';
}

const TABLE = {
  US: {
    host: 'amazon.com',
    currency: 'USD',
    sign: '$',
    keepa: 1,
    spellings: ['us', 'usa', 'u.s.', 'united states', 'com', '.com', 'atvpdkikx0der'],
    wireNames: ['US'],
  },
  UK: {
    host: 'amazon.co.uk',
    currency: 'GBP',
    sign: '£',
    keepa: 2,
    spellings: [
      ...['uk', 'gb', 'gbr', 'u.k.', 'united kingdom', 'great britain', 'co.uk', '.co.uk'],
      'a1f83g8c2aro7p',
    ],
    wireNames: ['UK', 'GB', 'GBR', 'uk', 'gb', 'co.uk', 'amazon.co.uk', 'A1F83G8C2ARO7P'],
    setting: 'ukMarket',
  },
} as const satisfies Readonly<Record<string, MarketRow>>;

export type Market = keyof typeof TABLE;

export const MARKETS = Object.keys(TABLE) as [Market, ...Market[]];

/** What formulas that name no market mean, unless a setting says otherwise. */
export const DEFAULT_MARKET: Market = 'US';

export const marketRow = (market: Market): MarketRow => TABLE[market];

export const isMarket = (text: unknown): text is Market => MARKETS.some((one) => one === text);

export const otherMarkets = (market: Market): readonly Market[] =>
  MARKETS.filter((one) => one !== market);

/** What goes on the wire for a market. */
export function wireNameOf(market: Market, settings: { readonly ukMarket?: string }): string {
  const { setting, wireNames } = marketRow(market);
  return (setting && settings[setting]) ?? wireNames[0];
}

const SUBDOMAIN = /^(www|m|smile)\./;

/** The market that `input` names, or a `bad-market` failure. A blank input is the caller's default. */
export function readMarket(input: unknown): Market | Failure {
  const text = String(input ?? '').trim();
  const address = text.toLowerCase().replace(/^https?:\/\//, '');
  const host = address.replace(/\/.*$/, '').replace(SUBDOMAIN, '');
  const isNamed = (market: Market) =>
    host === marketRow(market).host || marketRow(market).spellings.includes(host);
  return MARKETS.find(isNamed) ?? fail({ kind: 'bad-market', input: text.slice(0, 40) });
}

/** The market an Amazon host sells on; null for every other host, also for Amazon in other lands. */
export function marketOfHost(host: string): Market | null {
  const shop = host.toLowerCase().replace(SUBDOMAIN, '');
  return MARKETS.find((market) => marketRow(market).host === shop) ?? null;
}
