// The picture of a list's summary: its numbers in the tab, its charts beside them, docs/images/summary-tab.png.
import {
  FADED_MS,
  openSidebar,
  tabOf,
  WHOLE_LIST,
  WITHOUT_SANDBOX,
  withPlayground,
} from './pictured-playground';

const DAYS = 4;
/** Some twenty calls, and the sheet shows what came of them. */
const NIGHT_MS = 12_000;
/** Down to the best products. */
const TALL = { width: WHOLE_LIST.viewport.width, height: 1_260 };

/** @param file where the picture goes. */
export const takeSummaryTab = (file: string): Promise<void> =>
  withPlayground({ contents: 'list' }, { ...WHOLE_LIST, viewport: TALL }, async (page) => {
    const sidebar = await openSidebar(page, 'Schedule');
    await sidebar.getByRole('button', { name: 'Refresh every morning' }).click();
    await sidebar.getByRole('heading', { name: 'Schedules' }).waitFor();
    // ROI over time takes some time.
    for (let day = 1; day <= DAYS; day += 1) {
      await page.getByRole('button', { name: 'Jump one day' }).click();
      await sidebar.getByRole('button', { name: 'History' }).waitFor();
      await page.waitForTimeout(NIGHT_MS);
    }
    await sidebar.getByRole('tab', { name: 'Deals' }).click();
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
