// The settings of a service in a real browser: unfolded by keyboard, saved, summed up, at any width.
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import {
  CONNECTED,
  connected,
  connectedWith,
  RELEARNED,
  TOLD,
} from '../../playground/sidebar-states/connection-replies';
import { says } from '../../playground/sidebar-states/scripted-page';
import { unfold } from '../../playground/sidebar-states/sidebar-state';
import type { ConnectionStatus } from '../../src/sidebar/api/connection';
import { eventually } from './eventually';
import {
  expectAccessible,
  expectFocus,
  expectHeard,
  press,
  settled,
  sidebarBrowser,
} from './sidebar-browser';

const SETTINGS = { defaultMarket: 'UK', roiUnit: 'percent' } as const;
const WITH_SETTINGS = { ...CONNECTED, settings: SETTINGS };
const SUMMARY = 'Default market UK · ROI as percentage';

const UNDECIDED = connectedWith({ settings: {} });

/** From the connected view, by another part of the form, which leaves them folded at first. */
async function openSettings(page: Page): Promise<void> {
  await unfold(page, 'Key and limit');
  await press(page, 'Edit limit');
  await page.locator('#settings').click();
  await page.locator('#developer-settings').click();
  await page.getByLabel('Name of the sell price').waitFor();
}

/** How much of an element the bar at the bottom covers, or the end of the window cuts off. */
function hiddenPx(page: Page, selector: string): Promise<number> {
  return page.evaluate((of) => {
    const boxOf = (one: string) => document.querySelector(one)?.getBoundingClientRect();
    const shownTo = boxOf('.bar')?.top ?? 0;
    return Math.max(0, (boxOf(of)?.bottom ?? 0) - shownTo);
  }, selector);
}

describe('the settings of a service', () => {
  const { calls, open } = sidebarBrowser();

  it('are unfolded by keyboard, two of them set and saved, and summed up', async () => {
    let status: ConnectionStatus = { ...CONNECTED, settings: {} };
    const page = await open({
      ...UNDECIDED,
      'connection.status': () => says(status),
      'connection.save': () => {
        status = WITH_SETTINGS;
        return says(status);
      },
    });
    await page.getByText('60/min').waitFor();
    await settled(page);
    expect(await page.getByRole('button', { name: 'Edit settings' }).count()).toBe(0);
    await unfold(page, 'Key and limit');
    await press(page, 'Edit limit');
    const tab = async (times: number, to: string): Promise<void> => {
      for (let pressed = 0; pressed < times; pressed += 1) await page.keyboard.press('Tab');
      await expectFocus(page, to);
    };
    // Past the limit's period and "Find out".
    await tab(3, 'settings');
    await page.getByLabel('Default market').waitFor({ state: 'hidden' });
    await page.keyboard.press('Enter');
    await page.getByLabel('Default market').waitFor();
    await expectAccessible(page);
    // Past how often formulas may call.
    await tab(2, 'defaultMarket');
    await page.keyboard.press('ArrowDown');
    await tab(1, 'developer-settings');
    await page.keyboard.press('Enter');
    await page.getByLabel('ROI is sent as').waitFor();
    await tab(2, 'roiUnit');
    await page.keyboard.press('End');
    await tab(3, 'sellPriceName');
    await eventually(() => hiddenPx(page, '#sellPriceName'), 0);
    await page.keyboard.press('Enter');
    await page.getByText(SUMMARY).first().waitFor();
    expect(calls[1]).toMatchObject({ payload: { apiKey: '', settings: SETTINGS } });
    await expectAccessible(page);
  });

  it('that are wrong are said beside their field, unfolded if need be', async () => {
    const page = await open(UNDECIDED);
    await openSettings(page);
    await page.getByLabel('UK market code').fill('United Kingdom');
    await page.locator('#settings').click();
    await page.getByLabel('UK market code').waitFor({ state: 'hidden' });
    await press(page, 'Save');
    await expectFocus(page, 'ukMarket');
    await expectAccessible(page);
    await settled(page);
    expect(calls.map(({ method }) => method)).toEqual(['connection.status']);
  });

  it('are folded by Escape, which keeps what was typed and does not leave the form', async () => {
    const page = await open(UNDECIDED);
    await openSettings(page);
    await page.getByLabel('Name of the buy price').fill('cost');
    await page.keyboard.press('Escape');
    await expectFocus(page, 'developer-settings');
    await page.keyboard.press('Escape');
    await page.getByText('Buy price is cost').waitFor();
    await expectFocus(page, 'settings');
    await page.keyboard.press('Escape');
    await expectFocus(page, 'change-quota');
  });

  it('are kept while the sidebar is closed', async () => {
    const page = await open(UNDECIDED);
    await openSettings(page);
    await page.getByLabel('ROI is sent as').selectOption('percent');
    await page.getByLabel('UK market code').fill('GB');
    await page.reload();
    await page.getByText('UK as GB · ROI as percentage').waitFor();
  });

  it.each([300, 150])(
    'need no sideways scrolling at %i px, however long a name is',
    async (width) => {
      const settings = { ...SETTINGS, buyPriceName: 'b'.repeat(60), sellPriceName: 's'.repeat(60) };
      const status = () => says({ ...CONNECTED, settings });
      const page = await open({ 'connection.status': status }, width);
      await page.getByText(SUMMARY).first().waitFor();
      await expectAccessible(page);
      await unfold(page, 'How figures are read');
      await press(page, 'Edit settings');
      await expectFocus(page, 'settings');
      await page.locator('#developer-settings').click();
      await page.getByLabel('Name of the sell price').waitFor();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await page.getByLabel('Name of the sell price').waitFor({ state: 'hidden' });
      await expectAccessible(page);
    },
  );
});

describe('a check of a product that the service does not know', () => {
  const { open } = sidebarBrowser();

  it('says that the key works, and shows no empty table', async () => {
    const told = { settings: {}, sent: null, questions: [], recognised: [] };
    const report = { asin: 'B07FZ8S74R', market: 'US', latencyMs: 400, ...told };
    const page = await open({ ...connected, 'connection.check': () => says(report) });
    await press(page, 'Check');
    await page.getByRole('heading', { name: 'The key works' }).waitFor();
    await page
      .getByText('The service does not know the product used for checking')
      .first()
      .waitFor();
    expect(await page.getByRole('table').count()).toBe(0);
    await expectHeard(
      page,
      'The key works, but the service does not know the product used for checking.',
    );
    await expectAccessible(page);
  });
});

describe('a limit that the service named', () => {
  const { calls, open } = sidebarBrowser();
  const told = connectedWith({ quota: null, learned: TOLD }, RELEARNED);

  it('is shown with its end, and forgotten by keyboard', async () => {
    const page = await open(told);
    await unfold(page, 'Key and limit');
    await page
      .getByText('Set by the service. Kept until 5 Jan')
      .or(page.getByText('Jan 5'))
      .waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Detect now', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Detecting, so far 1 per second', { exact: true }).waitFor();
    await expectHeard(page, 'The limit is being detected again.');
    await expectFocus(page, 'connection-title');
    expect(await page.getByRole('button', { name: 'Detect now' }).count()).toBe(0);
    expect(calls.map(({ method }) => method)).toEqual(['connection.status', 'connection.relearn']);
    await expectAccessible(page);
  });
});
