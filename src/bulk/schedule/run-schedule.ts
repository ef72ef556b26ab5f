// One go at a schedule: begins or goes on with its occurrence, works, and notes what became of it.

import { type Failure, isFailure } from '../../analysis/failure';
import type { SheetPlatform } from '../../platform/sheet-ports';
import type { DigestEntry } from './digest';
import { digestStore } from './digest-store';
import { runFormulas } from './formulas/run-formulas';
import { runHistory } from './history';
import { homeHere } from './home';
import { scheduleProblem } from './problem';
import type { ZoneOffset } from './recurrence';
import { type Report, runList } from './run-list';
import { begun, callsLeft, isDue, ranOn, type Schedule, type ScheduleRun } from './schedule';
import { type ScheduleStore, withSchedule } from './schedule-store';
import { recurrenceWords } from './words';

export interface Occasion {
  readonly platform: SheetPlatform;
  readonly store: ScheduleStore;
  /** Whom it runs as. */
  readonly me: string;
  readonly zone: ZoneOffset;
  /** No call is begun later. */
  readonly untilMs: number;
  readonly byHand: boolean;
}

export interface Went {
  readonly run: ScheduleRun;
  /** There is more to do, and more can be done now. */
  readonly goesOn: boolean;
}

/** Changes a schedule if it is still there. Two property calls. */
export const changeOne = (store: ScheduleStore, id: string, next: (before: Schedule) => Schedule) =>
  store.change((now) => now && withSchedule(now, id, next));

/** What became of it; a failure where there is no such schedule any more. */
export function runSchedule(occasion: Occasion, id: string): Went | Failure {
  const { platform, store, zone, byHand, me } = occasion;
  const startedMs = platform.clock.nowMs();
  // Since the clock looked, others had their turn, and people may have thought otherwise.
  const isMeant = (one: Schedule) => byHand || (one.by === me && isDue(one, startedMs, zone));
  // The problem stays if nothing comes after it.
  const begin = (one: Schedule) => ({
    ...(byHand ? begunByHand(one, startedMs) : begun(one, startedMs, zone)),
    problem: scheduleProblem('cut-off', String(startedMs)),
  });
  const all = changeOne(store, id, (one) => (isMeant(one) ? begin(one) : one));
  if (isFailure(all)) return all;
  const schedule = all?.list.find((one) => one.id === id);
  if (schedule === undefined || !isMeant(schedule)) return scheduleProblem('gone');
  const report = work(occasion, schedule);
  // Whoever is at it notes what became of it.
  if (report.problem?.kind === 'schedule' && report.problem.why === 'at-work')
    return report.problem;
  const nowMs = platform.clock.nowMs();
  const run = runOf(schedule, report, startedMs, nowMs, byHand);
  const noted = changeOne(store, id, (one) => ranOn(one, run, schedule.settings, report.seen));
  if (isFailure(noted)) return noted;
  const home = homeHere(platform);
  if (isWorthNoting(run, schedule)) runHistory(platform, home).add(run);
  if (isNews(run, report, schedule)) digestStore(platform, home).note(entryOf(run, report, nowMs));
  const isHeldUp = report.problem !== undefined && report.problem !== report.news?.problem;
  const isStopped = report.wasStopped === true || isHeldUp;
  const isOver = run.outcome !== 'part' || run.refreshed === 0 || isStopped;
  const after = noted?.list.find((one) => one.id === id);
  const isWanted = after !== undefined && after.sinceMs !== null;
  return { run, goesOn: !isOver && isWanted && callsLeft(after, startedMs) !== 0 };
}

/** By hand it begins anew only where it is not under way. */
function begunByHand(one: Schedule, nowMs: number): Schedule {
  return one.sinceMs === null ? { ...one, sinceMs: nowMs } : one;
}

function work({ platform, untilMs, zone }: Occasion, schedule: Schedule): Report {
  const { task } = schedule.settings;
  if (task.kind === 'list') return runList(platform, schedule, task, untilMs, zone);
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
  const did = refreshed + failed > 0;
  const outcome = isThrough ? 'done' : problem !== undefined && !did ? 'failed' : 'part';
  return {
    startedMs,
    tookMs: nowMs - startedMs,
    name: recurrenceWords(schedule.settings.recurrence),
    ...{ outcome, refreshed, failed, calls, byHand },
    changes: news?.changes ?? 0,
    ...(problem === undefined ? {} : { problem }),
  };
}

function entryOf(run: ScheduleRun, { news }: Report, nowMs: number): DigestEntry {
  const { refreshed, failed, calls, changes, problem } = run;
  return {
    ...{ atMs: nowMs, runs: 1, refreshed, failed, calls, changes },
    marked: news?.marked ?? {},
    ...(problem === undefined ? {} : { problem }),
  };
}

const didNothing = ({ refreshed, failed }: ScheduleRun): boolean => refreshed + failed === 0;

/** What nobody saw yet: who runs it by hand sees at once what it came to, but not what has changed. */
function isNews(run: ScheduleRun, { news }: Report, schedule: Schedule): boolean {
  const isTold = run.changes > 0 || Object.keys(news?.marked ?? {}).length > 0;
  if (run.problem !== undefined) return isTold || (!run.byHand && isWorthNoting(run, schedule));
  return isTold || (!run.byHand && !didNothing(run) && isWorthNoting(run, schedule));
}

/** A schedule that waits, finds nothing that is due or fails as before says so once, not every hour. */
function isWorthNoting(run: ScheduleRun, { last }: Schedule): boolean {
  if (run.outcome !== 'failed') {
    const isAgain = last?.outcome === 'done' && didNothing(last) && !run.byHand;
    // Rows that fail are tried every hour.
    const failsOn = run.refreshed === 0 && run.failed <= (last?.failed ?? 0) && !run.byHand;
    return didNothing(run) ? run.outcome === 'done' && !isAgain : !failsOn;
  }
  const said = (problem: Failure | undefined) =>
    JSON.stringify({ ...problem, waitMs: undefined, requestId: undefined });
  return said(last?.problem) !== said(run.problem);
}
