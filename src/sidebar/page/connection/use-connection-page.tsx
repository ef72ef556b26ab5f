// The Connection page as the frame shows it: its reducer, what it asks for, and what is kept.
import { useEffect, useLayoutEffect, useMemo, useReducer } from 'preact/hooks';
import type { ConnectionStatus } from '../../rpc-contract';
import type { DraftStore } from '../draft-store';
import { useFocus } from '../frame/focus';
import type { Page, PageContext } from '../frame/page';
import { createFormulaRefresher, refreshedText } from '../waiting/refresh-formulas';
import { createWaitingWorker } from '../waiting/work-off';
import { createConnectionActions } from './actions';
import { buttonsOf } from './buttons';
import { ConnectionBody } from './connection-body';
import { BESIDE_DRAFT, besideFrom, FORM_DRAFT, formFrom } from './draft';
import { ownOf } from './form';
import { remedyOf } from './remedies';
import { type Change, type ConnectionState, firstState } from './state';
import { step } from './step';
import {
  type ChipText,
  chipOf,
  failureOf,
  questionOf,
  spokenOf,
  statusOf,
  waitingText,
} from './summary';

/** Every other page and the frame live by what this one knows. */
export interface ConnectionPage {
  readonly page: Page;
  /** null until the server has answered. */
  readonly status: ConnectionStatus | null;
  readonly chip: ChipText;
  /** The line about products that wait; empty where there is none. */
  readonly waiting: string;
}

function keptBy(drafts: DraftStore): ConnectionState {
  const form = formFrom(drafts.read(FORM_DRAFT));
  return firstState({ form, beside: besideFrom(drafts.read(BESIDE_DRAFT)) });
}

export function useConnectionPage({ rpc, drafts, pause }: PageContext): ConnectionPage {
  const [state, dispatch] = useReducer(step, drafts, keptBy);
  const actions = useMemo(
    () =>
      createConnectionActions(rpc, dispatch, {
        waiting: createWaitingWorker(rpc, dispatch, pause),
        formulas: createFormulaRefresher(rpc, dispatch),
      }),
    [rpc, pause],
  );
  useEffect(() => void actions.load(), [actions]);
  // Before the next paint: who types and closes at once keeps what was typed, too.
  useLayoutEffect(() => {
    if (state.isUnsaved) drafts.write(FORM_DRAFT, state.form);
    else drafts.forget(FORM_DRAFT);
  }, [drafts, state.form, state.isUnsaved]);
  useLayoutEffect(() => drafts.write(BESIDE_DRAFT, state.beside), [drafts, state.beside]);
  useFocus(state.focus);

  const failure = failureOf(state);
  const status = statusOf(state);
  const isTold = status?.connected === true && status.stopped !== undefined;
  const open = (change: Change) => dispatch({ type: 'changeOpened', change });
  const canOpen = state.view.at === 'connected' && ownOf(state.view.status) !== null;

  return {
    status,
    chip: chipOf(state),
    waiting: [refreshedText(state.refreshing, isTold), waitingText(state.waiting, isTold)]
      .filter(Boolean)
      .join(' '),
    page: {
      id: 'connection',
      name: 'Connection',
      body: <ConnectionBody state={state} actions={actions} dispatch={dispatch} />,
      buttons: buttonsOf(state, actions, dispatch),
      messages: {
        failure,
        remedy: failure !== null && canOpen ? remedyOf(failure, open) : undefined,
        notice: state.notice,
        question: questionOf(state),
        spoken: spokenOf(state),
      },
      isLoading: state.view.at === 'loading',
      leave: () =>
        dispatch({ type: state.view.at === 'confirming' ? 'removalLeft' : 'changeLeft' }),
      again: () => void actions.load(),
    },
  };
}
