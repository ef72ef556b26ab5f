// The menu, the sidebar, dialogs and messages in the spreadsheet's own interface.

import { serviceCall } from './service-call';
import { localeHere } from './spreadsheet';

export interface MenuItem {
  readonly caption: string;
  /** Name of the global function to call. */
  readonly handler: string;
}

/** Adds the add-on's menu under Extensions. Google allows this in every authorisation mode. */
export function addMenu(items: readonly MenuItem[]): void {
  serviceCall(() => {
    const menu = SpreadsheetApp.getUi().createAddonMenu();
    for (const item of items) menu.addItem(item.caption, item.handler);
    menu.addToUi();
  });
}

/**
 * Shows an HTML file of the project as the sidebar. Sheets fixes its width at 300 px.
 *
 * Its element "sidebar" carries what the page's script reads: the spreadsheet's locale, by which it
 * writes times, and the initial state.
 */
export function showSidebar(file: string, title: string, opens = ''): void {
  serviceCall(() => {
    const page = HtmlService.createHtmlOutputFromFile(file).setTitle(title);
    const root = 'id="sidebar"';
    const filled = `${root} data-locale="${localeHere()}" data-opens="${opens}"`;
    page.setContent(page.getContent().replace(root, filled));
    SpreadsheetApp.getUi().showSidebar(page);
  });
}

/** Large enough for a text to be read and copied, px. */
const DIALOG_WIDTH = 600;
const DIALOG_HEIGHT = 440;

/**
 * Shows an HTML file of the project as a dialog over the spreadsheet, after `fill` has completed
 * its text.
 */
export function showDialog(file: string, title: string, fill: (html: string) => string): void {
  serviceCall(() => {
    const page = HtmlService.createHtmlOutputFromFile(file);
    page.setContent(fill(page.getContent())).setWidth(DIALOG_WIDTH).setHeight(DIALOG_HEIGHT);
    SpreadsheetApp.getUi().showModalDialog(page, title);
  });
}

/** Shows a message with an OK button. Unlike our own pages it needs no permission. */
export function showMessage(message: string, title: string): void {
  serviceCall(() => {
    const ui = SpreadsheetApp.getUi();
    ui.alert(title, message, ui.ButtonSet.OK);
  });
}
