// What Google does not say of cells and calls: the host knows both answers, and a careful script survives both.

export interface Unknowns {
  /** Cells have the cache, properties and lock of the spreadsheet that all others have. */
  readonly cellsShareStores: boolean;
  /** Cells may write document properties. */
  readonly cellsWriteProperties: boolean;
  /** `timeoutSeconds` of a request is kept; else each has a minute, as a guide says. */
  readonly timeoutsAreKept: boolean;
}

/** As scripts hope. */
export const HOPED: Unknowns = {
  cellsShareStores: true,
  cellsWriteProperties: true,
  timeoutsAreKept: true,
};
