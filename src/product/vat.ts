// What VAT, sales tax and an allowance for returns make of cost, sale and fees: as factors, and as the
// formulas of the tab "Deal rules". Pure.

import { VAT_NOT_SET, type VatFactors } from './cost';
import { hasVat, MARKETS, type Market, VAT_MARKETS, type VatMarket, vatOn } from './market';

/** Whether an amount includes VAT. */
export const VAT_SIDES = ['With VAT', 'Without VAT'] as const;

export type VatSide = (typeof VAT_SIDES)[number];

/** What a seller says of a market's VAT. */
export const VAT_PARTS = ['Scheme', 'Rate', 'FlatRate', 'Costs', 'Fees'] as const;

export type VatPart = (typeof VAT_PARTS)[number];

/** The rule that holds it. "ukFlatRate" */
type RuleOfVat<Part extends VatPart = VatPart> = `${Lowercase<VatMarket>}${Part}`;

export const vatRule = <Part extends VatPart>(market: VatMarket, part: Part): RuleOfVat<Part> =>
  `${market.toLowerCase() as Lowercase<VatMarket>}${part}`;

/** The rule for the sales tax that a seller pays on costs. "usTax" */
type SalesTaxRule = `${Lowercase<Exclude<Market, VatMarket>>}Tax`;

export const salesTaxRule = (market: Exclude<Market, VatMarket>): SalesTaxRule =>
  `${market.toLowerCase() as Lowercase<typeof market>}Tax`;

/** The rules that tax follows from. */
export type VatRule = RuleOfVat | SalesTaxRule | 'returns';

export const VAT_RULES: readonly VatRule[] = [
  ...VAT_MARKETS.flatMap((market) => VAT_PARTS.map((part) => vatRule(market, part))),
  ...MARKETS.flatMap((market) => (hasVat(market) ? [] : [salesTaxRule(market)])),
  'returns',
];

/** What amounts are multiplied by: costs of which the title says a side, other costs, sales and fees. */
type Factor = 'COST_INC' | 'COST_EX' | 'COST' | 'SALE' | 'FEES';

/** The named cell with a factor, or with whether all is said that they follow from. "VAT_UK_SALE" */
export const vatName = (market: Market, of: Factor | 'SAID'): string => `VAT_${market}_${of}`;

/** The named factor of fees; null: they are what they are. */
export const feesFactor = (market: Market): string | null =>
  hasVat(market) ? vatName(market, 'FEES') : null;

/** The named factor of costs. */
export function costFactor(market: Market, side: VatSide | null): string {
  if (!hasVat(market)) return side === 'With VAT' ? '1' : vatName(market, 'COST');
  if (side === null) return vatName(market, 'COST');
  return vatName(market, side === 'With VAT' ? 'COST_INC' : 'COST_EX');
}

interface NamedFormula {
  readonly name: string;
  readonly label: string;
  readonly formula: string;
}

type Names = Readonly<Record<VatRule, string>>;

/** @param names of the cells that hold the rules. */
export const vatFormulas = (names: Names): readonly NamedFormula[] =>
  MARKETS.flatMap((market) =>
    hasVat(market) ? formulasOfVat(market, names) : formulasOfSalesTax(market, names),
  );

function formulasOfSalesTax(
  market: Exclude<Market, VatMarket>,
  names: Names,
): readonly NamedFormula[] {
  return [
    {
      name: vatName(market, 'COST'),
      label: `${market}: cost ×`,
      formula: `=1+${names[salesTaxRule(market)]}`,
    },
    { name: vatName(market, 'SALE'), label: `${market}: sale ×`, formula: `=1-${names.returns}` },
  ];
}

function formulasOfVat(market: VatMarket, names: Names): readonly NamedFormula[] {
  const [scheme, rate, flatRate, costs, fees] = VAT_PARTS.map(
    (part) => names[vatRule(market, part)],
  );
  const nameOf = (of: Factor | 'SAID') => vatName(market, of);
  const notSet = `"${VAT_NOT_SET}"`;
  const ifSaid = (factor: string) => `=IF(${nameOf('SAID')};${factor};${notSet})`;
  const said = [
    ...[`${scheme}<>""`, `ISNUMBER(${rate})`, `${fees}<>""`],
    `OR(${scheme}<>"Flat rate";N(${flatRate})>0)`,
  ];
  const withFees = `1+${vatOn(market).feesPercent}/100`;
  const standard = `${scheme}="Standard"`;
  const owed = `IF(${standard};${rate}/(1+${rate});IF(${scheme}="Flat rate";${flatRate};0))`;
  return [
    {
      name: nameOf('SAID'),
      label: `${market}: VAT is set`,
      formula: `=AND(${said.join(';')})`,
    },
    {
      name: nameOf('COST_EX'),
      label: `${market}: cost without VAT ×`,
      formula: ifSaid(`IF(${standard};1;1+${rate})`),
    },
    {
      name: nameOf('COST_INC'),
      label: `${market}: cost with VAT ×`,
      formula: ifSaid(`IF(${standard};1/(1+${rate});1)`),
    },
    {
      name: nameOf('COST'),
      label: `${market}: other costs ×`,
      formula: `=IF(${costs}="With VAT";${nameOf('COST_INC')};IF(${costs}="Without VAT";${nameOf('COST_EX')};${notSet}))`,
    },
    {
      name: nameOf('SALE'),
      label: `${market}: sale ×`,
      formula: ifSaid(`1-${names.returns}-${owed}`),
    },
    {
      name: nameOf('FEES'),
      label: `${market}: fees ×`,
      formula: ifSaid(
        `IF(${standard};IF(${fees}="With VAT";1/(${withFees});1);IF(${fees}="With VAT";1;${withFees}))`,
      ),
    },
  ];
}

/** Whose tax the two bear: costs another market's than the sale if they are in another currency. */
interface TaxedIn {
  readonly sale: Market;
  /** null: nobody has said which currency they are in. */
  readonly costs: Market | null;
}

/** What has to be said before VAT is known. */
export interface VatGap {
  readonly market: VatMarket;
  readonly part: VatPart;
}

/** What nobody has said of all that VAT follows from; where none counts, nothing has to be said. */
export function vatGaps(
  rules: (key: VatRule) => unknown,
  { sale, costs }: TaxedIn,
  side: VatSide | null,
): readonly VatGap[] {
  return VAT_MARKETS.filter((market) => market === sale || market === costs).flatMap((market) => {
    const rule = (part: VatPart) => rules(vatRule(market, part));
    const isSide = (part: VatPart) => VAT_SIDES.some((one) => one === rule(part));
    const scheme = rule('Scheme');
    const isSaid: Readonly<Record<VatPart, boolean>> = {
      Scheme: vatOn(market).schemes.some((one) => one === scheme),
      Rate: typeof rule('Rate') === 'number',
      FlatRate: scheme !== 'Flat rate' || Number(rule('FlatRate')) > 0,
      Costs: costs !== market || side !== null || isSide('Costs'),
      Fees: isSide('Fees'),
    };
    return VAT_PARTS.filter((part) => !isSaid[part]).map((part) => ({ market, part }));
  });
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
  const isReclaimed = (market: VatMarket) => rules(vatRule(market, 'Scheme')) === 'Standard';
  const at = (market: VatMarket, said: unknown, rate: number): number => {
    if (said === 'With VAT') return isReclaimed(market) ? 1 / (1 + rate) : 1;
    return said === 'Without VAT' && !isReclaimed(market) ? 1 + rate : 1;
  };
  const costOn = (market: Market): number => {
    if (!hasVat(market)) return side === 'With VAT' ? 1 : 1 + number(salesTaxRule(market));
    return at(market, side ?? rules(vatRule(market, 'Costs')), number(vatRule(market, 'Rate')));
  };
  const owedOn = (market: VatMarket): number => {
    const rate = number(vatRule(market, 'Rate'));
    if (isReclaimed(market)) return rate / (1 + rate);
    const isFlat = rules(vatRule(market, 'Scheme')) === 'Flat rate';
    return isFlat ? number(vatRule(market, 'FlatRate')) : 0;
  };
  return {
    isSaid: vatGaps(rules, taxed, side).length === 0,
    cost: costs === null ? 1 : costOn(costs),
    sale: 1 - number('returns') - (hasVat(sale) ? owedOn(sale) : 0),
    fees: hasVat(sale) ? at(sale, rules(vatRule(sale, 'Fees')), vatOn(sale).feesPercent / 100) : 1,
  };
}
