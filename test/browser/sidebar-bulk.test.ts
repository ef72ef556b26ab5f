// A job over a list as a person does it: the real bundle behind the sidebar, in the playground.

import { describe, expect, it } from '@jest/globals';
import { FAULT_PRODUCTS } from '../../playground/api/faults';
import { eventually, STEP_MAX_MS } from './eventually';
import {
  addSheet,
  figureOf,
  hurryThrough,
  openPlayground,
  openSidebar,
  rowsOf,
} from './open-playground';
import { expectNoViolations } from './sidebar-browser';

/** A job at one a second at most, twice interrupted, and a retry with the pauses it makes. */
const RUN_MAX_MS = 900_000;
const DONE_MAX_MS = 300_000;

const ROWS = 60;
/** Of the catalogue; those before it are in the sample sheet, and in the cache. */
const FIRST = 20;
/** The service never answers for these, so that something is left to be retried. */
const FAILING = Object.entries(FAULT_PRODUCTS)
  .filter(([, { fault }]) => ['crash', 'bad-gateway', 'gateway-timeout'].includes(fault))
  .map(([asin]) => asin);
/** Ten rows and more, but not all. */
const UNDER_WAY = new RegExp(`^[1-5]\\d of ${ROWS}`);

const { playground, page, sidebar, presses, reopen } = openPlayground({
  // Slow enough to be paused half-way on any machine.
  keyName: 'demo-key-1-per-second',
  isPageHasty: true,
});

const press = (name: string): Promise<void> =>
  sidebar().getByRole('button', { name, exact: true }).click();
const titled = (name: RegExp | string, timeout = STEP_MAX_MS): Promise<void> =>
  sidebar().getByRole('heading', { name }).waitFor({ timeout });
const done = (): Promise<void> => titled('Done', DONE_MAX_MS);

/** While the job goes on beside it, as it is at that moment. */
async function expectAccessibleNow(): Promise<void> {
  const frame = await (await page().locator('#sidebar iframe').elementHandle())?.contentFrame();
  if (!frame) throw new Error('The sidebar is not open.');
  await expectNoViolations(frame);
}

/** Another sheet with so many products, in view. */
function addList(): number {
  const { US } = playground().sandbox.state().catalogue.asins;
  const asins = [...[...US].slice(FIRST, FIRST + ROWS - FAILING.length), ...FAILING];
  const rows = asins.map((asin, at) => [asin, (at * 7) % ROWS]);
  return addSheet(playground(), 'Wholesale', [['ASIN', 'Lot'], ...rows]);
}

/** The page follows whoever comes back from another sheet, until its heading says so. */
const follow = (heading: string, of = (title: string) => title): Promise<string> =>
  eventually(async () => {
    const title = sidebar().getByRole('heading').first();
    await title.evaluate(() => window.dispatchEvent(new Event('focus')));
    return of(await title.innerText());
  }, heading);

describe('a job from the sidebar', () => {
  it(
    'is under way two clicks after the sidebar was opened on the sample sheet',
    async () => {
      await openSidebar(page());
      const before = presses();
      await titled('Products');
      await sidebar()
        .getByRole('button', { name: /^(Analyze|Write saved)/ })
        .click();
      await titled(/of|Done/);
      playground().hurry(true);
      await done();
      playground().hurry(false);
      expect(presses() - before).toBeLessThanOrEqual(2);
    },
    RUN_MAX_MS,
  );

  it(
    'is paused, found again after a reload, goes on while rows are sorted, and retries',
    async () => {
      const sheetId = addList();
      await follow('Wholesale');
      await sidebar().getByText(`${ROWS} products on Amazon`).waitFor();
      await expectAccessibleNow();
      await press(`Analyze ${ROWS}`);
      await hurryThrough(playground(), ROWS / 3);
      await titled(UNDER_WAY);
      await expectAccessibleNow();
      await press('Pause');
      await titled(/^Paused at/);
      await expectAccessibleNow();

      await reopen();
      // Another sheet is in view, and the page tells of the job over this one.
      await sidebar()
        .getByText(/^“Wholesale”: Paused at/)
        .waitFor();
      const { model } = playground().sheet;
      model.select({ sheetId, rectangle: { row: 1, column: 1, rowCount: 1, columnCount: 1 } });
      await follow('Paused at', (title) => title.slice(0, 9));
      await press('Continue');
      await sidebar().getByRole('button', { name: 'Pause' }).waitFor();
      const list = {
        row: 2,
        column: 1,
        rowCount: ROWS,
        columnCount: model.size(sheetId).lastColumn,
      };
      model.sort(sheetId, list, [{ column: 2, ascending: false }]);
      // From here on nobody has to be quicker than the run.
      playground().hurry(true);
      await done();

      const rows = rowsOf(playground(), sheetId);
      expect(rows.map(({ Lot }) => Lot)).toEqual(rows.map((_, at) => ROWS - 1 - at));
      const wrong = () =>
        rowsOf(playground(), sheetId).filter(
          ({ ASIN, Profit, ...row }) =>
            !FAILING.includes(String(ASIN)) &&
            (row['Analysis status'] !== 'OK' ||
              Profit !== figureOf(playground(), String(ASIN), 'profit')),
        );
      await eventually(async () => wrong(), []);

      await sidebar().getByText('need attention', { exact: true }).waitFor();
      await expectAccessibleNow();
      await press(`Retry ${FAILING.length}`);
      await sidebar().getByRole('listitem').filter({ hasText: '0products answered' }).waitFor();
      await done();
      await press('Analyze again');
    },
    RUN_MAX_MS,
  );
});
