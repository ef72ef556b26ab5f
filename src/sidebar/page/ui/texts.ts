// The wording of counts, times and durations on all pages.
import type { Failure } from '../../../failures/failure';
import { about, HOUR, MINUTE, SECOND } from '../../../failures/failure-text';
import type { RowWhy } from '../../../runs/preflight';
import type { BulkStatus } from '../../api/runs';

/** Buttons, titles and labels of the frame, and those that several pages share. */
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

/** Calls that did not reach our server. */
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

/** The full label for screen readers, which read the link alone. */
export const showLabel = (count: number, words: string): string =>
  `Show: ${count.toLocaleString()}. ${words}`;

/** Rows that were to be selected. */
export interface Selected {
  readonly wanted: number;
  readonly shown: number;
}

/** The result of selecting rows. @param fewer the text if only some of them were selected. */
export function selectedText({ wanted, shown }: Selected, fewer: string): string {
  if (shown === 0) return 'These rows are no longer in the sheet.';
  return shown < wanted ? fewer : `${countText(shown, 'row')} selected in the sheet.`;
}

/** Options with the names that a person reads. */
export type Options<Value extends string> = readonly (readonly [value: Value, name: string])[];

/** "1 row", "412 rows". */
export const countText = (count: number, noun: string): string =>
  `${count.toLocaleString()} ${noun}${count === 1 ? '' : 's'}`;

/** With a capital first letter. */
export const asSentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** "6 min 12 s": the exact duration of something that is over. */
export function durationText(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / SECOND));
  if (seconds * SECOND < MINUTE) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes * MINUTE < HOUR) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** "4 min left": a rounded estimate. */
export const leftText = (ms: number): string => `${about(ms).replace('about ', '')} left`;

const TO_THE_MINUTE = { hour: 'numeric', minute: '2-digit' } as const;

/** "14:32:10" in the computer's locale. */
export const secondText = (atMs: number): string =>
  new Date(atMs).toLocaleTimeString(undefined, { ...TO_THE_MINUTE, second: '2-digit' });

/** "14:02" for today, with the date for other days. */
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

/** Whole percentages, and 100 only if everything is done. */
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

/** Why a row of a check needs attention. */
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

/** Failures that a row may show after a run. Other failures have no kind in the status column. */
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

/** A sample failure of this kind, for its words and its consequences. */
export const failureOfKind = (kind: string): Failure | undefined =>
  SAMPLES.find((failure) => failure.kind === kind);
