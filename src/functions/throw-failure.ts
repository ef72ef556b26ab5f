// How a formula of one product fails: by throwing, so that the cell shows #ERROR! and IFERROR works.

import { cellText, type Failure } from '../analysis/failure';

/** @param lastMs how old the last answer is, if there is one. */
export function throwFailure(failure: Failure, lastMs?: number): never {
  throw new Error(cellText(failure, lastMs));
}
