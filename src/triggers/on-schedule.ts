// What happens, step by step, each time the clock trigger fires.

import type { RecordedRow } from '../analysis/analysis-row';
import { spreadsheetIdentity } from '../connection/connection-store';
import { mayBeWaiting } from '../engine/waiting-list';
import { type Failure, isFailure, scheduleProblem, sentences } from '../failures/failure';
import { plainMistake, troubleLog } from '../failures/trouble-log';
import { workOffWaiting } from '../formulas/waiting';
import { googlePlatform, type Platform } from '../google/platform';
import { grantUrl, Refused } from '../google/service-call';
import { spreadsheetHere, zoneOf } from '../google/spreadsheet';
import { continueAbandoned } from '../jobs/drain';
import { awaitsClock } from '../jobs/job';
import { jobStore } from '../jobs/job-store';
import { dayLeft, runTime, WORTHWHILE_MS } from '../limit/run-time';
import { mailDigest } from '../schedules/digest-mail';
import { logRecorded } from '../schedules/log-recorded';
import { momentWords } from '../schedules/recurrence';
import { changeOne, runSchedule } from '../schedules/run-schedule';
import { byTurn, isDue, type Schedule } from '../schedules/schedule';
import {
  type Beat,
  isCopy,
  NOWHERE_NAME,
  type ScheduleStore,
  type Schedules,
  scheduleStore,
} from '../schedules/schedule-store';

/**
 * Google ends an execution after six minutes. The last answers still have to be read and written,
 * which takes about 7 s.
 */
const WORK_MS = 300_000;

/** Time kept for showing products that waited, after the last call. */
const SHOW_MS = 60_000;

/**
 * The time of firings without work is added up and counted at the next firing with work, or once it
 * reaches this.
 */
const IDLE_MS_MAX = 60_000;

/** Does the work and returns its outcome in words, for the script's log. */
function dispatch(platform: Platform): string {
  const startMs = platform.clock.nowMs();
  const store = scheduleStore(platform);
  const me = jobStore(platform).person();
  const url = grantUrl();
  if (url !== null) {
    noteBeat(store, me, (before) => ({ ...before, atMs: startMs, grantUrl: url }));
    return 'permission is missing';
  }
  const place = spreadsheetHere();
  if (place === null) {
    platform.userStore.write(NOWHERE_NAME, String(startMs));
    return 'no spreadsheet';
  }
  const home = spreadsheetIdentity(platform, place.id);
  const all = noteBeat(
    store,
    me,
    ({ idleMs }) => ({ atMs: startMs, idleMs: idleMs + platform.clock.nowMs() - startMs }),
    home,
  );
  if (isFailure(all)) {
    tell(platform, all);
    return 'nothing could be noted';
  }
  if (all !== null && isCopy(all, home)) return 'a copy';
  const visit: Visit = { platform, store, me, startMs, timeZone: place.timeZone };
  const worked = work(visit, all);
  const idleMs = all?.beats[me]?.idleMs ?? 0;
  if (worked || idleMs > IDLE_MS_MAX) countTime(visit, idleMs);
  return worked ? 'worked' : 'nothing to do';
}

interface Visit {
  readonly platform: Platform;
  readonly store: ScheduleStore;
  readonly me: string;
  readonly startMs: number;
  readonly timeZone: string;
}

/** Does what is due; returns whether there was anything to do. */
function work(visit: Visit, all: Schedules | null): boolean {
  const { platform, startMs, me, timeZone } = visit;
  const zone = zoneOf(timeZone);
  const mine = (all?.list ?? []).filter((one) => one.by === me);
  const due = mine.filter((one) => isDue(one, startMs, zone)).sort(byTurn);
  const job = jobStore(platform).read();
  const isLeft = job !== null && awaitsClock(job, me, startMs);
  const isWaitedFor = mayBeWaiting(platform.cache);
  if (due.length === 0 && !isLeft && !isWaitedFor) return false;
  const { leftMs, goesOnMs } = dayLeft(platform);
  if (goesOnMs !== null) {
    noteDayOver(visit, due, momentWords(goesOnMs, zone));
    return true;
  }
  const untilMs = startMs + Math.min(WORK_MS, leftMs);
  const timeLeft = () => untilMs - platform.clock.nowMs();
  const onRecorded = (rows: readonly RecordedRow[]) => logRecorded(platform, rows);
  const left = isLeft ? continueAbandoned(platform, untilMs, { onRecorded }) : null;
  if (isFailure(left)) tell(platform, left);
  const waitingMs = Math.min(timeLeft() / 2, timeLeft() - SHOW_MS);
  if (isWaitedFor && waitingMs > 0) workOffWaiting(platform, waitingMs);
  for (const { id } of due) {
    while (timeLeft() > WORTHWHILE_MS) {
      const occasion = { platform, store: visit.store, me, zone, untilMs, byHand: false };
      const went = runSchedule(occasion, id);
      if (isFailure(went) && isUntold(went)) tell(platform, went);
      if (isFailure(went) || !went.goesOn) break;
    }
  }
  return true;
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

function noteDayOver({ store }: Visit, due: readonly Schedule[], what: string): void {
  const problem = scheduleProblem('day-over', what);
  for (const { id } of due) changeOne(store, id, (one) => ({ ...one, problem }));
}

/** Counts the time of this firing and of earlier ones without work. */
function countTime({ platform, store, me, startMs }: Visit, idleMs: number): void {
  const nowMs = platform.clock.nowMs();
  runTime(platform.userStore, platform.clock).took(idleMs + nowMs - startMs);
  if (idleMs > 0) noteBeat(store, me, (before) => ({ ...before, idleMs: 0 }));
}

/**
 * Records that this person's clock has fired, for everybody who views the schedules. It is not
 * recorded in a copy of the spreadsheet.
 */
function noteBeat(
  store: ScheduleStore,
  me: string,
  next: (before: Beat) => Beat,
  home?: string,
): Schedules | null | Failure {
  return store.change((now) => {
    const isMine = now?.list.some(({ by }) => by === me) ?? false;
    if (now === null || !isMine || (home !== undefined && isCopy(now, home))) return now;
    const beat = next(now.beats[me] ?? { atMs: 0, idleMs: 0 });
    return { ...now, beats: { ...now.beats, [me]: beat } };
  });
}

/**
 * Called by Google when a clock trigger fires. The name must stay, because triggers store it: one
 * that was made by an older or newer version calls it, too, and must do no harm.
 */
export function onSchedule(): void {
  const platform = googlePlatform();
  try {
    const outcome = dispatch(platform);
    if (__EMAIL_DIGEST__ && outcome === 'worked') mailDigest(platform);
    console.info(`The clock: ${outcome}.`);
  } catch (error) {
    if (!(error instanceof Refused)) throw plainMistake(error);
    tell(platform, error.refusal);
  }
}
