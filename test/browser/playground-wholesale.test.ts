// From a paste of 500 offers to a shopping list in the playground: the real bundle, presses counted.
import { describe, expect, it } from '@jest/globals';
import { findProduct } from '../../playground/api/catalogue';
import { figuresOf } from '../../playground/api/product';
import { eventually, STEP_MAX_MS } from './eventually';
import { openPlayground, openSidebar } from './open-playground';

/** A wholesaler's list, the length that sellers get by e-mail. */
const WHOLESALE_ROWS = 500;
/** 500 calls at 20 a second, and a slow machine. */
const WHOLESALE_MAX_MS = 280_000;

describe(`a wholesale list of ${WHOLESALE_ROWS} rows`, () => {
  const { playground, page, sidebar } = openPlayground({
    contents: 'offers',
    keyName: 'demo-key-20-per-second',
    productsPerMarket: WHOLESALE_ROWS,
  });

  /** As it is copied from a supplier's file: codes, names and costs, some of them good ones. */
  function copied(): string {
    const { catalogue } = playground().sandbox.state();
    const asins = [...catalogue.asins.US].slice(-WHOLESALE_ROWS);
    const rows = asins.map((asin, at) => {
      const product = findProduct(catalogue, asin, 'US');
      const sellsAt = product === undefined ? null : figuresOf(product).sell;
      const cost = ((sellsAt ?? 2_000) / 100) * (0.2 + (at % 7) / 10);
      return [asin, `Item ${at + 1}`, cost.toFixed(2)].join('\t');
    });
    return ['ASIN\tTitle\tCost', ...rows].join('\n');
  }

  /** Everything that stands under a title; '' in rows that are blank there. */
  function column(sheetName: string, title: string): readonly unknown[] {
    const { model } = playground().sheet;
    const sheet = model.sheets().find(({ name }) => name === sheetName);
    if (sheet === undefined) return [];
    const { lastRow, lastColumn } = model.size(sheet.id);
    const area = { row: 1, column: 1, rowCount: lastRow, columnCount: lastColumn };
    const cells = model.values(sheet.id, area);
    const head = cells.findIndex((row) => row.includes(title));
    const at = cells[head]?.indexOf(title) ?? -1;
    return at < 0 ? [] : cells.slice(head + 1).map((row) => row[at]);
  }

  it(
    'comes from a paste to a shopping list in seven presses',
    async () => {
      let presses = 0;
      await page().exposeFunction('countPress', () => {
        presses += 1;
      });
      await page().addInitScript(() => {
        document.addEventListener('pointerdown', () => Reflect.get(window, 'countPress')(), true);
      });
      await page().reload();
      await page().locator('main:not([aria-busy])').waitFor();
      const { model } = playground().sheet;
      const id = model.addSheet('Wholesale', 1);
      const rectangle = { row: 1, column: 1, rowCount: 1, columnCount: 1 };
      model.select({ sheetId: id, rectangle });
      await page().getByText('Wholesale', { exact: true }).first().waitFor();
      await page().evaluate((text) => navigator.clipboard.writeText(text), copied());

      const grid = await page().locator('#grid').boundingBox();
      await page().mouse.click((grid?.x ?? 0) + 300, (grid?.y ?? 0) + 300);
      // Over empty cells to the first one.
      await page().keyboard.press('Control+ArrowUp');
      await page().keyboard.press('Control+ArrowLeft');
      await page().keyboard.press('Control+v');
      await eventually(() => model.size(id).lastRow, WHOLESALE_ROWS + 1);

      await openSidebar(page());
      const press = (name: string) =>
        sidebar().getByRole('button', { name, exact: true }).click({ timeout: WHOLESALE_MAX_MS });
      // Nobody has to be quicker than the run.
      playground().hurry(true);
      await press(`Analyze ${WHOLESALE_ROWS}`);
      await sidebar()
        .getByText('Decide with your own costs')
        .waitFor({ timeout: WHOLESALE_MAX_MS });
      await press('Add decisions');
      await press('Make shopping list');
      const listed = () => column('Shopping list', 'ASIN').filter((asin) => asin !== '').length;
      await eventually(() => listed() > 0, true);

      const verdicts = column('Wholesale', 'Verdict');
      expect(verdicts).toHaveLength(WHOLESALE_ROWS);
      const bought = verdicts.filter((verdict) => verdict === 'Buy').length;
      expect(listed()).toBe(bought);
      expect(presses).toBeLessThanOrEqual(7);
    },
    WHOLESALE_MAX_MS + STEP_MAX_MS,
  );
});
