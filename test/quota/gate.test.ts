// The gate over a cache and a lock in memory: one booking after another, by many executions.

import { describe, expect, it } from '@jest/globals';
import { atOf, busyLock, createWorld, NOW, openWorld } from './gate-world';

const soon = NOW + 25_000;

describe('a booking', () => {
  it('costs one cache read and one cache write', () => {
    const world = openWorld();
    const before = world.cache.calls();
    world.execution('one').book(['a'], soon);
    expect(world.cache.calls() - before).toBe(2);
  });

  it('is for one wave at most, and says what it is for', () => {
    const world = openWorld();
    const names = Array.from({ length: 20 }, (_, i) => `p${i}`);
    const one = world.execution('one');
    expect(one.waveMax).toBe(8);
    expect(one.book(names, soon)).toEqual({
      kind: 'go',
      atMs: NOW + 120,
      mine: names.slice(0, 8),
      others: [],
    });
    expect(one.book(names.slice(8), soon)).toMatchObject({ atMs: NOW + 120 + 1_600 });
  });

  it('leaves to others what they are asking', () => {
    const world = openWorld();
    world.execution('one').book(['a', 'b'], soon);
    const two = world.execution('two');
    expect(two.book(['a', 'b', 'c'], soon)).toMatchObject({ mine: ['c'], others: ['a', 'b'] });
    const claimed = { kind: 'claimed', atMs: NOW + 120, others: ['a'] };
    expect(two.book(['a'], soon)).toEqual(claimed);
  });

  it('of a thing that nobody answered in time is made anew by another', () => {
    const world = openWorld();
    world.execution('one').book(['a'], soon);
    world.nowMs += 120 + 14_000;
    expect(world.execution('two').book(['a'], world.nowMs + 25_000)).toMatchObject({
      kind: 'go',
      mine: ['a'],
    });
  });

  it('past the deadline books nothing and claims nothing', () => {
    const world = openWorld();
    for (let i = 0; i < 4; i++)
      world.execution(`e${i}`).book(
        Array.from({ length: 8 }, (_, x) => `p${i}-${x}`),
        soon,
      );
    const before = world.cache.values.get('g:f1');
    const late = world.execution('late').book(['z'], NOW + 500);
    expect(late).toMatchObject({ kind: 'late', others: [] });
    expect(world.cache.values.get('g:f1')).toBe(before);
  });

  it('is not made without the lock', () => {
    const world = openWorld();
    const one = world.execution('one', { lock: busyLock });
    expect(one.book(['a'], soon, 2_000)).toEqual({ kind: 'busy' });
    expect(one.book(['a'], soon)).toEqual({ kind: 'busy' });
    const cell = world.execution('cell', { lock: busyLock, cellsPerDay: null });
    expect(cell.book(['a'], soon)).toMatchObject({ kind: 'early' });
  });

  it('of one key says nothing about another', () => {
    const world = openWorld();
    for (let i = 0; i < 3; i++) world.execution('one').book([`a${i}`], soon);
    const other = world.execution('two', { fingerprint: 'f2' });
    other.reopen();
    expect(atOf(other.book(['a0'], soon))).toBe(120);
  });

  it('keeps its record within one cache value, however fast the key is', () => {
    const world = openWorld();
    const quota = { calls: 1_000, perSeconds: 1, burst: 1_500 };
    for (let wave = 0; wave < 40; wave++) {
      const names = Array.from({ length: 1_200 }, (_, i) => `B0${wave}Q${i}XYZ|US#monday morning`);
      expect(world.execution('one', { quota }).book(names, NOW + 60_000).kind).toBe('go');
      world.nowMs += 100;
    }
    const texts = [...world.cache.values.values()];
    expect(Math.max(...texts.map((text) => text.length))).toBeLessThan(100_000);
  });
});

describe('a cache that lost the record', () => {
  it.each([undefined, 'null', '{}', 'x', '{"rate":{"tatMs":"5"},"claims":{}}', '{"rate":null}'])(
    'as %j pauses for six seconds and then goes on one by one',
    (text) => {
      const world = createWorld();
      if (text !== undefined) world.cache.values.set('g:f1', text);
      const first = world.execution('one').book(['a'], soon);
      const second = world.execution('two').book(['b'], soon);
      expect(first.kind).toBe('go');
      expect(Number(atOf(first))).toBeGreaterThanOrEqual(6_000);
      expect(Number(atOf(second)) - Number(atOf(first))).toBe(200);
    },
  );

  it('of claims that are none books all the same', () => {
    const world = createWorld();
    world.cache.values.set('g:f1', `{"rate":{"tatMs":${NOW}},"claims":null}`);
    expect(world.execution('one').book(['a'], soon).kind).toBe('go');
  });

  it('pauses once, however often somebody asks who books no slot so far ahead', () => {
    const world = createWorld();
    const names = Array.from({ length: 8 }, (_, i) => `p${i}`);
    const one = world.execution('one');
    const far = NOW + 60_000;
    let booking = one.book(names, far, 2_000);
    while (booking.kind === 'early') {
      world.nowMs = Math.ceil(booking.askAtMs);
      booking = one.book(names, far, 2_000);
    }
    // An empty bucket of 8 calls and a pause of 6 s.
    expect(Number(atOf(booking))).toBeLessThanOrEqual(6_000 + 8 * 200);
  });

  it('begins its pause when somebody wakes the gate who will call later', () => {
    const [asleep, woken] = [createWorld(), createWorld()].map((world, isWoken) => {
      if (isWoken === 1) world.execution('one').wake();
      world.nowMs += 5_000;
      return Number(atOf(world.execution('one').book(['a'], soon)));
    });
    expect(Number(asleep) - Number(woken)).toBe(5_000);
  });

  it('that is there is not changed by it', () => {
    const world = openWorld();
    const before = [...world.cache.values];
    world.execution('one').wake();
    expect([...world.cache.values]).toEqual(before);
  });

  it('is mended by whoever knows a later booking', () => {
    const world = openWorld();
    const one = world.execution('one', { quota: { calls: 60, perSeconds: 60 } });
    for (let i = 0; i < 20; i++) one.book([`p${i}`], NOW + 60_000);
    world.cache.values.clear();
    // 20 slots of 1,005 ms from 120 ms on: the next is the 21st.
    expect(atOf(one.book(['z'], NOW + 60_000))).toBe(120 + 20 * 1_005);
  });
});

describe('a stop', () => {
  it('holds for every execution, and is seen without the lock', () => {
    const world = openWorld();
    const stop = { reason: 'key-refused', untilMs: NOW + 6 * 3_600_000 } as const;
    world.execution('one').stop(stop, [], 0);
    expect(world.execution('two').book(['a'], soon)).toEqual({ kind: 'stopped', stop });
    expect(world.execution('three', { lock: busyLock }).stopped()).toEqual(stop);
  });

  it('gives back the claims of its wave, so that others may ask after it', () => {
    const world = openWorld();
    const one = world.execution('one');
    one.book(['a', 'b'], soon);
    one.stop({ reason: 'throttled', untilMs: NOW + 2_000 }, ['a'], 0);
    const booking = world.execution('two').book(['a', 'b'], soon);
    expect(booking).toMatchObject({ kind: 'go', mine: ['a'], others: ['b'] });
    expect(atOf(booking)).toBeGreaterThanOrEqual(2_000);
  });

  it('is over when its time has come', () => {
    const world = openWorld();
    world.execution('one').stop({ reason: 'plan-used-up', untilMs: NOW + 2_000 }, [], 0);
    world.nowMs = NOW + 2_000;
    expect(world.execution('two').stopped()).toBeUndefined();
    expect(world.execution('two').book(['a'], soon).kind).toBe('go');
  });

  it.each(['throttled', 'key-refused', 'plan-used-up'] as const)(
    'of the kind %s ends when a person opens the gate',
    (reason) => {
      const world = openWorld();
      world.execution('one').stop({ reason, untilMs: NOW + 3_600_000 }, [], 0);
      const person = world.execution('person');
      person.reopen();
      expect(person.stopped()).toBeUndefined();
      expect(Number(atOf(person.book(['a'], soon)))).toBeLessThan(5_000);
    },
  );

  it('opened by a person does not let calls come faster than the quota', () => {
    const world = openWorld();
    const one = world.execution('one');
    const wave = Array.from({ length: 8 }, (_, i) => `p${i}`);
    one.book(wave, soon);
    world.execution('person').reopen();
    expect(atOf(world.execution('two').book(['z'], soon))).toBe(120 + 200);
  });
});
