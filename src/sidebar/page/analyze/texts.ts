// The wording of the Analyze page: jobs, failed products, messages.

import { about } from '../../../failures/duration';
import { sentencesForMany, willPass } from '../../../failures/failure';
import type { RpcFailure } from '../../api/failure-view';
import type {
  Choice,
  JobPreview,
  JobStatus,
  ListColumn,
  ListInView,
  PastJob,
} from '../../api/jobs';
import { type Messages, remedyOf, type Ways } from '../ui/page';
import {
  answeredText,
  countText,
  doneProducts,
  durationText,
  failedText,
  isOver,
  leftText,
  momentText,
  productsText,
  secondText,
  selectedText,
  timeText,
  UI_TEXTS,
} from '../ui/texts';
import { titlesOfFields } from './choice';
import { FIRST, isSecondDue, type Pair, SECOND } from './pair';
import type { AnalyzeState, JobView, ListAct, Notice, PreviewView, Ran } from './state';

type FailedCount = JobStatus['failures'][number];

export interface FailedWords extends FailedCount {
  readonly message: string;
  readonly action?: string;
  /** Whether a retry may help although nothing was corrected first. */
  readonly canRetry: boolean;
}

export const failedWords = ({ kind, products }: FailedCount): FailedWords => ({
  kind,
  products,
  canRetry: willPass({ kind }),
  ...sentencesForMany(kind, products),
});

/** What failed in a job; at its end with the rows that could not be read, as far as known here. */
export function failuresOf(status: JobStatus, ran: Ran | null): readonly FailedCount[] {
  const { jobId, failures } = status;
  const isKnown = isOver(status) && ran?.jobId === jobId && ran.unreadable > 0;
  const isCounted = failures.some(({ kind }) => kind === 'bad-asin');
  return isKnown && !isCounted
    ? [{ kind: 'bad-asin', products: ran.unreadable }, ...failures]
    : failures;
}

export const countOf = (failures: readonly FailedCount[]): number =>
  failures.reduce((sum, { products }) => sum + products, 0);

const STOP_QUESTION = 'Figures found so far stay. The remaining products are not asked for.';

const stopQuestion = (pair: Pair | null): string =>
  pair?.secondJob === null ? `${STOP_QUESTION} ${SECOND} is not started then.` : STOP_QUESTION;

export const retryableProducts = ({ failures }: JobStatus): number =>
  countOf(failures.filter((one) => failedWords(one).canRetry));

/**
 * What is shown of a job. `elsewhere`: another page of the same person works on it. `left`: nobody
 * does.
 */
export type ShownState =
  | 'running'
  | 'pausing'
  | 'stopping'
  | 'elsewhere'
  | 'left'
  | 'paused'
  | 'blocked'
  | 'stopped'
  | 'done';

/** The state to show. A command counts at once, before the server confirms it. */
export function stateOf({ status, isDriven, hasFailed, asked }: JobView): ShownState {
  if (asked === 'pause') return 'pausing';
  if (asked === 'stop') return 'stopping';
  if (status.state !== 'running' || isDriven) return status.state;
  if (hasFailed || !status.isWorkedOn) return 'left';
  return status.isMine && !status.isScheduled ? 'elsewhere' : 'running';
}

/** "187 of 371". */
const sofarText = (status: JobStatus): string =>
  `${doneProducts(status).toLocaleString()} of ${status.products.toLocaleString()}`;

export function jobTitle(view: JobView): string {
  const { status } = view;
  switch (stateOf(view)) {
    case 'running':
    case 'elsewhere':
    case 'pausing':
    case 'stopping':
      return sofarText(status);
    case 'paused':
      return `Paused at ${sofarText(status)}`;
    case 'left':
      return `Run paused at ${sofarText(status)}`;
    case 'blocked':
      return `Held up at ${sofarText(status)}`;
    case 'stopped':
      return `Stopped at ${sofarText(status)}`;
    case 'done':
      return `Done in ${durationText(status.workedMs)}`;
  }
}

/** One sentence for people who do not see the progress bar. */
function progressOf(view: JobView): string {
  const { status } = view;
  const failed = status.failed === 0 ? '' : `, ${failedText(status.failed)}`;
  return stateOf(view) === 'running' ? `${jobTitle(view)} products done${failed}.` : '';
}

function spokenOfJob(view: JobView, ran: Ran | null): string {
  const { status } = view;
  const asked: Readonly<Partial<Record<string, string>>> = {
    pause: 'Pausing.',
    stop: 'Stopping.',
    continue: 'Resuming.',
    retry: 'Starting again with the products that failed.',
  };
  if (view.asked !== null) return asked[view.asked] ?? '';
  const state = stateOf(view);
  if (state === 'done') {
    const count = countOf(failuresOf(status, ran));
    const needs = count === 0 ? '' : ` ${count.toLocaleString()} ${needsAttentionText(count)}.`;
    return `Done. ${countText(status.answered + status.cached, 'product')} answered.${needs}`;
  }
  return state === 'running' ? '' : `${jobTitle(view)} products.`;
}

function spokenOfPreview({ preview, isStarting }: PreviewView): string {
  if (isStarting) return 'Starting the run.';
  const { calls, rows } = preview;
  return `Preview: ${countText(rows, 'row')}, ${countText(calls, 'call')}.`;
}

function announcementOf({ view, ran }: AnalyzeState): string {
  if (view.at === 'job') return spokenOfJob(view, ran);
  if (view.at === 'preview') return spokenOfPreview(view);
  return view.at === 'choosing' && view.isChecking ? 'Loading the preview.' : '';
}

function failureOf({ view, past, pair }: AnalyzeState): RpcFailure | null {
  switch (view.at) {
    case 'loading':
      return null;
    case 'unreached':
      return view.failure;
    case 'job':
      if (view.failure !== null) return view.failure;
      if (isSecondDue(pair, view.status)) return pair.failure;
      return stateOf(view) === 'blocked' ? (view.status.problem ?? null) : null;
    case 'preview':
      return view.failure ?? view.preview.problem ?? view.second?.preview.problem ?? null;
    case 'choosing':
      return view.failure ?? (past.at === 'failed' ? past.failure : null);
  }
}

export function messagesOf(state: AnalyzeState, ways: Ways): Messages {
  const { view, notice } = state;
  const failure = failureOf(state) ?? (notice?.kind === 'set-aside' ? SET_ASIDE : null);
  const isJob = view.at === 'job';
  return {
    failure,
    // A problem that stops a job has to be solved in the sheet, and a choice has its own way to
    // look again. After that the failed command no longer applies.
    remedy:
      failure?.kind === 'run' && (view.at === 'choosing' || (isJob && view.failure === null))
        ? undefined
        : failure === null
          ? undefined
          : remedyOf(failure, ways),
    notice: failure === null ? noticeText(notice) : null,
    question: isJob && view.isStopAsked ? stopQuestion(state.pair) : null,
    spoken: announcementOf(state),
    progress: isJob ? progressOf(view) : '',
  };
}

/** The second job cannot find its list. */
export const LIST_MOVED: RpcFailure = {
  kind: 'page-list-moved',
  message: 'The list is not where it was.',
  action: 'Press New run and choose its column again.',
};

/** A job cannot be repeated from another sheet. */
export const listElsewhere = ({ sheet }: JobStatus): RpcFailure => ({
  kind: 'page-list-moved',
  message: `The list is in “${sheet.name}”.`,
  action: 'Go to that sheet and try again.',
});

const SET_ASIDE: RpcFailure = {
  kind: 'page-set-aside',
  message: 'Some saved details of earlier runs were damaged and are set aside.',
  action: 'Your sheet is unchanged. If a run was under way, start it again.',
};

/** For a job that nobody works on at present. */
function leftLead({ hasFailed, status }: JobView): string {
  if (hasFailed) return VIEW_TEXTS.saved;
  const who = status.isMine ? '' : ' with your key';
  return `Progress saved. It resumes by itself within the hour. Press Continue to resume now${who}.`;
}

/** The line under the progress bar; null if there is nothing special to say. */
export function leadOf(view: JobView): string | null {
  const { status } = view;
  if (view.isLost) return VIEW_TEXTS.connectionLost;
  switch (stateOf(view)) {
    case 'running':
      if (status.isScheduled) return VIEW_TEXTS.ofSchedule;
      return status.isMine || view.isDriven ? null : VIEW_TEXTS.ofSomeoneElse;
    case 'elsewhere':
      return VIEW_TEXTS.elsewhere;
    case 'pausing':
      return VIEW_TEXTS.pausing;
    case 'stopping':
      return VIEW_TEXTS.stopping;
    case 'paused':
      return VIEW_TEXTS.paused;
    case 'left':
      return leftLead(view);
    case 'blocked':
      return blockedText(status);
    default:
      return null;
  }
}

const blockedText = ({ resumesAtMs }: JobStatus): string =>
  resumesAtMs === undefined
    ? VIEW_TEXTS.saved
    : `Progress saved. We’ll retry at ${timeText(resumesAtMs)}. Press Continue to try now.`;

export const BOTH_LEAD = `${FIRST} first, then ${SECOND}, each in columns of its own. ${SECOND} starts by itself while the sidebar is open, or once it is opened again.`;

/** @param column the column's name. */
export const nearestText = (column: string, products: number, sampled: number): string =>
  `The nearest is ${column}: ${products.toLocaleString()} of ${sampled.toLocaleString()} cells read as products.`;

/** `B “ASIN”`, or `column B` for a column without a header. */
export const columnName = ({ letter, title }: ListColumn): string =>
  title === '' ? `column ${letter}` : `${letter} “${title}”`;

/** Where one figure is shown. */
export const figurePlaceText = (
  { column }: ListInView['fields'][number],
  isBoth: boolean,
): string => {
  if (isBoth) return VIEW_TEXTS.forEach;
  return column === null ? 'new column' : `column ${column.letter}`;
};

/** "Profit, ROI, +3": the figures that are shown beside the list. */
export function fieldsText(look: ListInView, choice: Choice): string {
  const titles = titlesOfFields(look, choice);
  const more = titles.length - 2;
  return more <= 1 ? titles.join(', ') : `${titles.slice(0, 2).join(', ')}, +${more}`;
}

/** "US, then UK"; '' for a single job. */
export function pairText(pair: Pair | null, status: JobStatus): string {
  if (pair === null) return '';
  if (pair.secondJob === null) return `${FIRST}, then ${SECOND}`;
  return isOver(status) ? `${FIRST} and ${SECOND}` : `${FIRST} is done, now ${SECOND}`;
}

/** What was done with the columns of the list. */
function listChangedText(act: ListAct, rows: number, kept: number): string {
  const left =
    kept === 0
      ? ''
      : ` ${countText(kept, 'cell')} with something of your own ${kept === 1 ? 'stays' : 'stay'}.`;
  switch (act) {
    case 'fillIn':
      return rows === 0
        ? `Nothing to fill in.${left}`
        : `${countText(rows, 'row')} filled in.${left}`;
    case 'keepAsValues':
      return `Figures in ${countText(rows, 'row')} are values now. They no longer follow the Analysis tab.`;
    case 'makeLive':
      return `Figures in ${countText(rows, 'row')} are live again.${left}`;
    case 'addCleanAsins':
      return `A column with the clean ASINs of ${countText(rows, 'row')} was added.`;
  }
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
    case 'list-changed':
      return listChangedText(notice.act, notice.rows, notice.kept);
  }
}

/** "Start 301 calls". */
export const startLabel = (calls: number): string =>
  calls === 0 ? 'Write saved figures' : `Start ${countText(calls, 'call')}`;

export const retryLabel = (products: number): string => `Retry ${products.toLocaleString()}`;

/** The full label for screen readers, which read the link alone. */
export const retryAllLabel = (products: number, message: string): string =>
  `Retry: ${products.toLocaleString()}. ${message}`;

export const fillInLabel = (rows: number): string => `Fill in ${countText(rows, 'new row')}`;

export const rowLabel = (row: number): string => `Go to row ${row}`;

/** "Show: 12 can’t be read": the full label for screen readers, which read the link alone. */
export const foldLabel = (isOpen: boolean, count: number, words: string): string =>
  `${isOpen ? VIEW_TEXTS.hide : VIEW_TEXTS.show}: ${count.toLocaleString()} ${words}`;

/** The rest of a list. */
export const moreText = (count: number): string => `and ${count.toLocaleString()} more`;

export const inSheetText = (sheet: string): string => `in “${sheet}”`;

const barcodes = (count: number): string =>
  count === 1 ? '1 is a barcode' : `${count.toLocaleString()} are barcodes`;

const theirAsins = (count: number): string => (count === 1 ? 'its ASIN' : 'their ASINs');

/** What to do with codes that stand for a product without naming it: before a job, and after it. */
export const barcodesText = (count: number): string =>
  `${barcodes(count)}. Once the run has listed ${count === 1 ? 'it' : 'them'}, type ${theirAsins(count)} in the tab “Analysis”.`;

export const endBarcodesText = (count: number): string =>
  `${barcodes(count)}: type ${theirAsins(count)} in the tab “Analysis”.`;

export function costText({ calls, expectedMs, products }: JobPreview): string {
  if (products === 0) return VIEW_TEXTS.noProducts;
  if (calls === 0) return VIEW_TEXTS.noCalls;
  const time = expectedMs === null ? 'time not known yet' : about(expectedMs);
  return `${countText(calls, 'call')} · ${time}`;
}

/** null: nothing is known that limits the calls. */
export function callsLeftText({ googleCallsLeft, planCallsLeft }: JobPreview): string | null {
  if (planCallsLeft !== null) return 'None left in the plan';
  return googleCallsLeft === null ? null : 'No Google calls left today';
}

/** A job that takes more calls than the day allows is no mistake, but the person should know. */
export function tooManyText({
  calls,
  googleCallsLeft,
  planCallsLeft,
  capCallsLeft,
}: JobPreview): string | null {
  if (planCallsLeft === 0 && calls > 0) return VIEW_TEXTS.planUsedUp;
  if (capCallsLeft !== null && calls > capCallsLeft)
    return `The key’s owner allows ${capCallsLeft === 0 ? 'no more calls' : countText(capCallsLeft, 'more call')} today. The rest can continue tomorrow, or with a key of your own.`;
  return googleCallsLeft !== null && calls > 0 ? VIEW_TEXTS.tooManyCalls : null;
}

/** Follows a number of rows. */
export const repeatsText = (rows: number): string =>
  rows === 1 ? 'repeats a product' : 'repeat a product';

export const needsAttentionText = (count: number): string =>
  count === 1 ? 'needs attention' : 'need attention';

export const callsText = (count: number): string => (count === 1 ? 'call' : 'calls');

/** "371 products · 301 calls · 2 failed · stopped · by you": an earlier run. */
export function pastJobText({ products, failed, calls, state, isMine }: PastJob): string {
  return [
    `${products.toLocaleString()} ${productsText(products)}`,
    countText(calls, 'call'),
    ...(failed === 0 ? [] : [failedText(failed)]),
    ...(state === 'stopped' ? ['stopped'] : []),
    `by ${isMine ? UI_TEXTS.you : UI_TEXTS.someoneElse}`,
  ].join(' · ');
}

export const allRowsText = (rows: number): string => `All ${rows.toLocaleString()}`;

export const selectedRowsText = (rows: number): string => `Selected, ${rows.toLocaleString()}`;

/**
 * A schedule's name within a sentence: "every day at 6:00". Names of weekdays keep their capital.
 */
const inSentence = (name: string) => name.replace(/^Every/, 'every');

export const scheduledText = (name: string): string => `Scheduled: ${inSentence(name)}.`;

/** "4 min left · then UK, about 3 min"; '' while nothing is known. */
export function paceText({ expectedMs }: JobStatus, pair: Pair | null): string {
  const left = expectedMs === null ? [] : [leftText(expectedMs)];
  const isNext = pair?.secondJob === null;
  const next = isNext && pair.secondMs !== null ? [`then ${SECOND}, ${about(pair.secondMs)}`] : [];
  return [...left, ...next].join(' · ');
}

export function startText({ startedAtMs, isMine, sheet }: JobStatus, nowMs: number): string {
  const who = isMine ? UI_TEXTS.you : UI_TEXTS.someoneElse;
  return `“${sheet.name}” · started ${momentText(startedAtMs, nowMs)} by ${who}`;
}

export const nextCallText = (atMs: number): string => `Next call at ${secondText(atMs)}`;

/** The result of the first job, for the other market. */
export function firstJobText({
  answered,
  cached,
  calls,
  failed,
}: Pick<JobStatus, 'answered' | 'cached' | 'calls' | 'failed'>): string {
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
  newRun: 'New run',
  startSecond: `Start ${SECOND}`,
  startingSecond: `Starting ${SECOND}`,
  stopTheRun: 'Stop the run',
  pause: 'Pause',
  pausingNow: 'Pausing',
  continue: 'Continue',
  continueHere: 'Continue here',
  resuming: 'Resuming…',
  bothMarkets: `${FIRST} and ${SECOND}`,
  edit: 'edit',
  close: 'close',
  days: 'days',
  retry: 'retry',
  answered: 'answered',
  failed: 'failed',
  unreadable: 'can’t be read',
  repaired: 'repaired',
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
  noCalls: 'No calls needed: all up to date',
  planUsedUp:
    'This key’s plan is used up. Saved figures are written now, the rest once the plan renews.',
  tooManyCalls: 'Google allows no more calls today. The job can continue tomorrow.',
  alreadyFresh: 'already fresh',
  newColumn: 'New column',
  newColumns: 'New columns',
  pastRuns: 'Past runs',
  noRuns: 'No runs yet.',
  figures: 'Figures',
  noFigures: 'No figure is chosen',
  closeFigures: 'Close the list of figures',
  editFigures: 'Edit which figures are shown',
  market: 'Market',
  rows: 'Rows',
  all: 'All',
  selected: 'Selected',
  olderThan: 'Older than',
  emptySheet:
    'This sheet is empty. Put ASINs, ISBNs or Amazon links into one column, or go to the sheet that has them. Then look again.',
  newDealSheet: 'New deal sheet',
  noColumn: 'No column of products was found.',
  chooseColumn: 'Choose the column, or go to the sheet that has them and look again.',
  noRows:
    'There are no rows yet. Put ASINs, ISBNs or Amazon links below the title, then look again.',
  products: 'Products',
  thisList: 'More for this list',
  valuesLead: 'The figures of this list are kept as values.',
  keepAsValues: 'Keep as values',
  keepAsValuesHint: 'To share the list: formulas become plain figures.',
  makeLive: 'Make them live again',
  addCleanAsins: 'Insert a column of clean ASINs',
  addCleanAsinsHint: 'Your own cells stay as they are.',
  working: 'Working…',
  openSchedule: 'Open Schedule',
  repeat: 'Repeat',
  connectionLost: 'Trying again by itself. Progress saved.',
  ofSchedule: 'Started by a schedule.',
  ofSomeoneElse: 'Someone else’s run, with their key.',
  elsewhere: 'Another window of yours is working on it.',
  pausing: 'Finishing current calls…',
  stopping: 'Finishing current calls… Figures found so far stay.',
  paused: 'Progress saved. You can sort or edit rows meanwhile.',
  saved: 'Progress saved. Figures found so far stay.',
  limitReached: 'The key’s limit is reached.',
  sharedKey: 'Others may use this key, too.',
  productsDone: 'Products done',
  noCallNeeded: 'no call needed',
} as const;
