// Menu and sidebar of the spreadsheet's own interface.

export interface MenuItem {
  readonly caption: string;
  /** Name of the global function to call. */
  readonly handler: string;
}

/** Adds the add-on's menu under Extensions. Allowed in every authorisation mode. */
export function addMenu(items: readonly MenuItem[]): void {
  const menu = SpreadsheetApp.getUi().createAddonMenu();
  for (const item of items) menu.addItem(item.caption, item.handler);
  menu.addToUi();
}

/** Shows an HTML file of the project as the sidebar; its width of 300 px is fixed by Sheets. */
export function showSidebar(file: string, title: string): void {
  SpreadsheetApp.getUi().showSidebar(HtmlService.createHtmlOutputFromFile(file).setTitle(title));
}
