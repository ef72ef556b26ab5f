// The ASIN reader on links: every form of a product page, and the traps that look like one.

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { isFailure } from '../../src/failures/failure';
import { readAsin } from '../../src/product/asin';

const MUG = 'B0XKT7M4QN';

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
    `https://www.amazon.com/wishlist/${MUG}`,
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
