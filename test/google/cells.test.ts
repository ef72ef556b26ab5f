// What is written into cells stays what it is: no text becomes a number, a date or a formula.

import { expect, it } from '@jest/globals';
import { asContent } from '../../src/google/cells';

it.each([
  ...['Jan-26', 'Mar 1', 'may5', 'Sept. 3', 'Monday', 'true', 'FALSE', '=1+1', '+44 20', '1.50'],
  '2026-01-05',
])('%s is written as a text', (text) => {
  expect(asContent(text)).toBe(`'${text}`);
});

it.each(['OK', 'B07FZ8S74R', 'Not found', 'Marked', 5, true, ''])(
  '%p is written as it is',
  (cell) => {
    expect(asContent(cell)).toBe(cell);
  },
);
