// The frame around the pages, in a real browser: tabs, the chip that leads to the key, what is kept.
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { connected, firstRun } from '../../playground/sidebar-states/connection-replies';
import type { Answer } from '../../playground/sidebar-states/scripted-page';
import { expectAccessible, focused, press, sidebarBrowser } from './sidebar-browser';

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

describe('the tabs', () => {
  const { open } = sidebarBrowser();

  it('are one stop for the Tab key; arrows, Home and End go from one to the next', async () => {
    const page = await open(connected);
    await page.getByText('60 per minute').waitFor();
    expect(await shown(page)).toEqual(['Connection', 'Connection']);
    const names = await page.getByRole('tab').allInnerTexts();
    expect(names[0]).toBe('Analyze');
    expect(names.at(-1)).toBe('Connection');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('tab-connection');
    await page.keyboard.press('ArrowRight');
    expect(await focused(page)).toBe('tab-analyze');
    expect(await shown(page)).toEqual(['Analyze', 'Analyze']);
    await page.keyboard.press('ArrowLeft');
    expect(await shown(page)).toEqual(['Connection', 'Connection']);
    await page.keyboard.press('Home');
    expect(await shown(page)).toEqual(['Analyze', 'Analyze']);
    await page.keyboard.press('End');
    expect(await focused(page)).toBe('tab-connection');
    await expectAccessible(page);
  });

  it('keep what was typed on the page that is left, the key as well', async () => {
    const page = await open(firstRun);
    await page.getByLabel('Key', { exact: true }).fill('demo-key-0123456789');
    await page.getByRole('tab', { name: 'Analyze' }).click();
    expect(await shown(page)).toEqual(['Analyze', 'Analyze']);
    await page.getByRole('tab', { name: 'Connection' }).click();
    expect(await page.getByLabel('Key', { exact: true }).inputValue()).toBe('demo-key-0123456789');
  });

  it('open where one was last, and the chip leads to Connection', async () => {
    const page = await open(connected);
    await page.getByRole('tab', { name: 'Analyze' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'api.example.com' }).click();
    expect(await shown(page)).toEqual(['Connection', 'Connection']);
    await page.reload();
    await page.getByText('60 per minute').waitFor();
    expect(await shown(page)).toEqual(['Connection', 'Connection']);
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
    isLost = false;
    await page.context().setOffline(true);
    await page.context().setOffline(false);
    await page.getByRole('heading', { name: 'Connect your key' }).waitFor();
    expect(await page.getByRole('alert').innerText()).toBe('');
    expect(calls.length).toBeGreaterThan(3);
  });
});
