// Days of the people the add-on is for, in the playground with the real bundle: presses are counted.
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
const isDecided = ({ Verdict }: Readonly<Record<string, unknown>>) =>
  /^(Buy|Maybe|Skip|No verdict)/.test(String(Verdict));
const isBuy = ({ Verdict }: Readonly<Record<string, unknown>>) => Verdict === 'Buy';

describe('a reseller in the US', () => {
  const ROWS = 300;
  const MORE_ROWS = 20;
  const { playground, page, sidebar, presses } = openPlayground({
    contents: 'samples',
    firstRun: true,
    keyName: 'demo-key-20-per-second',
    productsPerMarket: ROWS + MORE_ROWS,
  });
  const press = (name: string | RegExp) =>
    sidebar().getByRole('button', { name, exact: true }).click(TIMEOUT);
  const asins = () =>
    [...playground().sandbox.state().catalogue.asins.US].slice(-(ROWS + MORE_ROWS));

  /** As such lists come: links, small letters, spaces, a cost with its sign. */
  const messy = (asin: string, at: number): readonly (string | number)[] => {
    const written =
      at % 7 === 0
        ? `https://www.amazon.com/dp/${asin}?ref=x`
        : at % 5 === 0
          ? ` ${asin.toLowerCase()} `
          : asin;
    return [`Item ${at}`, written, at % 10 === 9 ? '$8.40' : 3 + (at % 9)];
  };

  /** Through the clipboard into the first cell of the sheet in view. */
  async function pasteList(sheetId: number): Promise<void> {
    const lines = [['Item', 'ASIN / link', 'Our cost'], ...asins().slice(0, ROWS).map(messy)];
    const text = lines.map((line) => line.join('\t')).join('\n');
    await page().evaluate((copied) => navigator.clipboard.writeText(copied), text);
    const grid = await page().locator('#grid').boundingBox();
    await page().mouse.click((grid?.x ?? 0) + 300, (grid?.y ?? 0) + 300);
    // Over empty cells to the first one.
    for (const keys of ['Control+ArrowUp', 'Control+ArrowLeft', 'Control+v'])
      await page().keyboard.press(keys);
    await eventually(() => playground().sheet.model.size(sheetId).lastRow, ROWS + 1);
  }

  it(
    'pastes a messy list and a message, and comes to a shopping list in seven presses',
    async () => {
      const id = addSheet(playground(), 'Supplier');
      await tabOf(page(), 'Supplier').waitFor();
      await pasteList(id);
      await openSidebar(page());
      const { baseUrl } = playground().sandbox;
      const message = `Hi, your access is ready.\nURL: ${baseUrl}\nkey: ${playground().key.name}\nLimit: 20 requests per second`;
      await sidebar().getByRole('textbox').first().fill(message);
      const before = presses();
      await press('Connect');
      // Nobody has to be quicker than the run.
      playground().hurry(true);
      await press(`Analyze ${ROWS}`);
      expect(presses() - before).toBe(2);
      await press('Add decisions');
      await press('Make shopping list');
      expect(presses() - before).toBe(4);
      expect(presses()).toBeLessThanOrEqual(7);
      await eventually(() => listedIn(playground()) > 0, true);
      const rows = rowsOf(playground(), id);
      expect(rows).toHaveLength(ROWS);
      expect(listedIn(playground())).toBe(rows.filter(isBuy).length);
      // Its tab comes into view, and the page leads back.
      await sidebar().getByRole('button', { name: 'Back to “Supplier”' }).waitFor();
    },
    4 * RUN_MAX_MS,
  );

  it(
    'has the rows that are pasted below analyzed and decided by one press',
    async () => {
      const { model } = playground().sheet;
      const id = model.sheets().find(({ name }) => name === 'Supplier')?.id ?? 0;
      const before = presses();
      model.write(id, ROWS + 2, 1, asins().slice(ROWS).map(messy));
      await tabOf(page(), 'Supplier').click();
      // The page looks at the sheet in view when the pointer comes back to it.
      await sidebar().getByRole('heading').first().hover();
      await press(`Analyze ${MORE_ROWS}`);
      // The page offers it once all is written. Reading the rows all the time would hold the run up.
      await press('Schedule');
      await sidebar().getByText('every day', { exact: false }).first().waitFor();
      expect(presses() - before).toBe(3);
      const decided = () => rowsOf(playground(), id).filter(isDecided).length;
      await eventually(decided, ROWS + MORE_ROWS);
    },
    2 * RUN_MAX_MS,
  );
});

describe('people who share a spreadsheet', () => {
  const UK_ROWS = 40;
  const { playground, page, sidebar, presses } = openPlayground({
    contents: 'offers',
    keyName: 'demo-key-20-per-second',
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
        const options = await select.locator('option').allTextContents();
        await select.selectOption({ index: options.findIndex((one) => wanted.test(one)) });
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
