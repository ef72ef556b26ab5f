// A sample of the worlds of `npm run simulate -- people`: every cell beside a product is that product's,
// whatever a person does with the sheet.

import { expect, it } from '@jest/globals';
import { BUILT, distIn } from '../build-once';
import { sampleOf } from '../sample';
import { summaryOf } from './own-rows/summary';
import { playWorlds } from './own-rows/worlds';

const SEEDS = Array.from({ length: 200 }, (_, at) => 1 + at);

it('a row shows its own product, whatever a person cuts, drags, shifts, sorts, copies and pastes', () => {
  const seen = playWorlds(distIn(BUILT), sampleOf('worlds of people', SEEDS, 10));
  expect(seen.states.open).toBeGreaterThan(10);
  if (seen.wrong.open.length > 0) throw new Error(summaryOf(seen).text);
}, 600_000);
