// The quota as the service counts it: many cells at once are never refused, and nothing is asked twice.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { Outcome } from 'apps-script-host/host';
import { KEYS } from '../../playground/api/keys';
import { SAMPLE_PRODUCTS } from '../../playground/api/samples';
import { arrivalsOf, callsByProduct, refusalsOf } from '../../playground/api/state';
import { createWorld, type World } from '../doors/world';

let world: World;

afterEach(() => world.stop());

const US = SAMPLE_PRODUCTS.filter(({ market }) => market === 'US').map(({ asin }) => asin);

const UK = SAMPLE_PRODUCTS.filter(({ market }) => market === 'UK').map(({ asin }) => asin);

const ALL = SAMPLE_PRODUCTS.map(({ asin, market }) => [asin, market] as const);

/** Those that stop at nothing but too many calls. */
const LIMITED = KEYS.filter(
  ({ quota, planAnswers }) => quota !== null && planAnswers === undefined,
);

/** The quota of a sandbox key, in the words of a connection. */
function quotaOf(apiKey: string) {
  const quota = KEYS.find(({ name }) => name === apiKey)?.quota;
  if (quota === null || quota === undefined) throw new Error(`${apiKey} has no quota`);
  const { calls, perSeconds } = quota;
  return quota.kind === 'bucket'
    ? { calls, perSeconds, burst: quota.burst }
    : { calls, perSeconds };
}

/** Starts the cells at once, as Sheets does, and gives their outcomes. */
async function together(cells: readonly (readonly unknown[])[]): Promise<readonly Outcome[]> {
  const outcomes = cells.map((args) => world.cell('ANALYZE', ...args));
  await world.host.run();
  return Promise.all(outcomes);
}

const asked = () => [...callsByProduct(world.service()).values()];

describe('30 cells at once', () => {
  it.each(LIMITED.map(({ name }) => name))(
    'never break %s, and ask each product once',
    async (apiKey) => {
      world = createWorld();
      await world.connect({ apiKey, quota: quotaOf(apiKey) });
      const outcomes = await together(
        Array.from({ length: 30 }, (_, i) => [US[i % US.length], 'US']),
      );
      expect(refusalsOf(world.service())).toBe(0);
      expect(asked().every((count) => count === 1)).toBe(true);
      expect(outcomes.filter(({ ok }) => !ok)).toEqual([]);
    },
  );

  it('that show three fields of ten products make ten calls', async () => {
    world = createWorld();
    await world.connect();
    const fields = ['profit', 'roi', 'fees'];
    const outcomes = await together(
      Array.from({ length: 30 }, (_, i) => [US[i % 10], 'US', fields[i % 3]]),
    );
    expect(outcomes.every(({ ok }) => ok)).toBe(true);
    expect(asked()).toEqual(Array.from({ length: 10 }, () => 1));
  });

  it('with different products at one call a second: answered or told to wait, none past 30 s', async () => {
    world = createWorld();
    await world.connect({
      apiKey: 'demo-key-60-per-minute',
      quota: quotaOf('demo-key-60-per-minute'),
    });
    const range = Array.from({ length: 30 }, (_, i) => [`B0P${String(i).padStart(7, '0')}`, 'US']);
    const outcomes = await together(range);
    expect(refusalsOf(world.service())).toBe(0);
    for (const { ended, endedMs, startedMs, error } of outcomes) {
      expect(ended).toBe('threw');
      expect(endedMs - startedMs).toBeLessThan(30_000);
      expect(error?.message).toMatch(/is not sold|waiting (?:for the key's limit|its turn)/);
    }
    expect(outcomes.some(({ error }) => error?.message.includes('waiting for the key'))).toBe(true);
  });
});

describe('the waiting list', () => {
  it('is worked off by the sidebar, and the cells then answer without a call', async () => {
    world = createWorld();
    const apiKey = 'demo-key-60-per-minute';
    await world.connect({ apiKey, quota: quotaOf(apiKey) });
    const products = UK.concat(US).slice(0, 24);
    const cells = products.map((asin, i) => [asin, i < UK.length ? 'UK' : 'US', 'profit']);
    const first = await together(cells);
    const waiting = first.filter(({ ok }) => !ok).length;
    expect(waiting).toBeGreaterThan(0);
    const work = await world.rpc('waiting.work', { maxMs: 60_000 });
    // No formula of the sheet names the refresh cell, so nothing is shown anew.
    expect(work).toEqual({ ok: true, value: { settled: waiting, left: 0, isShown: false } });
    const before = arrivalsOf(world.service()).length;
    const again = await together(cells);
    expect(again.every(({ ok }) => ok)).toBe(true);
    expect(arrivalsOf(world.service())).toHaveLength(before);
    expect(refusalsOf(world.service())).toBe(0);
  });

  it.each([
    ['a text', 'Monday'],
    ['a moment', new Date(Date.UTC(2026, 0, 5, 8))],
  ])(
    'asks for what is to be fresh by %s, and the cells then answer without a call',
    async (_, refresh) => {
      world = createWorld();
      const apiKey = 'demo-key-60-per-minute';
      await world.connect({ apiKey, quota: quotaOf(apiKey) });
      const products = UK.concat(US).slice(0, 24);
      const marketOf = (i: number) => (i < UK.length ? 'UK' : 'US');
      const plain = products.map((asin, i) => [asin, marketOf(i), 'profit']);
      const fresh = plain.map((args) => [...args, refresh]);
      const first = await together(fresh);
      expect(first.some(({ ok }) => !ok)).toBe(true);
      await world.rpc('waiting.work', { maxMs: 60_000 });
      const before = arrivalsOf(world.service()).length;
      const again = await together([...fresh, ...plain]);
      expect(again.every(({ ok }) => ok)).toBe(true);
      expect(arrivalsOf(world.service())).toHaveLength(before);
    },
  );

  it('keeps what the sidebar could not ask in its time', async () => {
    world = createWorld();
    const apiKey = 'demo-key-60-per-minute';
    await world.connect({ apiKey, quota: quotaOf(apiKey) });
    const range = US.map((asin) => [asin]).concat(UK.map((asin) => [asin]));
    const markets = US.map(() => ['US']).concat(UK.map(() => ['UK']));
    await world.show('ANALYZE', range, markets, 'profit');
    const { value } = await world.rpc('waiting.work', { maxMs: 2_000 });
    expect(value?.left).toBeGreaterThan(0);
    expect(await world.rpc('waiting.work', { maxMs: 30_000 })).toMatchObject({
      value: { left: 0 },
    });
  });
});

it('recalculating costs no call and two service calls a cell', async () => {
  world = createWorld();
  await world.connect();
  const cells = US.map((asin) => [asin, 'US']);
  await together(cells);
  const before = arrivalsOf(world.service()).length;
  const again = await together(cells);
  expect(arrivalsOf(world.service())).toHaveLength(before);
  expect(again.map(({ serviceCalls }) => serviceCalls)).toEqual(US.map(() => 2));
});

it('a service slower than the quota says stops everybody until the time it names', async () => {
  world = createWorld();
  const tooFast = { calls: 50, perSeconds: 1, burst: 100 };
  await world.connect({ apiKey: 'demo-key-5-per-second', quota: tooFast });
  // The first wave to a service that has not answered yet is a small one.
  await world.rpc('connection.check');
  const before = arrivalsOf(world.service()).length;
  const range = Array.from({ length: 14 }, (_, i) => [US[i % US.length]]);
  const { ok, value } = await world.show('ANALYZE', range, 'US', 'profit');
  expect(ok).toBe(true);
  expect((value as unknown[][]).flat().every(Number.isFinite)).toBe(true);
  const arrivals = arrivalsOf(world.service()).slice(before);
  const firstRefused = arrivals.findIndex(({ outcome }) => outcome === 'too-fast');
  expect(firstRefused).toBeGreaterThanOrEqual(0);
  const wave = arrivals.filter(({ atMs }) => atMs < (arrivals[0]?.atMs ?? 0) + 1_000);
  const later = arrivals.slice(wave.length);
  expect(later.every(({ outcome }) => outcome !== 'too-fast')).toBe(true);
});

describe('an execution that dies', () => {
  it('at any of its service calls leaves the next one able to answer', async () => {
    world = createWorld();
    await world.connect();
    let kills = 0;
    for (const [asin, market] of ALL) {
      const args = [asin, market, 'profit'];
      const execution = { functionName: 'ANALYZE', args, door: 'cell' } as const;
      const started = await world.run({ ...execution, killAtCall: kills + 1 });
      // A cell that comes to its end has no call of that number any more.
      if (started.ended === 'returned') break;
      kills += 1;
      const next = await world.show('ANALYZE', ...args);
      expect(next).toMatchObject({ ok: true, ended: 'returned' });
    }
    expect(kills).toBeGreaterThanOrEqual(8);
    expect(kills).toBeLessThan(ALL.length);
    expect(Math.max(...asked())).toBeLessThanOrEqual(2);
    expect(refusalsOf(world.service())).toBe(0);
  });
});
