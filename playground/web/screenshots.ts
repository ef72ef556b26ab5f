// Takes the pictures that the documentation shows, of the running playground and of the sidebar's
// states: docs/images/*.png. `npm run screenshots -- [--only NAME]… [--all] [--to FOLDER]`.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ADD_ON_NAME } from '../../src/failures/add-on-name';
import { takePages } from '../sidebar-states/page-pictures';
import { readPictures } from './picture-options';
import {
  FADED_MS,
  nameTheService,
  openSidebar,
  type Take,
  withPlayground,
} from './pictured-playground';
import { takeRulesTab, takeSummaryTab } from './tab-pictures';
import { takeTour } from './tour';

const ROOT = join(__dirname, '../..');
const IMAGES = join(ROOT, 'docs/images');
const WINDOW = { width: 1440, height: 900 };
/** Sharp on screens with two physical pixels for each one. */
const VIEW = { viewport: WINDOW, deviceScaleFactor: 2 };

const takeCheck =
  (file: string): Take =>
  async (page) => {
    const sidebar = await openSidebar(page, 'Settings');
    await sidebar.getByRole('button', { name: 'Check' }).click();
    await sidebar.getByRole('heading', { name: 'Connected' }).waitFor();
    await nameTheService(sidebar);
    await page.locator('#sidebar').screenshot({ path: file });
  };

/** The add-on's part of the menu bar while it is open, in pixels. */
const MENU = { x: 0, y: 0, width: 560, height: 280 };

const takeMenu =
  (file: string): Take =>
  async (page) => {
    await page.getByRole('button', { name: 'Extensions' }).click();
    await page.getByRole('menuitem', { name: ADD_ON_NAME }).hover();
    await page.getByRole('menuitem', { name: 'Open sidebar' }).hover();
    await page.waitForTimeout(FADED_MS);
    await page.screenshot({ path: file, clip: MENU });
  };

const OF_PLAYGROUND: Readonly<Record<string, (file: string) => Promise<void>>> = {
  'summary-tab': takeSummaryTab,
  'rules-tab': takeRulesTab,
  menu: (file) => withPlayground({ contents: 'list' }, VIEW, takeMenu(file)),
  'sidebar-check': (file) => withPlayground({ contents: 'formulas' }, VIEW, takeCheck(file)),
};

/** The names of the pictures that a page of the documentation shows. */
function shownPictures(): ReadonlySet<string> {
  const docs = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));
  const pages = ['README.md', ...docs.map((name) => `docs/${name}`)];
  const text = pages.map((page) => readFileSync(join(ROOT, page), 'utf8')).join('\n');
  return new Set([...text.matchAll(/\bimages\/([\w-]+)\.png/g)].map(([, name = '']) => name));
}

async function main(): Promise<void> {
  const shown = shownPictures();
  const pictures = readPictures(IMAGES, (name) => shown.has(name));
  if (pictures.isWanted('tour'))
    await takeTour(pictures.fileOf('tour'), pictures.fileOf('tour-still'));
  await takePages(pictures);
  for (const [name, take] of Object.entries(OF_PLAYGROUND))
    if (pictures.isWanted(name)) await take(pictures.fileOf(name));
  pictures.end();
}

void main();
