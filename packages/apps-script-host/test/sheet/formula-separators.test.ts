// Semicolons in formulas: which ones part arguments.
import { expect, it } from '@jest/globals';
import { inEnglish, withCommas } from '../../src/sheet/formula-separators';

it.each([
  ['=F(A1;;"a;b")', '=F(A1,,"a;b")'],
  ["=F('a;b'!A1;G(1;2))", "=F('a;b'!A1,G(1,2))"],
  ['=F({1;2};{3,4;5,6})', '=F({1;2},{3,4;5,6})'],
  ['={F(1;2);3}', '={F(1,2);3}'],
  ['=F("a""b;";1)', '=F("a""b;",1)'],
])('%s', (typed, shown) => {
  expect(withCommas(typed)).toBe(shown);
});

it.each<[string, string, string | null]>([
  ['en_US', '=IF(A1>1.5;"a;b";2)', '=IF(A1>1.5,"a;b",2)'],
  ['de_DE', '=IF(A1>1,5;"1,5";2)', '=IF(A1>1.5,"1,5",2)'],
  ['de_DE', '={1\\2;3\\4}', '={1,2;3,4}'],
  // Sheets cannot read them, not even from a script.
  ['de_DE', '=IF(A1>1,"a","b")', null],
  ['de_DE', '=A1*1.5', null],
])('in %s %s is %s', (locale, formula, english) => {
  expect(inEnglish(formula, locale)).toBe(english);
});
