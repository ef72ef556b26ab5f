// One passing fault of Google's at a sample of all service calls of all doors; `npm run simulate -- faults` takes them all.

import { expect, it } from '@jest/globals';
import { BUILT, distIn } from '../build-once';
import { METHODS_SWEPT, SCENARIOS } from '../simulation/faults/scenarios';
import { sweep, sweptWords, wordsOf } from '../simulation/faults/sweep';

/** Spread over all calls: it meets both moments, and one fault as well as two in a row. */
const EVERY = 37;

/** Four times what an idle machine needs. */
const TIMEOUT_MS = 300_000;

it(
  'loses nothing, pays nothing twice and shows nothing raw',
  () => {
    const swept = sweep(distIn(BUILT), SCENARIOS, (_, place) => place % EVERY === 0);
    expect(swept.broken.map(wordsOf)).toEqual([]);
    expect(sweptWords(swept)).toMatch(
      /^Faults: \d+ service calls hit in \d+ doors: 0 lost, 0 paid twice, 0 raw$/m,
    );
    expect(swept.calls).toBeGreaterThan(200);
  },
  TIMEOUT_MS,
);

it('knows a scenario for every method of the page', () => {
  const { code } = distIn(BUILT);
  const methods = [...code.matchAll(/"([a-z]+\.[a-zA-Z]+)":/g)].map(([, name]) => name);
  expect(new Set(methods)).toEqual(new Set(METHODS_SWEPT));
});
