// The Connection page: its states, its events, and the reducer.

import type { ConnectionDraft, ConnectionSettings } from '../../../connection/connection';
import type { CheckReport } from '../../api/check';
import type { ConnectionStatus, FormulaRefresh } from '../../api/connection';
import type { RpcFailure } from '../../api/failure-view';
import type { FocusRequest } from '../ui/hooks';
import {
  type Beside,
  type Connected,
  type ConnectionForm,
  EMPTY_FORM,
  type EMPTY_SETTINGS,
  formOf,
  formOfDraft,
  type ProblemField,
  type Problems,
} from './form';

export type Refreshing =
  | { readonly at: 'none' }
  | { readonly at: 'working'; readonly report: FormulaRefresh | null; readonly isStopping: boolean }
  | { readonly at: 'done'; readonly report: FormulaRefresh }
  | { readonly at: 'failed'; readonly failure: RpcFailure };

/** Where a person is on the Connection page. */
type View =
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
export type PendingRequest =
  | 'share'
  | 'useHere'
  | 'samples'
  | 'demo'
  | 'export'
  | 'import'
  | 'follow'
  | 'relearn';

/** What can be changed by itself: a part of the connection, or one of its settings. */
export type Change = keyof ConnectionDraft | keyof ConnectionSettings;

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
  readonly pending: PendingRequest | null;
  /** The settings as text to keep, once asked for. */
  readonly exported: string | null;
  readonly waiting: Waiting;
  readonly refreshing: Refreshing;
  /** Good news, said once. */
  readonly notice: string | null;
  readonly focus: (FocusRequest & { readonly to: FocusTarget }) | null;
}

type RequestEvent =
  | { readonly type: 'requestBegun'; readonly pending: PendingRequest }
  | { readonly type: 'requestFailed'; readonly failure: RpcFailure }
  /** Done, and the connection is now this. */
  | { readonly type: 'requestChanged'; readonly status: ConnectionStatus; readonly notice: string }
  /** Done, and the connection is as it was. */
  | { readonly type: 'requestDone'; readonly notice: string }
  | { readonly type: 'requestExported'; readonly text: string }
  /** The text was for an address whose key is not here: the form wants it. */
  | {
      readonly type: 'requestNeedsKey';
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
  | RequestEvent;

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
    pending: null,
    exported: null,
    waiting: { at: 'none' },
    refreshing: { at: 'none' },
    notice: null,
    focus: null,
  };
}

function entering(was: ConnectionStatus, problems: Problems = {}): View {
  return { at: 'entering', was, problems, failure: null };
}

/** The form where there is no key, else the connection; in between the samples. */
function viewOf(status: ConnectionStatus): View {
  if (status.connected) return { at: 'connected', status, failure: null };
  return status.demo ? { at: 'sampling', was: status, failure: null } : entering(status);
}

/** Something stands behind the form that one can go back to. */
export function canLeave(was: ConnectionStatus): boolean {
  return was.connected || was.demo;
}

/** On the first run the form waits for a paste, so the cursor stands where it belongs. */
function firstFocus(state: ConnectionState, status: ConnectionStatus) {
  const { view, form } = state;
  if (view.at !== 'entering' || status.connected) return null;
  return { to: form.baseUrl === '' ? 'baseUrl' : 'apiKey' } as const;
}

type OpenView = Extract<View, { at: 'entering' | 'sampling' | 'connected' }>;

/** In the others something bigger goes on, which a request must not cut short. */
function isOpen(view: View): view is OpenView {
  return view.at === 'entering' || view.at === 'sampling' || view.at === 'connected';
}

function stepRequest(state: ConnectionState, event: RequestEvent): ConnectionState {
  const { view, beside } = state;
  if (event.type === 'requestBegun') {
    if (!isOpen(view)) return state;
    const untroubled = { ...view, failure: null };
    return { ...state, view: untroubled, pending: event.pending, notice: null, focus: null };
  }
  if (state.pending === null) return state;
  const done = { ...state, pending: null };
  if (!isOpen(view)) return done;
  switch (event.type) {
    case 'requestFailed':
      return { ...done, view: { ...view, failure: event.failure } };
    case 'requestDone':
      return { ...done, notice: event.notice };
    case 'requestExported':
      return { ...done, exported: event.text, focus: { to: 'settings-text' } };
    case 'requestChanged': {
      const next = viewOf(event.status);
      // The button that was pressed is gone with what it ended.
      const stays =
        view.at === next.at && state.pending !== 'relearn' && state.pending !== 'useHere';
      return {
        ...done,
        view: next,
        notice: event.notice === '' ? null : event.notice,
        beside: { ...beside, importText: '' },
        focus: stays ? null : { to: 'connection-title' },
      };
    }
    case 'requestNeedsKey':
      return {
        ...done,
        view: entering(event.status),
        form: formOfDraft(event.draft, EMPTY_FORM),
        isUnsaved: true,
        notice: 'The settings are in the form. The key is still missing.',
        beside: { ...beside, importText: '' },
        focus: { to: 'apiKey' },
      };
  }
}

/** From top to bottom, as the form shows them. */
const FIELD_ORDER = [
  'baseUrl',
  'apiKey',
  'quota',
  'sharing',
  'settings',
  'cellsPerDay',
  'defaultMarket',
  'ukMarket',
  'roiUnit',
  'moneyUnit',
  'buyPriceName',
  'sellPriceName',
  'eligibleName',
  'feesName',
] as const satisfies readonly ProblemField[];
const SETTINGS_FROM = FIELD_ORDER.indexOf('sharing');

/** In the part of the form that is folded away. */
function isInSettings(field: Change): boolean {
  return FIELD_ORDER.indexOf(field) >= SETTINGS_FROM;
}

/** Shows what is wrong: the focus goes to the first of it, which must not be folded away. */
function withProblems(
  state: ConnectionState,
  was: ConnectionStatus,
  problems: Problems,
): ConnectionState {
  const wrong = FIELD_ORDER.filter((field) => problems[field] !== undefined);
  return {
    ...state,
    view: entering(was, problems),
    areSettingsOpen: state.areSettingsOpen || wrong.some(isInSettings),
    focus: wrong[0] === undefined ? null : { to: wrong[0] },
  };
}

function afterSubmit(state: ConnectionState, problems: Problems): ConnectionState {
  if (state.view.at !== 'entering') return state;
  const { was } = state.view;
  return Object.keys(problems).length === 0
    ? { ...state, view: { at: 'saving', was }, notice: null, focus: null }
    : { ...withProblems(state, was, problems), notice: null };
}

function afterSaveFailed(state: ConnectionState, failure: RpcFailure): ConnectionState {
  if (state.view.at !== 'saving') return state;
  const { was } = state.view;
  const { field } = failure;
  if (field === undefined) {
    return { ...state, view: { at: 'entering', was, problems: {}, failure } };
  }
  const words = [failure.message, failure.action].filter(Boolean).join(' ');
  return withProblems(state, was, { [field]: words });
}

const FIELDS_OF_INPUT: Readonly<Partial<Record<keyof ConnectionForm, readonly ProblemField[]>>> = {
  baseUrl: ['baseUrl'],
  calls: ['quota'],
  perSeconds: ['quota'],
  findOut: ['quota'],
  sharing: ['sharing'],
  cellsPerDay: ['settings', 'cellsPerDay'],
};

function fieldsOf(name: string): readonly ProblemField[] {
  const fields = FIELDS_OF_INPUT[name as keyof ConnectionForm];
  return fields ?? ['settings', name as keyof typeof EMPTY_SETTINGS];
}

/** What is being mended is no longer called wrong. */
function withoutProblems(state: ConnectionState, fields: readonly ProblemField[]): ConnectionState {
  if (state.view.at !== 'entering') return state;
  const left = Object.entries(state.view.problems).filter(
    ([field]) => !fields.some((mended) => mended === field),
  );
  return { ...state, view: { ...state.view, problems: Object.fromEntries(left) } };
}

function afterEdit(state: ConnectionState, change: Partial<ConnectionForm>): ConnectionState {
  const fields = Object.keys(change).flatMap(fieldsOf);
  const form = { ...state.form, ...change };
  return { ...withoutProblems(state, fields), form, isUnsaved: true, notice: null };
}

function afterChange(
  state: ConnectionState,
  event: ConnectionEvent & { type: `change${string}` },
): ConnectionState {
  const { view } = state;
  if (event.type === 'changeOpened') {
    if (view.at !== 'connected' && view.at !== 'sampling') return state;
    const was = view.at === 'connected' ? view.status : view.was;
    return {
      ...state,
      view: entering(was),
      form: formOf(was, was.connected ? EMPTY_FORM : state.form),
      changing: event.change,
      areSettingsOpen: isInSettings(event.change),
      isUnsaved: false,
      notice: null,
      focus: { to: event.change },
    };
  }
  if (view.at !== 'entering' || !canLeave(view.was)) return state;
  return {
    ...state,
    view: viewOf(view.was),
    isUnsaved: false,
    focus: { to: `change-${state.changing}` },
  };
}

function afterStatus(state: ConnectionState, status: ConnectionStatus): ConnectionState {
  const { view } = state;
  if (view.at === 'loading') {
    // Closed in the middle of a change: go on with it.
    const next = { ...state, view: state.isUnsaved ? entering(status) : viewOf(status) };
    return { ...next, focus: firstFocus(next, status) };
  }
  // Asked again after a check: the connection may have been stopped by what the check met.
  const canTake = view.at === 'connected' && status.connected;
  if (!canTake) return state;
  // What worked earlier does not stand beside a key that is refused since.
  const isOver = status.stopped !== undefined && state.check.at === 'done';
  const check: Check = isOver ? { at: 'none' } : state.check;
  return { ...state, view: { ...view, status }, check };
}

function afterCheckStart(state: ConnectionState, run: number): ConnectionState {
  if (state.view.at !== 'connected') return state;
  return { ...withoutAdvertised(state), check: { at: 'running', run }, notice: null };
}

function afterCheck(state: ConnectionState, run: number, check: Check): ConnectionState {
  return state.check.at === 'running' && state.check.run === run ? { ...state, check } : state;
}

/** What came of a refresh is no news beside what is done next. */
const withoutAdvertised = (state: ConnectionState): ConnectionState =>
  state.refreshing.at === 'working' ? state : { ...state, refreshing: { at: 'none' } };

/** Of another connection's products nothing is said: with `none`, an end is no news. */
function afterWaiting(
  waiting: Waiting,
  event: ConnectionEvent & { type: `waiting${string}` },
): Waiting {
  if (event.type === 'waitingCounted' && event.left > 0) return { at: 'working', left: event.left };
  if (waiting.at !== 'working') return waiting;
  return event.type === 'waitingCounted'
    ? { at: 'done' }
    : { at: 'stopped', failure: event.failure };
}

function afterRemoval(
  state: ConnectionState,
  event: ConnectionEvent & { type: `remov${string}` },
): ConnectionState {
  const { view } = state;
  switch (event.type) {
    case 'removalAsked':
      if (view.at !== 'connected') return state;
      return {
        ...state,
        view: { at: 'confirming', status: view.status },
        notice: null,
        focus: { to: 'keep' },
      };
    case 'removalLeft':
      if (view.at !== 'confirming') return state;
      return { ...state, view: viewOf(view.status), focus: { to: 'remove' } };
    case 'removalConfirmed':
      if (view.at !== 'confirming') return state;
      return { ...state, view: { at: 'removing', status: view.status } };
    case 'removalFailed':
      if (view.at !== 'removing') return state;
      return {
        ...state,
        view: { at: 'connected', status: view.status, failure: event.failure },
        focus: { to: 'remove' },
      };
    case 'removed':
      if (view.at !== 'removing') return state;
      // The form keeps what was known, so that only the key is needed to come back.
      return {
        ...state,
        view: viewOf(event.status),
        form: formOf(view.status, state.form),
        isUnsaved: false,
        check: { at: 'none' },
        waiting: { at: 'none' },
        notice: 'The key was removed.',
        focus: { to: 'connection-title' },
      };
  }
}

export function step(state: ConnectionState, event: ConnectionEvent): ConnectionState {
  switch (event.type) {
    case 'statusAsked':
      if (state.view.at !== 'unreached') return state;
      return { ...state, view: { at: 'loading' } };
    case 'statusArrived':
      return afterStatus(state, event.status);
    case 'statusFailed':
      if (state.view.at !== 'loading') return state;
      return { ...state, view: { at: 'unreached', failure: event.failure } };
    case 'edited':
      return afterEdit(state, event.change);
    case 'besideEdited':
      return { ...state, beside: { ...state.beside, ...event.change }, notice: null };
    case 'keyTyped':
      return withoutProblems(state, ['apiKey']);
    case 'settingsToggled':
      return { ...state, areSettingsOpen: event.isOpen };
    case 'submitted':
      return afterSubmit(withoutAdvertised(state), event.problems);
    case 'saved':
      if (state.view.at !== 'saving') return state;
      return {
        ...state,
        view: viewOf(event.status),
        isUnsaved: false,
        areSettingsOpen: false,
        check: { at: 'none' },
        waiting: { at: 'none' },
        focus: { to: 'connection-title' },
      };
    case 'saveFailed':
      return afterSaveFailed(state, event.failure);
    case 'changeOpened':
    case 'changeLeft':
      return afterChange(state, event);
    case 'checkStarted':
      return afterCheckStart(state, event.run);
    case 'checkAnswered':
      return afterCheck(state, event.run, { at: 'done', report: event.report });
    case 'checkFailed':
      return afterCheck(state, event.run, { at: 'failed', failure: event.failure });
    case 'waitingCounted':
    case 'waitingFailed':
      return { ...state, waiting: afterWaiting(state.waiting, event) };
    case 'refreshed':
      return { ...state, refreshing: event.refreshing };
    case 'removalAsked':
    case 'removalLeft':
    case 'removalConfirmed':
    case 'removed':
    case 'removalFailed':
      return afterRemoval(state, event);
    default:
      return stepRequest(state, event);
  }
}
