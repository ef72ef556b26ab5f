// Formulas in R1C1 notation: read and written for a cell, in both directions.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { columnLetters } from '../../src/sheet/a1-notation';
import { fromR1C1, toR1C1 } from '../../src/sheet/r1c1';

const C3 = { row: 3, column: 3 };

describe('a formula in C3', () => {
  it.each([
    ['=A3+$B$1', '=R[0]C[-2]+R1C2'],
    ['=$A4*B$2', '=R[1]C1*R2C[-1]'],
    ['=SUM(A1:B2)', '=SUM(R[-2]C[-2]:R[-1]C[-1])'],
    ['=SUM(E:E,$E:$F,2:$3)', '=SUM(C[2]:C[2],C5:C6,R[-1]:R3)'],
    ['=SUM(A2:A)', '=SUM(R[-1]C[-2]:C[-2])'],
    ['=XMATCH(A3&"|US",\'My tab\'!$A:$A)', '=XMATCH(R[0]C[-2]&"|US",\'My tab\'!C1:C1)'],
    ["='A1''s C5'!B2+Other!B2", "='A1''s C5'!R[-1]C[-1]+Other!R[-1]C[-1]"],
    ['="A1 R1C1 ""C5"""&LOG10(5)', '="A1 R1C1 ""C5"""&LOG10(5)'],
  ])('%s is %s', (a1, r1c1) => {
    expect(toR1C1(a1, C3)).toBe(r1c1);
    expect(fromR1C1(r1c1, C3)).toBe(a1);
  });

  it.each([
    ['=RC+RC[1]+R[1]C+r2c2', '=C3+D3+C4+$B$2'],
    ['=SUM(C5)+SUM(C[1])+SUM(R)', '=SUM($E:$E)+SUM(D:D)+SUM(3:3)'],
    ['=INDEX(Analysis!C5,RC[-1])', '=INDEX(Analysis!$E:$E,B3)'],
    // What leads out of the sheet, and an address in the other notation.
    ['=R[-3]C', '=#REF!'],
    ['=C[-3]', '=#REF!'],
    ['=A1+E:E', '=#REF!+#REF!'],
    // Neither a name nor a function nor a text is a reference.
    ['=RATE+R2D2+ROUND(C1X,"RC")', '=RATE+R2D2+ROUND(C1X,"RC")'],
  ])('may be written %s', (r1c1, a1) => {
    expect(fromR1C1(r1c1, C3)).toBe(a1);
  });
});

describe('any formula', () => {
  const coordinate = fc.record({ at: fc.integer({ min: 1, max: 60 }), isFixed: fc.boolean() });
  const dollar = ({ isFixed }: { readonly isFixed: boolean }) => (isFixed ? '$' : '');
  const column = coordinate.map((one) => dollar(one) + columnLetters(one.at));
  const row = coordinate.map((one) => dollar(one) + one.at);
  const cell = fc.tuple(column, row).map((parts) => parts.join(''));
  const pair = (one: fc.Arbitrary<string>, other = one) =>
    fc.tuple(one, other).map((ends) => ends.join(':'));
  const area = fc.oneof(cell, pair(cell), pair(column), pair(row), pair(cell, column));
  const prefix = fc.constantFrom('', '', 'Keys!', "'My R1C1 ''tab'''!", "'B2'!");
  const reference = fc.tuple(prefix, area).map((parts) => parts.join(''));
  const part = fc.oneof(
    reference,
    fc.constantFrom('"A1 R[1]C2 ""C5"""', '1.5', 'TRUE', 'SUM(1)', 'MIN_ROI'),
  );
  const formula = fc
    .array(part, { minLength: 1, maxLength: 5 })
    .map((parts) => `=IF(${parts.join('&')},"",${parts.join(',')})`);
  const place = fc.record({
    row: fc.integer({ min: 1, max: 99 }),
    column: fc.integer({ min: 1, max: 99 }),
  });

  it('is the same after both directions, and where it was filled down the same text', () => {
    fc.assert(
      fc.property(formula, place, (text, at) => {
        const r1c1 = toR1C1(text, at);
        expect(fromR1C1(r1c1, at)).toBe(text);
        expect(toR1C1(fromR1C1(r1c1, at), at)).toBe(r1c1);
        const there = { row: at.row + 100, column: at.column + 7 };
        expect(toR1C1(fromR1C1(r1c1, there), there)).toBe(r1c1);
      }),
      { numRuns: 2_000, seed: 33 },
    );
  });
});
