// What crosses between script and host comes out as it went in, whatever JSON thinks of it.

import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decode, encode } from '../src/wire';

it('carries what JSON carries and what it lacks', () => {
  const value = {
    none: undefined,
    list: [undefined, null, Number.NaN, Number.NEGATIVE_INFINITY, -0],
    date: new Date(5),
    $: 'a key of that name',
    deep: [{ $: undefined }],
  };
  expect(decode(encode(value))).toEqual(value);
});

it('carries any plain value', () => {
  // Jest takes two invalid dates for different ones.
  const plain = fc
    .anything({ withDate: true, withNullPrototype: false })
    .filter((value) => !encode(value).includes('"epochMs":null'));
  fc.assert(fc.property(plain, (value) => expect(decode(encode(value))).toEqual(value)));
});

it('carries an invalid date', () => {
  expect(decode(encode(new Date(Number.NaN)))).toEqual(expect.any(Date));
  expect(String(decode(encode(new Date(Number.NaN))))).toBe('Invalid Date');
});

it('refuses functions', () => {
  expect(() => encode([() => 1])).toThrow('A function cannot be passed.');
});
