// Pictures of the tabs that decisions bring: a list's summary with its charts, and the rules, docs/images/*-tab.png.
import type { FrameLocator, Page } from 'playwright-core';
import {
  FADED_MS,
  goTo,
  openSidebar,
  tabOf,
  WHOLE_LIST,
  WITHOUT_SANDBOX,
  withPlayground,
} from './pictured-playground';
import type { Playground } from './playground';

/** Down to the best products. */
const TALL = { width: WHOLE_LIST.viewport.width, height: 1_260 };

/** Figures have moved in them, so that each product has a line of its ROI. */
const NIGHTS = 5;
/** Of GBP to USD. */
const TYPED_RATE = '1.27';
const LOOK_EVERY_MS = 500;
/** What stands in columns to the right of the rules is nothing. */
const NARROW = { width: WHOLE_LIST.viewport.width * 0.6, height: WHOLE_LIST.viewport.height };

async function passNights(page: Page, sidebar: FrameLocator, { sheet }: Playground): Promise<void> {
  const changes = () => {
    const log = sheet.model.sheets().find(({ name }) => name === 'Analysis changes');
    return log === undefined ? 0 : sheet.model.size(log.id).lastRow;
  };
  await sidebar.getByRole('tab', { name: 'Schedule' }).click();
  await sidebar.getByRole('button', { name: 'Refresh every morning' }).click();
  await sidebar.getByRole('heading', { name: 'Schedules' }).waitFor();
  for (let night = 0; night < NIGHTS; night += 1) {
    const before = changes();
    await page.locator('#skip-day').click();
    while (changes() === before) await page.waitForTimeout(LOOK_EVERY_MS);
  }
  await sidebar.getByRole('tab', { name: 'Deals' }).click();
}

async function takeTab(page: Page, name: string, file: string): Promise<void> {
  await tabOf(page, name).click();
  await page.locator('#sidebar-close').click();
  // With the tabs of the sheets, which are in a footer of the grid's own.
  await page.addStyleTag({ content: WITHOUT_SANDBOX.replace('footer', 'body > footer') });
  await page.waitForTimeout(FADED_MS);
  await page.screenshot({ path: file });
}

/** @param file where the picture goes. */
export const takeSummaryTab = (file: string): Promise<void> =>
  withPlayground(
    { contents: 'list' },
    { ...WHOLE_LIST, viewport: TALL },
    async (page, playground) => {
      const sidebar = await openSidebar(page, 'Deals');
      await passNights(page, sidebar, playground);
      await sidebar.getByRole('button', { name: 'Make summary tab' }).click();
      await sidebar.getByText('The tab “Summary”').waitFor();
      await takeTab(page, 'Summary', file);
    },
  );

/** @param file where the picture goes. */
export const takeRulesTab = (file: string): Promise<void> =>
  withPlayground({ contents: 'list' }, { ...WHOLE_LIST, viewport: NARROW }, async (page) => {
    await openSidebar(page, 'Deals');
    await tabOf(page, 'Deal rules').click();
    // No exchange rate comes from here.
    await goTo(page, 'B22');
    await page.keyboard.type(TYPED_RATE);
    await page.keyboard.press('Enter');
    await takeTab(page, 'Deal rules', file);
  });
