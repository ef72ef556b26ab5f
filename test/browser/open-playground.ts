// The playground in a browser, with the real bundle and one spreadsheet for a block of tests.

import { afterAll, beforeAll } from '@jest/globals';
import type { CellValue } from 'apps-script-host/sheet/model';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { findProduct } from '../../playground/api/catalogue';
import { figuresOf } from '../../playground/api/product';
import { countsOf } from '../../playground/api/state';
import { createOpenPages } from '../../playground/web/open-pages';
import { bundlePage } from '../../playground/web/page-bundle';
import { type PageServer, startPageServer } from '../../playground/web/page-server';
import {
  type Playground,
  type PlaygroundOptions,
  startPlayground,
} from '../../playground/web/playground';
import { ADD_ON_NAME } from '../../src/failures/add-on-name';
import { built } from '../build-once';
import { STEP_MAX_MS } from './eventually';
import { sharedChromium } from './shared-chromium';

interface OpenPlayground {
  playground(): Playground;
  page(): Page;
  sidebar(): FrameLocator;
  /** Presses of the mouse's button so far, in the page and in the sidebar. */
  presses(): number;
  /** Loads the spreadsheet anew, and opens the sidebar as a person does. */
  reopen(): Promise<void>;
}

interface Options extends Partial<Omit<PlaygroundOptions, 'screen'>> {
  /** True if the sidebar's page need not pause for long between its calls. */
  readonly isPageHasty?: boolean;
}

/** How many times as fast time passes for a hasty page. */
const HASTY_SPEED = 5;

/** One browser and one spreadsheet for a block of tests. */
export function openPlayground({ isPageHasty = false, ...options }: Options = {}): OpenPlayground {
  let playground: Playground | undefined;
  let server: PageServer | undefined;
  let browser: Browser | undefined;
  let page: Page | undefined;
  let presses = 0;
  const made = <Thing>(thing: Thing | undefined): Thing => {
    if (thing === undefined) throw new Error('The playground was not started.');
    return thing;
  };
  async function load(): Promise<void> {
    await made(page).goto(made(server).address);
    await made(page).locator('main:not([aria-busy])').waitFor();
  }

  beforeAll(async () => {
    const pages = createOpenPages();
    const { screen } = pages;
    playground = await startPlayground({ distFolder: built('loopback'), ...options, screen });
    const folder = await bundlePage();
    server = await startPageServer({ folder, port: 0, onPage: pages.serve(playground) });
    browser = await sharedChromium();
    page = await browser.newPage({
      viewport: { width: 960, height: 600 },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    page.setDefaultTimeout(STEP_MAX_MS);
    await page.exposeFunction('countPress', () => {
      presses += 1;
    });
    // In every frame, the sidebar's as well.
    await page.addInitScript(() => {
      document.addEventListener('pointerdown', () => Reflect.get(window, 'countPress')(), true);
    });
    if (isPageHasty) await page.addInitScript(hastenFrames, HASTY_SPEED);
    await load();
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    await playground?.stop();
  });

  return {
    playground: () => made(playground),
    page: () => made(page),
    sidebar: () => made(page).frameLocator('#sidebar iframe'),
    presses: () => presses,
    async reopen() {
      await load();
      await openSidebar(made(page));
    },
  };
}

/** In a page: gives the frames in it another clock, and leaves the page around them its own. */
function hastenFrames(speed: number): void {
  if (window === window.top) return;
  const { setTimeout } = window;
  const now = performance.now.bind(performance);
  performance.now = () => speed * now();
  const soon = (act: TimerHandler, waitMs = 0) => setTimeout(act, waitMs / speed);
  Object.assign(window, { setTimeout: soon });
}

export async function openSidebar(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Extensions' }).click();
  await page.getByRole('menuitem', { name: ADD_ON_NAME }).hover();
  await page.getByRole('menuitem', { name: 'Open sidebar' }).click();
}

/**
 * Nobody waits until the service has had so many more calls; from then on everybody does again: a
 * run is under way at once, and far from its end on any machine.
 */
export async function hurryThrough(playground: Playground, calls: number): Promise<void> {
  const { sandbox, key } = playground;
  const asked = () => countsOf(sandbox.state(), key.name).calls;
  const enough = asked() + calls;
  playground.hurry(true);
  // The service answers between two looks, since it is in this process.
  while (asked() < enough) await new Promise(setImmediate);
  playground.hurry(false);
}

/** Another sheet with these rows, in view. Gives its id. */
export function addSheet(
  { sheet: { model } }: Playground,
  name: string,
  rows: readonly (readonly CellValue[])[] = [],
): number {
  const id = model.addSheet(name, model.sheets().length + 1);
  if (rows.length > 0) model.write(id, 1, 1, rows);
  model.select({ sheetId: id, rectangle: { row: 1, column: 1, rowCount: 1, columnCount: 1 } });
  return id;
}

/** The rows of a sheet, each under its titles, which stand in the first row. */
export function rowsOf(
  { sheet: { model } }: Playground,
  sheetId: number,
): readonly Readonly<Record<string, CellValue>>[] {
  const { lastRow, lastColumn } = model.size(sheetId);
  const area = { row: 1, column: 1, rowCount: lastRow, columnCount: lastColumn };
  const [titles = [], ...rows] = model.values(sheetId, area);
  return rows.map((row) =>
    Object.fromEntries(titles.map((title, at) => [String(title), row[at] ?? ''])),
  );
}

/** A figure of the service's in units of the currency; '' where it has none. */
export function figureOf(
  { sandbox }: Playground,
  asin: string,
  figure: 'profit' | 'sell',
  market: 'US' | 'UK' = 'US',
): number | '' {
  const product = findProduct(sandbox.state().catalogue, asin, market);
  const hundredths = product === undefined ? null : figuresOf(product)[figure];
  return hundredths === null ? '' : hundredths / 100;
}

/** What the sheet of this name has to buy: the rows with an ASIN, but for titles and total. */
export function listedIn({ sheet: { model } }: Playground, name = 'Shopping list'): number {
  const sheet = model.sheets().find((one) => one.name === name);
  if (sheet === undefined) return 0;
  const { lastRow, lastColumn } = model.size(sheet.id);
  const area = { row: 1, column: 1, rowCount: lastRow, columnCount: lastColumn };
  const cells = model.values(sheet.id, area);
  const head = cells.findIndex((row) => row.includes('ASIN'));
  const at = cells[head]?.indexOf('ASIN') ?? -1;
  return cells.slice(head + 1).filter((row) => (row[at] ?? '') !== '').length;
}
