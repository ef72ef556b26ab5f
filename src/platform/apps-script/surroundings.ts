// Where an execution takes place: the spreadsheet's settings, the person's language, installed triggers.

import type { Surroundings } from '../ports';
import { serviceCall } from './service-call';

export function appsScriptSurroundings(): Surroundings {
  return {
    places: () =>
      serviceCall(() => {
        const spreadsheet = SpreadsheetApp.getActiveSpreadsheet();
        return {
          timeZone: spreadsheet.getSpreadsheetTimeZone(),
          locale: spreadsheet.getSpreadsheetLocale(),
          scriptTimeZone: Session.getScriptTimeZone(),
          userLocale: Session.getActiveUserLocale(),
        };
      }),
    triggers: () =>
      serviceCall(() =>
        ScriptApp.getUserTriggers(SpreadsheetApp.getActiveSpreadsheet()).map((trigger) =>
          trigger.getHandlerFunction(),
        ),
      ),
  };
}
