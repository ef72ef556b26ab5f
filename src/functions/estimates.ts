// What the estimating functions share: for each product its analysis, and what is worked out from it.

import type { Analysis } from '../analysis/analysis';
import { besideEach, type Cell, cellsOf, firstCell, isRange } from '../analysis/cells';
import { cellText, type Failure, isFailure } from '../analysis/failure';
import { isWanted, type Question, readQuestions, readRefresh } from '../analysis/questions';
import { appsScriptPlatform } from '../platform/apps-script/platform';
import { answerAll } from './answers';
import { throwFailure } from './throw-failure';

/** The arguments beside the products: what they hold, in the plural, and the value of each. */
type Beside = readonly (readonly [what: string, argument: unknown])[];

interface Estimating<Wish> {
  readonly asin: unknown;
  readonly market: unknown;
  readonly refresh: unknown;
  readonly beside: Beside;
  /** How many cells a row fills. */
  readonly columns: number;
  /** What a row's arguments wish for; null: nothing yet, so that the row stays blank and free. */
  readonly read: (...cells: readonly unknown[]) => Wish | Failure | null;
  readonly work: (analysis: Analysis, wish: Wish) => readonly Cell[] | Failure;
}

/** The estimate of one product, or one row for each of a range; an older analysis serves as well. */
export function estimates<Wish>({ columns, work, ...asked }: Estimating<Wish>): Cell | Cell[][] {
  const { asin, market, refresh } = asked;
  const questions = orThrow(readQuestions(asin, market));
  const beside = asked.beside.map(([what, argument]) =>
    orThrow(besideEach(argument, cellsOf(asin).length, what)),
  );
  const wishes = questions.map((_, row) => asked.read(...beside.map((cells) => cells[row])));
  /** By its own arguments, before anything is asked. */
  const isSettled = (question: Question, row: number) =>
    isWanted(question) && (wishes[row] === null || isFailure(wishes[row]));
  const platform = appsScriptPlatform();
  const answers = answerAll(
    platform,
    questions.map((question, row) =>
      isSettled(question, row) ? (wishes[row] as Failure | null) : question,
    ),
    readRefresh(firstCell(refresh), platform.clock.nowMs()),
  );
  const rows = answers.map((answer, row) => {
    if (answer === null) return null;
    const analysis = answer.ok ? answer.analysis : answer.last;
    if (analysis !== undefined) return work(analysis, wishes[row] as Wish);
    return answer.ok ? null : answer.failure;
  });
  if (isRange(asin)) return rows.map((row) => rowOf(row, columns));
  const [only = null] = rows;
  if (only === null) return null;
  const cells = orThrow(only);
  return columns === 1 ? (cells[0] ?? null) : [[...cells]];
}

/** A failed row says why in its first column. */
function rowOf(row: readonly Cell[] | Failure | null, columns: number): Cell[] {
  const cells = isFailure(row) ? [cellText(row)] : (row ?? []);
  return Array.from({ length: columns }, (_, column) => cells[column] ?? null);
}

/** The value, or the failure as a thrown error. */
function orThrow<T>(value: T | Failure): T {
  return isFailure(value) ? throwFailure(value) : value;
}
