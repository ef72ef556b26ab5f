// The tab "Deal rules": targets, VAT and costs by supplier, the supplier in use, and the names that
// formulas read. What formulas alone need is hidden, and so is what concerns no list of the
// spreadsheet. Pure.

import { MOMENT } from '../google/moment-format';
import type { NewTab } from '../google/new-tab';
import { MONEY, PERCENT } from '../product/cell-formats';
import { COST_INPUTS, RULE_COSTS, type RuleCost, VAT_NOT_SET } from '../product/cost';
import {
  CHECK_RULES,
  COSTS_CELLS,
  COSTS_CURRENCY,
  type MarketCell,
  MONEY_SIGN,
  moneyCell,
  NO_EXCHANGE,
  PROFILE_NAMES,
  RULE_NAMES,
  type RuleKey,
  rateName,
  UNNAMED_CELLS,
  USUAL,
  WHY_FX_ALL,
  WORKED_OUT,
} from '../product/deal-rules';
import {
  BASE_CURRENCY,
  CURRENCIES,
  type Currency,
  hasVat,
  MARKETS,
  type Market,
  marketRow,
  OTHER_CURRENCIES,
  VAT_MARKETS,
  type VatMarket,
  vatOn,
} from '../product/market';
import {
  allRateCells,
  amountPattern,
  isRateCell,
  patterns,
  type RateCell,
  rateContent,
} from '../product/typed-cost';
import {
  salesTaxRule,
  TAX_CELLS,
  type TaxCell,
  taxFormula,
  VAT_SIDES,
  type VatPart,
  vatParts,
  vatRule,
} from '../product/vat';

export interface RuleRow {
  readonly key: RuleKey;
  /** The heading under which the page shows it. */
  readonly group: string;
  readonly label: string;
  readonly kind: 'money' | 'ratio' | 'count' | 'days' | 'flag' | 'choice';
  /** The words to choose from. */
  readonly choices?: readonly string[];
  /** What a blank one counts as; left out: it does not limit anything. */
  readonly blank?: string;
  /** The only market whose decisions depend on it. */
  readonly market?: Market;
}

const TAX = 'Tax and returns';
const COSTS = 'Costs without a column';

/** What a blank rule says that has to be said: nothing. */
const NOT_SAID = 'Not said';

/** What a market's VAT follows from. */
function vatRules(market: VatMarket): readonly RuleRow[] {
  const rate = { kind: 'ratio', blank: NOT_SAID } as const;
  const side = { kind: 'choice', choices: VAT_SIDES, blank: NOT_SAID } as const;
  const rows: Readonly<Record<VatPart, Pick<RuleRow, 'label' | 'kind' | 'choices' | 'blank'>>> = {
    Scheme: { label: 'VAT scheme', kind: 'choice', choices: vatOn(market).schemes },
    Rate: { label: 'VAT rate', ...rate },
    FlatRate: { label: 'Flat rate', ...rate },
    Costs: { label: 'My costs are', ...side },
    Fees: { label: 'The service’s fees are', ...side },
  };
  return vatParts(market).map((part) => ({
    ...{ key: vatRule(market, part), group: `VAT in ${marketRow(market).named}`, market },
    ...rows[part],
  }));
}

const salesTax = (market: Exclude<Market, VatMarket>): RuleRow => ({
  ...{ key: salesTaxRule(market), group: TAX, kind: 'ratio', blank: '0', market },
  label: `${market} sales tax on my costs`,
});

/** In the order of the tab and of the page. */
export const RULES: readonly RuleRow[] = [
  { key: 'minProfit', group: 'Buy', label: 'Profit at least', kind: 'money' },
  { key: 'minRoi', group: 'Buy', label: 'ROI at least', kind: 'ratio' },
  { key: 'minMargin', group: 'Buy', label: 'Margin at least', kind: 'ratio' },
  { key: 'minDrops', group: 'Buy', label: 'Rank drops at least', kind: 'count' },
  { key: 'maxFees', group: 'Buy', label: 'Fees at most', kind: 'money' },
  { key: 'maybeProfit', group: 'Maybe', label: 'Profit at least', kind: 'money' },
  { key: 'maybeRoi', group: 'Maybe', label: 'ROI at least', kind: 'ratio' },
  { key: 'maybeDrops', group: 'Maybe', label: 'Rank drops at least', kind: 'count' },
  { key: 'maybeFees', group: 'Maybe', label: 'Fees at most', kind: 'money' },
  { key: 'eligibleOnly', group: 'Buy and Maybe', label: 'Must be eligible', kind: 'flag' },
  { key: 'staleDays', group: 'Buy and Maybe', label: 'Figures go stale after', kind: 'days' },
  ...VAT_MARKETS.flatMap((market) => vatRules(market)),
  ...MARKETS.flatMap((market) => (hasVat(market) ? [] : [salesTax(market)])),
  { key: 'returns', group: TAX, label: 'Returns, part of the sale', kind: 'ratio', blank: '0' },
  { key: 'pack', group: COSTS, label: 'Units in a case', kind: 'count', blank: '1' },
  { key: 'multipack', group: COSTS, label: 'Units in one sale', kind: 'count', blank: '1' },
  { key: 'discount', group: COSTS, label: 'Supplier discount', kind: 'ratio', blank: '0' },
  { key: 'prep', group: COSTS, label: 'Prep for a sale', kind: 'money', blank: '0' },
  { key: 'shipping', group: COSTS, label: 'Shipping for a sale', kind: 'money', blank: '0' },
  { key: 'other', group: COSTS, label: 'Other costs of a sale', kind: 'money', blank: '0' },
];

/** "Buy: Profit at least". Groups whose rules say enough by themselves are left out. */
function labelInTab({ group, label, kind, market }: RuleRow): string {
  const named = kind === 'days' ? `${label} (days)` : label;
  if (market !== undefined && hasVat(market)) return `${market}: ${named}`;
  return group === 'Buy' || group === 'Maybe' ? `${group}: ${named}` : named;
}

const DEFAULT_PROFILE = 'Default';

const HEADER_ROW = 3;
const FIRST_ROW = HEADER_ROW + 1;
/** The hidden column with what formulas read. */
export const IN_USE_LETTER = 'B';
/** The columns of suppliers: formulas read no others. */
export const PROFILE_LETTERS: readonly string[] = [...'CDEF'];
const FIRST_LETTER = 'C';
const LAST_LETTER = 'F';
/** The column in which a person says what holds for every supplier. */
export const SAID_LETTER = FIRST_LETTER;
const PROFILE_CELL = `${SAID_LETTER}1`;

/** A row below the rules. A formula, or a note for what a person fills in. */
interface OtherRow {
  readonly name?: string;
  readonly label: string;
  readonly formula?: string;
  readonly text?: string;
  readonly note?: string;
  readonly format?: string;
}

/** For lists with figures of both markets. */
const exchangeRows = (): readonly (OtherRow & {
  readonly name: string;
  readonly note: string;
})[] => [
  ...OTHER_CURRENCIES.map((currency) => ({
    name: rateName(currency),
    label: `${currency} to ${BASE_CURRENCY}`,
    formula: `=GOOGLEFINANCE("CURRENCY:${currency}${BASE_CURRENCY}")`,
    note: 'Google’s rate. Type a number over it, above all where it shows #N/A.',
  })),
  {
    name: COSTS_CURRENCY,
    label: 'My costs are in',
    note: `For lists with figures of two markets: ${CURRENCIES.join(' or ')}.`,
  },
];

const N = RULE_NAMES;

/** Of what amounts are multiplied by. */
const FACTOR = '0.0000';

/** Where the cells of markets begin. */
const firstMarketRow = () => FIRST_ROW + RULES.length + exchangeRows().length;

/** The row of a market's cell. */
const rowOf = (name: MarketCell, market: Market): number =>
  firstMarketRow() + marketKinds().indexOf(name) * MARKETS.length + MARKETS.indexOf(market);

const marketCellOf = (name: MarketCell, market: Market): string =>
  `${IN_USE_LETTER}${rowOf(name, market)}`;

/** The cells of all markets, one below another. "B44:B45" */
function marketCellsOf(name: MarketCell): string {
  const first = rowOf(name, MARKETS[0]);
  return `${IN_USE_LETTER}${first}:${IN_USE_LETTER}${first + MARKETS.length - 1}`;
}

/** What the market of the costs' currency has. */
const ofCosts = (name: MarketCell): string =>
  `XLOOKUP(${COSTS_CURRENCY};${marketCellsOf('MARKET_MONEY')};${marketCellsOf(name)})`;

/** Dollars for one of this currency; #N/A without a rate. */
function inBase(currency: Currency): string {
  if (currency === BASE_CURRENCY) return '1';
  const rate = rateName(currency);
  return `IF(ISNUMBER(${rate});IF(${rate}>0;${rate};NA());NA())`;
}

/** Why a usable cost comes to nothing. */
const whyCost = (isSet: string): string =>
  `=IFERROR(IF(${isSet};"${CHECK_RULES}";${WORKED_OUT.whyVat});"${CHECK_RULES}")`;

/** Why a usable cost in one currency comes to nothing. @param into the cells with what exchanges it. */
const whyExchanged = (into: string, isSet: string): string => {
  const isChosen = `COUNTIF(${marketCellsOf('MARKET_MONEY')};${COSTS_CURRENCY})*(${COSTS_CURRENCY}<>"")`;
  const problem = `IF(${isChosen};"${NO_EXCHANGE.rate}";"${NO_EXCHANGE.currency}")`;
  return `=IF(ISERROR(SUM(${into}));${problem};${whyCost(isSet).slice(1)})`;
};

/** The cells of a market's rules; without one, of those for all markets. */
const ruleNamesOf = (market?: Market): string =>
  RULES.filter((rule) => rule.market === market)
    .map(({ key }) => N[key])
    .join(';');

type FormulaOrText = Pick<OtherRow, 'label' | 'formula' | 'text' | 'format'>;

/** What formulas look up by a row's market. */
const MARKET_CELLS: Readonly<
  Record<Exclude<MarketCell, TaxCell | RateCell>, (market: Market) => FormulaOrText>
> = {
  MARKET_ID: (market) => ({ label: 'Market', text: market }),
  MARKET_SIGN: (market) => ({ label: 'Sign of money', text: marketRow(market).sign }),
  MARKET_MONEY: (market) => ({ label: 'Currency', text: marketRow(market).currency }),
  RULES_OF: (market) => ({
    label: 'Sum of its rules, an error if one cannot be used',
    formula: `=SUM(${ruleNamesOf(market)})`,
  }),
  READ_MONEY: (market) => ({
    label: 'Costs as text',
    text: amountPattern(marketRow(market).currency),
  }),
  FX_OF: (market) => ({
    label: `1 in ${BASE_CURRENCY}`,
    formula: `=${inBase(marketRow(market).currency)}`,
    format: FACTOR,
  }),
  // A sale bears VAT whatever its cost bears: while nothing is said of it, a text.
  FX_INTO: (market) => ({
    label: '1 of my costs',
    formula: `=LET(x;IF(${COSTS_CURRENCY}="${marketRow(market).currency}";1;${ofCosts('FX_OF')}/${marketCellOf('FX_OF', market)});IF(x>0;IF(${marketCellOf('VAT_SAID', market)};x;"${VAT_NOT_SET}")))`,
    format: FACTOR,
  }),
  // A hair less than the target, which a sum of doubles may be short of.
  LEAST_GAIN: (market) => ({
    label: 'Profit by the least margin ×',
    formula: `=ROUND(${N.minMargin};4)/${marketCellOf('VAT_SALE', market)}-1/10^10`,
    format: FACTOR,
  }),
  WHY_COST: (market) => ({ label: 'Why says', formula: whyCost(marketCellOf('VAT_SET', market)) }),
  WHY_FX: (market) => ({
    label: 'Why says of costs in one currency',
    formula: whyExchanged(
      marketCellOf('FX_INTO', market),
      `${marketCellOf('VAT_SAID', market)}*${ofCosts('VAT_SET')}`,
    ),
  }),
};

/** In the order of the tab. */
const marketKinds = (): readonly MarketCell[] => [
  ...(Object.keys({ ...MARKET_CELLS, ...TAX_CELLS }) as MarketCell[]),
  ...allRateCells(),
];

const isNamed = (name: MarketCell): boolean => !UNNAMED_CELLS.some((cell) => cell === name);

const isTax = (name: MarketCell): name is TaxCell => name in TAX_CELLS;

function contentOf(name: MarketCell, market: Market): FormulaOrText {
  if (isRateCell(name)) return rateContent(name, market);
  if (!isTax(name)) return MARKET_CELLS[name](market);
  const formula = taxFormula(market, name, N, (cell) => marketCellOf(cell, market));
  return { label: TAX_CELLS[name], format: FACTOR, formula };
}

const marketRows = (): readonly OtherRow[] =>
  marketKinds().flatMap((name) =>
    MARKETS.map((market) => {
      const { label, ...content } = contentOf(name, market);
      return { label: `${market}: ${label}`, ...content };
    }),
  );

/** What follows from the rules in use. The words of reasons may be changed, or translated. */
const followingRows = (): readonly OtherRow[] => [
  ...marketRows(),
  ...Object.entries(COSTS_CELLS).map(([name, ofCurrency]) => ({
    name: ofCurrency,
    label: `My costs: ${name}`,
    formula: `=${ofCosts(name as MarketCell)}`,
  })),
  {
    name: WORKED_OUT.areRead,
    label: 'Every rule can be used',
    // A number typed over the flag in use is neither yes nor no.
    formula: `=ISNUMBER(SUM(${marketCellsOf('RULES_OF')};${ruleNamesOf()}))*NOT(ISNUMBER(${N.eligibleOnly}))=1`,
  },
  {
    name: WORKED_OUT.freshSince,
    label: 'Figures are fresh since',
    format: MOMENT,
    formula: `=IF(${N.staleDays}="";0;NOW()-${N.staleDays})`,
  },
  ...[
    [WORKED_OUT.whyProfit, `="Profit under ${MONEY_SIGN}"&${N.minProfit}`] as const,
    [WORKED_OUT.whyRoi, `="ROI under "&ROUND(${N.minRoi}*100;2)&"%"`] as const,
    [
      WORKED_OUT.whyMargin,
      `=IF(${N.minMargin}>0;"Margin under "&ROUND(${N.minMargin}*100;2)&"%";"")`,
    ] as const,
    [WORKED_OUT.whyDrops, `="Rank drops under "&${N.minDrops}`] as const,
    [WORKED_OUT.whyFees, `="Fees over ${MONEY_SIGN}"&${N.maxFees}`] as const,
    [
      WORKED_OUT.whyAge,
      `="Figures older than "&${N.staleDays}&IF(${N.staleDays}=1;" day";" days")`,
    ] as const,
    [WORKED_OUT.whyUnsure, '="Eligibility unknown"'] as const,
    [WORKED_OUT.whyNoRank, '="Rank drops unknown"'] as const,
    [WORKED_OUT.whyVat, `="${VAT_NOT_SET}"`] as const,
    ['WHY_COSTS', whyCost(`AND(${marketCellsOf('VAT_SET')})`)] as const,
    [
      WHY_FX_ALL,
      whyExchanged(marketCellsOf('FX_INTO'), `AND(${marketCellsOf('VAT_SET')})`),
    ] as const,
  ].map(([name, formula]) => ({ name, label: 'Why says', formula })),
  ...patterns(),
];

const isCost = (key: RuleKey): key is RuleCost => RULE_COSTS.some((cost) => cost === key);

/** A least value; a blank one is 0. */
const LEAST = /^(min|maybe)(Profit|Roi|Drops)$/;

/** Least returns. They may be over 100 %, so that 5 may be pasted for 5 % or for 500 %: it cannot be used. */
const RETURNS = /^(min|maybe)Roi$/;

/** What a number in a rule counts as: a pasted 30 is 30 %, as a typed one is. */
export function countedAs(key: RuleKey, value: number): number {
  const isShare = RULES.some((rule) => rule.key === key && rule.kind === 'ratio');
  return isShare && value >= (RETURNS.test(key) ? 10 : 1) ? value / 100 : value;
}

/** A largest value; a blank one, and 0, is none. */
const MOST = /^(max|maybe)Fees$/;
const NO_LIMIT = '10^9';

/** What a rule that is not blank counts as; #N/A if it is none of its kind: "£3", "yes", "Standart". */
function usable({ key, kind, choices }: RuleRow): string {
  const words = kind === 'flag' ? ['TRUE', 'FALSE'] : choices?.map((word) => `"${word}"`);
  if (words !== undefined) return `IFS(${words.map((word) => `v=${word};${word}`).join(';')})`;
  const number = (test: string, counts: string) => `IF(ISNUMBER(v)*(${test});${counts};NA())`;
  if (RETURNS.test(key)) return number('(v<3)+(v>=10)', 'ROUND(IF(v<3;v;v/100);4)');
  if (kind === 'ratio') return number('(v>=0)*(v<100)', 'IF(v<1;v;v/100)');
  if (LEAST.test(key)) return number('TRUE', 'v');
  if (MOST.test(key)) return number('TRUE', `IF(v>0;v;${NO_LIMIT})`);
  if (!isCost(key)) return number('TRUE', 'v');
  return number(COST_INPUTS[key].blank === 1 ? 'v>0' : 'v>=0', 'v');
}

/** The formula for the value of the supplier in use, as formulas in lists count with it. */
function inUse(rule: RuleRow, row: number): string {
  const profiles = `$${FIRST_LETTER}$${HEADER_ROW}:$${LAST_LETTER}$${HEADER_ROW}`;
  const values = `$${FIRST_LETTER}${row}:$${LAST_LETTER}${row}`;
  const value = `INDEX(${values};1;MATCH(${PROFILE_NAMES.inUse};${profiles};0))`;
  const { key, kind } = rule;
  const isZero = LEAST.test(key) || (kind === 'ratio' && rule.blank !== NOT_SAID);
  const least = isZero ? 0 : '""';
  const counted = MOST.test(key) ? NO_LIMIT : least;
  const blank = isCost(key) ? COST_INPUTS[key].blank : counted;
  return `=LET(v;${value};IF(v="";${blank};${usable(rule)}))`;
}

const ruleFormat = ({ kind }: RuleRow): string =>
  kind === 'money' ? MONEY : kind === 'ratio' ? PERCENT : '0';

/** The style of the header in every tab that we create. */
export const HEADER_STYLE = { isBold: true, background: '#f1f3f4' };

/** For cells in which a person chooses or types something. */
const TO_FILL_IN = '#fff7df';
const QUIET = '#5f6368';

/** The names of the rows that decisions on these markets come into view with; the others always are. */
export function namesFor(markets: readonly Market[]): readonly string[] {
  const ofMarkets = RULES.filter(({ market }) => market !== undefined && markets.includes(market));
  return [
    ...ofMarkets.map(({ key }) => RULE_NAMES[key]),
    ...(markets.length > 1 ? exchangeRows().map(({ name }) => name) : []),
  ];
}

export function newRulesTab(): NewTab {
  const rules = RULES.map((rule, at) => ({ ...rule, row: FIRST_ROW + at }));
  const below = FIRST_ROW + RULES.length;
  const exchange = exchangeRows().map((row, at) => ({ ...row, row: below + at }));
  const following = followingRows().map((row, at) => ({
    ...row,
    row: below + exchange.length + at,
  }));
  const across = (row: number) => `${row}:${LAST_LETTER}${row}`;
  const said = (row: number) => `${SAID_LETTER}${row}`;
  const inUseCell = (row: number) => `${IN_USE_LETTER}${row}`;
  return {
    title: 'Deal rules',
    cells: [
      ['Supplier in use', '', DEFAULT_PROFILE],
      ['One column for each supplier. Change a number here, and every decision follows at once.'],
      ['Rule', 'In use', DEFAULT_PROFILE],
      ...rules.map((rule) => [
        ...[labelInTab(rule), { formula: inUse(rule, rule.row) }, USUAL[rule.key] ?? ''],
      ]),
      ...exchange.map(({ label, formula, note }) => [label, '', formula ? { formula } : '', note]),
      ...following.map(({ label, formula, text = '', note = '' }) => [
        ...[label, formula === undefined ? text : { formula }, note],
      ]),
    ],
    names: [
      { name: PROFILE_NAMES.inUse, at: PROFILE_CELL },
      { name: PROFILE_NAMES.titles, at: inUseCell(HEADER_ROW) },
      ...rules.map(({ key, row }) => ({ name: RULE_NAMES[key], at: inUseCell(row) })),
      ...exchange.map(({ name, row }) => ({ name, at: said(row) })),
      ...marketKinds()
        .filter(isNamed)
        .map((name) => ({ name, at: marketCellsOf(name) })),
      ...MARKETS.map((market) => ({ name: moneyCell(market), at: marketCellOf('FX_OF', market) })),
      ...following.flatMap(({ name, row }) => (name ? [{ name, at: inUseCell(row) }] : [])),
    ],
    hidden: {
      rows: [...rules.filter(({ market }) => market), ...exchange, ...following].map(
        ({ row }) => row,
      ),
      columns: [IN_USE_LETTER.charCodeAt(0) - 64],
    },
    styles: [
      { at: `A${across(HEADER_ROW)}`, ...HEADER_STYLE },
      { at: `A1:${PROFILE_CELL}`, isBold: true },
      {
        at: PROFILE_CELL,
        background: TO_FILL_IN,
        choices: `${FIRST_LETTER}${across(HEADER_ROW)}`,
      },
      { at: 'A2', color: QUIET },
      ...rules.map((rule) => ({
        at: `${IN_USE_LETTER}${across(rule.row)}`,
        format: ruleFormat(rule),
      })),
      { at: `${said(FIRST_ROW)}:${LAST_LETTER}${below - 1}`, background: TO_FILL_IN },
      ...rules.flatMap(({ choices, row }) =>
        choices ? [{ at: `${FIRST_LETTER}${across(row)}`, choices }] : [],
      ),
      ...following.flatMap(({ format, row }) => (format ? [{ at: inUseCell(row), format }] : [])),
      { at: `${said(below)}:${said(below + exchange.length - 1)}`, background: TO_FILL_IN },
      { at: said(below + exchange.length - 1), choices: CURRENCIES },
      { at: `D${below}:D${below + exchange.length - 1}`, color: QUIET },
    ],
    widths: [260, 110, ...PROFILE_LETTERS.map(() => 110)],
    frozenRows: HEADER_ROW,
  };
}
