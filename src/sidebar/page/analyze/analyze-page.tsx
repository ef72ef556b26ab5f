// The Analyze page for the frame: its reducer, its body and what it keeps.

import { useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import type { ConnectionStatus } from '../../api/connection';
import { Skeleton, Title } from '../ui/heading';
import { useFocus, useKept, useReturn } from '../ui/hooks';
import {
  ANALYZE_SHEET,
  type ConnectedContext,
  type DraftStore,
  type MakeSchedule,
  type Page,
} from '../ui/page';
import { isOver, UI_TEXTS } from '../ui/texts';
import { buttonsOf, createAnalyzeActions, type Effects, leave } from './actions';
import { CheckedBody } from './checked-view';
import { choiceFrom } from './choice';
import { ChoosingBody } from './choosing-view';
import { CleanupBody } from './cleanup-view';
import { isSecondDue, pairFrom } from './pair';
import { createRunFollower } from './run-follower';
import { RunBody } from './run-view';
import {
  type AnalyzeState,
  BOTH_DRAFT,
  CHOICE_DRAFT,
  firstState,
  type Kept,
  PAIR_DRAFT,
  RAN_DRAFT,
  ranFrom,
  SEEN_RUN,
  step,
  UNDO_DRAFT,
  undoFrom,
} from './state';
import { messagesOf, VIEW_TEXTS } from './texts';

/** Receives the focus after a step, so that a screen reader reads it. */
const TITLE_ID = 'analyze-title';

interface AnalyzeBodyProps {
  readonly effects: Effects;
  readonly connection: ConnectionStatus | null;
  readonly nowMs: number;
}

function AnalyzeBody({ effects, connection, nowMs }: AnalyzeBodyProps) {
  const { view } = effects.state;
  if (view.at === 'run') return <RunBody view={view} effects={effects} nowMs={nowMs} />;
  if (connection?.connected === false) {
    return <Title id={TITLE_ID} text={VIEW_TEXTS.noKey} lead={VIEW_TEXTS.noKeyLead} />;
  }
  switch (view.at) {
    case 'loading':
      return (
        <>
          <Title id={TITLE_ID} text={UI_TEXTS.analyze} />
          <Skeleton rows={4} />
        </>
      );
    case 'unreached':
      return <Title id={TITLE_ID} text={UI_TEXTS.analyze} lead={VIEW_TEXTS.unreached} />;
    case 'choosing':
      return <ChoosingBody view={view} effects={effects} nowMs={nowMs} />;
    case 'checked':
      return <CheckedBody view={view} effects={effects} />;
    case 'cleanup':
      return <CleanupBody view={view} effects={effects} />;
  }
}

function keptIn(drafts: DraftStore): Kept {
  const seenRun = drafts.read(SEEN_RUN);
  const both = drafts.read(BOTH_DRAFT);
  return {
    draft: choiceFrom(drafts.read(CHOICE_DRAFT)),
    seenRun: typeof seenRun === 'string' ? seenRun : null,
    ran: ranFrom(drafts.read(RAN_DRAFT)),
    undo: undoFrom(drafts.read(UNDO_DRAFT)),
    both: typeof both === 'number' ? both : null,
    pair: pairFrom(drafts.read(PAIR_DRAFT)),
  };
}

/**
 * The Connection page has a button with the name of the active sheet, so the sheet is inspected for
 * that page as well.
 */
function useSheetNamed(
  { nowMs, connection, sheetSeen }: ConnectedContext,
  { view }: AnalyzeState,
  isWished: boolean,
  refresh: () => Promise<void>,
): void {
  useReturn(ANALYZE_SHEET, isWished, nowMs, refresh);
  const sheet = 'look' in view ? view.look.sheet.name : null;
  useEffect(() => sheetSeen(sheet), [sheetSeen, sheet]);
  const isIdle = useRef(isWished);
  isIdle.current = isWished;
  // Every check changes the connection, and the button appears.
  useEffect(() => {
    if (connection?.connected === true && isIdle.current) void refresh();
  }, [refresh, connection]);
}

function useAnalyze(context: ConnectedContext) {
  const { rpc, drafts, pause, nowMs, connection } = context;
  const [kept] = useState(() => keptIn(drafts));
  const [state, dispatch] = useReducer(step, kept, firstState);
  const follower = useMemo(
    () => createRunFollower(rpc, dispatch, pause, nowMs),
    [rpc, pause, nowMs],
  );
  const actions = useMemo(() => createAnalyzeActions(rpc, dispatch, follower), [rpc, follower]);
  const { view, draft, seenRun, ran, undo, both, pair } = state;
  const isKeyMissing = connection?.connected === false;
  useEffect(() => {
    if (!isKeyMissing) void actions.load(kept.seenRun);
  }, [actions, kept, isKeyMissing]);
  useEffect(() => follower.follow(view.at === 'run' ? view.status : null), [follower, view]);
  const due = view.at === 'run' && isSecondDue(pair, view.status) ? pair : null;
  const dueAfter = due?.firstRun ?? null;
  const latest = useRef(due);
  latest.current = due;
  useEffect(() => {
    if (dueAfter !== null && latest.current) void actions.startSecond(latest.current);
  }, [actions, dueAfter]);
  useKept(drafts, CHOICE_DRAFT, draft);
  useKept(drafts, SEEN_RUN, seenRun);
  useKept(drafts, RAN_DRAFT, ran);
  useKept(drafts, UNDO_DRAFT, undo);
  useKept(drafts, BOTH_DRAFT, both);
  useKept(drafts, PAIR_DRAFT, pair);
  useFocus(state.focus);
  const isWished = view.at === 'choosing' && !view.areFieldsOpen;
  useReturn(TITLE_ID, isWished, nowMs, actions.refresh);
  useSheetNamed(context, state, isWished, actions.refresh);
  return { state, dispatch, follower, actions, isWished };
}

/** What other pages do at the end of a run. */
interface RunEnd {
  /** Makes a schedule. */
  readonly make: MakeSchedule;
  /** Shows the deals of its list. */
  readonly deals: Effects['deals'];
  /** The end of the run was shown. */
  seen(): void;
}

export function useAnalyzePage(context: ConnectedContext, { make, deals, seen }: RunEnd): Page {
  const { state, dispatch, follower, actions, isWished } = useAnalyze(context);
  const { view } = state;
  const isEnd = view.at === 'run' && isOver(view.status) && !isSecondDue(state.pair, view.status);
  const endedRun = isEnd ? view.status.runId : null;
  useEffect(() => {
    if (endedRun !== null) seen();
  }, [endedRun, seen]);
  const { connection, nowMs, goTo } = context;
  const toConnection = () => goTo('connection');
  const repeat: Effects['repeat'] = async (settings) => {
    dispatch({ type: 'repeatAsked' });
    const names: string[] = [];
    for (const one of settings) {
      const made = await make(one);
      if ('kind' in made) return dispatch({ type: 'repeatFailed', failure: made });
      names.push(made.name);
    }
    const [name = ''] = names;
    dispatch({ type: 'repeatDone', name });
  };
  const toSchedule = () => goTo('schedule');
  const toDeals = () => goTo('deals');
  const effects = { state, actions, dispatch, toConnection, toSchedule, toDeals, repeat, deals };
  return {
    id: 'analyze',
    name: UI_TEXTS.analyze,
    body: <AnalyzeBody effects={effects} connection={connection} nowMs={nowMs()} />,
    buttons: buttonsOf(effects, connection),
    messages: messagesOf(state, { toConnection, lookAgain: () => void actions.load(null) }),
    isLoading: view.at === 'loading',
    leave: () => leave(effects),
    // While another page was shown, the active sheet may have changed unnoticed.
    enter: () => {
      if (isWished) void actions.refresh();
    },
    again: () => {
      follower.wake();
      if (view.at === 'unreached') void actions.load(null);
    },
  };
}
