// A list with the figures of both markets: two runs, the decisions of each, and which market is the better one.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { CellValue } from 'apps-script-host/sheet/model';
import { createCatalogue } from '../../playground/api/catalogue';
import { AS_LISTED, dealAt, hasFigures } from '../../src/deal/product-card';
import { chosenCurrency, readRules } from '../../src/deal/rules-tab';
import { FX_NAMES } from '../../src/product/deal-rules';
import type { Market } from '../../src/product/market';
import type { ShownMarket } from '../../src/sidebar/page/deals/state';
import { granted, SANDBOX } from '../doors/bulk-list';
import { analyze, type DealWorld, dealsPage, dealWorld, deskOf } from '../doors/deal-list';

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

/** The list as the Deals page finds it. */
async function found(shown: ShownMarket | null = null) {
  const reply = await deskOf(made.world).find({ chosen: null, shown });
  if (!reply.ok || !('look' in reply.value)) throw new Error(JSON.stringify(reply));
  return reply.value;
}

async function rules() {
  const { look: seen } = await found();
  if (seen.rules === null) throw new Error('There are no rules.');
  return readRules(seen.rules);
}

/** One press of Add decisions, where somebody has said what costs are in. */
async function decide(currency: 'USD' | 'GBP' | null = 'GBP') {
  const desk = deskOf(made.world);
  const ready = await desk.withRules((await found()).look);
  if (!ready.ok) throw new Error(JSON.stringify(ready.failure));
  if (currency !== null)
    granted(await made.world.rpc('deals.set', chosenCurrency(await rules(), currency)));
  const reply = await desk.decide(await found());
  if (!reply.ok) throw new Error(JSON.stringify(reply.failure));
  return reply.value;
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
const FIGURES = ['Profit', 'ROI', 'Fees', 'Sell price', 'Analysis status'];

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
    granted(await made.world.rpc('deals.set', chosenCurrency(await rules(), 'USD')));
    expect(column('My profit (UK)')[at]).toBeCloseTo(left('UK', at, cost / RATE), 2);
    expect(column('My profit')[at]).toBeCloseTo(left('US', at, cost), 2);
    // The page comes to the same money as the sheet.
    const { rows } = await found({ sheetId: made.sheet.id, market: 'UK' });
    expect(rows?.[at]?.landedCost).toBeCloseTo(cost / RATE);
  });

  it('say what to do while there is no rate, and follow one that is typed', async () => {
    await bothOf(undefined, () => null);
    await decide();
    const words = new Set(column('Better market'));
    words.delete('');
    expect([...words]).toEqual(['Check the tab Deal rules']);
    expect((await rules()).rate).toBeNull();
    // Costs in pounds leave the UK's verdicts as they are, and give the US none.
    expect(new Set(column('Verdict'))).toEqual(new Set(['No verdict']));
    expect(new Set(column('Why'))).toEqual(new Set(['Check the tab Deal rules']));
    const { sheetId, rows } = await rules();
    const prep = { sheetId, row: rows.prep ?? 0, column: 3, contents: [[1]] };
    made.sheet.people({ do: 'edit', ...prep });
    expect(new Set(column('Why'))).toEqual(new Set(['Check the tab Deal rules']));
    const shown = { sheetId: made.sheet.id, market: 'US' as const };
    const cards = await deskOf(made.world).findCards({ chosen: null, shown });
    if (!cards.ok || !('rows' in cards.value)) throw new Error('There are no cards.');
    const { rows: us, rules: inUse } = cards.value;
    for (const row of us.filter(hasFigures))
      expect(dealAt(row, AS_LISTED, inUse, made.world.host.nowMs())).toMatchObject({
        ...{ verdict: 'No verdict', reasons: ['Check the tab Deal rules'] },
      });
    made.sheet.people({ do: 'edit', ...prep, contents: [['']] });
    expect(column('Verdict (UK)')).toContain('Buy');
    const rate = made.sheet.features.names().find(({ name }) => name === FX_NAMES.rate);
    const { row, column: at } = rate?.rectangle ?? { row: 0, column: 0 };
    made.sheet.grid.write(rate?.sheetId ?? 0, row, at, [[RATE]]);
    expect(new Set(column('Better market'))).toEqual(new Set(['US', 'UK', '']));
    expect((await rules()).rate).toBe(RATE);
  });

  it('say so as well where nobody has told what costs are in', async () => {
    await bothOf();
    await decide(null);
    expect(new Set(column('Verdict'))).toEqual(new Set(['No verdict']));
    expect(new Set(column('Verdict (UK)'))).toEqual(new Set(['No verdict']));
    expect(new Set(column('Better market'))).toEqual(new Set(['']));
  });
});

describe('the currency of costs', () => {
  it('is asked for before there are decisions, and chosen by one press', async () => {
    await bothOf();
    const page = dealsPage(made.world);
    expect(await page.primary()).toBe('Look again');
    await page.actions.chooseCurrency('GBP');
    expect(page.stateNow()).toMatchObject({ view: { failure: null } });
    expect(await rules()).toMatchObject({ currency: 'GBP', rate: RATE });
    const { sheetId, labelRows } = await rules();
    const row = Number(labelRows.currency);
    made.sheet.people({ do: 'edit', sheetId, row, column: 2, contents: [['gbp']] });
    expect(await rules()).toMatchObject({ currency: 'GBP', rate: RATE });
    await page.actions.setRule('ukScheme', 'Not registered');
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
    expect((await found()).costs.cost?.title).toBe('Cost');
    expect((await found({ sheetId: sheet.id, market: 'UK' })).costs.cost?.title).toBe('Cost');
  });
});

describe('decisions of both markets', () => {
  it('go together, with the column of the better one', async () => {
    await bothOf();
    const before = titles();
    await decide();
    const reply = await deskOf(made.world).remove(await found());
    expect(reply.ok).toBe(true);
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
    expect(formulas[0]?.[0]).toContain(FX_NAMES.rate);
  });
});
