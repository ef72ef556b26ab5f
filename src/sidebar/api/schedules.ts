// The methods of the Schedule page: payloads, and schedules as the page is shown them.

import * as z from 'zod/mini';
import { wholeNumber } from '../../connection/connection';
import { googleUse, openEngine } from '../../engine/engine';
import { type Failure, isFailure } from '../../failures/failure';
import { findFormulas } from '../../formulas/find-formulas';
import { withSchedules } from '../../platform/apps-script/services';
import type { SchedulePlatform } from '../../platform/ports';
import { FIELDS } from '../../product/fields';
import { DEFAULT_MARKET } from '../../product/market';
import { allowancesOf, dayLeft } from '../../quota/google-limits';
import { lookAt } from '../../runs/inspect';
import { ensureClock } from '../../runs/trigger';
import { SLICE_MS_MAX } from '../../runs/worker';
import { digestHere } from '../../schedules/digest';
import {
  adoptSchedule,
  removeSchedule,
  runByHand,
  saveSchedule,
  switchSchedule,
  useHere,
} from '../../schedules/manage';
import { recurrenceWords } from '../../schedules/recurrence';
import {
  everyMorning,
  type ScheduleRun as Run,
  type ScheduleSettings as Settings,
} from '../../schedules/schedule';
import {
  type CommonTrouble,
  type SeenSchedule,
  seenSchedules,
  seeSchedules,
} from '../../schedules/schedule-status';
import { homeHere, runHistory, type Schedules } from '../../schedules/schedule-store';
import { methodsOf } from './define-api';
import { described } from './failure-view';
import { listPlace, upTo } from './runs';
import type {
  Digest,
  ScheduleLimits,
  ScheduleLook,
  ScheduleMethods,
  ScheduleRun,
  ScheduleShown,
} from './schedules-contract';

/** A year, which is far older than any figure is of use. */
const AGE_HOURS_MAX = 8_760;

/** For rows that are refreshed every hour, by a clock that does not strike to the minute. */
const AGE_HOURS_MIN = 0.5;

/** Google's largest allowance of a day. */
const CALLS_MAX = 100_000;

/** What a schedule may mark; a page that sends more is none of ours. */
const RULES_MAX = 10;

/** In words. */
const RULE_CHARS_MAX = 200;

/** Far above any price, rank or ROI. */
const BOUND_MAX = 1e9;

const id = () => z.string().check(z.refine((text) => /^[\w-]{1,40}$/.test(text)));
const hour = () => upTo(23);
const idPayload = () => z.strictObject({ id: id() });

/** Rules in words, as a digest names them. */
const rulePayload = () => z.strictObject({ rule: z.string().check(z.maxLength(RULE_CHARS_MAX)) });

const switchPayload = () => z.strictObject({ id: id(), isOn: z.boolean() });

const runOncePayload = () => z.strictObject({ id: id(), maxMs: wholeNumber(SLICE_MS_MAX) });

const savePayload = () => z.strictObject({ id: id(), settings: settings() });

const settings = () =>
  z.strictObject({
    task: z.union([z.strictObject({ kind: z.literal('formulas') }), listTask()]),
    recurrence: z.union([
      z.strictObject({ kind: z.literal('hourly') }),
      z.strictObject({ kind: z.enum(['daily', 'weekdays']), hour: hour() }),
      z.strictObject({ kind: z.literal('weekly'), hour: hour(), weekday: upTo(6) }),
      z.strictObject({ kind: z.literal('monthly'), hour: hour(), day: wholeNumber(31) }),
    ]),
    maxAgeHours: z.union([z.literal(AGE_HOURS_MIN), wholeNumber(AGE_HOURS_MAX)]),
    callsPerHour: z.nullable(wholeNumber(CALLS_MAX)),
    quiet: z.nullable(z.strictObject({ fromHour: hour(), toHour: hour() })),
    rules: z.array(rule()).check(z.refine((rules) => rules.length <= RULES_MAX)),
  });

const listTask = () =>
  z.strictObject({
    kind: z.literal('list'),
    ...listPlace(),
    rows: z.enum(['all', 'starred', 'failed']),
    fields: z
      .array(z.enum(FIELDS))
      .check(z.refine((fields) => new Set(fields).size === fields.length)),
    order: z.enum(['stalest', 'starred']),
  });

function rule() {
  const field = z.enum(FIELDS);
  const bound = z.number().check(z.refine((value) => Math.abs(value) <= BOUND_MAX));
  return z.union([
    z.strictObject({ kind: z.literal('no-longer-eligible') }),
    z.strictObject({ kind: z.enum(['fell-under', 'rose-over']), field, bound }),
    z.strictObject({ kind: z.literal('doubled'), field }),
  ]);
}

type Value<M extends keyof ScheduleMethods> = ScheduleMethods[M]['value'];
type Payload<M extends keyof ScheduleMethods> = ScheduleMethods[M]['payload'];

type SchedulePage = {
  readonly [M in keyof ScheduleMethods]: (payload: Payload<M>) => Value<M> | Failure;
};

/** From one go to the next, by hand. */
const NEXT_MS = 100;

function schedulePage(platform: SchedulePlatform): SchedulePage {
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
  const market = isFailure(engine)
    ? DEFAULT_MARKET
    : (engine.connection.settings.defaultMarket ?? DEFAULT_MARKET);
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

/** Built on a call, not at load: cells load this file too. */
export function scheduleMethods() {
  const nothing = z.strictObject({}) as z.ZodMiniType<Readonly<Record<string, never>>>;
  return methodsOf<ScheduleMethods, SchedulePage>(
    {
      'schedule.look': nothing,
      'schedule.save': savePayload(),
      'schedule.switch': switchPayload(),
      'schedule.remove': idPayload(),
      'schedule.run': runOncePayload(),
      'schedule.seen': nothing,
      'schedule.show': rulePayload(),
      'schedule.history': nothing,
      'schedule.adopt': idPayload(),
      'schedule.mend': nothing,
      'schedule.useHere': nothing,
    },
    (platform) => schedulePage(withSchedules(platform)),
  );
}
