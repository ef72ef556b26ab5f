// One product that the service stumbles over and wants asked again much later: no door waits past its limit.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { FaultName } from '../../playground/api/faults';
import type { SandboxKey } from '../../playground/api/keys';
import { arrivalsOf } from '../../playground/api/state';
import {
  granted,
  runAll,
  SANDBOX,
  type Sheet,
  setState,
  sheetOf,
  startJob,
  US_ASINS,
  workOff,
  worldWith,
} from './bulk-list';
import { formulaWorld } from './formulas-list';
import { schedule, shownNow, strike } from './schedule-list';
import { createWorld, type World } from './world';

let world: World;
afterEach(() => world.stop());

const LIST = US_ASINS.slice(700, 720);
const [BAD = ''] = LIST.slice(6);
const TEN = LIST.slice(0, 10);
const HOUR_MS = 3_600_000;

/** A cell is ended after 30 s. */
const CELL_MS = 30_000;

/** After the time that it was given a door reads, writes and wakes cells. */
const AFTER_MS = 20_000;

/** More cells than it answers in 30 s are soon made. */
const SLOW_QUOTA = { calls: 15, perSeconds: 60, burst: 1 };
const SLOW_KEY: SandboxKey = {
  name: 'slow-key-15-per-minute',
  what: 'a call in 4 s',
  quota: { kind: 'bucket', ...SLOW_QUOTA },
};

/** What is asked for, and how long the failure stands for it, as far as we believe it. */
const CASES = [502, 503].flatMap((status) =>
  (
    [
      ['20', 20_000, 'in about 20 s'],
      ['60', 60_000, 'in about 60 s'],
      ['3600', HOUR_MS, 'in about 60 min'],
      ['1e12', HOUR_MS, 'in about 60 min'],
    ] as const
  ).map(([after, keptMs, when]) => ({ status, after, keptMs, when })),
);

const faulty = (status: number, after: string) => ({
  ...SANDBOX,
  faults: { [BAD]: `${status} after ${after}` as FaultName },
});
const callsFor = (asin: string, to = world) =>
  arrivalsOf(to.service()).filter(({ product }) => product === `US ${asin}`).length;
const later = (ms: number) => world.wait(ms);
const statusOf = (sheet: Sheet, row: number) => String(sheet.byHeader(row)['Analysis status']);
const ROWS = LIST.map((_, at) => at + 2);
const BAD_ROW = 2 + LIST.indexOf(BAD);
const listOf = () => sheetOf(LIST);
const text = (status: number, when: string) =>
  expect.stringMatching(`has a problem .*status ${status}.*Try again ${when}`);

describe.each(CASES)('$status with Retry-After $after', ({ status, after, keptMs, when }) => {
  it('a cell says so at once, and asks again when that time is over', async () => {
    world = createWorld({ sandbox: faulty(status, after) });
    await world.connect();
    const first = await world.show('ANALYZE', BAD, 'US', 'profit');
    expect(first.error?.message).toEqual(text(status, when));
    expect(first.endedMs - first.startedMs).toBeLessThan(CELL_MS / 2);
    await later(keptMs / 2);
    const again = await world.show('ANALYZE', BAD, 'US', 'profit');
    expect(again.error?.message).toEqual(text(status, 'in about'));
    expect(again.error?.message).not.toEqual(text(status, when));
    expect(callsFor(BAD)).toBe(1);
    await later(keptMs);
    await world.show('ANALYZE', BAD, 'US', 'profit');
    expect(callsFor(BAD)).toBe(2);
  });

  it('of ten products in a formula nine are answered, also when it recalculates', async () => {
    world = createWorld({ sandbox: faulty(status, after) });
    await world.connect();
    for (const round of [1, 2]) {
      const range = TEN.map((asin) => [asin]);
      const { value, startedMs, endedMs } = await world.show('ANALYZE', range, 'US', 'profit');
      expect(endedMs - startedMs).toBeLessThan(CELL_MS / 2);
      const shown = (value as unknown[][]).flat();
      expect(shown.filter((one) => typeof one === 'number')).toHaveLength(9);
      expect(shown[TEN.indexOf(BAD)]).toEqual(text(status, round === 1 ? when : 'in about'));
      expect(world.service().arrived).toBe(10);
    }
  });

  it('a job ends, and the row is found among those that failed', async () => {
    const sheet = listOf();
    world = await worldWith(sheet, { sandbox: faulty(status, after) });
    const begun = await startJob(world);
    const beganMs = world.host.nowMs();
    expect(await workOff(world, begun)).toMatchObject({ state: 'done', answered: 19 });
    expect(world.host.nowMs() - beganMs).toBeLessThan(30_000);
    const fine = ROWS.filter((row) => statusOf(sheet, row).startsWith('OK'));
    expect(fine).toHaveLength(19);
    expect(statusOf(sheet, BAD_ROW)).toMatch(/^No answer/);
    expect(callsFor(BAD)).toBe(1);
    // Whoever starts the failed rows again wants them asked.
    await runAll(world, { rows: { kind: 'failed' } });
    expect(callsFor(BAD)).toBe(2);
    expect(world.service().arrived).toBe(21);
  });

  it('five seconds of work on what cells wait for are five seconds', async () => {
    const asins = US_ASINS.slice(800, 812);
    const waiting = asins.at(-1) ?? '';
    const faults = { [waiting]: `${status} after ${after}` as FaultName };
    const cells = formulaWorld([['ASIN', 'As of'], ...asins.map((asin) => [asin, ''])], {
      sandbox: { ...SANDBOX, faults, keys: [SLOW_KEY] },
    });
    world = cells;
    await world.connect({ apiKey: SLOW_KEY.name, quota: SLOW_QUOTA });
    // A formula without a product brings the refresh cell, and uses no call.
    cells.grid.write(cells.sheetId, 2, 3, [[{ formula: '=ANALYZE(F2,,,ANALYZE_REFRESH)' }]]);
    await cells.refresh();
    const formula = (_: string, at: number) =>
      `=IFERROR(ANALYZE(A${at + 2},"US","as_of",ANALYZE_REFRESH),"")`;
    const formulas = asins.map((asin, at) => [{ formula: formula(asin, at) }]);
    cells.grid.write(cells.sheetId, 2, 2, formulas);
    await world.host.run();
    expect(callsFor(waiting)).toBe(0);
    for (let left = 1, works = 0; left > 0; works += 1) {
      const beganMs = world.host.nowMs();
      left = Number(granted(await world.rpc('waiting.work', { maxMs: 5_000 })).left);
      expect(world.host.nowMs() - beganMs).toBeLessThan(5_000 + AFTER_MS);
      expect(works).toBeLessThan(12);
    }
    // Not again before the time that it named.
    const asked = arrivalsOf(world.service()).filter((one) => one.product === `US ${waiting}`);
    const apart = asked.slice(1).map(({ atMs }, at) => atMs - (asked[at]?.atMs ?? 0));
    expect(asked).toHaveLength(1);
    for (const ms of apart) expect(ms).toBeGreaterThanOrEqual(keptMs);
    const shown = cells.column(2, asins.length).filter((one) => one instanceof Date);
    expect(shown).toHaveLength(asins.length - 1);
  });

  it('an hourly schedule refreshes the others every hour of a day, and tries this one as often', async () => {
    const sheet = listOf();
    world = await worldWith(sheet, { sandbox: faulty(status, after) });
    const recurrence = { kind: 'hourly' };
    await schedule(world, 's1', {}, { recurrence, maxAgeHours: 0.5 });
    await world.pass(1.5);
    const before = world.service().arrived;
    const counted = callsFor(BAD);
    await world.pass(24);
    expect(world.service().arrived - before).toBe(24 * LIST.length);
    expect(callsFor(BAD) - counted).toBe(24);
    const fine = ROWS.filter((row) => statusOf(sheet, row).startsWith('OK'));
    expect(fine).toHaveLength(19);
    expect(statusOf(sheet, BAD_ROW)).toMatch(/^No answer/);
    const { last, problem } = await shownNow(world);
    expect(last).toMatchObject({ refreshed: 19, failed: 1 });
    expect(problem).toBeUndefined();
  });
});

it('a check with such a product says when to try again, and waits for nothing', async () => {
  world = createWorld({ sandbox: faulty(503, '3600') });
  await world.connect();
  const beganMs = world.host.nowMs();
  const { failure } = await world.rpc('connection.check', { asin: BAD });
  expect(failure).toMatchObject({ kind: 'service-busy', action: 'Try again in about 60 min.' });
  expect(world.host.nowMs() - beganMs).toBeLessThan(10_000);
});

describe('a service that fails whatever it is asked', () => {
  const START_MS = Date.UTC(2026, 0, 5, 9);
  const down = (hours: number, fault: FaultName) => ({
    ...SANDBOX,
    outages: [{ fromMs: 0, toMs: START_MS + hours * HOUR_MS, fault }],
  });
  const range = TEN.map((asin) => [asin]);

  it('is asked by one wave, and by nobody else before the time it names is over', async () => {
    world = createWorld({ sandbox: down(1, '503 after 3600') });
    await world.connect();
    const { value } = await world.show('ANALYZE', range, 'US', 'profit');
    const asked = world.service().arrived;
    expect(asked).toBeLessThan(10);
    const shown = (value as unknown[][]).flat();
    expect(new Set(shown.map(String)).size).toBe(1);
    expect(shown[0]).toMatch(/waiting for the service.*status 503.*Try again in about 5 min/);
    const other = await world.show('ANALYZE', LIST[15], 'US', 'profit');
    expect(other.error?.message).toMatch(/status 503/);
    expect(world.service().arrived).toBe(asked);
    await later(2 * HOUR_MS);
    expect(granted(await world.rpc('waiting.work', { maxMs: 20_000 }))).toMatchObject({ left: 0 });
    expect(world.service().arrived).toBe(asked + 11);
  });

  it('for a moment is waited for, and then the cell has its answers', async () => {
    world = createWorld({ sandbox: down(10_000 / HOUR_MS, '503 after 15') });
    await world.connect();
    const { value, startedMs, endedMs } = await world.show('ANALYZE', range, 'US', 'profit');
    expect(endedMs - startedMs).toBeGreaterThan(15_000);
    expect(endedMs - startedMs).toBeLessThan(CELL_MS);
    expect((value as unknown[][]).flat().filter((one) => typeof one === 'number')).toHaveLength(10);
  });

  it('for half a minute holds a job up no longer, and is not asked again and again', async () => {
    const sheet = listOf();
    world = await worldWith(sheet, { sandbox: down(40_000 / HOUR_MS, '503 after 1') });
    let now = await runAll(world);
    // The page goes on by itself when the time it was told is over.
    while (now.state === 'blocked') {
      const restMs = Number(now.resumesAtMs) - world.host.nowMs();
      expect(restMs).toBeLessThan(30_000);
      await later(Math.max(0, restMs));
      now = await workOff(world, await setState(world, now.jobId, 'running'));
    }
    expect(now).toMatchObject({ state: 'done', answered: 20, failed: 0 });
    expect(world.host.nowMs() - START_MS).toBeLessThan(120_000);
    const vain = world.service().arrived - 20;
    expect(vain).toBeGreaterThan(0);
    expect(vain).toBeLessThanOrEqual(4 * 8);
  });

  it('holds a run up with all of its rows in their places, and it goes on afterwards', async () => {
    const sheet = listOf();
    world = await worldWith(sheet, { sandbox: down(1, '502 after 3600') });
    const begun = await startJob(world);
    const beganMs = world.host.nowMs();
    const held = await workOff(world, begun);
    expect(world.host.nowMs() - beganMs).toBeLessThan(10_000);
    expect(held).toMatchObject({ state: 'blocked', failed: 0, left: 20 });
    expect(JSON.stringify(held)).toContain('status 502');
    expect(world.service().arrived).toBeLessThan(10);
    await later(HOUR_MS);
    const rest = await setState(world, held.jobId, 'running');
    expect(await workOff(world, rest)).toMatchObject({ state: 'done', answered: 20 });
  });

  it.each(['503 after 20', '503 after 60', '503 after 3600', '429 after 3600'] as const)(
    '(%s) costs the firings of a schedule a minute, and the rows are fresh when it is back',
    async (fault) => {
      const sheet = listOf();
      world = await worldWith(sheet, { sandbox: down(10, fault) });
      await schedule(world, 's1', {}, { recurrence: { kind: 'hourly' }, maxAgeHours: 0.5 });
      for (let hour = 0; hour < 8; hour += 1) {
        const { asked, tookMs } = await strikeTimed();
        expect(asked).toBeLessThan(40);
        expect(tookMs).toBeLessThan(100_000);
        await later(HOUR_MS / 2);
      }
      expect((await shownNow(world)).problem?.message ?? '').toMatch(/status 503|key's limit/);
      // Half an hour away from the next firing.
      await later(10.5 * HOUR_MS);
      const fine = ROWS.filter((row) => statusOf(sheet, row).startsWith('OK'));
      expect(fine).toHaveLength(20);
    },
  );

  async function strikeTimed() {
    const before = world.service().arrived;
    const { startedMs, endedMs } = await strike(world);
    return { asked: world.service().arrived - before, tookMs: endedMs - startedMs };
  }
});
