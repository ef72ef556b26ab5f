// The sidebar's page as it is pushed, in a real browser: what one sees, does by keyboard, hears.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { buildAddOn } from '../../scripts/build/add-on';
import { chromiumArgs, chromiumPath } from '../../scripts/chromium';
import type { ConnectionStatus, RpcFailure, RpcMethod } from '../../src/sidebar/rpc-contract';

/** Starting the browser may unpack it first. */
const START_TIMEOUT_MS = 60_000;
/** Never looked up: the one request for it is answered by the test, any other is an error. */
const ADDRESS = 'https://sidebar.example/';
const KEY = 'test-key-0123456789-4f2a';
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const CONNECTED = {
  connected: true,
  baseUrl: 'https://api.example.com',
  keyMask: '…4f2a',
  quota: { calls: 60, perSeconds: 60 },
  sharing: 'me',
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
type Answer =
  | { ok: true; value: unknown }
  | { ok: false; failure: RpcFailure }
  | { throws: string };
type Script = Partial<Record<RpcMethod, () => Answer | Promise<Answer>>>;

const says = (value: unknown): Answer => ({ ok: true, value });

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

describe('the sidebar', () => {
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

  async function expectAccessible(page: Page): Promise<void> {
    await page.evaluate(AXE);
    const violations = await page.evaluate(async () => {
      const found = await Reflect.get(window, 'axe').run(document);
      return found.violations.map((one: { id: string; help: string }) => `${one.id}: ${one.help}`);
    });
    expect(violations).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  }

  const press = (page: Page, name: string): Promise<void> =>
    page.getByRole('button', { name, exact: true }).click();
  const focused = (page: Page): Promise<string> =>
    page.evaluate(() => document.activeElement?.id ?? '');
  const heard = (page: Page): Promise<string> => page.getByRole('status').innerText();

  const firstRun: Script = {
    'connection.status': () => says({ connected: false }),
    'connection.save': () => says(CONNECTED),
    'connection.check': () => says(REPORT),
  };
  const connected: Script = { ...firstRun, 'connection.status': () => says(CONNECTED) };

  it('shows itself before the server answers', async () => {
    const page = await open({ 'connection.status': () => new Promise(() => undefined) });
    await page.getByText('Looking for your key').waitFor();
    await page.getByRole('heading', { name: 'Connection' }).waitFor();
    await expectAccessible(page);
  });

  it('connects a key by keyboard alone and shows what one call brought back', async () => {
    const page = await open(firstRun);
    await page.getByRole('heading', { name: 'Connect your key' }).waitFor();
    await expectAccessible(page);
    const keys = page.keyboard;
    await keys.press('Tab');
    expect(await focused(page)).toBe('baseUrl');
    await keys.type('api.example.com');
    await keys.press('Tab');
    await keys.insertText(` Bearer ${KEY}\n`);
    await page.getByText('Ends in …4f2a, 24 characters.').waitFor();
    await keys.press('Enter');
    await page.getByRole('heading', { name: 'It works' }).waitFor();
    const { baseUrl, quota, sharing } = CONNECTED;
    const payload = { baseUrl, apiKey: KEY, quota, sharing };
    expect(calls[1]).toEqual({ method: 'connection.save', payload });
    expect(await focused(page)).toBe('title');
    expect(await heard(page)).toBe('It works. 3 fields came back, 2 of them recognised.');
    expect(await page.getByRole('row').allInnerTexts()).toEqual([
      'Field\tRead as\tValue',
      'profit\tprofit\t7.42',
      'buyBoxPrice\tsell_price\t39.99',
      'note\textra\t<img src=x onerror=alert(1)>',
    ]);
    expect(await page.content()).not.toContain(KEY);
    await expectAccessible(page);
  });

  it('says beside each field what is wrong, and goes to the first', async () => {
    const page = await open(firstRun);
    await page.getByLabel('Address').fill('http://api.example.com');
    await page.getByLabel('Calls').fill('many');
    await press(page, 'Connect');
    expect(await focused(page)).toBe('baseUrl');
    const address = page.getByRole('textbox', { name: 'Address' });
    expect(await address.getAttribute('aria-describedby')).toBe('baseUrl-problem');
    expect(await page.locator('.problem').allInnerTexts()).toEqual([
      'The address must begin with https://.',
      'Paste the key you were given.',
      'Enter a whole number of calls, or tick “Find out”.',
    ]);
    await expectAccessible(page);
    expect(calls.map(({ method }) => method)).toEqual(['connection.status']);
  });

  it('keeps what was typed when it is closed and opened again, but never the key', async () => {
    const page = await open(firstRun);
    await page.getByLabel('Address').fill('https://api.example.com');
    await page.getByLabel('Key').fill(KEY);
    await page.getByLabel('Find out').check();
    await page.getByLabel('This spreadsheet’s formulas').check();
    const kept = await page.evaluate(() => JSON.stringify({ ...sessionStorage }));
    expect(kept).toContain('https://api.example.com');
    expect(kept).not.toContain(KEY);
    await page.reload();
    expect(await page.getByLabel('Address').inputValue()).toBe('https://api.example.com');
    expect(await page.getByLabel('Key').inputValue()).toBe('');
    expect(await page.getByLabel('Find out').isChecked()).toBe(true);
    expect(await page.getByLabel('This spreadsheet’s formulas').isChecked()).toBe(true);
  });

  it('shows a refused key as refused, in words', async () => {
    const failure: RpcFailure = { kind: 'key-refused', message: 'The service refused the key.' };
    const page = await open({ ...connected, 'connection.check': () => ({ ok: false, failure }) });
    await press(page, 'Check');
    await page.getByRole('alert').getByText('The service refused the key.').waitFor();
    expect(await page.locator('.chip').textContent()).toBe('api.example.com · …4f2a · refused');
    await expectAccessible(page);
  });

  it('says that the connection was lost, and tries again when asked', async () => {
    let isLost = true;
    const lost: Answer = { throws: 'NetworkError: Connection failure due to HTTP 0' };
    const page = await open({ 'connection.status': () => (isLost ? lost : says(CONNECTED)) });
    await page.getByText('The connection to Google Sheets was lost.').waitFor();
    await expectAccessible(page);
    isLost = false;
    await press(page, 'Try again');
    await page.getByText('60 per minute').waitFor();
    expect(await page.getByRole('alert').innerText()).toBe('');
  });

  it('asks before it removes a key, and Escape keeps it', async () => {
    const page = await open({ ...connected, 'connection.clear': () => says({ connected: false }) });
    await page.getByRole('button', { name: 'Remove key' }).focus();
    await page.keyboard.press('Enter');
    expect(await focused(page)).toBe('keep');
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    expect(await focused(page)).toBe('remove');
    await page.keyboard.press('Enter');
    await press(page, 'Remove key');
    await page.getByText('The key was removed.').waitFor();
    expect(calls.map(({ method }) => method)).toEqual(['connection.status', 'connection.clear']);
    expect(await page.getByLabel('Address').inputValue()).toBe('https://api.example.com');
    await expectAccessible(page);
  });

  it('wants the key again for another address, and Escape goes back', async () => {
    const page = await open(connected);
    await press(page, 'Edit address');
    await page.getByLabel('Address').fill('https://other.example.com');
    await press(page, 'Save');
    expect(await focused(page)).toBe('apiKey');
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    expect(await focused(page)).toBe('change-baseUrl');
    expect(calls.map(({ method }) => method)).toEqual(['connection.status']);
  });

  it('needs no sideways scrolling at 200 % zoom', async () => {
    await expectAccessible(await open(connected, 150, 320));
  });
});
