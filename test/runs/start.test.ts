// A run that is being started: what people do meanwhile, two who start at once, and no room, lock or rest to be had.

import { afterEach, describe, expect, it } from '@jest/globals';
import { createPlainGrid } from 'apps-script-host/sheet/plain-grid';
import { arrivalsOf } from '../../playground/api/state';
import { BUILT, distIn } from '../build-once';
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
import { schedule, shownNow, worldWith } from '../doors/schedule-list';
import { BASE_URL, createWorld, documentOf, type Envelope, type World } from '../doors/world';

let world: World;

afterEach(() => world.stop());

const OTHER = 'other@example.com';

const LIST = US_ASINS.slice(30, 50);

// What people do while a run is being started: marking a long list takes seconds, in which others see it.
describe('while a run is being started', () => {
  const listOf = (rows: number) =>
    sheetOf([['ASIN'], ...US_ASINS.slice(0, rows).map((asin) => [asin])]);

  /** Begins a call and does not wait for it. */
  async function begin(method: string, payload: object, userEmail = 'owner@example.com') {
    const call = { functionName: 'rpc', args: [method, payload], door: 'sidebar', userEmail };
    return (await world.host.start(call as never)).value as Envelope;
  }

  const pass = (ms: number) => world.host.run(world.host.nowMs() + ms);

  /** The run as somebody else sees it, who looks now; no later than their look is through. */
  async function seenByOther(): Promise<{ readonly runId: string }> {
    let seen: Envelope | undefined;
    void begin('bulk.look', {}, OTHER).then((envelope) => {
      seen = envelope;
    });
    while (seen === undefined) await pass(50);
    return granted(seen).run as { runId: string };
  }

  const marksIn = (sheet: Sheet) =>
    sheet.values().filter((row) => row.some((cell) => String(cell).startsWith('Waiting'))).length;

  /** Starts a run; somebody else sees it `afterMs` later and calls this. */
  async function whileStarting(sheet: Sheet, afterMs: number, method: string) {
    world = await worldWith(sheet);
    const started = begin('bulk.start', await choiceOf(world));
    await pass(afterMs);
    const { runId } = await seenByOther();
    const called = begin(method, { runId }, OTHER);
    await world.host.run();
    return { runId, started: await started, called: await called };
  }

  describe('a stop', () => {
    it.each([2_000, 3_000, 4_000])('%i ms into the start is kept', async (afterMs) => {
      const sheet = listOf(2_000);
      const { runId, started, called } = await whileStarting(sheet, afterMs, 'bulk.stop');
      expect(granted(called)).toMatchObject({ state: 'stopped' });
      expect(started.failure?.message).toBe('This run has ended. Start a new one.');
      expect(granted(await world.rpc('bulk.status'))).toMatchObject({ state: 'stopped' });
      expect(marksIn(sheet)).toBe(0);
      const { runs } = granted(await world.rpc('bulk.history'));
      expect(runs).toMatchObject([{ outcome: 'stopped' }]);
      expect(await runOn(world, runId)).toMatchObject({ state: 'stopped', calls: 0 });
      // Nothing of it is in the way of the next one, and its columns are found again.
      const next = granted(await world.rpc('bulk.start', await choiceOf(world)));
      expect(next).toMatchObject({ state: 'running', rows: 2_000 });
      expect(sheet.values()[0]?.filter((title) => title === 'Analysis status')).toHaveLength(1);
    });

    it('is in the way of the next run until its marks are gone', async () => {
      const sheet = listOf(2_000);
      world = await worldWith(sheet);
      const choice = await choiceOf(world);
      const first = begin('bulk.start', choice);
      await pass(2_500);
      const { runId } = await seenByOther();
      const stop = begin('bulk.stop', { runId }, OTHER);
      await pass(1_000);
      const second = begin('bulk.start', choice, OTHER);
      await world.host.run();
      expect(granted(await stop)).toMatchObject({ state: 'stopped' });
      expect((await first).ok || (await second).ok).toBe(false);
      expect(marksIn(sheet)).toBe(0);
    });
  });

  describe('a pause', () => {
    it('is kept, and the run goes on when it is resumed', async () => {
      const sheet = listOf(300);
      const { runId, started, called } = await whileStarting(sheet, 2_000, 'bulk.pause');
      expect([called.ok, started.ok]).toEqual([true, true]);
      expect(await runOn(world, runId)).toMatchObject({ state: 'paused', calls: 0 });
      granted(await world.rpc('bulk.resume', { runId }));
      expect(await runOn(world, runId)).toMatchObject({ state: 'finished', answered: 300 });
    });
  });

  describe('of a schedule', () => {
    it.each<[string, object]>([
      ['schedule.save', { maxAgeHours: 10 }],
      ['schedule.switch', { isOn: false }],
      ['schedule.remove', {}],
    ])('%s ends it without a problem', async (method, change) => {
      const sheet = listOf(300);
      world = await worldWith(sheet);
      const made = await schedule(world);
      const run = begin('schedule.run', { id: 's1', maxMs: 300_000 });
      await pass(3_500);
      const settings = { settings: { ...made.settings, ...change } };
      const payload = method === 'schedule.save' ? settings : change;
      const reply = begin(method, { id: 's1', ...payload });
      await world.host.run();
      await run;
      expect((await reply).failure).toBeUndefined();
      expect(world.service().arrived).toBeLessThan(50);
      expect(marksIn(sheet)).toBe(0);
      if (method !== 'schedule.remove') expect(await shownNow(world)).not.toHaveProperty('problem');
    });
  });

  describe('in a second tab, on another sheet', () => {
    it.each([2_000, 4_000, 6_000])(
      'a start %i ms later leaves the first one be',
      async (afterMs) => {
        const sheet = listOf(2_000);
        const other = sheet.grid.addSheet('Other', 2);
        sheet.grid.write(other, 1, 1, [['ASIN'], ...US_ASINS.slice(0, 10).map((asin) => [asin])]);
        world = await worldWith(sheet);
        const choice = await choiceOf(world);
        const one = begin('bulk.start', choice);
        await pass(afterMs);
        const two = begin('bulk.start', { ...choice, sheetId: other });
        await world.host.run();
        expect((await two).failure?.message).toContain('You have a run over 2000 rows of "Sheet1"');
        const { runId } = granted(await one);
        expect(await runOn(world, runId)).toMatchObject({ state: 'finished', rows: 2_000 });
        expect(marksIn(sheet)).toBe(0);
      },
    );
  });

  describe('a start that was cut off', () => {
    it('leaves columns that the next one uses, also where somebody renamed one of them', async () => {
      const sheet = listOf(2_000);
      world = await worldWith(sheet);
      const choice = await choiceOf(world);
      const call = { functionName: 'rpc', args: ['bulk.start', choice], door: 'sidebar' };
      const cut = world.host.start({ ...call, killAtCall: 50 } as never);
      await world.host.run();
      expect((await cut).ended).toBe('killed');
      const eligible = sheet.values()[0]?.indexOf('Eligible') ?? -1;
      expect(eligible).toBeGreaterThan(0);
      sheet.grid.write(sheet.id, 1, eligible + 1, [['May I sell it?']]);
      await pass(120_000);
      const width = sheet.values()[0]?.length;
      granted(await world.rpc('bulk.start', await choiceOf(world)));
      expect(sheet.values()[0]).toHaveLength(width ?? 0);
      expect(sheet.values()[0]).not.toContain('Eligible');
    });

    it('by Google, while its new columns got their formats, leaves them in the same way', async () => {
      const sheet = listOf(20);
      const operations: string[] = [];
      const observe = ({ operation }: { readonly operation: string }) => operations.push(operation);
      world = await worldWith(sheet, { host: { observe } });
      const choice = await choiceOf(world);
      const before = operations.length;
      granted(await world.rpc('bulk.start', choice));
      const atCall = operations.indexOf('spreadsheet.write.setNumberFormats', before) - before + 1;
      expect(atCall).toBeGreaterThan(0);
      await world.stop();

      const list = listOf(20);
      world = await worldWith(list);
      const call = { functionName: 'rpc', args: ['bulk.start', choice], door: 'sidebar' };
      await choiceOf(world);
      const fault = { atCall, when: 'before', times: 2 };
      const failing = world.host.start({ ...call, faults: [fault] } as never);
      await world.host.run();
      expect((await failing).value).toMatchObject({ failure: { kind: 'google-busy' } });
      const titles = list.values()[0] ?? [];
      const profit = titles.indexOf('Profit');
      expect(profit).toBeGreaterThan(0);
      list.grid.write(list.id, 1, profit + 1, [['My profit']]);
      const { runId } = granted(await world.rpc('bulk.start', await choiceOf(world)));
      expect(await runOn(world, runId)).toMatchObject({ state: 'finished', answered: 20 });
      expect(list.values()[0]).toEqual(titles.with(profit, 'My profit'));
      expect(
        list
          .values()
          .slice(1)
          .map((row) => typeof row[profit]),
      ).toEqual(Array(20).fill('number'));
    });
  });
});

// Two people, or one in two windows, who start over the same rows: one run, and words for the other.
describe('two who start', () => {
  const OWNER = 'owner@example.com';

  async function worldOfTwo() {
    const sheet = sheetOf([['ASIN', 'Note'], ...LIST.map((asin) => [asin, 'note'])]);
    const document = { ...sheet.document, editors: [OTHER] };
    world = createWorld({ sandbox: SANDBOX, host: { documents: [document] } });
    await world.connect();
    return sheet;
  }

  /** Starts by these people, so many ms apart. */
  async function starts(first: string, second: string, apartMs: number) {
    const choice = await choiceOf(world);
    const beginMs = world.host.nowMs();
    const start = (userEmail: string, afterMs: number) =>
      world.host.start(
        { functionName: 'rpc', args: ['bulk.start', choice], door: 'sidebar', userEmail },
        beginMs + afterMs,
      );
    const both = [start(first, 0), start(second, apartMs)];
    await world.host.run();
    return Promise.all(both.map(async (one) => (await one).value as Envelope));
  }

  const runsOf = (envelopes: readonly Envelope[]) => envelopes.filter(({ ok }) => ok).map(granted);

  const APART_MS = [0, 300, 800, 1_500, 3_000];

  describe('two people who start at the same moment', () => {
    it.each(APART_MS)(
      '%i ms apart: one runs all rows, the other is told whose run it is',
      async (ms) => {
        const sheet = await worldOfTwo();
        const envelopes = await starts(OWNER, OTHER, ms);
        const [run, ...more] = runsOf(envelopes);
        expect(more).toEqual([]);
        const [failure] = envelopes.flatMap(({ failure: one }) => one ?? []);
        expect(run).toMatchObject({ state: 'running', rows: 20 });
        expect(failure?.message).toMatch(
          /^Someone else has a run over 20 rows of "Sheet1", started about \d+ s ago\. Wait/,
        );
        expect(sheet.values()[0]).toHaveLength(9);
        expect(await runOn(world, run?.runId)).toMatchObject({ state: 'finished', answered: 20 });
        expect(world.service().arrived).toBe(20);
      },
    );
  });

  describe('one person who starts again because the first answer did not come', () => {
    it.each([...APART_MS, 1_000, 1_800])(
      '%i ms later: has one run, and its columns once',
      async (ms) => {
        const sheet = await worldOfTwo();
        const envelopes = await starts(OWNER, OWNER, ms);
        const runs = runsOf(envelopes);
        expect(runs).toHaveLength(1);
        const [failure] = envelopes.flatMap(({ failure: one }) => one ?? []);
        expect(failure?.message).toMatch(
          /^You have a run over 20 rows of "Sheet1", started about \d+ s ago/,
        );
        expect(new Set(sheet.values()[0]).size).toBe(9);
        expect(sheet.values()[0]).toHaveLength(9);
        expect(await runOn(world, runs[0]?.runId)).toMatchObject({
          state: 'finished',
          answered: 20,
        });
        expect(world.service().arrived).toBe(20);
      },
    );
  });

  describe('a run of somebody else', () => {
    it('is seen by everybody, and may be paused, gone on with and stopped', async () => {
      await worldOfTwo();
      const { runId } = await startRun(world);
      const asOther = async (method: string, payload: object = {}) =>
        granted(await world.rpc(method, payload, OTHER));
      expect((await asOther('bulk.look')).run).toMatchObject({ runId, isMine: false, rows: 20 });
      expect((await look(world)).run).toMatchObject({ runId, isMine: true });
      expect(await asOther('bulk.pause', { runId })).toMatchObject({
        state: 'paused',
        isMine: false,
      });
      expect(await asOther('bulk.resume', { runId })).toMatchObject({
        ...{ state: 'running', isMine: true },
      });
      expect((await look(world)).run).toMatchObject({ runId, isMine: false });
      expect(await asOther('bulk.stop', { runId })).toMatchObject({ state: 'stopped' });
      const { runs } = await asOther('bulk.history');
      expect(runs).toMatchObject([{ outcome: 'stopped', isMine: true }]);
      expect(await runAll(world)).toMatchObject({ state: 'finished', answered: 20 });
    });
  });

  describe('a run that somebody else goes on with', () => {
    /** The clock of whoever started it would find it left alone. */
    const clockStrikes = async () => {
      await world.host.run(world.host.nowMs() + 10 * 60_000);
      const outcome = world.host.start({ functionName: 'onSchedule', args: [], door: 'clock' });
      await world.host.run();
      await outcome;
    };

    it('spends none of the calls of whoever paused it, at no time and by no clock', async () => {
      await worldOfTwo();
      const { runId } = await startRun(world);
      granted(await world.rpc('bulk.pause', { runId }));
      granted(await world.rpc('bulk.resume', { runId }, OTHER));
      await clockStrikes();
      expect(world.service().arrived).toBe(0);
      granted(await world.rpc('bulk.pause', { runId }, OTHER));
      granted(await world.rpc('bulk.resume', { runId }));
      await clockStrikes();
      expect(world.service().arrived).toBe(LIST.length);
    });

    it('spends the key of whoever goes on with it, as long as that one does', async () => {
      await worldOfTwo();
      const { runId } = await startRun(world);
      granted(await world.rpc('bulk.pause', { runId }));
      const theirs = { baseUrl: BASE_URL, apiKey: 'demo-key-unlimited', quota: null };
      granted(await world.rpc('connection.save', { ...theirs, sharing: 'me' }, OTHER));
      granted(await world.rpc('bulk.resume', { runId }, OTHER));
      granted(await world.rpc('bulk.run', { runId, worker: 0, maxMs: 300_000 }, OTHER));
      const keys = arrivalsOf(world.service()).map(({ key }) => key);
      expect(keys).toEqual(LIST.map(() => 'demo-key-unlimited'));
    });

    it('stays paused where they have no key to spend', async () => {
      await worldOfTwo();
      const { runId } = await startRun(world);
      granted(await world.rpc('bulk.pause', { runId }));
      granted(await world.rpc('connection.share', { sharing: 'me' }));
      const { failure } = await world.rpc('bulk.resume', { runId }, OTHER);
      expect(failure).toMatchObject({ kind: 'no-connection' });
      expect((await look(world)).run).toMatchObject({ state: 'paused', isMine: true });
    });
  });

  describe('a run with a key that somebody else shared', () => {
    it('ends its day at the cap that they set, and says so', async () => {
      await worldOfTwo();
      await world.connect({ cellsPerDay: 7 });
      const { runId } = granted(await world.rpc('bulk.start', await choiceOf(world), OTHER));
      const run = { runId, worker: 0, maxMs: 300_000 };
      const { status, againInMs } = granted(await world.rpc('bulk.run', run, OTHER));
      expect(againInMs).toBe(null);
      expect(status).toMatchObject({ state: 'stuck', problem: { kind: 'cells-limit' } });
      expect(world.service().arrived).toBe(7);
      granted(await world.rpc('bulk.stop', { runId }, OTHER));
      expect(await runAll(world)).toMatchObject({ state: 'finished', answered: 13, cached: 7 });
    });

    it('is told before it starts how many calls they still allow, and whose key it is is not', async () => {
      await worldOfTwo();
      await world.connect({ cellsPerDay: 7 });
      const choice = await choiceOf(world);
      const told = async (userEmail?: string) =>
        granted(await world.rpc('bulk.preflight', choice, userEmail)).capCallsLeft;
      expect(await told(OTHER)).toBe(7);
      await world.rpc('connection.check', {}, OTHER);
      expect(await told(OTHER)).toBe(6);
      const { runId } = granted(await world.rpc('bulk.start', choice, OTHER));
      granted(await world.rpc('bulk.run', { runId, worker: 0, maxMs: 300_000 }, OTHER));
      expect(await told(OTHER)).toBe(0);
      granted(await world.rpc('connection.share', { sharing: 'spreadsheet', cellsPerDay: 2 }));
      expect(await told(OTHER)).toBe(0);
      expect(await told()).toBe(null);
    });
  });

  describe('a list that was answered just now', () => {
    it('is written again without a call, at once', async () => {
      const sheet = await worldOfTwo();
      await runAll(world);
      const { arrived } = world.service();
      expect(await check(world)).toMatchObject({
        products: 20,
        fresh: 20,
        calls: 0,
        expectedMs: 0,
        added: [],
      });
      const fees = sheet.values().map((row) => row[4]);
      sheet.grid.write(sheet.id, 5, 3, [['', '', '', '', '']]);
      expect(await runAll(world)).toMatchObject({ cached: 20, answered: 0, calls: 0 });
      expect(world.service().arrived).toBe(arrived);
      expect(sheet.values().map((row) => row[4])).toEqual(fees);
    });
  });
});

// A start that comes to nothing because rows move under every write: no mark of it stays in the sheet.
describe('rows that move under every write', () => {
  /** A start gives up after so many rounds of marking. */
  const ROUNDS = 16;

  /** Before that it writes the titles of its columns. */
  const TITLES = 1;

  it('leaves the rows as they were, and the next start finds them so', async () => {
    const sheet = sheetOf([['ASIN'], ...LIST.map((asin) => [asin])]);
    let writes = 0;
    world = createWorld({
      sandbox: SANDBOX,
      host: {
        documents: [sheet.document],
        betweenCalls: ({ operation }) => {
          if (operation !== 'spreadsheet.write.setValues') return [];
          writes += 1;
          if (writes <= TITLES || writes > TITLES + ROUNDS) return [];
          return [{ do: 'insertRows', sheetId: sheet.id, first: 2, count: 1 }];
        },
      },
    });
    await world.connect();
    const { failure } = await world.rpc('bulk.start', await choiceOf(world));
    expect(failure).toMatchObject({
      kind: 'run',
      message: expect.stringMatching(/^The rows of this run could not be written/),
    });
    expect(writes).toBe(TITLES + ROUNDS + 1);
    expect(sheet.values().flat().join()).not.toContain('Waiting');
    expect(await look(world)).toMatchObject({ run: null });
    expect(await runAll(world)).toMatchObject({ state: 'finished', answered: LIST.length });
  });
});

// Runs at the edge of what there is room for: a spreadsheet of ten million cells, a header that is an essay.
describe('the edge of what there is room for', () => {
  it('is not started in a full spreadsheet, which says so and costs nothing', async () => {
    const grid = createPlainGrid({ maxRows: 399_000, maxColumns: 25 });
    const id = grid.sheets()[0]?.id ?? 0;
    const notes = Array.from({ length: 24 }, (_, at) => `Note ${at}`);
    grid.write(id, 1, 1, [['ASIN', ...notes]]);
    grid.write(
      id,
      2,
      1,
      US_ASINS.slice(0, 5).map((asin) => [asin]),
    );
    world = await worldWith({ document: { ...documentOf('sheet-1'), model: grid } });
    const arrived = world.service().arrived;
    const { ok, failure } = await world.rpc('bulk.start', await choiceOf(world));
    expect([ok, failure?.message]).toEqual([
      false,
      expect.stringMatching(/^The spreadsheet has no room for more columns/),
    ]);
    expect(world.service().arrived).toBe(arrived);
    expect((await look(world)).run).toBeNull();
  });

  it('is started under a header that is an essay, and finds its products when they move', async () => {
    const essay = `ASIN – ${'paste your products here, one in each row. '.repeat(240)}`;
    const sheet = sheetOf([[essay], ...US_ASINS.slice(0, 5).map((asin) => [asin])]);
    world = await worldWith(sheet);
    const { choice, byHand } = await look(world);
    const start = { ...((choice ?? byHand) as object), headerRow: 1, productColumn: 1 };
    const { runId } = granted(await world.rpc('bulk.start', start));
    sheet.grid.insertColumns(sheet.id, 1, 2);
    expect(await runOn(world, runId)).toMatchObject({ state: 'finished', answered: 5 });
  });
});

// The spreadsheet's lock held by somebody else for longer than a run waits for it.
describe('a lock that others hold', () => {
  const LIST = US_ASINS.slice(100, 160);

  const HELD_MS = 30_000;

  /** As a crowd of cells does that all book at once. */
  const HOLDING = `
function holdLock(ms) { LockService.getDocumentLock().tryLock(100); Utilities.sleep(ms); }`;

  async function startedRun(): Promise<unknown> {
    const sheet = sheetOf([['ASIN'], ...LIST.map((asin) => [asin])]);
    const { code, ...files } = distIn(BUILT);
    const dist = { ...files, code: code + HOLDING };
    world = createWorld({ sandbox: SANDBOX, host: { documents: [sheet.document], dist } });
    await world.connect();
    return (await startRun(world)).runId;
  }

  /** The lock is held from so many ms on. */
  function holdFrom(afterMs: number): void {
    const call = { functionName: 'holdLock', args: [HELD_MS], door: 'sidebar' } as const;
    void world.host.start(call, world.host.nowMs() + afterMs);
  }

  async function holdNow(): Promise<void> {
    holdFrom(0);
    await world.host.run(world.host.nowMs() + 3_000);
  }

  describe('a lock that is not had', () => {
    it('at the end of a slice loses no count, and the next slice is called for', async () => {
      const runId = await startedRun();
      holdFrom(5_000);
      const { status, againInMs } = granted(
        await world.rpc('bulk.run', { runId, worker: 0, maxMs: 5_000 }),
      );
      expect(againInMs).toBeGreaterThan(0);
      expect(status).toMatchObject({ rows: 60, answered: 16, left: 44, calls: 16 });
      const end = await runOn(world, runId);
      expect(end).toMatchObject({ state: 'finished', rows: 60, answered: 60, calls: 60 });
      expect(world.service().arrived).toBe(60);
    });

    it.each(['bulk.pause', 'bulk.stop'])(
      'by %s is told as that, and the run goes on as if nobody had wished it',
      async (method) => {
        const runId = await startedRun();
        await holdNow();
        const { failure } = await world.rpc(method, { runId });
        expect(failure?.message).toBe(
          'Someone else is using the add-on here. Try again in a moment.',
        );
        expect(granted(await world.rpc('bulk.status'))).toMatchObject({ left: 60 });
        expect(await runOn(world, runId)).toMatchObject({ state: 'finished', answered: 60 });
      },
    );

    it('by bulk.resume is told as that', async () => {
      const runId = await startedRun();
      granted(await world.rpc('bulk.pause', { runId }));
      await holdNow();
      const { failure } = await world.rpc('bulk.resume', { runId });
      expect(failure?.message).toMatch(/^Someone else is using/);
      expect(granted(await world.rpc('bulk.status'))).toMatchObject({ state: 'paused', left: 60 });
    });
  });
});

// The page starts a run and works on it in one call: what is due to columns and memory comes after the first figures.
describe('a start that goes on with its own run', () => {
  const runId = 'page1';

  const startAndWork = async (maxMs = 240_000) =>
    granted(await world.rpc('bulk.startRun', { choice: await choiceOf(world), runId, maxMs }));

  const listOf = (rows: number) => sheetOf([['ASIN'], ...LIST.slice(0, rows).map((one) => [one])]);

  function looksOf({ grid, id, values }: Sheet) {
    const [titles = [], ...rows] = values();
    const whole = { row: 1, column: 1, rowCount: rows.length + 1, columnCount: titles.length };
    return {
      titles,
      formats: grid.numberFormats(id, whole),
      weights: grid.fontWeights(id, whole),
      widths: titles.map((_, index) => grid.columnWidth(id, index + 1)),
      frozen: grid.frozenRows(id),
    };
  }

  it.each([1, 3, LIST.length])('leaves %d rows as any other run does', async (rows) => {
    const other = listOf(rows);
    world = await worldWith(other);
    await runAll(world);
    const remembered = await choiceOf(world);
    world.stop();
    const sheet = listOf(rows);
    world = await worldWith(sheet);
    const { status } = await startAndWork();
    expect(status).toMatchObject({ runId, state: 'finished', answered: rows });
    expect(looksOf(sheet)).toEqual(looksOf(other));
    expect(await choiceOf(world)).toEqual(remembered);
  });

  it('shows its columns in the same way where the key is refused at the first call', async () => {
    const sheet = listOf(3);
    world = await worldWith(sheet);
    granted(await world.connect({ apiKey: 'no-such-key-at-all' }));
    const { status } = await startAndWork();
    expect(status).toMatchObject({ state: 'stuck', problem: { kind: 'key-refused' } });
    const { formats, widths } = looksOf(sheet);
    expect(formats[1]).toContain('yyyy-mm-dd hh:mm');
    expect(new Set(widths).size).toBeGreaterThan(1);
  });
});
