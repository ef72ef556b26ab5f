// A refused key is not tried again, however long ago the cache forgot it: until somebody changes or checks it.

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { arrivalsOf } from '../../playground/api/state';
import { createWorld, DEMO, type World } from './world';

const MUG = 'B0XKT7M4QN';
const REVOKED = { apiKey: 'demo-key-revoked' };
const DAY_MS = 24 * 3_600_000;

let world: World;

beforeEach(async () => {
  world = createWorld();
  await world.connect(REVOKED);
});

afterEach(() => world.stop());

const calls = () => arrivalsOf(world.service()).length;
const textOf = async (asin: string) => (await world.show('ANALYZE', asin)).error?.message;
const aDayLater = () => world.host.run(world.host.nowMs() + DAY_MS);

describe('a refused key', () => {
  it('is refused once, and days later still, by cells, runs of the sidebar and the status', async () => {
    expect(await textOf(MUG)).toContain('the service refused the key');
    expect(calls()).toBe(1);
    for (const asin of ['B0RWD92FHC', 'B0TZ4LQ8KV']) {
      await aDayLater();
      expect(await textOf(asin)).toContain('the service refused the key');
      const { value } = await world.rpc('connection.status');
      expect(value).toMatchObject({ stopped: { kind: 'key-refused' } });
    }
    expect(calls()).toBe(1);
  });

  it('is tried again when a person checks it', async () => {
    await textOf(MUG);
    await aDayLater();
    expect((await world.rpc('connection.check')).failure?.kind).toBe('key-refused');
    expect(calls()).toBe(2);
    await aDayLater();
    await textOf('B0RWD92FHC');
    expect(calls()).toBe(2);
  });

  it('is forgotten with the next key', async () => {
    await textOf(MUG);
    await aDayLater();
    await world.connect({ apiKey: DEMO.apiKey });
    expect((await world.show('ANALYZE', MUG, 'US', 'profit')).value).toBe(9.85);
    await aDayLater();
    expect((await world.show('ANALYZE', 'B0RWD92FHC', 'US', 'profit')).value).toBe(6.36);
  });
});
