// Pictures of the tabs that decisions bring: a list's summary with its charts, and the rules, docs/images/*-tab.png.
import type { Page } from 'playwright-core';
import {
  FADED_MS,
  goTo,
  openSidebar,
  tabOf,
  WHOLE_LIST,
  WITHOUT_SANDBOX,
  withPlayground,
} from './pictured-playground';

/** Down to the best products. */
const TALL = { width: WHOLE_LIST.viewport.width, height: 1_260 };

/** Of GBP to USD. */
const TYPED_RATE = '1.27';
/** What stands in columns to the right of the rules is nothing. */
const NARROW = { width: WHOLE_LIST.viewport.width * 0.6, height: WHOLE_LIST.viewport.height };

async function takeGrid(page: Page, file: string): Promise<void> {
  await page.locator('#sidebar-close').click();
  // With the tabs of the sheets, which are in a footer of the grid's own.
  await page.addStyleTag({ content: WITHOUT_SANDBOX.replace('footer', 'body > footer') });
  await page.waitForTimeout(FADED_MS);
  await page.screenshot({ path: file });
}

/** @param file where the picture goes. */
export const takeSummaryTab = (file: string): Promise<void> =>
  withPlayground({ contents: 'list' }, { ...WHOLE_LIST, viewport: TALL }, async (page) => {
    const sidebar = await openSidebar(page, 'Deals');
    await sidebar.getByRole('button', { name: 'Make summary tab' }).click();
    await sidebar.getByText('The tab “Summary”').waitFor();
    await tabOf(page, 'Summary').click();
    await page.getByRole('region', { name: 'Charts of this sheet' }).waitFor();
    await takeGrid(page, file);
  });

/** @param file where the picture goes. */
export const takeRulesTab = (file: string): Promise<void> =>
  withPlayground({ contents: 'list' }, { ...WHOLE_LIST, viewport: NARROW }, async (page) => {
    await openSidebar(page, 'Deals');
    await tabOf(page, 'Deal rules').click();
    // No exchange rate comes from here.
    await goTo(page, 'B22');
    await page.keyboard.type(TYPED_RATE);
    await page.keyboard.press('Enter');
    await page.keyboard.type('USD');
    await page.keyboard.press('Enter');
    await takeGrid(page, file);
  });
