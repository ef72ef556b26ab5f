// Several pages on one sheet: each is told of what it has not done itself, calculation included.
import { afterEach, describe, expect, it } from '@jest/globals';
import { type LiveSheet, openLiveSheet } from '../../../playground/web/live-sheet';
import type { Mutation } from '../../../playground/web/protocol';
import { shareSheet } from '../../../playground/web/sheet-sharing';

const opened: LiveSheet[] = [];

afterEach(() => {
  for (const sheet of opened.splice(0)) sheet.dispose();
});

function openShared() {
  const first = { id: 'first', name: 'Sheet1', rowCount: 100, columnCount: 26 };
  const sheet = openLiveSheet({
    data: { id: 'document', sheetOrder: ['first'], sheets: { first } },
    functionNames: ['F'],
    execute: () => Promise.resolve({ kind: 'value', value: [[1, 2]] }),
  });
  opened.push(sheet);
  const sharing = shareSheet(sheet.workbook);
  const open = () => {
    const told: Mutation[] = [];
    return { told, ...sharing.join((mutation) => told.push(mutation)) };
  };
  const typed = (content: object): Mutation => ({
    id: 'sheet.mutation.set-range-values',
    params: {
      unitId: sheet.workbook.workbook.getId(),
      subUnitId: 'first',
      cellValue: { 0: { 0: content } },
    },
    options: {},
  });
  const value = () =>
    sheet.model.values(0, { row: 1, column: 1, rowCount: 1, columnCount: 1 })[0]?.[0];
  return { sheet, sharing, open, typed, value };
}

const idsOf = (mutations: readonly Mutation[]) => mutations.map(({ id }) => id);

describe('a shared sheet', () => {
  it('takes what a page types and tells the other pages, not that one', () => {
    const { open, typed, value } = openShared();
    const [here, there] = [open(), open()];
    here.change(typed({ v: 'typed' }));
    expect(value()).toBe('typed');
    expect(here.told).toEqual([]);
    expect(idsOf(there.told)).toEqual(['sheet.mutation.set-range-values']);
  });

  it('tells every page what a formula shows and fills', async () => {
    const { sheet, sharing, open, typed } = openShared();
    const page = open();
    page.change(typed({ f: '=F()', v: null }));
    await sheet.settled();
    expect(idsOf(page.told)).toContain('formula.mutation.set-array-formula-data');
    const shown = page.told.filter(({ options }) => options.fromFormula === true);
    expect(JSON.stringify(shown.at(-1)?.params)).toContain('"v":1');
    expect(JSON.stringify(sharing.spills().params)).toContain('"v":2');
  });

  it('tells pages what a script writes', () => {
    const { sheet, open } = openShared();
    const page = open();
    sheet.model.write(0, 1, 1, [['from the script']]);
    expect(JSON.stringify(page.told)).toContain('from the script');
  });

  it('takes nothing from a page but changes of cells and sheets', async () => {
    const { sheet, open, typed, value } = openShared();
    const page = open();
    page.change({ ...typed({ v: 'sneaked' }), id: 'sheet.command.set-range-values' });
    await sheet.settled();
    expect(value()).toBe('');
  });

  it('tells a page that has gone nothing more', () => {
    const { sheet, open } = openShared();
    const page = open();
    page.leave();
    sheet.model.write(0, 1, 1, [['later']]);
    expect(page.told).toEqual([]);
  });
});
