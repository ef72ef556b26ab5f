// What is kept of runs: the record of the one at work, and the log of those that are over.

import { describe, expect, it } from '@jest/globals';
import type { Platform } from '../../src/platform/ports';
import { NO_COUNTS, RUN_VERSION, type Run } from '../../src/runs/run';
import { runStore, type WriterLease } from '../../src/runs/run-store';
import { runOf } from '../../src/runs/worker';
import { memoryCache, memoryStore } from '../memory-store';

const NOW = 1_760_000_000_000;

const platform: Platform = {
  clock: { nowMs: () => NOW, sleep: () => undefined },
  random: { next: () => 0.5 },
  http: { sendAll: () => [] },
  cache: memoryCache(),
  commonCache: memoryCache(),
  userStore: memoryStore(),
  documentStore: memoryStore(),
  lock: { run: (_waitMs, body) => ({ held: true, value: body() }) },
  digest: { sha256Hex: (text) => text },
  spreadsheetId: () => 'sheet-1',
};

const jobAt = (startedMs: number): Run => ({
  ...{ version: RUN_VERSION, id: 'k3f9', by: 'someone', state: 'running', startedMs },
  ...{ endedMs: null, touchedMs: startedMs, sheetId: 1, sheetName: 'A list of '.repeat(10) },
  layout: { headerRow: 1, columns: [], others: [] },
  ...{ fields: [], market: { kind: 'one', market: 'US' }, rows: 99_999, workers: 1 },
  ...{ counters: NO_COUNTS, problem: null },
});

describe("a run's record", () => {
  it('is not changed by who does not get the lock', () => {
    const documentStore = memoryStore();
    const busy = runStore({ ...platform, documentStore, lock: { run: () => ({ held: false }) } });
    expect(busy.change(() => jobAt(NOW))).toBeUndefined();
    expect(documentStore.changes()).toBe(0);
  });
});

describe('a lease', () => {
  const storeOf = () => runStore({ ...platform, cache: memoryCache() });
  const leaseOf = (owner: string, aliveUntilMs: number, answered = 0): WriterLease => ({
    ...{ owner, aliveUntilMs, isDone: false, mends: true },
    ...{ rowsPerMinute: null, rows: null, nextCallMs: null },
    counters: { ...NO_COUNTS, answered },
  });
  const asker = { owner: 'two', aliveUntilMs: NOW, isDone: false, nextCallMs: null };

  it('is held by one at a time, as long as that one said', () => {
    const store = storeOf();
    const take = (owner: string, nowMs: number) =>
      store.take('k3f9', 0, nowMs, () => leaseOf(owner, nowMs + 12_000));
    expect(take('one', NOW)).not.toBeNull();
    expect(take('two', NOW + 11_999)).toBeNull();
    const other = () => ({ ...asker, calls: 0, bucket: '' });
    expect(store.take('k3f9', 1, NOW, other)).not.toBeNull();
  });

  it('is free once its time is up, with what was counted by then', () => {
    const store = storeOf();
    store.take('k3f9', 0, NOW, () => leaseOf('one', NOW + 12_000));
    // A wave of slow answers goes out.
    store.tell('k3f9', 0, leaseOf('one', NOW + 30_000, 7));
    const take = (nowMs: number) => store.take('k3f9', 0, nowMs, () => leaseOf('two', nowMs));
    expect(take(NOW + 29_999)).toBeNull();
    expect(take(NOW + 30_000)).toMatchObject({ writer: { counters: { answered: 7 } } });
  });
});

describe('the log of runs', () => {
  it('has the twenty newest, the newest first, and fits into a property', () => {
    const store = runStore(platform);
    for (let at = 0; at < 50; at++)
      store.change(
        () => ({ ...jobAt(NOW + at), state: 'finished' }),
        (run) => runOf(run, NOW + at),
      );
    const started = store.history().map(({ startedMs }) => startedMs - NOW);
    expect(started).toEqual(Array.from({ length: 20 }, (_, at) => 49 - at));
  });

  it('holds fewer of them where their sheet has the longest name there is', () => {
    const documentStore = memoryStore();
    const store = runStore({ ...platform, documentStore });
    const sheetName = '商'.repeat(100);
    for (let at = 0; at < 50; at++)
      store.change(
        () => ({ ...jobAt(NOW + at), sheetName, state: 'finished' }),
        (run) => runOf(run, NOW + at),
      );
    expect(store.history()[0]?.startedMs).toBe(NOW + 49);
    expect(store.history().length).toBeGreaterThan(15);
  });
});
