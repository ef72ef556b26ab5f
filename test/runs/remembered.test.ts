// What a sheet is remembered by, and what is done with answers that are there when key or reading change.

import { afterEach, describe, expect, it } from '@jest/globals';
import { DIALECTS, type DialectName } from '../../playground/api/dialects';
import { FIELDS } from '../../src/product/fields';
import { memorise, recall } from '../../src/runs/saved-choice';
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
import { history, pass, schedule, shownNow, worldWith } from '../doors/schedule-list';
import { BASE_URL, createWorld, DEMO, type World, type WorldOptions } from '../doors/world';
import { memoryStore } from '../memory-store';

let world: World;

afterEach(() => world.stop());

// What a sheet is remembered by, once a run was started in it: what was corrected stays corrected.
describe('what a sheet is remembered by', () => {
  const LIST = US_ASINS.slice(30, 36);

  const UK = { kind: 'one', market: 'UK' };

  async function worldWith(sheet: Sheet): Promise<Sheet> {
    world = createWorld({ sandbox: SANDBOX, host: { documents: [sheet.document] } });
    await world.connect();
    return sheet;
  }

  const family = () =>
    sheetOf([
      ['ASIN', 'Parent ASIN', 'Country'],
      ...LIST.map((asin, at) => [asin, US_ASINS[at] ?? '', 'US']),
    ]);

  describe('what was chosen in a sheet', () => {
    it('is offered again: another column of products, and one market in spite of a column', async () => {
      const sheet = await worldWith(family());
      expect(await choiceOf(world)).toMatchObject({
        productColumn: 1,
        market: { kind: 'column', column: 3 },
      });
      await runAll(world, { productColumn: 2, market: UK });
      expect(await choiceOf(world)).toMatchObject({ productColumn: 2, market: UK });
      sheet.grid.insertColumns(sheet.id, 1, 1);
      expect(await choiceOf(world)).toMatchObject({ productColumn: 3, market: UK });
    });

    it('gives way to a column of markets that came since, and to what is found where titles went', async () => {
      const sheet = await worldWith(
        sheetOf([['ASIN', 'Parent ASIN'], ...LIST.map((asin, at) => [asin, US_ASINS[at] ?? ''])]),
      );
      await runAll(world, { productColumn: 2 });
      const { lastColumn } = sheet.grid.size(sheet.id);
      const markets = ['Market', ...LIST.map(() => 'UK')].map((cell) => [cell]);
      sheet.grid.write(sheet.id, 1, lastColumn + 1, markets);
      sheet.grid.write(sheet.id, 1, 2, [['Family']]);
      expect(await choiceOf(world)).toMatchObject({
        productColumn: 1,
        market: { kind: 'column', column: lastColumn + 1 },
      });
    });

    it('is offered where nothing would be found, once a person has picked it', async () => {
      const [asin = ''] = LIST;
      await worldWith(
        sheetOf([
          ['Item', 'Code'],
          ['Cup', 'C-1'],
          ['Bowl', 'C-2'],
          ['Plate', asin],
        ]),
      );
      const { byHand } = await look(world);
      await runAll(world, { ...(byHand as object), productColumn: 2 });
      expect(await choiceOf(world)).toMatchObject({ productColumn: 2, market: { market: 'US' } });
    });
  });

  describe('headers of a run that were renamed since', () => {
    it.each([
      ['the status', { 7: 'State' }],
      ['the time', { 8: 'When' }],
      ['both', { 7: 'State', 8: 'When' }],
    ])(
      '%s: the check asks by naming what it would add, and nothing that stands there is touched',
      async (_, names) => {
        const dates = LIST.map((asin) => [asin, new Date(Date.UTC(2025, 0, 5))]);
        const sheet = await worldWith(sheetOf([['ASIN', 'Bought'], ...dates, ['B0NOTFOUND', '']]));
        await runAll(world);
        const written = () => sheet.values().map((row) => row.slice(0, 7));
        const before = written();
        expect(sheet.values()[0]?.slice(7)).toEqual(['Analysis status', 'Analyzed at']);
        for (const [at, name] of Object.entries(names))
          sheet.grid.write(sheet.id, 1, Number(at) + 1, [[name]]);
        const { added } = await check(world);
        expect(added).toEqual(expect.arrayContaining(['Profit (analyzed)']));
        expect(await runAll(world)).toMatchObject({ cached: 6, failed: 1, keptCells: 0 });
        expect(written()).toEqual(before);
        const titles = sheet.values()[0] ?? [];
        expect(titles.slice(9)).toEqual(added);
        for (const [at, name] of Object.entries(names)) expect(titles[Number(at)]).toBe(name);
      },
    );

    it('with its title again such a column is the run’s, as if nothing had been', async () => {
      const sheet = await worldWith(sheetOf([['ASIN'], ...LIST.map((asin) => [asin])]));
      await runAll(world);
      sheet.grid.write(sheet.id, 1, 7, [['State']]);
      sheet.grid.write(sheet.id, 1, 7, [['Analysis status']]);
      expect(await check(world)).toMatchObject({ added: [], fresh: 6 });
    });

    it('figures: they are added anew, by hand and by the clock, and the renamed ones stay', async () => {
      const sheet = await worldWith(sheetOf([['ASIN'], ...LIST.map((asin) => [asin])]));
      await runAll(world);
      const before = sheet.values().slice(1);
      sheet.grid.write(sheet.id, 1, 2, [['Gewinn', 'Rendite']]);
      expect(await check(world)).toMatchObject({ added: ['Profit', 'ROI'] });
      await schedule(world);
      for (const again of [() => runAll(world), () => pass(world, 24)]) {
        await again();
        const titles = ['ASIN', 'Gewinn', 'Rendite', 'Fees', 'Eligible', 'Rank drops 30d'];
        expect(sheet.values().map((row) => row.slice(0, 7))).toEqual([
          [...titles, 'Analysis status'],
          ...before.map((row) => row.slice(0, 7)),
        ]);
        expect(sheet.values()[0]?.slice(8)).toEqual(['Profit', 'ROI']);
        expect(sheet.byHeader(2).Profit).toBe(sheet.byHeader(2).Gewinn);
      }
    });

    it.each([
      [7, 'Analysis status'],
      [8, 'Analyzed at'],
    ])('column %i: a schedule asks for it by its name', async (column, title) => {
      const sheet = await worldWith(sheetOf([['ASIN'], ...LIST.map((asin) => [asin])]));
      await runAll(world);
      await schedule(world);
      await pass(world, 24);
      sheet.grid.write(sheet.id, 1, column, [['Mine']]);
      await pass(world, 24);
      expect(sheet.values()[0]).toHaveLength(8);
      const { problem } = await shownNow(world);
      expect(JSON.stringify(problem)).toContain(
        `The column \\"${title}\\" is no longer in the sheet`,
      );
      sheet.grid.write(sheet.id, 1, column, [[title]]);
      await pass(world, 24);
      expect(await shownNow(world)).not.toHaveProperty('problem');
    });

    it('somebody’s own figures in the place of one that is gone are none of ours', async () => {
      const sheet = await worldWith(sheetOf([['ASIN'], ...LIST.map((asin) => [asin])]));
      await runAll(world);
      const own = [['Weight'], ...LIST.map((_, at) => [at + 0.5])];
      sheet.grid.write(sheet.id, 1, 2, own);
      await runAll(world);
      expect(sheet.values().map((row) => [row[1]])).toEqual(own);
      expect(sheet.values()[0]?.slice(8)).toEqual(['Profit']);
    });

    it('somebody’s own dates and notes beside the list are none of ours', async () => {
      const rows = LIST.map((asin, at) => [asin, `note ${at}`, new Date(Date.UTC(2025, 0, 5))]);
      const sheet = await worldWith(sheetOf([['ASIN', 'Note', 'Bought'], ...rows]));
      await runAll(world);
      expect(sheet.values()[0]).toHaveLength(10);
      expect(sheet.values()[1]?.slice(1, 3)).toEqual(rows[0]?.slice(1));
    });
  });

  describe('a sheet of more than a hundred columns', () => {
    it('gets its columns once', async () => {
      const titles = Array.from({ length: 120 }, (_, at) => `Title ${at}`);
      const rows = LIST.map((asin) => [asin, ...titles.map(() => 'x')]);
      const sheet = await worldWith(sheetOf([['ASIN', ...titles], ...rows]));
      await runAll(world);
      expect(sheet.values()[0]).toHaveLength(128);
      expect(await check(world)).toMatchObject({ added: [], fresh: 6 });
      expect(await runAll(world)).toMatchObject({ cached: 6 });
      expect(sheet.values()[0]).toHaveLength(128);
    });

    it('writes beside somebody’s own figures far right, too', async () => {
      const titles = [...Array.from({ length: 110 }, (_, at) => `Title ${at}`), 'Profit'];
      const rows = US_ASINS.slice(0, 150).map((asin) => [asin, ...titles.map(() => 7)]);
      const sheet = await worldWith(sheetOf([['ASIN', ...titles], ...rows]));
      expect((await check(world)).added).toContain('Profit (analyzed)');
      expect(await runAll(world)).toMatchObject({ answered: 150, keptCells: 0 });
      expect(sheet.byHeader(2).Profit).toBe(7);
    });
  });
});

// Answers that are there are read anew once more is known about the service: nobody pays for them twice.
describe('answers that are read anew', () => {
  type Outages = NonNullable<NonNullable<WorldOptions['sandbox']>['outages']>;

  const LIST = US_ASINS.slice(30, 50);

  const ALL = ['profit', 'roi', 'fees', 'eligible', 'rank_drops_30d', 'buy_price', 'sell_price'];

  const FIGURES = [
    'Profit',
    'ROI',
    'Fees',
    'Eligible',
    'Rank drops 30d',
    'Buy price',
    'Sell price',
  ];

  async function connected(dialect: DialectName, outages: Outages = []): Promise<Sheet> {
    const sheet = sheetOf([['ASIN'], ...LIST.map((asin) => [asin])]);
    world = createWorld({
      sandbox: { ...SANDBOX, dialect, outages },
      host: { documents: [sheet.document] },
    });
    await world.connect();
    return sheet;
  }

  const figures = (sheet: Sheet) =>
    LIST.map((_, at) => {
      const row = sheet.byHeader(at + 2);
      return FIGURES.map((title) => {
        const value = row[title] ?? '';
        return typeof value === 'number' ? Number(value.toFixed(9)) : value;
      });
    });

  const setting = (settings: object) =>
    world.rpc('connection.save', {
      baseUrl: BASE_URL,
      ...DEMO,
      sharing: 'me',
      apiKey: '',
      settings,
    });

  describe.each(Object.keys(DIALECTS) as DialectName[])(
    'after a first check of the dialect %s',
    (dialect) => {
      it('a list that was answered costs no call, and reads as if the check had come first', async () => {
        const first = await connected(dialect);
        granted(await world.rpc('connection.check'));
        await runAll(world, { fields: ALL });
        const wanted = figures(first);
        await world.stop();

        const sheet = await connected(dialect);
        await runAll(world, { fields: ALL });
        granted(await world.rpc('connection.check'));
        const { arrived } = world.service();
        expect(await check(world, { fields: ALL })).toMatchObject({
          fresh: LIST.length,
          calls: 0,
          again: 0,
        });
        expect(await runAll(world, { fields: ALL })).toMatchObject({
          cached: LIST.length,
          calls: 0,
        });
        expect(world.service().arrived).toBe(arrived);
        expect(figures(sheet)).toEqual(wanted);
      });
    },
  );

  describe('settings of a person', () => {
    it('that stored answers do not tell say in the check how many are asked again', async () => {
      await connected('canonical');
      granted(await world.rpc('connection.check'));
      await runAll(world);
      expect(await check(world)).toMatchObject({ calls: 0, again: 0 });
      granted(await setting({ roiUnit: 'percent' }));
      const asked = await check(world);
      // A product without ROI is the same in every unit.
      expect(Number(asked.again)).toBeGreaterThan(LIST.length / 2);
      expect(asked.calls).toBe(asked.again);
      granted(await setting({}));
      expect(await check(world)).toMatchObject({ calls: 0, again: 0 });
    });

    it('about the UK leave what was answered for the US', async () => {
      await connected('canonical');
      await runAll(world);
      granted(await setting({ ukMarket: 'GB' }));
      expect(await check(world)).toMatchObject({ calls: 0, again: 0 });
    });
  });
});

// The key is taken back or replaced while a run is at work: nothing more is spent on the old one.
describe('a key that is taken back', () => {
  const list = () => sheetOf([['ASIN'], ...US_ASINS.slice(0, 500).map((asin) => [asin])]);

  /** The change itself takes a second, and is heard within another or two, at five calls a second. */
  const CALLS_MORE = 20;

  const HOUR_MS = 3_600_000;

  const NEW_KEY = {
    ...{ baseUrl: BASE_URL, sharing: 'me', apiKey: 'demo-key-20-per-second' },
    quota: { calls: 20, perSeconds: 1, burst: 20 },
  };

  const call = (method: string, payload: object = {}) =>
    ({ functionName: 'rpc', args: [method, payload], door: 'sidebar' }) as const;

  describe('taken back', () => {
    it('ends the slice, and the run waits for a connection', async () => {
      world = await worldWith(list());
      const { runId } = await startRun(world);
      const slice = world.host.start(call('bulk.run', { runId, worker: 0, maxMs: 300_000 }));
      await world.host.run(world.host.nowMs() + 10_000);
      const before = world.service().arrived;
      const cleared = world.host.start(call('connection.clear'));
      await world.host.run();
      const [end, clear] = [await slice, await cleared];
      expect(before).toBeGreaterThan(20);
      expect(world.service().arrived).toBeLessThan(before + CALLS_MORE);
      expect(end.endedMs - clear.endedMs).toBeLessThan(4_000);
      const stuck = await runOn(world, runId);
      expect(stuck).toMatchObject({ state: 'stuck', problem: { kind: 'no-connection' } });
      granted(await world.connect());
      granted(await world.rpc('bulk.resume', { runId }));
      expect(await runOn(world, runId)).toMatchObject({ state: 'finished', answered: 500 });
      expect(world.service().arrived).toBe(500);
    });

    it('ends what the clock is at, which then says why', async () => {
      world = await worldWith(list());
      await schedule(world, 's1', {}, { recurrence: { kind: 'hourly' } });
      await world.host.run(Math.ceil(world.host.nowMs() / HOUR_MS) * HOUR_MS + 1_000);
      void world.host.start({ functionName: 'onSchedule', args: [], door: 'clock' });
      await world.host.run(world.host.nowMs() + 20_000);
      const before = world.service().arrived;
      void world.host.start(call('connection.clear'));
      await world.host.run();
      expect(before).toBeGreaterThan(20);
      expect(world.service().arrived).toBeLessThan(before + CALLS_MORE);
      expect((await history(world)).at(-1)).toMatchObject({ outcome: 'part' });
      await world.host.run(world.host.nowMs() + HOUR_MS);
      expect((await shownNow(world)).problem?.kind).toBe('no-connection');
    });
  });

  it('replaced: the run goes on with the new one', async () => {
    world = await worldWith(list());
    const { runId } = await startRun(world);
    void world.host.start(call('bulk.run', { runId, worker: 0, maxMs: 300_000 }));
    await world.host.run(world.host.nowMs() + 10_000);
    void world.host.start(call('connection.save', NEW_KEY));
    await world.host.run();
    expect(world.service().arrived).toBeLessThan(100);
    expect(await runOn(world, runId)).toMatchObject({ state: 'finished', failed: 0 });
  });
});

describe('what is kept of sheets', () => {
  it('finds room in one property for any titles: those chosen in longest ago are forgotten', () => {
    const store = memoryStore();
    const title = '商'.repeat(60);
    const columns = (['product', 'market'] as const).map((key, at) => ({
      ...{ key, title, column: at + 1 },
    }));
    const choice = {
      headerRow: 1,
      productColumn: 1,
      market: { kind: 'column', column: 2 },
    } as const;
    for (let sheetId = 1; sheetId <= 30; sheetId += 1)
      memorise(
        store,
        { ...choice, sheetId, rows: { kind: 'all' }, fields: FIELDS },
        { headerRow: 1, columns, others: [] },
      );
    expect(recall(store, 30)).toMatchObject({ fields: FIELDS });
    expect(recall(store, 20)).not.toBeNull();
    expect(recall(store, 1)).toBeNull();
  });
});
