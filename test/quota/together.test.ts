// Calls that come together: tried by runs with two, kept to where they are let through, given up at a refusal.

import { describe, expect, it } from '@jest/globals';
import type { Gate } from '../../src/quota/gate';
import { createWorld, NOW } from './gate-world';

const QUOTA = { calls: 5, perSeconds: 1 };
const HORIZON_MS = 2_000;

function openWorld() {
  const world = createWorld();
  world.execution('saver', { quota: QUOTA }).reopen();
  let product = 0;
  /** Books the next wave of a run when it is due; how many calls it may hold, and when. */
  const wave = (gate: Gate) => {
    const names = Array.from({ length: 10 }, (_, i) => `p${product + i}`);
    product += 10;
    const book = () => gate.book(names, world.nowMs + 60_000, HORIZON_MS);
    let booking = book();
    while (booking.kind === 'early') {
      world.nowMs = Math.ceil(booking.askAtMs);
      booking = book();
    }
    if (booking.kind !== 'go') throw new Error(`The booking is ${booking.kind}.`);
    world.nowMs = Math.ceil(booking.atMs);
    return booking.mine.length;
  };
  const refuse = (gate: Gate, refused: number) => {
    gate.stop({ reason: 'throttled', untilMs: world.nowMs + 1_000 }, [], refused);
    world.nowMs += 1_000;
  };
  const open = (name: string) => world.execution(name, { quota: QUOTA });
  return { world, wave, refuse, open };
}

describe('a run with a key without a burst', () => {
  it('tries two calls at once, then sends what a second allows', () => {
    const { wave, open } = openWorld();
    const run = open('run');
    expect([1, 2, 3].map(() => wave(run))).toEqual([2, 5, 5]);
  });

  it('tries it once for all who are at it, and again where nothing was heard of the try', () => {
    const { world, wave, open } = openWorld();
    const [first, second] = [open('first'), open('second')];
    expect([wave(first), wave(second), wave(second)]).toEqual([2, 1, 1]);
    world.nowMs += 60_000;
    expect([wave(second), wave(second)]).toEqual([2, 5]);
  });

  it('has others go on where it is, and cells never try', () => {
    const { wave, open } = openWorld();
    const [run, cell] = [open('run'), open('cell')];
    const aCell = () => {
      const booking = cell.book(['x', 'y', 'z', 'w', 'v', 'u'], NOW + 60_000);
      return booking.kind === 'go' ? booking.mine.length : booking.kind;
    };
    expect(aCell()).toBe(1);
    for (let waves = 0; waves < 2; waves += 1) wave(run);
    expect(wave(open('another'))).toBe(5);
  });

  it('sends one by one after one refusal, in every execution, and says so', () => {
    const { wave, refuse, open } = openWorld();
    const run = open('run');
    expect(wave(run)).toBe(2);
    expect(run.wantsCallsApart()).toBe(false);
    refuse(run, 1);
    expect(run.wantsCallsApart()).toBe(true);
    expect([wave(run), wave(open('another')), wave(run)]).toEqual([1, 1, 1]);
  });

  it('keeps so much distance after it that nothing on the way brings two calls together', () => {
    const { world, wave, refuse, open } = openWorld();
    const run = open('run');
    const apart = () => {
      wave(run);
      const atMs = world.nowMs;
      wave(run);
      return world.nowMs - atMs;
    };
    wave(run);
    refuse(run, 1);
    expect(apart()).toBeGreaterThanOrEqual(500);
    expect(apart()).toBeLessThanOrEqual(501);
  });

  it('is tried again after six hours, and when a person checks or saves the key', () => {
    const { world, wave, refuse, open } = openWorld();
    const run = open('run');
    wave(run);
    refuse(run, 1);
    world.nowMs += 6 * 3_600_000 - 60_000;
    expect(wave(run)).toBe(1);
    world.nowMs += 120_000;
    expect(wave(run)).toBe(2);
    refuse(run, 1);
    expect(wave(run)).toBe(1);
    open('check').reopen();
    expect(run.wantsCallsApart()).toBe(false);
    expect(wave(run)).toBe(2);
  });

  it('learns nothing from a single call that was refused: it may have met somebody else', () => {
    const { world, refuse, open } = openWorld();
    const run = open('run');
    expect(run.book(['x'], world.nowMs + 60_000).kind).toBe('go');
    refuse(run, 1);
    expect(run.wantsCallsApart()).toBe(false);
  });
});
