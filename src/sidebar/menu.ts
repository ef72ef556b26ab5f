// The add-on's menu and its commands.

import { ADD_ON_NAME } from '../failures/add-on-name';
import { sentences } from '../failures/failure-words';
import { plainMistake } from '../failures/trouble-log';
import { googlePlatform } from '../google/platform';
import { grantUrl, Refused } from '../google/service-call';
import { addMenu, showDialog, showMessage, showSidebar } from '../google/ui';
import { diagnostics } from './diagnostics';
import { reportPage, reportText } from './support-report';

/**
 * Adds the menu when a spreadsheet opens. It runs in any authorisation mode, even before the add-on
 * is enabled here, so it uses nothing but the menu.
 */
export function onOpen(): void {
  orPlainly(() =>
    addMenu([
      { caption: 'Open sidebar', handler: 'openSidebar' },
      { caption: 'New deal sheet', handler: 'newDealSheet' },
      { caption: 'Turn on formulas here', handler: 'enableFunctions' },
      { caption: 'Run diagnostics', handler: 'runDiagnostics' },
    ]),
  );
}

/** Right after the installation the spreadsheet is already open. */
export function onInstall(): void {
  onOpen();
}

/** Opens the sidebar. */
export function openSidebar(): void {
  shown(() => showSidebar('Sidebar', ADD_ON_NAME));
}

/** Opens the sidebar at the view that makes a new deal sheet. */
export function newDealSheet(): void {
  shown(() => showSidebar('Sidebar', ADD_ON_NAME, 'new-deal-sheet'));
}

/**
 * A click on any menu item enables the add-on in this spreadsheet; this item is for people who look
 * for one.
 */
export function enableFunctions(): void {
  orPlainly(() =>
    showMessage(
      '=ANALYZE is on. Connect a key to get figures. ' +
        'Where decimals have a comma, type ; between arguments. ' +
        'Where a cell still shows #NAME?, reload the spreadsheet.',
      ADD_ON_NAME,
    ),
  );
}

/** Shows a report for support. */
export function runDiagnostics(): void {
  const platform = googlePlatform();
  const findings = diagnostics(platform);
  const report = reportText(findings, __VERSION__, platform.clock.nowMs());
  // A message needs no permission, so the report is shown even without the permission for dialogs.
  const fill = (page: string) => reportPage(page, report, grantUrl());
  shown(() => showDialog('Diagnostics', 'Diagnostics', fill), report);
}

/** Shows a page; if Google refuses, says why in plain words and where to allow it. */
function shown(show: () => void, instead = ''): void {
  try {
    show();
  } catch (error) {
    if (!(error instanceof Refused)) throw plainMistake(error);
    const url = grantUrl();
    const todo = url === null ? 'Reload the spreadsheet and try again.' : `Allow it here: ${url}`;
    const text = `${sentences(error.refusal).message} ${todo}\n\n${instead}`.trim();
    orPlainly(() => showMessage(text, ADD_ON_NAME));
  }
}

/** If not even a message can be shown, Google shows the thrown error. */
function orPlainly(show: () => void): void {
  try {
    show();
  } catch (error) {
    if (!(error instanceof Refused)) throw plainMistake(error);
    const { message, action = '' } = sentences(error.refusal);
    throw new Error(`${message} ${action}`.trim());
  }
}
