// Takes the pictures for the documentation from the running playground and of every state of the
// sidebar: docs/images/*.png. `npm run screenshots -- [--only NAME]… [--to FOLDER]`.

import { join } from 'node:path';
import { ADD_ON_NAME } from '../../src/failures/add-on-name';
import { takePages } from '../sidebar-states/page-pictures';
import { takeStates } from '../sidebar-states/states-sheet';
import { readPictures } from './picture-options';
import {
  FADED_MS,
  goTo,
  nameTheService,
  openSidebar,
  type Take,
  withPlayground,
} from './pictured-playground';
import { SLOW } from './playground';
import { takeRulesTab, takeSummaryTab } from './tab-pictures';
import { takeTour } from './tour';

const IMAGES = join(__dirname, '../../docs/images');
const WINDOW = { width: 1440, height: 900 };
/** The area with the formulas, for pictures of a single thing, in pixels. */
const PART = { x: 0, y: 64, width: 1024, height: 836 };
/** Sharp on screens with two physical pixels for each one. */
const VIEW = { viewport: WINDOW, deviceScaleFactor: 2 };

const takeCheck =
  (file: string): Take =>
  async (page) => {
    const sidebar = await openSidebar(page, 'Connection');
    await sidebar.getByRole('button', { name: 'Check' }).click();
    await sidebar.getByRole('heading', { name: 'Connected' }).waitFor();
    await nameTheService(sidebar);
    await page.locator('#sidebar').screenshot({ path: file });
  };

const takeHelp =
  (file: string): Take =>
  async (page) => {
    await goTo(page, 'D38');
    await page.keyboard.type('=ANALYZE');
    await page.waitForTimeout(FADED_MS);
    await page.screenshot({ path: file, clip: PART });
  };

const takeFailure =
  (file: string): Take =>
  async (page) => {
    await goTo(page, 'D33');
    await page.waitForTimeout(FADED_MS);
    await page.screenshot({ path: file, clip: PART });
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

const takeLoading =
  (file: string): Take =>
  async (page) => {
    await page.screenshot({ path: file, clip: PART });
  };

const FORMULAS = { contents: 'formulas' } as const;

const OF_PLAYGROUND: Readonly<Record<string, (file: string) => Promise<void>>> = {
  'summary-tab': takeSummaryTab,
  'rules-tab': takeRulesTab,
  menu: (file) => withPlayground({ contents: 'list' }, VIEW, takeMenu(file)),
  'sidebar-check': (file) => withPlayground(FORMULAS, VIEW, takeCheck(file)),
  autocompletion: (file) => withPlayground(FORMULAS, VIEW, takeHelp(file)),
  failure: (file) => withPlayground(FORMULAS, VIEW, takeFailure(file)),
  loading: (file) => withPlayground({ ...FORMULAS, latency: SLOW }, VIEW, takeLoading(file)),
};

async function main(): Promise<void> {
  const pictures = readPictures(IMAGES);
  if (pictures.isWanted('tour'))
    await takeTour(pictures.fileOf('tour'), pictures.fileOf('tour-still'));
  await takeStates(pictures);
  await takePages(pictures);
  for (const [name, take] of Object.entries(OF_PLAYGROUND))
    if (pictures.isWanted(name)) await take(pictures.fileOf(name));
  pictures.end();
}

void main();
