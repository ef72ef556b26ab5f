// Answers for the questions of one formula, in their order; the connection is opened only if one needs it.

import { analyze } from '../analysis/analyze';
import { type Answer, type Freshness, unanswered } from '../analysis/answer';
import { fail, isFailure } from '../analysis/failure';
import { productKey } from '../analysis/product';
import { isWanted, productOf, type Question, type Wanted } from '../analysis/questions';
import { type Platform, Refused } from '../platform/ports';
import { cellEngine } from './cell-engine';
import { throwFailure } from './throw-failure';

/**
 * One answer for each question, null for blank ones. Without a connection no question can be
 * answered, so the formula as a whole fails; so it does where Google's services do not answer.
 */
export function answerAll(
  platform: Platform,
  questions: readonly Question[],
  wish: Freshness,
): readonly (Answer | null)[] {
  try {
    return answered(platform, questions, wish);
  } catch (error) {
    if (error instanceof Refused) throwFailure(error.refusal);
    throw error;
  }
}

function answered(
  platform: Platform,
  questions: readonly Question[],
  wish: Freshness,
): readonly (Answer | null)[] {
  const wanted = questions.filter(isWanted);
  if (wanted.length === 0) return questions.map(unaskable);
  const engine = cellEngine(platform);
  if (isFailure(engine)) throwFailure(engine);
  const { defaultMarket } = engine.connection.settings;
  const product = (wanted: Wanted) => productOf(wanted, defaultMarket);
  const answers = analyze(engine, wanted.map(product), wish);
  return questions.map((question) => {
    if (!isWanted(question)) return unaskable(question);
    return answers.get(productKey(product(question))) ?? unanswered(fail({ kind: 'waiting' }));
  });
}

/** A blank cell stays blank, and a cell that names no product says why. */
function unaskable(question: Question): Answer | null {
  return isFailure(question) ? unanswered(question) : null;
}
