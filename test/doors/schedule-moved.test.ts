// Rows that somebody sorts while the clock is at work: only what a schedule is for is asked, and nothing twice.

import { afterEach, expect, it } from '@jest/globals';
import { runAll, type Sheet, sheetOf, US_ASINS } from './bulk-list';
import { pass, schedule, strike, worldWith } from './schedule-list';
import type { World } from './world';

let world: World;
afterEach(() => world.stop());

const LIST = US_ASINS.slice(400, 412);
const STARRED = LIST.filter((_, at) => at % 4 === 0);

/** A firing over this list reads or writes cells about so often. */
const LOOKS = 21;

const list = () =>
  sheetOf([['ASIN', 'Star'], ...LIST.map((asin) => [asin, STARRED.includes(asin) ? 'x' : ''])]);

/** All rows are three hours old, the starred ones may be two, and the list is sorted before a look at cells. */
async function strikeSortedBefore(sheet: Sheet, sortedBefore: number): Promise<void> {
  let looks = Number.NEGATIVE_INFINITY;
  const betweenCalls = ({ operation }: { readonly operation: string }) => {
    if (!/Values|Formulas/.test(operation)) return [];
    looks += 1;
    const { lastRow, lastColumn } = sheet.grid.size(sheet.id);
    const rectangle = { row: 2, column: 1, rowCount: lastRow - 1, columnCount: lastColumn };
    const keys = [{ column: 1, ascending: false }];
    return looks === sortedBefore
      ? [{ do: 'sort' as const, sheetId: sheet.id, rectangle, keys }]
      : [];
  };
  world = await worldWith(sheet, { host: { betweenCalls } });
  await runAll(world);
  await schedule(world, 's1', { rows: 'starred' }, { maxAgeHours: 2, ...HOURLY });
  world.host.stores.triggers.disable('owner@example.com');
  await pass(world, 3);
  looks = 0;
  await strike(world);
}

const HOURLY = { recurrence: { kind: 'hourly' } };

const rowsOf = (sheet: Sheet) => LIST.map((_, at) => sheet.byHeader(at + 2));

it.each(Array.from({ length: LOOKS }, (_, at) => at + 1))('before look %d', async (at) => {
  const sheet = list();
  await strikeSortedBefore(sheet, at);
  // What could not be done is left to the next visit.
  await pass(world, 1);
  await strike(world);
  expect(world.service().arrived).toBe(LIST.length + STARRED.length);
  for (const { ASIN, Star, 'Analysis status': status } of rowsOf(sheet)) {
    const own = `OK ${ASIN} US`;
    // A mark that met another row is taken away again, and what it covered is not known any more.
    expect(Star === 'x' ? [own] : [own, '']).toContain(status);
  }
});
