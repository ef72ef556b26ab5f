// From a supplier's list to a shopping list in the playground: the real bundle, presses counted.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { featuresOf } from 'apps-script-host/sheet/book-features';
import type { FrameLocator, Page } from 'playwright-core';
import { tabOf } from '../../playground/web/pictured-playground';
import type { Playground } from '../../playground/web/playground';
import { SAMPLE_ASINS } from '../../src/engine/samples';
import { eventually } from './eventually';
import { listedIn, openPlayground, openSidebar, rowsOf } from './open-playground';
import { expectNoViolations } from './sidebar-browser';

const LIST = 0;

describe('the first run of the playground', () => {
  const { playground, page, sidebar } = openPlayground({ contents: 'samples', firstRun: true });

  it('shows no error, and by one press a decided list of samples, from which a shopping list is made', async () => {
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
    await sidebar().getByRole('heading', { name: '6 of 12 to buy' }).waitFor();
    await eventually(
      () => profits().map((profit) => typeof profit),
      SAMPLE_ASINS.map(() => 'number'),
    );
    await sidebar().getByRole('button', { name: 'Make shopping list' }).click();
    await eventually(
      () => sheet.model.sheets().map(({ name }) => name),
      expect.arrayContaining(['Samples', 'Shopping list']),
    );
  });
});

describe('deals in the playground', () => {
  const deals = openPlayground({ contents: 'list' });
  let playground: Playground;
  let page: Page;
  let sidebar: FrameLocator;

  beforeAll(() => {
    playground = deals.playground();
    page = deals.page();
    sidebar = deals.sidebar();
  });

  /** What stands under a title of the list. */
  const under = (title: string) => rowsOf(playground, LIST).map((row) => row[title] ?? '');
  const verdicts = () => under('Verdict');
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

  it('takes five presses to a filtered, sorted list and a shopping list', async () => {
    const { model } = playground.sheet;
    const bought = buys();
    await openSidebar(page);
    await sidebar.getByRole('tab', { name: 'List' }).click();
    await press('Sort by ROI');
    await sidebar.getByText('Sorted by My ROI').waitFor();
    await press('Show only buys');
    await sidebar.getByText('Only buys are shown').waitFor();
    const isShown = (_: unknown, at: number) => !model.isRowHidden(LIST, at + 2, 'filter');
    await eventually(() => verdicts().filter(isShown).length, bought);
    await press('Make shopping list');
    await eventually(() => listedIn(playground) > 0, true);
    // The list is in view, and the page leads back.
    await press('Back to “Supplier list”');
    await sidebar.getByRole('button', { name: 'Make summary tab' }).waitFor();
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
    expect(await charts.getByRole('img').count()).toBe(2);
    await expectNoViolations(page, '#charts');
    model.select({ sheetId: LIST, rectangle: { row: 1, column: 1, rowCount: 1, columnCount: 1 } });
    await charts.waitFor({ state: 'hidden' });
  });

  it('shows a day later what a schedule made of it', async () => {
    const { model } = playground.sheet;
    const profits = () => under('Profit (service’s buy price)');
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
    await sidebar.getByText('Each change is in the tab “Analysis changes”.').waitFor();
  });

  it('stays on the sheet in view where the clock makes another one', async () => {
    const { model } = playground.sheet;
    const id = model.addSheet('By the clock', model.sheets().length + 1);
    await tabOf(page, 'By the clock').waitFor();
    await sidebar.getByRole('tab', { name: 'List' }).click();
    await sidebar.getByText('“Supplier list”').waitFor();
    expect(model.selection().sheetId).toBe(LIST);
    model.deleteSheet(id);
  });

  it('has a service that is out at a press, has faults at another, and is back at the next', async () => {
    const outage = page.getByRole('button', { name: 'Service outage' });
    await outage.click();
    await page.getByText('The service is out').waitFor();
    expect(await outage.getAttribute('aria-pressed')).toBe('true');
    await sidebar.getByRole('tab', { name: 'Settings' }).click();
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
