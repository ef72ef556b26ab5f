// Everything the Connection page can be in, as one value, and everything that can happen to it.
import type {
  CheckReport,
  ConnectionDraft,
  ConnectionSettings,
  ConnectionStatus,
  RpcFailure,
} from '../../rpc-contract';
import type { FocusWish } from '../frame/focus';
import type { Refreshing } from '../waiting/refresh-formulas';
import {
  type Connected,
  type ConnectionForm,
  EMPTY_FORM,
  type ProblemField,
  type Problems,
} from './form';

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
  /** No key, and formulas answer for invented samples. */
  | {
      readonly at: 'sampling';
      readonly was: ConnectionStatus;
      readonly failure: RpcFailure | null;
    }
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

/** A short call beside the form and the check; one at a time. */
export type Errand = 'share' | 'samples' | 'demo' | 'export' | 'import' | 'follow';

/** What can be changed by itself: a part of the connection, or one of its settings. */
export type Change = keyof ConnectionDraft | keyof ConnectionSettings;

/** Typed beside the form. */
export interface Beside {
  /** The product to check with; empty for the usual one. */
  readonly product: string;
  readonly importText: string;
}

/** Things that can take the focus; each is the id of one element. */
type FocusTarget =
  | ProblemField
  | 'connection-title'
  | 'keep'
  | 'remove'
  | 'settings-text'
  | `change-${Change}`;

export interface ConnectionState {
  readonly view: View;
  readonly form: ConnectionForm;
  readonly beside: Beside;
  /** The part of the connection whose change was opened: the focus goes back there. */
  readonly changing: Change;
  /** Something was typed and neither saved nor left: kept for when the sidebar is opened again. */
  readonly isUnsaved: boolean;
  /** The part of the form that is folded away is unfolded. */
  readonly areSettingsOpen: boolean;
  readonly check: Check;
  readonly errand: Errand | null;
  /** The settings as text to keep, once asked for. */
  readonly exported: string | null;
  readonly waiting: Waiting;
  readonly refreshing: Refreshing;
  /** Good news, said once. */
  readonly notice: string | null;
  readonly focus: (FocusWish & { readonly to: FocusTarget }) | null;
}

export type ErrandEvent =
  | { readonly type: 'errandBegun'; readonly errand: Errand }
  | { readonly type: 'errandFailed'; readonly failure: RpcFailure }
  /** Done, and the connection is now this. */
  | { readonly type: 'errandChanged'; readonly status: ConnectionStatus; readonly notice: string }
  /** Done, and the connection is as it was. */
  | { readonly type: 'errandDone'; readonly notice: string }
  | { readonly type: 'errandExported'; readonly text: string }
  /** The text was for an address whose key is not here: the form wants it. */
  | {
      readonly type: 'errandNeedsKey';
      readonly draft: ConnectionDraft;
      readonly status: ConnectionStatus;
    };

export type ConnectionEvent =
  | { readonly type: 'statusAsked' }
  | { readonly type: 'statusArrived'; readonly status: ConnectionStatus }
  | { readonly type: 'statusFailed'; readonly failure: RpcFailure }
  | { readonly type: 'edited'; readonly change: Partial<ConnectionForm> }
  | { readonly type: 'besideEdited'; readonly change: Partial<Beside> }
  /** The key itself is told to nobody. */
  | { readonly type: 'keyTyped' }
  | { readonly type: 'settingsToggled'; readonly isOpen: boolean }
  /** Without problems the draft is on its way to the server. */
  | { readonly type: 'submitted'; readonly problems: Problems }
  | { readonly type: 'saved'; readonly status: ConnectionStatus }
  | { readonly type: 'saveFailed'; readonly failure: RpcFailure }
  | { readonly type: 'changeOpened'; readonly change: Change }
  | { readonly type: 'changeLeft' }
  | { readonly type: 'checkStarted'; readonly run: number }
  | { readonly type: 'checkAnswered'; readonly run: number; readonly report: CheckReport }
  | { readonly type: 'checkFailed'; readonly run: number; readonly failure: RpcFailure }
  | { readonly type: 'waitingCounted'; readonly left: number }
  | { readonly type: 'waitingFailed'; readonly failure: RpcFailure }
  | { readonly type: 'refreshed'; readonly refreshing: Refreshing }
  | { readonly type: 'removalAsked' }
  | { readonly type: 'removalLeft' }
  | { readonly type: 'removalConfirmed' }
  | { readonly type: 'removed'; readonly status: ConnectionStatus }
  | { readonly type: 'removalFailed'; readonly failure: RpcFailure }
  | ErrandEvent;

/** What was typed when the sidebar was closed last, if anything. */
export interface Kept {
  readonly form: ConnectionForm | null;
  readonly beside: Beside;
}

export const NOTHING_KEPT: Kept = { form: null, beside: { product: '', importText: '' } };

export function firstState({ form, beside }: Kept): ConnectionState {
  return {
    view: { at: 'loading' },
    form: form ?? EMPTY_FORM,
    beside,
    changing: 'apiKey',
    isUnsaved: form !== null,
    areSettingsOpen: false,
    check: { at: 'none' },
    errand: null,
    exported: null,
    waiting: { at: 'none' },
    refreshing: { at: 'none' },
    notice: null,
    focus: null,
  };
}
