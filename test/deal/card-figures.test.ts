// A product card's numbers: the decision at other prices, where a product stands, what it was before.
import { describe, expect, it } from '@jest/globals';
import { costColumnsOf } from '../../src/deal/decision-plan';
import type { ListCell, ListColumn, ListInspection, ListRow } from '../../src/deal/list';
import {
  AS_LISTED,
  type CardRow,
  cardColumns,
  cardRows,
  dealAt,
  firstPrices,
  pastOf,
  rangeOf,
  spreadOf,
  standingOf,
} from '../../src/deal/product-card';
import { okText } from '../../src/table/status';

const AT = '2026-01-05T06:40:00.000Z';
const NOW_MS = Date.parse('2026-01-05T12:00:00.000Z');
const RULES = { minProfit: 3, minRoi: 0.3, maybeProfit: 1.5, maybeRoi: 0.15, eligibleOnly: true };

const TITLES = {
  ...{ ASIN: null, Title: null, 'Pack cost': null, 'Pack size': null },
  ...{ Profit: 'profit', ROI: 'roi', Fees: 'fees', 'Sell price': 'sell_price' },
  ...{ Eligible: 'eligible', 'Analysis status': 'status', 'Analyzed at': 'at' },
} as const;
const COLUMNS: readonly ListColumn[] = Object.keys(TITLES).map((title, at) => ({
  ...{ column: at + 1, letter: String.fromCharCode(65 + at), title },
}));
const LOOK = {
  columns: COLUMNS,
  figures: COLUMNS.flatMap((one) => {
    const key = TITLES[one.title as keyof typeof TITLES];
    return key === null ? [] : [{ ...one, key }];
  }) as ListInspection['figures'],
  beside: [],
  roiScale: 1,
} as const satisfies Pick<ListInspection, 'columns' | 'figures' | 'beside' | 'roiScale'>;

type Cells = Readonly<Partial<Record<keyof typeof TITLES, ListCell>>>;

const ASKED = cardColumns(LOOK, costColumnsOf(LOOK), 1);

function read(...rows: readonly Cells[]): readonly CardRow[] {
  const listed = rows.map((own, at): ListRow => {
    const asin = String(own.ASIN ?? `B00000000${at}`);
    const cells: Cells = {
      ...{ ASIN: asin, 'Pack cost': 10, Profit: 5, ROI: 0.5, Fees: 6, 'Sell price': 24 },
      ...{ Eligible: true, 'Analyzed at': AT, ...own },
    };
    const isRead = /^B0\d{8}$/.test(asin);
    return {
      row: at + 2,
      product: isRead ? { asin, market: 'US' } : null,
      cells: ASKED.columns.map((column) => {
        const title = COLUMNS[column - 1]?.title as keyof typeof TITLES;
        return cells[title] ?? null;
      }),
    };
  });
  return cardRows(listed, ASKED, LOOK, RULES);
}

const one = (own: Cells = {}): CardRow => {
  const [row] = read(own);
  if (row === undefined) throw new Error('There is no row.');
  return row;
};

describe('a row of a list', () => {
  it('has its figures, its time, and why it has none', () => {
    const product = { asin: 'B000000000', market: 'US' } as const;
    expect(one({ 'Analysis status': okText(product) })).toMatchObject({
      figures: { profit: 5, roi: 0.5, sell_price: 24, eligible: true, buy_price: null },
      fetchedAtMs: Date.parse(AT),
      ...{ failure: null, problem: null },
    });
    const failed = '[not-found B000000000 US 2026-01-05 06:40]';
    expect(one({ 'Analysis status': failed, Profit: 'mine', 'Analyzed at': null })).toMatchObject({
      figures: { profit: null },
      ...{ failure: 'not-found', fetchedAtMs: null },
    });
    expect(one({ ASIN: 'SKU-1187' }).problem).toBe(
      '"SKU-1187" is not an ASIN. An ASIN has 10 letters and digits.',
    );
  });
});

describe('the decision', () => {
  it.each([['2026-01-05 06:40'], [46_027.3], ['today']])(
    'has no age where the time is %p, as in the sheet',
    (at) => {
      const rules = { ...RULES, staleDays: 7 };
      expect(dealAt(one({ 'Analyzed at': at }), AS_LISTED, rules, NOW_MS)).toMatchObject({
        ...{ verdict: 'Maybe', reasons: ['Age unknown'] },
      });
    },
  );

  it('is that of the list, until a price is another', () => {
    const row = one();
    expect(dealAt(row, AS_LISTED, RULES, NOW_MS)).toMatchObject({
      ...{ verdict: 'Buy', profit: 8, roi: 0.8, reasons: [] },
    });
    expect(dealAt(row, { cost: 15, sell: null }, RULES, NOW_MS)).toMatchObject({
      ...{ verdict: 'Maybe', profit: 3, roi: 0.2, reasons: ['ROI 20% is under 30%'] },
    });
    expect(dealAt(row, { cost: null, sell: 16.5 }, RULES, NOW_MS)).toMatchObject({
      ...{ verdict: 'Skip', profit: 0.5 },
    });
  });

  it('takes a cost of a pack for that of its units', () => {
    const row = one({ 'Pack cost': 40, 'Pack size': 4 });
    expect(dealAt(row, { cost: 20, sell: null }, RULES, NOW_MS)).toMatchObject({ profit: 13 });
    expect(firstPrices(row)).toEqual({ cost: 40, sell: 24 });
  });

  it.each([
    [{ Fees: null }, null],
    [{ 'Pack cost': null }, { cost: 12, sell: 24 }],
    [
      { 'Pack cost': null, 'Sell price': null, ROI: 0.5, Profit: 5 },
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

describe('among the others', () => {
  const standing = (rows: readonly CardRow[], at = 0) => {
    const row = rows[at];
    if (row === undefined) throw new Error('There is no row.');
    const { roi } = dealAt(row, AS_LISTED, RULES, NOW_MS);
    return standingOf(spreadOf(rows, RULES), row, roi);
  };

  it('a product is compared by ROI at its own cost', () => {
    const rows = read(
      { 'Pack cost': 10 },
      { 'Pack cost': 12 },
      { 'Pack cost': 9 },
      { 'Pack cost': 20 },
    );
    expect(standing(rows)).toMatchObject({ measure: 'My ROI', own: 0.8, above: 2 });
    expect(standing(rows)?.others).toHaveLength(3);
  });

  it('without costs by that of the service, without that by profit', () => {
    const none = { 'Pack cost': null };
    const byRoi = read({ ...none, ROI: 0.1 }, { ...none, ROI: 0.2 }, { ...none, ROI: 0.05 });
    expect(standing(byRoi)).toMatchObject({ measure: 'ROI', own: 0.1, above: 1 });
    const bare = { ...none, ROI: null };
    const byProfit = read({ ...bare, Profit: 4 }, { ...bare, Profit: 1 }, { ...bare, Profit: 9 });
    expect(standing(byProfit)).toMatchObject({ measure: 'Profit', own: 4, above: 1 });
  });

  it('two products alone are not compared', () => {
    expect(standing(read({}, {}))).toBeNull();
  });
});

describe('the past', () => {
  const day = (date: number) => Date.UTC(2026, 0, date);
  const change = (date: number, before: number, after: number, figure = 'ROI') => ({
    ...{ atMs: day(date), figure, before, after },
  });

  it('begins with what was before the first change, and ends with what is', () => {
    const row = one({ ROI: 0.5 });
    const past = pastOf([change(4, 0.6, 0.4), change(2, 0.7, 0.6), change(3, 9, 8, 'Profit')], row);
    expect(past).toEqual({
      field: 'roi',
      points: [
        { atMs: null, value: 0.7 },
        { atMs: day(2), value: 0.6 },
        { atMs: day(4), value: 0.4 },
        { atMs: Date.parse(AT), value: 0.5 },
      ],
      untilMs: Date.parse(AT),
    });
  });

  it('is that of profit where ROI never changed, and nothing where nothing did', () => {
    expect(pastOf([change(3, 9, 5, 'Profit')], one())?.points).toHaveLength(2);
    expect(pastOf([change(3, 9, 5, 'Fees')], one())).toBeNull();
  });
});
