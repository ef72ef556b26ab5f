// How cells go on when they are filled beyond their end, as by dragging their corner in Sheets. Pure
// functions.

import { createDateSerial, isDate, wallClock } from './date-serial';
import type { CellValue } from './model';

/** What stands in the n-th cell, counted from the first known one: beyond the last, or before 0. */
export type Series = (n: number) => CellValue;

export const copies =
  (known: readonly CellValue[]): Series =>
  (n) =>
    known[placeIn(known.length, n)] ?? '';

/** The known cell, of so many, of which the n-th is a copy. */
export const placeIn = (count: number, n: number): number => ((n % count) + count) % count;

/**
 * Goes on as the known cells do: numbers and dates by their step, names of months and days, texts
 * that end in a number. Others are copied. null: how Sheets goes on is not known.
 */
export function seriesOf(known: readonly CellValue[], timeZone: string): Series | null {
  if (known.every(isNumber)) return numbers(known);
  if (known.every(isDate)) return dates(known, timeZone);
  if (known.every(isText)) return names(known) ?? numbered(known) ?? copies(known);
  if (known.some((value) => isNumber(value) || isDate(value))) return null;
  return copies(known);
}

const isNumber = (value: CellValue): value is number => typeof value === 'number';
const isText = (value: CellValue): value is string => typeof value === 'string';

/** The same step between all. null: they differ, or there is none. */
function stepOf(known: readonly number[]): number | null {
  const [first = 0, second] = known;
  if (second === undefined) return null;
  const step = second - first;
  const isEven = known.every((value, at) => Math.abs(value - first - at * step) < 1e-9);
  return isEven ? step : null;
}

/** Google's reference says that one number is counted up; its editor copies it. */
function numbers(known: readonly number[]): Series | null {
  const step = stepOf(known);
  const [first = 0] = known;
  // Steps such as 0.1 are not exact in binary, so what they add up to is rounded.
  return step === null ? null : (n) => Number((first + n * step).toPrecision(15));
}

/** One date is followed by the next day, several by their step in months or in days. */
function dates(known: readonly Date[], timeZone: string): Series | null {
  const { toSerial, toDate } = createDateSerial(timeZone);
  const serials = known.map(toSerial);
  const months = byMonths(serials);
  if (months) return (n) => toDate(months(n));
  const [first = 0] = serials;
  const step = serials.length === 1 ? 1 : stepOf(serials);
  return step === null ? null : (n) => toDate(first + n * step);
}

/** For the same day of different months, unless some months lack it. */
function byMonths(serials: readonly number[]): ((n: number) => number) | null {
  const walls = serials.map(wallClock);
  const step = stepOf(walls.map((wall) => wall.getUTCFullYear() * 12 + wall.getUTCMonth()));
  const [start] = walls;
  if (!step || !start || start.getUTCDate() > 28) return null;
  const { toSerial } = createDateSerial('Etc/UTC');
  const after = (n: number) => {
    const wall = new Date(start);
    wall.setUTCMonth(wall.getUTCMonth() + n * step);
    return toSerial(wall);
  };
  return serials.every((serial, n) => Math.abs(serial - after(n)) < 1e-9) ? after : null;
}

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August'],
  ...['September', 'October', 'November', 'December'],
];
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const SHORT_LENGTH = 3;
const short = (name: string) => name.slice(0, SHORT_LENGTH);
const LISTS = [MONTHS.map(short), MONTHS, DAYS.map(short), DAYS];

function names(known: readonly string[]): Series | null {
  for (const list of LISTS) {
    const places = known.map((text) => list.indexOf(text));
    if (places.includes(-1)) continue;
    const [first = 0, second = first + 1] = places;
    const step = second - first;
    const at = (n: number) => placeIn(list.length, first + n * step);
    if (places.every((place, n) => place === at(n))) return (n) => list[at(n)] ?? '';
  }
  return null;
}

function numbered(known: readonly string[]): Series | null {
  const parts = known.map((text) => /^(.*?\D)(\d{1,15})$/s.exec(text));
  const prefix = parts[0]?.[1];
  if (prefix === undefined || parts.some((part) => part?.[1] !== prefix)) return null;
  const digits = parts.map((part) => part?.[2] ?? '');
  const [first = 0] = digits.map(Number);
  const step = digits.length === 1 ? 1 : stepOf(digits.map(Number));
  if (step === null) return null;
  const width = digits[0]?.startsWith('0') ? digits[0].length : 1;
  return (n) => prefix + String(Math.abs(first + n * step)).padStart(width, '0');
}
