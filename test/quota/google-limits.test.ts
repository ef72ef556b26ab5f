// Google's daily limits at the doors: counted for each person, warned of, kept to, and gone on after.

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createWorld, DEMO, documentOf, type World } from '../doors/world';

let world: World;

afterEach(() => world.stop());

// Google's daily limits at the doors: counted, warned of, kept to, and gone on after.
describe("Google's day", () => {
  const HOUR = 3_600_000;

  const OWNER = 'owner@example.com';

  /** A world in which Google allows few calls, with products that the service knows. */
  async function connected(limits: Parameters<typeof createWorld>[0] = {}): Promise<string[]> {
    world = createWorld(limits);
    await world.connect();
    return [...world.service().catalogue.asins.US].slice(-60);
  }

  const fetches = () => world.host.stores.urlFetch.requestsToday(OWNER);

  /** Calls of UrlFetchApp that the host saw, also those that Google refused. */
  const attempts = () => world.host.trace().filter((line) => /urlFetch\.fetch/.test(line)).length;

  const profit = (asin = '') => world.show('ANALYZE', asin, 'US', 'profit');

  async function passTime(hours: number): Promise<void> {
    await world.host.run(world.host.nowMs() + hours * HOUR);
  }

  async function status() {
    const { value } = await world.rpc('connection.status');
    return value as {
      readonly googleCalls: object;
      readonly googlePropertyCalls: { readonly usedToday: number };
      readonly stopped?: { readonly kind: string; readonly message: string };
    };
  }

  describe('calls of a day', () => {
    it('are counted, and told from four fifths on', async () => {
      const asins = await connected();
      expect((await status()).googleCalls).toEqual({ usedToday: 0, perDay: 20_000, isNear: false });
      await world.show(
        'ANALYZE',
        asins.slice(0, 20).map((asin) => [asin]),
        'US',
        'profit',
      );
      await profit(asins[30]);
      expect((await status()).googleCalls).toEqual({
        usedToday: 21,
        perDay: 20_000,
        isNear: false,
      });
      expect(fetches()).toBe(21);
      await profit(asins[30]);
      expect((await status()).googleCalls).toMatchObject({ usedToday: 21 });
    });

    it('begin anew a day after the first of them', async () => {
      const asins = await connected();
      await profit(asins[0]);
      await passTime(20);
      await profit(asins[1]);
      expect((await status()).googleCalls).toMatchObject({ usedToday: 2 });
      await passTime(5);
      await profit(asins[2]);
      expect((await status()).googleCalls).toMatchObject({ usedToday: 1 });
    });

    it('are still known when the cache has forgotten them', async () => {
      const asins = await connected();
      await profit(asins[30]);
      await world.show(
        'ANALYZE',
        asins.slice(0, 20).map((asin) => [asin]),
        'US',
        'profit',
      );
      await passTime(7);
      expect((await status()).googleCalls).toMatchObject({ usedToday: 21 });
      await profit(asins[40]);
      expect((await status()).googleCalls).toMatchObject({ usedToday: 22 });
    });

    it('that are spent stop everybody, who is told when it goes on', async () => {
      const asins = await connected({ host: { limits: { urlFetchPerDay: 10 } } });
      for (const asin of asins.slice(0, 10)) await profit(asin);
      await passTime(2);
      const spent = await profit(asins[10]);
      expect(spent.error?.message).toBe(
        "Not analyzed: Google's daily call limit is used up. Calls continue in about 22 h",
      );
      const before = attempts();
      for (const asin of asins.slice(11, 16)) {
        const { error } = await profit(asin);
        expect(error?.message).toMatch(
          /Google's daily call limit is used up. Calls continue in about/,
        );
      }
      const range = asins.slice(16, 20).map((asin) => [asin]);
      const { value } = await world.show('ANALYZE', range, 'US', 'profit');
      expect(
        (value as string[][]).flat().every((text) => /Google's daily call limit/.test(text)),
      ).toBe(true);
      expect(attempts()).toBe(before);
      expect((await status()).stopped).toMatchObject({
        kind: 'google-limit',
        message: expect.stringMatching(/Calls continue in about 22 h\.$/),
      });
      expect(await profit(asins[0])).toMatchObject({ ok: true });
    });

    it('that are spent are tried by one call an hour, and go on when Google lets it', async () => {
      const asins = await connected({ host: { limits: { urlFetchPerDay: 10 } } });
      for (const asin of asins.slice(0, 11)) await profit(asin);
      await passTime(1.1);
      const before = attempts();
      const cells = asins.slice(20, 40).map((asin) => world.cell('ANALYZE', asin, 'US', 'profit'));
      await world.host.run();
      expect((await Promise.all(cells)).every(({ ok }) => !ok)).toBe(true);
      expect(attempts() - before).toBe(1);
      await passTime(23);
      const later = asins.slice(20, 25).map((asin) => world.cell('ANALYZE', asin, 'US', 'profit'));
      await world.host.run();
      expect((await Promise.all(later)).every(({ ok }) => ok)).toBe(true);
      expect((await status()).stopped).toBeUndefined();
    });

    it('that are spent go on at the time that was named', async () => {
      const asins = await connected({ host: { limits: { urlFetchPerDay: 3 } } });
      for (const asin of asins.slice(0, 3)) await profit(asin);
      await passTime(23.5);
      const { error } = await profit(asins[5]);
      expect(error?.message).toContain('Calls continue in about 30 min');
      await passTime(0.6);
      expect((await profit(asins[5])).ok).toBe(true);
      await passTime(0.02);
      expect((await profit(asins[6])).ok).toBe(true);
    });
  });

  describe('property calls of a day', () => {
    it('are counted with the calls that cells make', async () => {
      const asins = await connected();
      for (const asin of asins.slice(0, 3)) await profit(asin);
      const counted = (await status()).googlePropertyCalls.usedToday;
      expect(counted).toBeGreaterThanOrEqual(3);
      expect(counted).toBeLessThanOrEqual(world.host.stores.properties.callsToday(OWNER));
    });

    it('are few for a crowd of cells, and none but the connection where nothing is asked', async () => {
      await connected();
      const asins = [...world.service().catalogue.asins.US].slice(-100);
      const made = () => world.host.stores.properties.callsToday(OWNER);
      const before = made();
      const cells = asins.map((asin) => world.cell('ANALYZE', asin, 'US', 'profit'));
      await world.host.run();
      await Promise.all(cells);
      expect((made() - before) / asins.length).toBeLessThan(1.5);
      const asked = made();
      for (let i = 0; i < 5; i++) await profit(asins[0]);
      expect(made() - asked).toBe(5);
    });

    it('that are spent are said in words', async () => {
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
});

// What is left of Google's day: counted for the person, whichever of their keys made the calls.
describe("What is left of Google's day", () => {
  const OTHER = {
    apiKey: 'demo-key-20-per-second',
    quota: { calls: 20, perSeconds: 1, burst: 40 },
  };

  const EDITOR = 'editor@example.com';

  let asins: readonly string[];

  beforeEach(async () => {
    world = createWorld({ host: { documents: [{ ...documentOf('sheet-1'), editors: [EDITOR] }] } });
    await world.connect();
    asins = [...world.service().catalogue.asins.US].slice(-40);
  });

  const ask = (count: number, from = 0) =>
    world.show(
      'ANALYZE',
      asins.slice(from, from + count).map((asin) => [asin]),
      'US',
      'profit',
    );

  async function used(userEmail?: string) {
    const { value } = await world.rpc('connection.status', {}, userEmail);
    return value as { readonly googleCalls: object; readonly cellCalls: object };
  }

  it('goes on where the key is another, while formulas begin to be counted anew', async () => {
    await ask(12);
    await world.connect(OTHER);
    expect(await used()).toMatchObject({
      googleCalls: { usedToday: 12 },
      cellCalls: { usedToday: 0 },
    });
    await ask(5, 20);
    expect(await used()).toMatchObject({
      googleCalls: { usedToday: 17 },
      cellCalls: { usedToday: 5 },
    });
  });

  it('is still known for both keys when the cache has forgotten', async () => {
    await ask(12);
    await world.connect(OTHER);
    await ask(5, 20);
    await world.host.run(world.host.nowMs() + 7 * 3_600_000);
    expect(await used()).toMatchObject({ googleCalls: { usedToday: 17 } });
    await world.connect(DEMO);
    expect(await used()).toMatchObject({ googleCalls: { usedToday: 17 } });
  });

  it('is forgotten with a key that nobody has used for a month', async () => {
    const days = () =>
      Object.keys(world.host.stores.properties.read('document/sheet-1')).filter((name) =>
        name.startsWith('key-day:'),
      );
    await ask(2);
    expect(days()).toHaveLength(1);
    await world.connect(OTHER);
    await ask(2, 20);
    const [first, ...others] = days();
    expect(others).toHaveLength(1);
    await world.host.run(world.host.nowMs() + 31 * 86_400_000);
    await ask(2, 30);
    await world.connect(OTHER);
    expect(days()).toHaveLength(1);
    expect(days()).not.toContain(first);
  });

  it('is another for who has a key of their own', async () => {
    await ask(12);
    const own = { baseUrl: 'https://api.sandbox.example', ...OTHER, sharing: 'me' };
    await world.rpc('connection.save', own, EDITOR);
    expect(await used(EDITOR)).toMatchObject({ googleCalls: { usedToday: 0 } });
    expect(await used()).toMatchObject({ googleCalls: { usedToday: 12 } });
  });
});
