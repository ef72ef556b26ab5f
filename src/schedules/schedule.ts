// A schedule: what it keeps fresh, when, and within which limits; its states and pure transitions.

import * as z from 'zod/mini';
import type { Failure } from '../failures/failure';
import { failureSchema } from '../failures/failure-schema';
import { type Fits, lazySchema } from '../platform/lazy-schema';
import { fitting } from '../platform/stored-record';
import { type Choice, fieldsSchema, readingSchema } from '../runs/run';
import { knownColumnSchema } from '../table/columns';
import { listPositionSchema } from '../table/list-position';
import { boundSchema, changeRuleSchema } from './changes';
import {
  occurrenceAfter,
  quietHoursSchema,
  quietUntil,
  recurrenceSchema,
  type ZoneOffset,
} from './recurrence';

const HOUR_MS = 3_600_000;

/** A year. Figures become useless much sooner. */
const AGE_HOURS_MAX = 8_760;

/** For rows that are refreshed every hour by a clock that does not fire to the minute. */
const AGE_HOURS_MIN = 0.5;

/** Google's largest daily allowance. */
const CALLS_MAX = 100_000;

/** The most rules of a schedule. Our page never sends more. */
const RULES_MAX = 10;

/**
 * Rows that are hardly worth a call, by their content. Each of them is refreshed only every 30
 * days.
 */
const weakRowRuleSchema = lazySchema(() =>
  z.strictObject({
    notEligible: z.exactOptional(z.literal(true)),
    /** A fraction. */
    roiUnder: z.exactOptional(boundSchema()),
    /** The verdict that the sheet calculates from the seller's own costs. */
    verdictSkip: z.exactOptional(z.literal(true)),
  }),
);

export type WeakRowRule = Fits<typeof weakRowRuleSchema>;

/** A list: its rows and the columns of its figures. */
const listTaskSchema = lazySchema(() =>
  z.strictObject({
    kind: z.literal('list'),
    ...listPositionSchema().shape,
    /** `starred`: rows with a mark in a column titled "Star" or "Starred". */
    rows: z.literal(['all', 'starred', 'failed']),
    fields: fieldsSchema(),
    /**
     * `stalest`: rows that were analyzed the longest ago come first; `starred`: starred rows, then
     * the stalest.
     */
    order: z.literal(['stalest', 'starred']),
    seldom: z.exactOptional(weakRowRuleSchema()),
  }),
);

export type ListTask = Fits<typeof listTaskSchema>;

/** All of the add-on's formulas in the spreadsheet. */
const formulasTaskSchema = lazySchema(() => z.strictObject({ kind: z.literal('formulas') }));

export type FormulasTask = Fits<typeof formulasTaskSchema>;

/** Everything that a person decides about a schedule. */
export const scheduleSettingsSchema = lazySchema(() =>
  z.strictObject({
    task: z.union([listTaskSchema(), formulasTaskSchema()]),
    recurrence: recurrenceSchema(),
    /** Answers that were fetched less than this many hours ago are reused. */
    maxAgeHours: z.union([
      z.literal(AGE_HOURS_MIN),
      z.int().check(z.minimum(1), z.maximum(AGE_HOURS_MAX)),
    ]),
    /**
     * The most calls in an hour; the rest continues in the next hour. null: only the key's limit
     * applies.
     */
    callsPerHour: z.nullable(z.int().check(z.minimum(1), z.maximum(CALLS_MAX))),
    quiet: z.nullable(quietHoursSchema()),
    rules: z.array(changeRuleSchema()).check(z.maxLength(RULES_MAX)),
  }),
);

export type ScheduleSettings = Fits<typeof scheduleSettingsSchema>;

/** The result of one run. */
export const scheduleRunSchema = lazySchema(() =>
  z.object({
    startedMs: z.number(),
    tookMs: z.number(),
    /** "Every morning" */
    name: z.string(),
    /** `part`: it continues in the next hour; `failed`: see `problem`. */
    outcome: z.literal(['done', 'part', 'failed']),
    /** Rows, or cells with formulas, whose figures are fresh now. */
    refreshed: z.number(),
    failed: z.number(),
    calls: z.number(),
    /** The number of lines added to the change log. */
    changes: z.number(),
    /** Whether a person started it instead of the clock. */
    byHand: z.boolean(),
    problem: z.optional(failureSchema()),
  }),
);

export type ScheduleRun = Fits<typeof scheduleRunSchema>;

const lastLayoutSchema = lazySchema(() =>
  z.object({
    columns: z.array(knownColumnSchema()),
    others: z.array(z.string()),
    sheetName: z.string(),
    reading: z.exactOptional(readingSchema()),
  }),
);

export type LastLayout = Fits<typeof lastLayoutSchema>;

const scheduleSchema = lazySchema(() =>
  z.object({
    id: z.string(),
    /** The person as whom it runs, with their key and allowances; a random name, as for runs. */
    by: z.string(),
    settings: scheduleSettingsSchema(),
    isOn: z.boolean(),
    /** The next occurrence is at or after this moment, ms since 1970. */
    nextMs: z.number(),
    /**
     * When the current occurrence began, until it is completed; rows that were older than the
     * maximum age then are due.
     */
    sinceMs: z.nullable(z.number()),
    /** The calls made in the hour that began at `hourMs`. */
    spent: z.object({ hourMs: z.number(), calls: z.number() }),
    last: z.optional(z.unknown()),
    problem: z.optional(z.unknown()),
    seen: z.optional(z.unknown()),
  }),
);

export interface Schedule extends Omit<Fits<typeof scheduleSchema>, 'last' | 'problem' | 'seen'> {
  readonly last: ScheduleRun | null;
  /** Why it does not run, or the latest problem. */
  readonly problem: Failure | null;
  /** The list as last seen, with the headers by which its columns are found again. */
  readonly seen?: LastLayout | undefined;
}

/**
 * Reads a stored schedule; null: it is none. Damaged members that only record the past, or that a
 * run finds out again, are dropped.
 */
export function asSchedule(stored: unknown): Schedule | null {
  const schedule = fitting(scheduleSchema(), stored);
  if (schedule === null) return null;
  const { last, problem, seen } = schedule;
  return {
    ...schedule,
    last: fitting(scheduleRunSchema(), last),
    problem: fitting(failureSchema(), problem),
    seen: fitting(lastLayoutSchema(), seen) ?? undefined,
  };
}

export function newSchedule(id: string, by: string, settings: ScheduleSettings, nextMs: number) {
  const schedule: Schedule = {
    ...{ id, by, settings, nextMs },
    isOn: true,
    sinceMs: null,
    spent: { hourMs: 0, calls: 0 },
    last: null,
    problem: null,
  };
  return schedule;
}

/**
 * With other settings. Everything that follows from the old settings is reset, but calls already
 * made still count.
 */
export function changed(before: Schedule, settings: ScheduleSettings, nextMs: number): Schedule {
  const isSameList = JSON.stringify(placeOf(before.settings)) === JSON.stringify(placeOf(settings));
  const seen = isSameList ? before.seen : undefined;
  return { ...before, seen, settings, nextMs, sinceMs: null, problem: null };
}

function placeOf({ task }: ScheduleSettings) {
  if (task.kind === 'formulas') return null;
  return [task.sheetId, task.headerRow, task.productColumn, task.market];
}

export function switched(before: Schedule, isOn: boolean, nextMs: number): Schedule {
  return { ...before, isOn, nextMs, sinceMs: null, problem: null };
}

/** With another person as its owner. */
export function adopted(before: Schedule, by: string, nextMs: number): Schedule {
  return { ...before, by, nextMs: before.sinceMs ?? nextMs, problem: null };
}

/** `under-way`: its current occurrence is not complete, so it continues in the next hour. */
export type ScheduleState = 'off' | 'resting' | 'under-way';

export function stateOf({ isOn, sinceMs }: Pick<Schedule, 'isOn' | 'sinceMs'>): ScheduleState {
  if (!isOn) return 'off';
  return sinceMs === null ? 'resting' : 'under-way';
}

/** Whether it has something to do now if its owner's clock fires. */
export function isDue(schedule: Schedule, nowMs: number, zone: ZoneOffset) {
  const { nextMs, settings } = schedule;
  const state = stateOf(schedule);
  if (state === 'off' || (state === 'resting' && nowMs < nextMs)) return false;
  return quietUntil(settings.quiet ?? undefined, nowMs, zone) === undefined;
}

/** Orders schedules by the time they have waited; one that was just served starts waiting again. */
export function byTurn(one: Schedule, other: Schedule): number {
  return waitsSinceMs(one) - waitsSinceMs(other);
}

function waitsSinceMs({ nextMs, sinceMs, last }: Schedule): number {
  return Math.max(sinceMs ?? nextMs, last?.startedMs ?? 0);
}

/** Recalculates the next occurrence in another time zone. An occurrence that has come stays due. */
export const inZone =
  (nowMs: number, zone: ZoneOffset) =>
  (one: Schedule): Schedule =>
    one.nextMs <= nowMs
      ? one
      : { ...one, nextMs: occurrenceAfter(one.settings.recurrence, nowMs, zone) };

/**
 * Begins an occurrence, or continues one that is under way. Missed occurrences are not made up for.
 */
export function begun(before: Schedule, nowMs: number, zone: ZoneOffset): Schedule {
  if (before.sinceMs !== null && nowMs < before.nextMs) return before;
  const nextMs = occurrenceAfter(before.settings.recurrence, nowMs, zone);
  return { ...before, nextMs, sinceMs: nowMs };
}

/**
 * After a run. A run that could do nothing yet is not remembered, and one whose settings were
 * changed meanwhile says nothing about the new ones, but its calls count.
 */
export function ranOn(
  before: Schedule,
  run: ScheduleRun,
  settings: ScheduleSettings,
  seen: LastLayout | undefined,
): Schedule {
  const spent = spentWith(before, run.calls, run.startedMs);
  if (JSON.stringify(before.settings) !== JSON.stringify(settings)) return { ...before, spent };
  const isIdle = run.outcome === 'part' && run.refreshed + run.failed === 0;
  const { last } = before;
  // While nothing can be tried, the problem of the last try remains, also where stored answers are
  // filled in meanwhile.
  const isUntried = run.outcome === 'part' && run.calls === 0;
  const kept = isUntried && (last?.calls || last?.outcome === 'part') ? last.problem : undefined;
  const problem = run.problem ?? kept;
  return {
    ...before,
    sinceMs: run.outcome === 'done' ? null : before.sinceMs,
    spent,
    seen: seen ?? before.seen,
    last: isIdle ? last : { ...run, problem },
    problem: problem ?? null,
  };
}

/** With the calls of a run that began at `nowMs`; an earlier hour is forgotten. */
export function spentWith({ spent }: Schedule, calls: number, nowMs: number): Schedule['spent'] {
  const hourMs = nowMs - (nowMs % HOUR_MS);
  return { hourMs, calls: calls + (spent.hourMs === hourMs ? spent.calls : 0) };
}

/** How many more calls it may make in this hour; null: as many as the key allows. */
export function callsLeft(schedule: Schedule, nowMs: number): number | null {
  const { callsPerHour } = schedule.settings;
  if (callsPerHour === null) return null;
  return Math.max(0, callsPerHour - spentWith(schedule, 0, nowMs).calls);
}

/** When it runs next as far as can be foreseen; null: it is switched off. */
export function nextRunMs(schedule: Schedule, nowMs: number, zone: ZoneOffset): number | null {
  const { nextMs, settings } = schedule;
  const state = stateOf(schedule);
  if (state === 'off') return null;
  const atMs = state === 'resting' ? Math.max(nextMs, nowMs) : nowMs;
  return quietUntil(settings.quiet ?? undefined, atMs, zone) ?? atMs;
}

/** Before most people start to look. */
const HOUR = 6;

/** A full day would leave out rows that were analyzed yesterday a little later than now. */
const MAX_AGE_HOURS = 20;

export function everyMorning({ rows: _, ...list }: Choice): ScheduleSettings {
  return {
    task: { kind: 'list', ...list, rows: 'all', order: 'stalest' },
    recurrence: { kind: 'daily', hour: HOUR },
    maxAgeHours: MAX_AGE_HOURS,
    callsPerHour: null,
    quiet: null,
    rules: [],
  };
}
