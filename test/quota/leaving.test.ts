// A spreadsheet that is done with a shared key: it says so, and never too early.

import { describe, expect, it } from '@jest/globals';
import type { Gate } from '../../src/quota/gate';
import { atOf, NOW, openWorld } from './gate-world';

describe('a spreadsheet that leaves', () => {
  /** Two spreadsheets that have seen each other, and the time at which the first is idle. */
  function twoSheets() {
    const [one, two] = [openWorld(), openWorld()];
    const both = { commonCache: one.commonCache };
    Object.assign(two, both);
    const [first, second] = [one.execution('one'), two.execution('two')];
    const bookAt = (atMs: number) => {
      one.nowMs = atMs;
      two.nowMs = atMs;
      first.book([`a${atMs}`], atMs + 60_000);
      return second.book([`b${atMs}`], atMs + 60_000);
    };
    for (let atMs = NOW; atMs <= NOW + 20_000; atMs += 2_000) bookAt(atMs);
    return { one, two, first, second };
  }

  /** How far apart the second's slots are. */
  const spacingMs = (second: Gate, name: string) => {
    const slots = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((i) =>
      atOf(second.book([`${name}${i}`], NOW + 600_000)),
    );
    return Number(slots[9]) - Number(slots[8]);
  };

  it('gives its part to the others at their next look, and joins anew when it comes back', () => {
    const { one, two, first, second } = twoSheets();
    expect(spacingMs(second, 'p')).toBe(404);
    one.nowMs += 1_000;
    first.leave();
    // The second looks each 4 s; of a silent one it would think for 12 s that it is there.
    two.nowMs += 6_000;
    one.nowMs = two.nowMs;
    expect(spacingMs(second, 'q')).toBe(200);
    const back = first.book(['back'], NOW + 600_000);
    expect(Number(atOf(back)) - (one.nowMs - NOW)).toBeGreaterThan(2_000);
  });

  it('stays while it has a slot, and says nothing to nobody', () => {
    const { one, first } = twoSheets();
    const before = one.cache.values.get('g:f1');
    for (let i = 0; i < 9; i++) first.book([`more${i}`], NOW + 600_000);
    const booked = one.cache.values.get('g:f1');
    expect(booked).not.toBe(before);
    first.leave();
    expect(one.cache.values.get('g:f1')).toBe(booked);
    const alone = openWorld();
    alone.execution('one').book(['a'], NOW + 25_000);
    alone.nowMs += 10_000;
    const beats = alone.commonCache.calls();
    alone.execution('one').leave();
    expect(alone.commonCache.calls()).toBe(beats);
  });
});
