// The playground as a stranger meets it: its command, what that refuses, and its page by keyboard.

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { tabOf } from '../../playground/web/pictured-playground';
import { ADD_ON_NAME } from '../../src/failures/add-on-name';
import { STEP_MAX_MS } from './eventually';
import { startPlayground } from './playground-process';
import { sharedChromium } from './shared-chromium';

const DRAWN_MS = 1_000;

let shared: ReturnType<typeof startPlayground> | undefined;

/** One for all tests that only need one to run. */
function running() {
  shared ??= startPlayground('--port', '0');
  return shared;
}

describe('the page of the playground', () => {
  let browser: Browser | undefined;
  let page: Page;
  let address = '';
  const faults: string[] = [];

  beforeAll(async () => {
    address = await running().address;
    browser = await sharedChromium();
    page = await browser.newPage({ viewport: { width: 960, height: 600 } });
    page.setDefaultTimeout(STEP_MAX_MS);
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(address) && !url.startsWith('data:') && !url.startsWith('about:')) {
        faults.push(`asked for ${url}`);
      }
    });
    await page.goto(address);
    await page.locator('main:not([aria-busy])').waitFor();
  });

  afterAll(() => browser?.close());

  afterEach(() => {
    expect(faults.splice(0)).toEqual([]);
  });

  /** What a screen reader says of the selected cell. */
  const said = (cell: string, text: RegExp) =>
    page.locator('#cell-value').filter({ hasText: new RegExp(`^${cell}(?: |$)${text.source}`) });

  const shows = (cell: string, text: RegExp): Promise<void> =>
    said(cell, text).waitFor({ state: 'attached' });

  /**
   * Through the box with the cell's name. It forgets what is typed faster than it is drawn, and the
   * same name once more is no news to it: so the way leads over the first cell then. A machine that
   * draws slowly gets more time at each try, else it would be led away for ever.
   */
  async function goTo(cell: string): Promise<void> {
    const name = page.locator('#grid input').first();
    for (let timeout = DRAWN_MS; ; timeout *= 2) {
      await name.fill(cell);
      await name.press('Enter');
      const drawn = said(cell, /.*/).waitFor({ state: 'attached', timeout });
      const isThere = await drawn.then(() => true).catch(() => false);
      if (isThere) return;
      await name.fill('A1');
      await name.press('Enter');
    }
  }

  async function type(cell: string, formula: string): Promise<void> {
    await goTo(cell);
    await page.keyboard.type(formula);
    await page.keyboard.press('Enter');
    await goTo(cell);
  }

  it('opens on a list with figures and verdicts', async () => {
    await goTo('F1');
    await shows('F1', /Verdict$/);
    await goTo('F2');
    await shows('F2', /Buy$/);
  });

  it('follows a cost that is typed', async () => {
    await type('C2', '30');
    await goTo('F2');
    await shows('F2', /Skip$/);
  });

  it('offers address and key to be copied', async () => {
    const note = page.locator('#sandbox-note');
    await note.getByRole('button', { name: 'Copy address and key' }).waitFor();
    await note.getByText('demo-key-5-per-second').waitFor();
  });

  it('shows the note of a cell that is selected, or under the pointer', async () => {
    const note = 'What the service answered, a row for each product and market.';
    await tabOf(page, 'Analysis').click();
    await goTo('A2');
    expect(await page.locator('#cell-note').innerText()).toBe('');
    await goTo('A1');
    await page.getByRole('status').filter({ hasText: note }).waitFor();
    const { x = 0, y = 0 } =
      (await page.locator('[id^=univer-sheet-main-canvas]').boundingBox()) ?? {};
    await page.mouse.move(x + 90, y + 30, { steps: 4 });
    await page.getByRole('tooltip').filter({ hasText: note }).waitFor();
    await page.mouse.move(x + 90, y + 300, { steps: 4 });
    await page.getByRole('tooltip').waitFor({ state: 'hidden' });
  });

  it('answers the sample sheet for both markets, in every form of a product', async () => {
    await page.getByText('Products', { exact: true }).last().click();
    await goTo('D2');
    await shows('D2', /\$\d+\.\d\d$/);
    await page.keyboard.press('ArrowRight');
    await shows('E2', /\d+%$/);
    for (const cell of ['D3', 'D4', 'D6', 'D7']) {
      await goTo(cell);
      await shows(cell, /\$\d+\.\d\d$/);
    }
    await goTo('D12');
    await shows('D12', /£\d+\.\d\d$/);
  });

  it('fills a menu that was opened before the add-on had made it', async () => {
    const early = await page.context().browser()?.newPage();
    if (early === undefined) throw new Error('There is no browser.');
    let hold: (send: () => void) => void = () => undefined;
    const held = new Promise<() => void>((resolve) => {
      hold = resolve;
    });
    // The page must not connect before its messages go this way.
    await early.routeWebSocket(/\/link$/, (socket) => {
      socket.connectToServer().onMessage((message) => {
        const isMenu = JSON.parse(String(message)).kind === 'menu';
        if (isMenu) hold(() => socket.send(message));
        else socket.send(message);
      });
    });
    await early.goto(address);
    await early.locator('main:not([aria-busy])').waitFor();
    await early.getByRole('button', { name: 'Extensions' }).click();
    const arrive = await held;
    arrive();
    await early.getByRole('menuitem', { name: ADD_ON_NAME }).hover();
    await early.getByRole('menuitem', { name: 'Open sidebar' }).waitFor();
    await early.close();
  });

  it('offers the functions with their help while one types', async () => {
    await goTo('A34');
    await page.keyboard.type('=ANALY');
    await page.getByText('Answers whether to buy a product').waitFor();
    await page.getByText('Estimates the most you can pay').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
  });

  it('answers a formula that is typed', async () => {
    await type('A35', '=ANALYZE("B0YJD53LWH","US")');
    await shows('A35', /\d+\.\d+$/);
    await page.keyboard.press('ArrowRight');
    await shows('B35', /0\.\d+$/);
  });

  it('asks again for exactly the cell whose product changes', async () => {
    await type('A36', 'B0XBQ91PKF');
    await type('B36', '=ANALYZE(A36,"US","sell_price")');
    await shows('B36', /49\.99$/);
    await type('A36', 'B0RHV76MZC');
    await goTo('B36');
    await shows('B36', /36\.99$/);
  });

  it('says why a formula failed', async () => {
    await type('A37', '=ANALYZE("nonsense")');
    await shows('A37', /#ERROR!$/);
    await page.getByRole('status').filter({ hasText: '"nonsense" is not an ASIN' }).waitFor();
  });

  it('opens the sidebar from the menu that onOpen made, and the sidebar saves a key', async () => {
    await page.getByRole('button', { name: 'Extensions' }).press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const sidebar = page.frameLocator('#sidebar iframe');
    await sidebar.getByText('…cond').first().waitFor();
    const allowed = await page.locator('#sidebar iframe').getAttribute('sandbox');
    expect(allowed).not.toContain('allow-same-origin');
    await sidebar.getByRole('tab', { name: 'Settings' }).click();
    await sidebar.locator('summary', { hasText: 'Key and limit' }).press('Enter');
    await sidebar.getByRole('button', { name: 'Replace' }).press('Enter');
    await sidebar.getByLabel('Key').fill('demo-key-unlimited');
    await sidebar.getByLabel('Key').press('Enter');
    await sidebar.getByRole('heading', { name: 'Connected' }).waitFor();
    await sidebar.getByText('…ited').first().waitFor();
    await page.locator('#sidebar-close').press('Enter');
    await page.locator('#sidebar').waitFor({ state: 'hidden' });
  });
});

describe('the command', () => {
  it('prints the answered sheet with --headless', async () => {
    const { code, output } = await startPlayground('--headless').ended;
    expect(output).toMatch(/B0XKT7M4QN +Stoneware mug, set of four +US +\$\d+\.\d\d +\d+%/);
    expect(output).toContain('D33: Error: ');
    expect(code).toBe(0);
  });

  it('says which cells a refused key left without an answer, and fails', async () => {
    const refused = startPlayground('--headless', '--key', 'demo-key-revoked');
    const { code, output } = await refused.ended;
    expect(output).toMatch(/Not answered: .*D2/);
    expect(code).toBe(1);
  });

  it('refuses what it does not know, and a port that is taken', async () => {
    const unknown = await startPlayground('--fast').ended;
    expect(unknown).toMatchObject({ code: 1, output: expect.stringContaining('--fast') });
    const { port } = new URL(await running().address);
    const taken = await startPlayground('--first-run', '--port', port).ended;
    expect(taken).toMatchObject({ code: 1, output: expect.stringContaining('is taken') });
  });

  it.each([
    ['SIGINT', () => startPlayground('--first-run', '--port', '0')],
    ['SIGTERM', running],
  ] as const)('stops cleanly on %s', async (signal, started) => {
    const { child, address, ended } = started();
    await address;
    child.kill(signal);
    expect(await ended).toMatchObject({ code: 0, output: expect.stringContaining('Stopped.') });
  });
});
