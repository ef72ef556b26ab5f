// A custom function called from a cell, as the sheet and the script that answers it see it.

/** Rows and columns counted from 0. */
export interface CellPlace {
  readonly sheetId: string;
  readonly row: number;
  readonly column: number;
}

export interface CellCall {
  readonly functionName: string;
  readonly args: readonly unknown[];
}

/** What an execution ended with. */
export type CellOutcome =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'failure'; readonly message: string };

/** What a cell shows now. */
export type CellAnswer = CellOutcome | { readonly kind: 'pending' };

/** What a cell shows while its function has not answered, in Sheets' own words. */
export const LOADING = 'Loading...';
