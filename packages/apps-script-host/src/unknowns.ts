// What Google does not document about cells and calls. The host can play either answer, and a
// careful script works with both.

export interface Unknowns {
  /** Cells use the same cache, properties and lock of the spreadsheet as everyone else. */
  readonly cellsShareStores: boolean;
  /** Cells may write document properties. */
  readonly cellsWriteProperties: boolean;
  /**
   * A request's `timeoutSeconds` has effect. Otherwise each request has a minute, as a guide says.
   */
  readonly timeoutsAreKept: boolean;
  /**
   * AuthorizationInfo has an address only where a permission is missing, as its reference says. Here it
   * always has one unless a test says otherwise, because scripts must ask for the status.
   */
  readonly addressOnlyIfMissing: boolean;
}

/** The answers that scripts hope for, except that an address is always there. */
export const HOPED: Unknowns = {
  cellsShareStores: true,
  cellsWriteProperties: true,
  timeoutsAreKept: true,
  addressOnlyIfMissing: false,
};
