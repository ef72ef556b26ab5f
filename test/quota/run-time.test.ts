// Run time by the clock: counted with its owner, warned of, and kept to.

import { describe, expect, it } from '@jest/globals';
import { runTime } from '../../src/quota/run-time';
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
  it('adds up, is near its end from four fifths on, and begins anew after 24 hours', () => {
    const { time, pass } = createWorld();
    expect(time.use()).toEqual({ usedMs: 0, perDayMs: 90 * MINUTE, isNear: false });
    time.took(71 * MINUTE);
    expect(time.use().isNear).toBe(false);
    pass(23 * HOUR);
    expect(time.took(MINUTE)).toEqual({ usedMs: 72 * MINUTE, perDayMs: 90 * MINUTE, isNear: true });
    pass(HOUR);
    expect(time.use().usedMs).toBe(0);
  });

  it('that is spent says when it goes on', () => {
    const { time } = createWorld();
    expect(time.took(90 * MINUTE).goesOnMs).toBe(NOW + 24 * HOUR);
  });

  it('is not cut short before Google does so', () => {
    const { time } = createWorld();
    time.took(89 * MINUTE);
    expect(time.mayTake(SLICE)).toEqual({ ok: true });
  });

  it('is the larger for whom Google starts after the smaller is used up, on later days too', () => {
    const { time, pass } = createWorld();
    time.took(95 * MINUTE);
    expect(time.mayTake(SLICE)).toEqual({ ok: true });
    expect(time.took(SLICE)).toEqual({ usedMs: 100 * MINUTE, perDayMs: 6 * HOUR, isNear: false });
    pass(25 * HOUR);
    expect(time.use().perDayMs).toBe(6 * HOUR);
  });

  it('stops in time before the larger is used up', () => {
    const { time } = createWorld();
    time.took(95 * MINUTE);
    time.took(4 * HOUR + 24 * MINUTE);
    expect(time.mayTake(SLICE)).toEqual({ ok: false, goesOnMs: NOW + 24 * HOUR });
    expect(time.mayTake(MINUTE)).toEqual({ ok: true });
  });

  it('costs one property call to look, and two to count', () => {
    const { store, time } = createWorld();
    time.mayTake(SLICE);
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
