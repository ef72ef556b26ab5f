// The Analyze page as the frame shows it: its reducer, what it asks for, and what is kept.
import { useEffect, useMemo, useReducer, useState } from 'preact/hooks';
import type { DraftStore } from '../draft-store';
import { useFocus } from '../frame/focus';
import { useKept } from '../frame/kept';
import type { ConnectedContext, Page } from '../frame/page';
import { useReturn } from '../frame/return';
import type { MakeSchedule } from '../schedule/use-schedule-page';
import { createAnalyzeActions } from './actions';
import { AnalyzeBody, TITLE_ID } from './analyze-body';
import { buttonsOf, type Hands } from './buttons';
import { CHOICE_DRAFT, choiceFrom, RAN_DRAFT, ranFrom, SEEN_JOB } from './choice';
import { createRunFollower } from './run-follower';
import { firstState, type Kept } from './state';
import { step } from './step';
import { messagesOf } from './summary';

function keptIn(drafts: DraftStore): Kept {
  const seenJob = drafts.read(SEEN_JOB);
  return {
    draft: choiceFrom(drafts.read(CHOICE_DRAFT)),
    seenJob: typeof seenJob === 'string' ? seenJob : null,
    ran: ranFrom(drafts.read(RAN_DRAFT)),
  };
}

function useAnalyze({ rpc, drafts, pause, nowMs, connection }: ConnectedContext) {
  const [kept] = useState(() => keptIn(drafts));
  const [state, dispatch] = useReducer(step, kept, firstState);
  const follower = useMemo(() => createRunFollower(rpc, dispatch, pause), [rpc, pause]);
  const actions = useMemo(() => createAnalyzeActions(rpc, dispatch, follower), [rpc, follower]);
  const { view, draft, seenJob, ran } = state;
  const isKeyMissing = connection?.connected === false;
  useEffect(() => {
    if (!isKeyMissing) void actions.load(kept.seenJob);
  }, [actions, kept, isKeyMissing]);
  useEffect(() => follower.follow(view.at === 'run' ? view.status : null), [follower, view]);
  useKept(drafts, CHOICE_DRAFT, draft);
  useKept(drafts, SEEN_JOB, seenJob);
  useKept(drafts, RAN_DRAFT, ran);
  useFocus(state.focus);
  const isWished = view.at === 'choosing' && !view.areFieldsOpen;
  useReturn(TITLE_ID, isWished, nowMs, actions.refresh);
  return { state, dispatch, follower, actions, isWished };
}

/** @param make makes a schedule, for the end of a run. */
export function useAnalyzePage(context: ConnectedContext, make: MakeSchedule): Page {
  const { state, dispatch, follower, actions, isWished } = useAnalyze(context);
  const { view } = state;
  const { connection, nowMs, goTo } = context;
  const toConnection = () => goTo('connection');
  const repeat: Hands['repeat'] = async (settings) => {
    dispatch({ type: 'repeatAsked' });
    const made = await make(settings);
    if ('kind' in made) dispatch({ type: 'repeatFailed', failure: made });
    else dispatch({ type: 'repeatDone', name: made.name });
  };
  const toSchedule = () => goTo('schedule');
  const hands = { state, actions, dispatch, toConnection, toSchedule, repeat };
  return {
    id: 'analyze',
    name: 'Analyze',
    body: <AnalyzeBody hands={hands} connection={connection} nowMs={nowMs()} />,
    buttons: buttonsOf(hands, connection),
    messages: messagesOf(state, { toConnection, lookAgain: () => void actions.load(null) }),
    isLoading: view.at === 'loading',
    leave: () => dispatch({ type: 'left' }),
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
