// States of a list that is analyzed when it cannot continue: what to do, and what is not lost.
import {
  LOOK,
  NONE_FOUND,
  NOW_MS,
  OTHER_UNITS,
  PREVIEW,
  PROTECTED,
  RUNNING,
  SHEET_GONE,
  SPENT,
} from './analyze-replies';
import { listed, withJob } from './analyze-states';
import { firstRun, REFUSED } from './connection-replies';
import { type Answer, begins, refuses, says } from './scripted-page';
import { goOffline, press, type SidebarState, shows, titled } from './sidebar-state';

const LOST: Answer = { throws: 'NetworkError: Connection failure due to HTTP 0' };

export const ANALYZE_TROUBLE_STATES: readonly SidebarState[] = [
  {
    name: 'no-key',
    title: 'No key',
    script: { ...listed, ...firstRun },
    act: async (page) => {
      await page.getByRole('tab', { name: 'List' }).click();
      await titled(page, 'Connect your key first');
    },
  },
  {
    name: 'refused',
    title: 'The key was refused',
    script: { ...listed, 'jobs.preview': () => refuses(REFUSED) },
    act: (page) => shows(page, 'Open Settings'),
  },
  {
    name: 'set-aside',
    title: 'Saved details were damaged',
    script: { ...listed, 'list.look': () => says({ ...LOOK, isSetAside: true }) },
    act: (page) => shows(page, 'Some saved details of earlier runs'),
  },
  {
    name: 'protected',
    title: 'Protected columns',
    script: { ...listed, 'jobs.preview': () => says({ ...PREVIEW, problem: PROTECTED }) },
    act: (page) => shows(page, PROTECTED.message),
  },
  {
    name: 'cap',
    title: 'What the key’s owner allows',
    script: { ...listed, 'jobs.preview': () => says({ ...PREVIEW, capCallsLeft: 120 }) },
    act: (page) => shows(page, 'The key’s owner allows 120 more calls today.'),
  },
  {
    name: 'sheet-deleted',
    title: 'The sheet was deleted',
    script: withJob({ state: 'blocked', problem: SHEET_GONE }),
    act: (page) => shows(page, SHEET_GONE.message),
  },
  {
    name: 'google-limit',
    title: 'Google’s day is spent',
    script: withJob({ state: 'blocked', problem: SPENT, resumesAtMs: NOW_MS + 5 * 3_600_000 }),
    act: (page) => shows(page, SPENT.message),
  },
  {
    name: 'other-units',
    title: 'The units no longer fit',
    script: withJob({ state: 'blocked', problem: OTHER_UNITS }),
    act: (page) => shows(page, OTHER_UNITS.message),
  },
  {
    name: 'none-found',
    title: 'Nothing was found on this market',
    script: {
      ...listed,
      'jobs.start': () => begins(RUNNING, []),
      'jobs.record': () =>
        says({
          ...{ ...RUNNING, state: 'blocked', problem: NONE_FOUND },
          ...{ answered: 0, cached: 0, failed: 0, failures: [], left: RUNNING.products, calls: 30 },
        }),
    },
    act: async (page) => {
      await press(page, 'Analyze 371');
      await page.getByRole('button', { name: 'Try UK' }).waitFor();
    },
  },
  {
    name: 'not-recorded',
    title: 'The figures cannot be written',
    script: {
      ...listed,
      'jobs.ask': () =>
        says({
          answers: [['US B07FZ8S74R', 'packed']],
          left: [],
          calls: 1,
          servedMs: 400,
          waitedMs: 0,
        }),
      'jobs.record': () => refuses(PROTECTED),
    },
    act: async (page) => {
      await press(page, 'Analyze 371');
      await shows(page, PROTECTED.message);
    },
  },
  {
    name: 'lost',
    title: 'Google Sheets does not answer',
    script: {
      ...withJob({ isWorkedOn: false }),
      'jobs.ask': () => LOST,
      'jobs.status': () => LOST,
    },
    act: (page) => shows(page, 'Trying again by itself.'),
  },
  {
    name: 'offline',
    title: 'Offline',
    script: { ...listed, 'jobs.start': () => begins(RUNNING), 'jobs.ask': () => LOST },
    act: async (page) => {
      await shows(page, '371 products on Amazon US');
      await goOffline(page);
      await press(page, 'Analyze 371');
      await shows(page, 'This computer is offline.');
    },
  },
  {
    name: 'not-allowed',
    title: 'Google has withdrawn the permission',
    script: { ...listed, 'list.look': () => ({ throws: 'Authorization is required' }) },
    act: (page) => shows(page, 'Google no longer allows'),
  },
];
