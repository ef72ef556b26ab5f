// What happened in a month of schedules as visible from outside; the laws judge nothing else.

import type { ScheduleSettings } from '../../../src/schedules/schedule';
import type { RunShown } from '../../../src/sidebar/api/schedules';
import type { Calendar } from './calendar';
import type { Spell } from './month-plan';
import type { Call, MonthWorld } from './month-world';
import type { LogLine, SeenRow } from './rows';
import type { Look, Trouble } from './sidebar';

const HOUR_MS = 3_600_000;

/** A schedule as somebody last saved it. */
export interface Stand {
  readonly id: string;
  readonly settings: ScheduleSettings;
  readonly isOn: boolean;
  /** When it was saved or switched, ms; earlier occurrences no longer count. */
  readonly sinceMs: number;
}

/** A firing of the clock, or a run of one schedule by hand. */
export interface Work {
  /** The schedule that somebody ran by hand; null: the clock fired. */
  readonly byHand: string | null;
  readonly startedMs: number;
  readonly endedMs: number;
  /** How it ended according to the host; `refused`: Google did not start it. */
  readonly ended: 'returned' | 'killed' | 'refused' | 'failed';
  readonly logs: readonly string[];
  /** The schedules as they were at its beginning. */
  readonly schedules: readonly Stand[];
  readonly before: readonly SeenRow[];
  readonly after: readonly SeenRow[];
  readonly calls: readonly Call[];
  /** Requests that UrlFetchApp failed to send; they count as calls, because nobody can tell. */
  readonly unsent: readonly Pick<Call, 'asin' | 'atMs'>[];
  /** New lines of the change log. */
  readonly lines: readonly LogLine[];
  /** How often each product must be in the list after people's changes. */
  readonly there: ReadonlyMap<string, number>;
  /** Products typed over others, whose figures stay until they are analyzed. */
  readonly typed: ReadonlySet<string>;
  /** Products whose row got a star meanwhile. */
  readonly starred: ReadonlySet<string>;
  /** A problem that prevented all work. */
  readonly trouble: Trouble | null;
  /** Whether the problem lasted from beginning to end. */
  readonly isCertain: boolean;
  /** Whether Google's services failed in a way from which it could not recover at once. */
  readonly isHit: boolean;
  /** Whether somebody moved rows while it ran. */
  readonly isMoved: boolean;
  /**
   * Whether a person's run was left over, which comes first and asks for what that person chose.
   */
  readonly hasLeftover: boolean;
  /** The clock's run time in the preceding 24 hours, which contain Google's day. */
  readonly runMs: number;
}

export interface Seen {
  readonly atMs: number;
  readonly userEmail: string;
  readonly look: Look;
  /** The newest runs of the history. */
  readonly runs: readonly RunShown[];
  /** Whether a person's run waits for that person. */
  readonly isInTheWay: boolean;
}

export interface MonthRecord {
  readonly startMs: number;
  readonly endMs: number;
  /** In the order in which they began. */
  readonly works: readonly Work[];
  /** What people saw who looked at the sidebar, in order. */
  readonly looks: readonly Seen[];
  /** When somebody did something at the sidebar or in the sheet, in order. */
  readonly actsMs: readonly number[];
  readonly disabled: readonly Spell[];
  readonly calls: readonly Call[];
  readonly callsOf: MonthWorld['callsOf'];
  readonly calendar: Calendar;
  /** The key's rate without its burst. */
  readonly callsPerSecond: number;
  /** Products of formulas and of other tabs, with the age in ms from which these ask for them. */
  readonly apart: ReadonlyMap<string, number>;
  /** The most calls that one execution, if cut off, may have to repeat. */
  readonly unsavedMax: number;
}

/** Returns what is wrong, in words. */
export type Law = (record: MonthRecord) => readonly string[];

export const wrongAt = (atMs: number, text: string): string =>
  `${new Date(atMs).toISOString().slice(0, 16)} ${text}`;

/** After this time a firing is full: it accepts no work after 285 s and writes what it has. */
const FULL_MS = 240_000;

/** The most of Google's daily 90 minutes that is kept in reserve: one whole firing. */
const SPARE_MS = 6 * 60_000;
const DAY_RUN_MS = 90 * 60_000;

export const isFull = ({ startedMs, endedMs }: Work) => endedMs - startedMs >= FULL_MS;

export const isCutShort = ({ ended, isHit }: Work) => ended === 'killed' || isHit;

/**
 * A firing that ended normally and had time, while nobody moved rows and no person's run was left
 * over.
 */
export const isUndisturbed = ({ byHand, ended, isMoved, hasLeftover, runMs }: Work) =>
  byHand === null &&
  ended === 'returned' &&
  !isMoved &&
  !hasLeftover &&
  runMs + SPARE_MS <= DAY_RUN_MS;

/** Nothing at all prevented its work. */
export const isFree = (work: Work) => isUndisturbed(work) && !work.isHit && work.trouble === null;

export const maxAgeMs = ({ settings }: Stand) => settings.maxAgeHours * HOUR_MS;

/** Whether the schedule covers this row. */
export function isMeant({ settings }: Stand, { asin, isStarred, status }: SeenRow): boolean {
  if (settings.task.kind !== 'list' || asin === '') return false;
  if (settings.task.rows === 'failed') return status.kind === 'failed';
  return settings.task.rows === 'all' || isStarred;
}

/** Whether the product is in the list at all. */
export const isListed = ({ before, after }: Work, asin: string): boolean =>
  [...before, ...after].some((row) => row.asin === asin);

/**
 * The schedules whose rows a call may concern. If a product came and went, it is unknown whose it
 * was.
 */
export function meaning(stands: readonly Stand[], work: Work, asin: string): readonly Stand[] {
  const got = work.starred.has(asin);
  const about = [...work.before, ...work.after]
    .filter((row) => row.asin === asin)
    .map((row) => ({ ...row, isStarred: row.isStarred || got }));
  return stands.filter((one) => about.length === 0 || about.some((row) => isMeant(one, row)));
}

/** The last occurrence before a moment by the calendar alone; null: none since it was saved. */
export function roundMs({ calendar }: MonthRecord, stand: Stand, atMs: number): number | null {
  const rounds = calendar.occurrences(stand.settings.recurrence);
  return rounds.findLast((round) => round <= atMs && round > stand.sinceMs) ?? null;
}

/**
 * The schedules that may make calls in a firing or by hand: those with an incomplete occurrence.
 */
export function openIn(record: MonthRecord, work: Work): readonly Stand[] {
  const { byHand, startedMs, endedMs, schedules } = work;
  if (byHand !== null) return schedules.filter(({ id }) => id === byHand);
  const { works, calendar } = record;
  const seen = record.looks.findLast(({ atMs }) => atMs <= startedMs);
  return schedules.filter((stand) => {
    const { id, isOn, settings, sinceMs } = stand;
    const isQuiet = (atMs: number) => calendar.isQuiet(settings.quiet, atMs);
    if (!isOn || (isQuiet(startedMs) && isQuiet(endedMs))) return false;
    const isShown = seen?.look.schedules.some((one) => one.id === id && one.isUnderWay);
    if (isShown && seen !== undefined && seen.atMs > sinceMs) return true;
    // By then it had certainly begun every occurrence so far.
    const begunMs = works.findLast(
      (one) =>
        one.endedMs <= (seen?.atMs ?? 0) && isFree(one) && !isFull(one) && !isQuiet(one.startedMs),
    )?.startedMs;
    const isHand = (one: Work) =>
      one.byHand === id && one.startedMs <= startedMs && one.endedMs > (seen?.atMs ?? 0);
    return (roundMs(record, stand, endedMs) ?? 0) > (begunMs ?? 0) || works.some(isHand);
  });
}

/** An answer gets its time when it is read, and a wave is read once its last call is answered. */
const READ_WITHIN_MS = 60_000;

/** The spreadsheet's own store keeps rounded seconds. */
const ROUNDED_MS = 500;

/** A sheet stores local times, so in an hour that occurs twice the moment is ambiguous. */
const SHIFTS_MS = [0, 1_800_000, 3_600_000, -1_800_000, -3_600_000];
const SHIFT_MS_MAX = 3_600_000 + READ_WITHIN_MS;

/** The calls whose answer a row with status "OK" may hold, by the time that it shows. */
export function answersIn({ callsOf, calendar }: MonthRecord, row: SeenRow): readonly Call[] {
  if (row.status.kind !== 'ok') return [];
  const shownMs = row.atMs ?? 0;
  const isOf = ({ atMs, figures }: Call) =>
    figures !== null &&
    Math.abs(shownMs - atMs) <= SHIFT_MS_MAX &&
    SHIFTS_MS.some((shiftMs) => {
      const ageMs = shownMs - shiftMs - atMs;
      const isNear = ageMs >= -ROUNDED_MS && ageMs < READ_WITHIN_MS;
      return isNear && (shiftMs === 0 || calendar.showsSame(shownMs, shownMs - shiftMs));
    });
  return callsOf(row.status.asin).filter(isOf);
}

/** Failures that stay until somebody changes the product. */
const LASTING = ['not-found', 'rejected', 'bad-asin', 'bad-market'];

/** Whether it failed in a way that may not occur the next time. */
export const isPassing = ({ status }: SeenRow) =>
  status.kind === 'failed' && !LASTING.includes(status.failure);

/** Whether a row holds nothing, another product's figures, or figures older than that moment. */
export function isStale(record: MonthRecord, row: SeenRow, oldestMs: number): boolean {
  const { status, asin } = row;
  if (status.kind === 'failed') {
    const triedMs = record.callsOf(asin).findLast(({ isSettled }) => isSettled)?.atMs ?? 0;
    return isPassing(row) || triedMs < oldestMs;
  }
  if (status.kind !== 'ok' || status.asin !== asin) return true;
  const newestMs = Math.max(row.atMs ?? 0, ...answersIn(record, row).map(({ atMs }) => atMs));
  return newestMs < oldestMs;
}

export function shownRow({ asin, status, atMs }: SeenRow): string {
  const what = status.kind === 'failed' ? status.failure : status.kind;
  return `${asin} ${what} ${atMs === null ? '' : new Date(atMs).toISOString()}`.trim();
}
