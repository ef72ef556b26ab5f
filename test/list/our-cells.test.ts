// The cells of a list's columns while a person moves columns, and in long lists.

import { describe, expect, it } from '@jest/globals';
import type { Act } from 'apps-script-host/sheet/acts';
import { FIELDS } from '../../src/product/fields';
import { sampleSize } from '../sample';
import { createSheetWorld, type SheetWorld } from '../sheet/sheet-world';

const [A, B, C, D] = ['B000000001', 'B000000002', 'B000000003', 'B000000004'] as const;
const MOMENT = Date.UTC(2026, 10, 21, 6, 4);

const rowsOf = (more: number) =>
  [A, B, C, D].map((asin, at) => ({
    ...{ key: `${asin}|US`, asin, market: 'US', analyzedMs: MOMENT + more * 1_000 },
    figures: { profit: at + 1.5 + more, roi: 0.25, eligible: at % 2 === 0 },
  }));

function listOf(): SheetWorld {
  const world = createSheetWorld([
    ['ASIN', 'Cost'],
    [A, 5],
    [B, 6],
    ['', ''],
    [C, 7],
  ]);
  world.fill(...rowsOf(0));
  world.ensure();
  return world;
}

describe('while a person moves columns', () => {
  const inserted: Act = { do: 'insertColumns', sheetId: 0, first: 1, count: 1 };

  it('formulas are written where the columns are by then', () => {
    const world = listOf();
    world.type(2, 3, '');
    const hasActed = world.actAt(/getFormulasR1C1/, 1, inserted);
    expect(world.call('fillIn', [world.id, '1'])).toEqual({ filled: 1, kept: 0 });
    expect(hasActed()).toBe(true);
    expect(world.row(2)).toMatchObject({ Cost: 5, Profit: 1.5 });
  });

  it('a new row whose formulas were hit shows nothing under other titles, and then its own', () => {
    const world = listOf();
    const blank = [Array<string>(6).fill('')];
    world.people({ do: 'edit', sheetId: world.id, row: 2, column: 3, contents: blank });
    const hasActed = world.actAt(/write\.setFormulaR1C1/, 1, { ...inserted, first: 3 });
    expect(world.call('fillIn', [world.id, '1'])).toMatchObject({
      ...{ kind: 'run', why: 'overwritten' },
    });
    expect(hasActed()).toBe(true);
    expect(world.row(2)).toMatchObject({ Cost: 5, Profit: '', ROI: '', Eligible: '' });
    expect(world.call('fillIn', [world.id, '1'])).toMatchObject({ kept: 0 });
    expect(world.row(2)).toMatchObject({ Cost: 5, Profit: 1.5, ROI: 0.25, Eligible: 'Yes' });
  });

  it('a product that moves to where formulas are cleared below the last one has its own again', () => {
    const world = listOf();
    world.type(5, 1, '');
    const above: Act = { do: 'insertRows', sheetId: 0, first: 2, count: 1 };
    const hasActed = world.actAt(/write\.setValues/, 1, above);
    expect(world.call('fillIn', [world.id, '1'])).toMatchObject({ kept: 0 });
    expect(hasActed()).toBe(true);
    expect(world.row(4)).toMatchObject({ ASIN: B, Profit: 2.5 });
  });

  it('of the tab, formulas name its columns by then', () => {
    const world = listOf();
    const blank = Array.from({ length: 4 }, () => Array<string>(6).fill(''));
    world.people({ do: 'edit', sheetId: world.id, row: 2, column: 3, contents: blank });
    const move: Act = { do: 'moveColumns', sheetId: 1, first: 5, count: 1, before: 9 };
    const hasActed = world.actAt(/write\.setFormulaR1C1/, 1, move);
    expect(world.call('fillIn', [world.id, '1'])).toMatchObject({ kept: 0 });
    expect(hasActed()).toBe(true);
    expect(world.row(5)).toMatchObject({ Profit: 3.5, ROI: 0.25, Eligible: 'Yes' });
    expect(world.row(3)).toMatchObject({ Profit: 2.5, ROI: 0.25, Eligible: 'No' });
  });
});

const ROWS = sampleSize(10_000, 2_000);

describe(`a list of ${ROWS} rows with nine columns`, () => {
  const asinAt = (at: number) => `B${String(at).padStart(9, '0')}`;
  const rows = Array.from({ length: ROWS }, (_, at) => [asinAt((at * 7_919) % ROWS), at]);

  it('is made in a few calls and shows its figures; new figures calculate what shows them', () => {
    const world = createSheetWorld([['ASIN', 'Cost'], ...rows], { maxRows: ROWS + 50 });
    const data = Array.from({ length: ROWS }, (_, at) => ({
      ...{ key: `${asinAt(at)}|US`, figures: { profit: at }, analyzedMs: MOMENT },
    }));
    world.fill(...data);
    const before = world.calculation.work().formulas;
    const list = world.ensure({ columns: FIELDS });
    expect(Object.keys(list.groups[0]?.columns ?? {})).toHaveLength(10);
    expect(world.calculation.work().formulas - before).toBe(ROWS * 10);
    for (const row of [2, ROWS / 2, ROWS + 1]) {
      const { ASIN, Profit } = world.row(row);
      expect(Profit).toBe(Number(String(ASIN).slice(1)));
    }
    const settled = world.calculation.work();
    world.fill(...data.slice(0, 50).map((one) => ({ ...one, figures: { profit: -1 } })));
    expect(world.calculation.work().formulas - settled.formulas).toBeLessThanOrEqual(50 * 10);
  }, 120_000);
});
