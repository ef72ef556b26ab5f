// The methods of the Schedule page: payloads, and schedules as the page is shown them.

import { googleUse, openEngine } from '../../engine/engine';
import { type Failure, isFailure } from '../../failures/failure';
import { findFormulas } from '../../formulas/find-formulas';
import type { SchedulePlatform } from '../../platform/ports';
import {
  flag,
  nothing,
  optional,
  record,
  text,
  textLike,
  wholeNumber,
} from '../../platform/schema';
import { DEFAULT_MARKET } from '../../product/market';
import { allowancesOf, dayLeft } from '../../quota/google-limits';
import { inspect } from '../../runs/inspect';
import { ensureClock } from '../../runs/trigger';
import { SLICE_MS_MAX } from '../../runs/worker';
import { type Digest, digestHere } from '../../schedules/digest';
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
  type Schedule,
  type ScheduleRun,
  type ScheduleSettings,
  scheduleSettings,
  stateOf,
} from '../../schedules/schedule';
import {
  type CommonTrouble,
  type ScheduleStatus,
  type SchedulesStatus,
  schedulesStatus,
  seeSchedules,
} from '../../schedules/schedule-status';
import { identityHere, runHistory, type Schedules } from '../../schedules/schedule-store';
import { defineApi } from './define-api';
import { described, type RpcFailure } from './failure-view';

/** What became of one run of a schedule. */
export interface RunShown extends Omit<ScheduleRun, 'startedMs' | 'problem'> {
  readonly startedAtMs: number;
  readonly problem?: RpcFailure;
}

export interface ScheduleShown
  extends Pick<Schedule, 'id' | 'settings' | 'isOn'>,
    Pick<ScheduleStatus, 'isMine' | 'nextAtMs' | 'sheetName' | 'remedy'> {
  /** Told by what it does: "Every day at 6:00". */
  readonly name: string;
  /** It has come round and is not through: it goes on in the next hour. */
  readonly isUnderWay: boolean;
  readonly last: RunShown | null;
  /** Why it does not run, or what went wrong last, with the one thing to do. */
  readonly problem?: RpcFailure;
}

/** What happened while nobody looked. */
export interface DigestShown extends Omit<Digest, 'problem'> {
  readonly problem?: RpcFailure;
}

/** Google's allowances for what the clock does, as far as the add-on counted its own. */
export interface ScheduleLimits {
  readonly runMsToday: number;
  readonly runMsPerDay: number;
  readonly callsToday: number;
  readonly callsPerDay: number;
}

export interface ScheduleOverview extends Pick<SchedulesStatus, 'timeZone' | 'remedy'> {
  readonly schedules: readonly ScheduleShown[];
  readonly clock: Omit<SchedulesStatus['clock'], 'isSet' | 'problem'> & {
    readonly problem?: RpcFailure;
  };
  readonly limits: ScheduleLimits;
  /** null: nothing new. */
  readonly digest: DigestShown | null;
  /** What a new schedule starts from: the list on view. null: no list was found there. */
  readonly suggestion: ScheduleSettings | null;
  /** Name of the sheet of `suggestion`. */
  readonly suggestionSheet: string;
  /** Cells with formulas of the add-on in the whole spreadsheet. */
  readonly formulaCells: number;
  /** Something that concerns every schedule: a copied spreadsheet, lost permission, no key. */
  readonly problem?: RpcFailure;
}

/** In words. */
const RULE_CHARS_MAX = 200;

const id = () => textLike(/^[\w-]{1,40}$/);
const idPayload = () => record({ id: id() });

/** From one go to the next, by hand. */
const NEXT_MS = 100;

const after = (platform: SchedulePlatform, all: Schedules | Failure) =>
  isFailure(all) ? all : { schedules: schedulesStatus(platform, all).map(shown) };

const lookAfter = (platform: SchedulePlatform, done: unknown) =>
  isFailure(done) ? done : look(platform);

function look(platform: SchedulePlatform): ScheduleOverview | Failure {
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

function digest(platform: SchedulePlatform): DigestShown | null {
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
  const { choice, name } = inspect(platform, market, false);
  return choice === null
    ? { suggestion: null, suggestionSheet: '' }
    : { suggestion: everyMorning(choice), suggestionSheet: name };
}

function shown(seen: ScheduleStatus): ScheduleShown {
  const { schedule, problem, remedy } = seen;
  const { id, settings, isOn, last } = schedule;
  return {
    ...{ id, settings, isOn },
    name: recurrenceWords(settings.recurrence),
    sheetName: seen.sheetName,
    isMine: seen.isMine,
    nextAtMs: seen.nextAtMs,
    isUnderWay: stateOf(schedule) === 'under-way',
    last: last === null ? null : shownRun(last),
    ...(problem === null ? {} : { problem: described(problem) }),
    ...(remedy === undefined ? {} : { remedy }),
  };
}

function shownRun({ startedMs, problem, ...run }: ScheduleRun): RunShown {
  const words = problem === undefined ? {} : { problem: described(problem) };
  return { ...run, startedAtMs: startedMs, ...words };
}

export const schedulesApi = defineApi({
  'schedule.look': { schema: nothing, handler: look },
  /**
   * Makes a schedule, or changes the one of this id. The page makes up the id of a new one, so that a
   * call sent twice makes one. Never more than one trigger.
   */
  'schedule.save': {
    schema: () => record({ id: id(), settings: scheduleSettings() }),
    handler: (platform, sent) => after(platform, saveSchedule(platform, sent.id, sent.settings)),
  },
  'schedule.switch': {
    schema: () => record({ id: id(), isOn: flag() }),
    handler: (platform, { id, isOn }) => after(platform, switchSchedule(platform, id, isOn)),
  },
  'schedule.remove': {
    schema: idPayload,
    handler: (platform, { id }) => after(platform, removeSchedule(platform, id)),
  },
  /**
   * Runs it at once for at most `maxMs`, whatever the hour; the page calls it again as long as
   * `againInMs` is a number. While it works on a list `bulk.status` tells how far it is.
   */
  'schedule.run': {
    schema: () => record({ id: id(), maxMs: wholeNumber(SLICE_MS_MAX), anyway: optional(flag()) }),
    handler(platform, { id, maxMs, anyway }) {
      const went = runByHand(platform, id, maxMs, anyway);
      if (isFailure(went)) return went;
      return { run: shownRun(went.run), againInMs: went.goesOn ? NEXT_MS : null };
    },
  },
  /** The newest first. */
  'schedule.history': {
    schema: nothing,
    handler: (platform) => ({
      runs: runHistory(platform, identityHere(platform)).read().map(shownRun),
    }),
  },
  /** Takes over a schedule whose owner is gone: from now on it runs as the person who calls. */
  'schedule.adopt': {
    schema: idPayload,
    handler: (platform, { id }) => after(platform, adoptSchedule(platform, id)),
  },
  /** Sets the clock again where it is missing. */
  'schedule.mend': {
    schema: nothing,
    handler: (platform) => lookAfter(platform, ensureClock(platform)),
  },
  /** Lets the schedules of a copied spreadsheet run in the copy. */
  'schedule.useHere': {
    schema: nothing,
    handler: (platform) => lookAfter(platform, useHere(platform)),
  },
  /** Puts the digest away. */
  'schedule.seen': {
    schema: nothing,
    handler(platform) {
      digestHere(platform).putAway();
      return {};
    },
  },
  /** Selects the rows that a rule, in a digest's words, marked since that was last put away. */
  'schedule.show': {
    schema: () => record({ rule: text(RULE_CHARS_MAX) }),
    handler(platform, { rule }) {
      const rows = digestHere(platform).show(rule);
      return isFailure(rows) ? rows : { shown: rows };
    },
  },
});
