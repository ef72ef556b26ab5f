// The market reader: every spelling of the two markets, and nothing else.

import { describe, expect, it } from '@jest/globals';
import { MARKET_WORDS } from '../../src/failures/problems';
import { MARKETS, marketOfHost, marketRow, readMarket, wireNameOf } from '../../src/product/market';

describe('a market', () => {
  it.each([
    'US',
    'us',
    ' Us ',
    'USA',
    'com',
    '.com',
    'amazon.com',
    'Amazon.com',
    'www.amazon.com',
    'https://www.amazon.com/',
    'https://www.amazon.com/dp/B0XKT7M4QN',
    'ATVPDKIKX0DER',
    'U\u200BS\uFEFF',
    'ＵＳ',
    'United States',
    ...['Amazon US', 'amazonus', 'Amazon-US', 'AmazonUSA', 'United States of America', 'U.S.A.'],
    ...['U.S.', 'U S', 'the US', 'US marketplace', 'United States (US)', 'Amazon.com (US)'],
    ...['="US"', '\u2066US\u2069', '\u061cus', 'US\ufe0f', 'Amazon\u00a0United\u00a0States'],
  ])('%s is the US', (text) => {
    expect(readMarket(text)).toBe('US');
  });

  it.each([
    'UK',
    'uk',
    'GB',
    'gbr',
    'co.uk',
    '.co.uk',
    'amazon.co.uk',
    'smile.amazon.co.uk',
    'https://amazon.co.uk',
    'A1F83G8C2ARO7P',
    'United Kingdom',
    ...['AmazonUK', 'Amazon UK', 'Amazon GB', 'U.K.', 'G.B.', 'UnitedKingdom', 'Great Britain'],
    ...['amazon.co.uk (UK)', 'UK store', '="UK"'],
  ])('%s is the UK', (text) => {
    expect(readMarket(text)).toBe('UK');
  });

  it.each([
    ...['DE', 'amazon.de', '1', 2, 'U', 'USUK', 'EU', 'amazon.com.au', '#REF!', true],
    ...['US/UK', 'https://us/uk', 'US (UK)', 'Amazon', 'Amazon DE', 'comma', 'Ukraine', 'usual'],
  ])('%s is none of ours', (input) => {
    expect(readMarket(input)).toEqual({ kind: 'bad-market', input: String(input) });
  });

  it('is shown back to its author in 40 characters at most', () => {
    expect(readMarket('x'.repeat(500))).toEqual({ kind: 'bad-market', input: 'x'.repeat(40) });
  });
});

describe('the market of a host', () => {
  it.each([
    ['amazon.com', 'US'],
    ['WWW.AMAZON.COM', 'US'],
    ['m.amazon.co.uk', 'UK'],
    ['amazon.de', null],
    ['amazon.com.au', null],
    ['notamazon.com', null],
    ['amazon.com.example.org', null],
    ['', null],
  ])('%s is %s', (host, market) => {
    expect(marketOfHost(host)).toBe(market);
  });
});

describe('every market', () => {
  it('is named in what people read where one is not supported', () => {
    expect(MARKET_WORDS.split(/, | or /)).toEqual(MARKETS);
  });

  it('has a name for the service, and spellings of its own', () => {
    const spellings = MARKETS.flatMap((market) => marketRow(market).spellings);
    expect(new Set(spellings).size).toBe(spellings.length);
    expect(spellings.filter((text) => text !== text.toLowerCase())).toEqual([]);
    expect(MARKETS.map((market) => readMarket(wireNameOf(market, {})))).toEqual(MARKETS);
  });

  it('is what the service calls it', () => {
    const settings = { ukMarket: 'GB' };
    expect(MARKETS.map((market) => wireNameOf(market, settings))).toEqual(['US', 'GB']);
  });
});
