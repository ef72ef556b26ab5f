// One formula over a long list with a key of 5 per second: how much of it is answered in its 30 s.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { SandboxKey } from '../../playground/api/keys';
import { refusalsOf } from '../../playground/api/state';
import { createWorld, type World } from '../doors/world';

const PRODUCTS = 130;
const RATE = { calls: 5, perSeconds: 1 };

let world: World;

afterEach(() => world.stop());

describe('a formula over 130 products with a key of 5 per second', () => {
  it.each([
    [1_500, 65],
    [250, 90],
  ])('where answers take %i ms has at least %i of them, and the rest waits', async (ms, least) => {
    const quota = { kind: 'sliding', ...RATE } as const;
    const keys: SandboxKey[] = [{ name: 'a-key', what: 'counts in windows', quota }];
    const latency = { medianMs: ms, sigma: 0 };
    world = createWorld({ sandbox: { keys, latency, productsPerMarket: PRODUCTS } });
    await world.connect({ apiKey: 'a-key', quota: RATE });
    const asins = [...world.service().catalogue.asins.US].slice(-PRODUCTS);
    const range = asins.map((asin) => [asin]);
    const outcome = await world.show('ANALYZE', range, 'US', 'profit');
    expect(outcome.endedMs - outcome.startedMs).toBeLessThan(30_000);
    // A profit that the service does not know is blank; what waits says so.
    const cells = (outcome.value as unknown[][]).flat();
    const answered = cells.filter((cell) => typeof cell !== 'string').length;
    expect(answered).toBeGreaterThanOrEqual(least);
    expect(refusalsOf(world.service())).toBe(0);
    const work = await world.rpc('waiting.work', { maxMs: 60_000 });
    expect(work.value).toMatchObject({ left: 0 });
  });
});
