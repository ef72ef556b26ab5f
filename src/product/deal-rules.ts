// The rules of a decision: the named cells that hold them, their default values, and how they are
// read. Pure.

import type { Failure } from '../failures/failure';
import { type Costs, RULE_COSTS, type RuleCost } from './cost';
import { amountShown, pricesOf, type SaleTerms, whyNoEstimate } from './estimate';
import type { Analysis } from './fields';
import {
  BASE_CURRENCY,
  DEFAULT_MARKET,
  type Market,
  type OtherCurrency,
  VAT_MARKETS,
  vatOn,
} from './market';
import type { RateCell } from './typed-cost';
import { type TaxCell, VAT_RULES, type VatRule, vatFactors, vatRule } from './vat';
import {
  type DealFigures,
  decide,
  maxBuyOf,
  type VerdictRule as TargetKey,
  type Verdict,
} from './verdict';

/** The rules that a profile sets. */
export type RuleKey = TargetKey | VatRule | RuleCost;

const TARGET_NAMES: Readonly<Record<TargetKey, string>> = {
  minProfit: 'BUY_PROFIT',
  minRoi: 'BUY_ROI',
  minMargin: 'BUY_MARGIN',
  minDrops: 'BUY_DROPS',
  maxFees: 'BUY_FEES',
  maybeProfit: 'MAYBE_PROFIT',
  maybeRoi: 'MAYBE_ROI',
  maybeDrops: 'MAYBE_DROPS',
  maybeFees: 'MAYBE_FEES',
  eligibleOnly: 'BUY_ELIGIBLE',
  staleDays: 'BUY_DAYS',
};

/** `ukRate` becomes DEAL_UK_RATE. */
const namesOf = <Key extends string>(keys: readonly Key[]) =>
  Object.fromEntries(
    keys.map((key) => [key, `DEAL_${key.replace(/[A-Z]/g, '_$&').toUpperCase()}`]),
  ) as Readonly<Record<Key, string>>;

export const RULE_NAMES: Readonly<Record<RuleKey, string>> = {
  ...TARGET_NAMES,
  ...namesOf(VAT_RULES),
  ...namesOf(RULE_COSTS),
};

export const RULE_KEYS = Object.keys(RULE_NAMES) as [RuleKey, ...RuleKey[]];

/** The named cells with the profile in use, and beside the titles of profiles. */
export const PROFILE_NAMES = { inUse: 'DEAL_PROFILE', titles: 'DEAL_PROFILES' } as const;

/**
 * Cells that follow from the rules, so that formulas in the list stay short: whether every rule can
 * be used, the words of each reason, and the moment since which figures are fresh.
 */
export const WORKED_OUT = {
  areRead: 'RULES_READ',
  whyProfit: 'WHY_PROFIT',
  whyRoi: 'WHY_ROI',
  whyMargin: 'WHY_MARGIN',
  whyDrops: 'WHY_DROPS',
  whyFees: 'WHY_FEES',
  whyAge: 'WHY_AGE',
  whyUnsure: 'WHY_ELIG',
  whyNoRank: 'WHY_RANK',
  whyVat: 'WHY_VAT',
  freshSince: 'FRESH_SINCE',
} as const;

/** Stands for the currency's sign of the row's market in the words of a reason. */
export const MONEY_SIGN = '¤';

/** The markets, and what each has; see the tab "Deal rules". */
export type MarketCell =
  | TaxCell
  | RateCell
  | 'RULES_OF'
  | ('MARKET_ID' | 'MARKET_SIGN' | 'MARKET_MONEY' | 'READ_MONEY')
  | ('FX_OF' | 'FX_INTO' | 'LEAST_GAIN' | 'WHY_COST' | 'WHY_FX');

/** What formulas of the tab alone read. It has no name, since each takes a call of its own. */
export const UNNAMED_CELLS = ['RULES_OF', 'MARKET_MONEY', 'FX_OF', 'VAT_SAID', 'VAT_SET'] as const;

export type NamedMarketCell = Exclude<MarketCell, (typeof UNNAMED_CELLS)[number]>;

/**
 * The formula for what a market has. `VAT_SALE` names the cells of all markets, one below another.
 *
 * @param market a text, or the cell that says it.
 */
export const marketCell = (name: NamedMarketCell, market: string): string =>
  `XLOOKUP(${market};MARKET_ID;${name})`;

/** The named cell with the dollars for one of the market's money. "FX_OF_UK" */
export const moneyCell = (market: Market): string => `FX_OF_${market}`;

/** What belongs to the market in the costs' currency, by the name of what each market has. */
export const COSTS_CELLS = {
  VAT_COST_EX: 'FX_COST_EX',
  VAT_COST_INC: 'FX_COST_INC',
  VAT_COST: 'FX_COST',
  VAT_BACK: 'FX_BACK',
  VAT_ON_TOP: 'FX_ON_TOP',
  READ_MONEY: 'FX_READ',
} as const satisfies { readonly [Name in MarketCell]?: string };

/** For lists with figures of two markets: the named cell with the currency of costs. */
export const COSTS_CURRENCY = 'FX_COSTS';

/** The named cell that says why such a cost comes to nothing, whichever market it is for. */
export const WHY_FX_ALL = 'FX_WHY';

/** The cell with the dollars for one of this currency. "FX_GBP_USD" */
export const rateName = <One extends OtherCurrency>(currency: One) =>
  `FX_${currency}_${BASE_CURRENCY}` as const;

/** The values of rules; null: not required, or no such cost. */
export type RuleValues = { readonly [Key in RuleKey]?: string | number | boolean | null };

/**
 * The defaults of a new profile, and the rules of a spreadsheet without the tab; what is left out
 * is blank.
 */
export const USUAL: { readonly [Key in RuleKey]?: number | boolean } = {
  minProfit: 3,
  minRoi: 0.3,
  minDrops: 5,
  maybeProfit: 1.5,
  maybeRoi: 0.15,
  maybeDrops: 1,
  eligibleOnly: true,
  staleDays: 7,
  ...Object.fromEntries(
    VAT_MARKETS.map((market) => [vatRule(market, 'Rate'), vatOn(market).rates[0].rate]),
  ),
};

/** Shown where a rule cannot be used: its profile is gone, or a rate is missing. */
export const CHECK_RULES = 'Check the tab Deal rules';

/** Shown where costs in one currency cannot be exchanged into that of a market. */
export const NO_EXCHANGE = {
  currency: 'Currency of costs not set',
  rate: 'No exchange rate',
} as const;

/** Whether it stands in place of a cost. */
export const isNoExchange = (cost: unknown): cost is string =>
  Object.values(NO_EXCHANGE).some((missing) => missing === cost);

export type RulesInUse = (key: RuleKey) => unknown;

/** Whether a cell shows an error, as "#N/A", "#DIV/0!" or "#NAME?". A profile may be called "#1 Ltd". */
const isErrorCell = (cell: unknown): boolean => /^#[A-Z]+[/!?]/.test(cell as string);

/**
 * Whether a cell shows an error, for example because the selected profile does not exist, or has a number
 * where yes or no is in use.
 */
export const areUnusable = (inUse: RuleValues): boolean =>
  typeof inUse.eligibleOnly === 'number' || Object.values(inUse).some(isErrorCell);

/**
 * null: they are unusable.
 *
 * @param inUse empty if the spreadsheet has no such tab.
 */
export function rulesOf(inUse: RuleValues): RulesInUse | null {
  if (Object.keys(inUse).length === 0) return (key) => USUAL[key];
  return areUnusable(inUse) ? null : (key) => inUse[key];
}

/**
 * What a sale on this market bears by the rules. The price that is paid is one for a unit, so case
 * and discount, which belong to a supplier's price, are not applied.
 */
export function saleTerms(rules: RulesInUse, market: Market): SaleTerms {
  const amount = (key: RuleCost) => Number(rules(key) ?? 0);
  return {
    vat: vatFactors(rules, { sale: market, costs: market }, null),
    extras: amount('prep') + amount('shipping') + amount('other'),
  };
}

/** The costs at this price of a unit. */
const costsAt = (cost: number | null, { vat, extras }: SaleTerms): Costs => ({
  ...{ cost, pack: null, multipack: null, discount: null, vatRate: null, salesTax: null },
  ...{ prep: extras, shipping: null, other: null, vat },
});

/** The service's own buy price, else the one derived from its other figures. */
function paidFor(analysis: Omit<DealFigures, 'market'>): number | null {
  const { buy_price: given } = analysis.figures;
  const prices = given === null ? pricesOf(analysis) : { buy: given };
  return 'buy' in prices ? prices.buy : null;
}

/**
 * The highest price of a unit that meets the targets of Buy, to the penny that of the list's Max buy.
 *
 * @param minRoi a fraction; null: that of the rules.
 */
export function mostToPay(
  analysis: Analysis,
  minRoi: number | null,
  rules: RulesInUse,
  market: Market,
): number | Failure {
  const terms = saleTerms(rules, market);
  const sold = { ...analysis, market };
  const most = maxBuyOf(sold, costsAt(null, terms), rules, minRoi ?? undefined);
  return whyNoEstimate(analysis, terms) ?? amountShown(most ?? 0);
}

/** A decision as it is shown. */
export interface Decision {
  readonly verdict: Verdict;
  /** The reasons in one text; '' if nothing speaks against buying. */
  readonly why: string;
}

export function decisionOf(
  analysis: Omit<DealFigures, 'market'>,
  rules: RulesInUse | null,
  nowMs: number,
  market: Market = DEFAULT_MARKET,
): Decision {
  if (rules === null) return { verdict: 'No verdict', why: CHECK_RULES };
  const costs = costsAt(paidFor(analysis), saleTerms(rules, market));
  const { verdict, reasons } = decide({ ...analysis, market }, costs, rules, nowMs);
  return { verdict, why: reasons.join('; ') };
}
