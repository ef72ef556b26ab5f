// Takes a picture of every state of the Analyze and the Schedule page: docs/images/analyze-*.png
// and so on.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { servedPage } from 'apps-script-host/services/html';
import { type Browser, chromium } from 'playwright-core';
import { chromiumArgs, chromiumPath } from '../../scripts/chromium';
import type { Pictures } from '../web/picture-options';
import { STATES_OF_PAGES } from './all-states';
import { NOW_MS } from './analyze-replies';
import { openScripted } from './scripted-page';
import type { SidebarState } from './sidebar-state';

const ROOT = join(__dirname, '../..');
/** As wide as a sidebar in Sheets, and as high as most of these states need, in pixels. */
const SIDEBAR = { width: 300, height: 480 };
/** Sharp on screens with two physical pixels for each one. */
const SCALE = 2;

async function take(
  browser: Browser,
  html: string,
  file: string,
  { name, script, act }: SidebarState,
): Promise<void> {
  const context = await browser.newContext({
    viewport: SIDEBAR,
    deviceScaleFactor: SCALE,
    reducedMotion: 'reduce',
    // The pictures show the times of one afternoon, whenever and wherever they are taken.
    locale: 'en-GB',
    timezoneId: 'UTC',
  });
  await context.clock.install({ time: NOW_MS });
  const fault = (message: string): never => {
    throw new Error(`${name}: ${message}`);
  };
  const page = await openScripted(context, html, script, { called: () => undefined, fault });
  await act(page);
  // The pointer must not highlight anything.
  await page.mouse.move(SIDEBAR.width / 2, SIDEBAR.height / 3);
  await page.screenshot({ path: file });
  await context.close();
}

export async function takePages({ isWanted, fileOf }: Pictures): Promise<void> {
  const built = readFileSync(join(ROOT, '.cache/playground-dist/Sidebar.html'), 'utf8');
  const html = servedPage(built);
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: [...chromiumArgs],
  });
  for (const [page, states] of Object.entries(STATES_OF_PAGES)) {
    for (const state of states) {
      const name = `${page}-${state.name}`;
      if (isWanted(name)) await take(browser, html, fileOf(name), state);
    }
  }
  await browser.close();
}
