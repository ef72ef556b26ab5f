// The possible shapes of an analysis. The contract shows six field names and leaves the rest open.
import type { Admission, Quota } from './limits';
import {
  CURRENCY,
  type Figures,
  figuresOf,
  type Restriction,
  type SandboxProduct,
} from './product';

/** The key's remaining quota, for services that report it in the body. null: nothing to report. */
export interface Allowance {
  readonly quota: Quota;
  readonly admission: Admission;
}

export type AnswerShape = (product: SandboxProduct, allowance: Allowance | null) => unknown;

/** The six fields of the contract, with money in units and ROI as a fraction. */
export const sixFields: AnswerShape = (product) => {
  const { profit, roi, fees, rankDrops } = figuresOf(product);
  return {
    asin: product.asin,
    profit: units(profit),
    roi: rounded(roi, 4),
    fees: units(fees),
    eligible: yesOrNo(product.restriction),
    rank_drops_30d: rankDrops,
  };
};

/** The six fields and both prices under the plainest names. */
export const flatWithPrices: AnswerShape = (product) => ({
  ...plain(product),
  ...pricesOf(figuresOf(product), 'buy_price', 'sell_price'),
});

export const percentRoi: AnswerShape = (product) => {
  const figures = figuresOf(product);
  return {
    ...plain(product),
    roi: percent(figures.roi),
    ...pricesOf(figures, 'cost', 'price'),
    currency: CURRENCY[product.market],
    sales_rank: figures.rank,
  };
};

/** All fields one level down, in camel case, with prices two levels down. */
export const nestedCamelCase: AnswerShape = (product) => {
  const figures = figuresOf(product);
  return {
    data: {
      asin: product.asin,
      netProfit: units(figures.profit),
      roi: rounded(figures.roi, 4),
      totalFees: units(figures.fees),
      eligible: yesOrNo(product.restriction),
      salesRankDrops30: figures.rankDrops,
    },
    pricing: pricesOf(figures, 'buyPrice', 'buyBoxPrice'),
  };
};

/** Money in whole hundredths, with the fees in parts and the key's tokens beside them. */
export const hundredths: AnswerShape = (product, allowance) => {
  const figures = figuresOf(product);
  return {
    asin: product.asin,
    profit: figures.profit,
    roi: rounded(figures.roi, 4),
    fees:
      product.feeParts === null ? null : { ...spentParts(product.feeParts), total: figures.fees },
    eligible: yesOrNo(product.restriction),
    rank_drops_30d: figures.rankDrops,
    buy_price: figures.buy,
    sell_price: figures.sell,
    currency: CURRENCY[product.market],
    ...tokens(allowance),
  };
};

const ELIGIBILITY_WORDS: Readonly<Record<Restriction, string>> = {
  eligible: 'ALLOWED_TO_SELL',
  'needs-approval': 'APPROVAL_REQUIRED',
  'not-eligible': 'NOT_ELIGIBLE',
  unknown: 'UNKNOWN',
};

export const eligibilityWord: AnswerShape = (product) => ({
  ...plain(product),
  eligible: ELIGIBILITY_WORDS[product.restriction],
  ...pricesOf(figuresOf(product), 'cogs', 'selling_price'),
});

/** A list of restrictions: an empty list means eligible, a missing one means unknown. */
export const restrictionList: AnswerShape = (product) => {
  const { restriction } = product;
  const reason = {
    eligible: [],
    unknown: null,
    'needs-approval': [{ reasonCode: 'APPROVAL_REQUIRED', message: 'Ask for approval first.' }],
    'not-eligible': [{ reasonCode: 'NOT_ELIGIBLE', message: 'Closed to this account.' }],
  }[restriction];
  return {
    ...plain(product),
    eligible: reason,
    pricing: pricesOf(figuresOf(product), 'purchase_price', 'sale_price'),
  };
};

/** Every figure as text: "12.50", "41.67%", "yes". Unknown figures are empty text. */
export const figuresAsText: AnswerShape = (product) => {
  const { profit, roi, fees, rankDrops, buy, sell } = figuresOf(product);
  const money = (value: number | null) => (value === null ? '' : (value / 100).toFixed(2));
  const word = { eligible: 'yes', 'needs-approval': 'gated', 'not-eligible': 'no', unknown: '' };
  return {
    asin: product.asin,
    profit: money(profit),
    roi: roi === null ? '' : `${(roi * 100).toFixed(2)}%`,
    fees: money(fees),
    eligible: word[product.restriction],
    rank_drops_30d: rankDrops === null ? '' : String(rankDrops),
    buy_price: money(buy),
    sell_price: money(sell),
  };
};

/** Text with decimal commas. Unknown fields are left out, and eligibility is 1 or 0. */
export const decimalCommas: AnswerShape = (product) => {
  const { profit, roi, fees, rankDrops, buy, sell } = figuresOf(product);
  const text = (value: number | null, digits: number) => value?.toFixed(digits).replace('.', ',');
  const eligible = yesOrNo(product.restriction);
  return {
    asin: product.asin,
    profit: text(units(profit), 2),
    roi: text(roi, 4),
    fees: text(units(fees), 2),
    eligible: eligible === null ? undefined : Number(eligible),
    rank_drops_30d: rankDrops ?? undefined,
    buyPrice: text(units(buy), 2),
    sellPrice: text(units(sell), 2),
  };
};

/** The six fields with ROI in percent. Only its size reveals the unit. */
export const sixFieldsPercent: AnswerShape = (product) => ({
  ...plain(product),
  roi: percent(figuresOf(product).roi),
});

/** Prices under names that no other dialect uses, beside other numbers. */
export const ownNames: AnswerShape = (product) => {
  const figures = figuresOf(product);
  const prices = pricesOf(figures, 'landed', 'asking');
  return { ...plain(product), ...prices, sales_rank: figures.rank, rating: 4.5, offers: 12 };
};

/** All variations at once: hundredths, percent, prices one level down, fees in parts, 1 and 0. */
export const everythingElse: AnswerShape = (product, allowance) => {
  const figures = figuresOf(product);
  const { fees } = hundredths(product, allowance) as { fees: object | null };
  const eligible = yesOrNo(product.restriction);
  return {
    success: true,
    product: {
      ASIN: product.asin,
      net_profit: figures.profit,
      'ROI %': percent(figures.roi),
      total_fees: fees,
      can_sell: eligible === null ? null : Number(eligible),
      rankDrops30: figures.rankDrops,
      prices: { source_price: figures.buy, current_price: figures.sell },
    },
  };
};

function percent(roi: number | null): number | null {
  return roi === null ? null : rounded(roi * 100, 2);
}

function plain(product: SandboxProduct): object {
  return sixFields(product, null) as object;
}

function pricesOf(figures: Figures, buyName: string, sellName: string) {
  return { [buyName]: units(figures.buy), [sellName]: units(figures.sell) };
}

function units(value: number | null): number | null {
  return value === null ? null : value / 100;
}

function rounded(value: number | null, digits: number): number | null {
  return value === null ? null : Number(value.toFixed(digits));
}

/** A product that still needs approval cannot be sold today. */
function yesOrNo(restriction: Restriction): boolean | null {
  return restriction === 'unknown' ? null : restriction === 'eligible';
}

function spentParts(parts: object): object {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== 0));
}

/**
 * The token report of a bucket: tokens left, milliseconds to the next, and the refill per minute.
 */
export function tokens(allowance: Allowance | null): object {
  if (allowance === null) return {};
  const { quota, admission } = allowance;
  return {
    tokensLeft: admission.remaining,
    refillIn: Math.ceil(admission.waitMs),
    refillRate: (quota.calls / quota.perSeconds) * 60,
  };
}
