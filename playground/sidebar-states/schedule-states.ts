// States of the Schedule page, from no schedule to the digest in the morning.
import type { Page } from 'playwright-core';
import type { ScheduleOverview } from '../../src/sidebar/api/schedules';
import { RUNNING } from './analyze-replies';
import { listed } from './analyze-states';
import { CONNECTED } from './connection-replies';
import { DIGEST, EMPTY, LOOK, MORNING, PAST, RUN, SCHEDULES } from './schedule-replies';
import { never, type Script, says } from './scripted-page';
import { press, type SidebarState, shows, titled } from './sidebar-state';

/** Two schedules, and a manual run that never ends. */
export const scheduled: Script = {
  ...listed,
  'schedule.look': () => says(LOOK),
  'schedule.history': () => says({ runs: PAST }),
  'schedule.run': never,
  'schedule.show': () => says({ shown: 3 }),
  'schedule.seen': () => says({}),
  'schedule.save': () => says({ schedules: SCHEDULES }),
  'schedule.switch': never,
};

/** The page as it opens with this overview. */
export const withLook = (change: Partial<ScheduleOverview>, more: Script = {}): Script => ({
  ...scheduled,
  'schedule.look': () => says({ ...LOOK, ...change }),
  ...more,
});

export const withoutSchedules: Script = withLook(EMPTY);

let added: ScheduleOverview = EMPTY;
/** A server that remembers an added schedule until the page is opened again. */
const adding: Script = {
  ...withoutSchedules,
  'connection.status': () => {
    added = EMPTY;
    return says(CONNECTED);
  },
  'schedule.look': () => says(added),
  'schedule.save': () => {
    added = { ...EMPTY, schedules: [MORNING], trigger: LOOK.trigger };
    return says({ schedules: added.schedules });
  },
};

const MORNING_NAME = 'Every day at 06:00';

async function add(page: Page): Promise<void> {
  await press(page, 'Add schedule');
  await titled(page, 'New schedule');
}

const FIRST: readonly SidebarState[] = [
  {
    name: 'loading',
    title: 'Before the server has answered',
    script: { ...scheduled, 'schedule.look': never },
    act: (page) => titled(page, 'Schedule'),
  },
  {
    name: 'first',
    title: 'No schedule yet',
    script: withoutSchedules,
    act: (page) => titled(page, 'Fresh figures every morning'),
  },
  {
    name: 'first-formulas',
    title: 'Formulas alone',
    script: withLook({ ...EMPTY, lists: [] }),
    act: (page) => page.getByRole('heading', { name: '214 formulas' }).waitFor(),
  },
  {
    name: 'nothing',
    title: 'Nothing to be refreshed',
    script: withLook({ ...EMPTY, lists: [], formulaCells: 0 }),
    act: (page) => titled(page, 'No schedules yet'),
  },
  {
    name: 'adding',
    title: 'The first is being added',
    script: { ...withoutSchedules, 'schedule.save': never },
    act: async (page) => {
      await press(page, 'Refresh every morning');
      await page.getByRole('button', { name: 'Adding' }).waitFor();
    },
  },
];

const LIST: readonly SidebarState[] = [
  {
    name: 'list',
    title: 'Two schedules',
    script: scheduled,
    act: (page) => titled(page, MORNING_NAME),
  },
  {
    name: 'added',
    title: 'Just added',
    script: adding,
    act: async (page) => {
      await press(page, 'Refresh every morning');
      await shows(page, 'Added. It is on.');
    },
  },
  {
    name: 'digest',
    title: 'What happened meanwhile',
    script: withLook({ digest: DIGEST }),
    act: async (page) => {
      await press(page, 'Show: 3. No longer eligible');
      await shows(page, '3 rows selected in the sheet.');
    },
  },
  {
    name: 'history',
    title: 'History',
    script: scheduled,
    act: async (page) => {
      await press(page, 'History');
      await page.getByText('The service refused the key.').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'remove',
    title: 'Removing is asked first',
    script: scheduled,
    act: async (page) => {
      await press(page, 'Remove: Every day at 06:00, Wholesale March');
      await shows(page, 'What it wrote stays');
    },
  },
];

const FORM: readonly SidebarState[] = [
  { name: 'new', title: 'A new schedule', script: scheduled, act: add },
  {
    name: 'weekly',
    title: 'Once a week',
    script: scheduled,
    act: async (page) => {
      await add(page);
      await page.getByLabel('When', { exact: true }).selectOption('weekly');
      await page.getByLabel('On', { exact: true }).waitFor();
    },
  },
  {
    name: 'rules',
    title: 'Rows that are marked',
    script: scheduled,
    act: async (page) => {
      await add(page);
      await page.getByText('Mark rows when').click();
      await page.getByText('Marked in the column').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'more',
    title: 'What most never need',
    script: scheduled,
    act: async (page) => {
      await add(page);
      await page.getByText('More', { exact: true }).click();
      await page.getByLabel('Quiet hours').check();
      await page.getByLabel('To', { exact: true }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'problems',
    title: 'Something typed is wrong',
    script: scheduled,
    act: async (page) => {
      await add(page);
      await page.getByLabel('Older than').fill('soon');
      await page.getByText('Mark rows when').click();
      await page.getByLabel('ROI falls under, %').fill('much');
      await press(page, 'Add schedule');
      await shows(page, 'Enter whole hours');
    },
  },
  {
    name: 'change',
    title: 'Changing a schedule',
    script: { ...scheduled, 'schedule.save': never },
    act: async (page) => {
      await press(page, 'Edit: Every Monday at 05:00');
      await titled(page, 'Change the schedule');
      await press(page, 'Save');
      await page.getByRole('button', { name: 'Saving' }).waitFor();
    },
  },
];

async function runNow(page: Page): Promise<void> {
  await press(page, 'Run now: Every day at 06:00, Wholesale March');
}

const RUNS: readonly SidebarState[] = [
  {
    name: 'starting',
    title: 'Begun by hand',
    script: { ...scheduled, 'jobs.status': never },
    act: async (page) => {
      await runNow(page);
      await shows(page, 'Finding out-of-date products');
    },
  },
  {
    name: 'running',
    title: 'Running now',
    script: scheduled,
    act: async (page) => {
      await runNow(page);
      await shows(page, '187 of 371');
    },
  },
  {
    name: 'stopping',
    title: 'Stopping',
    script: { ...scheduled, 'jobs.setState': () => says({ status: RUNNING, queue: [] }) },
    act: async (page) => {
      await runNow(page);
      await shows(page, '187 of 371');
      await press(page, 'Stop');
      await page.getByRole('button', { name: 'Stopping' }).waitFor();
    },
  },
  {
    name: 'ran',
    title: 'It has run',
    script: {
      ...scheduled,
      'schedule.run': () => says({ run: { ...RUN, byHand: true }, againInMs: null }),
    },
    act: async (page) => {
      await runNow(page);
      await shows(page, '371 refreshed with 301 calls');
    },
  },
];

export const SCHEDULE_STATES: readonly SidebarState[] = [...FIRST, ...LIST, ...FORM, ...RUNS];
