// One product worked out line by line: its lines add up to what decides, and say what they are taken from.
import { describe, expect, it } from '@jest/globals';
import { offerIn } from '../../src/deal/offers';
import { AS_LISTED, dealAt } from '../../src/deal/product-card';
import { type Summed, type SumRole, sumOf, whyOf } from '../../src/deal/sum';
import { figuresBy } from '../../src/product/fields';
import type { Market } from '../../src/product/market';
import type { CostTerms } from '../../src/product/offer-costs';
import { whyText } from '../../src/sidebar/page/list/sum';

const NOW_MS = Date.UTC(2026, 0, 5);
const TITLES = { cost: 'Cost ex VAT', pack: 'Case', discount: 'Discount', quantity: 'Order qty' };
const CELLS = { cost: 48, pack: 12, discount: 0.1, quantity: 2 };
const FIGURES = { sell_price: 32.99, fees: 11.64, eligible: true, rank_drops_30d: 9 } as const;
const UK = { ukScheme: 'Standard', ukRate: 0.2, ukCosts: 'Without VAT', ukFees: 'Without VAT' };
const TARGETS = { minProfit: 3, minRoi: 0.3, maybeProfit: 1.5, maybeRoi: 0.15 };

const column = (title: string, at: number) => ({
  ...{ column: at + 2, letter: 'BCDEFGH'[at] ?? '', title },
});

/** What the page shows of one product. */
function worked(
  market: Market,
  rules: Readonly<Record<string, string | number | null>>,
  { open = [], cells = CELLS, ...own }: Partial<CostTerms & Summed> & { cells?: object } = {},
) {
  const inUse = { ...TARGETS, ...rules };
  const usual = {
    currency: undefined,
    rate: 1,
    side: null,
    caseSize: null,
    included: [],
    discountAs: 'fraction',
    ratesOf: null,
  } as const;
  const terms: CostTerms = { inUse, ...usual, ...own };
  const product = { asin: 'B000000000', market };
  const read = offerIn(
    {
      ...{ row: 2, shown: product.asin, key: '', tabRow: undefined },
      content: { kind: 'product', product, repair: null },
    },
    (key) => new Map<string, number>(Object.entries(cells)).get(key),
    terms,
    true,
  );
  const offer = { ...read, figures: { ...figuresBy(() => null), ...FIGURES }, fetchedAtMs: NOW_MS };
  const costs = Object.fromEntries(
    Object.keys(cells).map((key, at) => [key, column(TITLES[key as 'cost'] ?? key, at)]),
  );
  const deal = dealAt(offer, AS_LISTED, inUse, NOW_MS);
  const lines = sumOf(
    { costs, terms, open, choices: [], look: { markets: [market] } },
    offer,
    market,
    deal,
  );
  const line = (role: SumRole) => lines.find((one) => one.role === role);
  const amount = (role: SumRole) => line(role)?.amount ?? 0;
  const unsure = lines.filter(({ isUnsure }) => isUnsure).map(({ role }) => role);
  const why = whyOf(offer, deal, inUse, NOW_MS).map((one) => whyText(one, '£'));
  return { deal, line, amount, unsure, why, lines };
}

describe('the lines of a product', () => {
  it.each([
    ['US', {}],
    ['US', { usTax: 0.08, returns: 0.03, prep: 0.35, multipack: 2 }],
    ['UK', { ...UK, prep: 0.35 }],
    ['UK', { ...UK, ukCosts: 'With VAT', ukFees: 'With VAT', ukRate: 0.05, returns: 0.04 }],
    ['UK', { ...UK, ukScheme: 'Not registered', shipping: 1.2, other: 0.1 }],
    ['UK', { ...UK, ukScheme: 'Flat rate', ukFlatRate: 0.075 }],
  ] as const)('add up to what decides (%s %j)', (market, rules) => {
    const { amount, deal, unsure } = worked(market, rules);
    const ofCase = amount('cost') + amount('tax') - amount('discount');
    const extras = amount('prep') + amount('shipping') + amount('other');
    const landed = (ofCase / amount('pack')) * (amount('multipack') || 1) + extras;
    expect(amount('landed')).toBeCloseTo(landed, 9);
    const kept = amount('sale') - amount('returns') - amount('vat') - amount('fees');
    expect(amount('profit')).toBeCloseTo(kept - landed, 7);
    expect(amount('profit')).toBe(deal.profit);
    expect(unsure).toEqual([]);
  });

  it('say what they are taken from', () => {
    const { line, lines } = worked('UK', { ...UK, prep: 0.35, usTax: 0.08 }, { side: 'With VAT' });
    expect(lines.map(({ role }) => role)).toContain('vat');
    expect(line('cost')?.from).toMatchObject({ letter: 'B', title: 'Cost ex VAT' });
    expect(line('pack')?.from).toMatchObject({ title: 'Case' });
    expect([line('prep')?.from, line('shipping')?.from, line('tax')?.from]).toEqual([
      ...['all', null, 'title'],
    ]);
    expect(worked('US', { usTax: 0.08 }).line('vat')).toBeUndefined();
    const landed = worked(
      'US',
      { prep: 1 },
      { cells: { cost: 5 }, included: ['prep'], caseSize: 4 },
    );
    expect([landed.line('prep'), landed.line('pack')]).toEqual([
      expect.objectContaining({ from: 'cost', amount: null }),
      expect.objectContaining({ from: 'title', amount: 4 }),
    ]);
  });

  it('show no amount that follows from what nobody has said', () => {
    const { unsure, line, deal } = worked('UK', { ukRate: 0.2 });
    expect(unsure).toEqual(['tax', 'vat', 'fees']);
    for (const role of ['tax', 'landed', 'vat', 'fees', 'profit'] as const)
      expect(line(role)?.amount).toBeNull();
    expect([line('cost')?.amount, line('sale')?.amount]).toEqual([48, 32.99]);
    expect(deal).toMatchObject({ verdict: 'Maybe', reasons: ['VAT not set'] });
    expect(worked('UK', { ...UK, ukScheme: 'Flat rate' }).unsure).toEqual(['vat']);
    expect(worked('UK', UK, { cells: {} }).unsure).toEqual(['cost']);
    expect(worked('US', {}, { currency: null }).unsure).toEqual(['cost']);
    const open = [{ role: 'quantity', columns: [] }] as const;
    expect(worked('US', {}, { open }).unsure).toEqual(['quantity']);
  });
});

describe('the reasons of a verdict', () => {
  it('name the value and the rule that it fell under, never rounded up to it', () => {
    const at = (cost: number, rules = {}) => worked('US', rules, { cells: { cost } }).why;
    expect(at(19.2)).toEqual([
      'Profit £2.15 (Buy from £3.00, Maybe from £1.50)',
      'ROI 11.1% (Buy from 30%, Maybe from 15%)',
    ]);
    expect(at(16.4235)).toEqual(['ROI 29.9% (Buy from 30%, Maybe from 15%)']);
    expect(at(15, { maxFees: 10, maybeFees: 12, minDrops: 12 })).toEqual([
      'Rank drops 9 (Buy from 12)',
      'Fees £11.64 (Buy up to £10.00, Maybe up to £12.00)',
    ]);
    expect(at(15, { minMargin: 0.25 })).toEqual(['Margin 19.2% (Buy from 25%)']);
    expect(worked('US', {}, { cells: {} }).why).toEqual(['No cost']);
  });
});
