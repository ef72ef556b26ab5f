// Converts dates as sheets keep them, in days since 30 December 1899 in the spreadsheet's time
// zone.

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Serial number of 1 January 1970. */
const EPOCH_SERIAL = 25_569;

/** Time zones change their offset on quarters of an hour. */
const QUARTER_MS = 15 * 60 * 1_000;

/** A date whose UTC parts are what a wall clock shows at this serial number. */
export function wallClock(serial: number): Date {
  return new Date(Math.round((serial - EPOCH_SERIAL) * DAY_MS));
}

/** JavaScript's dates end some 273,000 years from 1970. A number beyond stays a number. */
const SERIAL_MAX = 99_000_000;

export const isDateSerial = (serial: number): boolean => Math.abs(serial) < SERIAL_MAX;

export interface DateSerial {
  readonly toSerial: (date: Date) => number;
  readonly toDate: (serial: number) => Date;
}

/**
 * Recognises a date by its tag instead of instanceof, because a script's dates come from another
 * realm.
 */
export function isDate(value: unknown): value is Date {
  return Object.prototype.toString.call(value) === '[object Date]';
}

export function createDateSerial(timeZone: string): DateSerial {
  const offsetMs = createOffset(timeZone);
  return {
    toSerial: (date) => {
      const epochMs = date.getTime();
      return (epochMs + offsetMs(epochMs)) / DAY_MS + EPOCH_SERIAL;
    },
    toDate: (serial) => {
      const localMs = wallClock(serial).getTime();
      // The offset depends on the moment that is being calculated. A first guess is off by at most
      // one change of offset.
      const guessMs = localMs - offsetMs(localMs);
      return new Date(localMs - offsetMs(guessMs));
    },
  };
}

/**
 * How far local time is ahead of UTC at a moment, in ms. Results are cached, because Intl is slow.
 */
export function createOffset(timeZone: string): (epochMs: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const known = new Map<number, number>();
  const measured = (epochMs: number) => {
    const parts = Object.fromEntries(
      format.formatToParts(epochMs).map(({ type, value }) => [type, Number(value)]),
    );
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second) - epochMs;
  };
  return (epochMs) => {
    if (!Number.isFinite(epochMs)) return 0;
    const quarterMs = Math.floor(epochMs / QUARTER_MS) * QUARTER_MS;
    const offset = known.get(quarterMs) ?? measured(quarterMs);
    known.set(quarterMs, offset);
    return offset;
  };
}
