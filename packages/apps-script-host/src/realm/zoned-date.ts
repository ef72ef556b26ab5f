// Gives a script's dates the clock of the project's time zone, whatever the machine's is.

import { createOffset } from '../sheet/date-serial';

type Offset = ReturnType<typeof createOffset>;

const FIELDS = ['FullYear', 'Month', 'Date', 'Hours', 'Minutes', 'Seconds', 'Milliseconds'];
const LOCALISED = ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'] as const;

/** A text with a date and no zone. A date alone in ISO form is in UTC, as JavaScript has it. */
const HAS_ZONE = /(?:\dz|utc|gmt|:\d{2}[^+-]*[+-]\d{2}:?\d{2}|\([^)]*\))\s*$/i;
const ISO_DAY = /^\s*[+-]?\d{4,6}(?:-\d{2}){0,2}\s*$/;

/** Each execution asks. The moments lie in a winter and a summer. */
function isMachines(timeZone: string): boolean {
  const isUtc = /^(?:Etc\/)?(?:UTC|GMT|UCT|Zulu)$/i.test(timeZone);
  const isAhead = (epochMs: number) => new Date(epochMs).getTimezoneOffset() !== 0;
  if (isUtc) return ![0, 1_500_000_000_000].some(isAhead);
  return new Intl.DateTimeFormat().resolvedOptions().timeZone === timeZone;
}

type Fields = Record<string, (...args: number[]) => number>;

/**
 * Replaces what Date's prototype says of the local time. Guide "Manage projects": "scripts use that
 * time zone when they run". Does nothing where the machine's clock is that of the zone.
 */
export function installTimeZone(timeZone: string): void {
  const EngineDate = Date;
  if (isMachines(timeZone)) return;
  const offset = createOffset(timeZone);
  const { prototype } = EngineDate;
  const put = (name: string, value: unknown) =>
    Object.defineProperty(prototype, name, { value, writable: true, configurable: true });
  const wallOf = (date: Date) => new EngineDate(date.getTime() + offset(date.getTime()));
  /** The moment at which the zone's clock shows this. A first guess is off by one change at most. */
  const momentOf = (wallMs: number) => wallMs - offset(wallMs - offset(wallMs));
  for (const field of FIELDS) {
    put(`get${field}`, function get(this: Date) {
      return (wallOf(this) as unknown as Fields)[`getUTC${field}`]?.call(wallOf(this));
    });
    put(`set${field}`, function set(this: Date, ...args: number[]) {
      const wall = wallOf(this);
      (wall as unknown as Fields)[`setUTC${field}`]?.(...args);
      return this.setTime(momentOf(wall.getTime()));
    });
  }
  put('getDay', function getDay(this: Date) {
    return wallOf(this).getUTCDay();
  });
  put('getTimezoneOffset', function getTimezoneOffset(this: Date) {
    return -offset(this.getTime()) / 60_000;
  });
  for (const name of LOCALISED) {
    const original = prototype[name];
    put(name, function localised(this: Date, locale?: string, options?: object) {
      return original.call(this, locale, { timeZone, ...options });
    });
  }
  const [toDateString, toTimeString] = textsOf(timeZone, offset, wallOf);
  put('toDateString', toDateString);
  put('toTimeString', toTimeString);
  put('toString', function told(this: Date) {
    return Number.isNaN(this.getTime())
      ? 'Invalid Date'
      : `${toDateString.call(this)} ${toTimeString.call(this)}`;
  });
  const parsed = (text: string) => {
    const read = EngineDate.parse(text);
    if (HAS_ZONE.test(text) || ISO_DAY.test(text)) return read;
    const asUtc = EngineDate.parse(`${text.trim()}${/\dT\d/.test(text) ? 'Z' : ' UTC'}`);
    return Number.isNaN(asUtc) ? read : momentOf(asUtc);
  };
  globalThis.Date = new Proxy(EngineDate, {
    construct: (target, args, newTarget) => {
      const [first] = args;
      if (args.length > 1) {
        const [year, month, ...rest] = args as [number, number, ...number[]];
        return Reflect.construct(
          target,
          [momentOf(EngineDate.UTC(year, month, ...rest))],
          newTarget,
        );
      }
      const isText = args.length === 1 && typeof first === 'string';
      return Reflect.construct(target, isText ? [parsed(first)] : args, newTarget);
    },
    apply: () => new EngineDate().toString(),
    get: (target, member) => (member === 'parse' ? parsed : Reflect.get(target, member)),
  });
}

function textsOf(timeZone: string, offset: Offset, wallOf: (date: Date) => Date) {
  const names = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'long' });
  const two = (value: number) => String(Math.trunc(Math.abs(value))).padStart(2, '0');
  return [
    function toDateString(this: Date): string {
      const [week, day, month, year] = wallOf(this).toUTCString().split(/,? /);
      return Number.isNaN(this.getTime()) ? 'Invalid Date' : `${week} ${month} ${day} ${year}`;
    },
    function toTimeString(this: Date): string {
      if (Number.isNaN(this.getTime())) return 'Invalid Date';
      const minutes = offset(this.getTime()) / 60_000;
      const zone = names.formatToParts(this).find(({ type }) => type === 'timeZoneName')?.value;
      const time = wallOf(this).toUTCString().split(' ')[4];
      return `${time} GMT${minutes < 0 ? '-' : '+'}${two(minutes / 60)}${two(minutes % 60)} (${zone})`;
    },
  ] as const;
}
