// What a decision asks for: the named cells that hold it, what they hold at first, how they are read. Pure.

import { isFailure } from '../failures/failure';
import { type CostCell, type Costs, OPTIONAL_COSTS, type OptionalCost } from './cost';
import { pricesOf } from './estimate';
import {
  type DealFigures,
  decide,
  type RuleKey as TargetKey,
  unitBehind,
  type Verdict,
} from './verdict';

/** The named cells of the tab "Deal rules" begin so. */
const DEAL_PREFIX = 'DEAL_';
export const RULE_CELLS = /^DEAL_/;

const RULE_KEYS = [
  ...(['minProfit', 'minRoi', 'minDrops', 'maxFees'] as const),
  ...(['maybeProfit', 'maybeRoi', 'maybeDrops', 'maybeFees'] as const),
  ...(['eligibleOnly', 'staleDays'] as const),
  // TRUE or FALSE.
  'vatReclaimed',
  // 100 where the service's ROI is a percentage, 1 where it is a fraction; blank: unknown.
  'roiScale',
  // One cell with NOW(): a sheet works out what changes by itself at every edit, once.
  'now',
] as const;

/** What a profile says. */
export type RuleKey = TargetKey | 'vatReclaimed' | OptionalCost;

/** `minProfit` is DEAL_MIN_PROFIT: people's sheets have these names, so the keys are to last. */
const nameOf = (key: string): string => DEAL_PREFIX + key.replace(/[A-Z]/g, '_$&').toUpperCase();

const namesOf = <Key extends string>(keys: readonly Key[]) =>
  Object.fromEntries(keys.map((key) => [key, nameOf(key)])) as Readonly<Record<Key, string>>;

export const RULE_NAMES = /* @__PURE__ */ namesOf(RULE_KEYS);

/** Of costs that are the same for a whole list: read where it has no such column. */
export const COST_NAMES = /* @__PURE__ */ namesOf(OPTIONAL_COSTS);

/**
 * Of lists with figures of two markets: what a pound is in dollars, the currency of costs, and what one
 * unit of it is in each currency. No rule is read from them where they say an error, so they do not
 * begin as rules do; with the prefix in their names a formula that reads them alone is known as ours.
 */
export const FX_NAMES = /* @__PURE__ */ (() => ({
  rate: `FX_${DEAL_PREFIX}GBP_USD`,
  currency: `FX_${DEAL_PREFIX}COSTS`,
  USD: `FX_${DEAL_PREFIX}COST_USD`,
  GBP: `FX_${DEAL_PREFIX}COST_GBP`,
}))();

/** Of a new profile, and of a spreadsheet without the tab; what is left out is blank. */
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

/** Cells by their names; none: the spreadsheet has no such tab. */
export type NamedCells = Readonly<Record<string, unknown>>;

export type RulesInUse = (key: RuleKey) => unknown;

/** null: a cell shows an error, as where no profile is called what is in use. */
export function rulesOf(cells: NamedCells): RulesInUse | null {
  const shown = Object.values(cells);
  if (shown.length === 0) return (key) => USUAL[key];
  return shown.some((cell) => String(cell).startsWith('#')) ? null : (key) => cells[nameOf(key)];
}

const NOTHING_ELSE = {
  ...{ pack: null, discount: null, vat: null, prep: null, shipping: null },
  isVatReclaimed: false,
};

/**
 * At the service's own buy price, else what follows from its other figures. That price is of one unit:
 * pack size and discount are of a supplier's prices, and would make it cheaper than it is.
 */
function costsAt(analysis: DealFigures, rules: RulesInUse): Costs {
  const { buy_price: given } = analysis.figures;
  const prices = given === null ? pricesOf(analysis) : { buy: given };
  const cell = (key: OptionalCost) => (rules(key) ?? null) as CostCell;
  return {
    ...NOTHING_ELSE,
    cost: isFailure(prices) ? null : prices.buy,
    vat: cell('vat'),
    prep: cell('prep'),
    shipping: cell('shipping'),
    isVatReclaimed: rules('vatReclaimed') === true,
  };
}

/** As it is shown. */
export interface Decision {
  readonly verdict: Verdict;
  /** Reasons in one text; '' where nothing stands against buying. */
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

/**
 * "profit $9.85, ROI 86%, was Skip: Not eligible" of a product that is a Buy only now; undefined: it was
 * one before, or is none. How old figures are decides nothing here, as age alone is no news.
 *
 * @param profits what each offer of it left by the figures before; null: as the service's price has it.
 */
export function becameBuy(
  before: DealFigures,
  now: DealFigures,
  profits: readonly number[] | null,
  rules: RulesInUse,
  /** Of the market's currency. */
  sign: string,
): string | undefined {
  const units = profits?.map((profit) => unitBehind(before, profit)) ?? [undefined];
  const decided = (figures: DealFigures) =>
    units.map((cost) =>
      decide(
        figures,
        cost === undefined ? costsAt(figures, rules) : { ...NOTHING_ELSE, cost },
        rules,
        null,
      ),
    );
  const isBuy = ({ verdict }: Pick<Decision, 'verdict'>) => verdict === 'Buy';
  const [was, is] = [decided(before), decided(now)];
  const at = is.findIndex(isBuy);
  const [old, deal] = [was[at], is[at]];
  if (old === undefined || deal === undefined || was.some(isBuy)) return undefined;
  const roi = Math.round((deal.roi ?? 0) * 100);
  return `profit ${sign}${(deal.profit ?? 0).toFixed(2)}, ROI ${roi}%, was ${old.verdict}: ${old.reasons.join('; ')}`;
}
