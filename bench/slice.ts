// A slice of a bulk run as the bench times it: its length, its writes to the sheet, and its report.

/** An execution of Apps Script may take six minutes; a slice takes no more work after five. */
export const SLICE_MS = 300_000;

/** From the end of a slice to the start of the next, which the sidebar requests. */
export const GAP_MS = 1_000;

/**
 * A write of rows with its flush takes 0.2 to 0.7 s whatever its size, and there is one every so
 * often.
 */
export const WRITE_EVERY_MS = 5_000;
export const WRITE_MS = 700;

export interface SliceReport {
  /** How many of the given rows it has worked on, from the first on. */
  readonly taken: number;
  /** Those of them that still need an answer. */
  readonly again: readonly string[];
  readonly answered: number;
}
