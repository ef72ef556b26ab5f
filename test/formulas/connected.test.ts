// Formulas that failed for want of a connection: worked out again once there is one, and when a person wants it.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { CellValue } from 'apps-script-host/sheet/model';
import { arrivalsOf, callsByProduct } from '../../playground/api/state';
import { granted, SANDBOX, US_ASINS } from '../doors/bulk-list';
import {
  EDITOR,
  type FormulaWorld,
  formulaWorld,
  STAMP,
  withoutMoment,
} from '../doors/formulas-list';
import { BASE_URL } from '../doors/world';

const FAST = { apiKey: 'demo-key-20-per-second', quota: { calls: 20, perSeconds: 1, burst: 40 } };
const HOUR = 3_600_000;
const [MUG = '', BOX = '', CUP = '', PAN = ''] = US_ASINS.slice(300);

let world: FormulaWorld;
afterEach(() => world.stop());

/** Before anybody has connected a key, every formula has failed. */
async function without(
  rows: readonly (readonly CellValue[])[],
  prepare: Parameters<typeof formulaWorld>[2] = () => {},
): Promise<void> {
  world = formulaWorld([['ASIN', 'Figure'], ...rows], { sandbox: SANDBOX }, prepare);
  world.live.all();
  await world.host.run();
}

const calls = () => arrivalsOf(world.service()).length;

/** As the page does it: call after call as long as something is left and more time helps. */
async function refresh(onlyFailed = true, userEmail?: string) {
  for (let sinceMs: object = {}, turn = 0; ; turn += 1) {
    const payload = { maxMs: 30_000, onlyFailed, ...sinceMs };
    const report = granted(await world.rpc('formulas.refresh', payload, userEmail));
    if (Number(report.left) === 0 || report.problem !== undefined || turn > 40) return report;
    sinceMs = { sinceMs: report.sinceMs };
  }
}

describe('formulas that failed for want of a key', () => {
  it('show figures once one is connected, with one call a product; others stay as they are', async () => {
    await without([
      [MUG, '=ANALYZE(A2,"US","profit")'],
      [BOX, '=IFERROR(ANALYZE(A3,"US","profit"),"none yet")'],
      [CUP, '=IFERROR(ANALYZE(A4,"US","profit"),"")'],
      [PAN, '=ANALYZE(A5,"US","profit",$D$1)'],
      ['', '=ANALYZE(A6,"US","profit")'],
      ['', '=ANALYZE_ASIN(A2)'],
    ]);
    expect(world.column(2, 5)).toEqual(['#ERROR!', 'none yet', '', '#ERROR!', '']);
    await world.connect(FAST);
    expect(await refresh()).toMatchObject({ refreshed: 3, left: 0, failed: 0, ownRefresh: 1 });
    expect(world.column(2, 3)).toEqual(Array(3).fill(expect.any(Number)));
    expect(world.formulas(2, 6).map(withoutMoment)).toEqual([
      `=ANALYZE(A2,"US","profit",${STAMP})`,
      `=IFERROR(ANALYZE(A3,"US","profit",${STAMP}),"none yet")`,
      `=IFERROR(ANALYZE(A4,"US","profit",${STAMP}),"")`,
      '=ANALYZE(A5,"US","profit",$D$1)',
      '=ANALYZE(A6,"US","profit")',
      '=ANALYZE_ASIN(A2)',
    ]);
    expect(calls()).toBe(3);
    expect(await refresh()).toMatchObject({ refreshed: 0, left: 0, calls: 0 });
    expect(calls()).toBe(3);
  });

  it('are as many as a long sheet holds, each call within its time', async () => {
    const count = 500;
    const asins = US_ASINS.slice(0, count);
    await without(asins.map((asin, i) => [asin, `=ANALYZE(A${i + 2},"US","age")`]));
    await world.connect(FAST);
    const begunMs = world.host.nowMs();
    const { left } = granted(
      await world.rpc('formulas.refresh', { maxMs: 30_000, onlyFailed: true }),
    );
    expect(world.host.nowMs() - begunMs).toBeLessThan(65_000);
    expect(Number(left)).toBeGreaterThan(0);
    expect(await refresh()).toMatchObject({ left: 0, failed: 0 });
    expect(world.column(2, count).filter((shown) => typeof shown !== 'number')).toEqual([]);
    expect(calls()).toBe(count);
  });

  it('stay where they are protected, which is told', async () => {
    await without(
      [
        [MUG, '=ANALYZE(A2,"US","profit")'],
        [BOX, '=ANALYZE(A3,"US","profit")'],
      ],
      (grid, sheetId) => {
        const rectangle = { row: 2, column: 2, rowCount: 1, columnCount: 1 };
        grid.protect({ sheetId, rectangle });
      },
    );
    await world.connect(FAST);
    expect(await refresh(true, EDITOR)).toMatchObject({ refreshed: 1, refused: 1, left: 0 });
    expect(world.formulas(2, 1)).toEqual(['=ANALYZE(A2,"US","profit")']);
  });

  it('come back with samples: these are answered, the others stay, and nobody is asked', async () => {
    await without([
      ['B0SAMPLE01', '=ANALYZE(A2,"US","profit")'],
      [MUG, '=ANALYZE(A3,"US","profit")'],
    ]);
    await world.rpc('demo.start');
    expect(await refresh()).toMatchObject({
      ...{ refreshed: 1, left: 1 },
      problem: { kind: 'samples-only' },
    });
    expect(world.column(2, 2)).toEqual([9.85, '#ERROR!']);
    expect(world.formulas(2, 2)[1]).toBe('=ANALYZE(A3,"US","profit")');
    expect(calls()).toBe(0);
  });

  it('come back when a refused key is replaced', async () => {
    await without([[MUG, '=ANALYZE(A2,"US","profit")']]);
    await world.connect({ ...FAST, apiKey: 'demo-key-of-nobody' });
    await refresh();
    expect(world.column(2, 1)).toEqual(['#ERROR!']);
    await world.connect(FAST);
    expect(await refresh()).toMatchObject({ refreshed: 1, left: 0 });
    expect(world.column(2, 1)).toEqual([expect.any(Number)]);
  });
});

describe("formulas that use the owner's key alone", () => {
  const rows = US_ASINS.slice(0, 40).map((asin, i) => [asin, `=ANALYZE(A${i + 2},"US","profit")`]);

  it('are worked out with it when the owner connects one', async () => {
    await without(rows);
    await world.connect({ ...FAST, sharing: 'me' });
    expect(await refresh()).toMatchObject({ left: 0, failed: 0 });
    expect(world.column(2, 40).filter((shown) => typeof shown !== 'number')).toEqual([]);
    expect(calls()).toBe(40);
  });

  it('are so too after the owner has removed the key and connected it again', async () => {
    await without(rows.slice(0, 3));
    const own = { ...FAST, sharing: 'me' } as const;
    await world.connect(own);
    await world.show('ANALYZE', MUG, 'US', 'profit');
    granted(await world.rpc('connection.clear', {}));
    await world.connect(own);
    expect(await refresh()).toMatchObject({ refreshed: 3, left: 0, failed: 0 });
  });

  it('cost somebody else no call, and that is said', async () => {
    await without(rows);
    granted(
      await world.rpc('connection.save', { baseUrl: BASE_URL, ...FAST, sharing: 'me' }, EDITOR),
    );
    const wish = { maxMs: 30_000, onlyFailed: true };
    const { failure } = await world.rpc('formulas.refresh', wish, EDITOR);
    expect(failure?.message).toContain("use the owner's key");
    expect(calls()).toBe(0);
    const touched = world.formulas(2, 40).filter((formula) => formula.includes('refreshed'));
    expect(touched.length).toBeLessThanOrEqual(3);
  });
});

describe('formulas that a person wants refreshed now', () => {
  it('ask again for what is older than six hours, and for nothing else', async () => {
    await without([
      [MUG, '=ANALYZE(A2,"US","as_of")'],
      [BOX, '=ANALYZE(A3,"US","as_of","mine")'],
    ]);
    await world.connect(FAST);
    expect(await refresh(false)).toMatchObject({ refreshed: 1, ownRefresh: 1, calls: 1 });
    const [first] = world.column(2, 1);
    await world.host.run(world.host.nowMs() + HOUR);
    expect(await refresh(false)).toMatchObject({ refreshed: 0, calls: 0 });
    await world.host.run(world.host.nowMs() + 6 * HOUR);
    expect(await refresh(false)).toMatchObject({ refreshed: 1, calls: 1 });
    expect(Number(world.column(2, 1)[0])).toBeGreaterThan(Number(first));
    expect([...callsByProduct(world.service()).keys()]).toEqual([`US ${MUG}`]);
  });
});
