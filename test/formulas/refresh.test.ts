// A refresh of formulas: stale products are asked once, through the gate, and only then cells recalculate.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { CellValue } from 'apps-script-host/sheet/model';
import { arrivalsOf, callsByProduct, refusalsOf } from '../../playground/api/state';
import { SANDBOX, US_ASINS } from '../doors/bulk-list';
import {
  EDITOR,
  type FormulaWorld,
  formulaWorld,
  STAMP,
  withoutMoment,
} from '../doors/formulas-list';
import type { WorldOptions } from '../doors/world';

const HOUR = 3_600_000;
const FAST = { apiKey: 'demo-key-20-per-second', quota: { calls: 20, perSeconds: 1, burst: 40 } };

let world: FormulaWorld;
afterEach(() => world.stop());

const calls = () => arrivalsOf(world.service()).length;
const passTime = (hours: number) => world.host.run(world.host.nowMs() + hours * HOUR);
const [MUG = '', BOX = '', CUP = '', PAN = ''] = US_ASINS.slice(60);

async function worldOf(rows: readonly (readonly CellValue[])[], options: WorldOptions = {}) {
  world = formulaWorld(rows, { sandbox: SANDBOX, ...options });
  await world.connect(FAST);
}

/** A list of products, each with one formula beside it. */
const listOf = (count: number, formula: (row: number) => string) => [
  ['ASIN', 'Profit'],
  ...US_ASINS.slice(0, count).map((asin, i) => [asin, formula(i + 2)]),
];

/** Between the answers of a wave and their end in the cache there is a look for them, and no more. */
const CALLS_TO_KEEP = 3;

/** Calls of the waves whose script died before their answers were in the cache. */
function answeredAndCutOff(trace: readonly string[]): number {
  const killed = trace.flatMap((line) => /#(\d+) killed/.exec(line)?.[1] ?? []);
  const waves = killed.flatMap((id) => {
    const own = trace.filter((line) => new RegExp(`#${id} call `).test(line));
    const [, count] = /urlFetch\.fetchAll (\d+)/.exec(own.slice(-CALLS_TO_KEEP).join('\n')) ?? [];
    return count === undefined ? [] : [Number(count)];
  });
  return waves.reduce((sum, count) => sum + count, 0);
}

describe('a list of formulas', () => {
  it('is refreshed with the calls of the stale products alone, and shows their new figures', async () => {
    const [cells, products, stale] = [240, 80, 30];
    const asins = US_ASINS.slice(0, products);
    const rows = Array.from({ length: cells }, (_, i) => [
      asins[i % products] ?? '',
      `=ANALYZE(A${i + 2},"US","as_of")`,
    ]);
    await worldOf([['ASIN', 'As of'], ...rows]);
    const first = { notBeforeMs: 0 };
    expect(await world.refresh({ ...first, callsMax: stale })).toEqual({
      ...{ cells, refreshed: 3 * stale, left: cells - 3 * stale, failed: 0 },
      ...{ calls: stale, unresolved: 0, ownRefresh: 0 },
    });
    await passTime(20);
    const report = await world.refresh(first);
    expect(report).toMatchObject({ left: 0, calls: products - stale });
    await passTime(12);
    const notBeforeMs = world.host.nowMs() - 16 * HOUR;
    const evening = { notBeforeMs };
    expect(await world.refresh(evening)).toMatchObject({
      ...{ refreshed: 3 * stale, left: 0, calls: stale },
    });
    expect(calls()).toBe(products + stale);
    for (const shown of world.column(2, cells))
      expect(shown instanceof Date && shown.getTime()).toBeGreaterThanOrEqual(notBeforeMs);
    expect(await world.refresh(evening)).toMatchObject({ refreshed: 0, left: 0, calls: 0 });
    expect(refusalsOf(world.service())).toBe(0);
  });

  it('never makes more calls than it may, whatever has to be tried again', async () => {
    const faults = Object.fromEntries(
      US_ASINS.slice(0, 6).map((asin) => [asin, 'fails-once'] as const),
    );
    await worldOf(
      listOf(40, (row) => `=ANALYZE(A${row},,"profit")`),
      {
        sandbox: { ...SANDBOX, faults },
      },
    );
    const report = await world.refresh({ notBeforeMs: 0, callsMax: 20 });
    expect(report.calls).toBe(20);
    expect(calls()).toBe(20);
  });

  it('goes on where it was cut off, at whatever call', async () => {
    const count = 60;
    await worldOf(listOf(count, (row) => `=ANALYZE(A${row},"US","age")`));
    const wish = { notBeforeMs: 0 };
    for (let killAtCall = 10; killAtCall < 100; killAtCall += 8)
      await world.refresh({ ...wish, killAtCall }).catch(() => {});
    const report = await world.refresh(wish);
    expect(report.left).toBe(0);
    // Nobody can keep what was paid for at the very call that keeps it.
    expect(calls()).toBe(count + answeredAndCutOff(world.host.trace()));
    expect(world.formulas(2, count).map(withoutMoment)).toEqual(
      Array.from({ length: count }, (_, i) => `=ANALYZE(A${i + 2},"US","age",${STAMP})`),
    );
    expect(world.column(2, count).filter((shown) => typeof shown !== 'number')).toEqual([]);
  });
});

describe('formulas of every kind', () => {
  it('are understood, and where they are not, worked out all the same', async () => {
    world = formulaWorld(
      [
        ['ASIN', 'Profit'],
        [MUG, '=ANALYZE(A2,,"profit")'],
        ['', `=IFERROR(ANALYZE("${BOX}";"US";"profit");"none")`],
        [PAN, '=ANALYZE(\'My, list\'!$A$1:A2,"US","profit")'],
        ['', ''],
        ['', '=ANALYZE(A2,,"profit",$D$1)'],
        ['', '=ANALYZE(TRIM(A4),,"profit")'],
        ['', '=ANALYZE_MAX_BUY(A2)'],
        ['', '=ANALYZE_ASIN(A2)'],
        ['', '=A2&"ANALYZE(A2)"'],
      ],
      { sandbox: SANDBOX },
      (grid) => {
        const id = grid.addSheet('My, list', 2);
        grid.write(id, 1, 1, [[CUP], [MUG]]);
      },
    );
    await world.connect(FAST);
    const report = await world.refresh({ notBeforeMs: 0 });
    expect(report).toMatchObject({ cells: 6, refreshed: 5, left: 0, unresolved: 1, ownRefresh: 1 });
    // The refresh cannot read TRIM(A4), and the cell asks for that product by itself.
    expect([...callsByProduct(world.service()).keys()].sort()).toEqual(
      [`US ${BOX}`, `US ${CUP}`, `US ${MUG}`, `US ${PAN}`].sort(),
    );
    expect(world.formulas(2, 9).map(withoutMoment)).toEqual([
      `=ANALYZE(A2,,"profit",${STAMP})`,
      `=IFERROR(ANALYZE("${BOX}","US","profit",${STAMP}),"none")`,
      `=ANALYZE('My, list'!$A$1:A2,"US","profit",${STAMP})`,
      '',
      '=ANALYZE(A2,,"profit",$D$1)',
      `=ANALYZE(TRIM(A4),,"profit",${STAMP})`,
      `=ANALYZE_MAX_BUY(A2,,,${STAMP})`,
      '=ANALYZE_ASIN(A2)',
      '=A2&"ANALYZE(A2)"',
    ]);
  });

  it('of a product that the service does not know are worked out, and counted as failed', async () => {
    await worldOf(
      [['ASIN'], ['B000000000', '=ANALYZE(A2)'], [MUG, '=ANALYZE(A3)']].map(([a = '', b = '']) => [
        a,
        b,
      ]),
    );
    const report = await world.refresh({ notBeforeMs: 0 });
    expect(report).toMatchObject({ cells: 2, refreshed: 1, failed: 1, left: 0 });
  });

  it('that are protected are left, and those beside them are not', async () => {
    const rows = listOf(20, (row) => `=ANALYZE(A${row},"US","profit")`);
    world = formulaWorld(rows, { sandbox: SANDBOX }, (grid, sheetId) => {
      const rectangle = { row: 6, column: 1, rowCount: 5, columnCount: 2 };
      grid.protect({ sheetId, rectangle });
    });
    await world.connect(FAST);
    const wish = { notBeforeMs: 0 };
    const report = await world.refresh({ ...wish, userEmail: EDITOR });
    expect(report).toMatchObject({ cells: 20, refreshed: 15, failed: 5, left: 0 });
    const stamped = world.formulas(2, 20).map((formula) => withoutMoment(formula).includes(STAMP));
    expect(stamped.map((is, i) => (is ? 0 : i + 2)).filter(Boolean)).toEqual([6, 7, 8, 9, 10]);
    expect(await world.refresh(wish)).toMatchObject({ refreshed: 5, failed: 0, calls: 0 });
  });
});

describe('what stands in the way', () => {
  it('is told where there is no key', async () => {
    world = formulaWorld(
      listOf(3, (row) => `=ANALYZE(A${row})`),
      { sandbox: SANDBOX },
    );
    expect(await world.refresh({ notBeforeMs: 0 })).toEqual({
      kind: 'no-connection',
    });
  });

  it("is told where formulas have made their calls of the day, which are the owner's to set", async () => {
    world = formulaWorld(
      listOf(12, (row) => `=ANALYZE(A${row},,"profit")`),
      { sandbox: SANDBOX },
    );
    await world.connect({ ...FAST, cellsPerDay: 5 });
    const report = await world.refresh({ notBeforeMs: 0 });
    expect(report).toMatchObject({
      refreshed: 5,
      left: 7,
      calls: 5,
      problem: { kind: 'cells-limit' },
    });
  });
});
