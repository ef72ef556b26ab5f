// A connection that changes: by two people at once, and a key that was refused until somebody changes or checks it.

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { arrivalsOf } from '../../playground/api/state';
import { BASE_URL, createWorld, DEMO, documentOf, type World } from '../doors/world';

let world: World;

afterEach(() => world.stop());

// Two people who change one spreadsheet's connection at once: nothing taken back returns, nothing shared is lost.
describe('two people at once', () => {
  const HELPER = 'helper@example.com';

  /** Of virtual time: longer than a check takes, in steps shorter than a call of a store. */
  const SWEEP_MS = 1_596;

  const STEP_MS = 12;

  /** The owner's call comes so much before the helper's at first. */
  const AHEAD_MS = 500;

  /** One pair of people after the other. */
  const PACE_MS = 10_000;

  const DELAYS = Array.from({ length: SWEEP_MS / STEP_MS }, (_, i) => i * STEP_MS);

  /**
   * In a spreadsheet for each delay: its owner connects a key, a helper calls, and the owner calls, at
   * first before that and in the end after it. Gives the delays after which the spreadsheet's record is not as it should be.
   */
  async function wrongAfter(
    sharing: 'me' | 'spreadsheet',
    other: { readonly method: string; readonly isOwners: boolean },
    owners: readonly [method: string, payload: object],
    isRight: (shared: string | undefined) => boolean,
  ): Promise<readonly number[]> {
    const documents = DELAYS.map((delayMs) => documentOf(`sheet-${delayMs}`));
    world = createWorld({ host: { documents, workers: 4 } });
    const { host } = world;
    const startMs = host.nowMs();
    const save = { baseUrl: BASE_URL, ...DEMO, sharing };
    DELAYS.forEach((delayMs, i) => {
      const call = {
        functionName: 'rpc',
        door: 'sidebar',
        documentId: `sheet-${delayMs}`,
      } as const;
      const userEmail = `owner-${delayMs}@example.com`;
      const atMs = startMs + i * PACE_MS;
      void host.start({ ...call, args: ['connection.save', save], userEmail }, atMs);
      void host.start(
        { ...call, args: [other.method, {}], userEmail: other.isOwners ? userEmail : HELPER },
        atMs + PACE_MS / 2 + AHEAD_MS,
      );
      void host.start({ ...call, args: owners, userEmail }, atMs + PACE_MS / 2 + delayMs);
    });
    await host.run();
    const recordOf = (delayMs: number) =>
      host.stores.properties.read(`document/sheet-${delayMs}`).connection;
    return DELAYS.filter((delayMs) => !isRight(recordOf(delayMs)));
  }

  it('a key that is taken back stays away, whenever a check stores what it decided', async () => {
    const owners = ['connection.clear', {}] as const;
    const isGone = (shared: string | undefined) => shared === undefined;
    const check = { method: 'connection.check', isOwners: true };
    expect(await wrongAfter('spreadsheet', check, owners, isGone)).toEqual([]);
  });

  it('a key that is shared stays, whenever somebody else switches samples on', async () => {
    const owners = ['connection.share', { sharing: 'spreadsheet' }] as const;
    const isThere = (shared = '') => shared.includes(DEMO.apiKey);
    const demo = { method: 'demo.start', isOwners: false };
    expect(await wrongAfter('me', demo, owners, isThere)).toEqual([]);
  });
});

// A refused key is not tried again, however long ago the cache forgot it: until somebody changes or checks it.
describe('a refused key', () => {
  const MUG = 'B0XKT7M4QN';

  const REVOKED = { apiKey: 'demo-key-revoked' };

  const DAY_MS = 24 * 3_600_000;

  beforeEach(async () => {
    world = createWorld();
    await world.connect(REVOKED);
  });

  const calls = () => arrivalsOf(world.service()).length;

  const textOf = async (asin: string) => (await world.show('ANALYZE', asin)).error?.message;

  const aDayLater = () => world.wait(DAY_MS);

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
