// What Google does not say of cells and calls: hosts that answer in the one way and in the other.

import { describe, expect, it } from '@jest/globals';
import type { Execution, HostOptions } from '../src/host';
import { createSandboxedInternet } from '../src/internet/sandboxed';
import { createPlainGrid } from '../src/sheet/plain-grid';
import { hostOf, resultOf } from './script-host';

const DOCUMENT = {
  id: 'doc-1',
  name: 'Products',
  ownerEmail: 'owner@example.com',
  editors: [],
  model: createPlainGrid(),
};

const STORES = `
  const places = () => [
    [CacheService.getDocumentCache(), 'get', 'put'],
    [PropertiesService.getDocumentProperties(), 'getProperty', 'setProperty'],
    [CacheService.getScriptCache(), 'get', 'put'],
    [PropertiesService.getUserProperties(), 'getProperty', 'setProperty'],
  ];
  function write() { for (const [place, , put] of places()) place[put]('a', 'menu'); }
  function read() { return places().map(([place, get]) => place[get]('a')); }
  function hold() { LockService.getDocumentLock().tryLock(1); Utilities.sleep(9000); }
  function had() { return LockService.getDocumentLock().tryLock(1); }
`;

/** What a cell reads of what a menu wrote, and whether it gets the lock that a page holds. */
async function seenByCell(options: Partial<HostOptions>) {
  const host = hostOf(STORES, { documents: [DOCUMENT], ...options });
  const call = (functionName: string, door: Execution['door'], atMs?: number) =>
    host.start({ functionName, args: [], door }, atMs);
  void call('write', 'menu');
  await host.run();
  void call('hold', 'sidebar');
  const outcomes = [call('read', 'cell'), call('had', 'cell', host.nowMs() + 3_000)];
  await host.run();
  const [read, had] = await Promise.all(outcomes);
  await host.stop();
  return { read: read?.value, had: had?.value };
}

describe('cells', () => {
  it('have the stores of the spreadsheet that all others have', async () => {
    const read = ['menu', 'menu', 'menu', 'menu'];
    expect(await seenByCell({})).toEqual({ read, had: false });
  });

  it('have a cache, properties and a lock of their own, and of no other store', async () => {
    const seen = await seenByCell({ unknowns: { cellsShareStores: false } });
    expect(seen).toEqual({ read: [null, null, 'menu', 'menu'], had: true });
  });

  it('are refused a document property, and read it all the same', async () => {
    const code = `function f() {
      const store = PropertiesService.getDocumentProperties();
      try { store.setProperty('a', 'b'); } catch (error) { return [error.message, store.getKeys()]; }
      return store.getKeys();
    }`;
    const cell = (unknowns: HostOptions['unknowns']) =>
      resultOf(code, { door: 'cell' }, { documents: [DOCUMENT], ...(unknowns && { unknowns }) });
    expect(await cell(undefined)).toEqual(['a']);
    expect(await cell({ cellsWriteProperties: false })).toEqual([
      'You do not have permission to call setProperty',
      [],
    ]);
  });
});

describe('a request with timeoutSeconds', () => {
  const code = `function f(url) {
    const startMs = Date.now();
    try { UrlFetchApp.fetch(url, { timeoutSeconds: 3 }); } catch (error) {}
    return Date.now() - startMs;
  }`;
  const answer = { kind: 'answer', status: 200, headers: {}, body: '' } as const;
  const internet = createSandboxedInternet({
    'slow.example': () => ({ ...answer, delayMs: 10_000 }),
    'dead.example': () => ({ kind: 'silence' }),
  });
  const tookMs = (url: string, timeoutsAreKept: boolean) =>
    resultOf(code, { args: [url] }, { internet, unknowns: { timeoutsAreKept } });

  it('ends after them', async () => {
    expect(await tookMs('https://slow.example/', true)).toBeLessThan(4_000);
  });

  it('waits for the answer, a minute at most, where they are not kept', async () => {
    expect(await tookMs('https://slow.example/', false)).toBeGreaterThanOrEqual(10_000);
    const dead = await tookMs('https://dead.example/', false);
    expect(dead).toBeGreaterThanOrEqual(60_000);
    expect(dead).toBeLessThan(61_000);
  });
});

it('an address of permission may be there only where one is missing', async () => {
  const code = `function f() {
    return ScriptApp.getAuthorizationInfo(ScriptApp.AuthMode.FULL).getAuthorizationUrl();
  }`;
  expect(await resultOf(code)).toContain('https://');
  expect(await resultOf(code, {}, { unknowns: { addressOnlyIfMissing: true } })).toBeNull();
});
