// What VAT and an allowance for returns make of cost, sale and fees: as factors, and as the formulas
// of the tab "Deal rules". Pure.

import { rateOf, type VatFactors } from './cost';
import type { Market } from './market';

/** How a seller in the UK accounts for VAT. */
export const VAT_SCHEMES = ['Not registered', 'Standard', 'Flat rate'] as const;

/** Whether an amount includes VAT. An amount whose side is blank is used as it stands. */
export const VAT_SIDES = ['With VAT', 'Without VAT'] as const;

export type VatSide = (typeof VAT_SIDES)[number];

/** The rules that VAT follows. Sellers in the US have none, but may pay sales tax on costs. */
export const VAT_RULES = [
  ...(['ukScheme', 'ukRate', 'ukFlatRate', 'ukCosts', 'ukFees', 'usTax', 'returns'] as const),
] as const;

export type VatRule = (typeof VAT_RULES)[number];

/** The names of factors, which formulas multiply by. */
export const VAT_NAMES = {
  usCost: 'VAT_US_COST',
  ukCost: 'VAT_UK_COST',
  ukCostWith: 'VAT_UK_COST_INC',
  ukCostWithout: 'VAT_UK_COST_EX',
  usSale: 'VAT_US_SALE',
  ukSale: 'VAT_UK_SALE',
  ukFees: 'VAT_UK_FEES',
} as const;

/** The named factor of costs. */
export function costFactor(market: Market, side: VatSide | null): string {
  if (market === 'US') return side === 'With VAT' ? '1' : VAT_NAMES.usCost;
  if (side === null) return VAT_NAMES.ukCost;
  return side === 'With VAT' ? VAT_NAMES.ukCostWith : VAT_NAMES.ukCostWithout;
}

/** @param names of the cells that hold the rules. */
export function vatFormulas(
  names: Readonly<Record<VatRule, string>>,
): readonly { readonly name: string; readonly label: string; readonly formula: string }[] {
  const { ukScheme, ukRate, ukFlatRate, ukCosts, ukFees, usTax, returns } = names;
  const { ukCostWith, ukCostWithout } = VAT_NAMES;
  const chosen = (side: string) =>
    `=IF(${side}="With VAT";${ukCostWith};IF(${side}="Without VAT";${ukCostWithout};1))`;
  const standard = `${ukScheme}="Standard"`;
  const owed = `IF(${standard};${ukRate}/(1+${ukRate});IF(${ukScheme}="Flat rate";${ukFlatRate};0))`;
  return [
    { name: VAT_NAMES.usCost, label: 'US: cost ×', formula: `=1+${usTax}` },
    { name: VAT_NAMES.usSale, label: 'US: sale ×', formula: `=1-${returns}` },
    {
      name: ukCostWithout,
      label: 'UK: cost without VAT ×',
      formula: `=IF(${standard};1;1+${ukRate})`,
    },
    {
      name: ukCostWith,
      label: 'UK: cost with VAT ×',
      formula: `=IF(${standard};1/(1+${ukRate});1)`,
    },
    { name: VAT_NAMES.ukCost, label: 'UK: other costs ×', formula: chosen(ukCosts) },
    { name: VAT_NAMES.ukSale, label: 'UK: sale ×', formula: `=1-${returns}-${owed}` },
    { name: VAT_NAMES.ukFees, label: 'UK: fees ×', formula: chosen(ukFees) },
  ];
}

/** The same as numbers. A rule that is no number counts as 0. */
export function vatFactors(
  rules: (key: VatRule) => unknown,
  /** `costs`: whose tax they bear; another one's if they are in another currency. */
  { sale, costs }: { readonly sale: Market; readonly costs: Market },
  side: VatSide | null,
): VatFactors {
  const number = (key: VatRule) => {
    const rule = rules(key);
    return typeof rule === 'number' ? rateOf(rule) : 0;
  };
  const scheme = rules('ukScheme');
  const rate = number('ukRate');
  const isReclaimed = scheme === 'Standard';
  const at = (one: unknown): number => {
    if (one === 'With VAT') return isReclaimed ? 1 / (1 + rate) : 1;
    return one === 'Without VAT' && !isReclaimed ? 1 + rate : 1;
  };
  const registered = scheme === 'Flat rate' ? number('ukFlatRate') : 0;
  const owed = isReclaimed ? rate / (1 + rate) : registered;
  const ofUs = side === 'With VAT' ? 1 : 1 + number('usTax');
  return {
    cost: costs === 'UK' ? at(side ?? rules('ukCosts')) : ofUs,
    sale: 1 - number('returns') - (sale === 'UK' ? owed : 0),
    fees: sale === 'UK' ? at(rules('ukFees')) : 1,
  };
}
