// A list that is analyzed, in a real browser: by keyboard alone, kept when closed, found again when lost.
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import {
  FINISHED,
  LOOK,
  NONE_FOUND,
  NOW_MS,
  PREVIEW,
  RUNNING,
} from '../../playground/sidebar-states/analyze-replies';
import { listed, withJob } from '../../playground/sidebar-states/analyze-states';
import {
  type Answer,
  begins,
  never,
  refuses,
  type Script,
  says,
} from '../../playground/sidebar-states/scripted-page';
import type { JobStatus } from '../../src/sidebar/api/jobs';
import { eventually } from './eventually';
import { expectFocus, press, settled, sidebarBrowser } from './sidebar-browser';

const LOST: Answer = { throws: 'NetworkError: Connection failure due to HTTP 0' };

const titled = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { name }).waitFor();

describe('a list that is analyzed', () => {
  const { calls, open } = sidebarBrowser();
  const payloads = (method: string): readonly unknown[] =>
    calls.filter((call) => call.method === method).map(({ payload }) => payload);

  it('starts a job by keyboard alone, with what was chosen', async () => {
    const page = await open(listed);
    await titled(page, 'Wholesale March');
    const keys = page.keyboard;
    await page.getByLabel('Market').focus();
    await keys.press('ArrowDown');
    await keys.press('Tab');
    await expectFocus(page, 'analyze-rows');
    await keys.press('Tab');
    await expectFocus(page, 'analyze-figures');
    await keys.press('Enter');
    await page.getByRole('checkbox', { name: 'Sell price' }).waitFor();
    await keys.press('Tab');
    await expectFocus(page, 'analyze-field-profit');
    await keys.press('Space');
    await keys.press('Escape');
    await expectFocus(page, 'analyze-figures');
    await page.getByRole('checkbox', { name: 'Sell price' }).waitFor({ state: 'hidden' });
    const chosen = {
      ...LOOK.choice,
      market: { kind: 'one', market: 'UK' },
      fields: LOOK.choice.fields.filter((name) => name !== 'profit'),
    };
    await eventually(() => payloads('jobs.preview').at(-1), chosen);
    await page.getByRole('button', { name: 'Analyze 371' }).press('Enter');
    await titled(page, '187 of 371');
    await expectFocus(page, 'list-title');
    expect(payloads('jobs.start')).toEqual([{ ...chosen, products: 371 }]);
    const first = { jobId: 'k3f9', products: ['US B07FZ8S74R'], maxMs: 4_000 };
    await eventually(() => payloads('jobs.ask'), [first]);
  });

  it('offers nothing until what a run has written is read', async () => {
    let isOver = false;
    const page = await open({
      ...listed,
      'deals.look': () => (isOver ? never() : says({ look: null })),
      'jobs.start': () => {
        isOver = true;
        return begins(FINISHED);
      },
    });
    await press(page, 'Analyze 371');
    await titled(page, 'Done in 6 min 12 s');
    await page.getByRole('button', { name: 'Counting' }).waitFor();
    expect(await page.getByRole('button', { name: 'Analyze again' }).count()).toBe(0);
  });

  it('tries the other market where nothing was found, goes on, or stops', async () => {
    const ended: Script = {
      ...listed,
      'jobs.start': () => begins(RUNNING, []),
      'jobs.record': () => says({ ...RUNNING, state: 'blocked', problem: NONE_FOUND }),
      'jobs.setState': (sent) =>
        begins({ ...RUNNING, state: Object(sent).state, jobId: Object(sent).jobId }),
    };
    const asked = async () => {
      const page = await open(ended);
      await press(page, 'Analyze 371');
      await page.getByText('None of the first 30 products was found on US.').waitFor();
      return page;
    };
    const first = await asked();
    await press(first, 'Try UK');
    await eventually(() => payloads('jobs.start').length, 2);
    expect(payloads('jobs.setState')).toEqual([{ jobId: 'k3f9', state: 'stopped' }]);
    const market = { kind: 'one', market: 'UK' };
    expect(payloads('jobs.start')[1]).toEqual({ ...LOOK.choice, market });
    const states = [];
    for (const name of ['Go on', 'Stop']) {
      await press(await asked(), name);
      await eventually(() => payloads('jobs.setState').length > 0, true);
      states.push(payloads('jobs.setState')[0]);
    }
    expect(states).toEqual([
      { jobId: 'k3f9', state: 'running' },
      { jobId: 'k3f9', state: 'stopped' },
    ]);
  });

  it('is not started once it is taken back, and leads to the list before it', async () => {
    const before = { ...RUNNING, sheet: { id: 8, name: 'Clearance' } };
    const next = [{ sheetId: LOOK.sheet.id, market: 'US', isMine: true }] as const;
    const page = await open({
      ...withJob({ ...before, next }),
      'list.showSheet': () => says(null),
      'jobs.queueNext': () => begins(before),
    });
    await press(page, 'Show “Clearance”');
    await eventually(() => payloads('list.showSheet'), [{ sheetId: 8 }]);
    await press(page, 'Don’t start');
    await page.getByRole('button', { name: 'Analyze 371' }).waitFor();
    expect(payloads('jobs.queueNext')).toEqual([{ jobId: 'k3f9', sheetId: 7, choices: [] }]);
    expect(payloads('jobs.setState')).toEqual([]);
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
    await page.getByText('371 products on Amazon US').waitFor();
    expect(payloads('jobs.preview').at(-1)).toEqual({
      ...LOOK.choice,
      productColumn: 2,
      productTitle: 'Title',
      rows: { kind: 'older', days: 30 },
    });
  });

  it('selects the rows of a number, and one row of its list', async () => {
    const page = await open(listed);
    await press(page, 'Show: 12 can’t be read');
    await page.getByText('12 rows selected in the sheet.').waitFor();
    await press(page, 'Go to row 87');
    const { sheetId, productColumn } = LOOK.choice;
    const unreadable = PREVIEW.unreadable.rows.map(({ row, shown }) => ({ row, shown }));
    const wanted = [unreadable, unreadable.slice(1, 2)].map((rows) => ({
      ...{ sheetId, productColumn },
      rows,
    }));
    await eventually(() => payloads('list.showRows'), wanted);
    await press(page, 'Hide: 12 can’t be read');
    await page.getByRole('button', { name: 'Show: 12 can’t be read' }).waitFor();
    await settled(page);
    expect(payloads('list.showRows')).toHaveLength(2);
  });

  it('goes on by itself when the connection is back, and keeps what was answered', async () => {
    let isLost = true;
    const answers = [['US B07FZ8S74R', 'packed']];
    const asked = { answers, left: [], calls: 1, servedMs: 400, waitedMs: 0 };
    const page = await open({
      ...listed,
      'jobs.ask': () => says(asked),
      'jobs.record': () => (isLost ? LOST : says(FINISHED)),
    });
    await press(page, 'Analyze 371');
    await page.getByText('Trying again by itself. Progress saved.').waitFor();
    isLost = false;
    await titled(page, 'Done in 6 min 12 s');
    await eventually(() => page.getByRole('alert').innerText(), '');
    expect(payloads('jobs.ask')).toHaveLength(1);
    expect(payloads('jobs.record').at(-1)).toEqual({ jobId: 'k3f9', answers, calls: 1 });
  });

  it('tells the second who starts of the job that is there, and shows it', async () => {
    const isThere = { kind: 'run', message: 'Somebody else is analyzing this spreadsheet.' };
    let job: JobStatus | null = null;
    const page = await open({
      ...listed,
      'list.look': () => says({ ...LOOK, job }),
      'jobs.start': () => refuses(isThere),
    });
    await page.getByText('371 products on Amazon US').waitFor();
    job = { ...RUNNING, isMine: false };
    await press(page, 'Analyze 371');
    await page.getByRole('alert').getByText(isThere.message).waitFor();
    await press(page, 'Look again');
    await page.getByText('Someone else’s run, with their key.').waitFor();
    await settled(page);
    expect(payloads('jobs.ask')).toEqual([]);
  });

  it('finds the job whose start was lost on the way back', async () => {
    const page = await open({ ...listed, 'jobs.start': () => LOST });
    await press(page, 'Analyze 371');
    await titled(page, '187 of 371');
    await eventually(() => payloads('jobs.ask').length, 1);
    expect(payloads('jobs.start')).toHaveLength(1);
  });

  it('sends nothing after it was paused, and goes on with what is left then', async () => {
    const page = await open({
      ...listed,
      'jobs.setState': (sent) => begins({ ...RUNNING, state: Object(sent).state }),
      'jobs.ask': (sent) =>
        payloads('jobs.setState').length === 0
          ? says({ answers: [], left: Object(sent).products, calls: 0, servedMs: 0, waitedMs: 0 })
          : never(),
    });
    await press(page, 'Analyze 371');
    await eventually(() => payloads('jobs.ask').length, 1);
    await press(page, 'Pause');
    await titled(page, 'Paused at 187 of 371');
    expect(payloads('jobs.ask')).toHaveLength(1);
    await press(page, 'Continue');
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await eventually(() => payloads('jobs.ask').length, 2);
  });

  it('shows a job that another window works on, and takes it over only when asked', async () => {
    const page = await open(withJob({}));
    await page.getByText('Another window of yours is working on it.').waitFor();
    await settled(page);
    expect(payloads('jobs.ask')).toEqual([]);
    await press(page, 'Continue here');
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await eventually(() => payloads('jobs.ask').length, 1);
  });

  it('goes on by itself with a job that nobody works on, and with its own after a reload', async () => {
    const left = await open(withJob({ isWorkedOn: false }));
    await left.getByRole('button', { name: 'Pause' }).waitFor();
    await eventually(() => payloads('jobs.ask').length, 1);
    let job: JobStatus | null = null;
    const page = await open({ ...listed, 'list.look': () => says({ ...LOOK, job }) });
    await press(page, 'Analyze 371');
    await titled(page, '187 of 371');
    job = RUNNING;
    await page.reload();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await eventually(() => payloads('jobs.ask').length, 2);
  });

  it('goes on with a blocked job once its time has come', async () => {
    const page = await open(withJob({ state: 'blocked', resumesAtMs: NOW_MS }));
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    expect(payloads('jobs.setState')).toEqual([{ jobId: 'k3f9', state: 'running' }]);
  });

  it('retries what failed for a passing reason, and shows the rows of each', async () => {
    const again = { ...RUNNING, jobId: 'again', products: 3, left: 3 };
    let started = 0;
    const page = await open({
      ...listed,
      'jobs.start': () => {
        started += 1;
        return begins(started === 1 ? FINISHED : again);
      },
      'jobs.status': () => says(again),
    });
    await press(page, 'Analyze 371');
    await press(page, 'Show: 3. The service had a problem.');
    await eventually(
      () => payloads('jobs.showFailed'),
      [{ jobId: 'k3f9', kinds: ['service-busy'] }],
    );
    await press(page, 'Retry 3');
    await titled(page, '0 of 3');
    expect(payloads('jobs.start').at(-1)).toEqual({ ...LOOK.choice, rows: { kind: 'failed' } });
    await eventually(() => payloads('jobs.ask').length, 1);
  });

  it('shows how a job ended while it was closed', async () => {
    let status = RUNNING;
    const page = await open({ ...listed, 'jobs.status': () => says(status) });
    await press(page, 'Analyze 371');
    await titled(page, '187 of 371');
    await page.goto('about:blank');
    status = FINISHED;
    await page.goBack();
    await titled(page, 'Done in 6 min 12 s');
    await press(page, 'Analyze again');
    await titled(page, 'Wholesale March');
    await page.reload();
    await titled(page, 'Wholesale March');
  });

  it('looks at the sheet again for who comes back from it', async () => {
    let name = 'Wholesale March';
    const page = await open(
      {
        ...listed,
        'list.look': () => says({ ...LOOK, sheet: { id: 7, name } }),
      },
      300,
      640,
      { isAlone: true },
    );
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
      'list.look': () => says({ ...LOOK, sheet: { id: 7, name } }),
    });
    await titled(page, name);
    await page.getByRole('tab', { name: 'Schedule' }).click();
    name = 'Clearance';
    await page.getByRole('tab', { name: 'List' }).click();
    await titled(page, 'Clearance');
  });

  it('shows the sheet in view in place of a check of another one', async () => {
    let sheet = LOOK.sheet;
    const page = await open({
      ...listed,
      'list.look': () => says({ ...LOOK, sheet, choice: { ...LOOK.choice, sheetId: sheet.id } }),
      'jobs.preview': (payload) =>
        (payload as { readonly sheetId: number }).sheetId === sheet.id
          ? says(PREVIEW)
          : refuses({ kind: 'run', message: 'Another sheet is in view now.' }),
    });
    await titled(page, 'Wholesale March');
    sheet = { id: 8, name: 'Clearance' };
    await page.getByLabel('Market').selectOption('UK');
    await page.getByText('Another sheet is in view now.').waitFor();
    await press(page, 'Look again');
    await titled(page, 'Clearance');
    await page.getByText('371 products on Amazon').waitFor();
  });

  it('does with the columns of the list what is asked, and looks at it again', async () => {
    let look = { ...LOOK, newRows: 14 };
    const page = await open({
      ...listed,
      'list.look': () => says(look),
      'list.fillInNewRows': () => {
        look = { ...look, newRows: 0 };
        return says({ filled: 14, kept: 0 });
      },
    });
    await press(page, 'Fill in 14 new rows');
    await page.getByText('14 rows filled in.').waitFor();
    await page.getByRole('button', { name: 'Fill in' }).waitFor({ state: 'detached' });
    await page.getByText('More for this list').click();
    await press(page, 'Copy this sheet as values');
    await page.getByText('Copied to the new sheet “Wholesale March (values)”.').waitFor();
    await press(page, 'Insert a column of clean ASINs');
    await page.getByText('A column with the clean ASINs of 400 rows was added.').waitFor();
    expect(payloads('list.showColumns')).toEqual([{ ...LOOK.choice, cleanAsins: true }]);
  });
});
