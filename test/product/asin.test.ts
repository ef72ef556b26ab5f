// The ASIN reader: codes, book numbers, numbers that lost zeros, links, and what it must not take for one.

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { isFailure } from '../../src/failures/failure';
import {
  cleaned,
  isBlank,
  isbn10Of,
  isIsbn10,
  productKey,
  productOfKey,
  readAsin,
  sampleAsin,
} from '../../src/product/asin';
import { FORMS, MUG } from './asin-forms';
import { fuzzCells } from './fuzzed-cells';

function asinOf(input: unknown): string | undefined {
  const reading = readAsin(input);
  return isFailure(reading) ? undefined : reading.asin;
}

// What sellers' lists hold, form by form, and a sample of what `npm run fuzz` reads.
describe('a cell of a list', () => {
  it('is one of at least 300 forms', () => {
    expect(new Set(FORMS.map(({ cell }) => `${typeof cell} ${cell}`)).size).toBeGreaterThan(300);
  });

  it.each(FORMS.map((form) => [JSON.stringify(form.cell), form] as const))('%s', (_, form) => {
    const { cell, asin, isMarked = false, market = null } = form;
    const reading = readAsin(cell);
    if (isFailure(reading)) return expect(asin).toBeNull();
    expect({ asin: reading.asin, isMarked: reading.repair !== null }).toEqual({ asin, isMarked });
    expect(reading.market).toBe(market);
  });

  it('is never read as a wrong product without a mark', () => {
    const { wrong, read, marked } = fuzzCells(10_000);
    expect(wrong).toEqual([]);
    expect(read).toBeGreaterThan(3_000);
    expect(marked).toBeGreaterThan(1_000);
  });

  it('is found in a link behind any words, and never taken from them', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9-]{1,30}$/), (words) => {
        expect(asinOf(`https://www.amazon.com/${words}/dp/${MUG}`)).toBe(MUG);
      }),
    );
  });
});

describe('whatever stands in a cell', () => {
  const anything = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.stringMatching(/^[B0-9Xx \-/:.?=&#a-z]{0,40}$/),
    fc.double(),
    fc.boolean(),
    fc.constantFrom(null, undefined),
  );

  it('gives ten capital letters and digits, or words no longer than 40 characters', () => {
    fc.assert(
      fc.property(anything, (input) => {
        const reading = readAsin(input);
        if (isFailure(reading)) {
          expect(reading.kind).toBe('bad-asin');
          expect((reading as { input: string }).input.length).toBeLessThanOrEqual(40);
        } else expect(reading.asin).toMatch(/^[0-9A-Z]{10}$/);
      }),
      { numRuns: 2_000 },
    );
  });

  it('gives an ASIN that reads as itself', () => {
    fc.assert(
      fc.property(anything, (input) => {
        const asin = asinOf(input);
        if (asin !== undefined) expect(asinOf(asin)).toBe(asin);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is blank when nothing can be seen in it', () => {
    for (const blank of ['', '  ', '\u00A0', '\n', null, undefined, '\u200B', '\uFEFF'])
      expect(isBlank(blank)).toBe(true);
    for (const full of ['x', 0, false, ' . ']) expect(isBlank(full)).toBe(false);
  });
});

// Cells that come near to a form, and how what was found is marked.
describe('a cell that is nearly something', () => {
  it.each<readonly [what: string, cell: unknown, why: string]>([
    ['one too many digits before an X', '043942088XX', 'shape'],
    ['a quote inside a code', 'B0XKT"7M4QN', 'shape'],
    ['an apostrophe inside a code', "B0XKT'7M4QN", 'shape'],
    ['a label inside a code', 'B0 ASIN XKT7M4QN', 'shape'],
    ['a fraction after a word', 'X306406152.0', 'shape'],
    ['a fraction that is none of a whole number', '306406152.01', 'shape'],
    ['a negative number', -306406152, 'shape'],
    ['groups of a wrong number', '306-406-153', 'shape'],
    ['nine digits whose last one fits a barcode', '300000007', 'check-digit'],
    ['twelve digits that begin like a book', '978000123008', 'barcode'],
    ['thirteen digits with those of a book inside', '1239780000002', 'barcode'],
    ...['#N/A', '#REF!', '#VALUE!', '#NAME?', '#DIV/0!', '#NUM!', '#NULL!', '#ERROR!'].map(
      (cell) => ['an error', cell, 'error-cell'] as const,
    ),
    ['a cell at work', 'Loading...', 'loading-cell'],
    ['a word', 'PlayStatio', 'shape'],
    ['a code cut short', 'B0XKT7M4Q', 'shape'],
    ['letters of another script', 'В0ХКТ7М4QN', 'shape'],
    ['a number that lost no zeros', 999_999, 'shape'],
    ['a number with another check digit', 306406153, 'check-digit'],
    ['a book with another check digit', '0439420891', 'check-digit'],
    ['a book with a wrong X', '043942088X', 'check-digit'],
    ['a longer book number with another check digit', '9780306406158', 'check-digit'],
    ['a book of the other range', '9791032305690', 'no-isbn-10'],
    ...['96385074', '012345678905', '5901234123457', '15012345678907', '12345678905'].map(
      (cell) => ['a barcode', cell, 'barcode'] as const,
    ),
    ...['96385075', '012345678906', '5901234123458', '15012345678908', '01234567890'].map(
      (cell) => ['a barcode with another check digit', cell, 'check-digit'] as const,
    ),
    ['a page of the shop', 'https://www.amazon.com/s?k=mug', 'link-without-asin'],
    ['a word in a link', 'https://www.amazon.com/dp/PlayStatio', 'link-without-asin'],
    ['a longer code in a link', `https://www.amazon.com/dp/${MUG}X`, 'link-without-asin'],
    ['a link of another land', `https://amazon.co.jp/dp/${MUG}`, 'other-market'],
    ['a tracker of another land', `https://keepa.com/#!product/3-${MUG}`, 'other-market'],
    ['a short link', 'https://a.co/d/0abcDEF', 'short-link'],
    ['an error among words', 'Total #REF!', 'shape'],
    ['a word that ends in loading', 'uploading...', 'shape'],
    ['more than that it is loading', 'Loading... 5', 'shape'],
    ['a shop after a word', 'see www.shop', 'shape'],
    ['a host after a word', 'my amazon.com', 'shape'],
    ['a thousand characters and one', 'x'.repeat(1_001), 'shape'],
    ['words with a slash', 'N/A', 'shape'],
    ['two products with a slash', `${MUG}/B0RWD92FHC`, 'two-products'],
    ['two products with a comma', `${MUG}, B0RWD92FHC`, 'two-products'],
    ['two links', `amazon.com/dp/${MUG} amazon.com/dp/B0RWD92FHC`, 'two-products'],
    ['a port of another land', `https://www.amazon.de:443/dp/${MUG}`, 'other-market'],
    ['half an address', `dp/${MUG}`, 'link-without-asin'],
    ['a host too long to be one', `https://${'a'.repeat(254)}/dp/${MUG}`, 'link-without-asin'],
    ['a short link after another', 'https://www.amazon.com/ https://amzn.to/x', 'short-link'],
    ['a short link of another name', 'https://amzn.com/x', 'short-link'],
    ['a short link of a third name', 'https://amzn.asia/x', 'short-link'],
    ['a tracker with a longer code', `keepa.com/#!product/1-${MUG}X`, 'link-without-asin'],
  ])('%s is none: %s is %s', (_, cell, why) => {
    expect(readAsin(cell)).toEqual({ kind: 'bad-asin', input: String(cell).slice(0, 40), why });
  });

  it.each([
    ['in brackets and quotes', `(("${MUG}"))`, { asin: MUG, repair: null, market: null }],
    [
      'among a thousand characters',
      '"'.repeat(495) + MUG + '"'.repeat(495),
      { asin: MUG, repair: null, market: null },
    ],
    ['without its zeros', 306406152, { asin: '0306406152', repair: 'leading-zeros', market: null }],
    [
      'of a book by its longer number',
      '978-0-306-40615-7',
      { asin: '0306406152', repair: 'isbn-13', market: null },
    ],
    ['of no known form', 'X0012ABCDE', { asin: 'X0012ABCDE', repair: 'unsure', market: null }],
    [
      'of a book in groups of any length',
      '14-1277-588-4',
      { asin: '1412775884', repair: null, market: null },
    ],
    [
      'of a book, in five groups',
      '0-3-06-40615-2',
      { asin: '0306406152', repair: 'unsure', market: null },
    ],
    [
      'of a book, with two digits at the end',
      '0-306-406-1-52',
      { asin: '0306406152', repair: 'unsure', market: null },
    ],
    [
      'that may be a phone number',
      '141-277-5884',
      { asin: '1412775884', repair: 'unsure', market: null },
    ],
    [
      'that may be a barcode which lost zeros',
      1400000041,
      { asin: '1400000041', repair: 'unsure', market: null },
    ],
    ['of a book kept as text', '1400000041', { asin: '1400000041', repair: null, market: null }],
    [
      'of a tracker, with a question behind it',
      `https://keepa.com/#!product/1-${MUG}?ref=1`,
      { asin: MUG, repair: 'link', market: 'US' },
    ],
    [
      'below a name of the shop',
      `https://a.b.amazon.co.uk/dp/${MUG}`,
      { asin: MUG, repair: 'link', market: 'UK' },
    ],
    [
      'after a part that names none',
      `https://www.amazon.com/d/shop/mugs/dp/${MUG}`,
      { asin: MUG, repair: 'link', market: 'US' },
    ],
  ])('a code %s is read', (_, cell, reading) => {
    expect(readAsin(cell)).toEqual(reading);
  });
});

describe('the key of a product', () => {
  it('names the product, and gives it back', () => {
    expect(productKey({ asin: MUG, market: 'UK' })).toBe(`${MUG}|UK`);
    expect(productOfKey(`${MUG}|UK`)).toEqual({ asin: MUG, market: 'UK' });
  });

  it.each([
    '',
    'US',
    `${MUG}|`,
    `${MUG}|FR`,
    `${MUG}|US `,
    ` ${MUG}|US`,
    `${MUG}X|US`,
    `${MUG.slice(1)}|US`,
    `${MUG.toLowerCase()}|US`,
    `${MUG}|US|UK`,
    `${MUG} US`,
  ])('%j is none', (key) => {
    expect(productOfKey(key)).toBeNull();
  });
});

it('a sample says so in its code, which reads as one', () => {
  expect([1, 12].map(sampleAsin)).toEqual(['B0SAMPLE01', 'B0SAMPLE12']);
  expect(readAsin(sampleAsin(1))).toMatchObject({ asin: 'B0SAMPLE01', repair: null });
});

describe('a cell to be cleaned up', () => {
  it('is one that holds a product in another form', () => {
    expect(cleaned(` ${MUG.toLowerCase()}`)).toMatchObject({ asin: MUG });
    expect(cleaned(306406152)).toMatchObject({ asin: '0306406152' });
    expect(cleaned(`https://www.amazon.com/dp/${MUG}`)).toMatchObject({ asin: MUG });
  });

  it.each([MUG, 'a mug', '', 12])('%j is none', (cell) => {
    expect(cleaned(cell)).toBeNull();
  });
});

// Check digits of book numbers.
it('an ISBN-10 is no longer valid with any one digit changed', () => {
  fc.assert(
    fc.property(fc.nat(8), fc.integer({ min: 1, max: 9 }), (at, add) => {
      const digits = [...'0306406152'];
      digits[at] = String((Number(digits[at]) + add) % 10);
      expect(isIsbn10(digits.join(''))).toBe(false);
    }),
  );
});

it('an ISBN-13 gives a valid ISBN-10 for every number', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\d{10}$/), (rest) => {
      expect(isIsbn10(isbn10Of(`978${rest}`) ?? '')).toBe(true);
    }),
  );
});
