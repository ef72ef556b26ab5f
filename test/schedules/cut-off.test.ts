// A firing that is cut off, at any of its calls: every change is logged once or told, and nothing
// that was answered is asked again.

import { afterEach, describe, expect, it } from '@jest/globals';
import { granted } from '../doors/bulk-list';
import {
  GOOD,
  history,
  type Scheduled,
  scheduledWorld,
  shownNow,
  strike,
} from '../doors/schedule-list';

const RULES = [{ kind: 'no-longer-eligible' }];
const AT_SIX = Date.UTC(2026, 0, 6, 6, 10);
const HOUR_MS = 3_600_000;
const COUNT = 12;

/** The service may have been asked for a wave whose answers nobody could keep. */
const WAVE = 10;

let world: Scheduled;
afterEach(() => world.stop());

/** The morning of a day on which every product is no longer eligible, with the trigger held back. */
async function morning(rules: readonly object[] = RULES): Promise<void> {
  world = await scheduledWorld({ rules }, { count: COUNT });
  for (const asin of world.asins) world.sent[asin] = { ...GOOD, eligible: false };
  world.host.stores.triggers.disable('owner@example.com');
  await world.host.run(AT_SIX);
}

/** With the log made, it is 232 calls; the first figures are written at call 153. */
const CALLS_OF_A_FIRING = 240;
const EACH = 3;
const KILLED_AT = Array.from({ length: CALLS_OF_A_FIRING / EACH }, (_, at) => 1 + EACH * at);

describe('a firing that is cut off', () => {
  it.each(KILLED_AT)('at call %d loses nothing without a word', async (killAtCall) => {
    await morning();
    await strike(world, { killAtCall });
    await world.host.run(AT_SIX + HOUR_MS);
    await strike(world);
    await world.host.run(AT_SIX + 2 * HOUR_MS);
    await strike(world);

    const calls = world.asins.map((asin) => world.callsOf(asin));
    expect(Math.min(...calls)).toBe(1);
    expect(calls.filter((count) => count > 1).length).toBeLessThanOrEqual(WAVE);
    expect(await shownNow(world)).toMatchObject({ isUnderWay: false, last: { outcome: 'done' } });
    for (const row of world.tab())
      expect(row).toMatchObject({ Status: 'OK', Eligible: 'No', 'Wanted since': '' });

    const logged = (world.logged() ?? []).filter(([asin]) => asin !== '');
    const products = logged.map(([asin]) => asin);
    expect(products).toEqual([...new Set(products)]);
    const isTold = JSON.stringify(await history(world)).includes('may be missing in the log');
    if (products.length < COUNT) expect(isTold).toBe(true);
  });

  it('leaves nothing in the way of a person after three minutes', async () => {
    await morning();
    await strike(world, { killAtCall: CALLS_OF_A_FIRING / 2 });
    await world.wait(200_000);
    const { choice } = granted(await world.rpc('list.look'));
    expect(await world.rpc('jobs.start', choice)).toMatchObject({ ok: true });
  });
});

describe('a firing in which Google fails as figures are written and logged', () => {
  /** The number of the firing's last call of this kind. */
  async function lastCall(kind: RegExp): Promise<number> {
    await morning([]);
    await strike(world);
    const trace = world.host.trace();
    const firing = /#\d+ /.exec(trace[trace.length - 1] ?? '')?.[0] ?? '';
    const calls = trace.filter((line) => line.includes(`${firing}call `));
    await world.stop();
    return calls.findLastIndex((line) => kind.test(line)) + 1;
  }

  it.each([
    ['the writing', /write\.setValues 1!/],
    ['the look at whose figures they are', /properties\.get user connection/],
  ])('at %s tells that changes are missing', async (_, kind) => {
    const atCall = await lastCall(kind);
    await morning([]);
    await strike(world, { faults: [{ atCall, when: 'after', times: 2 }] });
    for (const row of world.tab()) expect(row).toMatchObject({ Eligible: 'No' });
    expect(world.logged() ?? []).toEqual([]);
    expect(await history(world)).toMatchObject([
      { outcome: 'done', refreshed: COUNT, changes: 0, problem: { kind: 'google-busy' } },
    ]);
  });
});
