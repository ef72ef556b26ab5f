// Days of the people the add-on is for, in the playground with the real bundle: presses are counted.
import { describe, expect, it } from '@jest/globals';
import type { FrameLocator, Page } from 'playwright-core';
import { countsOf } from '../../playground/api/state';
import { tabOf } from '../../playground/web/pictured-playground';
import type { Playground } from '../../playground/web/playground';
import { eventually } from './eventually';
import { addSheet, listedIn, openPlayground, openSidebar, rowsOf } from './open-playground';

/** A run over a short list on a slow machine. */
const RUN_MAX_MS = 120_000;
const ROWS = 40;
const MORE_ROWS = 20;

/** Each press counts. */
function pressesIn(sidebar: () => FrameLocator) {
  let count = 0;
  const press = async (name: string | RegExp) => {
    count += 1;
    await sidebar().getByRole('button', { name, exact: true }).click({ timeout: RUN_MAX_MS });
  };
  return {
    press,
    /** The presses since this was last asked. */
    taken: () => {
      const taken = count;
      count = 0;
      return taken;
    },
  };
}

const callsOf = ({ sandbox, key }: Playground) => countsOf(sandbox.state(), key.name).calls;

const worldButton = (page: Page, name: string) => page.getByRole('button', { name }).click();

describe('a reseller in the US', () => {
  const { playground, page, sidebar } = openPlayground({
    contents: 'samples',
    firstRun: true,
    keyName: 'demo-key-20-per-second',
    productsPerMarket: 100,
  });
  const { press, taken } = pressesIn(sidebar);
  const asins = () => [...playground().sandbox.state().catalogue.asins.US];

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

  it(
    'connects by one paste, and comes from a messy list to a shopping list in four presses',
    async () => {
      const rows = asins().slice(0, ROWS).map(messy);
      addSheet(playground(), 'Supplier', [['Item', 'ASIN / link', 'Our cost'], ...rows]);
      await openSidebar(page());
      const { baseUrl } = playground().sandbox;
      const message = `Hi, your access is ready.\nURL: ${baseUrl}\nkey: ${playground().key.name}\nLimit: 20 requests per second`;
      await sidebar().getByRole('textbox').first().fill(message);
      await press('Connect');
      playground().hurry(true);
      await press(`Analyze ${ROWS}`);
      expect(taken()).toBe(2);
      await press('Add decisions');
      await press('Make shopping list');
      expect(taken()).toBe(2);
      await eventually(() => listedIn(playground()) > 0, true);
      // Its tab comes into view, and the page leads back.
      await sidebar().getByRole('button', { name: 'Back to “Supplier”' }).waitFor();
    },
    3 * RUN_MAX_MS,
  );

  it(
    'has the rows that are pasted below analyzed and decided by one press',
    async () => {
      const { model } = playground().sheet;
      const id = model.sheets().find(({ name }) => name === 'Supplier')?.id ?? 0;
      const more = asins()
        .slice(ROWS, ROWS + MORE_ROWS)
        .map(messy);
      model.write(id, ROWS + 2, 1, more);
      await tabOf(page(), 'Supplier').click();
      // The page looks at the sheet in view when the pointer comes back to it.
      await sidebar().getByRole('heading').first().hover();
      await press(`Analyze ${MORE_ROWS}`);
      const decided = () =>
        rowsOf(playground(), id).filter(({ Verdict }) =>
          /^(Buy|Maybe|Skip|No verdict)/.test(String(Verdict)),
        ).length;
      await eventually(decided, ROWS + MORE_ROWS);
      await press('Schedule');
      await sidebar().getByText('every day', { exact: false }).first().waitFor();
      expect(taken()).toBe(2);
    },
    2 * RUN_MAX_MS,
  );
});

describe('an assistant with another’s key', () => {
  const { playground, page, sidebar } = openPlayground({ contents: 'offers' });
  const { press, taken } = pressesIn(sidebar);

  it(
    'is told which cells are protected before anything is paid, and works with the owner’s key once they are not',
    async () => {
      await worldButton(page(), 'Protect sheet');
      await page().getByText('The sheet is protected').waitFor();
      await worldButton(page(), 'Second person');
      await page().getByText('You are an assistant now').waitFor();
      const before = callsOf(playground());
      await openSidebar(page());
      await sidebar().getByText('are protected. Ask the owner for access').waitFor();
      expect(callsOf(playground())).toBe(before);
      await worldButton(page(), 'Protect sheet');
      await page().getByText('The sheet is open again').waitFor();
      await press('Look again');
      await press('Analyze 18');
      await press('Add decisions');
      await press('Make shopping list');
      expect(taken()).toBe(4);
      await eventually(() => listedIn(playground()) > 0, true);
    },
    3 * RUN_MAX_MS,
  );
});

describe('a day on which everything goes wrong', () => {
  const { playground, page, sidebar } = openPlayground({ contents: 'offers' });
  const { press, taken } = pressesIn(sidebar);
  const heading = (name: string | RegExp) =>
    sidebar().getByRole('heading', { name }).waitFor({ timeout: RUN_MAX_MS });
  const closeSidebar = () => page().locator('#sidebar-close').click();

  it(
    'stops while the service is out, is found so by who opens the page again, and goes on at a press',
    async () => {
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
      await press('Continue');
      await press('Add decisions');
      await sidebar()
        .getByRole('button', { name: 'Make shopping list' })
        .waitFor({ timeout: RUN_MAX_MS });
      expect(taken()).toBe(3);
    },
    3 * RUN_MAX_MS,
  );
});
