// Mail of Apps Script, to whoever the script runs as.

import type { Mail } from '../mail';

export function appsScriptMail(): Mail {
  return {
    send(subject, text) {
      try {
        MailApp.sendEmail(Session.getEffectiveUser().getEmail(), subject, text);
        return true;
      } catch {
        // The day's mails are spent, or the person did not allow it: the page tells the same.
        return false;
      }
    },
    spreadsheet() {
      const book = SpreadsheetApp.getActiveSpreadsheet();
      return { name: book.getName(), url: book.getUrl() };
    },
  };
}
