// What the bottom bar offers on the Analyze page, in each of its views.
import type { ConnectionStatus } from '../../rpc-contract';
import type { ScheduleSettings } from '../../schedule-contract';
import type { BarButton, Buttons } from '../frame/page';
import type { AnalyzeActions } from './actions';
import type { AnalyzeEvent, AnalyzeState, CheckedView, ChoosingView, RunView } from './state';
import { retryable, retryableRows, stateOf } from './summary';
import { countText } from './words';

export interface Hands {
  readonly state: AnalyzeState;
  readonly actions: AnalyzeActions;
  dispatch(event: AnalyzeEvent): void;
  toConnection(): void;
  toSchedule(): void;
  /** Makes a schedule. */
  repeat(settings: ScheduleSettings): Promise<void>;
}

const BACK: Pick<BarButton, 'id' | 'label'> = { id: 'analyze-back', label: 'Back' };

function lookAgain({ actions }: Hands): BarButton {
  return { id: 'analyze-look', label: 'Look again', press: () => void actions.load(null) };
}

function choosingButtons(view: ChoosingView, hands: Hands): Buttons {
  const { choice, isChecking, look } = view;
  if (choice === null || look.listRows === 0) return { primary: lookAgain(hands) };
  const check: BarButton = {
    label: isChecking ? 'Loading preview' : 'Preview',
    isBusy: isChecking,
    press: () => void hands.actions.check(choice),
  };
  return choice.fields.length === 0
    ? { primary: { label: 'Choose figures', press: () => unfold(view, hands) } }
    : { primary: check, second: lookAgain(hands) };
}

function unfold({ areFieldsOpen }: ChoosingView, { dispatch }: Hands): void {
  if (!areFieldsOpen) dispatch({ type: 'fieldsToggled' });
}

function checkedButtons(view: CheckedView, { actions, dispatch }: Hands): Buttons {
  const { choice, preflight, isStarting } = view;
  const second = { ...BACK, press: () => dispatch({ type: 'left' }) };
  if (preflight.problem !== undefined) return { primary: second };
  if (isStarting) return { primary: { label: 'Starting', isBusy: true } };
  const { calls } = preflight;
  const label = calls === 0 ? 'Write saved figures' : `Start ${countText(calls, 'call')}`;
  return { primary: { label, press: () => void actions.start(choice) }, second };
}

function overButtons({ status, asked }: RunView, hands: Hands): Buttons {
  const fresh: BarButton = {
    id: 'analyze-new',
    label: 'New run',
    press: () => void hands.actions.load(null),
  };
  const rows = retryableRows(status);
  if (asked === 'retry') return { primary: { label: 'Starting', isBusy: true } };
  if (rows === 0) return { primary: fresh };
  const retry = () => void hands.actions.retry(status.jobId, retryable(status));
  return { primary: { label: `Retry ${rows.toLocaleString()}`, press: retry }, second: fresh };
}

function stopQuestionButtons({ status }: RunView, { actions, dispatch }: Hands): Buttons {
  return {
    primary: {
      label: 'Stop the run',
      isDangerous: true,
      press: () => void actions.act('stop', status.jobId),
    },
    second: { id: 'analyze-keep', label: 'Keep it', press: () => dispatch({ type: 'left' }) },
  };
}

function runButtons(view: RunView, hands: Hands): Buttons {
  const { status, asked } = view;
  const { actions, dispatch } = hands;
  const { jobId } = status;
  const state = stateOf(view);
  if (state === 'finished' || state === 'stopped') return overButtons(view, hands);
  if (state === 'stopping') return { primary: { label: 'Stopping', isBusy: true } };
  if (view.isStopAsked) return stopQuestionButtons(view, hands);
  const second: BarButton = {
    id: 'analyze-stop',
    label: 'Stop',
    press: () => dispatch({ type: 'stopAsked' }),
  };
  if (state === 'pausing') return { primary: { label: 'Pausing', isBusy: true }, second };
  if (asked === 'resume') return { primary: { label: 'Resuming…', isBusy: true }, second };
  // A schedule goes on by itself, so there is nothing to pause: stopped, it goes on another time.
  if (status.isScheduled === true) return { primary: { ...second, label: 'Stop' } };
  return state === 'running'
    ? { primary: { label: 'Pause', press: () => void actions.act('pause', jobId) }, second }
    : { primary: { label: 'Continue', press: () => void actions.act('resume', jobId) }, second };
}

export function buttonsOf(hands: Hands, connection: ConnectionStatus | null): Buttons {
  const { view } = hands.state;
  if (view.at === 'run') return runButtons(view, hands);
  if (connection?.connected === false)
    return { primary: { label: 'Connect a key', press: () => hands.toConnection() } };
  switch (view.at) {
    case 'loading':
      return { primary: { label: 'Loading', isBusy: true } };
    case 'unreached':
      return { primary: { label: 'Try again', press: () => void hands.actions.load(null) } };
    case 'choosing':
      return choosingButtons(view, hands);
    case 'checked':
      return checkedButtons(view, hands);
  }
}
