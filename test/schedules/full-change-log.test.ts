// A change log that is full: what goes first.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { CellValue } from 'apps-script-host/sheet/model';
import { GOOD, type Scheduled, scheduledWorld } from '../doors/schedule-list';

const LOG = 'Analysis changes';
const DAY_HOURS = 24;

let world: Scheduled;
afterEach(() => world.stop());

const grid = () => world.sheet.grid;
const idOf = () =>
  grid()
    .sheets()
    .find(({ name }) => name === LOG)?.id ?? -1;

function cells(): CellValue[][] {
  const { lastRow, lastColumn } = grid().size(idOf());
  return grid().values(idOf(), {
    ...{ row: 1, column: 1, rowCount: lastRow, columnCount: lastColumn },
  });
}

describe('a full log', () => {
  it('gives up its oldest lines, those last that a rule has marked, and no note of a person', async () => {
    world = await scheduledWorld({ rules: [{ kind: 'no-longer-eligible' }] }, { count: 400 });
    world.sent[String(world.asins[0])] = { ...GOOD, eligible: false };
    await world.pass(DAY_HOURS);
    const all = (more: object) => {
      for (const asin of world.asins) world.sent[asin] = { ...world.sent[asin], ...more };
    };
    all({ profit: 7, roi: 0.4 });
    await world.pass(DAY_HOURS);
    grid().write(idOf(), 600, 9, [['look at this']]);
    all({ profit: 8, roi: 0.5, rank_drops_30d: 1 });
    await world.pass(DAY_HOURS);
    all({ profit: 9, roi: 0.6, rank_drops_30d: 2 });
    await world.pass(DAY_HOURS);
    const lines = cells().filter(([when]) => typeof when === 'object');
    expect(lines.length).toBeGreaterThanOrEqual(2_000);
    expect(lines.length).toBeLessThanOrEqual(2_200);
    expect(lines.filter((row) => row[6] !== '')).toHaveLength(1);
    expect(cells().flat()).toContain('look at this');
  });

  it('keeps all lines of its newest day, however many older ones a rule has marked', async () => {
    // What marked ones leave of the log has no room for two lines of each product.
    world = await scheduledWorld({}, { count: 600 });
    world.sent[String(world.asins[0])] = { ...GOOD, profit: 7 };
    await world.pass(DAY_HOURS);
    const MONTH_MS = 30 * DAY_HOURS * 3_600_000;
    const [asin = ''] = world.asins;
    const old = Array.from({ length: 2_300 }, (_, at): CellValue[] => [
      new Date(world.host.nowMs() - MONTH_MS - at * 60_000),
      ...[asin, 'US', 'ROI', 0.3, 0.1, 'ROI fell under 20%'],
    ]);
    grid().insertRows(idOf(), 3, old.length);
    grid().write(idOf(), 3, 1, old);
    const dayMs = world.host.nowMs();
    for (const one of world.asins) world.sent[one] = { ...GOOD, profit: 8, roi: 0.4 };
    await world.pass(DAY_HOURS);
    const lines = cells().slice(1);
    expect(lines.length).toBeLessThanOrEqual(2_000);
    expect(lines.filter(([when]) => Number(when) > dayMs)).toHaveLength(2 * world.asins.length);
  });
});
