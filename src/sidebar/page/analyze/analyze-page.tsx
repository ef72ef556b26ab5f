// The Analyze page as the frame shows it: its reducer, its body, what it keeps.

import { useEffect, useMemo, useReducer, useState } from 'preact/hooks';
import type { ConnectionStatus } from '../../api/connection';
import { Skeleton, Title } from '../ui/heading';
import { useFocus, useKept, useReturn } from '../ui/hooks';
import type { ConnectedContext, DraftStore, MakeSchedule, Page } from '../ui/page';
import { isOver } from '../ui/texts';
import { buttonsOf, createAnalyzeActions, type Effects, leave } from './actions';
import { CheckedBody } from './checked-view';
import { ChoosingBody } from './choosing-view';
import { CleanupBody } from './cleanup-view';
import { createRunFollower } from './run-follower';
import { RunBody } from './run-view';
import {
  CHOICE_DRAFT,
  choiceFrom,
  firstState,
  type Kept,
  RAN_DRAFT,
  ranFrom,
  SEEN_RUN,
  step,
  UNDO_DRAFT,
  undoFrom,
} from './state';
import { messagesOf } from './texts';

/** Takes the focus after a step, so that it is read out. */
const TITLE_ID = 'analyze-title';

interface AnalyzeBodyProps {
  readonly hands: Effects;
  readonly connection: ConnectionStatus | null;
  readonly nowMs: number;
}

function AnalyzeBody({ hands, connection, nowMs }: AnalyzeBodyProps) {
  const { view } = hands.state;
  if (view.at === 'run') return <RunBody view={view} hands={hands} nowMs={nowMs} />;
  if (connection?.connected === false) {
    return (
      <Title
        id={TITLE_ID}
        text="Connect your key first"
        lead="A run uses your own key. Enter it under Connection, then come back here."
      />
    );
  }
  switch (view.at) {
    case 'loading':
      return (
        <>
          <Title id={TITLE_ID} text="Analyze" />
          <Skeleton rows={4} />
        </>
      );
    case 'unreached':
      return <Title id={TITLE_ID} text="Analyze" lead="The sheet could not be read just now." />;
    case 'choosing':
      return <ChoosingBody view={view} hands={hands} nowMs={nowMs} />;
    case 'checked':
      return <CheckedBody view={view} hands={hands} />;
    case 'cleanup':
      return <CleanupBody view={view} hands={hands} />;
  }
}

function keptIn(drafts: DraftStore): Kept {
  const seenRun = drafts.read(SEEN_RUN);
  return {
    draft: choiceFrom(drafts.read(CHOICE_DRAFT)),
    seenRun: typeof seenRun === 'string' ? seenRun : null,
    ran: ranFrom(drafts.read(RAN_DRAFT)),
    undo: undoFrom(drafts.read(UNDO_DRAFT)),
  };
}

function useAnalyze({ rpc, drafts, pause, nowMs, connection }: ConnectedContext) {
  const [kept] = useState(() => keptIn(drafts));
  const [state, dispatch] = useReducer(step, kept, firstState);
  const follower = useMemo(() => createRunFollower(rpc, dispatch, pause), [rpc, pause]);
  const actions = useMemo(() => createAnalyzeActions(rpc, dispatch, follower), [rpc, follower]);
  const { view, draft, seenRun, ran, undo } = state;
  const isKeyMissing = connection?.connected === false;
  useEffect(() => {
    if (!isKeyMissing) void actions.load(kept.seenRun);
  }, [actions, kept, isKeyMissing]);
  useEffect(() => follower.follow(view.at === 'run' ? view.status : null), [follower, view]);
  useKept(drafts, CHOICE_DRAFT, draft);
  useKept(drafts, SEEN_RUN, seenRun);
  useKept(drafts, RAN_DRAFT, ran);
  useKept(drafts, UNDO_DRAFT, undo);
  useFocus(state.focus);
  const isWished = view.at === 'choosing' && !view.areFieldsOpen;
  useReturn(TITLE_ID, isWished, nowMs, actions.refresh);
  return { state, dispatch, follower, actions, isWished };
}

/** What other pages have for the end of a run. */
interface RunEnd {
  /** Makes a schedule. */
  readonly make: MakeSchedule;
  /** What its list comes to. */
  readonly deals: Effects['deals'];
  /** It is on view. */
  seen(): void;
}

export function useAnalyzePage(context: ConnectedContext, { make, deals, seen }: RunEnd): Page {
  const { state, dispatch, follower, actions, isWished } = useAnalyze(context);
  const { view } = state;
  const endedRun = view.at === 'run' && isOver(view.status) ? view.status.runId : null;
  useEffect(() => {
    if (endedRun !== null) seen();
  }, [endedRun, seen]);
  const { connection, nowMs, goTo } = context;
  const toConnection = () => goTo('connection');
  const repeat: Effects['repeat'] = async (settings) => {
    dispatch({ type: 'repeatAsked' });
    const made = await make(settings);
    if ('kind' in made) dispatch({ type: 'repeatFailed', failure: made });
    else dispatch({ type: 'repeatDone', name: made.name });
  };
  const toSchedule = () => goTo('schedule');
  const toDeals = () => goTo('deals');
  const hands = { state, actions, dispatch, toConnection, toSchedule, toDeals, repeat, deals };
  return {
    id: 'analyze',
    name: 'Analyze',
    body: <AnalyzeBody hands={hands} connection={connection} nowMs={nowMs()} />,
    buttons: buttonsOf(hands, connection),
    messages: messagesOf(state, { toConnection, lookAgain: () => void actions.load(null) }),
    isLoading: view.at === 'loading',
    leave: () => leave(hands),
    // While another page was shown, nobody noticed which sheet came into view.
    enter: () => {
      if (isWished) void actions.refresh();
    },
    again: () => {
      follower.wake();
      if (view.at === 'unreached') void actions.load(null);
    },
  };
}
