// The Connection page for the frame: its reducer, its body, remedies and what it keeps.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ConnectionStatus } from '../../api/connection';
import { Link } from '../ui/fields';
import { Skeleton, Title } from '../ui/heading';
import { useFocus, useKept } from '../ui/hooks';
import type { DraftStore, Page, PageContext } from '../ui/page';
import { UI_TEXTS } from '../ui/texts';
import {
  type BodyProps,
  buttonsOf,
  createConnectionActions,
  createFormulaRefresher,
  createWaitingWorker,
} from './actions';
import { ConnectedView } from './connected-view';
import { EntryForm } from './entry-view';
import { BESIDE_DRAFT, besideFrom, draftOf, FORM_DRAFT, formFrom, problemsOf } from './form';
import { tidyAddress, tidyKey } from './pasted';
import {
  type ConnectionState,
  edited,
  firstState,
  keyTyped,
  left,
  settingsToggled,
  submitted,
  viewOf,
} from './state';
import {
  announcementOf,
  type ChipText,
  chipOf,
  failureOf,
  noticeText,
  problemTexts,
  questionOf,
  refreshedText,
  VIEW_TEXTS,
  waitingText,
} from './texts';

interface SamplingViewProps {
  readonly isBusy: boolean;
  stop(): void;
}

function SamplingView({ isBusy, stop }: SamplingViewProps) {
  return (
    <>
      <Title id="connection-title" text={VIEW_TEXTS.tryingSamples} lead={VIEW_TEXTS.samplesLead} />
      <ul class="facts">
        <li>{VIEW_TEXTS.samplesCost}</li>
        <li>{VIEW_TEXTS.samplesOnly}</li>
        <li>{VIEW_TEXTS.samplesEnd}</li>
      </ul>
      <p class="links">
        <Link isDisabled={isBusy} press={stop}>
          {VIEW_TEXTS.stopSamples}
        </Link>
      </p>
    </>
  );
}

function Entering({ state, actions, update, was }: BodyProps & { readonly was: ConnectionStatus }) {
  const { form } = state;
  const keyInput = useRef<HTMLInputElement>(null);
  const submit = (): void => {
    const key = tidyKey(keyInput.current?.value ?? '');
    const problems = problemTexts(problemsOf(form, was, key !== ''));
    update(submitted(problems));
    if (Object.keys(problems).length === 0) void actions.save(draftOf(form, was, key));
  };
  return (
    <EntryForm
      was={was}
      form={form}
      problems={state.problems}
      isSaving={state.pending === 'save'}
      areSettingsOpen={state.areSettingsOpen}
      keyInput={keyInput}
      keyTyped={() => update(keyTyped)}
      edit={(change) => update(edited(change))}
      tidy={() => {
        const baseUrl = tidyAddress(form.baseUrl);
        if (baseUrl !== form.baseUrl) update(edited({ baseUrl }));
      }}
      toggleSettings={(isOpen) => update(settingsToggled(isOpen))}
      submit={submit}
    />
  );
}

function ConnectionBody(props: BodyProps) {
  const { state, actions } = props;
  const view = viewOf(state);
  switch (view.at) {
    case 'entering':
      return <Entering {...props} was={view.status} />;
    case 'sampling':
      return <SamplingView isBusy={state.pending !== null} stop={() => void actions.stopDemo()} />;
    case 'connected':
      return <ConnectedView {...props} status={view.status} />;
    default:
      return (
        <>
          <Title id="connection-title" text={UI_TEXTS.connection} isHeardOnly />
          {view.at === 'loading' ? (
            <Skeleton rows={4} />
          ) : (
            <p class="lead">{VIEW_TEXTS.unreached}</p>
          )}
        </>
      );
  }
}

/** What the frame and the other pages need from this page. */
export interface ConnectionPage {
  readonly page: Page;
  /** null until the server has answered. */
  readonly status: ConnectionStatus | null;
  readonly chip: ChipText;
  /** The line about waiting products; '' if there are none. */
  readonly waiting: string;
}

function keptBy(drafts: DraftStore): ConnectionState {
  const form = formFrom(drafts.read(FORM_DRAFT));
  return firstState({ form, beside: besideFrom(drafts.read(BESIDE_DRAFT)) });
}

/** @param sheet the name of the active sheet, if known. */
export function useConnectionPage(context: PageContext, sheet: string | null): ConnectionPage {
  const { rpc, drafts, pause, nowMs, goTo } = context;
  const [state, update] = useState(() => keptBy(drafts));
  const actions = useMemo(
    () =>
      createConnectionActions(rpc, update, {
        waiting: createWaitingWorker(rpc, update, pause),
        formulas: createFormulaRefresher(rpc, update),
      }),
    [rpc, pause],
  );
  useEffect(() => void actions.load(), [actions]);
  useKept(drafts, FORM_DRAFT, state.isUnsaved ? state.form : null);
  useKept(drafts, BESIDE_DRAFT, state.beside);
  useFocus(state.focus);

  const view = viewOf(state);
  const { status } = state;
  const isTold = status?.connected === true && status.stopped !== undefined;

  return {
    status,
    chip: chipOf(state),
    waiting: [refreshedText(state.refreshing, isTold), waitingText(state.waiting, isTold)]
      .filter(Boolean)
      .join(' '),
    page: {
      id: 'connection',
      name: UI_TEXTS.connection,
      body: <ConnectionBody state={state} actions={actions} nowMs={nowMs()} update={update} />,
      buttons: buttonsOf(state, { actions, update, sheet, toAnalyze: () => goTo('analyze') }),
      messages: {
        failure: failureOf(state),
        notice: noticeText(state.notice),
        question: questionOf(state),
        spoken: announcementOf(state),
      },
      isLoading: view.at === 'loading',
      leave: () => update(left),
      again: () => void actions.load(),
    },
  };
}
