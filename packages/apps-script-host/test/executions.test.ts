// How executions end: by themselves, by a crash at any call, by their time limit, in a loop.

import { describe, expect, it } from '@jest/globals';
import { hostOf, outcomeOf, resultOf } from './script-host';

const FIVE_CALLS = `
  function f() {
    const lock = LockService.getScriptLock();
    lock.waitLock(1000);
    try {
      CacheService.getScriptCache().put('reached', '3');
      Utilities.sleep(10);
      return 'done';
    } finally {
      CacheService.getScriptCache().put('finally', 'yes');
    }
  }
  function look() {
    const cache = CacheService.getScriptCache();
    return [cache.get('reached'), cache.get('finally'), LockService.getScriptLock().tryLock(0)];
  }`;

describe('an execution', () => {
  it('returns what its function returns', async () => {
    const outcome = await outcomeOf('function f(a, b) { return [a + b, undefined, NaN]; }', {
      args: [2, 3],
    });
    expect(outcome).toMatchObject({ ok: true, ended: 'returned', serviceCalls: 0 });
    expect(outcome.value).toEqual([5, undefined, Number.NaN]);
  });

  it('ends with the name and message of what it throws', async () => {
    const outcome = await outcomeOf('function f() { throw new RangeError("too far"); }');
    expect(outcome).toMatchObject({
      ok: false,
      ended: 'threw',
      error: { name: 'RangeError', message: 'too far' },
    });
    expect(outcome.logs.join()).toContain('Code.js:1');
  });

  it('fails with a syntax error of the bundle as with any other', async () => {
    const outcome = await outcomeOf('function f( {');
    expect(outcome).toMatchObject({ ended: 'threw', error: { name: 'SyntaxError' } });
  });

  it('does not find a function that is not at the top level', async () => {
    for (const functionName of ['missing', 'nested.g', 'gone.f', 'String', 'CacheService', 'f(']) {
      const outcome = await outcomeOf('const nested = { f() { return 1; } };', { functionName });
      expect(outcome.error?.message).toBe(`Script function not found: ${functionName}`);
    }
  });

  it('finds a function that is a top-level constant, and a method by its path', async () => {
    expect(await resultOf('const f = () => 7;')).toBe(7);
    const code = 'const menu = { n: 3, item1() { return this.n; } };';
    expect(await resultOf(code, { functionName: 'menu.item1' })).toBe(3);
  });

  it('follows an async function to its end', async () => {
    const code = `async function f() {
      const first = await Promise.resolve(20);
      Utilities.sleep(10);
      return first + (await 22);
    }`;
    expect(await resultOf(code)).toBe(42);
  });

  it('takes as long as its calls, and no longer for computing', async () => {
    const outcome = await outcomeOf(
      'function f() { for (let i = 0; i < 1e7; i++); Utilities.sleep(2500); }',
      {},
      { latency: { startMs: () => 400, callMs: () => 30, flushMs: () => 0, sendMs: () => 0 } },
    );
    expect(outcome.endedMs - outcome.startedMs).toBe(400 + 30 + 2500);
  });

  it('shares nothing with the next one but what services keep', async () => {
    const host = hostOf('var count = 0; function f() { globalThis.seen = true; return ++count; }', {
      workers: 1,
    });
    const f = { functionName: 'f', args: [], door: 'menu' } as const;
    const first = host.start(f);
    await host.run();
    const second = host.start(f);
    await host.run();
    await host.stop();
    expect([(await first).value, (await second).value]).toEqual([1, 1]);
  });
});

describe('a crash', () => {
  it.each([1, 2, 3, 4])('at call %i lets nothing of the script run afterwards', async (call) => {
    const host = hostOf(FIVE_CALLS);
    const killed = host.start({ functionName: 'f', args: [], door: 'menu', killAtCall: call });
    await host.run();
    const after = host.start({ functionName: 'look', args: [], door: 'menu' });
    await host.run();
    await host.stop();
    expect(await killed).toMatchObject({ ok: false, ended: 'killed', serviceCalls: call });
    expect((await after).value).toEqual([call > 2 ? '3' : null, null, true]);
  });

  it.each([1, 2, 3, 4])('after call %i keeps what that call has done', async (call) => {
    const host = hostOf(FIVE_CALLS);
    const killed = host.start({ functionName: 'f', args: [], door: 'menu', killAfterCall: call });
    await host.run();
    const after = host.start({ functionName: 'look', args: [], door: 'menu' });
    await host.run();
    await host.stop();
    expect(await killed).toMatchObject({ ok: false, ended: 'killed', serviceCalls: call });
    const done = [call > 1 ? '3' : null, call > 3 ? 'yes' : null, true];
    expect((await after).value).toEqual(done);
  });

  it('after a lock was waited for gives it to the next', async () => {
    const host = hostOf(FIVE_CALLS);
    const menu = { functionName: 'f', args: [], door: 'menu' } as const;
    const first = host.start(menu);
    const killed = host.start({ ...menu, killAfterCall: 1 });
    const last = host.start(menu);
    await host.run();
    await host.stop();
    expect([(await first).ok, (await killed).ended, (await last).ok]).toEqual([
      true,
      'killed',
      true,
    ]);
  });

  it('gives the lock to the next that waits for it', async () => {
    const host = hostOf(FIVE_CALLS);
    const menu = { functionName: 'f', args: [], door: 'menu' } as const;
    const killed = host.start({ ...menu, killAtCall: 3 });
    const waiting = host.start(menu);
    await host.run();
    await host.stop();
    expect((await killed).ended).toBe('killed');
    expect((await waiting).value).toBe('done');
  });
});

describe('the time limit', () => {
  it.each([
    ['cell', 30_000, 'Exceeded maximum execution time (line 0).'],
    ['open', 30_000, 'Exceeded maximum execution time'],
    ['menu', 360_000, 'Exceeded maximum execution time'],
    ['clock', 360_000, 'Exceeded maximum execution time'],
  ] as const)('of a %s is kept', async (door, limitMs, message) => {
    const code = `function f() {
      try { for (;;) Utilities.sleep(7000); }
      finally { CacheService.getScriptCache().put('a', 'b'); }
    }`;
    const outcome = await outcomeOf(code, { door });
    expect(outcome).toMatchObject({ ended: 'timedOut', error: { name: 'Exception', message } });
    expect(outcome.endedMs - outcome.startedMs).toBe(limitMs);
  });

  it('ends a script that computes for ever, and the others go on', async () => {
    const host = hostOf('function f() { for (;;); } function g() { return 1; }', {
      runawayMs: 1_000,
    });
    const runaway = host.start({ functionName: 'f', args: [], door: 'cell' });
    const other = host.start({ functionName: 'g', args: [], door: 'cell' });
    await host.run();
    await host.stop();
    const { ended, startedMs, endedMs } = await runaway;
    expect([ended, endedMs - startedMs]).toEqual(['timedOut', 30_000]);
    expect((await other).value).toBe(1);
  });
});

describe('a top-level call', () => {
  it('runs in the mode of the execution', async () => {
    const code = "CacheService.getScriptCache().get('a'); function onOpen() { return 'opened'; }";
    const open = { functionName: 'onOpen', door: 'open' } as const;
    expect((await outcomeOf(code, open)).value).toBe('opened');
    expect((await outcomeOf(code, { ...open, authMode: 'NONE' })).error?.message).toContain(
      'You do not have permission to call CacheService.get',
    );
  });
});
