// Products and figures as people keep them: links, numbers, two markets, two lists, far apart, in their own formats.

import { afterEach, describe, expect, it } from '@jest/globals';
import { createCatalogue } from '../../playground/api/catalogue';
import {
  check,
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
import { pass, schedule, worldWith } from '../doors/schedule-list';
import { createWorld, type World } from '../doors/world';
import { okCell, saidIn } from '../table/status-cells';

let world: World;

afterEach(() => world.stop());

// What people keep in a product column and beside it: links, numbers, formulas, endless texts, markets.
describe('a column of products', () => {
  const LIST = US_ASINS.slice(30, 42);

  const [BOOK = '', SECOND = '', THIRD = '', FOURTH = ''] = LIST;

  async function worldWith(sheet: Sheet): Promise<void> {
    world = createWorld({ sandbox: SANDBOX, host: { documents: [sheet.document] } });
    await world.connect();
  }

  const statuses = (sheet: Sheet) =>
    sheet
      .values()
      .slice(1)
      .map((_, at) => String(sheet.byHeader(at + 2)['Analysis status']));

  describe('a product', () => {
    it('that is a link to another market is told: the list is asked in one', async () => {
      await worldWith(sheetOf([['ASIN'], [`https://www.amazon.co.uk/dp/${THIRD}`], [SECOND]]));
      const { repaired } = await check(world);
      expect(repaired).toMatchObject({
        count: 1,
        rows: [{ row: 2, repair: 'foreign-link', asin: THIRD, market: 'US' }],
      });
    });

    it('is read from links, ISBN-13, lost zeros and odd writing, and filled wherever it stands', async () => {
      const sheet = sheetOf([
        ['ASIN'],
        [Number(BOOK)],
        [` ${SECOND.toLowerCase()} `],
        [`https://www.amazon.com/Some-thing/dp/${THIRD}/ref=sr_1?x=1`],
        [BOOK],
        [`amazon.com/gp/product/${THIRD}`],
        [SECOND],
      ]);
      await worldWith(sheet);
      const found = await check(world);
      expect(found).toMatchObject({ rows: 6, products: 3, calls: 3, unreadable: { count: 0 } });
      expect(found.repaired).toMatchObject({
        count: 3,
        rows: [
          { row: 2, shown: String(Number(BOOK)), repair: 'leading-zeros', asin: BOOK },
          { row: 4, repair: 'link', asin: THIRD },
          { row: 6, repair: 'link', asin: THIRD },
        ],
      });
      expect(found.duplicates).toMatchObject({
        count: 3,
        rows: [
          { row: 5, first: 2 },
          { row: 6, first: 4 },
          { row: 7, first: 3 },
        ],
      });
      expect(await runAll(world)).toMatchObject({ answered: 3, cached: 3, calls: 3 });
      const order = [BOOK, SECOND, THIRD, BOOK, THIRD, SECOND];
      expect(statuses(sheet)).toEqual(order.map((asin) => okCell(asin)));
      expect(sheet.byHeader(2).Fees).toBe(sheet.byHeader(5).Fees);
      expect(sheet.values()[1]?.[0]).toBe(Number(BOOK));
    });

    it('may be the result of a formula, which stays', async () => {
      const sheet = sheetOf([['Key', 'ASIN'], ...LIST.slice(0, 3).map((asin) => [`key ${asin}`])]);
      const formulas = [2, 3, 4].map((row) => `=MID(A${row},5,10)`);
      sheet.grid.write(
        sheet.id,
        2,
        2,
        formulas.map((formula) => [{ formula }]),
      );
      LIST.slice(0, 2).forEach((asin, at) => {
        sheet.grid.setComputed(sheet.id, at + 2, 2, asin);
      });
      sheet.grid.setComputed(sheet.id, 4, 2, '#N/A');
      await worldWith(sheet);
      expect(await look(world)).toMatchObject({ choice: { productColumn: 2 } });
      expect(await runAll(world)).toMatchObject({ answered: 2, failed: 1 });
      expect(statuses(sheet).slice(0, 2)).toEqual([okCell(BOOK), okCell(SECOND)]);
      const cells = { row: 2, column: 2, rowCount: 3, columnCount: 1 };
      expect(sheet.grid.formulas(sheet.id, cells).flat()).toEqual(formulas);
    });

    it('whose formula comes to another one while the run asks gets the figures of what stands there', async () => {
      const sheet = sheetOf([['Key', 'ASIN'], ['1'], ['2'], ['3']]);
      sheet.grid.write(
        sheet.id,
        2,
        2,
        [2, 3, 4].map((row) => [{ formula: `=LOOK(A${row})` }]),
      );
      LIST.slice(0, 3).forEach((asin, at) => {
        sheet.grid.setComputed(sheet.id, at + 2, 2, asin);
      });
      let isChanged = false;
      world = createWorld({
        sandbox: SANDBOX,
        host: {
          documents: [sheet.document],
          betweenCalls: ({ operation }) => {
            if (!isChanged && operation === 'urlFetch.fetchAll') {
              isChanged = true;
              sheet.grid.setComputed(sheet.id, 3, 2, FOURTH);
            }
            return [];
          },
        },
      });
      await world.connect();
      await runAll(world);
      expect(statuses(sheet)).toEqual([BOOK, FOURTH, THIRD].map((asin) => okCell(asin)));
    });
  });

  describe('a cell of 50,000 characters', () => {
    it('in the product column is a link or says why it is none; beside it, it stays', async () => {
      const link = `https://www.amazon.com/dp/${SECOND}?x=`;
      const long = 'y'.repeat(50_000);
      const sheet = sheetOf([
        ['ASIN', 'Note'],
        [BOOK, 'x'.repeat(50_000)],
        [link.padEnd(50_000, 'z'), 'short'],
        [long, 'short'],
        [`${long.slice(1)}!`, 'short'],
      ]);
      await worldWith(sheet);
      const { unreadable } = await check(world);
      const [{ shown }] = (unreadable as { rows: [{ shown: string }] }).rows;
      expect(shown).toHaveLength(40);
      expect(await runAll(world)).toMatchObject({ answered: 2, failed: 2 });
      expect(statuses(sheet).slice(0, 2)).toEqual([okCell(BOOK), okCell(SECOND)]);
      expect(statuses(sheet)[2]?.length).toBeLessThan(200);
      expect(String(sheet.values()[1]?.[1])).toHaveLength(50_000);
      expect(sheet.values()[3]?.[0]).toBe(long);
    });
  });

  describe('a market column', () => {
    const MARKETS = ['usa', 'amazon.com', 'UK', 'gb', ' Co.Uk ', '', 'Mars', ''];
    const product = (at: number) =>
      at === 7 ? `https://www.amazon.co.uk/dp/${LIST[at]}` : (LIST[at] ?? '');
    const mixed = () =>
      sheetOf([['Marketplace', 'ASIN'], ...MARKETS.map((market, at) => [market, product(at)])]);

    it('may be spelt as people spell; blank is the market of the link, else the usual one', async () => {
      const sheet = mixed();
      await worldWith(sheet);
      expect(await look(world)).toMatchObject({
        choice: { market: { kind: 'column', column: 1 } },
      });
      const why = '"Mars" is not a supported market. Use US or UK.';
      expect(await check(world)).toMatchObject({
        products: 7,
        unreadable: { count: 1, rows: [{ row: 8, why }] },
      });
      await runAll(world);
      const markets = statuses(sheet).map(
        (text) => /[A-Z0-9]{10} (US|UK)\b[^\]]*\]?$/.exec(saidIn(text))?.[1],
      );
      expect(markets).toEqual(['US', 'US', 'UK', 'UK', 'UK', 'US', undefined, 'UK']);
    });

    it('gives each row the formats of its own market, and dates and texts theirs', async () => {
      const sheet = mixed();
      await worldWith(sheet);
      await runAll(world);
      const formats = sheet.grid.numberFormats(sheet.id, {
        row: 2,
        column: 3,
        rowCount: 4,
        columnCount: 7,
      });
      const beside = (money: string) => [
        money,
        '0.0%',
        money,
        '0.###############',
        '0',
        '@',
        'yyyy-mm-dd hh:mm',
      ];
      const [dollars, pounds] = [beside('[$$]#,##0.00'), beside('[$£]#,##0.00')];
      expect(formats).toEqual([dollars, dollars, pounds, pounds]);
    });
  });
});

// One column of products, run for two markets: neither takes the figures of the other away unasked.
describe('two markets', () => {
  const { asins } = createCatalogue(SANDBOX.seed, SANDBOX.productsPerMarket);

  const LIST = [...asins.UK].filter((asin) => asins.US.has(asin)).slice(0, 6);

  const US = { market: { kind: 'one', market: 'US' } };

  const UK = { market: { kind: 'one', market: 'UK' } };

  async function analyzedIn(market: object): Promise<Sheet> {
    const sheet = sheetOf([['ASIN'], ...LIST.map((asin) => [asin])]);
    world = createWorld({ sandbox: SANDBOX, host: { documents: [sheet.document] } });
    await world.connect();
    await runAll(world, market);
    return sheet;
  }

  const OF_UK = ['Profit (UK)', 'ROI (UK)', 'Analysis status (UK)', 'Analyzed at (UK)'];

  describe('a list that was run for the US', () => {
    it('keeps its figures when it is run for the UK, which get columns of their own', async () => {
      const sheet = await analyzedIn(US);
      const before = sheet.values().map((row) => row.slice(0, 8));
      const { added, areApart, replaced } = await check(world, UK);
      expect(added).toEqual(expect.arrayContaining(OF_UK));
      expect({ areApart, replaced }).toEqual({ areApart: true, replaced: 0 });
      expect(await runAll(world, UK)).toMatchObject({ state: 'finished', rows: LIST.length });
      expect(sheet.values().map((row) => row.slice(0, 8))).toEqual(before);
      for (const [at, asin] of LIST.entries())
        expect(sheet.byHeader(at + 2)).toMatchObject({
          'Analysis status': okCell(asin),
          'Analysis status (UK)': okCell(asin, 'UK'),
        });
    });

    it('is refreshed where its figures stand, whichever market comes next', async () => {
      const sheet = await analyzedIn(US);
      await runAll(world, UK);
      const titles = sheet.values()[0];
      expect(await check(world, US)).toMatchObject({ added: [], areApart: false, replaced: 0 });
      expect(await check(world, UK)).toMatchObject({ added: [], areApart: true, replaced: 0 });
      await runAll(world, US);
      await runAll(world, UK);
      expect(sheet.values()[0]).toEqual(titles);
    });

    it('has its figures replaced by who asks for that, and the check says how many rows', async () => {
      const sheet = await analyzedIn(US);
      const wish = { ...UK, apart: false };
      expect(await check(world, wish)).toMatchObject({ added: [], replaced: LIST.length });
      await runAll(world, wish);
      expect(sheet.byHeader(2)['Analysis status']).toBe(okCell(LIST[0], 'UK'));
      expect(await check(world, UK)).toMatchObject({ added: [], areApart: false, replaced: 0 });
    });

    it('that is partly of the UK by now says how many rows are replaced, or gets columns', async () => {
      const sheet = await analyzedIn(US);
      sheet.grid.select({
        sheetId: sheet.id,
        rectangle: { row: 2, column: 1, rowCount: 2, columnCount: 1 },
      });
      await runAll(world, { ...UK, apart: false, rows: { kind: 'selection' } });
      const all = { ...UK, rows: { kind: 'all' } };
      expect(await check(world, all)).toMatchObject({ areApart: false, replaced: LIST.length - 2 });
      expect(await check(world, { ...all, apart: true })).toMatchObject({
        areApart: true,
        replaced: 0,
        added: expect.arrayContaining(OF_UK),
      });
    });

    it('keeps its figures when a run for the UK was only begun', async () => {
      const sheet = await analyzedIn(US);
      const { runId } = await startRun(world, { ...UK, apart: false });
      granted(await world.rpc('bulk.stop', { runId }));
      expect(sheet.byHeader(2)['Analysis status']).toBe(okCell(LIST[0]));
      expect(await check(world, UK)).toMatchObject({ areApart: true });
    });

    it('keeps its figures beside a schedule for the UK', async () => {
      const sheet = await analyzedIn(US);
      await schedule(world, 's1', UK);
      await pass(world, 24);
      expect(sheet.byHeader(2)).toMatchObject({
        'Analysis status': okCell(LIST[0]),
        'Analysis status (UK)': okCell(LIST[0], 'UK'),
      });
    });
  });

  describe('two columns of products, each run for two markets', () => {
    it('have four sets of columns', async () => {
      const sheet = sheetOf([
        ['ASIN', 'Other'],
        ...LIST.map((asin, at) => [asin, LIST.at(at - 1) ?? '']),
      ]);
      world = createWorld({ sandbox: SANDBOX, host: { documents: [sheet.document] } });
      await world.connect();
      for (const productColumn of [1, 2])
        for (const market of [US, UK])
          expect(await runAll(world, { ...market, productColumn })).toMatchObject({ failed: 0 });
      const titles = sheet
        .values()[0]
        ?.filter((title) => String(title).startsWith('Analysis status'));
      expect(titles).toEqual([
        'Analysis status',
        'Analysis status (UK)',
        'Analysis status (Other)',
        'Analysis status (Other, UK)',
      ]);
    });
  });
});

// Two columns of products in one sheet: each keeps the figures that a run wrote for it.
describe('a second list', () => {
  const LIST = US_ASINS.slice(30, 36);

  const TITLES = ['Profit', 'ROI', 'Fees', 'Eligible', 'Rank drops 30d', 'Analysis status'];

  const SECOND = [...TITLES, 'Analyzed at'].map((title) => `${title} (Parent ASIN)`);

  const PARENT = { productColumn: 2 };

  const family = () =>
    sheetOf([['ASIN', 'Parent ASIN'], ...LIST.map((asin, at) => [asin, US_ASINS[at] ?? ''])]);

  describe('a second column of products', () => {
    it('gets columns of its own, and both are refreshed where they are', async () => {
      const sheet = family();
      world = await worldWith(sheet);
      await runAll(world);
      const first = sheet.values().map((row) => row.slice(0, 8));
      expect(await check(world, PARENT)).toMatchObject({ added: SECOND });
      expect(await runAll(world, PARENT)).toMatchObject({ answered: 6 });
      expect(sheet.values().map((row) => row.slice(0, 8))).toEqual(first);
      expect(sheet.byHeader(2)['Analysis status (Parent ASIN)']).toBe(okCell(US_ASINS[0]));
      for (const wish of [{ productColumn: 1 }, PARENT])
        expect(await runAll(world, wish)).toMatchObject({ cached: 6, keptCells: 0 });
      expect(sheet.byHeader(3)['Analysis status']).toBe(okCell(LIST[1]));
      expect(sheet.byHeader(3)['Analysis status (Parent ASIN)']).toBe(okCell(US_ASINS[1]));
      expect(sheet.values()[0]).toHaveLength(2 + 7 + 7);
    });

    it('keeps them when its run was stopped at once', async () => {
      const sheet = family();
      world = await worldWith(sheet);
      await runAll(world);
      const { runId } = await startRun(world, PARENT);
      granted(await world.rpc('bulk.stop', { runId }));
      expect(sheet.values()[0]?.slice(9)).toEqual(SECOND);
      expect(await check(world, PARENT)).toMatchObject({ added: [] });
    });
  });
});

// A new list over an old one, and a run over some of its rows that is cut off: the others are left alone.
describe('a list over another', () => {
  const OLD = US_ASINS.slice(1_600, 1_660);

  const NEW = US_ASINS.slice(1_660, 1_720);

  const CHOSEN = 20;

  async function pastedOver(): Promise<Sheet> {
    const sheet = sheetOf([['ASIN'], ...OLD.map((asin) => [asin])]);
    world = createWorld({ sandbox: SANDBOX, host: { documents: [sheet.document] } });
    await world.connect();
    await runAll(world);
    sheet.grid.write(
      sheet.id,
      2,
      1,
      NEW.map((asin) => [asin]),
    );
    const rectangle = { row: 2, column: 1, rowCount: CHOSEN, columnCount: 1 };
    sheet.grid.select({ sheetId: sheet.id, rectangle, others: [] });
    await world.host.run(world.host.nowMs() + 60_000);
    return sheet;
  }

  it.each([40, 60, 80])('cut off at call %d', async (killAtCall) => {
    const sheet = await pastedOver();
    const before = sheet.values();
    const { runId } = await startRun(world, { rows: { kind: 'selection' } });
    const args = ['bulk.run', { runId, worker: 0, maxMs: 300_000 }];
    const cut = world.host.start({ functionName: 'rpc', args, door: 'sidebar', killAtCall });
    await world.host.run();
    expect((await cut).ended).toBe('killed');
    await world.host.run(world.host.nowMs() + 120_000);
    expect(await runOn(world, runId)).toMatchObject({ state: 'finished', left: 0 });
    const after = sheet.values();
    expect(after.slice(1 + CHOSEN)).toEqual(before.slice(1 + CHOSEN));
    const statuses = after.slice(1, 1 + CHOSEN).map((row) => row[6]);
    expect(statuses).toEqual(NEW.slice(0, CHOSEN).map((asin) => okCell(asin)));
    expect(world.service().arrived).toBeLessThanOrEqual(OLD.length + 2 * CHOSEN);
  });
});

// Rows far apart in a long list are a write each: the run stays alive and listens while it writes them.
describe('rows far apart', () => {
  /** More than one write reaches. */
  const APART = 510;

  const LIST = US_ASINS.slice(1_500, 1_550);

  const ROWS = LIST.map((_, at) => 2 + at * APART);

  /** A list in which only every 510th row holds a product. */
  const farApart = () => {
    const cells = Array.from({ length: LIST.length * APART }, () => ['']);
    for (const [at, asin] of LIST.entries()) cells[at * APART] = [asin];
    return sheetOf([['ASIN'], ...cells]);
  };

  const rpc = (method: string, payload: object) =>
    ({ functionName: 'rpc', args: [method, payload], door: 'sidebar' }) as const;

  async function started() {
    const sheet = farApart();
    world = createWorld({ sandbox: SANDBOX, host: { documents: [sheet.document] } });
    await world.connect();
    const { runId } = await startRun(world);
    const beganMs = world.host.nowMs();
    const slice = world.host.start(rpc('bulk.run', { runId, worker: 0, maxMs: 300_000 }));
    return { sheet, runId, beganMs, slice };
  }

  it('no other tab takes its place', async () => {
    const { sheet, runId, beganMs, slice } = await started();
    const second = world.host.start(
      rpc('bulk.run', { runId, worker: 0, maxMs: 300_000 }),
      beganMs + 25_000,
    );
    await world.host.run();
    const [first, other] = [await slice, await second];
    expect(first).toMatchObject({ ended: 'returned' });
    // It looks, and is told to come back later.
    expect(other.serviceCalls).toBeLessThan(20);
    expect(await runOn(world, runId)).toMatchObject({ state: 'finished', answered: LIST.length });
    const rows = sheet.values();
    const statuses = ROWS.map((row) => rows[row - 1]?.[6]);
    expect(statuses).toEqual(LIST.map((asin) => okCell(asin)));
  });

  it('what was answered when it is paused is written yet, and asked for once', async () => {
    const { runId, beganMs, slice } = await started();
    const pause = world.host.start(rpc('bulk.pause', { runId }), beganMs + 20_000);
    await world.host.run();
    expect(await pause).toMatchObject({ ended: 'returned' });
    expect(await slice).toMatchObject({ ended: 'returned' });
    expect(granted(await world.rpc('bulk.status'))).toMatchObject({
      state: 'paused',
      answered: LIST.length,
    });
    granted(await world.rpc('bulk.resume', { runId }));
    expect(await runOn(world, runId)).toMatchObject({ state: 'finished', answered: LIST.length });
    expect(world.service().arrived).toBe(LIST.length);
  });
});
