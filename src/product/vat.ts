// What VAT and an allowance for returns make of cost, sale and fees: as factors, and as the formulas
// of the tab "Deal rules". Pure.

import { VAT_NOT_SET, type VatFactors } from './cost';
import type { Market } from './market';

/** How a seller in the UK accounts for VAT. */
export const VAT_SCHEMES = ['Not registered', 'Standard', 'Flat rate'] as const;

/** Whether an amount includes VAT. */
export const VAT_SIDES = ['With VAT', 'Without VAT'] as const;

export type VatSide = (typeof VAT_SIDES)[number];

/** What products bear, by their kind. */
export const VAT_RATES = [0.2, 0.05, 0] as const;

/** The rules that VAT follows. Sellers in the US have none, but may pay sales tax on costs. */
export const VAT_RULES = [
  ...(['ukScheme', 'ukRate', 'ukFlatRate', 'ukCosts', 'ukFees', 'usTax', 'returns'] as const),
] as const;

export type VatRule = (typeof VAT_RULES)[number];

/**
 * Fees bear one part in five, as any service to a business does, whatever the rate of the product is. A
 * whole number, since formulas write decimals by the spreadsheet's language.
 */
const FEES_PARTS = 5;

/** The names of factors, which formulas multiply by, and of whether they are known. */
export const VAT_NAMES = {
  ukSaid: 'VAT_UK_SAID',
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
  const { ukSaid, ukCostWith, ukCostWithout } = VAT_NAMES;
  const notSet = `"${VAT_NOT_SET}"`;
  const ifSaid = (factor: string) => `=IF(${ukSaid};${factor};${notSet})`;
  const said = [
    ...[`${ukScheme}<>""`, `ISNUMBER(${ukRate})`, `${ukFees}<>""`],
    `OR(${ukScheme}<>"Flat rate";N(${ukFlatRate})>0)`,
  ];
  const withFees = `1+1/${FEES_PARTS}`;
  const standard = `${ukScheme}="Standard"`;
  const owed = `IF(${standard};${ukRate}/(1+${ukRate});IF(${ukScheme}="Flat rate";${ukFlatRate};0))`;
  return [
    { name: ukSaid, label: 'UK: VAT is set', formula: `=AND(${said.join(';')})` },
    { name: VAT_NAMES.usCost, label: 'US: cost ×', formula: `=1+${usTax}` },
    { name: VAT_NAMES.usSale, label: 'US: sale ×', formula: `=1-${returns}` },
    {
      name: ukCostWithout,
      label: 'UK: cost without VAT ×',
      formula: ifSaid(`IF(${standard};1;1+${ukRate})`),
    },
    {
      name: ukCostWith,
      label: 'UK: cost with VAT ×',
      formula: ifSaid(`IF(${standard};1/(1+${ukRate});1)`),
    },
    {
      name: VAT_NAMES.ukCost,
      label: 'UK: other costs ×',
      formula: `=IF(${ukCosts}="With VAT";${ukCostWith};IF(${ukCosts}="Without VAT";${ukCostWithout};${notSet}))`,
    },
    { name: VAT_NAMES.ukSale, label: 'UK: sale ×', formula: ifSaid(`1-${returns}-${owed}`) },
    {
      name: VAT_NAMES.ukFees,
      label: 'UK: fees ×',
      formula: ifSaid(
        `IF(${standard};IF(${ukFees}="With VAT";1/(${withFees});1);IF(${ukFees}="With VAT";1;${withFees}))`,
      ),
    },
  ];
}

/** Whose tax the two bear: costs another market's than the sale if they are in another currency. */
interface TaxedIn {
  readonly sale: Market;
  readonly costs: Market;
}

/** What has to be said before VAT is known. */
export type VatGap = Extract<VatRule, `uk${string}`>;

/** What nobody has said of all that VAT follows from; where none counts, nothing has to be said. */
export function vatGaps(
  rules: (key: VatRule) => unknown,
  { sale, costs }: TaxedIn,
  side: VatSide | null,
): readonly VatGap[] {
  if (sale !== 'UK' && costs !== 'UK') return [];
  const isSide = (key: VatRule) => VAT_SIDES.some((one) => one === rules(key));
  const scheme = rules('ukScheme');
  const isSaid: Readonly<Record<VatGap, boolean>> = {
    ukScheme: VAT_SCHEMES.some((one) => one === scheme),
    ukRate: typeof rules('ukRate') === 'number',
    ukFlatRate: scheme !== 'Flat rate' || Number(rules('ukFlatRate')) > 0,
    ukCosts: costs !== 'UK' || side !== null || isSide('ukCosts'),
    ukFees: isSide('ukFees'),
  };
  return (Object.keys(isSaid) as VatGap[]).filter((key) => !isSaid[key]);
}

/** A rate of the rules. From 1 on it is a percentage. */
export const rateOf = (value: number): number => (value < 1 ? value : value / 100);

/** The same as numbers. A rule that is no number counts as 0. */
export function vatFactors(
  rules: (key: VatRule) => unknown,
  taxed: TaxedIn,
  side: VatSide | null,
): VatFactors {
  const { sale, costs } = taxed;
  const number = (key: VatRule) => {
    const rule = rules(key);
    return typeof rule === 'number' ? rateOf(rule) : 0;
  };
  const scheme = rules('ukScheme');
  const rate = number('ukRate');
  const isReclaimed = scheme === 'Standard';
  const at = (one: unknown, of: number): number => {
    if (one === 'With VAT') return isReclaimed ? 1 / (1 + of) : 1;
    return one === 'Without VAT' && !isReclaimed ? 1 + of : 1;
  };
  const registered = scheme === 'Flat rate' ? number('ukFlatRate') : 0;
  const owed = isReclaimed ? rate / (1 + rate) : registered;
  const ofUs = side === 'With VAT' ? 1 : 1 + number('usTax');
  return {
    isSaid: vatGaps(rules, taxed, side).length === 0,
    cost: costs === 'UK' ? at(side ?? rules('ukCosts'), rate) : ofUs,
    sale: 1 - number('returns') - (sale === 'UK' ? owed : 0),
    fees: sale === 'UK' ? at(rules('ukFees'), 1 / FEES_PARTS) : 1,
  };
}
