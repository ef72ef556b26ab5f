// What local clocks show, and when schedules are due by them, found by looking at every quarter of
// an hour.

import type { Recurrence } from '../../../src/schedules/due';
import type { ScheduleSettings } from '../../../src/schedules/schedule';

/** Clocks change only at multiples of this. */
const QUARTER_MS = 15 * 60_000;
const DAY_MS = 24 * 3_600_000;

interface LocalTime {
  readonly atMs: number;
  /** "2026-03-29" */
  readonly date: string;
  readonly hour: number;
  readonly minute: number;
}

export interface Calendar {
  /** The moments of its occurrences, in order. */
  readonly occurrences: (recurrence: Recurrence) => readonly number[];
  readonly isQuiet: (quiet: ScheduleSettings['quiet'], atMs: number) => boolean;
  /**
   * Whether the local clock shows the same at two moments, one of which is in the hour that occurs
   * twice.
   */
  readonly showsSame: (oneMs: number, otherMs: number) => boolean;
}

export function createCalendar(timeZone: string, fromMs: number, toMs: number): Calendar {
  const local = localClock(timeZone);
  const quarters: LocalTime[] = [];
  // Starts a day earlier, so that the first day is complete.
  const firstMs = Math.floor((fromMs - DAY_MS) / QUARTER_MS) * QUARTER_MS;
  for (let atMs = firstMs; atMs <= toMs; atMs += QUARTER_MS) quarters.push(local(atMs));
  const known = new Map<string, readonly number[]>();
  return {
    occurrences(recurrence) {
      const name = JSON.stringify(recurrence);
      const moments = known.get(name) ?? momentsOf(recurrence, quarters);
      known.set(name, moments);
      return moments;
    },
    isQuiet(quiet, atMs) {
      if (quiet === null || quiet.fromHour === quiet.toHour) return false;
      const { hour } = local(atMs);
      const hours = Array.from({ length: 24 }, (_, at) => (quiet.fromHour + at) % 24);
      return hours.slice(0, hours.indexOf(quiet.toHour % 24)).includes(hour);
    },
    showsSame(oneMs, otherMs) {
      const [one, other] = [local(oneMs), local(otherMs)];
      return one.date === other.date && one.hour === other.hour && one.minute === other.minute;
    },
  };
}

function localClock(timeZone: string): (atMs: number) => LocalTime {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' },
  });
  return (atMs) => {
    const parts = Object.fromEntries(
      format.formatToParts(atMs).map(({ type, value }) => [type, value]),
    );
    const { year, month, day, hour, minute } = parts;
    return { atMs, date: `${year}-${month}-${day}`, hour: Number(hour), minute: Number(minute) };
  };
}

function momentsOf(recurrence: Recurrence, quarters: readonly LocalTime[]) {
  if (recurrence.kind === 'hourly')
    return quarters.filter(({ minute }) => minute === 0).map(({ atMs }) => atMs);
  const { hour } = recurrence;
  const firsts = new Map<string, number>();
  // If the clock skips the hour, the first moment after it; if the hour occurs twice, its first
  // occurrence.
  for (const quarter of quarters)
    if (quarter.hour >= hour && !firsts.has(quarter.date)) firsts.set(quarter.date, quarter.atMs);
  return [...firsts].filter(([date]) => fallsOn(recurrence, date)).map(([, atMs]) => atMs);
}

function fallsOn(recurrence: Recurrence, date: string): boolean {
  const noon = new Date(`${date}T12:00:00Z`);
  const isLastDay = new Date(noon.getTime() + DAY_MS).getUTCDate() === 1;
  switch (recurrence.kind) {
    case 'hourly':
    case 'daily':
      return true;
    case 'weekdays':
      return noon.getUTCDay() >= 1 && noon.getUTCDay() <= 5;
    case 'weekly':
      return noon.getUTCDay() === recurrence.weekday;
    case 'monthly':
      return (
        noon.getUTCDate() === recurrence.day || (isLastDay && noon.getUTCDate() < recurrence.day)
      );
  }
}
