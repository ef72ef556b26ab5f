// Services that answer oddly, through check, status and cells: no wrong scale, no call too many, no wrong advice.

import { afterEach, describe, expect, it } from '@jest/globals';
import { ADD_ON_NAME } from '../../src/failures/add-on-name';
import { createWorld, FAST, GOOD, reply, type World } from './world';

const ASINS = ['B0XKT7M4QN', 'B0RWD92FHC', 'B0TZ4LQ8KV', 'B0VNH3C6PD'];

let world: World;
afterEach(() => world.stop());

async function against(body: object | string, status = 200): Promise<void> {
  world = createWorld({ says: () => reply(status, body) });
  await world.connect(FAST);
}

const textOf = async (asin = '') =>
  (await world.show('ANALYZE', asin, 'US', 'profit')).error?.message;

describe('amounts of a dear product', () => {
  it('that are whole and written with their hundredths keep their scale', async () => {
    const money = { profit: '$220.00', fees: '$180.00', buy: '$800.00', price: '$1,200.00' };
    await against({ ...GOOD, ...money, roi: '27.5%' });
    const { value } = await world.rpc('connection.check');
    expect(value).toMatchObject({ settings: { moneyUnit: 'units' }, questions: [] });
    const fields = 'profit, roi, fees, sell_price';
    const shown = await world.show('ANALYZE', ASINS[0], 'US', fields);
    expect(shown.value).toEqual([[220, 0.275, 180, 1_200]]);
  });
});

describe('figures that are impossible in the units of the connection', () => {
  it.each<[object, object, string]>([
    [{ roiUnit: 'fraction' }, { roi: 85.65 }, 'ROI came as 85.65'],
    [{ roiUnit: 'percent' }, { buy_price: 11.5 }, 'ROI came as 0.8565'],
    [{ moneyUnit: 'hundredths' }, {}, 'an amount came as 9.85'],
    [{ moneyUnit: 'hundredths' }, { profit: '$985', fees: 1_165 }, 'an amount came as 985'],
  ])('are not shown: %j, %j', async (settings, said, what) => {
    await against({ ...GOOD, ...said });
    await world.connect({ ...FAST, settings });
    expect(await textOf(ASINS[0])).toBe(
      `Not analyzed: the figures do not fit the units of this connection (${what}). ` +
        `Check the connection under Extensions > ${ADD_ON_NAME}`,
    );
  });

  it.each<[object, object, string]>([
    [{ roiUnit: 'fraction' }, { roi: 12, profit: 60, buy_price: 5 }, 'roi'],
    [{ roiUnit: 'percent' }, { roi: '85.65%' }, 'roi'],
    [{ moneyUnit: 'units' }, { profit: 220, fees: 180, buy_price: 800 }, 'fees'],
    [{ moneyUnit: 'hundredths' }, { profit: 985, fees: 1_164.65 }, 'fees'],
  ])('are not taken for such where they are only rare: %j, %j', async (settings, said, field) => {
    await against({ ...GOOD, ...said });
    await world.connect({ ...FAST, settings });
    const { value } = await world.show('ANALYZE', ASINS[0], 'US', field);
    expect(value).toEqual(expect.any(Number));
  });
});

describe('an answer about something else', () => {
  const [MINE = '', OTHER = ''] = ASINS;
  const twice = (first: string, second: string) =>
    `{"asin":"${first}","asin":"${second}",${JSON.stringify(GOOD).slice(1)}`;

  it.each<[string, object | string]>([
    ['in a text', { asin: OTHER }],
    ['in a list', { asin: [OTHER] }],
    ['in a list with the right one', { asin: [MINE, OTHER] }],
    ['in an object', { asin: { value: OTHER } }],
    ['as a number', { asin: 306_406_152 }],
    ['behind null, in data', { asin: null, data: { asin: OTHER } }],
    ['beside the right one, in product', { asin: MINE, product: { asin: OTHER } }],
    ['beside the right one, in item', { asin: MINE, item: { asin: OTHER } }],
    ['two levels down', { data: { product: { asin: OTHER } } }],
    ['in capitals', { asin: MINE, ASIN: OTHER }],
    ['under another name', { product_asin: OTHER }],
    ['as the product', { product: OTHER }],
    ['as the id of the product', { productId: OTHER }],
    ['in the request that it repeats', { request: { params: { asin: OTHER } } }],
    ['in its meta data', { meta: { asin: OTHER } }],
    ['as a flat id', { id: OTHER }],
    ['in a link', { url: `https://www.amazon.com/dp/${OTHER}` }],
    ['in a link to its page', { product_url: `www.amazon.com/gp/product/${OTHER}?th=1` }],
    ['before the right one', twice(OTHER, MINE)],
    ['behind the right one', twice(MINE, OTHER)],
  ])('is no analysis of this product (%s)', async (_where, said) => {
    await against(typeof said === 'string' ? said : { ...GOOD, ...said });
    expect(await textOf(MINE)).toMatch(/\(it (is about another product|names its product twice)\)/);
  });

  it.each<[string, object]>([
    ['US', { market: 'UK' }],
    ['US', { market: 'DE' }],
    ['US', { data: { marketplace: 'www.amazon.de' } }],
    ['US', { marketplaceId: 'A1PA6795UKMFR9' }],
    ['US', { currency: 'GBP' }],
    ['US', { data: { currency_code: 'cad' } }],
    ['US', { profit: '£9.85' }],
    ['US', { fees: { referral: '€2.00', fulfilment: '€3.00' } }],
    ['US', { market: 'https://www.amazon.de/' }],
    ['US', { domainId: 2 }],
    ['US', { domain: '3' }],
    ['US', { country: 'DE' }],
    ['US', { data: { country_code: 'gb' } }],
    ['US', { link: `https://www.amazon.de/dp/${MINE}` }],
    ['UK', { detailPageUrl: `https://www.amazon.com/dp/${MINE}` }],
    ['UK', { domainId: 1 }],
    ['US', { fees: { total: 5, currency: 'EUR' } }],
    ['US', { fees: { total: { amount: 5, currencyCode: 'GBP' } } }],
    ['US', { currency: 'C$' }],
    ['US', { currency: '¥' }],
    ['US', { currency: 'kr' }],
    ['US', { currency: 'Euro' }],
    ['US', { currency: 'British Pound' }],
    ['UK', { market: 'en-US' }],
    ['UK', { market: 'Amazon US' }],
    ['UK', { query: { marketplace_code: 'US' } }],
    ['UK', { currency: 'US Dollar' }],
    ['UK', { currencySymbol: 'US$' }],
    ['UK', { currency: 'USD' }],
    ['UK', { fees: '$11.65' }],
    ['UK', { market: 'US' }],
  ])('is no analysis of this market (%s: %j)', async (market, said) => {
    await against({ ...GOOD, ...said });
    const { error } = await world.show('ANALYZE', MINE, market, 'profit');
    expect(error?.message).toContain('(it is about another market or currency)');
  });

  it.each<[string, object]>([
    ['US', { asin: ` ${MINE.toLowerCase()} `, market: 'us', currency: 'usd' }],
    ['US', { asin: '', market: 'United States', profit: '$9.85', currency: 'US$' }],
    ['US', { product: 'Stoneware mug', item: MINE, market: 'en-US', currency: 'US Dollar' }],
    ['US', { fees: { total: 5, currency: 'USD' }, request: { asin: MINE, market: 'US' } }],
    ['UK', { market: 'Amazon UK', currency: 'Pounds sterling', currencySymbol: '£' }],
    ['US', { asin: null, marketplace: 'FBA', marketplaceId: 'ATVPDKIKX0DER', profit: 'USD 9.85' }],
    ['UK', { market: 'GB', marketplace: 'amazon.co.uk', profit: '£9.85', fees: 'n/a' }],
    ['US', { id: 48_213, domainId: 1, country: 'US', image: `https://x.example/${OTHER}.jpg` }],
    ['US', { id: MINE, url: `https://www.amazon.com/Mug/dp/${MINE}/ref=x` }],
    ['UK', { url: `https://www.amazon.co.uk/dp/${MINE}`, domain: 2 }],
    ['UK', { domain: 'co.uk', currency: '£', country: 'CN', similar: [{ asin: OTHER }] }],
  ])('is told from one in other words (%s: %j)', async (market, said) => {
    await against({ ...GOOD, ...said });
    expect((await world.show('ANALYZE', MINE, market, 'profit')).value).toBe(9.85);
  });

  it('may say back what a person says the UK is called', async () => {
    await against({ ...GOOD, market: 'EN' });
    await world.connect({ ...FAST, settings: { ukMarket: 'EN' } });
    expect((await world.show('ANALYZE', MINE, 'UK', 'profit')).value).toBe(9.85);
  });
});

describe('an answer whose eligibility contradicts itself', () => {
  it.each<object>([
    { restrictions: ['APPROVAL_REQUIRED'] },
    { restrictions: [{ reasonCode: 'NOT_ELIGIBLE' }] },
    { restriction: 'Brand approval' },
    { gated: true },
    { is_restricted: 'yes' },
    { approvalRequired: 1 },
    { can_sell: false },
    { data: { needs_ungating: true } },
  ])('says neither yes nor no: %j', async (said) => {
    await against({ ...GOOD, buy_price: 2, sell_price: 30, ...said });
    const { value } = await world.show('ANALYZE', ASINS[0], 'US', 'profit, eligible, verdict');
    expect(value).toEqual([[9.85, null, 'Maybe']]);
  });

  it.each<object>([
    { restrictions: [], gated: false },
    { restrictions: 'none', is_restricted: 'no' },
    { can_sell: 'yes', brand: 'Restricted Paper Co' },
  ])('is none where all say the same: %j', async (said) => {
    await against({ ...GOOD, ...said });
    expect((await world.show('ANALYZE', ASINS[0], 'US', 'eligible')).value).toBe(true);
  });
});

describe('figures that no product has', () => {
  it.each<[string, object | string]>([
    ['profit', { profit: 1e308 }],
    ['profit', { profit: '-1e300' }],
    ['roi', { roi: '1e16%' }],
    ['fees', { fees: { a: 9e12, b: 9e12 } }],
    ['rank_drops_30d', { rank_drops_30d: 9e15 }],
    ['profit', '{"profit":1e999,"roi":1}'],
  ])('are blank beside others that are figures: %s in %j', async (field, said) => {
    await against(typeof said === 'string' ? said : { ...GOOD, ...said });
    expect((await world.show('ANALYZE', ASINS[0], 'US', field)).value).toBeNull();
    const { value } = await world.show('ANALYZE', ASINS[0], 'US');
    expect([value].flat(2).filter((one) => one === null)).toHaveLength(
      typeof said === 'string' ? 4 : 1,
    );
  });

  it.each(['{"profit":1e999}', '{"profit":NaN}', '{"profit":NaN,"roi":"TBD","eligible":"hazmat"}'])(
    'are no answer if nothing else is one: %s',
    async (body) => {
      await against(body);
      expect(await textOf(ASINS[0])).toContain('(profit is not a figure)');
    },
  );

  it('have no minus before a zero, whatever the unit', async () => {
    await against('{"profit":-0,"roi":"-0%","fees":-5e-324,"note":-0}');
    await world.connect({ ...FAST, settings: { moneyUnit: 'hundredths', roiUnit: 'percent' } });
    const { value } = await world.show('ANALYZE', ASINS[0], 'US', 'profit, roi, fees, note');
    for (const figure of (value as number[][])[0] ?? []) expect(Object.is(figure, 0)).toBe(true);
  });

  it.each([
    ['ANALYZE_WHAT_IF', ['US', 5e-324]],
    ['ANALYZE_WHAT_IF', ['US', '1e13', '1e-300']],
    ['ANALYZE_MAX_BUY', ['US', -0.9999999999999999]],
  ])('come out of no estimate: %s %j', async (name, args) => {
    await against({ ...GOOD, fees: 0.5, buy_price: 8e12, sell_price: 9e12, profit: -9e12 });
    const { value, error } = await world.show(name, ASINS[0], ...args);
    const cells = [value].flat(2).filter((cell) => cell !== undefined);
    expect(cells.every((cell) => typeof cell === 'number' && Math.abs(cell) <= 1e13)).toBe(true);
    expect(error?.message ?? 'Not analyzed: ').toContain('Not analyzed: ');
  });

  it('and prices that follow from none are none', async () => {
    await against({ profit: 9e12, roi: 1e-300, fees: 1, eligible: true });
    await world.connect({ ...FAST, settings: { roiUnit: 'fraction' } });
    const { error } = await world.show('ANALYZE_MAX_BUY', ASINS[0], 'US');
    expect(error?.message).toContain('the service gave no buy or sell price');
  });
});

describe('a used-up plan in disguise', () => {
  it.each<[number, object]>([
    [200, { status: 'error', message: 'No credits left.' }],
    [200, { message: 'Your subscription has expired.' }],
    [403, { message: 'Daily quota exceeded' }],
    [400, { error: 'insufficient_credits' }],
  ])('stops the key at its first call (status %d, %j)', async (status, body) => {
    await against(body, status);
    for (const asin of ASINS) expect(await textOf(asin)).toContain("the key's plan is used up");
    expect(world.requests).toHaveLength(1);
  });
});

describe('an answer of thousands of fields', () => {
  it('is shown by a check as far as somebody can look through it', async () => {
    const fields = Array.from({ length: 5_000 }, (_, i) => [`field ${i}`, i] as const);
    await against({ ...Object.fromEntries(fields), ...GOOD });
    const { value } = await world.rpc('connection.check');
    const shown = value?.recognised as readonly { readonly as: string | null }[];
    expect(shown).toHaveLength(60);
    expect(shown.filter((one) => one.as !== null)).toHaveLength(5);
  });
});

describe('a header that comes twice', () => {
  it.each([
    [['20', '60'], 'in about 60 s'],
    [['60', '20'], 'in about 60 s'],
  ])('counts as one list: of two times to wait the longer one (%j)', async (after, when) => {
    world = createWorld({ says: () => reply(503, '', { 'Retry-After': after }) });
    await world.connect(FAST);
    expect(await textOf(ASINS[0])).toContain(`Try again ${when}`);
  });
});
