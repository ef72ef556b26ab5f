// The cells of a list's columns: kept as values, made live again, and what that costs in long lists.

import { describe, expect, it } from '@jest/globals';
import type { ComingCall } from 'apps-script-host/bystanders';
import type { Act } from 'apps-script-host/sheet/acts';
import { FIELDS } from '../../src/product/fields';
import { sampleSize } from '../sample';
import { createListWorld, type ListWorld, type ListWorldOptions } from './list-world';

const [A, B, C, D] = ['B000000001', 'B000000002', 'B000000003', 'B000000004'] as const;
const MOMENT = Date.UTC(2026, 10, 21, 6, 4);

const rowsOf = (more: number) =>
  [A, B, C, D].map((asin, at) => ({
    ...{ key: `${asin}|US`, asin, market: 'US', analyzedMs: MOMENT + more * 1_000 },
    figures: { profit: at + 1.5 + more, roi: 0.25, eligible: at % 2 === 0 },
  }));

function listOf(options: ListWorldOptions = {}): ListWorld {
  const world = createListWorld(
    [
      ['ASIN', 'Cost'],
      [A, 5],
      [B, 6],
      ['', ''],
      [C, 7],
    ],
    options,
  );
  world.record(...rowsOf(0));
  world.ensure();
  return world;
}

const area = { row: 2, column: 3, rowCount: 4, columnCount: 6 };
const keep = (world: ListWorld) => expect(world.call('keep', [world.id, '1'])).toBeNull();
const live = (world: ListWorld) => world.call('live', [world.id, '1']);
const formulasIn = (world: ListWorld) =>
  world.grid
    .formulas(world.id, area)
    .flat()
    .filter((formula) => formula !== '');
const shown = (world: ListWorld) => world.cells().map((row) => row.slice(0, 7));
const isKept = (world: ListWorld) => world.call('lists', [world.id])[0]?.isKept;

describe('columns kept as values', () => {
  it('show the same without formulas, whatever the tab becomes, and are live again', () => {
    const world = listOf();
    const before = shown(world);
    expect(isKept(world)).toBe(false);
    keep(world);
    expect(formulasIn(world)).toEqual([]);
    expect(shown(world)).toEqual(before);
    expect(isKept(world)).toBe(true);
    world.record(...rowsOf(10));
    expect(shown(world)).toEqual(before);
    expect(live(world)).toEqual({ filled: 4, kept: 0 });
    expect(formulasIn(world)).toHaveLength(24);
    expect(world.row(2)).toMatchObject({ Profit: 11.5, 'Analysis row': 2_000_002 });
    expect(isKept(world)).toBe(false);
    expect(world.call('fillIn', [world.id, '1'])).toEqual({ filled: 0, kept: 0 });
  });

  it('leave a person’s cells as they were, before, meanwhile and after', () => {
    const world = listOf();
    world.type(2, 3, 99);
    world.type(3, 3, '=B3*2');
    keep(world);
    expect(world.formula(3, 3)).toBe('=B3*2');
    world.type(5, 4, 0.5);
    world.type(3, 6, 'mine');
    expect(live(world)).toEqual({ filled: 4, kept: 4 });
    expect(world.row(2).Profit).toBe(99);
    expect(world.formula(3, 3)).toBe('=B3*2');
    expect(world.row(5).ROI).toBe(0.5);
    expect(world.row(3)['Analysis status']).toBe('mine');
    expect(world.row(5).Profit).toBe(3.5);
  });

  it('may be sorted, and are live again in every row', () => {
    const world = listOf();
    keep(world);
    const rectangle = { row: 2, column: 1, rowCount: 4, columnCount: 8 };
    const keys = [{ column: 1, ascending: false }];
    world.people({ do: 'sort', sheetId: world.id, rectangle, keys });
    expect(live(world)).toEqual({ filled: 3, kept: 0 });
    expect(formulasIn(world)).toHaveLength(18);
    expect([2, 3, 4].map((row) => world.row(row).Profit)).toEqual([3.5, 2.5, 1.5]);
    world.type(5, 1, D);
    expect(world.call('fillIn', [world.id, '1'])).toEqual({ filled: 1, kept: 0 });
    expect(world.row(5).Profit).toBe(4.5);
  });

  it('are live again in rows without a product, and in rows that were copied meanwhile', () => {
    const world = listOf();
    keep(world);
    world.type(5, 1, '');
    const copied = world.cells()[1] ?? [];
    expect(live(world)).toEqual({ filled: 3, kept: 0 });
    world.type(5, 1, D);
    expect(world.row(5).Profit).toBe(4.5);
    world.type(6, 1, C, ...copied.slice(1));
    expect(world.row(6).Profit).toBe(1.5);
    expect(world.call('fillIn', [world.id, '1'])).toEqual({ filled: 2, kept: 0 });
    expect(world.row(6).Profit).toBe(3.5);
  });

  it('get formulas in new rows alone', () => {
    const world = listOf();
    keep(world);
    world.type(4, 1, D);
    expect(world.call('fillIn', [world.id, '1'])).toEqual({ filled: 1, kept: 0 });
    expect(world.row(4).Profit).toBe(4.5);
    expect(formulasIn(world)).toHaveLength(6);
    world.type(2, 3, '');
    expect(world.call('fillIn', [world.id, '1'])).toEqual({ filled: 0, kept: 0 });
    expect(live(world)).toEqual({ filled: 3, kept: 0 });
    expect(world.row(2).Profit).toBe(1.5);
  });

  it('are live again after they were kept twice', () => {
    const world = listOf();
    keep(world);
    keep(world);
    expect(live(world)).toEqual({ filled: 4, kept: 0 });
    expect(isKept(world)).toBe(false);
  });
});

describe('while a person moves columns', () => {
  const moving = (at: (coming: ComingCall) => boolean, ...acts: readonly Act[]) => {
    let left: readonly Act[] = acts;
    const state = { isOn: false };
    const world = listOf({
      betweenCalls: (coming) => {
        if (!state.isOn || !at(coming)) return [];
        const now = left;
        left = [];
        return now;
      },
    });
    return { world, state, isDone: () => left.length === 0 };
  };
  const inserted: Act = { do: 'insertColumns', sheetId: 0, first: 1, count: 1 };

  it('formulas are written where the columns are by then', () => {
    const { world, state, isDone } = moving(
      ({ operation }) => /getFormulasR1C1/.test(operation),
      inserted,
    );
    world.type(2, 3, '');
    state.isOn = true;
    expect(world.call('fillIn', [world.id, '1'])).toEqual({ filled: 1, kept: 0 });
    expect(isDone()).toBe(true);
    expect(world.row(2)).toMatchObject({ Cost: 5, Profit: 1.5 });
  });

  it('of the tab, formulas name its columns by then', () => {
    const { world, state, isDone } = moving(
      ({ operation }) => /write.setFormulaR1C1/.test(operation),
      { do: 'moveColumns', sheetId: 1, first: 5, count: 1, before: 9 },
    );
    const blank = Array.from({ length: 4 }, () => Array<string>(6).fill(''));
    world.people({ do: 'edit', sheetId: world.id, row: 2, column: 3, contents: blank });
    state.isOn = true;
    expect(world.call('fillIn', [world.id, '1'])).toMatchObject({ kept: 0 });
    expect(isDone()).toBe(true);
    expect(world.row(5)).toMatchObject({ Profit: 3.5, ROI: 0.25, Eligible: true });
    expect(world.row(3)).toMatchObject({ Profit: 2.5, ROI: 0.25, Eligible: false });
  });

  it('nothing of theirs becomes a value', () => {
    let areFormulasRead = false;
    const { world, state, isDone } = moving(({ operation }) => {
      const isNow = areFormulasRead && /getValues/.test(operation);
      areFormulasRead ||= /getFormulasR1C1/.test(operation);
      return isNow;
    }, inserted);
    world.type(2, 2, '=2+3');
    state.isOn = true;
    expect(world.call('keep', [world.id, '1'])).toMatchObject({ kind: 'run', why: 'sheet-busy' });
    expect(isDone()).toBe(true);
    expect(world.formula(2, 3)).toBe('=2+3');
  });
});

const ROWS = sampleSize(10_000, 2_000);

describe(`a list of ${ROWS} rows with nine columns`, () => {
  const asinAt = (at: number) => `B${String(at).padStart(9, '0')}`;
  const rows = Array.from({ length: ROWS }, (_, at) => [asinAt((at * 7_919) % ROWS), at]);

  it('is made in a few calls and shows its figures; new figures calculate what shows them', () => {
    const world = createListWorld([['ASIN', 'Cost'], ...rows], { maxRows: ROWS + 50 });
    const data = Array.from({ length: ROWS }, (_, at) => ({
      ...{ key: `${asinAt(at)}|US`, figures: { profit: at }, analyzedMs: MOMENT },
    }));
    world.record(...data);
    const before = world.calculation.work().formulas;
    const list = world.ensure({ columns: FIELDS });
    expect(Object.keys(list.groups[0]?.columns ?? {})).toHaveLength(10);
    expect(world.calculation.work().formulas - before).toBe(ROWS * 10);
    for (const row of [2, ROWS / 2, ROWS + 1]) {
      const { ASIN, Profit } = world.row(row);
      expect(Profit).toBe(Number(String(ASIN).slice(1)));
    }
    const settled = world.calculation.work();
    world.record(...data.slice(0, 50).map((one) => ({ ...one, figures: { profit: -1 } })));
    expect(world.calculation.work().formulas - settled.formulas).toBeLessThanOrEqual(50 * 10);
  }, 120_000);
});
