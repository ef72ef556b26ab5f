// Services that answer oddly, through check, status and cells: no wrong scale, no call too many, no wrong advice.

import { afterEach, describe, expect, it } from '@jest/globals';
import { noticesOf } from '../../src/sidebar/page/connection/texts';
import { answering, createHostileWorld, type HostileWorld } from '../safety/hostile-world';
import { factsIn } from './reading-facts';

const ASINS = ['B0XKT7M4QN', 'B0RWD92FHC', 'B0TZ4LQ8KV', 'B0VNH3C6PD'];
const GOOD = { profit: 9.85, roi: 0.8565, fees: 11.65, eligible: true, rank_drops_30d: 12 };

let world: HostileWorld;
afterEach(() => world.stop());

async function against(body: object, status = 200): Promise<void> {
  world = createHostileWorld(() => answering(body, status));
  await world.trust();
}

const textOf = async (asin = '') =>
  (await world.show('ANALYZE', asin, 'US', 'profit')).error?.message;

describe('amounts of a dear product', () => {
  it('that are whole and written with their hundredths keep their scale', async () => {
    const money = { profit: '£220.00', fees: '£180.00', buy: '£800.00', price: '£1,200.00' };
    await against({ ...GOOD, ...money, roi: '27.5%' });
    const { value } = await world.rpc('connection.check');
    expect(value).toMatchObject({
      found: { moneyUnit: 'units' },
      reasons: { moneyUnit: 'An amount came as text with its currency or its hundredths.' },
    });
    const fields = 'profit, roi, fees, sell_price';
    const shown = await world.show('ANALYZE', ASINS[0], 'US', fields);
    expect(shown.value).toEqual([[220, 0.275, 180, 1_200]]);
  });
});

describe('the UK answered in dollars', () => {
  it('however often raises one notice, and a currency is never the name of a market', async () => {
    await against({ ...GOOD, currency: 'USD' });
    for (const asin of ASINS) await world.show('ANALYZE', asin, 'UK');
    const { value } = await world.rpc('connection.status');
    const notices = noticesOf(factsIn(value));
    expect(notices.filter(({ what }) => what === 'uk-market')).toEqual([
      expect.objectContaining({
        kind: 'contradiction',
        action: 'Check again and let it try other names.',
      }),
    ]);
    expect(JSON.stringify(notices)).not.toContain('"ukMarket"');
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
    expect(world.asked).toHaveLength(1);
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
    world = createHostileWorld(() => answering('', 503, { 'Retry-After': after }));
    await world.trust();
    expect(await textOf(ASINS[0])).toContain(`Try again ${when}`);
  });
});
