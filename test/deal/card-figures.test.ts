// A product card's numbers: the decision at other prices, what it was before.
import { describe, expect, it } from '@jest/globals';
import { wantRow } from '../../src/analysis/analysis-row';
import { type Offer, offerIn } from '../../src/deal/offers';
import { AS_LISTED, dealAt, firstPrices, rangeOf } from '../../src/deal/product-card';
import type { CostCell } from '../../src/product/cost';
import type { Figures } from '../../src/product/fields';

const AT_MS = Date.parse('2026-01-05T06:40:00.000Z');
const NOW_MS = Date.parse('2026-01-05T12:00:00.000Z');
const RULES = { minProfit: 3, minRoi: 0.3, maybeProfit: 1.5, maybeRoi: 0.15, eligibleOnly: true };

/** What differs from the usual row. */
interface Own extends Partial<Figures> {
  readonly status?: string;
  readonly analyzedMs?: number | null;
  readonly cost?: CostCell;
  readonly pack?: CostCell;
}

/** The offer in a row of a list. */
function one(own: Own = {}): Offer {
  const { status = 'OK', analyzedMs = AT_MS, cost = 10, pack = null, ...figures } = own;
  const usual = { profit: 5, roi: 0.5, fees: 6, sell_price: 24, eligible: true } as const;
  const none = { rank_drops_30d: null, buy_price: null };
  const product = { asin: 'B000000000', market: 'US' } as const;
  const known = {
    ...wantRow(null, 'B000000000|US', product, AT_MS),
    ...{ status, analyzedMs, figures: { ...usual, ...none, ...figures } },
  };
  const row = { row: 2, shown: product.asin, key: known.key, tabRow: known };
  const cells: Readonly<Record<string, CostCell>> = { cost, pack };
  return offerIn(
    { ...row, content: { kind: 'product', product, repair: null } },
    (key) => (key in cells ? (cells[key] ?? '') : undefined),
    {
      inUse: RULES,
      currency: undefined,
      side: null,
      caseSize: null,
      included: [],
      discountAs: null,
      ratesOf: null,
      rate: 1,
    },
    true,
  );
}

const NOT_FOUND = 'B000000000 is not sold on Amazon US. Check the ASIN and the market.';

describe('a row of a list', () => {
  it('has its figures, its time, and why it has none', () => {
    expect(one()).toMatchObject({
      figures: { profit: 5, roi: 0.5, sell_price: 24, eligible: true, buy_price: null },
      ...{ fetchedAtMs: AT_MS, failure: null, problem: null },
    });
    expect(one({ status: 'Not found', profit: null, analyzedMs: null })).toMatchObject({
      figures: { profit: null },
      ...{ failure: NOT_FOUND, fetchedAtMs: null },
    });
    expect(one({ status: 'Waiting' }).failure).toBeNull();
  });
});

describe('the decision', () => {
  it('has no age where nobody knows when the figures were fetched', () => {
    const rules = { ...RULES, staleDays: 7 };
    expect(dealAt(one({ analyzedMs: null }), AS_LISTED, rules, NOW_MS)).toMatchObject({
      ...{ verdict: 'Maybe', reasons: ['Figures older than 7 days'] },
    });
  });

  it('is that of the list, until a price is another', () => {
    const row = one();
    expect(dealAt(row, AS_LISTED, RULES, NOW_MS)).toMatchObject({
      ...{ verdict: 'Buy', profit: 8, roi: 0.8, reasons: [] },
    });
    expect(dealAt(row, { cost: 15, sell: null }, RULES, NOW_MS)).toMatchObject({
      ...{ verdict: 'Maybe', profit: 3, roi: 0.2, reasons: ['ROI under 30%'] },
    });
    expect(dealAt(row, { cost: null, sell: 16.5 }, RULES, NOW_MS)).toMatchObject({
      ...{ verdict: 'Skip', profit: 0.5 },
    });
  });

  it('takes a cost of a pack for that of its units', () => {
    const row = one({ cost: 40, pack: 4 });
    expect(dealAt(row, { cost: 20, sell: null }, RULES, NOW_MS)).toMatchObject({ profit: 13 });
    expect(firstPrices(row)).toEqual({ cost: 40, sell: 24 });
  });

  it.each([
    [{ fees: null }, null],
    [{ cost: null }, { cost: 12, sell: 24 }],
    [
      { cost: null, sell_price: null, roi: 0.5, profit: 5 },
      { cost: 10.5, sell: 21 },
    ],
  ])('begins to be tried where it can be: %j', (own, first) => {
    expect(firstPrices(one(own))).toEqual(first);
  });

  it.each([
    [11, 11, { step: 0.2, most: 22 }],
    [0.4, 0.4, { step: 0.01, most: 0.8 }],
    // What was typed is within the slider.
    [11, 60, { step: 0.5, most: 60 }],
    [9_000, 9_000, { step: 100, most: 18_000 }],
    [40_000, 40_000, { step: 400, most: 80_000 }],
  ])('from %d, at %d, goes in steps that people count in', (first, value, range) => {
    expect(rangeOf(first, value)).toEqual(range);
  });
});
