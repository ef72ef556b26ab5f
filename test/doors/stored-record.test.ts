// What stands in the stores when the add-on comes: damaged, of another version, or as long as can be.

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ADD_ON_NAME } from '../../src/failures/add-on-name';
import { BASE_URL, createWorld, plant, type World, withPlant } from './world';

const MUG = 'B0XKT7M4QN';

let world: World;

beforeEach(() => {
  world = createWorld({ host: { dist: withPlant() } });
});

afterEach(() => world.stop());

const plantRecord = async (connection: string, isOfPerson = false) =>
  expect(await plant(world, { connection }, isOfPerson)).toMatchObject({ ok: true });

const shared = () => world.host.stores.properties.read('document/sheet-1').connection;
const textOf = async () => (await world.show('ANALYZE', MUG, 'US', 'profit')).error?.message;
const status = (userEmail?: string) => world.rpc('connection.status', {}, userEmail);

describe.each(['{"apiKey":', '', 'null', '{"apiKey":"demo-key-1"}'])(
  'a damaged record: %s',
  (text) => {
    it.each([false, true])(
      "is said to cells, and mended by connecting anew (a person's own: %s)",
      async (isOfPerson) => {
        await plantRecord(text, isOfPerson);
        expect(await textOf()).toBe(
          'Not analyzed: the saved connection is damaged. ' +
            `Open Extensions > ${ADD_ON_NAME} to add a key`,
        );
        // The page shows its form: nothing else mends it.
        expect(await status()).toEqual({ ok: true, value: { connected: false, demo: false } });
        expect(await world.rpc('connection.check')).toMatchObject({
          failure: { kind: 'settings-damaged', action: 'Enter the address and the key.' },
        });
        expect(await world.connect()).toMatchObject({ ok: true });
        expect((await world.show('ANALYZE', MUG, 'US', 'profit')).value).toBe(9.85);
      },
    );
  },
);

describe('a shared record of another form', () => {
  it('leaves people their own keys, and says what formulas make of theirs', async () => {
    const other = '{"vault":"…"}';
    await world.connect({ sharing: 'me' });
    await plantRecord(other);
    const { value } = await status();
    expect(value).toMatchObject({
      connected: true,
      payer: {
        text: 'Formulas here have a shared key that this version cannot read.',
      },
    });
    expect(shared()).toBe(other);
  });
});

it('the longest connection that the page can send fits the store', async () => {
  const baseUrl = `${BASE_URL}/${'a'.repeat(1_960)}`;
  const name = '\u0001'.repeat(60);
  const settings = {
    ...{ buyPriceName: name, sellPriceName: name, ukMarket: 'u'.repeat(20) },
    ...{ roiUnit: 'fraction', moneyUnit: 'hundredths', defaultMarket: 'UK' },
  };
  const most = 3_000_000;
  const saved = await world.connect({
    ...{ baseUrl, apiKey: '"'.repeat(2_000), settings, cellsPerDay: most },
    quota: { calls: most, perSeconds: most, burst: most },
  });
  expect(saved).toMatchObject({ ok: true });
  const bytes = Buffer.byteLength(shared() ?? '');
  expect(bytes).toBeGreaterThan(7_000);
  // "answered" follows with the first check.
  expect(bytes).toBeLessThan(9 * 1_024 - 100);
});
