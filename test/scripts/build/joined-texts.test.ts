// Texts of the page are joined with +, and mean what they meant.

import { expect, it } from '@jest/globals';
import { joinedTexts } from '../../../scripts/build/joined-texts';

it.each([
  ['"a".concat(b, "c").concat(d)', '("a"+b+"c"+d)'],
  ['f("".concat(x ? "y" : z, "!").length)', 'f((""+(x ? "y" : z)+"!").length)'],
  ['"a".concat("b".concat(c), d - 1)', '("a"+("b"+c)+(d - 1))'],
  [
    'a.concat(b); "a".concat(...b); ({ a, [`c`]: 1 })',
    'a.concat(b); "a".concat(...b); ({ a, [`c`]: 1 })',
  ],
])('%s', (script, joined) => {
  expect(joinedTexts(script)).toBe(joined);
});
