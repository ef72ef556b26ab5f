// The wording of the Analyze page: runs, failed rows, messages.

import { willPass } from '../../../failures/failure';
import { about, MARKET_WORDS } from '../../../failures/failure-text';
import { pageWords } from '../../../failures/problem-text';
import type { Choice } from '../../../runs/run';
import type { RpcFailure } from '../../api/failure-view';
import type {
  BulkColumn,
  BulkField,
  BulkInspection,
  BulkPreflight,
  BulkStatus,
  FailedRows,
  PastRun,
} from '../../api/runs';
import { type Messages, remedyOf, type Ways } from '../ui/page';
import {
  answeredText,
  countText,
  doneRows,
  durationText,
  failedText,
  failureOfKind,
  isOver,
  leftText,
  momentText,
  rowsText,
  secondText,
  selectedText,
  UI_TEXTS,
} from '../ui/texts';
import { placeOfFields, titlesOfFields } from './choice';
import { FIRST, isSecondDue, type Pair, SECOND } from './pair';
import type {
  AnalyzeState,
  CheckedView,
  CleanupChange,
  CleanupView,
  Notice,
  RunView,
} from './state';

/**
 * Sentences for all rows that failed in one way; details that differ between rows are in the rows.
 */
const IN_GENERAL: Readonly<Record<string, string>> = {
  'bad-asin': 'No product can be read in these rows.',
  'bad-market': 'The market of these rows is not supported.',
  rejected: 'The service rejected these products.',
  'service-busy': 'The service had a problem.',
  'not-understood': "The service's answers could not be read.",
  'google-busy': 'Google had a problem.',
};

/** Remedies for many rows, where the words for a single product do not fit. */
const NEEDS: Readonly<Record<string, string>> = {
  'bad-asin': 'Correct them, then run the rows that failed before.',
  'bad-market': `Use ${MARKET_WORDS}, then run the rows that failed before.`,
};

export interface FailedWords extends FailedRows {
  readonly message: string;
  readonly action?: string;
  /** Which problem of a run it is. */
  readonly why?: string;
  /** Whether a retry may help although nothing was corrected first. */
  readonly canRetry: boolean;
}

export function failedWords({ kind, rows }: FailedRows): FailedWords {
  const known = failureOfKind(kind);
  const words = known && pageWords(known);
  const message = IN_GENERAL[kind] ?? words?.message ?? 'These rows failed.';
  const action = NEEDS[kind] ?? words?.action;
  const canRetry = known !== undefined && willPass(known);
  return {
    ...{ kind, rows, message, canRetry },
    ...(action !== undefined && { action }),
    ...(known?.kind === 'run' && { why: known.why }),
  };
}

const STOP_QUESTION =
  'Figures already written stay. The remaining rows stay as they were before the run.';

const stopQuestion = (pair: Pair | null): string =>
  pair?.secondRun === null ? `${STOP_QUESTION} ${SECOND} is not started then.` : STOP_QUESTION;

/** The number of rows that a person may want to look at. */
export const rowsToLookAt = ({ failed, notPlaced }: BulkStatus): number => failed + notPlaced.count;

export const retryable = ({ failures }: BulkStatus): readonly string[] =>
  failures.filter((one) => failedWords(one).canRetry).map(({ kind }) => kind);

export const retryableRows = ({ failures }: BulkStatus): number =>
  failures.reduce((rows, one) => rows + (failedWords(one).canRetry ? one.rows : 0), 0);

/**
 * The state to show. A command counts at once, before the server confirms it. While this page keeps
 * the run going, a moment without news is no interruption.
 */
export function stateOf({ status, isDriven, asked }: RunView): BulkStatus['state'] {
  if (asked === 'pause') return 'pausing';
  if (asked === 'stop') return 'stopping';
  return isDriven && status.state === 'interrupted' ? 'running' : status.state;
}

export function runTitle(view: RunView): string {
  const { status } = view;
  const rows = status.rows.toLocaleString();
  const sofar = `${doneRows(status).toLocaleString()} of ${rows}`;
  switch (stateOf(view)) {
    case 'running':
    case 'pausing':
    case 'stopping':
      return sofar;
    case 'paused':
      return `Paused at ${sofar}`;
    case 'interrupted':
      return `Run paused at ${sofar}`;
    case 'stuck':
      return `Held up at ${sofar}`;
    case 'stopped':
      return `Stopped at ${sofar}`;
    case 'finished':
      return `Done in ${durationText(status.workedMs)}`;
  }
}

/** One sentence for people who do not see the progress bar. */
function progressOf(view: RunView): string {
  const { status } = view;
  const failed = status.failed === 0 ? '' : `, ${status.failed.toLocaleString()} failed`;
  return stateOf(view) === 'running' ? `${runTitle(view)} rows done${failed}.` : '';
}

function spokenOfRun(view: RunView): string {
  const { answered, cached } = view.status;
  const asked: Readonly<Partial<Record<string, string>>> = {
    pause: 'Pausing.',
    stop: 'Stopping.',
    resume: 'Resuming.',
    retry: 'Starting again with the failed rows.',
  };
  if (view.asked !== null) return asked[view.asked] ?? '';
  const state = stateOf(view);
  if (state === 'finished') {
    const look = rowsToLookAt(view.status);
    const needs =
      look === 0 ? '' : ` ${countText(look, 'row')} ${look === 1 ? 'needs' : 'need'} attention.`;
    return `Done. ${countText(answered + cached, 'row')} answered.${needs}`;
  }
  return state === 'running' ? '' : `${runTitle(view)} rows.`;
}

/** Why a cell should be changed. */
export const CHANGE_WORDS: Readonly<Record<CleanupChange['why'], string>> = {
  link: 'from a link',
  'isbn-13': 'from an ISBN-13',
  barcode: 'a barcode, from the tab “Barcodes”',
  'leading-zeros': 'leading zeros restored',
  number: 'a number, kept as text',
  typed: 'spaces, lower case or punctuation',
  unsure: 'not the usual form of an ASIN',
  'other-market': 'the link is to another market',
};

/** Why a cell stays as it is, for reasons that are not yet a sentence. */
export const LEFT_WORDS: Readonly<Record<string, string>> = {
  formula: 'Filled by a formula. Correct the cells it reads.',
  long: 'Longer than 1,000 characters.',
};

/** The link under barcodes with an unknown product; 0: their number is unknown. */
export const listBarcodesText = (count: number): string =>
  count === 0 ? 'List the barcodes to fill in' : `List ${countText(count, 'barcode')} to fill in`;

/** The tab exists, but one of its columns is missing or renamed. */
export const untitledTab = (title: string): RpcFailure => ({
  kind: 'page-untitled-tab',
  message: `The tab “Barcodes” has no column “${title}”.`,
  action: `Write “${title}” above a column in its first row, then try again.`,
});

/** @param more the number of barcodes that follow with the next press. */
function listedText(added: number, more: number): string {
  const rest = more === 0 ? '' : ` Press again for ${more.toLocaleString()} more.`;
  if (added === 0)
    return 'All of them are in the tab “Barcodes” already. Fill in one ASIN for each, then come back.';
  const them = added === 1 ? 'its ASIN' : 'their ASINs';
  return `${countText(added, 'barcode')} added to the tab “Barcodes”. Fill in ${them} there, then come back.${rest}`;
}

/** The result of a cleanup. */
function cleanedText(done: number, wanted: number, isUndo: boolean): string {
  const missed = wanted - done;
  if (done === 0) return `Nothing changed. ${countText(missed, 'cell')} changed meanwhile.`;
  const cells = countText(done, 'cell');
  const text = isUndo ? `${cells} put back as before.` : `${cells} cleaned up.`;
  return missed === 0
    ? text
    : `${text} ${countText(missed, 'other')} changed meanwhile and ${missed === 1 ? 'was' : 'were'} left alone.`;
}

function spokenOfCleanup({ found, isWriting }: CleanupView): string {
  if (isWriting) return 'Cleaning up.';
  return found === null ? 'Reading the column.' : `${toCleanUpText(found.changes.length)}.`;
}

function spokenOfCheck({ preflight, isStarting }: CheckedView): string {
  if (isStarting) return 'Starting the run.';
  const { calls, rows } = preflight;
  return `Preview: ${countText(rows, 'row')}, ${countText(calls, 'call')}.`;
}

function announcementOf({ view }: AnalyzeState): string {
  if (view.at === 'run') return spokenOfRun(view);
  if (view.at === 'checked') return spokenOfCheck(view);
  if (view.at === 'cleanup') return spokenOfCleanup(view);
  return view.at === 'choosing' && view.isChecking ? 'Loading the preview.' : '';
}

/** Rows that are left out may well have products, so a list of them is not called empty. */
function problemOf({ problem, products, kept }: BulkPreflight): RpcFailure | null {
  return products === 0 && problem?.kind === 'run' && kept.count > 0 ? ALL_KEPT : (problem ?? null);
}

function failureOf({ view, past, pair }: AnalyzeState): RpcFailure | null {
  if (view.at === 'loading') return null;
  if (view.at === 'unreached') return view.failure;
  if (view.failure !== null) return view.failure;
  if (view.at === 'run' && isSecondDue(pair, view.status)) return pair.failure;
  if (view.at === 'run') return stateOf(view) === 'stuck' ? (view.status.problem ?? null) : null;
  if (view.at === 'checked')
    return problemOf(view.preflight) ?? (view.second && problemOf(view.second.preflight));
  return past.at === 'failed' ? past.failure : null;
}

export function messagesOf(state: AnalyzeState, ways: Ways): Messages {
  const { view, notice } = state;
  const failure = failureOf(state) ?? (notice?.kind === 'set-aside' ? SET_ASIDE : null);
  const isRun = view.at === 'run';
  return {
    failure,
    // A problem that stops a run has to be solved in the sheet, and a choice has its own way to
    // look again. After that the failed command no longer applies.
    remedy:
      failure?.kind === 'run' && (view.at === 'choosing' || (isRun && view.failure === null))
        ? undefined
        : failure === null
          ? undefined
          : remedyOf(failure, ways),
    notice: failure === null ? noticeText(notice) : null,
    question: isRun && view.isStopAsked ? stopQuestion(state.pair) : null,
    spoken: announcementOf(state),
    progress: isRun ? progressOf(view) : '',
  };
}

/** The second run cannot find its list. */
export const LIST_MOVED: RpcFailure = {
  kind: 'page-list-moved',
  message: 'The list is not where it was.',
  action: 'Press New run and choose its column again.',
};

const ALL_KEPT: RpcFailure = {
  kind: 'run',
  message: 'These rows are left out: their status cells hold something else, or cells are merged.',
  action: 'Empty those cells or rename their column, then look again.',
};

const SET_ASIDE: RpcFailure = {
  kind: 'page-set-aside',
  message: 'Some saved details of earlier runs were damaged and are set aside.',
  action: 'Your sheet is unchanged. If a run was under way, start it again.',
};

/** For a run that nobody keeps going at present. */
export function restText({ rescueMinutes, isMine }: BulkStatus): string {
  if (rescueMinutes === undefined) return VIEW_TEXTS.paused;
  const within = rescueMinutes < 60 ? `${rescueMinutes} minutes` : 'the hour';
  const who = isMine ? '' : ' with your key';
  return `Progress saved. It resumes by itself within ${within}. Press Continue to resume now${who}.`;
}

export const BOTH_LEAD = `${FIRST} first, then ${SECOND}, each in columns of its own. ${SECOND} starts by itself while the sidebar is open, or once it is opened again.`;

/** Why products are asked for again that were already answered; null: there are none. */
export const againText = (again: number): string | null =>
  again === 0
    ? null
    : `${countText(again, 'call')} repeated: your settings changed how answers are read.`;

/**
 * What happens to the other market's figures. @param replaced the number of rows; null: the figures
 * stay.
 */
export const otherFiguresText = (mine: string, other: string, replaced: number | null): string =>
  replaced === null
    ? `${other} figures stay; ${mine} figures get their own columns.`
    : `${other} figures in ${countText(replaced, 'row')} will be replaced by ${mine} ones.`;

export const replaceText = (other: string): string => `Replace the ${other} figures instead`;

/** @param column the column's name. */
export const nearestText = (column: string, products: number, sampled: number): string =>
  `The nearest is ${column}: ${products.toLocaleString()} of ${sampled.toLocaleString()} cells read as products.`;

/** `B “ASIN”`, or `column B` for a column without a header. */
export const columnName = ({ letter, title }: BulkColumn): string =>
  title === '' ? `column ${letter}` : `${letter} “${title}”`;

/** Letters of columns: adjacent ones as a range, many as a number. */
function lettersText(columns: readonly BulkColumn[]): readonly string[] {
  const sorted = [...columns].sort((a, b) => a.column - b.column);
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined) return [];
  if (sorted.length > 1 && last.column - first.column === sorted.length - 1)
    return [`${first.letter}:${last.letter}`];
  if (sorted.length > 4) return [`${sorted.length} columns`];
  return [sorted.map(({ letter }) => letter).join(', ')];
}

/** "into D:F and 2 new columns": where the chosen figures are written. */
export function placeText(look: BulkInspection, choice: Choice): string {
  const { there, added } = placeOfFields(look, choice);
  const newText = added === 0 ? [] : [countText(added, 'new column')];
  return `into ${[...lettersText(there), ...newText].join(' and ')}`;
}

/** Where one figure is written. */
export const figurePlaceText = ({ column }: BulkField, isBoth: boolean): string => {
  if (isBoth) return VIEW_TEXTS.forEach;
  return column === null ? 'new column' : `column ${column.letter}`;
};

/** "Profit, ROI, +3": the figures that are written. */
export function fieldsText(look: BulkInspection, choice: Choice): string {
  const titles = titlesOfFields(look, choice);
  const more = titles.length - 2;
  return more <= 1 ? titles.join(', ') : `${titles.slice(0, 2).join(', ')}, +${more}`;
}

/** "US, then UK"; '' for a single run. */
export function pairText(pair: Pair | null, status: BulkStatus): string {
  if (pair === null) return '';
  if (pair.secondRun === null) return `${FIRST}, then ${SECOND}`;
  return isOver(status) ? `${FIRST} and ${SECOND}` : `${FIRST} is done, now ${SECOND}`;
}

/** Good news to show once. */
export function noticeText(notice: Notice | null): string | null {
  if (notice === null) return null;
  switch (notice.kind) {
    case 'set-aside':
      return null;
    case 'other-sheet':
      return `“${notice.sheet}” is in view now. Press Preview for its rows.`;
    case 'selected':
      return selectedText(
        notice,
        `The first ${notice.shown.toLocaleString()} of ${countText(notice.wanted, 'row')} are selected.`,
      );
    case 'second-not-started':
      return `The ${SECOND} run was not started. To run it, choose ${SECOND} as the market.`;
    case 'listed':
      return listedText(notice.added, notice.more);
    case 'cleaned':
      return cleanedText(notice.done, notice.wanted, notice.isUndo);
  }
}

/** "Start 301 calls". */
export const startLabel = (calls: number): string =>
  calls === 0 ? 'Write saved figures' : `Start ${countText(calls, 'call')}`;

export const retryLabel = (rows: number): string => `Retry ${rows.toLocaleString()}`;

export const cleanUpLabel = (cells: number): string => `Clean up ${countText(cells, 'cell')}`;

/** Beside the link to the cleanup, which may find that some of them have to stay. */
export const toCheckText = (cells: number): string => `${cells.toLocaleString()} to check`;

export const toCleanUpText = (cells: number): string => `${countText(cells, 'cell')} to clean up`;

export const undoLabel = (cells: number): string =>
  `Undo the last cleanup (${countText(cells, 'cell')})`;

export const rowLabel = (row: number): string => `Go to row ${row}`;

/** "Show: 12 can’t be read": the full label for screen readers, which read the link alone. */
export const foldLabel = (isOpen: boolean, count: number, words: string): string =>
  `${isOpen ? VIEW_TEXTS.hide : VIEW_TEXTS.show}: ${count.toLocaleString()} ${words}`;

export const retryRowsLabel = (rows: number, message: string): string =>
  `Retry: ${rows.toLocaleString()}. ${message}`;

/** The rest of a list. */
export const moreText = (count: number, what = ''): string =>
  `and ${count.toLocaleString()} more${what === '' ? '' : `, ${what}`}`;

export const firstOfManyText = (now: number, later: number): string =>
  `The first ${now.toLocaleString()} now; the other ${later.toLocaleString()} come next.`;

export const inSheetText = (sheet: string): string => `in “${sheet}”`;

export const changeText = (row: number, why: CleanupChange['why']): string =>
  `Row ${row.toLocaleString()}: ${CHANGE_WORDS[why]}`;

export function costText({ calls, expectedMs, products, kept }: BulkPreflight): string {
  if (products === 0) return kept.count === 0 ? VIEW_TEXTS.noProducts : VIEW_TEXTS.allKept;
  if (calls === 0) return VIEW_TEXTS.noCalls;
  const time = expectedMs === null ? 'time not known yet' : about(expectedMs);
  return `${countText(calls, 'call')} · ${time}`;
}

export function callsLeftText({ googleCallsLeft, planCallsLeft }: BulkPreflight): string {
  const plan = planCallsLeft === null ? '' : ' · none left in the plan';
  return `${countText(googleCallsLeft, 'Google call')} left today${plan}`;
}

/** A run that takes more calls than the day allows is no mistake, but the person should know. */
export function tooManyText({
  calls,
  googleCallsLeft,
  planCallsLeft,
  capCallsLeft,
}: BulkPreflight): string | null {
  if (planCallsLeft === 0 && calls > 0) return VIEW_TEXTS.planUsedUp;
  if (capCallsLeft !== null && calls > capCallsLeft)
    return `The key’s owner allows ${capCallsLeft === 0 ? 'no more calls' : countText(capCallsLeft, 'more call')} today. The rest can continue tomorrow, or with a key of your own.`;
  return calls > googleCallsLeft ? VIEW_TEXTS.tooManyCalls : null;
}

/** "US or CA". */
export const orText = (markets: readonly string[]): string => markets.join(' or ');

/** Follows a number of rows. */
export const repeatsText = (rows: number): string =>
  rows === 1 ? 'repeats a product' : 'repeat a product';

export const repeatsKeptText = (rows: number): string => `${repeatsText(rows)}, left as is`;

export const needsAttentionText = (rows: number): string =>
  rows === 1 ? 'needs attention' : 'need attention';

export const notPlacedText = (rows: number): string =>
  rows === 1
    ? 'row was deleted, or its status was changed'
    : 'rows were deleted, or their status was changed';

export const productsText = (count: number): string => (count === 1 ? 'product' : 'products');

export const callsText = (count: number): string => (count === 1 ? 'call' : 'calls');

/** "412 rows · 301 calls · 2 failed · stopped · by you": an earlier run. */
export function pastRunText({ rows, failed, calls, outcome, isMine }: PastRun): string {
  return [
    countText(rows, 'row'),
    countText(calls, 'call'),
    ...(failed === 0 ? [] : [failedText(failed)]),
    ...(outcome === 'stopped' ? ['stopped'] : []),
    `by ${isMine ? UI_TEXTS.you : UI_TEXTS.someoneElse}`,
  ].join(' · ');
}

export const allRowsText = (rows: number): string => `All ${rows.toLocaleString()}`;

export const selectedRowsText = (rows: number): string => `Selected, ${rows.toLocaleString()}`;

/**
 * A schedule's name within a sentence: "every day at 6:00". Names of weekdays keep their capital.
 */
const inSentence = (name: string) => name.replace(/^Every/, 'every');

export function scheduledText(name: string, isPair: boolean): string {
  const both = isPair ? `, one schedule for ${FIRST} and one for ${SECOND}` : '';
  return `Scheduled: ${inSentence(name)}${both}.`;
}

/** "4 min left · then UK, about 3 min · 60 rows/min". */
export function paceText({ expectedMs, rowsPerMinute }: BulkStatus, pair: Pair | null): string {
  const rate =
    rowsPerMinute === null ? [] : [`${Math.round(rowsPerMinute).toLocaleString()} rows/min`];
  const left = expectedMs === null ? [] : [leftText(expectedMs)];
  const isNext = pair?.secondRun === null;
  const next = isNext && pair.secondMs !== null ? [`then ${SECOND}, ${about(pair.secondMs)}`] : [];
  return [...left, ...next, ...rate].join(' · ');
}

export function startText({ startedAtMs, isMine, sheet }: BulkStatus, nowMs: number): string {
  const who = isMine ? UI_TEXTS.you : UI_TEXTS.someoneElse;
  return `“${sheet.name}” · started ${momentText(startedAtMs, nowMs)} by ${who}`;
}

export const nextCallText = (atMs: number): string => `Next call at ${secondText(atMs)}`;

export const nowText = (rows: readonly [number, number]): string => `Now: ${rowsText(...rows)}`;

/** Follows a number of rows. */
export const keptRowsText = (rows: number): string =>
  rows === 1 ? VIEW_TEXTS.oneKept : VIEW_TEXTS.keptAsWritten;

/** What the run left alone: cells in its rows, and whole rows of the choice; '' if nothing. */
export function keptText({ keptCells, leftOut }: BulkStatus): string {
  const cells = keptCells === 0 ? [] : [countText(keptCells, 'cell')];
  const rows = leftOut === 0 ? [] : [countText(leftOut, 'row')];
  const what = [...rows, ...cells].join(' and ');
  return what === '' ? '' : `${what} ${keptRowsText(keptCells + leftOut)}`;
}

/** The result of the first run, for the other market. */
export function firstRunText({
  answered,
  cached,
  calls,
  failed,
}: Pick<BulkStatus, 'answered' | 'cached' | 'calls' | 'failed'>): string {
  const parts = [answeredText(answered + cached), countText(calls, 'call')];
  const failures = failed === 0 ? [] : [failedText(failed)];
  const retry =
    failed === 0 ? '' : `. To try them again, choose ${FIRST} and ${VIEW_TEXTS.failedBefore}.`;
  return `${FIRST}: ${[...parts, ...failures].join(' · ')}${retry}`;
}

/** Titles, labels, hints and buttons of the views. */
export const VIEW_TEXTS = {
  preview: 'Preview',
  loadingPreview: 'Loading preview',
  chooseFigures: 'Choose figures',
  cleaningUp: 'Cleaning up',
  newRun: 'New run',
  startSecond: `Start ${SECOND}`,
  startingSecond: `Starting ${SECOND}`,
  stopTheRun: 'Stop the run',
  pause: 'Pause',
  pausingNow: 'Pausing',
  continue: 'Continue',
  resuming: 'Resuming…',
  bothMarkets: `${FIRST} and ${SECOND}`,
  edit: 'edit',
  close: 'close',
  days: 'days',
  retry: 'retry',
  answered: 'answered',
  failed: 'failed',
  left: 'left',
  unreadable: 'can’t be read',
  repaired: 'repaired',
  keptAsWritten: 'left as you wrote them',
  oneKept: 'left as you wrote it',
  forEach: 'for each market',
  visible: 'Visible',
  empty: 'Never analyzed',
  failedBefore: 'Failed before',
  older: 'Older than…',
  noKey: 'Connect your key first',
  noKeyLead: 'A run uses your own key. Enter it under Connection, then come back here.',
  unreached: 'The sheet could not be read just now.',
  hide: 'Hide',
  show: 'Show',
  noProducts: 'No products in these rows',
  allKept: 'No row can be filled',
  noCalls: 'No calls needed: all up to date',
  planUsedUp:
    'This key’s plan is used up. Saved figures are written now, the rest once the plan renews.',
  tooManyCalls: 'Google does not allow that many calls in one day. The rest can continue tomorrow.',
  ownColumns: 'Use own columns instead',
  alreadyFresh: 'already fresh',
  newColumn: 'New column',
  newColumns: 'New columns',
  pastRuns: 'Past runs',
  noRuns: 'No runs yet.',
  write: 'Write',
  noFigures: 'No figure is chosen',
  closeFigures: 'Close the list of figures',
  editFigures: 'Edit what is written',
  market: 'Market',
  rows: 'Rows',
  all: 'All',
  selected: 'Selected',
  olderThan: 'Older than',
  cleanUp: 'Clean up this column',
  emptySheet:
    'This sheet is empty. Put ASINs, ISBNs or Amazon links into one column, or go to the sheet that has them. Then look again.',
  newDealSheet: 'New deal sheet',
  noColumn: 'No column of products was found.',
  chooseColumn: 'Choose the column, or go to the sheet that has them and look again.',
  noRows:
    'There are no rows yet. Put ASINs, ISBNs or Amazon links below the title, then look again.',
  products: 'Products',
  stay: 'stay as they are',
  nothingToCleanUp: 'Nothing to clean up',
  sureChanges: 'Cell → ASIN, as text',
  restCleaned: 'cleaned up too',
  unsureChanges: 'Check these first',
  restLeft: 'left as they are',
  openSchedule: 'Open Schedule',
  repeat: 'Repeat',
  connectionLost: 'Trying again by itself. Progress saved.',
  ofSchedule: 'Started by a schedule.',
  ofSomeoneElse: 'Someone else’s run, with their key.',
  pausing: 'Finishing current calls…',
  stopping: 'Finishing current calls… What was written stays.',
  paused: 'Progress saved. You can sort or edit rows meanwhile.',
  heldUp: 'Progress saved. We’ll retry about every hour. Press Continue to try now.',
  stuck: 'Progress saved. What was written stays.',
  limitReached: 'The key’s limit is reached.',
  sharedKey: 'Others may use this key, too.',
  rowsDone: 'Rows done',
  noCallNeeded: 'no call needed',
} as const;
