// Runs a due schedule, either its list or its formulas, and records the result.

import { CHANGE_NAME } from '../connection/connection-store';
import { HOUR } from '../failures/duration';
import { type Failure, isFailure, scheduleProblem } from '../failures/failure';
import { type Deadline, refreshFormulas } from '../formulas/refresh';
import type { Platform } from '../google/platform';
import { isOver } from '../jobs/job';
import { jobStore } from '../jobs/job-store';
import { stop } from '../jobs/set-state';
import { momentWords, recurrenceWords, type ZoneOffset } from './recurrence';
import { countsOf, failedWith, type Report, runList } from './run-list';
import {
  beginOccurrence,
  callsLeft,
  cutOffMs,
  endRun,
  isDue,
  NOTHING_SPENT,
  type Schedule,
  type ScheduleRun,
  spentWith,
} from './schedule';
import {
  identityHere,
  runHistory,
  type ScheduleStore,
  scheduleStore,
  withSchedule,
} from './schedule-store';

/** How soon a schedule that is switched off stops, ms. Each look costs a property and a cache call. */
const LOOK_EACH_MS = 5_000;

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
  let lookAtMs = platform.clock.nowMs() + LOOK_EACH_MS;
  let endMs = untilMs;
  return () => {
    if (platform.clock.nowMs() >= lookAtMs) {
      const all = store.read();
      const isSame = keyChange() === changeAtStart;
      if (!isSame || all === null || isFailure(all) || !all.list.some(isStill)) endMs = 0;
      lookAtMs = platform.clock.nowMs() + LOOK_EACH_MS;
    }
    return endMs;
  };
}

/** Answers are kept for six hours, and formulas are calculated again once all of them are there. */
const HOURS_MAX = 5;

function runFormulas(platform: Platform, schedule: Schedule, untilMs: number): Report {
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

export interface RunContext {
  readonly platform: Platform;
  readonly store: ScheduleStore;
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

/** Changes a schedule if it still exists. Costs two property calls. */
export const changeOne = (store: ScheduleStore, id: string, next: (before: Schedule) => Schedule) =>
  store.change((now) => now && withSchedule(now, id, next));

/** Runs a schedule and returns its outcome, or a failure if the schedule no longer exists. */
export function runSchedule(occasion: RunContext, id: string): RunOutcome | Failure {
  const { platform, store, zone, byHand, me } = occasion;
  const startedMs = platform.clock.nowMs();
  // Other schedules have run since this one was found due, and people may have changed it.
  const isMeant = (one: Schedule) => byHand || (one.by === me && isDue(one, startedMs, zone));
  let { spent } = NOTHING_SPENT;
  // What remains if the execution is cut off: its problem, and an hour without further calls.
  function begin(one: Schedule): Schedule {
    spent = one.spent;
    return {
      ...beginOccurrence(one, startedMs, zone),
      spent: spentWith(one, callsLeft(one, startedMs) ?? 0, startedMs),
      problem: scheduleProblem('cut-off', String(startedMs)),
    };
  }
  noteCutOff(occasion, id);
  const all = changeOne(store, id, (one) => (isMeant(one) ? begin(one) : one));
  if (isFailure(all)) return all;
  const found = all?.list.find((one) => one.id === id);
  if (found === undefined || !isMeant(found)) return scheduleProblem('not-found');
  const schedule = { ...found, spent };
  const report = work(occasion, schedule);
  // The execution that is running it records the outcome.
  if (report.problem?.kind === 'schedule' && report.problem.why === 'at-work')
    return report.problem;
  const nowMs = platform.clock.nowMs();
  const run = runOf(schedule, report, startedMs, nowMs, byHand);
  const { sheetName = schedule.sheetName } = report;
  const noted = changeOne(store, id, (one) => ({
    ...endRun({ ...one, spent }, run, schedule.settings),
    sheetName,
  }));
  if (isFailure(noted)) return noted;
  if (isWorthNoting(run, schedule)) runHistory(platform, identityHere(platform)).add(run);
  const isStopped = report.wasStopped === true || report.problem !== undefined;
  const didNone = run.refreshed === 0 && run.calls === 0;
  const isOver = run.outcome !== 'part' || didNone || isStopped;
  const after = noted?.list.find((one) => one.id === id);
  const isWanted = after !== undefined && after.sinceMs !== null;
  return { run, goesOn: !isOver && isWanted && callsLeft(after, startedMs) !== 0 };
}

/**
 * Records the latest run if it was cut off, with what its job has noted, so that people learn that
 * changes may be missing in the log.
 */
function noteCutOff({ platform, store, zone }: RunContext, id: string): void {
  const all = store.read();
  const schedule = isFailure(all) ? undefined : all?.list.find((one) => one.id === id);
  const startedMs = schedule === undefined ? null : cutOffMs(schedule, platform.clock.nowMs());
  if (schedule === undefined || startedMs === null) return;
  const noted = jobStore(platform).read();
  const job = noted?.scheduleId === id && !isOver(noted) ? noted : null;
  const report = {
    ...failedWith(scheduleProblem('cut-off', momentWords(startedMs, zone))),
    ...(job !== null && countsOf(job)),
  };
  const run = runOf(schedule, report, startedMs, job?.touchedMs ?? startedMs, false);
  changeOne(store, id, (one) => ({ ...endRun(one, run, schedule.settings), spent: one.spent }));
  runHistory(platform, identityHere(platform)).add(run);
  if (job !== null) stop(platform, job.id);
}

function work({ platform, untilMs, zone, anyway }: RunContext, schedule: Schedule): Report {
  const { task, maxAgeHours } = schedule.settings;
  // Only answers from after its beginning are recent enough.
  const sinceMs = anyway && Number(schedule.sinceMs) + maxAgeHours * HOUR;
  if (task.kind === 'list')
    return runList({
      ...{ platform, task, untilMs, zone },
      schedule: sinceMs ? { ...schedule, sinceMs } : schedule,
    });
  return runFormulas(platform, schedule, untilMs);
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
  const name = recurrenceWords(schedule.settings.recurrence);
  const did = refreshed + failed > 0;
  const outcome = isThrough ? 'done' : problem !== undefined && !did ? 'failed' : 'part';
  return {
    startedMs,
    tookMs: nowMs - startedMs,
    // The sheet's name distinguishes lists that have the same recurrence.
    name: sheetName === '' ? name : `${name}, ${sheetName}`,
    ...{ outcome, refreshed, failed, calls, changes, byHand },
    problem,
  };
}

const didNothing = ({ refreshed, failed }: ScheduleRun): boolean => refreshed + failed === 0;

/**
 * Whether the run belongs in the history. A schedule that waits, finds nothing due or fails as
 * before is recorded once and not every hour.
 */
function isWorthNoting(run: ScheduleRun, { last }: Schedule): boolean {
  if (run.outcome !== 'failed') {
    const isAgain = last?.outcome === 'done' && didNothing(last) && !run.byHand;
    // Failed rows are tried again every hour.
    const failsOn = run.refreshed === 0 && run.failed <= (last?.failed ?? 0) && !run.byHand;
    return didNothing(run) ? run.outcome === 'done' && !isAgain : !failsOn;
  }
  const said = (problem: Failure | undefined) =>
    JSON.stringify({ ...problem, waitMs: undefined, requestId: undefined });
  return said(last?.problem) !== said(run.problem);
}
