// The wording of failures in cells: durations, sentences and problems with products.

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** "about 40 s", "about 5 h", "about 3 days". Rounded up, so that nobody comes back too early. */
export function about(waitMs: number): string {
  if (waitMs < 90 * SECOND) return `about ${Math.max(1, Math.ceil(waitMs / SECOND))} s`;
  if (waitMs < 90 * MINUTE) return `about ${Math.ceil(waitMs / MINUTE)} min`;
  if (waitMs < 48 * HOUR) return `about ${Math.ceil(waitMs / HOUR)} h`;
  return `about ${Math.ceil(waitMs / DAY)} days`;
}

/** The request id by which the service's operator finds a call. */
export function theCall(requestId: string | undefined): string {
  return requestId === undefined ? '' : ` (call ${requestId})`;
}

export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?]$/.test(text) ? '' : '.'}`;
}

export type AsinProblem =
  | 'shape'
  | 'check-digit'
  | 'lost-digits'
  | 'barcode'
  | 'short-link'
  | 'other-market'
  | 'link-without-asin'
  | 'several-products'
  | 'merged'
  | 'no-isbn-10'
  | 'error-cell'
  | 'loading-cell';

/**
 * The codes of all markets. They are repeated here because the table of markets imports failures; a
 * test compares the two.
 */
export const MARKET_WORDS = 'US or UK';

export const ASIN_PROBLEMS: Readonly<Record<AsinProblem, (input: string) => string>> = {
  shape: (input) => `"${input}" is not an ASIN. An ASIN has 10 letters and digits`,
  'check-digit': (input) =>
    `"${input}" looks like an ISBN or a barcode, but its check digit is wrong`,
  'lost-digits': (input) =>
    `"${input}" has lost its last digits. Show the column as plain text where it comes from, and copy it again`,
  barcode: (input) =>
    `"${input}" is a barcode. Use its ASIN, or analyze the list: its tab "Analysis" asks for it`,
  'short-link': () => 'short links do not show the product. Open it and copy the full link',
  'other-market': () => `this link is from a market that is not supported. Use ${MARKET_WORDS}`,
  'link-without-asin': () => 'this link does not lead to one product. Copy the product page link',
  'several-products': (input) =>
    `"${input}" stands on links to different products. Use a column of ASINs or of whole links`,
  merged: (input) =>
    `"${input}" stands in a cell that is merged over several rows. Unmerge it, and give each row its product`,
  'no-isbn-10': (input) => `"${input}" has no 10-digit ISBN. Use the product's ASIN`,
  'error-cell': () => 'the cell with the ASIN shows an error. Fix that cell first',
  'loading-cell': () => 'the cell with the ASIN is still loading',
};

export type AddressProblem = 'missing' | 'no-address' | 'own-computer' | 'not-https' | 'not-full';
export type KeyProblem = 'missing' | 'odd-characters' | 'new-address';

export type RunProblem =
  | 'run-in-progress'
  | 'run-ended'
  | 'busy'
  | 'no-rows'
  | 'no-matching-rows'
  | 'out-of-view'
  | 'sheet-gone'
  | 'sheet-busy'
  | 'rejected'
  | 'full'
  | 'overwritten'
  | 'service-down'
  | 'log-protected'
  | 'log-full'
  | 'look-again'
  | 'not-sortable'
  | 'tab-protected'
  | 'tab-columns';

export type ScheduleProblem =
  | 'not-found'
  | 'others'
  | 'busy'
  | 'too-many'
  | 'not-stored'
  | 'copied'
  | 'run-in-the-way'
  | 'at-work'
  | 'silent'
  | 'clock-missing'
  | 'clock-refused'
  | 'clock-late'
  | 'no-spreadsheet'
  | 'day-over'
  | 'cut-off'
  | 'formulas-over'
  | 'other-key'
  | 'sheet-gone'
  | 'list-gone'
  | 'newer'
  | 'damaged';
