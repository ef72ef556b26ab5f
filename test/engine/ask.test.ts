// Asking the service, on a clock of its own: waves, retries, stops by others, and the end of the time.

import { describe, expect, it } from '@jest/globals';
import { analyze } from '../../src/engine/analyze';
import type { Product } from '../../src/product/asin';
import {
  asin,
  createWorld,
  good,
  kinds,
  LATENCY_MS,
  NOW,
  respond,
  type Service,
} from './asking-world';

describe('a list', () => {
  it('goes out in waves, each when the one before is paid for', () => {
    const world = createWorld();
    expect(kinds(world.ask(20))).toEqual(Array.from({ length: 20 }, () => 'ok'));
    expect(world.waves).toEqual([5, 5, 5, 5]);
    expect([...new Set(world.sent.map(([atMs]) => atMs))]).toEqual([150, 550, 1_456, 2_461]);
  });

  it('names a product once, however often it is in it', () => {
    const world = createWorld();
    const one: Product = { asin: asin(1), market: 'US' };
    analyze(world.engine(), [one, one, { ...one, market: 'UK' }, one], {});
    expect(world.sent).toHaveLength(2);
  });

  it('is answered as far as its time goes, and says of the rest when', () => {
    const world = createWorld({ quota: { calls: 60, perSeconds: 60 } });
    const answers = world.ask(40);
    expect(answers).toHaveLength(40);
    expect(kinds(answers).filter((kind) => kind === 'ok').length).toBeGreaterThanOrEqual(20);
    expect(new Set(kinds(answers))).toEqual(new Set(['ok', 'waiting']));
    expect(world.platform.clock.nowMs()).toBeLessThanOrEqual(NOW + 28_000);
  });
});

describe('a service that needs long', () => {
  it('is not asked when too little time is left for it', () => {
    const world = createWorld({ quota: { calls: 1, perSeconds: 1 }, endMs: 28_000 });
    const { clock, http } = world.platform;
    const { sendAll } = http;
    http.sendAll = (requests) => {
      clock.sleep(4_300);
      return sendAll(requests);
    };
    world.ask(60);
    const { length } = world.sent;
    expect(length).toBeGreaterThan(3);
    // The fifth or sixth call would have had its slot before the last one, and no time for its answer.
    expect(clock.nowMs() - NOW).toBeLessThan(25_000);
    expect(world.waves).toEqual(Array.from({ length }, () => 1));
  });
});

describe('a call that fails for a while', () => {
  it('is made again, and in the end fails with its own words', () => {
    const flaky = createWorld({
      service: (name, nth) => (nth < 3 ? respond(503, {}) : good(name, nth)),
    });
    expect(kinds(flaky.ask(1))).toEqual(['ok']);
    const down = createWorld({ service: () => respond(503, {}) });
    expect(kinds(down.ask(1))).toEqual(['service-busy']);
    expect(down.sent).toHaveLength(3);
  });

  it('is not made again before the service said so', () => {
    const world = createWorld({
      service: (name, nth) =>
        nth === 1 ? respond(503, {}, { 'retry-after': '4' }) : good(name, nth),
    });
    expect(kinds(world.ask(1))).toEqual(['ok']);
    const [first, second] = world.sent.map(([atMs]) => atMs);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(4_000);
  });

  it('for being too fast waits for the time that was named, and then goes on', () => {
    const world = createWorld({
      service: (name, nth) =>
        nth === 1 ? respond(429, {}, { 'retry-after': '3' }) : good(name, nth),
    });
    expect(kinds(world.ask(3))).toEqual(['ok', 'ok', 'ok']);
    expect(world.sent.filter(([atMs]) => atMs > 150 && atMs < 3_150 + LATENCY_MS)).toEqual([]);
  });

  it('loses none of the others when a wave is lost with it', () => {
    const service: Service = (name, nth) =>
      name === asin(5) ? { kind: 'unreachable' } : good(name, nth);
    const world = createWorld({ service });
    const whole = world.platform.http.sendAll;
    const { http } = world.platform;
    http.sendAll = (requests) => {
      const outcomes = whole(requests);
      const broken = requests.length > 1 && outcomes.some(({ kind }) => kind === 'unreachable');
      return broken ? requests.map(() => ({ kind: 'lost-with-wave' })) : outcomes;
    };
    const answers = kinds(world.ask(8));
    expect(answers.filter((kind) => kind === 'ok')).toHaveLength(7);
    expect(answers).toContain('unreachable');
  });
});

describe('a refused key', () => {
  it('that has answered rests, keeps what was answered, and is not asked again', () => {
    const world = createWorld({
      service: (name, nth) => (nth > 8 ? respond(401, {}) : good(name, nth)),
    });
    const answers = kinds(world.ask(30));
    expect(answers.filter((kind) => kind === 'ok')).toHaveLength(8);
    expect(answers.filter((kind) => kind === 'waiting')).toHaveLength(22);
    expect(world.sent).toHaveLength(15);
    world.ask(30);
    expect(world.sent).toHaveLength(15);
  });

  it('is not used by who had booked a slot before it was refused', () => {
    let isRefused = false;
    const world = createWorld({
      quota: { calls: 60, perSeconds: 60 },
      meanwhile: ({ engine }) => {
        if (isRefused) return;
        isRefused = true;
        engine().gate.stop({ reason: 'key-refused', untilMs: NOW + 3_600_000 }, [], 0);
      },
    });
    for (let i = 0; i < 5; i++) world.engine().gate.book([`other ${i}`], NOW + 25_000);
    expect(kinds(world.ask(1))).toEqual(['key-refused']);
    expect(world.sent).toEqual([]);
  });
});

describe('a service that names a time for a product', () => {
  const later = () => respond(503, {}, { 'retry-after': '60' });

  it('is asked for others meanwhile, and by nobody once five failed so in a row', () => {
    const stoppedAfter = (count: number) => {
      const world = createWorld({ service: later });
      world.ask(count);
      return world.engine().gate.stopped();
    };
    expect(stoppedAfter(1)).toBeUndefined();
    expect(stoppedAfter(4)).toBeUndefined();
    expect(stoppedAfter(5)).toMatchObject({ reason: 'throttled', status: 503 });
  });
});

describe('an execution that waits', () => {
  it('does not hold the lock meanwhile, be it for a slot or for another try', () => {
    const world = createWorld({
      service: (name, nth) => (nth === 3 ? respond(503, {}) : good(name, nth)),
    });
    const { clock, lock } = world.platform;
    const sleep = clock.sleep;
    let isHeld = false;
    let naps = 0;
    lock.run = (_waitMs, body) => {
      isHeld = true;
      const value = body();
      isHeld = false;
      return { held: true, value };
    };
    clock.sleep = (durationMs) => {
      expect(isHeld).toBe(false);
      naps += 1;
      sleep(durationMs);
    };
    expect(kinds(world.ask(30)).every((kind) => kind === 'ok')).toBe(true);
    expect(naps).toBeGreaterThan(3);
  });
});

describe('an execution that is about to be ended', () => {
  it('waits for no lock beyond its time', () => {
    const world = createWorld();
    const engine = world.engine();
    engine.gate.reopen();
    const waits: number[] = [];
    world.platform.lock.run = (waitMs, body) => {
      waits.push(waitMs);
      return { held: true, value: body() };
    };
    const stop = { reason: 'throttled', untilMs: NOW } as const;
    for (const atMs of [20_000, 24_000, 40_000]) {
      world.platform.clock.sleep(NOW + atMs - world.platform.clock.nowMs());
      engine.gate.stop(stop, ['B0'], 0);
    }
    expect(waits).toEqual([5_000]);
  });

  it('does not wait for the lock to give a missed slot back', () => {
    const world = createWorld({ oversleepMs: 1_000 });
    const { lock } = world.platform;
    const run = lock.run;
    let lastMs = 0;
    lock.run = (waitMs, body) => {
      lastMs = world.platform.clock.nowMs() + waitMs - NOW;
      return run(waitMs, body);
    };
    expect(kinds(world.ask(1))).toEqual(['waiting']);
    expect(lastMs).toBeLessThanOrEqual(28_000);
  });
});

describe('an execution that oversleeps', () => {
  it('does not send at a slot that is gone', () => {
    const world = createWorld({ oversleepMs: 300 });
    const answers = kinds(world.ask(1));
    expect(answers).toEqual(['waiting']);
    expect(world.sent).toEqual([]);
  });
});

describe('a booking that the cache does not take', () => {
  it('is none, as no other execution sees it', () => {
    const world = createWorld({ quota: { calls: 1, perSeconds: 5 } });
    const { cache } = world.platform;
    const put = cache.putAll;
    let failures = 2;
    cache.putAll = (values, ttlSeconds) => {
      const fails = failures > 0 && Object.keys(values).some((name) => name.startsWith('g:'));
      if (fails) failures -= 1;
      return fails ? false : put(values, ttlSeconds);
    };
    expect(kinds(world.ask(2))).toEqual(['ok', 'ok']);
    const [first = 0, second = 0] = world.sent.map(([atMs]) => atMs);
    // It was tried again after some seconds, and then kept.
    expect(first).toBeGreaterThanOrEqual(6_000);
    expect(second - first).toBeGreaterThanOrEqual(4_700);
  });
});

describe('a cache that takes nothing', () => {
  it('loses no answer that was paid for', () => {
    const world = createWorld();
    const { cache } = world.platform;
    const put = cache.putAll;
    cache.putAll = (values, ttlSeconds) => {
      const isOurs = Object.keys(values).some((name) => name.startsWith('g:'));
      return isOurs && put(values, ttlSeconds);
    };
    expect(kinds(world.ask(3))).toEqual(['ok', 'ok', 'ok']);
  });
});
