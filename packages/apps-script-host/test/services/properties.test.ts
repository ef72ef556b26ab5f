// PropertiesService as the host emulates it: sizes, the daily quota, and whose properties they are.

import { describe, expect, it } from '@jest/globals';
import { hostOf, outcomeOf, resultOf } from '../script-host';

function withProperties(body: string): string {
  return `function f() { const store = PropertiesService.getScriptProperties(); ${body} }`;
}

describe('a property store', () => {
  it('sets, reads and deletes', async () => {
    const body = `
      store.setProperty('a', 1).setProperties({ b: '2', c: '3' });
      store.deleteProperty('b');
      const some = [store.getProperty('a'), store.getProperty('b'), store.getKeys()];
      store.setProperties({ d: '4' }, true);
      const others = store.getProperties();
      store.deleteAllProperties();
      return [some, others, store.getKeys()];`;
    expect(await resultOf(withProperties(body))).toEqual([['1', null, ['a', 'c']], { d: '4' }, []]);
  });

  it('takes 9 KB a value and no more', async () => {
    expect(
      await resultOf(withProperties("store.setProperty('a', 'v'.repeat(9216)); return 1;")),
    ).toBe(1);
    const { error } = await outcomeOf(withProperties("store.setProperty('a', 'v'.repeat(9217));"));
    expect(error).toEqual({ name: 'Exception', message: 'Argument too large: value' });
  });

  it('takes 500 KB in all, and a change that is too large leaves it as it was', async () => {
    const body = `
      for (let i = 0; i < 56; i++) store.setProperty('key' + i, 'v'.repeat(9216));
      try { store.setProperties({ x: 'v'.repeat(9000), y: '1' }); }
      catch (error) { return [error.message, store.getProperty('y')]; }`;
    expect(await resultOf(withProperties(body))).toEqual([
      'You have exceeded the property storage quota. Please remove some properties and try again.',
      null,
    ]);
  });

  it('is refused after so many calls a day, counted per call, until the day is over', async () => {
    const host = hostOf(
      withProperties(`
        const done = [];
        for (let i = 0; i < 4; i++) {
          try { store.getProperty('a'); done.push('ok'); } catch (e) { done.push(e.message); }
        }
        return done;`),
      { limits: { propertyCallsPerDay: 3 } },
    );
    const f = { functionName: 'f', args: [], door: 'menu' } as const;
    const today = host.start(f);
    const tomorrow = host.start(f, host.nowMs() + 25 * 60 * 60 * 1_000);
    await host.run();
    await host.stop();
    const refused = 'Service called too frequently in one day: properties get.';
    expect((await today).value).toEqual(['ok', 'ok', 'ok', refused]);
    expect((await tomorrow).value).toEqual(['ok', 'ok', 'ok', refused]);
  });
});

describe('user properties', () => {
  it('are each user’s own outside a cell', async () => {
    const host = hostOf(`
      function set() { PropertiesService.getUserProperties().setProperty('key', 'mine'); }
      function get() { return PropertiesService.getUserProperties().getProperty('key'); }`);
    const run = (functionName: string, userEmail: string) =>
      host.start({ functionName, args: [], door: 'sidebar', userEmail });
    void run('set', 'ann@example.com');
    await host.run();
    const outcomes = [run('get', 'ann@example.com'), run('get', 'bob@example.com')];
    await host.run();
    await host.stop();
    expect((await Promise.all(outcomes)).map(({ value }) => value)).toEqual(['mine', null]);
  });
});
