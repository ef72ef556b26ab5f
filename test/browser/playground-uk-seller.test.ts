// A seller in the UK: from a list with costs to a shopping list, with the VAT scheme chosen on the way, presses counted.
import { describe, expect, it } from '@jest/globals';
import { eventually, STEP_MAX_MS } from './eventually';
import {
  addSheet,
  figureOf,
  listedIn,
  openPlayground,
  openSidebar,
  rowsOf,
} from './open-playground';

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
      const asins = [...playground().sandbox.state().catalogue.asins.UK].slice(0, ROWS);
      const offers = asins.map((asin, at) => {
        const sellsAt = figureOf(playground(), asin, 'sell', 'UK') || 20;
        return [asin, Math.round(100 * sellsAt * (0.2 + (at % 5) / 10)) / 100];
      });
      const id = addSheet(playground(), 'Supplier', [['ASIN', 'Cost ex VAT'], ...offers]);
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
      await eventually(() => listedIn(playground()) > 0, true);

      const rows = rowsOf(playground(), id);
      for (const row of rows) {
        if (typeof row['My profit'] !== 'number') continue;
        const sell = Number(row['Sell price']);
        const wanted = sell - sell / 6 - Number(row.Fees) - Number(row['Cost ex VAT']);
        expect(row['My profit']).toBeCloseTo(wanted, 1);
      }
      expect(listedIn(playground())).toBe(rows.filter(({ Verdict }) => Verdict === 'Buy').length);
      expect(presses).toBeLessThanOrEqual(PRESSES_MAX);
    },
    RUN_MAX_MS + STEP_MAX_MS,
  );
});
