// The decision as native Sheets formulas: the arithmetic of verdict.ts and cost.ts as text. Pure.
// The formulas work in every locale: semicolons separate arguments, which Sheets accepts
// everywhere, and no number contains decimals because targets are in named cells.

import { COST_KINDS, COST_PROBLEMS, OPTIONAL_COSTS, type OptionalCost, PACK_MAX } from './cost';
import { FX_NAMES, RULE_CELLS, RULE_NAMES } from './deal-rules';
import { typedCost } from './typed-cost';
import { DOUBTFUL, ESTIMATED, PROBLEMS, ROI_DOUBTFUL } from './verdict';

/**
 * What a formula reads from a row: a cell such as "F2", a named cell or a variable; null: nothing.
 */
export type DealCells = {
  readonly [Key in FigureKey | OptionalCost | 'cost' | 'analyzedAt']: string | null;
} & {
  /**
   * The cell with the exchange rate from the costs' currency into the market's; absent if they are
   * the same.
   */
  readonly rate?: string;
  /** What gives "USD" or "GBP", the currency of costs; absent: their texts have no sign of one. */
  readonly currency?: string;
};

type FigureKey = 'profit' | 'roi' | 'fees' | 'eligible' | 'drops' | 'buyPrice' | 'sellPrice';

/** The columns of a decision, from left to right. */
export const DEAL_COLUMNS = ['myProfit', 'myRoi', 'maxBuy', 'verdict', 'why'] as const;

export type DealColumn = (typeof DEAL_COLUMNS)[number];

export const DEAL_TITLES: Readonly<Record<DealColumn, string>> = {
  myProfit: 'My profit',
  myRoi: 'My ROI',
  maxBuy: 'Max buy',
  verdict: 'Verdict',
  why: 'Why',
};

/** Appended to a title if somebody has a column of their own under that title. */
export const OWN_SUFFIX = ' (deal)';

/** Says which market's profit is better; one column for both markets. */
export const BETTER_TITLE = 'Better market';

/**
 * The suffix of all titles in a list whose market or product column is not the only one of the
 * sheet: " (UK)".
 */
export const suffixOf = (
  columns: readonly { readonly key: string; readonly title: string }[],
): string => columns.find(({ key }) => key === 'status')?.title.match(/ \(.+\)$/)?.[0] ?? '';

/**
 * The possible titles of a column of ours, the likeliest first. It has the suffix if somebody has a
 * column of the same title.
 */
export const titlesOfOurs = (title: string, suffix = ''): readonly string[] => [
  title + suffix + OWN_SUFFIX,
  title + suffix,
];

/**
 * A formula of `dealFormulas` for one row. "{name}" in it stands for the letters of the column with
 * that name.
 */
export const formulaAt = (row: number, formula: string, letterOf: (name: string) => string) =>
  formula.replace(/\{([^}]*)\}/g, (_, name: string) => letterOf(name) + row);

const N = RULE_NAMES;

const call = (name: string, ...args: readonly string[]) => `${name}(${args.join(';')})`;
const when = (test: string, then: string, otherwise: string) => call('IF', test, then, otherwise);
const isNumber = (cell: string) => call('ISNUMBER', cell);
const text = (words: string) => `"${words}"`;
const NOTHING = '""';

/** A cell that the row does not have reads as blank. */
const orBlank = (cell: string | null) => cell ?? NOTHING;

/** A missing or invalid value makes everything calculated from it an error. */
const WRONG = call('NA');
const orWrong = (cell: string) => when(isNumber(cell), cell, WRONG);
const orElse = (cell: string, otherwise: string) => when(isNumber(cell), cell, otherwise);

const asRate = (cell: string) => when(`${cell}>=1`, `${cell}/100`, cell);

interface Input {
  readonly ifBlank: string;
  readonly isUsable: (cell: string) => string;
  readonly value: (cell: string, cells: DealCells) => string;
}

const rate: Pick<Input, 'ifBlank' | 'value'> = { ifBlank: '0', value: asRate };
const amount: Pick<Input, 'ifBlank' | 'isUsable'> = {
  ifBlank: '0',
  isUsable: (cell) => `${cell}>=0`,
};
/** An amount of the buyer's converted to the market's currency. */
const inMarket = ({ rate: by }: DealCells, cell: string) =>
  by === undefined ? cell : `${cell}*${by}`;

const units: Input = {
  ifBlank: '1',
  isUsable: (cell) => call('AND', `${cell}>0`, `${cell}<=${PACK_MAX}`),
  value: (cell) => cell,
};

const INPUTS: Readonly<Record<OptionalCost, Input>> = {
  pack: units,
  multipack: units,
  discount: { ...rate, isUsable: (cell) => call('AND', `${cell}>=0`, `${cell}<100`) },
  vat: { ...rate, isUsable: (cell) => `${cell}>=0` },
  prep: { ...amount, value: (cell, cells) => inMarket(cells, cell) },
  shipping: { ...amount, value: (cell, cells) => inMarket(cells, cell) },
};

function extra(cells: DealCells, key: OptionalCost): string {
  const cell = cells[key];
  const { ifBlank, isUsable, value } = INPUTS[key];
  if (cell === null) return ifBlank;
  const given = when(isNumber(cell), when(isUsable(cell), value(cell, cells), WRONG), WRONG);
  return when(`${cell}=""`, ifBlank, given);
}

/** What a sale costs if the pack costs 1. */
function share(cells: DealCells): string {
  const vat = `${extra(cells, 'vat')}*${when(`${N.vatReclaimed}=TRUE`, '0', '1')}`;
  const ofPack = `((1-${extra(cells, 'discount')})/${extra(cells, 'pack')})`;
  const bundled = cells.multipack === null ? ofPack : `${ofPack}*${extra(cells, 'multipack')}`;
  return `${bundled}*(1+${vat})`;
}

const onTop = (cells: DealCells) => `(${extra(cells, 'prep')}+${extra(cells, 'shipping')})`;

function packPrice(cell: string): string {
  return when(isNumber(cell), when(`${cell}>0`, cell, WRONG), WRONG);
}

/** The cost of a unit, or an error. */
const unitCost = (cells: DealCells) =>
  `(${inMarket(cells, packPrice(orBlank(cells.cost)))}*(${share(cells)})+${onTop(cells)})`;

/** The service's sell price, else the price derived from other figures, or an error. */
function sellPrice(cells: DealCells): string {
  const [given, buy, roi] = [cells.sellPrice, cells.buyPrice, cells.roi].map(orBlank) as [
    string,
    string,
    string,
  ];
  const [profit, fees] = [cells.profit, cells.fees].map((cell) => orWrong(orBlank(cell)));
  const known = orWrong(roi);
  const byRoi = `${profit}/${when(`${known}=0`, WRONG, `(${known}/${orWrong(N.roiScale)})`)}`;
  const paid = when(isNumber(buy), buy, byRoi);
  const derived = `${paid}+${fees}+${profit}`;
  const possible = when(`${call('MIN', paid, derived)}<0`, WRONG, derived);
  return when(isNumber(given), given, possible);
}

const orNothing = (value: string) => call('IFERROR', value, NOTHING);

/** The sell price minus fees: what remains to pay for the product. */
const leftOfSale = (cells: DealCells) => `${sellPrice(cells)}-${orWrong(orBlank(cells.fees))}`;

function maxBuy(cells: DealCells): string {
  const left = leftOfSale(cells);
  const forRoi = `(${left})/(1+${orElse(N.minRoi, '0')})`;
  const unit = call('MIN', forRoi, `${left}-${orElse(N.minProfit, '0')}`);
  const pennies = call('INT', `100*((${unit}-${onTop(cells)})/(${share(cells)}))+1/1000000`);
  return orNothing(call('MAX', '0', `${pennies}/100`));
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
  when(isNumber(value), when(isNumber(target), `${value}<${rounded(target)}`, 'FALSE'), 'FALSE');

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
    when(isNumber(fees), when(isNumber(target), `${rounded(fees)}>${target}`, 'FALSE'), 'FALSE');
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

/** Shown where a calculation needs an exchange rate and its cell holds no number. */
export const NO_RATE = 'Check currencies in Deal rules';

/** Shown where the profile in use does not exist, so that all its rules are errors. */
export const NO_RULES = 'Check the profile in Deal rules';

/** Shows nothing for a row that has not been analysed yet. */
function unlessEmpty(cells: DealCells, result: string): string {
  const filled = [cells.profit, cells.fees, cells.sellPrice, cells.analyzedAt].map(orBlank);
  const isEmpty = call('AND', ...filled.map((cell) => `${cell}=""`));
  return when(call('IFERROR', isEmpty, 'FALSE'), NOTHING, result);
}

const hasDeal = (myProfit: string, myRoi: string) =>
  call('AND', isNumber(myProfit), isNumber(myRoi));

function verdict(cells: DealCells, myProfit: string, myRoi: string): string {
  const misses = missesOf(cells, myProfit, myRoi);
  const maybe = when(call('OR', ...misses.map((miss) => miss.maybe)), text('Skip'), text('Maybe'));
  const decided = when(call('OR', ...misses.map((miss) => miss.buy)), maybe, text('Buy'));
  return unlessEmpty(cells, when(hasDeal(myProfit, myRoi), decided, text('No verdict')));
}

function why(cells: DealCells, myProfit: string, myRoi: string): string {
  const said = missesOf(cells, myProfit, myRoi).map(({ buy, reason }) =>
    when(buy, reason, NOTHING),
  );
  const given = orBlank(cells.sellPrice);
  const note = when(isNumber(given), NOTHING, text(ESTIMATED));
  const isDoubtful = when(isNumber(myRoi), `${myRoi}>${ROI_DOUBTFUL}`, 'FALSE');
  const reasons = joined([...said, when(isDoubtful, text(DOUBTFUL), NOTHING), note]);
  return unlessEmpty(cells, when(hasDeal(myProfit, myRoi), reasons, problems(cells)));
}

const joined = (parts: readonly string[]) => call('TEXTJOIN', text('; '), 'TRUE', ...parts);

function problems(cells: DealCells): string {
  const cost = orBlank(cells.cost);
  const said = (value: string, words: string) => when(call('ISERROR', value), text(words), NOTHING);
  const isBlank = call('IFERROR', `${cost}=""`, 'FALSE');
  // Without an exchange rate, nothing is wrong with the costs themselves.
  const { rate: by, ...unrated } = cells;
  const wrong = joined([
    ...(by === undefined ? [] : [when(isNumber(by), NOTHING, text(NO_RATE))]),
    when(isBlank, text(COST_PROBLEMS.noCost), said(packPrice(cost), COST_PROBLEMS.cost)),
    ...OPTIONAL_COSTS.filter((key) => cells[key] !== null).map((key) =>
      said(extra(unrated, key), COST_PROBLEMS[key]),
    ),
    said(orWrong(orBlank(cells.fees)), PROBLEMS.fees),
    said(sellPrice(cells), PROBLEMS.sell),
  ]);
  return when(call('ISERROR', N.vatReclaimed), text(NO_RULES), wrong);
}

const COSTS = ['cost', ...OPTIONAL_COSTS] as const;

type CostName = (typeof COSTS)[number];

/** The variable with what a cost's cell comes to, be it a number or a text of one. */
const variableOf = (key: CostName): string => `${key}_`;

/** The beginning of that variable's value, up to the cell. */
export const costRead = (key: CostName): RegExp =>
  new RegExp(`\\b${variableOf(key)}[;,]\\s*IF\\(ISTEXT\\(([^()]*)\\)`);

/** The formulas of one row. `own` holds the row's cells of My profit and My ROI. */
export function dealFormulas(
  given: DealCells,
  own: { readonly myProfit: string; readonly myRoi: string },
): Readonly<Record<DealColumn, string>> {
  const { myProfit, myRoi } = own;
  // The cells of rules hold numbers.
  const typed = COSTS.filter((key) => given[key] !== null && !RULE_CELLS.test(given[key] ?? ''));
  const variables = Object.fromEntries(typed.map((key) => [key, variableOf(key)]));
  const cells: DealCells = { ...given, ...variables };
  const reading = (body: string) => {
    const values = typed
      .filter((key) => new RegExp(`\\b${variableOf(key)}`).test(body))
      .flatMap((key) => [
        variableOf(key),
        typedCost(given[key] ?? '', COST_KINDS[key], given.currency ?? null),
      ]);
    return values.length === 0 ? `=${body}` : `=${call('LET', ...values, body)}`;
  };
  const left = leftOfSale(cells);
  return {
    myProfit: reading(orNothing(call('ROUND', `${left}-${unitCost(cells)}`, '2'))),
    myRoi: reading(orNothing(call('ROUND', `(${left})/${unitCost(cells)}-1`, '4'))),
    maxBuy: reading(maxBuy(cells)),
    verdict: `=${verdict(cells, myProfit, myRoi)}`,
    why: reading(why(cells, myProfit, myRoi)),
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
