// The tab "Deal rules": targets, VAT and costs by profile, the profile in use, and the names that
// formulas read. Pure.

import type { NewTab } from '../google/new-tab';
import { MOMENT, MONEY, PERCENT } from '../product/cell-formats';
import { seenText } from '../product/cell-text';
import { COST_INPUTS, RULE_COSTS, type RuleCost } from '../product/cost';
import { FX_NAMES, RULE_NAMES, type RuleKey, USUAL, WORKED_OUT } from '../product/deal-rules';
import { type Currency, MARKETS, type Market, marketRow } from '../product/market';
import { PATTERNS } from '../product/typed-cost';
import { VAT_SCHEMES, VAT_SIDES, vatFormulas } from '../product/vat';
import type { ListCell, ReadRules } from './list';
import type { CellChanges } from './tabs';

interface RuleRow {
  readonly key: RuleKey;
  /** The label that we write in the first column. People may have others. */
  readonly label: string;
  readonly kind: 'money' | 'ratio' | 'count' | 'flag' | 'choice';
  /** The words to choose from. */
  readonly choices?: readonly string[];
}

/** In the order of the tab. */
export const RULES: readonly RuleRow[] = [
  { key: 'minProfit', label: 'Buy: profit at least', kind: 'money' },
  { key: 'minRoi', label: 'Buy: ROI at least', kind: 'ratio' },
  { key: 'minDrops', label: 'Buy: rank drops in 30 days at least', kind: 'count' },
  { key: 'maxFees', label: 'Buy: fees at most', kind: 'money' },
  { key: 'maybeProfit', label: 'Maybe: profit at least', kind: 'money' },
  { key: 'maybeRoi', label: 'Maybe: ROI at least', kind: 'ratio' },
  { key: 'maybeDrops', label: 'Maybe: rank drops in 30 days at least', kind: 'count' },
  { key: 'maybeFees', label: 'Maybe: fees at most', kind: 'money' },
  { key: 'eligibleOnly', label: 'Must be eligible', kind: 'flag' },
  { key: 'staleDays', label: 'Figures go stale after (days)', kind: 'count' },
  { key: 'ukScheme', label: 'UK: VAT scheme', kind: 'choice', choices: VAT_SCHEMES },
  { key: 'ukRate', label: 'UK: VAT rate', kind: 'ratio' },
  { key: 'ukFlatRate', label: 'UK: flat rate', kind: 'ratio' },
  { key: 'ukCosts', label: 'UK: my costs are', kind: 'choice', choices: VAT_SIDES },
  { key: 'ukFees', label: 'UK: the service’s fees are', kind: 'choice', choices: VAT_SIDES },
  { key: 'usTax', label: 'US: sales tax on my costs', kind: 'ratio' },
  { key: 'returns', label: 'Returns, part of the sale', kind: 'ratio' },
  { key: 'pack', label: 'Units in a case', kind: 'count' },
  { key: 'multipack', label: 'Units in one sale', kind: 'count' },
  { key: 'discount', label: 'Supplier discount', kind: 'ratio' },
  { key: 'prep', label: 'Prep for a sale', kind: 'money' },
  { key: 'shipping', label: 'Shipping for a sale', kind: 'money' },
  { key: 'other', label: 'Other costs of a sale', kind: 'money' },
];

const RULES_TITLE = 'Deal rules';
const DEFAULT_PROFILE = 'Default';

/** Labels of rows that are no rules. */
const LABELS = {
  profile: 'Profile in use',
  header: 'Rule',
  roiScale: '100% ROI is shown in the list as',
  rate: 'GBP to USD',
  currency: 'My costs are in',
};

/** The cell with the name of the profile in use. */
const PROFILE_CELL = { name: 'DEAL_PROFILE', at: 'B1' };
const HEADER_ROW = 3;
const FIRST_ROW = HEADER_ROW + 1;
/** Profiles begin in the third column; formulas read at most this many. */
const [FIRST_PROFILE, PROFILES_MAX] = [3, 10];
const [FIRST_LETTER, LAST_LETTER] = ['C', 'L'];

/** The names of the cells beside labels, by which formulas read them. */
const NAMED = {
  profile: PROFILE_CELL.name,
  roiScale: WORKED_OUT.roiScale,
  rate: FX_NAMES.rate,
  currency: FX_NAMES.currency,
};

const CURRENCIES = MARKETS.map((market: Market): Currency => marketRow(market).currency);

/**
 * The formula for the value of 1 of the costs' currency in `currency`; #N/A without a rate or a
 * known currency.
 */
function costIn(currency: Currency): string {
  const { rate, currency: ofCosts } = FX_NAMES;
  const known = `IF(ISNUMBER(${rate});IF(${rate}>0;${rate};NA());NA())`;
  const other = currency === 'USD' ? 'GBP' : 'USD';
  const exchanged = currency === 'USD' ? known : `1/${known}`;
  return `=IF(${ofCosts}="${currency}";1;IF(${ofCosts}="${other}";${exchanged};NA()))`;
}

/** A row below the rules. A formula, or a note for what a person fills in. */
interface OtherRow {
  readonly name: string;
  readonly label: string;
  readonly formula?: string;
  readonly text?: string;
  readonly note?: string;
  readonly format?: string;
}

/** For lists with figures of both markets. */
const EXCHANGE: readonly OtherRow[] = [
  {
    name: FX_NAMES.rate,
    label: LABELS.rate,
    formula: '=GOOGLEFINANCE("CURRENCY:GBPUSD")',
    note: 'Google’s rate. Type a number over it, above all where it shows #N/A.',
  },
  {
    name: FX_NAMES.currency,
    label: LABELS.currency,
    note: 'For lists with US and UK figures: USD or GBP.',
  },
];

const N = RULE_NAMES;

/** What follows from the rules in use. The words of reasons may be changed, or translated. */
const FOLLOWING: readonly OtherRow[] = [
  ...CURRENCIES.map((one) => ({
    ...{ name: FX_NAMES[one], label: `1 of my costs in ${one}`, formula: costIn(one) },
  })),
  ...vatFormulas(N),
  {
    name: WORKED_OUT.freshSince,
    label: 'Figures are fresh since',
    format: MOMENT,
    formula: `=IF(ISNUMBER(${N.staleDays});NOW()-${N.staleDays};0)`,
  },
  ...[
    [WORKED_OUT.whyProfit, `="Profit under "&${N.minProfit}`] as const,
    [WORKED_OUT.whyRoi, `="ROI under "&ROUND(${N.minRoi}*100;2)&"%"`] as const,
    [WORKED_OUT.whyDrops, `="Rank drops under "&${N.minDrops}`] as const,
    [WORKED_OUT.whyFees, `="Fees over "&${N.maxFees}`] as const,
    [
      WORKED_OUT.whyAge,
      `="Figures older than "&${N.staleDays}&IF(${N.staleDays}=1;" day";" days")`,
    ] as const,
  ].map(([name, formula]) => ({ name, label: 'Why says', formula })),
  ...Object.values(PATTERNS),
];

const FORMATS: Readonly<Record<RuleRow['kind'], string>> = {
  money: MONEY,
  ratio: PERCENT,
  count: '0',
  flag: '0',
  choice: '0',
};

const isCost = (key: RuleKey): key is RuleCost => RULE_COSTS.some((one) => one === key);

/** A least value; a blank one is 0. A limit that is blank stays blank. */
const LEAST = /^(min|maybe)(Profit|Roi|Drops)$/;

/** The formula for the value of the profile in use, as formulas in lists count with it. */
function inUse({ key, kind }: RuleRow, row: number): string {
  const profiles = `$${FIRST_LETTER}$${HEADER_ROW}:$${LAST_LETTER}$${HEADER_ROW}`;
  const values = `$${FIRST_LETTER}${row}:$${LAST_LETTER}${row}`;
  const value = `INDEX(${values};1;MATCH(${PROFILE_CELL.name};${profiles};0))`;
  if (LEAST.test(key)) return kind === 'ratio' ? `=ROUND(N(${value});4)` : `=N(${value})`;
  const isRate = kind === 'ratio';
  if (!isRate && !isCost(key)) return `=IF(${value}="";"";${value})`;
  const blank = isCost(key) ? COST_INPUTS[key].blank : 0;
  const isUsable = blank === 1 ? 'v>0' : isRate ? '(v>=0)*(v<100)' : 'v>=0';
  const number = isRate ? 'IF(v<1;v;v/100)' : 'v';
  return `=LET(v;${value};IF(v="";${blank};IF(ISNUMBER(v)*(${isUsable});${number};NA())))`;
}

/** The style of the header in every tab that we create. */
export const HEADER_STYLE = { isBold: true, background: '#f1f3f4' };

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const PROFILE_LETTERS = [...LETTERS.slice(FIRST_PROFILE - 1, FIRST_PROFILE - 1 + PROFILES_MAX)];

const WIDTH = FIRST_PROFILE - 1 + PROFILES_MAX;

const line = (...cells: readonly ListCell[]) =>
  Array.from({ length: WIDTH }, (_, at) => cells[at] ?? '');

/** @param roiScale the unit of ROI in the list: see `ListInspection`. */
export function newRulesTab(roiScale: 1 | null): NewTab {
  const rules = RULES.map((rule, at) => ({ ...rule, row: FIRST_ROW + at }));
  const below = FIRST_ROW + RULES.length;
  const others = [...EXCHANGE, ...FOLLOWING].map((one, at) => ({ ...one, row: below + 1 + at }));
  const lastRow = below + others.length;
  const quiet = '#5f6368';
  return {
    title: RULES_TITLE,
    cells: [
      line(LABELS.profile, DEFAULT_PROFILE),
      line(
        'One column for each supplier. Change a number here, and every decision follows at once.',
      ),
      line(LABELS.header, 'In use', DEFAULT_PROFILE),
      ...rules.map(({ key, label }) => line(label, '', USUAL[key] ?? '')),
      line(LABELS.roiScale, roiScale ?? ''),
      ...others.map(({ label, text, note }) => line(label, text ?? '', note ?? '')),
    ],
    formulas: [
      ...rules.map((rule) => ({ at: `B${rule.row}`, formula: inUse(rule, rule.row) })),
      ...others.flatMap(({ row, formula }) => (formula ? [{ at: `B${row}`, formula }] : [])),
    ],
    names: [
      PROFILE_CELL,
      ...rules.map(({ key, row }) => ({ name: RULE_NAMES[key], at: `B${row}` })),
      { name: WORKED_OUT.roiScale, at: `B${below}` },
      ...others.map(({ name, row }) => ({ name, at: `B${row}` })),
    ],
    styles: [
      { at: `A${HEADER_ROW}:${LAST_LETTER}${HEADER_ROW}`, ...HEADER_STYLE },
      { at: 'A1:B1', isBold: true },
      { at: 'B1', background: '#fef0c3', choices: `C${HEADER_ROW}:${LAST_LETTER}${HEADER_ROW}` },
      { at: 'A2', color: quiet },
      { at: `B${FIRST_ROW}:B${lastRow}`, color: quiet },
      ...rules.map(({ kind, row }) => ({
        at: `B${row}:${LAST_LETTER}${row}`,
        format: FORMATS[kind],
      })),
      ...rules.flatMap(({ choices, row }) =>
        choices
          ? [{ at: `${FIRST_LETTER}${row}:${LAST_LETTER}${row}`, choices: [...choices] }]
          : [],
      ),
      ...others.flatMap(({ format, row }) => (format ? [{ at: `B${row}`, format }] : [])),
      { at: `B${below + 1}:B${below + EXCHANGE.length}`, background: '#fef0c3' },
      { at: `B${below + EXCHANGE.length}`, choices: CURRENCIES },
      { at: `C${below + 1}:C${below + EXCHANGE.length}`, color: quiet },
    ],
    widths: [260, 110, ...Array<number>(PROFILES_MAX).fill(110)],
    frozenRows: HEADER_ROW,
  };
}

export interface Profile {
  readonly name: string;
  readonly letter: string;
  /** null: not required, or no such cost. */
  readonly values: { readonly [Key in RuleKey]?: ListCell };
}

/** The tab as it is now. A row whose label and name are both gone can only be edited in the tab. */
export interface DealRulesTab {
  readonly sheetId: number;
  readonly name: string;
  readonly profile: string;
  readonly profiles: readonly Profile[];
  /** The values beside the labels, which formulas read: errors if no profile has that name. */
  readonly inUse: Profile['values'];
  /** The texts of the first column. */
  readonly labels: readonly string[];
  /** The row numbers of the rules that exist. */
  readonly rows: { readonly [Key in RuleKey]?: number };
  readonly labelRows: Readonly<Record<keyof typeof LABELS, number | null>>;
  /** As it is in the tab. */
  readonly roiScale: ListCell;
  /** Dollars for a pound; null: the cell shows an error or something that is no rate. */
  readonly rate: number | null;
  /** The currency of costs in a list with figures of both markets; null: the cell is empty. */
  readonly currency: Currency | null;
}

/** Finds cells by name, as formulas do, and by label if a name is missing, as in a copied tab. */
export function readRules({ sheetId, name, cells, rows: named }: ReadRules): DealRulesTab {
  const labels = cells.map((row) => String(row[0] ?? ''));
  const rowOf = (label: string, by = '') => {
    const at = labels.findIndex((one) => seenText(one) === label);
    return named[by] ?? (at < 0 ? null : at + 1);
  };
  const inRow = (row: number | null, at: number) => cells[(row ?? 0) - 1]?.[at] ?? null;
  const there = RULES.flatMap(({ key, label }) => {
    const row = rowOf(label, RULE_NAMES[key]);
    return row === null ? [] : [[key, row] as const];
  });
  const top = Math.min(...there.map(([, row]) => row));
  const labelRows = {
    profile: rowOf(LABELS.profile, NAMED.profile),
    header: rowOf(LABELS.header) ?? (there.length === 0 ? null : top - 1),
    roiScale: rowOf(LABELS.roiScale, NAMED.roiScale),
    rate: rowOf(LABELS.rate, NAMED.rate),
    currency: rowOf(LABELS.currency, NAMED.currency),
  };
  const rate = inRow(labelRows.rate, 1);
  const profiles = PROFILE_LETTERS.flatMap((letter, place): readonly Profile[] => {
    const at = FIRST_PROFILE - 1 + place;
    const title = String(inRow(labelRows.header, at) ?? '');
    const values = there.map(([key, row]) => [key, inRow(row, at)]);
    return title === '' ? [] : [{ name: title, letter, values: Object.fromEntries(values) }];
  });
  return {
    ...{ sheetId, name, labels, profiles, labelRows },
    inUse: Object.fromEntries(there.map(([key, row]) => [key, inRow(row, 1)])),
    rows: Object.fromEntries(there),
    profile: String(inRow(labelRows.profile, 1) ?? ''),
    roiScale: inRow(labelRows.roiScale, 1),
    rate: typeof rate === 'number' && rate > 0 ? rate : null,
    // Formulas compare texts in any case of letters.
    currency:
      CURRENCIES.find((one) => one === `${inRow(labelRows.currency, 1)}`.toUpperCase()) ?? null,
  };
}

/**
 * The profile of this name, as the tab's formulas find it: in any case of letters, the first one.
 */
export const profileNamed = ({ profiles }: DealRulesTab, wanted: string): Profile | undefined =>
  profiles.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());

/** Changes a cell beside a label, provided that the label is still there. */
function beside(
  { labels, labelRows }: DealRulesTab,
  label: keyof typeof LABELS,
  value: string | number,
): Omit<CellChanges, 'sheetId'> {
  const row = labelRows[label];
  if (row === null) return { seen: [], cells: [] };
  return {
    seen: [{ at: `A${row}`, value: labels[row - 1] ?? '' }],
    cells: [{ at: `B${row}`, value }],
  };
}

/**
 * The payload of `deals.set` for the targets and costs of one profile; null: no longer required.
 */
export function changedRules(
  rules: DealRulesTab,
  profileName: string,
  values: Profile['values'],
): CellChanges {
  const { letter, name = profileName } = profileNamed(rules, profileName) ?? {};
  const changes = RULES.flatMap(({ key }) => {
    const [row, value] = [rules.rows[key], values[key]];
    if (row === undefined || value === undefined || letter === undefined) return [];
    const label = rules.labels[row - 1] ?? '';
    return [{ label, row, at: `${letter}${row}`, value: value ?? '' }];
  });
  return {
    sheetId: rules.sheetId,
    seen: [
      { at: `${letter ?? 'A'}${rules.labelRows.header ?? 1}`, value: name },
      ...changes.map(({ label, row }) => ({ at: `A${row}`, value: label })),
    ],
    cells: changes.map(({ at, value }) => ({ at, value })),
  };
}

export const chosenProfile = (rules: DealRulesTab, name: string): CellChanges => ({
  sheetId: rules.sheetId,
  ...beside(rules, 'profile', name),
});

/**
 * Updates the unit of ROI if the service's unit has become known since the tab was made; null:
 * nothing to do.
 */
export function mendedRoiScale(rules: DealRulesTab, roiScale: 1 | null): CellChanges | null {
  if (roiScale === rules.roiScale) return null;
  return { sheetId: rules.sheetId, ...beside(rules, 'roiScale', roiScale ?? '') };
}

export const chosenCurrency = (rules: DealRulesTab, currency: Currency): CellChanges => ({
  sheetId: rules.sheetId,
  ...beside(rules, 'currency', currency),
});

/**
 * The factor that converts the buyer's costs to the market's currency; null: the tab does not say.
 * In a list of one market, costs are in that market's currency.
 */
export function costRate({ rate, currency }: DealRulesTab, market: Market): number | null {
  if (currency === null || currency === marketRow(market).currency) return currency && 1;
  return rate && (market === 'US' ? rate : 1 / rate);
}

/**
 * Adds a profile, for example for a supplier, with the values of another one; null: there is no
 * room.
 */
export function addedProfile(rules: DealRulesTab, name: string, like: string): CellChanges | null {
  const taken = rules.profiles.map(({ letter }) => letter);
  const letter = PROFILE_LETTERS.find((one) => !taken.includes(one));
  const from = profileNamed(rules, like)?.values ?? {};
  const headerRow = rules.labelRows.header;
  if (letter === undefined || headerRow === null) return null;
  const header = `${letter}${headerRow}`;
  const values = RULES.flatMap(({ key }) => {
    const row = rules.rows[key];
    return row === undefined ? [] : [{ at: `${letter}${row}`, value: from[key] ?? '' }];
  });
  return {
    sheetId: rules.sheetId,
    seen: [{ at: header, value: '' }],
    cells: [{ at: header, value: name }, ...values],
  };
}
