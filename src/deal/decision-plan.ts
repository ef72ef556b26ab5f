// How the columns of decisions look. Pure.

import type { TextHighlight } from '../google/presentation';
import type { FormulaTag } from '../list/tagged-list';
import { AUTOMATIC, MONEY, moneyIn, PERCENT } from '../product/cell-formats';
import { type DealColumn, type DecisionRole, isNumberRole } from '../product/deal-formulas';
import { hasVat, isMarket } from '../product/market';

/** In pixels; 0: hidden. */
const WIDTHS: Readonly<Record<DealColumn | 'better', number>> = {
  verdict: 90,
  why: 280,
  myProfit: 90,
  myRoi: 80,
  maxBuy: 90,
  landedCost: 100,
  netSale: 90,
  costsRead: 0,
  mostLanded: 0,
  gainReasons: 0,
  reasons: 0,
  costTax: 0,
  saleTax: 0,
  better: 110,
};

export function styleOf(
  role: DecisionRole,
  market: FormulaTag['market'],
): { readonly width: number; readonly isHidden: boolean } {
  const shown = isNumberRole(role) ? 0 : WIDTHS[role];
  // Where there is no VAT, nothing is owed on a sale.
  const isWhole = role === 'netSale' && isMarket(market) && !hasVat(market);
  return { width: shown || 100, isHidden: shown === 0 || isWhole };
}

const AMOUNTS: readonly DecisionRole[] = ['landedCost', 'netSale', 'myProfit', 'maxBuy'];

/** The number format of a column. */
export function decisionFormat(
  role: DecisionRole,
  market: FormulaTag['market'],
  isOfBoth: boolean,
): string {
  if (role === 'myRoi') return PERCENT;
  if (!AMOUNTS.includes(role)) return AUTOMATIC;
  // For a list of both markets, the highest cost is in the currency of costs, which may change.
  const isOfMarket = market !== 'column' && market !== 'both' && !(role === 'maxBuy' && isOfBoth);
  return isOfMarket ? moneyIn(market) : MONEY;
}

/**
 * A verdict differs by its word first, then by brightness and weight. Blue, sand, grey and white
 * remain distinct for people who cannot tell red from green.
 */
export const HIGHLIGHTS: readonly TextHighlight[] = [
  { text: 'Buy', background: '#c2dbff', color: '#0b3d91', isBold: true },
  { text: 'Maybe', background: '#fef0c3', color: '#5f4500', isBold: false },
  { text: 'Skip', background: '#e8eaed', color: '#5f6368', isBold: false },
  { text: 'No verdict', background: '#ffffff', color: '#80868b', isBold: false },
];
