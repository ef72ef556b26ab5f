// A schedule: what it keeps fresh, when, and within which limits; its states and pure transitions.

import { type Failure, isFailure } from '../failures/failure';
import {
  atLeast,
  either,
  fits,
  flag,
  listOf,
  number,
  numberWithin,
  oneOf,
  optional,
  orNone,
  record,
  setOf,
  text,
  that,
  upTo,
  wholeNumber,
} from '../platform/schema';
import { FIELDS, type Field } from '../product/fields';
import { type Choice, listPlace, type Reading } from '../runs/run';
import { knownColumn, type Layout } from '../table/columns';
import type { ChangeRule } from './changes';
import { occurrenceAfter, quietUntil, type Recurrence, type ZoneOffset } from './recurrence';

const HOUR_MS = 3_600_000;

/** A list: its rows and the columns of its figures. */
export interface ListTask
  extends Pick<Choice, 'sheetId' | 'headerRow' | 'productColumn' | 'market'> {
  readonly kind: 'list';
  /** `starred`: rows with a mark in a column titled "Star" or "Starred". */
  readonly rows: 'all' | 'starred' | 'failed';
  readonly fields: readonly Field[];
  /**
   * `stalest`: rows that were analyzed the longest ago come first; `starred`: starred rows, then
   * the stalest.
   */
  readonly order: 'stalest' | 'starred';
  readonly seldom?: WeakRowRule;
}

/**
 * Rows that are hardly worth a call, by their content. Each of them is refreshed only every 30
 * days.
 */
export interface WeakRowRule {
  readonly notEligible?: true;
  /** A fraction. */
  readonly roiUnder?: number;
  /** The verdict that the sheet calculates from the seller's own costs. */
  readonly verdictSkip?: true;
}

/** All of the add-on's formulas in the spreadsheet. */
export interface FormulasTask {
  readonly kind: 'formulas';
}

/** Everything that a person decides about a schedule. */
export interface ScheduleSettings {
  readonly task: ListTask | FormulasTask;
  readonly recurrence: Recurrence;
  /** Answers that were fetched less than this many hours ago are reused. 0.5, or 1 to 8,760. */
  readonly maxAgeHours: number;
  /**
   * The most calls in an hour; the rest continues in the next hour. null: only the key's limit
   * applies.
   */
  readonly callsPerHour: number | null;
  /**
   * Nothing starts from `fromHour` up to but not including `toHour`; the period may span midnight.
   */
  readonly quiet: { readonly fromHour: number; readonly toHour: number } | null;
  readonly rules: readonly ChangeRule[];
}

/** A year. Figures become useless much sooner. */
const AGE_HOURS_MAX = 8_760;

/** For rows that are refreshed every hour by a clock that does not fire to the minute. */
const AGE_HOURS_MIN = 0.5;

/** Google's largest daily allowance. */
const CALLS_MAX = 100_000;

/** The most rules of a schedule. Our page never sends more. */
const RULES_MAX = 10;

/** Far above any price, rank or ROI. */
const BOUND_MAX = 1e9;

const hour = () => upTo(23);

/** The schema of what a person decides, for input and for stored settings. */
export const scheduleSettings = () =>
  record({
    task: either(record({ kind: oneOf('formulas') }), listTask()),
    recurrence: either(
      record({ kind: oneOf('hourly') }),
      record({ kind: oneOf('daily', 'weekdays'), hour: hour() }),
      record({ kind: oneOf('weekly'), hour: hour(), weekday: upTo(6) }),
      record({ kind: oneOf('monthly'), hour: hour(), day: wholeNumber(31) }),
    ),
    maxAgeHours: either(oneOf(AGE_HOURS_MIN), wholeNumber(AGE_HOURS_MAX)),
    callsPerHour: orNone(wholeNumber(CALLS_MAX)),
    quiet: orNone(record({ fromHour: hour(), toHour: hour() })),
    rules: listOf(rule(), RULES_MAX),
  });

const listTask = () =>
  record({
    kind: oneOf('list'),
    ...listPlace(),
    rows: oneOf('all', 'starred', 'failed'),
    fields: setOf(oneOf(...FIELDS)),
    order: oneOf('stalest', 'starred'),
    seldom: optional(
      record({
        notEligible: optional(oneOf(true)),
        roiUnder: optional(numberWithin(-BOUND_MAX, BOUND_MAX)),
        verdictSkip: optional(oneOf(true)),
      }),
    ),
  });

function rule() {
  const field = oneOf(...FIELDS);
  const bound = numberWithin(-BOUND_MAX, BOUND_MAX);
  return either(
    record({ kind: oneOf('no-longer-eligible', 'became-eligible', 'became-buy') }),
    record({ kind: oneOf('fell-under', 'rose-over'), field, bound }),
    record({ kind: oneOf('doubled'), field }),
  );
}

/** The result of one run. */
export interface ScheduleRun {
  readonly startedMs: number;
  readonly tookMs: number;
  /** "Every morning" */
  readonly name: string;
  /** `part`: it continues in the next hour; `failed`: see `problem`. */
  readonly outcome: 'done' | 'part' | 'failed';
  /** Rows, or cells with formulas, whose figures are fresh now. */
  readonly refreshed: number;
  readonly failed: number;
  readonly calls: number;
  /** The number of lines added to the change log. */
  readonly changes: number;
  /** Whether a person started it instead of the clock. */
  readonly byHand: boolean;
  readonly problem?: Failure | undefined;
}

export interface LastLayout extends Pick<Layout, 'columns' | 'others'> {
  readonly sheetName: string;
  readonly reading?: Reading;
}

export const scheduleRun = () =>
  atLeast({ startedMs: number(), problem: optional(that(isFailure)) });

const lastLayout = () => atLeast({ columns: listOf(knownColumn()), others: listOf(text()) });

const needed = () =>
  atLeast({
    ...{ id: text(), by: text(), settings: scheduleSettings(), isOn: flag() },
    ...{ nextMs: number(), sinceMs: orNone(number()) },
    spent: atLeast({ hourMs: number(), calls: number() }),
  });

export interface Schedule {
  readonly id: string;
  /** The person as whom it runs, with their key and allowances; a random name, as for runs. */
  readonly by: string;
  readonly settings: ScheduleSettings;
  readonly isOn: boolean;
  /** The next occurrence is at or after this moment, ms since 1970. */
  readonly nextMs: number;
  /**
   * When the current occurrence began, until it is completed; rows that were older than the maximum
   * age then are due.
   */
  readonly sinceMs: number | null;
  /** The calls made in the hour that began at `hourMs`. */
  readonly spent: { readonly hourMs: number; readonly calls: number };
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
  if (!fits(needed(), stored)) return null;
  const one = stored as Schedule;
  return {
    ...one,
    last: fits(scheduleRun(), one.last) ? one.last : null,
    problem: isFailure(one.problem) ? one.problem : null,
    seen: fits(lastLayout(), one.seen) ? one.seen : undefined,
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
