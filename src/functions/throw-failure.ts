// How a formula of one product fails: by throwing, so that the cell shows #ERROR! and IFERROR works.

import { cellText, type Failure } from '../analysis/failure';

export function throwFailure(failure: Failure): never {
  throw new Error(cellText(failure));
}
