// A list in the sheet as those see it who work on its rows.

import type { Failure } from '../analysis/failure';
import type { Result } from './block';
import type { Layout } from './our-columns';
import type { Row } from './rows';
import type { WriteReport } from './write-report';

export interface List {
  /** Whether this run may write the row: it wants an analysis, or holds another product's. */
  isOpen(row: Row): boolean;
  layout(): Layout;
  /** All rows below the header. */
  read(options?: Reading): readonly Row[] | Failure;
  /** Whether the products of rows that were read a moment ago, and all columns, are where they were. */
  isStill(rows: readonly Row[]): boolean;
  /** Puts results into their rows, by row number, as far as those still hold the same products. */
  write(results: ReadonlyMap<number, Result>): WriteReport;
  /**
   * Puts texts into the status column, from a row on, unless others stand there than were seen. Rows
   * may have moved: reading them again tells.
   */
  writeStatus(firstRow: number, texts: readonly string[], seen: readonly string[]): Failure | null;
}

export interface Reading {
  /** Whether merged cells are looked for. */
  readonly locksMerged?: boolean;
  /** Whether the size will do that was measured last: of rows that came since, the last are not read. */
  readonly isMeasured?: boolean;
}
