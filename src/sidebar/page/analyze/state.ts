// The state of the Analyze page, its events and its reducer.

import type { RpcFailure } from '../../api/failure-view';
import type { Choice, JobPreview, JobStatus, ListInView, PastJob } from '../../api/jobs';
import type { FocusRequest } from '../ui/hooks';
import { goesOnHere, type JobEvent } from '../ui/job-loop';
import { isObject } from '../ui/page';
import { isOver, type Selected } from '../ui/texts';
import { choiceFor, choiceFrom } from './choice';
import {
  FIRST,
  forBoth,
  isSecondDue,
  outcomeOf,
  type Pair,
  pairBeside,
  type SecondJob,
} from './pair';

/** Names of what the page keeps while the sidebar is closed. */
export const CHOICE_DRAFT = 'analyze-choice';
export const SEEN_JOB = 'analyze-job';
export const RAN_DRAFT = 'analyze-ran';
export const BOTH_DRAFT = 'analyze-both';
export const PAIR_DRAFT = 'analyze-pair';

/** A person's command for an existing job. */
export type Act = 'pause' | 'continue' | 'stop' | 'retry';

/** A job as it is shown. */
export interface JobView {
  readonly at: 'job';
  readonly status: JobStatus;
  /** The command that was sent and is not yet answered. */
  readonly asked: Act | null;
  /** Whether the person has to confirm stopping. */
  readonly isStopAsked: boolean;
  /** Whether this page works on the job. */
  readonly isDriven: boolean;
  /** Whether this page had to give up, because a call failed in a way that lasts. */
  readonly hasFailed: boolean;
  /** Whether Google cannot be reached at present. The page tries again by itself. */
  readonly isLost: boolean;
  /** When the key allows the next call; null: at once. */
  readonly nextCallAtMs: number | null;
  /** A schedule that is being made from the job, or its name once it was made. */
  readonly repeated: 'asked' | { readonly name: string } | null;
  readonly failure: RpcFailure | null;
}

/** What this page knows of a job that it has started, besides its status. */
export interface Ran {
  readonly jobId: string;
  readonly choice: Choice;
  /** Rows that could not be read, and how many different barcodes were among those shown. */
  readonly unreadable: number;
  readonly barcodes: number;
}

export function ranFrom(kept: unknown): Ran | null {
  if (!isObject(kept)) return null;
  const choice = choiceFrom(Reflect.get(kept, 'choice'));
  const [jobId, unreadable, barcodes] = ['jobId', 'unreadable', 'barcodes'].map((name): unknown =>
    Reflect.get(kept, name),
  );
  if (typeof jobId !== 'string' || choice === null) return null;
  if (typeof unreadable !== 'number' || typeof barcodes !== 'number') return null;
  return { jobId, choice, unreadable, barcodes };
}

/** What a person can do with the list's columns. */
export type ListAct = 'fillIn' | 'keepAsValues' | 'makeLive' | 'addCleanAsins';

export interface ChoosingView {
  readonly at: 'choosing';
  readonly look: ListInView;
  /** null: no product column was found or chosen yet. */
  readonly choice: Choice | null;
  readonly areFieldsOpen: boolean;
  readonly isChecking: boolean;
  /** What is being done with the list's columns. */
  readonly asked: ListAct | null;
  readonly failure: RpcFailure | null;
}

export interface PreviewView {
  readonly at: 'preview';
  readonly look: ListInView;
  readonly choice: Choice;
  readonly preview: JobPreview;
  /** The job for the other market that follows this one; null: there is none. */
  readonly second: SecondJob | null;
  readonly isStarting: boolean;
  readonly failure: RpcFailure | null;
}

/** The part of the Analyze page that is shown. */
export type View =
  | { readonly at: 'loading' }
  | { readonly at: 'unreached'; readonly failure: RpcFailure }
  | ChoosingView
  | PreviewView
  | JobView;

/** Lists that unfold from their number. */
export type ListName = 'unreadable' | 'repaired' | 'duplicates';

export type PastJobs =
  | { readonly at: 'folded' }
  | { readonly at: 'asked' }
  | { readonly at: 'known'; readonly jobs: readonly PastJob[] }
  | { readonly at: 'failed'; readonly failure: RpcFailure };

/** Good news to show once. */
export type Notice =
  | { readonly kind: 'set-aside' }
  | { readonly kind: 'other-sheet'; readonly sheet: string }
  | ({ readonly kind: 'selected' } & Selected)
  | { readonly kind: 'second-not-started' }
  /** @property rows those that were filled in, or that hold values or clean ASINs now
   *  @property kept cells with something of a person's own */
  | {
      readonly kind: 'list-changed';
      readonly act: ListAct;
      readonly rows: number;
      readonly kept: number;
    };

export interface AnalyzeState {
  readonly view: View;
  /** A choice that the person made and has not started a job with. */
  readonly draft: Choice | null;
  /** The job whose end the person has yet to see, even after the sidebar was closed. */
  readonly seenJob: string | null;
  readonly ran: Ran | null;
  /** The sheet whose list is for both markets; null: none. */
  readonly both: number | null;
  /** Two consecutive jobs; kept while the sidebar is closed. */
  readonly pair: Pair | null;
  readonly openList: ListName | null;
  readonly past: PastJobs;
  readonly notice: Notice | null;
  readonly focus: FocusRequest | null;
}

export type AnalyzeEvent =
  | JobEvent
  | { readonly type: 'lookAsked' }
  | { readonly type: 'lookArrived'; readonly look: ListInView }
  | { readonly type: 'lookFailed'; readonly failure: RpcFailure }
  /** A job ended while the page was closed. */
  | { readonly type: 'jobFound'; readonly status: JobStatus }
  | { readonly type: 'chosen'; readonly choice: Choice; readonly isForBoth?: boolean }
  | { readonly type: 'fieldsToggled' }
  | { readonly type: 'listActAsked'; readonly act: ListAct }
  | {
      readonly type: 'listActDone';
      readonly act: ListAct;
      readonly rows: number;
      readonly kept: number;
    }
  | { readonly type: 'listActFailed'; readonly failure: RpcFailure }
  | { readonly type: 'previewAsked'; readonly choice: Choice }
  | {
      readonly type: 'previewArrived';
      readonly choice: Choice;
      readonly preview: JobPreview;
      /** For two jobs: the second one. */
      readonly second?: SecondJob;
    }
  | { readonly type: 'previewFailed'; readonly failure: RpcFailure }
  | { readonly type: 'startAsked' }
  | { readonly type: 'started'; readonly status: JobStatus; readonly barcodes: number }
  | { readonly type: 'startFailed'; readonly failure: RpcFailure }
  | { readonly type: 'secondAsked' }
  | { readonly type: 'secondStarted'; readonly status: JobStatus }
  | { readonly type: 'secondFailed'; readonly failure: RpcFailure }
  | { readonly type: 'actAsked'; readonly act: Act }
  | { readonly type: 'actDone'; readonly status: JobStatus }
  | { readonly type: 'actFailed'; readonly failure: RpcFailure }
  | { readonly type: 'stopAsked' }
  | { readonly type: 'repeatAsked' }
  | { readonly type: 'repeatDone'; readonly name: string }
  | { readonly type: 'repeatFailed'; readonly failure: RpcFailure }
  /** The person leaves the preview, an unfolded part, or the question. */
  | { readonly type: 'left' }
  | { readonly type: 'listToggled'; readonly list: ListName }
  | { readonly type: 'rowsShown'; readonly wanted: number; readonly shown: number }
  | { readonly type: 'showFailed'; readonly failure: RpcFailure }
  | { readonly type: 'pastToggled' }
  | { readonly type: 'pastArrived'; readonly jobs: readonly PastJob[] }
  | { readonly type: 'pastFailed'; readonly failure: RpcFailure };

/** What was kept when the sidebar was last closed. */
export type Kept = Pick<AnalyzeState, 'draft' | 'seenJob' | 'ran' | 'both' | 'pair'>;

export const firstState = (kept: Kept): AnalyzeState => ({
  ...kept,
  view: { at: 'loading' },
  openList: null,
  past: { at: 'folded' },
  notice: null,
  focus: null,
});

/**
 * Whether the page goes on with a job that it finds: one that nobody works on, or one that it worked
 * on before it was closed.
 */
export const isOursToContinue = (
  status: JobStatus,
  seenJob: string | null,
  nowMs: number,
): boolean =>
  goesOnHere({ ...status, isWorkedOn: status.isWorkedOn && status.jobId !== seenJob }, nowMs);

function jobView(status: JobStatus, isDriven: boolean): JobView {
  return {
    at: 'job',
    status,
    asked: null,
    isStopAsked: false,
    isDriven: isDriven && !isOver(status),
    hasFailed: false,
    isLost: false,
    nextCallAtMs: null,
    repeated: null,
    failure: null,
  };
}

type JobViewEvent = Extract<
  AnalyzeEvent,
  { type: JobEvent['type'] | 'stopAsked' | `act${string}` | `repeat${string}` }
>;

/** Once a job is over, no command is left to confirm. */
function withStatus(view: JobView, status: JobStatus): JobView {
  const isStopAsked = view.isStopAsked && !isOver(status);
  return { ...view, status, isStopAsked, isLost: false };
}

function afterAct(state: AnalyzeState, view: JobView, status: JobStatus): AnalyzeState {
  if (status.jobId === view.status.jobId) {
    const isDriven = view.asked === 'continue' || (view.isDriven && status.state === 'running');
    const hasFailed = view.hasFailed && view.asked !== 'continue';
    const seenJob = isDriven ? status.jobId : state.seenJob;
    const next = { ...withStatus(view, status), asked: null, isDriven, hasFailed };
    return { ...state, view: next, seenJob };
  }
  // A retry is a job of its own, with the same choice.
  return {
    ...state,
    view: jobView(status, true),
    seenJob: status.jobId,
    ran: state.ran && { ...state.ran, jobId: status.jobId, unreadable: 0, barcodes: 0 },
    openList: null,
    focus: { to: TITLE },
  };
}

/** The status of another job: one that was started elsewhere after this one ended. */
function afterAnother(state: AnalyzeState, view: JobView, status: JobStatus): AnalyzeState {
  if (isOver(view.status) || status.startedAtMs <= view.status.startedAtMs) return state;
  return { ...state, view: jobView(status, false), openList: null };
}

function stepJob(state: AnalyzeState, event: JobViewEvent): AnalyzeState {
  const { view } = state;
  if (view.at !== 'job') return state;
  switch (event.type) {
    case 'statusArrived':
      if (event.status.jobId !== view.status.jobId) return afterAnother(state, view, event.status);
      return { ...state, view: withStatus(view, event.status) };
    case 'workBegun':
      if (event.status.jobId !== view.status.jobId) return state;
      return { ...state, view: jobView(event.status, true), seenJob: event.status.jobId };
    case 'linkLost':
      return { ...state, view: { ...view, isLost: true } };
    case 'nextCallKnown':
      return { ...state, view: { ...view, nextCallAtMs: event.atMs } };
    case 'workFailed':
      return { ...state, view: { ...view, hasFailed: true, failure: event.failure } };
    case 'workEnded':
      if (event.jobId !== view.status.jobId) return state;
      return { ...state, view: { ...view, isDriven: false } };
    case 'stopAsked':
      if (isOver(view.status) || view.asked !== null) return state;
      return { ...state, view: { ...view, isStopAsked: true }, focus: { to: 'analyze-keep' } };
    case 'actAsked':
      return {
        ...state,
        view: { ...view, asked: event.act, isStopAsked: false, failure: null },
        notice: null,
      };
    case 'actDone':
      return view.asked === null ? state : afterAct(state, view, event.status);
    case 'actFailed':
      return { ...state, view: { ...view, asked: null, failure: event.failure } };
    case 'repeatAsked':
      return { ...state, view: { ...view, repeated: 'asked', failure: null } };
    case 'repeatDone':
      return { ...state, view: { ...view, repeated: { name: event.name } } };
    case 'repeatFailed':
      return { ...state, view: { ...view, repeated: null, failure: event.failure } };
  }
}

const TITLE = 'analyze-title';
export const EDIT_FIELDS = 'analyze-edit-fields';

function choosing(look: ListInView, choice: ChoosingView['choice']): ChoosingView {
  return {
    at: 'choosing',
    look,
    choice,
    areFieldsOpen: false,
    isChecking: false,
    asked: null,
    failure: null,
  };
}

const OF_ONE_SHEET: readonly Notice['kind'][] = ['other-sheet', 'selected', 'list-changed'];

/** What remains to be said once another sheet is in view. */
const noticeElsewhere = (notice: Notice | null): Notice | null =>
  notice === null || OF_ONE_SHEET.includes(notice.kind) ? null : notice;

/** An automatic inspection must not undo what the person is doing. */
function afterLook(state: AnalyzeState, look: ListInView): AnalyzeState {
  const { view, draft } = state;
  const chosenFor = (sheet: ListInView) => {
    const found = choiceFor(sheet, draft);
    const isBoth = state.both === sheet.sheet.id && found?.market.kind === 'one';
    return isBoth ? forBoth(found) : found;
  };
  if (look.job !== null && (view.at === 'loading' || view.at === 'choosing'))
    return { ...state, view: jobView(look.job, false), openList: null };
  if (view.at === 'loading') return { ...state, view: choosing(look, chosenFor(look)) };
  if (view.at !== 'choosing' || view.isChecking) return state;
  const choice = chosenFor(look);
  if (view.look.sheet.id === look.sheet.id) return { ...state, view: { ...view, look, choice } };
  // The person pressed Preview for the sheet that was active and has not seen the newly active one
  // yet.
  const notice =
    view.failure === null
      ? noticeElsewhere(state.notice)
      : ({ kind: 'other-sheet', sheet: look.sheet.name } as const);
  return { ...state, view: choosing(look, choice), notice };
}

function afterLeaving(state: AnalyzeState): AnalyzeState {
  const { view } = state;
  if (view.at === 'choosing' && view.areFieldsOpen)
    return { ...state, view: { ...view, areFieldsOpen: false }, focus: { to: EDIT_FIELDS } };
  if (view.at === 'preview' && !view.isStarting) {
    const { look, choice } = view;
    return { ...state, view: choosing(look, choice), openList: null, focus: { to: TITLE } };
  }
  if (view.at === 'job' && view.isStopAsked)
    return { ...state, view: { ...view, isStopAsked: false }, focus: { to: 'analyze-stop' } };
  return state;
}

/** Whether both markets are chosen: the choice of a list for both always names the first market. */
export const isBothChosen = (
  { both }: Pick<AnalyzeState, 'both'>,
  { sheetId, market }: Choice,
): boolean => both === sheetId && market.kind === 'one' && market.market === FIRST;

type ChoosingEvent = Extract<
  AnalyzeEvent,
  {
    type:
      | 'chosen'
      | 'fieldsToggled'
      | `listAct${string}`
      | `preview${string}`
      | `start${'Asked' | 'Failed'}`;
  }
>;

const withFailure = <V extends { readonly failure: RpcFailure | null }>(
  view: V,
  failure: RpcFailure,
): V => ({ ...view, failure });

function stepPreview(state: AnalyzeState, view: PreviewView, event: ChoosingEvent): AnalyzeState {
  switch (event.type) {
    case 'startAsked':
      return { ...state, view: { ...view, isStarting: true, failure: null }, notice: null };
    case 'startFailed':
      return { ...state, view: withFailure({ ...view, isStarting: false }, event.failure) };
    default:
      return state;
  }
}

function stepChoosing(state: AnalyzeState, event: ChoosingEvent): AnalyzeState {
  const { view } = state;
  if (view.at === 'preview') return stepPreview(state, view, event);
  if (view.at !== 'choosing') return state;
  switch (event.type) {
    case 'chosen': {
      const { choice, isForBoth = isBothChosen(state, choice) } = event;
      const both = isForBoth ? choice.sheetId : null;
      const chosen = { ...view, choice, isChecking: false, failure: null };
      return { ...state, view: chosen, draft: choice, both, notice: null };
    }
    case 'fieldsToggled':
      return { ...state, view: { ...view, areFieldsOpen: !view.areFieldsOpen } };
    case 'listActAsked':
      return { ...state, view: { ...view, asked: event.act, failure: null }, notice: null };
    case 'listActDone': {
      const { act, rows, kept } = event;
      const notice = { kind: 'list-changed', act, rows, kept } as const;
      return { ...state, view: { ...view, asked: null }, notice };
    }
    case 'listActFailed':
      return { ...state, view: withFailure({ ...view, asked: null }, event.failure) };
    case 'previewAsked':
      return { ...state, view: { ...view, isChecking: true, failure: null }, notice: null };
    case 'previewArrived': {
      // A preview of a different choice than the present one would be wrong.
      const { choice, preview, second = null } = event;
      if (!view.isChecking || choice !== view.choice) return state;
      const { look } = view;
      return {
        ...state,
        view: { at: 'preview', look, choice, preview, second, isStarting: false, failure: null },
        focus: { to: TITLE },
      };
    }
    case 'previewFailed':
      return { ...state, view: withFailure({ ...view, isChecking: false }, event.failure) };
    default:
      return state;
  }
}

/** A failure to select rows belongs to whatever is shown. */
function afterShowFailed(state: AnalyzeState, failure: RpcFailure): AnalyzeState {
  const { view } = state;
  if (view.at === 'loading' || view.at === 'unreached') return state;
  return { ...state, view: withFailure(view, failure), notice: null };
}

function stepAside(state: AnalyzeState, event: AnalyzeEvent): AnalyzeState {
  switch (event.type) {
    case 'listToggled':
      return { ...state, openList: state.openList === event.list ? null : event.list };
    case 'rowsShown':
      return { ...state, notice: { kind: 'selected', wanted: event.wanted, shown: event.shown } };
    case 'showFailed':
      return afterShowFailed(state, event.failure);
    case 'pastToggled':
      return { ...state, past: { at: state.past.at === 'folded' ? 'asked' : 'folded' } };
    case 'pastArrived':
      if (state.past.at === 'folded') return state;
      return { ...state, past: { at: 'known', jobs: event.jobs } };
    case 'pastFailed':
      if (state.past.at !== 'asked') return state;
      return { ...state, past: { at: 'failed', failure: event.failure } };
    default:
      return state;
  }
}

type SecondEvent = Extract<AnalyzeEvent, { type: `second${string}` }>;

function stepSecond(state: AnalyzeState, event: SecondEvent): AnalyzeState {
  const { view, pair } = state;
  if (view.at !== 'job' || !isSecondDue(pair, view.status)) return state;
  switch (event.type) {
    case 'secondAsked':
      return { ...state, pair: { ...pair, failure: null }, notice: null };
    case 'secondFailed':
      return { ...state, pair: { ...pair, failure: event.failure } };
    case 'secondStarted': {
      const { jobId } = event.status;
      const first = { ...pair.first, outcome: outcomeOf(view.status) };
      const { unreadable = 0, barcodes = 0 } = state.ran ?? {};
      return {
        ...state,
        view: jobView(event.status, true),
        seenJob: jobId,
        ran: { jobId, choice: pair.second, unreadable, barcodes },
        pair: { ...pair, secondJob: jobId, first },
        openList: null,
        focus: { to: TITLE },
      };
    }
  }
}

const NOT_STARTED: Notice = { kind: 'second-not-started' };

/** A pair ends when a job outside it is shown, or when the person goes on to something else. */
function withoutEndedPair(state: AnalyzeState): AnalyzeState {
  const { view, pair } = state;
  if (pair === null || view.at === 'loading' || view.at === 'unreached') return state;
  if (view.at === 'job') return { ...state, pair: pairBeside(pair, view.status) };
  const isLeft = pair.secondJob === null;
  return { ...state, pair: null, notice: isLeft ? NOT_STARTED : state.notice };
}

export const step = (state: AnalyzeState, event: AnalyzeEvent): AnalyzeState =>
  withoutEndedPair(stepped(state, event));

function pairAfter({ choice, second }: PreviewView, jobId: string): Pair | null {
  if (second === null) return null;
  return {
    firstJob: jobId,
    secondJob: null,
    failure: null,
    second: second.choice,
    secondMs: second.preview.expectedMs,
    first: { choice, outcome: null },
  };
}

function afterStart(
  state: AnalyzeState,
  view: PreviewView,
  status: JobStatus,
  barcodes: number,
): AnalyzeState {
  const { jobId } = status;
  const unreadable = view.preview.unreadable.count;
  return {
    ...state,
    view: jobView(status, true),
    draft: null,
    seenJob: jobId,
    ran: { jobId, choice: view.choice, unreadable, barcodes },
    pair: pairAfter(view, jobId),
    openList: null,
    focus: { to: TITLE },
  };
}

function stepped(state: AnalyzeState, event: AnalyzeEvent): AnalyzeState {
  const { view } = state;
  switch (event.type) {
    case 'workBegun':
    case 'statusArrived':
    case 'linkLost':
    case 'nextCallKnown':
    case 'workFailed':
    case 'workEnded':
    case 'actAsked':
    case 'actDone':
    case 'actFailed':
    case 'stopAsked':
    case 'repeatAsked':
    case 'repeatDone':
    case 'repeatFailed':
      return stepJob(state, event);
    case 'lookAsked': {
      // A person who goes on to a new job has seen the end of the last one.
      const hasSeen = view.at === 'job' && isOver(view.status);
      const fresh = { openList: null, notice: null, past: { at: 'folded' } } as const;
      const seenJob = hasSeen ? null : state.seenJob;
      return { ...state, ...fresh, seenJob, view: { at: 'loading' } };
    }
    case 'lookArrived': {
      const after = afterLook(state, event.look);
      return event.look.isSetAside ? { ...after, notice: { kind: 'set-aside' } } : after;
    }
    case 'lookFailed':
      if (view.at !== 'loading') return state;
      return { ...state, view: { at: 'unreached', failure: event.failure } };
    case 'jobFound':
      if (view.at !== 'loading') return state;
      return { ...state, view: jobView(event.status, false) };
    case 'started':
      if (view.at !== 'preview') return state;
      return afterStart(state, view, event.status, event.barcodes);
    case 'secondAsked':
    case 'secondStarted':
    case 'secondFailed':
      return stepSecond(state, event);
    case 'left':
      return afterLeaving(state);
    case 'chosen':
    case 'fieldsToggled':
    case 'listActAsked':
    case 'listActDone':
    case 'listActFailed':
    case 'previewAsked':
    case 'previewArrived':
    case 'previewFailed':
    case 'startAsked':
    case 'startFailed':
      return stepChoosing(state, event);
    default:
      return stepAside(state, event);
  }
}
