// What a marketplace charges for a sale. The kinds of fee are real, the rates are invented.

export type Market = 'US' | 'UK';
export type Size = 'small' | 'standard' | 'large' | 'bulky';

/** Hundredths of the market's currency, so that sums are exact. */
export interface FeeParts {
  readonly referral: number;
  readonly fulfilment: number;
  readonly storage: number;
  /** A fixed sum for books, music and films. */
  readonly closing: number;
  /** UK only: the VAT included in the sell price, for a VAT-registered seller. */
  readonly vat: number;
}

interface Category {
  readonly referralShare: number;
  readonly closing: number;
  readonly vatRated: boolean;
  /** Range of usual sell prices, in hundredths. */
  readonly prices: readonly [number, number];
}

export const CATEGORIES = {
  beauty: { referralShare: 0.15, closing: 0, vatRated: true, prices: [899, 4499] },
  books: { referralShare: 0.15, closing: 180, vatRated: false, prices: [799, 6999] },
  electronics: { referralShare: 0.08, closing: 0, vatRated: true, prices: [1499, 14999] },
  garden: { referralShare: 0.15, closing: 0, vatRated: true, prices: [1299, 7999] },
  kitchen: { referralShare: 0.15, closing: 0, vatRated: true, prices: [1199, 8999] },
  pets: { referralShare: 0.15, closing: 0, vatRated: true, prices: [999, 5499] },
  toys: { referralShare: 0.15, closing: 0, vatRated: true, prices: [999, 6499] },
} as const satisfies Record<string, Category>;

export type CategoryName = keyof typeof CATEGORIES;

/** Hundredths per unit, for picking, packing and shipping. */
const FULFILMENT: Readonly<Record<Market, Readonly<Record<Size, number>>>> = {
  US: { small: 322, standard: 447, large: 622, bulky: 968 },
  UK: { small: 207, standard: 289, large: 398, bulky: 645 },
};

/** Hundredths per unit, for about six weeks of storage. */
const STORAGE: Readonly<Record<Size, number>> = { small: 6, standard: 19, large: 47, bulky: 118 };

/** UK standard rate 20 %: a sixth of a price that includes it. */
const VAT_IN_PRICE = 1 / 6;

export function feesOf(market: Market, category: CategoryName, size: Size, sell: number): FeeParts {
  const rules: Category = CATEGORIES[category];
  const vat = market === 'UK' && rules.vatRated ? Math.round(sell * VAT_IN_PRICE) : 0;
  return {
    referral: Math.max(30, Math.round(sell * rules.referralShare)),
    fulfilment: FULFILMENT[market][size],
    storage: STORAGE[size],
    closing: rules.closing,
    vat,
  };
}

export function totalOf(parts: FeeParts): number {
  return parts.referral + parts.fulfilment + parts.storage + parts.closing + parts.vat;
}
