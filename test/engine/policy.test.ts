// What a door may want otherwise than a cell, and what it is told meanwhile: policies and hooks.

import { describe, expect, it } from '@jest/globals';
import { analyze } from '../../src/engine/analyze';
import type { Hooks, Policy } from '../../src/engine/policy';
import type { Product } from '../../src/product/asin';
import { asin, createWorld, good, kinds, respond, type Service } from './asking-world';

/** A call in ten seconds. */
const SLOW = { calls: 6, perSeconds: 60 };

const CRASH: Service = () => respond(503, {});
const products = (count: number) =>
  Array.from({ length: count }, (_, i): Product => ({ asin: asin(i), market: 'US' }));

function ask(service: Service, count: number, policy: Policy = {}, hooks: Hooks = {}) {
  const world = createWorld({ service });
  const answers = analyze(world.engine(), products(count), policy, hooks);
  return { world, answers: kinds([...answers.values()]) };
}

describe('calls that may be made', () => {
  it('are never more, and with the last one the time is up, tries again included', () => {
    const { world, answers } = ask(CRASH, 3, { callsMax: 4 });
    expect(world.sent).toHaveLength(4);
    expect(answers).toEqual(Array.from({ length: 3 }, () => 'service-busy'));
    expect(ask(good, 20, { callsMax: 5 }).answers.filter((kind) => kind === 'ok')).toHaveLength(5);
    expect(ask(good, 2, { callsMax: 0 }).world.sent).toEqual([]);
  });
});

describe('what the cache has', () => {
  const NOT_HERE: Service = () => ({
    kind: 'response',
    status: 404,
    headers: { 'content-type': 'text/html' },
    body: '<html>Not found</html>',
  });

  it('is no answer for who tries again, unless it is the product that it is about', () => {
    let service: Service = (name, nth) =>
      name === asin(0) ? NOT_HERE(name, nth) : good(name, nth);
    const world = createWorld({ service: (name, nth) => service(name, nth), isNew: true });
    const asked = (policy: Policy) => {
      const before = world.sent.length;
      const answers = kinds([...analyze(world.engine(), products(1), policy).values()]);
      return [...answers, world.sent.length - before];
    };
    expect(asked({})).toEqual(['wrong-address', 1]);
    expect(asked({})).toEqual(['wrong-address', 0]);
    service = good;
    expect(asked({ triesAgain: true })).toEqual(['ok', 1]);
    expect(asked({ triesAgain: true })).toEqual(['ok', 0]);
  });
});

describe('hooks', () => {
  it('are told of every call, and get every answer once, as it comes', () => {
    const told: (readonly [string, number])[] = [];
    const hooks: Hooks = {
      betweenWaves: () => told.push(['wave', 0]),
      onCalls: (count) => told.push(['calls', count]),
      onFound: ({ size }) => told.push(['found', size]),
      onAnswers: ({ size }) => told.push(['answers', size]),
    };
    ask(good, 10, {}, hooks);
    expect(told).toEqual([
      ['found', 0],
      ...[['wave', 0] as const, ['calls', 5] as const, ['answers', 5] as const],
      ...[['wave', 0] as const, ['calls', 5] as const, ['answers', 5] as const],
    ]);
  });

  it('may end it, and what went wrong until then is noted', () => {
    let waves = 0;
    const world = createWorld({
      service: (name, nth) => (name === asin(0) ? { kind: 'timed-out' } : good(name, nth)),
    });
    const engine = world.engine();
    const end = () =>
      analyze(
        engine,
        products(10),
        {},
        {
          betweenWaves() {
            waves += 1;
            if (waves === 2) throw new Error('over');
          },
        },
      );
    expect(end).toThrow('over');
    expect(world.sent).toHaveLength(5);
    expect(engine.trouble.recent()).toHaveLength(1);
  });

  it('look into a long wait once a second', () => {
    const world = createWorld({ quota: SLOW });
    const { clock } = world.platform;
    const naps: number[] = [];
    analyze(
      world.engine(),
      products(2),
      {},
      { asleep: (untilMs) => naps.push(untilMs - clock.nowMs()) },
    );
    expect(naps.length).toBeGreaterThanOrEqual(7);
    expect(Math.min(...naps)).toBeGreaterThan(0);
  });

  it('do not look so shortly before a slot that it is lost, however slow the stores are', () => {
    const lengths = Array.from({ length: 60 }, (_, i) => 3_000 + i * 25);
    const lost = lengths.filter((intervalMs) => {
      const quota = { calls: 10, perSeconds: intervalMs / 100, burst: 1 };
      const world = createWorld({ quota, cacheMs: 400 });
      const { cache } = world.platform;
      // As a worker of a run does: it hears commands, and says that it is alive.
      const asleep = () => {
        cache.getAll(['command']);
        cache.putAll({ lease: '' }, 60);
      };
      analyze(world.engine(), products(4), {}, { asleep });
      const [first = 0, ...others] = world.sent.map(([atMs]) => atMs);
      return others.some((atMs, i) => atMs - first > (i + 1.5) * intervalMs);
    });
    expect(lost).toEqual([]);
  });

  it('may say that the last slot is earlier by now', () => {
    const world = createWorld({ quota: SLOW });
    const endMs = world.platform.clock.nowMs() + 5_000;
    const answers = analyze(world.engine(), products(2), {}, { bookUntilMs: () => endMs });
    expect(kinds([...answers.values()])).toEqual(['ok', 'waiting']);
    expect(world.platform.clock.nowMs()).toBeLessThan(endMs + 5_000);
  });
});
