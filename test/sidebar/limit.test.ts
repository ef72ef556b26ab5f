// What the sidebar is told of the key's limit: the one found out, and how many products wait for it.

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SAMPLE_PRODUCTS } from '../../playground/api/samples';
import { createWorld, type World } from '../doors/world';

let world: World;

beforeEach(() => {
  world = createWorld();
});

afterEach(() => world.stop());

const status = async () => (await world.rpc('connection.status')).value;
const ASINS = SAMPLE_PRODUCTS.map(({ asin }) => [asin]);
const MARKETS = SAMPLE_PRODUCTS.map(({ market }) => [market]);

describe('the limit in the status', () => {
  it('is only the given one where one was given', async () => {
    await world.connect();
    expect(await status()).not.toHaveProperty('learned');
  });

  it('is a guess before the first call, and sure once the service told it', async () => {
    await world.connect({ quota: null });
    expect(await status()).toMatchObject({ quota: null, learned: { sure: false } });
    await world.show('ANALYZE', ASINS, MARKETS, 'profit');
    expect(await status()).toMatchObject({ learned: { calls: 10, perSeconds: 2, sure: true } });
  });
});

describe('the waiting products in the status', () => {
  it('are those that formulas could not ask for, until the sidebar has asked', async () => {
    await world.connect({ quota: { calls: 12, perSeconds: 60 } });
    expect(await status()).toMatchObject({ waiting: 0 });
    await world.show('ANALYZE', ASINS, MARKETS, 'profit');
    const waiting = Number((await status())?.waiting);
    expect(waiting).toBeGreaterThan(0);
    const { value } = await world.rpc('waiting.work', { maxMs: 20_000 });
    expect(Number(value?.settled)).toBeGreaterThan(0);
    expect(await status()).toMatchObject({ waiting: value?.left });
  });
});
