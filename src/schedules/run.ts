// One run of a schedule: its list or its formulas are refreshed as far as they are due, and the result is
// recorded.

import { type AnalysisTab, openAnalysisTab } from '../analysis/analysis-tab';
import { type Logged, NOTHING_LOGGED } from '../analysis/changes';
import { whileLeased } from '../analysis/leased';
import { CHANGE_NAME, identityHere } from '../connection/connection-store';
import { openEngine } from '../engine/doors';
import type { Engine } from '../engine/engine';
import { HOUR, momentsIn, type ZoneOffset } from '../failures/duration';
import { type Failure, isFailure, lasts, runProblem, scheduleProblem } from '../failures/failure';
import { type Deadline, refreshFormulas } from '../formulas/refresh';
import type { Platform } from '../google/platform';
import { unlessBusy } from '../google/service-call';
import { localeHere, sheetById } from '../google/spreadsheet';
import { failedProducts, isOver, type Job, type JobAtWork, jobStore } from '../jobs/job';
import { beginJob, jobInTheWay } from '../jobs/start';
import { clearQueue, drainQueue, leftOf, stop } from '../jobs/work';
import { paceOf } from '../limit/pace';
import { fillInNewRows } from '../list/our-cells';
import { type ListRow, listRows, productOfRow } from '../list/rows';
import { listName, type TaggedList, taggedList } from '../list/tagged-list';
import { productKey } from '../product/asin';
import { failureOfStop } from '../service/response';
import { dueProducts, type ListTask, recurrenceWords, TRY_AGAIN_MS } from './due';
import {
  beginRun,
  callsLeft,
  cutOffMs,
  endRun,
  isDue,
  isNews,
  isRunning,
  runHistory,
  type Schedule,
  type ScheduleRun,
  scheduleStore,
} from './schedule';
import { tellNews } from './tell';

export interface RunContext {
  readonly platform: Platform;
  /** The person as whom it runs. */
  readonly me: string;
  readonly zone: ZoneOffset;
  /** No call begins after this time, ms since 1970. */
  readonly untilMs: number;
  readonly byHand: boolean;
  /** Also refreshes products of a list that are not old enough. */
  readonly anyway?: boolean;
}

export interface RunOutcome {
  readonly run: ScheduleRun;
  /** More is due and can be done now. */
  readonly goesOn: boolean;
}

/** Runs a schedule and returns its outcome, or a failure if the schedule no longer exists. */
export function runSchedule(context: RunContext, id: string): RunOutcome | Failure {
  const { platform, zone, byHand, me } = context;
  const store = scheduleStore(platform);
  const startedMs = platform.clock.nowMs();
  const before = store.read().list.find((schedule) => schedule.id === id);
  if (before === undefined) return scheduleProblem('not-found');
  const begun = store.change(id, (schedule) => {
    if (isRunning(schedule, startedMs)) return scheduleProblem('at-work');
    // Other schedules have run since this one was found due, and people may have changed it.
    const isMeant = byHand || (schedule.by === me && isDue(schedule, startedMs, zone));
    return isMeant ? beginRun(schedule, startedMs, zone) : scheduleProblem('not-found');
  });
  if (isFailure(begun)) return begun;
  noteCutOff(context, before);
  const report = work(context, begun);
  const run = runOf(begun, report, startedMs, platform.clock.nowMs(), byHand);
  const { sheetName = begun.sheetName } = report;
  const after = store.change(id, (schedule) => ({ ...endRun(schedule, begun, run), sheetName }));
  if (isFailure(after)) return after;
  const history = runHistory(platform, identityHere(platform));
  if (isNews(run, before.last)) history.add(run);
  const isStopped = report.wasStopped === true || report.problem !== undefined;
  const isOver = run.outcome !== 'part' || (run.refreshed === 0 && run.calls === 0) || isStopped;
  return { run, goesOn: !isOver && after.sinceMs !== null && callsLeft(after, startedMs) !== 0 };
}

/**
 * Records the latest run if it was cut off, with what the tab shows of it, so that people learn that
 * changes may be missing in the log.
 */
function noteCutOff({ platform, zone }: RunContext, schedule: Schedule): void {
  const startedMs = cutOffMs(schedule, platform.clock.nowMs());
  if (startedMs === null) return;
  const noted = jobStore(platform).read();
  const isOwn = noted?.scheduleId === schedule.id && noted.startedMs >= startedMs;
  const report = {
    ...NOTHING,
    ...(isOwn && countsIn(seenIn(platform, noted))),
    problem: scheduleProblem('cut-off', momentsIn(zone, localeHere())(startedMs)),
  };
  const endedMs = isOwn ? noted.touchedMs : startedMs;
  runHistory(platform, identityHere(platform)).add(
    runOf(schedule, report, startedMs, endedMs, false),
  );
  if (isOwn && !isOver(noted)) stop(platform, noted.id);
}

function runOf(
  schedule: Schedule,
  report: Report,
  startedMs: number,
  nowMs: number,
  byHand: boolean,
): ScheduleRun {
  const { refreshed, failed, calls, changes, isThrough, unlogged } = report;
  const { sheetName = schedule.sheetName, problem = unlogged } = report;
  const name = recurrenceWords(schedule.settings.recurrence, localeHere());
  const did = refreshed + failed > 0;
  const outcome = isThrough ? 'done' : problem !== undefined && !did ? 'failed' : 'part';
  return {
    startedMs,
    tookMs: nowMs - startedMs,
    // The sheet's name distinguishes lists that have the same recurrence.
    name: sheetName === '' ? name : `${name}, ${sheetName}`,
    outcome,
    refreshed,
    failed,
    calls,
    changes,
    byHand,
    problem,
  };
}

/** The result of one run of a schedule. */
interface Report {
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

const failedWith = (problem: Failure): Report => ({ ...NOTHING, problem });

function work(context: RunContext, schedule: Schedule): Report {
  const { task, maxAgeHours } = schedule.settings;
  if (task.kind === 'formulas') return runFormulas(context, schedule);
  // Only answers from after its beginning are recent enough.
  const sinceMs = context.anyway && Number(schedule.sinceMs) + maxAgeHours * HOUR;
  return runList(context, sinceMs ? { ...schedule, sinceMs } : schedule, task);
}

/** How soon a schedule that is switched off stops, ms. Each look costs a property and a cache call. */
const SWITCH_POLL_MS = 5_000;

/**
 * The deadline of a run. It ends at once if the schedule gets another owner or other settings, or
 * is switched off, and if a key is saved, shared or removed: this run still has the key it began
 * with, and the next one has the right one.
 */
function deadlineOf(platform: Platform, begun: Schedule, untilMs: number): Deadline {
  const store = scheduleStore(platform);
  const settings = JSON.stringify(begun.settings);
  // By hand a schedule may run although it is switched off.
  const isStill = ({ id, by, isOn, ...now }: Schedule) =>
    id === begun.id &&
    by === begun.by &&
    (isOn || !begun.isOn) &&
    JSON.stringify(now.settings) === settings;
  const keyChange = () => platform.cache.getAll([CHANGE_NAME])[CHANGE_NAME];
  const changeAtStart = keyChange();
  let pollAtMs = platform.clock.nowMs() + SWITCH_POLL_MS;
  let endMs = untilMs;
  return () => {
    if (platform.clock.nowMs() >= pollAtMs) {
      const isSame = keyChange() === changeAtStart;
      if (!isSame || !store.read().list.some(isStill)) endMs = 0;
      pollAtMs = platform.clock.nowMs() + SWITCH_POLL_MS;
    }
    return endMs;
  };
}

/** Answers are kept for six hours, and formulas are calculated again once all of them are there. */
const HOURS_MAX = 5;

function runFormulas({ platform, untilMs }: RunContext, schedule: Schedule): Report {
  const nowMs = platform.clock.nowMs();
  const { maxAgeHours, callsPerHour } = schedule.settings;
  const report = refreshFormulas(platform, {
    when: 'due',
    notBeforeMs: (schedule.sinceMs ?? nowMs) - maxAgeHours * HOUR,
    callsMax: callsLeft(schedule, nowMs),
    productsMax: callsPerHour === null ? Number.POSITIVE_INFINITY : HOURS_MAX * callsPerHour,
    untilMs: deadlineOf(platform, schedule, untilMs),
  });
  if (isFailure(report)) return failedWith(report);
  const { refreshed, failed, calls, left, problem } = report;
  return { refreshed, failed, calls, changes: 0, isThrough: left === 0 && !problem, problem };
}

function runList(context: RunContext, schedule: Schedule, task: ListTask): Report {
  const { platform, untilMs } = context;
  const engine = openEngine(platform, 'list');
  if (isFailure(engine)) return failedWith(engine);
  const stopped = stopOf(engine, untilMs);
  if (stopped !== null) return failedWith(stopped);
  const work = unlessBusy(() =>
    whileLeased(platform, 'starting a scheduled run', () => begin(context, schedule, task, engine)),
  );
  if (isFailure(work)) {
    if (work.kind === 'google-busy') untilDone(() => unwantAll(platform));
    return failedWith(work);
  }
  const { begun, left, sheetName, told } = work;
  const report =
    begun === null ? { ...NOTHING, isThrough: left === 0 } : drain(context, schedule, work, begun);
  const after = begun === null ? NOTHING_LOGGED : tellAfter(context, schedule, task, engine, work);
  const unlogged = report.unlogged ?? problemOf(told) ?? problemOf(after);
  const changes = report.changes + changeCountOf(told) + changeCountOf(after);
  return { ...report, changes, sheetName, unlogged };
}

/** Ends the queue of a run that has no job yet. */
const unwantAll = (platform: Platform): Failure | null =>
  whileLeased(platform, 'ending a scheduled run', () => {
    // The rows that wait may belong to somebody's job.
    if (jobInTheWay(platform) !== null) return null;
    const tab = openAnalysisTab(platform.clock);
    return isFailure(tab) ? tab : clearQueue(tab);
  });

/** Each try is of calls that are made twice already. */
const TRIES_MAX = 3;

/** The end of a run. Where Google's services fail all the time, rows wait until the next firing. */
function untilDone<T>(end: () => T | Failure): T | Failure {
  let ended = unlessBusy(end);
  for (let tries = 1; isFailure(ended) && tries < TRIES_MAX; tries += 1) ended = unlessBusy(end);
  return ended;
}

/** Why no call would be made, if that lasts beyond this firing or the service is in trouble. */
function stopOf({ gate, platform }: Engine, untilMs: number): Failure | null {
  const stopped = gate.stopped();
  if (stopped === undefined) return null;
  if (stopped.untilMs <= untilMs && stopped.status === undefined) return null;
  return failureOfStop(stopped, platform.clock.nowMs());
}

/** What a run of the schedule has begun. */
interface BegunWork {
  readonly sheetName: string;
  readonly tab: AnalysisTab;
  /** What was told of what others have fetched. */
  readonly told: Logged | Failure;
  /** null: there is nothing to ask. */
  readonly begun: JobAtWork | null;
  /** How many more products are due, or will be at the next firing. */
  readonly left: number;
}

/** Finds what is due and starts a job for it. The caller has the lease. */
function begin(
  { platform, untilMs }: RunContext,
  schedule: Schedule,
  task: ListTask,
  engine: Engine,
): BegunWork | Failure {
  if (jobInTheWay(platform) !== null) return inTheWay(platform);
  const list = findList(schedule, task);
  if (isFailure(list)) return list;
  const tab = openAnalysisTab(platform.clock);
  if (isFailure(tab)) return tab;
  const filled = fillInNewRows(tab, list);
  if (isFailure(filled)) return filled;
  const tabRows = tab.read();
  if (isFailure(tabRows)) return tabRows;
  const rows = listRows(list, tabRows);
  if (rows === null) return scheduleProblem('sheet-gone', schedule.sheetName);
  const told = tellNews(platform, engine, schedule, task, { list, tab, tabRows });
  const nowMs = platform.clock.nowMs();
  const sinceMs = schedule.sinceMs ?? nowMs;
  const maxAgeMs = schedule.settings.maxAgeHours * HOUR;
  const { fetchedWith } = engine;
  const rule = { rows: task.rows, nowMs, sinceMs, maxAgeMs, fetchedWith };
  const due = dueProducts(rows, rule);
  const calls = Math.min(callsMax(schedule, nowMs), callsWithin(engine, untilMs - nowMs));
  const wanted = new Set(due.products.slice(0, calls));
  const left = due.soon + due.products.length - wanted.size;
  const sheetName = listName(list);
  const work = { sheetName, tab, told, left };
  if (wanted.size === 0) return { ...work, begun: null };
  const isWanted = (row: ListRow) => {
    const product = productOfRow(row);
    return product !== null && wanted.has(productKey(product));
  };
  // A cell that cannot be read gets its word along with them.
  const meant = rows.filter((row) => isWanted(row) || row.content.kind === 'unreadable');
  const wantedRows = { tab, sheet: list.sheet, tabRows, rows: meant };
  const begun = beginJob(platform, wantedRows, isWanted, {
    startedMs: nowMs,
    listId: list.id,
    market: list.blocks[0]?.market ?? 'column',
    notBeforeMs: sinceMs - maxAgeMs,
    scheduleId: schedule.id,
    rules: schedule.settings.rules,
  });
  return isFailure(begun) ? begun : { ...work, begun };
}

/** A job that a person has started or paused goes first. */
function inTheWay(platform: Platform): Failure {
  const isPaused = jobStore(platform).read()?.state === 'paused';
  return scheduleProblem('run-in-the-way', isPaused ? 'paused' : 'under way');
}

function findList({ sheetName }: Schedule, task: ListTask): TaggedList | Failure {
  const list = taggedList(task);
  // Without a column of ours, a list shows nothing that could be refreshed.
  if (list !== null && list.blocks.length > 0) return list;
  const sheet = sheetById(task.sheetId);
  if (sheet === null) return scheduleProblem('sheet-gone', sheetName);
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
function callsWithin({ connection, gate }: Engine, leftMs: number): number {
  const learned = gate.learned();
  const quota = connection.quota ?? (learned?.sure ? learned : null);
  if (quota === null) return CALLS_UNKNOWN;
  return Math.max(1, Math.floor(((leftMs - AROUND_MS) / 1_000) * paceOf(quota).perSecond));
}

/** So many products without a single answer are not to blame themselves. */
const DOWN_MIN = 3;

/**
 * Whether its latest products all ended alike a moment ago. No row tells of that, so the clock takes only
 * stored answers until the next firing.
 */
const isResting = ({ byHand }: RunContext, { last }: Schedule, nowMs: number): boolean =>
  !byHand && last?.problem?.kind === 'alike' && nowMs - last.startedMs < TRY_AGAIN_MS;

/** Asks and records until nothing is left or the time is up. */
function drain(context: RunContext, schedule: Schedule, work: BegunWork, begun: JobAtWork): Report {
  const { platform, untilMs } = context;
  const { startedMs } = begun.job;
  const options = {
    callsMax: isResting(context, schedule, startedMs) ? 0 : callsMax(schedule, startedMs),
    isWatched: context.byHand,
  };
  const { job, problem } = endOf(platform, begun.job, () =>
    drainQueue(platform, begun, untilMs, options),
  );
  const counts = countsIn(job);
  const { refreshed, failed } = counts;
  const hasPassing = Object.keys(job.counts.failures).some((kind) => !lasts(kind));
  const isDown = hasPassing && refreshed === 0 && failed >= DOWN_MIN;
  return {
    ...counts,
    isThrough: job.state === 'done' && work.left === 0 && !hasPassing,
    wasStopped: job.state === 'stopped' || job.state === 'paused',
    problem: problem ?? (isDown ? runProblem('service-down', String(counts.calls)) : undefined),
    unlogged: job.unlogged,
  };
}

/** Tells what a run has found. */
function tellAfter(
  { platform }: RunContext,
  schedule: Schedule,
  task: ListTask,
  engine: Engine,
  { tab }: BegunWork,
): Logged | Failure {
  if (schedule.settings.rules.length === 0) return NOTHING_LOGGED;
  return unlessBusy(() =>
    whileLeased(platform, 'writing results', () => {
      const tabRows = tab.read();
      const list = taggedList(task);
      if (isFailure(tabRows) || list === null) return isFailure(tabRows) ? tabRows : NOTHING_LOGGED;
      return tellNews(platform, engine, schedule, task, { list, tab, tabRows });
    }),
  );
}

const changeCountOf = (told: Logged | Failure): number => (isFailure(told) ? 0 : told.changes);
const problemOf = (told: Logged | Failure): Failure | undefined =>
  (isFailure(told) ? told : told.problem) ?? undefined;

/** The job as the work left it, and what kept it from going on. It blocks nobody afterwards. */
function endOf(
  platform: Platform,
  begun: Job,
  work: () => Job | Failure,
): { readonly job: Job; readonly problem: Failure | null } {
  const outcome = unlessBusy(work);
  const job = isFailure(outcome) ? seenIn(platform, begun) : outcome;
  if (!isOver(job)) untilDone(() => stop(platform, job.id));
  // Also where all is answered by now: what was changed as it failed may be missing in the log.
  return { job, problem: job.why ?? (isFailure(outcome) ? outcome : null) };
}

/** The job with all that the tab shows of it, also what a record could not count any more. */
function seenIn(platform: Platform, job: Job): Job {
  const seen = untilDone(() => leftOf(platform, job.id));
  return isFailure(seen) ? job : seen.job;
}

function countsIn({ counts }: Job): Pick<Report, 'refreshed' | 'failed' | 'calls' | 'changes'> {
  const failed = failedProducts(counts);
  return {
    refreshed: counts.answered + counts.cached,
    failed,
    // A record that Google refused has not told its calls.
    calls: Math.max(counts.calls, counts.answered + failed),
    changes: counts.changes,
  };
}
