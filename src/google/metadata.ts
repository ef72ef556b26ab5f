// Texts of ours that a sheet carries, and where they are by now.

import { columnLetters } from './cells';

/**
 * A text of ours that Google keeps with a sheet, or with one of its rows or columns, and moves along
 * with it (developer metadata). A copy of the sheet has it, too.
 */
export interface Metadata {
  readonly on: 'sheet' | 'row' | 'column';
  /** The row or column by now, from 1; 0 for the sheet itself. */
  readonly at: number;
  readonly value: string;
}

/** "C:C" for column 3, "7:7" for row 7. */
export function lineNotation(on: Metadata['on'], at: number): string {
  const line = on === 'column' ? columnLetters(at) : String(at);
  return `${line}:${line}`;
}

export function metadataOf(metadata: GoogleAppsScript.Spreadsheet.DeveloperMetadata): Metadata {
  const location = metadata.getLocation();
  const value = metadata.getValue() ?? '';
  const column = location.getColumn();
  const row = location.getRow();
  if (column) return { on: 'column', at: column.getColumn(), value };
  return row ? { on: 'row', at: row.getRow(), value } : { on: 'sheet', at: 0, value };
}
