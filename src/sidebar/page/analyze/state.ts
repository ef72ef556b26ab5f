// Everything the Analyze page can be in, as one value, and everything that can happen to it.
import type { BulkChoice, BulkLook, BulkPreflight, BulkStatus, PastRun } from '../../bulk-contract';
import type { RpcFailure } from '../../rpc-contract';
import type { FocusWish } from '../frame/focus';

/** What a person asks of a run that is there; the same words as the methods of `bulk`. */
export type Act = 'pause' | 'resume' | 'stop' | 'retry';

/** A run as it is shown. */
export interface RunView {
  readonly at: 'run';
  readonly status: BulkStatus;
  /** Asked, and not yet answered. */
  readonly asked: Act | null;
  /** Whether stopping is to be confirmed. */
  readonly isStopAsked: boolean;
  /** This page keeps the run going: started, resumed or found under way here. */
  readonly isDriven: boolean;
  /** Google cannot be reached at present; it is tried again by itself. */
  readonly isLost: boolean;
  /** A schedule is made from it, or was: told by its name. */
  readonly repeated: 'asked' | { readonly name: string } | null;
  readonly failure: RpcFailure | null;
}

/** What a run was started with here: a schedule can be made from it. */
export interface Ran {
  readonly jobId: string;
  readonly choice: BulkChoice;
}

export interface ChoosingView {
  readonly at: 'choosing';
  readonly look: BulkLook;
  /** null: no column of products was found, and none chosen yet. */
  readonly choice: BulkChoice | null;
  readonly areFieldsOpen: boolean;
  readonly isChecking: boolean;
  readonly failure: RpcFailure | null;
}

export interface CheckedView {
  readonly at: 'checked';
  readonly look: BulkLook;
  readonly choice: BulkChoice;
  readonly preflight: BulkPreflight;
  readonly isStarting: boolean;
  readonly failure: RpcFailure | null;
}

/** Where a person is on the Analyze page. */
export type View =
  | { readonly at: 'loading' }
  | { readonly at: 'unreached'; readonly failure: RpcFailure }
  | ChoosingView
  | CheckedView
  | RunView;

/** Lists that are folded under their number. */
export type ListName = 'unreadable' | 'repaired' | 'duplicates' | 'kept' | 'not-placed';

export type PastRuns =
  | { readonly at: 'folded' }
  | { readonly at: 'asked' }
  | { readonly at: 'known'; readonly runs: readonly PastRun[] }
  | { readonly at: 'failed'; readonly failure: RpcFailure };

export interface AnalyzeState {
  readonly view: View;
  /** A choice that was made here and not yet started with. */
  readonly draft: BulkChoice | null;
  /** The run whose end is still to be seen, also after the sidebar was closed meanwhile. */
  readonly seenJob: string | null;
  readonly ran: Ran | null;
  readonly openList: ListName | null;
  readonly past: PastRuns;
  /** Good news, said once. */
  readonly notice: string | null;
  readonly focus: FocusWish | null;
}

export type AnalyzeEvent =
  | { readonly type: 'lookAsked' }
  | { readonly type: 'lookArrived'; readonly look: BulkLook }
  | { readonly type: 'lookFailed'; readonly failure: RpcFailure }
  /** A run was there when the page opened, or came to an end while it was closed. */
  | { readonly type: 'runFound'; readonly status: BulkStatus }
  | { readonly type: 'chosen'; readonly choice: BulkChoice }
  | { readonly type: 'fieldsToggled' }
  | { readonly type: 'checkAsked'; readonly choice: BulkChoice }
  | {
      readonly type: 'checkArrived';
      readonly choice: BulkChoice;
      readonly preflight: BulkPreflight;
    }
  | { readonly type: 'checkFailed'; readonly failure: RpcFailure }
  | { readonly type: 'startAsked' }
  | { readonly type: 'started'; readonly status: BulkStatus }
  | { readonly type: 'startFailed'; readonly failure: RpcFailure }
  /** From a slice or a look in between, whichever is newer. */
  | { readonly type: 'statusArrived'; readonly status: BulkStatus }
  | { readonly type: 'linkLost' }
  /** Nothing more is to be called for: from here on nobody keeps the run going on this page. */
  | { readonly type: 'driveEnded' }
  /** A slice ended with what trying again does not mend. */
  | { readonly type: 'sliceFailed'; readonly failure: RpcFailure }
  | { readonly type: 'actAsked'; readonly act: Act }
  | { readonly type: 'actDone'; readonly status: BulkStatus }
  | { readonly type: 'actFailed'; readonly failure: RpcFailure }
  | { readonly type: 'stopAsked' }
  | { readonly type: 'repeatAsked' }
  | { readonly type: 'repeatDone'; readonly name: string }
  | { readonly type: 'repeatFailed'; readonly failure: RpcFailure }
  /** Back from the check, from what was unfolded, or from the question. */
  | { readonly type: 'left' }
  | { readonly type: 'listToggled'; readonly list: ListName }
  | { readonly type: 'rowsShown'; readonly wanted: number; readonly shown: number }
  | { readonly type: 'showFailed'; readonly failure: RpcFailure }
  | { readonly type: 'pastToggled' }
  | { readonly type: 'pastArrived'; readonly runs: readonly PastRun[] }
  | { readonly type: 'pastFailed'; readonly failure: RpcFailure };

/** What the page kept when the sidebar was closed last. */
export interface Kept {
  readonly draft: BulkChoice | null;
  readonly seenJob: string | null;
  readonly ran: Ran | null;
}

export function firstState({ draft, seenJob, ran }: Kept): AnalyzeState {
  return {
    view: { at: 'loading' },
    draft,
    seenJob,
    ran,
    openList: null,
    past: { at: 'folded' },
    notice: null,
    focus: null,
  };
}

export const isOver = ({ state }: BulkStatus): boolean =>
  state === 'finished' || state === 'stopped';

/** One's own run under way is kept going by the page that finds it; a schedule sees to its own. */
export const isOursToDrive = ({ isMine, isScheduled, state }: BulkStatus): boolean =>
  isMine && isScheduled !== true && state === 'running';
