// The rules in the tab "Deal rules": reads them, and changes them for the page. Each is found by the
// name of its cell, wherever rows were inserted and whatever its label says.

import * as z from 'zod/mini';
import { type Failure, isFailure, runProblem } from '../failures/failure';
import { areaOf, cellSchema, cellTextSchema, type SheetCell, stretches } from '../google/cells';
import type { Cache } from '../google/platform';
import type { Sheet } from '../google/sheet';
import { namedCells, sheetById } from '../google/spreadsheet';
import {
  COSTS_CURRENCY,
  PROFILE_NAMES,
  RULE_KEYS,
  RULE_NAMES,
  type RulesInUse,
  type RuleValues,
  rateName,
  rulesOf,
} from '../product/deal-rules';
import {
  CURRENCIES,
  type Currency,
  MARKETS,
  type Market,
  OTHER_CURRENCIES,
  type OtherCurrency,
} from '../product/market';
import { type Fits, lazySchema, storedAs } from '../schema/stored-record';
import { addTab } from '../sheet/own-tab';
import { refusalOf } from '../sheet/refusal';
import {
  countedAs,
  IN_USE_LETTER,
  namesFor,
  newRulesTab,
  PROFILE_LETTERS,
  RULES,
  SAID_LETTER,
} from './rules-tab';

export interface Profile {
  readonly name: string;
  /** null: not required, or no such cost. */
  readonly values: RuleValues;
}

/** The rules as they are in the tab. */
export interface DealRules {
  /** The name of the profile in use. It may be gone. */
  readonly profile: string;
  readonly profiles: readonly Profile[];
  /** The values that formulas read: errors if no profile has that name. */
  readonly inUse: RuleValues;
  /** What one of each currency is in dollars; left out: the cell shows an error or something that is no rate. */
  readonly rates: { readonly [One in OtherCurrency]?: number };
  /** The currency of costs in a list with figures of both markets; null: the cell is empty. */
  readonly currency: Currency | null;
}

/** The names of rules, exchange rates and profiles. */
const NAMED = /^(BUY|MAYBE|DEAL|FX)_/;

interface RulesTab {
  readonly sheet: Sheet;
  /** The row of a named cell; undefined: it was deleted. */
  row(name: string): number | undefined;
  /** In the row of a named cell. The first one reads the tab. */
  cell(name: string, letter: string): SheetCell;
}

/** null: there is none. */
function findTab(): RulesTab | null {
  const named = namedCells(NAMED);
  const [held] = [PROFILE_NAMES.inUse, ...Object.values(RULE_NAMES)].flatMap(
    (name) => named[name] ?? [],
  );
  const sheet = held === undefined ? null : sheetById(held.sheetId);
  if (sheet === null) return null;
  // Making it was cut off, see `makeTab`: it is finished by making it again.
  if (named[PROFILE_NAMES.inUse] === undefined && sheet.frozenRows() === 0) return null;
  let cells: ReturnType<Sheet['values']> | undefined;
  const read = () =>
    sheet.values(areaOf(1, 1, Math.max(1, sheet.lastRow() ?? 1), PROFILE_LETTERS.length + 2));
  return {
    sheet,
    row: (name) => named[name]?.row,
    cell(name, letter) {
      cells ??= read() ?? [];
      return cells[(named[name]?.row ?? 0) - 1]?.[letter.charCodeAt(0) - 65] ?? '';
    },
  };
}

function valuesIn({ cell }: RulesTab, letter: string): RuleValues {
  const held = (name: string) => {
    const value = cell(name, letter);
    return value === '' || typeof value === 'object' ? null : value;
  };
  return Object.fromEntries(RULE_KEYS.map((key) => [key, held(RULE_NAMES[key])]));
}

/** The values of a supplier, as they count. */
function saidIn(tab: RulesTab, letter: string): RuleValues {
  const values = valuesIn(tab, letter);
  const counted = RULE_KEYS.map((key) => {
    const value = values[key];
    return [key, typeof value === 'number' ? countedAs(key, value) : value];
  });
  return Object.fromEntries(counted);
}

/** The values that formulas read. The row of a rule that was deleted is an error there. */
function inUseIn(tab: RulesTab): RuleValues {
  const gone = RULE_KEYS.filter((key) => tab.row(RULE_NAMES[key]) === undefined);
  const errors = Object.fromEntries(gone.map((key) => [key, '#REF!']));
  return { ...valuesIn(tab, IN_USE_LETTER), ...errors };
}

/** null: there is no tab, and the usual rules count. */
export function readRules(tab = findTab()): DealRules | null {
  if (tab === null) return null;
  const { cell } = tab;
  // Formulas compare texts in any case of letters.
  const currency = String(cell(COSTS_CURRENCY, SAID_LETTER)).toUpperCase();
  return {
    profile: String(cell(PROFILE_NAMES.inUse, SAID_LETTER)),
    profiles: PROFILE_LETTERS.flatMap((letter): readonly Profile[] => {
      const name = String(cell(PROFILE_NAMES.titles, letter));
      return name === '' ? [] : [{ name, values: saidIn(tab, letter) }];
    }),
    inUse: inUseIn(tab),
    rates: Object.fromEntries(
      OTHER_CURRENCIES.map((money) => [money, cell(rateName(money), SAID_LETTER)] as const).filter(
        ([, rate]) => typeof rate === 'number' && rate > 0,
      ),
    ),
    currency: CURRENCIES.find((money) => money === currency) ?? null,
  };
}

function makeRulesTab(): Failure | null {
  const made = addTab(newRulesTab());
  return isFailure(made) ? made : null;
}

/** The tab, which is made where it is missing. */
const openTab = (): RulesTab | Failure =>
  findTab() ?? makeRulesTab() ?? findTab() ?? runProblem('sheet-gone');

/** Makes sure that there are rules. */
export const ensureRules = (): Failure | null => (findTab() === null ? makeRulesTab() : null);

/** Brings the rows into view that decisions on these markets depend on. */
export function showRulesFor(markets: readonly Market[]): void {
  const tab = findTab();
  if (tab !== null) showNamed(tab, namesFor(markets));
}

/** An extra, so a refusal is no failure. */
function showNamed({ sheet, row }: RulesTab, names: readonly string[]): void {
  const rows = names.flatMap((name) => row(name) ?? []).sort((a, b) => a - b);
  for (const [first, ...rest] of stretches(rows, (at) => at))
    sheet.showRows(first, 1 + rest.length);
}

export const rulesChangeSchema = lazySchema(() =>
  z.strictObject({
    /** The profile to use from now on. If there is none of this name, it is added as a copy of the one in use. */
    profile: z.exactOptional(cellTextSchema().check(z.minLength(1))),
    /** For that profile, else for the one in use; null: no longer required. */
    values: z.exactOptional(z.partialRecord(z.literal(RULE_KEYS), z.nullable(cellSchema()))),
    currency: z.exactOptional(z.literal(CURRENCIES)),
  }),
);

type RulesChange = Fits<typeof rulesChangeSchema>;

/** The column of the profile of this name, as the tab's formulas find it: in any case of letters, the first one. */
const letterOf = ({ cell }: RulesTab, name: string): string | undefined =>
  PROFILE_LETTERS.find(
    (letter) => String(cell(PROFILE_NAMES.titles, letter)).toLowerCase() === name.toLowerCase(),
  );

/** @returns `full`: nothing was changed, because there is no room for another profile. */
export function changeRules({ profile, values, currency }: RulesChange): 'full' | null | Failure {
  const tab = openTab();
  if (isFailure(tab)) return tab;
  const cells: { at: string; value: SheetCell }[] = [];
  const set = (name: string, letter: string | undefined, value: SheetCell) => {
    const row = tab.row(name);
    if (row !== undefined && letter !== undefined) cells.push({ at: `${letter}${row}`, value });
  };
  const before = letterOf(tab, String(tab.cell(PROFILE_NAMES.inUse, SAID_LETTER)));
  const profileLetter = profile === undefined ? before : letterOf(tab, profile);
  const letter = profileLetter ?? (profile === undefined ? undefined : letterOf(tab, ''));
  if (profile !== undefined) {
    if (letter === undefined) return 'full';
    const isNew = profileLetter === undefined;
    if (isNew && before !== undefined)
      for (const name of Object.values(RULE_NAMES)) set(name, letter, tab.cell(name, before));
    const title = isNew ? profile : tab.cell(PROFILE_NAMES.titles, letter);
    set(PROFILE_NAMES.titles, letter, title);
    set(PROFILE_NAMES.inUse, SAID_LETTER, title);
  }
  for (const key of RULE_KEYS)
    if (values?.[key] !== undefined) set(RULE_NAMES[key], letter, values[key] ?? '');
  if (currency !== undefined) set(COSTS_CURRENCY, SAID_LETTER, currency);
  const touched = RULES.flatMap(({ key, market }) =>
    market !== undefined && values?.[key] !== undefined ? [market] : [],
  );
  showNamed(tab, namesFor(currency === undefined ? [...new Set(touched)] : MARKETS));
  const outcome = tab.sheet.writeAt(cells);
  const rejected = tab.sheet.rejected();
  return rejected === null ? refusalOf(outcome) : runProblem('rejected', rejected);
}

const CACHE_NAME = 'deal-rules';

const inUseSchema = lazySchema(() =>
  z.record(z.string(), z.nullable(z.union([z.string(), z.number(), z.boolean()]))),
);

/** Hundreds of formulas share one reading of the tab through the cache. */
const KEPT_SECONDS = 60;

/**
 * The rules for a cell; null: the tab "Deal rules" needs attention. Costs one cache call, and once a
 * minute the reading of the tab.
 */
export function rulesInUse(cache: Cache): RulesInUse | null {
  const cached = storedAs(cache.getAll([CACHE_NAME])[CACHE_NAME], inUseSchema());
  if (cached !== null) return rulesOf(cached);
  const inUse = readRules()?.inUse ?? {};
  cache.putAll({ [CACHE_NAME]: JSON.stringify(inUse) }, KEPT_SECONDS);
  return rulesOf(inUse);
}
