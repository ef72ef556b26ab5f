// A row each morning with the rate of the day, and the menu and sidebar to switch that on.

function onOpen() {
  SpreadsheetApp.getUi().createMenu('Rates').addItem('Keep a log', 'showLog').addToUi();
}

function showLog() {
  const page = HtmlService.createHtmlOutputFromFile('Sidebar').setTitle('Rates');
  SpreadsheetApp.getUi().showSidebar(page);
}

/** Called by the sidebar. */
function startLog() {
  if (ScriptApp.getProjectTriggers().length === 0)
    ScriptApp.newTrigger('logRate').timeBased().everyDays(1).atHour(8).create();
  return 'One row each morning.';
}

/** Called by the clock. */
function logRate() {
  const lock = LockService.getDocumentLock();
  lock.waitLock(10000);
  try {
    const sheet = SpreadsheetApp.getActiveSpreadsheet().getSheets()[0];
    sheet.appendRow([new Date(), CONVERT(1, 'GBP', 'USD')]);
    SpreadsheetApp.flush();
  } finally {
    lock.releaseLock();
  }
}
