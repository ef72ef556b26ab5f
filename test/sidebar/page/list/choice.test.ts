// What is chosen for a run: kept over new looks, and changed by what a person picks.
import { describe, expect, it } from '@jest/globals';
import { LOOK, LOOK_WITHOUT_PRODUCTS } from '../../../../playground/sidebar-states/analyze-replies';
import type { Choice } from '../../../../src/sidebar/api/jobs';
import {
  choiceFor,
  daysFrom,
  marketColumns,
  rowsOf,
  withField,
} from '../../../../src/sidebar/page/list/choice';

/** As it is kept; a look gives it the title that its column has by then. */
const KEPT: Choice = { ...LOOK.choice, productColumn: 2, rows: { kind: 'older', days: 3 } };
const MINE: Choice = { ...KEPT, productTitle: 'Title' };

describe('a choice and a new look', () => {
  it('stay with what the person chose in this sheet', () => {
    expect(choiceFor(LOOK, MINE)).toEqual(MINE);
    expect(choiceFor(LOOK, { ...MINE, productTitle: 'Its former title' })).toEqual(MINE);
    expect(choiceFor(LOOK, null)).toBe(LOOK.choice);
    expect(choiceFor(LOOK, { ...MINE, sheetId: 8 })).toBe(LOOK.choice);
  });

  it('drop what the sheet no longer has', () => {
    expect(choiceFor(LOOK, { ...MINE, productColumn: 9 })).toBe(LOOK.choice);
    const gone: Choice = {
      ...MINE,
      market: { kind: 'column', column: 9 },
      fields: ['profit', 'no_longer' as 'roi'],
    };
    expect(choiceFor(LOOK, gone)).toEqual({
      ...MINE,
      market: LOOK.choice.market,
      fields: ['profit'],
    });
  });

  it('stay with a column that the person named where none was found', () => {
    expect(choiceFor(LOOK_WITHOUT_PRODUCTS, null)).toBeNull();
  });

  it('has the sell price too where a list of costs has no figures yet, unless its tick was taken away', () => {
    const fields = LOOK.fields.map((field) => ({ ...field, column: null }));
    const costs = { ...LOOK, hasCosts: true, fields };
    expect(choiceFor(costs, null)?.fields).toContain('sell_price');
    expect(choiceFor({ ...costs, hasCosts: false }, null)?.fields).not.toContain('sell_price');
    expect(choiceFor(costs, MINE)).toEqual(MINE);
    expect(choiceFor(LOOK_WITHOUT_PRODUCTS, { ...MINE, headerRow: 5 })).toEqual(MINE);
  });
});

describe('the rows of a first choice', () => {
  const selection = { ...LOOK.choice, rows: { kind: 'selection' } } as const;
  const seen = (selectedRows: number) =>
    choiceFor({ ...LOOK, choice: selection, selectedRows }, null)?.rows.kind;

  it('are not the selection that a paste of the whole list leaves behind', () => {
    expect([seen(412), seen(411)]).toEqual(['all', 'selection']);
  });
});

describe('the columns offered for the market', () => {
  const [supplier, , asin, profit] = LOOK.columns;
  const site = { column: 9, letter: 'I', title: 'Amazon site' };
  const wide = { ...LOOK, columns: [...LOOK.columns, site] };

  it('are those that say where a product is sold', () => {
    expect(asin?.column).toBe(LOOK.choice.productColumn);
    expect(marketColumns(wide, LOOK.choice)).toEqual([site]);
  });

  it('have the one that was chosen and the one that was found, whatever they are called', () => {
    const ofColumn = (column = 0) => ({ kind: 'column', column }) as const;
    const market = ofColumn(profit?.column);
    expect(marketColumns(wide, { ...LOOK.choice, market })).toEqual([profit, site]);
    const found = { ...wide, choice: { ...LOOK.choice, market: ofColumn(supplier?.column) } };
    expect(marketColumns(found, LOOK.choice)).toEqual([supplier, site]);
  });
});

describe('a wish', () => {
  it('ticks a figure in the order of the list, and takes its tick away', () => {
    const ticked = withField(LOOK, { ...LOOK.choice, fields: ['fees'] }, 'profit');
    expect(ticked.fields).toEqual(['profit', 'fees']);
    expect(withField(LOOK, ticked, 'fees').fields).toEqual(['profit']);
  });

  it.each([
    ['7', 7],
    ['0', 1],
    ['4000', 365],
    ['2.6', 3],
    ['', 14],
    ['soon', 14],
  ])('of "%s" days means %i', (text, days) => {
    expect(daysFrom(text, 14)).toBe(days);
  });

  it('for older rows begins with a week', () => {
    expect(rowsOf('older')).toEqual({ kind: 'older', days: 7 });
    expect(rowsOf('failed')).toEqual({ kind: 'failed' });
  });
});
