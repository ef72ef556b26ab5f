// Starts a job: makes the tab and the columns, and writes what is wanted. Asks nothing.

import {
  type AnalysisTab,
  makeAnalysisTab,
  type RowChange,
  type RowsMeant,
} from '../analysis/analysis-tab';
import { noteInUse } from '../analysis/freshness';
import { nameRow, unreadableRow, unwantRow, wantRow } from '../analysis/row-states';
import { readingOf } from '../connection/connection';
import type { Engine } from '../engine/engine';
import { type Failure, isFailure, runProblem } from '../failures/failure';
import { about } from '../failures/failure-text';
import { type Choice, groupMarketOf, placeOf, wantedColumns } from '../list/choice';
import { type ChosenList, readChosenList } from '../list/chosen-list';
import { ensureColumns } from '../list/lookup-columns';
import type { MarkedList } from '../list/marked-list';
import { isFreshRow, type ListRow, productOf, productsOf } from '../list/rows';
import { drawName, RECORD_LOCK_WAIT_MS, type SheetPlatform } from '../platform/ports';
import { type Product, productKey } from '../product/asin';
import { DEFAULT_MARKET } from '../product/market';
import { endJob, isOver, isWorkedOn, JOB_VERSION, type Job, NO_COUNTS } from './job';
import { jobStore } from './job-store';

/** A job that has just begun or goes on, and the keys of the products that are left, in order. */
export interface JobAtWork {
  readonly job: Job;
  readonly queue: readonly string[];
}

export function startJob(
  platform: SheetPlatform,
  engine: Engine,
  choice: Choice,
): JobAtWork | Failure {
  // One at a time from the first look on, so that two people do not add the same columns twice.
  const outcome = platform.lock.run(RECORD_LOCK_WAIT_MS, () => begin(platform, engine, choice));
  return outcome.held ? outcome.value : runProblem('busy');
}

function begin(platform: SheetPlatform, engine: Engine, choice: Choice): JobAtWork | Failure {
  const nowMs = platform.clock.nowMs();
  const taken = jobInTheWay(platform);
  if (taken !== null) return taken;
  // Where there is no room for a note, nothing is written at all.
  const sinceMs = noteInUse(platform.documentStore, engine.scope, nowMs);
  const made = makeColumns(platform, engine, choice);
  if (isFailure(made)) return made;
  const isAnew = choice.rows.kind === 'product';
  const isWanted = (row: ListRow) => isAnew || !isFreshRow(row, sinceMs, nowMs);
  return beginJob(platform, made, isWanted, {
    listId: made.list.id,
    market: groupMarketOf(choice),
    ...(isAnew && { notBeforeMs: nowMs }),
  });
}

/** A list with its columns, and the tab that they look into. */
export interface ReadyList extends ChosenList {
  readonly tab: AnalysisTab;
  readonly list: MarkedList;
}

function makeColumns(platform: SheetPlatform, engine: Engine, choice: Choice): ReadyList | Failure {
  const { defaultMarket = DEFAULT_MARKET } = engine.connection.settings;
  const chosen = readChosenList(platform, choice, defaultMarket);
  if (isFailure(chosen)) return chosen;
  const tab = chosen.tab ?? makeAnalysisTab(platform);
  if (isFailure(tab)) return tab;
  const isFraction = readingOf(engine.connection).roiUnit !== undefined;
  const wanted = wantedColumns(choice, defaultMarket, isFraction);
  const list = ensureColumns(platform, tab, placeOf(choice), wanted);
  return isFailure(list) ? list : { ...chosen, tab, list };
}

/** What a job is about, besides its rows. */
export type JobOptions = Pick<Job, 'listId' | 'market' | 'notBeforeMs' | 'scheduleId'>;

/**
 * Writes what is wanted of some rows, and the record of the job. The caller holds the document's lock
 * and has made sure that no other job is in the way.
 *
 * @param isWanted whether a row with a product has to be asked.
 */
export function beginJob(
  platform: SheetPlatform,
  { tab, sheet, known, rows }: Pick<ReadyList, 'tab' | 'sheet' | 'known' | 'rows'>,
  isWanted: (row: ListRow) => boolean,
  options: JobOptions,
): JobAtWork | Failure {
  const startedMs = platform.clock.nowMs();
  const products = productsOf(rows);
  const wanted = productsOf(rows.filter(isWanted));
  const recorded = tab.record([
    ...changesOf(rows, wanted, startedMs),
    ...leftBehind(known, rows, wanted),
  ]);
  if (isFailure(recorded)) return recorded;
  const store = jobStore(platform);
  const job: Job = {
    version: JOB_VERSION,
    id: drawName(platform.random),
    by: store.person(),
    state: 'running',
    why: null,
    resumesMs: null,
    sheetId: sheet.id,
    sheetName: sheet.name() ?? '',
    startedMs,
    touchedMs: platform.clock.nowMs(),
    endedMs: null,
    workedMs: 0,
    rows: rows.length,
    products: products.size,
    counts: { ...NO_COUNTS, cached: products.size - wanted.size },
    ...options,
  };
  const begun = wanted.size === 0 ? endJob(job, job.touchedMs) : job;
  store.write(begun, null);
  return { job: begun, queue: [...wanted.keys()] };
}

type Change = readonly [RowsMeant, RowChange];

/** What the rows of a list make of the tab. Rows of one key make one change. */
function changesOf(
  rows: readonly ListRow[],
  wanted: ReadonlyMap<string, Product>,
  nowMs: number,
): readonly Change[] {
  const changes = new Map<string, Change>();
  for (const { key, content } of rows) {
    if (content.kind === 'unreadable') {
      const { failure, market } = content;
      changes.set(key, [{ key }, (before) => unreadableRow(before, key, market, failure)]);
    }
    if (content.kind !== 'product') continue;
    const { product } = content;
    const isWanted = wanted.has(productKey(product));
    changes.set(key, [
      { key },
      (before) => (isWanted ? wantRow(before, key, product, nowMs) : nameRow(before, key, product)),
    ]);
  }
  return [...changes.values()];
}

/** Rows that an execution which was cut off has left waiting, and nobody asks for. */
function leftBehind(
  known: ChosenList['known'],
  rows: readonly ListRow[],
  wanted: ReadonlyMap<string, Product>,
): readonly Change[] {
  const own = new Set(
    rows.flatMap((row) => {
      const product = productOf(row);
      return product !== null && wanted.has(productKey(product)) ? [row.key] : [];
    }),
  );
  return [...known.values()]
    .filter(({ key, wantedMs }) => wantedMs !== null && !own.has(key))
    .map(({ key }) => [{ key }, (before) => before && unwantRow(before)]);
}

/**
 * Adds a column with the clean ASIN of each row, and names the products in the tab, where it looks
 * them up. Returns the number of rows.
 */
export function addCleanAsins(
  platform: SheetPlatform,
  engine: Engine,
  choice: Choice,
): number | Failure {
  const outcome = platform.lock.run(RECORD_LOCK_WAIT_MS, () => {
    const made = makeColumns(platform, engine, {
      ...choice,
      rows: { kind: 'all' },
      cleanAsins: true,
    });
    if (isFailure(made)) return made;
    const { tab, rows } = made;
    const named = tab.record(changesOf(rows, new Map(), platform.clock.nowMs()));
    return isFailure(named) ? named : rows.length;
  });
  return outcome.held ? outcome.value : runProblem('busy');
}

/**
 * The job that keeps another from starting; null: none does. One of a schedule that was cut off is
 * none: the schedule starts another at its next turn.
 */
export function jobInTheWay(platform: SheetPlatform): Failure | null {
  const store = jobStore(platform);
  const job = store.read();
  const nowMs = platform.clock.nowMs();
  if (job === null || isOver(job)) return null;
  if (job.scheduleId !== undefined && !isWorkedOn(job, nowMs)) return null;
  const who = job.by === store.person() ? 'you have' : 'someone else has';
  const what = `${who} an analysis of "${job.sheetName}" that began ${about(nowMs - job.startedMs)} ago`;
  return runProblem('run-in-progress', what);
}
