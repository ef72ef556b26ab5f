// Groups of rows and columns: their depths, and what collapsing hides.

import { describe, expect, it } from '@jest/globals';
import { errorOn, gridOf, on } from './grid-script';

const HELPERS = `
  const depths = (last) => Array.from({ length: last }, (_, at) => sheet.getRowGroupDepth(at + 1));
  const hidden = (last) => Array.from({ length: last }, (_, at) => at + 1)
    .filter((row) => sheet.isRowHiddenByUser(row));
  const told = (group) => [group.getRange().getA1Notation(), group.getDepth(), group.isCollapsed(),
    group.getControlIndex()];`;

const inGroups = (body: string) => on(gridOf(), HELPERS + body);

describe('groups of rows', () => {
  it('are nested, grow together and become less deep', async () => {
    const body = `
      sheet.getRange('A2:A5').shiftRowGroupDepth(1);
      sheet.getRange('A3:A4').shiftRowGroupDepth(1);
      const nested = [depths(6), told(sheet.getRowGroup(3, 1)), told(sheet.getRowGroup(3, 2))];
      sheet.getRange('A6:A7').shiftRowGroupDepth(1);
      const grown = told(sheet.getRowGroup(7, 1));
      sheet.getRange('A2:A5').shiftRowGroupDepth(-1);
      const less = [depths(8), told(sheet.getRowGroup(3, 1)), told(sheet.getRowGroup(6, 1))];
      sheet.getRange('A1:Z100').shiftRowGroupDepth(-10);
      return [nested, grown, less, depths(8)];`;
    expect(await inGroups(body)).toEqual([
      [
        [0, 1, 2, 2, 1, 0],
        ['A2:Z5', 1, false, 6],
        ['A3:Z4', 2, false, 5],
      ],
      ['A2:Z7', 1, false, 8],
      [
        [0, 0, 1, 1, 0, 1, 1, 0],
        ['A3:Z4', 1, false, 5],
        ['A6:Z7', 1, false, 8],
      ],
      [0, 0, 0, 0, 0, 0, 0, 0],
    ]);
  });

  it('hide their rows when collapsed; what is collapsed within stays so', async () => {
    const body = `
      sheet.getRange('A2:A5').shiftRowGroupDepth(1);
      sheet.getRange('A3:A4').shiftRowGroupDepth(1);
      const seen = [];
      const inner = sheet.getRowGroup(3, 2).collapse();
      seen.push(hidden(6));
      sheet.getRange('A2').collapseGroups();
      seen.push([hidden(6), inner.isCollapsed()]);
      sheet.getRange('A6').expandGroups();
      seen.push(hidden(6));
      sheet.expandAllRowGroups();
      seen.push(hidden(6));
      sheet.getRange('A1:A9').collapseGroups();
      seen.push([told(sheet.getRowGroup(3, 1))[2], told(sheet.getRowGroup(3, 2))[2]]);
      sheet.expandRowGroupsUpToDepth(1);
      seen.push(hidden(6));
      sheet.getRowGroup(2, 1).remove();
      seen.push(depths(6));
      return seen;`;
    expect(await inGroups(body)).toEqual([
      [3, 4],
      [[2, 3, 4, 5], true],
      [3, 4],
      [],
      [true, true],
      [3, 4],
      [0, 0, 1, 1, 0, 0],
    ]);
  });

  it('move with their rows, and go with the last of them', async () => {
    const body = `
      sheet.getRange('A2:A3').shiftRowGroupDepth(1);
      sheet.insertRowBefore(1).insertRowAfter(3);
      const moved = depths(6);
      sheet.deleteRows(3, 3);
      return [moved, depths(6)];`;
    expect(await inGroups(body)).toEqual([
      [0, 0, 1, 1, 1, 0],
      [0, 0, 0, 0, 0, 0],
    ]);
  });

  it('have their toggle after them unless it is put before; the first row has none then', async () => {
    const body = `
      const P = SpreadsheetApp.GroupControlTogglePosition;
      sheet.getRange('A2').shiftRowGroupDepth(1);
      const after = sheet.getRowGroupControlPosition() === P.AFTER;
      sheet.setRowGroupControlPosition(P.BEFORE);
      return [after, told(sheet.getRowGroup(1, 1))];`;
    expect(await inGroups(body)).toEqual([true, ['A2:Z2', 1, false, 1]]);
    const first = `sheet.setRowGroupControlPosition(SpreadsheetApp.GroupControlTogglePosition.BEFORE);
      sheet.getRange('A1').shiftRowGroupDepth(1);`;
    expect(await errorOn(gridOf(), first)).toMatch(/first row/);
    expect(await errorOn(gridOf(), 'sheet.getRowGroup(1, 1)')).toMatch(/no group of depth 1/);
    expect(await errorOn(gridOf(), 'sheet.expandAllRowGroups()')).toMatch(/no row groups/);
  });
});

it('groups columns as well', async () => {
  const body = `
    sheet.getRange('C1:E1').shiftColumnGroupDepth(9);
    const depth = sheet.getColumnGroupDepth(4);
    sheet.collapseAllColumnGroups();
    return [depth, [2, 3, 5, 6].map((column) => sheet.isColumnHiddenByUser(column)),
      told(sheet.getColumnGroup(6, 8))];`;
  expect(await inGroups(body)).toEqual([8, [false, true, true, false], ['C1:E1000', 8, true, 6]]);
});
