// Why a run over a list cannot be started or go on, in words for who started it.

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
  | 'log-full';

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
};
