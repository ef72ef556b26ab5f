// What people do in a sheet: done as in Sheets, and taken back without a trace.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { calculating } from '../../src/calculation';
import { type Act, shownAct } from '../../src/sheet/acts';
import { createPeople } from '../../src/sheet/people';
import { createPlainGrid, type PlainGrid } from '../../src/sheet/plain-grid';

/** Room for eight deletions and everything else. */
const ROWS = 16;
const COLUMNS = 13;

function listOf() {
  const grid = createPlainGrid({ maxRows: ROWS, maxColumns: COLUMNS });
  grid.write(0, 1, 1, [
    ['ASIN', 'market', 'when'],
    ['B', 'US', new Date('2026-01-05T00:00:00Z')],
    ['A', 'UK', { formula: '=$A$1' }],
    ['C', 'US', 3],
  ]);
  grid.setNotes(0, 3, 1, [['of A']]);
  grid.setLinks(0, 4, 1, [['https://shop.example/C']]);
  return { grid, act: createPeople(grid) };
}

const at = (row: number, column: number, rowCount = 1, columnCount = 1) => ({
  row,
  column,
  rowCount,
  columnCount,
});

/** Everything that can be seen of a sheet. */
function everythingIn(grid: PlainGrid) {
  const { maxRows, maxColumns, ...used } = grid.size(0);
  const all = at(1, 1, maxRows, maxColumns);
  const rows = Array.from({ length: maxRows }, (_, place) => place + 1);
  return {
    maxRows,
    maxColumns,
    used,
    tabs: grid.sheets(),
    values: grid.values(0, all),
    formulas: grid.formulas(0, all),
    formats: grid.numberFormats(0, all),
    notes: grid.notes(0, all),
    links: grid.links(0, all),
    hidden: rows.map((row) => grid.isRowHidden(0, row, 'user')),
    filtered: rows.map((row) => grid.isRowHidden(0, row, 'filter')),
    merges: grid.merges(0),
    protections: grid.protections(0),
  };
}

const column = (grid: PlainGrid, number: number) =>
  grid.values(0, at(1, number, grid.size(0).lastRow, 1)).map(([value]) => value);

describe('people', () => {
  it('sort rows, with notes and links', () => {
    const { grid, act } = listOf();
    const keys = [{ column: 1, ascending: false }];
    act({ do: 'sort', sheetId: 0, rectangle: at(2, 1, 3, 3), keys });
    expect(column(grid, 1)).toEqual(['ASIN', 'C', 'B', 'A']);
    expect(grid.notes(0, at(4, 1))).toEqual([['of A']]);
    act({ do: 'undo' });
    expect(column(grid, 1)).toEqual(['ASIN', 'B', 'A', 'C']);
  });

  it('cut cells and paste them elsewhere, over themselves too', () => {
    const { grid, act } = listOf();
    act({ do: 'cutPaste', sheetId: 0, from: at(2, 1, 2, 2), row: 3, column: 1 });
    expect(column(grid, 1)).toEqual(['ASIN', '', 'B', 'A']);
    expect(grid.notes(0, at(4, 1))).toEqual([['of A']]);
    expect(grid.links(0, at(4, 1))).toEqual([['']]);
  });

  it('take references along with what they cut, absolute ones too, and leave them at what they copy', () => {
    const { grid, act } = listOf();
    const other = grid.addSheet('Other', 2);
    grid.write(0, 2, 5, [[{ formula: '=$A$2&A2' }]]);
    act({ do: 'copyPaste', sheetId: 0, from: at(2, 5), row: 3, column: 6 });
    expect(grid.formulas(0, at(2, 5, 2, 2))).toEqual([
      ['=$A$2&A2', ''],
      ['', '=$A$2&B3'],
    ]);
    act({ do: 'cutPaste', sheetId: 0, from: at(2, 1), row: 9, column: 3 });
    expect(grid.formulas(0, at(2, 5))).toEqual([['=$C$9&C9']]);
    act({ do: 'cutPaste', sheetId: 0, from: at(9, 3), toSheetId: other, row: 1, column: 1 });
    expect(grid.formulas(0, at(2, 5))).toEqual([['=Other!$A$1&Other!A1']]);
    act({ do: 'undo' });
    act({ do: 'undo' });
    expect(grid.formulas(0, at(2, 5, 2, 2))[0]).toEqual(['=$A$2&A2', '']);
  });

  it('paste values alone: what is seen, also of hidden cells, and nothing else', () => {
    const { grid, act } = listOf();
    calculating(grid, { nowMs: () => 0 });
    grid.write(0, 2, 5, [[{ formula: '=A2&"!"' }, { formula: '=A4' }]]);
    grid.setNumberFormats(0, 3, 5, [['0.00', '0.00']]);
    act({ do: 'hideRows', sheetId: 0, first: 2, count: 1 });
    act({ do: 'pasteValues', sheetId: 0, from: at(2, 5, 1, 2), row: 3, column: 5 });
    expect(grid.values(0, at(3, 5, 1, 2))).toEqual([['B!', 'C']]);
    expect(grid.formulas(0, at(3, 5, 1, 2))).toEqual([['', '']]);
    expect(grid.numberFormats(0, at(3, 5, 1, 2))).toEqual([['0.00', '0.00']]);
    act({ do: 'pasteValues', sheetId: 0, from: at(4, 1), row: 3, column: 1 });
    expect(grid.links(0, at(3, 1))).toEqual([['']]);
    expect(grid.notes(0, at(3, 1))).toEqual([['of A']]);
    act({ do: 'undo' });
    act({ do: 'undo' });
    expect(grid.values(0, at(3, 1, 1, 6))[0]).toEqual(['A', 'UK', 'ASIN', '', '', '']);
  });

  it('make a text a link, change where it leads, and take the link back', () => {
    const { grid, act } = listOf();
    const link = (url: string) => act({ do: 'link', sheetId: 0, rectangle: at(3, 1), url });
    link('https://shop.example/A');
    link('https://shop.example/B');
    const linked = () => [grid.values(0, at(3, 1))[0]?.[0], grid.links(0, at(3, 1))[0]?.[0]];
    expect(linked()).toEqual(['A', 'https://shop.example/B']);
    act({ do: 'undo' });
    expect(linked()).toEqual(['A', 'https://shop.example/A']);
    link('');
    expect(linked()).toEqual(['A', '']);
  });

  it('insert and delete cells, and what refers to those below or beside goes with them', () => {
    const { grid, act } = listOf();
    grid.write(0, 2, 5, [[{ formula: '=A2' }], [{ formula: '=A3' }], [{ formula: '=$A4' }]]);
    const reads = () => grid.formulas(0, at(2, 5, 3, 1)).flat();
    act({ do: 'deleteCells', sheetId: 0, rectangle: at(2, 1), axis: 'row' });
    expect(column(grid, 1)).toEqual(['ASIN', 'A', 'C', '']);
    expect(reads()).toEqual(['=#REF!', '=A2', '=$A3']);
    act({ do: 'undo' });
    expect(reads()).toEqual(['=A2', '=A3', '=$A4']);
    act({ do: 'insertCells', sheetId: 0, rectangle: at(3, 1, 1, 2), axis: 'column' });
    expect(grid.values(0, at(3, 1, 1, 4))).toEqual([['', '', 'A', 'UK']]);
    expect(grid.formulas(0, at(3, 7))).toEqual([['=C3']]);
  });

  it('leave alone what was written since, when they undo', () => {
    const { grid, act } = listOf();
    grid.write(0, 2, 5, [[{ formula: '=A2' }], [{ formula: '=A2' }]]);
    act({ do: 'deleteCells', sheetId: 0, rectangle: at(2, 1), axis: 'row' });
    grid.write(0, 3, 5, [['mine']]);
    act({ do: 'undo' });
    expect(grid.formulas(0, at(2, 5))).toEqual([['=A2']]);
    expect(grid.values(0, at(3, 5))).toEqual([['mine']]);
  });

  it('delete a sheet, which stays deleted', () => {
    const { grid, act } = listOf();
    const other = grid.addSheet('Other', 2);
    act({ do: 'renameSheet', sheetId: 0, name: 'Mine' });
    act({ do: 'deleteSheet', sheetId: other });
    act({ do: 'undo' });
    act({ do: 'undo' });
    expect(grid.sheets()).toEqual([{ id: 0, name: 'Sheet1' }]);
  });

  it('get a deleted sheet back from an older version, with its id and all that stood there', () => {
    const { grid, act } = listOf();
    grid.addSheet('Other', 2);
    const before = grid.formulas(0, at(1, 1, 4, 3));
    act({ do: 'deleteSheet', sheetId: 0 });
    expect(grid.sheets().map(({ name }) => name)).toEqual(['Other']);
    grid.restoreSheet(0);
    expect(grid.sheets().map(({ name }) => name)).toEqual(['Other', 'Sheet1']);
    expect(column(grid, 1)).toEqual(['ASIN', 'B', 'A', 'C']);
    expect(grid.formulas(0, at(1, 1, 4, 3))).toEqual(before);
    expect(() => grid.restoreSheet(0)).toThrow(RangeError);
  });

  it('duplicate a tab beside it, with formulas, formats, notes and links, as often as they like', () => {
    const { grid, act } = listOf();
    grid.addSheet('Other', 2);
    act({ do: 'copySheet', sheetId: 0 });
    act({ do: 'copySheet', sheetId: 0 });
    const names = ['Sheet1', 'Copy of Sheet1 1', 'Copy of Sheet1', 'Other'];
    expect(grid.sheets().map(({ name }) => name)).toEqual(names);
    const copy = grid.sheets()[2]?.id ?? 0;
    const all = at(1, 1, 4, 3);
    for (const read of ['values', 'formulas', 'numberFormats', 'notes', 'links'] as const)
      expect(grid[read](copy, all)).toEqual(grid[read](0, all));
    grid.write(0, 2, 1, [['another']]);
    expect(grid.values(copy, at(2, 1))).toEqual([['B']]);
  });

  it('are shown by where they do something and not by what they put there', () => {
    const secret: Act = { do: 'edit', sheetId: 0, row: 2, column: 1, contents: [['secret', 'x']] };
    expect(shownAct(secret)).toBe('edit 0!A2:B2');
    expect(shownAct({ do: 'insertRows', sheetId: 3, first: 2, count: 4 })).toBe('insertRows 3!2+4');
  });
});

const line = fc.integer({ min: 1, max: 3 });
const cell = fc.record({ row: fc.integer({ min: 1, max: 5 }), column: line });
const rectangle = fc
  .tuple(cell, line, fc.integer({ min: 1, max: 2 }))
  .map(([{ row, column: first }, rowCount, columnCount]) => at(row, first, rowCount, columnCount));

const ofCells: readonly fc.Arbitrary<Act>[] = [
  cell.map((place): Act => ({ do: 'edit', sheetId: 0, ...place, contents: [['new']] })),
  rectangle.map((cells): Act => {
    const keys = [{ column: cells.column, ascending: true }];
    return { do: 'sort', sheetId: 0, rectangle: cells, keys };
  }),
  fc
    .record({
      do: fc.constantFrom('insertRows' as const, 'insertColumns' as const, 'hideRows' as const),
      first: line,
      count: line,
    })
    .map((act): Act => ({ ...act, sheetId: 0 })),
  fc
    .tuple(rectangle, cell)
    .map(([from, place]): Act => ({ do: 'cutPaste', sheetId: 0, from, ...place })),
  fc
    .tuple(rectangle, cell)
    .map(([from, place]): Act => ({ do: 'copyPaste', sheetId: 0, from, ...place })),
  fc
    .tuple(rectangle, cell)
    .map(([from, place]): Act => ({ do: 'pasteValues', sheetId: 0, from, ...place })),
  fc
    .record({
      do: fc.constantFrom('insertCells' as const, 'deleteCells' as const),
      axis: fc.constantFrom('row' as const, 'column' as const),
      rectangle,
    })
    .map((act): Act => ({ ...act, sheetId: 0 })),
  rectangle.map(
    (cells): Act => ({ do: 'format', sheetId: 0, rectangle: cells, background: '#ff0000' }),
  ),
  rectangle.map(
    (cells): Act => ({ do: 'link', sheetId: 0, rectangle: cells, url: 'https://x.example' }),
  ),
  fc.constant<Act>({ do: 'renameSheet', sheetId: 0, name: 'Mine' }),
];

const deleting = fc
  .record({ do: fc.constantFrom('deleteRows' as const, 'deleteColumns' as const), first: line })
  .map((act): Act => ({ ...act, sheetId: 0, count: 1 }));

const overCells: readonly fc.Arbitrary<Act>[] = [
  rectangle.map(
    (cells): Act => ({
      do: 'filter',
      sheetId: 0,
      filter: { rectangle: cells, hiddenTexts: [{ column: cells.column, texts: ['US', 'A'] }] },
    }),
  ),
  rectangle.map((cells): Act => ({ do: 'protect', sheetId: 0, rectangle: cells })),
];

describe('undoing', () => {
  it.each([
    ['on cells and lines', fc.oneof(...ofCells, deleting)],
    ['on cells and over them', fc.oneof(...ofCells, ...overCells)],
  ])('leaves nothing of any acts %s, the last first', (_, anyAct) => {
    const property = fc.property(fc.array(anyAct, { maxLength: 8 }), (wanted) => {
      const { grid, act } = listOf();
      const seen = [everythingIn(grid)];
      for (const each of wanted) {
        act(each);
        seen.push(everythingIn(grid));
      }
      for (const before of seen.slice(0, -1).reverse()) {
        act({ do: 'undo' });
        expect(everythingIn(grid)).toEqual(before);
      }
    });
    fc.assert(property, { numRuns: 100, seed: 1 });
  });
});
