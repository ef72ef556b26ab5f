// Many cells at once where Google's stores are slow: whoever has the lock books for all that wait for it.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { Outcome } from 'apps-script-host/host';
import { type LatencyLaw, MODELLED_LATENCY } from 'apps-script-host/latency';
import type { SandboxKey } from '../../playground/api/keys';
import { refusalsOf } from '../../playground/api/state';
import { US_ASINS } from '../doors/bulk-list';
import { createWorld, type World } from '../doors/world';

const CELLS = 60;
const CALLS_PER_SECOND = 5;
const RATE = { calls: CALLS_PER_SECOND, perSeconds: 1 };
const BURST = 10;

/** A lock, a read and a write of 80 to 400 ms each let some two cells a second book by themselves. */
const SLOW_STORES: LatencyLaw = {
  ...MODELLED_LATENCY,
  callMs: (operation, random, cells) =>
    /^(cache|properties|lock)\./.test(operation)
      ? random.integer(80, 400)
      : MODELLED_LATENCY.callMs(operation, random, cells),
};

/**
 * How the service counts, what the person said of it, and whether some cells wait for the lock until
 * their end, so that they know nothing of the limit.
 */
const KEYS: readonly (readonly [string, SandboxKey['quota'], object, boolean])[] = [
  ['with a burst', { kind: 'bucket', ...RATE, burst: BURST }, { ...RATE, burst: BURST }, true],
  ['without one', { kind: 'sliding', ...RATE }, RATE, false],
];

let world: World;
afterEach(() => world.stop());

async function connect(seed: number, quota: SandboxKey['quota'], told: object) {
  const keys: SandboxKey[] = [{ name: 'a-key', what: 'the one that is asked with', quota }];
  const sandbox = { keys, dialect: 'silent', productsPerMarket: CELLS } as const;
  world = createWorld({ sandbox, host: { latency: SLOW_STORES, seed } });
  await world.connect({ apiKey: 'a-key', quota: told });
}

async function crowd({ dies = false, count = CELLS } = {}) {
  const { host } = world;
  const cells = US_ASINS.slice(0, count).map((asin, at) => {
    // The third call is for the lock. What follows is the request it leaves, or the state's read and write.
    const end = dies && at % 7 === 0 ? { killAtCall: 4 + (at % 3) } : {};
    return host.start({
      functionName: 'ANALYZE',
      args: [asin, 'US', 'profit'],
      door: 'cell',
      ...end,
    });
  });
  await host.run();
  const outcomes = await Promise.all(cells);
  return { outcomes };
}

/** The limit is reached, or the lock was others' until the end of the cell's time. */
const WAITING = /waiting (?:for the key's limit|its turn)/;

/** Cells that are answered, or that the open sidebar asks for. */
async function answered(outcomes: readonly Outcome[]): Promise<number> {
  const waiting = outcomes.filter(({ error }) => WAITING.test(error?.message ?? '')).length;
  const { value } = await world.rpc('waiting.work', { maxMs: 60_000 });
  expect(value).toMatchObject({ left: 0 });
  return outcomes.filter(({ ok }) => ok).length + waiting;
}

describe.each(KEYS)('a key %s', (_, quota, told, someAreLockedOut) => {
  it('answers a crowd of cells, each with one call, or leaves them to the open sidebar', async () => {
    await connect(3, quota, told);
    const { outcomes } = await crowd();
    expect(outcomes.filter(({ ended }) => ended === 'timedOut')).toEqual([]);
    const isLockedOut = outcomes.some(({ error }) => /waiting its turn/.test(error?.message ?? ''));
    expect(isLockedOut).toBe(someAreLockedOut);
    expect(await answered(outcomes)).toBe(CELLS);
    expect(refusalsOf(world.service())).toBe(0);
    expect(world.service().arrived).toBe(CELLS);
  });

  it('answers the others where some of them end at any call', async () => {
    await connect(4, quota, told);
    const { outcomes } = await crowd({ dies: true });
    const killed = outcomes.filter(({ ended }) => ended === 'killed').length;
    expect(killed).toBeGreaterThan(0);
    expect(await answered(outcomes)).toBe(CELLS - killed);
    expect(refusalsOf(world.service())).toBe(0);
  });

  it.each([
    // Of the thirty executions that Google lets a person have at once, the check is one.
    ['its owner', 'owner@example.com', 29],
    ['an editor who uses it', 'editor@example.com', CELLS],
  ])('is checked meanwhile by %s', async (_, userEmail, count) => {
    await connect(5, quota, told);
    const { host } = world;
    const check = host.start(
      {
        functionName: 'rpc',
        args: ['connection.check', {}],
        door: 'sidebar',
        userEmail,
      },
      host.nowMs() + 2_000,
    );
    const { outcomes } = await crowd({ count });
    expect((await check).value).toMatchObject({ ok: true });
    expect(await answered(outcomes)).toBe(count);
    expect(refusalsOf(world.service())).toBe(0);
  });
});
