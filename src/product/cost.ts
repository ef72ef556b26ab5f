// The buyer's own cost of a product: what one unit costs including everything, and which inputs are
// unusable. Pure.

/**
 * The value of a cell in the list: null if blank; values that are no numbers are kept for the
 * message.
 */
export type CostCell = number | string | boolean | null;

/**
 * One offer. Everything but `cost` may be blank, which means one unit in a pack and in a sale, no
 * discount, no VAT and no extra costs. Discount and VAT are fractions, or percentages from 1 on: 0.2 and 20 both
 * mean 20 %.
 */
export interface Costs {
  /** The supplier's price of a pack. */
  readonly cost: CostCell;
  /** The number of units in a pack. */
  readonly pack: CostCell;
  /** The number of units that are sold as one. */
  readonly multipack: CostCell;
  readonly discount: CostCell;
  readonly vat: CostCell;
  /** Whether the buyer reclaims VAT, which is then no cost. */
  readonly isVatReclaimed: boolean;
  /** For each sale, like `shipping`. */
  readonly prep: CostCell;
  readonly shipping: CostCell;
}

/** Those that may also be set for all lists, in the tab "Deal rules". */
export const RULE_COSTS = ['pack', 'discount', 'vat', 'prep', 'shipping'] as const;

export type RuleCost = (typeof RULE_COSTS)[number];

export const OPTIONAL_COSTS = ['pack', 'multipack', 'discount', 'vat', 'prep', 'shipping'] as const;

export type OptionalCost = (typeof OPTIONAL_COSTS)[number];

export type CostKind = 'money' | 'rate' | 'count';

/** What each of them is, which says how a text of it is read. */
export const COST_KINDS: Readonly<Record<'cost' | OptionalCost, CostKind>> = {
  ...{ cost: 'money', prep: 'money', shipping: 'money' },
  ...{ pack: 'count', multipack: 'count', discount: 'rate', vat: 'rate' },
};

/** The message for each unusable input, in the order of the table. */
export const COST_PROBLEMS: Readonly<Record<'noCost' | 'cost' | OptionalCost, string>> = {
  noCost: 'No cost',
  cost: 'Check cost',
  pack: 'Check pack size',
  multipack: 'Check multipack',
  discount: 'Check discount',
  vat: 'Check VAT',
  prep: 'Check prep',
  shipping: 'Check shipping',
};

const isBlank = (cell: CostCell): boolean => cell === null || cell === '';

const orElse = (cell: CostCell, otherwise: number): number =>
  typeof cell === 'number' ? cell : otherwise;

/** A rate. From 1 on it is a percentage: no discount is 100 %, and no VAT rate is 100 %. */
const rate = (cell: CostCell): number => {
  const value = orElse(cell, 0);
  return value >= 1 ? value / 100 : value;
};

/** The largest pack. A larger number is a date, which Sheets makes of "6-12". */
export const PACK_MAX = 10_000;

/** A pack is never empty, and a discount never reaches 100 %. */
const isUsable = (key: OptionalCost, value: number): boolean =>
  key === 'pack' || key === 'multipack'
    ? value > 0 && value <= PACK_MAX
    : value >= 0 && (key !== 'discount' || value < 100);

/** The unusable inputs, in words. */
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

/**
 * What a sale costs if the pack costs 1, and the extra costs of a sale; null if an input is
 * unusable.
 */
function scale(costs: Costs): { readonly share: number; readonly onTop: number } | null {
  if (wrongExtras(costs).length > 0) return null;
  const vat = costs.isVatReclaimed ? 0 : rate(costs.vat);
  return {
    share:
      ((1 - rate(costs.discount)) / orElse(costs.pack, 1)) * orElse(costs.multipack, 1) * (1 + vat),
    onTop: orElse(costs.prep, 0) + orElse(costs.shipping, 0),
  };
}

/**
 * The cost of what is sold as one: cost × (1 − discount) ÷ pack × multipack × (1 + VAT if not
 * reclaimed) + prep + shipping.
 */
export function unitCost(costs: Costs): number | null {
  const scaled = scale(costs);
  if (scaled === null || typeof costs.cost !== 'number' || costs.cost <= 0) return null;
  return costs.cost * scaled.share + scaled.onTop;
}

/** The inverse: the price of a pack at which a unit costs `unit`. */
export function packCost(costs: Costs, unit: number): number | null {
  const scaled = scale(costs);
  return scaled && (unit - scaled.onTop) / scaled.share;
}
