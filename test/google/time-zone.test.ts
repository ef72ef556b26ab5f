// The offsets of a time zone as Google tells them.
import { afterEach, describe, expect, it } from '@jest/globals';
import { zoneOf } from '../../src/google/spreadsheet';

const HOUR = 3_600_000;
const at = (time: string) => Date.parse(`2026-01-01T${time}Z`);

/** What Google is asked, and what it shows of each moment. */
function google(shows: string): readonly string[] {
  const asked: string[] = [];
  const formatDate = (date: Date, timeZone: string) => {
    asked.push(`${timeZone} ${date.toISOString()}`);
    return shows;
  };
  Object.assign(globalThis, { Utilities: { formatDate } });
  return asked;
}

afterEach(() => void Reflect.deleteProperty(globalThis, 'Utilities'));

describe('a time zone', () => {
  it('is asked for once in a quarter of an hour, in which no zone is changed', () => {
    const asked = google('+0500');
    const offset = zoneOf('Asia/Karachi');
    for (const time of ['10:00', '10:14', '10:15', '10:01'])
      expect(offset(at(time))).toBe(5 * HOUR);
    expect(asked).toEqual([
      'Asia/Karachi 2026-01-01T10:00:00.000Z',
      'Asia/Karachi 2026-01-01T10:15:00.000Z',
    ]);
  });

  it('may be behind, by half an hour too', () => {
    google('-0330');
    expect(zoneOf('America/St_Johns')(at('10:00'))).toBe(-3.5 * HOUR);
  });
});
