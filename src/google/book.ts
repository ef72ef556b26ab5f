// The spreadsheet as a whole, for this folder: itself, its room for cells, and how it writes dates.

import { MOMENT, momentFormat } from './moment-format';

/** null where a script runs without a spreadsheet, which the published types do not say. */
export const book = () => SpreadsheetApp.getActiveSpreadsheet();

/** How cells show dates here. Read once: people act between a read and a write. */
let moment: string | null = null;

/** A format as cells get it: dates as the spreadsheet's locale writes them. */
export function formatHere(format: string): string {
  if (format !== MOMENT) return format;
  moment ??= momentFormat(book().getSpreadsheetLocale());
  return moment;
}

/** Google's limit of cells for a whole spreadsheet. */
const CELLS_MAX = 10_000_000;

/** Whether this many more cells would exceed the spreadsheet's limit. */
export function isFull(more: number): boolean {
  return (
    book()
      .getSheets()
      .reduce((sum, sheet) => sum + sheet.getMaxRows() * sheet.getMaxColumns(), more) > CELLS_MAX
  );
}
