// The history of a schedule's runs: how many of them are kept, and that they fit into a property.

import { describe, expect, it } from '@jest/globals';
import { runHistory, type ScheduleRun } from '../../src/schedules/schedule';
import { freeLock, memoryStore } from '../memory-store';

const runAt = (startedMs: number, more: Partial<ScheduleRun> = {}): ScheduleRun => ({
  ...{ startedMs, tookMs: 0, name: 'Every hour', outcome: 'done', refreshed: 1, failed: 0 },
  ...{ calls: 1, changes: 0, byHand: false },
  ...more,
});

const historyOf = () => runHistory({ documentStore: memoryStore(), lock: freeLock }, 'home');

describe('the history of runs', () => {
  it('has the thirty newest, the newest first', () => {
    const history = historyOf();
    for (let at = 0; at < 50; at++) history.add(runAt(at));
    const started = history.read().map(({ startedMs }) => startedMs);
    expect(started).toEqual(Array.from({ length: 30 }, (_, at) => 49 - at));
  });

  it('has fewer where each has a long problem, and the newest all the same', () => {
    const history = historyOf();
    const problem = { kind: 'schedule', why: 'sheet-gone', what: '界'.repeat(200) } as const;
    for (let at = 0; at < 50; at++) history.add(runAt(at, { outcome: 'failed', problem }));
    const kept = history.read();
    expect(kept.length).toBeGreaterThan(5);
    expect(kept[0]).toMatchObject({ startedMs: 49, problem });
  });
});
