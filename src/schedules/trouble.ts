// What keeps schedules from running, with the one remedy for each problem.

import { identityHere } from '../connection/connection-store';
import { momentsIn, type ZoneOffset } from '../failures/duration';
import { type Failure, fail, scheduleProblem } from '../failures/failure';
import type { Platform } from '../google/platform';
import { grantUrl } from '../google/service-call';
import { localeHere, zoneOf } from '../google/spreadsheet';
import { clockOf } from '../jobs/clock';
import { jobStore } from '../jobs/job';
import {
  cutOffMs,
  isLate,
  isSilent,
  lastEndMs,
  type Schedule,
  type Schedules,
  scheduleStore,
} from './schedule';

/** The page's method that solves a problem. */
export type Remedy = 'schedule.adopt' | 'schedule.mend' | 'schedule.useHere';

export interface ScheduleTrouble {
  readonly problem: Failure | null;
  readonly remedy?: Remedy;
  /** The address where a missing permission can be granted. */
  readonly grantUrl?: string;
}

const FINE: ScheduleTrouble = { problem: null };

/** The schedules of a spreadsheet and who looks at them when. */
export interface SchedulesView {
  readonly platform: Platform;
  readonly all: Schedules;
  readonly home: string;
  readonly me: string;
  readonly nowMs: number;
  readonly zone: ZoneOffset;
  readonly locale: string;
  /** A moment in words. */
  readonly moment: (atMs: number) => string;
}

export function viewOf(platform: Platform, timeZone: string): SchedulesView {
  const [zone, locale] = [zoneOf(timeZone), localeHere()];
  return {
    platform,
    all: scheduleStore(platform).read(),
    home: identityHere(platform),
    me: jobStore(platform).person(),
    nowMs: platform.clock.nowMs(),
    ...{ zone, locale, moment: momentsIn(zone, locale) },
  };
}

/** Whether schedules came with a copy of their spreadsheet. */
export const isCopy = ({ all, home }: SchedulesView): boolean =>
  all.list.some((schedule) => schedule.home !== home);

/** The trigger of the person who looks. */
export interface TriggerView extends ScheduleTrouble {
  readonly state: 'on' | 'missing' | 'off';
  readonly everyMinutes: number;
}

export function triggerIn({ platform, all, me, nowMs, moment }: SchedulesView): TriggerView {
  const mine = all.list.filter(({ by, isOn }) => by === me && isOn);
  const { isSet, everyMinutes } = clockOf(platform, platform.spreadsheetId() ?? '');
  if (!isSet && mine.length > 0)
    return { state: 'missing', everyMinutes, problem: scheduleProblem('clock-missing') };
  const late = mine.find((schedule) => isLate(schedule, nowMs));
  return {
    state: isSet ? 'on' : 'off',
    everyMinutes,
    problem: late === undefined ? null : scheduleProblem('clock-late', moment(late.firedMs)),
  };
}

/** A problem of all schedules of the person who looks. */
export function commonTrouble(view: SchedulesView, trigger: TriggerView): ScheduleTrouble {
  const { all, me } = view;
  if (isCopy(view)) return { problem: scheduleProblem('copied'), remedy: 'schedule.useHere' };
  if (all.list.some(({ by, isOn }) => by === me && isOn)) {
    const url = grantUrl();
    if (url !== null) return { problem: fail({ kind: 'not-permitted' }), grantUrl: url };
    if (trigger.state === 'missing') return { problem: trigger.problem, remedy: 'schedule.mend' };
  }
  return all.damaged.length === 0 ? FINE : { problem: scheduleProblem('damaged') };
}

/** Why a schedule does not run, or its latest problem. */
export function troubleOf(
  { me, nowMs, moment }: SchedulesView,
  schedule: Schedule,
): ScheduleTrouble {
  const { by, problem } = schedule;
  const endMs = lastEndMs(schedule);
  if (by !== me && isSilent(schedule, nowMs)) {
    const since = moment(endMs ?? schedule.firedMs);
    return { problem: scheduleProblem('silent', since), remedy: 'schedule.adopt' };
  }
  const cutOff = cutOffMs(schedule, nowMs);
  if (cutOff !== null) return { problem: scheduleProblem('cut-off', moment(cutOff)) };
  return { problem: problem && aged(problem, nowMs - (endMs ?? nowMs)) };
}

/** Reduces the remaining wait of an earlier failure by the time that has passed since. */
function aged(failure: Failure, ageMs: number): Failure {
  if (!('waitMs' in failure) || failure.waitMs === undefined) return failure;
  return { ...failure, waitMs: Math.max(0, failure.waitMs - ageMs) };
}
