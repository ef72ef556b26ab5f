// States of the Schedule page when schedules do not run: why, and the one thing to do.
import { NOW_MS } from './analyze-replies';
import { firstRun, STORE_FULL } from './connection-replies';
import {
  COPIED,
  EMPTY,
  MORNING,
  NO_KEY,
  NOT_ALLOWED,
  SHEET_GONE,
  SILENT,
  SPENT,
  saidOfSchedule,
  WAITED,
} from './schedule-replies';
import { scheduled, withLook } from './schedule-states';
import { refuses, type Script, says } from './scripted-page';
import { goOffline, press, type SidebarState, shows, titled } from './sidebar-state';

const LOST = { throws: 'NetworkError: Connection failure due to HTTP 0' };

/** One schedule with the given changes. */
const withOne = (change: Partial<typeof MORNING>, more: Script = {}): Script =>
  withLook({ schedules: [{ ...MORNING, ...change }] }, more);

const OF_ALL: readonly SidebarState[] = [
  {
    name: 'no-key',
    title: 'No key',
    script: { ...withLook(EMPTY), ...firstRun },
    act: async (page) => {
      await page.getByRole('tab', { name: 'Schedule' }).click();
      await titled(page, 'Connect your key first');
    },
  },
  {
    name: 'key-removed',
    title: 'The key was removed',
    script: { ...withLook({ schedules: [MORNING], problem: NO_KEY }), ...firstRun },
    act: async (page) => {
      await page.getByRole('tab', { name: 'Schedule' }).click();
      await shows(page, 'Open Settings');
    },
  },
  {
    name: 'copied',
    title: 'A copied spreadsheet',
    script: withLook({
      schedules: [{ ...MORNING, isMine: false, nextAtMs: null }],
      trigger: { state: 'off', everyMinutes: 60 },
      problem: COPIED,
      remedy: 'schedule.useHere',
    }),
    act: (page) => shows(page, 'Use the schedules here'),
  },
  {
    name: 'clock-missing',
    title: 'The clock is gone',
    script: withLook({
      schedules: [MORNING],
      trigger: { state: 'missing', everyMinutes: 60 },
    }),
    act: (page) => shows(page, 'Set the clock again'),
  },
  {
    name: 'not-allowed',
    title: 'Google has withdrawn the permission',
    script: withLook({ schedules: [MORNING], problem: NOT_ALLOWED }),
    act: (page) => shows(page, 'Allow it at Google'),
  },
  {
    name: 'damaged',
    title: 'A stored schedule was damaged',
    script: withLook({ schedules: [MORNING], problem: saidOfSchedule('damaged') }),
    act: (page) => shows(page, 'A schedule here was damaged'),
  },
  {
    name: 'lost',
    title: 'Google Sheets does not answer',
    script: { ...scheduled, 'schedule.look': () => LOST },
    act: (page) => shows(page, 'The connection to Google Sheets was lost.'),
  },
  {
    name: 'offline',
    title: 'Offline',
    script: { ...scheduled, 'schedule.switch': () => LOST },
    act: async (page) => {
      await titled(page, MORNING.name);
      await goOffline(page);
      await page.getByRole('switch').first().click();
      await shows(page, 'This computer is offline.');
    },
  },
];

const OF_ONE: readonly SidebarState[] = [
  {
    name: 'under-way',
    title: 'It continues in the next hour',
    script: withOne({
      isUnderWay: true,
      nextAtMs: NOW_MS,
      last: MORNING.last && { ...MORNING.last, outcome: 'part', refreshed: 200 },
      settings: { ...MORNING.settings, callsPerHour: 200 },
    }),
    act: (page) => shows(page, 'continues within the hour'),
  },
  {
    name: 'somebody-else',
    title: 'Somebody else’s, and silent',
    script: withOne({ isMine: false, problem: SILENT, remedy: 'schedule.adopt' }),
    act: (page) => shows(page, 'Take it over'),
  },
  {
    name: 'sheet-deleted',
    title: 'The sheet was deleted',
    script: withOne({ nextAtMs: null, isOn: false, problem: SHEET_GONE }),
    act: (page) => shows(page, SHEET_GONE.message),
  },
  {
    name: 'spent',
    title: 'Google’s time is used up',
    script: withLook({
      schedules: [{ ...MORNING, isUnderWay: true, nextAtMs: NOW_MS, problem: SPENT }],
      limits: { runMsToday: 80 * 60_000, runMsPerDay: 90 * 60_000 },
    }),
    act: (page) => shows(page, SPENT.message),
  },
  {
    name: 'refused-save',
    title: 'What was typed is kept',
    script: {
      ...scheduled,
      'schedule.save': () => refuses(saidOfSchedule('too-many', '10')),
    },
    act: async (page) => {
      await press(page, 'Add schedule');
      await titled(page, 'New schedule');
      await press(page, 'Add schedule');
      await shows(page, saidOfSchedule('too-many', '10').message);
    },
  },
  {
    name: 'store-full',
    title: 'Nothing more can be kept',
    script: { ...scheduled, 'schedule.save': () => refuses(STORE_FULL) },
    act: async (page) => {
      await press(page, 'Add schedule');
      await titled(page, 'New schedule');
      await press(page, 'Add schedule');
      await shows(page, STORE_FULL.message);
    },
  },
  {
    name: 'run-failed',
    title: 'A run by hand that broke',
    script: {
      ...scheduled,
      'schedule.run': () => refuses(WAITED),
      'jobs.status': () => says(null),
    },
    act: async (page) => {
      await press(page, 'Run now: Every day at 06:00, Wholesale March');
      await shows(page, WAITED.message);
    },
  },
];

export const SCHEDULE_TROUBLE_STATES: readonly SidebarState[] = [...OF_ALL, ...OF_ONE];
