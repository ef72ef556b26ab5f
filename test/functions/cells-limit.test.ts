// The daily cap on a key's calls in a spreadsheet: kept by all cells together and by who uses somebody else's
// key, counted, and no matter to runs and checks of whose key it is.

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { arrivalsOf } from '../../playground/api/state';
import { createWorld, type World } from '../doors/world';

const ASINS = ['B0XKT7M4QN', 'B0RWD92FHC', 'B0TZ4LQ8KV', 'B0VNH3C6PD', 'B0SPM17WXB'];
const DAY_MS = 24 * 3_600_000;
const HELPER = 'helper@example.com';

let world: World;

beforeEach(async () => {
  world = createWorld();
  await world.connect({ cellsPerDay: 3 });
});

afterEach(() => world.stop());

const calls = () => arrivalsOf(world.service()).length;
const cellCalls = async (userEmail?: string) =>
  (await world.rpc('connection.status', {}, userEmail)).value?.cellCalls;

async function allAtOnce(): Promise<readonly string[]> {
  const outcomes = ASINS.map((asin) => world.cell('ANALYZE', asin, 'US', 'profit'));
  await world.host.run();
  const shown = await Promise.all(outcomes);
  return shown.map(({ value, error }) => error?.message ?? typeof value);
}

describe('a cap on formulas', () => {
  it('is kept by cells that calculate at once, and the others say when they go on', async () => {
    const shown = await allAtOnce();
    expect(shown.filter((text) => text === 'number')).toHaveLength(3);
    const words =
      "Not analyzed: today's call limit for formulas is reached. Calls continue in about 24 h. " +
      "A run with your own key has no limit; the key's owner can raise it";
    expect(shown.filter((text) => text !== 'number')).toEqual([words, words]);
    expect(calls()).toBe(3);
  });

  it('is kept within one formula over a list', async () => {
    const { value } = await world.show(
      'ANALYZE',
      ASINS.map((asin) => [asin]),
      'US',
      'profit',
    );
    const rows = value as readonly (readonly unknown[])[];
    expect(rows.filter(([profit]) => typeof profit === 'number')).toHaveLength(3);
    expect(calls()).toBe(3);
  });

  it('costs nothing that is in the cache', async () => {
    await allAtOnce();
    expect((await allAtOnce()).filter((text) => text === 'number')).toHaveLength(3);
    expect(calls()).toBe(3);
  });

  it('is told with what is used of it, to everybody', async () => {
    expect(await cellCalls()).toEqual({ perDay: 3, usedToday: 0 });
    await world.show('ANALYZE', ASINS[0], 'US');
    expect(await cellCalls()).toEqual({ perDay: 3, usedToday: 1 });
    expect(await cellCalls(HELPER)).toEqual({ perDay: 3, usedToday: 1 });
  });

  it('is no matter to a check by whose key it is', async () => {
    await allAtOnce();
    expect(await world.rpc('connection.check')).toMatchObject({ ok: true });
    expect(await cellCalls()).toEqual({ perDay: 3, usedToday: 3 });
  });

  it('binds checks by others, too', async () => {
    for (let checks = 0; checks < 6; checks += 1) await world.rpc('connection.check', {}, HELPER);
    expect(calls()).toBe(3);
    expect(await world.rpc('connection.check', {}, HELPER)).toMatchObject({
      failure: { kind: 'cells-limit', message: expect.stringMatching(/^Today's call limit/) },
    });
    expect(await cellCalls(HELPER)).toEqual({ perDay: 3, usedToday: 3 });
    expect(await world.rpc('connection.check')).toMatchObject({ ok: true });
  });

  it('binds the diagnostics of others, and leaves those of whose key it is their call', async () => {
    await allAtOnce();
    for (const [userEmail, callsAfter] of [
      [HELPER, 3],
      ['owner@example.com', 4],
    ] as const) {
      const call = { functionName: 'runDiagnostics', args: [], door: 'menu', userEmail } as const;
      expect(await world.run(call)).toMatchObject({ ok: true });
      expect(calls()).toBe(callsAfter);
    }
  });

  it('is raised or taken away by the owner of the key, and by nobody else', async () => {
    await allAtOnce();
    const wish = { sharing: 'spreadsheet', cellsPerDay: null };
    const { ok } = await world.rpc('connection.share', wish, HELPER);
    expect(ok).toBe(false);
    expect((await allAtOnce()).filter((text) => text === 'number')).toHaveLength(3);
    await world.rpc('connection.share', wish);
    expect((await allAtOnce()).filter((text) => text === 'number')).toHaveLength(5);
    expect(await cellCalls()).toEqual({ perDay: null, usedToday: 5 });
  });

  // Nobody asked for longer than Google's cache keeps anything.
  describe('that the cache has forgotten', () => {
    const hoursPass = () => world.pass(7);

    async function checks(): Promise<void> {
      for (let count = 0; count < 4; count += 1) await world.rpc('connection.check', {}, HELPER);
    }

    it.each([
      ['by figures', allAtOnce],
      ['by checks', checks],
      [
        'by products that the service does not know',
        async () => {
          for (const asin of ['B000000001', 'B000000002', 'B000000003', 'B000000004'])
            await world.show('ANALYZE', asin, 'US');
        },
      ],
      [
        'by figures whose formulas have not seen the last call booked',
        async () => {
          const asins = ['B000000001', ASINS[0], ASINS[1]];
          const cells = asins.map((asin) => world.cell('ANALYZE', asin, 'US'));
          await world.host.run();
          await Promise.all(cells);
        },
      ],
    ])('stays used up %s', async (_, useUp) => {
      await useUp();
      await hoursPass();
      await checks();
      await allAtOnce();
      expect(calls()).toBe(3);
      expect(await cellCalls(HELPER)).toEqual({ perDay: 3, usedToday: 3 });
    });

    it.each([
      ['a new search for the limit', () => world.rpc('connection.relearn', {}, HELPER)],
      ['a key that is saved', () => world.connect({ cellsPerDay: 3 })],
    ])('stays used up after %s, until its day is over', async (_, reopen) => {
      await allAtOnce();
      await hoursPass();
      await reopen();
      await allAtOnce();
      expect(calls()).toBe(3);
      await world.wait(DAY_MS);
      await allAtOnce();
      expect(calls()).toBe(6);
    });
  });

  it('is forgotten with the next key that is saved on a later day', async () => {
    const days = () =>
      Object.keys(world.host.stores.properties.read('document/sheet-1')).filter((name) =>
        name.startsWith('key-day:'),
      );
    await allAtOnce();
    expect(days()).toHaveLength(1);
    await world.connect({ cellsPerDay: 3 });
    expect(days()).toHaveLength(1);
    await world.wait(DAY_MS);
    await world.connect({ cellsPerDay: 3 });
    expect(days()).toEqual([]);
  });

  it('begins anew a day after its first call', async () => {
    await allAtOnce();
    await world.wait(DAY_MS);
    expect((await allAtOnce()).filter((text) => text === 'number')).toHaveLength(3);
    expect(calls()).toBe(6);
  });
});
