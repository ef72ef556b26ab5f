// The sidebar's page as it is pushed, in a real browser: what one sees, does by keyboard, hears.
import { describe, expect, it } from '@jest/globals';
import { LOOK, PREVIEW } from '../../playground/sidebar-states/analyze-replies';
import {
  CONNECTED,
  type Connected,
  connected,
  firstRun,
  OPEN_REPORT,
  REPORT,
} from '../../playground/sidebar-states/connection-replies';
import { fillForm } from '../../playground/sidebar-states/first-run-states';
import { type Answer, says } from '../../playground/sidebar-states/scripted-page';
import { unfold } from '../../playground/sidebar-states/sidebar-state';
import { described } from '../../src/sidebar/api/failure-view';
import { eventually } from './eventually';
import {
  expectAccessible,
  expectFocus,
  expectHeard,
  press,
  settled,
  sidebarBrowser,
} from './sidebar-browser';

const KEY = 'test-key-0123456789-4f2a';

/** What the usual answer says in a seller's words. */
const READ =
  'Profit $15.61 · ROI 87.2% · Fees $6.48 · Eligible yes · 202 rank drops' +
  ' · Buy price $17.90 · Sell price $39.99.';

describe('the sidebar', () => {
  const { calls, open } = sidebarBrowser();

  it('shows itself before the server answers', async () => {
    const page = await open({ 'connection.status': () => new Promise(() => undefined) });
    await page.getByText('Looking for your key').waitFor();
    await expectAccessible(page);
  });

  it('connects a key by keyboard alone and shows what one call brought back', async () => {
    const page = await open(firstRun);
    await page.getByRole('heading', { name: 'Connect your key' }).waitFor();
    await expectAccessible(page);
    const keys = page.keyboard;
    await expectFocus(page, 'message');
    await keys.press('Tab');
    await expectFocus(page, 'by-hand');
    await keys.press('Enter');
    await keys.press('Tab');
    await keys.type('api.example.com');
    await keys.press('Tab');
    await keys.insertText(` Bearer ${KEY}\n`);
    await page.getByText('Ends in …4f2a, 24 characters.').waitFor();
    await keys.press('Enter');
    await page.getByRole('heading', { name: 'Connected' }).waitFor();
    const { baseUrl, sharing } = CONNECTED;
    const payload = { baseUrl, apiKey: KEY, quota: null, sharing, settings: {}, cellsPerDay: null };
    expect(calls[1]).toEqual({ method: 'connection.save', payload });
    await expectFocus(page, 'connection-title');
    await expectHeard(page, `Connected. ${READ}`);
    await eventually(() => page.locator('.read').innerText(), READ);
    await unfold(page, 'How figures are read');
    await page.getByText('Field names', { exact: true }).click();
    await eventually(
      async () => (await page.getByRole('row').allInnerTexts()).slice(-3),
      [
        'cost	buy_price	17.9',
        'buyBoxPrice	sell_price	39.99',
        'warehouse_note	extra	in stock',
      ],
    );
    expect(await page.content()).not.toContain(KEY);
    await expectAccessible(page);
  });

  it('says beside each field what is wrong, and goes to the first', async () => {
    const page = await open(firstRun);
    await unfold(page, 'Type it instead');
    await page.getByLabel('Address', { exact: true }).fill('http://api.example.com');
    await page.getByLabel('Detect automatically').uncheck();
    await page.getByLabel('Calls', { exact: true }).fill('many');
    await press(page, 'Connect');
    await expectFocus(page, 'baseUrl');
    const address = page.getByRole('textbox', { name: 'Address', exact: true });
    await eventually(() => address.getAttribute('aria-describedby'), 'baseUrl-problem');
    await eventually(
      () => page.locator('.problem').allInnerTexts(),
      [
        'The address must begin with https://.',
        'Paste the key you were given.',
        'Enter a whole number of calls, or tick “Detect automatically”.',
      ],
    );
    await expectAccessible(page);
    await settled(page);
    expect(calls.map(({ method }) => method)).toEqual(['connection.status']);
  });

  it('keeps what was typed when it is closed and opened again, but never the key', async () => {
    const page = await open(firstRun);
    await unfold(page, 'Type it instead');
    await page.getByLabel('Address', { exact: true }).fill('https://api.example.com');
    await page.getByLabel('Key', { exact: true }).fill(KEY);
    await page.getByLabel('Detect automatically').uncheck();
    const store = () => page.evaluate(() => JSON.stringify({ ...sessionStorage }));
    const kept = await eventually(store, expect.stringContaining('https://api.example.com'));
    expect(kept).not.toContain(KEY);
    // What outlives the tab holds nothing.
    expect(await page.evaluate(() => [localStorage.length, document.cookie])).toEqual([0, '']);
    await page.reload();
    await eventually(
      () => page.getByLabel('Address', { exact: true }).inputValue(),
      'https://api.example.com',
    );
    await eventually(() => page.getByLabel('Key', { exact: true }).inputValue(), '');
    await eventually(() => page.getByLabel('Detect automatically').isChecked(), false);
  });

  it('shows a refused key as refused, in words', async () => {
    const failure = described({ kind: 'key-refused' });
    const page = await open({ ...connected, 'connection.check': () => ({ ok: false, failure }) });
    await press(page, 'Check');
    await page.getByRole('alert').getByText('The service refused the key.').waitFor();
    const chip = page.locator('.chip');
    await eventually(() => chip.textContent(), 'api.example.com · …4f2a · refused');
    await expectAccessible(page);
  });

  it('shows at once that a run used the plan up, in the chip and as one time on the page', async () => {
    const about = (hours: number) => described({ kind: 'plan-used-up', waitMs: hours * 3_600_000 });
    let isStopped = false;
    const page = await open({
      'connection.status': () => says({ ...CONNECTED, ...(isStopped && { stopped: about(5) }) }),
      'connection.check': () => says(REPORT),
      'list.look': () => says(LOOK),
      'jobs.preview': () => says(PREVIEW),
      'jobs.start': () => {
        isStopped = true;
        return { ok: false, failure: about(6) };
      },
    });
    const chip = page.locator('.chip');
    await eventually(() => chip.textContent(), 'api.example.com · …4f2a · 60/min');
    await page.getByRole('tab', { name: 'Settings' }).click();
    await press(page, 'Check');
    await page.getByRole('heading', { name: 'Connected' }).waitFor();
    await page.getByRole('tab', { name: 'List' }).click();
    await press(page, 'Analyze 371');
    await eventually(() => chip.textContent(), 'api.example.com · …4f2a · stopped');
    await page.getByRole('tab', { name: 'Settings' }).click();
    const body = () => page.locator('body').innerText();
    await eventually(async () => (await body()).match(/about \d h/g), ['about 5 h']);
    await eventually(async () => /Connected/.test(await body()), false);
    await expectAccessible(page);
  });

  it('names the sheet in view once a key works, also after another one came into view', async () => {
    let name = 'Wholesale';
    const look = () => says({ ...LOOK, sheet: { id: name.length, name } });
    const page = await open({ ...firstRun, 'list.look': look }, 300, 640, { isAlone: true });
    await page.getByRole('heading', { name: 'Connect your key' }).waitFor();
    await fillForm(page);
    // The message is gone from view, and what was read of it stands below.
    await page.getByText('Read: api.example.com · key …4f2a, 24 characters').waitFor();
    await eventually(() => page.locator('#message').inputValue(), '');
    await expectFocus(page, 'connect');
    await page.keyboard.press('Enter');
    const analyze = () => page.locator('.button.primary');
    await eventually(() => analyze().innerText(), 'Analyze Wholesale');
    await page.clock.install();
    // As long as Sheets allows.
    name = `Restock ${'of the spring '.repeat(6)}`.trim().padEnd(100, '.');
    await page.clock.fastForward(5_000);
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await page.getByRole('button', { name: `Analyze ${name}`, exact: true }).waitFor();
    await expectAccessible(page);
    const { width = 0 } = (await analyze().boundingBox()) ?? {};
    expect(width).toBeLessThanOrEqual(268);
    // Nothing told of this one: the page that opens names what it has read.
    name = 'Clearance';
    await analyze().click();
    await page.getByRole('heading', { name: 'Clearance' }).waitFor();
  });

  it('says one time alone where products wait for a plan that is used up', async () => {
    const about = (hours: number) => described({ kind: 'plan-used-up', waitMs: hours * 3_600_000 });
    const [stopped, failure] = [about(5), about(6)];
    const page = await open({
      ...connected,
      'connection.status': () => says({ ...CONNECTED, waiting: 3, stopped }),
      'waiting.work': () => ({ ok: false, failure }),
      'connection.check': () => ({ ok: false, failure }),
    });
    await page.getByText('Some products still wait').waitFor();
    const times = async () => (await page.locator('body').innerText()).match(/about \d h/g);
    await eventually(times, ['about 5 h']);
    await press(page, 'Check');
    await page.getByText('Last check failed.').waitFor();
    await eventually(times, ['about 5 h']);
  });

  it('says that the connection was lost, and tries again when asked', async () => {
    let isLost = true;
    const lost: Answer = { throws: 'NetworkError: Connection failure due to HTTP 0' };
    const page = await open({ 'connection.status': () => (isLost ? lost : says(CONNECTED)) });
    await page.getByText('The connection to Google Sheets was lost.').waitFor();
    await expectAccessible(page);
    isLost = false;
    await press(page, 'Try again');
    await page.getByText('60/min').waitFor();
    await eventually(() => page.getByRole('alert').innerText(), '');
  });

  it('asks before it removes a key, and Escape keeps it', async () => {
    const page = await open({
      ...connected,
      'connection.clear': () => says({ connected: false, demo: false }),
    });
    await unfold(page, 'Key and limit');
    await page.getByRole('button', { name: 'Remove key' }).focus();
    await page.keyboard.press('Enter');
    await expectFocus(page, 'keep');
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expectFocus(page, 'remove');
    await page.keyboard.press('Enter');
    await press(page, 'Remove key');
    await page.getByText('The key was removed.').waitFor();
    expect(calls.map(({ method }) => method)).toEqual(['connection.status', 'connection.clear']);
    await eventually(
      () => page.getByLabel('Address', { exact: true }).inputValue(),
      'https://api.example.com',
    );
    await expectAccessible(page);
  });

  it('wants the key again for another address, and Escape goes back', async () => {
    const page = await open(connected);
    await unfold(page, 'Key and limit');
    await press(page, 'Edit address');
    await page.getByLabel('Address', { exact: true }).fill('https://other.example.com');
    await press(page, 'Save');
    await expectFocus(page, 'apiKey');
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expectFocus(page, 'change-baseUrl');
    await settled(page);
    expect(calls.map(({ method }) => method)).toEqual(['connection.status']);
  });

  it('asks for the products that wait, says so quietly, and lets the form be used meanwhile', async () => {
    let answer: (given: Answer) => void = () => undefined;
    const page = await open({
      'connection.status': () => says({ ...CONNECTED, waiting: 12 }),
      'waiting.work': () =>
        new Promise<Answer>((resolve) => {
          answer = resolve;
        }),
    });
    await page.getByText('12 products wait for the key’s limit. Asking for them now.').waitFor();
    await expectAccessible(page);
    await unfold(page, 'Key and limit');
    await press(page, 'Edit limit');
    await expectFocus(page, 'quota');
    answer(says({ settled: 8, left: 4 }));
    await page.getByText('4 products wait for the key’s limit. Asking for them now.').waitFor();
    await expectFocus(page, 'quota');
    answer(says({ settled: 4, left: 0 }));
    const line = page.locator('.waiting');
    await line.getByText('All waiting products are answered.').waitFor();
    await expectAccessible(page);
    const work = { method: 'waiting.work', payload: { maxMs: 20_000 } };
    expect(calls.slice(1)).toEqual([work, work]);
  });

  it('shows what a check read, and changes it by keyboard where it could be otherwise', async () => {
    let settings: Connected['settings'] = {};
    const status = () => says({ ...CONNECTED, settings });
    const page = await open({
      'connection.status': status,
      'connection.check': () => {
        settings = OPEN_REPORT.settings;
        return says(OPEN_REPORT);
      },
      'connection.save': (draft) => {
        settings = Object(draft).settings;
        return status();
      },
    });
    await press(page, 'Check');
    const read = page.locator('.read');
    const shown = (roi: string) =>
      `Profit $15.61 · ROI ${roi} · Fees $6.48 · Eligible yes · 202 rank drops. Is that right?`;
    await eventually(() => read.innerText(), shown('87.2%'));
    await expectHeard(page, `Connected. ${shown('87.2%')}`);
    await expectAccessible(page);
    await page.getByLabel('ROI 87.2%').focus();
    await page.keyboard.press('ArrowDown');
    await eventually(() => read.innerText(), shown('0.9%'));
    await expectHeard(page, `Saved. Refresh formulas to show it.\n\nConnected. ${shown('0.9%')}`);
    expect(calls.find(({ method }) => method === 'connection.save')?.payload).toMatchObject({
      ...{ baseUrl: CONNECTED.baseUrl, apiKey: '' },
      settings: { ...OPEN_REPORT.settings, roiUnit: 'percent' },
    });
    await unfold(page, 'How figures are read');
    await page.getByText('Field names', { exact: true }).click();
    await page.getByRole('table').waitFor();
    await expectAccessible(page);
  });

  it('refreshes formulas when asked, says how far it is, and stops', async () => {
    const counts = { refreshed: 0, failed: 0, left: 120, calls: 40, lacking: 0, ownRefresh: 0 };
    let answer: (given: Answer) => void = () => undefined;
    const page = await open({
      ...connected,
      'formulas.refresh': () =>
        new Promise<Answer>((resolve) => {
          answer = resolve;
        }),
    });
    await unfold(page, 'Formulas and sharing');
    await press(page, 'Refresh formulas now');
    await page.getByText('Refreshing formulas…').waitFor();
    answer(says(counts));
    const line = page.locator('.waiting');
    await eventually(() => line.innerText(), 'Refreshing formulas: 120 products left.');
    await expectAccessible(page);
    await press(page, 'Stop refreshing');
    await eventually(() => line.innerText(), 'Finishing current calls…');
    answer(says({ ...counts, left: 77, lacking: 2, ownRefresh: 1 }));
    await eventually(
      () => line.innerText(),
      '2 formulas not refreshed yet. ' +
        '1 with a refresh value of your own: change that. 77 products left to ask for.',
    );
    await expectAccessible(page);
    const asked = { maxMs: 30_000, onlyFailed: false };
    expect(calls.slice(1).map(({ payload }) => payload)).toEqual([asked, asked]);
  });

  it('offers the refresh cell to formulas that lack it, and adds it', async () => {
    const none = { refreshed: 0, failed: 0, left: 0, calls: 0, ownRefresh: 0 };
    const page = await open({
      ...connected,
      'formulas.refresh': () => says({ ...none, lacking: 12 }),
      'formulas.follow': () => says({ added: 11, refused: 1, left: 0, calls: 12 }),
    });
    await unfold(page, 'Formulas and sharing');
    await press(page, 'Refresh formulas now');
    const line = page.locator('.waiting');
    await eventually(() => line.innerText(), '12 formulas not refreshed yet.');
    await expectAccessible(page);
    await press(page, 'Refresh them, too');
    await eventually(
      () => line.innerText(),
      '11 formulas will follow each refresh. 1 in protected cells.',
    );
    await page.getByText('Refresh them, too').waitFor({ state: 'detached' });
  });

  it('needs no sideways scrolling at 200 % zoom', async () => {
    const page = await open(connected, 150, 320);
    await page.getByText('60/min').waitFor();
    await expectAccessible(page);
  });
});
