// The ASIN reader: codes, book numbers and numbers that lost zeros, and what it must not take for one.

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { isFailure } from '../../src/failures/failure';
import { isBlank, readAsin } from '../../src/product/asin';

const MUG = 'B0XKT7M4QN';

function asinOf(input: unknown): string | undefined {
  const reading = readAsin(input);
  return isFailure(reading) ? undefined : reading.asin;
}

function whyNot(input: unknown): string | undefined {
  const reading = readAsin(input);
  return isFailure(reading) && reading.kind === 'bad-asin' ? reading.why : undefined;
}

describe('a code', () => {
  it.each([
    ['as it is', MUG],
    ['in small letters', 'b0xkt7m4qn'],
    ['with spaces around', '  B0XKT7M4QN\t'],
    ['with a no-break space', 'B0XKT7M4QN\u00A0'],
    ['with invisible characters', '\uFEFFB0XKT\u200B7M4QN\u200E'],
    ['with dashes', 'B0XKT-7M4QN'],
    ["with a sheet's apostrophe", "'B0XKT7M4QN"],
    ['after its label', 'ASIN: B0XKT7M4QN'],
    ['after its label, without a space', 'ASIN:B0XKT7M4QN'],
    ['after its label alone', 'asin B0XKT7M4QN'],
  ])('is read %s', (_, text) => {
    expect(readAsin(text)).toEqual({ asin: MUG, repair: null, market: null });
  });

  it('need not begin with B0', () => {
    expect(readAsin('BT00LLINKI')).toMatchObject({ asin: 'BT00LLINKI' });
  });

  it('of no known form is asked all the same', () => {
    expect(readAsin('X0012ABCDE')).toMatchObject({ asin: 'X0012ABCDE' });
  });

  it.each([
    ['a word of ten letters', 'PlayStatio'],
    ['nine characters', 'B0XKT7M4Q'],
    ['eleven characters', 'B0XKT7M4QNA'],
    ['two codes', 'B0XKT7M4QN, B0RWD92FHC'],
    ['a sentence', 'see the other sheet'],
    ['true', true],
    ['a date', new Date(0)],
    ['a fraction', 12.5],
    ['letters of another script', 'В0ХКТ7М4QN'],
    ['a formula', '=A2'],
  ])('is not read from %s', (_, input) => {
    expect(whyNot(input)).toBe('shape');
  });

  it('is not read from a negative number', () => {
    expect(asinOf(-306406152)).toBeUndefined();
  });

  it.each(['#N/A', '#REF!', '#VALUE!', '#NAME?', '#DIV/0!', '#NUM!', '#NULL!', '#ERROR!'])(
    'is not read from the error %s',
    (text) => {
      expect(whyNot(text)).toBe('error-cell');
    },
  );

  it('is not read from a cell that is still loading', () => {
    expect(whyNot('Loading...')).toBe('loading-cell');
    expect(whyNot('Loading…')).toBe('loading-cell');
  });
});

describe('a book number', () => {
  it.each(['1412775884', '0520963539', '0306406152', '043942089X'])('%s is an ASIN', (isbn) => {
    expect(readAsin(isbn)).toMatchObject({ asin: isbn, repair: null });
  });

  it.each([
    ['a small x', '043942089x', '043942089X'],
    ['dashes', '0-306-40615-2', '0306406152'],
    ['typographic dashes', '0–306–40615–2', '0306406152'],
    ['a label', 'ISBN 0-306-40615-2', '0306406152'],
    ['a label and a colon', 'ISBN:0306406152', '0306406152'],
    ['a label with its length', 'ISBN-10: 0306406152', '0306406152'],
  ])('is read with %s', (_, text, asin) => {
    expect(asinOf(text)).toBe(asin);
  });

  it('of 13 digits becomes the one of 10', () => {
    const reading = { asin: '0306406152', repair: 'isbn-13' };
    expect(readAsin('978-0-306-40615-7')).toMatchObject(reading);
    expect(readAsin(9780306406157)).toMatchObject(reading);
    expect(readAsin('ISBN-13: 978-0-306-40615-7')).toMatchObject(reading);
    expect(asinOf('9780439420891')).toBe('043942089X');
  });

  it('of 13 digits beginning with 979 has none of 10', () => {
    expect(whyNot('9791032305690')).toBe('no-isbn-10');
  });

  it.each(['0439420890', '0439420891', '9780306406158', '043942088X'])(
    '%s has a wrong check digit',
    (text) => {
      expect(whyNot(text)).toBe('check-digit');
    },
  );
});

describe('a number that lost its zeros', () => {
  it.each([
    [306406152, '0306406152'],
    ['306406152', '0306406152'],
    [6406157, '0006406157'],
    [13110373, '0013110373'],
  ])('%s gets them back, and says so', (input, asin) => {
    expect(readAsin(input)).toEqual({
      asin,
      repair: 'leading-zeros',
      market: null,
    });
  });

  it('is refused when the check digit does not agree', () => {
    expect(whyNot(306406153)).toBe('check-digit');
    expect(whyNot(1234567)).toBe('check-digit');
  });

  it('is never padded when it is short', () => {
    for (const number of [0, 1, 42, 19, 999_999]) expect(whyNot(number)).toBe('shape');
  });
});

describe('a barcode', () => {
  it.each(['96385075', '012345678905', '5901234123457', '15012345678907', '01234567890'])(
    '%s is called one',
    (text) => {
      expect(whyNot(text)).toBe('barcode');
    },
  );

  it('is shown back to its author', () => {
    expect(readAsin('012345678905')).toEqual({
      kind: 'bad-asin',
      input: '012345678905',
      why: 'barcode',
    });
  });
});

describe('whatever stands in a cell', () => {
  const anything = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.stringMatching(/^[B0-9Xx \-/:.?=&#a-z]{0,40}$/),
    fc.double(),
    fc.boolean(),
    fc.constantFrom(null, undefined),
  );

  it('gives ten capital letters and digits, or words no longer than 40 characters', () => {
    fc.assert(
      fc.property(anything, (input) => {
        const reading = readAsin(input);
        if (isFailure(reading)) {
          expect(reading.kind).toBe('bad-asin');
          expect((reading as { input: string }).input.length).toBeLessThanOrEqual(40);
        } else expect(reading.asin).toMatch(/^[0-9A-Z]{10}$/);
      }),
      { numRuns: 2_000 },
    );
  });

  it('gives an ASIN that reads as itself', () => {
    fc.assert(
      fc.property(anything, (input) => {
        const asin = asinOf(input);
        if (asin !== undefined) expect(asinOf(asin)).toBe(asin);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is blank when nothing can be seen in it', () => {
    for (const blank of ['', '  ', '\u00A0', '\n', null, undefined, '\u200B', '\uFEFF'])
      expect(isBlank(blank)).toBe(true);
    for (const full of ['x', 0, false, ' . ']) expect(isBlank(full)).toBe(false);
  });
});
