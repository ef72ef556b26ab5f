// States of the Settings page with a working key: limits, sharing and how answers are read.
import type { FormulaRefresh } from '../../src/sidebar/api/connection';
import {
  CONNECTED,
  COPIED,
  connected,
  connectedWith,
  OPEN_REPORT,
  RELEARNED,
  SHARED,
  TOLD,
} from './connection-replies';
import { never, type Script, says } from './scripted-page';
import { press, type SidebarState, shows, titled, unfold } from './sidebar-state';

/** The first part of the work is done, and the next one is still running. */
function refreshing(): NonNullable<Script['formulas.refresh']> {
  const report: FormulaRefresh = {
    ...{ refreshed: 0, failed: 0, left: 40, calls: 21, lacking: 0, ownRefresh: 0 },
  };
  let shares = 0;
  return () => {
    shares += 1;
    return shares === 1 ? says(report) : never();
  };
}

/** The settings of the connection after its check are those that the check decided. */
function checkedStatus(): NonNullable<Script['connection.status']> {
  let reads = 0;
  return () => {
    reads += 1;
    return says({ ...CONNECTED, settings: reads === 1 ? {} : OPEN_REPORT.settings });
  };
}

export const CONNECTION_STATES: readonly SidebarState[] = [
  {
    name: 'connected',
    title: 'Connected',
    script: connected,
    act: (page) => shows(page, '60 per minute'),
  },
  {
    name: 'shared',
    title: 'Shared with the formulas here',
    script: connectedWith({ ...SHARED, cellCalls: { perDay: 2_000, usedToday: 312 } }),
    act: async (page) => {
      await unfold(page, 'Formulas and sharing');
      await shows(page, 'Stop sharing');
    },
  },
  {
    name: 'collaborator',
    title: 'Somebody else’s key pays',
    script: connectedWith({
      sharing: 'spreadsheet',
      isOthers: true,
      payer: {
        kind: 'shared',
        keyMask: '…4f2a',
        text: "Formulas here use the owner's key (…4f2a).",
      },
    }),
    act: (page) => shows(page, 'Use my own key'),
  },
  {
    name: 'copied-key',
    title: 'A copy brought a shared key along',
    script: connectedWith(COPIED),
    act: (page) => shows(page, 'Use the key here'),
  },
  {
    name: 'copied-own-key',
    title: 'A copy of a spreadsheet with one’s own key',
    script: connectedWith({ ...SHARED, payer: COPIED.payer }),
    act: (page) => shows(page, 'Use the key here'),
  },
  {
    name: 'learning',
    title: 'The limit is being found out',
    script: connectedWith({ quota: null, learned: { calls: 12, perSeconds: 60, sure: false } }),
    act: (page) => shows(page, 'Detecting'),
  },
  {
    name: 'told-limit',
    title: 'The service named an odd limit',
    script: connectedWith({ quota: null, learned: TOLD }, RELEARNED),
    act: async (page) => {
      await unfold(page, 'Key and limit');
      await shows(page, 'Detect now');
    },
  },
  {
    name: 'one-by-one',
    title: 'The service wants calls apart',
    script: connectedWith({ quota: { calls: 5, perSeconds: 1 }, isOneByOne: true }),
    act: (page) => shows(page, 'one by one'),
  },
  {
    name: 'near-limit',
    title: 'Near the limit of a day',
    script: connectedWith({
      ...SHARED,
      cellCalls: { perDay: 2_000, usedToday: 1_742 },
    }),
    act: async (page) => {
      await unfold(page, 'Formulas and sharing');
      await shows(page, 'Near your daily limit');
    },
  },
  {
    name: 'waiting',
    title: 'Products wait for the limit',
    script: connectedWith({ waiting: 12 }, { 'waiting.work': never }),
    act: (page) => shows(page, '12 products wait'),
  },
  {
    name: 'refreshing',
    title: 'Formulas are refreshed now',
    script: { ...connected, 'formulas.refresh': refreshing() },
    act: async (page) => {
      await unfold(page, 'Formulas and sharing');
      await press(page, 'Refresh formulas now');
      await shows(page, '40 products left');
      await page.getByText('Stop refreshing').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'without-refresh-cell',
    title: 'Formulas that no refresh reaches',
    script: {
      ...connected,
      'formulas.refresh': () =>
        says({ refreshed: 68, failed: 0, left: 0, calls: 21, lacking: 12, ownRefresh: 2 }),
    },
    act: async (page) => {
      await unfold(page, 'Formulas and sharing');
      await press(page, 'Refresh formulas now');
      await shows(page, 'Refresh them, too');
      await page.getByText('Refresh them, too').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'questions',
    title: 'What one answer leaves open',
    script: {
      ...connectedWith({ settings: {} }),
      'connection.check': () => says(OPEN_REPORT),
      'connection.status': checkedStatus(),
    },
    act: async (page) => {
      await press(page, 'Check');
      await shows(page, 'Is that right?');
    },
  },
  {
    name: 'field-names',
    title: 'The raw names of an answer',
    script: connected,
    act: async (page) => {
      await press(page, 'Check');
      await unfold(page, 'How figures are read');
      await page.getByText('Field names', { exact: true }).click();
      await page.getByText('Formulas can ask for an extra field').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'change',
    title: 'Changing the connection',
    script: connectedWith({ settings: { sellPriceName: 'buyBoxPrice' } }),
    act: async (page) => {
      await unfold(page, 'Key and limit');
      await press(page, 'Edit limit');
      await titled(page, 'Change the connection');
    },
  },
  {
    name: 'settings',
    title: 'What the service leaves open',
    script: connectedWith({ settings: { sellPriceName: 'buyBoxPrice', roiUnit: 'percent' } }),
    act: async (page) => {
      await unfold(page, 'How figures are read');
      await press(page, 'Edit settings');
      await page.getByLabel('Name of the sell price').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'remove',
    title: 'Removing the key is asked first',
    script: connectedWith(SHARED),
    act: async (page) => {
      await unfold(page, 'Key and limit');
      await press(page, 'Remove key');
      await shows(page, 'Keep it');
    },
  },
];
