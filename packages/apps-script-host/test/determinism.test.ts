// The same seed gives the same world, event by event, however many executions interleave.

import { expect, it } from '@jest/globals';
import { createSandboxedInternet } from '../src/internet/sandboxed';
import { hostOf } from './script-host';

const BUSY_SCRIPT = `
  function f(number) {
    const cache = CacheService.getScriptCache();
    const properties = PropertiesService.getScriptProperties();
    const lock = LockService.getScriptLock();
    if (!lock.tryLock(20000)) return 'busy';
    const count = Number(cache.get('count') || 0) + 1;
    cache.put('count', String(count));
    lock.releaseLock();
    Utilities.sleep(Math.floor(Math.random() * 500));
    properties.setProperty('last', Utilities.getUuid());
    const requests = [1, 2, 3].map((item) => 'https://api.example.com/' + number + '/' + item);
    return [count, Date.now(), UrlFetchApp.fetchAll(requests).map((r) => r.getContentText())];
  }`;

async function traceHashOf(seed: number): Promise<{ hash: string; interleaved: number }> {
  const internet = createSandboxedInternet({
    'api.example.com': ({ path }, nowMs) => ({
      kind: 'answer',
      status: 200,
      headers: {},
      body: `${path} at ${nowMs}`,
      delayMs: 100 + (nowMs % 97),
    }),
  });
  const host = hostOf(BUSY_SCRIPT, { seed, internet, workers: 30 });
  for (let number = 1; number <= 30; number += 1) {
    const door = number % 2 ? 'cell' : 'sidebar';
    const killAtCall = number % 10 === 0 ? { killAtCall: 4 } : {};
    void host.start({ functionName: 'f', args: [number], door, ...killAtCall });
  }
  await host.run();
  await host.stop();
  const executions = host.trace().map((line) => line.slice(13, 20));
  const interleaved = executions.filter((name, place) => name !== executions[place - 1]).length;
  return { hash: host.traceHash(), interleaved };
}

it('gives the same trace five times, with 30 interleaving executions and three crashes', async () => {
  const runs = [];
  for (let run = 0; run < 5; run += 1) runs.push(await traceHashOf(7));
  expect(new Set(runs.map(({ hash }) => hash)).size).toBe(1);
  expect(runs[0]?.interleaved).toBeGreaterThan(300);
});

it('gives another trace for another seed', async () => {
  const [one, other] = [await traceHashOf(7), await traceHashOf(8)];
  expect(one.hash).not.toBe(other.hash);
});
