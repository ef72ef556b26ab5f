// What a sheet is remembered by, once a run was started in it: what was corrected stays corrected.

import { afterEach, describe, expect, it } from '@jest/globals';
import { check, choiceOf, look, runAll, SANDBOX, type Sheet, sheetOf, US_ASINS } from './bulk-list';
import { pass, schedule, shownNow } from './schedule-list';
import { createWorld, type World } from './world';

let world: World;
afterEach(() => world.stop());

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
