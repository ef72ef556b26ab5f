// The decision from an analysis's figures and the buyer's own costs, with its reasons. Pure.

import { isFailure } from '../failures/failure';
import type { Analysis } from './analysis';
import { type Costs, costProblems, packCost, unitCost } from './cost';
import { pennyDown, pricesOf } from './estimate';

/** A target: its level and the figure that it limits. */
type TargetKey = `${'min' | 'maybe'}${'Profit' | 'Roi' | 'Drops'}` | 'maxFees' | 'maybeFees';

/** The targets of a profile. ROI is a fraction; `eligibleOnly` is TRUE or FALSE. */
export type RuleKey = TargetKey | 'eligibleOnly' | 'staleDays';

/** The value in the cell of a rule. A target that is no number does not apply. */
export type Rules = (key: RuleKey) => unknown;

/** The figures of an analysis, or of a list's row, which may lack the time of its analysis. */
export type DealFigures = Pick<Analysis, 'figures' | 'roiUnit'> & {
  readonly fetchedAtMs: number | null;
};

export type Verdict = 'Buy' | 'Maybe' | 'Skip' | 'No verdict';

export interface Deal {
  readonly verdict: Verdict;
  /**
   * With no verdict: what is missing. Otherwise: what speaks against buying, in a fixed order, with
   * notes last.
   */
  readonly reasons: readonly string[];
  /** Rounded to the penny; null if something is missing. */
  readonly profit: number | null;
  /** A fraction, rounded to a hundredth of a percent. */
  readonly roi: number | null;
  /**
   * The highest price from the supplier that meets the targets of Buy, in the same terms as `cost`.
   */
  readonly maxBuy: number | null;
}

export const PROBLEMS = { fees: 'No fees', sell: 'No sell price' };
export const ESTIMATED = 'Sell price estimated';

/** Hardly any offer returns more; a cost for a unit that was divided by a pack does. */
export const ROI_DOUBTFUL = 3;
export const DOUBTFUL = 'Check units and cost';

const DAY_MS = 86_400_000;

/** One target: which levels miss it, and the reason to show then. */
interface Miss {
  readonly buy: boolean;
  readonly maybe: boolean;
  readonly reason: string;
}

/** A decision with the highest price to pay. */
export function verdict(analysis: DealFigures, costs: Costs, rules: Rules, nowMs: number): Deal {
  return {
    ...decide(analysis, costs, rules, nowMs),
    maxBuy: maxBuyOf(analysis, costs, rules),
  };
}

/** @param nowMs null: the age of the figures does not count. */
export function decide(
  analysis: DealFigures,
  costs: Costs,
  rules: Rules,
  nowMs: number | null,
): Omit<Deal, 'maxBuy'> {
  const { fees } = analysis.figures;
  const sale = sellPrice(analysis);
  const unit = unitCost(costs);
  const problems = [
    ...costProblems(costs),
    ...(fees === null ? [PROBLEMS.fees] : []),
    ...(sale === null ? [PROBLEMS.sell] : []),
  ];
  if (problems.length > 0 || sale === null || fees === null || unit === null)
    return { verdict: 'No verdict', reasons: problems, profit: null, roi: null };
  const profit = roundTo(sale.price - fees - unit, 2);
  const roi = roundTo((sale.price - fees) / unit - 1, 4);
  const misses = missesOf(analysis, { profit, roi }, rules, nowMs);
  const notes = [...(roi > ROI_DOUBTFUL ? [DOUBTFUL] : []), ...(sale.isDerived ? [ESTIMATED] : [])];
  const reasons = [...misses.filter(({ buy }) => buy).map(({ reason }) => reason), ...notes];
  const isMissed = (level: 'buy' | 'maybe') => misses.some((miss) => miss[level]);
  const word = isMissed('maybe') ? 'Skip' : 'Maybe';
  return { verdict: isMissed('buy') ? word : 'Buy', reasons, profit, roi };
}

/**
 * The service's sell price, else the one derived from other figures; null if none can be derived.
 */
export function sellPrice(analysis: DealFigures): { price: number; isDerived: boolean } | null {
  const { sell_price: given } = analysis.figures;
  if (given !== null) return { price: given, isDerived: false };
  const prices = pricesOf(analysis);
  return isFailure(prices) ? null : { price: prices.sell, isDerived: true };
}

/** The cost of a unit that leaves this profit, to half a penny; null: unknown. */
export function unitBehind(analysis: DealFigures, profit: number): number | null {
  const { fees } = analysis.figures;
  const sale = sellPrice(analysis);
  return sale === null || fees === null ? null : sale.price - fees - profit;
}

/**
 * 0 if no price meets the targets, because a value that is compared with costs must be a number.
 */
function maxBuyOf(analysis: DealFigures, costs: Costs, rules: Rules): number | null {
  const { fees } = analysis.figures;
  const sale = sellPrice(analysis);
  if (sale === null || fees === null) return null;
  const left = sale.price - fees;
  const forRoi = left / (1 + (numberIn(rules('minRoi')) ?? 0));
  const unit = Math.min(forRoi, left - (numberIn(rules('minProfit')) ?? 0));
  const pack = packCost(costs, unit);
  return pack === null ? null : pennyDown(pack);
}

const numberIn = (cell: unknown): number | null => (typeof cell === 'number' ? cell : null);

/** Rounds like ROI, so that the highest price to pay also meets a target such as 33.333 %. */
const isLess = (one: unknown, other: unknown): boolean =>
  typeof one === 'number' && typeof other === 'number' && one < roundTo(other, 4);

function missesOf(
  { figures, fetchedAtMs }: DealFigures,
  { profit, roi }: { readonly profit: number; readonly roi: number },
  rules: Rules,
  nowMs: number | null,
): readonly Miss[] {
  const { eligible, rank_drops_30d: drops, fees } = figures;
  const under = (
    key: 'Profit' | 'Roi' | 'Drops',
    title: string,
    value: number | null,
    words: (value: unknown) => string,
  ): Miss => {
    const target = rules(`min${key}`);
    return {
      buy: isLess(value, target),
      maybe: isLess(value, rules(`maybe${key}`)),
      reason: `${title} ${words(value)} is under ${words(target)}`,
    };
  };
  const [minDrops, maxFees, staleDays] = [rules('minDrops'), rules('maxFees'), rules('staleDays')];
  const days = nowMs === null || fetchedAtMs === null ? null : (nowMs - fetchedAtMs) / DAY_MS;
  return [
    ...(rules('eligibleOnly') === true ? eligibilityMiss(eligible) : []),
    under('Profit', 'Profit', profit, money),
    under('Roi', 'ROI', roi, percent),
    drops === null
      ? onlyBuy(numberIn(minDrops) !== null, 'Rank drops unknown')
      : under('Drops', 'Rank drops', drops, String),
    {
      buy: isLess(maxFees, fees),
      maybe: isLess(rules('maybeFees'), fees),
      reason: `Fees ${money(fees)} are over ${money(maxFees)}`,
    },
    days === null
      ? onlyBuy(nowMs !== null && numberIn(staleDays) !== null, 'Age unknown')
      : onlyBuy(isLess(staleDays, days), `Figures are ${inDays(days)} old`),
  ];
}

/** An unknown figure rules out Buy but not Maybe. */
const onlyBuy = (isMissed: boolean, reason: string): Miss => ({
  buy: isMissed,
  maybe: false,
  reason,
});

function eligibilityMiss(eligible: DealFigures['figures']['eligible']): readonly Miss[] {
  if (eligible === true) return [];
  if (eligible === false) return [{ buy: true, maybe: true, reason: 'Not eligible' }];
  return [onlyBuy(true, eligible === null ? 'Eligibility unknown' : 'Needs approval')];
}

const money = (value: unknown) => String(roundTo(Number(value), 2));
const percent = (value: unknown) => `${roundTo(Number(value) * 100, 1)}%`;

const inDays = (days: number) => `${Math.floor(days)} day${Math.floor(days) === 1 ? '' : 's'}`;

/**
 * Rounds as ROUND does in a sheet: halves away from zero, and 1.005 counts as a half although no
 * double equals it.
 */
export function roundTo(value: number, places: number): number {
  const size = Number(Math.abs(value).toPrecision(15));
  return Math.sign(value) * shifted(Math.round(shifted(size, places)), -places) || 0;
}

/** Moves the decimal point to the right without the rounding error of a multiplication. */
function shifted(value: number, places: number): number {
  const [digits, exponent = '0'] = String(value).split('e');
  return Number(`${digits}e${Number(exponent) + places}`);
}
