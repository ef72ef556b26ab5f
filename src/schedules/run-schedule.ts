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
import { cutOffCounts, failedWith, type Report, runList } from './run-list';
import {
  beginRun,
  callsLeft,
  cutOffMs,
  endRun,
  isDue,
  isNews,
  isRunning,
  type Schedule,
  type ScheduleRun,
} from './schedule';
import { identityHere, runHistory, type ScheduleStore, scheduleStore } from './schedule-store';

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
      const isSame = keyChange() === changeAtStart;
      if (!isSame || !store.read().list.some(isStill)) endMs = 0;
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

/** Runs a schedule and returns its outcome, or a failure if the schedule no longer exists. */
export function runSchedule(context: RunContext, id: string): RunOutcome | Failure {
  const { platform, store, zone, byHand, me } = context;
  const startedMs = platform.clock.nowMs();
  const before = store.read().list.find((one) => one.id === id);
  if (before === undefined) return scheduleProblem('not-found');
  const begun = store.change(id, (one) => {
    if (isRunning(one, startedMs)) return scheduleProblem('at-work');
    // Other schedules have run since this one was found due, and people may have changed it.
    const isMeant = byHand || (one.by === me && isDue(one, startedMs, zone));
    return isMeant ? beginRun(one, startedMs, zone) : scheduleProblem('not-found');
  });
  if (isFailure(begun)) return begun;
  noteCutOff(context, before);
  const report = work(context, begun);
  const run = runOf(begun, report, startedMs, platform.clock.nowMs(), byHand);
  const { sheetName = begun.sheetName } = report;
  const after = store.change(id, (one) => ({ ...endRun(one, begun, run), sheetName }));
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
  const isOfList = schedule.settings.task.kind === 'list';
  const counts = isOfList ? cutOffCounts(platform, startedMs) : null;
  const report = {
    ...failedWith(scheduleProblem('cut-off', momentWords(startedMs, zone))),
    ...(!isFailure(counts) && counts),
  };
  const job = jobStore(platform).read();
  const isOwn = job?.scheduleId === schedule.id;
  const endedMs = isOwn ? job.touchedMs : startedMs;
  runHistory(platform, identityHere(platform)).add(
    runOf(schedule, report, startedMs, endedMs, false),
  );
  if (isOwn && !isOver(job)) stop(platform, job.id);
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
