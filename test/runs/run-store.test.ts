// What is kept of runs: the record of the one at work, and the log of those that are over.

import { describe, expect, it } from '@jest/globals';
import type { Platform } from '../../src/platform/ports';
import { JOB_VERSION, type Job, NO_COUNTS } from '../../src/runs/run';
import { runStore } from '../../src/runs/run-store';
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
};

const jobAt = (startedMs: number): Job => ({
  ...{ version: JOB_VERSION, id: 'k3f9', by: 'someone', state: 'running', startedMs },
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

describe('a lane', () => {
  const job = { id: 'k3f9', lanes: 2 };
  const storeOf = () => runStore({ ...platform, cache: memoryCache() });

  it('is taken by one at a time, as long as that one is heard of', () => {
    const store = storeOf();
    expect(store.take(job, 0, 'one', NOW)).not.toBeNull();
    expect(store.take(job, 0, 'two', NOW + 11_999)).toBeNull();
    expect(store.take(job, 1, 'two', NOW)).not.toBeNull();
  });

  it('is free again twelve seconds after its last word, with what was counted by then', () => {
    const store = storeOf();
    store.take(job, 0, 'one', NOW);
    const idle = { isDone: false, mends: true, rowsPerMinute: null, rows: null, nextCallMs: null };
    const counters = { ...NO_COUNTS, answered: 7 };
    store.tell(job.id, 0, { ...idle, owner: 'one', heardMs: NOW + 5_000, counters });
    expect(store.take(job, 0, 'two', NOW + 16_999)).toBeNull();
    expect(store.take(job, 0, 'two', NOW + 17_000)).toMatchObject({ before: { counters } });
  });
});

describe('the log of runs', () => {
  it('has the twenty newest, the newest first, and fits into a property', () => {
    const store = runStore(platform);
    for (let at = 0; at < 50; at++)
      store.change(
        () => jobAt(NOW + at),
        (job) => runOf(job, 'finished', NOW + at),
      );
    const started = store.runs().map(({ startedMs }) => startedMs - NOW);
    expect(started).toEqual(Array.from({ length: 20 }, (_, at) => 49 - at));
  });
});
