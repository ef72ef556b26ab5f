// The decision as native Sheets formulas: the arithmetic of verdict.ts and cost.ts as text. Pure.
// The formulas work in every locale: semicolons separate arguments, which Sheets accepts
// everywhere, and no number contains decimals because targets are in named cells.

import { COST_KINDS, COST_PROBLEMS, OPTIONAL_COSTS, type OptionalCost, PACK_MAX } from './cost';
import { FX_NAMES, RULE_CELLS, RULE_NAMES } from './deal-rules';
import { typedCost } from './typed-cost';
import { DOUBTFUL, ESTIMATED, PROBLEMS, ROI_DOUBTFUL } from './verdict';

/** The figures that a decision reads. */
export const FIGURE_CELLS = [
  'profit',
  'roi',
  'fees',
  'eligible',
  'drops',
  'buyPrice',
  'sellPrice',
  'analyzedAt',
] as const;

export type FigureCell = (typeof FIGURE_CELLS)[number];

export const COST_CELLS = ['cost', ...OPTIONAL_COSTS] as const;

export type CostCellName = (typeof COST_CELLS)[number];

/** What a formula reads from a row: a cell such as "F2" or a named cell; null: nothing. */
export type DealCells = {
  readonly [Key in FigureCell | CostCellName]: string | null;
} & {
  readonly product: string;
  /**
   * The cell with the exchange rate from the costs' currency into the market's; absent if they are
   * the same.
   */
  readonly rate?: string;
  /** What gives "USD" or "GBP", the currency of costs; absent: their texts have no sign of one. */
  readonly currency?: string;
};

/** The columns of a decision, from left to right. */
export const DEAL_COLUMNS = [
  'landedCost',
  'myProfit',
  'myRoi',
  'maxBuy',
  'verdict',
  'why',
] as const;

export type DealColumn = (typeof DEAL_COLUMNS)[number];

export const DEAL_TITLES: Readonly<Record<DealColumn, string>> = {
  landedCost: 'Landed cost',
  myProfit: 'My profit',
  myRoi: 'My ROI',
  maxBuy: 'Max buy',
  verdict: 'Verdict',
  why: 'Why',
};

/** Says which market's profit is better; one column for both markets. */
export const BETTER_TITLE = 'Better market';

/** The row's cells of the decision that later formulas refer to. */
export type OwnCells = Readonly<Record<'landedCost' | 'myProfit' | 'myRoi', string>>;

const N = RULE_NAMES;

const call = (name: string, ...args: readonly string[]) => `${name}(${args.join(';')})`;
const when = (test: string, then: string, otherwise: string) => call('IF', test, then, otherwise);
const isNumber = (cell: string) => call('ISNUMBER', cell);
const areNumbers = (...cells: readonly string[]) => `${call('COUNT', ...cells)}=${cells.length}`;
const text = (words: string) => `"${words}"`;
const joined = (parts: readonly string[]) => call('TEXTJOIN', text('; '), 'TRUE', ...parts);
const NOTHING = '""';
const WRONG = call('NA');

/** A cell that the row does not have reads as blank. */
const orBlank = (cell: string | null) => cell ?? NOTHING;
const orElse = (cell: string, otherwise: string) => when(isNumber(cell), cell, otherwise);
const orNothing = (value: string) => call('IFERROR', value, NOTHING);

/** Shown where a calculation needs an exchange rate and its cell holds no number. */
export const NO_RATE = 'Check currencies in Deal rules';

/** Shown where the profile in use does not exist, so that all its rules are errors. */
export const NO_RULES = 'Check the profile in Deal rules';

/** The variable with what a cost's cell comes to, be it a number or a text of one. */
const variableOf = (key: CostCellName): string => `${key}_`;

/** What a cost's cell comes to: a number, "" for a blank, else a text that is no cost. */
function costValue(cells: DealCells, key: CostCellName): string {
  const cell = orBlank(cells[key]);
  // The cells of rules hold numbers.
  const isRule = RULE_CELLS.test(cell);
  const value = isRule ? cell : typedCost(cell, COST_KINDS[key], cells.currency ?? null);
  return call('IFERROR', value, text('?'));
}

/** The variables of those costs that the list or the rules have. */
const variables = (cells: DealCells, keys: readonly CostCellName[]): readonly string[] =>
  keys.flatMap((key) => (cells[key] === null ? [] : [variableOf(key), costValue(cells, key)]));

const isUsable = (key: OptionalCost): string => {
  const cell = variableOf(key);
  const tests: Readonly<Record<OptionalCost, readonly string[]>> = {
    pack: [`${cell}>0`, `${cell}<=${PACK_MAX}`],
    multipack: [`${cell}>0`, `${cell}<=${PACK_MAX}`],
    discount: [`${cell}>=0`, `${cell}<100`],
    vat: [`${cell}>=0`],
    prep: [`${cell}>=0`],
    shipping: [`${cell}>=0`],
  };
  return call('OR', `${cell}=""`, call('AND', isNumber(cell), ...tests[key]));
};

/** An amount of the buyer's converted to the market's currency. */
const inMarket = ({ rate }: DealCells, amount: string) =>
  rate === undefined ? amount : `${amount}*${rate}`;

/** From 1 on a rate is a percentage; a blank is 0. */
function rateOf(cells: DealCells, key: 'discount' | 'vat'): string {
  const cell = variableOf(key);
  return cells[key] === null ? '0' : when(`N(${cell})>=1`, `${cell}/100`, `N(${cell})`);
}

function unitsOf(cells: DealCells, key: 'pack' | 'multipack'): string {
  const cell = variableOf(key);
  return cells[key] === null ? '1' : when(`${cell}=""`, '1', cell);
}

const amountOf = (cells: DealCells, key: 'prep' | 'shipping'): string =>
  cells[key] === null ? '0' : inMarket(cells, `N(${variableOf(key)})`);

/** What a sale costs if the pack costs 1. */
function share(cells: DealCells): string {
  const vat = when(`${N.vatReclaimed}=TRUE`, '0', rateOf(cells, 'vat'));
  const ofPack = `(1-${rateOf(cells, 'discount')})/${unitsOf(cells, 'pack')}`;
  const bundled = cells.multipack === null ? ofPack : `${ofPack}*${unitsOf(cells, 'multipack')}`;
  return `${bundled}*(1+${vat})`;
}

const onTop = (cells: DealCells) => `(${amountOf(cells, 'prep')}+${amountOf(cells, 'shipping')})`;

/** The cost of what is sold as one; in its place, what is wrong with the costs. */
function landedCost(cells: DealCells): string {
  const cost = cells.cost === null ? NOTHING : variableOf('cost');
  const isCost = call('AND', isNumber(cost), `${cost}>0`);
  const wrong = joined([
    ...(cells.rate === undefined ? [] : [when(isNumber(cells.rate), NOTHING, text(NO_RATE))]),
    when(`${cost}=""`, text(COST_PROBLEMS.noCost), when(isCost, NOTHING, text(COST_PROBLEMS.cost))),
    ...OPTIONAL_COSTS.filter((key) => cells[key] !== null).map((key) =>
      when(isUsable(key), NOTHING, text(COST_PROBLEMS[key])),
    ),
  ]);
  const sum = `${inMarket(cells, cost)}*(${share(cells)})+${onTop(cells)}`;
  const value = call(
    'LET',
    ...variables(cells, COST_CELLS),
    ...['wrong_', wrong],
    when('wrong_=""', sum, 'wrong_'),
  );
  const shown = when(call('ISERROR', N.vatReclaimed), text(NO_RULES), value);
  return when(`${cells.product}=""`, NOTHING, shown);
}

/** The service's sell price, else the price derived from other figures, or an error. */
function sellPrice({ sellPrice: given, buyPrice, profit, fees, roi }: DealCells): string {
  const derived = derivedPrice({ buyPrice, profit, fees, roi });
  return given === null ? derived : orElse(given, derived);
}

function derivedPrice({
  buyPrice,
  profit,
  fees,
  roi,
}: Pick<DealCells, 'buyPrice' | 'profit' | 'fees' | 'roi'>): string {
  if (profit === null || fees === null || (buyPrice === null && roi === null)) return WRONG;
  const byRoi =
    roi === null
      ? WRONG
      : when(areNumbers(roi, N.roiScale), `${profit}/(${roi}/${N.roiScale})`, WRONG);
  const paid = buyPrice === null ? byRoi : orElse(buyPrice, byRoi);
  const price = `paid_+${fees}+${profit}`;
  const possible = when(`${call('MIN', 'paid_', price)}<0`, WRONG, price);
  return when(areNumbers(profit, fees), call('LET', 'paid_', paid, possible), WRONG);
}

/** The sell price minus fees: what remains to pay for the product. */
const leftOfSale = (cells: DealCells) => `${sellPrice(cells)}-${orBlank(cells.fees)}`;

const ifFees = ({ fees }: DealCells, landed: string, value: string): string =>
  fees === null ? NOTHING : when(areNumbers(fees, landed), orNothing(value), NOTHING);

/** Without a usable cost, it says what the cost may be; the other costs must be usable. */
function maxBuy(cells: DealCells, landed: string): string {
  const left = leftOfSale(cells);
  const unit = call(
    'MIN',
    `left_/(1+${orElse(N.minRoi, '0')})`,
    `left_-${orElse(N.minProfit, '0')}`,
  );
  const pennies = call('INT', `100*((${unit}-${onTop(cells)})/(${share(cells)}))+1/1000000`);
  const price = call(
    'LET',
    ...variables(cells, OPTIONAL_COSTS),
    ...['left_', left],
    call('MAX', '0', `${pennies}/100`),
  );
  const { noCost, cost } = COST_PROBLEMS;
  const areUsable = call(
    'OR',
    isNumber(landed),
    `${landed}=${text(noCost)}`,
    `${landed}=${text(cost)}`,
  );
  const known = orNothing(when(areUsable, price, NOTHING));
  return cells.fees === null ? NOTHING : when(isNumber(cells.fees), known, NOTHING);
}

/** One target: a test for each level and the words for missing it. */
interface Miss {
  readonly buy: string;
  readonly maybe: string;
  readonly reason: string;
}

/** As the larger one of two is compared: see `isLess`. */
const rounded = (value: string) => call('ROUND', value, '4');

const isUnder = (value: string, target: string) =>
  when(areNumbers(value, target), `${value}<${rounded(target)}`, 'FALSE');

const money = (value: string) => call('ROUND', value, '2');
const percent = (value: string) => `${call('ROUND', `${value}*100`, '1')}&"%"`;

function eligibilityMiss(cell: string): Miss {
  const only = (test: string) => when(`${N.eligibleOnly}=TRUE`, test, 'FALSE');
  const isYes = when(call('ISLOGICAL', cell), cell, 'FALSE');
  const isNo = when(call('ISLOGICAL', cell), call('NOT', cell), 'FALSE');
  const isOpen = call('IFERROR', when(`${cell}=""`, 'TRUE', 'FALSE'), 'TRUE');
  const unsure = when(isOpen, text('Eligibility unknown'), text('Needs approval'));
  return {
    buy: only(call('NOT', isYes)),
    maybe: only(isNo),
    reason: when(isNo, text('Not eligible'), unsure),
  };
}

function dropsMiss(cell: string): Miss {
  const isKnown = isNumber(cell);
  return {
    buy: when(isKnown, isUnder(cell, N.minDrops), isNumber(N.minDrops)),
    maybe: isUnder(cell, N.maybeDrops),
    reason: when(
      isKnown,
      `"Rank drops "&${cell}&" is under "&${N.minDrops}`,
      text('Rank drops unknown'),
    ),
  };
}

function missesOf(cells: DealCells, myProfit: string, myRoi: string): readonly Miss[] {
  const [fees, at] = [orBlank(cells.fees), orBlank(cells.analyzedAt)];
  const isOver = (target: string) =>
    when(areNumbers(fees, target), `${rounded(fees)}>${target}`, 'FALSE');
  const age = `${N.now}-${at}`;
  return [
    eligibilityMiss(orBlank(cells.eligible)),
    {
      buy: isUnder(myProfit, N.minProfit),
      maybe: isUnder(myProfit, N.maybeProfit),
      reason: `"Profit "&${money(myProfit)}&" is under "&${money(N.minProfit)}`,
    },
    {
      buy: isUnder(myRoi, N.minRoi),
      maybe: isUnder(myRoi, N.maybeRoi),
      reason: `"ROI "&${percent(myRoi)}&" is under "&${percent(N.minRoi)}`,
    },
    dropsMiss(orBlank(cells.drops)),
    {
      buy: isOver(N.maxFees),
      maybe: isOver(N.maybeFees),
      reason: `"Fees "&${money(fees)}&" are over "&${money(N.maxFees)}`,
    },
    {
      buy: when(
        isNumber(N.staleDays),
        when(isNumber(at), `${rounded(age)}>${N.staleDays}`, 'TRUE'),
        'FALSE',
      ),
      maybe: 'FALSE',
      reason: when(
        isNumber(at),
        `"Figures are "&${call('INT', age)}&${when(`${call('INT', age)}=1`, text(' day old'), text(' days old'))}`,
        text('Age unknown'),
      ),
    },
  ];
}

/** Shows nothing for a row that has not been analysed yet. */
function unlessEmpty(cells: DealCells, result: string): string {
  const filled = [cells.profit, cells.fees, cells.sellPrice, cells.analyzedAt].map(orBlank);
  const isEmpty = call('AND', ...filled.map((cell) => `${cell}=""`));
  return when(call('IFERROR', isEmpty, 'FALSE'), NOTHING, result);
}

function verdict(cells: DealCells, { myProfit, myRoi }: OwnCells): string {
  const misses = missesOf(cells, myProfit, myRoi);
  const maybe = when(call('OR', ...misses.map((miss) => miss.maybe)), text('Skip'), text('Maybe'));
  const decided = when(call('OR', ...misses.map((miss) => miss.buy)), maybe, text('Buy'));
  return unlessEmpty(cells, when(areNumbers(myProfit, myRoi), decided, text('No verdict')));
}

function why(cells: DealCells, own: OwnCells): string {
  const { landedCost: landed, myProfit, myRoi } = own;
  const missed = missesOf(cells, myProfit, myRoi).map(({ buy, reason }) =>
    when(buy, reason, NOTHING),
  );
  const reasons = joined([
    ...missed,
    when(`${myRoi}>${ROI_DOUBTFUL}`, text(DOUBTFUL), NOTHING),
    when(isNumber(orBlank(cells.sellPrice)), NOTHING, text(ESTIMATED)),
  ]);
  const { noCost, cost } = COST_PROBLEMS;
  const costs = when(isNumber(landed), NOTHING, when(`${landed}=""`, text(noCost), landed));
  const problems = joined([
    call('IFERROR', costs, text(cost)),
    when(isNumber(orBlank(cells.fees)), NOTHING, text(PROBLEMS.fees)),
    when(call('ISERROR', sellPrice(cells)), text(PROBLEMS.sell), NOTHING),
  ]);
  return unlessEmpty(cells, when(areNumbers(myProfit, myRoi), reasons, problems));
}

/** The formulas of one row. */
export function dealFormulas(
  cells: DealCells,
  own: OwnCells,
): Readonly<Record<DealColumn, string>> {
  const { landedCost: landed } = own;
  const left = leftOfSale(cells);
  return {
    landedCost: `=${landedCost(cells)}`,
    myProfit: `=${ifFees(cells, landed, call('ROUND', `${left}-${landed}`, '2'))}`,
    myRoi: `=${ifFees(cells, landed, call('ROUND', `(${left})/${landed}-1`, '4'))}`,
    maxBuy: `=${maxBuy(cells, landed)}`,
    verdict: `=${verdict(cells, own)}`,
    why: `=${why(cells, own)}`,
  };
}

/** The cells of one market that are compared, in one row. */
export interface MarketCells {
  readonly profit: string;
  readonly verdict: string;
}

/**
 * The market with the higher profit of a unit, converted to one currency; nothing if they are equal
 * to the penny. Verdicts come first: a market counts only if its verdict is Buy or Maybe, and if
 * only one counts it is the better one. While a market has no verdict, nothing is shown, because
 * unknown is not worse.
 */
export function betterMarket(us: MarketCells, uk: MarketCells): string {
  const rate = FX_NAMES.rate;
  const is = (cell: string, ...words: readonly string[]) =>
    call('OR', ...words.map((word) => `${cell}=${text(word)}`));
  const allows = ({ verdict: cell }: MarketCells) => is(cell, 'Buy', 'Maybe');
  const isKnown = ({ verdict: cell }: MarketCells) => is(cell, 'Buy', 'Maybe', 'Skip');
  const [dollars, inDollars] = [money(us.profit), money(`${uk.profit}*${rate}`)];
  const ofUk = when(`${inDollars}>${dollars}`, text('UK'), NOTHING);
  const higher = when(`${dollars}>${inDollars}`, text('US'), ofUk);
  const both = when(call('AND', isNumber(us.profit), isNumber(uk.profit)), higher, NOTHING);
  const allowed = when(
    allows(us),
    when(allows(uk), both, text('US')),
    when(allows(uk), text('UK'), NOTHING),
  );
  const known = when(call('AND', isKnown(us), isKnown(uk)), allowed, NOTHING);
  const hasRate = when(isNumber(rate), `${rate}>0`, 'FALSE');
  const isEmpty = call('AND', `${us.verdict}=""`, `${uk.verdict}=""`);
  return `=${orNothing(when(isEmpty, NOTHING, when(hasRate, known, text(NO_RATE))))}`;
}
