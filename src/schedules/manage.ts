// What people can do with schedules: create, change, switch on or off, remove, take over, run at
// once, and allow in a copy.

import { openAnalysisTab } from '../analysis/analysis-tab';
import { whileLeased } from '../analysis/leased';
import { identityHere } from '../connection/connection-store';
import { openEngine } from '../engine/doors';
import { type Failure, isFailure, scheduleProblem } from '../failures/failure';
import type { Platform } from '../google/platform';
import { grantUrl, unlessBusy } from '../google/service-call';
import { sheetById, zoneHere } from '../google/spreadsheet';
import { ensureClock, renewClock } from '../jobs/clock';
import { isOver, jobStore } from '../jobs/job';
import { stop } from '../jobs/work';
import { ensureColumns } from '../list/our-columns';
import { taggedList } from '../list/tagged-list';
import { noteSeen } from './digest';
import { type RunOutcome, runSchedule } from './run';
import {
  changeSettings,
  isLate,
  isSilent,
  makeSchedule,
  type Schedule,
  type ScheduleSettings,
  SILENT_MS,
  scheduleStore,
  takeOverSchedule,
  turnSchedule,
} from './schedule';

/** The context of a call from the page. */
const here = (platform: Platform) => ({
  store: scheduleStore(platform),
  home: identityHere(platform),
  nowMs: platform.clock.nowMs(),
  me: jobStore(platform).person(),
});

export function saveSchedule(
  platform: Platform,
  id: string,
  settings: ScheduleSettings,
): Failure | null {
  const { store, home, me, nowMs } = here(platform);
  const { task } = settings;
  const sheet = task.kind === 'list' ? sheetById(task.sheetId) : null;
  const wanted = { settings, sheetName: sheet?.name() ?? '' };
  const refused = settings.rules.length === 0 ? null : addMarksColumn(platform, settings);
  if (refused !== null) return refused;
  const saved = store.save(id, (before) => {
    if (before === null) return makeSchedule({ id, home, by: me, ...wanted }, nowMs);
    return before.by === me ? changeSettings(before, wanted, nowMs) : scheduleProblem('others');
  });
  endJobOf(platform, id, saved);
  return settled(platform, saved);
}

/** Adds the column for what rules mark. A list that is gone is told by the schedule. */
function addMarksColumn(platform: Platform, { task }: ScheduleSettings): Failure | null {
  const list = task.kind === 'list' ? taggedList(task) : null;
  if (list === null) return null;
  return whileLeased(platform, 'saving a schedule', () => {
    const tab = openAnalysisTab(platform.clock);
    if (isFailure(tab)) return tab;
    const { defaultMarket } = list;
    for (const { market, columns } of list.blocks) {
      const shown = [...columns.keys()].flatMap((role) => (role === 'helper' ? [] : [role]));
      const wanted = { market, defaultMarket, columns: [...shown, 'changed' as const] };
      // Of these columns none is new that would show ROI.
      const made = ensureColumns(tab, list, { ...wanted, roiIsFraction: true });
      if (isFailure(made)) return made;
    }
    return null;
  });
}

/** Stops the job of a schedule that is no longer wanted. It makes no more calls. */
function endJobOf(platform: Platform, id: string, changed: Schedule | Failure | null): void {
  if (isFailure(changed)) return;
  const job = jobStore(platform).read();
  if (job !== null && job.scheduleId === id && !isOver(job)) stop(platform, job.id);
}

/** Makes sure that the clock trigger exists. If Google refuses it, the status says so. */
function settled(platform: Platform, changed: object | Failure): Failure | null {
  if (isFailure(changed)) return changed;
  ensureClock(platform);
  return null;
}

export function switchSchedule(platform: Platform, id: string, isOn: boolean): Failure | null {
  const { store, nowMs, me } = here(platform);
  const after = store.change(id, (schedule) =>
    // A schedule uses its owner's calls, so nobody else decides how.
    schedule.by === me ? turnSchedule(schedule, isOn, nowMs) : scheduleProblem('others'),
  );
  if (!isOn) endJobOf(platform, id, after);
  return isFailure(after) ? after : isOn ? settled(platform, after) : null;
}

/** Anybody may remove a schedule who can edit the spreadsheet it writes into. */
export function removeSchedule(platform: Platform, id: string): Failure | null {
  const removed = scheduleStore(platform).remove(id);
  endJobOf(platform, id, removed);
  return removed;
}

/**
 * Whether this person may take over a schedule. Another person's schedule stays theirs while their
 * clock fires, unless formulas do not use their key: then it can achieve nothing.
 */
function mayAdopt(schedule: Schedule, me: string, nowMs: number): boolean {
  const { by, problem } = schedule;
  const isInVain = problem?.kind === 'schedule' && problem.why === 'other-key';
  return by === me || isInVain || isSilent(schedule, nowMs);
}

export function adoptSchedule(platform: Platform, id: string): Failure | null {
  const { store, me, nowMs } = here(platform);
  const engine = openEngine(platform, 'list');
  // Without a connection the schedule would make no calls, and its owner would no longer see it as
  // theirs.
  if (isFailure(engine)) return engine;
  const adopted = store.change(id, (schedule) =>
    mayAdopt(schedule, me, nowMs)
      ? takeOverSchedule(schedule, me, nowMs)
      : scheduleProblem('others'),
  );
  return settled(platform, adopted);
}

/**
 * Allows the schedules in a copy of the spreadsheet. They then run as this person, because nobody
 * else's clock fires there.
 */
export function useHere(platform: Platform): Failure | null {
  const engine = openEngine(platform, 'list');
  if (isFailure(engine)) return engine;
  const { store, home, me, nowMs } = here(platform);
  // The log has come along, and tells of the original.
  noteSeen(platform, home, nowMs);
  const after = store.changeAll((schedule) => ({
    ...turnSchedule(schedule, schedule.isOn, nowMs),
    home,
    by: me,
    runningMs: null,
    last: null,
  }));
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
  const { store, home, nowMs, me } = here(platform);
  const isOfLate = (schedule: Schedule) =>
    schedule.by === me && schedule.home === home && isLate(schedule, nowMs);
  if (!store.read().list.some(isOfLate) && !isJobLeft(platform, me, nowMs)) return null;
  if (grantUrl() !== null) return null;
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
  const { nowMs, me } = here(platform);
  return runSchedule(
    { platform, me, zone: zoneHere(), untilMs: nowMs + maxMs, byHand: true, anyway },
    id,
  );
}
