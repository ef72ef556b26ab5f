// The decision from an analysis's figures and the buyer's own costs, with its reasons. Pure.

import { DAY } from '../failures/duration';
import { type Costs, costBehind, costProblems, landedCost, VAT_NOT_SET } from './cost';
import { pennyDown, sellPrice } from './estimate';
import { type Analysis, NEEDS_APPROVAL } from './fields';
import { type Market, marketRow } from './market';
import { exact, leftOfSale, mostOfSale, profitOf, roiOf } from './offer-sum';
import { read, roundTo, times } from './term';

/** A target: its level and the figure that it limits. */
type TargetKey =
  | `${'min' | 'maybe'}${'Profit' | 'Roi' | 'Drops'}`
  | 'minMargin'
  | 'maxFees'
  | 'maybeFees';

/** The targets of a profile. ROI is a fraction; `eligibleOnly` is TRUE or FALSE. */
export type VerdictRule = TargetKey | 'eligibleOnly' | 'staleDays';

/** The value in the cell of a rule. A target that is no number does not apply. */
export type Rules = (key: VerdictRule) => unknown;

/** The figures of an analysis, or of a list's row, which may lack the time of its analysis. */
export type DealFigures = Pick<Analysis, 'figures' | 'roiUnit'> & {
  readonly fetchedAtMs: number | null;
  /** Where it is sold. */
  readonly market: Market;
};

/** From the best to the least. */
export const VERDICTS = ['Buy', 'Maybe', 'Skip', 'No verdict'] as const;

export type Verdict = (typeof VERDICTS)[number];

export interface Deal {
  readonly verdict: Verdict;
  /**
   * With no verdict: what is missing. Otherwise: what speaks against buying, in a fixed order, with
   * notes last.
   */
  readonly reasons: readonly string[];
  /** To be shown rounded to the penny; null if something is missing. */
  readonly profit: number | null;
  /** A fraction. */
  readonly roi: number | null;
  /** The profit as a share of the sell price. */
  readonly margin: number | null;
  /**
   * The highest price from the supplier that meets the targets of Buy, in the same terms as `cost`.
   */
  readonly maxBuy: number | null;
  /** The lowest sell price at which nothing is lost, if fees stay as they are; null: something is missing. */
  readonly breakEven: number | null;
}

export const PROBLEMS = { fees: 'No fees', sell: 'No sell price' };
export const ESTIMATED = 'Sell price estimated';

/** Hardly any offer returns more; a cost for a unit that was divided by a pack does. */
export const ROI_DOUBTFUL = 3;
export const DOUBTFUL = 'Check units and cost';

/** What is said beside reasons, and keeps no product from being a Buy. */
export const NOTES: readonly string[] = [DOUBTFUL, ESTIMATED];

/** A deal of which something is not known. */
export const UNDECIDED = { verdict: 'No verdict', profit: null, roi: null, margin: null } as const;

/** A decision with the highest price to pay. */
export function verdict(analysis: DealFigures, costs: Costs, rules: Rules, nowMs: number): Deal {
  return {
    ...decide(analysis, costs, rules, nowMs),
    maxBuy: maxBuyOf(analysis, costs, rules),
    breakEven: breakEvenOf(analysis, costs),
  };
}

/** @param nowMs null: the age of the figures does not count. */
export function decide(
  analysis: DealFigures,
  costs: Costs,
  rules: Rules,
  nowMs: number | null,
): Omit<Deal, 'maxBuy' | 'breakEven'> {
  const sale = sellPrice(analysis);
  const left = leftAfterSale(analysis, costs);
  const landed = landedCost(costs);
  if (sale === null || left === null || landed === null) {
    const reasons = missing(analysis, costs);
    return { ...UNDECIDED, verdict: isOpen(reasons) ? 'Maybe' : 'No verdict', reasons };
  }
  const sums = [read(left), read(landed)] as const;
  const profit = profitOf(...sums).value;
  const roi = roiOf(...sums).value;
  const margin = sale > 0 ? exactly((left - landed) / sale) : null;
  const gain = { profit, roi, margin };
  const reasons = missedBy(analysis, gain, rules, nowMs).map(({ reason }) => reason);
  const notes = [
    ...(roi > ROI_DOUBTFUL ? [DOUBTFUL] : []),
    ...(analysis.figures.sell_price === null ? [ESTIMATED] : []),
  ];
  const otherwise = isSkipped(analysis, gain, rules) ? 'Skip' : 'Maybe';
  const word = reasons.length === 0 ? 'Buy' : otherwise;
  return { verdict: word, reasons: [...reasons, ...notes], ...gain };
}

const exactly = (sum: number): number => exact(read(sum)).value;

/** Whether a word about VAT is all that is missing of the costs. */
const isOpen = ([first]: readonly string[]): boolean => first === VAT_NOT_SET;

/** Why there is no verdict: the costs first, then what the service did not give. */
function missing({ figures }: DealFigures, costs: Costs): readonly string[] {
  const wrong = costProblems(costs);
  if (wrong.length > 0) return wrong;
  return [figures.fees === null ? PROBLEMS.fees : PROBLEMS.sell];
}

/** The net sale minus fees: what remains to pay for the product, and to earn. */
function leftAfterSale(analysis: DealFigures, { vat }: Costs): number | null {
  const { fees } = analysis.figures;
  const sale = sellPrice(analysis);
  if (sale === null || fees === null) return null;
  const [net, charged] = [times(read(sale), read(vat.sale)), times(read(fees), read(vat.fees))];
  return leftOfSale(net, charged).value;
}

/**
 * The highest price that meets the targets of Buy: a penny more would miss one. 0 if no price meets them,
 * because a value that is compared with costs must be a number.
 *
 * @param minRoi in place of the rule.
 */
export function maxBuyOf(
  analysis: DealFigures,
  costs: Costs,
  rules: Rules,
  minRoi = target(rules('minRoi')),
): number | null {
  const left = leftAfterSale(analysis, costs);
  if (left === null) return null;
  const most = mostOfSale(read(left), {
    minRoi: read(minRoi),
    minProfit: read(target(rules('minProfit'))),
    leastByMargin: read(leastByMargin(analysis, rules)),
  });
  const cost = costBehind(costs, most.value);
  return cost === null ? null : pennyDown(cost);
}

/** Rounded up to the penny. */
function breakEvenOf({ figures: { fees } }: DealFigures, costs: Costs): number | null {
  const landed = landedCost(costs);
  if (landed === null || fees === null || !(costs.vat.sale > 0)) return null;
  return Math.ceil(exactly(((landed + fees * costs.vat.fees) / costs.vat.sale) * 100)) / 100;
}

/** A least value. A blank one is 0. ROI is compared to a hundredth of a percent. */
const target = (rule: unknown): number => (typeof rule === 'number' ? roundTo(rule, 4) : 0);

/** The profit that the least margin asks for; without one, that nothing is lost. */
const leastByMargin = (analysis: DealFigures, rules: Rules): number =>
  exactly(target(rules('minMargin')) * (sellPrice(analysis) ?? 0));

/** A limit of 0 is none, like a blank one. */
const isAbove = (value: number | null, most: unknown): boolean =>
  typeof most === 'number' && most > 0 && value !== null && value > most;

interface Gain {
  readonly profit: number;
  readonly roi: number;
  readonly margin: number | null;
}

/** A target that a product misses. */
export interface Missed {
  readonly by: 'eligible' | 'profit' | 'roi' | 'margin' | 'drops' | 'fees' | 'age';
  /** null: it is not known, or the words say it. */
  readonly value: number | null;
  /** As the list says it: "ROI under 30%". */
  readonly reason: string;
}

/** What speaks against buying, in a fixed order. */
export function missedBy(
  analysis: DealFigures,
  { profit, roi, margin }: Gain,
  rules: Rules,
  nowMs: number | null,
): readonly Missed[] {
  const { figures, fetchedAtMs, market } = analysis;
  const { eligible, rank_drops_30d: drops, fees } = figures;
  const leastMargin = target(rules('minMargin'));
  const days = rules('staleDays');
  const { sign } = marketRow(market);
  const ageMs = nowMs === null ? 0 : nowMs - (fetchedAtMs ?? 0);
  const unsure = eligible === null ? 'Eligibility unknown' : NEEDS_APPROVAL;
  const missed: readonly (readonly [Missed['by'], Missed['value'], boolean, string])[] = [
    [
      ...(['eligible', null] as const),
      rules('eligibleOnly') === true && eligible !== true,
      eligible === false ? 'Not eligible' : unsure,
    ],
    [
      'profit',
      profit,
      profit < target(rules('minProfit')),
      REASONS.profit(sign, rules('minProfit')),
    ],
    ['roi', roi, roi < target(rules('minRoi')), REASONS.roi(target(rules('minRoi')))],
    [
      ...(['margin', margin, leastMargin > 0 && profit < leastByMargin(analysis, rules)] as const),
      REASONS.margin(leastMargin),
    ],
    [
      ...(['drops', drops, (drops ?? 0) < target(rules('minDrops'))] as const),
      drops === null ? 'Rank drops unknown' : REASONS.drops(rules('minDrops')),
    ],
    ['fees', fees, isAbove(fees, rules('maxFees')), REASONS.fees(sign, rules('maxFees'))],
    ['age', null, typeof days === 'number' && ageMs > days * DAY, REASONS.age(days)],
  ];
  return missed.flatMap(([by, value, isMissed, reason]) =>
    isMissed ? [{ by, value, reason }] : [],
  );
}

/** The words of a reason with its target. */
const REASONS = {
  profit: (sign: string, least: unknown) => `Profit under ${sign}${least || 0}`,
  roi: (least: number) => `ROI under ${roundTo(least * 100, 2)}%`,
  margin: (least: number) => `Margin under ${roundTo(least * 100, 2)}%`,
  drops: (least: unknown) => `Rank drops under ${least}`,
  fees: (sign: string, most: unknown) => `Fees over ${sign}${most}`,
  age: (days: unknown) => `Figures older than ${days} ${days === 1 ? 'day' : 'days'}`,
};

/** Whether the targets of Maybe are missed. What is unknown misses none. */
function isSkipped({ figures }: DealFigures, { profit, roi }: Gain, rules: Rules): boolean {
  const { eligible, rank_drops_30d: drops, fees } = figures;
  return (
    profit < target(rules('maybeProfit')) ||
    roi < target(rules('maybeRoi')) ||
    (drops !== null && drops < target(rules('maybeDrops'))) ||
    isAbove(fees, rules('maybeFees')) ||
    (rules('eligibleOnly') === true && eligible === false)
  );
}
