// The reasons of failures that have several, each in words.

/** The words of each reason. @param what what is concerned: a cell's text, a sheet, a count. */
type Reasons = Readonly<Record<string, (what: string) => string>>;

/**
 * The codes of all markets. They are repeated here because the table of markets imports failures; a
 * test compares the two.
 */
export const MARKET_WORDS = 'US or UK';

export const ASIN_PROBLEMS = {
  shape: (input) => `"${input}" is not an ASIN. An ASIN has 10 letters and digits`,
  'check-digit': (input) =>
    `"${input}" looks like an ISBN or a barcode, but its check digit is wrong`,
  'lost-digits': (input) =>
    `"${input}" has lost its last digits. Show the column as plain text where it comes from, and copy it again`,
  barcode: (input) =>
    `"${input}" is a barcode. Use its ASIN, or analyze the list: its tab "Analysis" asks for it`,
  'short-link': () => 'short links do not show the product. Open it and copy the full link',
  'other-market': () => `this link is from a market that is not supported. Use ${MARKET_WORDS}`,
  'two-products': (input) => `"${input}" names two products. Give each a row of its own`,
  'no-asin': (input) => `this row has a barcode, "${input}", and no ASIN. Type its ASIN`,
  'other-titles': (row) =>
    `this row stands under other titles, those of row ${row}. Give these rows a sheet of their own`,
  'link-without-asin': () => 'this link does not lead to one product. Copy the product page link',
  'linked-text': (input) =>
    `"${input}" names no product, and formulas cannot read its link. Put the link or the ASIN in the cell`,
  merged: (input) =>
    `"${input}" stands in a cell that is merged over several rows. Unmerge it, and give each row its product`,
  'no-isbn-10': (input) => `"${input}" has no 10-digit ISBN. Use the product's ASIN`,
  'error-cell': () => 'the cell with the ASIN shows an error. Fix that cell first',
  'loading-cell': () => 'the cell with the ASIN is still loading',
} as const satisfies Reasons;

export type AsinProblem = keyof typeof ASIN_PROBLEMS;

/** A connection that works is replaced only by one that does. */
const STILL_IN_USE = 'The one that works is still in use';

export const ADDRESS_PROBLEMS = {
  missing: () => 'the address is missing. It begins with https://',
  'no-address': () => 'this is not a web address. It begins with https://',
  'own-computer': () => 'this address is on your own computer',
  'not-https': () =>
    'the address must begin with https://, so that nobody can read your key on the way',
  'not-full': () => 'this is not a full web address',
  'no-service': () => `this address does not lead to the analysis service. ${STILL_IN_USE}`,
} as const satisfies Reasons;

export type AddressProblem = keyof typeof ADDRESS_PROBLEMS;

export const KEY_PROBLEMS = {
  missing: () => 'the key is missing',
  'odd-characters': () =>
    'the key holds spaces or characters that keys do not have. Paste it again',
  'new-address': () => 'type the key again, because the address is a new one',
  refused: () => `the service refused this key. ${STILL_IN_USE}`,
} as const satisfies Reasons;

export type KeyProblem = keyof typeof KEY_PROBLEMS;

export const RUN_PROBLEMS = {
  'run-in-progress': (what) => `${what}. Wait until it ends, or stop it`,
  busy: (what) =>
    what === ''
      ? 'formulas or other people are using the add-on here. Try again in a moment'
      : `${what} in this spreadsheet. Wait until that is done, then try again`,
  'run-ended': () => 'this run has ended. Start a new one',
  'no-rows': () => 'these rows have no products. Choose other rows or another column',
  'no-matching-rows': (what) => `${what}. Choose other rows`,
  'list-changed': (what) =>
    `the list has changed: it has ${what} now. Look at what that costs, then start again`,
  'out-of-view': (what) =>
    `"${what}" is in view now, and this was chosen for another sheet. Look again`,
  'sheet-gone': () => 'the sheet was deleted. Undo that to continue, or stop the run',
  'sheet-busy': (what) =>
    `${what} could not be written: the sheet keeps changing, or blocks edits. ` +
    'Check for merged cells, then continue',
  rejected: (what) => `data validation blocks ${what}. Change or remove the rule, then try again`,
  full: () =>
    'the spreadsheet has no room for more columns. Delete sheets, columns or rows you do not need',
  overwritten: (what) =>
    `columns moved while formulas were written into ${what}. ` +
    'Compare these cells with File > Version history, then start again',
  'service-down': (what) => `the last ${what} calls all failed. Try again later`,
  'log-protected': (what) =>
    `changes could not be logged: the sheet "${what}" is protected. ` +
    'Ask its owner for access, or delete it to get a new one',
  'log-full': () =>
    'changes could not be logged: the spreadsheet is full. Delete sheets or rows you do not need',
  'look-again': (what) => `"${what}" is no longer where it was in this sheet. Look again`,
  'columns-unclear': (what) =>
    `it is not clear what "${what}" holds. Say so on the List page, then add decisions`,
  'not-sortable': (what) => `${what}, so nothing was sorted. Sort the rows by hand, part by part`,
  'tab-protected': (what) =>
    `figures could not be stored: the tab "${what}" is protected. Ask its owner for access`,
  'tab-columns': (what) =>
    `column ${what} of the tab "Analysis" stands between the add-on's columns. ` +
    'Move it to the right end, then try again',
} as const satisfies Reasons;

export type RunProblem = keyof typeof RUN_PROBLEMS;

export const SCHEDULE_PROBLEMS = {
  'not-found': () => 'this schedule was removed. Reload the page',
  others: () => 'this schedule belongs to someone else. Make your own',
  'too-many': (what) => `a spreadsheet has room for ${what} schedules. Remove one first`,
  'not-stored': () => 'Google has no room for this. Remove a schedule, or try again tomorrow',
  copied: () =>
    'this spreadsheet is a copy, so its schedules are paused. Use them here, or remove them',
  'run-in-the-way': (what) =>
    `a run over a list is ${what}, and the schedule waits for it to end. See Analyze`,
  'at-work': () =>
    'this schedule is already running. If it was interrupted, it continues within the hour',
  silent: (what) =>
    `it has not run since ${what}. Ask its owner to open this sidebar, or take it over`,
  'clock-missing': () => 'nothing starts your schedules any more. Set the clock again',
  'clock-refused': (what) =>
    what === 'too-many'
      ? 'Google allows 20 triggers per person, and yours are all in use. Remove the add-on from another spreadsheet, then set the clock again'
      : `Google did not let the add-on set its clock${what === '' ? '' : ` ("${what}")`}. Try again later, or run the schedule by hand`,
  'clock-late': (what) =>
    `Google has not started your schedules since ${what}, so the clock was set again. They start within the hour; if not, run them by hand`,
  'day-over': (what) =>
    `Google's daily run time for schedules is used up. They continue at ${what}`,
  'formulas-over': (what) =>
    `formulas here ask for ${what} products, more than its calls allow in five hours. Allow more calls, or analyze a list`,
  'other-key': () =>
    "formulas here use the owner's key. Share your key with this spreadsheet, or ask the owner to refresh them",
  'cut-off': (what) =>
    `its run of ${what} was interrupted, and changes it had just found may be missing in the log. It continues by itself`,
  'sheet-gone': (what) =>
    `the sheet "${what}" was deleted. Undo that, or change the schedule to another sheet`,
  'list-gone': (what) =>
    `the list on "${what}" is gone: its column of products or all of its figures. Undo that, or analyze it again`,
  damaged: () => 'a schedule here was damaged and cannot run. Make it again',
} as const satisfies Reasons;

export type ScheduleProblem = keyof typeof SCHEDULE_PROBLEMS;
