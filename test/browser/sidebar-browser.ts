// The sidebar's page as it is pushed, in a real browser, with google.script.run answered by a test.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { servedPage } from 'apps-script-host/services/html';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { NOW_MS } from '../../playground/sidebar-states/analyze-replies';
import { openStage, type Script, type Stage } from '../../playground/sidebar-states/scripted-page';
import { BUILT } from '../build-once';
import { eventually, STEP_MAX_MS } from './eventually';
import { sharedChromium } from './shared-chromium';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

interface SidebarBrowser {
  /** Every call of the page opened last, in order. */
  readonly calls: readonly { readonly method: string; readonly payload: unknown }[];
  /** What went wrong in the page; a test that wants a fault takes it out of here. */
  readonly faults: string[];
  open(script: Script, width?: number, height?: number, opening?: Opening): Promise<Page>;
}

interface Opening {
  /** What becomes of the page before it is opened. */
  readonly changed?: (html: string) => string;
  /** Time stands still until the test lets it pass. */
  readonly isTimeStill?: boolean;
}

/** Builds the page and starts a browser for the tests of the block in which it is called. */
export function sidebarBrowser(): SidebarBrowser {
  let context: BrowserContext | undefined;
  return openingBy(
    async (browser, { width, height, isTimeStill }) => {
      context = await newContext(browser, width, height);
      if (isTimeStill) {
        await context.clock.install({ time: 0 });
        await context.clock.pauseAt(1);
      }
      return openStage(context);
    },
    async () => {
      await context?.close();
      context = undefined;
    },
  );
}

/**
 * As `sidebarBrowser`, with one page for all tests: for those that leave nothing behind but what is shown.
 * Half of the time of a short test goes into a page of its own.
 */
export function sharedSidebarPage(): SidebarBrowser {
  let stage: Stage | undefined;
  return openingBy(
    async (browser, { width, height }) => {
      if (stage === undefined) {
        const context = await newContext(browser, width, height);
        // The states are of that moment: later, a blocked job that was to wait would go on.
        await context.clock.install({ time: NOW_MS });
        // Once for all that is shown: sending it to each page takes longer than what it does there.
        await context.addInitScript({ content: `window.loadAxe = () => {${AXE}}` });
        const show = await openStage(context);
        stage = async (...shown) => {
          await context.setOffline(false);
          for (const page of context.pages()) await page.setViewportSize({ width, height });
          return show(...shown);
        };
      }
      return stage;
    },
    async () => undefined,
  );
}

async function newContext(browser: Browser, width: number, height: number) {
  const context = await browser.newContext({
    viewport: { width, height },
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(STEP_MAX_MS);
  return context;
}

interface View {
  readonly width: number;
  readonly height: number;
  readonly isTimeStill: boolean;
}

function openingBy(
  stageFor: (browser: Browser, view: View) => Promise<Stage>,
  leave: () => Promise<void>,
): SidebarBrowser {
  let browser: Browser | undefined;
  let html = '';
  const calls: { method: string; payload: unknown }[] = [];
  const faults: string[] = [];

  beforeAll(async () => {
    html = servedPage(readFileSync(join(BUILT, 'Sidebar.html'), 'utf8'));
    browser = await sharedChromium();
  });

  afterAll(async () => {
    await browser?.close();
  });

  afterEach(async () => {
    await leave();
    expect(faults.splice(0)).toEqual([]);
  });

  async function open(
    script: Script,
    width = 300,
    height = 640,
    { changed = (built) => built, isTimeStill = false }: Opening = {},
  ): Promise<Page> {
    if (browser === undefined) throw new Error('The browser was not started.');
    calls.length = 0;
    const show = await stageFor(browser, { width, height, isTimeStill });
    return show(changed(html), script, {
      called: (method, payload) => calls.push({ method, payload }),
      fault: (message) => faults.push(message),
    });
  }

  return { calls, faults, open };
}

/** How far the page and its middle can be scrolled sideways, px. */
function hiddenSideways(page: Page): Promise<readonly number[]> {
  return page.evaluate(() => {
    const main = document.querySelector('main') ?? document.documentElement;
    return [document.documentElement.scrollWidth - innerWidth, main.scrollWidth - main.clientWidth];
  });
}

export async function expectNoSidewaysScrolling(page: Page): Promise<void> {
  await eventually(() => hiddenSideways(page), [0, 0]);
}

/** A page, or a frame in one. */
type Place = Pick<Page, 'evaluate'>;

function violationsIn(place: Place, parts: readonly string[]): Promise<readonly string[]> {
  return place.evaluate(
    async (include) => {
      const within = include.length === 0 ? document : { include };
      // What is not found is of no interest, and its nodes need no words.
      const found = await Reflect.get(window, 'axe').run(within, { resultTypes: ['violations'] });
      return found.violations.map((one: { id: string; help: string }) => `${one.id}: ${one.help}`);
    },
    parts.map((part) => [part]),
  );
}

/** Nothing that axe finds, in the whole page or in parts of it. */
export async function expectNoViolations(place: Place, ...parts: string[]): Promise<void> {
  const isThere = await place.evaluate(() => {
    if (!Reflect.has(window, 'axe')) Reflect.get(window, 'loadAxe')?.();
    return Reflect.has(window, 'axe');
  });
  if (!isThere) await place.evaluate(`${AXE}; null`);
  await eventually(() => violationsIn(place, parts), []);
}

/** No type under 12 px, nothing to press that is lower than 24 px. */
async function expectReadable(page: Page): Promise<void> {
  const small = () =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('body *')]
        .filter((element) => element.checkVisibility() && element.textContent !== '')
        .filter((element) => {
          const isLow = element.matches('button:not(.heard), a') && element.offsetHeight < 24;
          return isLow || Number.parseFloat(getComputedStyle(element).fontSize) < 12;
        })
        .map((element) => `${element.className}: ${element.textContent}`),
    );
  await eventually(small, []);
}

/** Nothing that axe finds, and nothing that needs scrolling sideways. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNoViolations(page);
  await expectReadable(page);
  await expectNoSidewaysScrolling(page);
}

/**
 * Two frames later all effects of what happened have run, and the calls they made have arrived: for
 * tests of what does *not* happen, which would pass too early.
 */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
      }),
  );
}

export const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();

/** The focus gets to the element with this id. */
export async function expectFocus(page: Page, id: string): Promise<void> {
  await eventually(() => page.evaluate(() => document.activeElement?.id ?? ''), id);
}

/** This is read aloud. */
export async function expectHeard(page: Page, text: string): Promise<void> {
  await eventually(() => page.getByRole('status').innerText(), text);
}
