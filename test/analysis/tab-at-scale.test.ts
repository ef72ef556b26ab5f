// 20,000 keys in the Analysis tab: what reading and writing them takes in the emulated host's time.
import { expect, it } from '@jest/globals';
import { figuresBy } from '../../src/product/fields';
import type { DataChange } from './tab-script';
import { createTabWorld } from './tab-world';

const KEYS = 20_000;
const AT = Date.UTC(2026, 0, 5, 9);
const FIGURES = figuresBy((field) => (field === 'eligible' ? true : 1.25));
const asinOf = (at: number) => `B${String(at).padStart(9, '0')}`;

const wanted = (at: number): DataChange => ({
  meant: { key: `${asinOf(at)}|US` },
  becomes: { asin: asinOf(at), market: 'US', status: 'Waiting', wantedMs: AT },
});

const answered = (at: number): DataChange => ({
  meant: { product: `${asinOf(at)}|US` },
  becomes: {
    ...{ status: 'OK', figures: FIGURES, analyzedMs: AT, triedMs: AT, wantedMs: null },
  },
});

it('are written, read and changed in bounded time', () => {
  const world = createTabWorld();
  const seconds = (work: () => unknown) => {
    const beginMs = world.host.nowMs();
    work();
    return Number(((world.host.nowMs() - beginMs) / 1_000).toFixed(1));
  };
  const all = Array.from({ length: KEYS }, (_, at) => at);
  const together = all.slice(10_000, 10_050);
  const scattered = all.filter((at) => at % 400 === 7);
  const figures = {
    open: seconds(() => world.call('open')),
    first: seconds(() => world.record(...all.map(wanted))),
    together: seconds(() => world.record(...together.map(answered))),
    scattered: seconds(() => world.record(...scattered.map(answered))),
    read: seconds(() => world.read()),
    tidy: seconds(() => world.call('tidy')),
  };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
  expect(world.read().size).toBe(KEYS);
  expect(figures.first).toBeLessThan(30);
  expect(figures.together).toBeLessThan(5);
  expect(figures.scattered).toBeLessThan(15);
  expect(figures.read).toBeLessThan(8);
});
