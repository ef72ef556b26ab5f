// The tab "Deal rules": targets and costs by profile, the profile in use, and the names that
// formulas read. Pure.

import type { NewTab } from '../platform/new-tab';
import { MONEY, PERCENT } from '../product/cell-formats';
import { seenText } from '../product/cell-text';
import { COST_NAMES, FX_NAMES, RULE_NAMES, type RuleKey, USUAL } from '../product/deal-rules';
import { type Currency, MARKETS, type Market, marketRow } from '../product/market';
import type { ListCell, ReadRules } from './list';
import type { CellChanges } from './tabs';

interface RuleRow {
  readonly key: RuleKey;
  /** The label that we write in the first column. People may have others. */
  readonly label: string;
  readonly kind: 'money' | 'ratio' | 'count' | 'flag';
  /**
   * The default in a new profile; '' means that it is not required, or that there is no such cost.
   */
  readonly usual: number | boolean | '';
}

/** In the order of the tab. */
const ROWS: readonly Omit<RuleRow, 'usual'>[] = [
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
  { key: 'pack', label: 'Units in a pack', kind: 'count' },
  { key: 'discount', label: 'Supplier discount', kind: 'ratio' },
  { key: 'vat', label: 'VAT on cost', kind: 'ratio' },
  { key: 'vatReclaimed', label: 'VAT is reclaimed', kind: 'flag' },
  { key: 'prep', label: 'Prep per unit', kind: 'money' },
  { key: 'shipping', label: 'Shipping per unit', kind: 'money' },
];

export const RULES: readonly RuleRow[] = ROWS.map((row) => ({
  ...row,
  usual: USUAL[row.key] ?? '',
}));

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

const NAME_OF = { ...RULE_NAMES, ...COST_NAMES };

/** The names of the cells beside labels, by which formulas read them. */
const NAMED = {
  profile: PROFILE_CELL.name,
  roiScale: RULE_NAMES.roiScale,
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

/** Four rows, starting at this one, for lists with figures of both markets. */
function exchange(row: number) {
  const lines = [
    ...[
      [LABELS.rate, FX_NAMES.rate, '=GOOGLEFINANCE("CURRENCY:GBPUSD")'] as const,
      [LABELS.currency, FX_NAMES.currency, ''] as const,
    ],
    ...CURRENCIES.map((one) => [`1 of my costs in ${one}`, FX_NAMES[one], costIn(one)] as const),
  ].map(([label, name, formula], at) => ({ label, name, formula, row: row + at }));
  return { lines, currencyAt: `B${row + 1}` };
}

/** The notes beside the rate and the currency. */
const RATE_NOTE = 'Google’s rate. Type a number over it, above all where it shows #N/A.';
const CURRENCY_NOTE = 'For lists with US and UK figures: USD or GBP.';

const FORMATS: Readonly<Record<RuleRow['kind'], string>> = {
  money: MONEY,
  ratio: PERCENT,
  count: '0',
  flag: '0',
};

/**
 * The formula for the value of the profile in use. A blank stays blank; a plain reference would
 * give 0.
 */
function inUse(row: number): string {
  const profiles = `$${FIRST_LETTER}$${HEADER_ROW}:$${LAST_LETTER}$${HEADER_ROW}`;
  const values = `$${FIRST_LETTER}${row}:$${LAST_LETTER}${row}`;
  const value = `INDEX(${values};1;MATCH(${PROFILE_CELL.name};${profiles};0))`;
  return `=IF(${value}="";"";${value})`;
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
  const below = FIRST_ROW + RULES.length;
  const rows = RULES.map((rule, at) => ({ ...rule, row: FIRST_ROW + at }));
  const { lines, currencyAt } = exchange(below + 2);
  const notes = [RATE_NOTE, CURRENCY_NOTE];
  return {
    title: RULES_TITLE,
    cells: [
      line(LABELS.profile, DEFAULT_PROFILE),
      line(
        'One column for each supplier. Change a number here, and every decision follows at once.',
      ),
      line(LABELS.header, 'In use', DEFAULT_PROFILE),
      ...rows.map(({ label, usual }) => line(label, '', usual)),
      line(LABELS.roiScale, roiScale ?? ''),
      line('Now'),
      ...lines.map(({ label }, at) => line(label, '', notes[at] ?? '')),
    ],
    formulas: [
      ...rows.map(({ row }) => ({ at: `B${row}`, formula: inUse(row) })),
      { at: `B${below + 1}`, formula: '=NOW()' },
      ...lines.flatMap(({ row, formula }) => (formula === '' ? [] : [{ at: `B${row}`, formula }])),
    ],
    names: [
      PROFILE_CELL,
      ...rows.map(({ key, row }) => ({ name: NAME_OF[key], at: `B${row}` })),
      { name: RULE_NAMES.roiScale, at: `B${below}` },
      { name: RULE_NAMES.now, at: `B${below + 1}` },
      ...lines.map(({ name, row }) => ({ name, at: `B${row}` })),
    ],
    styles: [
      { at: `A${HEADER_ROW}:${LAST_LETTER}${HEADER_ROW}`, ...HEADER_STYLE },
      { at: 'A1:B1', isBold: true },
      { at: 'B1', background: '#fef0c3', choices: `C${HEADER_ROW}:${LAST_LETTER}${HEADER_ROW}` },
      { at: 'A2', color: '#5f6368' },
      { at: `B${FIRST_ROW}:B${below + 1}`, color: '#5f6368' },
      ...rows.map(({ kind, row }) => ({
        at: `B${row}:${LAST_LETTER}${row}`,
        format: FORMATS[kind],
      })),
      { at: `B${below + 1}`, format: 'yyyy-mm-dd hh:mm' },
      { at: `B${below + 2}:B${below + 3}`, background: '#fef0c3' },
      { at: currencyAt, choices: CURRENCIES },
      { at: `C${below + 2}:C${below + 3}`, color: '#5f6368' },
      { at: `B${below + 4}:B${below + 5}`, color: '#5f6368' },
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
    const row = rowOf(label, NAME_OF[key]);
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
