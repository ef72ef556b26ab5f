// What happened in a month of schedules, as anybody outside could see it: the laws judge nothing else.

import type { ScheduleSettings } from '../../../src/schedules/schedule';
import type { RunShown } from '../../../src/sidebar/api/schedules';
import type { Calendar } from './calendar';
import type { Spell } from './month-plan';
import type { Call, MonthWorld } from './month-world';
import type { LogLine, SeenRow } from './rows';
import type { Look, Trouble } from './sidebar';

const HOUR_MS = 3_600_000;

/** A schedule as somebody saved it last. */
export interface Stand {
  readonly id: string;
  readonly settings: ScheduleSettings;
  readonly isOn: boolean;
  /** Saved or switched then: what came round earlier is forgotten. */
  readonly sinceMs: number;
}

/** A firing of the clock, or a run of one schedule by hand. */
export interface Work {
  /** The schedule that somebody ran by hand; null: the clock struck. */
  readonly byHand: string | null;
  readonly startedMs: number;
  readonly endedMs: number;
  /** As the host says how it ended; `refused`: Google did not start it. */
  readonly ended: 'returned' | 'killed' | 'refused' | 'failed';
  readonly logs: readonly string[];
  /** As they stood when it began. */
  readonly schedules: readonly Stand[];
  readonly before: readonly SeenRow[];
  readonly after: readonly SeenRow[];
  readonly calls: readonly Call[];
  /** What UrlFetchApp failed to send: it counts as called, as nobody can tell. */
  readonly unsent: readonly Pick<Call, 'asin' | 'atMs'>[];
  /** New lines of the change log. */
  readonly lines: readonly LogLine[];
  /** How often each product stands in the list by what people did. */
  readonly there: ReadonlyMap<string, number>;
  /** Products typed over others, whose figures stand there until they are analyzed. */
  readonly typed: ReadonlySet<string>;
  /** Products whose row got a star meanwhile. */
  readonly starred: ReadonlySet<string>;
  /** Nobody could have worked. */
  readonly trouble: Trouble | null;
  /** The trouble lasted from its beginning to its end. */
  readonly isCertain: boolean;
  /** Google's services failed it in a way that it could not meet at once. */
  readonly isHit: boolean;
  /** Somebody moved rows while it ran. */
  readonly isMoved: boolean;
  /** What is left of a person's run goes first, and asks for what that person chose. */
  readonly hasLeftover: boolean;
  /** Run time of the clock in the 24 hours before; Google's day lies within them. */
  readonly runMs: number;
}

export interface Seen {
  readonly atMs: number;
  readonly userEmail: string;
  readonly look: Look;
  /** The newest of the history. */
  readonly runs: readonly RunShown[];
  /** A person's run waits for that person. */
  readonly isInTheWay: boolean;
}

export interface MonthRecord {
  readonly startMs: number;
  readonly endMs: number;
  /** In the order in which they began. */
  readonly works: readonly Work[];
  /** What somebody saw who looked at the sidebar, in order. */
  readonly looks: readonly Seen[];
  /** When somebody did something at the sidebar or in the sheet, in order. */
  readonly actsMs: readonly number[];
  readonly disabled: readonly Spell[];
  readonly calls: readonly Call[];
  readonly callsOf: MonthWorld['callsOf'];
  readonly calendar: Calendar;
  /** Of the key, without its burst. */
  readonly callsPerSecond: number;
  /** Products of formulas and of other tabs, with the age from which on these ask for them, ms. */
  readonly apart: ReadonlyMap<string, number>;
  /** Calls that one cut-off execution may have to make again. */
  readonly unsavedMax: number;
}

/** What is wrong, in words. */
export type Law = (record: MonthRecord) => readonly string[];

export const wrongAt = (atMs: number, text: string): string =>
  `${new Date(atMs).toISOString().slice(0, 16)} ${text}`;

/** After so long a firing has no time left: it stops taking work at 285 s and writes what it has. */
const FULL_MS = 240_000;

/** Of the 90 minutes that Google gives a day, so much is kept back at the most: one whole firing. */
const SPARE_MS = 6 * 60_000;
const DAY_RUN_MS = 90 * 60_000;

export const isFull = ({ startedMs, endedMs }: Work) => endedMs - startedMs >= FULL_MS;

export const isCutShort = ({ ended, isHit }: Work) => ended === 'killed' || isHit;

/** A firing that came to its end, with time, and nobody changed rows or had a run to be gone on with. */
export const isUndisturbed = ({ byHand, ended, isMoved, hasLeftover, runMs }: Work) =>
  byHand === null &&
  ended === 'returned' &&
  !isMoved &&
  !hasLeftover &&
  runMs + SPARE_MS <= DAY_RUN_MS;

/** Nothing at all kept it from its work. */
export const isFree = (work: Work) => isUndisturbed(work) && !work.isHit && work.trouble === null;

export const maxAgeMs = ({ settings }: Stand) => settings.maxAgeHours * HOUR_MS;

/** Whether it is one of the rows that the schedule is for. */
export function isMeant({ settings }: Stand, { asin, isStarred, status }: SeenRow): boolean {
  if (settings.task.kind !== 'list' || asin === '') return false;
  if (settings.task.rows === 'failed') return status.kind === 'failed';
  return settings.task.rows === 'all' || isStarred;
}

/** Whether it stands in the list at all. */
export const isListed = ({ before, after }: Work, asin: string): boolean =>
  [...before, ...after].some((row) => row.asin === asin);

/** Those whose rows a call may be about; of a product that came and went nobody knows whose it was. */
export function meaning(stands: readonly Stand[], work: Work, asin: string): readonly Stand[] {
  const got = work.starred.has(asin);
  const about = [...work.before, ...work.after]
    .filter((row) => row.asin === asin)
    .map((row) => ({ ...row, isStarred: row.isStarred || got }));
  return stands.filter((one) => about.length === 0 || about.some((row) => isMeant(one, row)));
}

/** When it came round last before a moment, by the calendar alone; null: not since it was saved. */
export function roundMs({ calendar }: MonthRecord, stand: Stand, atMs: number): number | null {
  const rounds = calendar.occurrences(stand.settings.recurrence);
  return rounds.findLast((round) => round <= atMs && round > stand.sinceMs) ?? null;
}

/** The schedules that may make calls in a firing, or by hand: they came round and are not through. */
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
    // By then it had begun, for certain, whatever had come round.
    const begunMs = works.findLast(
      (one) =>
        one.endedMs <= (seen?.atMs ?? 0) && isFree(one) && !isFull(one) && !isQuiet(one.startedMs),
    )?.startedMs;
    const isHand = (one: Work) =>
      one.byHand === id && one.startedMs <= startedMs && one.endedMs > (seen?.atMs ?? 0);
    return (roundMs(record, stand, endedMs) ?? 0) > (begunMs ?? 0) || works.some(isHand);
  });
}

/** An answer is dated when it is read; a wave is read when the last of its calls is answered. */
const READ_WITHIN_MS = 60_000;

/** The spreadsheet's own store keeps seconds, rounded. */
const ROUNDED_MS = 500;

/** A sheet keeps local times: of one in the hour that comes twice nobody can tell which it is. */
const SHIFTS_MS = [0, 1_800_000, 3_600_000, -1_800_000, -3_600_000];
const SHIFT_MS_MAX = 3_600_000 + READ_WITHIN_MS;

/** The calls whose answer may stand in a row of status "OK", by the time that it names. */
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

/** It failed, and may not the next time. */
export const isPassing = ({ status }: SeenRow) =>
  status.kind === 'failed' && !LASTING.includes(status.failure);

/** Whether a row holds nothing, another product's figures or older ones than of that moment. */
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
