// The decision as native Sheets formulas that a seller can read: each has fewer than 400 characters. Pure.
//
// They work in every locale: semicolons separate arguments, which Sheets accepts everywhere, and no
// number contains decimals. No variable is called r or c, which are references in R1C1. What is the
// same for a whole list is worked out in the tab "Deal rules".

import { OK_STATUS } from '../failures/status';
import {
  COST_INPUT_KEYS,
  type CostInput,
  type CostKey,
  EXTRAS,
  type ExtraCost,
  type RateReading,
} from './cost';
import {
  CHECK_RULES,
  COSTS_CELLS,
  MONEY_SIGN,
  marketCell,
  moneyCell,
  type NamedMarketCell,
  RULE_NAMES,
  WHY_FX_ALL,
  WORKED_OUT,
} from './deal-rules';
import { eligibilityWord, type Field, NEEDS_APPROVAL, TITLES } from './fields';
import type { Market } from './market';
import {
  costOfSale,
  leftOfSale,
  mostOfSale,
  paid,
  priceBehind,
  profitOf,
  roiOf,
  type Units,
} from './offer-sum';
import {
  areHiddenNumbers,
  CHECK_COLUMNS,
  hiddenFactor,
  hiddenNumber,
  isInOwnColumn,
  isWorkedOut,
  NOT_ANALYZED,
  shownFactor,
  shownNumber,
  shownSum,
  TITLES_OK,
} from './own-row';
import { bracketed, cellTerm, minus, ONE, type Term, times } from './term';
import { costFormula } from './typed-cost';
import { costCell, taxOfRow, type VatSide } from './vat';
import { DOUBTFUL, ESTIMATED, PROBLEMS, ROI_DOUBTFUL } from './verdict';

/**
 * The columns of a decision, from left to right. The last six are hidden: whether all costs of the row can be
 * read, the most that a sale may cost, of which Max buy is made, the reasons against buying, in two steps, so
 * that formulas stay short, and in a list with a rate of VAT in each row what it makes of cost and sale.
 */
export const DEAL_COLUMNS = [
  ...(['verdict', 'why', 'myProfit', 'myRoi', 'maxBuy', 'landedCost', 'netSale'] as const),
  ...(['costsRead', 'mostLanded', 'gainReasons', 'reasons', 'costTax', 'saleTax'] as const),
] as const;

export type DealColumn = (typeof DEAL_COLUMNS)[number];

const DEAL_TITLES: Readonly<Record<DealColumn, string>> = {
  verdict: TITLES.verdict,
  why: TITLES.why,
  myProfit: 'My profit',
  myRoi: 'My ROI',
  maxBuy: 'Max buy',
  landedCost: 'Landed cost',
  netSale: 'Net sale',
  costsRead: 'Costs read',
  mostLanded: 'Most landed',
  gainReasons: 'Gain reasons',
  reasons: 'Reasons',
  costTax: 'VAT on cost',
  saleTax: 'VAT on sale',
};

/** Says which market's profit is better; one column for both markets. */
export const BETTER_TITLE = 'Better market';

/** A hidden column that reads costs as numbers. "costNumber" */
export type NumberRole = `${CostInput}Number`;

export const numberRole = (key: CostInput): NumberRole => `${key}Number`;

/** The columns that are added for decisions: of a market, then those of the list. */
export type DecisionRole = DealColumn | 'better' | NumberRole;

export const isNumberRole = (role: DecisionRole): role is NumberRole => role.endsWith('Number');

export function decisionTitle(role: DecisionRole): string {
  if (isNumberRole(role)) return `${role.charAt(0).toUpperCase()}${role.slice(1, -6)} as number`;
  return role === 'better' ? BETTER_TITLE : DEAL_TITLES[role];
}

/** What the formulas of one group of columns can read, and for whom they count. */
export interface DealInput {
  /** `column`: each row names its own. */
  readonly market: Market | 'column';
  /** The figures that stand beside the list for this market. */
  readonly fields: readonly Field[];
  /** What else than its cost the list has a column for; of others the value for the whole list counts. */
  readonly costs: readonly CostKey[];
  /** What the title of costs says: of VAT, of units in the case, and which extras are in it. */
  readonly side: VatSide | null;
  readonly caseSize: number | null;
  readonly included: readonly ExtraCost[];
  /** How the column of discounts is read; null: nothing in it says so yet. */
  readonly discountAs: RateReading | null;
  /** Whether the list has figures of both markets, so that costs are in one currency of two. */
  readonly isOfBoth: boolean;
  /** Whether it is known that ROI is a fraction, so that prices can follow from it. */
  readonly roiIsFraction: boolean;
}

/** The row's cell in the column with this role, "{fees}". */
const cell = (
  role: Field | DealColumn | NumberRole | 'product' | 'market' | 'status' | 'analyzed_at',
) => `{${role}}`;

/** The cell of a figure; '""' where the list does not show it. */
const figure = ({ fields }: DealInput, field: Field): string =>
  fields.includes(field) ? cell(field) : '""';

const OWN = Object.fromEntries(DEAL_COLUMNS.map((role) => [role, cell(role)])) as Readonly<
  Record<DealColumn, string>
>;
const PRODUCT = cell('product');
const ANALYZED_AT = cell('analyzed_at');
const STATUS = cell('status');

const { whyProfit, whyRoi, whyMargin, whyDrops, whyFees, whyAge, freshSince, areRead } = WORKED_OUT;
const { whyVat, whyUnsure, whyNoRank } = WORKED_OUT;
const N = RULE_NAMES;

const call = (name: string, ...args: readonly string[]) => `${name}(${args.join(';')})`;
const when = (test: string, then: string, otherwise: string) => call('IF', test, then, otherwise);
const isNumber = (cell: string) => call('ISNUMBER', cell);
const text = (words: string) => `"${words}"`;
const [YES, NO] = [text(eligibilityWord(true)), text(eligibilityWord(false))];
/** A real blank: a text such as "" is greater than every number. */
const BLANK = '';
const joined = (...parts: readonly string[]) => call('TEXTJOIN', text('; '), '1', ...parts);
const orBlank = (value: string) => call('IFERROR', value);

/** Whether a formula is in the row of this cell still, which nobody moves with it alone. */
const isInRowOf = (read: string) => `(ROW(${read})=ROW())`;
/** Whether the columns that decisions read have the titles that they were bound with. */
const IS_BOUND = `{helper!}=${text(TITLES_OK)}`;

/** A number in the row of what it reads; blank while this is not so. */
const ifInRow = (read: string, test: string, result: string) =>
  orBlank(when(`${isInRowOf(read)}*${test}`, result, BLANK));

/** Whether a formula stands under its own title: what it reads moves to the side with a copy. */
const IS_IN_OWN_COLUMN = `(${isInOwnColumn('{own!}')})`;

/** The same under its own title alone. */
const ifInPlace = (read: string, test: string, result: string) =>
  ifInRow(read, `${IS_IN_OWN_COLUMN}*${test}`, result);

/** What reasons begin with, and no text of a person's: a cell that was cleared or pasted over is no Buy. */
const SAID = '¬';
/** The reasons of an offer whose VAT is not set. */
const OPEN = `${SAID}?`;

const marketOf = ({ market }: Pick<DealInput, 'market'>): string =>
  market === 'column' ? cell('market') : text(market);

/** What the row's market has. */
const ofMarket = (input: Pick<DealInput, 'market'>, name: NamedMarketCell): string =>
  marketCell(name, marketOf(input));

/** The market into whose currency costs are exchanged; null: they are in that of each row's market. */
const exchangedFor = ({ market, isOfBoth }: DealInput): Market | null =>
  isOfBoth && market !== 'column' ? market : null;

/** What tax makes of the cost. Costs bear that of their currency's market, wherever one sells. */
function costByRules(input: DealInput): string {
  const name = costCell(input.side);
  return exchangedFor(input) === null ? ofMarket(input, name) : COSTS_CELLS[name];
}

const hasRates = ({ costs }: Pick<DealInput, 'costs'>) => costs.includes('vatRate');

const factorOfCost = (input: DealInput) =>
  hasRates(input) ? shownFactor(OWN.costTax) : costByRules(input);

const factorOfSale = (input: DealInput) =>
  hasRates(input) ? shownFactor(OWN.saleTax) : ofMarket(input, 'VAT_SALE');

/** Shown as a hidden factor while the row's own rate is in its place. @param factor of it, where it is `v`. */
function byOwnRate(factor: string): string {
  const rate = cell(numberRole('vatRate'));
  const isOwn = [isInRowOf(rate), IS_IN_OWN_COLUMN, areHiddenNumbers(rate, 1)];
  const shown = call('LET', 'v', `${shownNumber(rate)}/100`, hiddenFactor(factor));
  return orBlank(when(isOwn.join('*'), shown, BLANK));
}

function costTax(input: DealInput): string {
  const isExchanged = exchangedFor(input) !== null;
  const ofCosts = (name: 'VAT_BACK' | 'VAT_ON_TOP') =>
    isExchanged ? COSTS_CELLS[name] : ofMarket(input, name);
  return byOwnRate(taxOfRow.cost('v', costByRules(input), input.side, ofCosts));
}

const saleTax = (input: DealInput) =>
  byOwnRate(
    taxOfRow.sale('v', ofMarket(input, 'VAT_SALE'), N.returns, (name) => ofMarket(input, name)),
  );

/** A row's cost, else the value for the whole list. */
function costOf({ costs, caseSize }: DealInput, key: 'pack' | 'multipack'): string {
  if (costs.includes(key)) return shownNumber(cell(numberRole(key)));
  return key === 'pack' && caseSize !== null ? String(caseSize) : N[key];
}

/** The factors that make a price what is paid. A row's own discount is in percent. */
function paidShare(input: DealInput): readonly [Term, ...Term[]] {
  const isOwn = input.costs.includes('discount');
  const share = isOwn
    ? cellTerm(`(-9999-${cell(numberRole('discount'))}/100)`)
    : bracketed(minus(ONE, cellTerm(N.discount)));
  // What a row says of the sales tax on its cost counts in place of the rules.
  return salesTax(input) === null ? [cellTerm(factorOfCost(input)), share] : [share];
}

/** The sales tax on the cost; null: the row does not say it. */
const salesTax = ({ costs }: DealInput): Term | null =>
  costs.includes('salesTax') ? cellTerm(shownNumber(cell(numberRole('salesTax')))) : null;

const unitsOf = (input: DealInput): Units => ({
  pack: cellTerm(costOf(input, 'pack')),
  multipack: cellTerm(costOf(input, 'multipack')),
});

/** What comes on top, in the currency of costs. */
function extrasOf({ costs, included }: DealInput): Term {
  const counted = EXTRAS.filter((key) => !included.includes(key));
  const own = counted.filter((key) => costs.includes(key)).map((key) => cell(numberRole(key)));
  const ofList = counted.filter((key) => !costs.includes(key)).map((key) => N[key]);
  return cellTerm([...(own.length > 0 ? [shownSum(own)] : []), ...ofList].join('+') || '0');
}

/** In the order of their messages. */
const costsIn = ({ costs }: Pick<DealInput, 'costs'>) =>
  COST_INPUT_KEYS.filter((key) => key === 'cost' || costs.includes(key));

/** Why a usable cost comes to nothing. Rows of several markets share it for want of room. */
const whyNoCost = ({ market }: DealInput): string =>
  market === 'column' ? 'WHY_COSTS' : marketCell('WHY_COST', text(market));

/** Whether there is nothing in the row that costs are read for: which VAT a cost bears is known once its market is. */
const isBlankRow = ({ market }: DealInput): string =>
  `${market === 'column' ? cell('market') : PRODUCT}=""`;

/** Whether all costs of the row are read, by formulas in it; in its place, what is wrong with them. */
function costsRead(input: DealInput): string {
  const readers = costsIn(input).map((key) => cell(numberRole(key)));
  const areRead = [
    areHiddenNumbers('x', readers.length),
    ...readers.map(isWorkedOut),
    isInRowOf(cell('costNumber')),
    IS_IN_OWN_COLUMN,
  ].join('*');
  const problems = joined(call('FILTER', 'x', 'ISTEXT(x)'));
  const shown = when(areRead, text(SAID), call('IFERROR', problems, text(CHECK_COLUMNS)));
  return when(isBlankRow(input), BLANK, call('LET', 'x', call('HSTACK', ...readers), shown));
}

/** The cost of what is sold as one; in its place, what is wrong with the costs. */
function landedCost(input: DealInput): string {
  const ofCase = paid(cellTerm(shownNumber(cell('costNumber'))), ...paidShare(input));
  const sum = costOfSale(ofCase, salesTax(input), extrasOf(input), unitsOf(input)).text;
  const sale = exchangedFor(input);
  const exchanged = sale && `(${sum})*${marketCell('FX_INTO', text(sale))}`;
  const ofFx = hasRates(input) ? WHY_FX_ALL : marketCell('WHY_FX', text(sale ?? ''));
  const why = sale ? ofFx : whyNoCost(input);
  const landed = call('IFERROR', exchanged ?? sum, why);
  const read = OWN.costsRead;
  const isMeant = [
    `(${read}=${text(SAID)})*${isWorkedOut(read)}`,
    ...(hasRates(input) ? [isWorkedOut(OWN.costTax)] : []),
    isInRowOf(read),
    IS_IN_OWN_COLUMN,
    `(${IS_BOUND})`,
  ].join('*');
  const isProblem = `ISTEXT(${read})*(${read}<>${text(SAID)})`;
  const shown = when(isMeant, landed, when(isProblem, read, text(CHECK_COLUMNS)));
  return when(isBlankRow(input), BLANK, shown);
}

/** The service's sell price, else the one that follows from its other figures, else an error. */
function sellPrice(input: DealInput): string {
  const { fields, roiIsFraction } = input;
  const given = figure(input, 'sell_price');
  const buyPrice = figure(input, 'buy_price');
  const profit = figure(input, 'profit');
  const fee = figure(input, 'fees');
  const roi = figure(input, 'roi');
  const byRoi = roiIsFraction && fields.includes('roi') ? `${profit}/${roi}` : 'NA()';
  const paid = fields.includes('buy_price') ? when(isNumber(buyPrice), buyPrice, byRoi) : byRoi;
  const price = `b+${fee}+${profit}`;
  const isKnown = fields.includes('profit') && fields.includes('fees') && paid !== 'NA()';
  const possible = when(`MIN(b;${price})<0`, 'NA()', price);
  const derived = isKnown
    ? when(`COUNT(${profit};${fee})=2`, call('LET', 'b', paid, possible), 'NA()')
    : 'NA()';
  return fields.includes('sell_price') ? when(isNumber(given), given, derived) : derived;
}

/** What is left of the sale price after VAT and returns. */
const netSale = (input: DealInput) =>
  ifInPlace(
    cell(input.fields.includes('sell_price') ? 'sell_price' : 'costNumber'),
    [
      `(${IS_BOUND})*(${STATUS}=${text(OK_STATUS)})`,
      ...(hasRates(input) ? [isWorkedOut(OWN.saleTax)] : []),
    ].join('*'),
    times(cellTerm(sellPrice(input)), cellTerm(factorOfSale(input))).text,
  );

/** Whether the list's cells of these figures are in the formula's row still: cells that were dragged are read where they are. */
const areInRow = ({ fields }: DealInput, ...read: readonly Field[]): readonly string[] =>
  read.filter((field) => fields.includes(field)).map((field) => isInRowOf(cell(field)));

const NET_SALE = cellTerm(OWN.netSale);
const LANDED = cellTerm(OWN.landedCost);

const leftIn = (input: DealInput): Term =>
  leftOfSale(
    NET_SALE,
    times(cellTerm(figure(input, 'fees')), cellTerm(ofMarket(input, 'VAT_FEES'))),
  );

/** What profit and return are worked out from; a blank would count as 0. */
const partsOf = (input: DealInput) => [OWN.netSale, figure(input, 'fees'), OWN.landedCost];

function myProfit(input: DealInput): string {
  const parts = partsOf(input);
  // A landed cost that was dragged along its row stands under another title.
  const isInColumn = `(COLUMN(${OWN.landedCost})=COLUMN({landedCost!}))`;
  const areKnown = [
    isInColumn,
    ...areInRow(input, 'fees'),
    `(${call('COUNT', ...parts)}=${parts.length})`,
  ].join('*');
  return ifInPlace(OWN.landedCost, areKnown, profitOf(leftIn(input), LANDED).text);
}

function myRoi(input: DealInput): string {
  const parts = [...partsOf(input), OWN.myProfit];
  const areKnown = `(${call('COUNT', ...parts)}=${parts.length})`;
  return ifInPlace(OWN.landedCost, areKnown, roiOf(leftIn(input), LANDED).text);
}

/** The profit that the least margin asks for: a share of the sale price, and so of what is left of it. */
const leastByMargin = (input: DealInput) =>
  hasRates(input)
    ? `${OWN.netSale}*(ROUND(${N.minMargin};4)/${shownFactor(OWN.saleTax)}-1/10^10)`
    : `${OWN.netSale}*${ofMarket(input, 'LEAST_GAIN')}`;

/** With more hidden cells to ask, the formula below would be too long with a test of its own title. */
const TITLED_HIDDEN_MAX = 6;

/** The highest cost of a sale that meets the targets of Buy, as a hidden number; 0 if none does. */
function mostLanded(input: DealInput): string {
  // Max buy has no room to ask the cells that it reads.
  const [, ...readers] = costsIn(input).map((key) => cell(numberRole(key)));
  const read = [...readers, ...(hasRates(input) ? [OWN.costTax] : [])];
  const known = `(COUNT(${OWN.netSale};${figure(input, 'fees')})=2)`;
  const ifOwn = read.length <= TITLED_HIDDEN_MAX ? ifInPlace : ifInRow;
  // Beside rates of VAT in rows, there is no room to ask the sale either.
  const areOurs = [...(hasRates(input) ? [] : [OWN.netSale]), ...read].map(isWorkedOut);
  const areKnown = [...areInRow(input, 'fees'), known, ...areOurs].join('*');
  const most = mostOfSale(cellTerm('x'), {
    minRoi: cellTerm(N.minRoi),
    minProfit: cellTerm(N.minProfit),
    leastByMargin: cellTerm(leastByMargin(input)),
  });
  const shown = hiddenNumber(call('MAX', '0', most.text));
  return ifOwn(OWN.netSale, areKnown, call('LET', 'x', leftIn(input).text, shown));
}

/** The supplier's price behind it, rounded down; at least 0. */
function maxBuy(input: DealInput): string {
  const readers = costsIn(input)
    .filter((key) => key !== 'cost')
    .map((key) => cell(numberRole(key)));
  const read = [OWN.mostLanded, ...readers];
  const sale = exchangedFor(input);
  const landed = `${shownNumber(OWN.mostLanded)}${sale ? `/${marketCell('FX_INTO', text(sale))}` : ''}`;
  const [tax, extras, units] = [salesTax(input), extrasOf(input), unitsOf(input)];
  const price = priceBehind(cellTerm(landed), paid(...paidShare(input)), tax, extras, units).text;
  const areKnown = `${areHiddenNumbers(read.join(';'), read.length)}*${isWorkedOut(OWN.mostLanded)}`;
  return ifInPlace(OWN.mostLanded, areKnown, `MAX(0;INT(${price}*100+1/10^6)/100)`);
}

/** A limit in use is a number; see the tab "Deal rules". */
const isOver = (amount: string, most: string) => `${amount}>${most}`;

/** Whether it may be sold, and what it earns: what of it speaks against buying. */
function gainReasons(input: DealInput): string {
  const eligible = figure(input, 'eligible');
  const unsure = when(`${eligible}=${NO}`, text('Not eligible'), text(NEEDS_APPROVAL));
  const isNot = when(`${eligible}=""`, whyUnsure, unsure);
  const missed = [
    when(`N(${N.eligibleOnly})*(${eligible}<>${YES})`, isNot, BLANK),
    when(`${OWN.myProfit}<${N.minProfit}`, whyProfit, BLANK),
    when(`${OWN.myRoi}<${N.minRoi}`, whyRoi, BLANK),
    when(`${OWN.myProfit}<${leastByMargin(input)}`, whyMargin, BLANK),
  ];
  // Cells that were dragged away are blank, and a blank is below no target.
  const isKnown = `COUNT(${OWN.myProfit};${OWN.myRoi};${OWN.netSale})=3`;
  const open = when(`${OWN.landedCost}=${whyVat}`, text(OPEN), BLANK);
  const said = when(isKnown, joined(text(SAID), ...missed), open);
  return orBlank(
    when([isInRowOf(OWN.myProfit), ...areInRow(input, 'eligible')].join('*'), said, BLANK),
  );
}

/** Whether every rule can be used; the tab may be gone. */
const ARE_READ = call('IFERROR', areRead);

/** All that speaks against buying. Without any of it, the verdict is Buy. */
function reasons(input: DealInput): string {
  const drops = figure(input, 'rank_drops_30d');
  const first = OWN.gainReasons;
  const missed = [
    when(`N(${drops})<${N.minDrops}`, when(`${drops}=""`, whyNoRank, whyDrops), BLANK),
    when(isOver(figure(input, 'fees'), N.maxFees), whyFees, BLANK),
    // A text is greater than every number.
    when(`N(${ANALYZED_AT})<${freshSince}`, whyAge, BLANK),
  ];
  const all = when(`${first}=${text(OPEN)}`, first, joined(first, ...missed));
  // The verdict has no room to ask whether rules can be used.
  const isOwn = [
    ARE_READ,
    `(${call('LEFT', first)}=${text(SAID)})*${isWorkedOut(first)}`,
    isInRowOf(first),
    ...areInRow(input, 'rank_drops_30d'),
  ].join('*');
  return orBlank(when(isOwn, all, BLANK));
}

const IS_ANALYZED = `${STATUS}=${text(OK_STATUS)}`;

/** 1 if the figure is there and fits, else 0. */
const countIf = ({ fields }: DealInput, field: Field, criterion: string): string =>
  fields.includes(field) ? call('COUNTIF', cell(field), criterion) : '0';

function verdict(input: DealInput): string {
  const skips = [
    `${OWN.myProfit}<${N.maybeProfit}`,
    `${OWN.myRoi}<${N.maybeRoi}`,
    countIf(input, 'rank_drops_30d', `"<"&${N.maybeDrops}`),
    isOver(figure(input, 'fees'), N.maybeFees),
    `N(${N.eligibleOnly})*(${figure(input, 'eligible')}=${NO})`,
  ];
  // What is not known for want of a word about VAT is below no target.
  const isSkip = `COUNT(${OWN.myProfit})*${call('OR', ...skips)}`;
  const other = when(isSkip, text('Skip'), text('Maybe'));
  const decided = when(`${OWN.reasons}=${text(SAID)}`, text('Buy'), other);
  const areSaid = `(${call('LEFT', OWN.reasons)}=${text(SAID)})`;
  const isOwn = [areSaid, isWorkedOut(OWN.reasons)].join('*');
  const shown = when(isOwn, decided, text('No verdict'));
  // A verdict that a person has pasted over a status is shorter than each word of a status.
  const unknown = when(`LEN(${STATUS})>${'Maybe'.length}`, STATUS, text(NOT_ANALYZED));
  // Reasons may have been pushed into another row, alone or together with the verdict.
  const isInRow = `${isInRowOf(PRODUCT)}*${isInRowOf(OWN.reasons)}`;
  const ofRow = when(IS_ANALYZED, call('IFS', isInRow, shown), unknown);
  const said = call('IFS', IS_BOUND, ofRow);
  return when(`${PRODUCT}=""`, BLANK, call('IFERROR', said, text(CHECK_COLUMNS)));
}

/** The reasons with notes, or what is missing for a verdict. */
function why(input: DealInput): string {
  const sign = ofMarket(input, 'MARKET_SIGN');
  const said = joined(
    call('SUBSTITUTE', call('MID', OWN.reasons, '4', '999'), text(MONEY_SIGN), sign),
    when(`${OWN.myRoi}>${ROI_DOUBTFUL}`, text(DOUBTFUL), BLANK),
    when(isNumber(figure(input, 'sell_price')), BLANK, text(ESTIMATED)),
  );
  const hasFees = isNumber(figure(input, 'fees'));
  const missing = when(hasFees, text(PROBLEMS.sell), text(PROBLEMS.fees));
  const problem = when(isNumber(OWN.landedCost), missing, OWN.landedCost);
  const shown = when(isNumber(OWN.myProfit), call('LET', 'w', said, 'IF(w="";;w)'), problem);
  const isMeant = `(${IS_ANALYZED})*${isInRowOf(PRODUCT)}`;
  return orBlank(when(isMeant, when(ARE_READ, shown, text(CHECK_RULES)), BLANK));
}

/** The formulas of a group's decisions. "{fees}" stands for the row's cell in the column of that role. */
export const dealFormulas = (input: DealInput): Readonly<Partial<Record<DealColumn, string>>> => ({
  verdict: `=${verdict(input)}`,
  why: `=${why(input)}`,
  myProfit: `=${myProfit(input)}`,
  myRoi: `=${myRoi(input)}`,
  maxBuy: `=${maxBuy(input)}`,
  landedCost: `=${landedCost(input)}`,
  netSale: `=${netSale(input)}`,
  costsRead: `=${costsRead(input)}`,
  mostLanded: `=${mostLanded(input)}`,
  gainReasons: `=${gainReasons(input)}`,
  reasons: `=${reasons(input)}`,
  ...(hasRates(input) && { costTax: `=${costTax(input)}`, saleTax: `=${saleTax(input)}` }),
});

/**
 * The formulas that read costs as numbers, one for each column of costs.
 *
 * @param ratesOf whose rates of VAT rows write; null: those of the row's market.
 */
export function numberFormulas(
  input: Pick<DealInput, 'market' | 'costs' | 'isOfBoth' | 'discountAs'>,
  ratesOf: Market | null,
): readonly { readonly role: NumberRole; readonly formula: string }[] {
  const { isOfBoth, discountAs } = input;
  const market = ratesOf === null ? marketOf(input) : text(ratesOf);
  const money = isOfBoth ? COSTS_CELLS.READ_MONEY : ofMarket(input, 'READ_MONEY');
  return costsIn(input).map((key) => ({
    role: numberRole(key),
    formula: costFormula(key, `{${key}}`, { market, money }, discountAs),
  }));
}

/**
 * The market with the higher profit, in dollars; nothing if they are equal to the penny. Verdicts
 * come first: a market counts only if its verdict is Buy or Maybe, and if only one counts it is the
 * better one. While a market has no verdict, nothing is shown, because unknown is not worse.
 * "{verdict UK}" stands for a cell of that market's group.
 */
export function betterFormula([first, second]: readonly [Market, Market]): string {
  const [profit, other] = [`{myProfit ${first}}`, `{myProfit ${second}}`];
  const [verdict, otherVerdict] = [`{verdict ${first}}`, `{verdict ${second}}`];
  const [rate, otherRate] = [moneyCell(first), moneyCell(second)];
  const is = (verdicts: string, words: string) => `REGEXMATCH(${verdicts};"^${words}$")`;
  const gain = `${call('ROUND', `${profit}*${rate}`, '2')}-${call('ROUND', `${other}*${otherRate}`, '2')}`;
  const higher = call('LET', 'd', gain, `IFS(d>0;"${first}";d<0;"${second}")`);
  const compared = when(`COUNT(${profit};${other})=2`, higher, BLANK);
  const better = `IF(a*b;${compared};IFS(a;"${first}";b;"${second}"))`;
  const allowed = '(Buy|Maybe)';
  const chosen = call('LET', 'a', is(verdict, allowed), 'b', is(otherVerdict, allowed), better);
  const verdicts = `${verdict}&${otherVerdict}`;
  const shown = when(is(verdicts, '(Buy|Maybe|Skip){2}'), chosen, BLANK);
  const isHere = `(${verdicts}<>"")*${isInRowOf(verdict)}`;
  const hasRates = `COUNT(${rate};${otherRate})=2`;
  return `=${orBlank(when(isHere, when(hasRates, shown, text(CHECK_RULES)), BLANK))}`;
}
