// Opens a playground in its own browser to take pictures of it.

import { join } from 'node:path';
import type { BrowserContextOptions, FrameLocator, Page } from 'playwright-core';
import { chromiumPath, launchChromium } from '../../scripts/chromium';
import { ADD_ON_NAME } from '../../src/failures/add-on-name';
import { createOpenPages } from './open-pages';
import { bundlePage } from './page-bundle';
import { startPageServer } from './page-server';
import { type PlaygroundOptions, startPlayground } from './playground';

const ROOT = join(__dirname, '../..');
/** Chromium would otherwise draw a sandboxed frame in a separate process, at one pixel for one. */
const SHARP_FRAMES = '--disable-features=IsolateSandboxedIframes';
const SCALE = 0.8;
/**
 * A picture of 1200 × 680 pixels at reduced scale, which shows a list from its ASINs to its
 * verdicts.
 */
export const WHOLE_LIST = {
  viewport: { width: 1200 / SCALE, height: 680 / SCALE },
  deviceScaleFactor: SCALE,
  locale: 'en-US',
};
/** A busy machine needs more time. */
const PATIENCE_MS = 180_000;
/** Time for menus and hints to fade in. */
export const FADED_MS = 400;

/**
 * Hides what belongs to the playground instead of the add-on: the sandbox's key, a hint and the
 * buttons for days.
 */
export const WITHOUT_SANDBOX = '.world, .note, footer { display: none }';

export type Take = (page: Page) => Promise<void>;

export async function withPlayground(
  opened: Pick<PlaygroundOptions, 'contents' | 'latency'>,
  view: BrowserContextOptions,
  take: Take,
): Promise<void> {
  const pages = createOpenPages();
  const distFolder = join(ROOT, '.cache/playground-dist');
  const playground = await startPlayground({ distFolder, screen: pages.screen, ...opened });
  const folder = await bundlePage();
  const server = await startPageServer({ folder, port: 0, onPage: pages.serve(playground) });
  const browser = await launchChromium(chromiumPath(), [SHARP_FRAMES]);
  const page = await browser.newPage(view);
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto(server.address);
  await page.locator('main:not([aria-busy])').waitFor();
  // With a slow service the picture shows the waiting cells.
  if (opened.latency === undefined) await playground.sheet.settled();
  await page.waitForTimeout(FADED_MS);
  await take(page);
  await browser.close();
  await server.stop();
  await playground.stop();
}

export async function goTo(page: Page, cell: string): Promise<void> {
  const name = page.locator('#grid input').first();
  await name.fill(cell);
  await name.press('Enter');
}

/** A sheet's tab in the bar below the grid. */
export const tabOf = (page: Page, name: string) =>
  page.locator('#grid [data-u-comp="slide-tab-item"]', { hasText: name });

/** @param tab a tab of the sidebar */
export async function openSidebar(page: Page, tab: string): Promise<FrameLocator> {
  await page.getByRole('button', { name: 'Extensions' }).click();
  await page.getByRole('menuitem', { name: ADD_ON_NAME }).hover();
  await page.getByRole('menuitem', { name: 'Open sidebar' }).click();
  const sidebar = page.frameLocator('#sidebar iframe');
  await sidebar.getByRole('tab', { name: tab }).click();
  return sidebar;
}

/** Replaces the sandbox's address, because its port is different each time. */
export async function nameTheService(sidebar: FrameLocator): Promise<void> {
  await sidebar.locator('body').evaluate((body) => {
    const { document } = body.ownerDocument.defaultView ?? window;
    const texts = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode())
      node.nodeValue = (node.nodeValue ?? '').replace(/127\.0\.0\.1:\d+/, 'api.example.com');
  });
}
