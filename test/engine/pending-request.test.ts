// Pending requests: what goes together in a wave, what is tried again and when, and what is given up.

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import {
  lostWithWave,
  nextWave,
  type PendingRequest,
  pendingRequest,
  retried,
} from '../../src/engine/pending-request';

const NOW = 1_760_000_000_000;
const request = (more: Partial<PendingRequest> = {}): PendingRequest => ({
  ...pendingRequest({ asin: 'B0XKT7M4QN', market: 'US' }),
  ...more,
});

describe('the next wave', () => {
  it('is those that are ready, in order, up to its size', () => {
    const [a, b, c] = [request(), request({ readyAtMs: NOW + 1 }), request({ readyAtMs: NOW })];
    expect(nextWave([a, b, c], 8, NOW)).toEqual([a, c]);
    expect(nextWave([a, b, c], 1, NOW)).toEqual([a]);
    expect(nextWave([b], 8, NOW)).toEqual([]);
    expect(nextWave([], 8, NOW)).toEqual([]);
  });

  it('is never empty without need, and holds what was lost with a wave alone', () => {
    const some = fc.array(
      fc.record({
        silent: fc.constantFrom(undefined, undefined, 0, 1),
        readyAtMs: fc.constantFrom(0, NOW, NOW + 1, NOW + 60_000),
      }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(some, fc.integer({ min: 1, max: 12 }), fc.boolean(), (all, size, isSilent) => {
        const open = all.map(({ silent, ...more }) =>
          request({ ...more, ...(silent !== undefined && { silent }) }),
        );
        const ready = open.filter(({ readyAtMs }) => readyAtMs <= NOW);
        const wave = nextWave(open, size, NOW, isSilent);
        expect(wave.length).toBeLessThanOrEqual(isSilent ? 1 : size);
        const isAlone = ready.length > 0 && ready.every(({ silent }) => silent !== undefined);
        const isHeld = open.some(
          ({ silent, readyAtMs }) => silent === undefined && readyAtMs === NOW + 1,
        );
        // What goes alone lets the retries that are soon due go first.
        expect(wave.length > 0).toBe(ready.length > 0 && (isSilent || !isAlone || !isHeld));
        for (const one of wave) expect(ready).toContain(one);
        if (wave.some(({ silent }) => silent !== undefined)) expect(wave).toHaveLength(1);
      }),
    );
  });
});

describe('a wave that was lost', () => {
  it('is asked for one by one, and before all others while nothing comes back', () => {
    const lost = [request(), request()].map(lostWithWave);
    const other = request();
    expect(nextWave([...lost, other], 8, NOW)).toEqual([other]);
    expect(nextWave([...lost, other], 8, NOW, true)).toEqual([lost[0]]);
    expect(nextWave(lost, 8, NOW)).toEqual([lost[0]]);
  });

  it('has three tries for each product alone, and one where others had them', () => {
    const silence = { kind: 'timed-out' } as const;
    const second = retried(lostWithWave(request()), silence, NOW, 0);
    expect(second).toMatchObject({ silent: 1, last: silence });
    const third = retried(second ?? request(), silence, NOW, 0);
    expect(third).toMatchObject({ silent: 2 });
    expect(retried(third ?? request(), silence, NOW, 0)).toBeUndefined();
    const known = pendingRequest({ asin: 'B0XKT7M4QN', market: 'US' }, 7);
    expect(retried(known, silence, NOW, 0)).toBeUndefined();
  });
});

describe('another try', () => {
  const outage = { kind: 'service-busy', status: 503 } as const;

  it('comes after half a second to one, the next after one to two, and then no more', () => {
    const second = retried(request(), outage, NOW, 0);
    expect(second).toMatchObject({ attempt: 2, readyAtMs: NOW + 500, last: outage });
    expect(retried(request(), outage, NOW, 0.999)?.readyAtMs).toBeCloseTo(NOW + 999.5, 3);
    const third = retried(second ?? request(), outage, NOW, 0);
    expect(third).toMatchObject({ attempt: 3, readyAtMs: NOW + 1_000 });
    expect(retried(third ?? request(), outage, NOW, 0)).toBeUndefined();
  });

  it('does not come before the time that the service names', () => {
    const named = { ...outage, waitMs: 20_000 };
    expect(retried(request(), named, NOW, 0)?.readyAtMs).toBe(NOW + 20_000);
    expect(retried(request(), { ...outage, waitMs: 0 }, NOW, 0)?.readyAtMs).toBe(NOW + 500);
  });

  it('is not made where it cannot help', () => {
    for (const kind of ['not-found', 'timed-out', 'key-refused', 'google-limit'] as const)
      expect(retried(request(), { kind }, NOW, 0)).toBeUndefined();
  });

  it('of a throttled one is left to the gate, however often it was', () => {
    const waiting = { kind: 'waiting', waitMs: 2_000 } as const;
    const again = retried(request({ attempt: 3 }), waiting, NOW, 0.5);
    expect(again).toEqual(request({ attempt: 3, last: waiting }));
  });
});
