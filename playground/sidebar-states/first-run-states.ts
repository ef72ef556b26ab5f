// States from no key to the first answer: the form, the one real call, rows in the sheet, samples.
import type { Page } from 'playwright-core';
import { LOOK } from './analyze-replies';
import { connected, firstRun, REPORT } from './connection-replies';
import { never, says } from './scripted-page';
import { press, type SidebarState, shows, titled } from './sidebar-state';

export async function fillForm(page: Page): Promise<void> {
  await page.getByLabel('Address').fill('https://api.example.com');
  await page.getByLabel('Key', { exact: true }).fill('demo-key-0123456789-4f2a');
}

export const FIRST_RUN_STATES: readonly SidebarState[] = [
  {
    name: 'loading',
    title: 'Before the server has answered',
    script: { 'connection.status': never },
    act: (page) => shows(page, 'Looking for your key'),
  },
  {
    name: 'first-run',
    title: 'First run',
    script: firstRun,
    act: (page) => titled(page, 'Connect your key'),
  },
  {
    name: 'problems',
    title: 'Something typed is wrong',
    script: firstRun,
    act: async (page) => {
      await page.getByLabel('Address').fill('http://api.example.com');
      await page.getByLabel('Detect automatically').uncheck();
      await page.getByLabel('Calls', { exact: true }).fill('many');
      await press(page, 'Connect');
      await shows(page, 'Paste the key you were given.');
    },
  },
  {
    name: 'which-address',
    title: 'A pasted message with two addresses',
    script: firstRun,
    act: async (page) => {
      await page.getByLabel('Address').evaluate((field) => {
        const data = new DataTransfer();
        data.setData('text', 'https://one.example.com https://two.example.com demo-key-0123456789');
        field.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
        );
      });
      await shows(page, 'Which address is called for analyses?');
    },
  },
  {
    name: 'connecting',
    title: 'Connecting',
    script: { ...firstRun, 'connection.save': never },
    act: async (page) => {
      await fillForm(page);
      await press(page, 'Connect');
      await page.getByRole('button', { name: 'Connecting' }).waitFor();
    },
  },
  {
    name: 'checking',
    title: 'The one real call',
    script: { ...connected, 'connection.check': never },
    act: async (page) => {
      await press(page, 'Check');
      await shows(page, 'Asking the service for one product');
    },
  },
  {
    name: 'works',
    title: 'Connected',
    script: { ...firstRun, 'list.look': () => says(LOOK) },
    act: async (page) => {
      await fillForm(page);
      await press(page, 'Connect');
      await titled(page, 'Connected');
    },
  },
  {
    name: 'inserted',
    title: 'Tried in this sheet',
    script: {
      ...connected,
      'samples.insert': () => says({ sheet: 'Samples', range: 'A1:F13', isNew: true }),
    },
    act: async (page) => {
      await press(page, 'Check');
      await titled(page, 'Connected');
      await press(page, 'Create an example sheet');
      await shows(page, 'Added a sheet');
    },
  },
  {
    name: 'unknown-product',
    title: 'A product the service does not know',
    script: {
      ...connected,
      'connection.check': () => says({ ...REPORT, sent: null, recognised: [] }),
    },
    act: async (page) => {
      await press(page, 'Check');
      await titled(page, 'The key works');
    },
  },
  {
    name: 'samples',
    title: 'Trying samples without a key',
    script: { ...firstRun, 'demo.start': () => says({ connected: false, demo: true }) },
    act: async (page) => {
      await press(page, 'Try samples');
      await titled(page, 'Trying samples');
    },
  },
];
