// The script's world: what Apps Script has and lacks, and that nothing of Node's realm leaks in.

import { describe, expect, it } from '@jest/globals';
import { hostOf, outcomeOf, resultOf } from './script-host';

const ABSENT = [
  ...['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'structuredClone', 'fetch'],
  ...['URL', 'URLSearchParams', 'TextEncoder', 'TextDecoder', 'atob', 'btoa', 'crypto', 'Blob'],
  ...['performance', 'AbortController', 'Event', 'window', 'navigator', 'process', 'require'],
  ...['module', 'Buffer', 'global', 'platform'],
];

describe('the realm', () => {
  it.each(ABSENT)('has no %s', async (name) => {
    expect(await resultOf(`function f() { return typeof ${name}; }`)).toBe('undefined');
  });

  it('has arrays, dates and errors of its own everywhere', async () => {
    const code = `function f(list, date) {
      CacheService.getScriptCache().put('a', '1');
      const found = CacheService.getScriptCache().getAll(['a']);
      const keys = PropertiesService.getScriptProperties().getKeys();
      let error;
      try { UrlFetchApp.fetch('nonsense'); } catch (caught) { error = caught; }
      return [list instanceof Array, date instanceof Date, found instanceof Object,
        keys instanceof Array, error instanceof Error, list.constructor === Array,
        date.constructor === Date, error.name];
    }`;
    expect(await resultOf(code, { args: [[[1]], new Date(5)] })).toEqual([
      ...Array(7).fill(true),
      'Exception',
    ]);
  });

  it('lets no script reach Node through a function it was given', async () => {
    const code = `function f() {
      const reach = [CacheService.getScriptCache, Date.now, console.log, Math.random];
      return reach.map((one) => one.constructor('return typeof process')());
    }`;
    expect(await resultOf(code)).toEqual(Array(4).fill('undefined'));
  });

  it('takes and returns dates as moments', async () => {
    const code = 'function f(date) { return [date, new Date(date.getTime() + 1), new Date(NaN)]; }';
    const [same, next, none] = (await resultOf(code, { args: [new Date(7)] })) as Date[];
    expect([same?.getTime(), next?.getTime()]).toEqual([7, 8]);
    expect(none?.getTime()).toBeNaN();
  });
});

describe('the clock of a script', () => {
  it('is the host’s, whichever way it is asked', async () => {
    const code = `function f() {
      const now = Date.now();
      Utilities.sleep(1000);
      return [now, new Date().getTime() - now, typeof Date(), new Date(2020, 1).getFullYear(),
        Date.UTC(2020, 0), new Date(5) instanceof Date, Object.prototype.toString.call(new Date())];
    }`;
    const latency = { startMs: () => 0, callMs: () => 0, flushMs: () => 0, sendMs: () => 0 };
    expect(await resultOf(code, {}, { latency })).toEqual([
      Date.UTC(2026, 0, 5, 9),
      1_000,
      'string',
      2020,
      Date.UTC(2020, 0),
      true,
      '[object Date]',
    ]);
  });
});

describe('a clock that a script replaces', () => {
  it('is that of the script alone, and the next execution has a true one', async () => {
    const code = `function f(isFixed) {
      if (isFixed) Date.now = () => 5;
      const cache = CacheService.getScriptCache();
      cache.put('a', '1', 60);
      Utilities.sleep(61000);
      return [Date.now() === 5, new Date().getTime() > 5, cache.get('a')];
    }`;
    const host = hostOf(code);
    const run = async (isFixed: boolean) => {
      const outcome = host.start({ functionName: 'f', args: [isFixed], door: 'menu' });
      await host.run();
      return (await outcome).value;
    };
    expect([await run(true), await run(false)]).toEqual([
      [true, true, null],
      [false, true, null],
    ]);
    await host.stop();
  });
});

describe('chance', () => {
  it('comes from the seed', async () => {
    const code = 'function f() { return [Math.random(), Math.random()]; }';
    const [once, twice] = [await resultOf(code), await resultOf(code)];
    const other = await resultOf(code, {}, { seed: 2 });
    expect(once).toEqual(twice);
    expect(once).not.toEqual(other);
  });
});

describe('an unknown member', () => {
  it.each([
    ['CacheService.getFoo()', 'CacheService.getFoo is not a function'],
    [
      'CacheService.getScriptCache().foo()',
      'CacheService.getScriptCache(...).foo is not a function',
    ],
    ['ScriptApp.AuthMode.FOO.name()', "Cannot read properties of undefined (reading 'name')"],
    ['console.table([])', 'console.table is not a function'],
    ['DriveApp.getFoo()', 'DriveApp.getFoo is not a function'],
    ['Charts.newPieChart()', 'Charts.newPieChart is not emulated'],
    ['ScriptApp.EventType.ON_EVENT_UPDATED', 'EventType.ON_EVENT_UPDATED is not emulated'],
    [
      'DriveApp.getFiles()',
      'DriveApp.getFiles is not emulated. A test can bring it: createHost({ services: { DriveApp: { getFiles() { … } } } })',
    ],
  ])('of %s is told as what it is', async (expression, message) => {
    const outcome = await outcomeOf(`function f() { return ${expression}; }`);
    expect(outcome.error?.message).toBe(message);
  });

  it('of nobody is undefined, so that a script can look for it', async () => {
    const code = 'function f() { return [typeof UrlFetchApp.foo, CacheService.getFoo?.()]; }';
    expect(await resultOf(code)).toEqual(['undefined', undefined]);
  });

  it('is not met by JSON, by text or by await', async () => {
    const code = `async function f() {
      const cache = await CacheService.getScriptCache();
      return [String(cache), JSON.stringify({ mode: ScriptApp.AuthMode.FULL })];
    }`;
    expect(await resultOf(code)).toEqual(['Cache', '{"mode":"FULL"}']);
  });
});
