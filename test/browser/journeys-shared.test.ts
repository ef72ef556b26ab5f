// Days of people who share a spreadsheet, in the playground with the real bundle: presses are counted.
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { countsOf } from '../../playground/api/state';
import { tabOf } from '../../playground/web/pictured-playground';
import type { Playground } from '../../playground/web/playground';
import { eventually } from './eventually';
import {
  addSheet,
  figureOf,
  listedIn,
  openPlayground,
  openSidebar,
  rowsOf,
} from './open-playground';

/** A run over a list on a slow machine. */
const RUN_MAX_MS = 120_000;
const TIMEOUT = { timeout: RUN_MAX_MS };

const callsOf = ({ sandbox, key }: Playground) => countsOf(sandbox.state(), key.name).calls;
const worldButton = (page: Page, name: string) => page.getByRole('button', { name }).click();
const isBuy = ({ Verdict }: Readonly<Record<string, unknown>>) => Verdict === 'Buy';

describe('people who share a spreadsheet', () => {
  const UK_ROWS = 20;
  const { playground, page, sidebar, presses } = openPlayground({
    contents: 'offers',
    keyName: 'demo-key-20-per-second',
    // No hasty page: while the host hurries, it has once missed the answer to what it looked at.
    productsPerMarket: 100,
  });
  const press = (name: string) =>
    sidebar().getByRole('button', { name, exact: true }).click(TIMEOUT);
  const heading = (name: string) => sidebar().getByRole('heading', { name }).waitFor(TIMEOUT);
  const closeSidebar = () => page().locator('#sidebar-close').click();
  const deleteShoppingList = () => {
    const { model } = playground().sheet;
    model.deleteSheet(model.sheets().find(({ name }) => name === 'Shopping list')?.id ?? 0);
  };

  it(
    'an assistant is told which cells are protected before anything is paid, and works with the owner’s key once they are not',
    async () => {
      await worldButton(page(), 'Protect sheet');
      await page().getByText('The sheet is protected').waitFor();
      await worldButton(page(), 'Second person');
      await page().getByText('You are an assistant now').waitFor();
      const paid = callsOf(playground());
      await openSidebar(page());
      await sidebar().getByText('are protected. Ask the owner for access').waitFor();
      expect(callsOf(playground())).toBe(paid);
      await worldButton(page(), 'Protect sheet');
      await page().getByText('The sheet is open again').waitFor();
      const before = presses();
      await press('Look again');
      await sidebar().getByRole('button', { name: 'Analyze 18' }).waitFor(TIMEOUT);
      playground().hurry(true);
      await press('Analyze 18');
      await press('Add decisions');
      await press('Make shopping list');
      expect(presses() - before).toBe(4);
      await eventually(() => listedIn(playground()) > 0, true);
      deleteShoppingList();
      await worldButton(page(), 'Second person');
      await page().locator('#sidebar').waitFor({ state: 'hidden' });
    },
    3 * RUN_MAX_MS,
  );

  it(
    'on a bad day stop while the service is out, find it so when they open the page again, and go on at a press',
    async () => {
      const asins = [...playground().sandbox.state().catalogue.asins.US].slice(-18);
      const offers = asins.map((asin, at) => [asin, 4 + at]);
      addSheet(playground(), 'Clearance', [['ASIN', 'Cost'], ...offers]);
      await tabOf(page(), 'Clearance').waitFor();
      await openSidebar(page());
      await worldButton(page(), 'Service outage');
      await press('Analyze 18');
      await heading('Paused at 0 of 18');
      const paid = callsOf(playground());
      await closeSidebar();
      await worldButton(page(), 'Service outage');
      await openSidebar(page());
      await heading('Paused at 0 of 18');
      expect(callsOf(playground())).toBe(paid);
      const before = presses();
      await press('Continue');
      await press('Add decisions');
      expect(presses() - before).toBe(2);
      const toBuy = sidebar().getByRole('button', { name: 'Make shopping list' });
      await toBuy.waitFor(TIMEOUT);
      await closeSidebar();
    },
    3 * RUN_MAX_MS,
  );

  it(
    'a wholesaler in the UK at the standard rate comes from costs to a shopping list in eight presses, VAT scheme included',
    async () => {
      const asins = [...playground().sandbox.state().catalogue.asins.UK].slice(0, UK_ROWS);
      const offers = asins.map((asin, at) => {
        const sellsAt = figureOf(playground(), asin, 'sell', 'UK') || 20;
        return [asin, Math.round(100 * sellsAt * (0.2 + (at % 5) / 10)) / 100];
      });
      const id = addSheet(playground(), 'UK supplier', [['ASIN', 'Cost ex VAT'], ...offers]);
      await tabOf(page(), 'UK supplier').waitFor();
      await openSidebar(page());
      const before = presses();
      let chosen = 0;
      const choose = async (label: string, wanted: RegExp) => {
        chosen += 1;
        const select = sidebar().getByLabel(label, { exact: true });
        await select.waitFor(TIMEOUT);
        // An option says what it makes of the product, which the answer before it may still change.
        const options = select.locator('option');
        await options.filter({ hasText: wanted }).first().waitFor({ state: 'attached' });
        const names = await options.allTextContents();
        await select.selectOption({ index: names.findIndex((one) => wanted.test(one)) });
      };
      await choose('Market', /^UK$/);
      await press(`Analyze ${UK_ROWS}`);
      const analyzed = presses() - before + chosen;
      // Each answer says what it makes of the first product.
      await choose('VAT scheme', /^Standard: profit −?£\d/);
      await choose('Fees with VAT or without', /^Without VAT/);
      await press('Add decisions');
      expect(presses() - before + chosen - analyzed).toBeLessThanOrEqual(4);
      await press('Make shopping list');
      await eventually(() => listedIn(playground()) > 0, true);

      const rows = rowsOf(playground(), id);
      for (const row of rows) {
        if (typeof row['My profit'] !== 'number') continue;
        const sell = Number(row['Sell price']);
        const wanted = sell - sell / 6 - Number(row.Fees) - Number(row['Cost ex VAT']);
        expect(row['My profit']).toBeCloseTo(wanted, 1);
      }
      expect(listedIn(playground())).toBe(rows.filter(isBuy).length);
      expect(presses() - before + chosen).toBeLessThanOrEqual(8);
    },
    3 * RUN_MAX_MS,
  );
});
