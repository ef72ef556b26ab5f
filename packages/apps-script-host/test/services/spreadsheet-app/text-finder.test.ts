// TextFinder: what it finds and replaces, in shown texts and in formulas.

import { describe, expect, it } from '@jest/globals';
import { contentsOf, errorOn, gridOf, on } from './grid-script';

describe('a text finder', () => {
  const cells = [
    ['apple', { formula: '=ANALYZE(A1)' }, 'Pineapple'],
    ['APPLE', { formula: '=analyze(A2)' }, '7'],
  ];
  const found = (finder: string) =>
    on(gridOf(cells), `return ${finder}.findAll().map((range) => range.getA1Notation())`);

  it('finds what cells show, row by row', async () => {
    expect(await found("sheet.createTextFinder('apple')")).toEqual(['A1', 'C1', 'A2']);
    expect(await found("sheet.getRange('A2:C2').createTextFinder('apple')")).toEqual(['A2']);
    expect(await found("sheet.createTextFinder('apple').matchCase(true)")).toEqual(['A1', 'C1']);
    expect(await found("sheet.createTextFinder('apple').matchEntireCell(true)")).toEqual([
      'A1',
      'A2',
    ]);
  });

  it('finds formulas when told to, in every sheet', async () => {
    expect(await found("spreadsheet.createTextFinder('=ANALYZE(')")).toEqual([]);
    expect(await found("spreadsheet.createTextFinder('=ANALYZE(').matchFormulaText(true)")).toEqual(
      ['B1', 'B2'],
    );
  });

  it('goes from one to the next', async () => {
    const body = `
      const finder = sheet.createTextFinder('apple').matchEntireCell(true);
      const found = [finder.findNext(), finder.findNext(), finder.findNext()];
      return found.map((range) => range && range.getA1Notation());`;
    expect(await on(gridOf(cells), body)).toEqual(['A1', 'A2', null]);
  });

  it('goes back, from a cell on, and replaces where it is', async () => {
    const grid = gridOf([
      ['a1', 'b'],
      ['a2', 'a3'],
      ['a4', 'a5'],
    ]);
    const body = `
      const finder = sheet.createTextFinder('a').startFrom(sheet.getRange('A2'));
      const told = (cell) => cell && cell.getA1Notation();
      const before = finder.getCurrentMatch();
      const steps = [finder.findNext(), finder.findNext(), finder.findPrevious()].map(told);
      const replaced = [finder.replaceWith('z'), told(finder.getCurrentMatch())];
      return [before, steps, replaced, sheet.getRange('A1:B3').getValues().flat(),
        told(sheet.createTextFinder('a').startFrom(sheet.getRange('B3')).findNext())];`;
    expect(await on(grid, body)).toEqual([
      null,
      ['B2', 'A3', 'B2'],
      [1, 'B2'],
      ['a1', 'b', 'a2', 'z3', 'a4', 'a5'],
      null,
    ]);
  });

  it('takes patterns with their groups, and letters without their marks', async () => {
    const grid = gridOf([
      ['Café 12', 'cafe 7'],
      ['tea', ''],
    ]);
    const body = `
      const plain = sheet.createTextFinder('CAFE').ignoreDiacritics(true);
      const pattern = sheet.createTextFinder('(\\\\d+)$').useRegularExpression(true);
      return [plain.findAll().length, pattern.replaceAllWith('no. $1'),
        sheet.getRange('A1:B1').getValues()[0]];`;
    expect(await on(grid, body)).toEqual([2, 2, ['Café no. 12', 'cafe no. 7']]);
    const odd = "sheet.createTextFinder('(').useRegularExpression(true).findAll()";
    expect(await errorOn(grid, odd)).toBe('Invalid argument: (');
  });

  it('replaces in formulas and counts', async () => {
    const grid = gridOf(cells);
    const body = `
      const finder = sheet.createTextFinder('analyze').matchFormulaText(true);
      return [finder.replaceAllWith('$&NEW'), sheet.getRange('B1:B2').getFormulas()];`;
    expect(await on(grid, body)).toEqual([2, [['=$&NEW(A1)'], ['=$&NEW(A2)']]]);
  });

  it('leaves formulas alone otherwise, and types the rest in', async () => {
    const grid = gridOf([['x7', { formula: '=A1' }]]);
    grid.setComputed(0, 1, 2, 'x7');
    expect(await on(grid, "return sheet.createTextFinder('x').replaceAllWith('1')")).toBe(1);
    expect(contentsOf(grid)).toEqual([[17, 'x7']]);
  });
});
