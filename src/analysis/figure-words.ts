// What people read about figures and about rules over them: one wording for sheet, page, digest and mail. Pure.

import type { Field } from './fields';

/** Titles of columns. */
export const FIELD_TITLES: Readonly<Record<Field, string>> = {
  profit: 'Profit',
  roi: 'ROI',
  fees: 'Fees',
  eligible: 'Eligible',
  rank_drops_30d: 'Rank drops 30d',
  buy_price: 'Buy price',
  sell_price: 'Sell price',
};

/** A rule of the engine, or one that a person is about to make. */
export type WordedRule =
  | { readonly kind: 'no-longer-eligible' }
  | { readonly kind: 'fell-under' | 'rose-over'; readonly field: string; readonly bound: number }
  | { readonly kind: 'doubled'; readonly field: string };

/** "No longer eligible", "ROI fell under 20 %", "Rank drops doubled"; no two rules share their words. */
export function ruleWords(rule: WordedRule): string {
  if (rule.kind === 'no-longer-eligible') return 'No longer eligible';
  const figure = figureWords(rule.field);
  if (rule.kind === 'doubled') return `${figure} doubled`;
  const verb = rule.kind === 'fell-under' ? 'fell under' : 'rose over';
  return `${figure} ${verb} ${boundWords(rule.field, rule.bound)}`;
}

function figureWords(field: string): string {
  const title = Object.entries(FIELD_TITLES).find(([name]) => name === field)?.[1] ?? field;
  return title.replace(' 30d', '');
}

/** ROI as a percentage; money without its currency, which is each market's own. */
function boundWords(field: string, bound: number): string {
  if (field === 'roi') return `${Number((bound * 100).toFixed(2))} %`;
  return Number.isInteger(bound) ? String(bound) : bound.toFixed(2);
}
