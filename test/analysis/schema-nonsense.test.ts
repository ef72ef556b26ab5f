// Answers that are none: refused in words that name the trouble, and never read as figures.

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { isFailure } from '../../src/failures/failure';
import { FIELDS } from '../../src/product/fields';
import { readAnalysis } from '../../src/service/parse-analysis';

const readText = (json: string) => readAnalysis(JSON.parse(json), 'B0XKT7M4QN', {}, 0);

describe('nonsense', () => {
  it.each([
    ['a figure that is no number', '{"profit":"lots"}', 'profit is not a figure'],
    ['a truth for a number', '{"profit":true}', 'profit is not a figure'],
    ['an object for a number', '{"roi":{"value":1}}', 'roi is not a figure'],
    ['a list for a number', '{"profit":[9.85]}', 'profit is not a figure'],
    ['a number without end', '{"profit":1e999}', 'profit is not a figure'],
    ['a text without end', '{"profit":"1e999"}', 'profit is not a figure'],
    ['half a drop', '{"rank_drops_30d":0.5}', 'rank_drops_30d is not a figure'],
    ['perhaps', '{"eligible":"perhaps"}', 'eligible is not a figure'],
    ['one wrong price', '{"profit":1,"price":"ask"}', 'sell_price is not a figure'],
    ['another product', '{"asin":"B0RWD92FHC","profit":1}', 'it is about another product'],
    [
      'another one inside',
      '{"data":{"asin":"B0RWD92FHC","profit":1}}',
      'it is about another product',
    ],
    ['nothing', '{}', 'it holds no analysis'],
    ['a price alone', '{"price":5}', 'it holds no analysis'],
    ['another shape', '{"status":"ok","items":[1,2,3],"next":null}', 'it holds no analysis'],
    ['a list', '[{"profit":1}]', 'it holds no analysis'],
    ['a text', '"profit"', 'it holds no analysis'],
    ['null', 'null', 'it holds no analysis'],
    ['a number', '5', 'it holds no analysis'],
  ])('such as %s is not understood', (_, json, what) => {
    expect(readText(json)).toEqual({ kind: 'not-understood', what });
  });

  it('of any shape gives finite figures or words, and is never thrown', () => {
    const names = fc.constantFrom(...FIELDS, 'asin', 'price', 'cost', 'data', 'x', '__proto__');
    const body = fc.dictionary(names, fc.jsonValue({ maxDepth: 3 }));
    fc.assert(
      fc.property(body, (sent) => {
        const reading = readText(JSON.stringify(sent));
        if (isFailure(reading)) expect(reading.kind).toBe('not-understood');
        else {
          const { eligible, ...numbers } = reading.figures;
          expect([true, false, null, 'needs approval']).toContain(eligible);
          for (const one of Object.values(numbers))
            expect(one === null || Number.isFinite(one)).toBe(true);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
