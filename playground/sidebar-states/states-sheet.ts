// Takes one picture of all states of the sidebar, and single pictures of some:
// docs/images/sidebar-*.png.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { servedPage } from 'apps-script-host/services/html';
import { type Browser, chromium } from 'playwright-core';
import { chromiumArgs, chromiumPath } from '../../scripts/chromium';
import type { Pictures } from '../web/picture-options';
import { SIDEBAR_STATES } from './all-states';
import { openScripted } from './scripted-page';
import type { SidebarState } from './sidebar-state';

const ROOT = join(__dirname, '../..');
/** As wide as a sidebar in Sheets, and as high as one on a small laptop, in pixels. */
const SIDEBAR = { width: 300, height: 640 };
/** Sharp on screens with two physical pixels for each one. */
const SCALE = 2;
const COLUMNS = 7;
/** States that also have a picture of their own. */
const SINGLE: readonly string[] = [
  'first-run',
  'works',
  'questions',
  'shared',
  'samples',
  'refused',
  'refreshing',
  'help',
];
const BETWEEN_PX = 24;

const SHEET = 'sidebar-states';

async function take(browser: Browser, html: string, state: SidebarState): Promise<Buffer> {
  const context = await browser.newContext({
    viewport: SIDEBAR,
    deviceScaleFactor: SCALE,
    reducedMotion: 'reduce',
  });
  const fault = (message: string): never => {
    throw new Error(`${state.name}: ${message}`);
  };
  const page = await openScripted(context, html, state.script, { called: () => undefined, fault });
  await state.act(page);
  const picture = await page.screenshot();
  await context.close();
  return picture;
}

function figure({ title }: SidebarState, picture: Buffer): string {
  const source = `data:image/png;base64,${picture.toString('base64')}`;
  return `<figure><img alt="" src="${source}"><figcaption>${title}</figcaption></figure>`;
}

const STYLE = `body{margin:${BETWEEN_PX}px;background:#f1f3f4;font:13px/20px Roboto,Arial,sans-serif}
div{display:grid;grid-template-columns:repeat(${COLUMNS},${SIDEBAR.width}px);gap:${BETWEEN_PX}px}
figure{margin:0}img{display:block;width:100%;border-radius:8px;box-shadow:0 1px 3px #0003}
figcaption{padding-top:8px;color:#202124}`;

export async function takeStates({ isWanted, fileOf }: Pictures): Promise<void> {
  const built = readFileSync(join(ROOT, '.cache/playground-dist/Sidebar.html'), 'utf8');
  const html = servedPage(built);
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: [...chromiumArgs],
  });
  const figures: string[] = [];
  for (const state of SIDEBAR_STATES) {
    const name = `sidebar-${state.name}`;
    const isSingle = SINGLE.includes(state.name) && isWanted(name);
    if (!isSingle && !isWanted(SHEET)) continue;
    const picture = await take(browser, html, state);
    if (isSingle) writeFileSync(fileOf(name), picture);
    figures.push(figure(state, picture));
  }
  if (isWanted(SHEET)) await takeSheet(browser, figures, fileOf(SHEET));
  await browser.close();
}

async function takeSheet(
  browser: Browser,
  figures: readonly string[],
  file: string,
): Promise<void> {
  const width = COLUMNS * SIDEBAR.width + (COLUMNS + 1) * BETWEEN_PX;
  const page = await browser.newPage({ viewport: { width, height: SIDEBAR.height } });
  await page.setContent(`<style>${STYLE}</style><div>${figures.join('')}</div>`);
  await page.screenshot({ path: file, fullPage: true });
}
