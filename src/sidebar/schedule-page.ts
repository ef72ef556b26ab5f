// What the sidebar's Schedule page asks for: how schedules stand, and what people do to them.

import { type Failure, isFailure } from '../analysis/failure';
import { googleUse } from '../analysis/google-use';
import { openEngine } from '../bulk/bulk-engine';
import { ensureClock } from '../bulk/clock';
import { lookAt } from '../bulk/look';
import { digestHere } from '../bulk/schedule/digest-here';
import type { SchedulePlatform } from '../bulk/schedule/dispatch';
import { findFormulas } from '../bulk/schedule/formulas/find';
import { runHistory } from '../bulk/schedule/history';
import { homeHere } from '../bulk/schedule/home';
import { dayLeft } from '../bulk/schedule/limits';
import {
  adoptSchedule,
  removeSchedule,
  runByHand,
  saveSchedule,
  switchSchedule,
  useHere,
} from '../bulk/schedule/people';
import type { ScheduleRun as Run, ScheduleSettings as Settings } from '../bulk/schedule/schedule';
import {
  type CommonTrouble,
  type SeenSchedule,
  seenSchedules,
  seeSchedules,
} from '../bulk/schedule/schedule-look';
import type { Schedules } from '../bulk/schedule/schedule-store';
import { everyMorning } from '../bulk/schedule/suggestion';
import { recurrenceWords } from '../bulk/schedule/words';
import { allowancesOf } from '../quota/google-day';
import { described } from './described';
import type {
  Digest,
  ScheduleLimits,
  ScheduleLook,
  ScheduleMethods,
  ScheduleRun,
  ScheduleShown,
} from './schedule-contract';

type Value<M extends keyof ScheduleMethods> = ScheduleMethods[M]['value'];
type Payload<M extends keyof ScheduleMethods> = ScheduleMethods[M]['payload'];

export type SchedulePage = {
  readonly [M in keyof ScheduleMethods]: (payload: Payload<M>) => Value<M> | Failure;
};

/** From one go to the next, by hand. */
const NEXT_MS = 100;

export function schedulePage(platform: SchedulePlatform): SchedulePage {
  const after = (all: Schedules | Failure) =>
    isFailure(all) ? all : { schedules: seenSchedules(platform, all).map(shown) };
  const lookAfter = (done: unknown) => (isFailure(done) ? done : look(platform));
  return {
    'schedule.look': () => look(platform),
    'schedule.save': ({ id, settings }) => after(saveSchedule(platform, id, settings as Settings)),
    'schedule.switch': ({ id, isOn }) => after(switchSchedule(platform, id, isOn)),
    'schedule.remove': ({ id }) => after(removeSchedule(platform, id)),
    'schedule.adopt': ({ id }) => after(adoptSchedule(platform, id)),
    'schedule.mend': () => lookAfter(ensureClock(platform)),
    'schedule.useHere': () => lookAfter(useHere(platform)),
    'schedule.run': ({ id, maxMs }) => {
      const went = runByHand(platform, id, maxMs);
      if (isFailure(went)) return went;
      return { run: shownRun(went.run), againInMs: went.goesOn ? NEXT_MS : null };
    },
    'schedule.seen': () => {
      digestHere(platform).putAway();
      return {};
    },
    'schedule.show': ({ rule }) => {
      const rows = digestHere(platform).show(rule);
      return isFailure(rows) ? rows : { shown: rows };
    },
    'schedule.history': () => ({
      runs: runHistory(platform, homeHere(platform)).read().map(shownRun),
    }),
  };
}

function look(platform: SchedulePlatform): ScheduleLook | Failure {
  const sight = seeSchedules(platform);
  if (isFailure(sight)) return sight;
  const { clock, timeZone, schedules } = sight;
  const engine = openEngine(platform, platform.clock.nowMs());
  return {
    timeZone,
    schedules: schedules.map(shown),
    clock: {
      state: clock.state,
      everyMinutes: clock.everyMinutes,
      lastAtMs: clock.lastAtMs,
      ...(clock.problem === null ? {} : { problem: described(clock.problem) }),
    },
    limits: limits(platform, engine),
    digest: digest(platform),
    ...suggestion(platform, engine),
    formulaCells: findFormulas(platform.spreadsheet).length,
    ...told(sight),
  };
}

function digest(platform: SchedulePlatform): Digest | null {
  const found = digestHere(platform).look();
  if (found === null) return null;
  const { problem, ...rest } = found;
  return problem === undefined ? rest : { ...rest, problem: described(problem) };
}

function told({ problem, remedy, grantUrl }: CommonTrouble) {
  if (problem === null) return {};
  return {
    problem: { ...described(problem), ...(grantUrl === undefined ? {} : { grantUrl }) },
    ...(remedy === undefined ? {} : { remedy }),
  };
}

type EngineOrNone = ReturnType<typeof openEngine>;

function limits(platform: SchedulePlatform, engine: EngineOrNone): ScheduleLimits {
  const day = isFailure(engine) ? undefined : engine.gate.googleDay();
  const { use } = dayLeft(platform, day);
  const nowMs = platform.clock.nowMs();
  const { calls } = isFailure(engine) ? allowancesOf(undefined, nowMs) : googleUse(engine, nowMs);
  return {
    runMsToday: use.usedMs,
    runMsPerDay: use.perDayMs,
    callsToday: calls.usedToday,
    callsPerDay: calls.perDay,
  };
}

function suggestion(platform: SchedulePlatform, engine: EngineOrNone) {
  const market = isFailure(engine) ? 'US' : (engine.connection.settings.defaultMarket ?? 'US');
  const { choice, name } = lookAt(platform, market, false);
  return choice === null
    ? { suggestion: null, suggestionSheet: '' }
    : { suggestion: everyMorning(choice), suggestionSheet: name };
}

function shown(seen: SeenSchedule): ScheduleShown {
  const { schedule, problem, remedy } = seen;
  const { id, settings, isOn, sinceMs, last } = schedule;
  return {
    ...{ id, settings, isOn },
    name: recurrenceWords(settings.recurrence),
    sheetName: seen.sheetName,
    isMine: seen.isMine,
    nextAtMs: seen.nextAtMs,
    isUnderWay: sinceMs !== null,
    last: last === null ? null : shownRun(last),
    ...(problem === null ? {} : { problem: described(problem) }),
    ...(remedy === undefined ? {} : { remedy }),
  };
}

function shownRun({ startedMs, problem, ...run }: Run): ScheduleRun {
  const words = problem === undefined ? {} : { problem: described(problem) };
  return { ...run, startedAtMs: startedMs, ...words };
}
