// The methods of the Schedule page: payloads, and schedules as the page receives them, each with what
// it does next and, for every problem, the one remedy.

import * as z from 'zod/mini';
import { type Failure, fail, isFailure, scheduleProblem } from '../../failures/failure';
import { findFormulas } from '../../formulas/find';
import { columnLetters } from '../../google/cells';
import type { Platform } from '../../google/platform';
import { grantUrl } from '../../google/service-call';
import type { Sheet } from '../../google/sheet';
import { activeSheet, sheetById, spreadsheetHere, zoneOf } from '../../google/spreadsheet';
import { clockOf, ensureClock } from '../../jobs/clock';
import { jobStore } from '../../jobs/job-store';
import { dayLeft } from '../../limit/run-time';
import { markedLists } from '../../list/marked-list';
import { readLog } from '../../schedules/change-log';
import { type Digest, digestOf, noteSeen, seenMs, showMarked } from '../../schedules/digest';
import {
  adoptSchedule,
  removeSchedule,
  renewLateClock,
  runByHand,
  saveSchedule,
  switchSchedule,
  useHere,
} from '../../schedules/manage';
import { momentWords, recurrenceWords, type ZoneOffset } from '../../schedules/recurrence';
import {
  cutOffMs,
  isLate,
  isSilent,
  nextRunMs,
  type Schedule,
  type ScheduleRun,
  scheduleSettingsSchema,
  stateOf,
} from '../../schedules/schedule';
import {
  identityHere,
  runHistory,
  type Schedules,
  scheduleStore,
} from '../../schedules/schedule-store';
import { lazySchema } from '../../schema/stored-record';
import { defineApi, nothingSchema } from './define-api';
import { described, type RpcFailure } from './failure-view';

/** The result of one run of a schedule. */
export interface RunShown extends Omit<ScheduleRun, 'startedMs' | 'problem'> {
  readonly startedAtMs: number;
  readonly problem?: RpcFailure;
}

/** The page's method that solves a problem. */
type Remedy = 'schedule.adopt' | 'schedule.mend' | 'schedule.useHere';

export interface ScheduleShown extends Pick<Schedule, 'id' | 'settings' | 'isOn' | 'sheetName'> {
  /** Named by its recurrence: "Every day at 6:00". */
  readonly name: string;
  readonly isMine: boolean;
  readonly nextAtMs: number | null;
  /** Whether its current occurrence is incomplete, so that it continues in the next hour. */
  readonly isUnderWay: boolean;
  readonly last: RunShown | null;
  /** Why it does not run, or its latest problem, with the one remedy. */
  readonly problem?: RpcFailure;
  readonly remedy?: Remedy;
}

/** A list that a schedule can refresh. */
export interface ListShown {
  readonly sheetId: number;
  readonly listId: string;
  /** "Products", or with the column if the sheet has several lists: "Products, column C". */
  readonly name: string;
}

/** The run time that Google allows triggers, according to the add-on's own count. */
export interface ScheduleLimits {
  readonly runMsToday: number;
  readonly runMsPerDay: number;
}

export interface ScheduleOverview {
  readonly timeZone: string;
  readonly schedules: readonly ScheduleShown[];
  readonly trigger: {
    readonly state: 'on' | 'missing' | 'off';
    readonly everyMinutes: number;
    readonly problem?: RpcFailure;
  };
  readonly limits: ScheduleLimits;
  /** What was logged since this person last looked; null: nothing new. */
  readonly digest: Digest | null;
  /** The analyzed lists of the active sheet. */
  readonly lists: readonly ListShown[];
  /** The number of cells with the add-on's formulas in the whole spreadsheet. */
  readonly formulaCells: number;
  /** A problem that concerns every schedule: a copied spreadsheet, a lost permission, no key. */
  readonly problem?: RpcFailure;
  readonly remedy?: Remedy;
}

/** In words. */
const RULE_CHARS_MAX = 200;

const idSchema = lazySchema(() => z.string().check(z.regex(/^[\w-]{1,40}$/)));

const idPayloadSchema = lazySchema(() => z.strictObject({ id: idSchema() }));

/** An execution of a page lasts six minutes at most. */
const RUN_MS_MAX = 300_000;

/** The pause between two calls of a run by hand. */
const NEXT_MS = 100;

interface Trouble {
  readonly problem: Failure | null;
  readonly remedy?: Remedy;
  /** The address where a missing permission can be granted. */
  readonly grantUrl?: string;
}

const FINE: Trouble = { problem: null };

/** A problem in words. */
const shownTrouble = ({ problem, remedy, grantUrl }: Trouble) => ({
  ...(problem !== null && { problem: { ...described(problem), ...(grantUrl && { grantUrl }) } }),
  ...(remedy !== undefined && { remedy }),
});

/** The schedules of a spreadsheet and who looks at them when. */
interface View {
  readonly platform: Platform;
  readonly all: Schedules;
  readonly home: string;
  readonly me: string;
  readonly nowMs: number;
  readonly zone: ZoneOffset;
}

const timeZoneHere = () => spreadsheetHere()?.timeZone ?? 'Etc/UTC';

const viewOf = (platform: Platform, timeZone: string): View => ({
  platform,
  all: scheduleStore(platform).read(),
  home: identityHere(platform),
  me: jobStore(platform).person(),
  nowMs: platform.clock.nowMs(),
  zone: zoneOf(timeZone),
});

const lookAfter = (platform: Platform, done: unknown) => (isFailure(done) ? done : look(platform));

function after(platform: Platform, done: Failure | null) {
  if (done !== null) return done;
  const view = viewOf(platform, timeZoneHere());
  return { schedules: view.all.list.map((one) => shown(view, one)) };
}

function look(platform: Platform): ScheduleOverview {
  const refused = renewLateClock(platform);
  const timeZone = timeZoneHere();
  const view = viewOf(platform, timeZone);
  const { all, home } = view;
  const isCopy = all.list.some((one) => one.home !== home);
  const trigger = triggerIn(view);
  const trouble: Trouble = isCopy
    ? { problem: scheduleProblem('copied'), remedy: 'schedule.useHere' }
    : commonTrouble(view, trigger);
  const { usedMs, perDayMs } = dayLeft(platform).use;
  return {
    timeZone,
    schedules: all.list.map((one) => shown(view, one)),
    trigger: {
      ...{ state: trigger.state, everyMinutes: trigger.everyMinutes },
      ...shownTrouble(trigger),
    },
    limits: { runMsToday: usedMs, runMsPerDay: perDayMs },
    // The log of a copy tells of the original.
    digest: isCopy ? null : digestOf(readLog(), seenMs(platform, home)),
    lists: listsIn(activeSheet()),
    formulaCells: findFormulas().length,
    ...shownTrouble(refused === null ? trouble : { ...trouble, problem: refused }),
  };
}

type TriggerView = Pick<ScheduleOverview['trigger'], 'state' | 'everyMinutes'> & Trouble;

function triggerIn({ platform, all, me, nowMs, zone }: View): TriggerView {
  const mine = all.list.filter(({ by, isOn }) => by === me && isOn);
  const { isSet, everyMinutes } = clockOf(platform, platform.spreadsheetId() ?? '');
  if (!isSet && mine.length > 0)
    return { state: 'missing', everyMinutes, problem: scheduleProblem('clock-missing') };
  const late = mine.find((one) => isLate(one, nowMs));
  return {
    state: isSet ? 'on' : 'off',
    everyMinutes,
    problem:
      late === undefined ? null : scheduleProblem('clock-late', momentWords(late.firedMs, zone)),
  };
}

/** A problem of all schedules of the person who looks. */
function commonTrouble({ all, me }: View, trigger: TriggerView): Trouble {
  if (all.list.some(({ by, isOn }) => by === me && isOn)) {
    const url = grantUrl();
    if (url !== null) return { problem: fail({ kind: 'not-permitted' }), grantUrl: url };
    if (trigger.state === 'missing') return { problem: trigger.problem, remedy: 'schedule.mend' };
  }
  return all.damaged.length === 0 ? FINE : { problem: scheduleProblem('damaged') };
}

function listsIn(sheet: Sheet): readonly ListShown[] {
  const lists = markedLists(sheet);
  const sheetName = sheet.name() ?? '';
  return lists.map(({ id, productColumn }) => ({
    sheetId: sheet.id,
    listId: id,
    name: lists.length === 1 ? sheetName : `${sheetName}, column ${columnLetters(productColumn)}`,
  }));
}

function shown(view: View, schedule: Schedule): ScheduleShown {
  const { id, settings, isOn, last } = schedule;
  const { task } = settings;
  const sheet = task.kind === 'list' ? sheetById(task.sheetId) : null;
  return {
    ...{ id, settings, isOn },
    name: recurrenceWords(settings.recurrence),
    sheetName: sheet?.name() ?? schedule.sheetName,
    isMine: schedule.by === view.me,
    nextAtMs: nextRunMs(schedule, view.nowMs, view.zone),
    isUnderWay: stateOf(schedule) === 'under-way',
    last: last === null ? null : shownRun(last),
    ...shownTrouble(troubleOf(view, schedule)),
  };
}

function troubleOf({ me, nowMs, zone }: View, schedule: Schedule): Trouble {
  const { by, last, problem } = schedule;
  const ranMs = last === null ? null : last.startedMs + last.tookMs;
  if (by !== me && isSilent(schedule, nowMs)) {
    const since = momentWords(ranMs ?? schedule.firedMs, zone);
    return { problem: scheduleProblem('silent', since), remedy: 'schedule.adopt' };
  }
  const cutOff = cutOffMs(schedule, nowMs);
  if (cutOff !== null) return { problem: scheduleProblem('cut-off', momentWords(cutOff, zone)) };
  return { problem: problem && aged(problem, nowMs - (ranMs ?? nowMs)) };
}

/** Reduces the remaining wait of an earlier failure by the time that has passed since. */
function aged(failure: Failure, ageMs: number): Failure {
  if (!('waitMs' in failure) || failure.waitMs === undefined) return failure;
  return { ...failure, waitMs: Math.max(0, failure.waitMs - ageMs) };
}

const shownRun = ({ startedMs, problem, ...run }: ScheduleRun): RunShown => ({
  ...run,
  startedAtMs: startedMs,
  ...(problem !== undefined && { problem: described(problem) }),
});

export const schedulesApi = defineApi({
  'schedule.look': { schema: nothingSchema, handler: look },
  /**
   * Creates a schedule or changes the one with this id. The page makes up the id of a new one, so
   * that a repeated call creates only one. There is never more than one trigger.
   */
  'schedule.save': {
    schema: () => z.strictObject({ id: idSchema(), settings: scheduleSettingsSchema() }),
    handler: (platform, sent) => after(platform, saveSchedule(platform, sent.id, sent.settings)),
  },
  'schedule.switch': {
    schema: () => z.strictObject({ id: idSchema(), isOn: z.boolean() }),
    handler: (platform, { id, isOn }) => after(platform, switchSchedule(platform, id, isOn)),
  },
  'schedule.remove': {
    schema: idPayloadSchema,
    handler: (platform, { id }) => after(platform, removeSchedule(platform, id)),
  },
  /**
   * Runs a schedule at once for at most `maxMs`, whatever the hour. The page calls it again while
   * `againInMs` is a number. While it works on a list, `jobs.status` shows the progress.
   */
  'schedule.run': {
    schema: () =>
      z.strictObject({
        id: idSchema(),
        maxMs: z.int().check(z.minimum(1), z.maximum(RUN_MS_MAX)),
        anyway: z.exactOptional(z.boolean()),
      }),
    handler(platform, { id, maxMs, anyway }) {
      const went = runByHand(platform, id, maxMs, anyway);
      if (isFailure(went)) return went;
      return { run: shownRun(went.run), againInMs: went.goesOn ? NEXT_MS : null };
    },
  },
  /** Newest first. */
  'schedule.history': {
    schema: nothingSchema,
    handler: (platform) => ({
      runs: runHistory(platform, identityHere(platform)).read().map(shownRun),
    }),
  },
  /** Takes over a schedule whose owner is gone: it then runs as the person who calls. */
  'schedule.adopt': {
    schema: idPayloadSchema,
    handler: (platform, { id }) => after(platform, adoptSchedule(platform, id)),
  },
  /** Creates the clock trigger again if it is missing. */
  'schedule.mend': {
    schema: nothingSchema,
    handler: (platform) => lookAfter(platform, ensureClock(platform)),
  },
  /** Allows the schedules of a copied spreadsheet to run in the copy. */
  'schedule.useHere': {
    schema: nothingSchema,
    handler: (platform) => lookAfter(platform, useHere(platform)),
  },
  /** Dismisses the digest as the page shows it; what was logged since then stays news. */
  'schedule.seen': {
    schema: () => z.strictObject({ atMs: z.number() }),
    handler(platform, { atMs }) {
      noteSeen(platform, identityHere(platform), atMs);
      return {};
    },
  },
  /**
   * Selects the rows of products that a rule has marked since the digest was last dismissed; the
   * rule is given by its words in the digest.
   */
  'schedule.show': {
    schema: () => z.strictObject({ rule: z.string().check(z.maxLength(RULE_CHARS_MAX)) }),
    handler(platform, { rule }) {
      const rows = showMarked(platform, rule);
      return isFailure(rows) ? rows : { shown: rows };
    },
  },
});
