// What the bottom bar offers on the Connection page, in each of its views.
import type { ConnectionStatus } from '../../rpc-contract';
import type { BarButton, Buttons } from '../frame/page';
import type { ConnectionActions } from './actions';
import { FORM_ID } from './entry-form';
import { ownOf } from './form';
import type { ConnectionEvent, ConnectionState, Errand } from './state';
import { wishOf } from './summary';
import { canLeave } from './views';

type Dispatch = (event: ConnectionEvent) => void;

/** After a check that worked, the next thing is to see it in cells. */
function connectedButtons(
  { check, errand, beside }: ConnectionState,
  { isOwn, isAnswering }: { readonly isOwn: boolean; readonly isAnswering: boolean },
  actions: ConnectionActions,
  dispatch: Dispatch,
): Buttons {
  const isChecking = check.at === 'running';
  const ask = () => void actions.check(wishOf(beside));
  const insert = insertButton(errand, actions);
  if (check.at === 'done') {
    return { primary: insert, second: { id: 'check', label: 'Check again', press: ask } };
  }
  const again = check.at === 'none' ? 'Check' : 'Check again';
  const primary = { label: isChecking ? 'Checking' : again, isBusy: isChecking, press: ask };
  if (!isOwn) {
    const press = () => dispatch({ type: 'changeOpened', change: 'apiKey' });
    return { primary, second: { id: 'change-apiKey', label: 'Use my own key', press } };
  }
  // A key that is refused would answer no rows.
  const canAnswer = check.at === 'none' && isAnswering;
  return canAnswer ? { primary, second: insert } : { primary };
}

function insertButton(errand: Errand | null, actions: ConnectionActions): BarButton {
  const isBusy = errand === 'samples';
  return {
    id: 'insert-samples',
    label: isBusy ? 'Writing rows' : 'Create an example sheet',
    isBusy,
    press: () => void actions.insertSamples(),
  };
}

function enteringButtons(
  was: ConnectionStatus,
  errand: Errand | null,
  actions: ConnectionActions,
  dispatch: Dispatch,
): Buttons {
  const primary = { label: ownOf(was) === null ? 'Connect' : 'Save', form: FORM_ID };
  if (canLeave(was)) {
    const leave = () => dispatch({ type: 'changeLeft' });
    return { primary, second: { id: 'back', label: 'Back', press: leave } };
  }
  const isBusy = errand === 'demo';
  const start = () => void actions.startDemo();
  return { primary, second: { id: 'try-samples', label: 'Try samples', isBusy, press: start } };
}

export function buttonsOf(
  state: ConnectionState,
  actions: ConnectionActions,
  dispatch: Dispatch,
): Buttons {
  const { view } = state;
  switch (view.at) {
    case 'loading':
      return { primary: { label: 'Loading', isBusy: true } };
    case 'unreached':
      return { primary: { label: 'Try again', press: () => void actions.load() } };
    case 'entering':
      return enteringButtons(view.was, state.errand, actions, dispatch);
    case 'sampling':
      return {
        primary: insertButton(state.errand, actions),
        second: {
          id: 'change-baseUrl',
          label: 'Connect a key',
          press: () => dispatch({ type: 'changeOpened', change: 'baseUrl' }),
        },
      };
    case 'saving':
      return {
        primary: { label: ownOf(view.was) === null ? 'Connecting' : 'Saving', isBusy: true },
      };
    case 'confirming':
      return {
        primary: { label: 'Remove key', isDangerous: true, press: () => void actions.remove() },
        second: { id: 'keep', label: 'Keep it', press: () => dispatch({ type: 'removalLeft' }) },
      };
    case 'removing':
      return { primary: { label: 'Removing', isDangerous: true, isBusy: true } };
    case 'connected':
      return connectedButtons(
        state,
        {
          isOwn: ownOf(view.status) !== null,
          isAnswering: view.status.stopped === undefined,
        },
        actions,
        dispatch,
      );
  }
}
