// Each dialect, in the very bytes it uses for an answer and for refusals.
import { describe, expect, it } from '@jest/globals';
import { createCatalogue, findProduct } from '../../../playground/api/catalogue';
import { DIALECTS, type DialectName } from '../../../playground/api/dialects';
import { openSandbox } from './ask';

/** In the US: buy 6.40, sell 19.99, fees 6.28, profit 7.31, ROI 114.22 %, needs approval. */
const SERUM = 'B0QYG58JRT';
const DROPS = 138;

const NAMES = Object.keys(DIALECTS) as DialectName[];

const six = { asin: SERUM, profit: 7.31, roi: 1.1422, fees: 6.28, rank_drops_30d: DROPS };
const no = { ...six, eligible: false };
const canonical = { ...no, buy_price: 6.4, sell_price: 19.99 };

const ANSWERS: Readonly<Record<DialectName, object>> = {
  canonical,
  bare: no,
  percent: {
    ...no,
    roi: 114.22,
    cost: 6.4,
    price: 19.99,
    currency: 'USD',
    sales_rank: expect.any(Number),
  },
  nested: {
    data: {
      asin: SERUM,
      netProfit: 7.31,
      roi: 1.1422,
      totalFees: 6.28,
      eligible: false,
      salesRankDrops30: DROPS,
    },
    pricing: { buyPrice: 6.4, buyBoxPrice: 19.99 },
  },
  hundredths: {
    ...no,
    profit: 731,
    fees: { referral: 300, fulfilment: 322, storage: 6, total: 628 },
    buy_price: 640,
    sell_price: 1999,
    currency: 'USD',
    tokensLeft: 9,
    refillIn: 0,
    refillRate: 300,
  },
  words: { ...six, eligible: 'APPROVAL_REQUIRED', cogs: 6.4, selling_price: 19.99 },
  'great-britain': canonical,
  text: {
    asin: SERUM,
    profit: '7.31',
    roi: '114.22%',
    fees: '6.28',
    eligible: 'gated',
    rank_drops_30d: String(DROPS),
    buy_price: '6.40',
    sell_price: '19.99',
  },
  commas: {
    asin: SERUM,
    profit: '7,31',
    roi: '1,1422',
    fees: '6,28',
    eligible: 0,
    rank_drops_30d: DROPS,
    buyPrice: '6,40',
    sellPrice: '19,99',
  },
  restrictions: {
    ...six,
    eligible: [{ reasonCode: 'APPROVAL_REQUIRED', message: 'Ask for approval first.' }],
    pricing: { purchase_price: 6.4, sale_price: 19.99 },
  },
  disguised: canonical,
  'bare-percent': { ...no, roi: 114.22 },
  'own-names': {
    ...no,
    ...{ landed: 6.4, asking: 19.99 },
    ...{ sales_rank: expect.any(Number), rating: 4.5, offers: 12 },
  },
  everything: {
    success: true,
    product: {
      ASIN: SERUM,
      net_profit: 731,
      'ROI %': 114.22,
      total_fees: { referral: 300, fulfilment: 322, storage: 6, total: 628 },
      can_sell: 0,
      rankDrops30: DROPS,
      prices: { source_price: 640, current_price: 1999 },
    },
  },
  silent: canonical,
};

/** What a product nobody knows is answered with: status, then body. */
const MESSAGE = 'No product with this identifier on this marketplace.';
const CODE = 'product_not_found';
const REFUSALS: Readonly<Record<DialectName, readonly [status: number, body: unknown]>> = {
  canonical: [404, { error: { code: CODE, message: MESSAGE } }],
  bare: [404, MESSAGE],
  percent: [
    404,
    { type: `about:blank#${CODE}`, title: 'product not found', status: 404, detail: MESSAGE },
  ],
  nested: [404, { status: 404, message: MESSAGE }],
  hundredths: [
    404,
    {
      error: { type: CODE, message: MESSAGE, details: '' },
      tokensLeft: 9,
      refillIn: 0,
      refillRate: 300,
    },
  ],
  words: [404, { errors: [{ code: CODE, message: MESSAGE, details: '' }] }],
  'great-britain': [404, { detail: MESSAGE }],
  text: [404, { errors: [MESSAGE] }],
  commas: [404, { message: MESSAGE }],
  restrictions: [404, { errors: [{ status: '404', code: CODE, title: CODE, detail: MESSAGE }] }],
  disguised: [200, { success: false, code: CODE, message: MESSAGE }],
  'bare-percent': [404, { status: 404, message: MESSAGE }],
  'own-names': [404, { errors: [MESSAGE] }],
  everything: [404, { success: false, code: CODE, message: MESSAGE }],
  silent: [404, ''],
};

/** The status of a key that nobody issued, and of one whose plan is used up. */
const KEY_STATUSES: Readonly<Record<DialectName, readonly [invalid: number, outOfPlan: number]>> = {
  canonical: [401, 402],
  bare: [401, 402],
  percent: [401, 402],
  nested: [401, 402],
  hundredths: [401, 402],
  words: [403, 402],
  'great-britain': [401, 402],
  text: [401, 402],
  commas: [401, 402],
  restrictions: [401, 403],
  disguised: [401, 429],
  'bare-percent': [401, 402],
  'own-names': [401, 402],
  everything: [401, 402],
  silent: [403, 402],
};

describe.each(NAMES)('the dialect %s', (dialect) => {
  it('answers in its own shape', () => {
    const given = openSandbox({ dialect }).answer({ asin: SERUM });
    expect(given.status).toBe(200);
    expect(JSON.parse(given.body)).toEqual(ANSWERS[dialect]);
  });

  it('refuses an unknown product in its own words', () => {
    const [status, body] = REFUSALS[dialect];
    const given = openSandbox({ dialect }).answer({ asin: 'B0NOTFOUND' });
    const isJson = given.headers['content-type']?.includes('json');
    expect([given.status, isJson ? JSON.parse(given.body) : given.body]).toEqual([status, body]);
  });

  it('refuses keys with its own statuses', () => {
    const sandbox = openSandbox({ dialect });
    const invalid = sandbox.answer({ key: 'somebody-else' }).status;
    const outOfPlan = sandbox.answer({ key: 'demo-key-out-of-plan' }).status;
    expect([invalid, outOfPlan]).toEqual(KEY_STATUSES[dialect]);
  });

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
