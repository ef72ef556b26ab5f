// Run time by the clock: counted with its owner, day by day.

import { describe, expect, it } from '@jest/globals';
import { noteRunTime, noteTrial, runTimeToday } from '../../src/limit/run-time';
import { memoryStore } from '../memory-store';

const NOW = 1_760_000_000_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SLICE = 5 * MINUTE;

function createWorld() {
  let nowMs = NOW;
  const store = memoryStore();
  const parts = { userStore: store, clock: { nowMs: () => nowMs, sleep: () => undefined } };
  return {
    store,
    use: () => runTimeToday(parts),
    tries: () => noteTrial(parts),
    took: (durationMs: number) => noteRunTime(parts, durationMs),
    pass: (durationMs: number) => {
      nowMs += durationMs;
    },
  };
}

describe('the run time of a day', () => {
  it('adds up, and begins anew after 24 hours', () => {
    const { use, took, pass } = createWorld();
    expect(use()).toMatchObject({ usedMs: 0, perDayMs: 90 * MINUTE, goesOnMs: null });
    took(71 * MINUTE);
    pass(23 * HOUR);
    took(24 * MINUTE);
    expect(use()).toEqual({
      usedMs: 95 * MINUTE,
      perDayMs: 90 * MINUTE,
      leftMs: 0,
      ...{ dayEndsMs: NOW + 24 * HOUR, goesOnMs: NOW + 24 * HOUR },
      isTrial: false,
    });
    pass(HOUR);
    expect(use()).toMatchObject({ usedMs: 0, goesOnMs: null });
  });

  it('is the larger for whom Google starts after the smaller is used up, on later days too', () => {
    const { use, took, pass } = createWorld();
    took(95 * MINUTE);
    expect(use().perDayMs).toBe(90 * MINUTE);
    took(SLICE);
    expect(use()).toMatchObject({ usedMs: 100 * MINUTE, perDayMs: 6 * HOUR });
    pass(25 * HOUR);
    expect(use().perDayMs).toBe(6 * HOUR);
  });

  it('is used to its end on one day a month, which shows the larger one to whom Google still starts', () => {
    const { use, took, tries, pass } = createWorld();
    const day = () => {
      let slices = 0;
      for (; use().goesOnMs === null && slices < 100; slices++) {
        if (use().isTrial) tries();
        // With the smaller one Google starts nothing after its end.
        if (use().usedMs >= 90 * MINUTE) break;
        took(SLICE);
      }
      pass(25 * HOUR);
      return slices;
    };
    // 90 minutes on the day of the trial, 85 on the others.
    expect([day(), day(), day()]).toEqual([18, 17, 17]);
    pass(30 * 24 * HOUR);
    expect([day(), day()]).toEqual([18, 17]);
  });

  it('is the larger after such a day with a whole slice more', () => {
    const { use, took, tries } = createWorld();
    let slices = 0;
    for (; use().goesOnMs === null; slices++) {
      if (use().isTrial) tries();
      took(SLICE);
    }
    expect(slices).toBe(71);
    expect(use().perDayMs).toBe(6 * HOUR);
  });

  it('costs one property call to look, and two to count', () => {
    const { store, use, took } = createWorld();
    use();
    expect(store.calls()).toBe(1);
    took(SLICE);
    expect(store.calls()).toBe(3);
  });

  it('whose record is damaged begins anew', () => {
    const { store, use, took } = createWorld();
    took(SLICE);
    const [name = ''] = store.values.keys();
    for (const text of ['', 'null', '{', '{"sinceMs":1}', '[]']) {
      store.write(name, text);
      expect(use().usedMs).toBe(0);
    }
  });
});
