// Menus, sidebar and toast: what a script shows, and from where it may.

import { describe, expect, it } from '@jest/globals';
import type { Execution, HostOptions } from '../../../src/host';
import type { ScreenMenu } from '../../../src/service';
import { outcomeOf, resultOf } from '../../script-host';
import { documentOf, gridOf, OWNER, on } from './grid-script';

describe('the screen', () => {
  const menuCode = `
    const ui = SpreadsheetApp.getUi();
    ui.createAddonMenu().addItem('Open', 'openSidebar').addSeparator()
      .addSubMenu(ui.createMenu('More').addItem('Help', 'help')).addToUi();`;
  const withMenu = (menus: ScreenMenu[]): Partial<HostOptions> => ({
    documents: [documentOf(gridOf())],
    screen: { onMenu: (menu) => menus.push(menu) },
  });

  it.each<Execution['authMode']>(['NONE', 'LIMITED', 'FULL'])(
    'gets a menu from onOpen in the mode %s',
    async (authMode = 'FULL') => {
      const menus: ScreenMenu[] = [];
      await resultOf(`function f() { ${menuCode} }`, { door: 'open', authMode }, withMenu(menus));
      const help = { kind: 'item', caption: 'Help', functionName: 'help' };
      expect(menus).toEqual([
        {
          caption: '',
          addOn: true,
          items: [
            { kind: 'item', caption: 'Open', functionName: 'openSidebar' },
            { kind: 'separator' },
            { kind: 'menu', menu: { caption: 'More', addOn: false, items: [help] } },
          ],
        },
      ]);
    },
  );

  it('gets a menu in the older form as well', async () => {
    const menus: ScreenMenu[] = [];
    const body = `SpreadsheetApp.getActive().addMenu('Tools',
      [{ name: 'Open', functionName: 'open' }, null]);`;
    await resultOf(`function f() { ${body} }`, { door: 'open' }, withMenu(menus));
    const item = { kind: 'item', caption: 'Open', functionName: 'open' };
    expect(menus).toEqual([
      { caption: 'Tools', addOn: false, items: [item, { kind: 'separator' }] },
    ]);
  });

  it.each<Execution['door']>(['cell', 'clock'])('is not there for a %s', async (door) => {
    const { error } = await outcomeOf(`function f() { ${menuCode} }`, { door }, withMenu([]));
    expect(error?.message).toBe('Cannot call SpreadsheetApp.getUi() from this context.');
  });

  const sidebar = `function f() {
    const page = HtmlService.createHtmlOutput('<b>page</b>').setTitle('Add-on');
    SpreadsheetApp.getUi().showSidebar(page);
  }`;

  it('shows a sidebar with full authorisation only', async () => {
    const shown: unknown[] = [];
    const options: Partial<HostOptions> = {
      documents: [documentOf(gridOf())],
      screen: { onSidebar: (html, title, caller) => shown.push([html, title, caller.userEmail]) },
    };
    await resultOf(sidebar, { door: 'menu' }, options);
    const refused = await outcomeOf(sidebar, { door: 'open' }, options);
    expect(shown).toEqual([['<b>page</b>', 'Add-on', OWNER]]);
    expect(refused.error?.message).toBe(
      'You do not have permission to call Ui.showSidebar. Required permissions: ' +
        'https://www.googleapis.com/auth/script.container.ui',
    );
  });

  it('shows a dialog and a message, with full authorisation only', async () => {
    const shown: unknown[] = [];
    const options: Partial<HostOptions> = {
      documents: [documentOf(gridOf())],
      screen: {
        onDialog: (html, title) => shown.push([html, title]),
        onAlert: (message, title) => shown.push([message, title]),
      },
    };
    const code = `function f() {
      const ui = SpreadsheetApp.getUi();
      ui.showModalDialog(HtmlService.createHtmlOutput('<b>page</b>').setWidth(500), 'Report');
      ui.alert('Only this');
      return ui.alert('Title', 'Message', ui.ButtonSet.OK) === ui.Button.OK;
    }`;
    expect(await resultOf(code, {}, options)).toBe(true);
    expect(shown).toEqual([
      ['<b>page</b>', 'Report'],
      ['Only this', ''],
      ['Message', 'Title'],
    ]);
    const refused = await outcomeOf(code, { door: 'open' }, options);
    expect(refused.error?.message).toMatch(
      /^You do not have permission to call Ui.showModalDialog/,
    );
  });

  it('shows a toast', async () => {
    const toasts: unknown[] = [];
    const screen = { onToast: (text: string, title: string) => toasts.push([text, title]) };
    await on(gridOf(), "spreadsheet.toast('Done', 'Add-on')", {}, { screen });
    expect(toasts).toEqual([['Done', 'Add-on']]);
  });
});
