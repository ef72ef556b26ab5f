// What a blank cell and an empty text are to formulas, whatever calculates them: one table, run on each.

import { expect, it } from '@jest/globals';
import type { SheetModel } from '../../src/sheet/model';

/** A1 holds `=""`, B1 a formula with a blank result, and C1 nothing. */
const RULES: readonly (readonly [formula: string, value: string | number | boolean])[] = [
  // Help of ISBLANK and COUNTA: an empty text is content.
  ['=ISBLANK(A1)', false],
  ['=ISBLANK(B1)', true],
  ['=ISBLANK(C1)', true],
  ['=COUNTA(A1:C1)', 1],
  ['=ISTEXT(A1)', true],
  ['=ISTEXT(B1)', false],
  ['=COUNT(A1:C1)', 0],
  // A text is greater than every number, and no text is a number.
  ['=A1>1000', true],
  ['=B1>1000', false],
  ['=IF(A1>3;"Buy";"")', 'Buy'],
  ['=IF(B1>3;"Buy";"")', ''],
  ['=A1=0', false],
  ['=B1=0', true],
  ['=A1+1', '#VALUE!'],
  ['=-A1', '#VALUE!'],
  ['=B1+1', 1],
  ['=SUM(A1:C1)', 0],
  ['=MAX(A1:C1)', 0],
  ['=N(A1)', 0],
  // Both are equal to an empty text.
  ['=A1=""', true],
  ['=B1=""', true],
  ['=COUNTIF(A1:C1;"")', 3],
  ['=TEXTJOIN("|";FALSE;A1:B1)', '|'],
  ['=A1&"x"', 'x'],
  // What is left out is blank, and so is what a formula only passes on.
  ['=ISBLANK(INDEX(B1:B1;1))', true],
  ['=COUNTA(IFERROR(NA();))', 0],
  ['=SHEET(A1)', 1],
  ['=SHEET()', 1],
  // Whatever the formula comes to.
  ['=ISFORMULA(A1)', true],
  ['=2/ISFORMULA(B1)', 2],
  ['=ISFORMULA(C1)', false],
  ['=FORMULATEXT(A1)', '=""'],
];

/** A blank each, in a cell of its own. */
const BLANKS = [
  '=IF(FALSE;1;)',
  '=IF(TRUE;;1)',
  '=IFERROR(1/0;)',
  '=IFERROR(1/0)',
  '=IFNA(NA();)',
  '=LET(x;1;IF(x=2;1;))',
  '=B1',
];

/** `calculated` resolves when all formulas are. */
export function itTellsBlanks(
  create: () => { readonly model: SheetModel; readonly calculated: () => Promise<void> },
): void {
  it('tells a blank from an empty text, in one calculation and in the next', async () => {
    const { model, calculated } = create();
    const [{ id } = { id: 0 }] = model.sheets();
    const formula = (text: string) => ({ formula: text.replaceAll(';', ',') });
    const area = { row: 2, column: 1, rowCount: RULES.length, columnCount: 1 };
    const write = () => {
      model.write(
        id,
        area.row,
        1,
        RULES.map(([text]) => [formula(text)]),
      );
      const tests = BLANKS.map((text, at) => [formula(text), formula(`=ISBLANK(D${2 + at})`)]);
      model.write(id, 2, 4, tests);
    };
    const expected = RULES.map(([text, value]) => `${text} ${value}`);
    model.write(id, 1, 1, [[formula('=""'), formula('=IF(FALSE;1;)')]]);
    for (const _ of ['at once', 'later']) {
      write();
      await calculated();
      const shown = model.values(id, area).map(([value], at) => `${RULES[at]?.[0]} ${value}`);
      expect(shown).toEqual(expected);
      const blanks = model.values(id, {
        ...area,
        column: 4,
        rowCount: BLANKS.length,
        columnCount: 2,
      });
      expect(blanks).toEqual(BLANKS.map(() => ['', true]));
    }
  });
}
