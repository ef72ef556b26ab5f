// What is due: a schedule, by the hour of its recurrence, and products of its list, by their age.

import * as z from 'zod/mini';
import type { AnalysisRow } from '../analysis/row-record';
import { DAY, HOUR, MINUTE, timeWords, type ZoneOffset } from '../failures/duration';
import { isFailureStatus, OK_STATUS, statusLasts } from '../failures/status';
import { sheetIdSchema } from '../google/cells';
import type { ListRow } from '../list/rows';
import { productKey } from '../product/asin';
import { type Fits, lazySchema } from '../schema/stored-record';

/** Local, 0 to 23. */
const hourSchema = lazySchema(() => z.int().check(z.nonnegative(), z.maximum(23)));

export const recurrenceSchema = lazySchema(() =>
  z.union([
    z.strictObject({ kind: z.literal('hourly') }),
    z.strictObject({ kind: z.literal('daily'), hour: hourSchema() }),
    /** Monday to Friday. */
    z.strictObject({ kind: z.literal('weekdays'), hour: hourSchema() }),
    /** Weekdays count from Sunday as 0. */
    z.strictObject({
      kind: z.literal('weekly'),
      hour: hourSchema(),
      weekday: z.int().check(z.nonnegative(), z.maximum(6)),
    }),
    /** In a month that is too short for `day`, its last day. */
    z.strictObject({
      kind: z.literal('monthly'),
      hour: hourSchema(),
      day: z.int().check(z.minimum(1), z.maximum(31)),
    }),
  ]),
);

export type Recurrence = Fits<typeof recurrenceSchema>;

/** A recurrence with an hour of the day. */
type Timed = Exclude<Recurrence, { kind: 'hourly' }>;

/**
 * Hours during which nothing starts, from `fromHour` up to but not including `toHour`; they may
 * span midnight.
 */
export const quietHoursSchema = lazySchema(() =>
  z.strictObject({ fromHour: hourSchema(), toHour: hourSchema() }),
);

export type QuietHours = Fits<typeof quietHoursSchema>;

/**
 * The longest time between two occurrences in days: a month, plus one day that a move across the
 * date line may skip.
 */
const LONGEST_DAYS = 33;

/**
 * Whether an occurrence has come since `lastMs`. It has come once the local clock shows its hour or
 * a later one, so a firing that comes late, an hour that the clock skips or repeats, and a new time
 * zone need no case of their own.
 */
export function hasCome(
  recurrence: Recurrence,
  lastMs: number,
  nowMs: number,
  zone: ZoneOffset,
): boolean {
  if (recurrence.kind === 'hourly') return lastMs < nowMs - modulo(localOf(nowMs, zone), HOUR);
  const latest = occurrence(recurrence, localOf(nowMs, zone), -1);
  return localOf(lastMs, zone) < latest;
}

/** About when the first occurrence after `afterMs` comes, ms since 1970. */
export function occurrenceAfter(recurrence: Recurrence, afterMs: number, zone: ZoneOffset): number {
  const local = localOf(afterMs, zone);
  if (recurrence.kind === 'hourly') return afterMs - modulo(local, HOUR) + HOUR;
  const next = occurrence(recurrence, local, 1);
  const guessMs = next - zone(afterMs);
  const atMs = next - zone(guessMs);
  // The clock skips that time, or it changes between the guess and the occurrence.
  return localOf(atMs, zone) === next ? atMs : guessMs;
}

/**
 * The occurrence that is nearest to a local moment. Local times are written as if they were UTC.
 *
 * @param direction -1: the latest one up to that moment; 1: the first one after it.
 */
function occurrence(recurrence: Timed, local: number, direction: 1 | -1): number {
  const today = local - modulo(local, DAY);
  for (let days = 0; days <= LONGEST_DAYS; days++) {
    const date = today + direction * days * DAY;
    const at = date + recurrence.hour * HOUR;
    if (fallsOn(recurrence, date) && (direction === 1 ? at > local : at <= local)) return at;
  }
  throw new Error(`no occurrence of ${recurrence.kind} within ${LONGEST_DAYS} days`);
}

/** The end of the quiet hours that contain `nowMs`; undefined outside quiet hours. */
export function quietUntil(
  quiet: QuietHours | null,
  nowMs: number,
  zone: ZoneOffset,
): number | undefined {
  if (quiet === null || quiet.fromHour === quiet.toHour) return undefined;
  const hour = new Date(localOf(nowMs, zone)).getUTCHours();
  const { fromHour, toHour } = quiet;
  const overnight = fromHour > toHour;
  const isQuiet = overnight ? hour >= fromHour || hour < toHour : hour >= fromHour && hour < toHour;
  if (!isQuiet) return undefined;
  return occurrenceAfter({ kind: 'daily', hour: toHour }, nowMs, zone);
}

function fallsOn(recurrence: Timed, date: number): boolean {
  const day = new Date(date);
  switch (recurrence.kind) {
    case 'daily':
      return true;
    case 'weekdays':
      return day.getUTCDay() % 6 !== 0;
    case 'weekly':
      return day.getUTCDay() === recurrence.weekday;
    case 'monthly':
      return day.getUTCDate() === Math.min(recurrence.day, daysOfMonth(day));
  }
}

function daysOfMonth(date: Date): number {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
}

/** Local time, written as if it were UTC. */
function localOf(atMs: number, zone: ZoneOffset): number {
  return atMs + zone(atMs);
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** "Every day at 6:00 AM", "Every day at 06:00" */
export function recurrenceWords(recurrence: Recurrence, locale: string): string {
  if (recurrence.kind === 'hourly') return 'Every hour';
  const at = `at ${timeWords(recurrence.hour * HOUR, locale, 'UTC')}`;
  switch (recurrence.kind) {
    case 'daily':
      return `Every day ${at}`;
    case 'weekdays':
      return `Monday to Friday ${at}`;
    case 'weekly':
      return `Every ${DAYS[recurrence.weekday]} ${at}`;
    case 'monthly':
      // In months that are too short, the last day counts.
      return `Every month on day ${recurrence.day}${recurrence.day > 28 ? ', or its last,' : ''} ${at}`;
  }
}

/** The longest id of a list. */
const LIST_ID_CHARS_MAX = 40;

/** A list, as tags name it in its sheet. */
export const listTaskSchema = lazySchema(() =>
  z.strictObject({
    kind: z.literal('list'),
    sheetId: sheetIdSchema(),
    listId: z.string().check(z.maxLength(LIST_ID_CHARS_MAX)),
    rows: z.literal(['all', 'failed']),
  }),
);

export type ListTask = Fits<typeof listTaskSchema>;

/**
 * How soon a failure that may pass is tried again: at the next firing, which may come a little
 * early.
 */
export const TRY_AGAIN_MS = 30 * MINUTE;

/**
 * A product that fails for this long is left until the schedule's next occurrence, so that it does
 * not hold the others up.
 */
const TRY_FOR_MS = DAY;

export interface DueRule extends Pick<ListTask, 'rows'> {
  readonly nowMs: number;
  /** When the current occurrence began, ms since 1970. */
  readonly sinceMs: number;
  readonly maxAgeMs: number;
  /** Figures that came with another key, or were read in another way, are due. */
  readonly fetchedWith: string;
}

export interface Due {
  /** The keys of the products that are due, the most urgent first. */
  readonly products: readonly string[];
  /** How many have just failed and are tried again at the next firing. */
  readonly soon: number;
}

/** Of a product in several rows, the row that was answered the longest ago counts. */
export function dueProducts(rows: readonly ListRow[], rule: DueRule): Due {
  /** When each was answered or tried; -Infinity: never. */
  const due = new Map<string, number>();
  const soon = new Set<string>();
  for (const { content, tabRow } of rows) {
    if (content.kind !== 'product' || !isMeant(tabRow, rule)) continue;
    const product = productKey(content.product);
    const turn = turnOf(tabRow, rule);
    if (turn === 'soon') soon.add(product);
    if (turn !== 'now') continue;
    const atMs = settledMs(tabRow) ?? Number.NEGATIVE_INFINITY;
    due.set(product, Math.min(atMs, due.get(product) ?? Infinity));
  }
  const byAge = ([, a]: readonly [string, number], [, b]: readonly [string, number]) =>
    a === b ? 0 : a - b;
  return {
    products: [...due].sort(byAge).map(([product]) => product),
    soon: [...soon].filter((product) => !due.has(product)).length,
  };
}

/** Whether a schedule is for a row of its list. */
export const isMeant = (
  tabRow: AnalysisRow | undefined,
  { rows }: Pick<ListTask, 'rows'>,
): boolean => rows === 'all' || isFailureStatus(tabRow?.status ?? '');

function turnOf(tabRow: AnalysisRow | undefined, rule: DueRule): 'now' | 'soon' | null {
  const atMs = settledMs(tabRow);
  if (tabRow === undefined || atMs === null || atMs < rule.sinceMs - rule.maxAgeMs) return 'now';
  if (tabRow.status === OK_STATUS) return tabRow.fetchedWith === rule.fetchedWith ? null : 'now';
  if (statusLasts(tabRow.status) || rule.nowMs - rule.sinceMs >= TRY_FOR_MS) return null;
  return rule.nowMs - atMs >= TRY_AGAIN_MS ? 'now' : 'soon';
}

/** When a row was answered, or was tried and failed, ms since 1970; null: neither. */
function settledMs(tabRow: AnalysisRow | undefined): number | null {
  if (tabRow?.status === OK_STATUS) return tabRow.analyzedMs;
  return isFailureStatus(tabRow?.status ?? '') ? (tabRow?.triedMs ?? null) : null;
}
