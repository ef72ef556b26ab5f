// The real bundle behind the sidebar, in the playground: one browser and one spreadsheet for a block of tests.

import { afterAll, beforeAll } from '@jest/globals';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { createOpenPages } from '../../playground/web/open-pages';
import { bundlePage } from '../../playground/web/page-bundle';
import { type PageServer, startPageServer } from '../../playground/web/page-server';
import { type Playground, startPlayground } from '../../playground/web/playground';
import { launchChromium } from '../../scripts/chromium';
import { ADD_ON_NAME } from '../../src/failures/add-on-name';
import { built } from '../build-once';
import { STEP_MAX_MS } from './eventually';

interface PlaygroundSidebar {
  playground(): Playground;
  sidebar(): FrameLocator;
  /** Loads the spreadsheet anew, and opens the sidebar as a person does. */
  open(): Promise<void>;
}

/** @param keyName of the sandbox's keys: how many calls are allowed. */
export function playgroundSidebar(keyName: string): PlaygroundSidebar {
  let playground: Playground | undefined;
  let server: PageServer | undefined;
  let browser: Browser | undefined;
  let page: Page | undefined;

  const started = <Thing>(thing: Thing | undefined): Thing => {
    if (thing === undefined) throw new Error('The playground was not started.');
    return thing;
  };

  beforeAll(async () => {
    const pages = createOpenPages();
    const distFolder = built('loopback');
    playground = await startPlayground({ distFolder, keyName, screen: pages.screen });
    const folder = await bundlePage();
    server = await startPageServer({ folder, port: 0, onPage: pages.serve(playground) });
    browser = await launchChromium();
    page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    page.setDefaultTimeout(STEP_MAX_MS);
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    await playground?.stop();
  });

  return {
    playground: () => started(playground),
    sidebar: () => started(page).frameLocator('#sidebar iframe'),
    async open() {
      const shown = started(page);
      await shown.goto(started(server).address);
      await shown.locator('main:not([aria-busy])').waitFor();
      await shown.getByRole('button', { name: 'Extensions' }).click();
      await shown.getByRole('menuitem', { name: ADD_ON_NAME }).hover();
      await shown.getByRole('menuitem', { name: 'Open sidebar' }).click();
    },
  };
}
