// A change is told when it is one, marks a row in the moment a rule is crossed, and the mark is found again.

import { describe, expect, it } from '@jest/globals';
import {
  type ChangeRule,
  changesBetween,
  crossedRules,
  type FieldValues,
  marksSince,
  markText,
} from '../../src/schedules/changes';

// A change is told when it is one, and marks a row only in the moment a rule is crossed.
describe('what changed', () => {
  const before: FieldValues = {
    profit: 10,
    roi: 0.3,
    eligible: true,
    rank_drops_30d: 20,
  };

  const crossed = (rule: ChangeRule, old: FieldValues, now: FieldValues) =>
    crossedRules([rule], changesBetween(old, now)).length > 0;

  describe('changes', () => {
    it('are the figures that differ, in the order of the fields', () => {
      const after = { ...before, rank_drops_30d: 41, profit: 8.5 };
      expect(changesBetween(before, after)).toEqual([
        { field: 'profit', before: 10, after: 8.5 },
        { field: 'rank_drops_30d', before: 20, after: 41 },
      ]);
    });

    it.each<[string, FieldValues, FieldValues]>([
      ['what is rounded otherwise', { profit: 10 }, { profit: 10.004 }],
      ['what was not known before', { profit: null }, { profit: 10 }],
      ['what was not asked for before', {}, { profit: 10 }],
      ['what is the same', before, before],
    ])('are not %s', (_, old, now) => {
      expect(changesBetween(old, now)).toEqual([]);
    });

    it('are told when a figure is gone', () => {
      expect(changesBetween({ eligible: true }, { eligible: null })).toHaveLength(1);
    });

    it('of a fraction are told in smaller steps', () => {
      expect(changesBetween({ roi: 0.3 }, { roi: 0.302 })).toHaveLength(1);
    });
  });

  describe('rules', () => {
    const NOW_ELIGIBLE: ChangeRule = { kind: 'became-eligible' };
    const ROI_UNDER: ChangeRule = { kind: 'fell-under', field: 'roi', bound: 0.2 };
    it.each<[string, ChangeRule, FieldValues, FieldValues, boolean]>([
      [
        'lost eligibility',
        { kind: 'no-longer-eligible' },
        { eligible: true },
        { eligible: false },
        true,
      ],
      [
        'approval needed now',
        { kind: 'no-longer-eligible' },
        { eligible: true },
        { eligible: 'needs approval' },
        true,
      ],
      [
        'eligibility not told any more',
        { kind: 'no-longer-eligible' },
        { eligible: true },
        { eligible: null },
        false,
      ],
      [
        'never eligible',
        { kind: 'no-longer-eligible' },
        { eligible: false },
        { eligible: 'needs approval' },
        false,
      ],
      ['became eligible', NOW_ELIGIBLE, { eligible: false }, { eligible: true }, true],
      ['needs no approval any more', NOW_ELIGIBLE, { eligible: 'no' }, { eligible: true }, true],
      ['was eligible already', NOW_ELIGIBLE, { eligible: true }, { eligible: true }, false],
      ['nobody knew', NOW_ELIGIBLE, { eligible: null }, { eligible: true }, false],
      ['ROI fell under', ROI_UNDER, { roi: 0.2 }, { roi: 0.19 }, true],
      ['ROI was under already', ROI_UNDER, { roi: 0.19 }, { roi: 0.1 }, false],
      ['ROI fell from a little under the bound', ROI_UNDER, { roi: 0.1998 }, { roi: 0.15 }, true],
      ['ROI rose', ROI_UNDER, { roi: 0.19 }, { roi: 0.3 }, false],
      [
        'profit rose over',
        { kind: 'rose-over', field: 'profit', bound: 5 },
        { profit: 5 },
        { profit: 6 },
        true,
      ],
      [
        'profit rose from a little over the bound',
        { kind: 'rose-over', field: 'profit', bound: 5 },
        { profit: 5.002 },
        { profit: 6 },
        true,
      ],
      [
        'profit was over already',
        { kind: 'rose-over', field: 'profit', bound: 5 },
        { profit: 5.01 },
        { profit: 6 },
        false,
      ],
      [
        'drops doubled',
        { kind: 'doubled', field: 'rank_drops_30d' },
        { rank_drops_30d: 9 },
        { rank_drops_30d: 18 },
        true,
      ],
      [
        'drops from none',
        { kind: 'doubled', field: 'rank_drops_30d' },
        { rank_drops_30d: 0 },
        { rank_drops_30d: 18 },
        false,
      ],
    ])('%s', (_, rule, old, now, expected) => {
      expect(crossed(rule, old, now)).toBe(expected);
    });
  });
});

// A mark says which rules were crossed and when; it is found again by both, over the end of a year too.
describe('a mark', () => {
  const HOUR = 3_600_000;

  const TOKYO = () => 9 * HOUR;

  const at = (text: string) => Date.parse(text);

  const NOON = at('2026-11-21T12:00:00Z');

  it('names its rules and the moment in the time of the spreadsheet', () => {
    const words = ['No longer eligible', 'ROI fell under 20%'];
    expect(markText(words, at('2026-11-20T21:04:59Z'), TOKYO)).toBe(
      'No longer eligible; ROI fell under 20% · 21 Nov 06:04',
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
