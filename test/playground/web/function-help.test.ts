// Which functions of a script Sheets would offer while one types, and with what help.
import { describe, expect, it } from '@jest/globals';
import { readDeclaredFunctions, readFunctionHelp } from '../../../playground/web/function-help';

const CODE = `
/**
 * Answers whether to buy,
 * or not.
 *
 * @param {A2:A100} asin The product:
 *   an ASIN.
 * @param {"US"} market Optional: where.
 * @return The figures.
 * @customfunction
 */
function ANALYZE(asin, market, refresh) { return Bundle.ANALYZE(asin, market, refresh); }

/** No custom function. */
function onOpen() {}
  function inner() {}
function bare(){}
`;

describe('help of custom functions', () => {
  it('is taken from the comment above the declaration, in one line', () => {
    expect(readFunctionHelp(CODE)[0]?.description).toBe('Answers whether to buy, or not.');
  });

  it('names the declared parameters, described or not', () => {
    expect(readFunctionHelp(CODE)[0]?.parameters).toEqual([
      { name: 'asin', description: 'The product: an ASIN.', example: 'A2:A100' },
      { name: 'market', description: 'Optional: where.', example: '"US"' },
      { name: 'refresh', description: '', example: '' },
    ]);
  });

  it('is there only for functions with the tag', () => {
    expect(readFunctionHelp(CODE).map(({ name }) => name)).toEqual(['ANALYZE']);
  });
});

it('functions that a page may call are those at the top of the script', () => {
  expect(readDeclaredFunctions(CODE)).toEqual(['ANALYZE', 'onOpen', 'bare']);
});
