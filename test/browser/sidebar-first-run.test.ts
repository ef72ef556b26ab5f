// From installed to answered cells, in the playground: the real bundle, three clicks and one paste.

import { afterAll, beforeAll, describe, it } from '@jest/globals';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { createOpenPages } from '../../playground/web/open-pages';
import { bundlePage } from '../../playground/web/page-bundle';
import { type PageServer, startPageServer } from '../../playground/web/page-server';
import { type Playground, startPlayground } from '../../playground/web/playground';
import { launchChromium } from '../../scripts/chromium';
import { ADD_ON_NAME } from '../../src/failures/add-on-name';
import { built } from '../build-once';
import { eventually, STEP_MAX_MS } from './eventually';

describe('the first run', () => {
  let playground: Playground;
  let server: PageServer | undefined;
  let browser: Browser | undefined;
  let page: Page;
  let sidebar: FrameLocator;
  let clicks = 0;

  beforeAll(async () => {
    const pages = createOpenPages();
    const distFolder = built('loopback');
    playground = await startPlayground({ distFolder, firstRun: true, screen: pages.screen });
    const folder = await bundlePage();
    server = await startPageServer({ folder, port: 0, onPage: pages.serve(playground) });
    browser = await launchChromium();
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    context.setDefaultTimeout(STEP_MAX_MS);
    page = await context.newPage();
    await page.exposeFunction('countClick', () => {
      clicks += 1;
    });
    // In every frame, the sidebar's as well: each press of a button of the mouse.
    await page.addInitScript(() => {
      document.addEventListener('pointerdown', () => Reflect.get(window, 'countClick')(), true);
    });
    await page.goto(server.address);
    await page.locator('main:not([aria-busy])').waitFor();
    sidebar = page.frameLocator('#sidebar iframe');
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    await playground?.stop();
  });

  it('takes three clicks and one paste to an answer of the service', async () => {
    const { baseUrl } = playground.sandbox;
    const message = `Address: ${baseUrl}\nKey: ${playground.key.name}`;
    await page.evaluate((text) => navigator.clipboard.writeText(text), message);
    await page.getByRole('button', { name: 'Extensions' }).click();
    await page.getByRole('menuitem', { name: ADD_ON_NAME }).hover();
    await page.getByRole('menuitem', { name: 'Open sidebar' }).click();
    await sidebar.getByRole('heading', { name: 'Connect your key' }).waitFor();
    // The cursor is in the first field already.
    await page.keyboard.press('ControlOrMeta+V');
    await sidebar.getByText(`${playground.key.name.length} characters`).first().waitFor();
    await eventually(() => sidebar.getByLabel('Address', { exact: true }).inputValue(), baseUrl);
    await sidebar.getByRole('button', { name: 'Connect', exact: true }).click();
    await sidebar.getByRole('heading', { name: 'Connected' }).waitFor();
    await sidebar.getByText(/^Profit \$\d+\.\d\d · ROI \d+.*rank drops/).waitFor();
    await eventually(() => clicks, 3);
    const sheet = playground.sheet.model.sheets()[0]?.name;
    await sidebar.getByRole('button', { name: /^Analyze \d+$/ }).waitFor();
    await sidebar.getByText(new RegExp(`“${sheet}” · \\d+ products`)).waitFor();
  });

  it('has the formulas that failed before worked out again by one press, and says how many', async () => {
    const { model } = playground.sheet;
    const sheetId = model.sheets()[0]?.id ?? 0;
    const profits = { row: 2, column: 4, rowCount: 3, columnCount: 1 };
    const kinds = () => model.values(sheetId, profits).map(([profit]) => typeof profit);
    // They name no refresh cell, so nothing makes them calculate by itself.
    await sidebar.getByRole('button', { name: 'Refresh them, too' }).click();
    await eventually(kinds, Array(3).fill('number'));
    await sidebar.getByText(/^\d+ formulas will follow each refresh\./).waitFor();
  });
});
