// A key whose limit nobody gave, and a key that several spreadsheets use: both by the sandbox's books.

import { afterEach, describe, expect, it } from '@jest/globals';
import { SAMPLE_PRODUCTS } from '../../playground/api/samples';
import { arrivalsOf, refusalsOf } from '../../playground/api/state';
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
  it('finds its shares by few refusals, and both get their answers', async () => {
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
    const refused = refusalsOf(world.service());
    expect(refused).toBeLessThanOrEqual(5);
    // Only what was refused is asked again.
    expect(arrivalsOf(world.service())).toHaveLength(products.length + refused);
    expect(DEMO.quota.burst).toBeLessThan(products.length);
  });
});
