// From the arguments of a custom function to its cells: the engine for cells, answers, estimates, failures.

import { connectionIn } from '../connection/connection';
import { connectionStore, ownerNote } from '../connection/connection-store';
import { analyze } from '../engine/analyze';
import { createEngine, type Engine } from '../engine/engine';
import { cellText, FAILURE_PREFIX, type Failure, fail, isFailure } from '../failures/failure';
import { mistakeIn } from '../failures/trouble-log';
import {
  besideEach,
  type Cell,
  cellsOf,
  firstCell,
  isRange,
  isWanted,
  productOf,
  type Question,
  readQuestions,
  readRefresh,
  type Wanted,
} from '../formulas/arguments';
import { appsScriptPlatform } from '../platform/apps-script/services';
import { type Platform, Refused } from '../platform/ports';
import { type Analysis, type Answer, type Freshness, unanswered } from '../product/analysis';
import { productKey } from '../product/asin';

/** @param lastMs how old the last answer is, if there is one. */
export function throwFailure(failure: Failure, lastMs?: number): never {
  throw new Error(cellText(failure, lastMs));
}

/**
 * Where the product is left out, in which a blank cell is no mistake: of a grid without cells, Sheets
 * would show #REF!. @param how to name it.
 */
export function needProduct(asin: unknown, how: string): void {
  if (asin === undefined || cellsOf(asin).length === 0) needed(`the product is missing. ${how}`);
}

export function needed(what: string): never {
  throwFailure(fail({ kind: 'bad-argument', what }));
}

/**
 * Sheets ends a cell after 30 s. Slots are taken for 24 s at most, and every call has ended at 27.5 s:
 * the rest is for starting up, which counts, and for keeping the answer or the place in the queue.
 */
const BOOK_MS = 24_000;
const END_MS = 27_500;

/** Long enough for a slow service, short enough that one hanging call leaves time for another. */
const CALL_TIMEOUT_MS = 12_000;

function cellEngine(platform: Platform): Engine | Failure {
  const startMs = platform.clock.nowMs();
  const store = connectionStore({ ...platform, loopbackAllowed: __LOOPBACK_ALLOWED__ });
  const connection = connectionIn(store.forCells());
  if (isFailure(connection)) return connection;
  const limits = {
    bookUntilMs: startMs + BOOK_MS,
    endMs: startMs + END_MS,
    callTimeoutMs: CALL_TIMEOUT_MS,
    cellsPerDay: connection.cellsPerDay ?? null,
  };
  const isShared = store.sharedKind() === 'connection';
  return createEngine(platform, connection, limits, isShared ? {} : ownerNote(connection));
}

/**
 * One answer for each question, null for blank ones. Without a connection no question can be
 * answered, so the formula as a whole fails; so it does where Google's services do not answer.
 */
export function answerAll(
  platform: Platform,
  questions: readonly Question[],
  wish: Freshness,
): readonly (Answer | null)[] {
  return refusalsAsFailures(() => answered(platform, questions, wish));
}

/** Whatever is done with Google's services: where they do not answer, the formula says so. */
export function refusalsAsFailures<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof Refused) throwFailure(error.refusal);
    if (String(Object(error).message).startsWith(FAILURE_PREFIX)) throw error;
    // A mistake of ours: its own text may hold anything, and Google keeps what a cell throws.
    throw new Error(`${FAILURE_PREFIX}something went wrong in the add-on (${mistakeIn(error)})`);
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
  const answers = analyze(engine, wanted.map(product), { ...wish, listsWaiting: true });
  return questions.map((question) => {
    if (!isWanted(question)) return unaskable(question);
    return answers.get(productKey(product(question))) ?? unanswered(fail({ kind: 'waiting' }));
  });
}

/** A blank cell stays blank, and a cell that names no product says why. */
function unaskable(question: Question): Answer | null {
  return isFailure(question) ? unanswered(question) : null;
}

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
export function orThrow<T>(value: T | Failure): T {
  return isFailure(value) ? throwFailure(value) : value;
}
