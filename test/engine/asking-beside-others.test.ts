// Asking beside others: their refusals are heeded, and their cells are not kept waiting.

import { describe, expect, it } from '@jest/globals';
import { fail } from '../../src/failures/failure';
import { unanswered } from '../../src/product/fields';
import { asin, createWorld, kinds, NOW, type World } from './asking-world';

describe('a limit that nobody gave', () => {
  it('is not run into by a wave whose execution can see that another was refused', () => {
    const world = createWorld({
      quota: null,
      meanwhile: ({ engine, sent }) => {
        if (sent.length !== 1 || engine().gate.stopped() !== undefined) return;
        engine().gate.stop({ reason: 'throttled', untilMs: NOW + 4_000 }, [], 1);
      },
    });
    expect(kinds(world.ask(2))).toEqual(['ok', 'ok']);
    const [, second] = world.sent.map(([atMs]) => atMs);
    expect(second).toBeGreaterThanOrEqual(4_000);
  });
});

describe('a slot that the cache forgot', () => {
  const PERIOD_MS = 4_000;
  const QUOTA = { calls: 1, perSeconds: 4 };
  /** A cell whose slot is far away, the cache that forgets it, and what happens then. */
  function askAfterLoss(then: (world: World) => void) {
    let isLost = false;
    const world = createWorld({
      quota: QUOTA,
      meanwhile: (self) => {
        if (isLost || self.platform.clock.nowMs() < NOW + 4_000) return;
        isLost = true;
        self.forget();
        then(self);
      },
    });
    for (const name of ['one', 'two', 'three']) world.engine().gate.book([name], NOW + 25_000);
    expect(kinds(world.ask(1))).toEqual(['ok']);
    expect(isLost).toBe(true);
    return world.sent[0]?.[0] ?? 0;
  }

  it('is not used beside the one that another execution has got since', () => {
    let othersMs = 0;
    const sentMs = askAfterLoss(({ engine }) => {
      const booking = engine().gate.book(['another'], NOW + 25_000);
      if (booking.kind === 'go') othersMs = booking.atMs - NOW;
    });
    expect(othersMs).toBeGreaterThan(0);
    expect(Math.abs(sentMs - othersMs)).toBeGreaterThanOrEqual(PERIOD_MS);
  });

  it('is kept where nobody has booked since', () => {
    const usual = createWorld({ quota: QUOTA });
    for (const name of ['one', 'two', 'three']) usual.engine().gate.book([name], NOW + 25_000);
    usual.ask(1);
    expect(askAfterLoss(() => undefined)).toBe(usual.sent[0]?.[0]);
  });
});

describe('a run with a horizon', () => {
  it('lets a cell have the next slot, however many waves it has to send', () => {
    const waitsMs: number[] = [];
    let askedMs = 0;
    const world = createWorld({
      horizonMs: 2_000,
      meanwhile: ({ engine, platform }) => {
        const nowMs = platform.clock.nowMs();
        if (nowMs < askedMs + 1_000) return;
        askedMs = nowMs;
        const booking = engine().gate.book([`cell ${nowMs}`], nowMs + 25_000);
        if (booking.kind === 'go') waitsMs.push(booking.atMs - nowMs);
      },
    });
    for (let i = 0; i < 6; i++) {
      const names = Array.from({ length: 8 }, (_, n) => `other ${i} ${n}`);
      world.engine().gate.book(names, NOW + 25_000);
    }
    expect(kinds(world.ask(30))).toEqual(Array.from({ length: 30 }, () => 'ok'));
    expect(waitsMs.length).toBeGreaterThan(5);
    // The others' six waves are paid for after 9.6 s; from then on only the run is in the way.
    expect(Math.max(...waitsMs.slice(-5))).toBeLessThanOrEqual(2_000 + 200);
  });
});

describe('a product that somebody else asks', () => {
  it('is not looked for before its answer is due, and found soon after', () => {
    const key = `${asin(0)}|US`;
    const slotsMs: number[] = [];
    const world = createWorld({
      meanwhile: ({ engine, platform }) => {
        const nowMs = platform.clock.nowMs();
        if (nowMs < (slotsMs[0] ?? 0) + 400) return;
        const answer = unanswered(fail({ kind: 'not-found' }));
        engine().cache.keep(new Map([[key, answer]]), {}, nowMs);
      },
    });
    const others = world.engine().gate;
    const names = Array.from({ length: 8 }, (_, n) => `other ${n}`);
    for (let i = 0; i < 14; i++) others.book([...names.map((name) => name + i)], NOW + 25_000);
    const booking = others.book([key], NOW + 25_000);
    if (booking.kind === 'go') slotsMs.push(booking.atMs);
    const before = world.cacheCalls();
    expect(kinds(world.ask(1))).toEqual(['not-found']);
    expect(world.sent).toEqual([]);
    const [slotMs = 0] = slotsMs;
    expect(slotMs).toBeGreaterThan(NOW + 10_000);
    expect(world.platform.clock.nowMs()).toBeLessThan(slotMs + 1_000);
    // A look and a booking, three looks on the way, one that finds it, and its being kept.
    expect(world.cacheCalls() - before).toBeLessThanOrEqual(12);
  });
});

describe('a product that somebody else has been answered for', () => {
  it('is not asked again, although the claim is over by the time that its turn comes', () => {
    const last = `${asin(3)}|US`;
    let isThere = false;
    const world = createWorld({
      quota: { calls: 1, perSeconds: 5 },
      meanwhile: ({ engine, platform }) => {
        if (isThere || platform.clock.nowMs() < NOW + 9_000) return;
        isThere = true;
        const answers = new Map([[last, unanswered(fail({ kind: 'not-found' }))]]);
        engine().cache.keep(answers, {}, platform.clock.nowMs());
      },
    });
    expect(kinds(world.ask(4)).sort()).toEqual(['not-found', 'ok', 'ok', 'ok']);
    expect(world.sent.map(([, name]) => name)).toEqual([asin(0), asin(1), asin(2)]);
  });
});

describe('a slot that was missed', () => {
  it('keeps nobody else from asking for its product once its execution has ended', () => {
    // Every sleep takes so long that a slot is over before the execution wakes.
    const world = createWorld({ oversleepMs: 1_000, endMs: 60_000 });
    expect(kinds(world.ask(1))).toEqual(['waiting']);
    expect(world.sent).toEqual([]);
    const nowMs = world.platform.clock.nowMs();
    const booking = world.engine().gate.book([`${asin(0)}|US`], nowMs + 25_000);
    expect(booking.kind).toBe('go');
  });
});
