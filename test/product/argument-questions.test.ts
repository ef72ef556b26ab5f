// Questions: what each row of a formula asks for, before anything is called.

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { isFailure } from '../../src/failures/failure';
import { readQuestions, readRefresh } from '../../src/product/arguments';

const MUG = 'B0XKT7M4QN';
const BOX = 'B0RWD92FHC';
const NOW = 1_760_000_000_000;

const LINK = `https://www.amazon.co.uk/dp/${MUG}`;

describe('a question', () => {
  it("is on the link's market when none is given, else on the spreadsheet's default", () => {
    for (const market of [undefined, null, '', '  ', [['']]]) {
      expect(readQuestions(LINK, market)).toEqual([{ asin: MUG, market: 'UK' }]);
      expect(readQuestions(MUG, market)).toEqual([{ asin: MUG, market: null }]);
    }
  });

  it('is on the market that is given, whatever the link says', () => {
    expect(readQuestions(LINK, 'US')).toEqual([{ asin: MUG, market: 'US' }]);
  });

  it('that cannot be read says why, and leaves the others alone', () => {
    const range = [['hello'], [MUG], ['#REF!']];
    const questions = readQuestions(range, [['US'], ['DE'], ['US']]);
    expect(questions).toEqual([
      { kind: 'bad-asin', input: 'hello', why: 'shape' },
      { kind: 'bad-market', input: 'DE' },
      { kind: 'bad-asin', input: '#REF!', why: 'error-cell' },
    ]);
  });

  it('takes its market from its own row, blank ones from the link or the default', () => {
    expect(readQuestions([[MUG], [BOX], [LINK]], [['UK'], [''], [null]])).toEqual([
      { asin: MUG, market: 'UK' },
      { asin: BOX, market: null },
      { asin: MUG, market: 'UK' },
    ]);
  });

  it('comes one for each cell, in order, whatever the cells hold', () => {
    const cell = fc.oneof(fc.constantFrom(MUG, BOX, '', 'hello', LINK), fc.string());
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 40 }), (cells) => {
        const column = readQuestions(
          cells.map((one) => [one]),
          'US',
        );
        if (isFailure(column)) throw new Error(column.kind);
        expect(column).toEqual(cells.map((one) => (readQuestions(one, 'US') as unknown[])[0]));
      }),
    );
  });
});

describe('a refresh', () => {
  it('that is left out demands nothing', () => {
    for (const refresh of [undefined, null, '']) expect(readRefresh(refresh, NOW)).toEqual({});
  });

  it('of any value is a text, and another value another text', () => {
    expect(readRefresh('monday', NOW)).toEqual({ tag: 'monday' });
    expect(readRefresh(1, NOW)).toEqual({ tag: '1' });
    expect(readRefresh(0, NOW)).toEqual({ tag: '0' });
    expect(readRefresh(false, NOW)).toEqual({ tag: 'false' });
    expect(readRefresh('x'.repeat(500), NOW)).toEqual({ tag: 'x'.repeat(60) });
  });

  it('of a moment gone by wants nothing older', () => {
    expect(readRefresh(new Date(NOW - 1_000), NOW)).toEqual({ notBeforeMs: NOW - 1_000 });
    expect(readRefresh(new Date(NOW), NOW)).toEqual({ notBeforeMs: NOW });
  });

  it('of a moment to come is a text, as nothing can be that new', () => {
    expect(readRefresh(new Date(NOW + 1_000), NOW)).toEqual({ tag: '2025-10-09T08:53:21.000Z' });
  });

  it('of a date that is none is not the end of the formula', () => {
    expect(readRefresh(new Date(Number.NaN), NOW)).toEqual({ tag: 'Invalid Date' });
  });
});
