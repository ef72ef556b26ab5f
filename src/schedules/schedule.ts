// A schedule: what it keeps fresh, when, and within which limits; its states, whose transitions are pure;
// and where schedules and the history of their runs are stored.

import * as z from 'zod/mini';
import { changeRuleSchema } from '../analysis/changes';
import { HOUR, MINUTE, type ZoneOffset } from '../failures/duration';
import { type Failure, isFailure, scheduleProblem } from '../failures/failure';
import { type Platform, RECORD_LOCK_WAIT_MS } from '../google/platform';
import { failureSchema, whileLocked } from '../jobs/job';
import {
  type Fits,
  fitting,
  lazySchema,
  listText,
  storedAs,
  storedItems,
} from '../schema/stored-record';
import {
  hasCome,
  listTaskSchema,
  occurrenceAfter,
  quietHoursSchema,
  quietUntil,
  recurrenceSchema,
} from './due';

/** A year. Figures become useless much sooner. */
const AGE_HOURS_MAX = 8_760;

/** For lists that are refreshed every hour by a trigger that does not fire to the minute. */
const AGE_HOURS_MIN = 0.5;

/** Google's largest daily allowance. */
const CALLS_MAX = 100_000;

/** The most rules of a schedule. Our page never sends more. */
const RULES_MAX = 10;

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

/** The calls made in the hour that began at `hourMs`. */
const spentSchema = lazySchema(() => z.object({ hourMs: z.number(), calls: z.number() }));

type Spent = Fits<typeof spentSchema>;

const scheduleSchema = lazySchema(() =>
  z.object({
    id: z.string(),
    /** The spreadsheet in which it was made, by its identity. In a copy it makes no calls. */
    home: z.string(),
    madeMs: z.number(),
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
    /** When its owner's clock last fired, or when the schedule was made, switched on or taken over. */
    firedMs: z.number(),
    /** When the run began that has not ended; Google may have cut it off. null: none has. */
    runningMs: z.nullable(z.number()),
    spent: spentSchema(),
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
function parseSchedule(text: string): Schedule | null {
  const schedule = storedAs(text, scheduleSchema());
  if (schedule === null) return null;
  const { last, problem } = schedule;
  return {
    ...schedule,
    last: fitting(scheduleRunSchema(), last),
    problem: fitting(failureSchema(), problem),
  };
}

export type NewSchedule = Pick<Schedule, 'id' | 'home' | 'by' | 'settings' | 'sheetName'>;

export const makeSchedule = (made: NewSchedule, nowMs: number): Schedule => ({
  ...made,
  madeMs: nowMs,
  isOn: true,
  lastMs: nowMs,
  sinceMs: null,
  firedMs: nowMs,
  runningMs: null,
  spent: { hourMs: 0, calls: 0 },
  last: null,
  problem: null,
});

/** Everything that follows from the old settings is reset, but calls already made still count. */
export const changeSettings = (
  before: Schedule,
  { settings, sheetName }: Pick<Schedule, 'settings' | 'sheetName'>,
  nowMs: number,
): Schedule => ({ ...before, settings, sheetName, lastMs: nowMs, sinceMs: null, problem: null });

export const turnSchedule = (before: Schedule, isOn: boolean, nowMs: number): Schedule => ({
  ...before,
  isOn,
  lastMs: nowMs,
  sinceMs: null,
  firedMs: nowMs,
  problem: null,
});

/** Gives the schedule another owner. What has come and was not done is due for them. */
export const takeOverSchedule = (before: Schedule, by: string, nowMs: number): Schedule => ({
  ...before,
  by,
  firedMs: nowMs,
  problem: null,
});

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

/** When the latest run ended, ms since 1970; null: there was none. */
export const lastEndMs = ({ last }: Schedule): number | null =>
  last === null ? null : last.startedMs + last.tookMs;

/** Orders schedules by when they were last served, the longest ago first. */
export const byTurn = (a: Schedule, b: Schedule): number => servedMs(a) - servedMs(b);

const servedMs = ({ last, lastMs }: Schedule): number => last?.startedMs ?? lastMs;

/**
 * Begins a run: an occurrence, or one that is under way is continued. Of several missed occurrences
 * only the latest is made up for. A run that was cut off in this hour counts as having made all of
 * its calls.
 */
export function beginRun(before: Schedule, nowMs: number, zone: ZoneOffset): Schedule {
  const { settings, lastMs, sinceMs, runningMs } = before;
  const isNew = sinceMs === null || hasCome(settings.recurrence, lastMs, nowMs, zone);
  const isCutOff = runningMs !== null && hourOf(runningMs) === hourOf(nowMs);
  return {
    ...before,
    ...(isNew && { lastMs: nowMs, sinceMs: nowMs }),
    runningMs: nowMs,
    spent: isCutOff ? spentWith(before, callsLeft(before, nowMs) ?? 0, nowMs) : before.spent,
    problem: null,
  };
}

/**
 * After a run. A run that could do nothing yet is not remembered, and one whose settings were
 * changed meanwhile says nothing about the new ones, but its calls count.
 *
 * @param begun as it was when the run began.
 */
export function endRun(before: Schedule, begun: Schedule, run: ScheduleRun): Schedule {
  const spent = spentWith(before, run.calls, run.startedMs);
  const ended = { ...before, spent, runningMs: null };
  if (JSON.stringify(before.settings) !== JSON.stringify(begun.settings)) return ended;
  const { last } = before;
  // While nothing can be tried, the problem of the last try remains, also where stored answers are
  // filled in meanwhile.
  const isUntried = run.outcome === 'part' && run.calls === 0;
  const isPending = isUntried && last !== null && (last.calls > 0 || last.outcome === 'part');
  const problem = run.problem ?? (isPending ? last.problem : undefined);
  return {
    ...ended,
    sinceMs: run.outcome === 'done' ? null : before.sinceMs,
    last: isUntried && didNothing(run) ? last : { ...run, problem },
    problem: problem ?? null,
  };
}

const didNothing = ({ refreshed, failed }: ScheduleRun): boolean => refreshed + failed === 0;

/**
 * Whether a run belongs in the history. One that waits, finds nothing due or fails as before is
 * told once and not every hour.
 */
export function isNews(run: ScheduleRun, last: ScheduleRun | null): boolean {
  if (run.refreshed > 0 || run.failed > (last?.failed ?? 0)) return true;
  if (run.outcome === 'part') return run.byHand && !didNothing(run);
  const story = ({ outcome, problem }: ScheduleRun) =>
    JSON.stringify([outcome, { ...problem, waitMs: undefined, requestId: undefined }]);
  return run.byHand || last === null || story(last) !== story(run);
}

/** Google ends an execution after six minutes, so one that is silent for longer was cut off. */
const RUN_MS_MAX = 7 * MINUTE;

/** Whether an execution is running it. */
export const isRunning = ({ runningMs }: Schedule, nowMs: number): boolean =>
  runningMs !== null && nowMs - runningMs < RUN_MS_MAX;

/** When the latest run began, if it was cut off and could not be recorded; null: it was not. */
export const cutOffMs = (schedule: Schedule, nowMs: number): number | null =>
  isRunning(schedule, nowMs) ? null : schedule.runningMs;

/** Google's clock may be minutes late and skips a firing now and then; only a longer silence counts. */
export const SILENT_MS = 3 * HOUR;

/** Whether it is on and its owner's clock has not fired for hours. */
export const isLate = ({ isOn, firedMs }: Schedule, nowMs: number): boolean =>
  isOn && nowMs - firedMs > SILENT_MS;

/**
 * Whether its owner's clock does not fire or lacks permission, so that another person may take it
 * over.
 */
export const isSilent = (schedule: Schedule, nowMs: number): boolean =>
  isLate(schedule, nowMs) || (schedule.isOn && schedule.problem?.kind === 'not-permitted');

const hourOf = (atMs: number): number => atMs - (atMs % HOUR);

/** With the calls of a run that began at `nowMs`; an earlier hour is forgotten. */
function spentWith({ spent }: Schedule, calls: number, nowMs: number): Spent {
  const hourMs = hourOf(nowMs);
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

/** Each takes some 3 KB of the 9 KB of a property. */
const PREFIX = 'schedule:';

const nameOf = (id: string): string => PREFIX + id;

/** Every firing looks at all of them. */
const SCHEDULES_MAX = 10;

export interface Schedules {
  /** In the order in which they were made. */
  readonly list: readonly Schedule[];
  /** The names of what cannot be read as a schedule. The page tells it until one is made or removed. */
  readonly damaged: readonly string[];
}

export interface ScheduleStore {
  /** Costs one property call. */
  read(): Schedules;
  /** Adds a schedule, or changes the one of its id. Costs two property calls. */
  save(id: string, next: (before: Schedule | null) => Schedule | Failure): Schedule | Failure;
  /** Changes a schedule that is still there. Costs two property calls. */
  change(id: string, next: (before: Schedule) => Schedule | Failure): Schedule | Failure;
  /** Changes every schedule; null leaves one as it is. Costs two property calls, or one. */
  changeAll(next: (before: Schedule) => Schedule | null): Schedules | Failure;
  /** Removing one that is gone succeeds. */
  remove(id: string): Failure | null;
}

type ScheduleParts = Pick<Platform, 'documentStore' | 'lock'>;

export function scheduleStore({ documentStore, lock }: ScheduleParts): ScheduleStore {
  function read(): Schedules {
    const own = Object.entries(documentStore.readAll()).filter(([name]) => name.startsWith(PREFIX));
    const all = own.map(([name, text]) => ({ name, schedule: parseSchedule(text) }));
    return {
      list: all.flatMap(({ schedule }) => schedule ?? []).sort((a, b) => a.madeMs - b.madeMs),
      damaged: all.flatMap(({ name, schedule }) => (schedule === null ? [name] : [])),
    };
  }
  const write = (all: readonly Schedule[]): Failure | null =>
    all.length === 0 ||
    documentStore.writeAll(
      Object.fromEntries(all.map((schedule) => [nameOf(schedule.id), JSON.stringify(schedule)])),
    )
      ? null
      : scheduleProblem('not-stored');
  const written = (schedule: Schedule | Failure): Schedule | Failure =>
    isFailure(schedule) ? schedule : (write([schedule]) ?? schedule);
  function forget(names: readonly string[]): void {
    for (const name of names) documentStore.remove(name);
  }
  return {
    read,
    save: (id, next) =>
      whileLocked({ lock }, () => {
        const { list, damaged } = read();
        const before = list.find((schedule) => schedule.id === id) ?? null;
        if (before === null && list.length >= SCHEDULES_MAX)
          return scheduleProblem('too-many', String(SCHEDULES_MAX));
        const saved = written(next(before));
        if (before === null && !isFailure(saved))
          forget(damaged.filter((name) => name !== nameOf(id)));
        return saved;
      }),
    change: (id, next) =>
      whileLocked({ lock }, () => {
        const before = parseSchedule(documentStore.read(nameOf(id)) ?? '');
        return before === null ? scheduleProblem('not-found') : written(next(before));
      }),
    changeAll: (next) =>
      whileLocked({ lock }, () => {
        const { list, damaged } = read();
        const changed = list.map((schedule) => [schedule, next(schedule)] as const);
        const after = changed.map(([schedule, update]) => update ?? schedule);
        return write(changed.flatMap(([, update]) => update ?? [])) ?? { list: after, damaged };
      }),
    remove: (id) =>
      whileLocked({ lock }, () => {
        forget([nameOf(id), ...read().damaged]);
        return null;
      }),
  };
}

const HISTORY_NAME = 'schedule-runs';

export const scheduleRunsKept = () => ({ [HISTORY_NAME]: scheduleRunSchema() });

/** Even if each of them has a problem, they fit into one property. */
export const RUNS_KEPT = 30;

export interface RunHistory {
  /** Costs one property call. */
  read(): readonly ScheduleRun[];
  /** Costs two property calls. */
  add(run: ScheduleRun): void;
}

/** @param home identifies the spreadsheet in which the runs took place; in a copy there are none. */
export function runHistory({ documentStore, lock }: ScheduleParts, home: string): RunHistory {
  function read(): readonly ScheduleRun[] {
    const text = documentStore.read(HISTORY_NAME) ?? '';
    const own = text.startsWith(home) ? text.slice(home.length) : null;
    return storedItems(own, scheduleRunSchema());
  }
  return {
    read,
    add(run) {
      const write = () =>
        documentStore.write(HISTORY_NAME, home + listText([run, ...read()].slice(0, RUNS_KEPT)));
      // If the lock is not available, writing without it is better than not writing, although
      // another execution's run may be lost.
      if (!lock.run(RECORD_LOCK_WAIT_MS, write).held) write();
    },
  };
}
