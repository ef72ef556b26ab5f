// The change log as people have it: renamed, sorted, written into, protected, full.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { CellValue } from 'apps-script-host/sheet/model';
import { pass, schedule, shownNow } from '../doors/schedule-list';
import { EDITOR } from '../jobs/job-world';
import { GOOD, listWorld, type Scheduled, scheduledWorld } from './list-world';

const LOG = 'Analysis changes';
const HEADERS = ['When', 'ASIN', 'Market', 'Figure', 'Before', 'After', 'Marked'];
const DAY_HOURS = 24;
const RULES = { rules: [{ kind: 'no-longer-eligible' }] };

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
  await pass(world, DAY_HOURS);
}

describe('the change log', () => {
  it('has headers, a moment for each line and the formats of its market', async () => {
    world = await scheduledWorld();
    await morning(7);
    expect(cells()[0]).toEqual(HEADERS);
    const shown = grid().displayValues(idOf(), { row: 2, column: 1, rowCount: 1, columnCount: 7 });
    expect(shown[0]?.[0]).toMatch(/^2026-01-06 06:\d\d$/);
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
    world = await listWorld();
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

describe('a full log', () => {
  it('gives up its oldest lines, those last that a rule has marked, and no note of a person', async () => {
    world = await scheduledWorld(RULES, { count: 400 });
    world.sent[String(world.asins[0])] = { ...GOOD, eligible: false };
    await pass(world, DAY_HOURS);
    const all = (more: object) => {
      for (const asin of world.asins) world.sent[asin] = { ...world.sent[asin], ...more };
    };
    all({ profit: 7, roi: 0.4 });
    await pass(world, DAY_HOURS);
    grid().write(idOf(), 600, 9, [['look at this']]);
    all({ profit: 8, roi: 0.5, rank_drops_30d: 1 });
    await pass(world, DAY_HOURS);
    all({ profit: 9, roi: 0.6, rank_drops_30d: 2 });
    await pass(world, DAY_HOURS);
    const lines = cells().filter(([when]) => typeof when === 'object');
    expect(lines.length).toBeGreaterThanOrEqual(2_000);
    expect(lines.length).toBeLessThanOrEqual(2_200);
    expect(lines.filter((row) => row[6] !== '')).toHaveLength(1);
    expect(cells().flat()).toContain('look at this');
  });

  it('keeps all lines of its newest day, however many older ones a rule has marked', async () => {
    world = await scheduledWorld();
    await morning(7);
    const MONTH_MS = 30 * DAY_HOURS * 3_600_000;
    const [asin = ''] = world.asins;
    const old = Array.from({ length: 2_300 }, (_, at): CellValue[] => [
      new Date(world.host.nowMs() - MONTH_MS - at * 60_000),
      ...[asin, 'US', 'ROI', 0.3, 0.1, 'ROI fell under 20%'],
    ]);
    grid().insertRows(idOf(), 3, old.length);
    grid().write(idOf(), 3, 1, old);
    for (const one of world.asins) world.sent[one] = { ...GOOD, profit: 8, roi: 0.4 };
    await pass(world, DAY_HOURS);
    const lines = cells().slice(1);
    expect(lines.length).toBeLessThanOrEqual(2_000);
    expect(lines.filter((row) => row[6] === '')).toHaveLength(1 + 2 * world.asins.length);
  });
});
