// Each dialect answers every product, in bytes of its own. What the add-on reads in them: test/service/dialects.test.ts.
import { describe, expect, it } from '@jest/globals';
import { createCatalogue, findProduct } from '../../../playground/api/catalogue';
import { DIALECTS, type DialectName } from '../../../playground/api/dialects';
import { openSandbox } from './ask';

const NAMES = Object.keys(DIALECTS) as DialectName[];

describe.each(NAMES)('the dialect %s', (dialect) => {
  it('has an answer for every product of both markets, unknown figures included', () => {
    const catalogue = createCatalogue(1, 60);
    const { answer, markets } = DIALECTS[dialect];
    for (const market of ['US', 'UK'] as const) {
      const sandbox = openSandbox({ dialect, productsPerMarket: 60 });
      for (const asin of catalogue.asins[market]) {
        const product = findProduct(catalogue, asin, market);
        const wire = { asin, market: markets[market], key: 'demo-key-unlimited' };
        const expected = product && JSON.stringify(answer(product, null));
        expect(sandbox.answer(wire).body).toBe(expected);
      }
    }
  });
});

it('no two dialects answer and refuse alike', () => {
  const bytesOf = (dialect: DialectName) => {
    const sandbox = openSandbox({ dialect });
    const asks = [
      { asin: 'B0QYG58JRT' },
      { asin: 'B0NOTFOUND' },
      { key: 'somebody-else' },
      { key: 'demo-key-out-of-plan' },
      { market: 'GB' },
    ];
    return JSON.stringify(asks.map((ask) => sandbox.answer(ask)));
  };
  expect(new Set(NAMES.map(bytesOf)).size).toBe(NAMES.length);
});

describe('where dialects differ in what they take', () => {
  it('the UK is GB to one of them, and then nothing else', () => {
    const sandbox = openSandbox({ dialect: 'great-britain' });
    expect(sandbox.answer({ market: 'GB' }).status).toBe(200);
    const refused = sandbox.answer({ market: 'UK' });
    expect(refused.status).toBe(422);
    expect(JSON.parse(refused.body).detail[0].loc).toEqual(['body', 'market']);
  });

  it('a bad ASIN is a 400 to one of them, with the field named', () => {
    const refused = openSandbox({ dialect: 'commas' }).answer({ asin: '1' });
    expect(refused.status).toBe(400);
    expect(Object.keys(JSON.parse(refused.body).errors)).toEqual(['asin']);
  });

  it('what is not known is null, empty text, or left out', () => {
    const unknown = { asin: 'B0RHV76MZC' };
    const eligibleIn = (dialect: DialectName) =>
      JSON.parse(openSandbox({ dialect }).answer(unknown).body).eligible;
    expect(eligibleIn('canonical')).toBeNull();
    expect(eligibleIn('restrictions')).toBeNull();
    expect(eligibleIn('text')).toBe('');
    expect(eligibleIn('commas')).toBeUndefined();
    expect(eligibleIn('words')).toBe('UNKNOWN');
  });

  it('each says in one sentence what it varies', () => {
    const sentences = NAMES.map((name) => DIALECTS[name].varies);
    expect(sentences.filter((sentence) => !/^[A-Z].*\.$/.test(sentence))).toEqual([]);
    expect(new Set(sentences).size).toBe(NAMES.length);
  });
});
