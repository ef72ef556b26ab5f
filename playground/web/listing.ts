// Draws the pictures of a listing in the Marketplace: icons and banner from their SVG, and
// screenshots. `npm run listing -- [--only NAME]… [--to FOLDER]`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { launchChromium } from '../../scripts/chromium';
import { readPictures } from './picture-options';
import {
  FADED_MS,
  goTo,
  nameTheService,
  openSidebar,
  WHOLE_LIST,
  WITHOUT_SANDBOX,
  withPlayground,
} from './pictured-playground';
import type { Contents } from './sample-sheet';

const LISTING = join(__dirname, '../../listing');
const ICON_SIZES: readonly number[] = [32, 48, 96, 128];
const BANNER = { width: 220, height: 140 };
const SCREEN = { width: 1280, height: 800 };

interface Screenshot {
  readonly name: string;
  readonly words: string;
  readonly contents: Contents;
  readonly show: (page: Page) => Promise<FrameLocator>;
}

const SCREENSHOTS: readonly Screenshot[] = [
  {
    name: '1-decide',
    words: 'See which products to buy, and why not the others',
    contents: 'list',
    show: async (page) => {
      const sidebar = await openSidebar(page, 'List');
      await sidebar.getByRole('button', { name: 'Make shopping list' }).waitFor();
      return sidebar;
    },
  },
  {
    name: '2-run',
    words: 'A whole list in one run, at the pace of your key',
    contents: 'offers',
    show: async (page) => {
      const sidebar = await openSidebar(page, 'List');
      await sidebar.getByRole('button', { name: /^Analyze/ }).click();
      await sidebar.getByRole('button', { name: 'Analyze again' }).waitFor();
      return sidebar;
    },
  },
  {
    name: '3-formulas',
    words: 'Or a formula in a cell: profit, ROI, fees and more',
    contents: 'formulas',
    show: async (page) => {
      const sidebar = await openSidebar(page, 'List');
      await goTo(page, 'D14');
      await page.keyboard.type('=ANALYZE');
      return sidebar;
    },
  },
  {
    name: '4-schedule',
    words: 'Fresh figures every morning, while you are away',
    contents: 'list',
    show: async (page) => {
      const sidebar = await openSidebar(page, 'Schedule');
      await sidebar.getByRole('button', { name: 'Refresh every morning' }).click();
      await sidebar.getByRole('button', { name: 'Run now' }).waitFor();
      await goTo(page, 'A2');
      return sidebar;
    },
  },
  {
    name: '5-connect',
    words: 'Connect your key once; one call shows that it works',
    contents: 'offers',
    show: async (page) => {
      const sidebar = await openSidebar(page, 'Settings');
      await sidebar.getByRole('button', { name: 'Check' }).click();
      await sidebar.getByRole('heading', { name: 'Connected' }).waitFor();
      return sidebar;
    },
  },
];

const dataUrl = (type: string, content: Buffer) =>
  `data:${type};base64,${content.toString('base64')}`;

/** Draws one SVG at one size, without its background. */
async function draw(
  browser: Browser,
  source: string,
  file: string,
  viewport: { readonly width: number; readonly height: number },
): Promise<void> {
  const page = await browser.newPage({ viewport });
  const picture = dataUrl('image/svg+xml', readFileSync(join(LISTING, source)));
  await page.setContent(`<style>body{margin:0}img{display:block;width:100vw}</style>
    <img alt="" src="${picture}">`);
  await page.screenshot({ path: file, omitBackground: true });
  await page.close();
}

const FRAME = `body{margin:0;overflow:hidden;background:#e8f0fe;color:#0b2a5b;
  font:500 36px/120px 'Google Sans',Roboto,'Open Sans',Arial,sans-serif;text-align:center}
img{position:absolute;top:120px;left:40px;border-radius:12px 12px 0 0;
  box-shadow:0 2px 20px rgb(11 42 91 / 25%)}`;

async function takeScreenshot(
  browser: Browser,
  { words, contents, show }: Screenshot,
  file: string,
): Promise<void> {
  let shown: Buffer = Buffer.alloc(0);
  await withPlayground({ contents }, WHOLE_LIST, async (page) => {
    await page.addStyleTag({ content: WITHOUT_SANDBOX });
    await nameTheService(await show(page));
    await page.waitForTimeout(FADED_MS);
    shown = await page.screenshot();
  });
  const page = await browser.newPage({ viewport: SCREEN });
  const picture = dataUrl('image/png', shown);
  await page.setContent(`<style>${FRAME}</style>${words}<img alt="" src="${picture}">`);
  await page.screenshot({ path: file });
  await page.close();
}

async function main(): Promise<void> {
  const { isWanted, fileOf, end } = readPictures(LISTING);
  const browser = await launchChromium();
  const icons = ICON_SIZES.map((size) => {
    return { name: `icon-${size}`, source: 'icon.svg', size: { width: size, height: size } };
  });
  for (const { name, source, size } of [
    ...icons,
    { name: 'banner', source: 'banner.svg', size: BANNER },
  ])
    if (isWanted(name)) await draw(browser, source, fileOf(name), size);
  for (const screenshot of SCREENSHOTS) {
    const name = `screenshots/${screenshot.name}`;
    if (isWanted(name)) await takeScreenshot(browser, screenshot, fileOf(name));
  }
  await browser.close();
  end();
}

void main();
