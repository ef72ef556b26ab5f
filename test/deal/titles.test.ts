// Titles as sellers write them, from the sheet to the decision: what counts, what is asked, and what is left alone.

import { describe, expect, it } from '@jest/globals';
import type { CellValue } from 'apps-script-host/sheet/model';
import { granted } from '../doors/bulk-list';
import { changeRules, decide, offersIn } from '../doors/deal-list';
import { sampleOf } from '../sample';
import { titledLists } from './titled-list';

const lists = titledLists();

/** A list of two products with the same cells beside them. */
async function opened(titles: readonly string[], cells: readonly CellValue[]) {
  const page = await lists.open(titles, [cells, cells]);
  const button = await page.primary();
  return { page, button, view: page.list };
}

const landed = () => lists.made.sheet.byHeader(2)['Landed cost'];

describe('a cost', () => {
  it.each(
    sampleOf<[readonly string[], readonly CellValue[], number]>(
      'taken',
      [
        [['Title', 'Cost', 'Units Sold'], ['Mug', 4, 37], 4],
        [['Number of Items', 'Package: Quantity', 'Cost'], [100, 1, 2.5], 2.5],
        [['Number of Items', 'Cost'], [-1, 2.5], 2.5],
        [['Cost 1-99', 'Cost 100+', 'Cost'], [4, 3, 5], 5],
        [['Cost (per case of 12)'], [48], 4],
        [['Landed cost', 'Shipping'], [8, 3], 8],
        [['Cost', 'Delivery'], [8, 'FBA'], 8],
        [['Cost', 'Other'], [8, 'needs polybag'], 8],
        [['Cost', 'Shipping', 'Prep fee'], [8, 3, 0.5], 11.5],
      ],
      1,
    ),
  )('of %p with %p below is taken as it is, unasked', async (titles, cells, cost) => {
    expect((await opened(titles, cells)).button).toBe('Add decisions');
    granted(await decide(lists.made.world));
    expect(landed()).toBe(cost);
  });

  it.each(
    sampleOf<[readonly string[], readonly CellValue[], readonly string[]]>(
      'asked',
      [
        [
          ['Cost 2025', 'Cost 2026'],
          [4, 5],
          ['Cost 2025', 'Cost 2026'],
        ],
        [
          ['Cost (old)', 'Cost (new)'],
          [4, 5],
          ['Cost (old)', 'Cost (new)'],
        ],
        [
          ['Cost [was]', 'Cost [now]'],
          [4, 5],
          ['Cost [was]', 'Cost [now]'],
        ],
        [
          ['Cost', 'New cost'],
          [4, 5],
          ['Cost', 'New cost'],
        ],
        [
          ['Cost', 'Updated cost'],
          [4, 5],
          ['Cost', 'Updated cost'],
        ],
        [['Price'], [4], ['Price']],
      ],
      1,
    ),
  )('of %p is asked, and nothing is decided before', async (titles, cells, columns) => {
    const { page, button, view } = await opened(titles, cells);
    expect(button).toBe('1 question left');
    expect(view().open).toMatchObject([
      { role: 'cost', columns: columns.map((title) => ({ title })) },
    ]);
    expect(await decide(lists.made.world)).toMatchObject({ failure: { why: 'columns-unclear' } });
    const last = view().choices.find(({ column }) => column.title === columns[columns.length - 1]);
    if (last !== undefined) await page.actions.chooseCost(last);
    await page.actions.decide();
    expect(landed()).toBe(cells[cells.length - 1]);
  });

  it('that is decided stays what it is beside a column of packs that comes later', async () => {
    const { page, view } = await opened(['Cost'], [4]);
    await page.actions.decide();
    const behind = (lists.made.sheet.values()[0]?.length ?? 0) + 1;
    for (const [at, cell] of ['Pack size', 12, 12].entries())
      lists.made.sheet.type(at + 1, behind, cell);
    await page.actions.refresh();
    expect(view()).toMatchObject({ open: [], costs: { cost: { title: 'Cost' } } });
    granted(await decide(lists.made.world));
    expect(landed()).toBe(4);
  });

  it.each<[readonly string[], readonly CellValue[], string, string]>([
    [['Cost'], ['4.80 inc VAT'], 'cost', 'Check cost'],
    [['Cost', 'Multipack'], [4, 'set of 2'], 'multipack', 'Check multipack'],
  ])('of %p with the text %p below is asked about, and is to be checked', async (...row) => {
    const [titles, cells, role, why] = row;
    const { page, button, view } = await opened(titles, cells);
    expect([button, view().open]).toMatchObject(['1 question left', [{ role }]]);
    const [column = null] = view().open[0]?.columns ?? [];
    if (role === 'cost' && column !== null) await page.actions.chooseCost({ column });
    else await page.actions.chooseColumn('multipack', column);
    await page.actions.decide();
    expect(lists.made.sheet.decision(2)).toMatchObject({ Verdict: 'No verdict', Why: why });
  });

  it('of a case waits for how many are in it', async () => {
    const { page, view } = await opened(['Case cost'], [48]);
    expect(view().open).toEqual([{ role: 'pack', columns: [] }]);
    expect(await decide(lists.made.world)).toMatchObject({ failure: { why: 'columns-unclear' } });
    granted(await changeRules(lists.made.world, { values: { pack: 12 } }));
    await page.actions.refresh();
    await page.actions.decide();
    expect(landed()).toBe(4);
  });
});

describe('a discount', () => {
  /** Two products at 10.00 with these discounts. @param formats of their cells. */
  async function discounted(discounts: readonly CellValue[], formats: readonly string[] = []) {
    const rows = discounts.map((one) => [10, one]);
    const page = await lists.open(['Cost', 'Discount'], rows);
    if (formats.length > 0)
      lists.made.sheet.grid.setNumberFormats(
        lists.made.sheet.id,
        2,
        3,
        formats.map((one) => [one]),
      );
    return page;
  }
  const costs = (rows: number) =>
    Array.from({ length: rows }, (_, at) => lists.made.sheet.byHeader(at + 2)['Landed cost']);

  it.each(
    sampleOf<[readonly CellValue[], readonly string[], readonly CellValue[]]>(
      'discounts',
      [
        [[5, 0.5, '20%', 100], [], [9.5, 9.95, 8, 'Check discount']],
        [
          [0.05, 0.5, 1],
          ['0%', '0.0%', '0%'],
          [9.5, 5, 'Check discount'],
        ],
        [['', '5%', 0], [], [10, 9.5, 10]],
      ],
      1,
    ),
  )('column of %p in formats of %p is read as one: %p', async (discounts, formats, paid) => {
    const page = await discounted(discounts, formats);
    expect(await page.primary()).toBe('Add decisions');
    await page.actions.decide();
    expect(costs(discounts.length)).toEqual(paid);
  });

  it('of 0.5 alone is asked, and read as it was answered ever after', async () => {
    const page = await discounted([0.5, 0.1]);
    expect(await page.primary()).toBe('1 question left');
    expect(page.list().open).toMatchObject([{ role: 'discount', as: ['percent', 'fraction'] }]);
    expect(await decide(lists.made.world)).toMatchObject({ failure: { why: 'columns-unclear' } });
    await page.actions.chooseColumn('discount', page.list().costs.discount ?? null, 'percent');
    await page.actions.decide();
    expect(costs(2)).toEqual([9.95, 9.99]);
    granted(await decide(lists.made.world));
    expect(costs(2)).toEqual([9.95, 9.99]);
    const [offer] = await offersIn(lists.made.world);
    expect(offer?.costs.discount).toBe(0.005);
  });
});

describe('a quantity', () => {
  it.each<[CellValue, boolean]>([
    [12_480, true],
    ['OOS', true],
    [6, false],
  ])('of "Qty" with %p below: asked is %p', async (quantity, isAsked) => {
    const { page, view } = await opened(['Cost', 'Qty'], [4, quantity]);
    expect(view().open.map(({ role }) => role)).toEqual(isAsked ? ['quantity'] : []);
    if (!isAsked) return;
    expect(await decide(lists.made.world)).toMatchObject({ failure: { why: 'columns-unclear' } });
    await page.actions.chooseColumn('quantity', null);
    expect(view()).toMatchObject({ open: [], costs: { cost: { title: 'Cost' } } });
    await page.actions.decide();
    expect(landed()).toBe(4);
    await page.actions.refresh();
    expect([view().open, view().costs.quantity]).toEqual([[], undefined]);
  });

  it.each<['cases' | 'units', number]>([
    ['cases', 24],
    ['units', 2],
  ])('of a bare "Qty" beside a case size is asked: %s', async (as, packs) => {
    const { page, button, view } = await opened(['Case cost', 'Case size', 'Qty'], [48, 12, 24]);
    expect([button, page.unsure()]).toEqual(['1 question left', ['quantity']]);
    expect(view().open).toMatchObject([{ role: 'quantity', as: ['cases', 'units'] }]);
    expect(await decide(lists.made.world)).toMatchObject({ failure: { why: 'columns-unclear' } });
    await page.actions.chooseColumn('quantity', view().costs.quantity ?? null, as);
    await page.actions.decide();
    granted(await decide(lists.made.world));
    expect((await offersIn(lists.made.world)).map(({ quantity }) => quantity)).toEqual([
      packs,
      packs,
    ]);
  });

  it.each(['Cases to buy', 'Units to order'])('of %p says what it counts', async (title) => {
    const { button } = await opened(['Case cost', 'Case size', title], [48, 12, 24]);
    expect(button).toBe('Add decisions');
    granted(await decide(lists.made.world));
    const packs = title.startsWith('Units') ? 2 : 24;
    expect((await offersIn(lists.made.world))[0]?.quantity).toBe(packs);
  });

  it('that a person names stays one', async () => {
    const { page, view } = await opened(['Cost', 'Units'], [4, 3]);
    const [column = null] = view().open[0]?.columns ?? [];
    await page.actions.chooseColumn('quantity', column);
    await page.actions.decide();
    expect(view().costs).toMatchObject({ quantity: { title: 'Units' } });
  });
});

it('what counts for sellers and is not used is named', async () => {
  const { view } = await opened(['Cost', 'Sales tax', 'Number of Items'], [4, 8.25, 2]);
  expect(view().unused.map(({ title }) => title)).toEqual(['Sales tax', 'Number of Items']);
});

describe('a column of sales tax', () => {
  /** Lists whose second column has what each row bears. */
  const taxed = async (title: string, taxes: readonly CellValue[], cost = 'Cost') => {
    const page = await lists.open(
      [cost, title],
      taxes.map((tax) => [9.99, tax]),
    );
    await page.primary();
    return page.list();
  };

  it.each(['Sales tax', 'Tax', 'Sales Tax ($)'])(
    'titled %p is added to its cost',
    async (title) => {
      const { costs, unused } = await taxed(title, [0.8, 0, '']);
      expect([costs.salesTax?.title, unused]).toEqual([title, []]);
      granted(await decide(lists.made.world));
      const landed = [2, 3, 4].map((row) => lists.made.sheet.byHeader(row)['Landed cost']);
      expect(landed).toEqual([10.79, 9.99, 9.99]);
    },
  );

  it.each([
    ['Sales tax %', 8.25, 'Cost'],
    ['Sales tax', 12.5, 'Cost'],
    ['Sales tax', 0.0825, 'Cost'],
    ['Sales tax', 0.8, 'Landed cost'],
  ])('%p with %p beside a %p is named as not used', async (title, tax, cost) => {
    const { costs, unused } = await taxed(title, [tax, tax], cost);
    expect([costs.salesTax, unused.map((one) => one.title)]).toEqual([undefined, [title]]);
  });

  it('that a person names counts, whatever its cells look like', async () => {
    const page = await lists.open(['Cost', 'Sales tax'], [[9.99, 2.5]]);
    await page.primary();
    const [column = null] = page.list().unused;
    await page.actions.chooseColumn('salesTax', column);
    await page.actions.decide();
    expect([page.list().costs.salesTax?.title, page.list().unused]).toEqual(['Sales tax', []]);
    expect(lists.made.sheet.byHeader(2)['Landed cost']).toBe(12.49);
  });

  it('counts in place of the rate of the rules', async () => {
    await taxed('Sales tax', [0.8]);
    const { world, sheet } = lists.made;
    granted(await decide(world));
    granted(await changeRules(world, { values: { usTax: 0.1 } }));
    await world.host.run(world.host.nowMs() + 61_000);
    expect(sheet.byHeader(2)['Landed cost']).toBe(10.79);
  });
});
