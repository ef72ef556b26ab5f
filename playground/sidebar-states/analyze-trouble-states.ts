// States of the Analyze page when it cannot continue: what to do, and what is not lost.
import { LOOK, PREFLIGHT, PROTECTED, RUNNING, SHEET_GONE, SPENT } from './analyze-replies';
import { listed, withRun } from './analyze-states';
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
      await page.getByRole('tab', { name: 'Analyze' }).click();
      await titled(page, 'Connect your key first');
    },
  },
  {
    name: 'refused',
    title: 'The key was refused',
    script: { ...listed, 'bulk.preflight': () => refuses(REFUSED) },
    act: async (page) => {
      await press(page, 'Preview');
      await shows(page, 'Open Connection');
    },
  },
  {
    name: 'set-aside',
    title: 'Saved details were damaged',
    script: { ...listed, 'bulk.look': () => says({ ...LOOK, isSetAside: true }) },
    act: (page) => shows(page, 'Some saved details of earlier runs'),
  },
  {
    name: 'protected',
    title: 'Protected columns',
    script: { ...listed, 'bulk.preflight': () => says({ ...PREFLIGHT, problem: PROTECTED }) },
    act: async (page) => {
      await press(page, 'Preview');
      await shows(page, PROTECTED.message);
    },
  },
  {
    name: 'cap',
    title: 'What the key’s owner allows',
    script: { ...listed, 'bulk.preflight': () => says({ ...PREFLIGHT, capCallsLeft: 120 }) },
    act: async (page) => {
      await press(page, 'Preview');
      await shows(page, 'The key’s owner allows 120 more calls today.');
    },
  },
  {
    name: 'sheet-deleted',
    title: 'The sheet was deleted',
    script: withRun({ state: 'stuck', currentRows: null, problem: SHEET_GONE }),
    act: (page) => shows(page, SHEET_GONE.message),
  },
  {
    name: 'google-limit',
    title: 'Google’s day is spent',
    script: withRun({ state: 'stuck', currentRows: null, problem: SPENT }),
    act: (page) => shows(page, SPENT.message),
  },
  {
    name: 'lost',
    title: 'Google Sheets does not answer',
    script: { ...withRun({}), 'bulk.run': () => LOST, 'bulk.status': () => LOST },
    act: (page) => shows(page, 'Trying again by itself.'),
  },
  {
    name: 'offline',
    title: 'Offline',
    script: { ...listed, 'bulk.startRun': () => begins(RUNNING), 'bulk.run': () => LOST },
    act: async (page) => {
      await press(page, 'Preview');
      await titled(page, '412 rows');
      await goOffline(page);
      await press(page, 'Start 301 calls');
      await shows(page, 'This computer is offline.');
    },
  },
  {
    name: 'not-allowed',
    title: 'Google has withdrawn the permission',
    script: { ...listed, 'bulk.look': () => ({ throws: 'Authorization is required' }) },
    act: (page) => shows(page, 'Google no longer allows'),
  },
];
