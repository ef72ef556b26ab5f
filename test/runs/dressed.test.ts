// What the columns that a run adds look like, and what it leaves as somebody made it.

import { afterEach, describe, expect, it } from '@jest/globals';
import { runAll, SANDBOX, type Sheet, sheetOf, US_ASINS } from '../doors/bulk-list';
import { createWorld, type World } from '../doors/world';

let world: World;

afterEach(() => world.stop());

const LIST = US_ASINS.slice(1_400, 1_404);
/** Note, ASIN, and what a run adds: five figures, status, time. */
const [PRODUCT, FIRST, STATUS, AT] = [2, 3, 8, 9];
const HEADER = { row: 1, column: 1, rowCount: 1, columnCount: 26 };
const BELOW = { row: 2, column: 1, rowCount: LIST.length, columnCount: 26 };

async function listed(): Promise<Sheet> {
  const sheet = sheetOf([['Note', 'ASIN'], ...LIST.map((asin) => ['mine', asin])]);
  const { grid, id } = sheet;
  grid.setFontWeights(id, 1, PRODUCT, [['bold']]);
  grid.setColours(id, 1, PRODUCT, 'background', [['#123456']]);
  grid.setColumnWidths(id, PRODUCT, 1, 77);
  world = createWorld({ sandbox: SANDBOX, host: { documents: [sheet.document] } });
  await world.connect();
  return sheet;
}

const lookOf = ({ grid, id }: Sheet) => ({
  values: grid.values(id, { ...BELOW, row: 1, rowCount: LIST.length + 1 }),
  weights: grid.fontWeights(id, HEADER)[0],
  backgrounds: grid.colours(id, HEADER, 'background')[0],
  widths: Array.from({ length: 26 }, (_, at) => grid.columnWidth(id, at + 1)),
  formats: grid.numberFormats(id, BELOW),
  frozen: grid.frozenRows(id),
});

describe('columns that a run adds', () => {
  it('have the look of the header beside them, room for what they hold, and a header on view', async () => {
    const sheet = await listed();
    await runAll(world);
    const { weights, backgrounds, widths, formats, frozen } = lookOf(sheet);
    const added = <T>(line: readonly T[] = []) => line.slice(FIRST - 1, AT);
    expect(new Set(added(weights))).toEqual(new Set(['bold']));
    expect(new Set(added(backgrounds))).toEqual(new Set(['#123456']));
    expect([weights?.[0], backgrounds?.[0]]).toEqual(['', '']);
    expect(widths.slice(0, 3)).toEqual([100, 77, 100]);
    // "Rank drops 30d", the status, the time.
    expect(widths.slice(STATUS - 2, AT)).toEqual([126, 120, 120]);
    expect([formats[0]?.[FIRST - 1], formats[0]?.[AT - 1]]).toEqual([
      '[$$]#,##0.00',
      'yyyy-mm-dd hh:mm',
    ]);
    expect(frozen).toBe(1);
  });

  it('keep what somebody made of them since, also what stays on view', async () => {
    const sheet = await listed();
    const { grid, id } = sheet;
    grid.setFrozenRows(id, 3);
    await runAll(world);
    grid.setFontWeights(id, 1, FIRST, [['']]);
    grid.setColumnWidths(id, STATUS, 1, 300);
    await runAll(world);
    const { weights, widths, frozen } = lookOf(sheet);
    expect([weights?.[FIRST - 1], widths[STATUS - 1], frozen]).toEqual(['', 300, 3]);
  });

  it('leave the sheet as it was when they are deleted, added and deleted a hundred times', async () => {
    const sheet = await listed();
    sheet.grid.setFrozenRows(sheet.id, 1);
    const before = lookOf(sheet);
    for (let round = 0; round < 100; round += 1) {
      await runAll(world);
      sheet.grid.deleteColumns(sheet.id, FIRST, AT - FIRST + 1);
      sheet.grid.insertColumns(sheet.id, 20, AT - FIRST + 1);
    }
    expect(lookOf(sheet)).toEqual(before);
  }, 120_000);
});
