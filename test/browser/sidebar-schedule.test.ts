// A schedule as a person has it: the real bundle behind the sidebar, in the playground.

import { describe, expect, it } from '@jest/globals';
import { tabOf } from '../../playground/web/pictured-playground';
import { eventually } from './eventually';
import {
  addSheet,
  figureOf,
  hurryThrough,
  openPlayground,
  openSidebar,
  rowsOf,
} from './open-playground';

const ROWS = 60;
/** Of the catalogue; those before it are in the sample sheet, and in the cache. */
const FIRST = 20;
/** A run of these rows at one a second, stopped once, and what the clock goes on with. */
const TEST_MAX_MS = 600_000;
const DONE_MAX_MS = 300_000;
/** Far from its end, so that it can be stopped before. */
const UNDER_WAY = /^[1-9]\d* of \d+$/;

const NAME = 'Every day at 6:00 AM';
const FULL_NAME = `${NAME}, Wholesale`;

describe('a schedule from the sidebar', () => {
  const { playground, page, sidebar, reopen } = openPlayground({
    contents: 'offers',
    keyName: 'demo-key-1-per-second',
    isPageHasty: true,
  });

  const button = (name: string) => sidebar().getByRole('button', { name, exact: true });
  const press = (name: string): Promise<void> => button(name).click();
  const says = (text: string | RegExp, timeout?: number): Promise<void> =>
    sidebar()
      .getByText(text)
      .first()
      .waitFor(timeout === undefined ? {} : { timeout });
  const isOn = () =>
    sidebar().getByRole('switch', { name: FULL_NAME }).getAttribute('aria-checked');
  const lines = (selector: string) => sidebar().locator(selector).allInnerTexts();

  /** Another sheet with so many products, in view. */
  function addList(): number {
    const { US } = playground().sandbox.state().catalogue.asins;
    const asins = [...US].slice(FIRST, FIRST + ROWS);
    return addSheet(playground(), 'Wholesale', [['ASIN'], ...asins.map((asin) => [asin])]);
  }

  const answered = (sheetId: number) =>
    rowsOf(playground(), sheetId).filter((row) => row['Analysis status'] === 'OK');

  it(
    'is made, switched off and on, run, stopped, gone on with by the clock, and told of',
    async () => {
      const sheetId = addList();
      await openSidebar(page());
      await press(`Analyze ${ROWS}`);
      await press('Stop');
      await sidebar()
        .getByRole('heading', { name: /^Stopped/ })
        .waitFor();
      const first = answered(sheetId).length;
      await sidebar().getByRole('tab', { name: 'Schedule' }).click();
      await sidebar().getByRole('heading', { name: 'Wholesale' }).waitFor();
      await press('Refresh every morning');
      await sidebar().getByRole('heading', { name: NAME }).waitFor();
      await eventually(isOn, 'true');

      await sidebar().getByRole('switch', { name: FULL_NAME }).click();
      await eventually(isOn, 'false');
      await eventually(() => lines('.times dd'), ['not yet', 'off']);
      await sidebar().getByRole('switch', { name: FULL_NAME }).click();
      await eventually(isOn, 'true');
      await eventually(() => lines('.times dd'), ['not yet', expect.stringMatching(/\d.*–.*\d/)]);

      await press(`Run now: ${FULL_NAME}`);
      await hurryThrough(playground(), ROWS / 4);
      await sidebar().getByText(UNDER_WAY).waitFor();
      await press('Stop');
      await says(/^Stopped\. \d+ refreshed with \d+ calls/);
      const before = answered(sheetId).length;
      expect(before).toBeGreaterThan(first);
      expect(before).toBeLessThan(ROWS);
      await says(/continues within/);

      // From here on nobody has to be quicker than the run, and no page tells of a time to come.
      playground().hurry(true);
      const fired = await playground().host.start({
        functionName: 'onSchedule',
        args: [],
        door: 'clock',
      });
      expect(fired.ok).toBe(true);
      const rows = rowsOf(playground(), sheetId);
      expect(answered(sheetId)).toHaveLength(ROWS);
      const isWrong = ({ ASIN, Profit }: (typeof rows)[number]) =>
        Profit !== figureOf(playground(), String(ASIN), 'profit');
      expect(rows.filter(isWrong)).toEqual([]);

      await reopen();
      await tabOf(page(), 'Wholesale').click();
      await sidebar().getByRole('tab', { name: 'Schedule' }).click();
      await press('History');
      await eventually(
        () => lines('.past-run .caption'),
        [
          expect.stringMatching(`^${ROWS - before} refreshed · ${ROWS - before} calls$`),
          // What was on its way when it was stopped is written, and not counted.
          expect.stringMatching(/^\d+ refreshed · \d+ calls · partly done · by hand$/),
        ],
      );
      await press(`Run now: ${FULL_NAME}`);
      await says('Everything is up to date.', DONE_MAX_MS);

      await press(`Remove: ${FULL_NAME}`);
      await press('Remove schedule');
      await button('Refresh every morning').waitFor();
    },
    TEST_MAX_MS,
  );
});
