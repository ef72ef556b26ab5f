// US and UK with one press: the page starts the second job when the first has ended, and keeps it meanwhile.
import { describe, expect, it } from '@jest/globals';
import { FINISHED, LOOK, RUNNING } from '../../playground/sidebar-states/analyze-replies';
import {
  bothMarkets,
  chooseBoth,
  listed,
  lookThenNothing,
} from '../../playground/sidebar-states/analyze-states';
import { MORNING } from '../../playground/sidebar-states/schedule-replies';
import { begins, never, says } from '../../playground/sidebar-states/scripted-page';
import { press, shows, titled } from '../../playground/sidebar-states/sidebar-state';
import { eventually } from './eventually';
import { settled, sidebarBrowser } from './sidebar-browser';

const choiceOf = (market: 'US' | 'UK') => ({
  ...LOOK.choice,
  market: { kind: 'one', market },
});

/** The same list with a new column before its products. */
const MOVED = {
  ...LOOK,
  columns: LOOK.columns.map((one) => ({ ...one, column: one.column + Number(one.column > 2) })),
  choice: { ...LOOK.choice, productColumn: 4 },
};

describe('US and UK', () => {
  const { open, calls } = sidebarBrowser();
  const payloads = (method: string) =>
    calls.filter((one) => one.method === method).map(({ payload }) => payload);
  /** What was started. */
  const choices = () => payloads('jobs.start');

  it('are counted together and started one after the other, each with its own columns', async () => {
    const page = await open(bothMarkets());
    await titled(page, 'Wholesale March');
    await chooseBoth(page);
    expect(payloads('jobs.preview').slice(-2)).toEqual([choiceOf('US'), choiceOf('UK')]);
    await shows(page, '602 calls');
    await shows(page, 'New columns: ROI, Analyzed at, ROI (UK), Analyzed at (UK)');
    await press(page, 'Analyze 371');
    await shows(page, 'US is done, now UK');
    expect(choices()).toEqual([
      { ...choiceOf('US'), products: 371 },
      { ...choiceOf('UK'), productTitle: 'ASIN' },
    ]);
  });

  it('are one choice: no selection, which may be another one by the second run', async () => {
    const page = await open(listed);
    await titled(page, 'Wholesale March');
    await page.getByLabel('Rows').selectOption('selection');
    await page.getByLabel('Market').selectOption('US and UK');
    expect(await page.getByLabel('Rows').inputValue()).toBe('all');
    expect(await page.getByLabel('Rows').locator('option').allTextContents()).toEqual([
      ...['All 412', 'Never analyzed', 'Failed before', 'Older than…'],
    ]);
    await page.getByLabel('Market').selectOption('UK');
    await shows(page, '371 products on Amazon UK');
    expect(payloads('jobs.preview').at(-1)).toEqual({
      ...LOOK.choice,
      market: { kind: 'one', market: 'UK' },
    });
  });

  it('both end where the first is stopped', async () => {
    const page = await open({
      ...bothMarkets(),
      'jobs.record': never,
      'jobs.setState': () => begins({ ...RUNNING, state: 'stopped' }),
    });
    await titled(page, 'Wholesale March');
    await chooseBoth(page);
    await press(page, 'Analyze 371');
    await press(page, 'Stop');
    await titled(page, 'Stopped at 187 of 371');
    await settled(page);
    expect(choices()).toHaveLength(1);
  });

  it('go on with the second when the page is opened again', async () => {
    let [isLater, started] = [false, 0];
    const second = { ...RUNNING, jobId: 'second' };
    const page = await open({
      ...bothMarkets(),
      'jobs.record': never,
      'jobs.start': () => {
        started += 1;
        return begins(started === 1 ? RUNNING : second);
      },
      'jobs.status': () => says(started === 2 ? second : isLater ? FINISHED : RUNNING),
      // A column came in before it: the list is found by its mark.
      'list.look': () => says(isLater ? MOVED : LOOK),
    });
    await titled(page, 'Wholesale March');
    await chooseBoth(page);
    await press(page, 'Analyze 371');
    await shows(page, 'US, then UK');
    isLater = true;
    await page.reload();
    await shows(page, 'US is done, now UK');
    expect(choices()).toEqual([
      { ...choiceOf('US'), products: 371 },
      { ...choiceOf('UK'), productColumn: 4, productTitle: 'ASIN' },
    ]);
  });

  it('tell when the list is not where it was, and start nothing', async () => {
    const page = await open({ ...bothMarkets(), 'list.look': lookThenNothing() });
    await titled(page, 'Wholesale March');
    await chooseBoth(page);
    await press(page, 'Analyze 371');
    await shows(page, 'The list is not where it was.');
    expect(choices()).toHaveLength(1);
  });

  it('are scheduled with one schedule, which is for the list with both', async () => {
    let started = 0;
    const done = { ...FINISHED, failed: 0, failures: [] };
    const status = () => ({
      ...done,
      jobId: started === 1 ? 'first' : 'second',
    });
    const page = await open({
      ...bothMarkets(),
      'jobs.start': () => {
        started += 1;
        return begins(status());
      },
      'jobs.status': () => says(status()),
      'schedule.save': (payload) => {
        const { id } = payload as { readonly id: string };
        return says({ schedules: [{ ...MORNING, id }] });
      },
    });
    await titled(page, 'Wholesale March');
    await chooseBoth(page);
    await press(page, 'Analyze 371');
    await shows(page, 'US and UK');
    await press(page, 'Schedule');
    await settled(page);
    await eventually(() => payloads('schedule.save').length, 1);
    expect(payloads('schedule.save')).toMatchObject([
      { settings: { task: { kind: 'list', sheetId: 7, listId: FINISHED.listId } } },
    ]);
  });
});
