// Refreshes the due products of a list: writes what is wanted, works off the queue, and reports.

import {
  type AnalysisRow,
  keyOfProduct,
  type RecordedRow,
  wholeSeconds,
} from '../analysis/analysis-row';
import {
  type AnalysisTab,
  analysisRows,
  noteInUse,
  openAnalysisTab,
} from '../analysis/analysis-tab';
import { type Engine, openEngine } from '../engine/engine';
import { DAY, HOUR, MINUTE } from '../failures/duration';
import {
  type Failure,
  isFailure,
  isFailureStatus,
  OK_STATUS,
  runProblem,
  scheduleProblem,
  statusLasts,
} from '../failures/failure';
import { type Platform, RECORD_LOCK_WAIT_MS } from '../google/platform';
import { isBusy, unlessBusy } from '../google/service-call';
import { sheetById } from '../google/spreadsheet';
import { drainQueue } from '../jobs/drain';
import { isOver, type Job } from '../jobs/job';
import { jobStore } from '../jobs/job-store';
import { clearQueue } from '../jobs/queue';
import { stop } from '../jobs/set-state';
import { beginJob, jobInTheWay } from '../jobs/start';
import { paceOf } from '../limit/limit';
import { type MarkedList, markedLists } from '../list/marked-list';
import { fillInNewRows } from '../list/our-cells';
import { type KnownRows, type ListRow, productOf } from '../list/rows';
import { productKey } from '../product/asin';
import { ruleWords } from '../product/fields';
import { failureOfStop } from '../service/response';
import { comparableSinceMs, isRoiFraction, logChanges } from './change-log';
import {
  BECAME_BUY,
  becameBuy,
  type LogLine,
  logLines,
  markText,
  type Verdicts,
  wordsMet,
} from './changes';
import { readNotes, readVerdicts, rowsOf } from './list-rows';
import type { ZoneOffset } from './recurrence';
import { callsLeft, type ListTask, RUN_MS_MAX, type Schedule } from './schedule';

/** The result of one run of a schedule. */
export interface Report {
  readonly refreshed: number;
  readonly failed: number;
  readonly calls: number;
  /** The number of lines added to the change log. */
  readonly changes: number;
  /** Nothing more is due. */
  readonly isThrough: boolean;
  /** Somebody has stopped the run. */
  readonly wasStopped?: boolean;
  /** The name of the list's sheet by now. */
  readonly sheetName?: string;
  /** Why the run did not do all that was due. */
  readonly problem?: Failure | undefined;
  /** Why some changes are not in the log, or not marked. */
  readonly unlogged?: Failure | undefined;
}

const NOTHING = { refreshed: 0, failed: 0, calls: 0, changes: 0, isThrough: false };

export const failedWith = (problem: Failure): Report => ({ ...NOTHING, problem });

export interface ListRun {
  readonly platform: Platform;
  readonly schedule: Schedule;
  readonly task: ListTask;
  /** No call begins after this moment, ms since 1970. */
  readonly untilMs: number;
  readonly zone: ZoneOffset;
}

export function runList(run: ListRun): Report {
  const { platform, untilMs } = run;
  const engine = openEngine(platform);
  if (isFailure(engine)) return failedWith(engine);
  const stopped = stopOf(engine, untilMs);
  if (stopped !== null) return failedWith(stopped);
  const begun = unlessBusy(() => platform.lock.run(RECORD_LOCK_WAIT_MS, () => begin(run, engine)));
  if (isFailure(begun)) {
    untilDone(() => unwantAll(platform));
    return failedWith(begun);
  }
  if (!begun.held) return failedWith(scheduleProblem('busy'));
  const work = begun.value;
  if (isFailure(work)) return failedWith(work);
  const { job, left, sheetName } = work;
  if (job === null) return { ...NOTHING, isThrough: left === 0, sheetName };
  try {
    return { ...drain(run, engine, work, job), sheetName };
  } catch (error) {
    // The next firing tells what the tab shows of this run.
    if (isBusy(error)) untilDone(() => stop(platform, job.id));
    throw error;
  }
}

/** Ends the queue of a run that has no job yet. */
function unwantAll(platform: Platform): Failure | null {
  const ended = platform.lock.run(RECORD_LOCK_WAIT_MS, () => {
    // The rows that wait may be those of somebody's job.
    if (jobInTheWay(platform) !== null) return null;
    const tab = openAnalysisTab(platform.clock);
    return isFailure(tab) ? tab : clearQueue(tab);
  });
  return ended.held ? ended.value : scheduleProblem('busy');
}

/** Each try is of calls that are made twice already. */
const TRIES_MAX = 3;

/** Ends a queue. Where Google's services fail all the time, rows wait until the next firing. */
function untilDone(end: () => unknown): void {
  let tries = 0;
  do tries += 1;
  while (isFailure(unlessBusy(end)) && tries < TRIES_MAX);
}

/** Why no call would be made, if that lasts beyond this firing or the service is in trouble. */
function stopOf({ gate, platform }: Engine, untilMs: number): Failure | null {
  const stopped = gate.stopped();
  if (stopped === undefined) return null;
  if (stopped.untilMs <= untilMs && stopped.status === undefined) return null;
  return failureOfStop(stopped, platform.clock.nowMs());
}

/** What a run of the schedule has begun. */
interface Work {
  readonly list: MarkedList;
  readonly sheetName: string;
  readonly tab: AnalysisTab;
  /** The rows of the tab before. */
  readonly known: KnownRows;
  /** The products that are asked for, by key. */
  readonly wanted: ReadonlySet<string>;
  /** null: there is nothing to ask. */
  readonly job: Job | null;
  /** How many more products are due, or will be at the next firing. */
  readonly left: number;
}

/** Finds what is due and starts a job for it. The caller holds the document's lock. */
function begin(run: ListRun, engine: Engine): Work | Failure {
  const { platform, schedule, task, untilMs } = run;
  if (jobInTheWay(platform) !== null) return inTheWay(platform);
  const list = findList(schedule, task);
  if (isFailure(list)) return list;
  const tab = openAnalysisTab(platform.clock);
  if (isFailure(tab)) return tab;
  // A list that holds values since *Keep as values* stays as it is.
  const filled = list.isKept ? null : fillInNewRows(tab, list);
  if (isFailure(filled)) return filled;
  const known = tab.read();
  if (isFailure(known)) return known;
  const rows = rowsOf(list, known);
  if (rows === null) return scheduleProblem('sheet-gone', schedule.sheetName);
  const nowMs = platform.clock.nowMs();
  const sinceMs = schedule.sinceMs ?? nowMs;
  const maxAgeMs = schedule.settings.maxAgeHours * HOUR;
  noteInUse(platform, engine.scope, nowMs);
  const scopeSinceMs = comparableSinceMs(engine);
  const rule = { rows: task.rows, order: task.order, nowMs, sinceMs, maxAgeMs, scopeSinceMs };
  const due = dueProducts(rows, { ...rule, ...readNotes(list) });
  const calls = Math.min(callsMax(schedule, nowMs), callsIn(engine, untilMs - nowMs));
  const wanted = new Set(due.products.slice(0, calls));
  const left = due.soon + due.products.length - wanted.size;
  const sheetName = list.sheet.name() ?? schedule.sheetName;
  const work = { list, sheetName, tab, known, wanted, left };
  if (wanted.size === 0) return { ...work, job: null };
  const isWanted = (row: ListRow) => {
    const product = productOf(row);
    return product !== null && wanted.has(productKey(product));
  };
  // A cell that cannot be read gets its word along with them.
  const meant = rows.filter((row) => isWanted(row) || row.content.kind === 'unreadable');
  const wantedRows = { tab, sheet: list.sheet, known, rows: meant };
  const started = beginJob(platform, wantedRows, isWanted, {
    startedMs: nowMs,
    listId: list.id,
    market: list.groups[0]?.market ?? 'column',
    notBeforeMs: sinceMs - maxAgeMs,
    scheduleId: schedule.id,
  });
  return isFailure(started) ? started : { ...work, job: started.job };
}

/** A job that a person has started or paused goes first. */
function inTheWay(platform: Platform): Failure {
  const isPaused = jobStore(platform).read()?.state === 'paused';
  return scheduleProblem('run-in-the-way', isPaused ? 'paused' : 'under way');
}

function findList({ sheetName }: Schedule, { sheetId, listId }: ListTask): MarkedList | Failure {
  const sheet = sheetById(sheetId);
  if (sheet === null) return scheduleProblem('sheet-gone', sheetName);
  const list = markedLists(sheet).find(({ id }) => id === listId);
  // Without a column of ours, a list shows nothing that could be refreshed.
  if (list !== undefined && list.groups.length > 0) return list;
  return scheduleProblem('list-gone', sheet.name() ?? sheetName);
}

/**
 * The time between reading the clock and the first call, with a margin, so that hardly any row waits
 * without being reached.
 */
const AROUND_MS = 8_000;

/** While the rate is unknown: more calls than any key allows in one firing. */
const CALLS_UNKNOWN = 2_000;

const callsMax = (schedule: Schedule, nowMs: number): number =>
  callsLeft(schedule, nowMs) ?? Number.POSITIVE_INFINITY;

/** Roughly how many calls there is time for. */
function callsIn({ connection, gate }: Engine, leftMs: number): number {
  const learned = gate.learned();
  const quota = connection.quota ?? (learned?.sure ? learned : null);
  if (quota === null) return CALLS_UNKNOWN;
  return Math.max(1, Math.floor(((leftMs - AROUND_MS) / 1_000) * paceOf(quota).perSecond));
}

/** So many products without a single answer are not to blame themselves. */
const DOWN_MIN = 3;

/** Asks and records until nothing is left or the time is up. */
function drain(run: ListRun, engine: Engine, work: Work, begun: Job): Report {
  const { platform, schedule, untilMs, zone } = run;
  const { list, tab, known, wanted, left } = work;
  const { clock } = platform;
  const { rules } = schedule.settings;
  const sinceMs = comparableSinceMs(engine);
  const verdictsNow = () => readVerdicts(list.sheet, list.id, known);
  const asksForBuys = rules.some(({ kind }) => kind === BECAME_BUY);
  const verdicts: Verdicts = asksForBuys ? verdictsNow() : new Map();
  let changes = 0;
  let unlogged: Failure | undefined;
  function log(lines: readonly LogLine[]): void {
    const failure = unlessBusy(() => logChanges(lines, isRoiFraction(engine)));
    if (failure === null) changes += lines.length;
    else unlogged = failure;
  }
  const marked = (row: RecordedRow, more: readonly string[] = []) => {
    const words = [...wordsMet(rules, row, sinceMs), ...more];
    return words.length === 0 ? null : markText(words, clock.nowMs(), zone);
  };
  const { job, problem } = endOf(platform, begun, () =>
    drainQueue(platform, begun, untilMs, {
      callsMax: callsMax(schedule, begun.startedMs),
      changedText: marked,
      onRecorded: (rows) => log(logLines(rows, rules, sinceMs, clock.nowMs())),
    }),
  );
  // Whatever a record could not tell any more, the tab shows.
  const after = tab.read();
  if (isFailure(after)) return failedWith(after);
  const settled = settledRows(known, after, wanted);
  function noteBought(): Failure | null {
    const bought = becameBuy(settled, verdicts, verdictsNow(), sinceMs, clock.nowMs());
    const noted = platform.lock.run(RECORD_LOCK_WAIT_MS, () => {
      log(bought);
      return markBought(tab, settled, bought, (row) => marked(row, [NOW_A_BUY]));
    });
    return noted.held ? noted.value : runProblem('busy');
  }
  const unnoted = verdicts.size === 0 ? null : unlessBusy(noteBought);
  const outcome = outcomeOf(settled, begun.startedMs);
  const isDown = outcome.hasPassing && outcome.refreshed === 0 && outcome.failed >= DOWN_MIN;
  const calls = Math.max(job.counts.calls, outcome.asked);
  return {
    ...{ refreshed: outcome.refreshed, failed: outcome.failed, calls, changes },
    isThrough: job.state === 'done' && left === 0 && !outcome.hasPassing,
    wasStopped: job.state === 'stopped' || job.state === 'paused',
    problem: problem ?? (isDown ? runProblem('service-down', String(calls)) : undefined),
    unlogged: unlogged ?? unnoted ?? undefined,
  };
}

/** The rows of these products that were settled meanwhile. */
function settledRows(
  known: KnownRows,
  after: KnownRows,
  wanted: ReadonlySet<string>,
): readonly RecordedRow[] {
  return [...after].flatMap(([key, row]) => {
    const before = known.get(key) ?? null;
    const isTried = row.wantedMs === null && row.triedMs !== (before?.triedMs ?? null);
    return isTried && wanted.has(keyOfProduct(row)) ? [{ before, after: row }] : [];
  });
}

interface Outcome extends Pick<Report, 'refreshed' | 'failed'> {
  /** How many products were asked since the beginning. */
  readonly asked: number;
  /** Whether one failed in a way that may pass. */
  readonly hasPassing: boolean;
}

/** What became of rows that were settled, counted in products. */
function outcomeOf(settled: readonly RecordedRow[], startedMs: number): Outcome {
  const count = (isMeant: (row: AnalysisRow) => boolean) =>
    new Set(settled.flatMap(({ after }) => (isMeant(after) ? [keyOfProduct(after)] : []))).size;
  return {
    refreshed: count(({ status }) => status === OK_STATUS),
    failed: count(({ status }) => status !== OK_STATUS),
    asked: count(({ triedMs }) => triedMs !== null && triedMs >= wholeSeconds(startedMs)),
    hasPassing: settled.some(
      ({ after: { status } }) => !statusLasts(status) && status !== OK_STATUS,
    ),
  };
}

/** What the tab shows of a run that was cut off after it had begun at this moment. */
export function cutOffCounts(
  { clock }: Platform,
  startedMs: number,
): Pick<Report, 'refreshed' | 'failed' | 'calls'> | Failure {
  const rows = analysisRows(clock);
  if (isFailure(rows)) return rows;
  const tried = [...rows.values()].flatMap((after) => {
    const sinceMs = (after.triedMs ?? 0) - wholeSeconds(startedMs);
    return sinceMs >= 0 && sinceMs < RUN_MS_MAX ? [{ before: null, after }] : [];
  });
  const { refreshed, failed, asked } = outcomeOf(tried, startedMs);
  return { refreshed, failed, calls: asked };
}

/** The job as the work left it, and what kept it from going on. It blocks nobody afterwards. */
function endOf(
  platform: Platform,
  begun: Job,
  work: () => Job | Failure,
): { readonly job: Job; readonly problem: Failure | null } {
  const outcome = unlessBusy(work);
  const noted = jobStore(platform).read();
  const job = !isFailure(outcome) ? outcome : noted?.id === begun.id ? noted : begun;
  if (!isOver(job)) untilDone(() => stop(platform, job.id));
  return { job, problem: job.why ?? (isFailure(outcome) ? outcome : null) };
}

const NOW_A_BUY = ruleWords({ kind: BECAME_BUY });

/** Marks the rows of products that became a Buy. The caller holds the document's lock. */
function markBought(
  tab: AnalysisTab,
  recorded: readonly RecordedRow[],
  bought: readonly LogLine[],
  textOf: (row: RecordedRow) => string | null,
): Failure | null {
  const keys = new Set(bought.map(({ asin, market }) => `${asin}|${market}`));
  const rows = recorded.filter(({ after }) => keys.has(`${after.asin}|${after.market}`));
  if (rows.length === 0) return null;
  const written = tab.record(
    rows.map((row) => [
      { key: row.after.key },
      (before) => before && { ...before, changed: textOf(row) ?? before.changed },
    ]),
  );
  return isFailure(written) ? written : null;
}

/**
 * How soon a failure that may pass is tried again: at the next firing, which may come a little
 * early.
 */
const TRY_AGAIN_MS = 30 * MINUTE;

/**
 * A product that fails for this long is left until the schedule's next occurrence, so that it does
 * not hold the others up.
 */
const TRY_FOR_MS = DAY;

export interface DueRule extends Pick<ListTask, 'rows' | 'order'> {
  readonly nowMs: number;
  /** When the current occurrence began, ms since 1970. */
  readonly sinceMs: number;
  readonly maxAgeMs: number;
  /** Figures that were fetched before this came with another key or were read in another way. */
  readonly scopeSinceMs: number;
  /** Row numbers with a star, and those that are never refreshed. */
  readonly starred: ReadonlySet<number>;
  readonly skipped: ReadonlySet<number>;
}

export interface Due {
  /** The keys of the products that are due, the most urgent first. */
  readonly products: readonly string[];
  /** How many have just failed and are tried again at the next firing. */
  readonly soon: number;
}

/** A product that is due. It is as old as its oldest row and starred if one of its rows is. */
interface Candidate {
  readonly product: string;
  /** When it was answered or tried; -Infinity: never. */
  readonly atMs: number;
  readonly isStarred: boolean;
}

/** Of a product in several rows, the row that was answered the longest ago counts. */
export function dueProducts(rows: readonly ListRow[], rule: DueRule): Due {
  const due = new Map<string, Candidate>();
  const soon = new Set<string>();
  for (const { row, content, known } of rows) {
    if (content.kind !== 'product' || !isMeant(row, known, rule)) continue;
    const product = productKey(content.product);
    const turn = turnOf(known, rule);
    if (turn === 'soon') soon.add(product);
    if (turn !== 'now') continue;
    const other = due.get(product);
    due.set(product, {
      product,
      atMs: Math.min(settledMs(known) ?? Number.NEGATIVE_INFINITY, other?.atMs ?? Infinity),
      isStarred: rule.starred.has(row) || other?.isStarred === true,
    });
  }
  const byAge = (a: Candidate, b: Candidate) => (a.atMs === b.atMs ? 0 : a.atMs - b.atMs);
  const byStar = (a: Candidate, b: Candidate) => Number(b.isStarred) - Number(a.isStarred);
  const [first, then] = rule.order === 'starred' ? [byStar, byAge] : [byAge, byStar];
  const products = [...due.values()].sort((a, b) => first(a, b) || then(a, b));
  return {
    products: products.map(({ product }) => product),
    soon: [...soon].filter((product) => !due.has(product)).length,
  };
}

function isMeant(row: number, known: AnalysisRow | undefined, rule: DueRule): boolean {
  if (rule.skipped.has(row)) return false;
  if (rule.rows === 'failed') return isFailureStatus(known?.status ?? '');
  return rule.rows === 'all' || rule.starred.has(row);
}

function turnOf(known: AnalysisRow | undefined, rule: DueRule): 'now' | 'soon' | null {
  const atMs = settledMs(known);
  if (known === undefined || atMs === null || atMs < rule.sinceMs - rule.maxAgeMs) return 'now';
  if (known.status === OK_STATUS) return atMs < rule.scopeSinceMs ? 'now' : null;
  if (statusLasts(known.status) || rule.nowMs - rule.sinceMs >= TRY_FOR_MS) return null;
  return rule.nowMs - atMs >= TRY_AGAIN_MS ? 'now' : 'soon';
}

/** When a row was answered, or was tried and failed, ms since 1970; null: neither. */
function settledMs(known: AnalysisRow | undefined): number | null {
  if (known?.status === OK_STATUS) return known.analyzedMs;
  return isFailureStatus(known?.status ?? '') ? (known?.triedMs ?? null) : null;
}
