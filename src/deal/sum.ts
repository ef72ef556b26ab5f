// One product of a list worked out line by line, as its verdict is: what each line is taken from, what
// nobody has said yet, and by how much the product misses its targets. Pure.

import type { CostColumns, CostMeant, CostQuestion, ListColumn } from '../list/cost-choice';
import { COST_INPUTS, type CostInput, EXTRAS, landedCost, RULE_COSTS } from '../product/cost';
import type { RuleKey, RuleValues } from '../product/deal-rules';
import { sellPrice } from '../product/estimate';
import { hasVat, type Market, VAT_MARKETS, type VatMarket } from '../product/market';
import { type CostTerms, vatOf } from '../product/offer-costs';
import { rateOf, salesTaxRule, type VatGap, type VatPart, vatGaps, vatRule } from '../product/vat';
import { type Deal, decide, type Missed, missedBy } from '../product/verdict';
import type { ListView } from './list';
import type { Offer } from './offers';

/** In the order of the lines. */
const SIGNS = {
  cost: '',
  tax: '+',
  discount: '−',
  pack: '÷',
  multipack: '×',
  prep: '+',
  shipping: '+',
  other: '+',
  landed: '=',
  sale: '',
  returns: '−',
  vat: '−',
  fees: '−',
  profit: '=',
  quantity: '×',
} as const;

export type SumRole = keyof typeof SIGNS;

/**
 * A column of the list; a value for all of it, by the rules; the title of the cost, which says it; or the
 * cost itself, which has it in it. null: nothing.
 */
export type From = ListColumn | 'all' | 'title' | 'cost' | null;

export interface SumLine {
  readonly role: SumRole;
  readonly sign: (typeof SIGNS)[SumRole];
  readonly from: From;
  /** In the currency of the market; of cases, packs and quantities how many; null: it is not known. */
  readonly amount: number | null;
  /** Whether a person has to say what counts. */
  readonly isUnsure: boolean;
}

/** What is known of the list. */
export interface Summed {
  readonly costs: CostColumns;
  readonly terms: CostTerms;
  readonly open: readonly CostQuestion[];
  readonly choices: readonly CostMeant[];
  readonly look: Pick<ListView, 'markets'>;
}

/** The column of the cost, although it may not be clear what its prices are for. */
export const costColumn = ({ costs, open }: Summed): ListColumn | undefined => {
  const asked = open.find(({ role }) => role === 'cost')?.columns ?? [];
  return costs.cost ?? (asked.length === 1 ? asked[0] : undefined);
};

/** What its prices may be for. */
export const priceUses = (list: Summed): readonly CostMeant[] => {
  const at = costColumn(list)?.column;
  return list.choices.filter(({ column }) => column.column === at);
};

/** The line in which each part of VAT is asked for. */
const VAT_LINES: Readonly<Record<VatPart, SumRole>> = {
  Scheme: 'vat',
  Rate: 'vat',
  FlatRate: 'vat',
  Costs: 'tax',
  Fees: 'fees',
};

/** Whose tax counts. @param offer null: the list has no product yet. */
const taxedIn = (offer: Offer | null, market: Market) => ({
  sale: offer?.product?.market ?? market,
  costs: offer?.paidIn ?? market,
});

/**
 * The market whose VAT the list's lines are about: that of the sale, else of the cost, else of other
 * rows, since a list of several markets is decided as a whole; undefined: it has none.
 */
export function vatMarketOf(
  list: Summed,
  offer: Offer | null,
  market: Market,
): VatMarket | undefined {
  const { sale, costs } = taxedIn(offer, market);
  const ofRows = VAT_MARKETS.filter((market) => list.look.markets.includes(market));
  return [sale, costs, ...ofRows].find(hasVat);
}

/** What a rule counts as that says nothing. */
const isBlankRule = (key: RuleKey, value: unknown): boolean => {
  const cost = RULE_COSTS.find((ruleCost) => ruleCost === key);
  return (value ?? '') === '' || value === (cost ? COST_INPUTS[cost].blank : 0);
};

/** @param market where the list's products are sold, unless a row says it. */
export function sumOf(
  list: Summed,
  offer: Offer | null,
  market: Market,
  deal: Pick<Deal, 'profit'> | null,
): readonly SumLine[] {
  const { costs, terms, open } = list;
  const { inUse, side, caseSize, included, currency } = terms;
  const taxed = taxedIn(offer, market);
  const gapsOf = (sale: Market) => vatGaps((key) => inUse[key], { ...taxed, sale }, side);
  const vatMarket = vatMarketOf(list, offer, market);
  const gaps = gapsOf(vatMarket ?? taxed.sale);
  const isPerCase = costs.cost === undefined && priceUses(list).length > 1;
  const asked = new Set<SumRole>([
    ...open.map(({ role }) =>
      role === 'vatRate' ? 'vat' : role === 'cost' && isPerCase ? 'pack' : role,
    ),
    ...gaps.map(({ part }) => VAT_LINES[part]),
    ...(costColumn(list) === undefined || currency === null ? (['cost'] as const) : []),
  ]);
  const ofRule = (key: RuleKey): From => (isBlankRule(key, inUse[key]) ? null : 'all');
  const fromOf = (role: SumRole): From => {
    if (role === 'tax') {
      if (!hasVat(taxed.costs)) return costs.salesTax ?? ofRule(salesTaxRule(taxed.costs));
      return side === null ? ofRule(vatRule(taxed.costs, 'Costs')) : 'title';
    }
    if (role === 'vat') return vatMarket ? ofRule(vatRule(vatMarket, 'Scheme')) : null;
    if (role === 'fees') return hasVat(taxed.sale) ? ofRule(vatRule(taxed.sale, 'Fees')) : null;
    if (role === 'returns') return ofRule('returns');
    if (role === 'landed' || role === 'sale' || role === 'profit') return null;
    if (included.some((extra) => extra === role)) return 'cost';
    const column = role === 'cost' ? costColumn(list) : costs[role];
    if (column !== undefined) return column;
    if (role === 'pack' && caseSize !== null) return 'title';
    const rule = RULE_COSTS.find((ruleCost) => ruleCost === role);
    return rule === undefined ? null : ofRule(rule);
  };
  const hasVatLine = [taxed.sale, taxed.costs].some(hasVat) || gaps.length > 0;
  const isSaid = gapsOf(taxed.sale).length === 0;
  const amounts = offer === null ? null : amountsOf(offer, terms, deal, isSaid);
  return (Object.keys(SIGNS) as SumRole[])
    .filter((role) => role !== 'vat' || hasVatLine)
    .map((role) => ({
      ...{ role, sign: SIGNS[role], from: fromOf(role) },
      amount: amounts?.[role] ?? null,
      isUnsure: asked.has(role),
    }));
}

/** The parts of the numbers that decide: they add up to the landed cost and to the profit. */
function amountsOf(
  offer: Offer,
  { inUse }: CostTerms,
  deal: Pick<Deal, 'profit'> | null,
  isSaid: boolean,
): Readonly<Record<SumRole, number | null>> {
  const { costs, rate, figures, quantity } = offer;
  const { vat } = costs;
  const numberIn = (key: CostInput): number | null => {
    const cell = costs[key];
    return typeof cell === 'number' ? cell : null;
  };
  const times = (amount: number | null, factor: number) =>
    amount === null || !isSaid ? null : amount * factor;
  const cost = numberIn('cost');
  const sale = sellPrice(offer);
  const returned = typeof inUse.returns === 'number' ? rateOf(inUse.returns) : 0;
  const extras = Object.fromEntries(EXTRAS.map((key) => [key, numberIn(key)]));
  return {
    cost: cost === null ? null : cost * rate,
    tax: numberIn('salesTax') ?? times(cost, vat.cost - rate),
    discount: times(cost, vat.cost * (numberIn('discount') ?? 0)),
    pack: numberIn('pack'),
    multipack: numberIn('multipack'),
    ...(extras as Record<(typeof EXTRAS)[number], number | null>),
    landed: landedCost(costs),
    sale,
    returns: sale === null ? null : sale * returned,
    vat: times(sale, 1 - returned - vat.sale),
    fees: times(figures.fees, vat.fees),
    profit: deal?.profit ?? null,
    quantity,
  };
}

/** My profit with another answer about VAT, all else as it stands; null: it is not known. */
export function profitWith(
  { terms }: Summed,
  offer: Offer,
  { market: ofVat, part }: VatGap,
  answer: string | number,
): number | null {
  const inUse = { ...terms.inUse, [vatRule(ofVat, part)]: answer };
  const market = offer.product?.market ?? ofVat;
  const gaps = vatGaps((key) => inUse[key], taxedIn(offer, market), terms.side);
  // What a rate makes is not known before its percentage is.
  if (gaps.some((gap) => gap.part === 'Rate' || gap.part === 'FlatRate')) return null;
  const ofRow = part === 'Rate' ? null : offer.costs.vatRate;
  const vat = { ...vatOf({ ...terms, inUse }, market, ofRow), isSaid: true };
  return decide(offer, { ...offer.costs, vat }, (key) => inUse[key], null).profit;
}

/** The rules of a target: for Buy, then for Maybe. */
const LIMITS: Readonly<Record<Missed['by'], readonly RuleKey[]>> = {
  eligible: [],
  profit: ['minProfit', 'maybeProfit'],
  roi: ['minRoi', 'maybeRoi'],
  margin: ['minMargin'],
  drops: ['minDrops', 'maybeDrops'],
  fees: ['maxFees', 'maybeFees'],
  age: [],
};

/** Why a product is no *Buy*. */
export interface Why {
  /** As the list says it: "ROI under 30%". */
  readonly reason: string;
  /** What it is about, and the value that misses the target; null: there is none. */
  readonly missed: Missed | null;
  /** The targets that count: of Buy, then of Maybe. */
  readonly targets: readonly number[];
}

/** The reasons of a verdict, each with the value and the rule that it fell under. */
export function whyOf(
  offer: Offer,
  { reasons, profit, roi, margin }: Deal,
  rules: RuleValues,
  nowMs: number,
): readonly Why[] {
  const isKnown = profit !== null && roi !== null;
  const missed = isKnown
    ? missedBy(offer, { profit, roi, margin }, (key) => rules[key], nowMs)
    : [];
  return reasons.map((reason) => {
    const found = missed.find((miss) => miss.reason === reason) ?? null;
    const targets = found === null ? [] : LIMITS[found.by].map((key) => rules[key]);
    const numbers = targets.filter((target): target is number => typeof target === 'number');
    return { reason, missed: found?.value === null ? null : found, targets: numbers };
  });
}
