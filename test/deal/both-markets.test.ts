// A list with the figures of both markets: two runs, the decisions of each, and which market is the better one.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { CellValue } from 'apps-script-host/sheet/model';
import { createCatalogue } from '../../playground/api/catalogue';
import { AS_LISTED, dealAt, hasFigures } from '../../src/deal/product-card';
import { COSTS_CURRENCY, moneyCell, rateName } from '../../src/product/deal-rules';
import type { Market } from '../../src/product/market';
import { granted, SANDBOX } from '../doors/bulk-list';
import {
  analyze,
  changeRules,
  type DealWorld,
  dealsPage,
  dealWorld,
  decide as decideOn,
  lookAt,
  offersIn,
  remove,
  rulesIn,
} from '../doors/deal-list';
import { NOT_REGISTERED } from './worked-examples';

let made: DealWorld;

afterEach(() => made.world.stop());

const { asins } = createCatalogue(SANDBOX.seed, SANDBOX.productsPerMarket);
const SHARED = [...asins.US].filter((asin) => asins.UK.has(asin));
const FIELDS = ['profit', 'roi', 'fees', 'eligible', 'rank_drops_30d', 'sell_price'];
const RATE = 1.25;

const HEADERS = ['ASIN', 'Title', 'Cost'];
const offers = (count: number): CellValue[][] =>
  SHARED.slice(0, count).map((asin, at) => [asin, `Thing ${at}`, 4 + (at % 9)]);

const analyzeIn = (market: Market, wish: object = {}) =>
  analyze(made.world, { market: { kind: 'one', market }, fields: FIELDS, ...wish });

const rules = () => rulesIn(made.world);

/** One press of Add decisions, where somebody has said what costs are in. */
async function decide(currency: 'USD' | 'GBP' | null = 'GBP') {
  if (currency !== null)
    granted(await changeRules(made.world, { currency, values: NOT_REGISTERED }));
  return granted(await decideOn(made.world));
}

async function bothOf(
  rows: readonly (readonly CellValue[])[] = [HEADERS, ...offers(12)],
  quote: () => number | null = () => RATE,
) {
  made = await dealWorld(rows, { quote });
  await analyzeIn('US');
  await analyzeIn('UK');
  return made;
}

const DECISIONS = ['Landed cost', 'My profit', 'My ROI', 'Max buy', 'Verdict', 'Why'];
/** The title of a market's column: the first market has the plain ones. */
const titleIn = (market: Market, title: string) => (market === 'US' ? title : `${title} (UK)`);
const titles = () => made.sheet.values()[0]?.map(String) ?? [];
const column = (title: string) =>
  made.sheet
    .values()
    .slice(1)
    .map((row) => row[titles().indexOf(title)] ?? '');
/** The cells of a title, by product: rows may have moved. */
const byProduct = (title: string) =>
  Object.fromEntries(column('ASIN').map((asin, at) => [String(asin), column(title)[at]]));
const ofMarket = (market: Market, some: readonly string[]) =>
  some.map((title) => byProduct(titleIn(market, title)));
const AT_COST = ['Profit', 'ROI'].map((one) => `${one} (service’s buy price)`);
const FIGURES = [...AT_COST, 'Fees', 'Sell price', 'Analysis status'];

describe('US and UK in one sheet', () => {
  it('have figures and decisions of their own, and one column for the better of them', async () => {
    await bothOf();
    expect(await decide()).toMatchObject({ rows: 12, kept: 0 });
    const own = (market: Market) => [...FIGURES, ...DECISIONS].map((one) => titleIn(market, one));
    expect(titles()).toEqual(expect.arrayContaining([...own('US'), ...own('UK'), 'Better market']));
    const answered = column('Verdict').filter((_, at) => column('Verdict (UK)')[at] !== '');
    expect(answered.length).toBeGreaterThan(6);
    const better = column('Better market');
    expect(new Set(better)).toEqual(new Set(['US', 'UK', '']));
    for (const [at, word] of better.entries()) {
      const value = (title: string) => column(title)[at];
      const allows = (market: Market) =>
        /^(Buy|Maybe)$/.test(String(value(titleIn(market, 'Verdict'))));
      if (!allows('US') || !allows('UK')) continue;
      const [us, uk] = [Number(value('My profit')), Number(value('My profit (UK)')) * RATE];
      expect(word).toBe(us > uk ? 'US' : 'UK');
    }
  });

  it('never add dollars and pounds: costs are exchanged into the currency of each market', async () => {
    await bothOf();
    await decide('GBP');
    const left = (market: Market, at: number, cost: number) => {
      const cell = (title: string) => Number(column(titleIn(market, title))[at]);
      return Math.round((cell('Sell price') - cell('Fees') - cost) * 100) / 100;
    };
    const at = column('Verdict').findIndex(
      (word, row) => word !== '' && column('Verdict (UK)')[row] !== '',
    );
    const cost = Number(column('Cost')[at]);
    expect(column('My profit (UK)')[at]).toBeCloseTo(left('UK', at, cost), 2);
    expect(column('My profit')[at]).toBeCloseTo(left('US', at, cost * RATE), 2);
    granted(await changeRules(made.world, { currency: 'USD' }));
    expect(column('My profit (UK)')[at]).toBeCloseTo(left('UK', at, cost / RATE), 2);
    expect(column('My profit')[at]).toBeCloseTo(left('US', at, cost), 2);
    // The page comes to the same money as the sheet.
    const offers = await offersIn(made.world, 'UK');
    expect(offers[at]?.landedCost).toBeCloseTo(cost / RATE);
  });

  it('say what to do while there is no rate, and follow one that is typed', async () => {
    await bothOf(undefined, () => null);
    await decide();
    const words = new Set(column('Better market'));
    words.delete('');
    expect([...words]).toEqual(['Check the tab Deal rules']);
    expect((await rules()).rates).toEqual({});
    // Costs in pounds leave the UK's verdicts as they are, and give the US none.
    expect(new Set(column('Verdict'))).toEqual(new Set(['No verdict']));
    expect(new Set(column('Why'))).toEqual(new Set(['No exchange rate']));
    const placeOf = (wanted: string) => {
      const named = made.sheet.features.names().find(({ name }) => name === wanted);
      const { row = 0, column = 0 } = named?.rectangle ?? {};
      return { sheetId: named?.sheetId ?? 0, row, column };
    };
    const prep = { ...placeOf('DEAL_PREP'), column: 3, contents: [[1]] };
    made.sheet.people({ do: 'edit', ...prep });
    expect(new Set(column('Why'))).toEqual(new Set(['No exchange rate']));
    const { inUse } = await rules();
    for (const row of (await offersIn(made.world, 'US')).filter(hasFigures))
      expect(dealAt(row, AS_LISTED, inUse, made.world.host.nowMs())).toMatchObject({
        ...{ verdict: 'No verdict', reasons: ['No exchange rate'] },
      });
    made.sheet.people({ do: 'edit', ...prep, contents: [['']] });
    expect(column('Verdict (UK)')).toContain('Buy');
    const { sheetId, row, column: at } = placeOf(rateName('GBP'));
    made.sheet.grid.write(sheetId, row, at, [[RATE]]);
    expect(new Set(column('Better market'))).toEqual(new Set(['US', 'UK', '']));
    expect((await rules()).rates).toEqual({ GBP: RATE });
  });

  it('say so as well where nobody has told what costs are in', async () => {
    await bothOf();
    await decide(null);
    expect(new Set(column('Verdict'))).toEqual(new Set(['No verdict']));
    expect(new Set(column('Verdict (UK)'))).toEqual(new Set(['No verdict']));
    expect(new Set(column('Why'))).toEqual(new Set(['Currency of costs not set']));
    expect(new Set(column('Better market'))).toEqual(new Set(['']));
  });
});

describe('the currency of costs', () => {
  it('is asked for before there are decisions, and chosen by one press', async () => {
    await bothOf();
    const page = dealsPage(made.world);
    expect(await page.primary()).toBe('3 questions left');
    await page.actions.chooseCurrency('GBP');
    expect(page.failure()).toBeNull();
    expect(await rules()).toMatchObject({ currency: 'GBP', rates: { GBP: RATE } });
    const cell = made.sheet.features.names().find(({ name }) => name === COSTS_CURRENCY);
    const { sheetId = 0, rectangle } = cell ?? {};
    const row = rectangle?.row ?? 0;
    made.sheet.people({ do: 'edit', sheetId, row, column: 2, contents: [['gbp']] });
    expect(await rules()).toMatchObject({ currency: 'GBP', rates: { GBP: RATE } });
    await page.actions.setRule('ukScheme', 'Not registered');
    for (const rule of ['ukCosts', 'ukFees'] as const) await page.actions.setRule(rule, 'With VAT');
    expect(await page.primary()).toBe('Add decisions');
    await page.actions.decide();
    expect(column('Verdict')).toContain('Buy');
    expect(column('Verdict (UK)')).toContain('Buy');
  });
});

describe('the second market never overwrites the first', () => {
  it('when it is analyzed and decided on, sorted in between, or run again', async () => {
    made = await dealWorld([HEADERS, ...offers(12)], { quote: () => RATE });
    await analyzeIn('US');
    await decide();
    const plain = [...FIGURES, ...DECISIONS];
    const before = ofMarket('US', plain);
    await analyzeIn('UK');
    await decide();
    const [costs] = [byProduct('Cost')];
    const afterFigures = ofMarket('US', FIGURES);
    expect(afterFigures).toEqual(before.slice(0, FIGURES.length));
    const { sheet } = made;
    const uk = ofMarket('UK', plain);
    const sorted = { row: 2, column: 1, rowCount: 12, columnCount: titles().length };
    sheet.people({
      do: 'sort',
      sheetId: sheet.id,
      rectangle: sorted,
      keys: [{ column: 3, ascending: true }],
    });
    await analyzeIn('UK');
    await analyzeIn('US');
    expect(byProduct('Cost')).toEqual(costs);
    expect(ofMarket('UK', FIGURES)).toEqual(uk.slice(0, FIGURES.length));
    expect(ofMarket('US', FIGURES)).toEqual(afterFigures);
    expect(titles().filter((title) => title.startsWith('ROI'))).toHaveLength(2);
    for (const market of ['US', 'UK'] as const)
      expect((await lookAt(made.world, market)).costs.cost?.title).toBe('Cost');
  });
});

describe('decisions of both markets', () => {
  it('go together, with the column of the better one', async () => {
    await bothOf();
    const before = titles();
    await decide();
    granted(await remove(made.world));
    expect(titles().filter((title) => title !== '')).toEqual(before);
  });

  it('are filled in for a row that comes later, by the runs', async () => {
    await bothOf();
    await decide();
    const { sheet } = made;
    const at = sheet.values().length + 1;
    const [asin = ''] = SHARED.slice(40);
    sheet.type(at, 1, asin);
    sheet.type(at, 3, 0.5);
    await analyzeIn('US', { rows: { kind: 'empty' } });
    await analyzeIn('UK', { rows: { kind: 'empty' } });
    const row = sheet.byHeader(at);
    expect([row.Verdict, row['Verdict (UK)']]).toEqual(
      Array(2).fill(expect.stringMatching(/^(Buy|Maybe|Skip)$/)),
    );
    const formulas = sheet.grid.formulas(sheet.id, {
      ...{ row: at, column: titles().indexOf('Better market') + 1, rowCount: 1, columnCount: 1 },
    });
    expect(formulas[0]?.[0]).toContain(moneyCell('UK'));
  });
});
