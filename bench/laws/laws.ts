// The conditions of a world, good and bad: how long things take, whose clock is right, and what
// Google fails at or forgets.

import type { FaultLaw } from 'apps-script-host/faults';
import { createHost, type Host, type HostOptions } from 'apps-script-host/host';
import { type LatencyLaw, MODELLED_LATENCY } from 'apps-script-host/latency';
import type { LatencyLaw as ServiceLaw } from '../../playground/api/state';

/** Everything left out has its usual value. */
export interface Law {
  /** How long the service takes to answer. */
  readonly service?: ServiceLaw;
  /** How long Google's services take. */
  readonly google?: LatencyLaw;
  /** How often they fail for no reason. */
  readonly faults?: FaultLaw;
  /** How far apart the clocks of two executions may be. */
  readonly skewMs?: number;
  /** How often Google forgets everything in its caches. */
  readonly wipeEveryMs?: number;
}

/** Stores that are slower than the usual 20 to 50 ms. */
const SLOW_STORE = { lowest: 80, highest: 400 };
const STORES = /^(cache|properties|lock)\./;

const SLOW_STORES: LatencyLaw = {
  ...MODELLED_LATENCY,
  callMs: (operation, random, cells) =>
    STORES.test(operation)
      ? random.integer(SLOW_STORE.lowest, SLOW_STORE.highest)
      : MODELLED_LATENCY.callMs(operation, random, cells),
};

const SIGMA = 0.35;

/** The share of failing calls that fail twice in a row. */
const AGAIN_SHARE = 0.1;

export const LAWS = {
  base: {},
  'fast-service': { service: { medianMs: 80, sigma: SIGMA } },
  'service-1500ms': { service: { medianMs: 1_500, sigma: SIGMA } },
  'service-4s': { service: { medianMs: 4_000, sigma: SIGMA } },
  'heavy-tail': { service: { medianMs: 250, sigma: 1.2 } },
  'slow-stores': { google: SLOW_STORES },
  'clock-skew': { skewMs: 1_500 },
  'failing-locks': { faults: { rate: 0.05, againShare: AGAIN_SHARE, services: ['lock'] } },
  'cache-storms': { wipeEveryMs: 60_000 },
  'passing-faults': { faults: { rate: 0.005, againShare: AGAIN_SHARE } },
} as const satisfies Record<string, Law>;

export type LawName = keyof typeof LAWS;

/** Evaluated before the script: gives each execution a clock of its own, ahead or behind. */
export const skewed = (skewMs: number): string => `{
  const aheadMs = Math.round((Math.random() - 0.5) * ${skewMs});
  const HostDate = Date;
  const nowMs = () => HostDate.now() + aheadMs;
  Date = new Proxy(HostDate, {
    construct: (target, args, made) =>
      Reflect.construct(target, args.length === 0 ? [nowMs()] : args, made),
    apply: () => String(new HostDate(nowMs())),
    get: (target, member) => (member === 'now' ? nowMs : Reflect.get(target, member)),
  });
}`;

type World = HostOptions & { readonly dist: { readonly code: string } };

/** A host in virtual time under a law. */
export function createHostUnder(
  { google, faults, skewMs, wipeEveryMs = Number.POSITIVE_INFINITY }: Law,
  options: Omit<World, 'clock'>,
): Host {
  const { code } = options.dist;
  let forgottenMs: number | undefined;
  const host = createHost({
    ...options,
    clock: 'virtual',
    sheetsFailUnderLock: true,
    dist: { ...options.dist, code: skewMs === undefined ? code : `${skewed(skewMs)}\n${code}` },
    ...(google === undefined ? {} : { latency: google }),
    ...(faults === undefined ? {} : { faults }),
    // A cache is only visible through calls, and this runs before a call takes effect.
    observe: (call) => {
      forgottenMs ??= call.atMs;
      if (call.atMs >= forgottenMs + wipeEveryMs) {
        host.stores.cache.wipe();
        forgottenMs += wipeEveryMs * Math.floor((call.atMs - forgottenMs) / wipeEveryMs);
      }
      options.observe?.(call);
    },
  });
  return host;
}
