// A schedule: what it keeps fresh, when, and within which limits; its states and pure transitions.

import * as z from 'zod/mini';
import { HOUR } from '../failures/duration';
import type { Failure } from '../failures/failure';
import { sheetIdSchema } from '../google/sheet-schemas';
import { failureSchema } from '../jobs/job';
import { type Fits, fitting, lazySchema } from '../schema/stored-record';
import { changeRuleSchema } from './changes';
import {
  hasCome,
  occurrenceAfter,
  quietHoursSchema,
  quietUntil,
  recurrenceSchema,
  type ZoneOffset,
} from './recurrence';

/** A year. Figures become useless much sooner. */
const AGE_HOURS_MAX = 8_760;

/** For lists that are refreshed every hour by a trigger that does not fire to the minute. */
const AGE_HOURS_MIN = 0.5;

/** Google's largest daily allowance. */
const CALLS_MAX = 100_000;

/** The most rules of a schedule. Our page never sends more. */
const RULES_MAX = 10;

/** The longest mark of a list. */
const LIST_ID_CHARS_MAX = 40;

/** A list, as metadata marks it in its sheet. */
const listTaskSchema = lazySchema(() =>
  z.strictObject({
    kind: z.literal('list'),
    sheetId: sheetIdSchema(),
    listId: z.string().check(z.maxLength(LIST_ID_CHARS_MAX)),
    /** `starred`: rows with a mark in a column titled "Star" or "Starred". */
    rows: z.literal(['all', 'starred', 'failed']),
    /**
     * `stalest`: products that were analyzed the longest ago come first; `starred`: those of starred
     * rows, then the stalest.
     */
    order: z.literal(['stalest', 'starred']),
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
    /** Figures that were fetched less than this many hours ago stay. */
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
    /** Products, or cells with formulas, whose figures are fresh now. */
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

const scheduleSchema = lazySchema(() =>
  z.object({
    id: z.string(),
    /** The person as whom it runs, with their key and allowances; a random name, as for jobs. */
    by: z.string(),
    settings: scheduleSettingsSchema(),
    isOn: z.boolean(),
    /**
     * When it began its latest occurrence, was made, changed or switched on, ms since 1970. What
     * comes after that is due.
     */
    lastMs: z.number(),
    /**
     * When the current occurrence began, until it is completed; figures that were older than the
     * maximum age then are due.
     */
    sinceMs: z.nullable(z.number()),
    /** The calls made in the hour that began at `hourMs`. */
    spent: z.object({ hourMs: z.number(), calls: z.number() }),
    /** The name of the list's sheet when it was last seen; '' for formulas. */
    sheetName: z.string(),
    last: z.optional(z.unknown()),
    problem: z.optional(z.unknown()),
  }),
);

export interface Schedule extends Omit<Fits<typeof scheduleSchema>, 'last' | 'problem'> {
  readonly last: ScheduleRun | null;
  /** Why it does not run, or the latest problem. */
  readonly problem: Failure | null;
}

/**
 * Reads a stored schedule; null: it is none. Damaged members that only record the past are dropped.
 */
export function asSchedule(stored: unknown): Schedule | null {
  const schedule = fitting(scheduleSchema(), stored);
  if (schedule === null) return null;
  const { last, problem } = schedule;
  return {
    ...schedule,
    last: fitting(scheduleRunSchema(), last),
    problem: fitting(failureSchema(), problem),
  };
}

/** No call was made in any hour. */
export const NOTHING_SPENT: Pick<Schedule, 'spent'> = { spent: { hourMs: 0, calls: 0 } };

export type NewSchedule = Pick<Schedule, 'id' | 'by' | 'settings' | 'sheetName'>;

export function makeSchedule(made: NewSchedule, nowMs: number): Schedule {
  return {
    ...made,
    isOn: true,
    lastMs: nowMs,
    sinceMs: null,
    ...NOTHING_SPENT,
    last: null,
    problem: null,
  };
}

/** Everything that follows from the old settings is reset, but calls already made still count. */
export function changeSettings(
  before: Schedule,
  { settings, sheetName }: Pick<Schedule, 'settings' | 'sheetName'>,
  nowMs: number,
): Schedule {
  return { ...before, settings, sheetName, lastMs: nowMs, sinceMs: null, problem: null };
}

export function turnSchedule(before: Schedule, isOn: boolean, nowMs: number): Schedule {
  return { ...before, isOn, lastMs: nowMs, sinceMs: null, problem: null };
}

/** Gives the schedule another owner. What has come and was not done is due for them. */
export function takeOverSchedule(before: Schedule, by: string): Schedule {
  return { ...before, by, problem: null };
}

/** `under-way`: its current occurrence is not complete, so it continues in the next hour. */
export type ScheduleState = 'off' | 'resting' | 'under-way';

export function stateOf({ isOn, sinceMs }: Pick<Schedule, 'isOn' | 'sinceMs'>): ScheduleState {
  if (!isOn) return 'off';
  return sinceMs === null ? 'resting' : 'under-way';
}

/** Whether it has something to do now if its owner's trigger fires. */
export function isDue(schedule: Schedule, nowMs: number, zone: ZoneOffset): boolean {
  const { lastMs, settings } = schedule;
  const state = stateOf(schedule);
  if (state === 'off' || quietUntil(settings.quiet, nowMs, zone) !== undefined) return false;
  return state === 'under-way' || hasCome(settings.recurrence, lastMs, nowMs, zone);
}

/** Orders schedules by when they were last served, the longest ago first. */
export const byTurn = (one: Schedule, other: Schedule): number => servedMs(one) - servedMs(other);

const servedMs = ({ last, lastMs }: Schedule): number => last?.startedMs ?? lastMs;

/**
 * Begins an occurrence, or continues one that is under way. Of several missed occurrences only the
 * latest is made up for.
 */
export function beginOccurrence(before: Schedule, nowMs: number, zone: ZoneOffset): Schedule {
  const { settings, lastMs, sinceMs } = before;
  if (sinceMs !== null && !hasCome(settings.recurrence, lastMs, nowMs, zone)) return before;
  return { ...before, lastMs: nowMs, sinceMs: nowMs };
}

/**
 * After a run. A run that could do nothing yet is not remembered, and one whose settings were
 * changed meanwhile says nothing about the new ones, but its calls count.
 */
export function endRun(before: Schedule, run: ScheduleRun, settings: ScheduleSettings): Schedule {
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
    last: isIdle ? last : { ...run, problem },
    problem: problem ?? null,
  };
}

/** Google ends an execution after six minutes, so one that is silent for longer was cut off. */
const RUN_MS_MAX = 7 * 60_000;

/** When the latest run began, if it was cut off and could not be recorded; null: it was not. */
export function cutOffMs({ problem }: Schedule, nowMs: number): number | null {
  if (problem?.kind !== 'schedule' || problem.why !== 'cut-off') return null;
  const startedMs = Number(problem.what);
  return nowMs - startedMs < RUN_MS_MAX ? null : startedMs;
}

/** With the calls of a run that began at `nowMs`; an earlier hour is forgotten. */
export function spentWith({ spent }: Schedule, calls: number, nowMs: number): Schedule['spent'] {
  const hourMs = nowMs - (nowMs % HOUR);
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
  const { recurrence, quiet } = schedule.settings;
  if (!schedule.isOn) return null;
  const isWanted = schedule.sinceMs !== null || hasCome(recurrence, schedule.lastMs, nowMs, zone);
  const atMs = isWanted ? nowMs : occurrenceAfter(recurrence, nowMs, zone);
  return quietUntil(quiet, atMs, zone) ?? atMs;
}
