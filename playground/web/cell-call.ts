// Defines a custom function's call from a cell, for the sheet and for the script that answers it.

/** Rows and columns count from 0. */
export interface CellPlace {
  readonly sheetId: string;
  readonly row: number;
  readonly column: number;
}

export interface CellCall {
  readonly functionName: string;
  readonly args: readonly unknown[];
}

/** The result of an execution. */
export type CellOutcome =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'failure'; readonly message: string };

/** What a cell shows now. */
export type CellAnswer = CellOutcome | { readonly kind: 'pending' };

/** What a cell shows until its function has answered, in Sheets' own words. */
export const LOADING = 'Loading...';
