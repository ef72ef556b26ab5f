// The pure step from one state of the sidebar to the next; what does not fit changes nothing.
import type { ConnectionDraft, ConnectionStatus, RpcFailure } from '../rpc-contract';
import { type ConnectionForm, EMPTY_FORM, formOf, type Problems } from './connection/form';
import type { Check, PageEvent, PageState, View } from './state';

const FIELD_ORDER = ['baseUrl', 'apiKey', 'quota', 'sharing'] as const;

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
  const first = FIELD_ORDER.find((field) => problems[field] !== undefined);
  return first === undefined
    ? { ...state, view: { at: 'saving', was }, notice: null, focus: null }
    : { ...state, view: entering(was, problems), notice: null, focus: { to: first } };
}

function afterSaveFailed(state: PageState, failure: RpcFailure): PageState {
  if (state.view.at !== 'saving') return state;
  const { was } = state.view;
  const { field } = failure;
  if (field === undefined) {
    return { ...state, view: { at: 'entering', was, problems: {}, failure } };
  }
  const words = [failure.message, failure.action].filter(Boolean).join(' ');
  return { ...state, view: entering(was, { [field]: words }), focus: { to: field } };
}

const FIELD_OF_INPUT: Readonly<Record<keyof ConnectionForm, keyof ConnectionDraft>> = {
  baseUrl: 'baseUrl',
  calls: 'quota',
  perSeconds: 'quota',
  findOut: 'quota',
  sharing: 'sharing',
};

/** What is being mended is no longer called wrong. */
function withoutProblems(state: PageState, fields: readonly (keyof ConnectionDraft)[]): PageState {
  if (state.view.at !== 'entering') return state;
  const left = Object.entries(state.view.problems).filter(
    ([field]) => !fields.some((mended) => mended === field),
  );
  return { ...state, view: { ...state.view, problems: Object.fromEntries(left) } };
}

function afterEdit(state: PageState, change: Partial<ConnectionForm>): PageState {
  const fields = Object.keys(change).map((name) => FIELD_OF_INPUT[name as keyof ConnectionForm]);
  const form = { ...state.form, ...change };
  return { ...withoutProblems(state, fields), form, isUnsaved: true, notice: null };
}

function afterCheck(state: PageState, run: number, check: Check): PageState {
  return state.check.at === 'running' && state.check.run === run ? { ...state, check } : state;
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
    case 'submitted':
      return afterSubmit(state, event.problems);
    case 'saved':
      if (state.view.at !== 'saving') return state;
      return {
        ...state,
        view: viewOf(event.status),
        isUnsaved: false,
        check: { at: 'none' },
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
    default:
      return afterRemoval(state, event);
  }
}
