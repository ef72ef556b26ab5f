// A buyer's own cost of a product: what a unit costs landed, and what of the inputs cannot be used. Pure.

/** A cell of a list as it stands there: blank is null, and what is no number is kept to be told. */
export type CostCell = number | string | boolean | null;

/**
 * One offer. All but `cost` may be blank: one unit a pack, no discount, no VAT, nothing on top.
 * Discount and VAT are fractions, or percentages from 1 on: 0.2 and 20 both are 20 %.
 */
export interface Costs {
  /** What the supplier asks for a pack. */
  readonly cost: CostCell;
  /** Units in a pack. */
  readonly pack: CostCell;
  readonly discount: CostCell;
  readonly vat: CostCell;
  /** VAT that the buyer gets back is no cost. */
  readonly isVatReclaimed: boolean;
  /** For each unit, as is `shipping`. */
  readonly prep: CostCell;
  readonly shipping: CostCell;
}

export const OPTIONAL_COSTS = ['pack', 'discount', 'vat', 'prep', 'shipping'] as const;

export type OptionalCost = (typeof OPTIONAL_COSTS)[number];

/** What is said of an input that cannot be used; in the order of the table. */
export const COST_PROBLEMS: Readonly<Record<'noCost' | 'cost' | OptionalCost, string>> = {
  noCost: 'No cost',
  cost: 'Check cost',
  pack: 'Check pack size',
  discount: 'Check discount',
  vat: 'Check VAT',
  prep: 'Check prep',
  shipping: 'Check shipping',
};

const isBlank = (cell: CostCell): boolean => cell === null || cell === '';

const orElse = (cell: CostCell, otherwise: number): number =>
  typeof cell === 'number' ? cell : otherwise;

/** From 1 on it is a percentage: no discount takes all, and no VAT is 100 %. */
const rate = (cell: CostCell): number => {
  const value = orElse(cell, 0);
  return value >= 1 ? value / 100 : value;
};

/** No pack is empty, and no discount takes all. */
const isUsable = (key: OptionalCost, value: number): boolean =>
  key === 'pack' ? value > 0 : value >= 0 && (key !== 'discount' || value < 100);

/** What of the inputs cannot be used, in words. */
export function costProblems(costs: Costs): readonly string[] {
  const wrong = wrongExtras(costs).map((key) => COST_PROBLEMS[key]);
  if (isBlank(costs.cost)) return [COST_PROBLEMS.noCost, ...wrong];
  const isWrong = !(typeof costs.cost === 'number' && costs.cost > 0);
  return isWrong ? [COST_PROBLEMS.cost, ...wrong] : wrong;
}

function wrongExtras(costs: Costs): readonly OptionalCost[] {
  return OPTIONAL_COSTS.filter((key) => {
    const cell = costs[key];
    return !isBlank(cell) && !(typeof cell === 'number' && isUsable(key, cell));
  });
}

/** What a unit costs of a pack that costs 1, and what comes on top; null where an input is wrong. */
function scale(costs: Costs): { readonly share: number; readonly onTop: number } | null {
  if (wrongExtras(costs).length > 0) return null;
  const vat = costs.isVatReclaimed ? 0 : rate(costs.vat);
  return {
    share: ((1 - rate(costs.discount)) / orElse(costs.pack, 1)) * (1 + vat),
    onTop: orElse(costs.prep, 0) + orElse(costs.shipping, 0),
  };
}

/** cost × (1 − discount) ÷ pack × (1 + VAT where not reclaimed) + prep + shipping. */
export function unitCost(costs: Costs): number | null {
  const scaled = scale(costs);
  if (scaled === null || typeof costs.cost !== 'number' || costs.cost <= 0) return null;
  return costs.cost * scaled.share + scaled.onTop;
}

/** What a pack may cost for a unit to cost so much: the inverse. */
export function packCost(costs: Costs, unit: number): number | null {
  const scaled = scale(costs);
  return scaled && (unit - scaled.onTop) / scaled.share;
}
