// Menu, sidebar, dialogs and messages of the spreadsheet's own interface.

import { serviceCall } from './service-call';

export interface MenuItem {
  readonly caption: string;
  /** Name of the global function to call. */
  readonly handler: string;
}

/** Adds the add-on's menu under Extensions. Allowed in every authorisation mode. */
export function addMenu(items: readonly MenuItem[]): void {
  serviceCall(() => {
    const menu = SpreadsheetApp.getUi().createAddonMenu();
    for (const item of items) menu.addItem(item.caption, item.handler);
    menu.addToUi();
  });
}

/**
 * Shows an HTML file of the project as the sidebar; its width of 300 px is fixed by Sheets.
 *
 * @param opens what it begins with, which its script reads from the element "sidebar".
 */
export function showSidebar(file: string, title: string, opens = ''): void {
  serviceCall(() => {
    const page = HtmlService.createHtmlOutputFromFile(file).setTitle(title);
    const root = 'id="sidebar"';
    if (opens !== '')
      page.setContent(page.getContent().replace(root, `${root} data-opens="${opens}"`));
    SpreadsheetApp.getUi().showSidebar(page);
  });
}

/** Wide and high enough for a text to be read and copied, px. */
const DIALOG_WIDTH = 600;
const DIALOG_HEIGHT = 440;

/** Shows an HTML file of the project in front of the spreadsheet, with what is filled into it. */
export function showDialog(file: string, title: string, fill: (html: string) => string): void {
  serviceCall(() => {
    const page = HtmlService.createHtmlOutputFromFile(file);
    page.setContent(fill(page.getContent())).setWidth(DIALOG_WIDTH).setHeight(DIALOG_HEIGHT);
    SpreadsheetApp.getUi().showModalDialog(page, title);
  });
}

/** A message that waits for OK. It needs no permission, unlike pages of ours. */
export function showMessage(message: string, title: string): void {
  serviceCall(() => {
    const ui = SpreadsheetApp.getUi();
    ui.alert(title, message, ui.ButtonSet.OK);
  });
}
