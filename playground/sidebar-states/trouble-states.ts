// States of the sidebar when something does not work: the key, the service, Google, the computer.
import { described } from '../../src/sidebar/api/failure-view';
import {
  CONNECTED,
  connected,
  connectedWith,
  firstRun,
  REFUSED,
  STORE_FULL,
} from './connection-replies';
import { fillForm } from './first-run-states';
import { refuses } from './scripted-page';
import { goOffline, press, type SidebarState, shows } from './sidebar-state';

const LOST = { throws: 'NetworkError: Connection failure due to HTTP 0' };
export const TROUBLE_STATES: readonly SidebarState[] = [
  {
    name: 'refused',
    title: 'The key is refused',
    script: connectedWith({ stopped: REFUSED }),
    act: (page) => shows(page, 'Replace the key'),
  },
  {
    name: 'plan-used-up',
    title: 'The plan is used up',
    script: connectedWith(
      {},
      {
        'connection.check': () =>
          refuses(described({ kind: 'plan-used-up', waitMs: 5 * 3_600_000 })),
      },
    ),
    act: async (page) => {
      await press(page, 'Check');
      await shows(page, 'plan is used up');
    },
  },
  {
    name: 'unreachable',
    title: 'The service cannot be reached',
    script: connectedWith(
      {},
      {
        'connection.check': () => refuses(described({ kind: 'unreachable' })),
      },
    ),
    act: async (page) => {
      await press(page, 'Check');
      await shows(page, 'Edit the address');
    },
  },
  {
    name: 'store-full',
    title: 'Nothing more can be kept',
    script: { ...firstRun, 'connection.save': () => refuses(STORE_FULL) },
    act: async (page) => {
      await fillForm(page);
      await press(page, 'Connect');
      await shows(page, STORE_FULL.message);
    },
  },
  {
    name: 'lost',
    title: 'Google Sheets does not answer',
    script: { 'connection.status': () => LOST },
    act: (page) => shows(page, 'The connection to Google Sheets was lost.'),
  },
  {
    name: 'authorisation',
    title: 'Google has withdrawn the permission',
    script: connectedWith(
      {},
      {
        'connection.check': () => ({ throws: 'Authorization is required to perform that action.' }),
      },
    ),
    act: async (page) => {
      await press(page, 'Check');
      await shows(page, 'Google no longer allows');
    },
  },
  {
    name: 'help',
    title: 'More about it, from the docs',
    script: { ...connected, 'connection.check': () => ({ throws: 'Authorization is required.' }) },
    act: async (page) => {
      await press(page, 'Check');
      await page.getByRole('button', { name: 'Learn more' }).click();
      await shows(page, 'a browser profile of its own');
    },
  },
  {
    name: 'offline',
    title: 'Offline',
    script: { ...connected, 'connection.check': () => LOST },
    act: async (page) => {
      await shows(page, CONNECTED.keyMask);
      await goOffline(page);
      await press(page, 'Check');
      await shows(page, 'This computer is offline.');
    },
  },
];
