// Counts, times and lengths of time as the pages say them.
import type { Failure } from '../../../failures/failure';
import { about, HOUR, MINUTE, SECOND } from '../../../failures/failure-text';
import type { RowWhy } from '../../../runs/preflight';
import type { BulkStatus } from '../../api/runs';

/** What the frame says, and what the pages say alike: buttons, titles, labels. */
export const UI_TEXTS = {
  adding: 'Adding',
  allowAtGoogle: 'Allow it at Google',
  analyze: 'Analyze',
  back: 'Back',
  chooseColumn: 'Choose a column',
  close: 'Close',
  connectKey: 'Connect a key',
  connection: 'Connection',
  deals: 'Deals',
  help: 'help',
  hide: 'hide',
  keepIt: 'Keep it',
  learnMore: 'Learn more',
  loading: 'Loading',
  lookAgain: 'Look again',
  openAnalyze: 'Open Analyze',
  openConnection: 'Open Connection',
  pages: 'Pages',
  removing: 'Removing',
  request: 'Request',
  saving: 'Saving',
  schedule: 'Schedule',
  show: 'show',
  someoneElse: 'someone else',
  starting: 'Starting',
  stop: 'Stop',
  stopping: 'Stopping',
  tryAgain: 'Try again',
  you: 'you',
} as const;

/** Of a call that did not get through to our server. */
export const PAGE_WORDS = {
  offline: {
    message: 'This computer is offline.',
    action: 'Try again once the internet is back. What you typed is kept.',
  },
  connectionLost: {
    message: 'The connection to Google Sheets was lost.',
    action: 'Try again. If it stays like this, reload the spreadsheet.',
  },
  authorisationLost: {
    message: 'Google no longer allows this add-on to work here.',
    action:
      'Open it again from the Extensions menu and allow access. ' +
      'With several Google accounts, use the one you signed in with first.',
  },
  stoppedByGoogle: {
    message: 'The add-on stopped before it had finished.',
    action: 'Try again in a moment.',
  },
} as const;

/** How often a run is repeated. */
export const AGAIN_WORDS = {
  daily: 'Every morning',
  weekdays: 'Monday to Friday',
  weekly: 'Every Monday',
} as const;

/** "2 failed". */
export const failedText = (rows: number): string => `${rows.toLocaleString()} failed`;

/** "371 answered". */
export const answeredText = (rows: number): string => `${rows.toLocaleString()} answered`;

/** For those who hear a link and do not see where it stands. */
export const showLabel = (count: number, words: string): string =>
  `Show: ${count.toLocaleString()}. ${words}`;

/** Rows that were to be selected. */
export interface Selected {
  readonly wanted: number;
  readonly shown: number;
}

/** After rows were to be selected. @param fewer where it is only some of them. */
export function selectedText({ wanted, shown }: Selected, fewer: string): string {
  if (shown === 0) return 'These rows are no longer in the sheet.';
  return shown < wanted ? fewer : `${countText(shown, 'row')} selected in the sheet.`;
}

/** What can be chosen, with the name that a person reads. */
export type Options<Value extends string> = readonly (readonly [value: Value, name: string])[];

/** "1 row", "412 rows". */
export const countText = (count: number, noun: string): string =>
  `${count.toLocaleString()} ${noun}${count === 1 ? '' : 's'}`;

/** Begins with a capital letter. */
export const asSentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** "6 min 12 s": exact, of what is over. */
export function durationText(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / SECOND));
  if (seconds * SECOND < MINUTE) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes * MINUTE < HOUR) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** "4 min left": of what is to come, in round numbers. */
export const leftText = (ms: number): string => `${about(ms).replace('about ', '')} left`;

const TO_THE_MINUTE = { hour: 'numeric', minute: '2-digit' } as const;

/** "14:32:10", as the computer's language writes it. */
export const secondText = (atMs: number): string =>
  new Date(atMs).toLocaleTimeString(undefined, { ...TO_THE_MINUTE, second: '2-digit' });

/** "14:02" of today, with the date before that. */
export function momentText(atMs: number, nowMs: number): string {
  const at = new Date(atMs);
  const time = at.toLocaleTimeString(undefined, TO_THE_MINUTE);
  const isToday = at.toDateString() === new Date(nowMs).toDateString();
  if (isToday) return time;
  return `${at.toLocaleDateString(undefined, { day: 'numeric', month: 'short' })}, ${time}`;
}

/** "rows 201–240", "row 7". */
export const rowsText = (first: number, last: number): string =>
  first === last
    ? `row ${first.toLocaleString()}`
    : `rows ${first.toLocaleString()}–${last.toLocaleString()}`;

/** Whole percents, and 100 only when all is done. */
export const percentText = (done: number, of: number): string =>
  `${of === 0 ? 100 : Math.floor((100 * done) / of)}%`;

type Repair = Extract<RowWhy, { readonly repair: string }>['repair'];

const REPAIRS: Readonly<Record<Repair, (market: string) => string>> = {
  'leading-zeros': () => 'restored leading zeros',
  'isbn-13': () => 'an ISBN-13',
  link: () => 'a link',
  barcode: () => 'from the tab “Barcodes”',
  unsure: () => 'not the usual form of an ASIN, so check it',
  'foreign-link': (market) => `a link to another market, asked for in ${market}`,
  'no-market': (market) => `no market in its row, so ${market}`,
};

/** Why a row of a check wants a look. */
export function rowWhy(row: RowWhy): string {
  if ('why' in row) return row.why;
  if ('first' in row) return `The same product as in row ${row.first}.`;
  if ('repair' in row) return `Read as ${row.asin}: ${REPAIRS[row.repair](row.market)}.`;
  const what = row.isMerged ? 'Cells are merged in it' : 'Its status cell holds something else';
  return `${what}. The row is left out.`;
}

export const isOver = ({ state }: BulkStatus): boolean =>
  state === 'finished' || state === 'stopped';

export const doneRows = ({ rows, left }: BulkStatus): number => Math.max(0, rows - left);

/** What a row may say of itself after a run; what else there is has no kind of its own there. */
const SAMPLES: readonly Failure[] = [
  { kind: 'service-busy', status: 503 },
  { kind: 'unreachable' },
  { kind: 'timed-out' },
  { kind: 'google-busy', words: '' },
  { kind: 'waiting' },
  { kind: 'not-found' },
  { kind: 'rejected', excerpt: '' },
  { kind: 'not-understood', what: '' },
  { kind: 'wrong-address', status: 404 },
  { kind: 'run', why: 'rejected', what: 'these rows' },
];

/** A failure of this kind, for its words and for what follows from it. */
export const failureOfKind = (kind: string): Failure | undefined =>
  SAMPLES.find((failure) => failure.kind === kind);
