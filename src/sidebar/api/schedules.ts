// The methods of the Schedule page: payloads, and schedules as the page receives them.

import * as z from 'zod/mini';
import { identityHere } from '../../connection/connection-store';
import { type Failure, isFailure } from '../../failures/failure';
import { findFormulas } from '../../formulas/find';
import type { Platform } from '../../google/platform';
import type { Sheet } from '../../google/sheet';
import { activeSheet, sheetById, spreadsheetHere } from '../../google/spreadsheet';
import { ensureClock } from '../../jobs/clock';
import { runTimeToday } from '../../limit/run-time';
import { listName, taggedList, taggedLists } from '../../list/tagged-list';
import { digestHere, type NewsDigest, noteSeen, showMarked } from '../../schedules/digest';
import { recurrenceWords } from '../../schedules/due';
import {
  adoptSchedule,
  removeSchedule,
  renewLateClock,
  runByHand,
  saveSchedule,
  switchSchedule,
  useHere,
} from '../../schedules/manage';
import {
  nextRunMs,
  runHistory,
  type Schedule,
  type ScheduleRun,
  scheduleSettingsSchema,
  stateOf,
} from '../../schedules/schedule';
import {
  commonTrouble,
  isCopy,
  type Remedy,
  type SchedulesView,
  type ScheduleTrouble,
  triggerIn,
  troubleOf,
  viewOf,
} from '../../schedules/trouble';
import { lazySchema } from '../../schema/stored-record';
import { defineApi, nothingSchema } from './define-api';
import { described, type RpcFailure } from './failure-view';

/** The result of one run of a schedule. */
export interface RunShown extends Omit<ScheduleRun, 'startedMs' | 'problem'> {
  readonly startedAtMs: number;
  readonly problem?: RpcFailure;
}

export interface ScheduleShown extends Pick<Schedule, 'id' | 'settings' | 'isOn' | 'sheetName'> {
  /** Named by its recurrence: "Every day at 6:00 AM". */
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
  readonly digest: NewsDigest | null;
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

/** A problem in words. */
const shownTrouble = ({ problem, remedy, grantUrl }: ScheduleTrouble) => ({
  ...(problem !== null && { problem: { ...described(problem), ...(grantUrl && { grantUrl }) } }),
  ...(remedy !== undefined && { remedy }),
});

const timeZoneHere = () => spreadsheetHere()?.timeZone ?? 'Etc/UTC';

const overviewAfter = (platform: Platform, done: unknown) =>
  isFailure(done) ? done : scheduleOverview(platform);

function after(platform: Platform, done: Failure | null) {
  if (done !== null) return done;
  const view = viewOf(platform, timeZoneHere());
  return { schedules: view.all.list.map((schedule) => shown(view, schedule)) };
}

function scheduleOverview(platform: Platform): ScheduleOverview {
  const refused = renewLateClock(platform);
  const timeZone = timeZoneHere();
  const view = viewOf(platform, timeZone);
  const { all, home } = view;
  const trigger = triggerIn(view);
  const trouble = commonTrouble(view, trigger);
  const { usedMs, perDayMs } = runTimeToday(platform);
  return {
    timeZone,
    schedules: all.list.map((schedule) => shown(view, schedule)),
    trigger: {
      state: trigger.state,
      everyMinutes: trigger.everyMinutes,
      ...shownTrouble(trigger),
    },
    limits: { runMsToday: usedMs, runMsPerDay: perDayMs },
    // The log of a copy tells of the original.
    digest: isCopy(view) ? null : digestHere(platform, home),
    lists: listsIn(activeSheet()),
    formulaCells: findFormulas().length,
    ...shownTrouble(refused === null ? trouble : { ...trouble, problem: refused }),
  };
}

const listsIn = (sheet: Sheet): readonly ListShown[] =>
  taggedLists(sheet).map((list) => ({
    sheetId: sheet.id,
    listId: list.id,
    name: listName(list),
  }));

function shown(view: SchedulesView, schedule: Schedule): ScheduleShown {
  const { id, settings, isOn, last } = schedule;
  const { task } = settings;
  const list = task.kind === 'list' ? taggedList(task) : null;
  const sheet = task.kind === 'list' ? sheetById(task.sheetId) : null;
  return {
    id,
    settings,
    isOn,
    name: recurrenceWords(settings.recurrence, view.locale),
    sheetName: list === null ? (sheet?.name() ?? schedule.sheetName) : listName(list),
    isMine: schedule.by === view.me,
    nextAtMs: nextRunMs(schedule, view.nowMs, view.zone),
    isUnderWay: stateOf(schedule) === 'under-way',
    last: last === null ? null : shownRun(last),
    ...shownTrouble(troubleOf(view, schedule)),
  };
}

const shownRun = ({ startedMs, problem, ...run }: ScheduleRun): RunShown => ({
  ...run,
  startedAtMs: startedMs,
  ...(problem !== undefined && { problem: described(problem) }),
});

export const schedulesApi = defineApi({
  'schedule.look': { schema: nothingSchema, handler: scheduleOverview },
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
    handler: (platform) => overviewAfter(platform, ensureClock(platform)),
  },
  /** Allows the schedules of a copied spreadsheet to run in the copy. */
  'schedule.useHere': {
    schema: nothingSchema,
    handler: (platform) => overviewAfter(platform, useHere(platform)),
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
