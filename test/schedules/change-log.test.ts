// The change log as people have it: renamed, sorted, written into, protected.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { CellValue } from 'apps-script-host/sheet/model';
import {
  analyzedWorld,
  GOOD,
  type Scheduled,
  schedule,
  scheduledWorld,
  shownNow,
} from '../doors/schedule-list';
import { EDITOR } from '../doors/world';

const LOG = 'Analysis changes';
const HEADERS = ['When', 'ASIN', 'Market', 'Figure', 'Before', 'After', 'Marked'];
const DAY_HOURS = 24;

let world: Scheduled;
afterEach(() => world.stop());

const grid = () => world.sheet.grid;
const idOf = (name = LOG) =>
  grid()
    .sheets()
    .find((sheet) => sheet.name === name)?.id ?? -1;
const names = () =>
  grid()
    .sheets()
    .map(({ name }) => name);

function cells(name = LOG): CellValue[][] {
  const { lastRow, lastColumn } = grid().size(idOf(name));
  return grid().values(idOf(name), {
    ...{ row: 1, column: 1, rowCount: lastRow, columnCount: lastColumn },
  });
}

/** A morning on which the first product has another profit. */
async function morning(profit: number): Promise<void> {
  world.sent[String(world.asins[0])] = { ...GOOD, profit };
  await world.pass(DAY_HOURS);
}

describe('the change log', () => {
  it('has headers, a moment for each line and the formats of its market', async () => {
    world = await scheduledWorld();
    await morning(7);
    expect(cells()[0]).toEqual(HEADERS);
    const shown = grid().displayValues(idOf(), { row: 2, column: 1, rowCount: 1, columnCount: 7 });
    expect(shown[0]?.[0]).toMatch(/^1\/6\/2026 6:\d\d AM$/);
    expect(shown[0]?.slice(3)).toEqual(['Profit', '$6.00', '$7.00', '']);
    expect(grid().frozenRows(idOf())).toBe(1);
  });

  it('is found under another name and below rows of somebody’s own', async () => {
    world = await scheduledWorld();
    await morning(7);
    grid().renameSheet(idOf(), 'News');
    grid().insertRows(idOf('News'), 1, 2);
    await morning(8);
    expect(names()).toEqual(['Sheet1', 'Analysis', 'News']);
    expect(cells('News').map((row) => row[5])).toEqual(['', '', 'After', 8, 7]);
  });

  it('is made again when it was deleted, or has lost its headers', async () => {
    world = await scheduledWorld();
    await morning(7);
    grid().deleteSheet(idOf());
    await morning(8);
    expect(cells().map((row) => row[5])).toEqual(['After', 8]);
    grid().write(idOf(), 1, 1, [['mine']]);
    await morning(9);
    expect(names()).toEqual(['Sheet1', 'Analysis', LOG, `${LOG} 2`]);
  });

  it('that the schedule’s owner may not edit is told of, and the rows are written all the same', async () => {
    world = await analyzedWorld();
    await schedule(world, 's1', {}, {}, EDITOR);
    await morning(7);
    grid().protect({ sheetId: idOf(), rectangle: null });
    await morning(8);
    expect(world.shownOf(String(world.asins[0]))).toMatchObject({ Profit: 8 });
    expect(cells().map((row) => row[5])).toEqual(['After', 7]);
    expect(await shownNow(world, 's1', EDITOR)).toMatchObject({
      isUnderWay: false,
      problem: { message: expect.stringContaining(LOG) },
    });
  });
});
