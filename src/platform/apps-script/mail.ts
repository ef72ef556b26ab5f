// Mail of Apps Script, to whoever the script runs as.

import type { Mail } from '../mail';
import { serviceCall, serviceCallOr } from './service-call';

export function appsScriptMail(): Mail {
  return {
    send(subject, text) {
      // The day's mails are spent, or the person did not allow it: the page tells the same.
      return serviceCallOr(false, () => {
        const to = Session.getEffectiveUser().getEmail();
        const left = serviceCall(() => MailApp.getRemainingDailyQuota());
        return serviceCall(
          () => {
            MailApp.sendEmail(to, subject, text);
            return true;
          },
          // It may be on its way although the call failed.
          () => MailApp.getRemainingDailyQuota() < left || undefined,
        );
      });
    },
    spreadsheet() {
      return serviceCall(() => {
        const book = SpreadsheetApp.getActiveSpreadsheet();
        return { name: book.getName(), url: book.getUrl() };
      });
    },
  };
}
