// What every custom function does between its arguments and its cells: the engine for cells,
// answers, estimates, failures.

import { rulesInUse } from '../deal/rules';
import { analyze } from '../engine/analyze';
import { openEngine } from '../engine/doors';
import { type Failure, fail, isFailure } from '../failures/failure';
import { cellText, FAILURE_PREFIX } from '../failures/failure-words';
import { mistakeIn } from '../failures/trouble-log';
import { googlePlatform, type Platform } from '../google/platform';
import { Refused } from '../google/service-call';
import {
  type Cell,
  cellsOf,
  firstCell,
  isRange,
  isWanted,
  pairedCells,
  productOf,
  type Question,
  readQuestions,
  readRefresh,
  type Wanted,
} from '../product/arguments';
import { type Product, productKey } from '../product/asin';
import { CHECK_RULES, type RulesInUse } from '../product/deal-rules';
import { type Analysis, type Answer, type Freshness, unanswered } from '../product/fields';
import { DEFAULT_MARKET, type Market } from '../product/market';

export function throwFailure(failure: Failure): never {
  throw new Error(cellText(failure));
}

/**
 * Fails if the product argument is missing; a blank cell is allowed. Without this, Sheets would
 * show #REF! for a result without cells.
 *
 * @param how tells how to name the product.
 */
export function needProduct(asin: unknown, how: string): void {
  if (asin === undefined || cellsOf(asin).length === 0) needed(`the product is missing. ${how}`);
}

export function needed(what: string): never {
  throwFailure(fail({ kind: 'bad-argument', what }));
}

/**
 * Sheets ends a cell after 30 s. Slots are booked up to 24 s and every call has ended at 27.5 s;
 * the rest covers starting up, which counts as well, and storing the answer or the place on the
 * waiting list.
 */
const BOOK_MS = 24_000;

/** An answer and the market that it is for, which decides on VAT; absent: no product was asked for. */
export type CellAnswer = Answer & { readonly market?: Market };

/**
 * One answer for each question, null for a blank one. The whole formula fails without a connection
 * or if Google's services give no answer.
 *
 * @param startMs when the cell began: what it did since then, such as reading the rules, leaves less
 * time for asking.
 */
export function answerAll(
  platform: Platform,
  questions: readonly Question[],
  wish: Freshness,
  startMs: number,
): readonly (CellAnswer | null)[] {
  return refusalsAsFailures(() => answersOf(platform, questions, wish, startMs));
}

/** Runs something that uses Google's services. If they refuse, the formula shows the failure. */
export function refusalsAsFailures<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof Refused) throwFailure(error.refusal);
    if (String(Object(error).message).startsWith(FAILURE_PREFIX)) throw error;
    // A bug. Its message may contain anything, and Google logs what a cell throws.
    throw new Error(`${FAILURE_PREFIX}something went wrong in the add-on (${mistakeIn(error)})`);
  }
}

function answersOf(
  platform: Platform,
  questions: readonly Question[],
  wish: Freshness,
  startMs: number,
): readonly (CellAnswer | null)[] {
  const wanted = questions.filter(isWanted);
  if (wanted.length === 0) return questions.map(unaskable);
  const engine = openEngine(platform, 'cell', startMs + BOOK_MS);
  if (isFailure(engine)) throwFailure(engine);
  const { defaultMarket } = engine.connection.settings;
  const product = (wanted: Wanted) => productOf(wanted, defaultMarket);
  const answers = analyze(engine, wanted.map(product), { ...wish, listsWaiting: true });
  return questions.map((question) => {
    if (!isWanted(question)) return unaskable(question);
    const asked = product(question);
    const answer = answers.get(productKey(asked)) ?? unanswered(fail({ kind: 'waiting' }));
    return { ...named(answer, asked), market: asked.market };
  });
}

/** A formula may stand far from the product that it names, and its market may be the default. */
function named(answer: Answer, product: Product): Answer {
  if (answer.ok || answer.failure.kind !== 'not-found') return answer;
  return { ...answer, failure: fail({ ...answer.failure, product }) };
}

/** A blank cell stays blank, and a cell that names no product shows why. */
function unaskable(question: Question): Answer | null {
  return isFailure(question) ? unanswered(question) : null;
}

/** Arguments beside the products: what they are called, in the plural, and their values. */
type PairedArguments = readonly (readonly [what: string, argument: unknown])[];

interface Estimating<Wish> {
  readonly asin: unknown;
  readonly market: unknown;
  readonly refresh: unknown;
  readonly paired: PairedArguments;
  /** The number of cells in a row. */
  readonly columns: number;
  /**
   * Reads a row's arguments; null: they are incomplete, so the row stays blank and makes no call.
   *
   * @param market of the row; null: the spreadsheet's default.
   */
  readonly read: (market: Market | null, ...cells: readonly unknown[]) => Wish | Failure | null;
  readonly work: (
    analysis: Analysis,
    wish: Wish,
    rules: RulesInUse,
    market: Market,
  ) => readonly Cell[] | Failure;
}

/** The estimate for one product, or a row for each product of a range. */
export function estimates<Wish>({ columns, work, ...asked }: Estimating<Wish>): Cell | Cell[][] {
  const { asin, market, refresh } = asked;
  const questions = orThrow(readQuestions(asin, market));
  const paired = asked.paired.map(([what, argument]) =>
    orThrow(pairedCells(argument, cellsOf(asin).length, what)),
  );
  const wishes = questions.map((question, row) =>
    isWanted(question)
      ? asked.read(question.market, ...paired.map((cells) => cells[row]))
      : question,
  );
  // Without a wish, the row's own arguments decide its result without a call.
  const askable = questions.map((question, row) => {
    const wish = wishes[row] ?? null;
    return wish === null || isFailure(wish) ? wish : question;
  });
  const platform = googlePlatform();
  const startMs = platform.clock.nowMs();
  // As for decisions, the rules are read before anything is paid for.
  const rules = askable.some(isWanted) ? usableRules(platform) : () => null;
  const answers = answerAll(platform, askable, readRefresh(firstCell(refresh), startMs), startMs);
  const rows = answers.map((answer, row) => {
    if (answer === null) return null;
    if (!answer.ok) return answer.failure;
    return work(answer.analysis, wishes[row] as Wish, rules, answer.market ?? DEFAULT_MARKET);
  });
  if (isRange(asin)) return rows.map((row) => rowOf(row, columns));
  const [only = null] = rows;
  if (only === null) return null;
  const cells = orThrow(only);
  return columns === 1 ? (cells[0] ?? null) : [[...cells]];
}

/** The rules that estimates count with. */
const usableRules = (platform: Platform): RulesInUse =>
  refusalsAsFailures(() => rulesInUse(platform.cache)) ??
  needed(`a rule cannot be used. ${CHECK_RULES}`);

/** A failed row says why in its first column. */
function rowOf(row: readonly Cell[] | Failure | null, columns: number): Cell[] {
  const cells = isFailure(row) ? [cellText(row)] : (row ?? []);
  return Array.from({ length: columns }, (_, column) => cells[column] ?? null);
}

/** Returns a value and throws a failure as an error. */
export function orThrow<T>(value: T | Failure): T {
  return isFailure(value) ? throwFailure(value) : value;
}
