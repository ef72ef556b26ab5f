// US and UK with one press: the second run waits for the first one.
import { describe, expect, it } from '@jest/globals';
import { FINISHED, LOOK, RUNNING } from '../../playground/sidebar-states/analyze-replies';
import {
  bothMarkets,
  chooseBoth,
  listed,
  withJob,
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
    expect(choices()).toEqual([{ ...choiceOf('US'), products: 371 }]);
    const queued = { jobId: 'k3f9', sheetId: 7, choices: [choiceOf('UK')] };
    expect(payloads('jobs.queueNext')).toEqual([queued]);
    expect(payloads('jobs.beginNext')).toHaveLength(1);
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

  it('follow a run over another list together', async () => {
    const page = await open(withJob({ sheet: { id: 8, name: 'Clearance' } }));
    await shows(page, 'Starts after “Clearance”');
    await chooseBoth(page);
    await press(page, 'Analyze 371');
    await eventually(
      () => payloads('jobs.queueNext'),
      [{ jobId: 'k3f9', sheetId: 7, choices: [choiceOf('US'), choiceOf('UK')] }],
    );
  });

  it('are scheduled with one schedule, which is for the list with both', async () => {
    const second = { ...FINISHED, jobId: 'second', failed: 0, failures: [] };
    const choice = choiceOf('UK');
    const page = await open({
      ...bothMarkets({ failed: 0, failures: [] }),
      'jobs.beginNext': () => says({ status: second, queue: [], choice }),
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
