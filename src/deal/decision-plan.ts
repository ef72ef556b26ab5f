// What decides on a list: its cost columns, the formulas on them, and how verdicts are highlighted.
// Pure.

import type { TextMark } from '../platform/new-tab';
import { seenText, visibleText } from '../product/cell-text';
import { OPTIONAL_COSTS, type RuleCost } from '../product/cost';
import {
  BETTER_TITLE,
  betterMarket,
  costRead,
  DEAL_COLUMNS,
  DEAL_TITLES,
  type DealCells,
  type DealColumn,
  dealFormulas,
  suffixOf,
  titlesOfOurs,
} from '../product/deal-formulas';
import { COST_NAMES, FX_NAMES } from '../product/deal-rules';
import { FIELDS } from '../product/fields';
import {
  DEFAULT_MARKET,
  MARKETS,
  type Market,
  marketPattern,
  marketRow,
  otherMarkets,
} from '../product/market';
import { type ColumnKey, plainTitle } from '../table/columns';
import type { DecisionColumn, Decisions } from './decision-columns';
import type { ListColumn, ListInspection, ListPlace } from './list';

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

/**
 * Whether a title is that of a decision, possibly with its market or our suffix in brackets:
 * `Verdict (UK)`.
 */
const isDecision = (title: string): boolean => {
  const plain = title.replace(/( \([^)]*\))+$/, '');
  return [...Object.values(DEAL_TITLES), BETTER_TITLE].some((one) => isTitled(plain, one));
};

/** The columns of a list, and those of them that a run fills, for this market and for others. */
interface TitledColumns {
  readonly columns: readonly ListColumn[];
  readonly figures: readonly ListColumn[];
  readonly beside: readonly ListColumn[];
}

const OF_RUNS: readonly ColumnKey[] = [...FIELDS, 'status', 'at', 'change'];

/**
 * Suffixes of buy-price titles that may be the buyer's own cost; the formats of their cells show
 * whose it is.
 */
const ANYONES = ['', ...MARKETS.map((market) => ` (${market})`)];

/**
 * Titles of all columns that runs fill in this sheet, for any market or product column. All titles
 * of a set end like the title of its status column.
 */
function runTitles(columns: readonly ListColumn[]): readonly string[] {
  const status = plainTitle('status');
  const ends = columns.flatMap(({ title }) =>
    title.startsWith(status) ? [title.slice(status.length)] : [],
  );
  return ends.flatMap((end) =>
    OF_RUNS.filter((key) => key !== 'buy_price' || !ANYONES.includes(end)).map(
      (key) => plainTitle(key) + end,
    ),
  );
}

/** Columns that may hold the buyer's own costs: those that neither a run nor a decision fills. */
export function ownColumnsOf({ columns, figures, beside }: TitledColumns): readonly ListColumn[] {
  const filled = [...figures, ...beside];
  const isFigure = ({ column }: ListColumn) => filled.some((one) => one.column === column);
  const ofRuns = runTitles(columns);
  const isRuns = (one: ListColumn) => isFigure(one) || ofRuns.includes(one.title);
  return columns.filter((one) => !isRuns(one) && !isDecision(one.title));
}

/**
 * The cost columns by their titles. Each column has at most one meaning. Where a price may be that
 * of a unit or of a pack, there is no cost until the person says which.
 *
 * @param chosen the column that the person chose for the cost, whatever its title.
 */
export function costColumnsOf(look: TitledColumns, chosen?: CostMeant): CostColumns {
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
export function costsToChoose(look: TitledColumns): readonly CostMeant[] {
  return ownColumnsOf(look).flatMap((column): readonly CostMeant[] => {
    const { pack } = titledCosts(look, column);
    const isClear = pack === undefined || isPriceOfPack(column.title) !== undefined;
    return isClear ? [{ column }] : [false, true].map((isOfPack) => ({ column, isOfPack }));
  });
}

/** Whether the list has costs, be it clear or not what they are for. */
export const hasCosts = (look: TitledColumns): boolean => titledCosts(look).cost !== undefined;

function titledCosts(look: TitledColumns, chosen?: ListColumn): CostColumns {
  const own = ownColumnsOf(look);
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

/** Columns that may hold anything else, such as the market: no figures, decisions or costs. */
export function otherColumnsOf(look: TitledColumns): readonly ListColumn[] {
  const costs = Object.values(titledCosts(look));
  const prices = ANYONES.map((end) => plainTitle('buy_price') + end);
  return ownColumnsOf(look).filter((one) => !costs.includes(one) && !prices.includes(one.title));
}

/** The existing columns of decisions. For the other market, pass its columns as `figures`. */
export function decisionColumnsOf({
  columns,
  figures,
}: Pick<ListInspection, 'columns' | 'figures'>): { readonly [Key in DealColumn]?: ListColumn } {
  const suffix = suffixOf(figures);
  const titled = (title: string) => columns.find((one) => isTitled(one.title, title));
  return Object.fromEntries(
    DEAL_COLUMNS.flatMap((key) => {
      const [found] = titlesOfOurs(DEAL_TITLES[key], suffix).flatMap(
        (title) => titled(title) ?? [],
      );
      return found === undefined ? [] : [[key, found]];
    }),
  );
}

/**
 * The column that the decisions of the list take for the cost, whoever chose it, and whether it is
 * that of a pack.
 */
export function costInUse(look: ListInspection): CostMeant | undefined {
  const formula = look.formulas?.[(decisionColumnsOf(look).myProfit?.column ?? 0) - 1] ?? '';
  const letter = costRead('cost').exec(formula)?.[1]?.replace(/[$\d]/g, '');
  const column = ownColumnsOf(look).find((one) => one.letter === letter);
  return column && { column, isOfPack: costRead('pack').test(formula) };
}

const KINDS: Readonly<Record<DealColumn, Pick<DecisionColumn, 'kind' | 'width'>>> = {
  myProfit: { kind: 'money', width: 90 },
  myRoi: { kind: 'ratio', width: 80 },
  maxBuy: { kind: 'money', width: 90 },
  verdict: { kind: 'text', width: 90 },
  why: { kind: 'text', width: 280 },
};

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

type Columns = Pick<ListInspection, 'columns' | 'figures' | 'beside'>;

const hasStatus = (columns: ListInspection['figures']) =>
  columns.some(({ key }) => key === 'status');

/** Whether the list has figures of both markets. */
export const isOfBoth = ({ figures, beside }: Pick<Columns, 'figures' | 'beside'>): boolean =>
  hasStatus(figures) && hasStatus(beside);

/**
 * The column of the better market, once both markets have decisions. This market's columns are
 * referred to by title, because they may not exist yet.
 */
function betterColumn(look: Columns, market: Market): DecisionColumn | null {
  const suffix = suffixOf(look.figures);
  const own = {
    profit: `{${DEAL_TITLES.myProfit}${suffix}}`,
    verdict: `{${DEAL_TITLES.verdict}${suffix}}`,
  };
  const { myProfit, verdict } = decisionColumnsOf({ columns: look.columns, figures: look.beside });
  if (myProfit === undefined || verdict === undefined) return null;
  const other = { profit: `{${myProfit.column}}`, verdict: `{${verdict.column}}` };
  const formula = market === 'US' ? betterMarket(own, other) : betterMarket(other, own);
  return { title: BETTER_TITLE, formula, kind: 'text', width: 110 };
}

/** What gives the currency of costs: the rules, the list's market, or the market of each row. */
function currencyOf(
  market: Market | null,
  rows: ListPlace['market'] | null,
): Pick<DealCells, 'currency'> {
  if (market !== null) return { currency: FX_NAMES.currency };
  if (rows === null) return {};
  if (rows.kind === 'one') return { currency: `"${marketRow(rows.market).currency}"` };
  const [usual, other] = [DEFAULT_MARKET, ...otherMarkets(DEFAULT_MARKET)].map(
    (one) => marketRow(one).currency,
  );
  const isOther = otherMarkets(DEFAULT_MARKET).map(
    (one) => `REGEXMATCH(LOWER(TRIM({${rows.column}}));"${marketPattern(one)}")`,
  );
  return { currency: `IF(${isOther.join('+')};"${other}";"${usual}")` };
}

/**
 * The decisions that `deals.apply` and `deals.remove` receive in addition to the list's place.
 *
 * @param rows the market of the list's rows; null: texts of costs have no sign of a currency.
 * @param market the market of the figures if the list has both. The first one is decided before the
 * second, which also gets the column of the better market.
 */
export function decisionsFor(
  look: Columns,
  costs: CostColumns,
  market: Market | null = null,
  rows: ListPlace['market'] | null = null,
): Decisions {
  const suffix = suffixOf(look.figures);
  const figure = (key: string) => {
    const found = look.figures.find((one) => one.key === key);
    return found === undefined ? null : `{${found.column}}`;
  };
  const chosen = (key: CostKey) => {
    const column = costs[key]?.column;
    return column === undefined ? null : `{${column}}`;
  };
  const extra = (key: RuleCost) => chosen(key) ?? COST_NAMES[key];
  const cells: DealCells = {
    profit: figure('profit'),
    roi: figure('roi'),
    fees: figure('fees'),
    eligible: figure('eligible'),
    drops: figure('rank_drops_30d'),
    buyPrice: figure('buy_price'),
    sellPrice: figure('sell_price'),
    analyzedAt: figure('at'),
    cost: chosen('cost'),
    pack: extra('pack'),
    multipack: chosen('multipack'),
    discount: extra('discount'),
    vat: extra('vat'),
    prep: extra('prep'),
    shipping: extra('shipping'),
    ...(market === null ? {} : { rate: FX_NAMES[marketRow(market).currency] }),
    ...currencyOf(market, rows),
  };
  const titled = (key: DealColumn) => DEAL_TITLES[key] + suffix;
  const own = { myProfit: `{${titled('myProfit')}}`, myRoi: `{${titled('myRoi')}}` };
  const formulas = dealFormulas(cells, own);
  const better = market === null ? null : betterColumn(look, market);
  return {
    columns: [
      ...DEAL_COLUMNS.map((key) => ({
        ...{ title: titled(key), formula: formulas[key] },
        ...KINDS[key],
      })),
      ...(better === null ? [] : [better]),
    ],
    marked: titled('verdict'),
    marks: MARKS,
  };
}
