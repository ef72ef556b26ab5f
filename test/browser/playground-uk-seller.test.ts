// A seller in the UK: from a list with costs to a shopping list, with the VAT scheme chosen on the way, presses counted.
import { describe, expect, it } from '@jest/globals';
import { findProduct } from '../../playground/api/catalogue';
import { figuresOf } from '../../playground/api/product';
import { eventually, STEP_MAX_MS } from './eventually';
import { openPlayground, openSidebar } from './open-playground';

const ROWS = 40;
/** 40 calls at 20 a second, and a slow machine. */
const RUN_MAX_MS = 60_000;
const PRESSES_MAX = 8;

describe('a seller in the UK at the standard rate', () => {
  const { playground, page, sidebar } = openPlayground({
    contents: 'offers',
    keyName: 'demo-key-20-per-second',
    productsPerMarket: 100,
  });

  it(
    `comes from a list with costs to a shopping list in at most ${PRESSES_MAX} presses`,
    async () => {
      const { model } = playground().sheet;
      const id = model.addSheet('Supplier', 1);
      const { catalogue } = playground().sandbox.state();
      const asins = [...catalogue.asins.UK].slice(0, ROWS);
      const offers = asins.map((asin, at) => {
        const product = findProduct(catalogue, asin, 'UK');
        const sellsAt = product === undefined ? null : figuresOf(product).sell;
        return [asin, Math.round((sellsAt ?? 2_000) * (0.2 + (at % 5) / 10)) / 100];
      });
      model.write(id, 1, 1, [['ASIN', 'Cost ex VAT'], ...offers]);
      model.select({ sheetId: id, rectangle: { row: 1, column: 1, rowCount: 1, columnCount: 1 } });
      await page().getByText('Supplier', { exact: true }).first().waitFor();
      await openSidebar(page());

      let presses = 0;
      const press = async (name: string) => {
        presses += 1;
        await sidebar().getByRole('button', { name, exact: true }).click({ timeout: RUN_MAX_MS });
      };
      const choose = async (label: string, wanted: string | RegExp) => {
        presses += 1;
        const select = sidebar().getByLabel(label, { exact: true });
        await select.waitFor({ timeout: RUN_MAX_MS });
        const options = await select.locator('option').allTextContents();
        // An option says what it makes of the product, which the answer before it may still change.
        const isWanted = (one: string) =>
          wanted instanceof RegExp ? wanted.test(one) : one === wanted;
        await select.selectOption({ index: options.findIndex(isWanted) });
      };
      await choose('Market', 'UK');
      playground().hurry(true);
      await press(`Analyze ${ROWS}`);
      const analyzed = presses;
      // Each answer says what it makes of the first product.
      await choose('VAT scheme', /^Standard: profit −?£\d/);
      await choose('Fees with VAT or without', /^Without VAT/);
      await press('Add decisions');
      expect(presses - analyzed).toBeLessThanOrEqual(4);
      await press('Make shopping list');
      const cells = (sheetId: number) => {
        const { lastRow, lastColumn } = model.size(sheetId);
        return model.values(sheetId, {
          row: 1,
          column: 1,
          rowCount: lastRow,
          columnCount: lastColumn,
        });
      };
      const listed = () => {
        const tab = model.sheets().find(({ name }) => name === 'Shopping list');
        // Between the titles and the total.
        return tab === undefined ? 0 : cells(tab.id).length - 2;
      };
      await eventually(() => listed() > 0, true);

      const [titles = [], ...rows] = cells(id);
      const of = (row: readonly unknown[], title: string) => row[titles.indexOf(title)];
      for (const row of rows) {
        if (typeof of(row, 'My profit') !== 'number') continue;
        const sell = Number(of(row, 'Sell price'));
        const wanted = sell - sell / 6 - Number(of(row, 'Fees')) - Number(of(row, 'Cost ex VAT'));
        expect(of(row, 'My profit')).toBeCloseTo(wanted, 1);
      }
      expect(listed()).toBe(rows.filter((row) => of(row, 'Verdict') === 'Buy').length);
      expect(presses).toBeLessThanOrEqual(PRESSES_MAX);
    },
    RUN_MAX_MS + STEP_MAX_MS,
  );
});
