// States from no key to the first answer: the form, the one real call, rows in the sheet, samples.
import type { Page } from 'playwright-core';
import { LOOK } from './analyze-replies';
import { connected, firstRun, REPORT } from './connection-replies';
import { never, says } from './scripted-page';
import { press, type SidebarState, shows, titled, unfold } from './sidebar-state';

const MESSAGE = 'Paste the message with your address and key';

const pasted = (page: Page, message: string): Promise<void> =>
  page.getByLabel(MESSAGE).evaluate((box, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', text);
    const options = { clipboardData, bubbles: true, cancelable: true };
    box.dispatchEvent(new ClipboardEvent('paste', options));
  }, message);

export const fillForm = (page: Page): Promise<void> =>
  pasted(page, 'Address: https://api.example.com\nKey: demo-key-0123456789-4f2a');

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
    name: 'message-read',
    title: 'The pasted message was read',
    script: firstRun,
    act: async (page) => {
      await pasted(page, 'Base URL: https://api.example.com Key: demo-key-0123456789-4f2a, 5/s');
      await shows(page, 'Read: api.example.com');
    },
  },
  {
    name: 'problems',
    title: 'Something typed is wrong',
    script: firstRun,
    act: async (page) => {
      await unfold(page, 'Type it instead');
      await page.getByLabel('Address', { exact: true }).fill('http://api.example.com');
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
      await pasted(page, 'https://one.example.com https://two.example.com demo-key-0123456789');
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
    script: { ...firstRun, 'connection.status': () => says({ connected: false, demo: true }) },
    act: async (page) => {
      await titled(page, 'Trying samples');
    },
  },
];
