// LockService as the host emulates it: one holder, waiters in order, time-outs, too much of it.

import { describe, expect, it } from '@jest/globals';
import { hostOf, outcomeOf, resultOf } from '../script-host';
import { documentOf, gridOf } from './spreadsheet-app/grid-script';

const HOLD = `
  function hold(ms) {
    const lock = LockService.getScriptLock();
    lock.waitLock(60000);
    const sinceMs = Date.now();
    Utilities.sleep(ms);
    lock.releaseLock();
    return sinceMs;
  }
  function attempt(timeoutMs) { return LockService.getScriptLock().tryLock(timeoutMs); }
  function wait(timeoutMs) { LockService.getScriptLock().waitLock(timeoutMs); }
  function forget() { LockService.getScriptLock().waitLock(1000); }`;

const menu = { door: 'menu' } as const;

describe('a lock', () => {
  it('has one holder at a time and is given in the order of asking', async () => {
    const host = hostOf(HOLD, { workers: 8 });
    const startMs = host.nowMs();
    const outcomes = [0, 1, 2, 3, 4, 5, 6, 7].map((place) =>
      host.start({ functionName: 'hold', args: [1_000], ...menu }, startMs + (7 - place) * 1_000),
    );
    await host.run();
    await host.stop();
    const sinceMs = (await Promise.all(outcomes)).map(({ value }) => Number(value));
    const inOrderOfAsking = [...sinceMs].reverse();
    expect(inOrderOfAsking).toEqual([...sinceMs].sort((one, other) => one - other));
    const gapsMs = inOrderOfAsking.slice(1).map((ms, place) => ms - Number(inOrderOfAsking[place]));
    expect(Math.min(...gapsMs)).toBeGreaterThanOrEqual(1_000);
  });

  it('is not had after the time-out: tryLock says so, waitLock throws', async () => {
    const host = hostOf(HOLD);
    void host.start({ functionName: 'hold', args: [10_000], ...menu });
    const soonMs = host.nowMs() + 2_000;
    const attempt = host.start({ functionName: 'attempt', args: [3_000], ...menu }, soonMs);
    const wait = host.start({ functionName: 'wait', args: [3_000], ...menu }, soonMs);
    const patient = host.start({ functionName: 'attempt', args: [20_000], ...menu }, soonMs);
    await host.run();
    await host.stop();
    expect((await attempt).value).toBe(false);
    expect((await wait).error).toEqual({
      name: 'Exception',
      message: 'Lock timeout: another process was holding the lock for too long.',
    });
    expect((await patient).value).toBe(true);
  });

  it('is let go of when an execution ends without releasing it', async () => {
    const host = hostOf(HOLD);
    void host.start({ functionName: 'forget', args: [], ...menu });
    await host.run();
    expect(host.stores.locks.holder('script')).toBeNull();
    await host.stop();
  });

  it('can be had again by its holder, and released only by it', async () => {
    const code = `function f() {
      const lock = LockService.getScriptLock();
      const before = lock.hasLock();
      lock.releaseLock();
      return [before, lock.tryLock(0), lock.tryLock(0), lock.hasLock()];
    }`;
    expect(await resultOf(code)).toEqual([false, true, true, true]);
  });

  it('of the document is null where there is no document', async () => {
    expect(await resultOf('function f() { return LockService.getDocumentLock(); }')).toBeNull();
  });

  it('is refused when a script asks too often', async () => {
    const code = `function f() {
      for (let i = 0; i < 50; i++) LockService.getScriptLock().tryLock(0);
    }`;
    const latency = { startMs: () => 0, callMs: () => 20, flushMs: () => 0, sendMs: () => 0 };
    const limits = { lockOperationsPerSecond: 40 };
    expect((await outcomeOf(code, {}, { latency, limits })).error).toEqual({
      name: 'Exception',
      message: 'There are too many LockService operations against the same script.',
    });
    expect(await outcomeOf(code, {}, { latency })).toMatchObject({ ok: true });
  });
});

it('a negative time never has the lock', async () => {
  const code = `function f() {
    const lock = LockService.getScriptLock();
    const had = lock.tryLock(-1);
    try { lock.waitLock(-1); } catch (error) { return [had, lock.hasLock(), error.message]; }
  }`;
  expect(await resultOf(code)).toEqual([false, false, expect.stringContaining('Lock timeout')]);
});

describe('a spreadsheet that is used while a lock is held', () => {
  const READ = `
    const read = () => SpreadsheetApp.getActiveSheet().getRange('A1').getValue();
    function f() {
      LockService.getDocumentLock().waitLock(1000);
      try { return read(); } catch (error) { return 'caught'; }
    }
    function afterwards() {
      const lock = LockService.getDocumentLock();
      lock.waitLock(1000);
      const id = SpreadsheetApp.getActiveSpreadsheet().getId();
      lock.releaseLock();
      return [id, read()];
    }`;
  const documents = [documentOf(gridOf())];

  it('answers, as at Google', async () => {
    expect(await resultOf(READ, {}, { documents })).toBe('');
  });

  it('ends the execution where that is wanted, which cannot catch it', async () => {
    const strict = { documents, sheetsFailUnderLock: true };
    expect(await outcomeOf(READ, {}, strict)).toMatchObject({
      ended: 'killed',
      error: { message: expect.stringMatching(/was called while a lock is held/) },
    });
    expect(await resultOf(READ, { functionName: 'afterwards' }, strict)).toEqual(['doc-1', '']);
  });
});
