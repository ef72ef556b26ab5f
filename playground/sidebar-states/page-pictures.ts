// Takes pictures of states of the sidebar's pages: docs/images/analyze-*.png and so on.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { servedPage } from 'apps-script-host/services/html';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../../scripts/chromium';
import type { Pictures } from '../web/picture-options';
import { SIDEBAR_STATES, STATES_OF_PAGES } from './all-states';
import { NOW_MS } from './analyze-replies';
import { openScripted } from './scripted-page';
import type { SidebarState } from './sidebar-state';

const ROOT = join(__dirname, '../..');
/** As wide as a sidebar in Sheets, in pixels. */
const WIDTH = 300;
/** As high as most states need, and as a sidebar on a small laptop is, in pixels. */
const HEIGHT = 480;
const LAPTOP_HEIGHT = 640;
/** Sharp on screens with two physical pixels for each one. */
const SCALE = 2;

/** What a page shows, with its replies and where it is saved. */
interface Picture {
  readonly file: string;
  readonly height: number;
  readonly state: SidebarState;
}

async function take(browser: Browser, html: string, picture: Picture): Promise<void> {
  const { file, height, state } = picture;
  const { name, script, act } = state;
  const context = await browser.newContext({
    viewport: { width: WIDTH, height },
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
  await page.mouse.move(WIDTH / 2, height / 3);
  await page.screenshot({ path: file });
  await context.close();
}

export async function takePages({ isWanted, fileOf }: Pictures): Promise<void> {
  const built = readFileSync(join(ROOT, '.cache/playground-dist/Sidebar.html'), 'utf8');
  const html = servedPage(built);
  const browser = await launchChromium();
  for (const [page, states] of Object.entries({ ...STATES_OF_PAGES, sidebar: SIDEBAR_STATES })) {
    const height = page === 'sidebar' ? LAPTOP_HEIGHT : HEIGHT;
    for (const state of states) {
      const name = `${page}-${state.name}`;
      if (isWanted(name)) await take(browser, html, { file: fileOf(name), height, state });
    }
  }
  await browser.close();
}
