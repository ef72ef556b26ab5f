// How a formula of one product fails: by throwing, so that the cell shows #ERROR! and IFERROR works.

import { cellText, type Failure, fail } from '../analysis/failure';

/** @param lastMs how old the last answer is, if there is one. */
export function throwFailure(failure: Failure, lastMs?: number): never {
  throw new Error(cellText(failure, lastMs));
}

/** Where the product is left out, in which a blank cell is no mistake. @param how to name it. */
export function needProduct(asin: unknown, how: string): void {
  if (asin === undefined) needed(`the product is missing. ${how}`);
}

export function needed(what: string): never {
  throwFailure(fail({ kind: 'bad-argument', what }));
}
