// The sidebar's page as it is pushed, in a real browser, with google.script.run answered by a test.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { servedPage } from 'apps-script-host/services/html';
import type { Browser, BrowserContext, Page } from 'playwright-core';
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
  /** Nobody else gets this page: for a test that gives it another clock. */
  readonly isAlone?: boolean;
}

interface View {
  readonly width: number;
  readonly height: number;
}

/**
 * One page for the tests of the block in which it is called, one after the other: what it stores and shows is new
 * each time. Half of the time of a short test goes into a page of its own.
 *
 * @param startMs what the page's clock shows first; left out: what the machine's does.
 */
export function sidebarBrowser(startMs?: number): SidebarBrowser {
  let browser: Browser | undefined;
  let html = '';
  let shared: ReturnType<typeof sharedStage> | undefined;
  let alone: BrowserContext | undefined;
  let opened = 0;
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
    await alone?.close();
    alone = undefined;
    expect(faults.splice(0)).toEqual([]);
  });

  async function open(
    script: Script,
    width = 300,
    height = 640,
    { changed = (built) => built, isTimeStill = false, isAlone = isTimeStill }: Opening = {},
  ): Promise<Page> {
    if (browser === undefined) throw new Error('The browser was not started.');
    let show: Stage;
    if (isAlone) {
      alone = await newContext(browser, { width, height });
      if (isTimeStill) {
        await alone.clock.install({ time: 0 });
        await alone.clock.pauseAt(1);
      }
      show = await openStage(alone);
    } else {
      shared ??= sharedStage(browser, startMs);
      show = await (await shared)({ width, height });
    }
    opened += 1;
    const own = opened;
    calls.length = 0;
    return show(changed(html), script, {
      // What was shown before is still there for a moment.
      called: (method, payload) => own === opened && calls.push({ method, payload }),
      fault: (message) => faults.push(message),
    });
  }

  return { calls, faults, open };
}

async function newContext(browser: Browser, viewport: View): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce' });
  context.setDefaultTimeout(STEP_MAX_MS);
  // Once for all that is shown: sending it to each page takes longer than what it does there.
  await context.addInitScript({ content: `window.loadAxe = () => {${AXE}}` });
  return context;
}

/** Gives the stage as it is for a page that nobody has touched. */
async function sharedStage(
  browser: Browser,
  startMs: number | undefined,
): Promise<(view: View) => Promise<Stage>> {
  const context = await newContext(browser, { width: 300, height: 640 });
  if (startMs !== undefined) await context.clock.install({ time: startMs });
  const stage = await openStage(context);
  return async (view) => {
    await context.setOffline(false);
    for (const page of context.pages()) {
      // The pointer is beside the page.
      await page.mouse.move(-1, -1);
      await page.setViewportSize(view);
    }
    return stage;
  };
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
  // A frame of the playground's.
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
