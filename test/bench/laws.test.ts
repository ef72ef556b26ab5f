// The laws of the bench hold in the host that it makes: what a script sees of them.

import { describe, expect, it } from '@jest/globals';
import { createHostUnder, LAWS, type Law } from '../../bench/laws/laws';

const MINUTE_MS = 60_000;

/** What a function of a script returns, called so often at moments so far apart. */
async function called(law: Law, body: string, times: number, everyMs = 0) {
  const host = createHostUnder(law, {
    dist: { code: `function f() { ${body} }`, html: {}, manifest: '{}' },
    seed: 1,
    internet: () => ({ kind: 'silence' }),
  });
  const beginMs = host.nowMs();
  const ends = Array.from({ length: times }, (_, at) =>
    host.start({ functionName: 'f', args: [], door: 'menu' }, beginMs + at * everyMs),
  );
  await host.run();
  await host.stop();
  return Promise.all(ends);
}

describe('a law', () => {
  it('of clocks has each execution live by its own, all of them within 1.5 s', async () => {
    const body = 'return [Date.now(), new Date().getTime(), new Date(7).getTime()];';
    const moments = async (law: Law) =>
      (await called(law, body, 20)).map(({ value }) => value as [number, number, number]);
    const [right, told] = [await moments(LAWS.base), await moments(LAWS['clock-skew'])];
    const aheadMs = told.map(([nowMs], at) => nowMs - (right[at]?.[0] ?? 0));
    expect(new Set(aheadMs).size).toBeGreaterThan(15);
    expect(Math.max(...aheadMs) - Math.min(...aheadMs)).toBeLessThanOrEqual(1_500);
    expect(told.every(([nowMs, madeMs, given]) => nowMs === madeMs && given === 7)).toBe(true);
  });

  it('of locks fails some of their calls, and of nothing else', async () => {
    const body = `
      const failed = { lock: 0, cache: 0 };
      for (let i = 0; i < 200; i += 1) {
        try { LockService.getUserLock().hasLock(); } catch { failed.lock += 1; }
        try { CacheService.getUserCache().get('a'); } catch { failed.cache += 1; }
      }
      return failed;`;
    const [{ value } = { value: null }] = await called(LAWS['failing-locks'], body, 1);
    const { lock, cache } = value as { lock: number; cache: number };
    expect([lock > 2 && lock < 30, cache]).toEqual([true, 0]);
  });

  it('of caches forgets all that is in them each minute, and only then', async () => {
    const body = `
      const cache = CacheService.getUserCache();
      const count = Number(cache.get('count')) + 1;
      cache.put('count', String(count), 21600);
      return count;`;
    const told = await called(LAWS['cache-storms'], body, 10, MINUTE_MS / 4);
    const counts = told.map(({ value }) => Number(value));
    expect(counts.filter((count) => count === 1).length).toBe(3);
    expect(Math.max(...counts)).toBeLessThanOrEqual(5);
    const calm = await called(LAWS.base, body, 10, MINUTE_MS / 4);
    expect(calm.map(({ value }) => value)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });
});
