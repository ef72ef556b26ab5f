// Check digits of book numbers, against numbers printed on real books.

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { isbn10Of, isEan13, isIsbn10 } from '../../src/product/asin';

describe('an ISBN-10', () => {
  it.each(['1412775884', '0520963539', '0306406152', '043942089X'])('%s is valid', (isbn) => {
    expect(isIsbn10(isbn)).toBe(true);
  });

  it.each([
    ['with a wrong check digit', '0439420890'],
    ['with an X inside', '04394X0891'],
    ['with a small x', '043942089x'],
    ['one digit short', '306406152'],
    ['one digit long', '03064061520'],
    ['with a letter', 'B0XKT7M4QN'],
  ])('%s is none', (_, text) => {
    expect(isIsbn10(text)).toBe(false);
  });

  it('is no longer valid with any one digit changed', () => {
    fc.assert(
      fc.property(fc.nat(8), fc.integer({ min: 1, max: 9 }), (at, add) => {
        const digits = [...'0306406152'];
        digits[at] = String((Number(digits[at]) + add) % 10);
        expect(isIsbn10(digits.join(''))).toBe(false);
      }),
    );
  });
});

describe('an ISBN-13', () => {
  it('is an EAN-13 with a valid check digit', () => {
    expect(isEan13('9780306406157')).toBe(true);
    expect(isEan13('9780306406158')).toBe(false);
    expect(isEan13('978030640615')).toBe(false);
    expect(isEan13('97803064061571')).toBe(false);
  });

  it('has an ISBN-10 with a check digit of its own, which may be X', () => {
    expect(isbn10Of('9780306406157')).toBe('0306406152');
    expect(isbn10Of('9780439420891')).toBe('043942089X');
  });

  it('has none when it begins with 979', () => {
    expect(isbn10Of('9791032305690')).toBeNull();
  });

  it('gives a valid ISBN-10 for every number', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{10}$/), (rest) => {
        expect(isIsbn10(isbn10Of(`978${rest}`) ?? '')).toBe(true);
      }),
    );
  });
});
