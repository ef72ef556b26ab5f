// The Analyze page for the frame: its reducer, its body and what it keeps.

import { useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import type { ConnectionStatus } from '../../api/connection';
import { againSettings } from '../ui/default-schedule';
import { Skeleton, Title } from '../ui/heading';
import { useFocus, useKept, useReturn } from '../ui/hooks';
import { createJobLoop } from '../ui/job-loop';
import {
  ANALYZE_SHEET,
  type ConnectedContext,
  type DraftStore,
  type MakeSchedule,
  type Page,
} from '../ui/page';
import { isOver, UI_TEXTS } from '../ui/texts';
import { buttonsOf, createAnalyzeActions, type Effects, leave } from './actions';
import { choiceFrom } from './choice';
import { ChoosingBody } from './choosing-view';
import { JobBody } from './job-view';
import { isSecondDue, pairFrom } from './pair';
import { PreviewBody } from './preview-view';
import {
  type AnalyzeState,
  BOTH_DRAFT,
  CHOICE_DRAFT,
  firstState,
  type Kept,
  PAIR_DRAFT,
  RAN_DRAFT,
  ranFrom,
  SEEN_JOB,
  step,
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
  if (view.at === 'job') return <JobBody view={view} effects={effects} nowMs={nowMs} />;
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
    case 'preview':
      return <PreviewBody view={view} effects={effects} />;
  }
}

function keptIn(drafts: DraftStore): Kept {
  const seenJob = drafts.read(SEEN_JOB);
  const both = drafts.read(BOTH_DRAFT);
  return {
    draft: choiceFrom(drafts.read(CHOICE_DRAFT)),
    seenJob: typeof seenJob === 'string' ? seenJob : null,
    ran: ranFrom(drafts.read(RAN_DRAFT)),
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
  const loop = useMemo(() => createJobLoop(rpc, dispatch, pause, nowMs), [rpc, pause, nowMs]);
  const actions = useMemo(
    () => createAnalyzeActions(rpc, dispatch, loop, nowMs),
    [rpc, loop, nowMs],
  );
  const { view, draft, seenJob, ran, both, pair } = state;
  const isKeyMissing = connection?.connected === false;
  useEffect(() => {
    if (!isKeyMissing) void actions.load(kept.seenJob);
  }, [actions, kept, isKeyMissing]);
  useEffect(() => loop.follow(view.at === 'job' ? view.status : null), [loop, view]);
  const due = view.at === 'job' && isSecondDue(pair, view.status) ? pair : null;
  const dueAfter = due?.firstJob ?? null;
  const latest = useRef(due);
  latest.current = due;
  useEffect(() => {
    if (dueAfter !== null && latest.current) void actions.startSecond(latest.current);
  }, [actions, dueAfter]);
  useKept(drafts, CHOICE_DRAFT, draft);
  useKept(drafts, SEEN_JOB, seenJob);
  useKept(drafts, RAN_DRAFT, ran);
  useKept(drafts, BOTH_DRAFT, both);
  useKept(drafts, PAIR_DRAFT, pair);
  useFocus(state.focus);
  const isWished = view.at === 'choosing' && !view.areFieldsOpen;
  useReturn(TITLE_ID, isWished, nowMs, actions.refresh);
  useSheetNamed(context, state, isWished, actions.refresh);
  return { state, dispatch, loop, actions, isWished };
}

/** What other pages do at the end of a job. */
interface JobEnd {
  /** Makes a schedule. */
  readonly make: MakeSchedule;
  /** Shows the deals of its list, and what comes next there. */
  readonly deals: Effects['deals'];
  readonly next: Effects['next'];
  /** The end of the job was shown. */
  seen(): void;
}

export function useAnalyzePage(context: ConnectedContext, end: JobEnd): Page {
  const { make, deals, next, seen } = end;
  const { state, dispatch, loop, actions, isWished } = useAnalyze(context);
  const { view } = state;
  const isEnd = view.at === 'job' && isOver(view.status) && !isSecondDue(state.pair, view.status);
  const endedJob = isEnd ? view.status.jobId : null;
  useEffect(() => {
    if (endedJob !== null) seen();
  }, [endedJob, seen]);
  const { connection, nowMs, goTo } = context;
  const toConnection = () => goTo('connection');
  const repeat: Effects['repeat'] = async (list, when) => {
    dispatch({ type: 'repeatAsked' });
    const made = await make(againSettings(list, when));
    if ('kind' in made) dispatch({ type: 'repeatFailed', failure: made });
    else dispatch({ type: 'repeatDone', name: made.name });
  };
  const toSchedule = () => goTo('schedule');
  const toDeals = () => goTo('deals');
  const ways = { toConnection, toSchedule, toDeals };
  const effects = { state, actions, dispatch, ...ways, repeat, deals, next };
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
      loop.wake();
      if (view.at === 'unreached') void actions.load(null);
    },
  };
}
