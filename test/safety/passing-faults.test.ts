// Calls of all doors at which Google fails for a moment, or ends the execution; `npm run simulate -- faults` and
// `-- kills` take them all.

import { expect, it } from '@jest/globals';
import { BUILT, distIn } from '../build-once';
import { METHODS_SWEPT, SCENARIOS } from '../simulation/faults/scenarios';
import { sweep, sweptWords, wordsOf } from '../simulation/faults/sweep';

/** What happens, at each how many-eth of all calls, and how many calls that are at least. Both moments are met. */
const SAMPLES = [
  ['faults', 'Faults', 37, 200],
  ['kills', 'Kills', 131, 40],
] as const;

/** Four times what an idle machine needs. */
const TIMEOUT_MS = 300_000;

it.each(SAMPLES)(
  'loses nothing, pays nothing twice and shows nothing raw: %s',
  (happening, title, every, least) => {
    const isMeant = (_: object, place: number) => place % every === 0;
    const swept = sweep(distIn(BUILT), SCENARIOS, happening, isMeant);
    expect(swept.broken.map(wordsOf)).toEqual([]);
    expect(sweptWords(swept, happening).split('\n')[0]).toMatch(
      new RegExp(`^${title}: \\d+ service calls hit in \\d+ doors: 0 lost, 0 paid twice, 0 raw$`),
    );
    expect(swept.calls).toBeGreaterThan(least);
  },
  TIMEOUT_MS,
);

it(
  'makes one tab of rules, whole, where making it was cut off anywhere',
  () => {
    const made = SCENARIOS.filter(({ name }) => name === 'deals.rules (1)');
    const swept = sweep(distIn(BUILT), made, 'kills', (_, place) => place % 41 === 0);
    expect(swept.broken.map(wordsOf)).toEqual([]);
    expect(swept.worlds).toBeGreaterThan(10);
  },
  TIMEOUT_MS,
);

it('knows a scenario for every method of the page', () => {
  const { code } = distIn(BUILT);
  const methods = [...code.matchAll(/"([a-z]+\.[a-zA-Z]+)":/g)].map(([, name]) => name);
  expect(new Set(methods)).toEqual(new Set(METHODS_SWEPT));
});
