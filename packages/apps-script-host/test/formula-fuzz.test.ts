// Whatever formula a cell holds, it shows a value or an error, and all other cells go on. The command
// `npm run fuzz` plays 20,000 of them.

import { expect, it } from '@jest/globals';
import { fuzzFormulas } from '../scripts/formula-fuzz';

it('no formula of 150 throws, hangs or damages another', async () => {
  const { faults, formulas } = await fuzzFormulas(150, 26);
  expect(faults).toEqual([]);
  expect(formulas).toBe(150);
});
