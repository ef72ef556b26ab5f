// The sidebar's page as it is pushed, in a real browser, with google.script.run answered by a test.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { openScripted, type Script } from '../../playground/sidebar-states/scripted-page';
import { buildAddOn } from '../../scripts/build/add-on';
import { chromiumArgs, chromiumPath } from '../../scripts/chromium';

/** Starting the browser may unpack it first. */
const START_TIMEOUT_MS = 60_000;
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

interface SidebarBrowser {
  /** Every call of the page opened last, in order. */
  readonly calls: readonly { readonly method: string; readonly payload: unknown }[];
  open(script: Script, width?: number, height?: number): Promise<Page>;
}

/** Builds the page and starts a browser for the tests of the block in which it is called. */
export function sidebarBrowser(): SidebarBrowser {
  let browser: Browser;
  let context: BrowserContext;
  let html = '';
  const outDir = mkdtempSync(join(tmpdir(), 'sidebar-test-'));
  const calls: { method: string; payload: unknown }[] = [];
  const faults: string[] = [];

  beforeAll(async () => {
    await buildAddOn({ outDir, loopback: false });
    html = readFileSync(join(outDir, 'Sidebar.html'), 'utf8');
    browser = await chromium.launch({ executablePath: chromiumPath(), args: [...chromiumArgs] });
  }, START_TIMEOUT_MS);

  afterAll(async () => {
    await browser.close();
    rmSync(outDir, { recursive: true });
  });

  afterEach(async () => {
    await context.close();
    expect(faults.splice(0)).toEqual([]);
  });

  async function open(script: Script, width = 300, height = 640): Promise<Page> {
    calls.length = 0;
    context = await browser.newContext({ viewport: { width, height }, reducedMotion: 'reduce' });
    return openScripted(context, html, script, {
      called: (method, payload) => calls.push({ method, payload }),
      fault: (message) => faults.push(message),
    });
  }

  return { calls, open };
}

export async function expectNoSidewaysScrolling(page: Page): Promise<void> {
  const hidden = await page.evaluate(() => {
    const main = document.querySelector('main') ?? document.documentElement;
    return [document.documentElement.scrollWidth - innerWidth, main.scrollWidth - main.clientWidth];
  });
  expect(hidden).toEqual([0, 0]);
}

/** Nothing that axe finds, and nothing that needs scrolling sideways. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(AXE);
  const violations = await page.evaluate(async () => {
    const found = await Reflect.get(window, 'axe').run(document);
    return found.violations.map((one: { id: string; help: string }) => `${one.id}: ${one.help}`);
  });
  expect(violations).toEqual([]);
  await expectNoSidewaysScrolling(page);
}

export const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();
/** The id of what has the focus. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.id ?? '');
/** What is read aloud when it changes. */
export const heard = (page: Page): Promise<string> => page.getByRole('status').innerText();
