// From a paste of 500 offers to a shopping list in the playground: the real bundle, presses counted.
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

/** A wholesaler's list, the length that sellers get by e-mail. */
const WHOLESALE_ROWS = 500;
/** 500 calls at 20 a second, and a slow machine. */
const WHOLESALE_MAX_MS = 280_000;

describe(`a wholesale list of ${WHOLESALE_ROWS} rows`, () => {
  const { playground, page, sidebar, presses } = openPlayground({
    contents: 'offers',
    keyName: 'demo-key-20-per-second',
    productsPerMarket: WHOLESALE_ROWS,
  });

  /** As it is copied from a supplier's file: codes, names and costs, some of them good ones. */
  function copied(): string {
    const asins = [...playground().sandbox.state().catalogue.asins.US].slice(-WHOLESALE_ROWS);
    const rows = asins.map((asin, at) => {
      const sellsAt = figureOf(playground(), asin, 'sell') || 20;
      const cost = sellsAt * (0.2 + (at % 7) / 10);
      return [asin, `Item ${at + 1}`, cost.toFixed(2)].join('\t');
    });
    return ['ASIN\tTitle\tCost', ...rows].join('\n');
  }

  it(
    'comes from a paste to a shopping list in seven presses',
    async () => {
      const { model } = playground().sheet;
      const id = addSheet(playground(), 'Wholesale');
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
      await eventually(() => listedIn(playground()) > 0, true);

      const rows = rowsOf(playground(), id);
      expect(rows).toHaveLength(WHOLESALE_ROWS);
      expect(listedIn(playground())).toBe(rows.filter(({ Verdict }) => Verdict === 'Buy').length);
      expect(presses()).toBeLessThanOrEqual(7);
    },
    WHOLESALE_MAX_MS + STEP_MAX_MS,
  );
});
