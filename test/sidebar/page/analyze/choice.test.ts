// What is chosen for a run: kept over new looks, read back as far as it can be trusted, told in words.
import { describe, expect, it } from '@jest/globals';
import { LOOK, LOOK_WITHOUT_PRODUCTS } from '../../../../playground/sidebar-states/analyze-replies';
import { FIELDS } from '../../../../src/product/fields';
import type { Choice } from '../../../../src/runs/run';
import {
  choiceFor,
  choiceFrom,
  daysFrom,
  marketColumns,
  rowsOf,
  withField,
} from '../../../../src/sidebar/page/analyze/choice';
import { columnName, fieldsText, placeText } from '../../../../src/sidebar/page/analyze/texts';

const MINE: Choice = { ...LOOK.choice, productColumn: 2, rows: { kind: 'older', days: 3 } };

describe('a choice and a new look', () => {
  it('stay with what the person chose in this sheet', () => {
    expect(choiceFor(LOOK, MINE)).toEqual(MINE);
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
    const cost = { column: 9, letter: 'I', title: 'Unit cost' };
    const fields = LOOK.fields.map((field) => ({ ...field, column: null }));
    const costs = { ...LOOK, columns: [...LOOK.columns, cost], fields };
    expect(choiceFor(costs, null)?.fields).toContain('sell_price');
    expect(choiceFor({ ...costs, columns: LOOK.columns }, null)?.fields).not.toContain(
      'sell_price',
    );
    expect(choiceFor(costs, MINE)).toEqual(MINE);
    expect(choiceFor(LOOK_WITHOUT_PRODUCTS, { ...MINE, headerRow: 5 })).toEqual(MINE);
  });
});

describe('the columns offered for the market', () => {
  const [supplier, title, asin, profit] = LOOK.columns;
  const filled = ['Cost', 'My profit', 'Verdict', 'Analysis status', 'Analyzed at'].map(
    (name, at) => ({ column: 9 + at, letter: 'IJKLM'.charAt(at), title: name }),
  );
  const wide = { ...LOOK, columns: [...LOOK.columns, ...filled] };

  it('leave out products, figures, decisions, costs and what a run notes', () => {
    expect(asin?.column).toBe(LOOK.choice.productColumn);
    expect(marketColumns(wide, LOOK.choice)).toEqual([supplier, title]);
  });

  it('have the one that was chosen, whatever it holds', () => {
    const market = { kind: 'column', column: profit?.column ?? 0 } as const;
    expect(marketColumns(wide, { ...LOOK.choice, market })).toEqual([supplier, title, profit]);
  });
});

describe('a kept choice', () => {
  it.each<Choice>([
    LOOK.choice,
    MINE,
    { ...MINE, market: { kind: 'column', column: 2 }, rows: { kind: 'visible' }, fields: [] },
  ])('comes back as it was: %j', (choice) => {
    expect(choiceFrom(JSON.parse(JSON.stringify(choice)))).toEqual(choice);
  });

  it.each<unknown>([
    null,
    'all',
    {},
    { ...MINE, sheetId: '7' },
    { ...MINE, market: { kind: 'one', market: 'FR' } },
    { ...MINE, rows: { kind: 'every second' } },
    { ...MINE, fields: ['profit', 1] },
  ])('is nothing where it cannot be trusted: %j', (kept) => {
    expect(choiceFrom(kept)).toBeNull();
  });
});

describe('in words', () => {
  it.each<[Choice['fields'], string, string]>([
    [['profit'], 'Profit', 'into D'],
    [['profit', 'roi', 'fees'], 'Profit, ROI, Fees', 'into D and 2 new columns'],
    [['profit', 'roi', 'fees', 'eligible'], 'Profit, ROI, +2', 'into D and 3 new columns'],
    [['roi'], 'ROI', 'into 1 new column'],
  ])('%j are %s, %s', (fields, names, place) => {
    const choice = { ...LOOK.choice, fields };
    expect([fieldsText(LOOK, choice), placeText(LOOK, choice)]).toEqual([names, place]);
  });

  it('neighbours are a range, others a list, a crowd a number', () => {
    const names = FIELDS.slice(0, 5);
    const at = (...letters: readonly string[]) => {
      const fields = letters.map((letter, nth) => ({
        name: names[nth] ?? 'profit',
        title: letter,
        column: { column: letter.charCodeAt(0) - 64, letter, title: letter },
        chosen: true,
      }));
      return placeText({ ...LOOK, fields }, { ...LOOK.choice, fields: names });
    };
    expect(at('F', 'D', 'E')).toBe('into D:F');
    expect(at('D', 'F')).toBe('into D, F');
    expect(at('A', 'C', 'E', 'G', 'I')).toBe('into 5 columns');
  });

  it('columns are told by letter and header', () => {
    expect(columnName({ column: 3, letter: 'C', title: 'ASIN' })).toBe('C “ASIN”');
    expect(columnName({ column: 3, letter: 'C', title: '' })).toBe('column C');
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
