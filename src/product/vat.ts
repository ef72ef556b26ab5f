// What VAT, sales tax and an allowance for returns make of cost, sale and fees. Each factor is stated once,
// and read as a number and as a formula of the tab "Deal rules". Pure.

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

/** What something comes to, and the formula for it. */
interface Read<Value> {
  readonly value: Value;
  readonly text: string;
}

const read = <Value>(value: Value, text = String(value)): Read<Value> => ({ value, text });

type Term = Read<number>;

const ONE = read(1);
const onTop = ({ value, text }: Term): Term => read(1 + value, `1+${text}`);
const without = ({ value, text }: Term): Term => read(1 / (1 + value), `1/(1+${text})`);
const inside = ({ value, text }: Term): Term => read(value / (1 + value), `${text}/(1+${text})`);
const minus = (one: Term, other: Term): Term =>
  read(one.value - other.value, `${one.text}-${other.text}`);
const when = (test: Read<boolean>, then: Term, otherwise: Term): Term =>
  read((test.value ? then : otherwise).value, `IF(${test.text};${then.text};${otherwise.text})`);

/** A rule, and the name of its cell. */
type RuleCell = (key: VatRule) => Read<unknown>;

/** A rate of the rules. From 1 on it is a percentage. */
export const rateOf = (value: number): number => (value < 1 ? value : value / 100);

/**
 * What the tab has of each market: whether all is said that sales follow from, and costs too, and what
 * amounts are multiplied by.
 */
export const TAX_CELLS = {
  VAT_SAID: 'VAT is set',
  VAT_SET: 'VAT is set for costs, too',
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
      words.some((one) => one === value),
      `${text}<>""`,
    );
  return {
    Scheme: isAmong(scheme, vatOn(market).schemes),
    Rate: read(typeof rate.value === 'number', `ISNUMBER(${rate.text})`),
    FlatRate: read(
      scheme.value !== 'Flat rate' || Number(flatRate.value) > 0,
      `OR(${scheme.text}<>"Flat rate";N(${flatRate.text})>0)`,
    ),
    Costs: isAmong(at('Costs'), VAT_SIDES),
    Fees: isAmong(at('Fees'), VAT_SIDES),
  };
}

type Factors = Readonly<Record<Exclude<TaxCell, 'VAT_SAID' | 'VAT_SET'>, Term>>;

function factorsOn(market: Market, cell: RuleCell): Factors {
  /** A rule that is no number counts as 0. */
  const rate = (key: VatRule): Term => {
    const { value, text } = cell(key);
    return read(typeof value === 'number' ? rateOf(value) : 0, text);
  };
  const kept = minus(ONE, rate('returns'));
  if (!hasVat(market)) {
    const taxed = onTop(rate(salesTaxRule(market)));
    return {
      ...{ VAT_COST_EX: taxed, VAT_COST_INC: ONE, VAT_COST: taxed },
      ...{ VAT_SALE: kept, VAT_FEES: ONE },
    };
  }
  const part = (one: VatPart) => rate(vatRule(market, one));
  const says = (one: VatPart, word: string) => {
    const { value, text } = cell(vatRule(market, one));
    return read(value === word, `${text}="${word}"`);
  };
  const isReclaimed = says('Scheme', 'Standard');
  const inc = (tax: Term) => when(isReclaimed, without(tax), ONE);
  const ex = (tax: Term) => when(isReclaimed, ONE, onTop(tax));
  const notSaid = read(1, `"${VAT_NOT_SET}"`);
  const asSaid = (one: VatPart, tax: Term): Term =>
    when(says(one, 'With VAT'), inc(tax), when(says(one, 'Without VAT'), ex(tax), notSaid));
  const ofFlat = when(says('Scheme', 'Flat rate'), part('FlatRate'), read(0));
  const { feesPercent } = vatOn(market);
  return {
    VAT_COST_EX: ex(part('Rate')),
    VAT_COST_INC: inc(part('Rate')),
    VAT_COST: asSaid('Costs', part('Rate')),
    VAT_SALE: minus(kept, when(isReclaimed, inside(part('Rate')), ofFlat)),
    VAT_FEES: asSaid('Fees', read(feesPercent / 100, `${feesPercent}/100`)),
  };
}

/**
 * @param names of the cells that hold the rules.
 * @param said the market's cell of VAT_SAID.
 */
export function taxFormula(
  market: Market,
  name: TaxCell,
  names: Readonly<Record<VatRule, string>>,
  said: string,
): string {
  const cell: RuleCell = (key) => read(null, names[key]);
  const { Costs, ...ofSale } = hasVat(market) ? saidOn(market, cell) : {};
  const isSaid = ['TRUE', ...Object.values(ofSale).map(({ text }) => text)].join(';');
  if (name === 'VAT_SAID') return `=AND(${isSaid})`;
  if (name === 'VAT_SET') return `=AND(${isSaid};${Costs?.text ?? 'TRUE'})`;
  const factor = factorsOn(market, cell)[name].text;
  return Costs ? `=IF(${said};${factor};"${VAT_NOT_SET}")` : `=${factor}`;
}

/** What a product at this rate bears, as a formula. @param rate the text of it. */
export const taxAt = (
  market: VatMarket,
  name: keyof Factors,
  names: Readonly<Record<VatRule, string>>,
  rate: string,
): string =>
  factorsOn(market, (key) => read(null, key === vatRule(market, 'Rate') ? rate : names[key]))[name]
    .text;

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

const cellsOf =
  (rules: (key: VatRule) => unknown): RuleCell =>
  (key) =>
    read(rules(key), '');

/** What nobody has said of all that VAT follows from; where none counts, nothing has to be said. */
export function vatGaps(
  rules: (key: VatRule) => unknown,
  { sale, costs }: TaxedIn,
  side: VatSide | null,
): readonly VatGap[] {
  return VAT_MARKETS.filter((one) => one === sale || one === costs).flatMap((market) => {
    const said = saidOn(market, cellsOf(rules));
    const counts = (part: VatPart) => part !== 'Costs' || (costs === market && side === null);
    return VAT_PARTS.filter((part) => counts(part) && !said[part].value).map((part) => ({
      ...{ market, part },
    }));
  });
}

/** What tax makes of an offer's amounts, as numbers. */
export function vatFactors(
  rules: (key: VatRule) => unknown,
  taxed: TaxedIn,
  side: VatSide | null,
): VatFactors {
  const { sale, costs } = taxed;
  const ofSale = factorsOn(sale, cellsOf(rules));
  return {
    isSaid: vatGaps(rules, taxed, side).length === 0,
    cost: costs === null ? 1 : factorsOn(costs, cellsOf(rules))[costCell(side)].value,
    sale: ofSale.VAT_SALE.value,
    fees: ofSale.VAT_FEES.value,
  };
}
