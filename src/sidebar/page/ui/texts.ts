// The wording of counts, times and durations on all pages.
import {
  about,
  DAY,
  HOUR,
  MINUTE,
  momentWords,
  SECOND,
  timeWords,
} from '../../../failures/duration';
import type { RpcFailure } from '../../api/failure-view';
import type { JobStatus, RowNote } from '../../api/jobs';

/**
 * While a call waits for what somebody else does in the sheet: what that is, without the advice to try
 * again.
 */
export const busyText = ({ message }: RpcFailure): string =>
  `${message.split('. ')[0]?.replace(/\.$/, '')}. This page waits, then goes on by itself.`;

/** Buttons, titles and labels of the frame, and those that several pages share. */
export const UI_TEXTS = {
  adding: 'Adding',
  allowAtGoogle: 'Allow it at Google',
  analyze: 'Analyze',
  back: 'Back',
  chooseColumn: 'Choose a column',
  close: 'Close',
  connectKey: 'Connect a key',
  connection: 'Settings',
  help: 'help',
  hide: 'hide',
  keepIt: 'Keep it',
  learnMore: 'Learn more',
  loading: 'Loading',
  list: 'List',
  lookAgain: 'Look again',
  openConnection: 'Open Settings',
  openList: 'Open List',
  pages: 'Pages',
  removing: 'Removing',
  request: 'Request',
  saving: 'Saving',
  schedule: 'Schedule',
  sheetUnread: 'The sheet could not be read just now.',
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
export const failedText = (count: number): string => `${count.toLocaleString()} failed`;

/** "371 answered". */
export const answeredText = (count: number): string => `${count.toLocaleString()} answered`;

/** The full label for screen readers, which read the link alone. */
export const showLabel = (count: number, words: string): string =>
  `Show: ${count.toLocaleString()}. ${words}`;

/** Rows that were to be selected. */
export interface Selected {
  readonly wanted: number;
  readonly shown: number;
}

/** The result of selecting rows. @param fewer the text if only some of them were selected. */
export function selectedText({ wanted, shown }: Selected, fewer?: string): string {
  if (shown === 0) return 'These rows are no longer in the sheet.';
  const some = `The first ${shown.toLocaleString()} of ${countText(wanted, 'row')} are selected.`;
  return shown < wanted ? (fewer ?? some) : `${countText(shown, 'row')} selected in the sheet.`;
}

/** Options with the names that a person reads. */
export type Options<Value extends string> = readonly (readonly [value: Value, name: string])[];

/** "1 row", "412 rows". */
export const countText = (count: number, noun: string): string =>
  `${count.toLocaleString()} ${noun}${count === 1 ? '' : 's'}`;

/** "6 rows show nothing because cells were moved." */
export const movedText = (moved: number): string =>
  `${countText(moved, 'row')} ${moved === 1 ? 'shows' : 'show'} nothing because cells were moved.`;

/** With a capital first letter. */
export const asSentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** "$1,240.50", "−£3.20" */
export const amountText = (sign: string, amount: number): string =>
  `${amount < 0 ? '−' : ''}${sign}${Math.abs(amount).toLocaleString(undefined, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  })}`;

/** "32.5%", "−4%" */
export const ratioText = (ratio: number): string =>
  `${(ratio * 100).toLocaleString(undefined, { maximumFractionDigits: 1 })}%`.replace('-', '−');

/** "6 min 12 s": the exact duration of something that is over. */
export function durationText(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / SECOND));
  if (seconds * SECOND < MINUTE) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes * MINUTE < HOUR) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Below this, an estimate in seconds would be wrong before it is read. */
const MOMENT_MS = 10 * SECOND;

/** "4 min left": a rounded estimate. */
export const leftText = (ms: number): string =>
  ms < MOMENT_MS ? 'a few seconds left' : `${about(ms).replace('about ', '')} left`;

/** The spreadsheet's, as the sidebar was opened with it; left out: the computer's. */
const LOCALE = globalThis.document?.getElementById('sidebar')?.dataset.locale;

/** "14:02", "2:02 PM". @param timeZone left out: the computer's own. */
export const timeText = (atMs: number, timeZone?: string): string =>
  timeWords(atMs, LOCALE, timeZone);

/** Calendar days since 1970. */
const dayOf = (atMs: number, timeZone?: string): number =>
  Date.parse(`${new Date(atMs).toLocaleDateString('en-US', { timeZone })} UTC`) / DAY;

const NEAR: Readonly<Record<number, string>> = { [-1]: 'yesterday ', 0: '', 1: 'tomorrow ' };

/** "06:04", "yesterday 06:04", "Mon 16 Mar, 06:04": everywhere in one form. */
export function momentText(atMs: number, nowMs: number, timeZone?: string): string {
  const near = NEAR[dayOf(atMs, timeZone) - dayOf(nowMs, timeZone)];
  if (near === undefined) return momentWords(atMs, LOCALE, timeZone);
  return near + timeText(atMs, timeZone);
}

/** Whole percentages, and 100 only if everything is done. */
export const percentText = (done: number, of: number): string =>
  `${of === 0 ? 100 : Math.floor((100 * done) / of)}%`;

/** How the product of a cell was read, by the name of the repair. */
const REPAIRS: Readonly<Record<string, (market: string) => string>> = {
  'leading-zeros': () => 'restored leading zeros',
  'isbn-13': () => 'an ISBN-13',
  link: () => 'a link',
  barcode: () => 'a barcode, named in the Analysis tab',
  unsure: () => 'not the usual form of an ASIN, so check it',
  'foreign-link': (market) => `a link to another market, asked for in ${market}`,
  'no-market': (market) => `no market in its row, so ${market}`,
};

/** Why a row of a preview needs attention. */
export function rowWhy(row: RowNote): string {
  if ('why' in row) return row.why;
  if ('first' in row) return `The same product as in row ${row.first}.`;
  const how = REPAIRS[row.repair]?.(row.market);
  return how === undefined ? `Read as ${row.asin}.` : `Read as ${row.asin}: ${how}.`;
}

export const isOver = ({ state }: Pick<JobStatus, 'state'>): boolean =>
  state === 'done' || state === 'stopped';

/** Products that are answered or have failed. */
export const doneProducts = ({ products, left }: JobStatus): number => Math.max(0, products - left);

export const productsText = (count: number): string => (count === 1 ? 'product' : 'products');
