// What decides on a list: its cost columns, the formulas on them, and how verdicts are highlighted.
// Pure.

import type { TextMark } from '../google/presentation';
import type { GroupMarket } from '../list/marked-list';
import { seenText, visibleText } from '../product/cell-text';
import { COST_INPUT_KEYS, type CostInput, RULE_COSTS } from '../product/cost';
import {
  BETTER_TITLE,
  betterMarket,
  DEAL_COLUMNS,
  DEAL_TITLES,
  type DealColumn,
  type DealTerms,
  dealFormulas,
  type FigureCell,
} from '../product/deal-formulas';
import { FX_NAMES } from '../product/deal-rules';
import type { Field } from '../product/fields';
import { type Market, marketRow } from '../product/market';
import { costFormula } from '../product/typed-cost';
import { type VatSide, withoutVatSide } from '../product/vat';

/** A column of a list with its header. */
export interface ListColumn {
  /** Columns count from 1. */
  readonly column: number;
  /** "C" */
  readonly letter: string;
  readonly title: string;
}

/** The facts about an offer that a list may have, each in its own column. */
export type CostKey = CostInput | 'quantity';

export const COST_KEYS: readonly [CostKey, ...CostKey[]] = ['cost', 'quantity', ...RULE_COSTS];

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
    ...['productcost', 'itemcost', 'sourceprice', 'sourcecost', 'invoiceprice', 'unitprice'],
    ...['costperunit', 'costperitem', 'costeach', 'priceperunit', 'casecost', 'caseprice'],
    ...['packcost', 'packprice', 'landedcost', 'netprice', 'netcost', 'priceexvat', 'priceincvat'],
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
  prep: ['prep', 'prepcost', 'prepfee', 'prepfees', 'prepperunit', 'preppingcost', 'labelling'],
  shipping: [
    ...['shipping', 'shippingcost', 'shippingperunit', 'inboundshipping', 'inbound', 'freight'],
    ...['shippingtoamazon', 'shippingtofba', 'delivery', 'deliverycost', 'postage', 'carriage'],
  ],
  other: [
    ...['other', 'othercost', 'othercosts', 'otherfees', 'extra', 'extracost', 'extracosts'],
    ...['misc', 'miscellaneous', 'packaging', 'bundling'],
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

/** Titles for the price of a whole case or pack. */
const OF_A_PACK = /case|pack/;

/** Titles of pack sizes that may also be how many units are sold as one. */
const MAY_BE_SOLD = /^(pack|packsize|packqty|packquantity|unitsperpack|itemsperpack|perpack)$/;

/** What a pack size does to a cost: nothing to a unit's, or units are sold together. */
export const PACK_USES = ['ignored', 'divides', 'multiplies'] as const;

export type PackUse = (typeof PACK_USES)[number];

/** What the titles of a cost and a pack size may mean, likeliest first. */
function packUses(cost: string, pack: string): readonly PackUse[] {
  const sold = MAY_BE_SOLD.test(formOf(pack)) ? (['multiplies'] as const) : [];
  if (OF_A_UNIT.test(formOf(cost))) return ['ignored', ...sold];
  return OF_A_PACK.test(formOf(cost)) ? ['divides'] : ['ignored', 'divides', ...sold];
}

/** The column that a person, or a decision, takes for the cost. */
export interface CostMeant {
  readonly column: ListColumn;
  /** What the pack size does; undefined: the titles say it, or there is none. */
  readonly pack?: PackUse | undefined;
}

/** A choice of the cost, with the column of pack sizes that it is about. */
export interface CostChoice extends CostMeant {
  readonly packColumn?: ListColumn;
}

const isTitled = (title: string, wanted: string) =>
  seenText(title).toLowerCase() === wanted.toLowerCase();

/** Whether a title is that of a decision, possibly with its market in brackets: `Verdict (UK)`. */
const isDecision = (title: string): boolean => {
  const plain = title.replace(/( \([^)]*\))+$/, '');
  const { landedCost: _, reasons: __, ...titles } = DEAL_TITLES;
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
 * The cost columns by their titles. Each column has at most one meaning. Where a price
 * may be that of a unit or of a pack, there is no cost until the person says which.
 *
 * @param chosen the column that the person chose for the cost, whatever its title.
 */
export function costColumnsOf(look: OwnColumns, chosen?: CostMeant): CostColumns {
  const found = titledCosts(look, chosen?.column);
  const { cost, pack } = found;
  if (cost === undefined || pack === undefined) return found;
  const [clear, ...others] = packUses(cost.title, pack.title);
  const use = chosen?.pack ?? (others.length === 0 ? clear : undefined);
  if (use === 'divides') return found;
  const { pack: _, ...ofUnit } = found;
  if (use === 'ignored') return ofUnit;
  if (use === 'multiplies') return { ...ofUnit, multipack: found.multipack ?? pack };
  const { cost: __, ...unclear } = found;
  return unclear;
}

/** What a person may choose as the cost, with each thing that the titles may mean. */
export function costsToChoose(look: OwnColumns): readonly CostChoice[] {
  return costCandidates(look).flatMap((column): readonly CostChoice[] => {
    const { pack } = titledCosts(look, column);
    const uses = pack === undefined ? [] : packUses(column.title, pack.title);
    if (pack === undefined || uses.length === 1) return [{ column }];
    return uses.map((use) => ({ column, pack: use, packColumn: pack }));
  });
}

/** Whether the list has costs, be it clear or not what they are for. */
export const hasCosts = (look: OwnColumns): boolean => titledCosts(look).cost !== undefined;

/** How likely a title means this; −1: it does not. "Unit cost ex VAT" is "Unit cost". */
const rankOf = (key: CostKey, title: string): number =>
  Math.max(...[title, withoutVatSide(title)].map((one) => TITLES[key].indexOf(formOf(one))));

function titledCosts(look: OwnColumns, chosen?: ListColumn): CostColumns {
  const own = costCandidates(look);
  const found: Partial<Record<CostKey, ListColumn>> = {};
  if (chosen !== undefined) found.cost = chosen;
  for (const key of COST_KEYS.filter((one) => found[one] === undefined)) {
    const [best] = own
      .filter(({ column }) => column !== chosen?.column)
      .map((one) => ({ one, rank: rankOf(key, one.title) }))
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
  chosen: { readonly title: string; readonly pack?: PackUse } | null,
): CostMeant | undefined {
  const inUse = costsInUse?.cost;
  if (inUse !== undefined) {
    if (OF_A_PACK.test(formOf(inUse.title)) && costsInUse?.multipack === undefined)
      return { column: inUse, pack: 'divides' };
    const unit = costsInUse?.multipack === undefined ? 'ignored' : 'multiplies';
    return { column: inUse, pack: costsInUse?.pack === undefined ? unit : 'divides' };
  }
  const column = chosen && columns.find(({ title }) => title === chosen.title);
  return column ? { column, pack: chosen.pack } : undefined;
}

export type DecisionKind = 'money' | 'ratio' | 'number' | 'text';

/** A hidden column that reads costs as numbers. "costNumber" */
export type NumberRole = `${CostInput}Number`;

/** The columns that we add for decisions: of a market, then those of the list. */
export type DecisionRole = DealColumn | 'better' | NumberRole;

export const numberRole = (key: CostInput): NumberRole => `${key}Number`;

export const DECISION_ROLES: readonly DecisionRole[] = [
  ...DEAL_COLUMNS,
  'better',
  ...COST_INPUT_KEYS.map(numberRole),
];

interface DecisionLook {
  readonly kind: DecisionKind;
  /** In pixels. */
  readonly width: number;
  readonly isHidden?: true;
}

const LOOKS: Readonly<Record<DealColumn | 'better', DecisionLook>> = {
  landedCost: { kind: 'money', width: 100 },
  netSale: { kind: 'money', width: 90 },
  myProfit: { kind: 'money', width: 90 },
  myRoi: { kind: 'ratio', width: 80 },
  maxBuy: { kind: 'money', width: 90 },
  verdict: { kind: 'text', width: 90 },
  why: { kind: 'text', width: 280 },
  reasons: { kind: 'text', width: 100, isHidden: true },
  better: { kind: 'text', width: 110 },
};

const isNumberRole = (role: DecisionRole): role is NumberRole => role.endsWith('Number');

/** How a column of a decision looks. */
export function decisionLook(role: DecisionRole, market: GroupMarket | 'both'): DecisionLook {
  if (isNumberRole(role)) return { kind: 'number', width: 180, isHidden: true };
  // In the US, nothing is owed on a sale.
  if (role === 'netSale' && market === 'US') return { ...LOOKS.netSale, isHidden: true };
  return LOOKS[role];
}

export function decisionTitle(role: DecisionRole): string {
  if (isNumberRole(role)) return `${role.charAt(0).toUpperCase()}${role.slice(1, -6)} as number`;
  return role === 'better' ? BETTER_TITLE : DEAL_TITLES[role];
}

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
} as const satisfies Readonly<Record<Exclude<FigureCell, 'analyzedAt'>, Field>>;

/** What the formulas of one group of columns can read. */
export interface DecisionInput {
  readonly market: GroupMarket;
  /** Figures that are shown beside the list for this market. */
  readonly fields: readonly Field[];
  readonly costs: readonly CostKey[];
  /** What the title of costs says. */
  readonly side: VatSide | null;
  /** Whether the list has figures of both markets, so that costs are in one currency of two. */
  readonly isOfBoth: boolean;
}

/** The cell with the market of a row, as it was analyzed. */
const ROW_MARKET = '{market}';

function termsOf({ market, side, isOfBoth }: DecisionInput): DealTerms {
  if (market === 'column') return { market: { cell: ROW_MARKET }, side, exchanged: null };
  return { market, side, exchanged: isOfBoth ? marketRow(market).currency : null };
}

/**
 * The formulas of a group's decisions. "{fees}" stands for the row's cell in the column with that
 * role: of the list, of the group, or of the decisions themselves.
 */
export function decisionFormulas(input: DecisionInput) {
  const { fields, costs } = input;
  const figures = Object.entries(FIGURES).map(([key, field]) => [
    key,
    fields.includes(field) ? `{${field}}` : null,
  ]);
  const numbers = COST_INPUT_KEYS.map((key) => [
    key,
    costs.includes(key) ? `{${numberRole(key)}}` : null,
  ]);
  const cells = {
    product: '{product}',
    figures: { ...Object.fromEntries(figures), analyzedAt: '{analyzed_at}' },
    costs: Object.fromEntries(numbers),
    own: Object.fromEntries(DEAL_COLUMNS.map((key) => [key, `{${key}}`])) as never,
  };
  return dealFormulas(cells, termsOf(input));
}

/** The formulas that read costs as numbers, one for each column of them. */
export function numberFormulas(
  market: GroupMarket | 'both',
  costs: readonly CostKey[],
): readonly { readonly role: NumberRole; readonly formula: string }[] {
  const ofRow = market === 'column' ? `${ROW_MARKET}="UK"` : market === 'UK';
  const isGbp = market === 'both' ? `${FX_NAMES.currency}="GBP"` : ofRow;
  return COST_INPUT_KEYS.filter((key) => costs.includes(key)).map((key) => ({
    role: numberRole(key),
    formula: costFormula(key, `{${key}}`, isGbp),
  }));
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
  formula.replace(/\{([a-zA-Z][^}]*)\}/g, (_, name: string) => {
    const there = columnOf(name);
    if (there === undefined) return '#REF!';
    return there === column ? 'RC' : `RC[${there - column}]`;
  });
