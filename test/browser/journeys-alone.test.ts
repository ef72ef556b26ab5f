// The days of a reseller alone, in the playground with the real bundle: presses are counted.
import { describe, expect, it } from '@jest/globals';
import { tabOf } from '../../playground/web/pictured-playground';
import { eventually } from './eventually';
import { addSheet, listedIn, openPlayground, openSidebar, rowsOf } from './open-playground';

/** A run over a list on a slow machine. */
const RUN_MAX_MS = 120_000;
const TIMEOUT = { timeout: RUN_MAX_MS };

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
    isPageHasty: true,
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
