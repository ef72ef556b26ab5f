// The decision as native formulas of a sheet: the texts of verdict.ts's and cost.ts's arithmetic. Pure.
//
// Right in every locale: arguments are parted by semicolons, which Sheets takes everywhere, and no
// number in a text has decimals – targets stand in named cells.

import { COST_PROBLEMS, OPTIONAL_COSTS, type OptionalCost } from './cost';
import { ESTIMATED, PROBLEMS } from './verdict';

/** What a formula reads of a row: a cell such as "F2", a name of cells, a variable; null: nothing. */
export type DealCells = {
  readonly [Key in FigureKey | OptionalCost | 'cost' | 'analyzedAt']: string | null;
};

type FigureKey = 'profit' | 'roi' | 'fees' | 'eligible' | 'drops' | 'buyPrice' | 'sellPrice';

/** The columns that hold a decision, left to right. */
export const DEAL_COLUMNS = ['myProfit', 'myRoi', 'maxBuy', 'verdict', 'why'] as const;

export type DealColumn = (typeof DEAL_COLUMNS)[number];

export const DEAL_TITLES: Readonly<Record<DealColumn, string>> = {
  myProfit: 'My profit',
  myRoi: 'My ROI',
  maxBuy: 'Max buy',
  verdict: 'Verdict',
  why: 'Why',
};

/** The named cells of the tab "Deal rules"; a blank target is not asked for. */
export const RULE_NAMES = {
  minProfit: 'DEAL_MIN_PROFIT',
  /** A fraction. */
  minRoi: 'DEAL_MIN_ROI',
  minDrops: 'DEAL_MIN_DROPS',
  maxFees: 'DEAL_MAX_FEES',
  maybeProfit: 'DEAL_MAYBE_PROFIT',
  maybeRoi: 'DEAL_MAYBE_ROI',
  maybeDrops: 'DEAL_MAYBE_DROPS',
  maybeFees: 'DEAL_MAYBE_FEES',
  /** TRUE or FALSE, as is `vatReclaimed`. */
  eligibleOnly: 'DEAL_ELIGIBLE_ONLY',
  vatReclaimed: 'DEAL_VAT_RECLAIMED',
  staleDays: 'DEAL_STALE_DAYS',
  /** 100 where the service's ROI is a percentage, 1 where it is a fraction; blank: unknown. */
  roiScale: 'DEAL_ROI_SCALE',
  /** One cell with NOW(): a sheet works out what changes by itself at every edit, once. */
  now: 'DEAL_NOW',
} as const;

const N = RULE_NAMES;

const call = (name: string, ...args: readonly string[]) => `${name}(${args.join(';')})`;
const when = (test: string, then: string, otherwise: string) => call('IF', test, then, otherwise);
const isNumber = (cell: string) => call('ISNUMBER', cell);
const text = (words: string) => `"${words}"`;
const NOTHING = '""';

/** A cell of the row that is not there reads as a blank one. */
const orBlank = (cell: string | null) => cell ?? NOTHING;

const orElse = (cell: string | null, otherwise: number) =>
  cell === null ? String(otherwise) : when(isNumber(cell), cell, String(otherwise));

const asRate = (cell: string) => when(`${cell}>=1`, `${cell}/100`, cell);
const rate = (cell: string | null) =>
  cell === null ? '0' : when(isNumber(cell), asRate(cell), '0');

const isUsable: Readonly<Record<OptionalCost, (cell: string) => string>> = {
  pack: (cell) => `${cell}>0`,
  discount: (cell) => call('AND', `${cell}>=0`, `${asRate(cell)}<1`),
  vat: (cell) => `${cell}>=0`,
  prep: (cell) => `${cell}>=0`,
  shipping: (cell) => `${cell}>=0`,
};

/** Whether an input is neither blank nor usable; an error in it is a TRUE, not an error. */
function isWrong(cell: string, usable: string): string {
  const otherwise = when(isNumber(cell), call('NOT', usable), 'TRUE');
  return call('IFERROR', when(`${cell}=""`, 'FALSE', otherwise), 'TRUE');
}

function wrongExtras(
  cells: DealCells,
): readonly { readonly key: OptionalCost; readonly test: string }[] {
  return OPTIONAL_COSTS.flatMap((key) => {
    const cell = cells[key];
    return cell === null ? [] : [{ key, test: isWrong(cell, isUsable[key](cell)) }];
  });
}

const share = (cells: DealCells) => {
  const vat = when(`${N.vatReclaimed}=TRUE`, '0', rate(cells.vat));
  return `((1-${rate(cells.discount)})/${orElse(cells.pack, 1)})*(1+${vat})`;
};
const onTop = (cells: DealCells) => `(${orElse(cells.prep, 0)}+${orElse(cells.shipping, 0)})`;

const anyOf = (tests: readonly string[]) => (tests.length === 0 ? 'FALSE' : call('OR', ...tests));

/** What a unit costs, or an empty text. */
function unitCost(cells: DealCells): string {
  const cost = orBlank(cells.cost);
  const noCost = call('NOT', call('IFERROR', call('AND', isNumber(cost), `${cost}>0`), 'FALSE'));
  const tests = [noCost, ...wrongExtras(cells).map(({ test }) => test)];
  return when(anyOf(tests), NOTHING, `${cost}*(${share(cells)})+${onTop(cells)}`);
}

/** The service's sell price, else what follows from its other figures, or an empty text. */
function sellPrice(cells: DealCells): string {
  const [given, profit, fees, buy, roi] = [
    orBlank(cells.sellPrice),
    orBlank(cells.profit),
    orBlank(cells.fees),
    orBlank(cells.buyPrice),
    orBlank(cells.roi),
  ];
  const derived = (paid: string) =>
    when(
      call('OR', `${paid}<0`, `${paid}+${fees}+${profit}<0`),
      NOTHING,
      `${paid}+${fees}+${profit}`,
    );
  const fromRoi = when(
    call('AND', isNumber(roi), isNumber(N.roiScale)),
    when(
      `${roi}=0`,
      NOTHING,
      call('LET', 'paid', `${profit}/(${roi}/${N.roiScale})`, derived('paid')),
    ),
    NOTHING,
  );
  const fromBoth = when(isNumber(buy), derived(buy), fromRoi);
  const fromFigures = when(call('AND', isNumber(profit), isNumber(fees)), fromBoth, NOTHING);
  return when(isNumber(given), given, fromFigures);
}

function ofSale(cells: DealCells, result: string): string {
  const fees = orBlank(cells.fees);
  const hasAll = call('AND', isNumber('unit'), isNumber('sell'), isNumber(fees));
  const isAny = when('unit>0', result, NOTHING);
  const body = when(hasAll, isAny, NOTHING);
  return call('LET', 'unit', unitCost(cells), 'sell', sellPrice(cells), body);
}

function maxBuy(cells: DealCells): string {
  const fees = orBlank(cells.fees);
  const wrong = wrongExtras(cells).map(({ test }) => test);
  const unit = call('MIN', `gain/(1+${orElse(N.minRoi, 0)})`, `gain-${orElse(N.minProfit, 0)}`);
  const pennies = call('INT', `100*((${unit}-${onTop(cells)})/(${share(cells)}))+1/1000000`);
  const most = call('MAX', '0', `${pennies}/100`);
  const ofGain = call('LET', 'gain', `sell-${fees}`, most);
  const ofSell = call('LET', 'sell', sellPrice(cells), when(isNumber('sell'), ofGain, NOTHING));
  return when(anyOf([call('NOT', isNumber(fees)), ...wrong]), NOTHING, ofSell);
}

/** One target as a test for each level, and its words. */
interface Miss {
  readonly buy: string;
  readonly maybe: string;
  readonly reason: string;
}

const isUnder = (value: string, target: string) =>
  when(isNumber(value), when(isNumber(target), `${value}<${target}`, 'FALSE'), 'FALSE');

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
    when(isNumber(fees), when(isNumber(target), `${fees}>${target}`, 'FALSE'), 'FALSE');
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
        when(isNumber(at), `${age}>${N.staleDays}`, 'TRUE'),
        'FALSE',
      ),
      maybe: 'FALSE',
      reason: when(
        isNumber(at),
        `"Figures are "&${call('INT', age)}&" days old"`,
        text('Age unknown'),
      ),
    },
  ];
}

/** A row that nobody has analysed yet has no decision, and no complaint. */
function unlessEmpty(cells: DealCells, result: string): string {
  const figures = [cells.profit, cells.fees, cells.sellPrice].map(orBlank);
  const isEmpty = call('AND', ...figures.map((cell) => `${cell}=""`));
  return when(call('IFERROR', isEmpty, 'FALSE'), NOTHING, result);
}

const hasDeal = (myProfit: string, myRoi: string) =>
  call('AND', isNumber(myProfit), isNumber(myRoi));

function verdict(cells: DealCells, myProfit: string, myRoi: string): string {
  const misses = missesOf(cells, myProfit, myRoi);
  const maybe = when(anyOf(misses.map((miss) => miss.maybe)), text('Skip'), text('Maybe'));
  const decided = when(anyOf(misses.map((miss) => miss.buy)), maybe, text('Buy'));
  return unlessEmpty(cells, when(hasDeal(myProfit, myRoi), decided, text('No verdict')));
}

function why(cells: DealCells, myProfit: string, myRoi: string): string {
  const said = missesOf(cells, myProfit, myRoi).map(({ buy, reason }) =>
    when(buy, reason, NOTHING),
  );
  const given = orBlank(cells.sellPrice);
  const note = when(isNumber(given), NOTHING, text(ESTIMATED));
  const reasons = joined([...said, note]);
  return unlessEmpty(cells, when(hasDeal(myProfit, myRoi), reasons, problems(cells)));
}

const joined = (parts: readonly string[]) => call('TEXTJOIN', text('; '), 'TRUE', ...parts);

function problems(cells: DealCells): string {
  const cost = orBlank(cells.cost);
  const check = text(COST_PROBLEMS.cost);
  const ofNumber = when(isNumber(cost), when(`${cost}>0`, NOTHING, check), check);
  const ofCost = when(`${cost}=""`, text(COST_PROBLEMS.noCost), ofNumber);
  const wrong = wrongExtras(cells).map(({ key, test }) =>
    when(test, text(COST_PROBLEMS[key]), NOTHING),
  );
  const isNought = when(isNumber('unit'), 'unit<=0', 'FALSE');
  const unit = call('LET', 'unit', unitCost(cells), when(isNought, text(PROBLEMS.unit), NOTHING));
  const missing = (value: string, words: string) => when(isNumber(value), NOTHING, text(words));
  return joined([
    call('IFERROR', ofCost, check),
    ...wrong,
    unit,
    missing(orBlank(cells.fees), PROBLEMS.fees),
    missing(sellPrice(cells), PROBLEMS.sell),
  ]);
}

/** The formulas of one row. `own` are the cells in which My profit and My ROI stand themselves. */
export function dealFormulas(
  cells: DealCells,
  own: { readonly myProfit: string; readonly myRoi: string },
): Readonly<Record<DealColumn, string>> {
  const { myProfit, myRoi } = own;
  const gain = `sell-${orBlank(cells.fees)}-unit`;
  return {
    myProfit: `=${ofSale(cells, call('ROUND', gain, '2'))}`,
    myRoi: `=${ofSale(cells, call('ROUND', `(${gain})/unit`, '4'))}`,
    maxBuy: `=${maxBuy(cells)}`,
    verdict: `=${verdict(cells, myProfit, myRoi)}`,
    why: `=${why(cells, myProfit, myRoi)}`,
  };
}
