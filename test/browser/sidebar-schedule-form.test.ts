// The form of a schedule in a real browser: by keyboard alone, kept when closed, told what is wrong.
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import {
  LIST_SETTINGS,
  MORNING,
  SCHEDULES,
} from '../../playground/sidebar-states/schedule-replies';
import { scheduled, withLook } from '../../playground/sidebar-states/schedule-states';
import { refuses, says } from '../../playground/sidebar-states/scripted-page';
import { eventually } from './eventually';
import { expectFocus, press, settled, sidebarBrowser } from './sidebar-browser';

const titled = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { name }).waitFor();

const FULL_NAME = `${MORNING.name}, ${MORNING.sheetName}`;

describe('the form of a schedule', () => {
  const { calls, open } = sidebarBrowser();
  const payloads = (method: string): readonly unknown[] =>
    calls.filter((call) => call.method === method).map(({ payload }) => payload);

  it('makes another by keyboard alone, with what was chosen', async () => {
    const page = await open(scheduled);
    await titled(page, MORNING.name);
    const keys = page.keyboard;
    await page.getByRole('button', { name: 'Add schedule' }).press('Enter');
    await expectFocus(page, 'schedule-title');
    await keys.press('Tab');
    await expectFocus(page, 'schedule-what');
    await keys.press('Tab');
    await page.getByLabel('When', { exact: true }).selectOption('weekly');
    await keys.press('Tab');
    await expectFocus(page, 'schedule-weekday');
    await page.getByLabel('On', { exact: true }).selectOption('Friday');
    await keys.press('Tab');
    await keys.press('Tab');
    await expectFocus(page, 'schedule-maxAge');
    await keys.press('Control+A');
    await keys.type('72');
    await keys.press('Tab');
    await expectFocus(page, 'schedule-fold-rules');
    await keys.press('Enter');
    await page.getByLabel('Rank drops double').waitFor();
    await page.getByLabel('ROI falls under', { exact: true }).focus();
    await keys.press('Space');
    await keys.press('Escape');
    await expectFocus(page, 'schedule-fold-rules');
    await page.getByLabel('Rank drops double').waitFor({ state: 'hidden' });
    await page.getByLabel('Older than').press('Enter');
    await page.getByText('Added. It is on.').waitFor();
    const settings = {
      ...LIST_SETTINGS,
      recurrence: { kind: 'weekly', hour: 6, weekday: 5 },
      maxAgeHours: 72,
      rules: [{ kind: 'fell-under', field: 'roi', bound: 0.2 }],
    };
    expect(payloads('schedule.save')).toEqual([{ id: expect.any(String), settings }]);
  });

  it('sends a schedule that was refused again as the same one', async () => {
    let isRefused = true;
    const page = await open({
      ...scheduled,
      'schedule.save': () =>
        isRefused
          ? refuses({ kind: 'internal', message: 'Something went wrong.' })
          : says({ schedules: SCHEDULES }),
    });
    await press(page, 'Add schedule');
    await page.getByLabel('Older than').fill('30');
    await press(page, 'Add schedule');
    await page.getByRole('alert').getByText('Something went wrong.').waitFor();
    isRefused = false;
    await press(page, 'Add schedule');
    await titled(page, MORNING.name);
    const [first, second] = payloads('schedule.save');
    expect(second).toEqual(first);
  });

  it('keeps what was typed when it is closed and opened again, until Escape', async () => {
    const page = await open(scheduled);
    await press(page, `Edit: ${FULL_NAME}`);
    await page.getByLabel('Older than').fill('49');
    await page.getByText('More', { exact: true }).click();
    await page.getByLabel('At most').fill('200');
    await page.reload();
    await titled(page, 'Change the schedule');
    await eventually(() => page.getByLabel('Older than').inputValue(), '49');
    await page.getByText('More', { exact: true }).click();
    await eventually(() => page.getByLabel('At most').inputValue(), '200');
    await page.getByLabel('Older than').press('Escape');
    await expectFocus(page, `schedule-edit-${MORNING.id}`);
    await page.reload();
    await titled(page, MORNING.name);
  });

  it('lets the age follow the rhythm, so that no row is left out, until it is typed', async () => {
    const page = await open(scheduled);
    await press(page, 'Add schedule');
    const [when, age] = [page.getByLabel('When', { exact: true }), page.getByLabel('Older than')];
    await when.selectOption('weekly');
    await eventually(() => age.inputValue(), '164');
    await when.selectOption('hourly');
    await eventually(() => age.inputValue(), '0.5');
    await age.fill('72');
    await when.selectOption('daily');
    await when.selectOption('hourly');
    await press(page, 'Add schedule');
    await eventually(async () => payloads('schedule.save').length, 1);
    expect(payloads('schedule.save')).toMatchObject([
      { settings: { recurrence: { kind: 'hourly' }, maxAgeHours: 72 } },
    ]);
  });

  it('may give a schedule whose sheet is gone the list on view', async () => {
    const list = { sheetId: 8, listId: '2', name: 'April' };
    const { task } = LIST_SETTINGS;
    const page = await open(withLook({ lists: [list] }));
    await press(page, `Edit: ${FULL_NAME}`);
    const what = page.getByLabel('What', { exact: true });
    await eventually(() => what.inputValue(), '7 1');
    await what.selectOption('List on April');
    await eventually(() => what.inputValue(), '8 2');
    await press(page, 'Save');
    await eventually(async () => payloads('schedule.save').length, 1);
    // The rows that were chosen for it stay.
    expect(payloads('schedule.save')).toMatchObject([
      { id: MORNING.id, settings: { task: { ...task, sheetId: 8, listId: '2' } } },
    ]);
  });

  it('says beside its field what is wrong, unfolds it, and sends nothing', async () => {
    const page = await open(scheduled);
    await press(page, 'Add schedule');
    await page.getByText('More', { exact: true }).click();
    await page.getByLabel('At most').fill('many');
    await page.getByText('More', { exact: true }).click();
    await page.getByLabel('At most').waitFor({ state: 'hidden' });
    await press(page, 'Add schedule');
    await expectFocus(page, 'schedule-calls');
    await page.getByText('Enter a whole number of calls, or leave it empty.').waitFor();
    await page.getByLabel('At most').fill('20');
    await page.getByText('Enter a whole number of calls').waitFor({ state: 'detached' });
    await settled(page);
    expect(payloads('schedule.save')).toEqual([]);
  });
});
