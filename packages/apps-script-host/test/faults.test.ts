// Passing faults: a service fails at a known call or as chance has it, before or after its effect.

import { describe, expect, it } from '@jest/globals';
import { faultTexts } from '../src/faults';
import type { Execution, HostOptions } from '../src/host';
import { hostOf, outcomeOf, resultOf } from './script-host';

/** Two writes and a read of a store, each of which may fail; what it tells of both moments. */
const WRITES = `
  function f() {
    const store = PropertiesService.getUserProperties();
    const said = ['a', 'b'].map((name) => {
      try {
        store.setProperty(name, 'stored');
        return 'stored';
      } catch (error) {
        return error.name + ': ' + error.message;
      }
    });
    return [...said, store.getProperty('a'), store.getProperty('b')];
  }`;

const run = (execution: Partial<Execution>, options: Partial<HostOptions> = {}) =>
  resultOf(WRITES, execution, options) as Promise<readonly (string | null)[]>;

describe('a passing fault', () => {
  it('before a call leaves nothing done, in words of Google that a script can catch', async () => {
    const [first, second, a, b] = await run({ faults: [{ atCall: 1, when: 'before' }] });
    expect(faultTexts('properties.setProperty').map((text) => `Exception: ${text}`)).toContain(
      first,
    );
    expect([second, a, b]).toEqual(['stored', null, 'stored']);
  });

  it('after a call leaves it done, and the script does not hear of it', async () => {
    const [first, second, a] = await run({ faults: [{ atCall: 1, when: 'after' }] });
    expect(first).toMatch(/^Exception: /);
    expect([second, a]).toEqual(['stored', 'stored']);
  });

  it('comes several times in a row at the same operation, and passes over others', async () => {
    const code = `function f() {
      const tried = [];
      for (let i = 0; i < 4; i++) {
        try { PropertiesService.getUserProperties().getProperty('a'); tried.push('read'); }
        catch { tried.push('failed'); Utilities.sleep(1); }
      }
      return tried;
    }`;
    const faults = [{ atCall: 1, when: 'before', times: 2 }] as const;
    expect(await resultOf(code, { faults })).toEqual(['failed', 'failed', 'read', 'read']);
  });

  it('takes the time of a call, and is counted as one', async () => {
    const faults = [{ atCall: 1, when: 'before' }] as const;
    const [calm, faulty] = [await outcomeOf(WRITES), await outcomeOf(WRITES, { faults })];
    expect(faulty.serviceCalls).toBe(calm.serviceCalls);
    expect(faulty.endedMs - faulty.startedMs).toBe(calm.endedMs - calm.startedMs);
  });

  it('does not hide that a call failed by itself', async () => {
    const code = `function f() {
      try { SpreadsheetApp.openById(''); } catch (error) { return error.message; }
    }`;
    const [own, faulty] = await Promise.all([
      resultOf(code),
      resultOf(code, { faults: [{ atCall: 1, when: 'after' }] }),
    ]);
    expect(faulty).toBe(own);
  });

  it('reaches a request whose answer came, so that the answer is lost', async () => {
    let asked = 0;
    const internet: HostOptions['internet'] = () => {
      asked += 1;
      return { kind: 'answer', status: 200, headers: {}, body: new Uint8Array(), delayMs: 5 };
    };
    const code = `function f() { return UrlFetchApp.fetch('https://a.example').getContentText(); }`;
    const { error } = await outcomeOf(
      code,
      { faults: [{ atCall: 1, when: 'after' }] },
      { internet },
    );
    expect(faultTexts('urlFetch.fetch')).toContain(error?.message);
    expect(asked).toBe(1);
  });
});

describe('the law of passing faults', () => {
  const MANY = `function f() {
    const cache = CacheService.getUserCache();
    let failed = '';
    for (let i = 0; i < 400; i++) {
      try { cache.get('a'); failed += '-'; } catch (error) { failed += 'x'; }
    }
    return failed;
  }`;
  const many = async (seed: number, faults?: HostOptions['faults']) => {
    const host = hostOf(MANY, { seed, workers: 1, ...(faults && { faults }) });
    const call = { functionName: 'f', args: [], door: 'menu' } as const;
    const [first, second] = [host.start(call), host.start(call)];
    await host.run();
    await host.stop();
    return [String((await first).value), String((await second).value)] as const;
  };
  const failures = (text: string) => text.split('x').length - 1;

  it('fails about as many calls as its rate says, each execution in its own way', async () => {
    const [first, second] = await many(1, { rate: 0.1 });
    for (const text of [first, second]) {
      expect(failures(text)).toBeGreaterThan(20);
      expect(failures(text)).toBeLessThan(65);
    }
    expect(first).not.toBe(second);
  });

  it('is the same for the same seed, and another for another', async () => {
    const law = { rate: 0.1 };
    expect(await many(1, law)).toEqual(await many(1, law));
    expect(await many(1, law)).not.toEqual(await many(2, law));
  });

  it('lets some faults come twice in a row', async () => {
    const [alone] = await many(1, { rate: 0.01 });
    const [twice] = await many(1, { rate: 0.01, againShare: 1 });
    expect(alone).not.toContain('xx');
    expect(twice.replaceAll('xx', '')).not.toContain('x');
    expect(failures(twice)).toBeGreaterThan(2);
  });

  it('fails calls of the services that it names, and no others', async () => {
    const [first] = await many(1, { rate: 1, services: ['lock', 'cache'] });
    expect(failures(first)).toBe(400);
    const [calm] = await many(1, { rate: 1, services: ['lock'] });
    expect(failures(calm)).toBe(0);
  });

  it('leaves a host alone that has none', async () => {
    expect(failures((await many(1)).join(''))).toBe(0);
  });
});
