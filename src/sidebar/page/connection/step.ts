// The pure step from one state of the Connection page to the next; what does not fit changes nothing.
import type { ConnectionStatus } from '../../rpc-contract';
import { formOf } from './form';
import type { Check, ConnectionEvent, ConnectionState, Waiting } from './state';
import { stepErrand } from './step-errand';
import { afterChange, afterEdit, afterSaveFailed, afterSubmit, withoutProblems } from './step-form';
import { entering, firstFocus, viewOf } from './views';

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

function afterCheck(state: ConnectionState, run: number, check: Check): ConnectionState {
  return state.check.at === 'running' && state.check.run === run ? { ...state, check } : state;
}

/** What came of a refresh is no news beside what is done next. */
const untold = (state: ConnectionState): ConnectionState =>
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
      return afterSubmit(untold(state), event.problems);
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
      if (state.view.at !== 'connected') return state;
      return { ...untold(state), check: { at: 'running', run: event.run }, notice: null };
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
      return stepErrand(state, event);
  }
}
