// Runs a due schedule, either its list or its formulas, and records the result.

import { CHANGE_NAME } from '../connection/connection-store';
import { type Failure, isFailure, scheduleProblem } from '../failures/failure';
import type { Deadline } from '../formulas/recalculate';
import { refreshFormulas } from '../formulas/refresh';
import type { Platform, SheetPlatform } from '../platform/ports';
import { type DigestEntry, digestStore } from './digest';
import { momentWords, recurrenceWords, type ZoneOffset } from './recurrence';
import { failedWith, type Report, runList } from './run-list';
import { begun, callsLeft, isDue, ranOn, type Schedule, type ScheduleRun } from './schedule';
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

const HOUR_MS = 3_600_000;

function runFormulas(
  platform: SheetPlatform,
  schedule: Schedule,
  untilMs: number,
  zone: ZoneOffset,
): Report {
  const nowMs = platform.clock.nowMs();
  const sinceMs = schedule.sinceMs ?? nowMs;
  const report = refreshFormulas(platform, {
    notBeforeMs: sinceMs - schedule.settings.maxAgeHours * HOUR_MS,
    sinceMs,
    callsMax: callsLeft(schedule, nowMs),
    untilMs: deadlineOf(platform, schedule, untilMs),
  });
  if (isFailure(report)) return failedWith(report);
  const { refreshed, failed, calls, left, goesOnMs } = report;
  const problem =
    goesOnMs === undefined
      ? report.problem
      : scheduleProblem('cells-over', momentWords(goesOnMs, zone));
  return { refreshed, failed, calls, isThrough: left === 0, problem };
}

export interface RunContext {
  readonly platform: SheetPlatform;
  readonly store: ScheduleStore;
  /** The person as whom it runs. */
  readonly me: string;
  readonly zone: ZoneOffset;
  /** No call begins after this time, ms since 1970. */
  readonly untilMs: number;
  readonly byHand: boolean;
  /** Also refreshes rows of a list that are not old enough. */
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
  // This problem remains if the execution is cut off.
  const begin = (one: Schedule) => ({
    ...(byHand ? begunByHand(one, startedMs) : begun(one, startedMs, zone)),
    problem: scheduleProblem('cut-off', String(startedMs)),
  });
  const all = changeOne(store, id, (one) => (isMeant(one) ? begin(one) : one));
  if (isFailure(all)) return all;
  const schedule = all?.list.find((one) => one.id === id);
  if (schedule === undefined || !isMeant(schedule)) return scheduleProblem('not-found');
  const report = work(occasion, schedule);
  // The execution that is running it records the outcome.
  if (report.problem?.kind === 'schedule' && report.problem.why === 'at-work')
    return report.problem;
  const nowMs = platform.clock.nowMs();
  const run = runOf(schedule, report, startedMs, nowMs, byHand);
  const noted = changeOne(store, id, (one) => ranOn(one, run, schedule.settings, report.seen));
  if (isFailure(noted)) return noted;
  const home = identityHere(platform);
  if (isWorthNoting(run, schedule)) runHistory(platform, home).add(run);
  if (isNews(run, report, schedule)) digestStore(platform, home).note(entryOf(run, report, nowMs));
  const isHeldUp = report.problem !== undefined && report.problem !== report.news?.problem;
  const isStopped = report.wasStopped === true || isHeldUp;
  const isOver = run.outcome !== 'part' || run.refreshed === 0 || isStopped;
  const after = noted?.list.find((one) => one.id === id);
  const isWanted = after !== undefined && after.sinceMs !== null;
  return { run, goesOn: !isOver && isWanted && callsLeft(after, startedMs) !== 0 };
}

/** By hand, a new occurrence begins only if none is under way. */
function begunByHand(one: Schedule, nowMs: number): Schedule {
  return one.sinceMs === null ? { ...one, sinceMs: nowMs } : one;
}

function work({ platform, untilMs, zone, anyway }: RunContext, schedule: Schedule): Report {
  const { task, maxAgeHours } = schedule.settings;
  // Only answers from after its beginning are recent enough.
  const sinceMs = anyway && Number(schedule.sinceMs) + maxAgeHours * HOUR_MS;
  if (task.kind === 'list')
    return runList(platform, sinceMs ? { ...schedule, sinceMs } : schedule, task, untilMs, zone);
  return runFormulas(platform, schedule, untilMs, zone);
}

function runOf(
  schedule: Schedule,
  report: Report,
  startedMs: number,
  nowMs: number,
  byHand: boolean,
): ScheduleRun {
  const { refreshed, failed, calls, isThrough, news, problem } = report;
  const seen = report.seen ?? schedule.seen;
  const did = refreshed + failed > 0;
  const outcome = isThrough ? 'done' : problem !== undefined && !did ? 'failed' : 'part';
  return {
    startedMs,
    tookMs: nowMs - startedMs,
    // The sheet's name distinguishes lists that have the same recurrence.
    name: recurrenceWords(schedule.settings.recurrence) + (seen ? `, ${seen.sheetName}` : ''),
    ...{ outcome, refreshed, failed, calls, byHand },
    changes: news?.changes ?? 0,
    problem,
  };
}

function entryOf(run: ScheduleRun, { news }: Report, nowMs: number): DigestEntry {
  const { refreshed, failed, calls, changes, problem } = run;
  return {
    ...{ atMs: nowMs, runs: 1, refreshed, failed, calls, changes },
    marked: news?.marked ?? {},
    ...(news?.buys.length ? { buys: news.buys } : {}),
    ...(problem && { problem }),
  };
}

const didNothing = ({ refreshed, failed }: ScheduleRun): boolean => refreshed + failed === 0;

/**
 * Whether the run belongs in the digest. A person who runs a schedule by hand sees the result at
 * once, but not the changes.
 */
function isNews(run: ScheduleRun, { news }: Report, schedule: Schedule): boolean {
  const isTold = run.changes > 0 || Object.keys(news?.marked ?? {}).length > 0;
  if (run.problem !== undefined) return isTold || (!run.byHand && isWorthNoting(run, schedule));
  return isTold || (!run.byHand && !didNothing(run) && isWorthNoting(run, schedule));
}

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
