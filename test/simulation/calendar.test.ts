// Compares two independent ways to tell when a schedule is due: the simulation reads clocks, the
// add-on calculates.

import { describe, expect, it } from '@jest/globals';
import type { ZoneOffset } from '../../src/failures/duration';
import { occurrenceAfter, type Recurrence } from '../../src/schedules/due';
import { createCalendar } from './schedule/calendar';

const DAY_MS = 24 * 3_600_000;

/** The offset in the form that the platform gives: "GMT+10:30". */
function offsetOf(timeZone: string): ZoneOffset {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  return (atMs) => {
    const name = format.formatToParts(atMs).find(({ type }) => type === 'timeZoneName')?.value;
    const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(name ?? '') ?? [];
    const aheadMs = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
    return sign === '-' ? -aheadMs : aheadMs;
  };
}

const hours = [0, 1, 2, 3, 12, 23];
const RECURRENCES: readonly Recurrence[] = [
  { kind: 'hourly' },
  ...hours.flatMap((hour): readonly Recurrence[] => [
    { kind: 'daily', hour },
    { kind: 'weekdays', hour },
    { kind: 'weekly', hour, weekday: 0 },
    { kind: 'monthly', hour, day: 31 },
  ]),
];

describe('schedules come round by the local clock', () => {
  it.each([
    ['Europe/London', '2026-03-25', '2026-04-02'],
    ['America/New_York', '2026-10-28', '2026-11-05'],
    ['America/St_Johns', '2026-03-04', '2026-03-12'],
    ['Australia/Sydney', '2026-04-01', '2026-04-09'],
    ['Australia/Lord_Howe', '2026-04-01', '2026-04-09'],
    ['Australia/Lord_Howe', '2026-09-30', '2026-10-08'],
    // Here the clock skips midnight.
    ['America/Santiago', '2026-09-02', '2026-09-10'],
    ['America/Sao_Paulo', '2026-02-10', '2026-02-18'],
    ['Asia/Kolkata', '2026-06-26', '2026-07-04'],
  ])('of %s around %s', (timeZone, from, to) => {
    const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
    const calendar = createCalendar(timeZone, fromMs - DAY_MS, toMs);
    const zone = offsetOf(timeZone);
    for (const recurrence of RECURRENCES) {
      // Where clocks change by half an hour, the hours around it are told by about half an hour.
      if (recurrence.kind === 'hourly' && timeZone === 'Australia/Lord_Howe') continue;
      const summed: number[] = [];
      for (let atMs = fromMs; ; summed.push(atMs)) {
        atMs = occurrenceAfter(recurrence, atMs, zone);
        if (atMs > toMs) break;
      }
      const looked = calendar.occurrences(recurrence).filter((atMs) => atMs > fromMs);
      expect([recurrence, summed]).toEqual([recurrence, looked]);
    }
  });
});
