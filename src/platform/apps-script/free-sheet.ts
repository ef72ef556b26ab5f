// A free sheet of the spreadsheet: the one on view if nothing is on it and it is large enough, else a new one.

import type { FreeSheet } from '../ports';
import { refusalOf } from './refusal';

export function appsScriptFreeSheet(): FreeSheet {
  return {
    fill(title, rows) {
      const book = SpreadsheetApp.getActiveSpreadsheet();
      const active = book.getActiveSheet();
      const columns = Math.max(...rows.map((row) => row.length));
      // Of an empty sheet people may have left a few rows.
      const hasRoom = active.getMaxRows() >= rows.length && active.getMaxColumns() >= columns;
      const isNew = !hasRoom || active.getLastRow() > 0;
      try {
        const sheet = isNew ? book.insertSheet(freeName(book, title)) : active;
        const cells = rows.map((row) => [...row, ...Array<string>(columns - row.length).fill('')]);
        const range = sheet.getRange(1, 1, cells.length, columns);
        range.setValues(cells);
        // What is refused may only be known when it is written, which else is after the script.
        SpreadsheetApp.flush();
        return { sheet: sheet.getName(), range: range.getA1Notation(), isNew };
      } catch (error) {
        if (refusalOf(error) === 'protected') return 'protected';
        throw error;
      }
    },
  };
}

/** "Samples", "Samples 2", …: sheets of one spreadsheet have different names. */
function freeName(book: GoogleAppsScript.Spreadsheet.Spreadsheet, title: string): string {
  let name = title;
  for (let i = 2; book.getSheetByName(name) !== null; i++) name = `${title} ${i}`;
  return name;
}
