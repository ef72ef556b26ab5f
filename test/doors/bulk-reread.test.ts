// Answers that are there are read anew once more is known about the service: nobody pays for them twice.

import { afterEach, describe, expect, it } from '@jest/globals';
import { DIALECTS, type DialectName } from '../../playground/api/dialects';
import { check, granted, runAll, SANDBOX, type Sheet, sheetOf, US_ASINS } from './bulk-list';
import { BASE_URL, createWorld, DEMO, type World, type WorldOptions } from './world';

type Outages = NonNullable<NonNullable<WorldOptions['sandbox']>['outages']>;

let world: World;
afterEach(() => world.stop());

const LIST = US_ASINS.slice(30, 50);
const ALL = ['profit', 'roi', 'fees', 'eligible', 'rank_drops_30d', 'buy_price', 'sell_price'];
const FIGURES = ['Profit', 'ROI', 'Fees', 'Eligible', 'Rank drops 30d', 'Buy price', 'Sell price'];

async function connected(dialect: DialectName, outages: Outages = []): Promise<Sheet> {
  const sheet = sheetOf([['ASIN'], ...LIST.map((asin) => [asin])]);
  world = createWorld({
    sandbox: { ...SANDBOX, dialect, outages },
    host: { documents: [sheet.document] },
  });
  await world.connect();
  return sheet;
}

const figures = (sheet: Sheet) =>
  LIST.map((_, at) => {
    const row = sheet.byHeader(at + 2);
    return FIGURES.map((title) => {
      const value = row[title] ?? '';
      return typeof value === 'number' ? Number(value.toFixed(9)) : value;
    });
  });

const setting = (settings: object) =>
  world.rpc('connection.save', { baseUrl: BASE_URL, ...DEMO, sharing: 'me', apiKey: '', settings });

describe.each(Object.keys(DIALECTS) as DialectName[])(
  'after a first check of the dialect %s',
  (dialect) => {
    it('a list that was answered costs no call, and reads as if the check had come first', async () => {
      const first = await connected(dialect);
      granted(await world.rpc('connection.check'));
      await runAll(world, { fields: ALL });
      const wanted = figures(first);
      await world.stop();

      const sheet = await connected(dialect);
      await runAll(world, { fields: ALL });
      granted(await world.rpc('connection.check'));
      const { arrived } = world.service();
      expect(await check(world, { fields: ALL })).toMatchObject({
        fresh: LIST.length,
        calls: 0,
        again: 0,
      });
      expect(await runAll(world, { fields: ALL })).toMatchObject({ cached: LIST.length, calls: 0 });
      expect(world.service().arrived).toBe(arrived);
      expect(figures(sheet)).toEqual(wanted);
    });

    it('the last good figures read as if the check had come first', async () => {
      await connected(dialect, [
        { fromMs: Date.UTC(2026, 0, 5, 12), toMs: Number.MAX_SAFE_INTEGER },
      ]);
      await runAll(world, { fields: ALL });
      granted(await world.rpc('connection.check'));
      const asked = (fields: string) =>
        world.show(
          'ANALYZE',
          LIST.slice(0, 3).map((one) => [one]),
          'US',
          fields,
        );
      const { value } = await asked('profit, roi, buy_price, age');
      await world.host.run(world.host.nowMs() + 7 * 3_600_000);
      const later = await asked('profit, roi, buy_price, age');
      const plain = (rows: unknown) => (rows as unknown[][]).map((row) => row.slice(0, 3));
      expect(plain(later.value)).toEqual(plain(value));
      expect((later.value as number[][]).map((row) => Number(row[3]) > 0.25)).toEqual([
        true,
        true,
        true,
      ]);
    });
  },
);

describe('settings of a person', () => {
  it('that stored answers do not tell say in the check how many are asked again', async () => {
    await connected('canonical');
    granted(await world.rpc('connection.check'));
    await runAll(world);
    expect(await check(world)).toMatchObject({ calls: 0, again: 0 });
    granted(await setting({ roiUnit: 'percent' }));
    const asked = await check(world);
    // A product without ROI is the same in every unit.
    expect(Number(asked.again)).toBeGreaterThan(LIST.length / 2);
    expect(asked.calls).toBe(asked.again);
    granted(await setting({}));
    expect(await check(world)).toMatchObject({ calls: 0, again: 0 });
  });

  it('about the UK leave what was answered for the US', async () => {
    await connected('canonical');
    await runAll(world);
    granted(await setting({ ukMarket: 'GB' }));
    expect(await check(world)).toMatchObject({ calls: 0, again: 0 });
  });
});
