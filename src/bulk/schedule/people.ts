// What people do to schedules: make, change, switch, remove, take over, and let run in a copy.

import { type Failure, fail, isFailure } from '../../analysis/failure';
import { ensureClock } from '../clock';
import { jobStore } from '../job-store';
import type { SchedulePlatform } from './dispatch';
import { homeOf } from './home';
import { occurrenceAfter } from './recurrence';
import { runSchedule, type Went } from './run-schedule';
import {
  adopted,
  changed,
  newSchedule,
  type Schedule,
  type ScheduleSettings,
  switched,
} from './schedule';
import { noSchedules, type Schedules, scheduleStore, withSchedule } from './schedule-store';
import { zoneOf } from './zone';

type Outcome = Schedules | Failure;

const gone = (): Failure => fail({ kind: 'schedule', why: 'gone', what: '' });

/** Where a call from the page comes from; there is a spreadsheet then. */
function here(platform: SchedulePlatform) {
  const place = platform.spreadsheet.place() ?? { id: '', timeZone: 'Etc/UTC' };
  const zone = zoneOf(platform.zones, place.timeZone);
  const nowMs = platform.clock.nowMs();
  const next = ({ recurrence }: ScheduleSettings) => occurrenceAfter(recurrence, nowMs, zone);
  return { ...place, zone, nowMs, next, me: jobStore(platform).person() };
}

export function saveSchedule(
  platform: SchedulePlatform,
  id: string,
  settings: ScheduleSettings,
): Outcome {
  const { id: spreadsheetId, timeZone, next, me } = here(platform);
  const nextMs = next(settings);
  const after = scheduleStore(platform).change((now) => {
    const all =
      now === null || now.list.length === 0
        ? noSchedules(homeOf(platform, spreadsheetId), timeZone)
        : now;
    if (all.list.some((one) => one.id === id))
      return withSchedule(all, id, (one) => changed(one, settings, nextMs));
    return { ...all, list: [...all.list, newSchedule(id, me, settings, nextMs)] };
  });
  return settled(platform, after);
}

/** With something to be called for, the clock is to be set; look tells if Google refused it. */
function settled(platform: SchedulePlatform, after: Schedules | null | Failure): Outcome {
  if (after === null) return gone();
  if (!isFailure(after)) ensureClock(platform);
  return after;
}

function changeOne(
  platform: SchedulePlatform,
  id: string,
  next: (before: Schedule) => Schedule,
): Schedules | Failure {
  const after = scheduleStore(platform).change((now) =>
    now?.list.some((one) => one.id === id) ? withSchedule(now, id, next) : gone(),
  );
  return after ?? gone();
}

export function switchSchedule(platform: SchedulePlatform, id: string, isOn: boolean): Outcome {
  const { next } = here(platform);
  const after = changeOne(platform, id, (one) => switched(one, isOn, next(one.settings)));
  return isOn ? settled(platform, after) : after;
}

/** Removing one that is gone is no failure: it is what was wanted. */
export function removeSchedule(platform: SchedulePlatform, id: string): Outcome {
  const after = scheduleStore(platform).change(
    (now) => now && { ...now, list: now.list.filter((one) => one.id !== id) },
  );
  return after ?? noSchedules('', '');
}

export function adoptSchedule(platform: SchedulePlatform, id: string): Outcome {
  const { me, next } = here(platform);
  return settled(
    platform,
    changeOne(platform, id, (one) => adopted(one, me, next(one.settings))),
  );
}

/** In a copy they run as the person who says so: nobody else's clock strikes there. */
export function useHere(platform: SchedulePlatform): Outcome {
  const { id, timeZone, me, next } = here(platform);
  const home = homeOf(platform, id);
  const after = scheduleStore(platform).change(
    (now) =>
      now && {
        ...now,
        ...{ home, timeZone },
        beats: {},
        list: now.list.map((one) => ({
          ...switched(one, one.isOn, next(one.settings)),
          by: me,
        })),
      },
  );
  return settled(platform, after);
}

/** Runs one at once, whatever the hour, as the person who calls. */
export function runByHand(platform: SchedulePlatform, id: string, maxMs: number): Went | Failure {
  const { zone, nowMs } = here(platform);
  const store = scheduleStore(platform);
  return runSchedule({ platform, store, zone, untilMs: nowMs + maxMs, byHand: true }, id);
}
