// The Analyze page in a real browser: by keyboard alone, kept when closed, found again when lost.
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { FINISHED, LOOK, RUNNING } from '../../playground/sidebar-states/analyze-replies';
import { listed, withRun } from '../../playground/sidebar-states/analyze-states';
import { type Answer, refuses, says } from '../../playground/sidebar-states/scripted-page';
import type { BulkStatus } from '../../src/sidebar/bulk-contract';
import { focused, press, sidebarBrowser } from './sidebar-browser';

const titled = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { name }).waitFor();

describe('the Analyze page', () => {
  const { calls, open } = sidebarBrowser();
  const payloads = (method: string): readonly unknown[] =>
    calls.filter((call) => call.method === method).map(({ payload }) => payload);

  it('starts a run by keyboard alone, with what was chosen', async () => {
    const page = await open(listed);
    await titled(page, 'Wholesale March');
    const keys = page.keyboard;
    await page.getByLabel('Market').focus();
    await keys.press('ArrowDown');
    await keys.press('Tab');
    expect(await focused(page)).toBe('analyze-rows');
    await keys.press('Tab');
    await keys.press('Enter');
    await keys.press('Tab');
    expect(await focused(page)).toBe('analyze-field-profit');
    await keys.press('Space');
    await keys.press('Escape');
    expect(await focused(page)).toBe('analyze-edit-fields');
    expect(await page.getByRole('checkbox', { name: 'Sell price' }).isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Check', exact: true }).press('Enter');
    await titled(page, '412 rows');
    expect(await focused(page)).toBe('analyze-title');
    const chosen = {
      ...LOOK.choice,
      market: { kind: 'one', market: 'UK' },
      fields: LOOK.choice.fields.filter((name) => name !== 'profit'),
    };
    expect(payloads('bulk.preflight')).toEqual([chosen]);
    await page.getByRole('button', { name: 'Start 301 calls' }).press('Enter');
    await titled(page, '207 of 412');
    expect(payloads('bulk.start')).toEqual([chosen]);
    expect(payloads('bulk.run')).toEqual([{ jobId: 'k3f9', lane: 0, maxMs: 300_000 }]);
  });

  it('keeps what was chosen when it is closed and opened again', async () => {
    const page = await open(listed);
    await page.getByLabel('Rows').selectOption('older');
    await page.getByLabel('Older than').fill('30');
    await page.getByLabel('Older than').press('Tab');
    await page.getByLabel('Products').selectOption('2');
    await page.reload();
    await titled(page, 'Wholesale March');
    expect(await page.getByLabel('Older than').inputValue()).toBe('30');
    expect(await page.getByLabel('Products').inputValue()).toBe('2');
    await press(page, 'Check');
    await titled(page, '412 rows');
    expect(payloads('bulk.preflight')).toEqual([
      { ...LOOK.choice, productColumn: 2, rows: { kind: 'older', days: 30 } },
    ]);
  });

  it('selects the rows of a number, and one row of its list', async () => {
    const page = await open(listed);
    await press(page, 'Check');
    await press(page, 'Show: 12 can’t be read');
    await page.getByText('12 rows selected in the sheet.').waitFor();
    await press(page, 'Go to row 87');
    expect(payloads('bulk.show')).toEqual([
      { sheetId: 7, rows: [14, 87, 203] },
      { sheetId: 7, rows: [87] },
    ]);
    await press(page, 'Hide: 12 can’t be read');
    expect(payloads('bulk.show')).toHaveLength(2);
  });

  it('goes on by itself when the connection is back', async () => {
    let isLost = true;
    const lost: Answer = { throws: 'NetworkError: Connection failure due to HTTP 0' };
    const end = { status: FINISHED, againInMs: null };
    const page = await open({
      ...withRun({}),
      'bulk.run': () => (isLost ? lost : says(end)),
    });
    await page.getByText('Trying again by itself. Nothing is lost.').waitFor();
    isLost = false;
    await titled(page, 'Done in 6 min 12 s');
    expect(await page.getByRole('alert').innerText()).toBe('');
  });

  it('tells the second who starts of the run that is there, and shows it', async () => {
    const isThere = { kind: 'run', message: 'Somebody else is analyzing this spreadsheet.' };
    let run: BulkStatus | null = null;
    const page = await open({
      ...listed,
      'bulk.look': () => says({ ...LOOK, run }),
      'bulk.start': () => refuses(isThere),
    });
    await press(page, 'Check');
    await titled(page, '412 rows');
    run = { ...RUNNING, isMine: false };
    await press(page, 'Start 301 calls');
    await page.getByRole('alert').getByText(isThere.message).waitFor();
    await press(page, 'Look again');
    await page.getByText('Somebody else’s run, with their key.').waitFor();
    expect(payloads('bulk.run')).toEqual([]);
  });

  it('finds the run whose start was lost on the way back', async () => {
    const page = await open({
      ...listed,
      'bulk.start': () => ({ throws: 'NetworkError: HTTP 0' }),
    });
    await press(page, 'Check');
    await press(page, 'Start 301 calls');
    await titled(page, '207 of 412');
    expect(payloads('bulk.start')).toHaveLength(1);
    expect(payloads('bulk.run')).toHaveLength(1);
  });

  it('asks before it stops a run, and Escape keeps it', async () => {
    const page = await open({
      ...withRun({}),
      'bulk.stop': () => says({ ...RUNNING, state: 'stopped' }),
    });
    await page.getByRole('button', { name: 'Stop', exact: true }).press('Enter');
    expect(await focused(page)).toBe('analyze-keep');
    await page.keyboard.press('Escape');
    expect(await focused(page)).toBe('analyze-stop');
    await page.keyboard.press('Enter');
    await press(page, 'Stop the run');
    await titled(page, 'Stopped at 207 of 412');
    expect(payloads('bulk.stop')).toEqual([{ jobId: 'k3f9' }]);
  });

  it('offers to go on with a run that nobody works on, and drives it only then', async () => {
    const page = await open({
      ...withRun({ state: 'interrupted' }),
      'bulk.resume': () => says(RUNNING),
    });
    await titled(page, 'Run paused at 207 of 412');
    expect(payloads('bulk.run')).toEqual([]);
    await press(page, 'Continue');
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    expect(payloads('bulk.run')).toHaveLength(1);
  });

  it('retries what failed for a passing reason, and shows the rows of each', async () => {
    const again = { ...RUNNING, jobId: 'again', rows: 3, left: 3 };
    const page = await open({
      ...listed,
      'bulk.start': () => says(FINISHED),
      'bulk.status': () => says(FINISHED),
      'bulk.retry': () => says(again),
    });
    await press(page, 'Check');
    await press(page, 'Start 301 calls');
    await press(page, 'Show: 3. The service had a problem.');
    expect(payloads('bulk.show')).toEqual([{ jobId: 'k3f9', failed: 'service-busy' }]);
    await press(page, 'Retry 3');
    await titled(page, '0 of 3');
    expect(payloads('bulk.retry')).toEqual([{ jobId: 'k3f9', kinds: ['service-busy'] }]);
    expect(payloads('bulk.run').at(-1)).toMatchObject({ jobId: 'again' });
  });

  it('shows how a run ended while it was closed', async () => {
    const page = await open({ ...listed, 'bulk.status': () => says(FINISHED) });
    await press(page, 'Check');
    await press(page, 'Start 301 calls');
    await page.reload();
    await titled(page, 'Done in 6 min 12 s');
    await press(page, 'New run');
    await titled(page, 'Wholesale March');
    await page.reload();
    await titled(page, 'Wholesale March');
  });

  it('looks at the sheet again for who comes back from it', async () => {
    let name = 'Wholesale March';
    const page = await open({
      ...listed,
      'bulk.look': () => says({ ...LOOK, sheet: { id: 7, name } }),
    });
    await page.clock.install();
    await titled(page, name);
    name = 'Clearance';
    await page.clock.fastForward(5_000);
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await titled(page, 'Clearance');
  });
});
