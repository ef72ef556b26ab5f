// The pure step from one state of the Analyze page to the next; what does not fit changes nothing.
import type { BulkLook } from '../../bulk-contract';
import type { RpcFailure } from '../../rpc-contract';
import { choiceFor } from './choice';
import { type AnalyzeEvent, type AnalyzeState, type ChoosingView, isOver } from './state';
import { type RunEvent, runView, stepRun } from './step-run';
import { countText } from './words';

const TITLE = 'analyze-title';
export const EDIT_FIELDS = 'analyze-edit-fields';

function choosing(look: BulkLook, choice: ChoosingView['choice']): ChoosingView {
  return {
    at: 'choosing',
    look,
    choice,
    areFieldsOpen: false,
    isChecking: false,
    failure: null,
  };
}

/** A look that comes by itself must not undo what the person is about to do. */
function afterLook(state: AnalyzeState, look: BulkLook): AnalyzeState {
  const { view, draft } = state;
  if (look.run !== null && (view.at === 'loading' || view.at === 'choosing')) {
    const { run } = look;
    return { ...state, view: runView(run), seenJob: run.jobId, openList: null };
  }
  if (view.at === 'loading') return { ...state, view: choosing(look, choiceFor(look, draft)) };
  if (view.at !== 'choosing' || view.isChecking) return state;
  const choice = choiceFor(look, draft);
  if (view.look.sheet.id === look.sheet.id) return { ...state, view: { ...view, look, choice } };
  // Whoever pressed Preview meant the sheet in view, and has not seen yet what was found in it.
  const notice =
    view.failure === null
      ? state.notice
      : `“${look.sheet.name}” is in view now. Press Preview for its rows.`;
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
  if (view.at === 'run' && view.isStopAsked)
    return { ...state, view: { ...view, isStopAsked: false }, focus: { to: 'analyze-stop' } };
  return state;
}

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
    // The same list in another way; what was chosen before stays the person's.
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
      const { choice } = event;
      const chosen = { ...view, choice, isChecking: false, failure: null };
      return { ...state, view: chosen, draft: choice, notice: null };
    }
    case 'fieldsToggled':
      return { ...state, view: { ...view, areFieldsOpen: !view.areFieldsOpen } };
    case 'checkAsked':
      return { ...state, view: { ...view, isChecking: true, failure: null }, notice: null };
    case 'checkArrived': {
      // Of another choice than the one that stands there now, it would be wrong.
      const { choice, preflight } = event;
      if (!view.isChecking || choice !== view.choice) return state;
      const { look } = view;
      return {
        ...state,
        view: { at: 'checked', look, choice, preflight, isStarting: false, failure: null },
        focus: { to: TITLE },
      };
    }
    case 'checkFailed':
      return { ...state, view: withFailure({ ...view, isChecking: false }, event.failure) };
    default:
      return state;
  }
}

/** A failure of showing rows belongs to whatever is shown. */
function afterShowFailed(state: AnalyzeState, failure: RpcFailure): AnalyzeState {
  const { view } = state;
  if (view.at === 'loading' || view.at === 'unreached') return state;
  return { ...state, view: withFailure(view, failure), notice: null };
}

function shownText(wanted: number, shown: number): string {
  if (shown === 0) return 'These rows are no longer in the sheet.';
  return shown < wanted
    ? `The first ${countText(shown, 'row')} of ${wanted.toLocaleString()} are selected.`
    : `${countText(shown, 'row')} selected in the sheet.`;
}

function stepAside(state: AnalyzeState, event: AnalyzeEvent): AnalyzeState {
  switch (event.type) {
    case 'listToggled':
      return { ...state, openList: state.openList === event.list ? null : event.list };
    case 'rowsShown':
      return { ...state, notice: shownText(event.wanted, event.shown) };
    case 'showFailed':
      return afterShowFailed(state, event.failure);
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

export function step(state: AnalyzeState, event: AnalyzeEvent): AnalyzeState {
  if (isRunEvent(event)) return stepRun(state, event);
  const { view } = state;
  switch (event.type) {
    case 'lookAsked': {
      // Whoever goes on to a new run has seen how the last one ended.
      const hasSeen = view.at === 'run' && isOver(view.status);
      const fresh = { openList: null, notice: null, past: { at: 'folded' } } as const;
      const seenJob = hasSeen ? null : state.seenJob;
      return { ...state, ...fresh, seenJob, view: { at: 'loading' } };
    }
    case 'lookArrived':
      return afterLook(state, event.look);
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
        seenJob: event.status.jobId,
        ran: { jobId: event.status.jobId, choice: view.choice },
        openList: null,
        focus: { to: TITLE },
      };
    case 'left':
      return afterLeaving(state);
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
