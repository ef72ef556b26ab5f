// The status of schedules: what each does next, and for every problem the one remedy.

import { spreadsheetIdentity } from '../connection/connection-store';
import { HOUR } from '../failures/duration';
import { type Failure, fail, isFailure, scheduleProblem } from '../failures/failure';
import type { Platform } from '../google/platform';
import { grantUrl } from '../google/service-call';
import { sheetById, spreadsheetHere, zoneOf } from '../google/spreadsheet';
import { clockOf, type PersonsClock } from '../jobs/clock';
import { jobStore } from '../jobs/job-store';
import { readLog } from './change-log';
import { type Digest, digestOf, seenMs } from './digest';
import { momentWords, type ZoneOffset } from './recurrence';
import { cutOffMs, nextRunMs, type Schedule } from './schedule';
import {
  type Beat,
  isClockLate,
  isCopy,
  isSilent,
  noSchedules,
  nowhereMs,
  type Schedules,
  scheduleStore,
} from './schedule-store';

/** How long a firing without a spreadsheet is reported. */
const NOWHERE_MS = 48 * HOUR;

/** A problem, and the page's method that solves it if a button can. */
interface Trouble<Remedy> {
  readonly problem: Failure | null;
  readonly remedy?: Remedy;
}

/** A problem of one schedule. */
type OwnTrouble = Trouble<'schedule.adopt'>;

/** A problem of all schedules. */
export interface CommonTrouble extends Trouble<'schedule.mend' | 'schedule.useHere'> {
  /** The address where a missing permission can be granted. */
  readonly grantUrl?: string;
}

export interface ScheduleStatus extends OwnTrouble {
  readonly schedule: Schedule;
  readonly isMine: boolean;
  readonly nextAtMs: number | null;
  readonly sheetName: string;
}

export interface SchedulesStatus extends CommonTrouble {
  readonly timeZone: string;
  /** What was logged since this person last looked; null: nothing. */
  readonly digest: Digest | null;
  readonly schedules: readonly ScheduleStatus[];
  readonly trigger: PersonsClock & {
    readonly state: 'on' | 'missing' | 'off';
    readonly lastAtMs: number | null;
    readonly problem: Failure | null;
  };
}

const FINE = { problem: null };

/** The situation as seen by one person. */
interface Eyes {
  readonly platform: Platform;
  readonly all: Schedules;
  readonly me: string;
  readonly nowMs: number;
  readonly zone: ZoneOffset;
}

const eyesOf = (platform: Platform, all: Schedules, timeZone: string): Eyes => ({
  ...{ platform, all },
  zone: zoneOf(timeZone),
  me: jobStore(platform).person(),
  nowMs: platform.clock.nowMs(),
});

export function seeSchedules(platform: Platform): SchedulesStatus | Failure {
  const place = spreadsheetHere();
  const { id = '', timeZone = 'Etc/UTC' } = place ?? {};
  const read = scheduleStore(platform).read();
  if (isFailure(read)) return read;
  const all: Schedules = read ?? noSchedules('');
  const eyes = eyesOf(platform, all, timeZone);
  const trigger = seeTrigger(eyes, clockOf(platform, id));
  const home = spreadsheetIdentity(platform, id);
  const isInCopy = isCopy(all, home);
  const trouble: CommonTrouble = isInCopy
    ? { problem: scheduleProblem('copied'), remedy: 'schedule.useHere' }
    : ofAll(eyes, trigger);
  return {
    ...trouble,
    timeZone,
    trigger,
    // The log of a copy tells of the original.
    digest: isInCopy ? null : digestOf(readLog(), seenMs(platform, home)),
    schedules: all.list.map((schedule) => see(eyes, schedule)),
  };
}

export function schedulesStatus(platform: Platform, all: Schedules): readonly ScheduleStatus[] {
  const { timeZone = 'Etc/UTC' } = spreadsheetHere() ?? {};
  const eyes = eyesOf(platform, all, timeZone);
  return all.list.map((schedule) => see(eyes, schedule));
}

function see(eyes: Eyes, schedule: Schedule): ScheduleStatus {
  const { me, nowMs, zone } = eyes;
  const { task } = schedule.settings;
  const sheet = task.kind === 'list' ? sheetById(task.sheetId) : null;
  return {
    schedule,
    isMine: schedule.by === me,
    nextAtMs: nextRunMs(schedule, nowMs, zone),
    sheetName: sheet?.name() ?? schedule.sheetName,
    ...troubleOf(eyes, schedule),
  };
}

function troubleOf({ all, me, nowMs, zone }: Eyes, schedule: Schedule): OwnTrouble {
  const { by, last } = schedule;
  if (by !== me && isSilent(all, schedule, nowMs)) {
    const since = last === null ? all.beats[by]?.atMs : last.startedMs + last.tookMs;
    const what = since === undefined ? 'it was made' : momentWords(since, zone);
    return { problem: scheduleProblem('silent', what), remedy: 'schedule.adopt' };
  }
  const { problem } = schedule;
  if (problem === null) return FINE;
  if (problem.kind === 'schedule' && problem.why === 'cut-off') {
    const startedMs = cutOffMs(schedule, nowMs);
    if (startedMs === null) return FINE;
    return { problem: scheduleProblem('cut-off', momentWords(startedMs, zone)) };
  }
  const age = nowMs - (last === null ? nowMs : last.startedMs + last.tookMs);
  return { problem: aged(problem, age) };
}

/** Reduces the remaining wait of an earlier failure by the time that has passed since. */
function aged(failure: Failure, ageMs: number): Failure {
  if (!('waitMs' in failure) || failure.waitMs === undefined) return failure;
  return { ...failure, waitMs: Math.max(0, failure.waitMs - ageMs) };
}

function seeTrigger(
  { all, me, nowMs, zone }: Eyes,
  clock: PersonsClock,
): SchedulesStatus['trigger'] {
  const isWanted = all.list.some(({ by, isOn }) => by === me && isOn);
  const beat: Beat | undefined = all.beats[me];
  const state = clock.isSet ? 'on' : isWanted ? 'missing' : 'off';
  const since = beat === undefined ? 'they were made' : momentWords(beat.atMs, zone);
  const late = isClockLate(all, me, nowMs) ? scheduleProblem('clock-late', since) : null;
  return {
    ...clock,
    state,
    lastAtMs: beat?.atMs ?? null,
    problem: state === 'missing' ? scheduleProblem('clock-missing') : late,
  };
}

/** A problem of all schedules of the person who looks. */
function ofAll(
  { platform, all, me, nowMs, zone }: Eyes,
  trigger: SchedulesStatus['trigger'],
): CommonTrouble {
  const damaged = all.aside === undefined ? FINE : { problem: scheduleProblem('damaged') };
  const isWanted = all.list.some(({ by, isOn }) => by === me && isOn);
  if (!isWanted) return damaged;
  // A clock that has stopped cannot notice that the permission is there again.
  const noted = isClockLate(all, me, nowMs) ? undefined : all.beats[me]?.grantUrl;
  const url = grantUrl() ?? noted ?? null;
  if (url !== null) return { problem: fail({ kind: 'not-permitted' }), grantUrl: url };
  if (trigger.state === 'missing') return { problem: trigger.problem, remedy: 'schedule.mend' };
  const nowhere = nowhereMs(platform);
  const isFresh = nowhere !== null && nowMs - nowhere < NOWHERE_MS;
  const atMs = trigger.lastAtMs ?? 0;
  if (isFresh && nowhere > atMs)
    return { problem: scheduleProblem('no-spreadsheet', momentWords(nowhere, zone)) };
  return damaged;
}
