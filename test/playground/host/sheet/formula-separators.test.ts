// Semicolons in formulas: which ones part arguments, and that Univer works such a formula out.
import { expect, it } from '@jest/globals';
import { inEnglish, withCommas } from '../../../../playground/host/sheet/formula-separators';
import { openLiveSheet } from '../../../../playground/web/live-sheet';

it.each([
  ['=F(A1;;"a;b")', '=F(A1,,"a;b")'],
  ["=F('a;b'!A1;G(1;2))", "=F('a;b'!A1,G(1,2))"],
  ['=F({1;2};{3,4;5,6})', '=F({1;2},{3,4;5,6})'],
  ['={F(1;2);3}', '={F(1,2);3}'],
  ['=F("a""b;";1)', '=F("a""b;",1)'],
])('%s', (typed, shown) => {
  expect(withCommas(typed)).toBe(shown);
});

it('A stamp that a refresh has set behind a single argument reaches the function', async () => {
  const first = { id: 'first', name: 'Sheet1', rowCount: 10, columnCount: 5 };
  const calls: (readonly unknown[])[] = [];
  const sheet = openLiveSheet({
    data: { id: 'document', sheetOrder: ['first'], sheets: { first } },
    functionNames: ['F'],
    execute: ({ args }) => {
      calls.push(args);
      return Promise.resolve({ kind: 'value', value: 1 });
    },
  });
  const formula = withCommas('=F(A1;;;"refreshed 2026-11-21 06:04:31")');
  sheet.model.write(0, 1, 1, [['x', { formula }]]);
  await sheet.settled();
  const [args = []] = calls;
  sheet.dispose();
  expect([args[0], args[3]]).toEqual(['x', 'refreshed 2026-11-21 06:04:31']);
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
