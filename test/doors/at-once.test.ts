// Two people who change one spreadsheet's connection at once: nothing taken back returns, nothing shared is lost.

import { afterEach, describe, expect, it } from '@jest/globals';
import { BASE_URL, createWorld, DEMO, documentOf, type World } from './world';

const HELPER = 'helper@example.com';

/** Of virtual time: longer than a check takes, in steps shorter than a call of a store. */
const SWEEP_MS = 1_596;
const STEP_MS = 12;

/** The owner's call comes so much before the helper's at first. */
const AHEAD_MS = 500;

/** One pair of people after the other. */
const PACE_MS = 10_000;

const DELAYS = Array.from({ length: SWEEP_MS / STEP_MS }, (_, i) => i * STEP_MS);

let world: World;
afterEach(() => world.stop());

/**
 * In a spreadsheet for each delay: its owner connects a key, a helper calls, and the owner calls, at
 * first before that and in the end after it. Gives the delays after which the spreadsheet's record is not as it should be.
 */
async function wrongAfter(
  sharing: 'me' | 'spreadsheet',
  helpers: string,
  owners: readonly [method: string, payload: object],
  isRight: (shared: string | undefined) => boolean,
): Promise<readonly number[]> {
  const documents = DELAYS.map((delayMs) => documentOf(`sheet-${delayMs}`));
  world = createWorld({ host: { documents, workers: 4 } });
  const { host } = world;
  const startMs = host.nowMs();
  const save = { baseUrl: BASE_URL, ...DEMO, sharing };
  DELAYS.forEach((delayMs, i) => {
    const call = { functionName: 'rpc', door: 'sidebar', documentId: `sheet-${delayMs}` } as const;
    const userEmail = `owner-${delayMs}@example.com`;
    const atMs = startMs + i * PACE_MS;
    void host.start({ ...call, args: ['connection.save', save], userEmail }, atMs);
    void host.start(
      { ...call, args: [helpers, {}], userEmail: HELPER },
      atMs + PACE_MS / 2 + AHEAD_MS,
    );
    void host.start({ ...call, args: owners, userEmail }, atMs + PACE_MS / 2 + delayMs);
  });
  await host.run();
  const recordOf = (delayMs: number) =>
    host.stores.properties.read(`document/sheet-${delayMs}`).connection;
  return DELAYS.filter((delayMs) => !isRight(recordOf(delayMs)));
}

describe('a key that is taken back', () => {
  it('stays away, whenever a check by somebody else settles what it found', async () => {
    const owners = ['connection.clear', {}] as const;
    const isGone = (shared: string | undefined) => shared === undefined;
    expect(await wrongAfter('spreadsheet', 'connection.check', owners, isGone)).toEqual([]);
  });
});

describe('a key that is shared', () => {
  it('stays, whenever somebody else switches samples on', async () => {
    const owners = ['connection.share', { sharing: 'spreadsheet' }] as const;
    const isThere = (shared = '') => shared.includes(DEMO.apiKey);
    expect(await wrongAfter('me', 'demo.start', owners, isThere)).toEqual([]);
  });
});
