// The List page over a list with costs in a spreadsheet: which button it offers, and what a press of it does.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { CellValue } from 'apps-script-host/sheet/model';
import { buysOf } from '../../src/deal/offers';
import { AS_LISTED, dealAt, hasFigures } from '../../src/deal/product-card';
import { countText } from '../../src/sidebar/page/ui/texts';
import { US_ASINS } from '../doors/bulk-list';
import {
  analyze,
  type DealWorld,
  dealsPage,
  dealWorld,
  offersIn,
  rulesIn,
} from '../doors/deal-list';

let made: DealWorld;

afterEach(() => made.world.stop());

const FIELDS = ['profit', 'roi', 'fees', 'eligible', 'rank_drops_30d', 'sell_price'];
const offers = (count: number): CellValue[][] =>
  US_ASINS.slice(0, count).map((asin, at) => [asin, 4 + (at % 9)]);
const decisions = () =>
  made.sheet
    .values()
    .slice(1)
    .map((_, at) => made.sheet.decision(at + 2));

/** As in a template: the titles stand there, and below them nothing. */
async function template(titles: readonly string[], below: readonly CellValue[] = []) {
  const rows = offers(6).map((row) => [...row, ...below]);
  made = await dealWorld([['ASIN', 'Cost', ...titles], ...rows]);
  return dealsPage(made.world);
}

describe('the one filled button', () => {
  it('leads from a list to its figures, to decisions, and to a shopping list', async () => {
    const page = await template([]);
    expect(await page.primary()).toBe('Analyze 6');
    await analyze(made.world, { fields: FIELDS });
    expect(await page.primary()).toBe('Add decisions');
    await page.actions.decide();
    expect(page.notice()).toBe('Decisions added to 6 rows.');
    for (const decision of decisions()) {
      expect(decision.Verdict).toMatch(/^(Buy|Maybe|Skip)$/);
      expect(typeof decision['My profit']).toBe('number');
    }
    expect(await page.primary()).toBe('Make shopping list');
    const bought = decisions().filter(({ Verdict }) => Verdict === 'Buy').length;
    await page.actions.show('Buy', bought);
    expect(page.notice()).toBe(`${countText(bought, 'row')} selected in the sheet.`);
  });

  it('leads to the figures where formulas wait for them', async () => {
    const page = await template([]);
    await analyze(made.world, { fields: FIELDS });
    await page.primary();
    await page.actions.decide();
    const { sheet } = made;
    for (let row = 2; row <= 7; row += 1) sheet.type(row, 1, US_ASINS[row + 20] ?? '');
    expect(decisions().map(({ Verdict }) => Verdict)).toEqual(Array(6).fill('Not analyzed'));
    expect(await page.primary()).toBe('Analyze 6');
  });

  it('looks again where there is no list', async () => {
    made = await dealWorld([['Notes']]);
    expect(await dealsPage(made.world).primary()).toBe('Look again');
  });

  it('adds the figures that decisions need and the list does not show', async () => {
    const page = await template([]);
    await analyze(made.world, { fields: ['profit'] });
    expect(await page.primary()).toBe('Add decisions');
    await page.actions.decide();
    expect(made.sheet.values()[0]).toEqual(expect.arrayContaining(['Fees', 'Sell price']));
    expect(decisions()[0]?.Verdict).toMatch(/^(Buy|Maybe|Skip)$/);
  });
});

describe("a column of somebody's own that is called as one of ours", () => {
  it('is no decision, whatever it says', async () => {
    const page = await template(['Verdict'], ['Buy']);
    await analyze(made.world, { fields: FIELDS });
    expect(await page.primary()).toBe('Add decisions');
    await page.actions.decide();
    expect(made.sheet.values().map((row) => row[2])).toEqual(['Verdict', ...Array(6).fill('Buy')]);
    expect(made.sheet.values()[0]).toContain('Verdict (deal)');
    expect(await page.primary()).not.toBe('Add decisions');
  });
});

describe('a tab of rules with other labels than ours', () => {
  const verdicts = () => decisions().map(({ Verdict }) => Verdict);

  it('is read and changed as ours, whatever its first column says', async () => {
    const page = await template([]);
    await analyze(made.world, { fields: FIELDS });
    await page.primary();
    await page.actions.decide();
    const { grid, people } = made.sheet;
    const sheetId = grid.sheets().find(({ name }) => name === 'Deal rules')?.id ?? -1;
    const area = { row: 1, column: 1, rowCount: grid.size(sheetId).lastRow, columnCount: 1 };
    const contents = grid.values(sheetId, area).map(([text]) => [`Regel: ${text}`]);
    people({ do: 'edit', sheetId, row: 1, column: 1, contents });
    expect(await rulesIn(made.world)).toMatchObject({
      profile: 'Default',
      profiles: [{ name: 'Default', values: { minProfit: 3, eligibleOnly: true } }],
    });
    await page.actions.chooseProfile('Acme');
    await page.actions.setRule('minProfit', 9_000);
    await page.actions.setRule('maybeProfit', 8_000);
    expect([page.notice(), page.failure()]).toEqual(['', null]);
    expect(verdicts()).toEqual(Array(6).fill('Skip'));
    expect(await rulesIn(made.world)).toMatchObject({
      profile: 'Acme',
      profiles: [{ values: { minProfit: 3 } }, { name: 'Acme', values: { minProfit: 9_000 } }],
    });
    await page.actions.chooseProfile('Default');
    expect(verdicts()).not.toEqual(Array(6).fill('Skip'));
  });
});

describe('a profile', () => {
  const rules = () => rulesIn(made.world);
  const said = (title: string) => [...new Set(decisions().map((one) => one[title]))];
  /** As a person types over a profile's name in the tab. */
  const rename = (column: number, name: string) => {
    const sheetId = made.sheet.grid.sheets().find((one) => one.name === 'Deal rules')?.id ?? -1;
    const edit = { do: 'edit', sheetId, row: 3, column, contents: [[name]] } as const;
    made.sheet.people(edit);
  };
  async function decidedList() {
    const page = await template([]);
    await analyze(made.world, { fields: FIELDS });
    await page.primary();
    await page.actions.decide();
    return page;
  }

  it('that was renamed in the tab decides nothing, in the sheet and on the card, until one is chosen', async () => {
    const page = await decidedList();
    const before = decisions();
    rename(3, 'Acme');
    expect(said('Verdict')).toEqual(['No verdict']);
    expect(said('Why')).toEqual(['Check the tab Deal rules']);
    const rows = await offersIn(made.world);
    const { inUse } = await rules();
    const nowMs = made.world.host.nowMs();
    expect(rows.map((row) => dealAt(row, AS_LISTED, inUse, nowMs))).toEqual(
      rows.map(() => ({
        ...{ verdict: 'No verdict', reasons: ['Check the tab Deal rules'] },
        ...{ profit: null, roi: null, margin: null, maxBuy: null, breakEven: null },
      })),
    );
    await page.actions.chooseProfile('Acme');
    expect(decisions()).toEqual(before);
  });

  it('that is added again is chosen, in any case of letters, and nothing is lost', async () => {
    const page = await decidedList();
    await page.actions.chooseProfile('Acme');
    await page.actions.setRule('minProfit', 9_000);
    await page.actions.chooseProfile('Default');
    await page.actions.chooseProfile('ACME');
    expect(await rules()).toMatchObject({
      profile: 'Acme',
      profiles: [{ name: 'Default' }, { name: 'Acme', values: { minProfit: 9_000 } }],
    });
    expect((await rules()).profiles).toHaveLength(2);
  });

  it('is changed where MATCH of Sheets finds it: the first of that name, in any case of letters', async () => {
    const page = await decidedList();
    await page.actions.chooseProfile('Acme');
    rename(3, 'ACME');
    await page.primary();
    await page.actions.setRule('minProfit', 9_000);
    expect(page.failure()).toBeNull();
    expect((await rules()).profiles.map(({ values }) => values.minProfit)).toEqual([9_000, 3]);
  });
});

describe('a row with another product than the one that was analyzed', () => {
  it('is no Buy of the page until it is analyzed, and its card has no figures', async () => {
    const page = await template([]);
    await analyze(made.world, { fields: FIELDS });
    await page.primary();
    await page.actions.decide();
    const buy = decisions().findIndex(({ Verdict }) => Verdict === 'Buy');
    const found = async () => buysOf(await offersIn(made.world)).map(({ row }) => row);
    expect(await found()).toContain(buy + 2);
    made.sheet.type(buy + 2, 1, US_ASINS[20] ?? '');
    expect(await found()).not.toContain(buy + 2);
    expect((await offersIn(made.world)).map(hasFigures)).toEqual(
      decisions().map((_, at) => at !== buy),
    );
  });
});

describe('a cost column that a person chose', () => {
  it.each([['Landed'], ['Cost']])(
    'is that of its decisions on the next day, beside %s',
    async (other) => {
      const rows = US_ASINS.slice(0, 6).map((asin, at) => [asin, 900, 4 + at]);
      made = await dealWorld([['ASIN', other, 'Aktion'], ...rows]);
      await analyze(made.world, { fields: FIELDS });
      const first = dealsPage(made.world);
      await first.primary();
      void first.actions.chooseCost({ column: { column: 3, letter: 'C', title: 'Aktion' } });
      await first.actions.decide();
      const before = decisions();
      expect(before.map(({ Verdict }) => Verdict)).toContain('Buy');
      // What the sidebar keeps ends with its browser tab.
      const page = dealsPage(made.world);
      await page.primary();
      expect(page.list().costs.cost?.title).toBe('Aktion');
      const buys = buysOf(await offersIn(made.world));
      expect(buys.map(({ row, costs }) => costs.cost === row + 2)).not.toContain(false);
      await page.actions.decide();
      expect(decisions()).toEqual(before);
    },
  );
});
