// What becomes of the cells that a formula names: rows that come and go, sorting, other names.

import { describe, expect, it } from '@jest/globals';
import {
  moveDown,
  renameSheetIn,
  type Shift,
  shiftReferences,
} from '../../src/sheet/formula-references';

/** Rows are shifted on the formula's own sheet, which is called "My 'old' list". */
function shifted(formula: string, shift: Shift): string {
  return shiftReferences(formula, shift, (name) => name === null || name === "My 'old' list");
}

const inserted: Shift = { axis: 'row', first: 3, count: 2 };
const deleted: Shift = { axis: 'row', first: 3, count: -2 };

describe('references', () => {
  it.each([
    ['=A2+A3', '=A2+A5'],
    ['=$B$3', '=$B$5'],
    ['=SUM(A1:B9)', '=SUM(A1:B11)'],
    ['=SUM(B9:A1)', '=SUM(B1:A11)'],
    ['=SUM(A2:A)', '=SUM(A2:A)'],
    ['=SUM(A3:A)', '=SUM(A5:A)'],
    ['=SUM(A:C)', '=SUM(A:C)'],
    ['=SUM(2:3)', '=SUM(2:5)'],
    ["='My ''old'' list'!A3", "='My ''old'' list'!A5"],
    ['=Other!A3', '=Other!A3'],
    ['="A3 ""A3"" "&A3', '="A3 ""A3"" "&A5'],
    ['=LOG10(A3)+TAX_A3+A3B', '=LOG10(A5)+TAX_A3+A3B'],
    ['=ANALYZE(A3,"US")', '=ANALYZE(A5,"US")'],
  ])('in %s follow rows that come: %s', (formula, after) => {
    expect(shifted(formula, inserted)).toBe(after);
  });

  it.each([
    ['=A2+A5', '=A2+A3'],
    ['=A3', '=#REF!'],
    ['=SUM(A3:A4)', '=SUM(#REF!)'],
    ['=SUM(A1:A4)', '=SUM(A1:A2)'],
    ['=SUM(A4:A9)', '=SUM(A3:A7)'],
    ['=SUM(A4:A)', '=SUM(A3:A)'],
    ['=3:3', '=#REF!'],
  ])('in %s follow rows that go: %s', (formula, after) => {
    expect(shifted(formula, deleted)).toBe(after);
  });

  it('follow columns too', () => {
    expect(shifted('=Z1+$B1+A:B', { axis: 'column', first: 2, count: 1 })).toBe('=AA1+$C1+A:C');
    expect(shifted('=Z1+$B1+A:B', { axis: 'column', first: 2, count: -1 })).toBe('=Y1+#REF!+A:A');
  });
});

describe('a formula that is moved', () => {
  it.each([
    ['=A2*B$2', 3, '=A5*B$2'],
    ['=SUM(A2:A$9)', -1, '=SUM(A1:A$9)'],
    ['=A2', -2, '=#REF!'],
    ['=Other!A2', 1, '=Other!A3'],
  ])('%s by %d rows is %s', (formula, rows, after) => {
    expect(moveDown(formula, rows)).toBe(after);
  });
});

describe('another name of a sheet', () => {
  it.each([
    ['=Old!A1+old!B2', 'New', '=New!A1+New!B2'],
    ['=Old!A1', "Bob's list", "='Bob''s list'!A1"],
    ['=Old!A1', 'A1', "='A1'!A1"],
    ["='Old'!A1:B2+Older!A1", 'New', '=New!A1:B2+Older!A1'],
    ['=Old!A1+A1', null, '=#REF!+A1'],
  ])('in %s becomes %p', (formula, name, after) => {
    expect(renameSheetIn(formula, 'Old', name)).toBe(after);
  });
});
