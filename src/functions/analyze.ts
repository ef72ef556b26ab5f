// =ANALYZE: the analysis of one product or of a range of products.

import type { Answer } from '../analysis/answer';
import { cellText, isFailure } from '../analysis/failure';
import { fieldValue, unknownField } from '../analysis/fields';
import { appsScriptPlatform } from '../platform/apps-script/platform';
import { answerAll } from './answers';
import { type Cell, firstCell, isRange } from './cells';
import { fieldNamesOf } from './field-names';
import { readQuestions, readRefresh } from './questions';
import { throwFailure } from './throw-failure';

/**
 * Answers whether to buy a product: profit, ROI, fees, eligibility and rank drops.
 *
 * @param {A2:A100} asin The product: an ASIN, an ISBN or an Amazon link. A range gives one row for each cell.
 * @param {"US"} market Optional: "US" or "UK", or a range as high as the products. Left out, it is the link's market, else the default.
 * @param {"profit, roi"} fields Optional: names of figures, a range of headers, or "all". Left out: profit, roi, fees, eligible, rank_drops_30d.
 * @param {H1} refresh Optional: any cell. When it changes, the service is asked again. A date or time means "not older than this".
 * @return The figures of the product, or one row of figures for each product.
 * @customfunction
 */
export function ANALYZE(asin: unknown, market?: unknown, fields?: unknown, refresh?: unknown) {
  const names = fieldNamesOf(fields);
  const questions = readQuestions(asin, market);
  if (isFailure(questions)) throwFailure(questions);
  const platform = appsScriptPlatform();
  const wish = readRefresh(firstCell(refresh), platform.clock.nowMs());
  const answers = answerAll(platform, questions, wish);
  refuseSlips(names, answers);
  return isRange(asin) ? answers.map((answer) => row(answer, names)) : single(answers[0], names);
}

/**
 * A name we do not know may still be the service's own. It is a typing slip when products were
 * answered and none of their analyses has it.
 */
function refuseSlips(names: readonly string[], answers: readonly (Answer | null)[]): void {
  const analyses = answers.flatMap((answer) => (answer?.ok === true ? [answer.analysis] : []));
  if (analyses.length === 0) return;
  const slip = names.find((name) => analyses.every((one) => fieldValue(one, name) === undefined));
  if (slip !== undefined) throwFailure(unknownField(slip, analyses));
}

/** One field of one product is one value; several are one row. */
function single(answer: Answer | null | undefined, names: readonly string[]): Cell | Cell[][] {
  if (answer === null || answer === undefined) return null;
  if (!answer.ok) throwFailure(answer.failure);
  const values = row(answer, names);
  return values.length === 1 ? (values[0] ?? null) : [values];
}

/** A failed row says why in its first column; whatever is not known is blank, never zero. */
function row(answer: Answer | null, names: readonly string[]): Cell[] {
  if (answer?.ok === true) return names.map((name) => fieldValue(answer.analysis, name) ?? null);
  const text = answer === null ? null : cellText(answer.failure);
  return names.map((_, column) => (column === 0 ? text : null));
}
