// Faults of products, figures, estimates and verdicts.
import type { Fault } from '../fault';

export const PRODUCT_FAULTS: readonly Fault[] = [
  {
    file: 'asin.ts',
    words: 'A number that lost its zeros is taken for a book, whatever its check digit.',
    from: 'if (isWhole && isIsbn10(padded)) return',
    to: 'if (isWhole) return',
    tests: ['product/asin.test.ts'],
  },
  {
    file: 'asin.ts',
    words: "A link to another land's shop is one of the US.",
    from: 'if (isAmazon && market === null) return',
    to: "if (isAmazon && market !== null && host === '') return",
    tests: ['product/asin.test.ts'],
  },
  {
    file: 'asin.ts',
    words: 'Of two products that a text links to the first one is taken.',
    from: 'if (first && found.every(({ asin }) => asin === first.asin)) return first;',
    to: 'if (first) return first;',
    tests: ['product/asin.test.ts'],
  },
  {
    file: 'figures.ts',
    words: 'Fees of 15 % are taken for 15 pence.',
    from: 'return isPercentText(value) ? undefined : number;',
    to: 'return number;',
    tests: ['product/figures.test.ts'],
  },
  {
    file: 'cell-text.ts',
    words: 'A cell full of accents takes seconds.',
    from: 'text.length > NORMALIZED_CHARS_MAX ? text : text',
    to: 'text',
    tests: ['safety/full-inputs.test.ts'],
  },
  {
    file: 'asin.ts',
    words: 'A number that lost its last digits is asked as another book.',
    from: "if (hasLostDigits(number)) return bad(text, 'lost-digits');",
    to: '',
    tests: ['product/asin.test.ts'],
  },
  {
    file: 'estimate.ts',
    words: 'The most to pay is rounded up, and misses the target by a penny.',
    from: 'Math.floor(100 * amount + ROUNDING)',
    to: 'Math.ceil(100 * amount - ROUNDING)',
    tests: ['product/estimate.test.ts'],
  },
  {
    file: 'estimate.ts',
    words: 'A target of 300 % is read as 3 %.',
    from: 'target >= 3 && !isPercentText(value)',
    to: 'target >= 3',
    tests: ['product/estimate.test.ts'],
  },
  {
    file: 'verdict.ts',
    words: 'What may not be sold is still a Maybe.',
    from: "return [{ buy: true, maybe: true, reason: 'Not eligible' }];",
    to: "return [{ buy: true, maybe: false, reason: 'Not eligible' }];",
    tests: ['deal/verdict.test.ts'],
  },
  {
    file: 'verdict.ts',
    words: 'A target that is met exactly is missed, as doubles are.',
    from: 'Number(Math.abs(value).toPrecision(15))',
    to: 'Math.abs(value)',
    tests: ['deal/verdict.test.ts'],
  },
  {
    file: 'deal-rules.ts',
    words: 'A profile that is not there decides like the usual one.',
    from: 'shown.some(isErrorCell)',
    to: 'shown.length < 0',
    tests: ['functions/verdict-field.test.ts'],
    named: 'follows its rules within a minute',
  },
];
