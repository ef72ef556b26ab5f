// What people read about figures and about rules over them: one wording for sheet, page, digest and mail. Pure.

import { fieldKind, fieldTitle, isField } from './fields';

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
  return (isField(field) ? fieldTitle(field) : field).replace(' 30d', '');
}

/** ROI as a percentage; money without its currency, which is each market's own. */
function boundWords(field: string, bound: number): string {
  if (isField(field) && fieldKind(field) === 'ratio')
    return `${Number((bound * 100).toFixed(2))} %`;
  return Number.isInteger(bound) ? String(bound) : bound.toFixed(2);
}
