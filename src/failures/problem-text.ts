// Wording of failures that only the page shows and that Code.js therefore does not contain:
// problems and remedies.

import { type Failure, type FailureKind, sentences } from './failure';
import {
  type AddressProblem,
  type KeyProblem,
  type RunProblem,
  type ScheduleProblem,
  sentence,
} from './failure-text';

const ADDRESS_PROBLEMS: Readonly<Record<AddressProblem, () => string>> = {
  missing: () => 'the address is missing. It begins with https://',
  'no-address': () => 'this is not a web address. It begins with https://',
  'own-computer': () => 'this address is on your own computer',
  'not-https': () =>
    'the address must begin with https://, so that nobody can read your key on the way',
  'not-full': () => 'this is not a full web address',
};

const KEY_PROBLEMS: Readonly<Record<KeyProblem, () => string>> = {
  missing: () => 'the key is missing',
  'odd-characters': () =>
    'the key holds spaces or characters that keys do not have. Paste it again',
  'new-address': () => 'type the key again, because the address is a new one',
};

const RUN_PROBLEMS: Readonly<Record<RunProblem, (what: string) => string>> = {
  'run-in-progress': (what) => `${what}. Wait until it ends, or stop it`,
  busy: () => 'someone else is using the add-on here. Try again in a moment',
  'run-ended': () => 'this run has ended. Start a new one',
  'no-rows': () => 'these rows have no products. Choose other rows or another column',
  'no-matching-rows': (what) => `${what}. Choose other rows`,
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
  'not-sortable': (what) => `${what}, so nothing was sorted. Sort the rows by hand, part by part`,
  'tab-protected': (what) =>
    `figures could not be stored: the tab "${what}" is protected. Ask its owner for access`,
  'tab-columns': (what) =>
    `column ${what} of the tab "Analysis" stands between the add-on's columns. ` +
    'Move it to the right end, then try again',
};

const SCHEDULE_PROBLEMS: Readonly<Record<ScheduleProblem, (what: string) => string>> = {
  'not-found': () => 'this schedule was removed. Reload the page',
  others: () => 'this schedule belongs to someone else. Make your own',
  busy: () => 'someone else is changing the schedules. Try again',
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
  'no-spreadsheet': (what) =>
    `Google started your schedules without a spreadsheet at ${what}, so nothing could be refreshed. Run them by hand`,
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
  newer: () => 'the schedules were made by a newer version. Update the add-on',
  damaged: () => 'a schedule here was damaged and cannot run. Make it again',
};

const CONNECT = 'Enter the address and the key.';

type Words = Readonly<Record<string, (what: string) => string>>;

/** By kind of failure. */
export const PROBLEMS: Readonly<Record<string, Words>> = {
  'bad-address': ADDRESS_PROBLEMS,
  'bad-key': KEY_PROBLEMS,
  run: RUN_PROBLEMS,
  schedule: SCHEDULE_PROBLEMS,
};

/** A failure whose words are in this file, or a value that may be one. */
interface NamedProblem {
  readonly kind: string;
  readonly why?: string;
  readonly what?: string;
}

/** Remedies on the page for failures whose text in a cell points to the sidebar. */
const ACTIONS: { readonly [K in FailureKind]?: string } = {
  'no-connection': CONNECT,
  'samples-only': CONNECT,
  'settings-damaged': CONNECT,
  'key-refused': 'Check the key, or ask the service operator.',
  copied: 'Press "Use the key here".',
  'not-found': 'Check the ASIN and the market.',
  rejected: 'Check the product, or ask the service operator.',
  waiting: 'Try again then.',
  'wrong-address': 'Check the connection.',
  'cells-limit': "The key's owner can raise it under Connection. Your own key has no such limit.",
  'not-permitted': 'Choose "Run diagnostics" in the menu to allow it.',
};

/** What happened and what to do, in whole sentences; null for any other failure. */
export function problemSentence({ kind, why = '', what = '' }: NamedProblem): string | null {
  const text = PROBLEMS[kind]?.[why];
  return text === undefined ? null : sentence(text(what));
}

/** The field of the Connection page's form that is at fault. */
const FIELDS: { readonly [K in FailureKind]?: 'baseUrl' | 'apiKey' } = {
  'bad-address': 'baseUrl',
  'bad-key': 'apiKey',
};

interface Said extends NamedProblem {
  readonly message: string;
  readonly action?: string;
  readonly field?: string;
}

/** Adds the words that the server leaves to the page. */
export function inWords<T extends Said>(failure: T): T {
  const message = problemSentence(failure) ?? failure.message;
  const kind = failure.kind as FailureKind;
  const action = failure.action ?? ACTIONS[kind];
  const field = failure.field ?? FIELDS[kind];
  return {
    ...failure,
    message,
    ...(action !== undefined && { action }),
    ...(field !== undefined && { field }),
  };
}

/** The page's words for a failure that occurred in the page itself. */
export const pageWords = (failure: Failure): Said =>
  inWords({ ...failure, ...sentences(failure, true) });
