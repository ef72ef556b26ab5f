// One key in three documents of three people, who know nothing of each other: runs that begin a minute
// apart, and runs that begin together under each way in which a service counts.

import type { SandboxKey } from '../../playground/api/keys';
import { arrivalsOf } from '../../playground/api/state';
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

const LAW_MS = 300_000;

/** As many as ask at once for the open page. */
const LAW_WORKERS = 3;

const FIVE = { calls: 5, perSeconds: 1 } as const;
const SIXTY = { calls: 60, perSeconds: 60 } as const;

interface SharedLaw {
  readonly counted: Exclude<SandboxKey['quota'], null>;
  readonly stated: { readonly calls: number; readonly perSeconds: number; readonly burst?: number };
}

const SHARED_LAWS: Readonly<Record<string, SharedLaw>> = {
  'shared-bucket': { counted: bucketOf(5), stated: declared(bucketOf(5)) },
  'shared-sliding': { counted: { kind: 'sliding', ...FIVE }, stated: FIVE },
  'shared-fixed': { counted: { kind: 'calendar', ...SIXTY }, stated: SIXTY },
};

/** What three documents get of the key in their first five minutes. */
async function tellLaw(
  { counted, stated }: SharedLaw,
  { bundles, seed }: Telling,
): Promise<Figures> {
  const world = createWorld({
    ...{ bundles, code: 'withBulk', seed, quota: counted, documents: DOCUMENTS },
  });
  for (const documentId of world.documentIds) await connect(world, documentId, stated);
  const startMs = world.host.nowMs();
  // More than the whole key can do in the time, so that no run ends before.
  const rows = Math.ceil((counted.calls * LAW_MS) / (1_000 * counted.perSeconds));
  const lists = world.documentIds.map((_, i) => world.asins.slice(i * rows, (i + 1) * rows));
  const jobs = Promise.all(
    world.documentIds.map((documentId, i) => {
      const asins = lists[i] ?? [];
      return runJob(world, { asins, workers: LAW_WORKERS, documentId, startMs, slice: addOnSlice });
    }),
  );
  const [reports] = await Promise.all([jobs, world.host.run()]);
  await world.host.stop();
  const endMs = startMs + LAW_MS;
  const granted = (counted.calls * LAW_MS) / (1_000 * counted.perSeconds);
  const answered = lists.map((list) => answeredIn(world, new Set(list), startMs, endMs));
  const calls = arrivalsOf(world.service()).filter(({ atMs }) => atMs >= startMs && atMs < endMs);
  const refused = calls.filter(({ outcome }) => outcome === 'too-fast').length;
  const sum = answered.reduce((total, count) => total + count, 0);
  return {
    ratio: granted / sum,
    ...{ calls: calls.length, refused, refusedPercent: (100 * refused) / calls.length },
    fairShare: (Math.min(...answered) * DOCUMENTS) / granted,
    overran: reports.reduce((total, { outcomes }) => total + slicesOverran(outcomes), 0),
  };
}

const lawScenario = ([name, law]: [string, SharedLaw]): Scenario => ({
  cases: [name],
  strategies: ['addOn'],
  ideal: { [name]: { ratio: 1, refused: 0, fairShare: 1 } },
  tell: async (telling) => ({ [name]: await tellLaw(law, telling) }),
});

export const SHARED_LAW_SCENARIOS: readonly Scenario[] =
  Object.entries(SHARED_LAWS).map(lawScenario);

export const SHARED: Scenario = {
  cases: ['shared-3docs'],
  strategies: ['addOn'],
  ideal: { 'shared-3docs': { ...FLAWLESS, calls: DOCUMENTS * ROWS, fairShare: 1 } },
  tell: async (telling) => ({ 'shared-3docs': await tellShared(telling) }),
};
