// The Schedule page in a real browser: made with one press, switched, run and stopped, mended.
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { FINISHED, RUNNING } from '../../playground/sidebar-states/analyze-replies';
import { listed } from '../../playground/sidebar-states/analyze-states';
import {
  COPIED,
  DIGEST,
  EMPTY,
  LIST_SETTINGS,
  LOOK,
  MORNING,
  RUN,
  SCHEDULES,
  SILENT,
} from '../../playground/sidebar-states/schedule-replies';
import {
  scheduled,
  withLook,
  withoutSchedules,
} from '../../playground/sidebar-states/schedule-states';
import { type Answer, begins, refuses, says } from '../../playground/sidebar-states/scripted-page';
import type { ScheduleOverview, ScheduleShown } from '../../src/sidebar/api/schedules';
import { eventually } from './eventually';
import { expectFocus, expectHeard, press, settled, sidebarBrowser } from './sidebar-browser';

const titled = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { name }).waitFor();

const FULL_NAME = `${MORNING.name}, ${MORNING.sheetName}`;

describe('the Schedule page', () => {
  const { calls, open } = sidebarBrowser();
  const payloads = (method: string): readonly unknown[] =>
    calls.filter((call) => call.method === method).map(({ payload }) => payload);

  it('makes the first schedule with one press', async () => {
    let schedules: readonly ScheduleShown[] = [];
    const page = await open({
      ...withoutSchedules,
      'schedule.look': () => says({ ...EMPTY, schedules }),
      'schedule.save': () => {
        schedules = [MORNING];
        return says({ schedules });
      },
    });
    await press(page, 'Refresh every morning');
    await titled(page, MORNING.name);
    const settings = { ...LIST_SETTINGS, rules: [] };
    const made = { id: expect.stringMatching(/^[0-9a-z]{8,}$/), settings };
    expect(payloads('schedule.save')).toEqual([made]);
    await expectFocus(page, 'schedule-title');
    await expectHeard(page, 'Added. It is on.');
  });

  it('moves a switch at once, and back where it was refused', async () => {
    let answer: (given: Answer) => void = () => undefined;
    const page = await open({
      ...scheduled,
      'schedule.switch': () =>
        new Promise<Answer>((resolve) => {
          answer = resolve;
        }),
    });
    const isOn = () => page.getByRole('switch', { name: FULL_NAME }).getAttribute('aria-checked');
    await eventually(isOn, 'true');
    await page.getByRole('switch', { name: FULL_NAME }).press('Space');
    await eventually(isOn, 'false');
    await eventually(() => payloads('schedule.switch'), [{ id: MORNING.id, isOn: false }]);
    answer(refuses({ kind: 'internal', message: 'Something went wrong.' }));
    await page.getByRole('alert').getByText('Something went wrong.').waitFor();
    await eventually(isOn, 'true');
  });

  it('asks before it removes one, and Escape keeps it', async () => {
    let schedules = SCHEDULES;
    const page = await open({
      ...scheduled,
      'schedule.look': () => says({ ...LOOK, schedules }),
      'schedule.remove': () => {
        schedules = SCHEDULES.slice(1);
        return says({ schedules });
      },
    });
    const remove = page.getByRole('button', { name: `Remove: ${FULL_NAME}` });
    await remove.press('Enter');
    await expectFocus(page, 'schedule-keep');
    await page.keyboard.press('Escape');
    await expectFocus(page, `schedule-remove-${MORNING.id}`);
    await page.keyboard.press('Enter');
    await press(page, 'Remove schedule');
    await expectHeard(page, 'Schedule removed.');
    await page.getByRole('heading', { name: MORNING.name }).waitFor({ state: 'detached' });
    expect(payloads('schedule.remove')).toEqual([{ id: MORNING.id }]);
  });

  it('runs one now, says how far it is, and stops it', async () => {
    let answer: (given: Answer) => void = () => undefined;
    const page = await open({
      ...scheduled,
      'schedule.run': () =>
        new Promise<Answer>((resolve) => {
          answer = resolve;
        }),
      'jobs.setState': () => says({ status: RUNNING, queue: [] }),
    });
    await press(page, `Run now: ${FULL_NAME}`);
    await page.getByText('187 of 371', { exact: true }).waitFor();
    await eventually(() => page.getByRole('progressbar').getAttribute('value'), '187');
    await page.getByText('187 of 371 products done, 5 failed.').waitFor();
    await press(page, 'Stop');
    await eventually(() => payloads('jobs.setState'), [{ jobId: RUNNING.jobId, state: 'stopped' }]);
    const part = { ...RUN, outcome: 'part', refreshed: 202, failed: 5, calls: 170, changes: 0 };
    answer(says({ run: part, againInMs: 100 }));
    await expectHeard(page, 'Stopped. 202 refreshed with 170 calls, 5 failed.');
    await expectFocus(page, `schedule-run-${MORNING.id}`);
    expect(payloads('schedule.run')).toEqual([{ id: MORNING.id, maxMs: 300_000 }]);
  });

  it('goes on with a run while the server wants more, also from another page', async () => {
    let left = 2;
    const page = await open({
      ...scheduled,
      'jobs.status': () => says(null),
      'schedule.run': () => {
        left -= 1;
        return says({
          run: { ...RUN, refreshed: 100, failed: 0 },
          againInMs: left > 0 ? 10 : null,
        });
      },
    });
    await press(page, `Run now: ${FULL_NAME}`);
    await page.getByRole('tab', { name: 'List' }).click();
    await eventually(() => payloads('schedule.run').length, 2);
    await page.getByRole('tab', { name: 'Schedule' }).click();
    await page.getByText('200 refreshed with 602 calls. 28 changes noted.').waitFor();
  });

  it('tells on its tab that something happened, shows the rows, and puts it away', async () => {
    const page = await open({ ...withLook({ digest: DIGEST }) });
    await titled(page, 'Since');
    await page.getByRole('tab', { name: 'List' }).click();
    await page.getByRole('tab', { name: 'Schedule has news' }).click();
    await press(page, 'Show: 5. ROI fell under 20%');
    await eventually(() => payloads('schedule.show'), [{ rule: DIGEST.marked[0]?.rule }]);
    await expectHeard(page, '3 of 5 rows selected in the sheet.');
    await press(page, 'Dismiss');
    await page.getByRole('heading', { name: 'Since' }).waitFor({ state: 'detached' });
    expect(payloads('schedule.seen')).toEqual([{ atMs: DIGEST.atMs }]);
  });

  it('mends what concerns all of them with one press', async () => {
    const page = await open(
      withLook(
        { problem: COPIED, remedy: 'schedule.useHere' },
        { 'schedule.useHere': () => says(LOOK) },
      ),
    );
    await press(page, 'Use the schedules here');
    await eventually(() => page.getByRole('alert').innerText(), '');
    expect(payloads('schedule.useHere')).toEqual([{}]);
  });

  it('takes over what somebody else left, and offers but to remove it beside', async () => {
    const theirs: ScheduleShown = {
      ...MORNING,
      isMine: false,
      problem: SILENT,
      remedy: 'schedule.adopt',
    };
    let schedules: ScheduleOverview['schedules'] = [theirs];
    const page = await open({
      ...scheduled,
      'schedule.look': () => says({ ...LOOK, schedules }),
      'schedule.adopt': () => {
        schedules = [MORNING];
        return says({ schedules });
      },
    });
    await page.getByText('Someone else’s: it runs with their key.').waitFor();
    await eventually(() => page.getByRole('switch').count(), 0);
    await eventually(() => page.getByRole('button', { name: 'Run now' }).count(), 0);
    await page.getByRole('button', { name: `Remove: ${FULL_NAME}` }).waitFor();
    await press(page, `Take it over: ${MORNING.name}`);
    await page.getByRole('switch', { name: FULL_NAME }).waitFor();
    expect(payloads('schedule.adopt')).toEqual([{ id: MORNING.id }]);
  });

  it('looks again for who comes back from the sheet', async () => {
    let look: ScheduleOverview = {
      ...EMPTY,
      lists: [],
      formulaCells: 0,
    };
    const page = await open({ ...scheduled, 'schedule.look': () => says(look) }, 300, 640, {
      isAlone: true,
    });
    await titled(page, 'No schedules yet');
    await settled(page);
    await page.clock.install();
    look = EMPTY;
    await page.clock.fastForward(5_000);
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await titled(page, 'Fresh figures every morning');
  });

  it('looks again for who comes from another page', async () => {
    let look: ScheduleOverview = {
      ...EMPTY,
      lists: [],
      formulaCells: 0,
    };
    const page = await open({ ...scheduled, 'schedule.look': () => says(look) });
    await titled(page, 'No schedules yet');
    await page.getByRole('tab', { name: 'List' }).click();
    look = EMPTY;
    await page.getByRole('tab', { name: 'Schedule' }).click();
    await titled(page, 'Fresh figures every morning');
  });
});

describe('a finished run', () => {
  const { calls, open } = sidebarBrowser();

  it('is had again every morning with one press', async () => {
    const page = await open({
      ...listed,
      'jobs.start': () => begins(FINISHED),
      'jobs.status': () => says(FINISHED),
      'schedule.save': (payload) => {
        const { id } = payload as { readonly id: string };
        return says({ schedules: [{ ...MORNING, id }] });
      },
    });
    await press(page, 'Analyze 371');
    await titled(page, 'Done in 6 min 12 s');
    await page.reload();
    await titled(page, 'Done in 6 min 12 s');
    await press(page, 'Schedule');
    await page.getByText('Scheduled: every day at 06:00.').waitFor();
    const task = { ...LIST_SETTINGS.task, listId: FINISHED.listId };
    const settings = { ...LIST_SETTINGS, task, rules: [] };
    const saved = calls.filter(({ method }) => method === 'schedule.save');
    expect(saved.map(({ payload }) => payload)).toEqual([{ id: expect.any(String), settings }]);
    await press(page, 'Open Schedule');
    await page.getByRole('tab', { name: 'Schedule', selected: true }).waitFor();
  });
});
