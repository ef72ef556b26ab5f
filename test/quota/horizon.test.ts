// The horizon of who sends wave after wave: it books nothing far ahead, and loses nothing by it.

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { book, HORIZON_MS, idleState, paceOf, type RateState } from '../../src/quota/rate';
import { openWorld } from './gate-world';
import { quotas } from './service-law';

const NOW = 1_760_000_000_000;
const FIVE = { calls: 5, perSeconds: 1, burst: 10 };
const FAR = NOW + 10 * 3_600_000;

describe('a horizon', () => {
  const pace = paceOf(FIVE);
  const waves = (horizonMs: number, nowMs: number, tatMs: number) =>
    book({ tatMs }, { count: 8, deadlineMs: FAR, horizonMs }, pace, nowMs).slots;

  it('that the slot lies beyond books nothing, and says when it reaches the slot', () => {
    // The slot is when all but the wave itself are paid for: 6 s + 8 * 200 ms - 8 * 200 ms.
    const state: RateState = { tatMs: NOW + 6_000 };
    const request = { count: 8, deadlineMs: FAR, horizonMs: 2_000 };
    const booked = book(state, request, pace, NOW);
    const slots = { kind: 'early', atMs: NOW + 6_000, askAtMs: NOW + 4_000 };
    expect(booked).toEqual({ state, slots });
    expect(waves(2_000, NOW + 4_000, state.tatMs)).toMatchObject({ kind: 'go', atMs: NOW + 6_000 });
    expect(waves(2_000, NOW + 3_999, state.tatMs).kind).toBe('early');
  });

  it('always reaches the next wave, however slow the key', () => {
    const slow = paceOf({ calls: 1, perSeconds: 1, burst: 5 });
    const request = { count: 4, deadlineMs: FAR, horizonMs: 2_000 };
    const first = book(idleState(NOW), request, slow, NOW);
    const second = book(first.state, request, slow, NOW + 120);
    expect(second.slots).toEqual({ kind: 'go', atMs: NOW + 120 + 4_000, count: 4 });
    expect(book(second.state, request, slow, NOW + 120).slots.kind).toBe('early');
  });

  it('reaches further where reading takes long, so that workers can book one after another', () => {
    const kindsWhere = (readMs: number) => {
      const world = openWorld();
      const { cache } = world;
      const getAll: typeof cache.getAll = (names) => {
        world.nowMs += readMs;
        return cache.getAll(names);
      };
      Object.assign(world, { cache: { ...cache, getAll } });
      const wave = (worker: string) => Array.from({ length: 8 }, (_, i) => `${worker}${i}`);
      return ['a', 'b', 'c', 'd'].map(
        (worker) => world.execution(worker).book(wave(worker), FAR, HORIZON_MS).kind,
      );
    };
    expect(kindsWhere(40)).toEqual(['go', 'go', 'early', 'early']);
    expect(kindsWhere(400)).toEqual(['go', 'go', 'go', 'go']);
  });

  it('is no deadline: past that the slot is late', () => {
    const request = { count: 8, deadlineMs: NOW + 5_000, horizonMs: 2_000 };
    expect(book({ tatMs: NOW + 6_000 }, request, pace, NOW).slots.kind).toBe('late');
  });

  it('leaves out no time: who asks when told to is never later than who booked at once', () => {
    fc.assert(
      fc.property(quotas, fc.integer({ min: 0, max: 60_000 }), (quota, aheadMs) => {
        const own = paceOf(quota);
        const state: RateState = { tatMs: NOW + aheadMs };
        const atOnce = book(state, { count: 60, deadlineMs: FAR }, own, NOW).slots;
        const request = { count: 60, deadlineMs: FAR, horizonMs: HORIZON_MS };
        const first = book(state, request, own, NOW).slots;
        const asked = first.kind === 'early' ? Math.ceil(first.askAtMs) : NOW;
        expect(book(state, request, own, asked).slots).toEqual(atOnce);
      }),
    );
  });
});
