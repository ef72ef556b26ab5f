// From a supplier's list to a shopping list in the playground: the real bundle, presses counted.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Browser, chromium, type FrameLocator, type Page } from 'playwright-core';
import { featuresOf } from '../../playground/host/sheet/book-features';
import { createOpenPages } from '../../playground/web/open-pages';
import { bundlePage } from '../../playground/web/page-bundle';
import { type PageServer, startPageServer } from '../../playground/web/page-server';
import { type Playground, startPlayground } from '../../playground/web/playground';
import type { Contents } from '../../playground/web/sample-sheet';
import { chromiumArgs, chromiumPath } from '../../scripts/chromium';
import { built } from '../build-once';
import { eventually, STEP_MAX_MS } from './eventually';
import { expectNoViolations } from './sidebar-browser';

const LIST = 0;
const VERDICT = { row: 2, column: 17, rowCount: 18, columnCount: 1 };

interface Opened {
  playground(): Playground;
  page(): Page;
  sidebar(): FrameLocator;
}

/** One browser and one spreadsheet for a block of tests. */
function opened(contents: Contents): Opened {
  let playground: Playground | undefined;
  let server: PageServer | undefined;
  let browser: Browser | undefined;
  let page: Page | undefined;
  const made = <Thing>(thing: Thing | undefined): Thing => {
    if (thing === undefined) throw new Error('The playground was not started.');
    return thing;
  };

  beforeAll(async () => {
    const pages = createOpenPages();
    const distFolder = await built({ loopback: true });
    const { screen } = pages;
    playground = await startPlayground({ distFolder, contents, screen });
    const folder = await bundlePage();
    server = await startPageServer({ folder, port: 0, onPage: pages.serve(playground) });
    browser = await chromium.launch({ executablePath: chromiumPath(), args: [...chromiumArgs] });
    page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    page.setDefaultTimeout(STEP_MAX_MS);
    await page.goto(server.address);
    await page.locator('main:not([aria-busy])').waitFor();
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    await playground?.stop();
  });

  return {
    playground: () => made(playground),
    page: () => made(page),
    sidebar: () => made(page).frameLocator('#sidebar iframe'),
  };
}

async function openSidebar(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Extensions' }).click();
  await page.getByRole('menuitem', { name: 'Product Analysis' }).hover();
  await page.getByRole('menuitem', { name: 'Open sidebar' }).click();
}

describe('a list of offers', () => {
  const { playground, page, sidebar } = opened('offers');
  const press = (name: string) => sidebar().getByRole('button', { name, exact: true }).click();

  it('comes to a shopping list in six presses, the sell price written without being asked for', async () => {
    await openSidebar(page());
    await press('Preview');
    await press('Start 18 calls');
    await sidebar().getByText('Which to buy?').waitFor();
    await press('Add decisions');
    await press('Make shopping list');
    const names = () =>
      playground()
        .sheet.model.sheets()
        .map(({ name }) => name);
    await eventually(() => names().includes('Shopping list'), true);
  });
});

describe('deals in the playground', () => {
  const deals = opened('list');
  let playground: Playground;
  let page: Page;
  let sidebar: FrameLocator;

  beforeAll(() => {
    playground = deals.playground();
    page = deals.page();
    sidebar = deals.sidebar();
  });

  const verdicts = () => playground.sheet.model.values(LIST, VERDICT).flat();
  const buys = () => verdicts().filter((verdict) => verdict === 'Buy').length;
  const press = (name: string) => sidebar.getByRole('button', { name, exact: true }).click();

  it('begins with figures, verdicts and their colours', async () => {
    await playground.sheet.settled();
    expect(new Set(verdicts())).toEqual(new Set(['Buy', 'Maybe', 'Skip']));
    const { rules } = featuresOf(playground.sheet.model).look(LIST);
    expect(rules.map(({ values }) => values[0])).toContain('Buy');
  });

  it('has nothing that axe finds in its own frame', async () => {
    // What Univer draws is Univer's.
    await expectNoViolations(page, '.top', 'body > footer');
  });

  it('takes six presses to a filtered, sorted list and a shopping list', async () => {
    const { model } = playground.sheet;
    const bought = buys();
    await openSidebar(page);
    await sidebar.getByRole('tab', { name: 'Deals' }).click();
    await press('Sort by ROI');
    await sidebar.getByText('Sorted by My ROI').waitFor();
    await press('Show only buys');
    await sidebar.getByText('Only buys are shown').waitFor();
    const isShown = (_: unknown, at: number) => !model.isRowHidden(LIST, at + 2, 'filter');
    await eventually(() => verdicts().filter(isShown).length, bought);
    await press('Make shopping list');
    await eventually(
      () =>
        model
          .sheets()
          .map(({ name }) => name)
          .includes('Shopping list'),
      true,
    );
  });

  it('shows a day later what a schedule made of it', async () => {
    const { model } = playground.sheet;
    const profits = () => model.values(LIST, { ...VERDICT, column: 6 }).flat();
    const before = profits();
    await sidebar.getByRole('tab', { name: 'Schedule' }).click();
    await press('Refresh every morning');
    await sidebar.getByRole('heading', { name: 'Schedules' }).waitFor();
    await page.getByRole('button', { name: 'Jump one day' }).click();
    await page.getByText('One day later').waitFor();
    await eventually(() => profits().some((profit, at) => profit !== before[at]), true);
    const names = () => model.sheets().map(({ name }) => name);
    await eventually(() => names().includes('Analysis changes'), true);
  });

  it('has a service that is out at a press, and back at the next', async () => {
    const outage = page.getByRole('button', { name: 'Service outage' });
    await outage.click();
    await page.getByText('The service is out').waitFor();
    expect(await outage.getAttribute('aria-pressed')).toBe('true');
    await sidebar.getByRole('tab', { name: 'Connection' }).click();
    await press('Check');
    await sidebar.getByRole('alert').waitFor();
    await outage.click();
    await page.getByText('The service is back').waitFor();
    await expectNoViolations(page, '.top');
  });
});
