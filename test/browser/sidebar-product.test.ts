// The selected row of a list: prices tried by keyboard, stepping, following, refreshing.
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { FINISHED, RUNNING } from '../../playground/sidebar-states/analyze-replies';
import { productScript, toProduct } from '../../playground/sidebar-states/product-states';
import { begins, says } from '../../playground/sidebar-states/scripted-page';
import { eventually } from './eventually';
import { expectFocus, press, sidebarBrowser } from './sidebar-browser';

describe('the selected row', () => {
  const { open, calls } = sidebarBrowser();
  const made = (method: string) => calls.filter((one) => one.method === method);
  /** Without the verdict: figures of the script are older by now than rules allow. */
  const outcome = async (page: Page) =>
    (await page.locator('.outcome').innerText()).replace(/^\w+: /, '');
  const place = (page: Page) => page.locator('.steps .caption').innerText();

  it('is decided anew at other prices, by keyboard and without a call', async () => {
    const page = await open(productScript());
    await toProduct(page);
    const before = calls.length;
    const cost = page.getByRole('slider', { name: 'I pay $' });
    expect(await cost.getAttribute('aria-valuetext')).toBe('$11.00');
    await cost.focus();
    await page.keyboard.press('ArrowRight');
    await eventually(() => cost.getAttribute('aria-valuetext'), '$11.20');
    await eventually(() => outcome(page), 'profit $7.60, ROI 67.9%');
    const exact = page.getByLabel('It sells at $, exact');
    await exact.fill('20');
    await page.keyboard.press('Enter');
    await eventually(() => outcome(page), 'profit $1.60, ROI 14.3%');
    await exact.fill('0');
    await page.keyboard.press('Enter');
    await eventually(() => exact.inputValue(), '20.00');
    await press(page, 'Back to the list’s prices');
    await eventually(() => outcome(page), '');
    expect(calls).toHaveLength(before);
  });

  it('is another one by a press, up to the ends of the list, and the sheet follows when asked', async () => {
    const page = await open(productScript());
    await toProduct(page);
    expect(await place(page)).toBe('Row 10 · 9 of 57');
    await press(page, 'Next row');
    await eventually(() => place(page), 'Row 11 · 10 of 57');
    await press(page, 'Select it');
    const rows = [{ row: 11, shown: 'B0DEAL1009' }];
    const shown = { sheetId: 7, productColumn: 2, rows };
    await eventually(() => made('list.showRows').map(({ payload }) => payload), [shown]);
    for (let at = 0; at < 9; at += 1) await press(page, 'Previous row');
    await eventually(() => place(page), 'Row 2 · 1 of 57');
    const first = page.getByRole('button', { name: 'Previous row' });
    expect(await first.getAttribute('aria-disabled')).toBe('true');
  });

  it('is the one that is selected by now, when the page is looked at or asked', async () => {
    let selected: readonly [number, number] = [10, 10];
    const moved = { sheetId: 7, rows: [11, 11], shown: 'B0DEAL1009' };
    const script = productScript();
    const rows = script['deals.look'];
    const page = await open({
      ...script,
      'deals.look': async (payload) => {
        const reply = await rows?.(payload);
        const value = reply !== undefined && 'value' in reply ? (reply.value as object) : {};
        return says({ ...value, selected });
      },
      'list.selected': () => says(moved),
    });
    await toProduct(page);
    await press(page, 'Next row');
    await press(page, 'Show selected row');
    await eventually(() => place(page), 'Row 10 · 9 of 57');
    await expectFocus(page, 'deals-product-title');
    selected = [4, 6];
    await eventually(async () => {
      await page.evaluate(() => window.dispatchEvent(new Event('focus')));
      return place(page);
    }, 'Row 4 · 3 of 57');
    // A person in the sheet is followed, and what is known of the row is not read again.
    const reads = made('deals.look').length;
    await page.evaluate(() => {
      document.hasFocus = () => false;
    });
    await eventually(() => place(page), 'Row 11 · 10 of 57');
    expect(made('deals.look')).toHaveLength(reads);
  });

  it('is refreshed by a job over it alone, in the figures that the list has', async () => {
    const page = await open({
      ...productScript(),
      'jobs.start': () => begins({ ...RUNNING, rows: 1 }),
      'jobs.ask': () => says({ answers: [], left: [], calls: 1, servedMs: 1, waitedMs: 0 }),
      'jobs.record': () => says({ ...FINISHED, rows: 1 }),
    });
    await toProduct(page);
    await press(page, 'Refresh this');
    await page.getByText('Figures are up to date.').waitFor();
    expect(made('jobs.start').map(({ payload }) => payload)).toEqual([
      expect.objectContaining({
        rows: { kind: 'product', product: 'B0DEAL1008|US' },
        fields: ['profit', 'roi', 'fees', 'sell_price'],
      }),
    ]);
    expect(made('jobs.ask')).toHaveLength(1);
  });

  it('has a link to its page that opens beside the sheet', async () => {
    const page = await open(productScript());
    await toProduct(page);
    const link = page.getByRole('link', { name: 'Open product page' });
    expect(await link.getAttribute('href')).toBe('https://www.amazon.com/dp/B0DEAL1008');
    expect(await link.getAttribute('target')).toBe('_blank');
    expect(await link.getAttribute('rel')).toContain('noopener');
  });
});
