// The decision as native Sheets formulas that a seller can read: each has fewer than 400 characters. Pure.
//
// They work in every locale: semicolons separate arguments, which Sheets accepts everywhere, and no
// number contains decimals. No variable is called r or c, which are references in R1C1. What is the
// same for a whole list is worked out in the tab "Deal rules".

import { COST_INPUT_KEYS, type CostInput, NO_COST } from './cost';
import { CHECK_RULES, FX_NAMES, RULE_NAMES, WORKED_OUT } from './deal-rules';
import type { Currency } from './market';
import { costFactor, VAT_NAMES, type VatSide } from './vat';
import { DOUBTFUL, ESTIMATED, PROBLEMS, ROI_DOUBTFUL } from './verdict';

/** The figures that a decision reads. */
export const FIGURE_CELLS = [
  ...(['profit', 'roi', 'fees', 'eligible', 'drops', 'buyPrice', 'sellPrice'] as const),
  'analyzedAt',
] as const;

export type FigureCell = (typeof FIGURE_CELLS)[number];

/** The columns of a decision, from left to right. `reasons` is hidden: those against buying. */
export const DEAL_COLUMNS = [
  ...(['landedCost', 'netSale', 'myProfit', 'myRoi', 'maxBuy', 'verdict', 'why'] as const),
  'reasons',
] as const;

export type DealColumn = (typeof DEAL_COLUMNS)[number];

export const DEAL_TITLES: Readonly<Record<DealColumn, string>> = {
  landedCost: 'Landed cost',
  netSale: 'Net sale',
  myProfit: 'My profit',
  myRoi: 'My ROI',
  maxBuy: 'Max buy',
  verdict: 'Verdict',
  why: 'Why',
  reasons: 'Reasons',
};

/** Says which market's profit is better; one column for both markets. */
export const BETTER_TITLE = 'Better market';

/** What formulas read from a row: a cell such as "F2"; null: the list has no such column. */
export interface DealCells {
  readonly product: string;
  readonly figures: Readonly<Record<FigureCell, string | null>>;
  /** Cells with numbers, see `costFormula`; null: the value for the whole list counts. */
  readonly costs: Readonly<Record<CostInput, string | null>>;
  /** The cells of the decision itself. */
  readonly own: Readonly<Record<DealColumn, string>>;
}

/** Whose VAT counts, and whether costs are in another currency. */
export interface DealTerms {
  readonly market: 'US' | 'UK' | RowMarket;
  /** What the title of costs says. */
  readonly side: VatSide | null;
  /** For a list of both markets, whose costs are in one currency: that of this market. */
  readonly exchanged: Currency | null;
}

/** For a list whose rows name their markets. */
interface RowMarket {
  /** The cell that holds "US" or "UK". */
  readonly cell: string;
}

const { whyProfit, whyRoi, whyDrops, whyFees, whyAge, freshSince, roiScale } = WORKED_OUT;
const N = RULE_NAMES;

const call = (name: string, ...args: readonly string[]) => `${name}(${args.join(';')})`;
const when = (test: string, then: string, otherwise: string) => call('IF', test, then, otherwise);
const isNumber = (cell: string) => call('ISNUMBER', cell);
const text = (words: string) => `"${words}"`;
const NOTHING = '""';
const joined = (...parts: readonly string[]) => call('TEXTJOIN', text('; '), 'TRUE', ...parts);
const orNothing = (value: string) => call('IFERROR', value, NOTHING);

/** A factor for the row's market. */
function byMarket({ market }: DealTerms, us: string, uk: string): string {
  if (market === 'US') return us;
  return market === 'UK' ? uk : when(`${market.cell}="UK"`, uk, us);
}

/** What VAT makes of the cost. Costs in pounds bear that of the UK, wherever one sells. */
function factorOfCost(terms: DealTerms): string {
  const [us, uk] = [costFactor('US', terms.side), costFactor('UK', terms.side)];
  return terms.exchanged === null
    ? byMarket(terms, us, uk)
    : when(`${FX_NAMES.currency}="GBP"`, uk, us);
}

const inMarket = ({ exchanged }: DealTerms, amount: string) =>
  exchanged === null ? amount : `(${amount})*${FX_NAMES[exchanged]}`;

/** A row's cost, else the value for the whole list. */
const costOf = ({ costs }: DealCells, key: Exclude<CostInput, 'cost'>) => costs[key] ?? N[key];

/** What a sale costs if the supplier's price is 1. */
const share = (cells: DealCells, terms: DealTerms) =>
  `${factorOfCost(terms)}*(1-${costOf(cells, 'discount')})/${costOf(cells, 'pack')}*${costOf(cells, 'multipack')}`;

const extras = (cells: DealCells) =>
  (['prep', 'shipping', 'other'] as const).map((key) => costOf(cells, key)).join('+');

/** The cost of what is sold as one; in its place, what is wrong with the costs. */
function landedCost(cells: DealCells, terms: DealTerms): string {
  const { product, costs } = cells;
  if (costs.cost === null) return when(`${product}=""`, NOTHING, text(NO_COST));
  const sum = inMarket(terms, `${costs.cost}*${share(cells, terms)}+${extras(cells)}`);
  const texts = COST_INPUT_KEYS.flatMap((key) => (costs[key] === null ? [] : [`T(${costs[key]})`]));
  const problems = call('LET', 'p', joined(...texts), when('p=""', text(CHECK_RULES), 'p'));
  return when(`${product}=""`, NOTHING, call('IFERROR', sum, problems));
}

/** The service's sell price, else the one that follows from its other figures, else an error. */
function sellPrice({ figures }: DealCells): string {
  const { sellPrice: given, buyPrice, profit, fees, roi } = figures;
  const byRoi = roi === null ? 'NA()' : `${profit}/(${roi}/${roiScale})`;
  const paid = buyPrice === null ? byRoi : when(isNumber(buyPrice), buyPrice, byRoi);
  const price = `b+${fees}+${profit}`;
  const isKnown = profit !== null && fees !== null && paid !== 'NA()';
  const possible = when(`MIN(b;${price})<0`, 'NA()', price);
  const derived = isKnown
    ? when(`COUNT(${profit};${fees})=2`, call('LET', 'b', paid, possible), 'NA()')
    : 'NA()';
  return given === null ? derived : when(isNumber(given), given, derived);
}

/** What is left of the sale price after VAT and returns. */
const netSale = (cells: DealCells, terms: DealTerms) =>
  orNothing(`${sellPrice(cells)}*${byMarket(terms, VAT_NAMES.usSale, VAT_NAMES.ukSale)}`);

function fees({ figures }: DealCells, terms: DealTerms): string {
  const cell = figures.fees ?? NOTHING;
  return terms.market === 'US' ? cell : `${cell}*${byMarket(terms, '1', VAT_NAMES.ukFees)}`;
}

/** Half a penny counts as half a penny, see the function. */
const summed = (sum: string, places: string) => call('ROUND', call('ROUND', sum, '9'), places);

function myProfit(cells: DealCells, terms: DealTerms): string {
  const { netSale: net, landedCost: landed } = cells.own;
  const areKnown = `COUNT(${net};${cells.figures.fees ?? NOTHING};${landed})=3`;
  return when(areKnown, summed(`${net}-${fees(cells, terms)}-${landed}`, '2'), NOTHING);
}

function myRoi(cells: DealCells, terms: DealTerms): string {
  const { netSale: net, myProfit: profit, landedCost: landed } = cells.own;
  const ratio = `(${net}-${fees(cells, terms)})/${landed}-1`;
  return when(isNumber(profit), summed(ratio, '4'), NOTHING);
}

/** The highest price from the supplier that meets the targets of Buy, rounded down; at least 0. */
function maxBuy(cells: DealCells, terms: DealTerms): string {
  const { netSale: net } = cells.own;
  const left = `${net}-${fees(cells, terms)}`;
  const areKnown = `COUNT(${net};${cells.figures.fees ?? NOTHING})=2`;
  const landed = `MIN(rest/(1+${N.minRoi});rest-${N.minProfit})`;
  const onTop = inMarket(terms, extras(cells));
  const price = `(${landed}-(${onTop}))/(${inMarket(terms, share(cells, terms))})`;
  const most = call('LET', 'rest', left, `MAX(0;INT(${price}*100+1/10^6)/100)`);
  return orNothing(when(areKnown, most, NOTHING));
}

/** A blank limit is none. */
const isOver = (cell: string | null, most: string) => `N(${most})*(${cell ?? NOTHING}>${most})`;

/** What speaks against buying. Without any of it, the verdict is Buy. */
function reasons({ figures, own }: DealCells): string {
  const [eligible, drops] = [figures.eligible ?? NOTHING, figures.drops ?? NOTHING];
  const unsure = when(`${eligible}=FALSE`, text('Not eligible'), text('Needs approval'));
  const isNot = when(`${eligible}=""`, text('Eligibility unknown'), unsure);
  const missed = [
    when(`(${N.eligibleOnly}=TRUE)*(${eligible}<>TRUE)`, isNot, NOTHING),
    when(`${own.myProfit}<${N.minProfit}`, whyProfit, NOTHING),
    when(`${own.myRoi}<${N.minRoi}`, whyRoi, NOTHING),
    when(
      `N(${drops})<${N.minDrops}`,
      when(`${drops}=""`, text('Rank drops unknown'), whyDrops),
      NOTHING,
    ),
    when(isOver(figures.fees, N.maxFees), whyFees, NOTHING),
    when(`${figures.analyzedAt ?? NOTHING}<${freshSince}`, whyAge, NOTHING),
  ];
  return when(isNumber(own.myProfit), joined(...missed), NOTHING);
}

/** Nothing for a row that has not been analysed yet. */
const ifAnalyzed = ({ figures }: DealCells, result: string) =>
  when(`${figures.analyzedAt ?? NOTHING}=""`, NOTHING, result);

function verdict(cells: DealCells): string {
  const { figures, own } = cells;
  const [eligible, drops] = [figures.eligible ?? NOTHING, figures.drops ?? NOTHING];
  const skips = [
    `${own.myProfit}<${N.maybeProfit}`,
    `${own.myRoi}<${N.maybeRoi}`,
    `(${drops}<>"")*(${drops}<${N.maybeDrops})`,
    isOver(figures.fees, N.maybeFees),
    `(${N.eligibleOnly}=TRUE)*(${eligible}<>"")*(${eligible}=FALSE)`,
  ];
  const other = when(call('OR', ...skips), text('Skip'), text('Maybe'));
  const decided = when(`${own.reasons}=""`, text('Buy'), other);
  return ifAnalyzed(cells, when(isNumber(own.myProfit), decided, text('No verdict')));
}

/** The reasons with notes, or what is missing for a verdict. */
function why(cells: DealCells): string {
  const { figures, own } = cells;
  const said = joined(
    own.reasons,
    when(`${own.myRoi}>${ROI_DOUBTFUL}`, text(DOUBTFUL), NOTHING),
    when(isNumber(figures.sellPrice ?? NOTHING), NOTHING, text(ESTIMATED)),
  );
  const hasFees = isNumber(figures.fees ?? NOTHING);
  const missing = when(hasFees, text(PROBLEMS.sell), text(PROBLEMS.fees));
  const problem = when(isNumber(own.landedCost), missing, own.landedCost);
  return ifAnalyzed(cells, when(isNumber(own.myProfit), said, problem));
}

/** The formulas of one row. */
export const dealFormulas = (
  cells: DealCells,
  terms: DealTerms,
): Readonly<Record<DealColumn, string>> => ({
  landedCost: `=${landedCost(cells, terms)}`,
  netSale: `=${netSale(cells, terms)}`,
  myProfit: `=${myProfit(cells, terms)}`,
  myRoi: `=${myRoi(cells, terms)}`,
  maxBuy: `=${maxBuy(cells, terms)}`,
  verdict: `=${verdict(cells)}`,
  why: `=${why(cells)}`,
  reasons: `=${reasons(cells)}`,
});

/** The cells of one market that are compared, in one row. */
export interface MarketCells {
  readonly profit: string;
  readonly verdict: string;
}

/**
 * The market with the higher profit, in dollars; nothing if they are equal to the penny. Verdicts
 * come first: a market counts only if its verdict is Buy or Maybe, and if only one counts it is the
 * better one. While a market has no verdict, nothing is shown, because unknown is not worse.
 */
export function betterMarket(us: MarketCells, uk: MarketCells): string {
  const is = (cell: string, words: string) => `REGEXMATCH(${cell};"^(${words})$")`;
  const money = (value: string) => call('ROUND', value, '2');
  const gain = `${money(us.profit)}-${money(`${uk.profit}*${FX_NAMES.rate}`)}`;
  const higher = call('LET', 'd', gain, 'IF(d>0;"US";IF(d<0;"UK";""))');
  const compared = when(`COUNT(${us.profit};${uk.profit})=2`, higher, NOTHING);
  const better = `IF(a*b;${compared};IFS(a;"US";b;"UK"))`;
  const allowed = 'Buy|Maybe';
  const chosen = call('LET', 'a', is(us.verdict, allowed), 'b', is(uk.verdict, allowed), better);
  const known = `${allowed}|Skip`;
  const shown = when(is(`${us.verdict}&${uk.verdict}`, `(${known}){2}`), chosen, NOTHING);
  const hasRate = when(isNumber(FX_NAMES.rate), `${FX_NAMES.rate}>0`, 'FALSE');
  const isEmpty = `${us.verdict}&${uk.verdict}=""`;
  return `=${orNothing(when(isEmpty, NOTHING, when(hasRate, shown, text(CHECK_RULES))))}`;
}
