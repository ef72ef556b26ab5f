// The frame around the pages, in a real browser: tabs, the chip that leads to the key, what is kept.
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { connected, firstRun } from '../../playground/sidebar-states/connection-replies';
import type { Answer } from '../../playground/sidebar-states/scripted-page';
import { unfold } from '../../playground/sidebar-states/sidebar-state';
import { eventually } from './eventually';
import { expectAccessible, expectFocus, press, settled, sidebarBrowser } from './sidebar-browser';

/** The names of the shown tab, and of the panels that are seen. */
async function shown(page: Page): Promise<readonly string[]> {
  const tab = await page.getByRole('tab', { selected: true }).allInnerTexts();
  const panels = await page.getByRole('tabpanel').evaluateAll((all) =>
    all.map((one) => {
      const label = document.getElementById(one.getAttribute('aria-labelledby') ?? '');
      return label?.textContent ?? '';
    }),
  );
  return [...tab, ...panels];
}

/** This tab is the shown one, and its panel alone is seen. */
async function expectShown(page: Page, name: string): Promise<void> {
  await eventually(() => shown(page), [name, name]);
}

describe('the tabs', () => {
  const { open } = sidebarBrowser();

  it('are one stop for the Tab key; arrows, Home and End go from one to the next', async () => {
    const page = await open(connected);
    await page.getByText('60/min').waitFor();
    await expectShown(page, 'Settings');
    const tabs = page.getByRole('tab');
    await eventually(() => tabs.first().innerText(), 'List');
    await eventually(() => tabs.last().innerText(), 'Settings');
    await page.keyboard.press('Tab');
    await expectFocus(page, 'tab-connection');
    await page.keyboard.press('ArrowRight');
    await expectFocus(page, 'tab-list');
    await expectShown(page, 'List');
    await page.keyboard.press('ArrowLeft');
    await expectShown(page, 'Settings');
    await page.keyboard.press('Home');
    await expectShown(page, 'List');
    await page.keyboard.press('End');
    await expectFocus(page, 'tab-connection');
    await expectAccessible(page);
  });

  it('keep what was typed on the page that is left, the key as well', async () => {
    const page = await open(firstRun);
    await unfold(page, 'Type it instead');
    await page.getByLabel('Key', { exact: true }).fill('demo-key-0123456789');
    await page.getByRole('tab', { name: 'List' }).click();
    await expectShown(page, 'List');
    await page.getByRole('tab', { name: 'Settings' }).click();
    const key = page.getByLabel('Key', { exact: true });
    await eventually(() => key.inputValue(), 'demo-key-0123456789');
  });

  it('open where one was last, and the chip leads to Settings', async () => {
    const page = await open(connected);
    await page.getByRole('tab', { name: 'List' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'api.example.com' }).click();
    await expectShown(page, 'Settings');
    await page.reload();
    await page.getByText('60/min').waitFor();
    await expectShown(page, 'Settings');
  });
});

describe('a connection that was lost', () => {
  const { calls, open } = sidebarBrowser();

  it('is asked again by itself as soon as the computer is online', async () => {
    let isLost = true;
    const lost: Answer = { throws: 'NetworkError: Connection failure due to HTTP 0' };
    const page = await open({
      ...connected,
      'connection.status': () => (isLost ? lost : { ok: true, value: { connected: false } }),
    });
    await press(page, 'Try again');
    // Each time it is asked for thrice before it counts as lost.
    await eventually(() => calls.length, 6);
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await settled(page);
    isLost = false;
    await page.context().setOffline(true);
    await page.context().setOffline(false);
    await page.getByRole('heading', { name: 'Connect your key' }).waitFor();
    await eventually(() => page.getByRole('alert').innerText(), '');
    expect(calls.length).toBeGreaterThan(6);
  });
});
