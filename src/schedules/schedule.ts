// A schedule: what is kept fresh, when and within which limits; its states, all changes pure.

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

/** The rows of a list and where their figures go. */
export interface ListTask
  extends Pick<Choice, 'sheetId' | 'headerRow' | 'productColumn' | 'market'> {
  readonly kind: 'list';
  /** `starred`: rows with anything in a column headed "Star" or "Starred". */
  readonly rows: 'all' | 'starred' | 'failed';
  readonly fields: readonly Field[];
  /** `stalest`: what was analyzed longest ago comes first; `starred`: starred rows, then the stalest. */
  readonly order: 'stalest' | 'starred';
  readonly seldom?: WeakRowRule;
}

/** Rows that are hardly worth a call, by what stands in them: each is refreshed every 30 days alone. */
export interface WeakRowRule {
  readonly notEligible?: true;
  /** As a fraction. */
  readonly roiUnder?: number;
  /** The verdict that the sheet works out from the seller's own costs. */
  readonly verdictSkip?: true;
}

/** Every formula of the add-on in the spreadsheet. */
export interface FormulasTask {
  readonly kind: 'formulas';
}

/** Everything a person decides of a schedule. */
export interface ScheduleSettings {
  readonly task: ListTask | FormulasTask;
  readonly recurrence: Recurrence;
  /** Whatever was fetched less than so many hours ago costs nothing. Half an hour, or 1 to 8,760. */
  readonly maxAgeHours: number;
  /** No more calls than this in an hour; what is left goes on in the next one. null: the key's limit alone. */
  readonly callsPerHour: number | null;
  /** Nothing starts from `fromHour` up to, not including, `toHour`; may go over midnight. */
  readonly quiet: { readonly fromHour: number; readonly toHour: number } | null;
  readonly rules: readonly ChangeRule[];
}

/** A year, which is far older than any figure is of use. */
const AGE_HOURS_MAX = 8_760;

/** For rows that are refreshed every hour, by a clock that does not strike to the minute. */
const AGE_HOURS_MIN = 0.5;

/** Google's largest allowance of a day. */
const CALLS_MAX = 100_000;

/** What a schedule may mark; a page that sends more is none of ours. */
const RULES_MAX = 10;

/** Far above any price, rank or ROI. */
const BOUND_MAX = 1e9;

const hour = () => upTo(23);

/** What a person may decide, and what is read back. */
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

/** What became of one run. */
export interface ScheduleRun {
  readonly startedMs: number;
  readonly tookMs: number;
  /** "Every morning" */
  readonly name: string;
  /** `part`: it goes on in the next hour; `failed`: see `problem`. */
  readonly outcome: 'done' | 'part' | 'failed';
  /** Rows, or cells with formulas, that hold fresh figures now. */
  readonly refreshed: number;
  readonly failed: number;
  readonly calls: number;
  /** Lines that were added to the change log. */
  readonly changes: number;
  /** By hand, and not by the clock. */
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
  /** Whom it runs as, with their key and allowances; a random name, as for runs. */
  readonly by: string;
  readonly settings: ScheduleSettings;
  readonly isOn: boolean;
  /** It comes round next at or after this moment. */
  readonly nextMs: number;
  /** When it came round, as long as it is not through; what is older than its max age then is due. */
  readonly sinceMs: number | null;
  /** Calls of an hour that began at `hourMs`. */
  readonly spent: { readonly hourMs: number; readonly calls: number };
  readonly last: ScheduleRun | null;
  /** Why it does not run, or what went wrong last. */
  readonly problem: Failure | null;
  /** The list as it was seen last: columns are found again by their headers. */
  readonly seen?: LastLayout | undefined;
}

/**
 * Reads a stored schedule. null: it is none. A damaged member is left out where it tells of the past, or
 * where a run finds it out anew.
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

/** With other settings: what the old ones led to is over, but calls that were made count. */
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

/** From now on it runs as somebody else. */
export function adopted(before: Schedule, by: string, nextMs: number): Schedule {
  return { ...before, by, nextMs: before.sinceMs ?? nextMs, problem: null };
}

/** `under-way`: it came round and is not through, so it goes on in the next hour. */
export type ScheduleState = 'off' | 'resting' | 'under-way';

export function stateOf({ isOn, sinceMs }: Pick<Schedule, 'isOn' | 'sinceMs'>): ScheduleState {
  if (!isOn) return 'off';
  return sinceMs === null ? 'resting' : 'under-way';
}

/** Whether it has something to do at this moment, were its owner's clock to strike. */
export function isDue(schedule: Schedule, nowMs: number, zone: ZoneOffset) {
  const { nextMs, settings } = schedule;
  const state = stateOf(schedule);
  if (state === 'off' || (state === 'resting' && nowMs < nextMs)) return false;
  return quietUntil(settings.quiet ?? undefined, nowMs, zone) === undefined;
}

/** The one that waited longest goes first; one that was served in between waits from then on. */
export function byTurn(one: Schedule, other: Schedule): number {
  return waitsSinceMs(one) - waitsSinceMs(other);
}

function waitsSinceMs({ nextMs, sinceMs, last }: Schedule): number {
  return Math.max(sinceMs ?? nextMs, last?.startedMs ?? 0);
}

/** By another clock from now on; what has come round already has. */
export const inZone =
  (nowMs: number, zone: ZoneOffset) =>
  (one: Schedule): Schedule =>
    one.nextMs <= nowMs
      ? one
      : { ...one, nextMs: occurrenceAfter(one.settings.recurrence, nowMs, zone) };

/** It came round, or goes on where it stopped. An occurrence that was missed is not made up for. */
export function begun(before: Schedule, nowMs: number, zone: ZoneOffset): Schedule {
  if (before.sinceMs !== null && nowMs < before.nextMs) return before;
  const nextMs = occurrenceAfter(before.settings.recurrence, nowMs, zone);
  return { ...before, nextMs, sinceMs: nowMs };
}

/**
 * After a run. One that had nothing to do yet is not worth remembering, and one under settings that
 * somebody changed meanwhile says nothing of these; but its calls count.
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
  return {
    ...before,
    sinceMs: run.outcome === 'done' ? null : before.sinceMs,
    spent,
    seen: seen ?? before.seen,
    last: isIdle ? last : run,
    // While nothing can be tried, what the last try came to is still the news.
    problem: run.problem ?? (isIdle && last?.calls ? last.problem : null) ?? null,
  };
}

/** With calls of a run that began at a moment; an hour that is over is forgotten. */
export function spentWith({ spent }: Schedule, calls: number, nowMs: number): Schedule['spent'] {
  const hourMs = nowMs - (nowMs % HOUR_MS);
  return { hourMs, calls: calls + (spent.hourMs === hourMs ? spent.calls : 0) };
}

/** How many calls it may make in this hour yet; null: as many as the key allows. */
export function callsLeft(schedule: Schedule, nowMs: number): number | null {
  const { callsPerHour } = schedule.settings;
  if (callsPerHour === null) return null;
  return Math.max(0, callsPerHour - spentWith(schedule, 0, nowMs).calls);
}

/** When it runs next, as far as that can be known; null: it is off. */
export function nextRunMs(schedule: Schedule, nowMs: number, zone: ZoneOffset): number | null {
  const { nextMs, settings } = schedule;
  const state = stateOf(schedule);
  if (state === 'off') return null;
  const atMs = state === 'resting' ? Math.max(nextMs, nowMs) : nowMs;
  return quietUntil(settings.quiet ?? undefined, atMs, zone) ?? atMs;
}

/** Before anybody looks. */
const HOUR = 6;

/** A day would leave out what was analyzed a little later yesterday than it is now. */
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
