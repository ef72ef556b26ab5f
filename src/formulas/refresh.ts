// Refreshes formulas: their products are asked for first, and then the one cell is set that makes
// them calculate again, from the cache.

import * as z from 'zod/mini';
import { openAnalysisTab, TAB_TITLE } from '../analysis/analysis-tab';
import { whileLeased } from '../analysis/leased';
import { isDemo } from '../connection/connection';
import { connectionStore, isOwnerKnown } from '../connection/connection-store';
import { analyze } from '../engine/analyze';
import { openEngine } from '../engine/doors';
import type { Engine } from '../engine/engine';
import { SECOND } from '../failures/duration';
import {
  endsRun,
  type Failure,
  isFailure,
  runProblem,
  scheduleProblem,
  willPass,
} from '../failures/failure';
import type { Platform } from '../google/platform';
import { HORIZON_MS } from '../limit/gate';
import type { Product } from '../product/asin';
import { type Answer, unanswered } from '../product/fields';
import { lazySchema } from '../schema/stored-record';
import { findRefreshCell, type RefreshCell } from '../sheet/refresh-cell';
import { tabProtected } from '../sheet/tagged-columns';
import { type FormulaCell, findFormulas, readCells } from './find';

/** The time after which nothing new is begun. It may change, so it is asked for each time. */
export type Deadline = () => number;

export interface RefreshRequest {
  /**
   * `due`: if the cell is older than `notBeforeMs`. `failed`: if a formula shows no figures.
   * `always`: a person wants it.
   */
  readonly when: 'always' | 'due' | 'failed';
  /** Answers fetched since then are fresh and cost nothing, ms since 1970. */
  readonly notBeforeMs: number;
  /** The most calls to make; null: as many as the key's limit allows. */
  readonly callsMax: number | null;
  /** The most products that all formulas together may ask for; left out: any number. */
  readonly productsMax?: number;
  readonly untilMs: Deadline;
}

export interface FormulaReport {
  /** Cells that calculate again and find their answers in the cache; 0 until all are asked. */
  readonly refreshed: number;
  /** Those of them with a product that the service has no answer for. */
  readonly failed: number;
  /** Products still to be asked; the next call continues with them. */
  readonly left: number;
  readonly calls: number;
  /** Cells without a refresh argument, to which it may be added. */
  readonly lacking: number;
  /** Cells with a refresh argument of the user's own; they stay as they are. */
  readonly ownRefresh: number;
  /** Why more time would not help. */
  readonly problem?: Failure;
}

const NOTHING: FormulaReport = {
  refreshed: 0,
  failed: 0,
  left: 0,
  calls: 0,
  lacking: 0,
  ownRefresh: 0,
};

/**
 * The age up to which cells find an answer in the cache: it keeps answers for six hours, less the time
 * until all cells have looked.
 */
export const FRESH_MS = 6 * 3_600_000 - 15 * 60_000;

/**
 * Asks for the products of all formulas that name the cell. Once none is left, the cell is set; until
 * then formulas keep what they show.
 */
export function refreshFormulas(
  platform: Platform,
  request: RefreshRequest,
): FormulaReport | Failure {
  const { clock } = platform;
  const startMs = clock.nowMs();
  const before = findRefreshCell()?.atMs() ?? null;
  if (request.when === 'due' && Number(before) >= request.notBeforeMs) return NOTHING;
  const formulas = findFormulas();
  const of = (kind: FormulaCell['kind']) => formulas.filter((formula) => formula.kind === kind);
  const following = of('following');
  const counts = { lacking: of('lacking').length, ownRefresh: of('own').length };
  if (following.length === 0) return { ...NOTHING, ...counts };
  const engine = openEngine(platform, 'formulas', request.untilMs());
  if (isFailure(engine)) return engine;
  const cells = readCells(engine.connection.settings.defaultMarket);
  if (request.when === 'failed' && !following.some(cells.lacksFigures))
    return { ...NOTHING, ...counts };
  if (!isOwnKey(platform, following)) return scheduleProblem('other-key');
  const products = following.map(cells.productsOf);
  const { size } = new Set(products.flatMap((own) => [...own.keys()]));
  if (size > (request.productsMax ?? size))
    return scheduleProblem('formulas-over', size.toLocaleString('en-US'));
  const asked = askFor(engine, products, {
    ...request,
    notBeforeMs: Math.max(request.notBeforeMs, startMs - FRESH_MS),
  });
  const { answers, calls, problem, left } = asked;
  if (left > 0 || problem !== undefined)
    return { ...NOTHING, ...counts, left, calls, ...(problem && { problem }) };
  // Not before: formulas calculate when the name they use comes to exist.
  const cell = openRefreshCell(platform);
  if (isFailure(cell)) return cell;
  keepUntilSeen(engine, answers);
  const sinceMs = Math.floor(Math.min(startMs, asked.oldestMs) / SECOND) * SECOND;
  const outcome = cell.set(unusedMs(sinceMs, before));
  if (outcome !== 'written')
    return outcome === 'gone' ? runProblem('sheet-gone') : tabProtected(TAB_TITLE);
  const isFailed = (own: ReadonlyMap<string, Product>) =>
    [...own.keys()].some((key) => answers.get(key)?.ok === false);
  const failed = products.filter(isFailed).length;
  return { ...NOTHING, ...counts, refreshed: following.length - failed, failed, calls };
}

/** The least time for which formulas that calculate again find a failure that passes. */
const SEEN_MS = 10_000;

/** A failure that is over before formulas have looked would be paid for again by each of them. */
function keepUntilSeen({ cache, platform }: Engine, answers: ReadonlyMap<string, Answer>): void {
  const short = [...answers].flatMap(([key, answer]) => {
    if (answer.ok || !('waitMs' in answer.failure)) return [];
    const { waitMs = SEEN_MS, ...failure } = answer.failure;
    return waitMs < SEEN_MS ? [[key, unanswered({ ...failure, waitMs: SEEN_MS })] as const] : [];
  });
  cache.keep(new Map(short), {}, platform.clock.nowMs());
}

const AGAIN_MS = 600_000;

/**
 * A moment that is not later than this and that the cell has not held before. Sheets changes nothing
 * for a value that a cell has, and may show what a formula gave for one that it had.
 */
const unusedMs = (sinceMs: number, before: number | null): number =>
  before !== null && before <= sinceMs && sinceMs - before < AGAIN_MS ? before - SECOND : sinceMs;

/** The cell that formulas name; it is made where it is missing. */
export function openRefreshCell(platform: Platform): RefreshCell | Failure {
  const cell = findRefreshCell();
  if (cell !== null) return cell;
  return whileLeased(platform, 'making the tab “Analysis”', () => {
    const tab = openAnalysisTab(platform.clock);
    return isFailure(tab) ? tab : (findRefreshCell() ?? tabProtected(TAB_TITLE));
  });
}

interface AskedFormulas {
  readonly answers: ReadonlyMap<string, Answer>;
  readonly calls: number;
  /** Products that could not be asked in time. */
  readonly left: number;
  /** When the oldest answer from the cache came, ms since 1970. */
  readonly oldestMs: number;
  readonly problem?: Failure;
}

/** @param products of each cell, by key. */
export function askFor(
  engine: Engine,
  products: readonly ReadonlyMap<string, Product>[],
  { notBeforeMs, callsMax, untilMs }: Omit<RefreshRequest, 'when'>,
): AskedFormulas {
  let calls = 0;
  let oldestMs = Number.POSITIVE_INFINITY;
  const answers = analyze(
    engine,
    products.flatMap((own) => [...own.values()]),
    { notBeforeMs, horizonMs: HORIZON_MS, ...(callsMax !== null && { callsMax }) },
    {
      bookUntilMs: untilMs,
      onCalls(count) {
        calls += count;
      },
      onFound(found) {
        for (const answer of found.values())
          oldestMs = Math.min(oldestMs, answer.ok ? answer.analysis.fetchedAtMs : notBeforeMs);
      },
    },
  );
  const all = [...answers.values()];
  const left = all.filter((answer) => !answer.ok && answer.failure.kind === 'waiting').length;
  // Where samples are on, every other product fails, and the samples are shown all the same.
  const problem = isDemo(engine.connection) ? undefined : problemOf(all);
  return { answers, calls, left, oldestMs, ...(problem && { problem }) };
}

/**
 * A reason to stop asking: a problem with the connection, or a service that answered nothing at
 * all.
 */
function problemOf(answers: readonly Answer[]): Failure | undefined {
  const failures = answers.flatMap((answer) => (answer.ok ? [] : [answer.failure]));
  const isDown = failures.length === answers.length && failures.every(willPass);
  const isWorse = (failure: Failure) => failure.kind !== 'waiting' || failure.status !== undefined;
  return failures.find(endsRun) ?? (isDown ? failures.find(isWorse) : undefined);
}

/** How long cells that test a key may take, and how often they are looked at. */
const TRY_MS = 26_000;
const CELLS_POLL_MS = 1_000;

/**
 * If no key is shared, cells use the owner's, and only a cell can find out whose that is. Before
 * calls are spent on answers that no cell might look for, formulas without figures are made to ask by
 * themselves.
 */
function isOwnKey(platform: Platform, following: readonly FormulaCell[]): boolean {
  const { clock, documentStore } = platform;
  const store = connectionStore(platform);
  const isKnown = () => store.sharedKind() !== 'none' || isOwnerKnown(documentStore);
  if (isKnown()) return true;
  const lacking = () => following.filter(readCells(undefined).lacksFigures).length;
  const before = lacking();
  const cell = before > 0 ? openRefreshCell(platform) : null;
  if (cell === null || isFailure(cell)) return true;
  cell.set(clock.nowMs() - FRESH_MS);
  for (let polls = 0; polls < TRY_MS / CELLS_POLL_MS; polls += 1) {
    clock.sleep(CELLS_POLL_MS);
    if (isKnown() || lacking() < before) return true;
  }
  return false;
}

/**
 * A call from the page may run for six minutes, and calls that began by this time still have to be
 * read and stored.
 */
const WORK_MS_MAX = 300_000;

/** How long a call from the page works. */
export const workMsSchema = lazySchema(() => z.int().check(z.minimum(1), z.maximum(WORK_MS_MAX)));

/**
 * One call of a refresh by hand; the next one continues.
 *
 * @param onlyFailed does nothing where all formulas show figures.
 */
export function refreshNow(
  platform: Platform,
  { maxMs, onlyFailed }: { readonly maxMs: number; readonly onlyFailed: boolean },
): FormulaReport | Failure {
  const untilMs = platform.clock.nowMs() + maxMs;
  return refreshFormulas(platform, {
    when: onlyFailed ? 'failed' : 'always',
    notBeforeMs: 0,
    callsMax: null,
    untilMs: () => untilMs,
  });
}
