// One offer as a card: the verdict at any prices, and its history. Pure.

import { type Product, productKey } from '../product/asin';
import type { CostCell } from '../product/cost';
import { areUnusable, CHECK_RULES, isNoExchange, type RuleValues } from '../product/deal-rules';
import { sellPrice } from '../product/estimate';
import { FIELDS } from '../product/fields';
import { marketRow } from '../product/market';
import { type Deal, UNDECIDED, verdict } from '../product/verdict';
import type { Offer } from './offers';

/** A productKey; '' for a row without a product. */
export const keyOf = (offer: Pick<Offer, 'product'> | null): string =>
  offer?.product ? productKey(offer.product) : '';

/** The product's page on its market. */
export const productLink = ({ asin, market }: Product): string =>
  `https://www.${marketRow(market).host}/dp/${asin}`;

export const hasFigures = ({ figures }: Pick<Offer, 'figures'>): boolean =>
  FIELDS.some((field) => figures[field] !== null);

/** The prices of a what-if; null: the list's own. */
export interface WhatIfPrices {
  /** For one pack, as the supplier states it. */
  readonly cost: number | null;
  readonly sell: number | null;
}

export const AS_LISTED: WhatIfPrices = { cost: null, sell: null };

/**
 * The decision at these prices. Fees are taken as fixed, although some depend on the sell price.
 */
export function dealAt(
  row: Offer,
  { cost, sell }: WhatIfPrices,
  rules: RuleValues,
  nowMs: number,
): Deal {
  const figures = sell === null ? row.figures : { ...row.figures, sell_price: sell };
  const costs = cost === null ? row.costs : { ...row.costs, cost };
  const { cost: own } = row.costs;
  const problem = areUnusable(rules) ? CHECK_RULES : isNoExchange(own) ? own : null;
  if (problem !== null) return { ...UNDECIDED, maxBuy: null, breakEven: null, reasons: [problem] };
  return verdict({ ...row, figures }, costs, (key) => rules[key], nowMs);
}

const isPrice = (cell: CostCell | undefined): cell is number =>
  typeof cell === 'number' && cell > 0;

/** The prices at which a what-if begins; null: nothing can be calculated. */
export function firstPrices(row: Offer): { readonly cost: number; readonly sell: number } | null {
  const sale = sellPrice(row);
  if (sale === null || !isPrice(sale) || row.figures.fees === null) return null;
  const inMarket = [row.figures.buy_price, sale / 2].find(isPrice);
  const cost = isPrice(row.costs.cost) ? row.costs.cost : inMarket && inMarket / row.rate;
  return { cost: Math.round((cost ?? 0) * 100) / 100, sell: Math.round(sale * 100) / 100 };
}

export interface Range {
  readonly most: number;
  readonly step: number;
}

/** Step sizes that people are used to. */
const STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];
const STEPS_MAX = 200;

/**
 * The range of a slider: from 0 to about twice the initial value, and at least to a value that was
 * typed.
 */
export function rangeOf(first: number, value: number): Range {
  const most = Math.max(2 * first, value);
  const step = STEPS.find((size) => most / size <= STEPS_MAX) ?? Math.ceil(most / STEPS_MAX);
  return { step, most: Number((Math.ceil(most / step - 1e-9) * step).toFixed(2)) };
}

/** The service's ROI as a fraction; null if it gave none or its unit is unknown. */
export const shownRoi = ({ figures, roiUnit }: Offer): number | null =>
  roiUnit === undefined ? null : figures.roi;
