// What the estimating functions share: the analysis of their one product.

import type { Analysis } from '../analysis/analysis';
import { firstCell, isRange } from '../analysis/cells';
import { type Failure, fail, isFailure } from '../analysis/failure';
import { readQuestions, readRefresh } from '../analysis/questions';
import { appsScriptPlatform } from '../platform/apps-script/platform';
import { answerAll } from './answers';
import { throwFailure } from './throw-failure';

/**
 * The analysis of the one product that the arguments name, an older one where the service cannot be
 * asked; null for a blank cell.
 */
export function analysisOf(asin: unknown, market: unknown, refresh: unknown): Analysis | null {
  if (isRange(asin)) {
    const what = 'this function takes one product. Use it in each row';
    throwFailure(fail({ kind: 'bad-argument', what }));
  }
  const questions = orThrow(readQuestions(asin, market));
  const platform = appsScriptPlatform();
  const wish = readRefresh(firstCell(refresh), platform.clock.nowMs());
  const answer = answerAll(platform, questions, wish)[0] ?? null;
  if (answer === null) return null;
  if (answer.ok) return answer.analysis;
  return answer.last ?? throwFailure(answer.failure);
}

/** The value, or the failure as a thrown error. */
export function orThrow<T>(value: T | Failure): T {
  return isFailure(value) ? throwFailure(value) : value;
}
