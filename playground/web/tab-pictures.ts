// Takes pictures of the tabs that decisions create: a list's summary with its charts, and the
// rules, docs/images/*-tab.png.
import type { Page } from 'playwright-core';
import {
  FADED_MS,
  openSidebar,
  tabOf,
  WHOLE_LIST,
  WITHOUT_SANDBOX,
  withPlayground,
} from './pictured-playground';

/** The columns to the right of the rules are empty. */
const NARROW = { width: WHOLE_LIST.viewport.width * 0.6, height: WHOLE_LIST.viewport.height };

async function takeGrid(page: Page, file: string): Promise<void> {
  await page.locator('#sidebar-close').click();
  // Keeps the sheets' tabs, which are in the grid's own footer.
  await page.addStyleTag({ content: WITHOUT_SANDBOX.replace('footer', 'body > footer') });
  await page.waitForTimeout(FADED_MS);
  await page.screenshot({ path: file });
}

/** @param file the picture's path */
export const takeSummaryTab = (file: string): Promise<void> =>
  withPlayground({ contents: 'list' }, WHOLE_LIST, async (page) => {
    const sidebar = await openSidebar(page, 'List');
    await sidebar.getByRole('button', { name: 'Make summary tab' }).click();
    await sidebar.getByText('The tab “Summary”').waitFor();
    await tabOf(page, 'Summary').click();
    await page.getByRole('region', { name: 'Charts of this sheet' }).waitFor();
    await takeGrid(page, file);
  });

/** @param file the picture's path */
export const takeRulesTab = (file: string): Promise<void> =>
  withPlayground({ contents: 'list' }, { ...WHOLE_LIST, viewport: NARROW }, async (page) => {
    await openSidebar(page, 'List');
    await tabOf(page, 'Deal rules').click();
    await takeGrid(page, file);
  });
