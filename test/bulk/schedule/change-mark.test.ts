// A mark says which rules were crossed and when; it is found again by both, over the end of a year too.

import { describe, expect, it } from '@jest/globals';
import { marksSince, markText } from '../../../src/schedules/changes';

const HOUR = 3_600_000;
const TOKYO = () => 9 * HOUR;
const at = (text: string) => Date.parse(text);
const NOON = at('2026-11-21T12:00:00Z');

describe('a mark', () => {
  it('names its rules and the moment in the time of the spreadsheet', () => {
    const words = ['No longer eligible', 'ROI fell under 20 %'];
    expect(markText(words, at('2026-11-20T21:04:59Z'), TOKYO)).toBe(
      'No longer eligible; ROI fell under 20 % · 21 Nov 06:04',
    );
  });

  it.each([
    ['the minute it was made in', '2026-11-20T21:04:30Z', true],
    ['an hour before', '2026-11-20T20:00:00Z', true],
    ['a minute later', '2026-11-20T21:05:00Z', false],
  ])('is found since %s', (_, since, expected) => {
    const mark = markText(
      ['No longer eligible', 'Fees doubled'],
      at('2026-11-20T21:04:50Z'),
      TOKYO,
    );
    const found = (words: string) => marksSince(mark, words, at(since), NOON, TOKYO);
    expect(found('No longer eligible')).toBe(expected);
    expect(found('Fees doubled')).toBe(expected);
    expect(found('Fees')).toBe(false);
  });

  it('of December is found in January, and is not one of the December to come', () => {
    const mark = markText(['Fees doubled'], at('2026-12-31T10:00:00Z'), () => 0);
    const found = (since: string) =>
      marksSince(mark, 'Fees doubled', at(since), at('2027-01-02T00:00:00Z'), () => 0);
    expect(found('2026-12-30T00:00:00Z')).toBe(true);
    expect(found('2027-01-01T00:00:00Z')).toBe(false);
  });

  it.each(['', 'No longer eligible', 'call Ann', 7])(
    'is not what else stands there: %p',
    (cell) => {
      expect(marksSince(cell, 'No longer eligible', 0, NOON, TOKYO)).toBe(false);
    },
  );
});
