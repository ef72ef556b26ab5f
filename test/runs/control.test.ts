// What becomes of a run: it is paused, goes on, waits, is rescued by the clock, and leaves rows as they were.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { HostOptions } from 'apps-script-host/host-contract';
import { createSandboxedInternet, withState } from 'apps-script-host/internet/sandboxed';
import { createState, handle } from '../../playground/api/handle';
import type { SandboxKey } from '../../playground/api/keys';
import type { FailedRows } from '../../src/sidebar/api/runs';
import { failedWords } from '../../src/sidebar/page/analyze/texts';
import {
  check,
  choiceOf,
  granted,
  look,
  runAll,
  runOn,
  SANDBOX,
  type Sheet,
  sheetOf,
  startRun,
  US_ASINS,
} from '../doors/bulk-list';
import { pass, schedule, shownNow } from '../doors/schedule-list';
import {
  BASE_URL,
  createWorld,
  type Envelope,
  type World,
  type WorldOptions,
} from '../doors/world';
import { saidIn } from '../table/status-cells';

let world: World;

afterEach(() => world.stop());

const MINUTE_MS = 60_000;

// What people do to a run: pause it, go on, stop it, retry what failed, and start a second one.
describe('what people do to a run', () => {
  const LIST = US_ASINS.slice(100, 200);

  async function worldWith(sheet: Sheet, sandbox: WorldOptions['sandbox'] = {}): Promise<World> {
    world = createWorld({
      sandbox: { ...SANDBOX, ...sandbox },
      host: { documents: [sheet.document] },
    });
    await world.connect();
    return world;
  }

  const list = () => sheetOf([['ASIN'], ...LIST.map((asin) => [asin])]);

  /** Starts a call while a slice is under way, `afterMs` after it began, and gives both envelopes. */
  async function during(runId: unknown, afterMs: number, method: string) {
    const rpc = (name: string, payload: object) =>
      ({ functionName: 'rpc', args: [name, payload], door: 'sidebar' }) as const;
    const beganMs = world.host.nowMs();
    const slice = world.host.start(rpc('bulk.run', { runId, worker: 0, maxMs: 300_000 }));
    const call = world.host.start(rpc(method, { runId }), beganMs + afterMs);
    await world.host.run();
    const [sliceEnd, callEnd] = [await slice, await call];
    return { sliceEnd, callEnd };
  }

  describe('a pause', () => {
    it('ends the slice soon, with what was answered written, and the run goes on from there', async () => {
      const sheet = list();
      await worldWith(sheet);
      const { runId } = await startRun(world);
      const { sliceEnd, callEnd } = await during(runId, 8_000, 'bulk.pause');
      expect(sliceEnd.endedMs - callEnd.endedMs).toBeLessThan(2_500);
      const paused = granted(await world.rpc('bulk.status'));
      expect(paused).toMatchObject({ state: 'paused', rows: 100 });
      expect(Number(paused.answered)).toBeGreaterThan(20);
      expect(granted(await world.rpc('bulk.resume', { runId }))).toMatchObject({
        state: 'running',
      });
      const end = await runOn(world, runId);
      expect(end).toMatchObject({ state: 'finished', answered: 100, calls: 100 });
    });
  });

  describe('a stop', () => {
    it('keeps what was written, takes the marks away and is noted in the log', async () => {
      const sheet = list();
      await worldWith(sheet);
      const { runId } = await startRun(world);
      await during(runId, 8_000, 'bulk.stop');
      const { runs } = granted(await world.rpc('bulk.history'));
      expect(runs).toMatchObject([{ outcome: 'stopped', isMine: true, rows: 100 }]);
      const statuses = sheet
        .values()
        .slice(1)
        .map((row) => saidIn(row[6]).replace(/ .*/, ''));
      expect(new Set(statuses)).toEqual(new Set(['OK', '']));
      expect((await world.rpc('bulk.run', { runId, worker: 0, maxMs: 1_000 })).value).toMatchObject(
        {
          againInMs: null,
        },
      );
    });
  });

  describe('a stop while calls are on their way', () => {
    it('is told with all that was done, in the status and among past runs', async () => {
      const sheet = list();
      await worldWith(sheet);
      const { runId } = await startRun(world);
      const { callEnd } = await during(runId, 8_000, 'bulk.stop');
      const reply = granted(callEnd.value as Envelope);
      expect(reply).toMatchObject({ state: 'stopping', answered: expect.any(Number) });
      expect(Number(reply.answered)).toBeGreaterThan(0);
      const answered = sheet.values().filter((row) => saidIn(row[6]).startsWith('OK')).length;
      const calls = world.service().arrived;
      const status = { state: 'stopped', answered, left: 100 - answered, calls };
      expect(granted(await world.rpc('bulk.status'))).toMatchObject(status);
      const { runs } = granted(await world.rpc('bulk.history'));
      expect(runs).toMatchObject([{ outcome: 'stopped', calls }]);
    });

    it('is told with what a worker did that was cut off', async () => {
      await worldWith(list());
      const { runId } = await startRun(world);
      const worker = {
        functionName: 'rpc',
        args: ['bulk.run', { runId, worker: 0, maxMs: 20_000 }],
      };
      void world.host.start({ ...worker, door: 'sidebar', killAtCall: 90 });
      await world.host.run();
      const calls = Number(granted(await world.rpc('bulk.status')).calls);
      expect(calls).toBeGreaterThan(0);
      expect(granted(await world.rpc('bulk.stop', { runId }))).toMatchObject({ calls });
      const { runs } = granted(await world.rpc('bulk.history'));
      expect(runs).toMatchObject([{ outcome: 'stopped', calls }]);
    });
  });

  describe('rows that failed', () => {
    it('are retried alone, by kind', async () => {
      const [down = ''] = LIST;
      const sheet = list();
      await worldWith(sheet, { faults: { [down]: 'crash' } });
      const { runId } = await startRun(world);
      const end = await runOn(world, runId);
      const [failure] = end.failures as { kind: string }[];
      expect(end).toMatchObject({ answered: 99, failed: 1 });
      const again = await world.rpc('bulk.retry', { runId, kinds: [failure?.kind] });
      expect(granted(again)).toMatchObject({ rows: 1, state: 'running' });
    });

    it('are told by kind, with what each needs', async () => {
      const faulty = ['B0NOTFOUND', 'B0EMPTY000', 'B0SILENCE0', 'B0REDIRECT', 'tea'];
      await worldWith(sheetOf([['ASIN'], ...[...LIST.slice(0, 9), ...faulty].map((one) => [one])]));
      const { runId } = await startRun(world);
      const end = await runOn(world, runId);
      expect(end).toMatchObject({ state: 'finished', answered: 9, failed: 5 });
      const told = (end.failures as FailedRows[])
        .map(failedWords)
        .map(({ kind, action, canRetry }) => [kind, canRetry, action]);
      expect(told).toHaveLength(4);
      expect(told).toEqual(
        expect.arrayContaining([
          ['bad-asin', false, 'Correct them, then run the rows that failed before.'],
          ['not-found', false, 'Check the ASIN and the market.'],
          ['timed-out', true, 'Try again later.'],
          // An empty body and a redirect from an address that has just answered.
          ['service-busy', true, 'Try again later.'],
        ]),
      );
    });

    it('are no fresh ones in a preview: it counts the calls that the run makes', async () => {
      const [down = ''] = LIST;
      await worldWith(list(), { faults: { [down]: 'crash' } });
      const { runId } = await startRun(world);
      await runOn(world, runId);
      const failed = { ...(await choiceOf(world)), rows: { kind: 'failed' } };
      const preview = granted(await world.rpc('bulk.preflight', failed));
      expect(preview).toMatchObject({ rows: 1, products: 1, fresh: 0, calls: 1 });
    });

    it('are asked again at once, though the failure is still in the cache, and choices stay', async () => {
      const [down = ''] = LIST;
      await worldWith(list(), { faults: { [down]: 'crash' } });
      const { runId } = await startRun(world);
      const end = await runOn(world, runId);
      const kinds = (end.failures as { kind: string }[]).map(({ kind }) => kind);
      const { arrived } = world.service();
      const again = granted(await world.rpc('bulk.retry', { runId, kinds }));
      await runOn(world, again.runId);
      expect(world.service().arrived).toBeGreaterThan(arrived);
      expect(granted(await world.rpc('bulk.look'))).toMatchObject({
        choice: { rows: { kind: 'all' } },
      });
    });
  });

  describe('a second person', () => {
    it('is told who runs what', async () => {
      const sheet = list();
      const document = { ...sheet.document, editors: ['other@example.com'] };
      world = createWorld({ sandbox: SANDBOX, host: { documents: [document] } });
      await world.connect();
      const choice = await choiceOf(world);
      granted(await world.rpc('bulk.start', choice));
      const { failure } = await world.rpc('bulk.start', choice, 'other@example.com');
      expect(failure).toMatchObject({ kind: 'run' });
      expect(failure?.message).toMatch(
        /^Someone else has a run over 100 rows of "Sheet1", started about \d+ s ago/,
      );
    });
  });

  describe('a run that was left alone', () => {
    it('is gone on with by the clock, which asks nothing twice', async () => {
      const sheet = list();
      await worldWith(sheet);
      const { runId, rescueMinutes } = await startRun(world);
      expect(rescueMinutes).toBe(60);
      const slice = {
        functionName: 'rpc',
        args: ['bulk.run', { runId, worker: 0, maxMs: 300_000 }],
      };
      const cut = world.host.start({ ...slice, door: 'sidebar', killAtCall: 120 });
      await world.host.run();
      expect((await cut).ended).toBe('killed');
      await world.host.run(world.host.nowMs() + 120_000);
      expect(granted(await world.rpc('bulk.status'))).toMatchObject({ state: 'interrupted' });
      const clock = world.host.start({ functionName: 'onSchedule', args: [], door: 'clock' });
      await world.host.run();
      expect((await clock).ended).toBe('returned');
      expect(granted(await world.rpc('bulk.status'))).toMatchObject({ state: 'finished', left: 0 });
      expect(world.service().arrived).toBeLessThan(100 + 60);
    });
  });

  describe('slow answers', () => {
    const SLOW = { latency: { medianMs: 3_000, sigma: 0.35 } };
    const DOOR = { functionName: 'rpc', door: 'sidebar' } as const;

    /** The calls of a page that drives all workers, each one as long as the server wants more. */
    async function drive(
      runId: unknown,
      count: number,
      {
        killed,
        maxMs = 300_000,
      }: { killed?: { worker: number; call: number }; maxMs?: number } = {},
    ) {
      const states: unknown[] = [];
      const workers = Array.from({ length: count }, (_, worker) => worker);
      const work = async (worker: number): Promise<void> => {
        for (let slices = 0; ; slices += 1) {
          const kill = killed?.worker === worker && slices === 0;
          const { value, ended } = await world.host.start({
            ...{ ...DOOR, args: ['bulk.run', { runId, worker, maxMs }] },
            ...(kill && { killAtCall: killed.call }),
          });
          const reply = value as { value?: { againInMs: number | null } } | undefined;
          const againInMs = ended === 'killed' ? 2_000 : reply?.value?.againInMs;
          if (typeof againInMs !== 'number') return;
          await new Promise<void>((wake) => world.host.at(world.host.nowMs() + againInMs, wake));
        }
      };
      let isOver = false;
      const all = Promise.all(workers.map(work)).then(() => {
        isOver = true;
      });
      while (!isOver) {
        const look = world.host.start({ ...DOOR, args: ['bulk.status', {}] });
        await world.host.run(world.host.nowMs() + 500);
        await new Promise((next) => setImmediate(next));
        await world.host.run(world.host.nowMs() + 500);
        await new Promise((next) => setImmediate(next));
        const envelope = (await look).value as { value: { state: string } };
        states.push(envelope.value.state);
      }
      await all;
      return new Set(states);
    }

    async function started(): Promise<{ runId: unknown; workers: number; sheet: Sheet }> {
      const sheet = list();
      await worldWith(sheet, SLOW);
      const { runId, workers } = await startRun(world);
      return { runId, workers: Number(workers), sheet };
    }

    it('are waited for by several workers, and no product is asked twice', async () => {
      const { runId, workers } = await started();
      expect(workers).toBeGreaterThan(2);
      const beganMs = world.host.nowMs();
      const states = await drive(runId, workers);
      // One worker took 80 s, and seemed to be cut off while its waves were out.
      expect(world.host.nowMs() - beganMs).toBeLessThan(45_000);
      expect([...states]).toEqual(['running', 'finished']);
      expect(granted(await world.rpc('bulk.status'))).toMatchObject({
        ...{ state: 'finished', answered: 100, failed: 0, left: 0, calls: 100, cached: 0 },
      });
      expect(world.service().arrived).toBe(100);
      expect(granted(await world.rpc('bulk.history'))).toMatchObject({ runs: [{ calls: 100 }] });
    });

    it.each([5_000, 8_000, 20_000])('are counted to the call in slices of %i ms', async (maxMs) => {
      const { runId, workers } = await started();
      const states = await drive(runId, workers, { maxMs });
      expect([...states]).toEqual(['running', 'finished']);
      expect(granted(await world.rpc('bulk.status'))).toMatchObject({
        ...{ state: 'finished', answered: 100, failed: 0, left: 0, calls: 100, cached: 0 },
      });
      expect(world.service().arrived).toBe(100);
    });

    it.each([1, 2])('are not lost with worker %i, but for those on their way', async (worker) => {
      const { runId, workers } = await started();
      await drive(runId, workers, { killed: { worker, call: 30 } });
      expect(granted(await world.rpc('bulk.status'))).toMatchObject({
        ...{ state: 'finished', answered: 100, left: 0 },
      });
      expect(world.service().arrived).toBeLessThanOrEqual(100 + 8);
    });

    it.each([40, 60, 90])('are found by the next writer where one is cut off', async (call) => {
      const { runId, workers } = await started();
      await drive(runId, workers, { killed: { worker: 0, call } });
      expect(granted(await world.rpc('bulk.status'))).toMatchObject({ state: 'finished', left: 0 });
      expect(world.service().arrived).toBe(100);
    });

    it('are awaited by a pause, written, and counted', async () => {
      const { runId, workers } = await started();
      const pausedMs = world.host.nowMs() + 9_000;
      void world.host.start({ ...DOOR, args: ['bulk.pause', { runId }] }, pausedMs);
      await drive(runId, workers);
      const paused = granted(await world.rpc('bulk.status'));
      expect(paused).toMatchObject({ state: 'paused', calls: world.service().arrived });
      expect(paused.answered).toBe(paused.calls);
      granted(await world.rpc('bulk.resume', { runId }));
      await drive(runId, workers);
      expect(granted(await world.rpc('bulk.status'))).toMatchObject({
        ...{ state: 'finished', answered: 100, calls: 100 },
      });
      expect(world.service().arrived).toBe(100);
    });
  });
});

// What a run has not got to is left as it was, however the run ended: status, time, why it failed.
describe('what a run has not got to', () => {
  const [DOWN = '', ...OTHERS] = US_ASINS.slice(30, 110);

  const MISTYPED = 'B0-WRONG';

  const SIX_HOURS_MS = 6 * 3_600_000;

  /** Products that are answered, one that fails, one that cannot be read; run once, long ago. */
  async function analyzed(
    lines: readonly string[] = [...OTHERS, DOWN, MISTYPED],
    sandbox: WorldOptions['sandbox'] = {},
  ): Promise<Sheet> {
    const sheet = sheetOf([['ASIN'], ...lines.map((asin) => [asin])]);
    world = createWorld({
      sandbox: { ...SANDBOX, faults: { [DOWN]: 'crash' }, ...sandbox },
      host: { documents: [sheet.document] },
    });
    await world.connect();
    await runAll(world);
    await world.host.run(world.host.nowMs() + SIX_HOURS_MS + 60_000);
    return sheet;
  }

  const rpc = (name: string, payload: object) =>
    ({ functionName: 'rpc', args: [name, payload], door: 'sidebar' }) as const;

  const text = (sheet: Sheet) => sheet.values().map((row) => row.map(String).join(' | '));

  describe('a run that is stopped', () => {
    it('before its first call leaves every row as it was', async () => {
      const sheet = await analyzed();
      const before = text(sheet);
      const { runId } = await startRun(world);
      expect(text(sheet)).not.toEqual(before);
      granted(await world.rpc('bulk.stop', { runId }));
      expect(text(sheet)).toEqual(before);
    });

    it('midway leaves the rows it has not got to, and they are found by what they were', async () => {
      const sheet = await analyzed();
      const before = text(sheet);
      const failed = await check(world, { rows: { kind: 'failed' } });
      expect(failed).toMatchObject({ rows: 2, products: 1 });
      const { runId } = await startRun(world);
      const slice = world.host.start(rpc('bulk.run', { runId, worker: 0, maxMs: 300_000 }));
      world.host.start(rpc('bulk.stop', { runId }), world.host.nowMs() + 9_500);
      await world.host.run();
      await slice;
      const after = text(sheet);
      const changed = after.flatMap((row, at) => (row === before[at] ? [] : [at]));
      expect(changed.length).toBeGreaterThan(0);
      expect(changed.length).toBeLessThan(OTHERS.length);
      expect(Math.max(...changed)).toBe(changed.length);
      expect(await check(world, { rows: { kind: 'failed' } })).toMatchObject({
        rows: 2,
        products: 1,
      });
      expect(
        (await world.rpc('bulk.preflight', await choiceOf(world, { rows: { kind: 'empty' } })))
          .failure,
      ).toMatchObject({ message: 'Every row has its figures. Choose other rows.' });
    });

    it('gives back what stood in a row wherever the row is by now', async () => {
      const sheet = await analyzed();
      const before = text(sheet).slice(1).sort();
      const { runId } = await startRun(world);
      sheet.grid.insertRows(sheet.id, 5, 2);
      sheet.grid.deleteRows(sheet.id, 2, 1);
      const width = sheet.values()[0]?.length ?? 0;
      const rows = sheet.values().slice(1);
      sheet.grid.write(
        sheet.id,
        2,
        1,
        [...rows].reverse().map((row) => row.slice(0, width)),
      );
      granted(await world.rpc('bulk.stop', { runId }));
      const filled = text(sheet)
        .slice(1)
        .filter((row) => /[^ |]/.test(row));
      expect(filled.sort()).toEqual(before.filter((row) => !row.startsWith(String(OTHERS[0]))));
    });
  });

  describe('a run that an outage stops', () => {
    it('leaves what it has not got to, once somebody stops it', async () => {
      const outages = [{ fromMs: Date.UTC(2026, 0, 5, 12), toMs: Number.MAX_SAFE_INTEGER }];
      const sheet = await analyzed([...OTHERS, DOWN, MISTYPED], { outages });
      const before = text(sheet);
      const { runId } = await startRun(world);
      const held = await runOn(world, runId);
      expect(held).toMatchObject({ state: 'stuck', problem: { kind: 'run' } });
      // The product that cannot be read is told at once.
      const reached = Number(held.failed) - 1;
      expect(reached).toBeGreaterThan(0);
      expect(reached).toBeLessThan(OTHERS.length);
      granted(await world.rpc('bulk.stop', { runId }));
      const figures = (lines: readonly string[]) =>
        lines.map((row) => row.split(' | ').slice(0, 6));
      expect(text(sheet).slice(1 + reached)).toEqual(before.slice(1 + reached));
      // A row that was tried in vain says so, beside the figures that were there.
      expect(figures(text(sheet))).toEqual(figures(before));
      expect(await check(world, { rows: { kind: 'failed' } })).toMatchObject({ rows: reached + 2 });
    });
  });

  describe('a run that was cut off', () => {
    it.each([5, 20, 40, 60, 90])(
      'at call %i and is given up leaves no mark',
      async (killAtCall) => {
        const sheet = await analyzed();
        const before = text(sheet);
        const { runId } = await startRun(world);
        const slice = rpc('bulk.run', { runId, worker: 0, maxMs: 300_000 });
        world.host.start({ ...slice, killAtCall });
        await world.host.run(world.host.nowMs() + 60_000);
        await world.host.run();
        granted(await world.rpc('bulk.stop', { runId }));
        const after = text(sheet);
        expect(after.join()).not.toContain('Waiting');
        const times = (lines: readonly string[]) =>
          lines.map((row) => row.split(' | ').slice(0, -1).join());
        // Figures are the same each time; only when they were fetched differs.
        expect(times(after).slice(0, -2)).toEqual(times(before).slice(0, -2));
        expect(await check(world, { rows: { kind: 'failed' } })).toMatchObject({ rows: 2 });
      },
    );

    it('while its rows were marked is forgotten by the next run, which finds what failed', async () => {
      const sheet = await analyzed();
      const before = text(sheet);
      const choice = await choiceOf(world);
      for (let killAtCall = 20; !text(sheet).join().includes('Waiting'); killAtCall += 1) {
        world.host.start({ ...rpc('bulk.start', choice), killAtCall });
        await world.host.run();
      }
      expect((await look(world)).run).toBeNull();
      expect(await check(world, { rows: { kind: 'failed' } })).toMatchObject({
        rows: 2,
        products: 1,
      });
      const { runId, rows } = await startRun(world, { rows: { kind: 'failed' } });
      expect(rows).toBe(2);
      granted(await world.rpc('bulk.stop', { runId }));
      expect(text(sheet)).toEqual(before);
    });
  });

  describe('a retry', () => {
    it('takes the rows that failed in the run, not those that failed long before it', async () => {
      await analyzed([...OTHERS.slice(0, 5), DOWN, DOWN]);
      const { runId } = await startRun(world, { rows: { kind: 'failed' } });
      granted(await world.rpc('bulk.stop', { runId }));
      const refused = await world.rpc('bulk.retry', { runId, kinds: ['service-busy'] });
      expect(refused.failure).toMatchObject({
        message: 'No row failed before. Choose other rows.',
      });
    });
  });
});

// A run that everybody closed the sidebar on: whose clock goes on with it, and how soon.
describe('a run that everybody left', () => {
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

    it('whose trigger Google has disabled is gone on with once its person has opened the sidebar', async () => {
      await leftAlone();
      const { triggers } = world.host.stores;
      for (const { uniqueId } of triggers.all()) triggers.disableTrigger(uniqueId);
      await world.host.run(world.host.nowMs() + 240 * MINUTE_MS);
      granted(await world.rpc('connection.status'));
      expect(await status()).toMatchObject({ state: 'interrupted', left: 30 });
      await world.host.run(world.host.nowMs() + 70 * MINUTE_MS);
      expect(await status()).toMatchObject({ state: 'finished', answered: 30 });
      expect(triggers.all()).toHaveLength(1);
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

  /** A service that can be down. */
  function unsteadyService() {
    const { service } = withState(handle, createState(SANDBOX));
    const state = { isDown: true };
    const internet = createSandboxedInternet({
      [new URL(BASE_URL).host]: (request, nowMs) =>
        state.isDown
          ? { kind: 'answer', status: 503, headers: {}, body: 'down', delayMs: 50 }
          : service(request, nowMs),
    });
    return { state, internet };
  }

  const LONG = US_ASINS.slice(0, 60);

  const longList = (): Sheet => sheetOf([['ASIN'], ...LONG.map((asin) => [asin])]);

  async function heldUp(): Promise<{ isDown: boolean }> {
    const { state, internet } = unsteadyService();
    world = createWorld({ sandbox: SANDBOX, host: { internet, documents: [longList().document] } });
    await world.connect();
    expect(await runAll(world)).toMatchObject({
      state: 'stuck',
      isHeldUp: true,
      rescueMinutes: 60,
    });
    return state;
  }

  describe('a run that is held up by a service that is down', () => {
    it('is gone on with by the clock when the service is back', async () => {
      const state = await heldUp();
      state.isDown = false;
      await pass(world, 2.2);
      const end = await status();
      expect(end).toMatchObject({ state: 'finished', left: 0 });
      expect(Number(end.answered)).toBeGreaterThan(LONG.length / 2);
    });

    it('lets schedules go on afterwards, and until then they say so', async () => {
      const state = await heldUp();
      await schedule(world, 's1', {}, { recurrence: { kind: 'hourly' } });
      await pass(world, 1.2);
      expect(await shownNow(world)).toMatchObject({
        problem: { message: expect.stringContaining('held up and tried again every hour') },
      });
      state.isDown = false;
      await pass(world, 3);
      expect((await shownNow(world)).problem).toBeUndefined();
      expect(await status()).toMatchObject({ left: 0 });
    });

    it('stays as it is where its person has paused it', async () => {
      const state = await heldUp();
      const { runId } = await status();
      granted(await world.rpc('bulk.pause', { runId }));
      state.isDown = false;
      await schedule(world, 's1', {}, { recurrence: { kind: 'hourly' } });
      await pass(world, 3);
      expect(await status()).toMatchObject({ state: 'paused' });
      expect(await shownNow(world)).toMatchObject({
        problem: { message: expect.stringMatching(/a run over a list is paused/i) },
      });
    });
  });
});

// A run whose key rests for longer than a slice works: when its next call is due, and what waiting costs.
describe('a key that rests', () => {
  /** Two calls, and the next in half an hour. */
  const SLOW_KEY: SandboxKey = {
    name: 'slow-key-2-per-hour',
    what: 'two calls an hour',
    quota: { kind: 'bucket', calls: 2, perSeconds: 3_600, burst: 2 },
  };

  async function slowRun(quota: object): Promise<unknown> {
    const sheet = sheetOf([['ASIN'], ...US_ASINS.slice(0, 20).map((asin) => [asin])]);
    const sandbox = { ...SANDBOX, keys: [SLOW_KEY] };
    world = createWorld({ sandbox, host: { documents: [sheet.document] } });
    await world.connect({ apiKey: SLOW_KEY.name, quota });
    return (await startRun(world)).runId;
  }

  /** Works one slice, with a look at the run now and then. */
  async function slice(runId: unknown) {
    const call = (method: string, payload: object) =>
      ({ functionName: 'rpc', args: [method, payload], door: 'sidebar' }) as const;
    const beganMs = world.host.nowMs();
    const work = world.host.start(call('bulk.run', { runId, worker: 0, maxMs: 5 * MINUTE_MS }));
    const looks = [30, 61, 92, 143, 204, 275].map((seconds) =>
      world.host.start(call('bulk.status', {}), beganMs + seconds * 1_000),
    );
    await world.host.run();
    const seen = await Promise.all(looks);
    const dueMs = seen.map(({ value }) => Number(granted(value as never).nextCallAtMs));
    return { beganMs, dueMs, ...(await work) };
  }

  describe('a key that rests for half an hour', () => {
    it.each([
      ['because its quota says so', { calls: 2, perSeconds: 3_600, burst: 2 }],
      ['because the service says so', { calls: 5, perSeconds: 1, burst: 10 }],
    ])(
      '%s: the page is told that time throughout, and waiting takes few calls',
      async (_, quota) => {
        const runId = await slowRun(quota);
        const first = await slice(runId);
        const expectedMs = first.beganMs + 30 * MINUTE_MS;
        for (const dueMs of first.dueMs)
          expect(Math.abs(dueMs - expectedMs)).toBeLessThan(1.5 * MINUTE_MS);
        const second = await slice(runId);
        for (const dueMs of second.dueMs)
          expect(Math.abs(dueMs - expectedMs)).toBeLessThan(1.5 * MINUTE_MS);
        expect(second.value).toMatchObject({ ok: true, value: { status: { state: 'running' } } });
        expect(second.serviceCalls).toBeLessThan(900);
        expect(second.endedMs - second.beganMs).toBeGreaterThan(4.9 * MINUTE_MS);
      },
    );
  });
});
