// Google's daily limits at the doors: its refusal ends the day for everybody, and calls go on after.

import { afterEach, describe, expect, it } from '@jest/globals';
import { createWorld, OWNER, type World } from '../doors/world';

let world: World;

afterEach(() => world.stop());

/** A world in which Google allows few calls, with products that the service knows. */
async function connected(
  limits: Parameters<typeof createWorld>[0] = {},
  draft: object = {},
): Promise<string[]> {
  world = createWorld(limits);
  await world.connect(draft);
  return [...world.service().catalogue.asins.US].slice(-100);
}

/** Calls of UrlFetchApp that the host saw, also those that Google refused. */
const attempts = () => world.host.trace().filter((line) => /urlFetch\.fetch/.test(line)).length;

const profit = (asin = '') => world.show('ANALYZE', asin, 'US', 'profit');

async function passTime(hours: number): Promise<void> {
  await world.pass(hours);
}

async function status() {
  const { value } = await world.rpc('connection.status');
  return value as { readonly stopped?: { readonly kind: string; readonly message: string } };
}

describe('calls of a day', () => {
  it('that are used up stop everybody', async () => {
    const asins = await connected({ host: { limits: { urlFetchPerDay: 10 } } });
    for (const asin of asins.slice(0, 10)) await profit(asin);
    const refused = await profit(asins[10]);
    expect(refused.error?.message).toMatch(/^Not analyzed: Google's daily call limit is used up\./);
    const before = attempts();
    for (const asin of asins.slice(11, 16)) {
      const { error } = await profit(asin);
      expect(error?.message).toMatch(
        /Google's daily call limit is used up. Calls continue within 24 hours/,
      );
    }
    const range = asins.slice(16, 20).map((asin) => [asin]);
    const { value } = await world.show('ANALYZE', range, 'US', 'profit');
    const texts = (value as string[][]).flat();
    expect(texts.every((text) => /Google's daily call limit/.test(text))).toBe(true);
    expect(attempts()).toBe(before);
    expect((await status()).stopped).toMatchObject({ kind: 'google-limit' });
    expect(await profit(asins[0])).toMatchObject({ ok: true });
  });

  it('go on once Google allows them', async () => {
    const asins = await connected({ host: { limits: { urlFetchPerDay: 3 } } });
    for (const asin of asins.slice(0, 4)) await profit(asin);
    await passTime(25);
    expect((await profit(asins[5])).ok).toBe(true);
    expect((await status()).stopped).toBeUndefined();
  });
});

describe('property calls of a day', () => {
  it.each([
    ['spreadsheet', 1],
    ['me', 2],
  ])(
    'are few for a crowd of cells, and the connection where nothing is asked: a key for %s',
    async (sharing, reads) => {
      const asins = await connected({}, { sharing });
      const made = () => world.host.stores.properties.callsToday(OWNER);
      const before = made();
      const cells = asins.map((asin) => world.cell('ANALYZE', asin, 'US', 'profit'));
      await world.host.run();
      await Promise.all(cells);
      expect((made() - before) / asins.length).toBeLessThan(reads + 0.5);
      const asked = made();
      for (let i = 0; i < 5; i++) await profit(asins[0]);
      expect(made() - asked).toBe(5 * reads);
    },
  );

  it('that are used up are said in words', async () => {
    const asins = await connected({ host: { limits: { propertyCallsPerDay: 20 } } });
    for (const asin of asins.slice(0, 30)) await profit(asin);
    const { error } = await profit(asins[31]);
    expect(error?.message).toBe(
      "Not analyzed: Google's daily call limit is used up. Calls continue within 24 hours",
    );
    const reply = await world.rpc('connection.status');
    expect(reply.failure?.kind).toBe('google-limit');
    await passTime(25);
    expect((await profit(asins[31])).ok).toBe(true);
  });
});
