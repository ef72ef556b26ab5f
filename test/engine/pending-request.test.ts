// Pending requests: what goes together in a wave, what is tried again and when, and what is given up.

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import {
  halved,
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

  it('is never larger than each of its requests allows, never empty without need', () => {
    const some = fc.array(
      fc.record({
        waveMax: fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.integer({ min: 1, max: 9 })),
        readyAtMs: fc.constantFrom(0, NOW, NOW + 1),
      }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(some, fc.integer({ min: 1, max: 12 }), (all, waveSize) => {
        const open = all.map((more) => request(more));
        const ready = open.filter(({ readyAtMs }) => readyAtMs <= NOW);
        const wave = nextWave(open, waveSize, NOW);
        expect(wave.length).toBeLessThanOrEqual(waveSize);
        expect(wave).toEqual(ready.slice(0, wave.length));
        expect(wave.length > 0).toBe(ready.length > 0);
        for (const one of wave) expect(wave.length).toBeLessThanOrEqual(one.waveMax);
      }),
    );
  });
});

describe('a wave that was lost', () => {
  it('is halved until the one that broke it is alone', () => {
    let open = Array.from({ length: 8 }, () => request());
    const sizes: number[] = [];
    for (let wave = nextWave(open, 8, NOW); wave.length > 1; wave = nextWave(open, 8, NOW)) {
      sizes.push(wave.length);
      open = open.map((one) => (wave.includes(one) ? halved(one, wave.length) : one));
    }
    expect(sizes).toEqual([8, 4, 2]);
    expect(nextWave(open, 8, NOW)).toHaveLength(1);
  });

  it('of three is tried one by one', () => {
    expect(halved(request(), 3).waveMax).toBe(1);
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
