// From figures and the buyer's own costs to a decision, with its reasons. Pure.

import { isFailure } from '../failures/failure';
import type { Analysis } from './analysis';
import { type Costs, costProblems, packCost, unitCost } from './cost';
import { pennyDown, pricesOf } from './estimate';

/** Targets of a level; null is not asked for. */
export interface Level {
  readonly minProfit: number | null;
  /** A fraction. */
  readonly minRoi: number | null;
  readonly minDrops: number | null;
  readonly maxFees: number | null;
}

export interface DealRules {
  readonly buy: Level;
  /** What misses a target of Buy and none of these is a Maybe. */
  readonly maybe: Level;
  readonly mustBeEligible: boolean;
  /** Older figures are no Buy. */
  readonly staleDays: number | null;
}

/** Also of a row of a list, which need not say when it was analysed. */
export type DealFigures = Pick<Analysis, 'figures' | 'roiUnit'> & {
  readonly fetchedAtMs: number | null;
};

export type Verdict = 'Buy' | 'Maybe' | 'Skip' | 'No verdict';

export interface Deal {
  readonly verdict: Verdict;
  /** Of no verdict: what is missing. Else what stands against buying, in a fixed order; notes last. */
  readonly reasons: readonly string[];
  /** To the penny; null where something is missing. */
  readonly profit: number | null;
  /** A fraction, to a hundredth of a per cent. */
  readonly roi: number | null;
  /** What the supplier may ask at most, for the targets of Buy; in the terms of `cost`. */
  readonly maxBuy: number | null;
}

export const PROBLEMS = { fees: 'No fees', sell: 'No sell price' };
export const ESTIMATED = 'Sell price estimated';

const DAY_MS = 86_400_000;

/** One target: how it is missed, by which levels, and what is said then. */
interface Miss {
  readonly buy: boolean;
  readonly maybe: boolean;
  readonly reason: string;
}

export function verdict(
  analysis: DealFigures,
  costs: Costs,
  rules: DealRules,
  nowMs: number,
): Deal {
  const { fees } = analysis.figures;
  const sale = sellPrice(analysis);
  const unit = unitCost(costs);
  const problems = [
    ...costProblems(costs),
    ...(fees === null ? [PROBLEMS.fees] : []),
    ...(sale === null ? [PROBLEMS.sell] : []),
  ];
  const maxBuy = maxBuyOf(costs, rules.buy, sale && fees !== null ? sale.price - fees : null);
  if (problems.length > 0 || sale === null || fees === null || unit === null)
    return { verdict: 'No verdict', reasons: problems, profit: null, roi: null, maxBuy };
  const profit = roundTo(sale.price - fees - unit, 2);
  const roi = roundTo((sale.price - fees) / unit - 1, 4);
  const misses = missesOf(analysis, { profit, roi }, rules, nowMs);
  const notes = sale.isDerived ? [ESTIMATED] : [];
  const reasons = [...misses.filter(({ buy }) => buy).map(({ reason }) => reason), ...notes];
  return { verdict: decided(misses), reasons, profit, roi, maxBuy };
}

function decided(misses: readonly Miss[]): Verdict {
  if (misses.every(({ buy }) => !buy)) return 'Buy';
  return misses.every(({ maybe }) => !maybe) ? 'Maybe' : 'Skip';
}

/** The service's, else what follows from its other figures; null where nothing does. */
function sellPrice(analysis: DealFigures): { price: number; isDerived: boolean } | null {
  const { sell_price: given } = analysis.figures;
  if (given !== null) return { price: given, isDerived: false };
  const prices = pricesOf(analysis);
  return isFailure(prices) ? null : { price: prices.sell, isDerived: true };
}

/** 0 where no price makes the targets: what is compared with costs must stay a number. */
function maxBuyOf(costs: Costs, level: Level, left: number | null): number | null {
  if (left === null) return null;
  const unit = Math.min(left / (1 + (level.minRoi ?? 0)), left - (level.minProfit ?? 0));
  const pack = packCost(costs, unit);
  return pack === null ? null : pennyDown(pack);
}

function missesOf(
  { figures, fetchedAtMs }: DealFigures,
  { profit, roi }: { readonly profit: number; readonly roi: number },
  { buy, maybe, mustBeEligible, staleDays }: DealRules,
  nowMs: number,
): readonly Miss[] {
  const { eligible, rank_drops_30d: drops, fees } = figures;
  const days = fetchedAtMs === null ? null : (nowMs - fetchedAtMs) / DAY_MS;
  return [
    ...(mustBeEligible ? eligibilityMiss(eligible) : []),
    under(profit, buy.minProfit, maybe.minProfit, 'Profit', money),
    under(roi, buy.minRoi, maybe.minRoi, 'ROI', percent),
    drops === null
      ? onlyBuy(buy.minDrops !== null, 'Rank drops unknown')
      : under(drops, buy.minDrops, maybe.minDrops, 'Rank drops', String),
    {
      buy: fees !== null && buy.maxFees !== null && fees > buy.maxFees,
      maybe: fees !== null && maybe.maxFees !== null && fees > maybe.maxFees,
      reason: `Fees ${money(fees ?? 0)} are over ${money(buy.maxFees ?? 0)}`,
    },
    days === null
      ? onlyBuy(staleDays !== null, 'Age unknown')
      : onlyBuy(staleDays !== null && days > staleDays, `Figures are ${inDays(days)} old`),
  ];
}

/** What is unknown is no Buy, and may still be a Maybe. */
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

function under(
  value: number,
  buy: number | null,
  maybe: number | null,
  title: string,
  words: (value: number) => string,
): Miss {
  return {
    buy: buy !== null && value < buy,
    maybe: maybe !== null && value < maybe,
    reason: `${title} ${words(value)} is under ${words(buy ?? 0)}`,
  };
}

const money = (value: number) => String(roundTo(value, 2));
const percent = (value: number) => `${roundTo(value * 100, 1)}%`;

const inDays = (days: number) => `${Math.floor(days)} day${Math.floor(days) === 1 ? '' : 's'}`;

/** As ROUND of a sheet: halves away from zero, and 1.005 is a half although no double is. */
export function roundTo(value: number, places: number): number {
  const size = Number(Math.abs(value).toPrecision(15));
  return Math.sign(value) * shifted(Math.round(shifted(size, places)), -places) || 0;
}

/** The decimal point so many places to the right, without what a multiplication would add. */
function shifted(value: number, places: number): number {
  const [digits, exponent = '0'] = String(value).split('e');
  return Number(`${digits}e${Number(exponent) + places}`);
}
