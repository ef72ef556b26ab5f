// Writes and reads moments by the patterns of Java's SimpleDateFormat, as Utilities.formatDate and
// Utilities.parseDate take them.

import { createOffset } from '../sheet/date-serial';

const MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );
const WEEK_DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** Java's short names that Intl does not know. */
const ZONE_NAMES: Readonly<Record<string, string>> = {
  AST: 'America/Anchorage',
  CST: 'America/Chicago',
  IST: 'Asia/Kolkata',
  JST: 'Asia/Tokyo',
  PST: 'America/Los_Angeles',
};

/** A time zone: its clock, and what it is called at a moment. */
export interface Zone {
  /** How far its clock is ahead of UTC, in ms. */
  readonly offsetMs: (epochMs: number) => number;
  readonly nameAt: (epochMs: number, style: 'long' | 'short') => string;
}

const zones = new Map<string, Zone | null>();

/** null: there is no such zone. */
export function zoneOf(name: string): Zone | null {
  const before = zones.get(name);
  if (before !== undefined) return before;
  const zone = readZone(name);
  zones.set(name, zone);
  return zone;
}

function readZone(name: string): Zone | null {
  const [, sign, hours, minutes = '0'] = /^GMT([+-])(\d{1,2}):?(\d{2})?$/i.exec(name) ?? [];
  if (hours !== undefined) {
    const size = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
    if (Number(hours) > 23 || Number(minutes) > 59) return null;
    const offset = sign === '-' ? -size : size;
    return { offsetMs: () => offset, nameAt: () => `GMT${colonOffset(offset)}` };
  }
  try {
    return namedZone(ZONE_NAMES[name] ?? name);
  } catch {
    return null;
  }
}

function namedZone(timeZone: string): Zone {
  const names = {
    long: new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'long' }),
    short: new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'short' }),
  };
  const part = (format: Intl.DateTimeFormat, epochMs: number, type: string) =>
    format.formatToParts(epochMs).find((each) => each.type === type)?.value ?? '';
  return {
    offsetMs: createOffset(timeZone),
    nameAt: (epochMs, style) => part(names[style], epochMs, 'timeZoneName'),
  };
}

const two = (value: number) => String(Math.trunc(Math.abs(value))).padStart(2, '0');

function colonOffset(offsetMs: number): string {
  const minutes = offsetMs / MINUTE_MS;
  return `${minutes < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
}

/** A letter of a pattern, repeated, or a text in quotes. Two quotes are one. */
const PART = /'((?:[^']|'')*)'|([A-Za-z])\2*/g;

const dayOfYear = (wall: Date) =>
  Math.floor((wall.getTime() - Date.UTC(wall.getUTCFullYear(), 0, 1)) / DAY_MS) + 1;

/** Weeks begin on Sunday, and the first of a year or month is the one with its first day. */
function weekOf(wall: Date, day: number): number {
  const firstWeekDay = (wall.getUTCDay() - ((day - 1) % 7) + 7) % 7;
  return Math.floor((day - 1 + firstWeekDay) / 7) + 1;
}

/** The last days of December belong to the week of the next January's first day. */
function weekOfYear(wall: Date): { readonly year: number; readonly week: number } {
  const year = wall.getUTCFullYear();
  const next = new Date(Date.UTC(year + 1, 0, 1));
  const sundayMs = next.getTime() - next.getUTCDay() * DAY_MS;
  if (wall.getTime() >= sundayMs) return { year: year + 1, week: 1 };
  return { year, week: weekOf(wall, dayOfYear(wall)) };
}

/**
 * Letters: docs.oracle.com, SimpleDateFormat, to which the reference of Utilities.formatDate points.
 * null: the pattern has a letter that means nothing.
 */
export function formatMoment(epochMs: number, zone: Zone, pattern: string): string | null {
  const offset = zone.offsetMs(epochMs);
  const wall = new Date(epochMs + offset);
  let isKnown = true;
  const text = pattern.replace(PART, (letters, quoted: string | undefined) => {
    if (quoted !== undefined) return quoted === '' ? "'" : quoted.replaceAll("''", "'");
    const part = letterText(letters, wall, { epochMs, offset, zone });
    if (part === null) isKnown = false;
    return part ?? '';
  });
  return isKnown ? text : null;
}

interface Moment {
  readonly epochMs: number;
  readonly offset: number;
  readonly zone: Zone;
}

function letterText(letters: string, wall: Date, { epochMs, offset, zone }: Moment): string | null {
  const count = letters.length;
  const number = (value: number) => String(value).padStart(count, '0');
  const year = (value: number) => (count === 2 ? two(value % 100) : number(value));
  const hours = wall.getUTCHours();
  switch (letters[0]) {
    case 'G':
      return wall.getUTCFullYear() > 0 ? 'AD' : 'BC';
    case 'y':
      return year(wall.getUTCFullYear());
    case 'Y':
      return year(weekOfYear(wall).year);
    case 'M':
    case 'L': {
      const name = MONTHS[wall.getUTCMonth()] ?? '';
      if (count > 3) return name;
      return count === 3 ? name.slice(0, 3) : number(wall.getUTCMonth() + 1);
    }
    case 'w':
      return number(weekOfYear(wall).week);
    case 'W':
      return number(weekOf(wall, wall.getUTCDate()));
    case 'D':
      return number(dayOfYear(wall));
    case 'd':
      return number(wall.getUTCDate());
    case 'F':
      return number(Math.ceil(wall.getUTCDate() / 7));
    case 'E': {
      const name = WEEK_DAYS[wall.getUTCDay()] ?? '';
      return count > 3 ? name : name.slice(0, 3);
    }
    case 'u':
      return number(wall.getUTCDay() || 7);
    case 'a':
      return hours < 12 ? 'AM' : 'PM';
    case 'H':
      return number(hours);
    case 'k':
      return number(hours || 24);
    case 'K':
      return number(hours % 12);
    case 'h':
      return number(hours % 12 || 12);
    case 'm':
      return number(wall.getUTCMinutes());
    case 's':
      return number(wall.getUTCSeconds());
    case 'S':
      return number(wall.getUTCMilliseconds());
    case 'z':
      return zone.nameAt(epochMs, count > 3 ? 'long' : 'short');
    case 'Z':
      return colonOffset(offset).replace(':', '');
    case 'X':
      if (offset === 0) return 'Z';
      if (count === 1) return colonOffset(offset).slice(0, 3);
      return count === 2 ? colonOffset(offset).replace(':', '') : colonOffset(offset);
    default:
      return null;
  }
}

const READABLE: Readonly<Record<string, string>> = {
  a: '(am|pm)',
  E: '([a-z]+)',
  X: '(z|[+-]\\d{2}(?::?\\d{2})?)',
  z: '(z|utc|gmt(?:[+-]\\d{1,2}(?::?\\d{2})?)?)',
  Z: '([+-]\\d{4})',
};
const IN_NUMBERS = 'yMdHkKhmsS';

/** The moment that a text means. null: it does not fit the pattern. */
export function parseMoment(text: string, zone: Zone, pattern: string): number | null {
  const letters: string[] = [];
  let at = 0;
  let source = '';
  const literal = (plain: string) => plain.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  for (const match of pattern.matchAll(PART)) {
    source += literal(pattern.slice(at, match.index));
    at = match.index + match[0].length;
    const [whole, quoted] = match;
    if (quoted !== undefined) source += literal(quoted === '' ? "'" : quoted.replaceAll("''", "'"));
    else {
      const letter = whole.charAt(0);
      const isName = letter === 'M' && whole.length > 2;
      const readable = isName ? '([a-z]+)' : READABLE[letter];
      if (!readable && !IN_NUMBERS.includes(letter)) return null;
      // Numbers that touch the next ones have as many digits as letters.
      const isTouched = /[a-z]/i.test(pattern.charAt(at));
      source += readable ?? (isTouched ? `(\\d{${whole.length}})` : '(\\d+)');
      letters.push(isName ? 'MMM' : letter === 'y' && whole.length <= 2 ? 'yy' : letter);
    }
  }
  const found = new RegExp(`^${source}${literal(pattern.slice(at))}`, 'i').exec(text);
  return found === null
    ? null
    : momentOf(new Map(letters.map((one, n) => [one, found[n + 1] ?? ''])), zone);
}

function momentOf(parts: ReadonlyMap<string, string>, zone: Zone): number | null {
  const number = (letter: string, ifAbsent: number) => Number(parts.get(letter) ?? ifAbsent);
  const name = parts.get('MMM')?.toLowerCase();
  const month = name
    ? MONTHS.findIndex((each) => each.toLowerCase().startsWith(name.slice(0, 3)))
    : number('M', 1) - 1;
  if (month < 0) return null;
  const short = parts.get('yy');
  const year = short === undefined ? number('y', 1970) : 2_000 + Number(short);
  const half = (number('h', 0) % 12) + number('K', 0);
  const afternoon = parts.get('a')?.toLowerCase() === 'pm' ? 12 : 0;
  const hours = number('H', 0) + (number('k', 0) % 24) + half + afternoon;
  const wall = new Date(
    Date.UTC(2_000, month, number('d', 1), hours, number('m', 0), number('s', 0), number('S', 0)),
  );
  wall.setUTCFullYear(year, month, number('d', 1));
  const written = parts.get('X') ?? parts.get('Z') ?? parts.get('z');
  if (written !== undefined) {
    const [, sign, hour = '0', minute = '0'] = /([+-])(\d{1,2}):?(\d{2})?/.exec(written) ?? [];
    const size = (Number(hour) * 60 + Number(minute)) * MINUTE_MS;
    return wall.getTime() - (sign === '-' ? -size : size);
  }
  // The offset is that of the moment itself. A first guess is off by at most one change of the clock.
  const guess = wall.getTime() - zone.offsetMs(wall.getTime());
  return wall.getTime() - zone.offsetMs(guess);
}
