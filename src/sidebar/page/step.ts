// The pure step from one state of the sidebar to the next; what does not fit changes nothing.
import type { ConnectionStatus, RpcFailure } from '../rpc-contract';
import {
  type ConnectionForm,
  EMPTY_FORM,
  formOf,
  type ProblemField,
  type Problems,
} from './connection/form';
import type { Check, PageEvent, PageState, View, Waiting } from './state';

/** From top to bottom, as the form shows them. */
const FIELD_ORDER = [
  'baseUrl',
  'apiKey',
  'quota',
  'sharing',
  'settings',
  'defaultMarket',
  'ukMarket',
  'roiUnit',
  'buyPriceName',
  'sellPriceName',
] as const satisfies readonly ProblemField[];
const SETTINGS_FROM = FIELD_ORDER.indexOf('settings');

/** Shows what is wrong: the focus goes to the first of it, which must not be folded away. */
function withProblems(state: PageState, was: ConnectionStatus, problems: Problems): PageState {
  const wrong = FIELD_ORDER.filter((field) => problems[field] !== undefined);
  const isInSettings = wrong.some((field) => FIELD_ORDER.indexOf(field) >= SETTINGS_FROM);
  return {
    ...state,
    view: entering(was, problems),
    areSettingsOpen: state.areSettingsOpen || isInSettings,
    focus: wrong[0] === undefined ? null : { to: wrong[0] },
  };
}

function entering(was: ConnectionStatus, problems: Problems = {}): View {
  return { at: 'entering', was, problems, failure: null };
}

/** The view a status leads to: the form where there is no key, else the connection. */
function viewOf(status: ConnectionStatus): View {
  return status.connected ? { at: 'connected', status, failure: null } : entering(status);
}

function afterStatus(state: PageState, status: ConnectionStatus): PageState {
  const { view } = state;
  if (view.at === 'loading') {
    // Closed in the middle of a change: go on with it.
    return { ...state, view: state.isUnsaved ? entering(status) : viewOf(status) };
  }
  // Asked again after a check: the connection may have been stopped by what the check met.
  const canTake = view.at === 'connected' && status.connected;
  return canTake ? { ...state, view: { ...view, status } } : state;
}

function afterSubmit(state: PageState, problems: Problems): PageState {
  if (state.view.at !== 'entering') return state;
  const { was } = state.view;
  return Object.keys(problems).length === 0
    ? { ...state, view: { at: 'saving', was }, notice: null, focus: null }
    : { ...withProblems(state, was, problems), notice: null };
}

function afterSaveFailed(state: PageState, failure: RpcFailure): PageState {
  if (state.view.at !== 'saving') return state;
  const { was } = state.view;
  const { field } = failure;
  if (field === undefined) {
    return { ...state, view: { at: 'entering', was, problems: {}, failure } };
  }
  const words = [failure.message, failure.action].filter(Boolean).join(' ');
  return withProblems(state, was, { [field]: words });
}

const FIELDS_OF_INPUT: Readonly<Record<keyof ConnectionForm, readonly ProblemField[]>> = {
  baseUrl: ['baseUrl'],
  calls: ['quota'],
  perSeconds: ['quota'],
  findOut: ['quota'],
  sharing: ['sharing'],
  defaultMarket: ['settings', 'defaultMarket'],
  ukMarket: ['settings', 'ukMarket'],
  roiUnit: ['settings', 'roiUnit'],
  buyPriceName: ['settings', 'buyPriceName'],
  sellPriceName: ['settings', 'sellPriceName'],
};

/** What is being mended is no longer called wrong. */
function withoutProblems(state: PageState, fields: readonly ProblemField[]): PageState {
  if (state.view.at !== 'entering') return state;
  const left = Object.entries(state.view.problems).filter(
    ([field]) => !fields.some((mended) => mended === field),
  );
  return { ...state, view: { ...state.view, problems: Object.fromEntries(left) } };
}

function afterEdit(state: PageState, change: Partial<ConnectionForm>): PageState {
  const fields = Object.keys(change).flatMap(
    (name) => FIELDS_OF_INPUT[name as keyof ConnectionForm],
  );
  const form = { ...state.form, ...change };
  return { ...withoutProblems(state, fields), form, isUnsaved: true, notice: null };
}

function afterCheck(state: PageState, run: number, check: Check): PageState {
  return state.check.at === 'running' && state.check.run === run ? { ...state, check } : state;
}

/** Of another connection's products nothing is said: with `none`, an end is no news. */
function afterWaiting(waiting: Waiting, event: PageEvent & { type: `waiting${string}` }): Waiting {
  if (event.type === 'waitingCounted' && event.left > 0) return { at: 'working', left: event.left };
  if (waiting.at !== 'working') return waiting;
  return event.type === 'waitingCounted'
    ? { at: 'done' }
    : { at: 'stopped', failure: event.failure };
}

function afterRemoval(state: PageState, event: PageEvent & { type: `remov${string}` }): PageState {
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
        focus: { to: 'title' },
      };
  }
}

function afterChange(state: PageState, event: PageEvent & { type: `change${string}` }): PageState {
  const { view } = state;
  if (event.type === 'changeOpened') {
    if (view.at !== 'connected') return state;
    return {
      ...state,
      view: entering(view.status),
      form: formOf(view.status, EMPTY_FORM),
      changing: event.field,
      areSettingsOpen: event.field === 'settings',
      isUnsaved: false,
      notice: null,
      focus: { to: event.field },
    };
  }
  if (view.at !== 'entering' || !view.was.connected) return state;
  return {
    ...state,
    view: viewOf(view.was),
    isUnsaved: false,
    focus: { to: `change-${state.changing}` },
  };
}

export function step(state: PageState, event: PageEvent): PageState {
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
    case 'keyTyped':
      return withoutProblems(state, ['apiKey']);
    case 'settingsToggled':
      return { ...state, areSettingsOpen: event.isOpen };
    case 'submitted':
      return afterSubmit(state, event.problems);
    case 'saved':
      if (state.view.at !== 'saving') return state;
      return {
        ...state,
        view: viewOf(event.status),
        isUnsaved: false,
        areSettingsOpen: false,
        check: { at: 'none' },
        waiting: { at: 'none' },
        focus: { to: 'title' },
      };
    case 'saveFailed':
      return afterSaveFailed(state, event.failure);
    case 'changeOpened':
    case 'changeLeft':
      return afterChange(state, event);
    case 'checkStarted':
      if (state.view.at !== 'connected') return state;
      return { ...state, check: { at: 'running', run: event.run }, notice: null };
    case 'checkAnswered':
      return afterCheck(state, event.run, { at: 'done', report: event.report });
    case 'checkFailed':
      return afterCheck(state, event.run, { at: 'failed', failure: event.failure });
    case 'waitingCounted':
    case 'waitingFailed':
      return { ...state, waiting: afterWaiting(state.waiting, event) };
    default:
      return afterRemoval(state, event);
  }
}
