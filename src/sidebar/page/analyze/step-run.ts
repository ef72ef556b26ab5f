// What happens to a run that is shown: progress, a lost line, and what the person asks of it. Pure.
import type { BulkStatus } from '../../bulk-contract';
import { type AnalyzeEvent, type AnalyzeState, isOursToDrive, isOver, type RunView } from './state';

export type RunEvent = Extract<
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

export function runView(status: BulkStatus): RunView {
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

/** Nothing is left to be asked of a run that is over. */
function afterStatus(view: RunView, status: BulkStatus): RunView {
  const isStopAsked = view.isStopAsked && !isOver(status);
  return { ...view, status, isStopAsked, isLost: false };
}

function afterDone(state: AnalyzeState, view: RunView, status: BulkStatus): AnalyzeState {
  const isNew = status.jobId !== view.status.jobId;
  const isDriven = isNew || view.asked === 'resume' || view.isDriven;
  return {
    ...state,
    view: { ...afterStatus(view, status), asked: null, isDriven },
    seenJob: status.jobId,
    // A retry is of the same choice.
    ran: state.ran && { ...state.ran, jobId: status.jobId },
    openList: isNew ? null : state.openList,
    focus: isNew ? { to: 'analyze-title' } : state.focus,
  };
}

/** A run that was started elsewhere after this one ended: only it can be gone on with, or stopped. */
function afterAnother(state: AnalyzeState, view: RunView, status: BulkStatus): AnalyzeState {
  if (isOver(view.status) || status.startedAtMs <= view.status.startedAtMs) return state;
  return { ...state, view: { ...runView(status), isDriven: false }, openList: null };
}

export function stepRun(state: AnalyzeState, event: RunEvent): AnalyzeState {
  const { view } = state;
  if (view.at !== 'run') return state;
  switch (event.type) {
    case 'statusArrived':
      if (event.status.jobId !== view.status.jobId) return afterAnother(state, view, event.status);
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
