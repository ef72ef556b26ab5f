// Bulk cases: 10,000 products with a known, an unknown or a changing quota, and with a cache that
// loses data.

import type { Figures } from '../figures';
import { connect, createWorld, type World, type WorldOptions } from '../world';
import { type Job, runJob } from './job';
import { mark, slicesOverran, trafficSince } from './measure';
import { peerSetup } from './peers';
import { type BucketQuota, bucketOf, declared } from './quotas';
import { FLAWLESS, PEERS, type Scenario, type Telling } from './scenario';

const ROWS = 10_000;
const MINUTE_MS = 60_000;

export const addOnSlice: Job['slice'] = (asins) => ({ functionName: 'benchSlice', args: [asins] });

/** The time that calls need at a rate that may change on the way, ms. */
type Ideal = (completed: number) => number;

interface Bulk {
  readonly rows: number;
  readonly quota: BucketQuota;
  /** Whether the connection states the quota. */
  readonly isKnown: boolean;
  readonly workers: number;
  readonly changes?: WorldOptions['changes'];
  readonly dialect?: WorldOptions['dialect'];
  readonly law?: WorldOptions['law'];
  /** How the service counts, if it differs from what the connection states. */
  readonly counted?: WorldOptions['quota'];
  readonly ideal: Ideal;
  /** Something that happens to the world during the run. */
  readonly meanwhile?: (world: World) => void;
}

export async function tellBulk(bulk: Bulk, telling: Telling): Promise<Figures> {
  const { bundles, seed, strategy } = telling;
  const { quota, changes, dialect, law } = bulk;
  const world = createWorld({
    bundles,
    code: strategy === 'addOn' ? 'withBulk' : 'peers',
    seed,
    quota: bulk.counted ?? quota,
    ...(law === undefined ? {} : { law }),
    ...(changes === undefined ? {} : { changes }),
    ...(dialect === undefined ? {} : { dialect }),
  });
  const [documentId = ''] = world.documentIds;
  if (strategy === 'addOn') await connect(world, documentId, bulk.isKnown ? declared(quota) : null);
  const slice: Job['slice'] =
    strategy === 'addOn'
      ? addOnSlice
      : (asins) => ({ functionName: 'peerSlice', args: [asins, peerSetup(strategy, quota)] });
  const before = mark(world);
  const asins = world.asins.slice(0, bulk.rows);
  const { workers } = bulk;
  const job = runJob(world, { asins, workers, documentId, startMs: before.nowMs, slice });
  bulk.meanwhile?.(world);
  const [{ endMs, answered, lost, outcomes }] = await Promise.all([job, world.host.run()]);
  await world.host.stop();
  return {
    ratio: (endMs - before.nowMs) / bulk.ideal(answered),
    ...trafficSince(before, world),
    overran: slicesOverran(outcomes),
    errors: lost,
  };
}

const steady =
  (callsPerSecond: number): Ideal =>
  (completed) =>
    (1_000 * completed) / callsPerSecond;

export function known(callsPerSecond: number, workers: number, rows = ROWS): Bulk {
  const quota = bucketOf(callsPerSecond);
  return { rows, quota, isKnown: true, workers, ideal: steady(callsPerSecond) };
}

/** No answer mentions the limit; only a refusal says when to return. */
export function unknown(callsPerSecond: number, rows = ROWS): Bulk {
  return { ...known(callsPerSecond, 2, rows), isKnown: false, dialect: 'silent' };
}

/** Lasts longer than the slowest of these cases. */
const WIPES = 90;

/** Google may forget its whole cache at any time; here it does so every minute. */
function wipedEachMinute({ host }: World): void {
  const startMs = host.nowMs();
  for (let minute = 1; minute <= WIPES; minute += 1)
    host.at(startMs + minute * MINUTE_MS, () => host.stores.cache.wipe());
}

/** From 5 calls a second down to 2 after ten minutes, and up to 8 after twenty-five. */
const CHANGES = [
  { afterMs: 10 * MINUTE_MS, callsPerSecond: 2 },
  { afterMs: 25 * MINUTE_MS, callsPerSecond: 8 },
];

function changing(): Bulk {
  const changes = CHANGES.map(({ afterMs, callsPerSecond }) => ({
    afterMs,
    quota: bucketOf(callsPerSecond),
  }));
  const ideal: Ideal = (completed) => {
    let [fromMs, callsPerSecond, left] = [0, 5, completed];
    for (const change of CHANGES) {
      const allowed = ((change.afterMs - fromMs) * callsPerSecond) / 1_000;
      if (left <= allowed) break;
      left -= allowed;
      fromMs = change.afterMs;
      callsPerSecond = change.callsPerSecond;
    }
    return fromMs + steady(callsPerSecond)(left);
  };
  return { ...unknown(5), changes, ideal };
}

function scenario(name: string, bulk: Bulk, strategies: Scenario['strategies']): Scenario {
  return {
    cases: [name],
    strategies,
    ideal: { [name]: { ...FLAWLESS, calls: bulk.rows } },
    tell: async (telling) => ({ [name]: await tellBulk(bulk, telling) }),
  };
}

export const BULK: readonly Scenario[] = [
  scenario('bulk-1ps-1w', known(1, 1), ['addOn', ...PEERS]),
  scenario('bulk-5ps-1w', known(5, 1), ['addOn', ...PEERS]),
  scenario('bulk-20ps-1w', known(20, 1), ['addOn', ...PEERS]),
  scenario('bulk-5ps-2w', known(5, 2), ['addOn']),
  scenario('bulk-20ps-2w', known(20, 2), ['addOn']),
  scenario('wiped-5ps-2w', { ...known(5, 2), meanwhile: wipedEachMinute }, ['addOn']),
  scenario('unknown-5ps', unknown(5), ['addOn']),
  scenario('unknown-20ps', unknown(20), ['addOn']),
  scenario('changed-5-2-8', changing(), ['addOn']),
];
