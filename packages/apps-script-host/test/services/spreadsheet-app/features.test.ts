// Named ranges, conditional formats, developer metadata, hidden columns and tabs: what a script makes of them,
// and what becomes of it when rows and columns come and go.
import { describe, expect, it } from '@jest/globals';
import { createPeople } from '../../../src/sheet/people';
import { errorOn, gridOf, on } from './grid-script';

const grid = () =>
  gridOf([
    ['ASIN', 'Cost', 'Verdict'],
    ['B1', 3, 'Buy'],
    ['B2', 1, 'Skip'],
  ]);
const BOOK = 'const book = SpreadsheetApp.getActive();';

describe('a named range', () => {
  it('is set, found whatever its case, moved and removed', async () => {
    const sheet = grid();
    const found = await on(
      sheet,
      `${BOOK} book.setNamedRange('MIN_ROI', sheet.getRange('B2'));
      sheet.insertRowBefore(1);
      const moved = book.getRangeByName('min_roi').getA1Notation();
      const names = book.getNamedRanges().map((each) => each.getName());
      book.setNamedRange('Min_ROI', sheet.getRange('C1'));
      const again = book.getRangeByName('MIN_ROI').getA1Notation();
      book.removeNamedRange('MIN_ROI');
      return [moved, names, again, book.getRangeByName('MIN_ROI'), book.getNamedRanges().length];`,
    );
    expect(found).toEqual(['B3', ['MIN_ROI'], 'C1', null, 0]);
  });

  it('has its cells back when an older version of the file brings back their sheet', async () => {
    const sheet = grid();
    const named = `${BOOK} const found = book.getRangeByName('REFRESH'); return found && found.getA1Notation();`;
    await on(sheet, `${BOOK} book.setNamedRange('REFRESH', sheet.getRange('B2'));`);
    sheet.addSheet('Other', 2);
    sheet.deleteSheet(0);
    expect(await on(sheet, named)).toBeNull();
    sheet.restoreSheet(0);
    expect(await on(sheet, named)).toBe('B2');
  });

  it('is null once its cells are gone, and must have a name that is no cell', async () => {
    const deleted = `${BOOK} book.setNamedRange('X_Y', sheet.getRange('B2')); sheet.deleteRow(2);
      return book.getRangeByName('X_Y');`;
    expect(await on(grid(), deleted)).toBeNull();
    for (const name of ['A1', 'abc12', 'R1C1', '1x', 'true', 'a b', ''])
      expect([
        name,
        await errorOn(grid(), `${BOOK} book.setNamedRange('${name}', sheet.getRange('B2'));`),
      ]).toEqual([name, expect.stringContaining('not valid')]);
    expect(await errorOn(grid(), `${BOOK} book.removeNamedRange('NONE');`)).toContain('NONE');
  });
});

describe('a rule of conditional formatting', () => {
  const made = `SpreadsheetApp.newConditionalFormatRule().whenTextEqualTo('Buy')
    .setBackground('#d9ead3').setBold(true).setRanges([sheet.getRange('C2:C3')]).build()`;

  it('is kept in order, and read as it was made', async () => {
    const script = `const formula = SpreadsheetApp.newConditionalFormatRule()
        .whenFormulaSatisfied('=$B2>2').setFontColor('#000000').setRanges([sheet.getRange('A2:C3')]).build();
      sheet.setConditionalFormatRules([${made}, formula]);
      const rules = sheet.getConditionalFormatRules();
      sheet.setConditionalFormatRules(rules.slice(0, 1).concat(rules[1].copy().whenCellEmpty().build()));
      return sheet.getConditionalFormatRules().map((rule) => {
        const condition = rule.getBooleanCondition();
        return [String(condition.getCriteriaType()), condition.getCriteriaValues(), condition.getBackground(),
          condition.getCriteriaType() === SpreadsheetApp.BooleanCriteria.TEXT_EQUAL_TO,
          rule.getRanges().map((range) => range.getA1Notation())];
      });`;
    expect(await on(grid(), script)).toEqual([
      ['TEXT_EQUAL_TO', ['Buy'], '#d9ead3', true, ['C2:C3']],
      ['CELL_EMPTY', [], null, false, ['A2:C3']],
    ]);
  });

  it('grows and shrinks with its rows, stays where it is in a sort, and goes with its last cell', async () => {
    const sheet = grid();
    await on(sheet, `sheet.setConditionalFormatRules([${made}]);`);
    const where = () =>
      on(
        sheet,
        `return sheet.getConditionalFormatRules().flatMap((rule) => rule.getRanges())
          .map((range) => range.getA1Notation());`,
      );
    await on(
      sheet,
      "sheet.getRange('A2:C3').sort(2); sheet.insertRowAfter(2); sheet.insertRowAfter(4);",
    );
    expect(await where()).toEqual(['C2:C4']);
    await on(sheet, 'sheet.deleteColumn(1); sheet.deleteRow(2);');
    expect(await where()).toEqual(['B2:B3']);
    await on(sheet, 'sheet.deleteRows(2, 2);');
    expect(await where()).toEqual([]);
  });

  it('needs a condition and cells of its own sheet', async () => {
    const without = 'SpreadsheetApp.newConditionalFormatRule().whenCellEmpty().build();';
    expect(await errorOn(grid(), without)).toContain('at least one range');
    const elsewhere = `${BOOK} const other = book.insertSheet('Other'); other.setConditionalFormatRules([${made}]);`;
    expect(await errorOn(grid(), elsewhere)).toContain('different sheet');
  });
});

describe('developer metadata', () => {
  const find = `const all = () => sheet.createDeveloperMetadataFinder().find()
    .map((one) => [one.getKey(), one.getValue(), String(one.getLocation().getLocationType()),
      (one.getLocation().getColumn() || one.getLocation().getRow() || { getA1Notation: () => null }).getA1Notation()]);`;

  it('moves with its row and column, goes with them, and does not follow a sort', async () => {
    const sheet = grid();
    const seen = await on(
      sheet,
      `${find} const P = SpreadsheetApp.DeveloperMetadataVisibility.PROJECT;
      sheet.getRange('B:B').addDeveloperMetadata('column', 'cost', P);
      sheet.getRange('3:3').addDeveloperMetadata('row', 'B2');
      sheet.addDeveloperMetadata('sheet');
      sheet.getRange('A2:C3').sort(2);
      const sorted = [all(), sheet.getRange('A3').getValue()];
      sheet.insertColumnBefore(1); sheet.insertRowBefore(1);
      const moved = all();
      sheet.deleteColumn(3); sheet.deleteRow(4);
      return [sorted, moved, all()];`,
    );
    const row = (at: string) => ['row', 'B2', 'ROW', at];
    expect(seen).toEqual([
      [[['column', 'cost', 'COLUMN', 'B:B'], row('3:3'), ['sheet', null, 'SHEET', null]], 'B1'],
      [['column', 'cost', 'COLUMN', 'C:C'], row('4:4'), ['sheet', null, 'SHEET', null]],
      [['sheet', null, 'SHEET', null]],
    ]);
  });

  it('is found by key and place, changed and removed; not put on other cells, nor without end', async () => {
    const script = `${BOOK} book.addDeveloperMetadata('ours', '1'); sheet.addDeveloperMetadata('ours', '2');
      sheet.addDeveloperMetadata('theirs', '3');
      const found = book.createDeveloperMetadataFinder().withKey('ours').find();
      found[0].setValue('changed'); found[1].remove();
      return [book.getDeveloperMetadata().map((one) => one.getValue()),
        sheet.getDeveloperMetadata().map((one) => one.getKey())];`;
    expect(await on(grid(), script)).toEqual([['changed'], ['theirs']]);
    const cells = "sheet.getRange('A1:B2').addDeveloperMetadata('x');";
    expect(await errorOn(grid(), cells)).toContain('entire row or column');
    const much = "sheet.addDeveloperMetadata('x', 'y'.repeat(30000));";
    expect(await errorOn(grid(), much)).toContain('limit');
  });

  it('is found again after its column was moved, by its key, value and visibility', async () => {
    const sheet = grid();
    const seen = await on(
      sheet,
      `${find} const { PROJECT, DOCUMENT } = SpreadsheetApp.DeveloperMetadataVisibility;
      sheet.getRange('C:C').addDeveloperMetadata('column', 'verdict', PROJECT);
      sheet.getRange('A:A').addDeveloperMetadata('column', 'asin', DOCUMENT);
      sheet.getRange('2:2').addDeveloperMetadata('row', 'B1');
      sheet.moveColumns(sheet.getRange('C1:C1'), 1);
      sheet.moveRows(sheet.getRange('2:2'), 4);
      const found = (one) => one.find().map((each) => [each.getValue(), each.getLocation().getColumn().getColumn()]);
      const by = () => sheet.createDeveloperMetadataFinder().withKey('column');
      return [found(by().withValue('verdict')), found(by().withVisibility(DOCUMENT)), all()[2],
        sheet.getRange('A1:C3').getValues()];`,
    );
    expect(seen).toEqual([
      [['verdict', 1]],
      [['asin', 2]],
      ['row', 'B1', 'ROW', '3:3'],
      [
        ['Verdict', 'ASIN', 'Cost'],
        ['Skip', 'B2', 1],
        ['Buy', 'B1', 3],
      ],
    ]);
  });

  it('is found in a range that holds all of it, or, if asked for, a part; no cell has any', async () => {
    const script = `sheet.getRange('B:B').addDeveloperMetadata('x'); sheet.getRange('3:3').addDeveloperMetadata('x');
      const count = (at, how) => how(sheet.getRange(at).createDeveloperMetadataFinder().withKey('x')).find().length;
      const within = (one) => one, across = (one) => one.onIntersectingLocations();
      return [count('A:C', within), count('1:5', within), count('A1:D5', within), count('A1:D5', across),
        count('D5', across), sheet.getRange('B3').getDeveloperMetadata().length,
        sheet.getRange('B:B').getDeveloperMetadata().length];`;
    expect(await on(grid(), script)).toEqual([1, 1, 0, 2, 0, 0, 1]);
  });

  it('is moved, shown to others, and says where it is', async () => {
    const script = `const { PROJECT } = SpreadsheetApp.DeveloperMetadataVisibility;
      const made = sheet.addDeveloperMetadata('x', '1').getDeveloperMetadata()[0];
      const { SHEET, COLUMN, SPREADSHEET } = SpreadsheetApp.DeveloperMetadataLocationType;
      const is = (type) => made.getLocation().getLocationType() === type;
      const seen = [is(SHEET), made.getLocation().getSheet().getName(), made.getLocation().getSpreadsheet()];
      made.moveToColumn(sheet.getRange('C:C')).setVisibility(PROJECT);
      seen.push(is(COLUMN), made.getLocation().getSheet(), made.getVisibility() === PROJECT);
      made.moveToSpreadsheet();
      return [...seen, is(SPREADSHEET), made.getLocation().getSpreadsheet().getId(), sheet.getDeveloperMetadata().length];`;
    expect(await on(grid(), script)).toEqual([
      ...[true, 'List', null, true, null, true],
      ...[true, 'doc-1', 0],
    ]);
    const cells =
      "sheet.addDeveloperMetadata('x').getDeveloperMetadata()[0].moveToColumn(sheet.getRange('A1:B2'));";
    expect(await errorOn(grid(), cells)).toContain('entire row or column');
  });

  it('goes along with a copy of its sheet and comes back with it, and with columns', async () => {
    const sheet = grid();
    await on(
      sheet,
      "sheet.addDeveloperMetadata('tab'); sheet.getRange('B:B').addDeveloperMetadata('cost');",
    );
    const act = createPeople(sheet);
    const keys = async () =>
      await on(
        sheet,
        `return SpreadsheetApp.getActive().createDeveloperMetadataFinder().find().map((one) => one.getKey());`,
      );
    act({ do: 'deleteColumns', sheetId: 0, first: 2, count: 1 });
    expect(await keys()).toEqual(['tab']);
    act({ do: 'undo' });
    expect(await keys()).toEqual(['tab', 'cost']);
    act({ do: 'copySheet', sheetId: 0 });
    expect(await keys()).toEqual(['tab', 'cost', 'tab', 'cost']);
    sheet.deleteSheet(0);
    expect(await keys()).toEqual(['tab', 'cost']);
    sheet.restoreSheet(0);
    expect(await keys()).toHaveLength(4);
  });
});

it('hidden columns move along, and one tab stays on view', async () => {
  const script = `sheet.hideColumns(2); sheet.insertColumnBefore(1); sheet.setTabColor('#ff0000');
    const hidden = [1, 2, 3].map((column) => sheet.isColumnHiddenByUser(column));
    sheet.showColumns(3);
    return [hidden, sheet.isColumnHiddenByUser(3), sheet.getTabColor(), sheet.isSheetHidden()];`;
  expect(await on(grid(), script)).toEqual([[false, false, true], false, '#ff0000', false]);
  expect(await errorOn(grid(), 'sheet.hideSheet();')).toBeDefined();
  expect(await errorOn(grid(), 'sheet.hideColumns(26, 2);')).toBeDefined();
});

it('rules of format take days that move, criteria by name, and colours as objects', async () => {
  const body = `
    const { RelativeDate, BooleanCriteria } = SpreadsheetApp;
    const blue = SpreadsheetApp.newColor().setRgbColor('blue').build();
    const fresh = () => SpreadsheetApp.newConditionalFormatRule().setRanges([sheet.getRange('A1')]);
    sheet.setConditionalFormatRules([
      fresh().whenDateEqualTo(RelativeDate.TODAY).setBackgroundObject(blue).build(),
      fresh().withCriteria(BooleanCriteria.TEXT_STARTS_WITH, ['a']).setFontColor('RED').build(),
      fresh().withCriteria(BooleanCriteria.DATE_AFTER_RELATIVE, [RelativeDate.YESTERDAY]).build(),
    ]);
    return sheet.getConditionalFormatRules().map((rule) => {
      const condition = rule.getBooleanCondition();
      const codes = [condition.getBackgroundObject(), condition.getFontColorObject()].map((color) =>
        color && color.asRgbColor().asHexString());
      return [String(condition.getCriteriaType()), condition.getCriteriaValues().map(String), codes];
    });`;
  expect(await on(gridOf(), body)).toEqual([
    ['DATE_EQUAL_TO_RELATIVE', ['TODAY'], ['#0000ff', null]],
    ['TEXT_STARTS_WITH', ['a'], [null, '#ff0000']],
    ['DATE_AFTER_RELATIVE', ['YESTERDAY'], [null, null]],
  ]);
});

describe('a named range', () => {
  it('is renamed, with the formulas that name it, and put elsewhere', async () => {
    const grid = gridOf([[1, { formula: '=Figures+1' }]]);
    const body = `
      spreadsheet.setNamedRange('Figures', sheet.getRange('A1'));
      const [named] = spreadsheet.getNamedRanges();
      named.setName('Numbers').setRange(sheet.getRange('A1:A3'));
      return [named.getName(), named.getRange().getA1Notation(), sheet.getRange('B1').getFormula(),
        spreadsheet.getRangeByName('Figures'), spreadsheet.getNamedRanges().length];`;
    expect(await on(grid, body)).toEqual(['Numbers', 'A1:A3', '=Numbers+1', null, 1]);
  });

  it('has a name of its own', async () => {
    const rename = (name: string) => `
      spreadsheet.setNamedRange('Mine', sheet.getRange('A1'));
      spreadsheet.setNamedRange('Yours', sheet.getRange('A2'));
      spreadsheet.getNamedRanges()[0].setName('${name}');`;
    expect(await errorOn(gridOf(), rename('yours'))).toMatch(/"yours" already/);
    expect(await errorOn(gridOf(), rename('A1'))).toMatch(/not valid for a range/);
    expect(await errorOn(gridOf(), rename('MINE'))).toBeUndefined();
  });
});

it('keeps gradients of conditional formatting, of which each end has a colour, a type and a value', async () => {
  const body = `
    const I = SpreadsheetApp.InterpolationType;
    const gradient = SpreadsheetApp.newConditionalFormatRule()
      .setGradientMinpoint('red')
      .setGradientMidpointWithValue('#FFFFFF', I.PERCENTILE, '50')
      .setGradientMaxpointWithValue('#00ff00', I.NUMBER, '10');
    sheet.setConditionalFormatRules([gradient.setRanges([sheet.getRange('A1:A9')]).build()]);
    const [rule] = sheet.getConditionalFormatRules();
    const told = rule.getGradientCondition();
    const other = rule.copy().whenCellEmpty().build();
    return [
      [told.getMinColor(), String(told.getMinType()), told.getMinValue()],
      [told.getMidColor(), told.getMidType() === I.PERCENTILE, told.getMidValue()],
      [told.getMaxColorObject().asRgbColor().asHexString(), String(told.getMaxType()), told.getMaxValue()],
      rule.getBooleanCondition(), other.getGradientCondition(), String(told),
    ];`;
  expect(await on(gridOf(), body)).toEqual([
    ['#ff0000', 'MIN', ''],
    ['#ffffff', true, '50'],
    ['#00ff00', 'NUMBER', '10'],
    ...[null, null, 'ConditionalFormatGradientCondition'],
  ]);
});
