// Everything the sidebar can be in, as one value, and everything that can happen to it.
import type { CheckReport, ConnectionDraft, ConnectionStatus, RpcFailure } from '../rpc-contract';
import {
  type Connected,
  type ConnectionForm,
  EMPTY_FORM,
  type ProblemField,
  type Problems,
} from './connection/form';

/** Where a person is on the Connection page. */
export type View =
  | { readonly at: 'loading' }
  | { readonly at: 'unreached'; readonly failure: RpcFailure }
  | {
      readonly at: 'entering';
      readonly was: ConnectionStatus;
      readonly problems: Problems;
      readonly failure: RpcFailure | null;
    }
  | { readonly at: 'saving'; readonly was: ConnectionStatus }
  | { readonly at: 'connected'; readonly status: Connected; readonly failure: RpcFailure | null }
  | { readonly at: 'confirming'; readonly status: Connected }
  | { readonly at: 'removing'; readonly status: Connected };

/** A check goes on whatever the person does meanwhile; `run` tells its answer from an older one. */
export type Check =
  | { readonly at: 'none' }
  | { readonly at: 'running'; readonly run: number }
  | { readonly at: 'done'; readonly report: CheckReport }
  | { readonly at: 'failed'; readonly failure: RpcFailure };

/** Products that wait for the key's limit, and what became of asking for them. */
export type Waiting =
  | { readonly at: 'none' }
  | { readonly at: 'working'; readonly left: number }
  | { readonly at: 'done' }
  | { readonly at: 'stopped'; readonly failure: RpcFailure };

/** Things that can take the focus; each is the id of one element. */
type FocusTarget = ProblemField | 'title' | 'keep' | 'remove' | `change-${keyof ConnectionDraft}`;

export interface PageState {
  readonly view: View;
  readonly form: ConnectionForm;
  /** The part of the connection whose change was opened: the focus goes back there. */
  readonly changing: keyof ConnectionDraft;
  /** Something was typed and neither saved nor left: kept for when the sidebar is opened again. */
  readonly isUnsaved: boolean;
  /** The part of the form that is folded away is unfolded. */
  readonly areSettingsOpen: boolean;
  readonly check: Check;
  readonly waiting: Waiting;
  /** Good news, said once. */
  readonly notice: string | null;
  /** A new object is a new wish to move the focus. */
  readonly focus: { readonly to: FocusTarget } | null;
}

export type PageEvent =
  | { readonly type: 'statusAsked' }
  | { readonly type: 'statusArrived'; readonly status: ConnectionStatus }
  | { readonly type: 'statusFailed'; readonly failure: RpcFailure }
  | { readonly type: 'edited'; readonly change: Partial<ConnectionForm> }
  /** The key itself is told to nobody. */
  | { readonly type: 'keyTyped' }
  | { readonly type: 'settingsToggled'; readonly isOpen: boolean }
  /** Without problems the draft is on its way to the server. */
  | { readonly type: 'submitted'; readonly problems: Problems }
  | { readonly type: 'saved'; readonly status: ConnectionStatus }
  | { readonly type: 'saveFailed'; readonly failure: RpcFailure }
  | { readonly type: 'changeOpened'; readonly field: keyof ConnectionDraft }
  | { readonly type: 'changeLeft' }
  | { readonly type: 'checkStarted'; readonly run: number }
  | { readonly type: 'checkAnswered'; readonly run: number; readonly report: CheckReport }
  | { readonly type: 'checkFailed'; readonly run: number; readonly failure: RpcFailure }
  | { readonly type: 'waitingCounted'; readonly left: number }
  | { readonly type: 'waitingFailed'; readonly failure: RpcFailure }
  | { readonly type: 'removalAsked' }
  | { readonly type: 'removalLeft' }
  | { readonly type: 'removalConfirmed' }
  | { readonly type: 'removed'; readonly status: ConnectionStatus }
  | { readonly type: 'removalFailed'; readonly failure: RpcFailure };

/** `kept` is what was typed when the sidebar was closed last, if anything. */
export function firstState(kept: ConnectionForm | null): PageState {
  return {
    view: { at: 'loading' },
    form: kept ?? EMPTY_FORM,
    changing: 'apiKey',
    isUnsaved: kept !== null,
    areSettingsOpen: false,
    check: { at: 'none' },
    waiting: { at: 'none' },
    notice: null,
    focus: null,
  };
}
