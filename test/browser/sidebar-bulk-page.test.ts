// The Analyze page in a real browser: by keyboard alone, kept when closed, found again when lost.
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import {
  FINISHED,
  LOOK,
  PREFLIGHT,
  RUNNING,
} from '../../playground/sidebar-states/analyze-replies';
import { listed, withBarcodes, withRun } from '../../playground/sidebar-states/analyze-states';
import { type Answer, begins, refuses, says } from '../../playground/sidebar-states/scripted-page';
import type { BulkStatus } from '../../src/sidebar/api/runs';
import { eventually } from './eventually';
import { expectFocus, press, settled, sidebarBrowser } from './sidebar-browser';

const titled = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { name }).waitFor();

describe('the Analyze page', () => {
  const { calls, open } = sidebarBrowser();
  const payloads = (method: string): readonly unknown[] =>
    calls.filter((call) => call.method === method).map(({ payload }) => payload);
  /** Calls of the worker that writes. */
  const ofWriter = () => payloads('bulk.run').filter((sent) => Object(sent).worker === 0);
  /** What was started. */
  const choices = () =>
    payloads('bulk.startRun').map((sent) => (sent as { readonly choice: object }).choice);

  it('starts a run by keyboard alone, with what was chosen', async () => {
    const page = await open(listed);
    await titled(page, 'Wholesale March');
    const keys = page.keyboard;
    await page.getByLabel('Market').focus();
    await keys.press('ArrowDown');
    await keys.press('Tab');
    await expectFocus(page, 'analyze-rows');
    await keys.press('Tab');
    await expectFocus(page, 'analyze-edit-fields');
    await keys.press('Enter');
    await page.getByRole('checkbox', { name: 'Sell price' }).waitFor();
    await keys.press('Tab');
    await expectFocus(page, 'analyze-field-profit');
    await keys.press('Space');
    await keys.press('Escape');
    await expectFocus(page, 'analyze-edit-fields');
    await page.getByRole('checkbox', { name: 'Sell price' }).waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Preview', exact: true }).press('Enter');
    await titled(page, '412 rows');
    await expectFocus(page, 'analyze-title');
    const chosen = {
      ...LOOK.choice,
      market: { kind: 'one', market: 'UK' },
      fields: LOOK.choice.fields.filter((name) => name !== 'profit'),
    };
    expect(payloads('bulk.preflight')).toEqual([chosen]);
    await page.getByRole('button', { name: 'Start 301 calls' }).press('Enter');
    await titled(page, '207 of 412');
    expect(choices()).toEqual([chosen]);
    const slice = { runId: 'k3f9', worker: 0, maxMs: 300_000 };
    await eventually(ofWriter, [slice]);
  });

  it('keeps what was chosen when it is closed and opened again', async () => {
    const page = await open(listed);
    await page.getByLabel('Rows').selectOption('older');
    await page.getByLabel('Older than').fill('30');
    await page.getByLabel('Older than').press('Tab');
    await page.getByLabel('Products').selectOption('2');
    await page.reload();
    await titled(page, 'Wholesale March');
    await eventually(() => page.getByLabel('Older than').inputValue(), '30');
    await eventually(() => page.getByLabel('Products').inputValue(), '2');
    await press(page, 'Preview');
    await titled(page, '412 rows');
    expect(payloads('bulk.preflight')).toEqual([
      { ...LOOK.choice, productColumn: 2, rows: { kind: 'older', days: 30 } },
    ]);
  });

  it('selects the rows of a number, and one row of its list', async () => {
    const page = await open(listed);
    await press(page, 'Preview');
    await press(page, 'Show: 12 can’t be read');
    await page.getByText('12 rows selected in the sheet.').waitFor();
    await press(page, 'Go to row 87');
    const { sheetId, productColumn } = LOOK.choice;
    const unreadable = PREFLIGHT.unreadable.rows.map(({ row, shown }) => ({ row, shown }));
    const wanted = [unreadable, unreadable.slice(1, 2)].map((rows) => ({
      ...{ sheetId, productColumn },
      rows,
    }));
    await eventually(() => payloads('bulk.show'), wanted);
    await press(page, 'Hide: 12 can’t be read');
    await page.getByRole('button', { name: 'Show: 12 can’t be read' }).waitFor();
    await settled(page);
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
    await page.getByText('Trying again by itself. Progress saved.').waitFor();
    isLost = false;
    await titled(page, 'Done in 6 min 12 s');
    await eventually(() => page.getByRole('alert').innerText(), '');
  });

  it('tells the second who starts of the run that is there, and shows it', async () => {
    const isThere = { kind: 'run', message: 'Somebody else is analyzing this spreadsheet.' };
    let run: BulkStatus | null = null;
    const page = await open({
      ...listed,
      'bulk.look': () => says({ ...LOOK, run }),
      'bulk.startRun': () => refuses(isThere),
    });
    await press(page, 'Preview');
    await titled(page, '412 rows');
    run = { ...RUNNING, isMine: false };
    await press(page, 'Start 301 calls');
    await page.getByRole('alert').getByText(isThere.message).waitFor();
    await press(page, 'Look again');
    await page.getByText('Someone else’s run, with their key.').waitFor();
    await settled(page);
    expect(ofWriter()).toEqual([]);
  });

  it('finds the run whose start was lost on the way back', async () => {
    let runId = '';
    const page = await open({
      ...listed,
      'bulk.startRun': (sent) => {
        ({ runId } = sent as { readonly runId: string });
        return { throws: 'NetworkError: HTTP 0' };
      },
      'bulk.status': () => says({ ...RUNNING, runId }),
    });
    await press(page, 'Preview');
    await press(page, 'Start 301 calls');
    await titled(page, '207 of 412');
    await eventually(() => ofWriter().length, 1);
    expect(choices()).toHaveLength(1);
  });

  it('asks before it stops a run, and Escape keeps it', async () => {
    const page = await open({
      ...withRun({}),
      'bulk.stop': () => says({ ...RUNNING, state: 'stopped' }),
    });
    await page.getByRole('button', { name: 'Stop', exact: true }).press('Enter');
    await expectFocus(page, 'analyze-keep');
    await page.keyboard.press('Escape');
    await expectFocus(page, 'analyze-stop');
    await page.keyboard.press('Enter');
    await press(page, 'Stop the run');
    await titled(page, 'Stopped at 207 of 412');
    expect(payloads('bulk.stop')).toEqual([{ runId: 'k3f9' }]);
  });

  it('offers to go on with a run that nobody works on, and drives it only then', async () => {
    const page = await open({
      ...withRun({ state: 'interrupted' }),
      'bulk.resume': () => says(RUNNING),
    });
    await titled(page, 'Run paused at 207 of 412');
    await settled(page);
    expect(payloads('bulk.run')).toEqual([]);
    await press(page, 'Continue');
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await eventually(() => payloads('bulk.run').length, 1);
  });

  it('retries what failed for a passing reason, and shows the rows of each', async () => {
    const again = { ...RUNNING, runId: 'again', rows: 3, left: 3 };
    const page = await open({
      ...listed,
      'bulk.startRun': () => begins(FINISHED),
      'bulk.status': () => says(FINISHED),
      'bulk.retry': () => says(again),
    });
    await press(page, 'Preview');
    await press(page, 'Start 301 calls');
    await press(page, 'Show: 3. The service had a problem.');
    await eventually(() => payloads('bulk.show'), [{ runId: 'k3f9', failed: 'service-busy' }]);
    await press(page, 'Retry 3');
    await titled(page, '0 of 3');
    expect(payloads('bulk.retry')).toEqual([{ runId: 'k3f9', kinds: ['service-busy'] }]);
    const ofRetry = expect.objectContaining({ runId: 'again' });
    await eventually(() => payloads('bulk.run').at(-1), ofRetry);
  });

  it('shows how a run ended while it was closed', async () => {
    let status = RUNNING;
    const page = await open({ ...listed, 'bulk.status': () => says(status) });
    await press(page, 'Preview');
    await press(page, 'Start 301 calls');
    await titled(page, '207 of 412');
    await page.goto('about:blank');
    status = FINISHED;
    await page.goBack();
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
    await titled(page, name);
    await settled(page);
    await page.clock.install();
    name = 'Clearance';
    await page.clock.fastForward(5_000);
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await titled(page, 'Clearance');
  });

  it('looks at the sheet again for who comes back from another page', async () => {
    let name = 'Wholesale March';
    const page = await open({
      ...listed,
      'bulk.look': () => says({ ...LOOK, sheet: { id: 7, name } }),
    });
    await titled(page, name);
    await page.getByRole('tab', { name: 'Schedule' }).click();
    name = 'Clearance';
    await page.getByRole('tab', { name: 'Analyze' }).click();
    await titled(page, 'Clearance');
  });

  it('shows the sheet in view in place of a check of another one', async () => {
    let sheet = LOOK.sheet;
    const page = await open({
      ...listed,
      'bulk.look': () => says({ ...LOOK, sheet, choice: { ...LOOK.choice, sheetId: sheet.id } }),
      'bulk.preflight': (payload) =>
        (payload as { readonly sheetId: number }).sheetId === sheet.id
          ? says(PREFLIGHT)
          : refuses({ kind: 'run', message: 'Another sheet is in view now.' }),
    });
    await titled(page, 'Wholesale March');
    sheet = { id: 8, name: 'Clearance' };
    await press(page, 'Preview');
    await titled(page, 'Clearance');
    await page.getByText('“Clearance” is in view now. Press Preview for its rows.').waitFor();
    await press(page, 'Preview');
    await titled(page, '412 rows');
    await page.getByText('in “Clearance”').waitFor();
  });

  it('tells a list without a readable product from one that is up to date', async () => {
    const nothing = { calls: 0, fresh: 0, products: 0 };
    let preflight = { ...PREFLIGHT, ...nothing };
    const page = await open({ ...listed, 'bulk.preflight': () => says(preflight) });
    await press(page, 'Preview');
    await page.getByText('No products in these rows').waitFor();
    expect(await page.getByText('up to date').count()).toBe(0);
    await press(page, 'Back');
    preflight = { ...PREFLIGHT, calls: 0, fresh: 371 };
    await press(page, 'Preview');
    await page.getByText('No calls needed: all up to date').waitFor();
    await page.getByRole('button', { name: 'Write saved figures' }).waitFor();
  });

  it('lists barcodes in their tab with one press, each once, and says what to do then', async () => {
    const page = await open(withBarcodes);
    await press(page, 'Preview');
    await page.getByRole('button', { name: 'List 2 barcodes to fill in' }).press('Enter');
    await page.getByText('2 barcodes added to the tab “Barcodes”.').waitFor();
    expect(payloads('deals.tab')).toMatchObject([
      { title: 'Barcodes', cells: [['Barcode', 'ASIN', 'Title']] },
    ]);
    expect(payloads('deals.set')).toEqual([
      {
        sheetId: 8,
        seen: [{ at: 'A1', value: 'Barcode' }],
        cells: [],
        rows: [
          ['4006381333931', '', 'Fineliner, 10 colours'],
          ['012345678905', '', 'Fineliner, 10 colours'],
        ],
      },
    ]);
    await page.getByRole('button', { name: 'Start 301 calls' }).waitFor();
  });

  it('leaves a tab alone whose column of barcodes it does not find, and says which', async () => {
    const cells = [['EAN', 'ASIN']];
    const page = await open({
      ...withBarcodes,
      'deals.barcodes': () => says({ sheetId: 8, name: 'Barcodes', cells }),
    });
    await press(page, 'Preview');
    await press(page, 'List 2 barcodes to fill in');
    await page.getByText('The tab “Barcodes” has no column “Barcode”.').waitFor();
    expect(payloads('deals.set')).toEqual([]);
  });

  it('offers columns of their own, and to replace what stands there, for a second market', async () => {
    const page = await open({
      ...listed,
      'bulk.preflight': (payload) => {
        const { apart = true } = payload as { readonly apart?: boolean };
        return says({ ...PREFLIGHT, areApart: apart, replaced: apart ? 0 : 120 });
      },
    });
    await titled(page, 'Wholesale March');
    await page.getByLabel('Market').selectOption('UK');
    await press(page, 'Preview');
    await page.getByText('US figures stay; UK figures get their own columns.').waitFor();
    await press(page, 'Replace the US figures instead');
    await page.getByText('US figures in 120 rows will be replaced by UK ones.').waitFor();
    await press(page, 'Use own columns instead');
    await page.getByText('US figures stay; UK figures get their own columns.').waitFor();
    await press(page, 'Start 301 calls');
    await titled(page, '207 of 412');
    expect(choices()).toEqual([
      { ...LOOK.choice, market: { kind: 'one', market: 'UK' }, apart: true },
    ]);
  });

  it('keeps what is written and its link apart, each whole, in the width of a sidebar', async () => {
    const fields = LOOK.fields.map((field) => ({
      ...field,
      title: `${field.title} as the supplier’s sheet calls it`,
    }));
    const page = await open({ ...listed, 'bulk.look': () => says({ ...LOOK, fields }) });
    await page.setViewportSize({ width: 300, height: 600 });
    const link = page.getByRole('button', { name: 'Edit what is written' });
    const [box, text] = [await link.boundingBox(), await page.locator('.written p').boundingBox()];
    expect(box?.height).toBeLessThan(40);
    expect((text?.x ?? 0) + (text?.width ?? 0)).toBeLessThanOrEqual(box?.x ?? 0);
    const lines = await link.evaluate((node) => {
      const range = document.createRange();
      range.selectNodeContents(node);
      return range.getClientRects().length;
    });
    expect(lines).toBe(1);
  });
});
