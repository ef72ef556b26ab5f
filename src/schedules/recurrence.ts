// When a schedule is due: recurrences, time zones and quiet hours, and their wording. Pure.

import * as z from 'zod/mini';
import { type Fits, lazySchema } from '../platform/lazy-schema';
import type { Zones } from '../platform/ports';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

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

/** How far local time is ahead of UTC at a moment, in ms. */
export type ZoneOffset = (atMs: number) => number;

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

/** The first occurrence after `afterMs`, in ms since 1970. */
export function occurrenceAfter(recurrence: Recurrence, afterMs: number, zone: ZoneOffset): number {
  if (recurrence.kind === 'hourly') return hourAfter(afterMs, zone);
  const today = startOfDay(localOf(afterMs, zone));
  for (let day = 0; day <= LONGEST_DAYS; day++) {
    const date = today + day * DAY;
    if (!fallsOn(recurrence, date)) continue;
    const atMs = momentOf(date + recurrence.hour * HOUR, zone);
    if (atMs > afterMs) return atMs;
  }
  throw new Error(`no occurrence of ${recurrence.kind} within ${LONGEST_DAYS} days`);
}

/** The end of the quiet hours that contain `nowMs`; undefined outside quiet hours. */
export function quietUntil(
  quiet: QuietHours | undefined,
  nowMs: number,
  zone: ZoneOffset,
): number | undefined {
  if (quiet === undefined || quiet.fromHour === quiet.toHour) return undefined;
  const local = localOf(nowMs, zone);
  const hour = Math.floor((local - startOfDay(local)) / HOUR);
  const { fromHour, toHour } = quiet;
  const overnight = fromHour > toHour;
  const isQuiet = overnight ? hour >= fromHour || hour < toHour : hour >= fromHour && hour < toHour;
  if (!isQuiet) return undefined;
  return occurrenceAfter({ kind: 'daily', hour: toHour }, nowMs, zone);
}

/** The next full hour of local time, which is not a full hour of UTC in every zone. */
function hourAfter(afterMs: number, zone: ZoneOffset): number {
  const passed = modulo(localOf(afterMs, zone), HOUR);
  const nextMs = afterMs - passed + HOUR;
  // If the clock changes by half an hour in between, the next full hour is elsewhere.
  const off = modulo(localOf(nextMs, zone), HOUR);
  return off === 0 ? nextMs : nextMs + HOUR - off;
}

function fallsOn(recurrence: Exclude<Recurrence, { kind: 'hourly' }>, date: number): boolean {
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

function startOfDay(local: number): number {
  return local - modulo(local, DAY);
}

/**
 * The first moment at which the local clock shows `local`; if the clock skips that time, the first
 * moment after the gap. Offsets are read a day before and after, since no zone changes twice in
 * that time.
 */
function momentOf(local: number, zone: ZoneOffset): number {
  const [before, after] = [zone(local - DAY), zone(local + DAY)];
  const [early, late] = [local - Math.max(before, after), local - Math.min(before, after)];
  if (localOf(early, zone) === local) return early;
  if (localOf(late, zone) === local) return late;
  return endOfGap(early, late, zone);
}

/**
 * The moment of the one clock change between two moments, found by bisection to the millisecond.
 */
function endOfGap(earlyMs: number, lateMs: number, zone: ZoneOffset): number {
  let [low, high] = [earlyMs, lateMs];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (zone(middle) === zone(earlyMs)) low = middle;
    else high = middle;
  }
  return high;
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}

/** Clocks change only at multiples of this. */
const QUARTER_MS = 15 * 60_000;

export function zoneOf(zones: Zones, timeZone: string): ZoneOffset {
  const known = new Map<number, number>();
  return (atMs) => {
    const quarter = Math.floor(atMs / QUARTER_MS);
    const offsetMs = known.get(quarter) ?? zones.offsetMs(timeZone, quarter * QUARTER_MS);
    known.set(quarter, offsetMs);
    return offsetMs;
  };
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** Marks use these names as well. */
export const MONTHS = [
  ...['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun'],
  ...['Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
];

/** "Every day at 6:00" */
export function recurrenceWords(recurrence: Recurrence): string {
  if (recurrence.kind === 'hourly') return 'Every hour';
  const at = `at ${recurrence.hour}:00`;
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

/** "21 Nov, 6:04" */
export function momentWords(atMs: number, zone: ZoneOffset): string {
  const local = new Date(atMs + zone(atMs));
  const minutes = String(local.getUTCMinutes()).padStart(2, '0');
  return `${dayWords(local)}, ${local.getUTCHours()}:${minutes}`;
}

/** "21 Nov" of a local moment that is written as if it were UTC. */
export const dayWords = (local: Date): string =>
  `${local.getUTCDate()} ${MONTHS[local.getUTCMonth()]}`;
