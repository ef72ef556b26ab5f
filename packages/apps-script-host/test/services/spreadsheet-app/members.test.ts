// Members that scripts of others use and that need no file of their own: layout, charts, questions.

import { describe, expect, it } from '@jest/globals';
import { errorOn, gridOf, OWNER, on } from './grid-script';

const ANN = 'ann@example.com';

describe('the layout of a sheet', () => {
  it('has columns of 100 pixels until a script makes them wider, and they move along', async () => {
    const body = `sheet.setColumnWidth(2, 180).setColumnWidths(4, 2, 60).insertColumnBefore(1);
      return [1, 2, 3, 4, 5, 6].map((column) => sheet.getColumnWidth(column));`;
    expect(await on(gridOf(), body)).toEqual([100, 100, 180, 100, 60, 60]);
  });

  it('has frozen columns', async () => {
    const body =
      'sheet.setFrozenColumns(2); return [sheet.getFrozenColumns(), sheet.getFrozenRows()];';
    expect(await on(gridOf(), body)).toEqual([2, 0]);
  });

  it('tells the cell that is selected', async () => {
    const body = `sheet.getRange('C4:D9').activate();
      return [sheet.getActiveCell(), spreadsheet.getActiveCell(), SpreadsheetApp.getCurrentCell()]
        .map((cell) => cell.getA1Notation());`;
    expect(await on(gridOf(), body)).toEqual(['C4', 'C4', 'C4']);
  });
});

describe('protection that a script makes', () => {
  it('leaves all editors in until they are taken out, and goes again', async () => {
    const grid = gridOf([['kept']]);
    const protect = `const made = sheet.getRange('A1').protect().setDescription('Figures');
      return [made.getEditors().map((user) => user.getEmail()), made.canEdit()];`;
    expect(await on(grid, protect)).toEqual([[ANN], true]);
    const shut = `const [one] = spreadsheet.getProtections(SpreadsheetApp.ProtectionType.RANGE);
      one.removeEditors(one.getEditors());
      return one.getDescription();`;
    expect(await on(grid, shut, { userEmail: OWNER })).toBe('Figures');
    const edit = "return sheet.getRange('A1').canEdit();";
    expect(await on(grid, edit, { userEmail: ANN })).toBe(false);
    await on(grid, 'spreadsheet.getProtections(SpreadsheetApp.ProtectionType.RANGE)[0].remove()');
    expect(await on(grid, edit, { userEmail: ANN })).toBe(true);
  });

  it('may leave parts of a sheet open', async () => {
    const grid = gridOf([['a', 'b']]);
    await on(
      grid,
      `const all = sheet.protect().setUnprotectedRanges([sheet.getRange('B1')]);
      all.removeEditor('${ANN}');`,
    );
    const edit = "return ['A1', 'B1'].map((cell) => sheet.getRange(cell).canEdit());";
    expect(await on(grid, edit, { userEmail: ANN })).toEqual([false, true]);
  });
});

describe('charts', () => {
  it('are made of ranges, kept with their sheet, changed and removed', async () => {
    const body = `
      const chart = sheet.newChart().setChartType(Charts.ChartType.COLUMN)
        .addRange(sheet.getRange('A1:B3')).setPosition(5, 1, 0, 0).setOption('title', 'ROI').build();
      sheet.insertChart(chart);
      const [put] = sheet.getCharts();
      sheet.updateChart(put.modify().clearRanges().addRange(sheet.getRange('C1:C9')).build());
      const ranges = sheet.getCharts().map((each) => each.getRanges()[0].getA1Notation());
      sheet.removeChart(sheet.getCharts()[0]);
      return [ranges, sheet.getCharts().length];`;
    expect(await on(gridOf(), body)).toEqual([['C1:C9'], 0]);
  });
});

describe('a question', () => {
  const ask = `const ui = SpreadsheetApp.getUi();
    const reply = ui.prompt('Column', 'Which column?', ui.ButtonSet.OK_CANCEL);
    return [reply.getSelectedButton() === ui.Button.OK, reply.getResponseText()];`;

  it('is answered by who is at the screen', async () => {
    const asked: unknown[] = [];
    const onPrompt = (message: string, title: string) => {
      asked.push([title, message]);
      return { button: 'OK', text: 'C' } as const;
    };
    expect(await on(gridOf(), ask, {}, { screen: { onPrompt } })).toEqual([true, 'C']);
    expect(asked).toEqual([['Column', 'Which column?']]);
  });

  it('is closed where nobody looks', async () => {
    expect(await on(gridOf(), ask)).toEqual([false, '']);
  });
});

describe('members that pass on', () => {
  it('are those of the sheet on view, from the spreadsheet', async () => {
    const grid = gridOf([
      ['b', 2],
      ['a', 1],
    ]);
    const body = `spreadsheet.appendRow(['c', 3]).sort(1);
      spreadsheet.insertRowBefore(1);
      spreadsheet.setFrozenRows(1);
      const seen = spreadsheet.getDataRange().getValues();
      spreadsheet.setActiveSheet(spreadsheet.insertSheet('Other'));
      return [seen, spreadsheet.getSheetName(), spreadsheet.getLastRow(), sheet.getFrozenRows()];`;
    const seen = [
      ['', ''],
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ];
    expect(await on(grid, body)).toEqual([seen, 'Other', 0, 1]);
  });

  it('are done to each range of a list', async () => {
    const body = `const list = sheet.getRangeList(['A1', 'C1:C2']);
      list.setValue('x').setBackground('#ff0000').setFontWeight('bold').setNote('why');
      const marks = ['A1', 'B1', 'C2'].map((at) => sheet.getRange(at))
        .map((cell) => [cell.getValue(), cell.getBackground(), cell.getFontWeight(), cell.getNote()]);
      list.clear();
      return [marks, sheet.getDataRange().isBlank()];`;
    const [red, none] = [
      ['x', '#ff0000', 'bold', 'why'],
      ['', '#ffffff', 'normal', ''],
    ];
    expect(await on(gridOf(), body)).toEqual([[red, none, red], true]);
  });
});

describe('whole ranges of looks', () => {
  it('are set and told cell by cell, where null takes a colour away', async () => {
    const body = `const range = sheet.getRange('A1:B1').setBackground('#00ff00');
      range.setBackgrounds([['#ff0000', null]]).setFontColors([['#0000ff', '#000000']])
        .setFontWeights([['bold', 'normal']]);
      return [range.getBackgrounds(), range.getFontColors(), range.getFontWeights()];`;
    expect(await on(gridOf(), body)).toEqual([
      [['#ff0000', '#ffffff']],
      [['#0000ff', '#000000']],
      [['bold', 'normal']],
    ]);
  });

  it('have the shape of their range', async () => {
    const body = "sheet.getRange('A1:B1').setBackgrounds([['#ff0000']])";
    expect(await errorOn(gridOf(), body)).toMatch(/columns/);
  });
});

describe('rows and columns', () => {
  it('come in where their number says, hide and are shown again', async () => {
    const body = `sheet.insertRows(1, 2);
      sheet.insertColumns(1);
      sheet.hideRow(sheet.getRange('A2:A3'));
      sheet.hideColumn(sheet.getRange('B1'));
      const hidden = [1, 2, 3].map((row) => sheet.isRowHiddenByUser(row));
      sheet.unhideRow(sheet.getRange('A2'));
      sheet.unhideColumn(sheet.getRange('B1'));
      return [sheet.getSheetValues(3, 2, 1, 2), hidden, sheet.isRowHiddenByUser(2),
        sheet.isRowHiddenByUser(3), sheet.isColumnHiddenByUser(2)];`;
    const hidden = [false, true, true];
    expect(await on(gridOf([['a', 'b']]), body)).toEqual([
      [['a', 'b']],
      hidden,
      false,
      true,
      false,
    ]);
  });
});
