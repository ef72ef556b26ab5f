// The words of failures: lengths of time, sentences, problems of products, runs and schedules.

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** "about 40 s", "about 5 h", "about 3 days": rounded up, so that nobody comes back too early. */
export function about(waitMs: number): string {
  if (waitMs < 90 * SECOND) return `about ${Math.max(1, Math.ceil(waitMs / SECOND))} s`;
  if (waitMs < 90 * MINUTE) return `about ${Math.ceil(waitMs / MINUTE)} min`;
  if (waitMs < 48 * HOUR) return `about ${Math.ceil(waitMs / HOUR)} h`;
  return `about ${Math.ceil(waitMs / DAY)} days`;
}

/** What the service's operator finds a call by. */
export function theCall(requestId: string | undefined): string {
  return requestId === undefined ? '' : ` (call ${requestId})`;
}

export function lastAnswered(ageMs: number): string {
  return `Last answered ${about(ageMs)} ago: add the field age to show it`;
}

export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?]$/.test(text) ? '' : '.'}`;
}

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

/** The codes of all markets, which stand above failures; a test holds them to the table. */
export const MARKET_WORDS = 'US or UK';

export const ASIN_PROBLEMS: Readonly<Record<AsinProblem, (input: string) => string>> = {
  shape: (input) => `"${input}" is not an ASIN. An ASIN has 10 letters and digits`,
  'check-digit': (input) => `"${input}" looks like an ISBN, but its check digit is wrong`,
  barcode: (input) => `"${input}" is a barcode number. Use the product's ASIN`,
  'short-link': () => 'short links do not show the product. Open it and copy the full link',
  'other-market': () => `this link is from a market that is not supported. Use ${MARKET_WORDS}`,
  'link-without-asin': () => 'this link does not lead to one product. Copy the product page link',
  'no-isbn-10': (input) => `"${input}" has no 10-digit ISBN. Use the product's ASIN`,
  'error-cell': () => 'the cell with the ASIN shows an error. Mend that cell first',
  'loading-cell': () => 'the cell with the ASIN is still loading',
};

export type RunProblem =
  | 'elsewhere'
  | 'over'
  | 'busy'
  | 'no-rows'
  | 'none-such'
  | 'out-of-view'
  | 'sheet-gone'
  | 'columns-gone'
  | 'restless'
  | 'rejected'
  | 'full'
  | 'overwritten'
  | 'service-down'
  | 'log-protected'
  | 'log-full'
  | 'look-again';

export const RUN_PROBLEMS: Readonly<Record<RunProblem, (what: string) => string>> = {
  elsewhere: (what) => `${what}. Wait until it is over, or stop it`,
  busy: () => 'others are at work in this spreadsheet just now. Try again in a moment',
  over: () => 'this run is over. Start a new one',
  'no-rows': () => 'there is no product in these rows. Choose other rows or another column',
  'none-such': (what) => `${what}. Choose other rows`,
  'out-of-view': (what) =>
    `"${what}" is in view now, and this was chosen for another sheet. Look again`,
  'sheet-gone': () => 'the sheet was deleted. Undo that to go on, or stop the run',
  'columns-gone': (what) =>
    `the column "${what}" is no longer in the sheet. Undo that to go on, or stop the run`,
  restless: (what) =>
    `${what} could not be written: the sheet keeps changing there, or takes no values. ` +
    'Look for merged cells, then go on',
  rejected: (what) =>
    `data validation rejects what is to be written in ${what}. Change or remove the rule, then try again`,
  full: () =>
    'the spreadsheet has no room for more columns. Delete sheets, columns or rows you do not need',
  overwritten: (what) =>
    `columns were moved while ${what} were written, and not everything could be put back. ` +
    'Compare these cells with the version history (in the File menu), then go on',
  'service-down': (what) => `the last ${what} calls all failed. Try again later`,
  'log-protected': (what) =>
    `what changed could not be noted: the sheet "${what}" is protected. ` +
    'Ask its owner for access, or delete it, and a new one is made',
  'log-full': () =>
    'what changed could not be noted: the spreadsheet is full. Delete sheets or rows you do not need',
  'look-again': (what) => `"${what}" is no longer where it was in this sheet. Look again`,
};

export type ScheduleProblem =
  | 'gone'
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
  | 'cells-over'
  | 'other-key'
  | 'sheet-gone'
  | 'column-gone'
  | 'newer';

export const SCHEDULE_PROBLEMS: Readonly<Record<ScheduleProblem, (what: string) => string>> = {
  gone: () => 'this schedule is no longer there. Reload the page',
  others: () => "this schedule is somebody else's. Make one of your own",
  busy: () => 'somebody else is changing the schedules right now. Try again',
  'too-many': (what) => `a spreadsheet has room for ${what} schedules. Remove one first`,
  'not-stored': () => 'Google has no room for this. Remove a schedule, or try again tomorrow',
  copied: () =>
    'this spreadsheet is a copy, so its schedules spend nothing here. Use them here, or remove them',
  'run-in-the-way': (what) =>
    `a run over a list is ${what}, and the schedule waits for its end. See the Analyze page`,
  'at-work': () =>
    'this schedule is at work already. If it was cut off, it goes on within the hour',
  silent: (what) =>
    `it has not run since ${what}: whoever it runs as may have removed the add-on. Take it over`,
  'clock-missing': () => 'nothing starts your schedules any more. Set the clock again',
  'clock-refused': (what) =>
    what === 'too-many'
      ? 'Google allows 20 triggers, and you have them. Remove the add-on from another spreadsheet, then set the clock again'
      : `Google did not let the add-on set its clock${what === '' ? '' : ` ("${what}")`}, as in a test of the add-on. Try again later, or run the schedule by hand`,
  'clock-late': (what) =>
    `Google has not started your schedules since ${what}. Run them by hand, or wait`,
  'no-spreadsheet': (what) =>
    `Google started your schedules without a spreadsheet at ${what}, so nothing could be refreshed. Run them by hand`,
  'day-over': (what) =>
    `the time that Google gives schedules in a day is used up. They go on at ${what}`,
  'cells-over': (what) =>
    `more formulas would use up what Google lets formulas read in a day. They go on at ${what}`,
  'other-key': () =>
    "formulas here use the key of the spreadsheet's owner. Share your key with this spreadsheet, or ask the owner to refresh them",
  'cut-off': (what) => `its run of ${what} was cut off. It goes on by itself`,
  'sheet-gone': (what) =>
    `the sheet "${what}" was deleted. Undo that, or change the schedule to another sheet`,
  'column-gone': (what) =>
    `the column "${what}" is no longer in the sheet. Undo that, or change the schedule`,
  newer: () => 'the schedules were made by a newer version. Update the add-on',
};
