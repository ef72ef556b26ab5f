// Takes the pictures for the documentation, from the running playground and of every state of the
// sidebar: docs/images/*.png.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { takePages } from '../sidebar-states/page-pictures';
import { takeStates } from '../sidebar-states/states-sheet';
import { FADED_MS, goTo, openSidebar, type Take, withPlayground } from './pictured-playground';
import { SLOW } from './playground';
import { takeSummaryTab } from './summary-picture';
import { takeTour } from './tour';

const ROOT = join(__dirname, '../..');
const IMAGES = join(ROOT, 'docs/images');
const WINDOW = { width: 1440, height: 900 };
/** The part with the formulas, for pictures of a single thing. */
const PART = { x: 0, y: 64, width: 1024, height: 836 };
/** Sharp on screens that show two pixels for one. */
const VIEW = { viewport: WINDOW, deviceScaleFactor: 2 };

const picture = (name: string) => join(IMAGES, `${name}.png`);

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
  await takeTour(picture('tour'), picture('tour-still'));
  await takeStates();
  await takePages();
  await takeSummaryTab(picture('summary-tab'));
  await withPlayground({ contents: 'formulas' }, VIEW, takeCheck);
  await withPlayground({ contents: 'formulas' }, VIEW, takeHelp);
  await withPlayground({ contents: 'formulas', latency: SLOW }, VIEW, takeLoading);
  console.log('Pictures taken: docs/images/*.png');
  process.exit(0);
}

void main();
