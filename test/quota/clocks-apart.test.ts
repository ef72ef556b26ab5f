// Executions whose clocks differ: those that ask for a job compare them once a call came too early.

import { afterEach, describe, expect, it } from '@jest/globals';
import { skewed } from '../../bench/laws/laws';
import type { Quota } from '../../playground/api/limits';
import { refusalsOf } from '../../playground/api/state';
import { BUILT, distIn } from '../build-once';
import {
  type JobAtWork,
  SANDBOX,
  type Sheet,
  sheetOf,
  startJob,
  US_ASINS,
} from '../doors/bulk-list';
import { createWorld, type World } from '../doors/world';

const API_KEY = 'demo-key-clocks';
const RATE = { calls: 5, perSeconds: 1 } as const;
const ROWS = 700;
const CLOCKS_APART_MS = 1_500;

/** Each has clocks of its own. */
const SEEDS = [1, 12];

/** The asks of the page that are in flight at once. */
const ASKERS = 3;

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

/** As the page does: every asker has its share of the products, one after the other. */
async function drive({ status, queue }: JobAtWork): Promise<void> {
  const { jobId } = status;
  const ask = async (asker: number): Promise<void> => {
    let products: readonly string[] = queue.filter((_, at) => at % ASKERS === asker);
    while (products.length > 0) {
      const args = ['jobs.ask', { jobId, products, maxMs: 20_000 }];
      const { value } = await world.host.start({ functionName: 'rpc', door: 'sidebar', args });
      products = (value as { value: { left: readonly string[] } }).value.left;
    }
  };
  let isOver = false;
  const all = Promise.all(Array.from({ length: ASKERS }, (_, asker) => ask(asker))).then(() => {
    isOver = true;
  });
  while (!isOver) {
    await world.host.run(world.host.nowMs() + 500);
    await new Promise((next) => setImmediate(next));
  }
  return all;
}

describe('a job whose executions have clocks up to 1.5 s apart', () => {
  it.each([
    ['a bucket', { kind: 'bucket', ...RATE, burst: 10 }, { ...RATE, burst: 10 }],
    ['every second', { kind: 'sliding', ...RATE }, RATE],
  ] as const)(
    'meets hardly a refusal where the service counts in %s',
    async (_name, quota, told) => {
      for (const seed of SEEDS) {
        const rows = US_ASINS.slice(0, ROWS).map((asin) => [asin]);
        await worldWith(sheetOf([['ASIN'], ...rows]), quota, told, seed);
        await drive(await startJob(world));
        const refused = refusalsOf(world.service());
        // Those that show that clocks differ, and no more.
        expect(refused).toBeLessThanOrEqual(ROWS / 100);
        expect(world.service().arrived).toBe(ROWS + refused);
        if (seed < SEEDS.length) await world.stop();
      }
    },
  );
});
