// A service that tells a limit of one call a day: it holds for six hours, is shown with its end, and whoever
// sees that it is wrong ends it at once.

import { afterEach, describe, expect, it } from '@jest/globals';
import { BASE_URL, createWorld, FAST, GOOD, reply, type World } from './world';

const ASINS = ['B0XKT7M4QN', 'B0RWD92FHC', 'B0TZ4LQ8KV', 'B0VNH3C6PD'];
const HOUR_MS = 3_600_000;
const ONE_A_DAY = { 'RateLimit-Policy': '1;w=86400' };

let world: World;
afterEach(() => world.stop());

/** The first answers tell a limit that no key has, the next ones say nothing of it; one more call is made at it. */
async function told(): Promise<void> {
  const headers = (nth: number) => (nth <= 2 ? ONE_A_DAY : {});
  world = createWorld({ says: (_, __, nth) => reply(200, GOOD, headers(nth)) });
  await world.connect({ ...FAST, quota: null });
  expect([await shown(0), await shown(1)]).toEqual([9.85, 9.85]);
  expect(await shown(2)).toMatch(/^Not analyzed: waiting for the key's limit, about 6 h\./);
  expect(world.requests).toHaveLength(2);
}

async function shown(at: number): Promise<unknown> {
  const { value, error } = await world.show('ANALYZE', ASINS[at], 'US', 'profit');
  return value ?? error?.message;
}

const learned = async () => (await world.rpc('connection.status')).value?.learned;

describe('a limit of one call a day', () => {
  it('is kept to, and shown with its end, which is six hours later at most', async () => {
    await told();
    const { toldUntilMs } = (await learned()) as { toldUntilMs: number };
    expect(toldUntilMs - world.host.nowMs()).toBeGreaterThan(5.9 * HOUR_MS);
    expect(toldUntilMs - world.host.nowMs()).toBeLessThanOrEqual(6 * HOUR_MS);
  });

  it('holds nobody back any more after six hours', async () => {
    await told();
    await world.pass(6);
    expect([await shown(2), await shown(3)]).toEqual([9.85, 9.85]);
  });

  it.each<[string, string, object]>([
    ['a check', 'connection.check', {}],
    [
      'saving',
      'connection.save',
      { baseUrl: BASE_URL, apiKey: '', quota: null, sharing: 'spreadsheet' },
    ],
    ['the button', 'connection.relearn', {}],
  ])('is ended by %s, and formulas go on at once', async (_how, method, payload) => {
    await told();
    expect(await world.rpc(method, payload)).toMatchObject({ ok: true });
    if (method === 'connection.relearn') expect(world.requests).toHaveLength(2);
    expect(await learned()).not.toHaveProperty('toldUntilMs');
    expect([await shown(2), await shown(3)]).toEqual([9.85, 9.85]);
  });
});
