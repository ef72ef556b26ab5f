// Names of cells in the playground's formulas: they mean what the spreadsheet says, wherever cells go.
import { afterEach, describe, expect, it } from '@jest/globals';
import { featuresOf } from 'apps-script-host/sheet/book-features';
import { createUniverModel } from '../../../playground/web/univer-model';
import { openUniverWorkbook, type UniverWorkbook } from '../../../playground/web/univer-workbook';

const opened: UniverWorkbook[] = [];

afterEach(() => {
  for (const workbook of opened.splice(0)) workbook.dispose();
});

/** A sheet with formulas in its first row, and one with 1, 2, 3 … in its second column, named N1, N2 … */
function withNames(formulas: readonly string[]) {
  const first = { id: 'first', name: 'List', rowCount: 100, columnCount: 26 };
  const workbook = openUniverWorkbook({
    data: { id: 'document', sheetOrder: ['first'], sheets: { first } },
    functionNames: [],
    answer: () => ({ kind: 'pending' }),
    nowMs: () => Date.UTC(2026, 0, 5, 9),
  });
  opened.push(workbook);
  const model = createUniverModel(workbook);
  const rules = model.addSheet('Deal rules', 2);
  const rows = [1, 2, 3, 4];
  model.write(
    rules,
    1,
    2,
    rows.map((row) => [row]),
  );
  const cell = (row: number) => ({ row, column: 2, rowCount: 1, columnCount: 1 });
  featuresOf(model).setNames(
    rows.map((row) => ({ name: `TARGET_N${row}`, sheetId: rules, rectangle: cell(row) })),
  );
  model.write(0, 1, 1, [formulas.map((formula) => ({ formula }))]);
  const place = { row: 1, column: 1, rowCount: 1, columnCount: formulas.length };
  return {
    model,
    rules,
    texts: () => model.formulas(0, place)[0],
    async values() {
      await workbook.calculation.settled();
      return model.values(0, place)[0];
    },
  };
}

/** Longer than Univer keeps formulas under their own text. */
const LONG = `=IF(TARGET_N3>2,"${'yes '.repeat(20).trim()}","no")`;

describe('a name in a formula', () => {
  it('stands beside texts that look like something else', async () => {
    const { values } = withNames([
      '=TARGET_N2&"US"',
      '=IF(REGEXMATCH("a$4","[$]4"),TARGET_N1,0)',
      '="TARGET_N4 "&TARGET_N4',
    ]);
    expect(await values()).toEqual(['2US', 1, 'TARGET_N4 4']);
  });

  it('is worked out, also after its value changes', async () => {
    const { model, rules, values } = withNames(['=target_n1+TARGET_N2', LONG]);
    expect(await values()).toEqual([3, expect.stringMatching(/^yes/)]);
    model.write(rules, 3, 2, [[0]]);
    expect(await values()).toEqual([3, 'no']);
  });

  it('goes with its cell, in formulas that were read before', async () => {
    const formulas = ['=TARGET_N1', '=TARGET_N3&"x"', LONG];
    const { model, rules, values, texts } = withNames(formulas);
    await values();
    model.insertRows(rules, 2, 2);
    expect(await values()).toEqual([1, '3x', expect.stringMatching(/^yes/)]);
    model.write(rules, 5, 2, [[0]]);
    expect(await values()).toEqual([1, '0x', 'no']);
    expect(texts()).toEqual(formulas);
  });

  it('follows a sheet that is renamed, and can be given to another cell', async () => {
    const { model, rules, values } = withNames(['=TARGET_N4']);
    model.renameSheet(rules, "Buyer's rules");
    expect(await values()).toEqual([4]);
    const others = featuresOf(model).names().slice(0, 3);
    const rectangle = { row: 2, column: 2, rowCount: 1, columnCount: 1 };
    featuresOf(model).setNames([...others, { name: 'TARGET_N4', sheetId: rules, rectangle }]);
    expect(await values()).toEqual([2]);
  });
});

describe('a formula with parameters', () => {
  it('is worked out when names have changed since it was read, and in another spreadsheet, too', async () => {
    const formula = '=LET(own,FILTER(A2:A4,A2:A4>0),past,SORT(own,1,TRUE),SUM(past)+INDEX(past,1))';
    const { model, rules, values } = withNames([formula]);
    await values();
    model.insertRows(rules, 2, 2);
    await values();
    model.write(0, 2, 1, [[5], [0], [2]]);
    expect(await values()).toEqual([9]);
    const other = withNames([formula]);
    other.model.write(0, 2, 1, [[1], [1], [1]]);
    expect(await other.values()).toEqual([4]);
  });
});

it("Sheets' rules hold where Univer has others", async () => {
  const { values } = withNames(['="2">1', '=IF("yes",1,2)', '=NOW()', '=ISNUMBER("")']);
  const [texts, condition, now, blank] = (await values()) ?? [];
  expect([texts, condition, blank]).toEqual([true, '#VALUE!', false]);
  expect(now).toEqual(new Date(Date.UTC(2026, 0, 5, 9)));
});
