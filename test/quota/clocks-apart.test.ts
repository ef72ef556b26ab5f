// Executions whose clocks differ: a run's workers keep the quota all the same.

import { afterEach, describe, expect, it } from '@jest/globals';
import { skewed } from '../../bench/laws/laws';
import type { Quota } from '../../playground/api/limits';
import { refusalsOf } from '../../playground/api/state';
import { BUILT, distIn } from '../build-once';
import { granted, SANDBOX, type Sheet, sheetOf, startRun, US_ASINS } from '../doors/bulk-list';
import { createWorld, type World } from '../doors/world';

const API_KEY = 'demo-key-clocks';
const RATE = { calls: 5, perSeconds: 1 } as const;
const ROWS = 150;
const CLOCKS_APART_MS = 1_500;

/** Each has clocks of its own. */
const SEEDS = [1, 2, 3, 4];

/** The writer and two who ask. */
const WORKERS = 3;

let world: World;
afterEach(() => world.stop());

async function worldWith(sheet: Sheet, quota: Quota, told: object, seed: number) {
  const dist = distIn(BUILT);
  world = createWorld({
    sandbox: {
      ...{ ...SANDBOX, dialect: 'silent', latency: { medianMs: 700, sigma: 0.35 } },
      keys: [{ name: API_KEY, what: 'kept', quota }],
    },
    host: {
      ...{ seed, documents: [sheet.document] },
      dist: { ...dist, code: `${skewed(CLOCKS_APART_MS)}\n${dist.code}` },
    },
  });
  await world.connect({ apiKey: API_KEY, quota: told });
}

/** As a page drives all workers: each is called again for as long as the server wants more. */
async function drive(runId: unknown, count: number): Promise<void> {
  const work = async (worker: number): Promise<void> => {
    for (;;) {
      const args = ['bulk.run', { runId, worker, maxMs: 300_000 }];
      const { value } = await world.host.start({ functionName: 'rpc', door: 'sidebar', args });
      const { againInMs } = (value as { value: { againInMs: number | null } }).value;
      if (againInMs === null) return;
      await new Promise<void>((wake) => world.host.at(world.host.nowMs() + againInMs, wake));
    }
  };
  let isOver = false;
  const all = Promise.all(Array.from({ length: count }, (_, worker) => work(worker))).then(() => {
    isOver = true;
  });
  while (!isOver) {
    await world.host.run(world.host.nowMs() + 500);
    await new Promise((next) => setImmediate(next));
  }
  return all;
}

describe('a run whose workers have clocks up to 1.5 s apart', () => {
  it.each([
    ['a bucket', { kind: 'bucket', ...RATE, burst: 10 }, { ...RATE, burst: 10 }],
    ['every second', { kind: 'sliding', ...RATE }, RATE],
  ] as const)('meets no refusal where the service counts in %s', async (_name, quota, told) => {
    for (const seed of SEEDS) {
      const rows = US_ASINS.slice(0, ROWS).map((asin) => [asin]);
      await worldWith(sheetOf([['ASIN'], ...rows]), quota, told, seed);
      const { runId, workers } = await startRun(world);
      expect(Number(workers)).toBeGreaterThanOrEqual(WORKERS);
      await drive(runId, WORKERS);
      expect(granted(await world.rpc('bulk.status'))).toMatchObject({
        ...{ state: 'finished', answered: ROWS },
      });
      expect(refusalsOf(world.service())).toBe(0);
      if (seed < SEEDS.length) await world.stop();
    }
  });
});
