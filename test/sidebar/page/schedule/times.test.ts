// Times of schedules in words, by the spreadsheet's clock.
import { describe, expect, it } from '@jest/globals';
import { NOW_MS } from '../../../../playground/sidebar-states/analyze-replies';
import { LOOK, MORNING } from '../../../../playground/sidebar-states/schedule-replies';
import { clockOf, nextText } from '../../../../src/sidebar/page/schedule/times';
import { momentText } from '../../../../src/sidebar/page/ui/texts';

const HOUR = 3_600_000;
const hourly = LOOK.trigger;

/** The spreadsheet's clock at a moment. */
const at = (nowMs: number, timeZone = LOOK.timeZone) => ({
  ...clockOf({ ...LOOK, timeZone }),
  nowMs,
});

describe('a moment', () => {
  it.each([
    ['Europe/London', NOW_MS, '2:06 PM'],
    ['America/Los_Angeles', NOW_MS, '7:06 AM'],
    ['Asia/Kolkata', NOW_MS, '7:36 PM'],
    // Past midnight there, and not yet in London.
    ['Pacific/Auckland', NOW_MS - 4 * HOUR, 'yesterday 11:06 PM'],
    ['Europe/London', NOW_MS - 15 * HOUR, 'yesterday 11:06 PM'],
    ['Europe/London', NOW_MS + 10 * HOUR, 'tomorrow 12:06 AM'],
    ['Europe/London', NOW_MS - 72 * HOUR, 'Mon, Mar 9, 2:06 PM'],
  ])('in %s is told by its own day', (timeZone, atMs, text) => {
    expect(momentText(atMs, NOW_MS, timeZone)).toBe(text);
  });

  it('is of the computer’s own clock where the zone is not known here', () => {
    expect(at(NOW_MS, 'Mars/Olympus').timeZone).toBeUndefined();
  });

  it('knows tomorrow on the day the clocks are put forward', () => {
    const nowMs = Date.UTC(2026, 2, 28, 23, 30);
    const atMs = Date.UTC(2026, 2, 29, 22, 30);
    expect(momentText(atMs, nowMs, LOOK.timeZone)).toBe('tomorrow 11:30 PM');
  });
});

describe('when it runs next', () => {
  const clock = at(NOW_MS);
  const soon = { ...hourly, everyMinutes: 10 };
  it.each([
    [{}, hourly, 'tomorrow 6:00 AM–7:00 AM'],
    [{}, soon, 'tomorrow 6:00 AM–6:10 AM'],
    [{ isOn: false, nextAtMs: null }, hourly, 'off'],
    [{ isUnderWay: true, nextAtMs: NOW_MS }, hourly, 'continues within the hour'],
    [{ isUnderWay: true, nextAtMs: NOW_MS }, soon, 'continues within 10 min'],
    [{ isUnderWay: true }, hourly, 'continues tomorrow 6:00 AM–7:00 AM'],
    [{ nextAtMs: NOW_MS - 1 }, hourly, 'within the hour'],
    [{ nextAtMs: null }, hourly, 'waits'],
  ])('%j: %s', (change, how, text) => {
    expect(nextText({ ...MORNING, ...change }, how, clock)).toBe(text);
  });
});
