// The record of a row of the Analysis tab: what code and the formulas of lists read in it is what was written.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type AnalysisRow, recordOf, rowOfRecord } from '../../src/analysis/row-record';
import { FIELDS, figuresBy } from '../../src/product/fields';
import { createSheetWorld, type SheetWorldOptions } from '../sheet/sheet-world';

const [A, B] = ['B000000001', 'B000000002'] as const;
const AT = Date.UTC(2026, 6, 5, 9, 41, 17);
const HOUR = 3_600_000;

const NONE = figuresBy(() => null);

const ROW: AnalysisRow = {
  ...{ key: `${A}|US`, asin: A, market: 'US', status: 'OK', figures: NONE },
  ...{ analyzedMs: AT, triedMs: AT + 1_000, wantedMs: null, changed: '', alsoSent: '' },
  ...{ fetchedWith: 'key abcdefg', told: '{"rules":{"figures":[1]}}' },
};

/** A list of these products beside a tab with these rows. */
function listed(
  rows: readonly (Partial<AnalysisRow> & { readonly key: string })[],
  where: SheetWorldOptions,
) {
  const products = rows.map(({ key }) => [key.slice(0, key.indexOf('|'))]);
  const world = createSheetWorld([['ASIN'], ...products], where);
  world.fill(...rows);
  world.ensure({ columns: [...FIELDS, 'asin', 'market', 'changed'] });
  return world;
}

describe('a record', () => {
  it('gives back the row, whatever texts people and services put into it', () => {
    const text = fc.string({
      unit: fc.constantFrom('¦', '=', 'key', 'profit', '2100', '|', ' ', 'é'),
    });
    const money = fc.integer({ min: -1e9, max: 1e9 }).map((hundredths) => hundredths / 100);
    fc.assert(
      fc.property(text, text, text, money, (key, sent, told, profit) => {
        const figures = { ...NONE, profit, eligible: 'Needs approval' as const };
        const row = { ...ROW, key: `${key}|UK`, alsoSent: sent, told, figures };
        const read = rowOfRecord(recordOf(row, () => HOUR));
        const plain = (one: string) => one.replaceAll('¦', '|');
        expect(read).toEqual({ ...row, alsoSent: plain(sent), told: plain(told) });
      }),
    );
  });

  it('keeps fifteen digits of a number, nine of them decimals', () => {
    for (const roi of [
      0,
      -0.01,
      0.1 + 0.2,
      1 / 3,
      0.48670000000000002,
      1e13,
      1_234_567.891,
      5e-9,
    ]) {
      const read = rowOfRecord(recordOf({ ...ROW, figures: { ...NONE, roi } }, () => 0));
      expect(read?.figures.roi).toBeCloseTo(roi, 9);
      expect(Number(read?.figures.roi?.toPrecision(9))).toBe(Number(roi.toPrecision(9)));
    }
  });

  it('is not what other cells hold', () => {
    for (const text of ['', 'B000000001|US', 'row', 'row¦profit=21', 'mine¦key=B000000001|US'])
      expect(rowOfRecord(text)).toBeNull();
  });
});

describe.each([
  ['en_US', 'America/New_York'],
  ['de_DE', 'Europe/Berlin'],
  ['sv_SE', 'Etc/UTC'],
])('a list in the locale %s, in the time of %s', (locale, timeZone) => {
  it('shows numbers, dates and words as the tab shows them, and blanks for what is not known', () => {
    const figures = { ...NONE, profit: -1234.56, roi: 0.4867, eligible: false, rank_drops_30d: 7 };
    const changed = 'No longer eligible · 21 Nov';
    const world = listed(
      [
        { ...ROW, figures, changed },
        { key: `${B}|US`, status: 'Not found' },
      ],
      { locale, timeZone },
    );
    const [shown, blank] = [world.row(2), world.row(3)];
    expect(shown).toMatchObject({
      ...{ Profit: -1234.56, ROI: 0.4867, Eligible: 'No', 'Rank drops 30d': 7, Fees: '' },
      ...{ 'ASIN (clean)': A, Market: 'US', 'What changed': changed, 'Analysis status': 'OK' },
    });
    expect(shown['Analyzed at']).toEqual(new Date(AT));
    expect(blank).toMatchObject({
      Profit: '',
      Eligible: '',
      'Analyzed at': '',
      'ASIN (clean)': '',
    });
    // A blank is no empty text, which is greater than every number.
    world.type(2, 25, '=COUNTA(B3:H3)', '=ISBLANK(E3)');
    expect(world.cells()[1]?.slice(24)).toEqual([0, true]);
  });

  it('shows nothing of what a service sends as a text', () => {
    const alsoSent = 'brand: x¦profit=2100¦key=B000000002|US';
    const world = listed(
      [{ ...ROW, alsoSent, told: alsoSent, changed: '¦profit=2100' }, { key: `${B}|US` }],
      { locale, timeZone },
    );
    expect([world.row(2).Profit, world.row(3).Profit]).toEqual(['', '']);
  });
});
