// CacheService as the host emulates it: sizes, ages, numbers, whose cache it is.

import { describe, expect, it } from '@jest/globals';
import { hostOf, outcomeOf, resultOf } from '../script-host';

function withCache(body: string): string {
  return `function f() { const cache = CacheService.getScriptCache(); ${body} }`;
}

describe('a cache', () => {
  it('keeps texts for ten minutes when no time is given', async () => {
    const body = `
      cache.put('a', 5);
      Utilities.sleep(300000); Utilities.sleep(299000);
      const before = cache.get('a');
      Utilities.sleep(2000);
      return [before, cache.get('a')];`;
    expect(
      await resultOf(withCache(body), { door: 'sidebar' }, { limits: { longRunMs: 1e6 } }),
    ).toEqual(['5', null]);
  });

  it('keeps each entry for its own time', async () => {
    const body = `
      cache.putAll({ a: '1', b: '2' }, 10);
      cache.put('c', '3', 60);
      Utilities.sleep(11000);
      return cache.getAll(['a', 'b', 'c', 'd']);`;
    expect(await resultOf(withCache(body))).toEqual({ c: '3' });
  });

  it('forgets what is removed', async () => {
    const body = `
      cache.putAll({ a: '1', b: '2', c: '3' });
      cache.remove('a');
      cache.removeAll(['b', 'x']);
      return cache.getAll(['a', 'b', 'c']);`;
    expect(await resultOf(withCache(body))).toEqual({ c: '3' });
  });

  it.each([
    ["cache.put('k'.repeat(251), '')", 'Argument too large: key'],
    ["cache.put('k', 'v'.repeat(102401))", 'Argument too large: value'],
    ["cache.put('k', 'é'.repeat(51201))", 'Argument too large: value'],
    ["cache.put('k', 'v', 21601)", 'Argument too large: expirationInSeconds'],
  ])('refuses %s', async (statement, message) => {
    const { error } = await outcomeOf(withCache(statement));
    expect(error).toEqual({ name: 'Exception', message });
  });

  it('takes the largest key and value', async () => {
    const body = `
      cache.put('k'.repeat(250), 'v'.repeat(102400), 21600);
      return cache.get('k'.repeat(250)).length;`;
    expect(await resultOf(withCache(body))).toBe(102_400);
  });

  it('drops the oldest by creation when it holds more than 1,000, down to 900', async () => {
    const body = `
      for (let i = 0; i < 1000; i++) cache.put('k' + i, '' + i);
      cache.get('k0');
      cache.put('k50', 'again');
      cache.put('new', 'x');
      const kept = cache.getAll(Array.from({ length: 1000 }, (_, i) => 'k' + i).concat('new'));
      return [Object.keys(kept).length].concat(
        ['k0', 'k50', 'k101', 'k102'].map((key) => key in kept));`;
    expect(await resultOf(withCache(body))).toEqual([900, false, true, false, true]);
  });

  it('can be emptied at any moment', async () => {
    const host = hostOf(
      withCache("cache.put('a', '1'); Utilities.sleep(5000); return cache.get('a');"),
    );
    host.at(host.nowMs() + 3_000, () => host.stores.cache.wipe());
    const outcome = host.start({ functionName: 'f', args: [], door: 'menu' });
    await host.run();
    await host.stop();
    expect(await outcome).toMatchObject({ ok: true, value: null });
  });
});

describe('the three caches', () => {
  it('are the script’s, each user’s and each document’s own', async () => {
    const host = hostOf(`
      function put() {
        CacheService.getScriptCache().put('a', 'script');
        CacheService.getUserCache().put('a', 'user');
      }
      function get() {
        return [CacheService.getScriptCache().get('a'), CacheService.getUserCache().get('a'),
          CacheService.getDocumentCache()];
      }`);
    const run = (functionName: string, userEmail: string) => {
      const outcome = host.start({ functionName, args: [], door: 'menu', userEmail });
      return host.run().then(() => outcome);
    };
    await run('put', 'ann@example.com');
    const [ann, bob] = [await run('get', 'ann@example.com'), await run('get', 'bob@example.com')];
    await host.stop();
    expect(ann.value).toEqual(['script', 'user', null]);
    expect(bob.value).toEqual(['script', null, null]);
  });
});

it('returns null, not undefined, where there is nothing to return', async () => {
  const code = `function f() {
    const cache = CacheService.getScriptCache();
    return [cache.put('a', '1'), cache.putAll({ b: '2' }), cache.remove('a'), cache.removeAll(['b'])];
  }`;
  expect(await resultOf(code)).toEqual([null, null, null, null]);
});
