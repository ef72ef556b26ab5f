// A run that everybody closed the sidebar on: whose clock goes on with it, and how soon.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { HostOptions } from '../../playground/host/host-contract';
import { granted, SANDBOX, sheetOf, startRun, US_ASINS } from './bulk-list';
import { createWorld, type World } from './world';

let world: World;
afterEach(() => world.stop());

const MINUTE_MS = 60_000;
const OTHER = 'other@example.com';

async function leftAlone(host: Partial<HostOptions> = {}, sharing = 'me'): Promise<object> {
  const sheet = sheetOf([['ASIN'], ...US_ASINS.slice(0, 30).map((asin) => [asin])]);
  const document = { ...sheet.document, editors: [OTHER] };
  world = createWorld({ sandbox: SANDBOX, host: { ...host, documents: [document] } });
  await world.connect({ sharing });
  const run = await startRun(world);
  await world.host.run(world.host.nowMs() + 2 * MINUTE_MS);
  return run;
}

const status = async () => granted(await world.rpc('bulk.status'));

describe('a run that was left alone', () => {
  it('is gone on with within minutes where the script belongs to the spreadsheet', async () => {
    const limits = { firingsApartMs: MINUTE_MS, triggersPerDocument: 20 };
    expect(await leftAlone({ limits })).toMatchObject({ rescueMinutes: 10 });
    expect(await status()).toMatchObject({ state: 'interrupted', left: 30 });
    await world.host.run(world.host.nowMs() + 14 * MINUTE_MS);
    expect(await status()).toMatchObject({ state: 'finished', answered: 30 });
    expect(world.service().arrived).toBe(30);
  });

  it.each(['me', 'spreadsheet'])(
    "is left to the clock of its person, not to another's (key for %s)",
    async (sharing) => {
      await leftAlone({}, sharing);
      const clock = { functionName: 'onSchedule', args: [], door: 'clock' } as const;
      const ofOther = world.host.start({ ...clock, userEmail: OTHER });
      await world.host.run(world.host.nowMs() + MINUTE_MS);
      expect((await ofOther).ended).toBe('returned');
      expect(await status()).toMatchObject({ state: 'interrupted', left: 30 });
      const own = world.host.start(clock);
      await world.host.run(world.host.nowMs() + MINUTE_MS);
      expect((await own).ended).toBe('returned');
      expect(await status()).toMatchObject({ state: 'finished', answered: 30 });
    },
  );
});
