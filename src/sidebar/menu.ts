// The add-on's menu and how the sidebar opens.

import { addMenu, showSidebar } from '../platform/apps-script/ui';

const SIDEBAR_TITLE = 'Product Analysis';

/**
 * Adds the menu when a spreadsheet opens. Runs in any authorisation mode, also before the add-on
 * is enabled here, so it touches nothing but the menu.
 */
export function onOpen(): void {
  addMenu([{ caption: 'Open sidebar', handler: 'openSidebar' }]);
}

/** Right after installing, the spreadsheet is open already. */
export function onInstall(): void {
  onOpen();
}

/** Opens the sidebar. A click on it also enables the add-on's functions in this spreadsheet. */
export function openSidebar(): void {
  showSidebar('Sidebar', SIDEBAR_TITLE);
}
