// The sidebar's page as it is pushed, in a real browser, with google.script.run answered by a test.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { buildAddOn } from '../../scripts/build/add-on';
import { chromiumArgs, chromiumPath } from '../../scripts/chromium';
import type { ConnectionStatus, RpcFailure, RpcMethod } from '../../src/sidebar/rpc-contract';

/** Starting the browser may unpack it first. */
const START_TIMEOUT_MS = 60_000;
/** Never looked up: the one request for it is answered by the test, any other is an error. */
const ADDRESS = 'https://sidebar.example/';
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

export const CONNECTED = {
  connected: true,
  baseUrl: 'https://api.example.com',
  keyMask: '…4f2a',
  quota: { calls: 60, perSeconds: 60 },
  sharing: 'me',
  settings: {},
  waiting: 0,
} satisfies ConnectionStatus;
const REPORT = {
  asin: 'B07FZ8S74R',
  market: 'US',
  latencyMs: 412,
  recognised: [
    { name: 'profit', as: 'profit', value: '7.42' },
    { name: 'buyBoxPrice', as: 'sell_price', value: '39.99' },
    { name: 'note', as: null, value: '<img src=x onerror=alert(1)>' },
  ],
};

/** What the server does with a call: a reply, or `throws` as Google does when it fails itself. */
export type Answer =
  | { ok: true; value: unknown }
  | { ok: false; failure: RpcFailure }
  | { throws: string };
export type Script = Partial<Record<RpcMethod, () => Answer | Promise<Answer>>>;

export const says = (value: unknown): Answer => ({ ok: true, value });

/** Runs in the page before its own script: google.script.run, answered by the test. */
function provideScriptRun(): void {
  type Handler = (value: unknown) => void;
  const answer = (method: string, payload: unknown): Promise<Answer> =>
    Reflect.get(window, 'serverAnswers')(method, payload);
  const runner = (onValue: Handler, onError: Handler): object => ({
    withSuccessHandler: (handler: Handler) => runner(handler, onError),
    withFailureHandler: (handler: Handler) => runner(onValue, handler),
    rpc: (method: string, payload: unknown) =>
      void answer(method, payload).then((given) =>
        'throws' in given ? onError(new Error(given.throws)) : onValue(given),
      ),
  });
  const ignore = (): void => undefined;
  Object.assign(window, { google: { script: { run: runner(ignore, ignore) } } });
}

export const firstRun: Script = {
  'connection.status': () => says({ connected: false }),
  'connection.save': () => says(CONNECTED),
  'connection.check': () => says(REPORT),
};
export const connected: Script = { ...firstRun, 'connection.status': () => says(CONNECTED) };

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
    await context.route('**/*', (route) => {
      if (route.request().url() === ADDRESS)
        return route.fulfill({ contentType: 'text/html; charset=utf-8', body: html });
      faults.push(`asked for ${route.request().url()}`);
      return route.abort();
    });
    const page = await context.newPage();
    page.on('pageerror', (error) => faults.push(error.message));
    await page.exposeFunction('serverAnswers', (method: RpcMethod, payload: unknown) => {
      calls.push({ method, payload });
      return script[method]?.() ?? { throws: `the test has no answer to ${method}` };
    });
    await page.addInitScript(provideScriptRun);
    await page.goto(ADDRESS);
    return page;
  }

  return { calls, open };
}

/** Nothing that axe finds, and nothing that needs scrolling sideways. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(AXE);
  const violations = await page.evaluate(async () => {
    const found = await Reflect.get(window, 'axe').run(document);
    return found.violations.map((one: { id: string; help: string }) => `${one.id}: ${one.help}`);
  });
  expect(violations).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
}

export const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();
/** The id of what has the focus. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.id ?? '');
/** What is read aloud when it changes. */
export const heard = (page: Page): Promise<string> => page.getByRole('status').innerText();
