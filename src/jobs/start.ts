// Starts a job: makes the tab and the columns, and writes what is wanted. Asks nothing.

import {
  answeredRow,
  type GivenAnswer,
  keyOfProduct,
  nameRow,
  type RowChange,
  type RowsMeant,
  unreadableRow,
  unwantRow,
  wantRow,
} from '../analysis/analysis-row';
import { type AnalysisTab, AT_ONCE, type Later, openAnalysisTab } from '../analysis/analysis-tab';
import { changeTracker } from '../analysis/changes';
import { whileLeased } from '../analysis/leased';
import { identityHere } from '../connection/connection-store';
import type { Engine } from '../engine/engine';
import { about } from '../failures/duration';
import { type Failure, isFailure, runProblem } from '../failures/failure';
import { drawName, type Platform } from '../google/platform';
import { unlessBusy } from '../google/service-call';
import { type Choice, locationOf, marketSourceOf, wantedColumns } from '../list/choice';
import { ensureColumns } from '../list/our-columns';
import {
  type ChosenList,
  isFreshRow,
  type ListRow,
  productOfRow,
  productsOf,
  readChosenList,
} from '../list/rows';
import type { TaggedList } from '../list/tagged-list';
import { type Product, productKey } from '../product/asin';
import type { Answer } from '../product/fields';
import { DEFAULT_MARKET } from '../product/market';
import { ensureClock } from './clock';
import {
  addCounts,
  endJob,
  isForgotten,
  isOver,
  isWorkedOn,
  type Job,
  type JobAtWork,
  jobStore,
  type NextJob,
  NO_COUNTS,
  nextOf,
  withNext,
} from './job';
import { countsOf } from './work';

const STARTING = 'starting an analysis';

/** @param counted how many products the person saw: others are not asked for without a word. */
export function startJob(
  platform: Platform,
  engine: Engine,
  choice: Choice,
  counted?: number,
): JobAtWork | Failure {
  // What the page asks ahead of the job, which takes the lock for a moment each time, is of this job.
  const startedMs = platform.clock.nowMs();
  const chosen = chosenList(engine, choice);
  if (isFailure(chosen)) return chosen;
  const products = productsOf(chosen.rows).size;
  if (products !== (counted ?? products))
    return runProblem('list-changed', products === 1 ? '1 product' : `${products} products`);
  const chores: (() => void)[] = [];
  const later: Later = (chore) => chores.push(chore);
  // One at a time from here on, so that two people do not add the same columns twice.
  const made = whileLeased(platform, STARTING, () => {
    const taken = jobInTheWay(platform);
    if (taken !== null) return taken;
    return makeColumns(engine, choice, chosen, later);
  });
  if (isFailure(made)) return made;
  // A record or another person's work may come between the two leases.
  return whileLeased(platform, STARTING, () => {
    const begun = jobInTheWay(platform) ?? begin(platform, engine, choice, made, startedMs);
    // The clock goes on from here if the page is closed. Without one a list can be analyzed all the same.
    if (!isFailure(begun) && !isOver(begun.job)) unlessBusy(() => ensureClock(platform));
    // Before anything is recorded: columns without tags may be moved by a person, and are then lost.
    for (const chore of chores) chore();
    return begun;
  });
}

function begin(
  platform: Platform,
  engine: Engine,
  choice: Choice,
  list: ReadyList,
  startedMs: number,
): JobAtWork | Failure {
  const isAnew = choice.rows.kind === 'product';
  const isWanted = (row: ListRow) =>
    isAnew || !isFreshRow(row, engine.fetchedWith, platform.clock.nowMs());
  const options = {
    startedMs,
    listId: list.list.id,
    market: marketSourceOf(choice),
    ...(isAnew && { notBeforeMs: startedMs }),
  };
  return beginJob(platform, list, isWanted, options, {
    fetchedWith: engine.fetchedWith,
    find: (keys) =>
      engine.cache.find(keys, { triesAgain: true, ...options }, platform.clock.nowMs()),
  });
}

/** Answers that are there already. */
interface StoredAnswers {
  /** By product. */
  find(keys: readonly string[]): ReadonlyMap<string, Answer>;
  readonly fetchedWith: string;
}

const NO_ANSWERS: StoredAnswers = { find: () => new Map(), fetchedWith: '' };

/** A list with its columns, and the tab that they look into. */
export interface ReadyList extends ChosenList {
  readonly tab: AnalysisTab;
  readonly list: TaggedList;
}

const defaultMarketOf = ({ connection }: Engine) =>
  connection.settings.defaultMarket ?? DEFAULT_MARKET;

export const chosenList = (engine: Engine, choice: Choice) =>
  readChosenList(engine.platform.clock, choice, defaultMarketOf(engine));

export function makeColumns(
  engine: Engine,
  choice: Choice,
  chosen: ChosenList,
  later = AT_ONCE,
): ReadyList | Failure {
  // Somebody else may have made the tab meanwhile.
  const tab = chosen.tab ?? openAnalysisTab(engine.platform.clock, later);
  if (isFailure(tab)) return tab;
  const isFraction = engine.connection.settings.roiUnit !== undefined;
  const wanted = wantedColumns(choice, defaultMarketOf(engine), isFraction);
  const list = ensureColumns(tab, locationOf(chosen.sheet, choice), wanted, chosen.size, later);
  return isFailure(list) ? list : { ...chosen, tab, list };
}

/** What a job is about, besides its rows. */
export type JobOptions = Pick<
  Job,
  'startedMs' | 'listId' | 'market' | 'notBeforeMs' | 'scheduleId' | 'rules'
>;

/**
 * Writes what is wanted of some rows, and the record of the job. The caller has the lease
 * and has made sure that no other job is in the way.
 *
 * @param isWanted whether a row with a product has to be asked.
 */
export function beginJob(
  platform: Platform,
  { tab, sheet, tabRows, rows }: Pick<ReadyList, 'tab' | 'sheet' | 'tabRows' | 'rows'>,
  isWanted: (row: ListRow) => boolean,
  options: JobOptions,
  { find, fetchedWith } = NO_ANSWERS,
): JobAtWork | Failure {
  const { startedMs } = options;
  const products = productsOf(rows);
  const wanted = productsOf(rows.filter(isWanted));
  const found = find([...wanted.keys()]);
  const recorded = tab.record([
    ...changesOf(rows, wanted, found, { atMs: platform.clock.nowMs(), fetchedWith }),
    ...leftBehind(tabRows, rows, wanted),
  ]);
  if (isFailure(recorded)) return recorded;
  const answered = recorded.filter(({ after }) => found.has(keyOfProduct(after)));
  const { changes, problem } = changeTracker(platform).log(answered);
  const store = jobStore(platform);
  const nowMs = platform.clock.nowMs();
  const job: Job = {
    id: drawName(platform.random),
    home: identityHere(platform),
    by: store.person(),
    continued: 0,
    state: 'running',
    why: null,
    resumesMs: null,
    sheetId: sheet.id,
    sheetName: sheet.name() ?? '',
    touchedMs: nowMs,
    endedMs: null,
    // What was asked ahead was answered in this time.
    workedMs: nowMs - startedMs,
    rows: rows.length,
    products: products.size,
    counts: addCounts(
      { ...NO_COUNTS, cached: products.size - wanted.size, changes },
      countsOf(startedMs, found),
    ),
    ...options,
    ...(problem !== null && { unlogged: problem }),
  };
  const ended = wanted.size === 0 ? endJob(job, job.touchedMs) : job;
  // What a person begins no longer waits.
  const isBegun = ({ choice }: NextJob) =>
    options.scheduleId === undefined &&
    choice.sheetId === sheet.id &&
    marketSourceOf(choice) === options.market;
  const waiting = nextOf(store.read(), nowMs).filter((next) => !isBegun(next));
  const begun = withNext(ended, waiting);
  store.begin(begun);
  return { job: begun, queue: [...wanted.keys()].filter((key) => !found.has(key)) };
}

type MeantChange = readonly [RowsMeant, RowChange];

/** What the rows of lists make of the tab. Rows of one key make one change. */
export function changesOf(
  rows: readonly ListRow[],
  wanted: ReadonlyMap<string, Product>,
  found: ReadonlyMap<string, Answer>,
  by: Omit<GivenAnswer, 'answer'>,
): readonly MeantChange[] {
  const changes = new Map<string, MeantChange>();
  for (const { key, content } of rows) {
    if (content.kind === 'unreadable') {
      const { failure, market } = content;
      changes.set(key, [{ key }, (before) => unreadableRow(before, key, market, failure)]);
    }
    if (content.kind !== 'product') continue;
    const { product } = content;
    const isWanted = wanted.has(productKey(product));
    const answer = found.get(productKey(product));
    changes.set(key, [
      { key },
      (before) => {
        if (!isWanted) return nameRow(before, key, product);
        const waiting = wantRow(before, key, product, by.atMs);
        return answer === undefined ? waiting : answeredRow(waiting, { ...by, answer });
      },
    ]);
  }
  return [...changes.values()];
}

/** Rows that an execution which was cut off has left waiting, and nobody asks for. */
function leftBehind(
  tabRows: ChosenList['tabRows'],
  rows: readonly ListRow[],
  wanted: ReadonlyMap<string, Product>,
): readonly MeantChange[] {
  const own = new Set(
    rows.flatMap((row) => {
      const product = productOfRow(row);
      return product !== null && wanted.has(productKey(product)) ? [row.key] : [];
    }),
  );
  return [...tabRows.values()]
    .filter(({ key, wantedMs }) => wantedMs !== null && !own.has(key))
    .map(({ key }) => [{ key }, (before) => before && unwantRow(before)]);
}

/**
 * The job that keeps another from starting; null: none does. One of a schedule that was cut off is
 * none: the schedule starts another at its next turn. Nor is one that is forgotten.
 */
export function jobInTheWay(platform: Platform): Failure | null {
  const store = jobStore(platform);
  const job = store.read();
  const nowMs = platform.clock.nowMs();
  if (job === null || isOver(job) || isForgotten(job, nowMs)) return null;
  if (job.scheduleId !== undefined && !isWorkedOn(job, nowMs)) return null;
  const who = job.by === store.person() ? 'you have' : 'someone else has';
  const what = `${who} an analysis of "${job.sheetName}" that began ${about(nowMs - job.startedMs)} ago`;
  return runProblem('run-in-progress', what);
}
