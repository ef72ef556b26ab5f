// The state of the Analyze page, its events and its reducer.

import type { Cleanup } from '../../../deal/cleanup-plan';
import type { Choice } from '../../../runs/run';
import type { RpcFailure } from '../../api/failure-view';
import type { Payload } from '../../api/methods';
import type { BulkInspection, BulkPreflight, BulkStatus, PastRun } from '../../api/runs';
import type { FocusRequest } from '../ui/hooks';
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
  productTitleOf,
  type SecondRun,
} from './pair';

/** Names of what the page keeps while the sidebar is closed. */
export const CHOICE_DRAFT = 'analyze-choice';
export const SEEN_RUN = 'analyze-run';
export const RAN_DRAFT = 'analyze-ran';
export const UNDO_DRAFT = 'analyze-undo';
export const BOTH_DRAFT = 'analyze-both';
export const PAIR_DRAFT = 'analyze-pair';

export type CleanupChange = Cleanup['changes'][number];

/** A cleanup that undoes another one. */
export type Undo = Payload<'deals.cleanUp'>;

/** Reads a stored undo. The server checks all of it. */
export const undoFrom = (kept: unknown): Undo | null =>
  isObject(kept) && Array.isArray(Reflect.get(kept, 'changes')) ? (kept as Undo) : null;

export function ranFrom(kept: unknown): Ran | null {
  if (!isObject(kept)) return null;
  const runId: unknown = Reflect.get(kept, 'runId');
  const choice = choiceFrom(Reflect.get(kept, 'choice'));
  const before = choiceFrom(Reflect.get(kept, 'before'));
  if (typeof runId !== 'string' || choice === null) return null;
  return { runId, choice, ...(before && { before }) };
}

/** A person's command for an existing run; the names match the methods of `bulk`. */
export type Act = 'pause' | 'resume' | 'stop' | 'retry';

/** A run as it is shown. */
export interface RunView {
  readonly at: 'run';
  readonly status: BulkStatus;
  /** The command that was sent and is not yet answered. */
  readonly asked: Act | null;
  /** Whether the person has to confirm stopping. */
  readonly isStopAsked: boolean;
  /** Whether this page keeps the run going because it started, resumed or found it. */
  readonly isDriven: boolean;
  /** Whether Google cannot be reached at present. The page tries again by itself. */
  readonly isLost: boolean;
  /** A schedule that is being made from the run, or its name once it was made. */
  readonly repeated: 'asked' | { readonly name: string } | null;
  readonly failure: RpcFailure | null;
}

/** The choice with which this page started a run, from which a schedule can be made. */
interface Ran {
  readonly runId: string;
  readonly choice: Choice;
  /** The choice of the preceding run for the other market. */
  readonly before?: Choice;
}

export interface ChoosingView {
  readonly at: 'choosing';
  readonly look: BulkInspection;
  /** null: no product column was found or chosen yet. */
  readonly choice: Choice | null;
  readonly areFieldsOpen: boolean;
  readonly isChecking: boolean;
  readonly failure: RpcFailure | null;
}

export interface CheckedView {
  readonly at: 'checked';
  readonly look: BulkInspection;
  readonly choice: Choice;
  readonly preflight: BulkPreflight;
  /** The run for the other market that follows this one; null: there is none. */
  readonly second: SecondRun | null;
  readonly isStarting: boolean;
  readonly failure: RpcFailure | null;
}

/** The product column and the changes proposed for it. */
export interface CleanupView {
  readonly at: 'cleanup';
  readonly look: BulkInspection;
  readonly choice: Choice;
  /** null: the column is being read. */
  readonly found: Cleanup | null;
  /** Rows whose tick differs from the initial one. */
  readonly flipped: readonly number[];
  readonly isWriting: boolean;
  readonly failure: RpcFailure | null;
}

/** The part of the Analyze page that is shown. */
export type View =
  | { readonly at: 'loading' }
  | { readonly at: 'unreached'; readonly failure: RpcFailure }
  | ChoosingView
  | CheckedView
  | CleanupView
  | RunView;

/** Lists that unfold from their number. */
export type ListName = 'unreadable' | 'repaired' | 'duplicates' | 'kept' | 'not-placed' | 'left';

export type PastRuns =
  | { readonly at: 'folded' }
  | { readonly at: 'asked' }
  | { readonly at: 'known'; readonly runs: readonly PastRun[] }
  | { readonly at: 'failed'; readonly failure: RpcFailure };

/** Good news to show once. */
export type Notice =
  | { readonly kind: 'set-aside' }
  | { readonly kind: 'other-sheet'; readonly sheet: string }
  | ({ readonly kind: 'selected' } & Selected)
  | { readonly kind: 'second-not-started' }
  /** @property more the number of barcodes that follow with the next press */
  | { readonly kind: 'listed'; readonly added: number; readonly more: number }
  | {
      readonly kind: 'cleaned';
      readonly done: number;
      readonly wanted: number;
      readonly isUndo: boolean;
    };

export interface AnalyzeState {
  readonly view: View;
  /** A choice that the person made and has not started a run with. */
  readonly draft: Choice | null;
  /** The run whose end the person has yet to see, even after the sidebar was closed. */
  readonly seenRun: string | null;
  readonly ran: Ran | null;
  /** The sheet whose list is for both markets; null: none. */
  readonly both: number | null;
  /** Two consecutive runs; kept while the sidebar is closed. */
  readonly pair: Pair | null;
  /** Undoes the last cleanup; kept while the sidebar is closed. */
  readonly undo: Undo | null;
  readonly openList: ListName | null;
  /** Whether barcodes are being added to their tab. */
  readonly isListing: boolean;
  readonly past: PastRuns;
  readonly notice: Notice | null;
  readonly focus: FocusRequest | null;
}

export type AnalyzeEvent =
  | { readonly type: 'lookAsked' }
  | { readonly type: 'lookArrived'; readonly look: BulkInspection }
  | { readonly type: 'lookFailed'; readonly failure: RpcFailure }
  /** A run already existed when the page opened, or ended while the page was closed. */
  | { readonly type: 'runFound'; readonly status: BulkStatus }
  | { readonly type: 'chosen'; readonly choice: Choice; readonly isForBoth?: boolean }
  | { readonly type: 'fieldsToggled' }
  | { readonly type: 'checkAsked'; readonly choice: Choice }
  | {
      readonly type: 'checkArrived';
      readonly choice: Choice;
      readonly preflight: BulkPreflight;
      /** For two runs: the choice of the first with its columns settled, and the second run. */
      readonly both?: { readonly choice: Choice; readonly second: SecondRun };
    }
  | { readonly type: 'checkFailed'; readonly failure: RpcFailure }
  | { readonly type: 'startAsked' }
  | { readonly type: 'started'; readonly status: BulkStatus }
  | { readonly type: 'startFailed'; readonly failure: RpcFailure }
  | { readonly type: 'secondAsked' }
  | { readonly type: 'secondStarted'; readonly status: BulkStatus }
  | { readonly type: 'secondFailed'; readonly failure: RpcFailure }
  /** From a worker's call or a status request, whichever is newer. */
  | { readonly type: 'statusArrived'; readonly status: BulkStatus }
  | { readonly type: 'linkLost' }
  /** This page has ended its calls and no longer keeps the run going. */
  | { readonly type: 'driveEnded' }
  /** A worker's call failed in a way that another try does not solve. */
  | { readonly type: 'sliceFailed'; readonly failure: RpcFailure }
  | { readonly type: 'actAsked'; readonly act: Act }
  | { readonly type: 'actDone'; readonly status: BulkStatus }
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
  | { readonly type: 'barcodesAsked' }
  | { readonly type: 'barcodesListed'; readonly added: number; readonly more: number }
  | { readonly type: 'barcodesFailed'; readonly failure: RpcFailure }
  | { readonly type: 'cleanupAsked'; readonly choice: Choice }
  | { readonly type: 'cleanupFound'; readonly found: Cleanup }
  | { readonly type: 'cleanupFailed'; readonly failure: RpcFailure }
  | { readonly type: 'tickFlipped'; readonly row: number }
  | { readonly type: 'cleanupSent' }
  | {
      readonly type: 'cleanupDone';
      readonly undo: Undo | 'as-before' | null;
      readonly done: number;
      readonly wanted: number;
      readonly isUndo: boolean;
    }
  | { readonly type: 'pastToggled' }
  | { readonly type: 'pastArrived'; readonly runs: readonly PastRun[] }
  | { readonly type: 'pastFailed'; readonly failure: RpcFailure };

/** What was kept when the sidebar was last closed. */
export interface Kept {
  readonly draft: Choice | null;
  readonly seenRun: string | null;
  readonly ran: Ran | null;
  readonly undo: Undo | null;
  readonly both: number | null;
  readonly pair: Pair | null;
}

export function firstState({ draft, seenRun, ran, undo, both, pair }: Kept): AnalyzeState {
  return {
    view: { at: 'loading' },
    draft,
    seenRun,
    ran,
    undo,
    both,
    pair,
    openList: null,
    isListing: false,
    past: { at: 'folded' },
    notice: null,
    focus: null,
  };
}

/** A page continues a run of its own person. A schedule's run is continued by the clock. */
export const isOursToDrive = ({ isMine, isScheduled, state }: BulkStatus): boolean =>
  isMine && isScheduled !== true && state === 'running';

type RunEvent = Extract<
  AnalyzeEvent,
  {
    type:
      | 'statusArrived'
      | 'linkLost'
      | 'driveEnded'
      | 'sliceFailed'
      | 'stopAsked'
      | `act${string}`
      | `repeat${string}`;
  }
>;

function runView(status: BulkStatus): RunView {
  return {
    at: 'run',
    status,
    asked: null,
    isStopAsked: false,
    isDriven: isOursToDrive(status),
    isLost: false,
    repeated: null,
    failure: null,
  };
}

/** Once a run is over, no command is left to confirm. */
function afterStatus(view: RunView, status: BulkStatus): RunView {
  const isStopAsked = view.isStopAsked && !isOver(status);
  return { ...view, status, isStopAsked, isLost: false };
}

function afterDone(state: AnalyzeState, view: RunView, status: BulkStatus): AnalyzeState {
  const isNew = status.runId !== view.status.runId;
  const isDriven = isNew || view.asked === 'resume' || view.isDriven;
  return {
    ...state,
    view: { ...afterStatus(view, status), asked: null, isDriven },
    seenRun: status.runId,
    // A retry has the same choice.
    ran: state.ran && { ...state.ran, runId: status.runId },
    openList: isNew ? null : state.openList,
    focus: isNew ? { to: 'analyze-title' } : state.focus,
  };
}

/**
 * A run was started elsewhere after this one ended. The page then only shows it and can continue or
 * stop it.
 */
function afterAnother(state: AnalyzeState, view: RunView, status: BulkStatus): AnalyzeState {
  if (isOver(view.status) || status.startedAtMs <= view.status.startedAtMs) return state;
  return { ...state, view: { ...runView(status), isDriven: false }, openList: null };
}

function stepRun(state: AnalyzeState, event: RunEvent): AnalyzeState {
  const { view } = state;
  if (view.at !== 'run') return state;
  switch (event.type) {
    case 'statusArrived':
      if (event.status.runId !== view.status.runId) return afterAnother(state, view, event.status);
      return { ...state, view: afterStatus(view, event.status) };
    case 'linkLost':
      return { ...state, view: { ...view, isLost: true } };
    case 'driveEnded':
      return { ...state, view: { ...view, isDriven: false } };
    case 'sliceFailed':
      return { ...state, view: { ...view, isDriven: false, failure: event.failure } };
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
      return view.asked === null ? state : afterDone(state, view, event.status);
    case 'repeatAsked':
      return { ...state, view: { ...view, repeated: 'asked', failure: null } };
    case 'repeatDone':
      return { ...state, view: { ...view, repeated: { name: event.name } } };
    case 'repeatFailed':
      return { ...state, view: { ...view, repeated: null, failure: event.failure } };
    case 'actFailed':
      return { ...state, view: { ...view, asked: null, failure: event.failure } };
  }
}

const TITLE = 'analyze-title';
export const EDIT_FIELDS = 'analyze-edit-fields';
export const CLEAN_UP = 'analyze-clean-up';

function choosing(look: BulkInspection, choice: ChoosingView['choice']): ChoosingView {
  return {
    at: 'choosing',
    look,
    choice,
    areFieldsOpen: false,
    isChecking: false,
    failure: null,
  };
}

const OF_ONE_SHEET: readonly Notice['kind'][] = ['other-sheet', 'selected', 'cleaned'];

/** What remains to be said once another sheet is in view. */
const noticeElsewhere = (notice: Notice | null): Notice | null =>
  notice === null || OF_ONE_SHEET.includes(notice.kind) ? null : notice;

/** An automatic inspection must not undo what the person is doing. */
function afterLook(state: AnalyzeState, look: BulkInspection): AnalyzeState {
  const { view, draft } = state;
  const chosenFor = (sheet: BulkInspection) => {
    const found = choiceFor(sheet, draft);
    const isBoth = state.both === sheet.sheet.id && found?.market.kind === 'one';
    return isBoth ? forBoth(found) : found;
  };
  if (look.run !== null && (view.at === 'loading' || view.at === 'choosing')) {
    const { run } = look;
    return { ...state, view: runView(run), seenRun: run.runId, openList: null };
  }
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
  if (view.at === 'checked' && !view.isStarting) {
    const { look, choice } = view;
    return { ...state, view: choosing(look, choice), openList: null, focus: { to: TITLE } };
  }
  if (view.at === 'cleanup' && !view.isWriting) {
    const { look, choice } = view;
    return { ...state, view: choosing(look, choice), openList: null, focus: { to: CLEAN_UP } };
  }
  if (view.at === 'run' && view.isStopAsked)
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
  { type: 'chosen' | 'fieldsToggled' | `check${string}` | `start${'Asked' | 'Failed'}` }
>;

const withFailure = <V extends { readonly failure: RpcFailure | null }>(
  view: V,
  failure: RpcFailure,
): V => ({ ...view, failure });

function stepChoosing(state: AnalyzeState, event: ChoosingEvent): AnalyzeState {
  const { view } = state;
  if (view.at === 'checked') {
    // Another choice for the same list; what was chosen before remains the person's.
    if (event.type === 'checkAsked' && !view.isStarting)
      return { ...state, view: { ...choosing(view.look, event.choice), isChecking: true } };
    if (event.type === 'startAsked')
      return { ...state, view: { ...view, isStarting: true, failure: null }, notice: null };
    if (event.type !== 'startFailed') return state;
    return { ...state, view: withFailure({ ...view, isStarting: false }, event.failure) };
  }
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
    case 'checkAsked':
      return { ...state, view: { ...view, isChecking: true, failure: null }, notice: null };
    case 'checkArrived': {
      // A preview of a different choice than the present one would be wrong.
      const { choice: asked, preflight, both } = event;
      if (!view.isChecking || asked !== view.choice) return state;
      const { look } = view;
      const { choice, second } = both ?? { choice: asked, second: null };
      return {
        ...state,
        view: { at: 'checked', look, choice, preflight, second, isStarting: false, failure: null },
        focus: { to: TITLE },
      };
    }
    case 'checkFailed':
      return { ...state, view: withFailure({ ...view, isChecking: false }, event.failure) };
    default:
      return state;
  }
}

/** Whether a change is ticked. At first, changes that are certain are ticked. */
export const isTicked = ({ flipped }: CleanupView, { row, isUnsure }: CleanupChange): boolean =>
  !isUnsure !== flipped.includes(row);

type CleanupEvent = Extract<
  AnalyzeEvent,
  { type: `cleanup${'Asked' | 'Found' | 'Failed' | 'Sent' | 'Done'}` | 'tickFlipped' }
>;

function stepCleanup(state: AnalyzeState, event: CleanupEvent): AnalyzeState {
  const { view } = state;
  if (view.at === 'choosing' && event.type === 'cleanupAsked') {
    const { look } = view;
    const asked = { found: null, flipped: [], isWriting: false, failure: null };
    const next = { at: 'cleanup', look, choice: event.choice, ...asked } as const;
    return { ...state, view: next, notice: null, focus: { to: TITLE } };
  }
  if (view.at !== 'cleanup') return state;
  switch (event.type) {
    case 'cleanupAsked':
      return { ...state, view: { ...view, found: null, flipped: [], failure: null } };
    case 'cleanupFound':
      return { ...state, view: { ...view, found: event.found, flipped: [] } };
    case 'cleanupFailed':
      return { ...state, view: withFailure({ ...view, isWriting: false }, event.failure) };
    case 'cleanupSent':
      return { ...state, view: { ...view, isWriting: true, failure: null }, notice: null };
    case 'cleanupDone': {
      const { done, wanted, isUndo } = event;
      const notice = { kind: 'cleaned', done, wanted, isUndo } as const;
      const undo = event.undo === 'as-before' ? state.undo : event.undo;
      return { ...state, undo, notice, view: { ...view, isWriting: false }, focus: { to: TITLE } };
    }
    case 'tickFlipped': {
      const others = view.flipped.filter((row) => row !== event.row);
      const isBack = others.length < view.flipped.length;
      return { ...state, view: { ...view, flipped: isBack ? others : [...others, event.row] } };
    }
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
    case 'barcodesAsked':
      return { ...state, isListing: true, notice: null };
    case 'barcodesListed':
      return {
        ...state,
        isListing: false,
        notice: { kind: 'listed', added: event.added, more: event.more },
      };
    case 'barcodesFailed':
      return { ...afterShowFailed(state, event.failure), isListing: false };
    case 'pastToggled':
      return { ...state, past: { at: state.past.at === 'folded' ? 'asked' : 'folded' } };
    case 'pastArrived':
      if (state.past.at === 'folded') return state;
      return { ...state, past: { at: 'known', runs: event.runs } };
    case 'pastFailed':
      if (state.past.at !== 'asked') return state;
      return { ...state, past: { at: 'failed', failure: event.failure } };
    default:
      return state;
  }
}

const RUN_EVENTS: readonly AnalyzeEvent['type'][] = [
  'statusArrived',
  'linkLost',
  'driveEnded',
  'sliceFailed',
  'actAsked',
  'actDone',
  'actFailed',
  'stopAsked',
  'repeatAsked',
  'repeatDone',
  'repeatFailed',
] satisfies readonly RunEvent['type'][];

const isRunEvent = (event: AnalyzeEvent): event is RunEvent => RUN_EVENTS.includes(event.type);

type SecondEvent = Extract<AnalyzeEvent, { type: `second${string}` }>;

function stepSecond(state: AnalyzeState, event: SecondEvent): AnalyzeState {
  const { view, pair } = state;
  if (view.at !== 'run' || !isSecondDue(pair, view.status)) return state;
  switch (event.type) {
    case 'secondAsked':
      return { ...state, pair: { ...pair, failure: null }, notice: null };
    case 'secondFailed':
      return { ...state, pair: { ...pair, failure: event.failure } };
    case 'secondStarted': {
      const { runId } = event.status;
      const first = { ...pair.first, outcome: outcomeOf(view.status) };
      return {
        ...state,
        view: { ...runView(event.status), isDriven: true },
        seenRun: runId,
        ran: { runId, choice: pair.second, before: pair.first.choice },
        pair: { ...pair, secondRun: runId, first },
        openList: null,
        focus: { to: TITLE },
      };
    }
  }
}

const NOT_STARTED: Notice = { kind: 'second-not-started' };

/** A pair ends when a run outside it is shown, or when the person goes on to something else. */
function settled(state: AnalyzeState): AnalyzeState {
  const { view, pair } = state;
  if (pair === null || view.at === 'loading' || view.at === 'unreached') return state;
  if (view.at === 'run') return { ...state, pair: pairBeside(pair, view.status) };
  const isLeft = pair.secondRun === null;
  return { ...state, pair: null, notice: isLeft ? NOT_STARTED : state.notice };
}

export const step = (state: AnalyzeState, event: AnalyzeEvent): AnalyzeState =>
  settled(stepped(state, event));

function pairAfter({ look, choice, second }: CheckedView, runId: string): Pair | null {
  return (
    second && {
      ...{ firstRun: runId, secondRun: null, failure: null },
      ...{ second: second.choice, secondMs: second.preflight.expectedMs },
      productTitle: productTitleOf(look, choice),
      first: { choice, outcome: null },
    }
  );
}

function stepped(state: AnalyzeState, event: AnalyzeEvent): AnalyzeState {
  if (isRunEvent(event)) return stepRun(state, event);
  const { view } = state;
  switch (event.type) {
    case 'lookAsked': {
      // A person who goes on to a new run has seen the end of the last one.
      const hasSeen = view.at === 'run' && isOver(view.status);
      const fresh = { openList: null, notice: null, past: { at: 'folded' } } as const;
      const seenRun = hasSeen ? null : state.seenRun;
      return { ...state, ...fresh, seenRun, view: { at: 'loading' } };
    }
    case 'lookArrived': {
      const after = afterLook(state, event.look);
      return event.look.isSetAside ? { ...after, notice: { kind: 'set-aside' } } : after;
    }
    case 'lookFailed':
      if (view.at !== 'loading') return state;
      return { ...state, view: { at: 'unreached', failure: event.failure } };
    case 'runFound':
      if (view.at !== 'loading') return state;
      return { ...state, view: runView(event.status) };
    case 'started':
      if (view.at !== 'checked') return state;
      return {
        ...state,
        view: { ...runView(event.status), isDriven: true },
        draft: null,
        seenRun: event.status.runId,
        ran: { runId: event.status.runId, choice: view.choice },
        pair: pairAfter(view, event.status.runId),
        openList: null,
        focus: { to: TITLE },
      };
    case 'secondAsked':
    case 'secondStarted':
    case 'secondFailed':
      return stepSecond(state, event);
    case 'left':
      return afterLeaving(state);
    case 'cleanupAsked':
    case 'cleanupFound':
    case 'cleanupFailed':
    case 'cleanupSent':
    case 'cleanupDone':
    case 'tickFlipped':
      return stepCleanup(state, event);
    case 'chosen':
    case 'fieldsToggled':
    case 'checkAsked':
    case 'checkArrived':
    case 'checkFailed':
    case 'startAsked':
    case 'startFailed':
      return stepChoosing(state, event);
    default:
      return stepAside(state, event);
  }
}
