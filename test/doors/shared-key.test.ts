// A key whose limit nobody gave, and a key that several spreadsheets use: both by the sandbox's books.

import { afterEach, describe, expect, it } from '@jest/globals';
import { SAMPLE_PRODUCTS } from '../../playground/api/samples';
import { arrivalsOf, callsByProduct, refusalsOf } from '../../playground/api/state';
import { createWorld, DEMO, documentOf, type World } from './world';

let world: World;

afterEach(() => world.stop());

const products = SAMPLE_PRODUCTS.map(({ asin, market }) => ({ asin, market }));
const ASINS = products.map(({ asin }) => [asin]);
const MARKETS = products.map(({ market }) => [market]);

const isAnswered = (rows: unknown) =>
  (rows as unknown[][]).every((row) => row.every((cell) => typeof cell === 'number'));

describe('a limit that nobody gave', () => {
  it('is read from the first answer that tells it, and never broken', async () => {
    world = createWorld();
    await world.connect({ quota: null });
    const { ok, value } = await world.show('ANALYZE', ASINS, MARKETS, 'profit');
    expect(ok).toBe(true);
    expect(isAnswered(value)).toBe(true);
    expect(refusalsOf(world.service())).toBe(0);
    const arrivals = arrivalsOf(world.service()).map(({ atMs }) => atMs);
    // 23 products: one call a second would take 22 s, the key's five a second five.
    expect(Math.max(...arrivals) - Math.min(...arrivals)).toBeLessThan(10_000);
  });

  it('is found out from a service that says nothing, at the price of few refusals', async () => {
    world = createWorld();
    await world.connect({ apiKey: 'demo-key-silent-limit', quota: null });
    const { value } = await world.show('ANALYZE', ASINS, MARKETS, 'profit');
    expect(isAnswered(value)).toBe(true);
    expect(refusalsOf(world.service())).toBeLessThanOrEqual(3);
  });
});

describe('one key in two spreadsheets', () => {
  it('is never refused, and both get their answers', async () => {
    const documents = ['sheet-1', 'sheet-2'].map(documentOf);
    world = createWorld({ host: { documents } });
    await world.connect({ sharing: 'me' });
    const half = Math.ceil(ASINS.length / 2);
    const parts = [ASINS.slice(0, half), ASINS.slice(half)];
    const markets = [MARKETS.slice(0, half), MARKETS.slice(half)];
    const outcomes = documents.map(({ id }, i) =>
      world.host.start({
        functionName: 'ANALYZE',
        args: [parts[i], markets[i], 'profit'],
        door: 'cell',
        documentId: id,
      }),
    );
    await world.host.run();
    for (const outcome of await Promise.all(outcomes)) {
      expect(outcome.ok).toBe(true);
      expect(isAnswered(outcome.value)).toBe(true);
    }
    expect(refusalsOf(world.service())).toBe(0);
    expect([...callsByProduct(world.service()).values()].every((count) => count === 1)).toBe(true);
    expect(arrivalsOf(world.service())).toHaveLength(products.length);
    expect(DEMO.quota.burst).toBeLessThan(products.length);
  });

  it('is all the other one has, seconds after one has worked off its waiting list', async () => {
    const documents = ['sheet-1', 'sheet-2'].map(documentOf);
    const apiKey = 'demo-key-1-per-second';
    world = createWorld({ host: { documents } });
    const { host } = world;
    await world.connect({ apiKey, quota: { calls: 1, perSeconds: 1, burst: 5 }, sharing: 'me' });
    const unknown = (letter: string, count: number) =>
      Array.from({ length: count }, (_, i) => [`B0${letter}${String(i).padStart(7, '0')}`]);
    const inSheet = (documentId: string) => ({ documentId, functionName: 'ANALYZE' }) as const;
    const cells = [unknown('P', 30), unknown('Q', 90)].map((range, i) =>
      host.start({ ...inSheet(`sheet-${i + 1}`), args: [range, 'US'], door: 'cell' }),
    );
    await host.run();
    await Promise.all(cells);
    const args = ['waiting.work', { maxMs: 120_000 }];
    const drains = documents.map(({ id }) =>
      host.start({ ...inSheet(id), functionName: 'rpc', args, door: 'sidebar' }),
    );
    await host.run();
    const [first, second] = await Promise.all(drains);
    const endedMs = first?.endedMs ?? 0;
    // The other was busy all the time that is looked at.
    expect(second?.endedMs).toBeGreaterThan(endedMs + 20_000);
    const after = arrivalsOf(world.service())
      .map(({ atMs }) => atMs - endedMs)
      // Calls come in waves of four: three of them fall into any twelve seconds.
      .filter((atMs) => atMs >= 5_000 && atMs < 17_000);
    expect(after.length).toBeGreaterThanOrEqual(10);
    expect(refusalsOf(world.service())).toBe(0);
  });
});
