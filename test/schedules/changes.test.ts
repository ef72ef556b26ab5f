// A change is one figure that differs, and a rule is met in the moment it is crossed. Pure.

import { describe, expect, it } from '@jest/globals';
import {
  type ChangeRule,
  changesIn,
  logLines,
  markText,
  wordsMet,
} from '../../src/analysis/changes';
import type { Figures } from '../../src/product/fields';
import { verdictIn, verdictOf } from '../../src/schedules/verdicts';
import { recorded } from './rows';

const NOW = 10_000;

const ELIGIBLE: ChangeRule = { kind: 'no-longer-eligible' };
const NOW_ELIGIBLE: ChangeRule = { kind: 'became-eligible' };
const telling = (...rules: ChangeRule[]) => ({ name: 's1', rules });
const ROI_UNDER: ChangeRule = { kind: 'fell-under', field: 'roi', bound: 0.2 };

describe('changes', () => {
  const before = { profit: 10, roi: 0.3, eligible: true, rank_drops_30d: 20 };

  it('are the figures that differ, in the order of the fields', () => {
    const after = { ...before, rank_drops_30d: 41, profit: 8.5 };
    expect(changesIn(recorded(before, after))).toEqual([
      { field: 'profit', before: 10, after: 8.5 },
      { field: 'rank_drops_30d', before: 20, after: 41 },
    ]);
  });

  it('include a figure that is gone, and steps of a fraction that are small', () => {
    expect(changesIn(recorded({ eligible: true }, {}))).toHaveLength(1);
    expect(changesIn(recorded({ roi: 0.3 }, { roi: 0.302 }))).toHaveLength(1);
  });

  it.each<[string, Partial<Figures>, Partial<Figures>]>([
    ['what is rounded otherwise', { profit: 10 }, { profit: 10.004 }],
    ['what was not known before', {}, { profit: 10 }],
    ['what is the same', before, before],
  ])('are not %s', (_, old, now) => {
    expect(changesIn(recorded(old, now))).toEqual([]);
  });

  it('are none of a row that is new, that failed, or that had figures of another key', () => {
    const changed = recorded({ profit: 1 }, { profit: 2 });
    expect(changesIn(changed)).toHaveLength(1);
    expect(changesIn({ ...changed, before: null })).toEqual([]);
    expect(
      changesIn(recorded({ profit: 1 }, { profit: 2 }, { before: { fetchedWith: 'key other' } })),
    ).toEqual([]);
    const failed = recorded(
      { profit: 1 },
      {},
      { after: { status: 'Not found', analyzedMs: null } },
    );
    expect(changesIn(failed)).toEqual([]);
  });
});

describe('rules', () => {
  it.each<[string, ChangeRule, Partial<Figures>, Partial<Figures>, boolean]>([
    ['lost eligibility', ELIGIBLE, { eligible: true }, { eligible: false }, true],
    ['approval needed now', ELIGIBLE, { eligible: true }, { eligible: 'Needs approval' }, true],
    ['eligibility not sent any more', ELIGIBLE, { eligible: true }, {}, false],
    ['never eligible', ELIGIBLE, { eligible: false }, { eligible: 'Needs approval' }, false],
    ['became eligible', NOW_ELIGIBLE, { eligible: false }, { eligible: true }, true],
    ['was eligible already', NOW_ELIGIBLE, { eligible: true }, { eligible: true }, false],
    ['nobody knew', NOW_ELIGIBLE, {}, { eligible: true }, false],
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
    expect(wordsMet(telling(rule), recorded(old, now)).length > 0).toBe(expected);
  });

  it('mark a row with their words and the moment', () => {
    const row = recorded({ roi: 0.3, eligible: true }, { roi: 0.1, eligible: false });
    const words = wordsMet(telling(ELIGIBLE, ROI_UNDER), row);
    expect(markText(words, 'Sat, Nov 21, 6:04 AM')).toBe(
      'No longer eligible; ROI fell under 20% · Sat, Nov 21, 6:04 AM',
    );
  });
});

describe('lines of the log', () => {
  it('say what changed from what to what, and which rules it met', () => {
    const row = recorded({ profit: 5, roi: 0.25 }, { profit: 4.5, roi: 0.15 });
    expect(logLines([row], telling(ROI_UNDER), NOW)).toEqual([
      {
        atMs: NOW,
        asin: 'B07FZ8S74R',
        market: 'US',
        figure: 'Profit',
        before: 5,
        after: 4.5,
        marked: '',
      },
      expect.objectContaining({ figure: 'ROI', marked: 'ROI fell under 20%' }),
    ]);
  });

  it('are one for a product that two rows spell differently', () => {
    const row = recorded({ profit: 5 }, { profit: 4.5 });
    const other = { ...row, after: { ...row.after, key: 'https://amazon.com/dp/B07FZ8S74R|US' } };
    expect(logLines([row, other], telling(), NOW)).toHaveLength(1);
  });

  it('have a blank where a figure is gone', () => {
    expect(logLines([recorded({ profit: 5 }, {})], telling(), NOW)[0]?.after).toBe('');
  });
});

describe('what a list says of a product', () => {
  it.each<[readonly string[], string | undefined]>([
    [['Skip', 'Buy'], 'Buy'],
    [['Check columns', 'Maybe'], 'Maybe'],
    [['Not found', ''], undefined],
  ])('in its rows %j is %s', (words, said) => {
    expect(verdictOf(words)).toBe(said);
  });

  it('is a Buy also where only its figures are old', () => {
    expect(verdictIn('Maybe', 'Figures older than 7 days; Sell price estimated')).toBe('Buy');
    expect(verdictIn('Maybe', 'Profit under 3; Figures older than 7 days')).toBe('Maybe');
  });
});
