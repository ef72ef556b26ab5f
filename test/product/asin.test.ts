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
import { cpuMsOf } from '../safety/cpu-time';
import { FORMS, MUG } from './asin-forms';
import { fuzzCells } from './fuzzed-cells';

// The ASIN reader: codes, book numbers and numbers that lost zeros, and what it must not take for one.
describe('an ASIN', () => {
  function asinOf(input: unknown): string | undefined {
    const reading = readAsin(input);
    return isFailure(reading) ? undefined : reading.asin;
  }

  function whyNot(input: unknown): string | undefined {
    const reading = readAsin(input);
    return isFailure(reading) && reading.kind === 'bad-asin' ? reading.why : undefined;
  }

  describe('a code', () => {
    it.each([
      ['as it is', MUG],
      ['in small letters', 'b0xkt7m4qn'],
      ['with spaces around', '  B0XKT7M4QN\t'],
      ['with a no-break space', 'B0XKT7M4QN\u00A0'],
      ['with invisible characters', '\uFEFFB0XKT\u200B7M4QN\u200E'],
      ['with dashes', 'B0XKT-7M4QN'],
      ["with a sheet's apostrophe", "'B0XKT7M4QN"],
      ['after its label', 'ASIN: B0XKT7M4QN'],
      ['after its label, without a space', 'ASIN:B0XKT7M4QN'],
      ['after its label alone', 'asin B0XKT7M4QN'],
    ])('is read %s', (_, text) => {
      expect(readAsin(text)).toEqual({ asin: MUG, repair: null, market: null });
    });

    it('need not begin with B0', () => {
      expect(readAsin('BT00LLINKI')).toMatchObject({ asin: 'BT00LLINKI' });
    });

    it('of no known form is asked all the same', () => {
      expect(readAsin('X0012ABCDE')).toMatchObject({ asin: 'X0012ABCDE' });
    });

    it.each([
      ['a word of ten letters', 'PlayStatio'],
      ['nine characters', 'B0XKT7M4Q'],
      ['eleven characters', 'B0XKT7M4QNA'],
      ['a sentence', 'see the other sheet'],
      ['true', true],
      ['a date', new Date(0)],
      ['a fraction', 12.5],
      ['letters of another script', 'В0ХКТ7М4QN'],
      ['a formula', '=A2'],
    ])('is not read from %s', (_, input) => {
      expect(whyNot(input)).toBe('shape');
    });

    it('is not read from a negative number', () => {
      expect(asinOf(-306406152)).toBeUndefined();
    });

    it.each(['#N/A', '#REF!', '#VALUE!', '#NAME?', '#DIV/0!', '#NUM!', '#NULL!', '#ERROR!'])(
      'is not read from the error %s',
      (text) => {
        expect(whyNot(text)).toBe('error-cell');
      },
    );

    it('is not read from a cell that is still loading', () => {
      expect(whyNot('Loading...')).toBe('loading-cell');
      expect(whyNot('Loading…')).toBe('loading-cell');
    });
  });

  describe('a book number', () => {
    it.each(['1412775884', '0520963539', '0306406152', '043942089X'])('%s is an ASIN', (isbn) => {
      expect(readAsin(isbn)).toMatchObject({ asin: isbn, repair: null });
    });

    it.each([
      ['a small x', '043942089x', '043942089X'],
      ['dashes', '0-306-40615-2', '0306406152'],
      ['typographic dashes', '0–306–40615–2', '0306406152'],
      ['a label', 'ISBN 0-306-40615-2', '0306406152'],
      ['a label and a colon', 'ISBN:0306406152', '0306406152'],
      ['a label with its length', 'ISBN-10: 0306406152', '0306406152'],
    ])('is read with %s', (_, text, asin) => {
      expect(asinOf(text)).toBe(asin);
    });

    it('of 13 digits becomes the one of 10', () => {
      const reading = { asin: '0306406152', repair: 'isbn-13' };
      expect(readAsin('978-0-306-40615-7')).toMatchObject(reading);
      expect(readAsin(9780306406157)).toMatchObject(reading);
      expect(readAsin('ISBN-13: 978-0-306-40615-7')).toMatchObject(reading);
      expect(asinOf('9780439420891')).toBe('043942089X');
    });

    it('of 13 digits beginning with 979 has none of 10', () => {
      expect(whyNot('9791032305690')).toBe('no-isbn-10');
    });

    it.each(['0439420890', '0439420891', '9780306406158', '043942088X'])(
      '%s has a wrong check digit',
      (text) => {
        expect(whyNot(text)).toBe('check-digit');
      },
    );
  });

  describe('a number that lost its zeros', () => {
    it.each([
      [306406152, '0306406152'],
      ['306406152', '0306406152'],
      [6406157, '0006406157'],
      [13110373, '0013110373'],
    ])('%s gets them back, and says so', (input, asin) => {
      expect(readAsin(input)).toEqual({
        asin,
        repair: 'leading-zeros',
        market: null,
      });
    });

    it('is refused when the check digit does not agree', () => {
      expect(whyNot(306406153)).toBe('check-digit');
      expect(whyNot(1234567)).toBe('check-digit');
    });

    it('is never padded when it is short', () => {
      for (const number of [0, 1, 42, 19, 999_999]) expect(whyNot(number)).toBe('shape');
    });
  });

  describe('a barcode', () => {
    it.each(['96385074', '012345678905', '5901234123457', '15012345678907', '12345678905'])(
      '%s is called one',
      (text) => {
        expect(whyNot(text)).toBe('barcode');
      },
    );

    it.each(['96385075', '012345678906', '5901234123458', '15012345678908', '01234567890'])(
      '%s has a wrong check digit',
      (text) => {
        expect(whyNot(text)).toBe('check-digit');
      },
    );

    it('is shown back to its author', () => {
      expect(readAsin('012345678905')).toEqual({
        kind: 'bad-asin',
        input: '012345678905',
        why: 'barcode',
      });
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
});

// Cells that come near to a form, and how what was found is marked.
describe('a cell that is nearly something', () => {
  it.each([
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

describe('a sample', () => {
  it('says so in its code, which reads as one', () => {
    expect([1, 12].map(sampleAsin)).toEqual(['B0SAMPLE01', 'B0SAMPLE12']);
    expect(readAsin(sampleAsin(1))).toMatchObject({ asin: 'B0SAMPLE01', repair: null });
  });
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
describe('an ISBN-10', () => {
  it('is no longer valid with any one digit changed', () => {
    fc.assert(
      fc.property(fc.nat(8), fc.integer({ min: 1, max: 9 }), (at, add) => {
        const digits = [...'0306406152'];
        digits[at] = String((Number(digits[at]) + add) % 10);
        expect(isIsbn10(digits.join(''))).toBe(false);
      }),
    );
  });
});

describe('an ISBN-13', () => {
  it('gives a valid ISBN-10 for every number', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{10}$/), (rest) => {
        expect(isIsbn10(isbn10Of(`978${rest}`) ?? '')).toBe(true);
      }),
    );
  });
});

// The ASIN reader on links: every form of a product page, and the traps that look like one.
describe('a link', () => {
  const whyNot = (link: string) => {
    const reading = readAsin(link);
    return isFailure(reading) && reading.kind === 'bad-asin' ? reading.why : reading;
  };

  describe('a link to a product', () => {
    it.each([
      `https://www.amazon.com/dp/${MUG}`,
      `https://www.amazon.com/dp/${MUG}/`,
      `https://www.amazon.com/dp/${MUG}?th=1&psc=1`,
      `https://www.amazon.com/dp/${MUG}#customerReviews`,
      `https://www.amazon.com/dp/${MUG}/ref=sr_1_1?keywords=mug`,
      `https://www.amazon.com/dp/${MUG}&tag=mine-20`,
      `https://www.amazon.com/dp/product/${MUG}`,
      `https://www.amazon.com/Stoneware-Mug-Set-Four/dp/${MUG}/ref=sr_1_1`,
      `https://www.amazon.com/dp/Stoneware-Mug/${MUG}`,
      `https://www.amazon.com/gp/product/${MUG}`,
      `https://www.amazon.com/gp/product/glance/${MUG}/`,
      `https://www.amazon.com/gp/aw/d/${MUG}`,
      `https://www.amazon.com/gp/offer-listing/${MUG}/ref=olp`,
      `https://www.amazon.com/product-reviews/${MUG}/`,
      `https://www.amazon.com/o/${MUG}`,
      `https://www.amazon.com/o/ASIN/${MUG}`,
      `https://www.amazon.com/exec/obidos/${MUG}`,
      `https://www.amazon.com/exec/obidos/ASIN/${MUG}/`,
      `https://www.amazon.com/-/en/dp/${MUG}`,
      `https://www.amazon.com/-/es/Taza/dp/${MUG}/`,
      `https://www.amazon.com/s?k=mug&asin=${MUG}`,
      `https://www.amazon.com/gp/cart?asin=${MUG.toLowerCase()}&x=1`,
      `http://amazon.com/dp/${MUG}`,
      `amazon.com/dp/${MUG}`,
      `www.amazon.com/dp/${MUG}`,
      `https://smile.amazon.com/dp/${MUG}`,
      `https://m.amazon.com/dp/${MUG}`,
      `HTTPS://WWW.AMAZON.COM/DP/${MUG.toLowerCase()}`,
      `https://keepa.com/#!product/1-${MUG}`,
    ])('%s', (link) => {
      expect(readAsin(link)).toEqual({ asin: MUG, repair: 'link', market: 'US' });
    });

    it.each([
      `https://www.amazon.co.uk/dp/${MUG}`,
      `https://smile.amazon.co.uk/gp/product/${MUG}?x=1`,
      `amazon.co.uk/dp/${MUG}`,
      `https://keepa.com/#!product/2-${MUG}`,
    ])('%s is on the UK market', (link) => {
      expect(readAsin(link)).toMatchObject({ asin: MUG, market: 'UK' });
    });

    it('may lead to a book', () => {
      expect(readAsin('https://www.amazon.com/dp/043942089x/')).toMatchObject({
        asin: '043942089X',
        market: 'US',
      });
    });

    it('of another shop or tool names a product, but no market', () => {
      expect(readAsin(`https://tracker.example/product/${MUG}`)).toMatchObject({
        asin: MUG,
        market: null,
      });
    });

    it('is found behind any slug, and never taken from it', () => {
      fc.assert(
        fc.property(fc.stringMatching(/^[A-Za-z0-9-]{1,30}$/), (slug) => {
          expect(readAsin(`https://www.amazon.com/${slug}/dp/${MUG}`)).toMatchObject({ asin: MUG });
        }),
      );
    });

    it('is not confused by a slug that has ten characters and begins with B', () => {
      for (const slug of ['bluetooth5', 'battery123'])
        expect(readAsin(`https://www.amazon.com/dp/${slug}/${MUG}`)).toMatchObject({ asin: MUG });
    });
  });

  describe('a link to two products', () => {
    it('leads to the one that stands later', () => {
      expect(readAsin(`https://www.amazon.com/dp/B0RWD92FHC/${MUG}`)).toMatchObject({ asin: MUG });
    });
  });

  describe('a link that names no product', () => {
    it.each([
      'https://www.amazon.com/PlayStation-Console/b',
      'https://www.amazon.com/PlayStatio',
      'https://www.amazon.com/stores/PlayStatio/page',
      'https://www.amazon.com/dp/PlayStatio',
      `https://www.amazon.com/dp/${MUG}X`,
      `https://www.amazon.com/dp/${MUG.slice(0, 9)}`,
      'https://www.amazon.com/s?k=mug',
      'https://www.amazon.com/',
      'https://example.com/',
      'https://www.amazon.com/dp/0439420890',
    ])('%s', (link) => {
      expect(whyNot(link)).toBe('link-without-asin');
    });

    it.each(['https://amzn.to/3xYzAbC', 'https://a.co/d/0abcDEF', 'https://amzn.eu/d/abc1234'])(
      '%s is a short link',
      (link) => {
        expect(whyNot(link)).toBe('short-link');
      },
    );

    it.each([
      'amazon.de',
      'www.amazon.fr',
      'amazon.co.jp',
      'm.amazon.ca',
      'amazon.com.au',
      'amazon.com.mx',
      'amazon.in',
    ])('of %s is from a market that is not supported, and never silently the US', (host) => {
      expect(whyNot(`https://${host}/dp/${MUG}`)).toBe('other-market');
    });

    it('of a tracker for another market neither', () => {
      expect(whyNot(`https://keepa.com/#!product/3-${MUG}`)).toBe('other-market');
    });

    it('that only looks like one of the shop has no market', () => {
      expect(readAsin(`https://notamazon.com/dp/${MUG}`)).toMatchObject({ market: null });
    });
  });
});

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

  it.each(['"', "'", '&', '?', '(', '/dp/', '-', 'https://', '%2F', 'B0', ' ', '&url=/dp/'])(
    'is read at once when it is full of %j',
    (piece) => {
      for (const end of ['x', '/x', ' www.amazon.com/x']) {
        const cell = piece.repeat(50_000 / piece.length) + end;
        expect(isFailure(readAsin(cell))).toBe(true);
        expect(cpuMsOf(() => readAsin(cell), 50)).toBeLessThan(50);
      }
    },
  );
});
