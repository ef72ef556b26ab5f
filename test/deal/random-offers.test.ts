// Formula and function agree on further batches of offers: see deal-formulas.test.ts.
import { expect, it } from '@jest/globals';
import { sampleOf } from '../sample';
import { BATCHES, batchOf, differing, FIRST_BATCHES, OFFERS_OF_A_BATCH } from './random-offers';

it.each(sampleOf('further batches of offers', BATCHES.slice(FIRST_BATCHES), 1))(
  `formula and function agree on ${OFFERS_OF_A_BATCH} random rows, batch %p`,
  (batch) => {
    expect(differing(batchOf(batch), 'en_US', new Set()).slice(0, 3)).toEqual([]);
  },
);
