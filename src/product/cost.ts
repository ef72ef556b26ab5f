// The buyer's own cost of what is sold as one, and which inputs are unusable. Pure.
import { costOfSale, paid, priceBehind } from './offer-sum';
import { minus, ONE, read } from './term';

/**
 * The value of a cell in the list: null if blank; values that are no numbers are kept for the
 * message.
 */
export type CostCell = number | string | boolean | null;

export type CostKind = 'money' | 'rate' | 'count' | 'vat';

/** How a column writes its rates: 5 % is 5, or 0.05. */
export const RATE_READINGS = ['percent', 'fraction'] as const;

export type RateReading = (typeof RATE_READINGS)[number];

/** What a quantity counts: what the supplier sells as one, or units. */
export const QUANTITY_READINGS = ['cases', 'units'] as const;

export type QuantityReading = (typeof QUANTITY_READINGS)[number];

interface InputRow {
  /** Which says how a text of it is read. */
  readonly kind: CostKind;
  /** What a blank cell counts as. A blank cost is none. */
  readonly blank: number;
  /** Shown in place of a landed cost. */
  readonly problem: string;
}

/** A rate of VAT in percent that no product bears: that of the rules counts. */
const VAT_BY_RULES = 100;

/** In the order of their messages. A rate of VAT is in percent. */
export const COST_INPUTS = {
  cost: { kind: 'money', blank: 0, problem: 'Check cost' },
  pack: { kind: 'count', blank: 1, problem: 'Check case size' },
  multipack: { kind: 'count', blank: 1, problem: 'Check multipack' },
  discount: { kind: 'rate', blank: 0, problem: 'Check discount' },
  salesTax: { kind: 'money', blank: 0, problem: 'Check sales tax' },
  prep: { kind: 'money', blank: 0, problem: 'Check prep' },
  shipping: { kind: 'money', blank: 0, problem: 'Check shipping' },
  other: { kind: 'money', blank: 0, problem: 'Check other costs' },
  vatRate: { kind: 'vat', blank: VAT_BY_RULES, problem: 'Check VAT rate' },
} as const satisfies Readonly<Record<string, InputRow>>;

export type CostInput = keyof typeof COST_INPUTS;

export const COST_INPUT_KEYS = Object.keys(COST_INPUTS) as CostInput[];

/** Those that may also be set for a whole list, in the tab "Deal rules". */
export type RuleCost = Exclude<CostInput, (typeof ROW_COSTS)[number]>;

/** Those that only a row has: of taxes, the rules have more to say than one value. */
const ROW_COSTS = ['cost', 'vatRate', 'salesTax'] as const;

export const isRuleCost = (key: CostInput): key is RuleCost =>
  !ROW_COSTS.some((rowCost) => rowCost === key);

export const RULE_COSTS = COST_INPUT_KEYS.filter(isRuleCost);

/** The facts about an offer that a list may have, each in its own column. */
export type CostKey = CostInput | 'quantity' | 'ordered';

export const COST_KEYS: readonly [CostKey, ...CostKey[]] = [
  ...(['cost', 'quantity', 'ordered', 'vatRate', 'salesTax'] as const),
  ...RULE_COSTS,
];

/** What VAT and returns make of an offer's amounts: each is multiplied by its factor. */
export interface VatFactors {
  /** Whether a person has said all that VAT follows from; else nothing is worked out. */
  readonly isSaid: boolean;
  readonly cost: number;
  readonly sale: number;
  readonly fees: number;
}

/** One offer. A discount of 0.2 is 20 %. */
export type Costs = Readonly<Record<CostInput, CostCell>> & { readonly vat: VatFactors };

export const NO_COST = 'No cost';

/** Shown instead of a landed cost until a person has said how VAT counts. */
export const VAT_NOT_SET = 'VAT not set';

/** The largest case or multipack. A larger number is a date, which Sheets makes of "6-12". */
export const UNITS_MAX = 10_000;

/** The largest amount of money. A larger number is a date, which Sheets makes of "4.5", or a barcode. */
export const AMOUNT_MAX = 30_000;

const isBlankCost = (cell: CostCell): boolean => cell === null || cell === '';

function isUsable(key: CostInput, value: number): boolean {
  const { kind } = COST_INPUTS[key];
  if (kind === 'vat') return true;
  if (kind === 'rate') return value >= 0 && value < 1;
  if (kind === 'count') return value > 0 && value <= UNITS_MAX;
  return value <= AMOUNT_MAX && (key === 'cost' ? value > 0 : value >= 0);
}

/** The unusable inputs, in words; without any, that VAT is not set. */
export function costProblems(costs: Costs): readonly string[] {
  const unusable = COST_INPUT_KEYS.flatMap((key) => {
    const cell = costs[key];
    if (isBlankCost(cell)) return key === 'cost' ? [NO_COST] : [];
    const isNumber = typeof cell === 'number' && isUsable(key, cell);
    return isNumber ? [] : [COST_INPUTS[key].problem];
  });
  return unusable.length > 0 || costs.vat.isSaid ? unusable : [VAT_NOT_SET];
}

const numberOf = (costs: Costs, key: CostInput): number => {
  const cell = costs[key];
  return typeof cell === 'number' ? cell : COST_INPUTS[key].blank;
};

/** What the supplier is paid for a pack, after the discount; null: the cell says no price. */
export function paidCost(costs: Costs): number | null {
  const { cost } = costs;
  return typeof cost === 'number' ? cost * (1 - numberOf(costs, 'discount')) : null;
}

/** What comes on top of a cost, and what a landed cost has in it. */
export const EXTRAS = ['prep', 'shipping', 'other'] as const;

export type ExtraCost = (typeof EXTRAS)[number];

/** What comes on top of what is paid, as the sum of an offer has it. */
function termsOf(costs: Costs) {
  const of = (key: CostInput) => read(numberOf(costs, key));
  const extras = read(EXTRAS.reduce((total, key) => total + numberOf(costs, key), 0));
  const share = [read(costs.vat.cost), minus(ONE, of('discount'))] as const;
  return {
    share,
    tax: of('salesTax'),
    extras,
    units: { pack: of('pack'), multipack: of('multipack') },
  };
}

/**
 * The cost of what is sold as one: (cost × VAT × (1 − discount) + sales tax) ÷ units in the case × units in
 * one sale + prep + shipping + other; null if an input is unusable.
 */
export function landedCost(costs: Costs): number | null {
  if (costProblems(costs).length > 0) return null;
  const { share, tax, extras, units } = termsOf(costs);
  return costOfSale(paid(read(numberOf(costs, 'cost')), ...share), tax, extras, units).value;
}

/** The inverse: the supplier's price at which a sale costs so much, whatever the price is now. */
export function costBehind(costs: Costs, ofSale: number): number | null {
  if (costProblems({ ...costs, cost: 1 }).length > 0) return null;
  const { share, tax, extras, units } = termsOf(costs);
  return priceBehind(read(ofSale), paid(...share), tax, extras, units).value;
}
