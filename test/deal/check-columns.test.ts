// A list whose columns are others by now than when decisions were added: nothing counts before a person says so.
import { describe, expect, it } from '@jest/globals';
import { US_ASINS as A, granted } from '../doors/bulk-list';
import {
  analyze,
  columnOf,
  type DealWorld,
  dealsPage,
  dealWorld,
  decide,
  lookAt,
  shop,
} from '../doors/deal-list';

const ROWS = 6;
const TITLES = ['ASIN', 'Cost', 'Qty'];
const cost = (at: number) => 1 + at / 10;

async function decided(
  titles: readonly string[] = TITLES,
  cells: (at: number) => readonly (string | number)[] = (at) => [A[at] ?? '', cost(at), 2],
): Promise<DealWorld> {
  const deal = await dealWorld([titles, ...Array.from({ length: ROWS }, (_, at) => cells(at))]);
  await analyze(deal.world);
  granted(await decide(deal.world));
  return deal;
}

const paste = ({ sheet }: DealWorld, rows: readonly (readonly (string | number)[])[], column = 1) =>
  sheet.people({ do: 'edit', sheetId: sheet.id, row: 1, column, contents: rows });

const verdicts = (deal: DealWorld) => {
  const column = columnOf(deal, 'verdict');
  return Array.from({ length: ROWS }, (_, at) => deal.sheet.values()[at + 1]?.[column - 1]);
};

const titlesOf = (deal: DealWorld) => deal.sheet.values()[0]?.map(String) ?? [];

const all = (word: string) => Array<string>(ROWS).fill(word);

/** Quantity where the cost was. */
const nextWeek = [
  ['ASIN', 'Qty', 'Cost'],
  ...Array.from({ length: ROWS }, (_, at) => [A[at] ?? '', 10, 40 + at]),
];

describe('next week’s list pasted over this one', () => {
  it('is checked at once: nothing is a Buy, nothing is on the shopping list', async () => {
    const deal = await decided();
    expect(verdicts(deal)).toContain('Buy');
    paste(deal, nextWeek);
    expect(verdicts(deal)).toEqual(all('Check columns'));
    expect(deal.sheet.decision(2)).toMatchObject({
      ...{ 'Landed cost': 'Check columns', 'My profit': '', 'My ROI': '', 'Max buy': '' },
    });
    expect((await lookAt(deal.world)).changed).toEqual([
      { role: 'cost', letter: 'B', was: 'Cost', now: 'Qty', isElsewhere: true },
      { role: 'quantity', letter: 'C', was: 'Qty', now: 'Cost', isElsewhere: true },
    ]);
    expect(granted(await shop(deal.world))).toMatchObject({ tab: null, passing: 0 });
    expect(await dealsPage(deal.world).primary()).toBe('Choose again');
    await analyze(deal.world);
    expect(verdicts(deal)).toEqual(all('Check columns'));
  });

  it('is noticed where a title was cut to another sheet, although references follow it', async () => {
    const deal = await decided();
    const from = { row: 1, column: 2, rowCount: 1, columnCount: 1 };
    const toSheetId = deal.sheet.grid.addSheet('Other', 1);
    const { id: sheetId } = deal.sheet;
    deal.sheet.people({ do: 'cutPaste', sheetId, from, toSheetId, row: 1, column: 1 });
    expect(verdicts(deal)).toEqual(all('Check columns'));
  });

  it('is noticed where the hidden column of bound titles was moved among them', async () => {
    const deal = await decided();
    const { id: sheetId } = deal.sheet;
    const titles = deal.sheet.values()[0]?.map(String) ?? [];
    const first = titles.findIndex((one) => one.includes('|')) + 1;
    deal.sheet.people({ do: 'moveColumns', sheetId, first, count: 1, before: first - 1 });
    expect(verdicts(deal)).not.toContain('Check columns');
    const from = { row: 1, column: 2, rowCount: 1, columnCount: 1 };
    const toSheetId = deal.sheet.grid.addSheet('Other', 1);
    deal.sheet.people({ do: 'cutPaste', sheetId, from, toSheetId, row: 1, column: 1 });
    expect(verdicts(deal)).toEqual(all('Check columns'));
  });

  it('is decided by its own columns once they are chosen again', async () => {
    const deal = await decided();
    paste(deal, nextWeek);
    granted(await decide(deal.world));
    expect((await lookAt(deal.world)).changed).toBeNull();
    expect(deal.sheet.decision(2)).toMatchObject({ 'Landed cost': 40, Verdict: 'Skip' });
  });

  it('is decided where a person says that the column is still the cost', async () => {
    const deal = await decided();
    const before = deal.sheet.decision(2);
    deal.sheet.type(1, 2, 'RRP');
    expect(verdicts(deal)).toEqual(all('Check columns'));
    expect(await decide(deal.world)).toMatchObject({ ok: false, failure: { why: 'look-again' } });
    const page = dealsPage(deal.world);
    expect(await page.primary()).toBe('It is still the cost');
    await page.actions.keepBound('cost');
    expect((await lookAt(deal.world)).changed).toBeNull();
    expect(deal.sheet.decision(2)).toEqual(before);
  });
});

describe('a cost that is chosen again', () => {
  it('is another column than the one that was bound, once decisions are updated', async () => {
    const deal = await decided(['ASIN', 'Cost', 'Unit price'], (at) => [A[at] ?? '', 2, 3 + at]);
    expect(deal.sheet.decision(2)).toMatchObject({ 'Landed cost': 2 });
    const page = dealsPage(deal.world);
    await page.primary();
    await page.actions.chooseAgain();
    expect(page.list().samples[0]?.offer).toMatchObject({ costs: { cost: 2 } });
    const other = { column: 3, letter: 'C', title: 'Unit price' };
    await page.actions.chooseCost({ column: other });
    expect(page.list().costs.cost).toEqual(other);
    expect(deal.sheet.decision(2)).toMatchObject({ 'Landed cost': 2 });
    await page.actions.decide();
    expect(deal.sheet.decision(3)).toMatchObject({ 'Landed cost': 4 });
    expect((await lookAt(deal.world)).costs.cost).toEqual(other);
    // Left without an answer, it is as it was.
    await page.actions.chooseAgain();
    await page.actions.chooseCost({ column: { column: 2, letter: 'B', title: 'Cost' } });
    page.actions.leave();
    await page.primary();
    expect(page.list().costs.cost).toEqual(other);
  });
});

describe('titles and cells that a person replaced', () => {
  it.each([
    ['of figures', 'Fees'],
    ['that reads costs, which is hidden', 'Cost as number'],
  ])('stay theirs, and our column is added again: one %s', async (_what, title) => {
    const deal = await decided();
    const { sheet, world } = deal;
    const column = (sheet.values()[0] ?? []).indexOf(title) + 1;
    const before = sheet.decision(2);
    paste(deal, [['Brand'], ...Array.from({ length: ROWS }, (_, at) => [3 + at])], column);
    expect(verdicts(deal)).toEqual(all('Check columns'));
    await analyze(world);
    expect(sheet.values().map((row) => row[column - 1])).toEqual(['Brand', 3, 4, 5, 6, 7, 8]);
    granted(await decide(world));
    expect(sheet.values()[0]).toContain(title);
    expect(sheet.decision(2)).toEqual(before);
  });

  it('are no reason to give up a column that was only renamed', async () => {
    const deal = await decided();
    const before = deal.sheet.values()[0]?.length;
    deal.sheet.type(1, (deal.sheet.values()[0] ?? []).indexOf('Fees') + 1, 'Amazon fees');
    expect((await lookAt(deal.world)).changed).toEqual([]);
    granted(await decide(deal.world));
    expect(deal.sheet.values()[0]).toHaveLength(before ?? 0);
    expect(verdicts(deal)).toContain('Buy');
  });
});

describe('products that stand in another column by now', () => {
  it('are found, with the columns that the list has', async () => {
    const deal = await decided(['ASIN', 'Cost'], (at) => [A[at] ?? '', cost(at)]);
    const width = deal.sheet.values()[0]?.length;
    paste(deal, [
      ['Title', 'ASIN', 'Cost'],
      ...Array.from({ length: ROWS }, (_, at) => [`Thing ${at}`, A[at] ?? '', cost(at)]),
    ]);
    // The paste covers the column of verdicts.
    expect(deal.sheet.values().flat()).not.toContain('Buy');
    await analyze(deal.world);
    const fees = deal.sheet.values()[0]?.indexOf('Fees') ?? -1;
    expect(typeof deal.sheet.values()[1]?.[fees]).toBe('number');
    granted(await decide(deal.world));
    expect(verdicts(deal)).toContain('Buy');
    expect(deal.sheet.values()[0]?.length).toBe((width ?? 0) + 1);
  });
});

describe('a row without figures', () => {
  it('says why in one word, and shows no amounts', async () => {
    const deal = await decided(TITLES, (at) => [at === 0 ? 'B000000000' : (A[at] ?? ''), 2, 1]);
    expect(deal.sheet.decision(2)).toMatchObject({
      ...{ Verdict: 'Not found', Why: '', 'My profit': '', 'My ROI': '', 'Max buy': '' },
    });
    deal.sheet.type(3, 1, A[40] ?? '');
    expect(deal.sheet.decision(3)).toMatchObject({ Verdict: 'Not analyzed', 'Max buy': '' });
    const profit = `${String.fromCharCode(64 + columnOf(deal, 'myProfit'))}3`;
    const formula = `=IF(${profit}>3;"BUY";IF(ISBLANK(${profit});"blank";""))`;
    const write = { do: 'edit', sheetId: deal.sheet.id, row: 3, column: 26 } as const;
    deal.sheet.people({ ...write, contents: [[{ formula }]] });
    expect(deal.sheet.values()[2]?.[25]).toBe('blank');
  });
});

describe('hidden cells that somebody has cleared or pasted over', () => {
  it('are no Buy', async () => {
    const deal = await decided();
    const row = 2 + verdicts(deal).indexOf('Buy');
    for (const role of ['reasons', 'costNumber'] as const) {
      const title = role === 'costNumber' ? 'Cost as number' : null;
      const titles = titlesOf(deal);
      const at =
        title === null ? titles.findIndex((one) => one.includes('|')) : titles.indexOf(title);
      for (const other of ['', 5, '-', 'n/a']) {
        deal.sheet.type(row, at + 1, other);
        expect([role, other, verdicts(deal)[row - 2]]).toEqual([role, other, 'No verdict']);
        if (role === 'costNumber' && other === 5)
          expect(deal.sheet.decision(row)['Landed cost']).toBe('Check columns');
        deal.sheet.people({ do: 'undo' });
      }
    }
  });

  it.each(['Cost as number', 'Prep as number'])(
    'are no landed cost either where there are several, whosever value was pasted: %s',
    async (title) => {
      const deal = await decided(['ASIN', 'Cost', 'Prep'], (at) => [A[at] ?? '', cost(at), at]);
      const column = 1 + titlesOf(deal).indexOf(title);
      const [own, next] = [2, 3].map((row) => deal.sheet.values()[row - 1]?.[column - 1]);
      expect([typeof own, typeof next]).toEqual(['number', 'number']);
      for (const value of [own, next]) {
        deal.sheet.type(2, column, Number(value));
        expect(deal.sheet.decision(2)).toMatchObject({
          ...{ 'Landed cost': 'Check columns', 'My profit': '', Verdict: 'No verdict' },
        });
        deal.sheet.people({ do: 'undo' });
      }
      expect(deal.sheet.decision(2)['Landed cost']).toBe(1);
    },
  );

  it('are no Buy of another row where reasons were pushed up and sorted', async () => {
    const costs = [1, 9, 2, 3, 4, 5];
    const deal = await decided(TITLES, (at) => [A[at + 1] ?? '', costs[at] ?? 0, 2]);
    expect(verdicts(deal)[0]).toBe('Buy');
    const { id: sheetId, grid } = deal.sheet;
    const column = 1 + titlesOf(deal).findIndex((title) => title.includes('|'));
    const cell = { row: 3, column, rowCount: 1, columnCount: 1 };
    deal.sheet.people({ do: 'deleteCells', sheetId, rectangle: cell, axis: 'row' });
    const { lastColumn: columnCount } = grid.size(sheetId);
    const rectangle = { row: 2, column: 1, rowCount: ROWS, columnCount };
    const keys = [{ column: 2, ascending: true }];
    deal.sheet.people({ do: 'sort', sheetId, rectangle, keys });
    expect(verdicts(deal)).toEqual(['Buy', ...all('Check columns').slice(1)]);
  });
});
