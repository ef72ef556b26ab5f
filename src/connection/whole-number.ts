// A whole number from 1 up, as a schema: zod's own checks for it would cost every cell three kilobytes.

import * as z from 'zod/mini';

export function wholeNumber(maximum: number) {
  const isFit = (value: number) => Number.isInteger(value) && value >= 1 && value <= maximum;
  return z.number().check(z.refine(isFit));
}
