// The gate over a cache and a lock in memory: one booking after another, by many executions.

import { describe, expect, it } from '@jest/globals';
import type { CellDay } from '../../src/limit/cell-day';
import { HORIZON_MS } from '../../src/limit/gate';
import { atOf, busyLock, gateWorld, NOW, openGate } from '../engine/asking-world';

const soon = NOW + 25_000;
const FIVE = { calls: 5, perSeconds: 1, burst: 10 };

describe('a booking', () => {
  it('costs one cache read and one cache write', () => {
    const world = openGate();
    const before = world.cache.calls();
    world.execution('one').book(['a'], soon);
    expect(world.cache.calls() - before).toBe(2);
  });

  it('is for one wave at most, and says what it is for', () => {
    const world = openGate();
    const names = Array.from({ length: 20 }, (_, i) => `p${i}`);
    const one = world.execution('one');
    expect(one.waveMax).toBe(5);
    expect(one.book(names, soon)).toEqual({
      kind: 'go',
      atMs: NOW + 150,
      mine: names.slice(0, 5),
      others: [],
    });
    // The bucket holds another wave, less what comes closer on its way.
    expect(one.book(names.slice(5), soon)).toMatchObject({ atMs: NOW + 450 });
  });

  it('leaves to others what they are asking', () => {
    const world = openGate();
    world.execution('one').book(['a', 'b'], soon);
    const two = world.execution('two');
    expect(two.book(['a', 'b', 'c'], soon)).toMatchObject({ mine: ['c'], others: ['a', 'b'] });
    const claimed = { kind: 'again', atMs: NOW + 150, others: ['a'] };
    expect(two.book(['a'], soon)).toEqual(claimed);
  });

  it('of a thing that nobody answered in time is made anew by another', () => {
    const world = openGate();
    world.execution('one').book(['a'], soon);
    world.nowMs += 150 + 14_000;
    expect(world.execution('two').book(['a'], world.nowMs + 25_000)).toMatchObject({
      kind: 'go',
      mine: ['a'],
    });
  });

  it('past the deadline books nothing and claims nothing', () => {
    const world = openGate();
    for (let i = 0; i < 6; i++)
      world.execution(`e${i}`).book(
        Array.from({ length: 5 }, (_, x) => `p${i}-${x}`),
        soon,
      );
    const before = world.cache.values.get('g:f1');
    const late = world.execution('late').book(['z'], NOW + 500);
    expect(late).toMatchObject({ kind: 'again', atMs: expect.any(Number), others: [] });
    expect(world.cache.values.get('g:f1')).toBe(before);
  });

  it('is not made without the lock', () => {
    const world = openGate();
    const one = world.execution('one', { lock: busyLock });
    const later = { kind: 'again', atMs: NOW + 3_000, others: [], isUntaken: true };
    expect(one.book(['a'], soon, 2_000)).toEqual(later);
    expect(one.book(['a'], soon)).toEqual(later);
  });

  it('of one key says nothing about another', () => {
    const world = openGate();
    for (let i = 0; i < 3; i++) world.execution('one').book([`a${i}`], soon);
    const other = world.execution('two', { fingerprint: 'f2' });
    other.reopen();
    expect(atOf(other.book(['a0'], soon))).toBe(150);
  });

  it('keeps its record within one cache value, however fast the key is', () => {
    const world = openGate();
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
  it.each([
    undefined,
    'null',
    '{}',
    'x',
    '{"booked":{"dueMs":"5"},"claims":{}}',
    '{"booked":null}',
  ])('as %j pauses, in which others use what they have booked', (text) => {
    const world = gateWorld();
    if (text !== undefined) world.cache.values.set('g:f1', text);
    const names = Array.from({ length: 5 }, (_, i) => `p${i}`);
    const first = world.execution('one').book(names, soon);
    expect(first.kind).toBe('go');
    const second = Number(atOf(world.execution('two').book(['b', 'c', 'd', 'e', 'f'], soon)));
    expect(second).toBeGreaterThanOrEqual(1_000);
  });

  it('of a window lets the time of a wave pass, because the last one may have gone just now', () => {
    const world = openGate();
    const quota = { calls: 1, perSeconds: 10 };
    world.execution('one', { quota }).book(['a'], soon);
    world.nowMs += 150;
    world.cache.values.clear();
    const second = world.execution('two', { quota }).book(['b'], soon);
    expect(Number(atOf(second))).toBeGreaterThanOrEqual(10_300);
  });

  it('is mended by what an execution has booked itself, as where a read failed', () => {
    const world = openGate();
    const one = world.execution('one', { quota: { calls: 1, perSeconds: 60 } });
    // The third wave is written after the last look that found anything.
    const booked = ['a', 'b', 'c'].map((name) => Number(atOf(one.book([name], NOW + 300_000))));
    world.cache.values.clear();
    const next = Number(atOf(one.book(['d'], NOW + 300_000)));
    expect(next - Math.max(...booked)).toBeGreaterThanOrEqual(60_000);
  });

  it('does not begin the day of a cap anew when claims are given back', () => {
    const world = openGate();
    let day: CellDay | undefined;
    const storedDay = {
      read: () => day,
      write(written: CellDay) {
        day = written;
      },
    };
    const capped = { cellsPerDay: 2, storedDay };
    const one = world.execution('one', capped);
    one.book(['a', 'b'], soon);
    world.cache.values.clear();
    one.release(['a', 'b']);
    const booking = world.execution('two', capped).book(['c'], soon);
    expect(booking).toMatchObject({ kind: 'stopped', stop: { reason: 'cells-limit' } });
  });

  it('is mended by what an execution remembers of the stop', () => {
    const world = openGate();
    const kept = { isKept: () => true, keep: () => undefined, forget: () => undefined };
    const one = world.execution('one', { refusal: kept });
    world.cache.values.clear();
    expect(one.book(['a'], soon)).toMatchObject({
      kind: 'stopped',
      stop: { reason: 'key-refused' },
    });
    expect(one.stopped()).toMatchObject({ reason: 'key-refused' });
  });
});

describe('an execution that sends wave after wave', () => {
  it('is made after the pause that follows a lost state, also by who looks again and again', () => {
    const world = gateWorld();
    const one = world.execution('one', { quota: { calls: 10, perSeconds: 60, burst: 10 } });
    const names = ['a', 'b', 'c', 'd', 'e'];
    const kinds: string[] = [];
    for (let tries = 0; tries < 2; tries++) {
      const booking = one.book(names, NOW + 120_000, HORIZON_MS);
      kinds.push(booking.kind);
      if (booking.kind === 'again') world.nowMs = booking.atMs;
    }
    expect(kinds).toEqual(['again', 'go']);
  });

  it('books no further ahead than its horizon, so a cell hardly waits behind it', () => {
    const world = openGate();
    const job = world.execution('job');
    const names = Array.from({ length: 60 }, (_, i) => `p${i}`);
    const wave = (at: number) => names.slice(5 * at, 5 * at + 5);
    let booking = job.book(wave(0), NOW + 300_000, HORIZON_MS);
    for (let at = 1; booking.kind === 'go'; at += 1)
      booking = job.book(wave(at), NOW + 300_000, HORIZON_MS);
    expect(booking.kind).toBe('again');
    const cell = Number(atOf(world.execution('cell').book(['c'], soon)));
    expect(cell).toBeLessThanOrEqual(HORIZON_MS + 1_200);
  });

  it('lets cells that have booked go first', () => {
    const world = openGate();
    for (let i = 0; i < 30; i += 1) world.execution(`cell-${i}`).book([`c${i}`], soon);
    const job = world.execution('job');
    expect(job.book(['a'], NOW + 300_000, HORIZON_MS).kind).toBe('again');
  });
});

describe('a stop', () => {
  it('holds for every execution, and is seen without the lock', () => {
    const world = openGate();
    const stop = { reason: 'key-refused', untilMs: NOW + 6 * 3_600_000 } as const;
    world.execution('one').stop(stop, [], 0);
    expect(world.execution('two').book(['a'], soon)).toEqual({ kind: 'stopped', stop });
    expect(world.execution('three', { lock: busyLock }).stopped()).toEqual(stop);
  });

  it('holds although the lock is never free, as while a job begins', () => {
    const world = openGate();
    const stop = { reason: 'throttled', untilMs: NOW + 2_000 } as const;
    world.execution('one', { lock: busyLock }).stop(stop, ['a'], 5);
    expect(world.execution('two').stopped()).toEqual(stop);
  });

  it.each([
    ['at the stated rate', FIVE, 0],
    ['at a rate that is due to be doubled', null, 2_500],
    ['at a rate that the service stated, and that is over', null, 6 * 3_600_000],
    ['where the cache has forgotten the bookings', FIVE, 0],
  ])('holds although another execution books in that moment %s', (words, quota, afterMs) => {
    const world = openGate();
    const first = world.execution('first', { quota });
    if (words.includes('service')) first.hear({ calls: 60, perSeconds: 60 });
    first.book(['x'], soon);
    world.nowMs += afterMs;
    if (words.includes('forgotten')) world.cache.values.delete('g:f1');
    const stop = { reason: 'throttled', untilMs: world.nowMs + 9_000 } as const;
    const putAll = world.cache.putAll;
    // Between the read and the write of a booking, the refusal comes in.
    world.cache.putAll = (values, ttlSeconds) => {
      world.cache.putAll = putAll;
      world.execution('two', { lock: busyLock, quota }).stop(stop, ['b'], 5);
      return putAll(values, ttlSeconds);
    };
    expect(world.execution('one', { quota }).book(['a'], world.nowMs + 25_000).kind).toBe('go');
    const three = world.execution('three', { quota });
    expect(three.stopped()).toEqual(stop);
    // The rate that the booking raised is the one before the refusal.
    if (quota === null) expect(three.learned()).toEqual({ calls: 36, perSeconds: 60, sure: true });
  });

  it('keeps back a wave that was booked when waves were larger', () => {
    const world = openGate();
    const perSecond = { quota: { calls: 5, perSeconds: 1 } };
    const wave = ['a', 'b', 'c', 'd', 'e'];
    const one = world.execution('one', perSecond);
    const two = world.execution('two', perSecond);
    const booked = one.book(wave, soon);
    const alone = two.book(['f'], soon);
    if (booked.kind !== 'go' || alone.kind !== 'go') throw new Error('Nothing was booked.');
    const refused = { reason: 'throttled', untilMs: NOW + 100 } as const;
    world.execution('three', perSecond).stop(refused, [], 5);
    expect([one.isOpen(booked), two.isOpen(alone)]).toEqual([false, true]);
  });

  it('gives back the claims of its wave, so that others may ask after it', () => {
    const world = openGate();
    const one = world.execution('one');
    one.book(['a', 'b'], soon);
    one.stop({ reason: 'throttled', untilMs: NOW + 2_000 }, ['a'], 0);
    const booking = world.execution('two').book(['a', 'b'], soon);
    expect(booking).toMatchObject({ kind: 'go', mine: ['a'], others: ['b'] });
    expect(atOf(booking)).toBeGreaterThanOrEqual(2_000);
  });

  it('is over when its time has come', () => {
    const world = openGate();
    world.execution('one').stop({ reason: 'plan-used-up', untilMs: NOW + 2_000 }, [], 0);
    world.nowMs = NOW + 2_000;
    expect(world.execution('two').stopped()).toBeUndefined();
    expect(world.execution('two').book(['a'], soon).kind).toBe('go');
  });

  it.each(['throttled', 'key-refused', 'plan-used-up'] as const)(
    'of the kind %s ends when a person opens the gate',
    (reason) => {
      const world = openGate();
      world.execution('one').stop({ reason, untilMs: NOW + 3_600_000 }, [], 0);
      const person = world.execution('person');
      person.reopen();
      expect(person.stopped()).toBeUndefined();
      expect(Number(atOf(person.book(['a'], soon)))).toBeLessThan(5_000);
    },
  );

  it('opened by a person does not let calls come faster than the quota', () => {
    const world = openGate();
    const one = world.execution('one');
    const wave = Array.from({ length: 5 }, (_, i) => `p${i}`);
    one.book(wave, soon);
    world.execution('person').reopen();
    const more = ['t', 'u', 'v', 'w', 'x'];
    expect(Number(atOf(world.execution('two').book(more, soon)))).toBeGreaterThan(150);
  });
});
