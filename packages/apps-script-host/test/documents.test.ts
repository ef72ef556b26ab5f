// What belongs to a document and to its owner, as cells and other doors see it.

import { describe, expect, it } from '@jest/globals';
import type { HostDocument } from '../src/document';
import type { Host } from '../src/host';
import { createPlainGrid } from '../src/sheet/plain-grid';
import { hostOf } from './script-host';

const OWNER = 'owner@example.com';
const EDITOR = 'editor@example.com';

function documentOf(id: string): HostDocument {
  return { id, name: id, ownerEmail: OWNER, editors: [EDITOR], model: createPlainGrid() };
}

const CODE = `
  function set(value) {
    PropertiesService.getUserProperties().setProperty('a', value);
    PropertiesService.getDocumentProperties().setProperty('a', value);
    CacheService.getUserCache().put('a', value);
    CacheService.getDocumentCache().put('a', value);
  }
  function get() {
    return [PropertiesService.getUserProperties().getProperty('a'),
      PropertiesService.getDocumentProperties().getProperty('a'),
      CacheService.getUserCache().get('a'), CacheService.getDocumentCache().get('a')];
  }
  function setMine() { PropertiesService.getUserProperties().setProperty('a', 'cell'); }
  function hold() { LockService.getDocumentLock().waitLock(1000); Utilities.sleep(5000); }
  function attempt() { return LockService.getDocumentLock().tryLock(100); }
  function schedule() { ScriptApp.newTrigger('get').timeBased().everyHours(1).create(); }`;

async function onHost<Result>(use: (host: Host) => Promise<Result>): Promise<Result> {
  const host = hostOf(CODE, { documents: [documentOf('one'), documentOf('two')] });
  const result = await use(host);
  await host.stop();
  return result;
}

async function run(host: Host, functionName: string, execution: object, args: unknown[] = []) {
  const outcome = host.start({ functionName, args, door: 'sidebar', ...execution });
  await host.run();
  return outcome;
}

describe('in a cell', () => {
  it('user properties and cache are the owner’s, whoever is at the keyboard', async () => {
    const values = await onHost(async (host) => {
      await run(host, 'set', { userEmail: OWNER }, ['owner']);
      const cell = await run(host, 'get', { door: 'cell', userEmail: EDITOR });
      const sidebar = await run(host, 'get', { userEmail: EDITOR });
      return [cell.value, sidebar.value];
    });
    expect(values).toEqual([
      ['owner', 'owner', 'owner', 'owner'],
      [null, 'owner', null, 'owner'],
    ]);
  });

  it('an editor cannot set the owner’s properties', async () => {
    const { error } = await onHost((host) =>
      run(host, 'setMine', { door: 'cell', userEmail: EDITOR }),
    );
    expect(error?.message).toBe('You do not have permission to call setProperty');
  });

  it('quotas count against who is at the keyboard', async () => {
    const calls = await onHost(async (host) => {
      await run(host, 'get', { door: 'cell', userEmail: EDITOR });
      return [OWNER, EDITOR].map(host.stores.properties.callsToday);
    });
    expect(calls).toEqual([0, 2]);
  });
});

describe('another document', () => {
  it('has properties and a cache of its own', async () => {
    const value = await onHost(async (host) => {
      await run(host, 'set', {}, ['one']);
      return (await run(host, 'get', { documentId: 'two' })).value;
    });
    expect(value).toEqual(['one', null, 'one', null]);
  });

  it('has a lock of its own', async () => {
    const had = await onHost(async (host) => {
      void host.start({ functionName: 'hold', args: [], door: 'menu' });
      const soonMs = host.nowMs() + 2_000;
      const attempts = ['one', 'two'].map((documentId) =>
        host.start({ functionName: 'attempt', args: [], door: 'menu', documentId }, soonMs),
      );
      await host.run();
      return (await Promise.all(attempts)).map(({ value }) => value);
    });
    expect(had).toEqual([false, true]);
  });

  it('may have a trigger of its own for the same user', async () => {
    const documents = await onHost(async (host) => {
      await run(host, 'schedule', {});
      await run(host, 'schedule', { documentId: 'two' });
      await run(host, 'schedule', { documentId: 'two' });
      return host.stores.triggers.all().map(({ documentId }) => documentId);
    });
    expect(documents).toEqual(['one', 'two']);
  });
});

describe('stopping', () => {
  it('in the middle of a run ends the run, and waits for nobody', async () => {
    const host = hostOf(CODE, { documents: [documentOf('one')] });
    void host.start({ functionName: 'hold', args: [], door: 'menu' });
    void host.start({ functionName: 'get', args: [], door: 'menu' }).then(() => host.stop());
    await host.run();
    expect(host.trace().at(-1)).toContain('returned');
  });
});

describe('without an active spreadsheet', () => {
  const LOOK = `
    function look() {
      CacheService.getScriptCache().put('seen', String(SpreadsheetApp.getActive()), 21600);
      return [SpreadsheetApp.getActive(), PropertiesService.getDocumentProperties(),
        LockService.getDocumentLock()];
    }
    function seen() { return CacheService.getScriptCache().get('seen'); }
    function schedule() { ScriptApp.newTrigger('look').timeBased().everyHours(1).create(); }`;
  const TWO_HOURS_MS = 2 * 60 * 60 * 1_000;

  it('there is nothing that belongs to one', async () => {
    const host = hostOf(LOOK, { documents: [documentOf('one')] });
    const look = { functionName: 'look', args: [], door: 'clock' } as const;
    const outcome = host.start({ ...look, documentId: null });
    await host.run();
    await host.stop();
    expect((await outcome).value).toEqual([null, null, null]);
  });

  it.each([
    [true, 'Spreadsheet'],
    [false, 'null'],
  ])('a trigger may find itself, seeing the document: %p', async (triggersSeeDocument, seen) => {
    const host = hostOf(LOOK, { documents: [documentOf('one')], triggersSeeDocument });
    const menu = { args: [], door: 'menu' } as const;
    void host.start({ ...menu, functionName: 'schedule' });
    await host.run(host.nowMs() + TWO_HOURS_MS);
    const found = host.start({ ...menu, functionName: 'seen' });
    await host.run(host.nowMs() + 60_000);
    await host.stop();
    expect((await found).value).toBe(seen);
  });
});
