// The playground in a browser, with one spreadsheet for a block of tests.

import { afterAll, beforeAll } from '@jest/globals';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { createOpenPages } from '../../playground/web/open-pages';
import { bundlePage } from '../../playground/web/page-bundle';
import { type PageServer, startPageServer } from '../../playground/web/page-server';
import {
  type Playground,
  type PlaygroundOptions,
  startPlayground,
} from '../../playground/web/playground';
import { launchChromium } from '../../scripts/chromium';
import { ADD_ON_NAME } from '../../src/failures/add-on-name';
import { built } from '../build-once';
import { STEP_MAX_MS } from './eventually';

interface OpenPlayground {
  playground(): Playground;
  page(): Page;
  sidebar(): FrameLocator;
}

/** One browser and one spreadsheet for a block of tests. */
export function openPlayground(
  options: Pick<PlaygroundOptions, 'contents' | 'firstRun' | 'keyName' | 'productsPerMarket'>,
): OpenPlayground {
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
    browser = await launchChromium();
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

export async function openSidebar(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Extensions' }).click();
  await page.getByRole('menuitem', { name: ADD_ON_NAME }).hover();
  await page.getByRole('menuitem', { name: 'Open sidebar' }).click();
}
