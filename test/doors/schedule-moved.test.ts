// Rows that somebody sorts while the clock is at work: only what a schedule is for is asked, and nothing twice.

import { afterEach, expect, it } from '@jest/globals';
import { granted, runAll, type Sheet, sheetOf, US_ASINS } from './bulk-list';
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

/** With this key a firing has time for 23 of the new rows. */
const SLOW = { calls: 5, perSeconds: 60, burst: 1 };
const [FRESH, NEW] = [US_ASINS.slice(420, 430), US_ASINS.slice(430, 455)];

it.each([1, 2, 3, 4])(
  'rows that came in before write %d stand for none that there was no time for',
  async (at) => {
    const sheet = sheetOf([['ASIN'], ...FRESH.map((asin) => [asin])]);
    let writes = Number.NEGATIVE_INFINITY;
    const betweenCalls = ({ operation }: { readonly operation: string }) => {
      writes += operation === 'spreadsheet.write.setValues' ? 1 : 0;
      if (writes !== at) return [];
      writes = Number.NEGATIVE_INFINITY;
      return [{ do: 'insertRows' as const, sheetId: sheet.id, first: 2, count: 2 }];
    };
    world = await worldWith(sheet, { host: { betweenCalls } });
    granted(await world.connect({ quota: SLOW }));
    await runAll(world);
    await schedule(world, 's1', {}, HOURLY);
    world.host.stores.triggers.disable('owner@example.com');
    const below = FRESH.length + 2;
    sheet.grid.write(
      sheet.id,
      below,
      1,
      NEW.map((asin) => [asin]),
    );
    await pass(world, 1);
    writes = 0;
    await strike(world);
    await strike(world);
    const rows = [...FRESH, ...NEW].map((_, place) => sheet.byHeader(place + 4));
    expect(rows.map(({ 'Analysis status': status }) => status)).toEqual(
      [...FRESH, ...NEW].map((asin) => `OK ${asin} US`),
    );
  },
);

/** Of one product two rows, of which the lower is starred. */
const TWICE = [LIST[0], LIST[0], LIST[1]];

it.each(Array.from({ length: LOOKS }, (_, at) => at + 1))(
  'the starred one of two rows of a product is filled in, though one comes in before look %d',
  async (at) => {
    const sheet = sheetOf([
      ['ASIN', 'Star'],
      ...TWICE.map((asin, place) => [asin ?? '', place === 1 ? 'x' : '']),
    ]);
    let looks = Number.NEGATIVE_INFINITY;
    const betweenCalls = ({ operation }: { readonly operation: string }) => {
      looks += /Values|Formulas/.test(operation) ? 1 : 0;
      if (looks !== at) return [];
      looks = Number.NEGATIVE_INFINITY;
      return [{ do: 'insertRows' as const, sheetId: sheet.id, first: 2, count: 1 }];
    };
    world = await worldWith(sheet, { host: { betweenCalls } });
    await runAll(world);
    await schedule(world, 's1', { rows: 'starred' }, { maxAgeHours: 2, ...HOURLY });
    world.host.stores.triggers.disable('owner@example.com');
    await pass(world, 3);
    const struckMs = world.host.nowMs();
    looks = 0;
    await strike(world);
    // What could not be done is left to the next visit.
    await strike(world);
    const starred = [2, 3, 4, 5].map((row) => sheet.byHeader(row)).find(({ Star }) => Star === 'x');
    expect(Number(starred?.['Analyzed at'])).toBeGreaterThan(struckMs);
  },
);
