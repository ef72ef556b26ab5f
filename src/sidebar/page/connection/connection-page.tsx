// The Connection page as the frame shows it: its reducer, its body, remedies, what it keeps.

import { useEffect, useLayoutEffect, useMemo, useReducer, useRef } from 'preact/hooks';
import { mendOf } from '../../../failures/failure';
import type { ConnectionStatus } from '../../api/connection';
import type { RpcFailure } from '../../api/failure-view';
import { Skeleton } from '../ui/heading';
import { useFocus } from '../ui/hooks';
import type { DraftStore, Page, PageContext, Remedy } from '../ui/page';
import {
  buttonsOf,
  type ConnectionActions,
  createConnectionActions,
  createFormulaRefresher,
  createWaitingWorker,
  refreshedText,
} from './actions';
import { ConnectedView } from './connected-view';
import { EntryForm } from './entry-view';
import {
  BESIDE_DRAFT,
  besideFrom,
  draftOf,
  FORM_DRAFT,
  formFrom,
  ownOf,
  problemsOf,
  tidyAddress,
  tidyKey,
} from './form';
import { type Change, type ConnectionEvent, type ConnectionState, firstState, step } from './state';
import {
  announcementOf,
  type ChipText,
  chipOf,
  failureOf,
  questionOf,
  statusOf,
  VIEW_TEXTS,
  waitingText,
} from './texts';

const LABELS = { apiKey: 'Replace the key', baseUrl: 'Edit the address' } as const;

/** Left out where asking again is all there is to do: that button is there anyway. */
function remedyOf({ kind }: RpcFailure, open: (change: Change) => void): Remedy | undefined {
  const mend = mendOf(kind);
  return mend && { label: LABELS[mend], press: () => open(mend) };
}

interface SamplingViewProps {
  readonly isBusy: boolean;
  stop(): void;
}

function SamplingView({ isBusy, stop }: SamplingViewProps) {
  return (
    <>
      <h1 id="connection-title" tabIndex={-1}>
        {VIEW_TEXTS.tryingSamples}
      </h1>
      <p class="lead">{VIEW_TEXTS.samplesLead}</p>
      <ul class="facts">
        <li>{VIEW_TEXTS.samplesCost}</li>
        <li>{VIEW_TEXTS.samplesOnly}</li>
        <li>{VIEW_TEXTS.samplesEnd}</li>
      </ul>
      <p class="links">
        <button class="link" type="button" disabled={isBusy} onClick={stop}>
          {VIEW_TEXTS.stopSamples}
        </button>
      </p>
    </>
  );
}

interface ConnectionBodyProps {
  readonly state: ConnectionState;
  readonly actions: ConnectionActions;
  readonly nowMs: number;
  dispatch(event: ConnectionEvent): void;
}

function Entering({ state, actions, dispatch }: ConnectionBodyProps) {
  const { view, form } = state;
  const keyInput = useRef<HTMLInputElement>(null);
  if (view.at !== 'entering' && view.at !== 'saving') return null;
  const { was } = view;
  const submit = (): void => {
    const key = tidyKey(keyInput.current?.value ?? '');
    const problems = problemsOf(form, was, key !== '');
    dispatch({ type: 'submitted', problems });
    if (Object.keys(problems).length === 0) void actions.save(draftOf(form, was, key));
  };
  return (
    <EntryForm
      was={was}
      form={form}
      problems={view.at === 'entering' ? view.problems : {}}
      isSaving={view.at === 'saving'}
      areSettingsOpen={state.areSettingsOpen}
      keyInput={keyInput}
      keyTyped={() => dispatch({ type: 'keyTyped' })}
      edit={(change) => dispatch({ type: 'edited', change })}
      tidy={() => {
        const baseUrl = tidyAddress(form.baseUrl);
        if (baseUrl !== form.baseUrl) dispatch({ type: 'edited', change: { baseUrl } });
      }}
      toggleSettings={(isOpen) => dispatch({ type: 'settingsToggled', isOpen })}
      submit={submit}
    />
  );
}

interface PlainViewProps {
  readonly isLoading: boolean;
}

function PlainView({ isLoading }: PlainViewProps) {
  return (
    <>
      <h1 class="heard" id="connection-title" tabIndex={-1}>
        {VIEW_TEXTS.connection}
      </h1>
      {isLoading ? <Skeleton rows={4} /> : <p class="lead">{VIEW_TEXTS.unreached}</p>}
    </>
  );
}

function ConnectionBody(props: ConnectionBodyProps) {
  const { state, actions } = props;
  const { view } = state;
  switch (view.at) {
    case 'loading':
    case 'unreached':
      return <PlainView isLoading={view.at === 'loading'} />;
    case 'entering':
    case 'saving':
      return <Entering {...props} />;
    case 'sampling':
      return <SamplingView isBusy={state.pending !== null} stop={() => void actions.stopDemo()} />;
    default:
      return <ConnectedView {...props} status={view.status} />;
  }
}

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

export function useConnectionPage({
  rpc,
  drafts,
  pause,
  nowMs,
  goTo,
}: PageContext): ConnectionPage {
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
      body: <ConnectionBody state={state} actions={actions} nowMs={nowMs()} dispatch={dispatch} />,
      buttons: buttonsOf(state, actions, dispatch, () => goTo('analyze')),
      messages: {
        failure,
        remedy: failure !== null && canOpen ? remedyOf(failure, open) : undefined,
        notice: state.notice,
        question: questionOf(state),
        spoken: announcementOf(state),
      },
      isLoading: state.view.at === 'loading',
      leave: () =>
        dispatch({ type: state.view.at === 'confirming' ? 'removalLeft' : 'changeLeft' }),
      again: () => void actions.load(),
    },
  };
}
