// The Analyze page as the frame shows it: its reducer, what it asks for, and what is kept.
import { useEffect, useLayoutEffect, useMemo, useReducer, useState } from 'preact/hooks';
import type { DraftStore } from '../draft-store';
import { useFocus } from '../frame/focus';
import type { ConnectedContext, Page } from '../frame/page';
import { createAnalyzeActions } from './actions';
import { AnalyzeBody, TITLE_ID } from './analyze-body';
import { buttonsOf } from './buttons';
import { CHOICE_DRAFT, choiceFrom, SEEN_JOB } from './choice';
import { createRunFollower } from './run-follower';
import { firstState, type Kept } from './state';
import { step } from './step';
import { messagesOf } from './summary';

/** Whoever goes to and fro between sheet and sidebar asks no more often than this. */
const REFRESH_EVERY_MS = 3_000;

function keptIn(drafts: DraftStore): Kept {
  const seenJob = drafts.read(SEEN_JOB);
  return {
    draft: choiceFrom(drafts.read(CHOICE_DRAFT)),
    seenJob: typeof seenJob === 'string' ? seenJob : null,
  };
}

function useKept(drafts: DraftStore, name: string, value: unknown): void {
  // Before the next paint: who chooses and closes at once keeps what was chosen, too.
  useLayoutEffect(() => {
    if (value === null) drafts.forget(name);
    else drafts.write(name, value);
  }, [drafts, name, value]);
}

/** The sheet is read again when somebody comes back from it: another one may be in view. */
function useReturn(isWished: boolean, nowMs: () => number, refresh: () => Promise<void>): void {
  useEffect(() => {
    let askedMs = nowMs();
    const onFocus = (): void => {
      const isShown = document.getElementById(TITLE_ID)?.checkVisibility() === true;
      if (!isWished || !isShown || nowMs() < askedMs + REFRESH_EVERY_MS) return;
      askedMs = nowMs();
      void refresh();
    };
    window.addEventListener('focus', onFocus);
    return () => window.removeEventListener('focus', onFocus);
  }, [isWished, nowMs, refresh]);
}

function useAnalyze({ rpc, drafts, pause, nowMs, connection }: ConnectedContext) {
  const [kept] = useState(() => keptIn(drafts));
  const [state, dispatch] = useReducer(step, kept, firstState);
  const follower = useMemo(() => createRunFollower(rpc, dispatch, pause), [rpc, pause]);
  const actions = useMemo(() => createAnalyzeActions(rpc, dispatch, follower), [rpc, follower]);
  const { view, draft, seenJob } = state;
  const isKeyMissing = connection?.connected === false;
  useEffect(() => {
    if (!isKeyMissing) void actions.load(kept.seenJob);
  }, [actions, kept, isKeyMissing]);
  useEffect(() => follower.follow(view.at === 'run' ? view.status : null), [follower, view]);
  useKept(drafts, CHOICE_DRAFT, draft);
  useKept(drafts, SEEN_JOB, seenJob);
  useFocus(state.focus);
  useReturn(view.at === 'choosing' && !view.areFieldsOpen, nowMs, actions.refresh);
  return { state, dispatch, follower, actions };
}

export function useAnalyzePage(context: ConnectedContext): Page {
  const { state, dispatch, follower, actions } = useAnalyze(context);
  const { view } = state;
  const { connection, nowMs, goTo } = context;
  const toConnection = () => goTo('connection');
  const hands = { state, actions, dispatch, toConnection };
  return {
    id: 'analyze',
    name: 'Analyze',
    body: <AnalyzeBody hands={hands} connection={connection} nowMs={nowMs()} />,
    buttons: buttonsOf(hands, connection),
    messages: messagesOf(state, { toConnection, lookAgain: () => void actions.load(null) }),
    isLoading: view.at === 'loading',
    leave: () => dispatch({ type: 'left' }),
    again: () => {
      follower.wake();
      if (view.at === 'unreached') void actions.load(null);
    },
  };
}
