// What people can do with schedules: create, change, switch on or off, remove, take over, and allow
// in a copy.

import { spreadsheetIdentity } from '../connection/connection-store';
import { openEngine } from '../engine/engine';
import { type Failure, isFailure, scheduleProblem } from '../failures/failure';
import type { Platform } from '../google/platform';
import { grantUrl, unlessBusy } from '../google/service-call';
import { sheetById, spreadsheetHere, zoneOf } from '../google/spreadsheet';
import { ensureClock, renewClock } from '../jobs/clock';
import { isOver } from '../jobs/job';
import { jobStore } from '../jobs/job-store';
import { stop } from '../jobs/set-state';
import { noteSeen } from './digest';
import { type RunOutcome, runSchedule } from './run-schedule';
import {
  changeSettings,
  makeSchedule,
  type Schedule,
  type ScheduleSettings,
  takeOverSchedule,
  turnSchedule,
} from './schedule';
import {
  isClockLate,
  isCopy,
  isSilent,
  noSchedules,
  nowhereMs,
  type Schedules,
  SILENT_MS,
  scheduleStore,
  withSchedule,
} from './schedule-store';

type Outcome = Schedules | Failure;

/** The context of a call from the page, which always has a spreadsheet. */
function here(platform: Platform) {
  const place = spreadsheetHere() ?? { id: '', timeZone: 'Etc/UTC' };
  return {
    home: spreadsheetIdentity(platform, place.id),
    zone: zoneOf(place.timeZone),
    nowMs: platform.clock.nowMs(),
    me: jobStore(platform).person(),
  };
}

export function saveSchedule(platform: Platform, id: string, settings: ScheduleSettings): Outcome {
  const { home, me, nowMs } = here(platform);
  const { task } = settings;
  const sheet = task.kind === 'list' ? sheetById(task.sheetId) : null;
  const wanted = { settings, sheetName: sheet?.name() ?? '' };
  const after = scheduleStore(platform).change((now) => {
    const all = now === null || now.list.length === 0 ? noSchedules(home) : now;
    if (all.list.some((one) => one.id === id))
      return withOwn(all, id, me, (one) => changeSettings(one, wanted, nowMs));
    const made = makeSchedule({ id, by: me, ...wanted }, nowMs);
    return { ...all, aside: undefined, list: [...all.list, made] };
  });
  endWork(platform, id, after);
  return settled(platform, after);
}

/** Stops the job of a schedule that is no longer wanted. It makes no more calls. */
function endWork(platform: Platform, id: string, after: Schedules | null | Failure): void {
  if (isFailure(after)) return;
  const job = jobStore(platform).read();
  if (job !== null && job.scheduleId === id && !isOver(job)) stop(platform, job.id);
}

/** Makes sure that the clock trigger exists. If Google refuses it, the status says so. */
function settled(platform: Platform, after: Schedules | null | Failure): Outcome {
  if (after === null) return scheduleProblem('not-found');
  if (!isFailure(after)) ensureClock(platform);
  return after;
}

/**
 * Changes a schedule that belongs to this person. A schedule uses its owner's calls, so nobody else
 * decides how.
 */
function withOwn(
  all: Schedules,
  id: string,
  me: string,
  next: (before: Schedule) => Schedule,
): Schedules | Failure {
  const isTheirs = all.list.some((one) => one.id === id && one.by !== me);
  return isTheirs ? scheduleProblem('others') : withSchedule(all, id, next);
}

function changeOne(
  platform: Platform,
  id: string,
  next: (all: Schedules) => Schedules | Failure,
): Schedules | Failure {
  const after = scheduleStore(platform).change((now) =>
    now?.list.some((one) => one.id === id) ? next(now) : scheduleProblem('not-found'),
  );
  return after ?? scheduleProblem('not-found');
}

export function switchSchedule(platform: Platform, id: string, isOn: boolean): Outcome {
  const { nowMs, me } = here(platform);
  const after = changeOne(platform, id, (all) =>
    withOwn(all, id, me, (one) => turnSchedule(one, isOn, nowMs)),
  );
  if (isOn) return settled(platform, after);
  endWork(platform, id, after);
  return after;
}

/**
 * Removes a schedule, which anybody may do who can edit the spreadsheet it writes into. Removing
 * one that no longer exists succeeds.
 */
export function removeSchedule(platform: Platform, id: string): Outcome {
  const after = scheduleStore(platform).change(
    (now) => now && { ...now, aside: undefined, list: now.list.filter((one) => one.id !== id) },
  );
  endWork(platform, id, after);
  return after ?? noSchedules('');
}

/**
 * Whether this person may take over a schedule. Another person's schedule stays theirs while their
 * clock fires, unless formulas do not use their key: then it can achieve nothing.
 */
function mayAdopt(all: Schedules, one: Schedule, me: string, nowMs: number): boolean {
  const { by, problem } = one;
  const isInVain = problem?.kind === 'schedule' && problem.why === 'other-key';
  return by === me || isInVain || isSilent(all, one, nowMs);
}

export function adoptSchedule(platform: Platform, id: string): Outcome {
  const { me, nowMs } = here(platform);
  const engine = openEngine(platform);
  // Without a connection the schedule would make no calls, and its owner would no longer see it as
  // theirs.
  if (isFailure(engine)) return engine;
  return settled(
    platform,
    changeOne(platform, id, (all) => {
      const isTheirs = all.list.some((one) => one.id === id && !mayAdopt(all, one, me, nowMs));
      if (isTheirs) return scheduleProblem('others');
      return withSchedule(all, id, (one) => takeOverSchedule(one, me));
    }),
  );
}

/**
 * Allows the schedules in a copy of the spreadsheet. They then run as this person, because nobody
 * else's clock fires there.
 */
export function useHere(platform: Platform): Outcome {
  const engine = openEngine(platform);
  if (isFailure(engine)) return engine;
  const { home, me, nowMs } = here(platform);
  // The log has come along, and tells of the original.
  noteSeen(platform, home, nowMs);
  const after = scheduleStore(platform).change(
    (now) =>
      now && {
        ...now,
        home,
        beats: {},
        list: now.list.map((one) => ({
          ...turnSchedule(one, one.isOn, nowMs),
          by: me,
          last: null,
        })),
      },
  );
  return settled(platform, after);
}

/**
 * Makes this person's clock again if it has not fired for hours, because Google has disabled it. A
 * page must call this: triggers that a firing makes are said to be disabled, too.
 *
 * @returns why Google did not make it. While the clock fires, this only reads the records of
 *     schedules and of the job.
 */
export function renewLateClock(platform: Platform): Failure | null {
  const { home, nowMs, me } = here(platform);
  const all = scheduleStore(platform).read();
  if (isFailure(all)) return null;
  const isHere = all !== null && !isCopy(all, home);
  if (!(isHere && isClockLate(all, me, nowMs)) && !isJobLeft(platform, me, nowMs)) return null;
  const firesNowhere = nowMs - (nowhereMs(platform) ?? 0) < SILENT_MS;
  if (firesNowhere || grantUrl() !== null) return null;
  const clock = unlessBusy(() => renewClock(platform, SILENT_MS));
  return isFailure(clock) && clock.kind !== 'google-busy' ? clock : null;
}

/** Whether this person's clock should have continued their job hours ago. */
function isJobLeft(platform: Platform, me: string, nowMs: number): boolean {
  const job = jobStore(platform).read();
  return job?.state === 'running' && job.by === me && nowMs - job.touchedMs > SILENT_MS;
}

/** Runs a schedule at once as this person, whatever the hour. */
export function runByHand(
  platform: Platform,
  id: string,
  maxMs: number,
  anyway = false,
): RunOutcome | Failure {
  const { zone, nowMs, me } = here(platform);
  const store = scheduleStore(platform);
  const untilMs = nowMs + maxMs;
  return runSchedule({ platform, store, me, zone, untilMs, byHand: true, anyway }, id);
}
