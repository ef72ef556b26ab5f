// Takes the pictures for the documentation, from the running playground and of every state of the
// sidebar: docs/images/*.png.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { chromiumArgs, chromiumPath } from '../../scripts/chromium';
import { takePages } from '../sidebar-states/page-pictures';
import { takeStates } from '../sidebar-states/states-sheet';
import { createOpenPages } from './open-pages';
import { bundlePage } from './page-bundle';
import { startPageServer } from './page-server';
import { SLOW, startPlayground } from './playground';
import type { Contents } from './sample-sheet';

const ROOT = join(__dirname, '../..');
const IMAGES = join(ROOT, 'docs/images');
const WINDOW = { width: 1440, height: 900 };
/** The part with the formulas, for pictures of a single thing. */
const PART = { x: 0, y: 64, width: 1024, height: 836 };
/** Sharp on screens that show two pixels for one. */
const SCALE = 2;
/** A sandboxed frame in a process of its own is drawn at one pixel for one. */
const SHARP_FRAMES = '--disable-features=IsolateSandboxedIframes';
/** Menus and hints fade in. */
const FADED_MS = 400;

type Take = (page: Page) => Promise<void>;

const picture = (name: string) => join(IMAGES, `${name}.png`);

async function withPlayground(contents: Contents, slow: boolean, take: Take): Promise<void> {
  const pages = createOpenPages();
  const distFolder = join(ROOT, '.cache/playground-dist');
  const latency = slow ? { latency: SLOW } : {};
  const { screen } = pages;
  const playground = await startPlayground({ distFolder, contents, screen, ...latency });
  const folder = await bundlePage();
  const server = await startPageServer({ folder, port: 0, onPage: pages.serve(playground) });
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: [...chromiumArgs, SHARP_FRAMES],
  });
  const page = await browser.newPage({ viewport: WINDOW, deviceScaleFactor: SCALE });
  await page.goto(server.address);
  await page.locator('main:not([aria-busy])').waitFor();
  if (!slow) await playground.sheet.settled();
  await page.waitForTimeout(FADED_MS);
  await take(page);
  await browser.close();
  await server.stop();
  await playground.stop();
}

async function goTo(page: Page, cell: string): Promise<void> {
  const name = page.locator('#grid input').first();
  await name.fill(cell);
  await name.press('Enter');
}

/** @param tab of the sidebar. */
async function openSidebar(page: Page, tab: string) {
  await page.getByRole('button', { name: 'Extensions' }).click();
  await page.getByRole('menuitem', { name: 'Product Analysis' }).hover();
  await page.getByRole('menuitem', { name: 'Open sidebar' }).click();
  const sidebar = page.frameLocator('#sidebar iframe');
  await sidebar.getByRole('tab', { name: tab }).click();
  return sidebar;
}

const takeList: Take = async (page) => {
  // Verdicts stand behind the figures.
  await goTo(page, 'R2');
  const sidebar = await openSidebar(page, 'Deals');
  await sidebar.getByRole('button', { name: 'Make shopping list' }).waitFor();
  await page.waitForTimeout(FADED_MS);
  await page.screenshot({ path: picture('playground') });
};

const takeCheck: Take = async (page) => {
  const sidebar = await openSidebar(page, 'Connection');
  await sidebar.getByRole('button', { name: 'Check' }).click();
  await sidebar.getByRole('heading', { name: 'Connected' }).waitFor();
  await page.locator('#sidebar').screenshot({ path: picture('sidebar-check') });
};

const takeHelp: Take = async (page) => {
  await goTo(page, 'D33');
  await page.keyboard.type('=ANALYZE');
  await page.waitForTimeout(FADED_MS);
  await page.screenshot({ path: picture('autocompletion'), clip: PART });
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await goTo(page, 'D19');
  await page.waitForTimeout(FADED_MS);
  await page.screenshot({ path: picture('failure'), clip: PART });
};

const takeLoading: Take = async (page) => {
  await page.screenshot({ path: picture('loading'), clip: PART });
};

async function main(): Promise<void> {
  mkdirSync(IMAGES, { recursive: true });
  await takeStates();
  await takePages();
  await withPlayground('list', false, takeList);
  await withPlayground('formulas', false, takeCheck);
  await withPlayground('formulas', false, takeHelp);
  await withPlayground('formulas', true, takeLoading);
  console.log('Pictures taken: docs/images/*.png');
  process.exit(0);
}

void main();
