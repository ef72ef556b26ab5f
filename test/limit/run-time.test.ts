// Run time by the clock: counted with its owner, day by day.

import { describe, expect, it } from '@jest/globals';
import { runTime } from '../../src/limit/run-time';
import { memoryStore } from '../memory-store';

const NOW = 1_760_000_000_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SLICE = 5 * MINUTE;

function createWorld() {
  let nowMs = NOW;
  const store = memoryStore();
  return {
    store,
    time: runTime(store, { nowMs: () => nowMs, sleep: () => undefined }),
    pass: (durationMs: number) => {
      nowMs += durationMs;
    },
  };
}

describe('the run time of a day', () => {
  it('adds up, and begins anew after 24 hours', () => {
    const { time, pass } = createWorld();
    const endsMs = NOW + 24 * HOUR;
    expect(time.use()).toEqual({ usedMs: 0, perDayMs: 90 * MINUTE, endsMs });
    time.took(71 * MINUTE);
    pass(23 * HOUR);
    time.took(MINUTE);
    expect(time.use()).toEqual({ usedMs: 72 * MINUTE, perDayMs: 90 * MINUTE, endsMs });
    pass(HOUR);
    expect(time.use()).toMatchObject({ usedMs: 0, endsMs: endsMs + 24 * HOUR });
  });

  it('is the larger for whom Google starts after the smaller is used up, on later days too', () => {
    const { time, pass } = createWorld();
    time.took(95 * MINUTE);
    expect(time.use().perDayMs).toBe(90 * MINUTE);
    time.took(SLICE);
    expect(time.use()).toMatchObject({ usedMs: 100 * MINUTE, perDayMs: 6 * HOUR });
    pass(25 * HOUR);
    expect(time.use().perDayMs).toBe(6 * HOUR);
  });

  it('costs one property call to look, and two to count', () => {
    const { store, time } = createWorld();
    time.use();
    expect(store.calls()).toBe(1);
    time.took(SLICE);
    expect(store.calls()).toBe(3);
  });

  it('whose record is damaged begins anew', () => {
    const { store, time } = createWorld();
    time.took(SLICE);
    const [name = ''] = store.values.keys();
    for (const text of ['', 'null', '{', '{"sinceMs":1}', '[]']) {
      store.write(name, text);
      expect(time.use().usedMs).toBe(0);
    }
  });
});
