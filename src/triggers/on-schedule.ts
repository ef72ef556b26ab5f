// What happens, step by step, each time the clock trigger fires.

import { spreadsheetIdentity } from '../connection/connection-store';
import { mayBeWaiting } from '../engine/waiting-list';
import { momentsIn } from '../failures/duration';
import { type Failure, fail, isFailure, scheduleProblem } from '../failures/failure';
import { sentences } from '../failures/failure-words';
import { plainMistake, troubleLog } from '../failures/trouble-log';
import { workOffWaiting } from '../formulas/waiting';
import { googlePlatform, type Platform } from '../google/platform';
import { grantUrl, Refused } from '../google/service-call';
import { localeHere, spreadsheetHere, zoneOf } from '../google/spreadsheet';
import { awaitsClock, dueNext, isForgotten, type Job, jobStore } from '../jobs/job';
import { workOnNext } from '../jobs/next';
import { continueAbandoned, stop } from '../jobs/work';
import { noteRunTime, noteTrial, runTimeToday, WORTHWHILE_MS } from '../limit/run-time';
import { runSchedule } from '../schedules/run';
import {
  byTurn,
  isDue,
  type Schedule,
  type ScheduleStore,
  scheduleStore,
} from '../schedules/schedule';

/**
 * Google ends an execution after six minutes. The last answers still have to be read and written,
 * which takes about 7 s.
 */
const WORK_MS = 300_000;

/** Time kept for showing products that waited, after the last call. */
const SHOW_MS = 60_000;

/** One firing of the clock for one person. */
interface Firing {
  readonly platform: Platform;
  readonly store: ScheduleStore;
  readonly me: string;
  readonly startMs: number;
}

/** Does the work and returns its outcome in words, for the script's log. */
function dispatch(platform: Platform): string {
  const startMs = platform.clock.nowMs();
  const store = scheduleStore(platform);
  const me = jobStore(platform).person();
  const firing = { platform, store, me, startMs };
  if (grantUrl() !== null) {
    const problem = fail({ kind: 'not-permitted' });
    // Without permission it is unknown in which spreadsheet this is.
    noteFired(firing, ({ by }) => by === me, { problem });
    return 'permission is missing';
  }
  const spreadsheet = spreadsheetHere();
  if (spreadsheet === null) return 'no spreadsheet';
  const home = spreadsheetIdentity(platform, spreadsheet.id);
  // Those in a copy of their spreadsheet are left alone.
  const mine = noteFired(firing, (schedule) => schedule.by === me && schedule.home === home);
  if (isFailure(mine)) {
    tell(platform, mine);
    return 'nothing could be noted';
  }
  if (!work(firing, spreadsheet.timeZone, mine)) return 'nothing to do';
  // A firing without work takes a moment, which is not worth two calls of the store.
  noteRunTime(platform, platform.clock.nowMs() - startMs);
  return 'worked';
}

/**
 * Notes for everybody who views the schedules that this person's clock has fired, and returns this
 * person's.
 */
function noteFired(
  { store, startMs }: Firing,
  isMine: (schedule: Schedule) => boolean,
  more: Partial<Schedule> = {},
): readonly Schedule[] | Failure {
  const all = store.changeAll((schedule) =>
    isMine(schedule) ? { ...schedule, ...more, firedMs: startMs } : null,
  );
  return isFailure(all) ? all : all.list.filter(isMine);
}

/** Does what is due; returns whether there was anything to do. */
function work(firing: Firing, timeZone: string, mine: readonly Schedule[]): boolean {
  const { platform, store, me, startMs } = firing;
  const zone = zoneOf(timeZone);
  const due = mine.filter((schedule) => isDue(schedule, startMs, zone)).sort(byTurn);
  const job = jobStore(platform).read();
  const isLeft = job !== null && awaitsClock(job, me, startMs);
  if (!isLeft) stopForgotten(firing, job);
  const isWaitedFor = mayBeWaiting(platform.cache);
  const isWanted = isLeft || dueNext(job, me, startMs) !== null;
  if (due.length === 0 && !isWanted && !isWaitedFor) return false;
  const { leftMs, dayEndsMs, goesOnMs, isTrial } = runTimeToday(platform);
  const sayThatDayIsOver = () => {
    const problem = scheduleProblem('day-over', momentsIn(zone, localeHere())(dayEndsMs));
    for (const { id } of due) store.change(id, (schedule) => ({ ...schedule, problem }));
  };
  if (goesOnMs !== null) {
    sayThatDayIsOver();
    return true;
  }
  if (isTrial) noteTrial(platform);
  const untilMs = startMs + Math.min(WORK_MS, leftMs);
  const timeLeft = () => untilMs - platform.clock.nowMs();
  const left = isLeft ? continueAbandoned(platform, untilMs) : null;
  if (isFailure(left)) tell(platform, left);
  const next = timeLeft() > WORTHWHILE_MS ? workOnNext(platform, untilMs) : null;
  if (isFailure(next)) tell(platform, next);
  const waitingMs = Math.min(timeLeft() / 2, timeLeft() - SHOW_MS);
  if (isWaitedFor && waitingMs > 0) workOffWaiting(platform, waitingMs);
  for (const { id } of due) {
    while (timeLeft() > WORTHWHILE_MS) {
      const ran = runSchedule({ platform, me, zone, untilMs, byHand: false }, id);
      if (isFailure(ran) && isUntold(ran)) tell(platform, ran);
      if (isFailure(ran) || !ran.goesOn) break;
    }
  }
  // With the small allowance nobody is started who could say it later. A large one's next firing takes it back.
  if (isTrial) sayThatDayIsOver();
  return true;
}

/** A job that nobody goes on with is stopped, so that schedules and other people may begin. */
function stopForgotten({ platform, startMs }: Firing, job: Job | null): void {
  if (job === null || !isForgotten(job, startMs)) return;
  const stopped = stop(platform, job.id);
  if (isFailure(stopped)) tell(platform, stopped);
}

/**
 * Whether a failure still has to be reported. If somebody has removed a schedule or is running it,
 * they know; otherwise its record could not be written, which would have said so.
 */
const isUntold = (failure: Failure): boolean =>
  failure.kind !== 'schedule' || !['not-found', 'at-work'].includes(failure.why);

/**
 * Notes a failure for the support report. The work that is left is done at the next firing, within
 * the hour.
 */
function tell({ cache, clock }: Platform, failure: Failure): void {
  const text = `The clock: ${sentences(failure).message}`;
  troubleLog(cache, clock).note(text);
  console.info(text);
}

/**
 * Called by Google when a clock trigger fires. The name must stay, because triggers store it: one
 * that was made by an older or newer version calls it, too, and must do no harm.
 */
export function onSchedule(): void {
  const platform = googlePlatform();
  try {
    console.info(`The clock: ${dispatch(platform)}.`);
  } catch (error) {
    if (!(error instanceof Refused)) throw plainMistake(error);
    tell(platform, error.refusal);
  }
}
