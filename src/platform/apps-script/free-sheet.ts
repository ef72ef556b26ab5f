// A free sheet of the spreadsheet: the one on view if nothing is on it and it is large enough, else a new one.

import type { FreeSheet } from '../ports';
import { serviceCall, serviceCallOr } from './service-call';
import { insertSheet } from './spreadsheet';

export function appsScriptFreeSheet(): FreeSheet {
  return {
    fill(title, rows, { headRows, formats }) {
      const columns = Math.max(...rows.map((row) => row.length));
      const active = serviceCall(() => {
        const sheet = SpreadsheetApp.getActiveSpreadsheet().getActiveSheet();
        // Of an empty sheet people may have left a few rows.
        const hasRoom = sheet.getMaxRows() >= rows.length && sheet.getMaxColumns() >= columns;
        return hasRoom && sheet.getLastRow() === 0 ? sheet : null;
      });
      const sheet = active ?? insertSheet(title);
      if (typeof sheet === 'string') return sheet;
      const cells = rows.map((row) => [...row, ...Array<string>(columns - row.length).fill('')]);
      const place = () => sheet.getRange(1, 1, cells.length, columns);
      try {
        return serviceCall<ReturnType<FreeSheet['fill']>>(
          () => {
            const range = place();
            range.setValues(cells);
            const figures = rows.slice(headRows).map(() => [...formats]);
            sheet
              .getRange(headRows + 1, 2, figures.length, formats.length)
              .setNumberFormats(figures);
            sheet.getRange(headRows, 1, 1, columns).setFontWeight('bold');
            sheet.setFrozenRows(headRows);
            // What is refused may only be known when it is written, which else is after the script.
            SpreadsheetApp.flush();
            return { sheet: sheet.getName(), range: range.getA1Notation(), isNew: active === null };
          },
          () => (place().canEdit() ? undefined : 'protected'),
        );
      } catch (error) {
        // Whoever tries again gets a sheet, not two.
        serviceCallOr<unknown>(undefined, () =>
          active === null
            ? SpreadsheetApp.getActiveSpreadsheet().deleteSheet(sheet)
            : place().clearContent(),
        );
        throw error;
      }
    },
  };
}
