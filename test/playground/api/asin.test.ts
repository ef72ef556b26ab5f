// What the sandbox takes for an ASIN, checked against book numbers whose check digits are known.
import { describe, expect, it } from '@jest/globals';
import { isAsin, withCheckDigit } from '../../../playground/api/asin';

describe('an ASIN', () => {
  it.each([
    ['B0XKT7M4QN', true, 'the usual form'],
    ['BT00LLINKI', true, 'an older form that does not begin with B0'],
    ['0306406152', true, 'an ISBN-10'],
    ['043942089X', true, 'an ISBN-10 whose check digit is ten'],
    ['0439420890', false, 'a wrong check digit'],
    ['b0xkt7m4qn', false, 'small letters'],
    ['B0XKT7M4Q', false, 'nine characters'],
    ['B0XKT7M4QN1', false, 'eleven characters'],
    ['X306406152', false, 'an X that is not last'],
    ['', false, 'nothing'],
  ])('%s: %s, %s', (text, valid) => {
    expect(isAsin(text)).toBe(valid);
  });

  it('gets its check digit from the nine before it', () => {
    expect(['030640615', '043942089', '141277588'].map(withCheckDigit)).toEqual([
      '0306406152',
      '043942089X',
      '1412775884',
    ]);
  });
});
