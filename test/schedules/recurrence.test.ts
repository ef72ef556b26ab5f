// Schedules come round by the local clock, through every change of it.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { momentWords, type ZoneOffset } from '../../src/failures/duration';
import {
  hasCome,
  occurrenceAfter,
  quietUntil,
  type Recurrence,
  recurrenceWords,
} from '../../src/schedules/due';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The machine's own tables of zones are the authority. */
function zoneOf(name: string): ZoneOffset {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
  return (atMs) => {
    const text = format.formatToParts(atMs).find(({ type }) => type === 'timeZoneName')?.value;
    const [, sign = '+', hours = '0', minutes = '0'] = /([+-])(\d+):(\d+)/.exec(text ?? '') ?? [];
    return (sign === '-' ? -1 : 1) * (Number(hours) * HOUR + Number(minutes) * 60_000);
  };
}

const ZONES = [
  ...['America/New_York', 'Europe/London', 'Australia/Sydney', 'Australia/Lord_Howe'],
  ...['America/Santiago', 'Asia/Kolkata', 'Pacific/Auckland', 'UTC', 'Asia/Kathmandu'],
];

const zones = new Map(ZONES.map((name) => [name, zoneOf(name)]));
const zone = (name: string): ZoneOffset => zones.get(name) ?? zoneOf(name);

const at = (text: string) => Date.parse(text);
const shown = (ms: number) => new Date(ms).toISOString();

const hour = fc.integer({ min: 0, max: 23 });
const recurrences: fc.Arbitrary<Recurrence> = fc.oneof(
  fc.constant({ kind: 'hourly' } as const),
  fc.record({ kind: fc.constant('daily' as const), hour }),
  fc.record({ kind: fc.constant('weekdays' as const), hour }),
  fc.record({
    kind: fc.constant('weekly' as const),
    hour,
    weekday: fc.integer({ min: 0, max: 6 }),
  }),
  fc.record({ kind: fc.constant('monthly' as const), hour, day: fc.integer({ min: 1, max: 31 }) }),
);

describe('occurrences', () => {
  it.each<[string, Recurrence, string, string, string]>([
    [
      'in winter',
      { kind: 'daily', hour: 6 },
      'Europe/London',
      '2026-01-10T05:59Z',
      '2026-01-10T06:00:00.000Z',
    ],
    [
      'in summer',
      { kind: 'daily', hour: 6 },
      'Europe/London',
      '2026-07-10T05:30Z',
      '2026-07-11T05:00:00.000Z',
    ],
    [
      'on the hour it is not once more',
      { kind: 'daily', hour: 6 },
      'UTC',
      '2026-01-10T06:00Z',
      '2026-01-11T06:00:00.000Z',
    ],
    [
      'in the hour that is left out, after it',
      { kind: 'daily', hour: 2 },
      'America/New_York',
      '2026-03-08T05:30Z',
      '2026-03-08T07:00:00.000Z',
    ],
    [
      'in the hour that comes twice, the first time',
      { kind: 'daily', hour: 1 },
      'America/New_York',
      '2026-11-01T04:30Z',
      '2026-11-01T05:00:00.000Z',
    ],
    [
      'and not the second time',
      { kind: 'daily', hour: 1 },
      'America/New_York',
      '2026-11-01T05:00Z',
      '2026-11-02T06:00:00.000Z',
    ],
    [
      'from Friday to Monday',
      { kind: 'weekdays', hour: 9 },
      'UTC',
      '2026-11-20T09:00Z',
      '2026-11-23T09:00:00.000Z',
    ],
    [
      'on Sundays',
      { kind: 'weekly', hour: 0, weekday: 0 },
      'Asia/Kolkata',
      '2026-11-21T12:00Z',
      '2026-11-21T18:30:00.000Z',
    ],
    [
      'on Wednesdays',
      { kind: 'weekly', hour: 8, weekday: 3 },
      'UTC',
      '2026-11-21T12:00Z',
      '2026-11-25T08:00:00.000Z',
    ],
    [
      'on a day that every month has',
      { kind: 'monthly', hour: 5, day: 12 },
      'UTC',
      '2026-02-12T05:00Z',
      '2026-03-12T05:00:00.000Z',
    ],
    [
      'on the last day of a short month',
      { kind: 'monthly', hour: 0, day: 31 },
      'UTC',
      '2026-02-01T00:00Z',
      '2026-02-28T00:00:00.000Z',
    ],
    [
      'hourly by the local clock',
      { kind: 'hourly' },
      'Asia/Kathmandu',
      '2026-01-01T00:00Z',
      '2026-01-01T00:15:00.000Z',
    ],
  ])('%s', (_, recurrence, name, after, expected) => {
    expect(shown(occurrenceAfter(recurrence, at(after), zone(name)))).toBe(expected);
  });

  it('are shown at their hour, or right after the hour that a clock skips', () => {
    fc.assert(
      fc.property(
        recurrences.filter(({ kind }) => kind !== 'hourly'),
        fc.constantFrom(...ZONES),
        fc.integer({ min: at('2024-01-01T00:00Z'), max: at('2030-01-01T00:00Z') }),
        (recurrence, name, after) => {
          const next = occurrenceAfter(recurrence, after, zone(name));
          const local = new Date(next + zone(name)(next));
          expect(next).toBeGreaterThan(after);
          expect(next - after).toBeLessThanOrEqual(33 * DAY);
          const isSkipped = zone(name)(next - DAY) < zone(name)(next + DAY);
          if (!isSkipped && 'hour' in recurrence)
            expect([local.getUTCHours(), local.getUTCMinutes()]).toEqual([recurrence.hour, 0]);
        },
      ),
      { numRuns: 2_000, seed: 1 },
    );
  });
});

describe('what has come', () => {
  const DAILY: Recurrence = { kind: 'daily', hour: 6 };
  const come = (last: string, now: string, recurrence: Recurrence = DAILY, name = 'UTC') =>
    hasCome(recurrence, at(last), at(now), zone(name));

  it.each<[string, string, string, boolean]>([
    ['before its hour', '2026-01-10T06:04Z', '2026-01-11T05:59Z', false],
    ['in its hour', '2026-01-10T06:04Z', '2026-01-11T06:00Z', true],
    ['once it was done', '2026-01-11T06:04Z', '2026-01-11T06:59Z', false],
    [
      'hours after its hour, which Google has missed',
      '2026-01-10T06:04Z',
      '2026-01-11T19:30Z',
      true,
    ],
    [
      'on the next day, if the whole day was missed',
      '2026-01-10T06:04Z',
      '2026-01-12T02:00Z',
      true,
    ],
    ['for one that was made after its hour', '2026-01-11T10:00Z', '2026-01-11T22:00Z', false],
  ])('%s', (_, last, now, expected) => {
    expect(come(last, now)).toBe(expected);
  });

  it('hourly: once in each hour of the local clock', () => {
    const hourly: Recurrence = { kind: 'hourly' };
    expect(come('2026-01-10T06:04Z', '2026-01-10T06:59Z', hourly)).toBe(false);
    expect(come('2026-01-10T06:04Z', '2026-01-10T07:00Z', hourly)).toBe(true);
    // 6:40 and 7:10 in Kathmandu, where hours begin a quarter after.
    expect(come('2026-01-10T00:55Z', '2026-01-10T01:10Z', hourly, 'Asia/Kathmandu')).toBe(false);
    expect(come('2026-01-10T00:55Z', '2026-01-10T01:25Z', hourly, 'Asia/Kathmandu')).toBe(true);
  });

  it.each<[string, string]>([
    ['America/New_York', '2026-11-01'],
    ['America/New_York', '2026-03-08'],
    ['Australia/Lord_Howe', '2026-04-05'],
    ['Europe/London', '2026-10-25'],
  ])('in %s once on %s, when the clock changes, at any hour', (name, date) => {
    const quarter = HOUR / 4;
    for (let daily = 0; daily < 24; daily += 1) {
      const recurrence = { kind: 'daily' as const, hour: daily };
      let last = at(`${date}T00:00Z`) - DAY;
      const days: string[] = [];
      for (let now = last; now < at(`${date}T00:00Z`) + 3 * DAY; now += quarter) {
        if (!hasCome(recurrence, last, now, zone(name))) continue;
        last = now;
        days.push(shown(now + zone(name)(now)).slice(0, 10));
      }
      expect(days).toEqual([...new Set(days)]);
      expect(days.length).toBeGreaterThanOrEqual(3);
    }
  });

  it('after a move to another zone, once more at most', () => {
    const last = '2026-01-10T21:10Z'; // 6:10 on the 11th in Tokyo.
    expect(come(last, '2026-01-10T22:00Z', DAILY, 'Asia/Tokyo')).toBe(false);
    expect(come(last, '2026-01-10T22:00Z', DAILY, 'America/New_York')).toBe(false);
    expect(come(last, '2026-01-11T11:05Z', DAILY, 'America/New_York')).toBe(true);
  });
});

describe('quiet hours', () => {
  it.each([
    ['2026-01-10T21:59Z', undefined],
    ['2026-01-10T22:00Z', '2026-01-11T07:00:00.000Z'],
    ['2026-01-11T06:59Z', '2026-01-11T07:00:00.000Z'],
    ['2026-01-11T07:00Z', undefined],
  ])('over night, at %s', (now, until) => {
    const ms = quietUntil({ fromHour: 22, toHour: 7 }, at(now), zone('Europe/London'));
    expect(ms === undefined ? undefined : shown(ms)).toBe(until);
  });

  it.each([
    ['2026-01-10T08:59Z', undefined],
    ['2026-01-10T09:00Z', '2026-01-10T17:00:00.000Z'],
    ['2026-01-10T16:59Z', '2026-01-10T17:00:00.000Z'],
    ['2026-01-10T17:00Z', undefined],
    ['2026-01-10T23:30Z', undefined],
  ])('by day, at %s', (now, until) => {
    const ms = quietUntil({ fromHour: 9, toHour: 17 }, at(now), zone('Europe/London'));
    expect(ms === undefined ? undefined : shown(ms)).toBe(until);
  });

  it('none are given, or they are empty', () => {
    expect(quietUntil(null, 0, zone('UTC'))).toBeUndefined();
    expect(quietUntil({ fromHour: 3, toHour: 3 }, 3 * HOUR, zone('UTC'))).toBeUndefined();
  });
});

describe('in words', () => {
  it.each<[Recurrence, string]>([
    [{ kind: 'hourly' }, 'Every hour'],
    [{ kind: 'daily', hour: 6 }, 'Every day at 6:00 AM'],
    [{ kind: 'weekdays', hour: 0 }, 'Monday to Friday at 12:00 AM'],
    [{ kind: 'weekly', hour: 9, weekday: 0 }, 'Every Sunday at 9:00 AM'],
    [{ kind: 'weekly', hour: 9, weekday: 1 }, 'Every Monday at 9:00 AM'],
    [{ kind: 'weekly', hour: 9, weekday: 2 }, 'Every Tuesday at 9:00 AM'],
    [{ kind: 'weekly', hour: 9, weekday: 3 }, 'Every Wednesday at 9:00 AM'],
    [{ kind: 'weekly', hour: 9, weekday: 4 }, 'Every Thursday at 9:00 AM'],
    [{ kind: 'weekly', hour: 9, weekday: 5 }, 'Every Friday at 9:00 AM'],
    [{ kind: 'weekly', hour: 9, weekday: 6 }, 'Every Saturday at 9:00 AM'],
    [{ kind: 'monthly', hour: 23, day: 28 }, 'Every month on day 28 at 11:00 PM'],
    [{ kind: 'monthly', hour: 23, day: 29 }, 'Every month on day 29, or its last, at 11:00 PM'],
  ])('%j is told', (recurrence, words) => {
    expect(recurrenceWords(recurrence, 'en-US')).toBe(words);
  });

  it('a time is as the locale shows it', () => {
    expect(recurrenceWords({ kind: 'daily', hour: 6 }, 'en-GB')).toBe('Every day at 06:00');
    const moment = at('2026-11-21T06:04Z');
    expect(momentWords(moment, 'en-US', 'UTC')).toBe('Sat, Nov 21, 6:04 AM');
    expect(momentWords(moment, 'en-GB', 'Asia/Kolkata')).toMatch(/^Sat,? 21 Nov,? 11:34$/);
  });
});
