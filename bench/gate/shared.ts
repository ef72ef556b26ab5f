// One key in three documents of three people, whose runs begin a minute apart and share its rate.

import type { Figures } from '../figures';
import { connect, createWorld, type World } from '../world';
import { addOnSlice } from './bulk';
import { runJob } from './job';
import { answeredIn, mark, ratioOf, slicesOverran, trafficSince } from './measure';
import { bucketOf, declared } from './quotas';
import { FLAWLESS, type Scenario, type Telling } from './scenario';

const DOCUMENTS = 3;
const ROWS = 2_000;
const APART_MS = 60_000;

/** A newcomer has this long to get its share, which is measured over the time after that. */
const JOINING_MS = 10_000;
const COUNTED_MS = 40_000;

async function tellShared({ bundles, seed }: Telling): Promise<Figures> {
  const quota = bucketOf(5);
  const world = createWorld({ bundles, code: 'withBulk', seed, quota, documents: DOCUMENTS });
  for (const documentId of world.documentIds) await connect(world, documentId, declared(quota));
  const before = mark(world);
  const lists = world.documentIds.map((_, i) => world.asins.slice(i * ROWS, (i + 1) * ROWS));
  const jobs = Promise.all(
    world.documentIds.map((documentId, i) => {
      const startMs = before.nowMs + i * APART_MS;
      const asins = lists[i] ?? [];
      return runJob(world, { asins, workers: 1, documentId, startMs, slice: addOnSlice });
    }),
  );
  const [reports] = await Promise.all([jobs, world.host.run()]);
  await world.host.stop();
  const answered = reports.reduce((sum, report) => sum + report.answered, 0);
  const endMs = Math.max(...reports.map((report) => report.endMs));
  return {
    ratio: ratioOf(endMs - before.nowMs, answered, quota.calls),
    ...trafficSince(before, world),
    fairShare: smallestShare(world, lists, before.nowMs, quota.calls),
    overran: reports.reduce((sum, { outcomes }) => sum + slicesOverran(outcomes), 0),
    errors: DOCUMENTS * ROWS - answered,
  };
}

/**
 * The smallest part of its fair share that any document got, from 10 s after each newcomer joined.
 */
function smallestShare(
  world: World,
  lists: readonly (readonly string[])[],
  startMs: number,
  callsPerSecond: number,
): number {
  const shares = lists.flatMap((_, newest) => {
    const fromMs = startMs + newest * APART_MS + JOINING_MS;
    const fair = (callsPerSecond * COUNTED_MS) / 1_000 / (newest + 1);
    return lists
      .slice(0, newest + 1)
      .map((list) => answeredIn(world, new Set(list), fromMs, fromMs + COUNTED_MS) / fair);
  });
  return Math.min(...shares);
}

export const SHARED: Scenario = {
  cases: ['shared-3docs'],
  strategies: ['addOn'],
  ideal: { 'shared-3docs': { ...FLAWLESS, calls: DOCUMENTS * ROWS, fairShare: 1 } },
  tell: async (telling) => ({ 'shared-3docs': await tellShared(telling) }),
};
