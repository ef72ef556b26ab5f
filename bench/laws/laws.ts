// Good and bad laws of a world: how long the service and Google's stores take.

import { type LatencyLaw, MODELLED_LATENCY } from 'apps-script-host/latency';
import type { LatencyLaw as ServiceLaw } from '../../playground/api/state';

/** Stores that take so much longer than the usual 20 to 50 ms. */
const SLOW_STORE = { lowest: 80, highest: 400 };
const STORES = /^(cache|properties|lock)\./;

const SLOW_STORES: LatencyLaw = {
  ...MODELLED_LATENCY,
  callMs: (operation, random, cells) =>
    STORES.test(operation)
      ? random.integer(SLOW_STORE.lowest, SLOW_STORE.highest)
      : MODELLED_LATENCY.callMs(operation, random, cells),
};

export interface Law {
  readonly service?: ServiceLaw;
  readonly host?: LatencyLaw;
}

const SIGMA = 0.35;

export const LAWS = {
  base: {},
  'fast-service': { service: { medianMs: 80, sigma: SIGMA } },
  'service-1500ms': { service: { medianMs: 1_500, sigma: SIGMA } },
  'service-4s': { service: { medianMs: 4_000, sigma: SIGMA } },
  'heavy-tail': { service: { medianMs: 250, sigma: 1.2 } },
  'slow-stores': { host: SLOW_STORES },
} as const satisfies Record<string, Law>;

export type LawName = keyof typeof LAWS;
