// Writes rows onto an empty sheet.

import { serviceCall, serviceCallOr } from './service-call';
import { book } from './sheet';
import { insertSheet } from './spreadsheet';

export interface SheetStyle {
  /** The number of rows frozen at the top; the last of them holds the headers. */
  readonly headRows: number;
  /** Number formats of the cells below the headers, from the second column on. */
  readonly formats: readonly string[];
}

export interface FilledRange {
  readonly sheet: string;
  readonly range: string;
  readonly isNew: boolean;
}

/**
 * Writes the rows at the top of the active sheet if that is empty, else onto a new sheet with this
 * title. A text that begins with "=" becomes a formula. If writing fails, nothing of it remains.
 */
export function fillFreeSheet(
  title: string,
  rows: readonly (readonly string[])[],
  { headRows, formats }: SheetStyle,
): FilledRange | 'protected' | 'full' {
  const columns = Math.max(...rows.map((row) => row.length));
  const active = serviceCall(() => {
    const sheet = book().getActiveSheet();
    // The empty sheet may have fewer rows or columns than the content needs.
    const hasRoom = sheet.getMaxRows() >= rows.length && sheet.getMaxColumns() >= columns;
    return hasRoom && sheet.getLastRow() === 0 ? sheet : null;
  });
  const sheet = active ?? insertSheet(title);
  if (typeof sheet === 'string') return sheet;
  const cells = rows.map((row) => [...row, ...Array<string>(columns - row.length).fill('')]);
  const place = () => sheet.getRange(1, 1, cells.length, columns);
  try {
    return serviceCall<FilledRange | 'protected' | 'full'>(
      () => {
        const range = place();
        range.setValues(cells);
        const figures = rows.slice(headRows).map(() => [...formats]);
        sheet.getRange(headRows + 1, 2, figures.length, formats.length).setNumberFormats(figures);
        sheet.getRange(headRows, 1, 1, columns).setFontWeight('bold');
        sheet.setFrozenRows(headRows);
        // Google may report a refusal only when it carries out buffered writes, which without a
        // flush is after the script has ended.
        SpreadsheetApp.flush();
        return { sheet: sheet.getName(), range: range.getA1Notation(), isNew: active === null };
      },
      () => (place().canEdit() ? undefined : 'protected'),
    );
  } catch (error) {
    // Cleaning up means that a second try does not leave a second sheet behind.
    serviceCallOr<unknown>(undefined, () =>
      active === null ? book().deleteSheet(sheet) : place().clearContent(),
    );
    throw error;
  }
}
