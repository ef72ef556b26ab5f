// From a supplier's list to a shopping list in the playground: the real bundle, presses counted.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { featuresOf } from 'apps-script-host/sheet/book-features';
import { type Browser, chromium, type FrameLocator, type Page } from 'playwright-core';
import { findProduct } from '../../playground/api/catalogue';
import { figuresOf } from '../../playground/api/product';
import { createOpenPages } from '../../playground/web/open-pages';
import { bundlePage } from '../../playground/web/page-bundle';
import { type PageServer, startPageServer } from '../../playground/web/page-server';
import { tabOf } from '../../playground/web/pictured-playground';
import {
  type Playground,
  type PlaygroundOptions,
  startPlayground,
} from '../../playground/web/playground';
import { chromiumArgs, chromiumPath } from '../../scripts/chromium';
import { SAMPLE_ASINS } from '../../src/engine/analyze';
import { built } from '../build-once';
import { eventually, STEP_MAX_MS } from './eventually';
import { expectNoViolations } from './sidebar-browser';

const LIST = 0;
const PROFIT = 11;
/** Of *ROI over time* in a summary, counted from 0. */
const HISTORY = 3;
const VERDICT = { row: 2, column: 9, rowCount: 18, columnCount: 1 };

interface Opened {
  playground(): Playground;
  page(): Page;
  sidebar(): FrameLocator;
}

/** One browser and one spreadsheet for a block of tests. */
function opened(
  options: Pick<PlaygroundOptions, 'contents' | 'firstRun' | 'keyName' | 'productsPerMarket'>,
): Opened {
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
    const distFolder = built('loopback');
    const { screen } = pages;
    playground = await startPlayground({ distFolder, ...options, screen });
    const folder = await bundlePage();
    server = await startPageServer({ folder, port: 0, onPage: pages.serve(playground) });
    browser = await chromium.launch({ executablePath: chromiumPath(), args: [...chromiumArgs] });
    page = await browser.newPage({
      viewport: { width: 1280, height: 800 },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
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

describe('the first run of the playground', () => {
  const { playground, page, sidebar } = opened({ contents: 'samples', firstRun: true });

  it('shows no error, and samples answered by one press', async () => {
    const { sheet } = playground();
    const profits = () =>
      sheet.model
        .values(0, { row: 2, column: 2, rowCount: SAMPLE_ASINS.length, columnCount: 1 })
        .flat();
    await sheet.settled();
    expect(profits()).toEqual(SAMPLE_ASINS.map(() => ''));
    expect(sheet.messages()).toEqual([]);
    await openSidebar(page());
    await sidebar().getByRole('button', { name: 'Try samples' }).click();
    await sidebar().getByRole('heading', { name: 'Trying samples' }).waitFor();
    await eventually(
      () => profits().map((profit) => typeof profit),
      SAMPLE_ASINS.map(() => 'number'),
    );
  });
});

describe('a list of offers', () => {
  const { playground, page, sidebar } = opened({ contents: 'offers' });
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

/** A wholesaler's list, the length that sellers get by e-mail. */
const WHOLESALE_ROWS = 500;
/** 500 calls at 20 a second, and a slow machine. */
const WHOLESALE_MAX_MS = 280_000;

describe(`a wholesale list of ${WHOLESALE_ROWS} rows`, () => {
  const { playground, page, sidebar } = opened({
    contents: 'offers',
    keyName: 'demo-key-20-per-second',
    productsPerMarket: WHOLESALE_ROWS,
  });

  /** As it is copied from a supplier's file: codes, names and costs, some of them good ones. */
  function copied(): string {
    const { catalogue } = playground().sandbox.state();
    const asins = [...catalogue.asins.US].slice(-WHOLESALE_ROWS);
    const rows = asins.map((asin, at) => {
      const product = findProduct(catalogue, asin, 'US');
      const sellsAt = product === undefined ? null : figuresOf(product).sell;
      const cost = ((sellsAt ?? 2_000) / 100) * (0.2 + (at % 7) / 10);
      return [asin, `Item ${at + 1}`, cost.toFixed(2)].join('\t');
    });
    return ['ASIN\tTitle\tCost', ...rows].join('\n');
  }

  /** Everything that stands under a title; '' in rows that are blank there. */
  function column(sheetName: string, title: string): readonly unknown[] {
    const { model } = playground().sheet;
    const sheet = model.sheets().find(({ name }) => name === sheetName);
    if (sheet === undefined) return [];
    const { lastRow, lastColumn } = model.size(sheet.id);
    const area = { row: 1, column: 1, rowCount: lastRow, columnCount: lastColumn };
    const cells = model.values(sheet.id, area);
    const head = cells.findIndex((row) => row.includes(title));
    const at = cells[head]?.indexOf(title) ?? -1;
    return at < 0 ? [] : cells.slice(head + 1).map((row) => row[at]);
  }

  it(
    'comes from a paste to a shopping list in seven presses',
    async () => {
      let presses = 0;
      await page().exposeFunction('countPress', () => {
        presses += 1;
      });
      await page().addInitScript(() => {
        document.addEventListener('pointerdown', () => Reflect.get(window, 'countPress')(), true);
      });
      await page().reload();
      await page().locator('main:not([aria-busy])').waitFor();
      const { model } = playground().sheet;
      const id = model.addSheet('Wholesale', 1);
      const rectangle = { row: 1, column: 1, rowCount: 1, columnCount: 1 };
      model.select({ sheetId: id, rectangle });
      await page().getByText('Wholesale', { exact: true }).first().waitFor();
      await page().evaluate((text) => navigator.clipboard.writeText(text), copied());

      const grid = await page().locator('#grid').boundingBox();
      await page().mouse.click((grid?.x ?? 0) + 300, (grid?.y ?? 0) + 300);
      // Over empty cells to the first one.
      await page().keyboard.press('Control+ArrowUp');
      await page().keyboard.press('Control+ArrowLeft');
      await page().keyboard.press('Control+v');
      await eventually(() => model.size(id).lastRow, WHOLESALE_ROWS + 1);

      await openSidebar(page());
      const press = (name: string) =>
        sidebar().getByRole('button', { name, exact: true }).click({ timeout: WHOLESALE_MAX_MS });
      await press('Preview');
      // Nobody has to be quicker than the run.
      playground().hurry(true);
      await press(`Start ${WHOLESALE_ROWS} calls`);
      await sidebar().getByText('Which to buy?').waitFor({ timeout: WHOLESALE_MAX_MS });
      await press('Add decisions');
      await press('Make shopping list');
      const listed = () => column('Shopping list', 'ASIN').filter((asin) => asin !== '').length;
      await eventually(() => listed() > 0, true);

      const verdicts = column('Wholesale', 'Verdict');
      expect(verdicts).toHaveLength(WHOLESALE_ROWS);
      const bought = verdicts.filter((verdict) => verdict === 'Buy').length;
      expect(listed()).toBe(bought);
      expect(presses).toBeLessThanOrEqual(7);
    },
    WHOLESALE_MAX_MS + STEP_MAX_MS,
  );
});

describe('deals in the playground', () => {
  const deals = opened({ contents: 'list' });
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

  it('draws the charts of a summary beside its tab, and nothing beside the list', async () => {
    const { model } = playground.sheet;
    const charts = page.getByRole('region', { name: 'Charts of this sheet' });
    await press('Make summary tab');
    await sidebar.getByText('The tab “Summary” has charts').waitFor();
    expect(await charts.isVisible()).toBe(false);
    await tabOf(page, 'Summary').click();
    await charts.waitFor();
    const said = (verdict: string) => verdicts().filter((one) => one === verdict).length;
    const counted = `Buy ${said('Buy')}, Maybe ${said('Maybe')}, Skip ${said('Skip')}`;
    await charts.getByRole('img', { name: counted }).waitFor();
    expect(await charts.getByRole('img').count()).toBe(5);
    await expectNoViolations(page, '#charts');
    model.select({ sheetId: LIST, rectangle: { row: 1, column: 1, rowCount: 1, columnCount: 1 } });
    await charts.waitFor({ state: 'hidden' });
  });

  it('shows a day later what a schedule made of it', async () => {
    const { model } = playground.sheet;
    const profits = () => model.values(LIST, { ...VERDICT, column: PROFIT }).flat();
    const before = profits();
    await sidebar.getByRole('tab', { name: 'Schedule' }).click();
    await press('Refresh every morning');
    await sidebar.getByRole('heading', { name: 'Schedules' }).waitFor();
    await page.getByRole('button', { name: 'Jump one day' }).click();
    await page.getByText('One day later').waitFor();
    await eventually(() => profits().some((profit, at) => profit !== before[at]), true);
    const names = () => model.sheets().map(({ name }) => name);
    await eventually(() => names().includes('Analysis changes'), true);
    // Nobody has to touch the page for it.
    await sidebar.getByText('Each change is in the sheet “Analysis changes”.').waitFor();
    // The summary was made while there was no change.
    await playground.sheet.settled();
    const { sparklines } = playground.sheet.workbook;
    const summary = model.sheets().find(({ name }) => name === 'Summary')?.id ?? -1;
    const drawn = sparklines.now().filter((one) => model.sheetIdOf(one.sheetId) === summary);
    expect(drawn.length).toBeGreaterThan(0);
    expect(drawn.every(({ column, points }) => column === HISTORY && points.length > 1)).toBe(true);
  });

  it('stays on the sheet in view where the clock makes another one', async () => {
    const { model } = playground.sheet;
    const id = model.addSheet('By the clock', model.sheets().length + 1);
    await tabOf(page, 'By the clock').waitFor();
    await sidebar.getByRole('tab', { name: 'Deals' }).click();
    await sidebar.getByText('“Supplier list”').waitFor();
    expect(model.selection().sheetId).toBe(LIST);
    model.deleteSheet(id);
  });

  it('has a service that is out at a press, has faults at another, and is back at the next', async () => {
    const outage = page.getByRole('button', { name: 'Service outage' });
    await outage.click();
    await page.getByText('The service is out').waitFor();
    expect(await outage.getAttribute('aria-pressed')).toBe('true');
    await sidebar.getByRole('tab', { name: 'Connection' }).click();
    await press('Check');
    await sidebar.getByRole('alert').waitFor();
    const faults = page.getByRole('button', { name: 'Service faults' });
    await faults.click();
    await page.getByText('The service has faults').waitFor();
    expect(await outage.getAttribute('aria-pressed')).toBe('false');
    expect(await faults.getAttribute('aria-pressed')).toBe('true');
    await faults.click();
    await page.getByText('The service is back').waitFor();
    await expectNoViolations(page, '.top');
  });
});
