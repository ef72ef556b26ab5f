// Why a text is not an ASIN, and the words for it.

export type AsinProblem =
  | 'shape'
  | 'check-digit'
  | 'barcode'
  | 'short-link'
  | 'other-market'
  | 'link-without-asin'
  | 'no-isbn-10'
  | 'error-cell'
  | 'loading-cell';

export const ASIN_PROBLEMS: Readonly<Record<AsinProblem, (input: string) => string>> = {
  shape: (input) => `"${input}" is not an ASIN. An ASIN has 10 letters and digits`,
  'check-digit': (input) => `"${input}" looks like an ISBN, but its check digit is wrong`,
  barcode: (input) => `"${input}" is a barcode number. Use the product's ASIN`,
  'short-link': () => 'short links do not show the product. Open it and copy the full link',
  'other-market': () => 'this link is from a market that is not supported. Use US or UK',
  'link-without-asin': () => 'this link does not lead to one product. Copy the product page link',
  'no-isbn-10': (input) => `"${input}" has no 10-digit ISBN. Use the product's ASIN`,
  'error-cell': () => 'the cell with the ASIN shows an error. Mend that cell first',
  'loading-cell': () => 'the cell with the ASIN is still loading',
};
