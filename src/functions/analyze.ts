// =ANALYZE: the analysis of one product or of a range of products.

import { rulesInUse } from '../deal/rules';
import { cellText } from '../failures/failure-words';
import { googlePlatform } from '../google/platform';
import {
  asMeant,
  type Cell,
  fieldNamesOf,
  fieldValue,
  firstCell,
  isRange,
  readQuestions,
  readRefresh,
  unknownField,
} from '../product/arguments';
import { decisionOf, type RulesInUse } from '../product/deal-rules';
import { decisionOfName } from '../product/fields';
import {
  answerAll,
  type CellAnswer,
  needProduct,
  orThrow,
  refusalsAsFailures,
  throwFailure,
} from './answer-cells';

/**
 * Answers whether to buy a product: profit, ROI, fees, eligibility and rank drops.
 *
 * @param {A2:A100} asin The product: an ASIN, an ISBN or an Amazon link. A range gives one row each.
 * @param {"US"} market Optional: where it is sold, such as "US", or a cell for each product. Left out: the link's market, else the default.
 * @param {"profit, roi"} fields Optional: names of figures, a range of headers, or "all". Left out: profit, roi, fees, eligible, rank_drops_30d. "verdict, why" decides at the service's buy price, by the tab Deal rules. age (in whole days) and as_of (a date) say when the figures were fetched.
 * @param {H1} refresh Optional: a cell. When it changes, the service is asked again. A date or time means "not older than this". Not NOW(), TODAY() or RAND(): type a date, or use a schedule.
 * @return The product's figures, or one row for each product.
 * @customfunction
 */
export function ANALYZE(asin: unknown, market?: unknown, fields?: unknown, refresh?: unknown) {
  needProduct(asin, 'Name its cell, as in =ANALYZE(A2)');
  const meant = orThrow(asMeant({ asin, market, fields }));
  const names = orThrow(fieldNamesOf(meant.fields));
  const questions = orThrow(readQuestions(meant.asin, meant.market));
  const platform = googlePlatform();
  const startMs = platform.clock.nowMs();
  // The rules are read before any call, so that nothing was paid for if Google refuses to give
  // them.
  const rules = names.some(decisionOfName)
    ? refusalsAsFailures(() => rulesInUse(platform.cache))
    : null;
  const answers = answerAll(platform, questions, readRefresh(firstCell(refresh), startMs), startMs);
  const view: AnswerView = { names, nowMs: platform.clock.nowMs(), rules };
  refuseSlips(view, answers);
  return isRange(meant.asin)
    ? answers.map((answer) => row(answer, view))
    : single(answers[0], view);
}

/** What the formula shows of each answer, and the current time. */
interface AnswerView {
  readonly names: readonly string[];
  readonly nowMs: number;
  /** The rules for decisions; null also if no decision is asked for. */
  readonly rules: RulesInUse | null;
}

/** undefined: this analysis has no such field. */
function shownValue(
  { analysis, market }: CellAnswer & { readonly ok: true },
  name: string,
  { nowMs, rules }: AnswerView,
) {
  const decision = decisionOfName(name);
  if (decision !== undefined) return decisionOf(analysis, rules, nowMs, market)[decision];
  return fieldValue(analysis, name, nowMs);
}

/**
 * Fails for a misspelled field. A name that is unknown here may be the service's own, so it counts
 * as misspelled only if products were answered and none of their analyses has it.
 */
function refuseSlips(view: AnswerView, answers: readonly (CellAnswer | null)[]): void {
  const found = answers.flatMap((answer) => (answer?.ok === true ? [answer] : []));
  if (found.length === 0) return;
  const isUnknown = (name: string) =>
    found.every((answer) => shownValue(answer, name, view) === undefined);
  const slip = view.names.find(isUnknown);
  if (slip === undefined) return;
  throwFailure(
    unknownField(
      slip,
      found.map(({ analysis }) => analysis),
    ),
  );
}

/** One field of one product gives a single value; several fields give a row. */
function single(answer: CellAnswer | null | undefined, view: AnswerView): Cell | Cell[][] {
  if (answer === null || answer === undefined) return null;
  if (!answer.ok) throwFailure(answer.failure);
  const values = row(answer, view);
  return values.length === 1 ? (values[0] ?? null) : [values];
}

/** A failed row says why in its first column. Unknown values are blank, never zero. */
function row(answer: CellAnswer | null, view: AnswerView): Cell[] {
  const { names } = view;
  if (answer === null) return names.map(() => null);
  if (answer.ok) return names.map((name) => shownValue(answer, name, view) ?? null);
  return names.map((_, column) => (column === 0 ? cellText(answer.failure) : null));
}
