// The picture of a list's summary: its numbers in the tab, its charts beside them, docs/images/summary-tab.png.
import {
  FADED_MS,
  openSidebar,
  tabOf,
  WHOLE_LIST,
  WITHOUT_SANDBOX,
  withPlayground,
} from './pictured-playground';

/** Down to the best products. */
const TALL = { width: WHOLE_LIST.viewport.width, height: 1_260 };

/** @param file where the picture goes. */
export const takeSummaryTab = (file: string): Promise<void> =>
  withPlayground({ contents: 'list' }, { ...WHOLE_LIST, viewport: TALL }, async (page) => {
    const sidebar = await openSidebar(page, 'Deals');
    await sidebar.getByRole('button', { name: 'Make summary tab' }).click();
    await sidebar.getByText('The tab “Summary”').waitFor();
    await tabOf(page, 'Summary').click();
    await page.getByRole('region', { name: 'Charts of this sheet' }).waitFor();
    await page.locator('#sidebar-close').click();
    // With the tabs of the sheets, which are in a footer of the grid's own.
    await page.addStyleTag({ content: WITHOUT_SANDBOX.replace('footer', 'body > footer') });
    await page.waitForTimeout(FADED_MS);
    await page.screenshot({ path: file });
  });
