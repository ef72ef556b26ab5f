// What a person does to the cells of a list: each row shows the figures of its own product, or nothing.
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Act } from 'apps-script-host/sheet/acts';
import type { CellValue } from 'apps-script-host/sheet/model';
import { TAB_COLUMNS } from '../../src/analysis/analysis-row';
import { US_ASINS as A, granted } from '../doors/bulk-list';
import { analyze, columnOf, type DealWorld, dealWorld, decide, lookAt } from '../doors/deal-list';

const ROWS = 12;
const PRODUCT = 2;
const COST = 3;

let deal: DealWorld;
/** Figures and costs of each product, as they were before anybody moved anything. */
let own: ReadonlyMap<string, Readonly<Record<string, CellValue>>>;

const PROFIT = 'Profit (service’s buy price)';
const FIGURES = [PROFIT, 'ROI (service’s buy price)', 'Fees', 'Sell price'];

const rows = () =>
  Array.from({ length: ROWS + 2 }, (_, at) => deal.sheet.byHeader(at + 2)).filter(
    (row) => row[PROFIT] !== undefined,
  );

/** A list with decisions. @param market whether its rows name theirs. */
async function decided(market: boolean): Promise<void> {
  deal = await dealWorld([
    ['Note', 'ASIN', 'Cost', 'Qty', ...(market ? ['Market'] : [])],
    ...Array.from({ length: ROWS }, (_, at) => [
      ...[`n${at}`, A[at] ?? '', 2 + at / 4, 1 + at],
      ...(market ? ['US'] : []),
    ]),
  ]);
  const fields = ['profit', 'roi', 'fees', 'eligible', 'rank_drops_30d', 'sell_price'];
  await analyze(deal.world, { fields });
  granted(await decide(deal.world));
  own = new Map(rows().map((row) => [String(row.ASIN), row]));
  expect([...own.values()].some(({ Verdict }) => Verdict === 'Buy')).toBe(true);
}

afterEach(() => deal.world.stop());

const person = (act: object) =>
  deal.sheet.people({ sheetId: deal.sheet.id, ...act } as unknown as Act);

const titles = () => deal.sheet.values()[0]?.map(String) ?? [];

/** What formulas show that is not their row's own; and how many rows show their figures. */
function shown() {
  const heads = titles();
  const size = { row: 1, column: 1, rowCount: ROWS + 3, columnCount: heads.length };
  const formulas = deal.sheet.grid.formulas(deal.sheet.id, size);
  const wrong = rows().flatMap((row, at) => {
    const mine = own.get(String(row.ASIN));
    const profit = Number(mine?.['My profit']) + Number(mine?.Cost) - Number(row.Cost);
    const wanted: Readonly<Record<string, CellValue | undefined>> = {
      ...mine,
      // These follow from what stands in the row, whatever its cost was before.
      'Landed cost': row.Cost,
      'My profit':
        row.Cost === '' || Number.isNaN(profit) ? undefined : Math.round(profit * 100) / 100,
    };
    const isOther = row.Cost !== mine?.Cost;
    return [...FIGURES, 'Landed cost', 'My profit', 'Max buy', 'Verdict']
      .filter((title) => {
        const cell = row[title] ?? '';
        const isOfOurs = (formulas[at + 1]?.[heads.indexOf(title)] ?? '') !== '';
        if (!isOfOurs || !(typeof cell === 'number' || cell === 'Buy')) return false;
        return title === 'Verdict' && isOther && mine !== undefined
          ? typeof row.Cost !== 'number'
          : cell !== wanted[title];
      })
      .map((title) => `row ${at + 2} (${row.ASIN}): ${title} ${row[title]}, not ${wanted[title]}`);
  });
  return { wrong, right: rows().filter((row) => typeof row[PROFIT] === 'number').length };
}

const one = (row: number, column: number) => ({ row, column, rowCount: 1, columnCount: 1 });

describe.each([
  ['of one market', false],
  ['whose rows name their markets', true],
])('a list %s', (_, market) => {
  it('shows nothing of another product, whatever cells a person moves', async () => {
    await decided(market);
    const profitColumn = (deal.sheet.values()[0] ?? []).indexOf(PROFIT) + 1;
    const acts: readonly (readonly [what: string, act: object])[] = [
      ['a product deleted, up', { do: 'deleteCells', rectangle: one(4, PRODUCT), axis: 'row' }],
      ['a cell inserted, down', { do: 'insertCells', rectangle: one(4, PRODUCT), axis: 'row' }],
      ['a cell inserted, right', { do: 'insertCells', rectangle: one(4, PRODUCT), axis: 'column' }],
      ['a cell deleted, left', { do: 'deleteCells', rectangle: one(4, 1), axis: 'column' }],
      [
        'a product dragged down',
        { do: 'cutPaste', from: one(4, PRODUCT), row: 5, column: PRODUCT },
      ],
      ['a product over its cost', { do: 'cutPaste', from: one(4, PRODUCT), row: 4, column: COST }],
      ['a cost deleted, up', { do: 'deleteCells', rectangle: one(4, COST), axis: 'row' }],
      ['a cost dragged down', { do: 'cutPaste', from: one(4, COST), row: 5, column: COST }],
      [
        'figures pushed right',
        { do: 'insertCells', rectangle: one(4, profitColumn), axis: 'column' },
      ],
      [
        'figures pulled left',
        { do: 'deleteCells', rectangle: one(4, profitColumn), axis: 'column' },
      ],
      ['a cost over a quantity', { do: 'cutPaste', from: one(4, COST), row: 4, column: COST + 1 }],
    ];
    for (const [what, act] of acts) {
      person(act);
      expect([what, shown().wrong]).toEqual([what, []]);
      person({ do: 'undo' });
      expect([what, shown()]).toEqual([what, { wrong: [], right: ROWS }]);
    }
  });

  it('shows nothing where two products were swapped by dragging', async () => {
    await decided(market);
    person({ do: 'cutPaste', from: one(4, PRODUCT), row: 40, column: PRODUCT });
    person({ do: 'cutPaste', from: one(5, PRODUCT), row: 4, column: PRODUCT });
    person({ do: 'cutPaste', from: one(40, PRODUCT), row: 5, column: PRODUCT });
    expect(shown()).toEqual({ wrong: [], right: ROWS - 2 });
  });
});

it('decides nothing where the return that it rests on was dragged away', async () => {
  await decided(false);
  const column = columnOf(deal, 'myRoi');
  person({ do: 'cutPaste', from: one(4, column), row: ROWS + 20, column: column + 1 });
  expect(deal.sheet.decision(4).Verdict).toBe('No verdict');
  expect(deal.sheet.decision(5).Verdict).toBe(own.get(A[3] ?? '')?.Verdict);
});

it('takes no stock count for a row of the tab in rows pasted one column to the side', async () => {
  await decided(false);
  const { grid, id } = deal.sheet;
  const to = grid.addSheet('Copy', 2);
  const width = grid.size(id).lastColumn;
  const from = { row: 1, column: 2, rowCount: ROWS + 1, columnCount: width - 1 };
  person({ do: 'copyPaste', from, toSheetId: to, row: 1, column: 1 });
  const helper = (deal.sheet.values()[0] ?? []).indexOf('OK') + 1;
  const stock = Array.from({ length: ROWS }, (_, at) => [2 + at]);
  person({ do: 'edit', sheetId: to, row: 2, column: helper, contents: stock });
  const profit = columnOf(deal, 'myProfit');
  const heads = titles();
  const area = { row: 2, column: 1, rowCount: ROWS, columnCount: width };
  const copied = grid.values(to, area);
  for (const title of FIGURES)
    expect(copied.map((row) => row[heads.indexOf(title) - 1])).toEqual(Array(ROWS).fill(''));
  expect(copied.map((row) => row[profit - 2])).toEqual(Array(ROWS).fill(''));
});

describe('values pasted over hidden cells, their own', () => {
  /** Pastes the values of hidden columns of a bought row on themselves, and then changes what they are of. */
  async function pasted(hidden: readonly string[], act: (row: number) => void) {
    await decided(false);
    const row = 2 + [...own.values()].findIndex(({ Verdict }) => Verdict === 'Buy');
    for (const title of hidden) {
      const column = titles().findIndex((one) => one === title || one.startsWith(title)) + 1;
      person({ do: 'pasteValues', from: one(row, column), row, column });
    }
    act(row);
    return deal.sheet.byHeader(row);
  }

  it('of the helper show no figures of the product that stood there before', async () => {
    const after = await pasted(['OK'], (row) => deal.sheet.type(row, PRODUCT, A[ROWS + 1] ?? ''));
    for (const title of FIGURES) expect(after[title]).toBe('');
  });

  it('of a cost make no profit and no Buy by the former cost', async () => {
    const after = await pasted(['Cost as number'], (row) => deal.sheet.type(row, COST, 900));
    expect(after).toMatchObject({ 'Landed cost': 'Check columns', 'My profit': '' });
    expect(after.Verdict).toBe('No verdict');
  });

  it.each([
    ['the reasons', ['ASIN|']],
    ['the reasons of gains', ['Gain reasons']],
  ])('of %s make no verdict', async (_, hidden) => {
    const after = await pasted(hidden, (row) => deal.sheet.type(row, COST, 900));
    expect(after.Verdict).toBe('No verdict');
  });

  it('of the most that a sale may cost make no Max buy', async () => {
    const fees = (row: number) => deal.sheet.type(row, titles().indexOf('Fees') + 1, 900);
    expect(await pasted(['Most landed'], fees)).toMatchObject({ 'Max buy': '' });
  });
});

it.each([
  ['a cost', '=2+2'],
  ['a loss', '=2-4'],
])('a formula of a person’s in the hidden cost, %s, is no cost', async (_, formula) => {
  await decided(false);
  const column = titles().indexOf('Cost as number') + 1;
  person({ do: 'edit', row: 4, column, contents: [[{ formula }]] });
  expect(deal.sheet.byHeader(4)).toMatchObject({
    ...{ 'Landed cost': 'Check columns', 'My profit': '', Verdict: 'No verdict' },
  });
});

describe('cells of ours that were copied one column to the side', () => {
  it.each(FIGURES)('show no %s under another title', async (title) => {
    await decided(false);
    const column = titles().indexOf(title) + 1;
    const from = { row: 2, column, rowCount: ROWS, columnCount: 1 };
    person({ do: 'copyPaste', from, row: 2, column: column + 1 });
    const beside = titles()[column] ?? '';
    expect(rows().filter((row) => row[beside] !== '')).toEqual([]);
  });

  it('show no profit, return and price under the title of another decision', async () => {
    await decided(false);
    const column = columnOf(deal, 'myProfit');
    const from = { row: 2, column, rowCount: ROWS, columnCount: 4 };
    person({ do: 'copyPaste', from, row: 2, column: column + 1 });
    // What stands under *Landed cost* would rest on itself.
    for (const title of ['My ROI', 'Max buy', 'Landed cost'])
      expect(rows().filter((row) => typeof row[title] === 'number')).toEqual([]);
  });
});

it('a verdict that was pasted over a status as a value is none', async () => {
  await decided(false);
  const row = 2 + [...own.values()].findIndex(({ Verdict }) => Verdict === 'Buy');
  const from = one(row, columnOf(deal, 'verdict'));
  person({ do: 'pasteValues', from, row, column: titles().indexOf('Analysis status') + 1 });
  expect(deal.sheet.decision(row).Verdict).toBe('Not analyzed');
});

it('a landed cost that was dragged over the net sale is in neither profit nor verdict', async () => {
  await decided(false);
  const from = one(4, columnOf(deal, 'landedCost'));
  person({ do: 'cutPaste', from, row: 4, column: columnOf(deal, 'netSale') });
  expect(deal.sheet.decision(4)).toMatchObject({
    ...{ 'My profit': '', 'My ROI': '', Verdict: 'No verdict' },
  });
});

it('a verdict that was pushed into another row with its hidden reasons is none there', async () => {
  await decided(false);
  // Of reasons, the title cell holds the titles that were bound.
  const reasons = titles().findIndex((title) => title.includes('|')) + 1;
  const row = 2 + [...own.values()].findLastIndex(({ Verdict }) => Verdict === 'Buy');
  for (const column of [columnOf(deal, 'verdict'), reasons])
    person({ do: 'insertCells', rectangle: one(row, column), axis: 'row' });
  expect(deal.sheet.decision(row + 1).Verdict).toBe('Check columns');
});

it('buys nothing whose figures have no date: a text is greater than every number', async () => {
  await decided(false);
  const row = 2 + [...own.values()].findIndex(({ Verdict }) => Verdict === 'Buy');
  deal.sheet.type(row, titles().indexOf('Analyzed at') + 1, 'last week');
  expect(deal.sheet.decision(row)).toMatchObject({
    ...{ Verdict: 'Maybe', Why: expect.stringContaining('older than') },
  });
});

describe('the tab Analysis', () => {
  const tab = () => deal.sheet.grid.sheets().find(({ name }) => name === 'Analysis')?.id ?? 0;

  it('shows nothing of another product where its keys were moved or typed over', async () => {
    await decided(false);
    const column = TAB_COLUMNS.indexOf('key') + 1;
    const acts: readonly (readonly [what: string, act: object])[] = [
      ['deleted, up', { do: 'deleteCells', rectangle: one(4, column), axis: 'row' }],
      ['inserted, down', { do: 'insertCells', rectangle: one(4, column), axis: 'row' }],
      ['typed over', { do: 'edit', row: 4, column, contents: [[`${A[0]}|US`]] }],
      ['typed over above', { do: 'edit', row: 2, column, contents: [[`${A[5]}|US`]] }],
    ];
    for (const [what, act] of acts) {
      person({ ...act, sheetId: tab() });
      expect([what, shown().wrong]).toEqual([what, []]);
      person({ do: 'undo' });
    }
  });
});

it('keeps what its products were bound by, until a person says that another title is theirs', async () => {
  await decided(false);
  deal.sheet.type(1, PRODUCT, 'Parent ASIN (another title)');
  await analyze(deal.world);
  expect(deal.sheet.decision(2).Verdict).toBe('Check columns');
  expect((await lookAt(deal.world)).changed).toMatchObject([{ role: 'product', was: 'ASIN' }]);
});

describe('rows that show nothing because cells were moved', () => {
  const moved = async () => granted(await deal.world.rpc('list.look', {})).movedRows;
  const shift = () => person({ do: 'deleteCells', rectangle: one(4, PRODUCT), axis: 'row' });

  it.each([
    ['Fill in new rows', () => deal.world.rpc('list.fillInNewRows', {})],
    ['the next decision', () => decide(deal.world)],
  ])('are counted, and mended by %s', async (_what, mend) => {
    await decided(false);
    expect(await moved()).toBe(0);
    shift();
    expect(shown().right).toBe(2);
    expect(await moved()).toBe(ROWS - 3);
    granted(await mend());
    expect(await moved()).toBe(0);
    expect(shown()).toEqual({ wrong: [], right: ROWS - 1 });
  });

  it('are mended by the next run', async () => {
    await decided(false);
    shift();
    await analyze(deal.world);
    expect(await moved()).toBe(0);
    expect(shown()).toEqual({ wrong: [], right: ROWS - 1 });
  });

  it('are counted where only costs have moved', async () => {
    await decided(false);
    person({ do: 'deleteCells', rectangle: one(4, COST), axis: 'row' });
    expect(await moved()).toBe(ROWS - 2);
  });

  it('leave no formulas below the last product', async () => {
    await decided(false);
    shift();
    granted(await deal.world.rpc('list.fillInNewRows', {}));
    const { grid, id } = deal.sheet;
    const area = {
      row: ROWS + 1,
      column: 5,
      rowCount: 1,
      columnCount: grid.size(id).lastColumn - 4,
    };
    expect(grid.formulas(id, area)[0]?.every((formula) => formula === '')).toBe(true);
  });
});
