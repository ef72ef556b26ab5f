// What the bottom bar offers on the Schedule page, in each of its views.
import type { ConnectionStatus } from '../../rpc-contract';
import type { ScheduleSettings } from '../../schedule-contract';
import type { BarButton, Buttons } from '../frame/page';
import type { ScheduleActions } from './actions';
import { FORMULAS_EVERY_MORNING, formOf } from './form';
import { type Edit, isNew, type ListView, type ScheduleEvent, type ScheduleState } from './state';
import { ADD_ID, KEEP_ID } from './step';
import type { Clock } from './times';

export interface Hands {
  readonly state: ScheduleState;
  readonly actions: ScheduleActions;
  dispatch(event: ScheduleEvent): void;
  toConnection(): void;
  /** For a schedule that is made now. */
  newId(): string;
}

/** What a view is drawn from. */
export interface ListProps {
  readonly view: ListView;
  readonly hands: Hands;
  readonly clock: Clock;
}

/** What a new schedule starts from: the list on view, else the formulas, if there are any. */
function suggestionOf({ look }: ListView): ScheduleSettings | null {
  return look.suggestion ?? (look.formulaCells > 0 ? FORMULAS_EVERY_MORNING : null);
}

function editButtons(view: ListView, edit: Edit, { actions, dispatch }: Hands): Buttons {
  if (edit.isSaving) return { primary: { label: 'Saving', isBusy: true } };
  return {
    primary: {
      label: isNew(view, edit) ? 'Add schedule' : 'Save',
      press: () => void actions.save(edit.form),
    },
    second: { id: 'schedule-back', label: 'Back', press: () => dispatch({ type: 'left' }) },
  };
}

function removeButtons(view: ListView, id: string, { actions, dispatch }: Hands): Buttons {
  if (view.asked?.act === 'remove') return { primary: { label: 'Removing', isBusy: true } };
  return {
    primary: {
      label: 'Remove schedule',
      isDangerous: true,
      press: () => void actions.remove(id),
    },
    second: { id: KEEP_ID, label: 'Keep it', press: () => dispatch({ type: 'left' }) },
  };
}

/** The first one takes a single press, and a second button for who wants it otherwise. */
function firstButtons(settings: ScheduleSettings, view: ListView, hands: Hands): Buttons {
  const { actions, dispatch, newId } = hands;
  if (view.asked?.act === 'add') return { primary: { label: 'Adding', isBusy: true } };
  return {
    primary: {
      id: ADD_ID,
      label: 'Refresh every morning',
      press: () => void actions.add(newId(), settings),
    },
    second: {
      id: 'schedule-other',
      label: 'Choose another schedule',
      press: () => dispatch({ type: 'editWished', form: formOf(newId(), settings) }),
    },
  };
}

function listButtons(view: ListView, hands: Hands, isKeyMissing: boolean): Buttons {
  const { state, actions, dispatch, newId, toConnection } = hands;
  if (view.removing !== null) return removeButtons(view, view.removing, hands);
  if (state.running !== null)
    return state.running.isStopping
      ? { primary: { label: 'Stopping', isBusy: true } }
      : { primary: { label: 'Stop', press: () => void actions.stop() } };
  const isFirst = view.look.schedules.length === 0;
  if (isFirst && isKeyMissing) return { primary: { label: 'Connect a key', press: toConnection } };
  const settings = suggestionOf(view);
  const again: BarButton = { label: 'Look again', press: () => void actions.refresh() };
  if (settings === null) return { primary: again };
  if (isFirst) return firstButtons(settings, view, hands);
  return {
    primary: {
      id: ADD_ID,
      label: 'Add schedule',
      press: () => dispatch({ type: 'editWished', form: formOf(newId(), settings) }),
    },
  };
}

export function buttonsOf(hands: Hands, connection: ConnectionStatus | null): Buttons {
  const { view, edit } = hands.state;
  switch (view.at) {
    case 'loading':
      return { primary: { label: 'Loading', isBusy: true } };
    case 'unreached':
      return { primary: { label: 'Try again', press: () => void hands.actions.load() } };
    case 'list':
      if (edit !== null) return editButtons(view, edit, hands);
      return listButtons(view, hands, connection?.connected === false);
  }
}
