// What decides on a list: its cost columns, the formulas on them, and how verdicts are highlighted.
// Pure.

import type { GroupMarket } from '../list/lookup-formulas';
import type { TextMark } from '../platform/new-tab';
import { seenText, visibleText } from '../product/cell-text';
import { OPTIONAL_COSTS, type RuleCost } from '../product/cost';
import {
  BETTER_TITLE,
  betterMarket,
  DEAL_COLUMNS,
  DEAL_TITLES,
  type DealCells,
  type DealColumn,
  dealFormulas,
} from '../product/deal-formulas';
import { COST_NAMES, FX_NAMES } from '../product/deal-rules';
import type { Field } from '../product/fields';
import {
  DEFAULT_MARKET,
  type Market,
  marketPattern,
  marketRow,
  otherMarkets,
} from '../product/market';

/** A column of a list with its header. */
export interface ListColumn {
  /** Columns count from 1. */
  readonly column: number;
  /** "C" */
  readonly letter: string;
  readonly title: string;
}

/** The facts about an offer that a list may have, each in its own column. */
export const COST_KEYS = ['cost', 'quantity', ...OPTIONAL_COSTS] as const;

export type CostKey = (typeof COST_KEYS)[number];

/** Columns that were chosen by the person or recognised by their titles. */
export type CostColumns = { readonly [Key in CostKey]?: ListColumn };

/**
 * Known titles without case, currencies, units in brackets and other signs than letters; likeliest
 * first.
 */
const TITLES: Readonly<Record<CostKey, readonly string[]>> = {
  cost: [
    ...['cost', 'mycost', 'unitcost', 'costprice', 'buycost', 'buyprice', 'mybuyprice', 'cogs'],
    ...['cog', 'costofgoods', 'purchaseprice', 'purchasecost', 'buyingprice', 'supplierprice'],
    ...['suppliercost', 'wholesaleprice', 'wholesalecost', 'tradeprice', 'tradecost'],
    ...['productcost', 'itemcost', 'sourceprice', 'sourcecost', 'netcost', 'netprice'],
    ...['invoiceprice', 'unitprice', 'costperunit', 'costperitem', 'costeach', 'priceperunit'],
    ...['casecost', 'caseprice', 'packcost', 'packprice', 'costexvat', 'priceexvat'],
    ...['costincvat', 'landedcost'],
  ],
  quantity: [
    ...['quantity', 'qty', 'orderquantity', 'orderqty', 'quantitytobuy', 'qtytobuy', 'buyqty'],
    ...['buyquantity', 'units', 'packs', 'cases', 'moq', 'minimumorder', 'minimumorderquantity'],
  ],
  pack: [
    ...['pack', 'packsize', 'casesize', 'casepack', 'caseqty', 'casequantity', 'packqty'],
    ...['packquantity', 'unitspercase', 'unitsperpack', 'itemsperpack', 'itemspercase'],
    ...['innerpack', 'percase', 'perpack'],
  ],
  multipack: [
    ...['multipack', 'multipacksize', 'multipackqty', 'multipackquantity', 'unitspersale'],
    ...['unitsperlisting', 'bundle', 'bundlesize', 'bundleqty', 'bundlequantity', 'packof'],
    ...['soldas', 'unitssold', 'numberofitems', 'setof', 'listingpack', 'amazonpack'],
    ...['amazonpacksize', 'asinpack', 'asinpacksize', 'unitsperasin'],
  ],
  discount: ['discount', 'discountrate', 'supplierdiscount', 'disc', 'cashback'],
  vat: ['vat', 'vatrate', 'salestax', 'salestaxrate', 'taxrate', 'tax'],
  prep: ['prep', 'prepcost', 'prepfee', 'prepfees', 'prepperunit', 'preppingcost', 'labelling'],
  shipping: [
    ...['shipping', 'shippingcost', 'shippingperunit', 'inboundshipping', 'inbound', 'freight'],
    ...['shippingtoamazon', 'shippingtofba', 'delivery', 'deliverycost', 'postage', 'carriage'],
  ],
};

const formOf = (title: string) =>
  visibleText(title)
    .toLowerCase()
    .replace(/\([^)]*\)|\[[^\]]*\]/g, '')
    .replace(/\b(gbp|usd)\b/g, '')
    .replace(/[^a-z]/g, '');

/** Titles for the price of one unit, which is not divided by the pack size. */
const OF_A_UNIT = /unit|each|peritem/;

/** Titles for the price of a whole pack. */
const OF_A_PACK = /case|pack/;

/** The column that a person, or a decision, takes for the cost. */
export interface CostMeant {
  readonly column: ListColumn;
  /** Whether it is the price of a pack; undefined: of what its title says. */
  readonly isOfPack?: boolean | undefined;
}

const isTitled = (title: string, wanted: string) =>
  seenText(title).toLowerCase() === wanted.toLowerCase();

/** Whether a title is that of a decision, possibly with its market in brackets: `Verdict (UK)`. */
const isDecision = (title: string): boolean => {
  const plain = title.replace(/( \([^)]*\))+$/, '');
  const { landedCost: _, ...titles } = DEAL_TITLES;
  return [...Object.values(titles), BETTER_TITLE].some((one) => isTitled(plain, one));
};

/** The columns of a list that are a person's own. */
interface OwnColumns {
  readonly columns: readonly ListColumn[];
}

/** Columns that may hold the buyer's own costs: not what a person has titled like a decision. */
const costCandidates = ({ columns }: OwnColumns): readonly ListColumn[] =>
  columns.filter(({ title }) => title !== '' && !isDecision(title));

/**
 * The cost columns by their titles. Each column has at most one meaning. Where a price may be that
 * of a unit or of a pack, there is no cost until the person says which.
 *
 * @param chosen the column that the person chose for the cost, whatever its title.
 */
export function costColumnsOf(look: OwnColumns, chosen?: CostMeant): CostColumns {
  const found = titledCosts(look, chosen?.column);
  const { cost, pack } = found;
  if (cost === undefined || pack === undefined) return found;
  const isOfPack = chosen?.isOfPack ?? isPriceOfPack(cost.title);
  if (isOfPack === true) return found;
  const { pack: _, ...ofUnit } = found;
  if (isOfPack === false) return ofUnit;
  const { cost: __, ...unclear } = found;
  return unclear;
}

/** Whether a price is that of a pack; undefined: its title may mean either. */
function isPriceOfPack(title: string): boolean | undefined {
  if (OF_A_UNIT.test(formOf(title))) return false;
  return OF_A_PACK.test(formOf(title)) ? true : undefined;
}

/**
 * What a person may choose as the cost. Beside a column of packs, a price may be that of a unit or
 * of a pack, unless its title says so.
 */
export function costsToChoose(look: OwnColumns): readonly CostMeant[] {
  return costCandidates(look).flatMap((column): readonly CostMeant[] => {
    const { pack } = titledCosts(look, column);
    const isClear = pack === undefined || isPriceOfPack(column.title) !== undefined;
    return isClear ? [{ column }] : [false, true].map((isOfPack) => ({ column, isOfPack }));
  });
}

/** Whether the list has costs, be it clear or not what they are for. */
export const hasCosts = (look: OwnColumns): boolean => titledCosts(look).cost !== undefined;

function titledCosts(look: OwnColumns, chosen?: ListColumn): CostColumns {
  const own = costCandidates(look);
  const found: Partial<Record<CostKey, ListColumn>> = {};
  if (chosen !== undefined) found.cost = chosen;
  for (const key of COST_KEYS.filter((one) => found[one] === undefined)) {
    const [best] = own
      .filter(({ column }) => column !== chosen?.column)
      .map((one) => ({ one, rank: TITLES[key].indexOf(formOf(one.title)) }))
      .filter(({ rank }) => rank >= 0)
      .sort((a, b) => a.rank - b.rank);
    if (best) found[key] = best.one;
  }
  return found;
}

/** Possible titles of the column with product names. */
const NAME = /^(product )?(title|name|description|item|product)( name| title| description)?$/i;

/** The column with product names, if there is one. */
export const nameColumnOf = ({ columns }: OwnColumns): number | undefined =>
  columns.find(({ title }) => NAME.test(seenText(title)))?.column;

/** What the decisions of a list take for the cost, else what the person has chosen for them. */
export function costInUse(
  { columns, costsInUse }: OwnColumns & { readonly costsInUse: CostColumns | null },
  chosen: { readonly title: string; readonly isOfPack?: boolean } | null,
): CostMeant | undefined {
  const inUse = costsInUse?.cost;
  if (inUse !== undefined) {
    const isOfPack = costsInUse?.pack !== undefined || isPriceOfPack(inUse.title) === true;
    return { column: inUse, isOfPack };
  }
  const column = chosen && columns.find(({ title }) => title === chosen.title);
  return column ? { column, isOfPack: chosen.isOfPack } : undefined;
}

export type DecisionKind = 'money' | 'ratio' | 'text';

/** How a column of a decision looks. @param width in pixels. */
export const DECISION_LOOKS: Readonly<
  Record<DecisionRole, { readonly kind: DecisionKind; readonly width: number }>
> = {
  landedCost: { kind: 'money', width: 100 },
  myProfit: { kind: 'money', width: 90 },
  myRoi: { kind: 'ratio', width: 80 },
  maxBuy: { kind: 'money', width: 90 },
  verdict: { kind: 'text', width: 90 },
  why: { kind: 'text', width: 280 },
  better: { kind: 'text', width: 110 },
};

/** The columns that we add for decisions. The better market is one column for both markets. */
export const DECISION_ROLES = [...DEAL_COLUMNS, 'better'] as const;

export type DecisionRole = (typeof DECISION_ROLES)[number];

export const decisionTitle = (role: DecisionRole): string =>
  role === 'better' ? BETTER_TITLE : DEAL_TITLES[role];

/**
 * A verdict differs by its word first, then by brightness and weight. Blue, sand, grey and white
 * remain distinct for people who cannot tell red from green.
 */
export const MARKS: readonly TextMark[] = [
  { text: 'Buy', background: '#c2dbff', color: '#0b3d91', isBold: true },
  { text: 'Maybe', background: '#fef0c3', color: '#5f4500', isBold: false },
  { text: 'Skip', background: '#e8eaed', color: '#5f6368', isBold: false },
  { text: 'No verdict', background: '#ffffff', color: '#80868b', isBold: false },
];

/** The columns of the Analysis tab that formulas read. */
const FIGURES = {
  profit: 'profit',
  roi: 'roi',
  fees: 'fees',
  eligible: 'eligible',
  drops: 'rank_drops_30d',
  buyPrice: 'buy_price',
  sellPrice: 'sell_price',
} as const satisfies Readonly<Record<string, Field>>;

/** What the formulas of one group of columns can read. */
export interface DecisionInput {
  readonly market: GroupMarket;
  /** Figures that are shown beside the list for this market. */
  readonly fields: readonly Field[];
  readonly costs: readonly CostKey[];
  /** Whether the list has figures of both markets, so that costs are in one currency of two. */
  readonly isOfBoth: boolean;
}

/** What gives the currency of costs: the rules, the list's market, or the market of each row. */
function currencyOf({ market, isOfBoth }: DecisionInput): string {
  if (isOfBoth) return FX_NAMES.currency;
  if (market !== 'column') return `"${marketRow(market).currency}"`;
  const [usual, other] = [DEFAULT_MARKET, ...otherMarkets(DEFAULT_MARKET)].map(
    (one) => marketRow(one).currency,
  );
  const isOther = otherMarkets(DEFAULT_MARKET).map(
    (one) => `REGEXMATCH(LOWER(TRIM({market}));"${marketPattern(one)}")`,
  );
  return `IF(${isOther.join('+')};"${other}";"${usual}")`;
}

/**
 * The formulas of a group's decisions. "{fees}" stands for the row's cell in the column with that
 * role: of the list, of the group, or of the decisions themselves.
 */
export function decisionFormulas(input: DecisionInput): Readonly<Record<DealColumn, string>> {
  const { market, fields, costs, isOfBoth } = input;
  const figure = (key: keyof typeof FIGURES) =>
    fields.includes(FIGURES[key]) ? `{${FIGURES[key]}}` : null;
  const chosen = (key: CostKey) => (costs.includes(key) ? `{${key}}` : null);
  const extra = (key: RuleCost) => chosen(key) ?? COST_NAMES[key];
  const cells: DealCells = {
    product: '{product}',
    profit: figure('profit'),
    roi: figure('roi'),
    fees: figure('fees'),
    eligible: figure('eligible'),
    drops: figure('drops'),
    buyPrice: figure('buyPrice'),
    sellPrice: figure('sellPrice'),
    analyzedAt: '{analyzed_at}',
    cost: chosen('cost'),
    pack: extra('pack'),
    multipack: chosen('multipack'),
    discount: extra('discount'),
    vat: extra('vat'),
    prep: extra('prep'),
    shipping: extra('shipping'),
    currency: currencyOf(input),
    ...(isOfBoth && market !== 'column' ? { rate: FX_NAMES[marketRow(market).currency] } : {}),
  };
  const own = { landedCost: '{landedCost}', myProfit: '{myProfit}', myRoi: '{myRoi}' };
  return dealFormulas(cells, own);
}

/** The formula of the better market. "{verdict UK}" stands for a cell of that market's group. */
export function betterFormula(): string {
  const cells = (market: Market) => ({
    profit: `{myProfit ${market}}`,
    verdict: `{verdict ${market}}`,
  });
  return betterMarket(cells('US'), cells('UK'));
}

/**
 * A formula of `decisionFormulas` in R1C1 notation, for the cells of this column.
 *
 * @param columnOf the column that a name stands for; undefined: it no longer exists.
 */
export const formulaIn = (
  column: number,
  formula: string,
  columnOf: (name: string) => number | undefined,
): string =>
  formula.replace(/\{([^}]*)\}/g, (_, name: string) => {
    const there = columnOf(name);
    if (there === undefined) return '#REF!';
    return there === column ? 'RC' : `RC[${there - column}]`;
  });
