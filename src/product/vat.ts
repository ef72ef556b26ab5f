// What VAT, sales tax and an allowance for returns make of cost, sale and fees. Each factor is stated once,
// and read as a number and as a formula of the tab "Deal rules". Pure.

import { VAT_NOT_SET, type VatFactors } from './cost';
import {
  hasVat,
  MARKETS,
  type Market,
  VAT_MARKETS,
  type VatMarket,
  type VatScheme,
  vatOn,
} from './market';
import { bracketed, minus, ONE, over, plus, type Read, read, type Term, when } from './term';

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

const hasFlatRate = (market: VatMarket): boolean => vatOn(market).schemes.includes('Flat rate');

/** The parts that a seller there can say. */
export const vatParts = (market: VatMarket): readonly VatPart[] =>
  VAT_PARTS.filter((part) => part !== 'FlatRate' || hasFlatRate(market));

export const VAT_RULES: readonly VatRule[] = [
  ...VAT_MARKETS.flatMap((market) => vatParts(market).map((part) => vatRule(market, part))),
  ...MARKETS.flatMap((market) => (hasVat(market) ? [] : [salesTaxRule(market)])),
  'returns',
];

/** What of an amount is tax that is in it. */
const inside = (rate: Term): Term => over(rate, bracketed(plus(ONE, rate)));

/** A rule, and the name of its cell. */
type RuleCell = (key: VatRule) => Read<unknown>;

/** A rate of the rules. From 1 on it is a percentage. */
export const rateOf = (value: number): number => (value < 1 ? value : value / 100);

/** What a seller pays: a price without VAT bears it on top, and a registered seller gets it back. 0 is no. */
const costAt = (isOnTop: Term, isBack: Term, rate: Term): Term =>
  read(
    [1 / (1 + rate.value), 1, 1 + rate.value][1 + isOnTop.value - isBack.value] ?? 1,
    `CHOOSE(2+${isOnTop.text}-${isBack.text};1/(1+${rate.text});1;1+${rate.text})`,
  );

/**
 * What the tab has of each market: whether all is said that sales follow from, and costs too, whether VAT
 * comes back and comes on top of costs, and what amounts are multiplied by.
 */
export const TAX_CELLS = {
  VAT_SAID: 'VAT is set',
  VAT_SET: 'VAT is set for costs, too',
  VAT_BACK: '1 if VAT is reclaimed',
  VAT_ON_TOP: '1 if costs are without VAT',
  VAT_COST_EX: 'cost without VAT ×',
  VAT_COST_INC: 'cost with VAT ×',
  VAT_COST: 'other costs ×',
  VAT_SALE: 'sale ×',
  VAT_FEES: 'fees ×',
} as const;

export type TaxCell = keyof typeof TAX_CELLS;

/** The cell for costs of which the title says this. */
export const costCell = (side: VatSide | null) =>
  side === null ? 'VAT_COST' : side === 'With VAT' ? 'VAT_COST_INC' : 'VAT_COST_EX';

/** Whether each part is said. */
function saidOn(market: VatMarket, cell: RuleCell): Readonly<Record<VatPart, Read<boolean>>> {
  const at = (part: VatPart) => cell(vatRule(market, part));
  const [scheme, rate, flatRate] = [at('Scheme'), at('Rate'), at('FlatRate')];
  const isAmong = ({ value, text }: Read<unknown>, words: readonly string[]) =>
    read(
      words.some((word) => word === value),
      `${text}<>""`,
    );
  return {
    Scheme: isAmong(scheme, vatOn(market).schemes),
    Rate: read(typeof rate.value === 'number', `ISNUMBER(${rate.text})`),
    FlatRate: hasFlatRate(market)
      ? read(
          scheme.value !== 'Flat rate' || Number(flatRate.value) > 0,
          `OR(${scheme.text}<>"Flat rate";N(${flatRate.text})>0)`,
        )
      : read(true, 'TRUE'),
    Costs: isAmong(at('Costs'), VAT_SIDES),
    Fees: isAmong(at('Fees'), VAT_SIDES),
  };
}

type Factors = Readonly<Record<Exclude<TaxCell, 'VAT_SAID' | 'VAT_SET'>, Term>>;

const NO_VAT = read(0, '""');

/** Of what factors follow from. */
type FactorCell = (name: 'VAT_BACK' | 'VAT_ON_TOP') => string;

/** @param at the market's cell of this name; left out: the values count, and no text. */
function factorsOn(market: Market, cell: RuleCell, at: FactorCell = () => ''): Factors {
  /** A rule that is no number counts as 0. */
  const rate = (key: VatRule): Term => {
    const { value, text } = cell(key);
    return read(typeof value === 'number' ? rateOf(value) : 0, text);
  };
  const soldShare = minus(ONE, rate('returns'));
  if (!hasVat(market)) {
    const taxed = plus(ONE, rate(salesTaxRule(market)));
    return {
      ...{ VAT_BACK: NO_VAT, VAT_ON_TOP: NO_VAT },
      ...{ VAT_COST_EX: taxed, VAT_COST_INC: ONE, VAT_COST: taxed },
      ...{ VAT_SALE: soldShare, VAT_FEES: ONE },
    };
  }
  const { feesPercent } = vatOn(market);
  const ofRule = (part: VatPart) => rate(vatRule(market, part));
  const says = (part: VatPart, word: VatScheme | VatSide) => {
    const { value, text } = cell(vatRule(market, part));
    return read(value === word, `${text}="${word}"`);
  };
  const asNumber = ({ value, text }: Read<boolean>) => read(value ? 1 : 0, `N(${text})`);
  /** Until it is said, VAT changes nothing. */
  const isOnTop = (part: 'Costs' | 'Fees') => {
    const { value, text } = asNumber(says(part, 'Without VAT'));
    return read(value === 1 || says(part, 'With VAT').value ? value : Number.NaN, text);
  };
  const [isBack, areOnTop] = [asNumber(says('Scheme', 'Standard')), isOnTop('Costs')];
  const back = read(isBack.value, at('VAT_BACK'));
  const flat = hasFlatRate(market)
    ? when(says('Scheme', 'Flat rate'), ofRule('FlatRate'), read(0))
    : read(0);
  const owed = when(read(back.value === 1, back.text), inside(ofRule('Rate')), flat);
  return {
    VAT_BACK: isBack,
    VAT_ON_TOP: areOnTop,
    VAT_COST_EX: costAt(ONE, back, ofRule('Rate')),
    VAT_COST_INC: costAt(read(0), back, ofRule('Rate')),
    VAT_COST: costAt(read(areOnTop.value, at('VAT_ON_TOP')), back, ofRule('Rate')),
    VAT_SALE: minus(soldShare, owed),
    VAT_FEES: costAt(isOnTop('Fees'), back, read(feesPercent / 100, `${feesPercent}/100`)),
  };
}

/**
 * @param names of the cells that hold the rules.
 * @param at the market's cell of this name.
 */
export function taxFormula(
  market: Market,
  name: TaxCell,
  names: Readonly<Record<VatRule, string>>,
  at: (name: TaxCell) => string,
): string {
  const cell: RuleCell = (key) => read(null, names[key]);
  const { Costs, ...ofSale } = hasVat(market) ? saidOn(market, cell) : {};
  const isSaid = ['TRUE', ...Object.values(ofSale).map(({ text }) => text)].join(';');
  if (name === 'VAT_SAID') return `=AND(${isSaid})`;
  if (name === 'VAT_SET') return `=AND(${isSaid};${Costs?.text ?? 'TRUE'})`;
  const factor = factorsOn(market, cell, at)[name].text;
  if (Costs === undefined) return `=${factor}`;
  const isOfCosts = name === 'VAT_COST' || name === 'VAT_ON_TOP';
  return `=IF(${at(isOfCosts ? 'VAT_SET' : 'VAT_SAID')};${factor};"${VAT_NOT_SET}")`;
}

/**
 * What a row's own rate of VAT makes of its cost or its sale, as formulas. Where VAT does not count, or is
 * not set, what the rules say stays.
 *
 * @param byRules the factor that the rules say. @param cell what the market has.
 */
export const taxOfRow = {
  cost(rate: string, byRules: string, side: VatSide | null, cell: FactorCell) {
    const onTop = { 'With VAT': '0', 'Without VAT': '1' };
    const isOnTop = side === null ? cell('VAT_ON_TOP') : onTop[side];
    const { text } = costAt(read(0, isOnTop), read(0, 'b'), read(0, rate));
    return `LET(b;${cell('VAT_BACK')};IF((${rate}<1)*ISNUMBER(b);${text};${byRules}))`;
  },
  sale(rate: string, byRules: string, returns: string, cell: FactorCell) {
    const { text } = minus(minus(ONE, read(0, returns)), inside(read(0, rate)));
    return `IF((${rate}<1)*N(${cell('VAT_BACK')});${text};${byRules})`;
  },
};

/** Whose tax the two bear: costs another market's than the sale if they are in another currency. */
interface TaxedIn {
  readonly sale: Market;
  /** null: the currency of costs is not set. */
  readonly costs: Market | null;
}

/** What has to be said before VAT is known. */
export interface VatGap {
  readonly market: VatMarket;
  readonly part: VatPart;
}

const ruleCellOf =
  (rules: (key: VatRule) => unknown): RuleCell =>
  (key) =>
    read(rules(key), '');

/** What nobody has said of all that VAT follows from; where none counts, nothing has to be said. */
export function vatGaps(
  rules: (key: VatRule) => unknown,
  { sale, costs }: TaxedIn,
  side: VatSide | null,
): readonly VatGap[] {
  return VAT_MARKETS.filter((vatMarket) => vatMarket === sale || vatMarket === costs).flatMap(
    (market) => {
      const said = saidOn(market, ruleCellOf(rules));
      const counts = (part: VatPart) => part !== 'Costs' || (costs === market && side === null);
      return vatParts(market)
        .filter((part) => counts(part) && !said[part].value)
        .map((part) => ({
          ...{ market, part },
        }));
    },
  );
}

/** What tax makes of an offer's amounts, as numbers. */
export function vatFactors(
  rules: (key: VatRule) => unknown,
  taxed: TaxedIn,
  side: VatSide | null,
): VatFactors {
  const { sale, costs } = taxed;
  const ofSale = factorsOn(sale, ruleCellOf(rules));
  return {
    isSaid: vatGaps(rules, taxed, side).length === 0,
    cost: costs === null ? 1 : factorsOn(costs, ruleCellOf(rules))[costCell(side)].value,
    sale: ofSale.VAT_SALE.value,
    fees: ofSale.VAT_FEES.value,
  };
}
