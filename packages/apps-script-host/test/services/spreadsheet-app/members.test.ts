// Members that scripts of others use and that need no file of their own: layout, charts, questions.

import { describe, expect, it } from '@jest/globals';
import type { Dialog } from '../../../src/dialogs';
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
    const onQuestion = ({ message, title }: Dialog) => {
      asked.push([title, message]);
      return { button: 'OK', text: 'C' } as const;
    };
    expect(await on(gridOf(), ask, {}, { screen: { onQuestion } })).toEqual([true, 'C']);
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

describe('clearing', () => {
  it('takes what the options name, and everything without them', async () => {
    const grid = gridOf([['a', 'b', 'c']]);
    const body = `sheet.getRange('A1:C1').setFontWeight('bold').setNote('why');
      sheet.getRange('A1').clear({ contentsOnly: true });
      sheet.getRange('B1').clear({ formatOnly: true });
      sheet.getRange('C1').clear({ commentsOnly: true });
      const row = sheet.getRange('A1:C1');
      const seen = [row.getValues(), row.getFontWeights(), row.getNotes()];
      sheet.clear({ formatOnly: true }).clearNotes();
      return [...seen, row.getValues(), row.getFontWeights(), row.getNotes()];`;
    expect(await on(grid, body)).toEqual([
      [['', 'b', 'c']],
      [['bold', 'normal', 'bold']],
      [['why', 'why', '']],
      [['', 'b', 'c']],
      [['normal', 'normal', 'normal']],
      [['', '', '']],
    ]);
  });
});

describe('rows of others', () => {
  it('that are there twice go, whatever their case, and those below move up', async () => {
    const grid = gridOf([
      ['a', 1],
      ['A', 1],
      ['b', 1],
      ['a', 2],
    ]);
    const body = `const left = sheet.getRange('A1:B4').removeDuplicates();
      const first = [left.getA1Notation(), left.getValues()];
      const byOne = sheet.getRange('A1:B3').removeDuplicates([1]);
      return [...first, byOne.getValues(), sheet.getLastRow()];`;
    const kept = [
      ['a', 1],
      ['b', 1],
      ['a', 2],
    ];
    expect(await on(grid, body)).toEqual(['A1:B3', kept, kept.slice(0, 2), 2]);
  });

  it('lose spaces around and twice within their texts, and formulas stay', async () => {
    const grid = gridOf([['  a  b ', { formula: '=A1' }, 5]]);
    const body = `sheet.getRange('A1:C1').trimWhitespace();
      return [sheet.getRange('A1').getValue(), sheet.getRange('B1').getFormula()];`;
    expect(await on(grid, body)).toEqual(['a b', '=A1']);
  });

  it('are copied as values or as formats into a span of another sheet', async () => {
    const body = `const other = spreadsheet.insertSheet('Other');
      const from = sheet.getRange('A1:B1').setFontWeight('bold');
      from.copyValuesToRange(other, 1, 2, 3, 3);
      from.copyFormatToRange(other.getSheetId(), 1, 2, 5, 5);
      return [other.getRange('A3:B3').getValues(), other.getRange('A3').getFontWeight(),
        other.getRange('A5:B5').getFontWeights()];`;
    expect(await on(gridOf([['a', 'b']]), body)).toEqual([
      [['a', 'b']],
      'normal',
      [['bold', 'bold']],
    ]);
  });
});

describe('sizes', () => {
  it('of rows are 21 pixels until a script sets them, and move along', async () => {
    const body = `sheet.setRowHeight(2, 40).setRowHeights(4, 2, 60).insertRowBefore(1);
      sheet.deleteRow(5);
      spreadsheet.setRowHeight(1, 30);
      return [1, 2, 3, 4, 5, 6].map((row) => sheet.getRowHeight(row));`;
    expect(await on(gridOf(), body)).toEqual([30, 21, 40, 21, 60, 21]);
    expect(await errorOn(gridOf(), 'sheet.getRowHeight(1001)')).toBe(
      'Those rows are out of bounds.',
    );
  });

  it('of columns follow what they show', async () => {
    const body = `sheet.autoResizeColumns(1, 3);
      return [1, 2, 3].map((column) => sheet.getColumnWidth(column));`;
    const [short, long, untouched] = (await on(
      gridOf([
        ['a', 'a title of some length'],
        ['bc', ''],
      ]),
      body,
    )) as number[];
    expect(short).toBeLessThan(long ?? 0);
    expect(untouched).toBe(100);
  });

  it('of the grid may be without lines', async () => {
    const body = `const before = sheet.hasHiddenGridlines();
      return [before, sheet.setHiddenGridlines(true).hasHiddenGridlines()];`;
    expect(await on(gridOf(), body)).toEqual([false, true]);
  });
});

describe('what is selected', () => {
  it('is set and told as a cell, as ranges and as a selection', async () => {
    const body = `sheet.setCurrentCell(sheet.getRange('C3'));
      const cell = spreadsheet.getCurrentCell().getA1Notation();
      sheet.setActiveRangeList(sheet.getRangeList(['A1', 'D4:E5']));
      const selection = SpreadsheetApp.getSelection();
      sheet.getRange('B2').activateAsCurrentCell();
      return [cell, selection.getActiveRangeList().getRanges().length, selection.getActiveSheet().getName(),
        selection.getActiveRange().getA1Notation(), selection.getCurrentCell().getA1Notation()];`;
    expect(await on(gridOf(), body)).toEqual(['C3', 1, 'List', 'B2', 'B2']);
  });

  it('is a sheet that can be renamed and deleted', async () => {
    const body = `spreadsheet.insertSheet('Other');
      spreadsheet.renameActiveSheet('Renamed');
      const names = spreadsheet.getSheets().map((each) => each.getName());
      return [names, spreadsheet.deleteActiveSheet().getName()];`;
    expect(await on(gridOf(), body)).toEqual([['List', 'Renamed'], 'List']);
  });
});

describe('named ranges', () => {
  it('of one sheet are told apart from those of others', async () => {
    const body = `const other = spreadsheet.insertSheet('Other');
      spreadsheet.setNamedRange('Here', sheet.getRange('A1'));
      spreadsheet.setNamedRange('There', other.getRange('B2'));
      return [sheet, other].map((each) => each.getNamedRanges().map((named) => named.getName()));`;
    expect(await on(gridOf(), body)).toEqual([['Here'], ['There']]);
  });
});

describe('a filter of a range', () => {
  it('is that of its sheet, wherever the range is', async () => {
    const body = `sheet.getRange('A1:B2').createFilter();
      return [sheet.getRange('B2').getFilter() !== null, sheet.getRange('C3').getFilter().getRange().getA1Notation()];`;
    expect(await on(gridOf([['a', 'b']]), body)).toEqual([true, 'A1:B2']);
  });
});

describe('the older way to ask', () => {
  it('shows a text, and answers with what was typed or "cancel"', async () => {
    const shown: unknown[] = [];
    const onAlert = (message: string, title: string) => shown.push([title, message]);
    const body = `return [Browser.msgBox('Done', '3 rows', Browser.Buttons.OK), Browser.inputBox('Name?')];`;
    const screen = { onAlert: (message: string, title: string) => void onAlert(message, title) };
    expect(await on(gridOf(), body, {}, { screen })).toEqual(['ok', 'cancel']);
    expect(shown).toEqual([['Done', '3 rows']]);
    const onQuestion = () => ({ button: 'OK', text: 'Ann' }) as const;
    expect(
      await on(gridOf(), "return Browser.inputBox('Name?')", {}, { screen: { onQuestion } }),
    ).toBe('Ann');
  });
});

it('a picture is the value of a cell', async () => {
  const grid = gridOf();
  const body = `const picture = SpreadsheetApp.newCellImage().setSourceUrl('https://a.example/p.png')
      .setAltTextTitle('Title').setAltTextDescription('What it shows');
    sheet.getRange('A1:B1').setValues([[picture.build(), picture.build().toBuilder()]]);
    const { IMAGE } = SpreadsheetApp.ValueType;
    return [picture.build().getAltTextTitle(), picture.getAltTextDescription(), picture.valueType === IMAGE,
      sheet.getRange('A1:B1').getFormulas()];`;
  const formula = '=IMAGE("https://a.example/p.png")';
  expect(await on(grid, body)).toEqual(['Title', 'What it shows', true, [[formula, formula]]]);
});
