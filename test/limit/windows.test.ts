// Services that count calls in windows of time: however executions fall into them, none is refused.

import { describe, expect, it } from '@jest/globals';
import type { Execution } from 'apps-script-host/host';
import * as fc from 'fast-check';
import type { Quota } from '../../playground/api/limits';
import { arrivalsOf, refusalsOf } from '../../playground/api/state';
import { createWorld } from '../doors/world';

/** Each makes a dozen threads, and calls for minutes of virtual time. */
const RUNS = 4;

const API_KEY = 'demo-key-window';

const asinOf = (i: number) => `B0P${String(i).padStart(7, '0')}`;

/** What happens in the sheet, `afterMs` after it was connected. */
type Event = Pick<Execution, 'functionName' | 'args' | 'door'> & { readonly afterMs: number };

/** Within so many minutes that windows begin and end between the executions. */
const moment = fc.nat(480_000);

/** A lone cell, a range, many cells at once, or the open sidebar. */
const happening = fc.oneof(
  fc.record({ what: fc.constant('cell'), afterMs: moment }),
  fc.record({ what: fc.constant('range'), afterMs: moment }),
  fc.record({ what: fc.constant('crowd'), afterMs: moment }),
  fc.record({ what: fc.constant('sidebar'), afterMs: moment }),
);

const RANGE_ROWS = 20;
const CROWD_CELLS = 12;

/** Every product is another one, so nothing is answered by the cache. */
function eventsOf(happenings: readonly { what: string; afterMs: number }[]): readonly Event[] {
  return happenings.flatMap(({ what, afterMs }, i): readonly Event[] => {
    const products = (count: number) =>
      Array.from({ length: count }, (_, n) => asinOf(100 * i + n));
    const cell = (asin: unknown): Event => {
      return { functionName: 'ANALYZE', args: [asin, 'US'], door: 'cell', afterMs };
    };
    if (what === 'cell') return products(1).map(cell);
    if (what === 'crowd') return products(CROWD_CELLS).map(cell);
    if (what === 'range') return [cell(products(RANGE_ROWS).map((asin) => [asin]))];
    const args = ['waiting.work', { maxMs: 60_000 }];
    return [{ functionName: 'rpc', args, door: 'sidebar', afterMs }];
  });
}

describe.each(['calendar', 'sliding'] as const)('calls counted by the %s window', (kind) => {
  it('are never one too many, whoever calls when', async () => {
    const period = fc.constantFrom([60, 60], [10, 60], [30, 10], [5, 1], [1, 2]);
    await fc.assert(
      fc.asyncProperty(
        fc.array(happening, { minLength: 6, maxLength: 14 }),
        period,
        fc.nat(1_000_000),
        async (happenings, [calls = 1, perSeconds = 1], seed) => {
          const quota: Quota = { kind, calls, perSeconds };
          const keys = [{ name: API_KEY, what: 'counts in windows', quota }];
          const world = createWorld({ sandbox: { seed, keys }, host: { seed } });
          await world.connect({ apiKey: API_KEY, quota: { calls, perSeconds } });
          const nowMs = world.host.nowMs();
          const started = eventsOf(happenings).map(({ afterMs, ...event }) =>
            world.host.start(event, nowMs + afterMs),
          );
          await world.host.run();
          const outcomes = await Promise.all(started);
          await world.stop();
          expect(refusalsOf(world.service())).toBe(0);
          expect(outcomes.filter(({ ended }) => ended === 'timedOut')).toEqual([]);
          const worked = happenings.some(({ what }) => what !== 'sidebar');
          expect(arrivalsOf(world.service()).length > 0).toBe(worked);
        },
      ),
      { numRuns: RUNS },
    );
  });
});
