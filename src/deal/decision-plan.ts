// The columns of decisions: their titles, how they look, and their formulas in the notation of sheets. Pure.

import type { TextMark } from '../google/presentation';
import type { GroupMarket } from '../list/lookup-formulas';
import { COST_INPUT_KEYS } from '../product/cost';
import {
  BETTER_TITLE,
  DEAL_COLUMNS,
  DEAL_TITLES,
  type DealColumn,
  type NumberRole,
  numberRole,
} from '../product/deal-formulas';

/** The columns that we add for decisions: of a market, then those of the list. */
export type DecisionRole = DealColumn | 'better' | NumberRole;

export const DECISION_ROLES: readonly DecisionRole[] = [
  ...DEAL_COLUMNS,
  'better',
  ...COST_INPUT_KEYS.map(numberRole),
];

/** The market that a column is for; `both`: it is one for the whole list. */
export type DecisionMarket = GroupMarket | 'both';

interface DecisionLook {
  readonly kind: 'money' | 'ratio' | 'number' | 'text';
  /** In pixels. */
  readonly width: number;
  readonly isHidden?: true;
}

const LOOKS: Readonly<Record<DealColumn | 'better', DecisionLook>> = {
  landedCost: { kind: 'money', width: 100 },
  netSale: { kind: 'money', width: 90 },
  myProfit: { kind: 'money', width: 90 },
  myRoi: { kind: 'ratio', width: 80 },
  maxBuy: { kind: 'money', width: 90 },
  verdict: { kind: 'text', width: 90 },
  why: { kind: 'text', width: 280 },
  reasons: { kind: 'text', width: 100, isHidden: true },
  better: { kind: 'text', width: 110 },
};

const isNumberRole = (role: DecisionRole): role is NumberRole => role.endsWith('Number');

/** How a column of a decision looks. */
export function decisionLook(role: DecisionRole, market: DecisionMarket): DecisionLook {
  if (isNumberRole(role)) return { kind: 'number', width: 180, isHidden: true };
  // In the US, nothing is owed on a sale.
  if (role === 'netSale' && market === 'US') return { ...LOOKS.netSale, isHidden: true };
  return LOOKS[role];
}

export function decisionTitle(role: DecisionRole): string {
  if (isNumberRole(role)) return `${role.charAt(0).toUpperCase()}${role.slice(1, -6)} as number`;
  return role === 'better' ? BETTER_TITLE : DEAL_TITLES[role];
}

/**
 * A verdict differs by its word first, then by brightness and weight. Blue, sand, grey and white
 * remain distinct for people who cannot tell red from green.
 */
export const MARKS: readonly TextMark[] = [
  { text: 'Buy', background: '#c2dbff', color: '#0b3d91', isBold: true },
  { text: 'Maybe', background: '#fef0c3', color: '#5f4500', isBold: false },
  { text: 'Skip', background: '#e8eaed', color: '#5f6368', isBold: false },
  { text: 'No verdict', background: '#ffffff', color: '#80868b', isBold: false },
];

/**
 * A formula of `dealFormulas` in R1C1 notation, for the cells of this column.
 *
 * @param columnOf the column that a name stands for; undefined: it no longer exists.
 */
export const formulaIn = (
  column: number,
  formula: string,
  columnOf: (name: string) => number | undefined,
): string =>
  formula.replace(/\{([a-zA-Z][^}]*)\}/g, (_, name: string) => {
    const there = columnOf(name);
    if (there === undefined) return '#REF!';
    return there === column ? 'RC' : `RC[${there - column}]`;
  });
