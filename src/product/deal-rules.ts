// The rules of a decision: the named cells that hold them, their default values, and how they are
// read. Pure.

import { isFailure } from '../failures/failure';
import { type CostCell, type Costs, RULE_COSTS, type RuleCost } from './cost';
import { pricesOf } from './estimate';
import { type DealFigures, decide, type RuleKey as TargetKey, type Verdict } from './verdict';

/** Names of the cells in the tab "Deal rules" begin with this. */
const DEAL_PREFIX = 'DEAL_';
export const RULE_CELLS = /^DEAL_/;

const RULE_KEYS = [
  ...(['minProfit', 'minRoi', 'minDrops', 'maxFees'] as const),
  ...(['maybeProfit', 'maybeRoi', 'maybeDrops', 'maybeFees'] as const),
  ...(['eligibleOnly', 'staleDays'] as const),
  // TRUE or FALSE.
  'vatReclaimed',
  // 100 if the service's ROI is a percentage, 1 if it is a fraction; blank: unknown.
  'roiScale',
  // A single cell with NOW(), which a sheet recalculates at every edit, instead of one in each row.
  'now',
] as const;

/** The rules that a profile sets. */
export type RuleKey = TargetKey | 'vatReclaimed' | RuleCost;

/**
 * `minProfit` becomes DEAL_MIN_PROFIT. People's sheets contain these names, so the keys must never
 * change.
 */
const nameOf = (key: string): string => DEAL_PREFIX + key.replace(/[A-Z]/g, '_$&').toUpperCase();

const namesOf = <Key extends string>(keys: readonly Key[]) =>
  Object.fromEntries(keys.map((key) => [key, nameOf(key)])) as Readonly<Record<Key, string>>;

export const RULE_NAMES = /* @__PURE__ */ namesOf(RULE_KEYS);

/** The named cells of costs that apply to a whole list, used if the list has no such column. */
export const COST_NAMES = /* @__PURE__ */ namesOf(RULE_COSTS);

/**
 * The named cells for lists with figures of two markets: the dollars for a pound, the currency of
 * costs, and one unit of it in each currency. An error in them does not affect the rules, so their
 * names begin differently; they still contain the prefix, so a formula that reads only them is
 * recognised as ours.
 */
export const FX_NAMES = /* @__PURE__ */ (() => ({
  rate: `FX_${DEAL_PREFIX}GBP_USD`,
  currency: `FX_${DEAL_PREFIX}COSTS`,
  USD: `FX_${DEAL_PREFIX}COST_USD`,
  GBP: `FX_${DEAL_PREFIX}COST_GBP`,
}))();

/**
 * The defaults of a new profile, and the rules of a spreadsheet without the tab; what is left out
 * is blank.
 */
export const USUAL: { readonly [Key in RuleKey]?: number | boolean } = {
  minProfit: 3,
  minRoi: 0.3,
  minDrops: 5,
  maybeProfit: 1.5,
  maybeRoi: 0.15,
  maybeDrops: 1,
  eligibleOnly: true,
  vatReclaimed: false,
  staleDays: 7,
};

/** Values of named cells by name; empty if the spreadsheet has no such tab. */
export type NamedCells = Readonly<Record<string, unknown>>;

export type RulesInUse = (key: RuleKey) => unknown;

/** Whether a cell shows an error, as "#N/A", "#DIV/0!" or "#NAME?". A profile may be called "#1 Ltd". */
export const isErrorCell = (cell: unknown): boolean => /^#[A-Z]+[/!?]/.test(cell as string);

/** null: a cell shows an error, for example because the selected profile does not exist. */
export function rulesOf(cells: NamedCells): RulesInUse | null {
  const shown = Object.values(cells);
  if (shown.length === 0) return (key) => USUAL[key];
  return shown.some(isErrorCell) ? null : (key) => cells[nameOf(key)];
}

const NOTHING_ELSE = {
  ...{ pack: null, multipack: null, discount: null, vat: null, prep: null, shipping: null },
  isVatReclaimed: false,
};

/**
 * The costs at the service's own buy price, or at the price derived from its other figures. That
 * price is for one unit, so pack size and discount, which belong to a supplier's price, are not
 * applied.
 */
function costsAt(analysis: DealFigures, rules: RulesInUse): Costs {
  const { buy_price: given } = analysis.figures;
  const prices = given === null ? pricesOf(analysis) : { buy: given };
  const cell = (key: RuleCost) => (rules(key) ?? null) as CostCell;
  return {
    ...NOTHING_ELSE,
    cost: isFailure(prices) ? null : prices.buy,
    vat: cell('vat'),
    prep: cell('prep'),
    shipping: cell('shipping'),
    isVatReclaimed: rules('vatReclaimed') === true,
  };
}

/** A decision as it is shown. */
export interface Decision {
  readonly verdict: Verdict;
  /** The reasons in one text; '' if nothing speaks against buying. */
  readonly why: string;
}

export function decisionOf(
  analysis: DealFigures,
  rules: RulesInUse | null,
  nowMs: number,
): Decision {
  if (rules === null) return { verdict: 'No verdict', why: 'Check the tab "Deal rules"' };
  const { verdict, reasons } = decide(analysis, costsAt(analysis, rules), rules, nowMs);
  return { verdict, why: reasons.join('; ') };
}
